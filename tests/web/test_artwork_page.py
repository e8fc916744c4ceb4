"""The drawn city on a page: by day, by night or as it is wired; numbers large enough, and pawns beside them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from artwork.lines_and_stations import FIGURES, PLATE_HIGH, PLATES
from artwork.picture_map import STATIONS
from firmware_host.simulator import SimulatedTable
from firmware_host.ui.drawing.paper import TILE_SCALE as TILES
from firmware_host.ui.drawing.paper import places_on_paper
from firmware_host.web.feeds import board_outline
from tests.shipped_grounds import load_map
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay

CAP = 0.72
"""The height of a figure, as a share of the size of usual fonts."""

SHOWN = """() => {
  const { complete, naturalWidth, src } = document.querySelector(".sheet > img");
  return complete && naturalWidth > 0 ? new URL(src).pathname + new URL(src).hash : "";
}"""

SCALE = "width => document.querySelector('.sheet').getBoundingClientRect().width / width"

FEET = """width => {
  const sheet = document.querySelector(".sheet").getBoundingClientRect();
  const units = (pixels, from) => (pixels - from) * width / sheet.width;
  return [...document.querySelectorAll("#pawns .pawn .body")].map(body => {
    const { left, right, top, bottom } = body.getBoundingClientRect();
    const across = [left, right].map(x => units(x, sheet.left));
    return [Number(body.parentNode.dataset.at), ...across, ...[top, bottom].map(y => units(y, sheet.top))];
  });
}"""
"""Station, left, right, top and bottom of every pawn, in units of the board."""


def move(simulated: SimulatedTable, pawn: str, at: int) -> None:
    """A pawn stands on another station now."""
    if pawn in simulated.hardware.points():
        simulated.hardware.pick_up(pawn)
    simulated.hardware.put(at, pawn)


def shows(page: Visitor, look: str) -> None:
    """Wait until the board's drawing is that of a look."""
    page.wait(f"look => (({SHOWN})()).endsWith(look)", look)


@pytest.mark.long
def test_whoever_chooses_a_look_finds_it_again(lay: Lay, visit: Visit) -> None:
    page = visit(lay(shipped("classic")).url)
    shows(page, "#day")
    for look, drawn, *choices in (
        ("wiring", ".svg", "Board as it is wired"),
        ("night", "#night", "Board as it is wired", "Night"),
    ):
        page.click("Settings")
        for choice in choices:
            page.page.get_by_label(choice).click()
        page.page.keyboard.press("Escape")
        shows(page, drawn)
        page.page.reload()
        shows(page, drawn)
        assert page.page.locator(".view").get_attribute("data-look") == look


@pytest.mark.parametrize(("scheme", "look"), [("light", "day"), ("dark", "night")])
@pytest.mark.long_but_first
def test_tiles_are_shown_illustrated_as_they_lie_and_wired_to_whoever_chooses_that(
    lay: Lay, visit: Visit, scheme: str, look: str
) -> None:
    page = visit(lay(shipped("dice")).url)
    page.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type] - one of two words
    shows(page, f".svg#{look}")
    illustrated = page.page.evaluate(SHOWN)
    assert illustrated.startswith("/boards/")
    page.choose("Board as it is wired")
    shows(page, ".svg")
    assert page.page.evaluate(SHOWN) not in ("", illustrated.partition("#")[0])


@pytest.mark.parametrize("rules", ["classic", "dice"])
@pytest.mark.long_but_first
def test_a_board_without_artwork_is_shown_as_it_is_wired(
    lay: Lay, visit: Visit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rules: str
) -> None:
    monkeypatch.setattr(board_outline, "ARTWORK", tmp_path)
    page = visit(lay(shipped(rules)).url)
    shows(page, ".svg")
    assert page.page.evaluate(SHOWN).startswith("/boards/")


@pytest.mark.long
def test_artwork_that_cannot_be_had_gives_way_to_the_wiring(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"))
    page = visit(table.url, "spectate")
    shows(page, "#day")
    page.excuse("net::ERR_FAILED")
    page.page.route("**/static/maps/**", lambda route: route.abort())
    page.page.reload()
    page.wait(f"() => (({SHOWN})()).startsWith('/boards/')")


@pytest.mark.parametrize("path", ["", "tutorial", "tutorial_mr_x"])
@pytest.mark.long_but_first
def test_numbers_are_as_large_as_twelve_pixels_on_a_laptop(lay: Lay, visit: Visit, path: str) -> None:
    page = visit(lay(shipped("classic"), helped=True).url, path, size=(1440, 900))
    page.see(".sheet > img")
    shows(page, "#day")
    page.see("#log .window")  # it takes its place from the map
    page.wait(f"scale => ({SCALE})(1600) >= scale", 12 * CAP / FIGURES)


STANDS = {
    "classic": ("london", 1.0, ((1, 46, 111, 128, 199), (7, 67, 112, 140, 198), (93, 108, 115, 157, 194))),
    "junior": ("junior", STATIONS, ((3, 10),)),
    "dice": (None, TILES, ((1, 16, 36),)),
}
"""For each board its printed map, how much larger its numbers are than London's, and where pawns are set."""


@pytest.mark.parametrize(("rules", "size"), [("junior", (390, 844)), ("classic", (390, 844)), ("dice", (1440, 900))])
@pytest.mark.long_but_first
def test_no_pawn_hides_the_number_it_stands_on(lay: Lay, visit: Visit, rules: str, size: tuple[int, int]) -> None:
    drawn, scale, stands = STANDS[rules]
    table = lay(shipped(rules))
    page = visit(table.url, size=size)
    shows(page, "#day")
    places = places_on_paper(load_map(drawn) if drawn else table.look(lambda p: p.public.network))
    pawns = [pawn for pawn in table.look(lambda p: p.public.order) if pawn != "mr_x"]
    for stations in stands:
        for pawn, at in zip(pawns, stations, strict=False):
            table.look(partial(move, pawn=pawn, at=at))
            page.see(f"[data-pawn='{pawn}'][data-at='{at}']")
        for at, left, right, top, bottom in page.page.evaluate(FEET, 1600):
            if at:  # the others are in the box
                x, y = places[at]
                wide = PLATES[len(str(at))] / 2 * scale
                beside = right <= x - wide or left >= x + wide
                assert beside or bottom <= y - FIGURES / 2 * scale or top >= y + PLATE_HIGH / 2 * scale, at
