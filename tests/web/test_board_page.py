"""The board on a page, for everybody: whole in every window, told in words, reached by keys, still for who asks."""

from __future__ import annotations

from functools import partial
from itertools import product

import pytest

from firmware_host.simulator import SimulatedTable
from tests.amount import amount
from tests.table.cases import shipped
from tests.waiting import until
from tests.web.chromium import Visit
from tests.web.open_table import Lay, plays

WINDOWS = ((390, 844), (844, 390), (768, 1024), (1440, 900))
CHANGES = """() => new Promise(done => {
  const counts = { told: 0, shown: 0 };
  new MutationObserver(changes => {
    for (const { attributeName } of changes) counts[attributeName === "data-colour" ? "told" : "shown"] += 1;
    if (counts.told >= 24) done(counts.shown);
  }).observe(document.getElementById("lights"), {
    subtree: true, attributes: true, attributeFilter: ["data-colour", "display", "color", "class"],
  });
})"""
"""How often what is seen of the lamps changes while they change 24 times as the table says."""

UNSEEN = """() => {
  const view = document.querySelector(".view").getBoundingClientRect();
  return [...document.querySelectorAll("#pawns .body")].filter(body => {
    const { left, right, top, bottom } = body.getBoundingClientRect();
    return left < view.left || right > view.right || top < view.top || bottom > view.bottom;
  }).map(body => body.parentNode.dataset.pawn);
}"""
"""The pawns that are cut off at the window through which the board is seen."""

COVERED = """() => {
  const buttons = [...document.querySelectorAll(".zoom button")].map(button => button.getBoundingClientRect());
  return [...document.querySelectorAll("[data-station]")].filter(station => {
    const { left, right, top, bottom } = station.getBoundingClientRect();
    return buttons.some(b => b.width && left < b.right && right > b.left && top < b.bottom && bottom > b.top);
  }).map(station => station.dataset.station);
}"""
"""The stations that lie below the board's buttons."""

FOCUS = "() => document.activeElement.dataset.station"


def stand(simulated: SimulatedTable, pawn: str, at: int) -> None:
    simulated.hardware.put(at, pawn)


in_play = plays(lambda p: len({move.to for move in p.public.moves}) < len(p.public.moves))
"""It is the detectives' turn, and somewhere they may go by several tickets."""


@pytest.mark.long
def test_nothing_flashes_for_whoever_asks_for_less_motion(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"))  # every pawn is missing, and its lamp blinks
    page = visit(table.url, calm=False)
    page.see("#lights [data-colour^='#']")
    assert page.page.evaluate(CHANGES) >= 24
    page.page.emulate_media(reduced_motion="reduce")
    page.see("#lights [data-does='blinks']")
    page.wait("() => document.querySelectorAll(\"[data-does='blinks']\").length >= 4")
    assert page.page.evaluate(CHANGES) == 0
    page.page.emulate_media(reduced_motion="no-preference")
    page.see("#lights [data-does='blinks']", state="detached")
    assert page.page.evaluate(CHANGES) >= 24


@pytest.mark.parametrize(
    ("path", "rules"),
    amount([("", "dice"), ("spectate", "classic")], list(product(("", "spectate"), ("classic", "dice")))),
)
@pytest.mark.long
def test_pawns_at_the_top_are_seen_whole_and_buttons_cover_no_station(
    lay: Lay, visit: Visit, rules: str, path: str
) -> None:
    table = lay(shipped(rules))
    board = visit(table.url, path)
    board.see("[data-station]")
    places = table.look(lambda p: {n: (s.x, s.y) for n, s in p.public.network.stations.items()})
    top = min(places, key=lambda n: places[n][1])
    pawns = (*table.look(lambda p: p.public.order[:2]), "mr_x")
    for pawn in pawns:
        table.look(partial(stand, pawn=pawn, at=top))
        board.see(f"[data-pawn='{pawn}'][data-at='{top}']")
    for width, height in WINDOWS:
        board.resize(width, height)
        for wrong in (UNSEEN, COVERED):
            board.wait(f"() => ({wrong})().length === 0")


def test_after_a_pawn_is_taken_from_the_box_the_focus_is_where_it_is_missing(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"))
    board = visit(table.url)
    at = table.look(lambda p: p.public.pawns["green"])
    board.see("#box [data-pawn='green']")
    board.page.locator("#box [data-pawn='green']").focus()
    board.page.keyboard.press("Enter")
    assert board.page.evaluate(FOCUS) == str(at)
    board.page.keyboard.press("Enter")
    board.see(f"[data-pawn='green'][data-at='{at}']")


def test_a_number_leads_to_its_station_and_n_and_p_to_lit_ones(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=in_play)
    board = visit(table.url)
    board.see("#lights [data-colour^='#']")
    board.page.locator("[data-station='1']").focus()
    board.type_station(108)
    assert board.page.evaluate(FOCUS) == "108"
    for key in ("1", "Enter", "8"):  # two numbers, however fast they are typed
        board.page.keyboard.press(key)
    assert board.page.evaluate(FOCUS) == "8"

    def typed() -> str:  # as where French is written: with Shift for each digit
        for key in ("1", "Shift", "0", "Shift", "8"):
            board.page.keyboard.press(key)
        return str(board.page.evaluate(FOCUS))

    until(lambda: typed() == "108", "a number that was typed fast enough", every=2)
    lit = table.look(lambda p: {move.to for move in p.public.moves} | {p.public.pawns[pawn] for pawn in p.public.turn})
    board.wait("n => document.querySelectorAll('#lights [data-colour^=\"#\"]').length >= n", len(lit))
    board.page.keyboard.press("n")
    assert board.page.evaluate(FOCUS) == str(min([n for n in lit if n > 108], default=min(lit)))
    for key, step in (("p", -1), ("n", 1)):
        around = sorted(lit)
        here = int(board.page.evaluate(FOCUS))
        board.page.keyboard.press(key)
        assert board.page.evaluate(FOCUS) == str(around[(around.index(here) + step) % len(around)])


@pytest.mark.long
def test_a_station_says_by_what_it_may_be_reached_whatever_colour_its_lamp_has_now(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=in_play)
    page = visit(table.url, "spectate")
    page.see("[data-station][aria-label*='may be reached by']")
    ways: dict[int, set[str]] = {}
    for move in table.look(lambda p: p.public.moves):
        ways.setdefault(move.to, set()).add(move.ticket)
    for to, tickets in ways.items():
        said = page.page.locator(f"[data-station='{to}']").get_attribute("aria-label") or ""
        assert all(ticket in said.partition("reached by")[2] for ticket in tickets), said
        assert "lit " not in said
    assert any(len(tickets) > 1 for tickets in ways.values())


def test_where_nobody_pays_a_lit_station_names_no_ticket(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("beginners"), seed=3, begin=in_play)
    page = visit(table.url, "spectate")
    to = table.look(lambda p: next(move.to for move in p.public.moves))
    page.see(f"[data-station='{to}'][aria-label*='may be reached']")
    said = page.page.locator("#board [data-station], #log [data-window]").evaluate_all(
        "all => all.map(one => one.ariaLabel + one.textContent).join()"
    )
    assert "ticket" not in said
