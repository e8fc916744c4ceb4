"""The plan of a board: everything has room, at every width, and the nearest neighbours are told apart."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from firmware_host.config.loader import Config, load
from firmware_host.maker.board_fit import Affine, BoardFit
from firmware_host.maker.board_plan import (
    DIAMETERS,
    FROM_BELOW,
    PITCH,
    WALL,
    BoardPlan,
    Cut,
    Hole,
    _lay_out,
    plan_board,
)
from firmware_host.maker.maker_errors import BoardTooSmall
from firmware_host.maker.switch_reach import BESIDE, PAIRS, BoardWidth, Reach, ReedPair, Switch

BUILDS = ("london-spi", "london-pico", "dice-matrix", "junior-gpio")
CONFIGS = Path(__file__).parents[2] / "config"


def build(name: str, width: int | None = None) -> Config:
    config = load(CONFIGS / f"{name}.toml")
    return config if width is None else replace(config, board=replace(config.board, width_mm=width))


def gap(one: Hole, other: Hole) -> float:
    """The wood between two round holes."""
    return math.hypot(one.x - other.x, one.y - other.y) - (one.width + other.width) / 2


@pytest.fixture(
    params=[
        *[(name, None) for name in (*BUILDS, "junior-a3")],
        ("london-spi", 600),
        ("london-spi", 1000),
        ("junior-gpio", 300),
    ],
    ids=str,
)
def plan(request: pytest.FixtureRequest) -> BoardPlan:
    return plan_board(build(*request.param))


def test_no_hole_meets_another_but_a_light_the_pocket_of_its_own_lamp(plan: BoardPlan) -> None:
    for one, other in combinations([hole for hole in plan.holes if hole.cut is not Cut.RING], 2):
        own = {one.cut, other.cut} == {Cut.LIGHT, Cut.LAMP} and one.name == other.name
        if own:
            assert (one.x, one.y) == (other.x, other.y)
        elif not one.height and not other.height:
            assert gap(one, other) >= WALL - 1e-6, (one, other)
        else:
            opening, hole = (one, other) if one.height else (other, one)
            beside = abs(hole.x - opening.x) - opening.width / 2, abs(hole.y - opening.y) - opening.height / 2
            assert max(beside) - hole.width / 2 >= WALL, (one, other)


def test_every_hole_lies_within_the_panel(plan: BoardPlan) -> None:
    for hole in plan.holes:
        wide, high = hole.width / 2, (hole.height or hole.width) / 2
        assert wide + WALL < hole.x < plan.width - wide - WALL
        assert high + WALL < hole.y < plan.height - high - WALL


def test_the_printed_sheet_is_wider_than_the_board_by_its_frame() -> None:
    london = plan_board(build("london-spi"))
    assert london.print_width == pytest.approx(699.2, abs=0.05)
    reeds, positions = london.places(Cut.REED), build("london-spi").layout.positions_mm(680)
    frame = (london.print_width - 680) / 2
    for station, (x, y) in positions.items():
        assert reeds[str(station)] == pytest.approx((london.print_left + frame + x, london.print_top + frame + y))


def test_each_lamp_lies_at_the_side_of_its_reed(plan: BoardPlan) -> None:
    reeds, lights = plan.places(Cut.REED), plan.places(Cut.LIGHT)
    assert all(math.dist(at, lights[station]) == pytest.approx(PITCH) for station, at in reeds.items())
    assert {Cut.LAMP} == FROM_BELOW


def test_each_reed_closes_beside_its_middle_and_opens_before_the_neighbour(plan: BoardPlan) -> None:
    assert isinstance(plan.pair, ReedPair)
    closes = math.hypot(plan.pair.height, BESIDE)
    assert closes <= plan.pair.closes[0] + 1e-9
    for one, other in combinations(plan.places(Cut.REED).values(), 2):
        assert math.dist(one, other) - BESIDE >= plan.pair.opens[1]


@pytest.mark.parametrize("name", BUILDS)
def test_screws_are_near_each_other_and_away_from_the_edge(name: str) -> None:
    plan = plan_board(build(name))
    screws = [(hole.x, hole.y) for hole in plan.of(Cut.SCREW)]
    assert len(set(screws)) == len(screws) >= 8
    for x, y in screws:
        assert min(x, y, plan.width - x, plan.height - y) >= 3 * DIAMETERS[Cut.SCREW] / 2
        assert sorted(math.dist((x, y), other) for other in screws)[1] <= 251


def test_all_windows_keys_and_the_screen_have_places(plan: BoardPlan) -> None:
    config = next(config for config in map(build, BUILDS) if config.layout.network.title in plan.title)
    windows = [name for name in plan.places(Cut.LIGHT) if name.startswith("log ")]
    assert len(windows) == len(config.layout.log_lamps)
    assert list(plan.places(Cut.KEY)) == list(config.sections["keys"].table)
    assert list(plan.places(Cut.SCREEN)) == ["display"]


def test_a_narrow_board_takes_a_less_sensitive_reed() -> None:
    assert plan_board(build("junior-gpio")).pair is PAIRS[Switch.REED][0]
    assert plan_board(build("london-spi", 680)).pair is PAIRS[Switch.REED][1]
    assert plan_board(build("london-spi", 600)).pair is PAIRS[Switch.REED][2]


def test_a_board_too_small_for_its_reeds_says_by_how_much() -> None:
    with pytest.raises(BoardTooSmall) as error:
        plan_board(build("london-spi", 560))
    assert "width_mm = 560: stations 111 and 112 are 11.5 mm apart" in str(error.value)
    assert "make the board 22 mm wider: width_mm = 582 or more" in str(error.value)
    plan_board(build("london-spi", 582))


@pytest.mark.parametrize(
    ("name", "width", "message"),
    [
        ("london-spi", 480, r"= 480: light rings of 11 mm need 1\.9 mm more .* 90 mm wider: width_mm = 570"),
        ("dice-matrix", 200, r"= 200: 5 keys and the screen .* need 10 mm more; .* width_mm = 211 or more"),
    ],
)  # fmt: skip
def test_a_board_too_small_for_lamps_rings_or_keys_says_by_how_much(name: str, width: int, message: str) -> None:
    measured = Reach(4.1, 4.2)
    with pytest.raises(BoardTooSmall, match=message) as error:
        plan_board(build(name, width), measured=measured)
    (least,) = map(int, re.findall(r"width_mm = (\d+) or more", str(error.value)))
    plan_board(build(name, least), measured=measured)
    with pytest.raises(BoardTooSmall):
        plan_board(build(name, least - 1), measured=measured)


def test_lamps_without_room_say_how_much_wider_a_board_would_be() -> None:
    crowded = {1 + n: (9.0 * (n % 4), 9.0 * (n // 4)) for n in range(16)}
    for board, words in (
        (BoardWidth(450), r"\[board\] width_mm = 450: the lamps of stations 1, 2, .* make the board \d+ mm wider"),
        (BoardWidth(450, owned=True), r"^the lamps of stations 1, 2, .*; this board of 450 mm is \d+ mm too narrow"),
    ):
        with pytest.raises(BoardTooSmall, match=words) as error:
            _lay_out(crowded, Switch.REED, board, ringed=False)
        more = int(re.findall(r"(\d+) mm (?:wider|too)", str(error.value))[0])
        scale = (450 + more) / 450
        wider = {station: (x * scale, y * scale) for station, (x, y) in crowded.items()}
        assert len(_lay_out(wider, Switch.REED, board, ringed=False)[0]) == 16


def test_a_board_that_the_maker_owns_is_not_advised_to_change_the_configuration() -> None:
    fit = BoardFit(200.0, 340.0, 0.3, Affine(0.6, 0, 5, 0, 0.6, 5), {})
    with pytest.raises(BoardTooSmall, match=r"keys and the screen of \[display\] need .* this board of 200 mm is"):
        plan_board(build("london-spi"), fit=fit, measured=Reach(4.1, 4.2))


def test_one_page_of_a3_shows_the_board_for_an_afternoon_with_room_for_its_reeds() -> None:
    plan = plan_board(build("junior-a3"))
    reeds = plan.middles().values()
    assert plan.on_one_a3
    assert len(reeds) == 14
    assert min(math.dist(one, other) for one, other in combinations(reeds, 2)) > 2 * plan.pair.reach(0).opens
    assert not plan.of(Cut.SCREW), "it is glued on its frame"
    assert not plan.of(Cut.RING) + plan.of(Cut.LAMP), "it is too thin for pockets"
    assert not plan_board(build("junior-a3", 244)).on_one_a3, "it is as large as the page allows"


def test_a_simulated_board_has_a_plan_too() -> None:
    plan = plan_board(build("simulator"))
    assert plan.of(Cut.REED)
    assert not plan.of(Cut.SCREEN)
