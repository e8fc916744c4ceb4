"""The handset's case: what a printer gets, whether it closes and opens, and whether everything has room in it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from manifold3d import Manifold

from firmware_host.config.loader import Config, load, parse
from firmware_host.maker import handset_case
from firmware_host.maker.case_drawing import draw_case
from firmware_host.maker.handset_case import CasePlan, as_stl, front, lid, plan_case, printed
from firmware_host.maker.maker_errors import BadScreen, NoHandset
from tests.maker.test_board_plan import CONFIGS
from tests.maker.test_make_command import make

NUT, BODY = 16.0, 14.0
"""Width of a push button's nut and of its body behind the panel."""


def with_screen(chip: str) -> Config:
    """London with another screen in the handset."""
    head, tail = (CONFIGS / "london-spi.toml").read_text(encoding="utf-8").split("[handset]")
    reset = "\nreset_pin = 14" if chip == "ssd1309" else ""
    return parse(f"{head}[handset]" + tail.replace('"ssd1306"', f'"{chip}"{reset}', 1), "table.toml")


@cache
def case(name: str) -> tuple[CasePlan, Any, Any]:
    """A case with both parts, as they are when it is closed."""
    shipped = CONFIGS / f"{name}.toml"
    plan = plan_case(load(shipped) if shipped.exists() else with_screen(name))
    return plan, front(plan), lid(plan)


CASES = pytest.mark.parametrize("name", ["london-spi", "sh1106", "ssd1309", "dice-matrix", "junior-gpio"])


def solid(stl: bytes) -> Any:
    import trimesh  # noqa: PLC0415 - heavy: only these tests load it

    return trimesh.load(io.BytesIO(stl), file_type="stl")


@CASES
def test_both_parts_are_watertight_and_lie_flat_on_the_printer(name: str) -> None:
    plan, *parts = case(name)
    for part in parts:
        mesh = solid(as_stl(printed(part)))
        assert mesh.is_watertight
        assert mesh.is_winding_consistent
        assert mesh.body_count == 1
        assert mesh.volume == pytest.approx(part.volume(), rel=1e-4)
        assert mesh.bounds[0][2] == pytest.approx(0, abs=1e-4)
        down = (mesh.triangles[:, :, 2].max(axis=1) < 1e-4) & (mesh.face_normals[:, 2] < -0.99)
        wide, high, _ = plan.outside
        assert mesh.area_faces[down].sum() > 0.5 * wide * high, "the flat side is down"
        # Nothing hangs over: what looks down is on the printer's bed, or a counterbore that printers bridge.
        hanging = (mesh.face_normals[:, 2] < -0.8) & ~down
        assert mesh.area_faces[hanging].sum() < 4 * np.pi * handset_case.HEAD**2 / 4 + 1


def thickness(mesh: Any, count: int) -> np.ndarray:
    """How thick a solid is at points on its surface: straight inwards until it ends."""
    import trimesh  # noqa: PLC0415 - see above

    points, faces = trimesh.sample.sample_surface(mesh, count, seed=1)
    inward = -mesh.face_normals[faces]
    corner = mesh.triangles[:, 0]
    one, other = mesh.triangles[:, 1] - corner, mesh.triangles[:, 2] - corner
    found = np.empty(count)
    for n, (start, way) in enumerate(zip(points + 1e-4 * inward, inward, strict=True)):
        # Möller and Trumbore's test of a ray against all triangles.
        across = np.cross(way, other)
        slope = np.einsum("ij,ij->i", one, across)
        with np.errstate(all="ignore"):
            away = start - corner
            u = np.einsum("ij,ij->i", away, across) / slope
            turned = np.cross(away, one)
            v = turned @ way / slope
            far = np.einsum("ij,ij->i", other, turned) / slope
            hit = (np.abs(slope) > 1e-12) & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & (far > 0)
        found[n] = far[hit].min()
    return found


@pytest.mark.parametrize("name", ["london-spi", "ssd1309"])
def test_nothing_is_thinner_than_three_lines_of_a_printer(name: str) -> None:
    _, *parts = case(name)
    for part in parts:
        assert thickness(solid(as_stl(printed(part))), 700).min() > handset_case.LEAST - 0.01


@CASES
def test_the_closed_case_has_no_overlap_and_its_lid_comes_off_straight(name: str) -> None:
    plan, shell, cover = case(name)
    for off in (0.0, 0.5, 1.0, 2.0, 4.0, 30.0):
        assert (shell ^ cover.translate((0, 0, -off))).volume() < 1e-6, f"{off} mm off"
    assert (shell ^ cover.translate((0, 0, 0.1))).volume() > 1, "the lid rests on the walls"
    for x, y in plan.screws:
        shaft = rod(x, y, 2.4, -100, -handset_case.FACE - handset_case.DEPTH / 2 - 0.1)
        assert ((shell + cover) ^ shaft).volume() < 1e-6, "a screw goes through the lid into its pillar"


def rod(x: float, y: float, wide: float, low: float, high: float) -> Any:
    return Manifold.cylinder(high - low, wide / 2, circular_segments=48).translate((x, y, low))


def block(x: float, y: float, low: float, wide: float, tall: float, deep: float) -> Any:
    return Manifold.cube((wide, tall, deep)).translate((x - wide / 2, y - tall / 2, low))


@CASES
def test_screen_keys_pico_and_plug_have_room(name: str) -> None:
    plan, shell, cover = case(name)
    inside, bottom = -handset_case.FACE, -handset_case.FACE - handset_case.DEPTH
    board = inside - plan.screen.glass - 1.6
    pico = bottom + 3.0
    things = [
        block(0, 0, board - 4, *plan.screen.board, 5.6),  # with what is soldered behind it
        block(0, plan.pico_middle, pico, *handset_case.PICO, 4.5),
        block(0, plan.height / 2 - 1, pico + 1, 8, 10, 3),  # the socket stands out a little
        *(rod(key.x, key.y, NUT, inside - 2.5, inside) for key in plan.keys),
        *(rod(key.x, key.y, BODY, bottom + 0.1, inside - 2.5) for key in plan.keys),
    ]
    whole = shell + cover
    for n, thing in enumerate(things):
        assert (whole ^ thing).volume() < 1e-6, n
        for other in things[n + 1 :]:
            if n != 1:  # the socket is a part of the Pico
                assert (thing ^ other).volume() < 1e-6
    plug = block(0, plan.height / 2 + 4.3, pico - 1.4, 11.5, 8, 7.5)  # in front of the socket
    assert (whole ^ plug).volume() < 1e-6, "a plug with its sleeve goes through the opening"
    assert len({(key.x, key.y) for key in plan.keys}) == len(plan.keys) > 0


@CASES
def test_every_hole_is_where_the_plan_has_it(name: str) -> None:
    plan, shell, cover = case(name)
    holes = [(key.x, key.y, key.hole, shell, 0.0) for key in plan.keys]
    holes += [(x, y, handset_case.PILOT, shell, -handset_case.FACE - handset_case.DEPTH) for x, y in plan.screws]
    holes += [
        (x, y, handset_case.SMALL_PILOT, shell, -handset_case.FACE - plan.screen.glass) for x, y in plan.screen_holes
    ]
    holes += [
        (x, y, handset_case.SMALL_PILOT, cover, -handset_case.FACE - handset_case.DEPTH + 3) for x, y in plan.pico_holes
    ]
    corners = {id(part): solid(as_stl(part)).vertices for part in (shell, cover)}
    for x, y, wide, part, level in holes:
        rim = corners[id(part)]
        near = rim[(abs(rim[:, 2] - level) < 1e-3) & (abs(np.hypot(rim[:, 0] - x, rim[:, 1] - y) - wide / 2) < 0.1)]
        assert len(near) >= 40, (x, y)
        assert abs(np.hypot(near[:, 0] - x, near[:, 1] - y) - wide / 2).max() < 0.01


@pytest.mark.parametrize("build", [front, lid])
def test_the_bytes_repeat(build: Callable[[CasePlan], Any]) -> None:
    plan = case("london-spi")[0]
    assert as_stl(printed(build(plan))) == as_stl(printed(build(plan)))
    assert draw_case(plan) == draw_case(plan)


def test_the_keys_are_those_of_the_configuration() -> None:
    for name in ("london-spi", "london-pico"):  # the keys of the second are on the handset's Pico
        assert {key.name for key in case(name)[0].keys} == {"up", "down", "select", "back", "peek"}
    assert {key.name for key in case("junior-gpio")[0].keys} == {"up", "down", "select"}
    ((knob,),) = [case("dice-matrix")[0].keys]
    assert (knob.name, knob.hole) == ("knob", handset_case.KNOB)


@CASES
def test_the_drawing_is_true_to_scale_and_inside_its_page(name: str) -> None:
    plan = case(name)[0]
    drawn = draw_case(plan)
    circles = dict(re.findall(r'<circle id="([^"]+)"[^>]* r="([\d.]+)"', drawn))
    assert {key.name: float(circles[f"key-{key.name}"]) / 2 for key in plan.keys} == {
        key.name: pytest.approx(key.hole, abs=0.05) for key in plan.keys
    }
    numbers = [float(x) for points in re.findall(r'points="([^"]+)"', drawn) for x in re.split(r"[ ,]", points)[::2]]
    assert 0 < min(numbers) < max(numbers) < 1188


def test_a_measured_board_moves_the_posts_and_an_impossible_one_is_refused() -> None:
    config = load(CONFIGS / "london-spi.toml")
    measured = plan_case(config, (26.0, 27.0), (22.0, 23.0))
    assert measured.screen_holes[0] == (11.0, 11.5)
    nan = float("nan")
    for board, holes, message in (
        ((20.0, 27.0), None, "--screen-board: 20 mm wide; the window of 24 × 13 mm needs a board of 26 to 100 mm"),
        ((-27.0, 27.0), None, "--screen-board: -27 mm wide; "),
        (
            (27.0, 1000.0),
            None,
            "--screen-board: 1000 mm high; the window of 24 × 13 mm needs a board of 15 to 100 mm",
        ),
        ((27.0, nan), None, "--screen-board: nan mm high; "),
        (
            None,
            (27.0, 23.0),
            "--screen-holes: 27 mm apart on a board 27.3 mm wide, which has room for 13.65 to 25.3",
        ),
        (None, (5.0, 23.0), "--screen-holes: 5 mm apart on a board 27.3 mm wide"),
        (None, (nan, 23.0), "--screen-holes: nan mm apart"),
        (None, (14.0, 14.0), "14 × 14 mm apart: posts would be behind the window of 24 × 13 mm; write 28.4 mm"),
    ):
        with pytest.raises(BadScreen, match=re.escape(message)):
            plan_case(config, board, holes)
    with pytest.raises(NoHandset, match='driver = "sim"'):
        plan_case(load(CONFIGS / "simulator.toml"))


def test_the_command_writes_front_lid_and_drawing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measures = ["--screen-board", "26.5", "27.5", "--screen-holes", "23", "23.5"]
    assert make("case", CONFIGS / "london-spi.toml", "--out", tmp_path, *measures) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["case-front.stl", "case-lid.stl", "case.svg"]
    assert "26.5 × 27.5 mm, with holes 23 × 23.5 mm apart" in (tmp_path / "case.svg").read_text(encoding="utf-8")
    assert make("case", CONFIGS / "london-spi.toml", "--out", tmp_path, "--screen-board", "1", "1") != 0
    assert "--screen-board: 1 mm wide; the window of 24 × 13 mm needs" in capsys.readouterr().err
