"""A board that the maker owns: a few measured stations give the place of every hole, and a mistyped one is named."""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.graphics.shapes import Drawing

from firmware_host.config.toml_file import ConfigError
from firmware_host.maker.afternoon_guide import why_not
from firmware_host.maker.board_fit import Affine, BoardFit, Place, fit_places, name_outliers, read_fit
from firmware_host.maker.board_plan import LOG_RAIL, RAIL, BoardPlan, Cut, plan_board
from firmware_host.maker.cross_section import cut_station, find_faults
from firmware_host.maker.drill_template import draw_dxf, draw_pdf
from firmware_host.maker.maker_errors import BoardTooSmall, UnsuitableChoice
from firmware_host.maker.parts_list import as_csv, draw_parts_pdf, parts_list
from firmware_host.maker.printed_map import page_matrix
from firmware_host.maker.section_drawing import draw_section_pdf
from firmware_host.maker.switch_reach import Reach
from firmware_host.maker.wire_list import wire_list
from firmware_host.ui.drawing.paper import WIDTH, places_on_paper
from tests.maker.measured_files import MM, layers, pages
from tests.maker.test_board_plan import CONFIGS, build
from tests.maker.test_make_command import make

LONDON = build("london-spi").layout.positions_mm(680)
CORNERS = (8, 7, 189, 175, 4, 197, 93, 107)
"""Stations near the corners of London, and near the middle of each edge."""

TRUE = Affine(1.04, 0.012, 9.5, -0.015, 1.02, 11.0)
"""How the map lies on the board of these tests: larger, slanted and turned a little."""
SIZE = (730.0, 550.0)


def written(folder: Path, stations: dict[int, Place], unit: str = "mm", **keys: object) -> Path:
    path = folder / "fit.toml"
    head = {"unit": unit, "width_mm": SIZE[0], "height_mm": SIZE[1], **keys}
    lines = [f"{key} = {json.dumps(value)}" for key, value in head.items()]
    lines += ["[stations]", *(f"{station} = [{x:.3f}, {y:.3f}]" for station, (x, y) in stations.items())]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def measured(count: int, transform: Affine = TRUE) -> dict[int, Place]:
    return {station: transform.apply(LONDON[station]) for station in CORNERS[:count]}


def mistake(path: Path) -> str:
    with pytest.raises(ConfigError) as error:
        read_fit(path, LONDON)
    assert all(line.startswith(f"{path}: ") for line in error.value.mistakes)
    return str(error.value)


TRANSFORMS = st.builds(
    lambda scale, stretch, turn, slant, x, y: Affine(
        scale * math.cos(turn), -scale * math.sin(turn) + slant, x,
        scale * stretch * math.sin(turn), scale * stretch * math.cos(turn), y,
    ),
    st.floats(0.8, 1.4), st.floats(0.9, 1.1), st.floats(-0.2, 0.2), st.floats(-0.05, 0.05), st.floats(-60, 60),
    st.floats(-60, 60),
)  # fmt: skip


@given(TRANSFORMS, st.integers(4, 8), st.integers(0, 2**32))
@settings(deadline=None)
def test_a_fit_of_noisy_places_puts_every_station_within_a_tenth_of_a_millimetre(
    transform: Affine, count: int, seed: int
) -> None:
    rng = random.Random(seed)
    noisy = {
        station: (x + rng.uniform(-0.03, 0.03), y + rng.uniform(-0.03, 0.03))
        for station, (x, y) in measured(count, transform).items()
    }
    found = fit_places(LONDON, noisy)
    assert all(math.dist(found.apply(at), transform.apply(at)) < 0.1 for at in LONDON.values())
    assert name_outliers(LONDON, noisy) == {}


@given(TRANSFORMS, st.integers(6, 8), st.integers(0, 7), st.floats(0, 2 * math.pi), st.floats(12, 400))
@settings(deadline=None)
def test_a_mistyped_station_is_named_with_how_far_it_is_off(
    transform: Affine, count: int, which: int, way: float, far: float
) -> None:
    places = measured(count, transform)
    wrong = CORNERS[which % count]
    x, y = places[wrong]
    places[wrong] = x + far * math.cos(way), y + far * math.sin(way)
    named = name_outliers(LONDON, places)
    assert list(named) == [wrong]
    assert named[wrong] == pytest.approx(far, abs=0.1)


def test_the_file_gives_the_transform_and_says_how_good_it_is(tmp_path: Path) -> None:
    places = measured(6)
    places[7] = places[7][0] + 0.6, places[7][1]
    fit = read_fit(written(tmp_path, places), LONDON)
    assert all(math.dist(fit.transform.apply(at), TRUE.apply(at)) < 0.6 for at in LONDON.values())
    assert fit.describe().startswith("Fit of 6 stations: at most 0.")
    assert "named" not in fit.describe()
    four = read_fit(written(tmp_path, measured(4)), LONDON)
    assert "With fewer than 6 no mistyped station can be named" in four.describe()


def test_pixels_of_a_photograph_give_the_same_fit_as_millimetres(tmp_path: Path) -> None:
    edges = [120.0, 84.0, 3320.0, 2420.0]
    pixels = {
        station: (edges[0] + x * (edges[2] - edges[0]) / SIZE[0], edges[1] + y * (edges[3] - edges[1]) / SIZE[1])
        for station, (x, y) in measured(6).items()
    }
    fit = read_fit(written(tmp_path, pixels, "px", photo=edges), LONDON)
    assert fit.transform == pytest.approx(TRUE, abs=0.01)


def test_a_mistyped_station_is_refused_by_name_or_with_four_as_one_of_them(tmp_path: Path) -> None:
    for count, words in (
        (6, "[stations] 7: is 30.0 mm from where the other stations put it"),
        (4, "measure 6 or more"),
    ):
        places = measured(count)
        places[7] = places[7][0] - 30, places[7][1]
        assert words in mistake(written(tmp_path, places))
    assert "one of 8, 7, 189, 175 may be mistyped; 4 stations cannot show which" in mistake(written(tmp_path, places))
    rng = random.Random(2)
    wild = {station: (x + rng.uniform(-40, 40), y + rng.uniform(-40, 40)) for station, (x, y) in measured(8).items()}
    assert "several may be mistyped, or this board has another map" in mistake(written(tmp_path, wild))


def test_every_mistake_of_a_file_is_listed_with_what_would_be_right(tmp_path: Path) -> None:
    path = written(tmp_path, measured(6), "cm", height_mm=3, thickness_mm=-1, photo=[1], colour="red")
    path.write_text(f"{path.read_text()}\n999 = [1, 2]\n2 = [1]\n07 = [1, 2]\n5 = [nan, 2]\n", encoding="utf-8")
    said = mistake(path)
    for words in (
        'unit: "cm" is neither "mm" nor "px"; write "mm" for millimetres, or "px" for pixels of a photograph',
        "height_mm: 3 is not a number from 50 to 5000; write the board's size from edge to edge in mm",
        "thickness_mm: -1 is not a number from 0 to 10; write the board's thickness in mm",
        'photo: goes with unit = "px" only',
        "colour: unknown; the keys are unit, width_mm",
        "[stations] 999: there is no such station on this map; correct the number, or delete the line",
        "[stations] 07: there is no such station on this map; correct the number, or delete the line",
        "[stations] 5: [nan, 2] is not two numbers; write the distances from the left and from the top",
        "[stations] 2: [1] is not two numbers; write the distances from the left and from the top, such as [233.5, ",
    ):
        assert words in said
    assert "photo: is missing; write the board's left, top, right and bottom edge" in mistake(
        written(tmp_path, measured(6), "px")
    )
    assert "a fit needs 4 stations or more, near all corners; these are 3" in mistake(written(tmp_path, measured(3)))
    line = {station: TRUE.apply(LONDON[station]) for station in sorted(LONDON, key=lambda one: LONDON[one][1])[:4]}
    assert "nearly on one line" in mistake(written(tmp_path, line))
    mirrored = {station: (SIZE[0] - x, y) for station, (x, y) in measured(6).items()}
    assert "the map would be mirrored" in mistake(written(tmp_path, mirrored))
    assert "mm outside the board" in mistake(written(tmp_path, measured(6), width_mm=600.0))
    path.write_text("unit = ", encoding="utf-8")
    assert "line 1" in mistake(path)


# ---- the drawings follow ----


@pytest.fixture(scope="module")
def fitted() -> BoardPlan:
    return plan_board(build("london-spi"), fit=BoardFit(*SIZE, 2.0, TRUE, {}))


def test_the_drill_template_and_the_wires_follow_the_fit(fitted: BoardPlan) -> None:
    reeds = layers(draw_dxf(fitted))["reed"]
    assert len(reeds) == 199
    for station, at in LONDON.items():
        x, y = TRUE.apply(at)
        place = RAIL + x, fitted.height - (LOG_RAIL + y)
        assert any(math.dist(place, (one.x, one.y)) < 0.1 for one in reeds), station
    config = build("london-spi")
    assert sum(wire.length for wire in wire_list(config, fitted)) > sum(
        wire.length for wire in wire_list(config, plan_board(config))
    )


def test_the_printed_map_follows_the_fit(fitted: BoardPlan) -> None:
    config = build("london-spi")
    drawing = Drawing(1200, 1200 / 1600 * 1200)  # of any size: the artwork is 1,600 units wide
    a, b, c, d, e, f = page_matrix(config, fitted, drawing, (-RAIL, 500.0))
    for station, (x, y) in places_on_paper(config.layout.network).items():
        right, up = x * drawing.width / WIDTH, drawing.height - y * drawing.width / WIDTH
        place = (a * right + c * up + e) * MM, (b * right + d * up + f) * MM
        shown = TRUE.apply(LONDON[station])
        assert math.dist(place, (shown[0], 500 - LOG_RAIL - shown[1])) < 0.1


def test_the_section_shows_the_board_with_its_thickness_and_holes(fitted: BoardPlan) -> None:
    assert find_faults(fitted) == []
    parts = {part.name: part for part in cut_station(fitted)}
    assert parts["board"].bottom - parts["board"].top == 2.0
    assert parts["hole for the light"].top == -2.0
    assert not fitted.of(Cut.RING)
    words = pages(draw_section_pdf(fitted, "A4"))[0].get_textpage().get_text_bounded()
    assert "your board, 2, glued on" in words


def test_a_board_too_thick_for_any_reed_and_tiles_are_refused() -> None:
    with pytest.raises(
        BoardTooSmall, match=r"a reed would be 4\.7 mm .* 3\.8 mm at most: 3 mm on the panel are 0\.9 mm too"
    ):
        plan_board(build("london-spi"), fit=BoardFit(*SIZE, 3.0, TRUE, {}))
    plan_board(build("london-spi"), fit=BoardFit(*SIZE, 2.0, TRUE, {}))
    with pytest.raises(UnsuitableChoice, match="the dice game has no board to fit"):
        plan_board(build("dice-matrix"), fit=BoardFit(*SIZE, 2.0, TRUE, {}))


def test_the_command_takes_a_fit_and_says_how_good_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fit = written(tmp_path, measured(6))
    file = CONFIGS / "london-spi.toml"
    assert make("wires", file, "--out", tmp_path / "pack", "--fit", fit) == 0
    said = capsys.readouterr().out
    assert "Fit of 6 stations: at most 0.0 mm off" in said
    assert "Panel 780.0 × 655.0 mm." in said
    places = measured(6)
    places[189] = 5.0, 5.0
    assert make("wires", file, "--out", tmp_path / "other", "--fit", written(tmp_path, places)) != 0
    assert "fit.toml: [stations] 189: is " in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


# ---- measured switches ----


def test_measured_switches_decide_instead_of_data_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = CONFIGS / "london-spi.toml", tmp_path / "pack"
    for pair, words in (
        ("[5.5, 9.5]", "Measured: switches close up to 5.5 mm and have opened at 9.5 mm."),
        ("[3.5, 9.5]", "measured: a switch closes only up to 3.5 mm off centre, but a pawn may be 4 mm off"),
        ("[5.5, 11]", "are 14.0 mm apart, and the measured switches do not keep them apart at less than 15.0 mm; make"),
        ("[7, 6]", "measured.toml: [stations] 58: [7, 6] is not a pair such as [5.5, 7.0]; write the mm, 0 to 40,"),
    ):
        path = tmp_path / "measured.toml"
        path.write_text(f"[stations]\n58 = [{pair}]\n", encoding="utf-8")
        status = make("wires", file, "--out", out, "--measured", path)
        said = capsys.readouterr()
        assert words in (said.out if status == 0 else said.err)
        assert (status == 0) is words.startswith("Measured")


def test_a_board_that_data_sheets_refuse_is_built_with_measured_switches() -> None:
    with pytest.raises(BoardTooSmall):
        plan_board(build("london-spi", 570))
    plan = plan_board(build("london-spi", 570), measured=Reach(4.5, 7.5))
    assert find_faults(plan) == []
    assert plan.reach == Reach(4.5, 7.5)


@pytest.mark.parametrize("fit", [None, BoardFit(*SIZE, 3.0, TRUE, {})], ids=["printed map", "own board"])
def test_no_file_for_a_measured_board_names_a_switch_or_a_magnet_that_was_not_measured(fit: BoardFit | None) -> None:
    config = build("london-spi")
    plan = plan_board(config, fit=fit, measured=Reach(4.5, 7.5))
    words = " ".join(
        " ".join(" ".join(page.get_textpage().get_text_range() for page in pages(pdf)).split())
        for pdf in (draw_section_pdf(plan, "A4"), draw_pdf(plan, "A4"), draw_parts_pdf(config, plan))
    )
    assert not re.search(r"\d AT\b|MM-1018|NDC-|are from data sheets|Keep to|\d × \d+ mm, . spare", words)
    assert "closed up to 4.5 mm beside the middle" in words
    assert "had opened at 7.5 mm" in words
    assert not re.search(r"\d AT\b|MM-1018|NDC-", as_csv(parts_list(config, plan)))


def test_the_commands_last_line_for_a_measured_board_names_no_pair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "measured.toml"
    path.write_text("[stations]\n58 = [[5.5, 9.5]]\n", encoding="utf-8")
    assert make("parts", CONFIGS / "london-spi.toml", "--out", tmp_path / "pack", "--measured", path) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(" mm. Reed and magnet as measured.")


def test_the_guide_to_an_afternoon_orders_its_own_reeds_and_so_takes_no_measured_ones() -> None:
    config = build("junior-a3")
    plan = plan_board(config, measured=Reach(4.5, 7.5))
    assert why_not(config, plan) == "--measured: the guide is for the reed and the magnet that it lists; leave it out"
