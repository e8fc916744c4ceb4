"""Pawns stand above their numbers and lean to the freest side; Mister X's is the one that is seen first."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import pytest

from artwork.lines_and_stations import PLATE_HIGH, PLATES
from firmware_host.simulator import SimulatedTable
from firmware_host.ui.drawing.board_map import BoardMap
from firmware_host.web.feeds import board_outline
from tests.amount import amount
from tests.shipped_grounds import load_map
from tests.table.cases import shipped
from tests.web.chromium import Visit
from tests.web.open_table import Lay

HALF, HEAD = 9.0, 28.0
"""Half as wide as a pawn is, and how far above its foot the middle of its head is, in units of its size."""


LOOKS = amount(
    [("classic", "night", []), ("junior", "day", ["Colours for the colour-blind", "High contrast"])],
    [
        (rules, look, choices)
        for rules in ("classic", "junior", "dice")
        for look in ("day", "night")
        for choices in ([], ["Colours for the colour-blind"], ["High contrast"])
    ],
)

DRAWN = """pawn => {
  const part = name => document.querySelector(`#pawns [data-pawn="${pawn}"] ${name}`);
  const style = name => part(name) && getComputedStyle(part(name));
  return {
    high: part(".body").getBBox().height * new DOMMatrix(getComputedStyle(part(".body").parentNode).transform).d,
    fill: style(".coat")?.fill, outline: style(".outline")?.stroke, wide: parseFloat(style(".outline")?.strokeWidth),
    shadow: Number(style(".shadow").opacity),
  };
}"""

STANDS = """async ({board, groups, targets}) => {
  const { PawnStands } = await import("/static/board/pawn_stands.js");
  const stands = new PawnStands(board);
  stands.setOnArtwork(true);
  return groups.map((group, n) => {
    stands.setTargets(targets[n]);
    return Object.fromEntries(stands.arrange(new Map(group)));
  });
}"""


def outline(name: str) -> dict[str, Any]:
    """A board as a page is told of it."""
    board = BoardMap(load_map(name))
    lines = [(link.a, link.b, link.transport) for link in board.network.links]
    return {
        **board_outline.outline(board, None, lambda station: station),
        "lines": lines,
        "bends": board_outline.bends(board),
    }


def put(simulated: SimulatedTable, pawn: str, at: int) -> None:
    """A pawn is set on a station."""
    simulated.hardware.put(at, pawn)


def head(stand: dict[str, float], size: float) -> tuple[float, float]:
    """Where the middle of a pawn's head is."""
    angle = math.radians(stand["lean"])
    return stand["x"] + HEAD * size * math.sin(angle), stand["y"] - HEAD * size * math.cos(angle)


@pytest.mark.parametrize(("rules", "look", "choices"), LOOKS)
@pytest.mark.long_but_first
def test_mister_xs_pawn_is_black_with_a_white_outline_and_half_as_large_again(
    lay: Lay, visit: Visit, rules: str, look: str, choices: list[str]
) -> None:
    table = lay(shipped(rules))
    page = visit(table.url)
    page.page.emulate_media(color_scheme="dark" if look == "night" else "light")
    page.choose(*choices)
    detective = table.look(lambda p: next(pawn for pawn in p.public.order if not pawn.startswith("mr_x")))
    for pawn, at in (("mr_x", 3), (detective, 8)):
        table.look(partial(put, pawn=pawn, at=at))
        page.see(f"[data-pawn='{pawn}'][data-at='{at}']")
    his, other = (page.page.evaluate(DRAWN, pawn) for pawn in ("mr_x", detective))
    assert his["fill"] == "rgb(21, 18, 29)"
    assert his["outline"] == "rgb(255, 255, 255)"
    assert his["wide"] > 3
    assert his["shadow"] > 0.3
    assert 1.4 <= his["high"] / other["high"] <= 1.6


@pytest.mark.parametrize("name", ["london", "junior"])
@pytest.mark.long_but_first
def test_pawns_stand_above_their_number_and_their_heads_stay_on_the_board(lay: Lay, visit: Visit, name: str) -> None:
    page = visit(lay(shipped("classic")).url, "spectate").page
    board = outline(name)
    sizes = {"red": 1.3, "mr_x": 1.95}
    lone = [[(at["n"], [{"pawn": pawn, "size": size}])] for at in board["stations"] for pawn, size in sizes.items()]
    found = page.evaluate(STANDS, {"board": board, "groups": lone, "targets": [[]] * len(lone)})
    scale, beside = board["radius"] / 13.157, []
    stations = {station["n"]: station for station in board["stations"]}
    for [(at, [pawn])], stands in zip(lone, found, strict=True):
        stand, size = stands[pawn["pawn"]], pawn["size"]
        _, y = head(stand, size)
        assert y >= 5 * size, (at, pawn)
        assert abs(stand["lean"]) <= (12 if pawn["pawn"] == "mr_x" else 18), (at, pawn)
        if abs(stand["x"] - stations[at]["x"]) > HALF * 1.95 + 0.1:
            beside.append(at)
            assert abs(stand["x"] - stations[at]["x"]) - HALF * size > PLATES[3] / 2 * scale, (at, pawn)
        else:
            assert stand["y"] <= stations[at]["y"] - PLATE_HIGH / 2 * scale, (at, pawn)
    assert len(beside) <= len(lone) // 10


@pytest.mark.long_but_first
def test_pawns_on_one_station_lean_apart(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"))
    visitor = visit(table.url, "spectate")
    page = visitor.page
    pair = [{"pawn": "red", "size": 1.3}, {"pawn": "mr_x", "size": 1.95}]
    board = outline("london")
    groups = [[(station["n"], pair)] for station in board["stations"]]
    for stands in page.evaluate(STANDS, {"board": board, "groups": groups, "targets": [[]] * len(groups)}):
        assert stands["red"]["lean"] < 0 < stands["mr_x"]["lean"] <= 12
        assert stands["mr_x"]["x"] - stands["red"]["x"] > HALF * (1.3 + 1.95)
    for pawn in ("red", "yellow"):
        table.look(partial(put, pawn=pawn, at=8))
        visitor.see(f"#pawns [data-pawn='{pawn}'][data-at='8']")
    visitor.wait("() => document.querySelectorAll('#rings .ring').length === 2")
