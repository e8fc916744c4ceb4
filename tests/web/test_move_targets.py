"""Where a pawn may go, on every page alike: halos, tickets, a map that recedes; and the last move of each pawn."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import FloatRect, expect

from firmware_host.rules.actions import MR_X
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_seat import looking, seat_table
from tests.web.open_table import Lay, plays, red_to_move
from tests.web.test_plays_taps import at_reds_turn, figure

HALOS = "() => [...document.querySelectorAll('#targets .halo:not(.refused)')].map(one => +one.dataset.to).sort()"
LETTERS = """() => Object.fromEntries([...document.querySelectorAll("#targets .halo")].map(one =>
  [one.dataset.to, [...one.querySelectorAll(".sign")].map(sign => sign.dataset.ticket).sort()]))"""
VEIL = """station => {
  const { x, y } = document.querySelector(`#stations [data-station="${station}"]`).getBBox();
  const canvas = document.querySelector(".veil");
  const share = canvas.width / document.querySelector("#paper").viewBox.baseVal.width;
  const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, -(x + 15) * share, -(y + 15) * share);
  return copy.getImageData(0, 0, 1, 1).data[3] / 255;
}"""
"""How much of the map a veil takes at a station, from 0 to 1, while it shows."""
RECEDES = ".view[data-receding]"
OVERLAPS = """() => {
  const box = one => one.getBoundingClientRect();
  const unit = box(document.querySelector("#paper")).width / document.querySelector("#paper").viewBox.baseVal.width;
  const inside = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > unit &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > unit;
  const signs = [...document.querySelectorAll("#targets .sign")].map(box);
  const numbers = [...document.querySelectorAll("[data-station]")].map(station => {
    const { x, y, width, height } = box(station);
    const [cx, cy] = [x + width / 2, y + height / 2];
    return { left: cx - 15 * unit, right: cx + 15 * unit, top: cy - 7 * unit, bottom: cy + 7 * unit };
  });
  return {
    signs: signs.filter((one, n) => signs.slice(n + 1).some(other => inside(one, other))).length,
    numbers: numbers.filter(one => signs.some(other => inside(one, other))).length,
  };
}"""
LINES = """() => [...document.querySelectorAll("#last-moves .last-move")].map(one => one.dataset.move)"""
PAGES = ("", "spectate")


def ways(simulated: SimulatedTable) -> dict[str, list[str]]:
    """Each station that may be reached, and by which tickets, as pages name them."""
    found: dict[str, set[str]] = {}
    for move in simulated.public.moves:
        found.setdefault(str(move.to), set()).add(move.ticket)
    return {to: sorted(tickets - ({"black"} if len(tickets) > 1 else set())) for to, tickets in found.items()}


def test_the_map_recedes_while_a_pawn_is_to_move_but_where_it_may_go(lay: Lay, visit: Visit) -> None:
    table, page = at_reds_turn(lay, visit)
    for one in (page, visit(table.url, "spectate")):
        one.see(RECEDES)
        assert one.page.evaluate(LETTERS) == table.look(ways)
        for station in table.look(ways):
            assert one.page.evaluate(VEIL, station) == 0
        assert one.page.evaluate(VEIL, "198") > 0.9
        assert not one.page.locator("#lights [data-below='halo']:visible").count()


def test_the_map_is_whole_while_a_computer_moves(lay: Lay, visit: Visit) -> None:
    def begin(p: SimulatedTable) -> None:
        p.new_game(players=4, start={MR_X: 94, "red": 13, "yellow": 26, "green": 91})
        p.set_up()

    table = lay(shipped("classic"), seed=5, begin=begin, helped=True)
    page = visit(table.url)
    page.see('body[data-phase="play"]')
    page.see("#pawns [data-pawn='red'][data-at='13']")
    assert page.page.evaluate(HALOS) == []
    assert not page.page.locator(RECEDES).count()
    assert page.page.evaluate(VEIL, "198") == page.page.evaluate(VEIL, "13") == 1


def test_halos_are_those_of_the_pawn_in_the_hand(lay: Lay, visit: Visit) -> None:
    """BE-02: several pawns are to move, and the hand has one of them."""
    begin = plays(lambda p: len(p.public.turn) > 1 and not p.public.mr_x_to_move, players=5)
    table = lay(shipped("beginners"), seed=2, begin=begin, helped=True)
    page = visit(table.url)
    page.see(RECEDES)
    everywhere = table.look(lambda p: {move.to for move in p.public.moves})
    assert set(page.page.evaluate(HALOS)) == everywhere
    pawn = table.look(lambda p: p.public.turn[-1])
    own = table.look(lambda p: {move.to for move in p.public.moves if move.pawn == pawn})
    assert own < everywhere
    page.page.mouse.click(*figure(page, pawn))
    page.see(f"#pawns [data-pawn='{pawn}'].lifted")
    assert set(page.page.evaluate(HALOS)) == own
    other = next(iter(everywhere - own))
    assert not page.page.locator(f"#lights [data-lamp='{other}']").is_visible()
    page.page.keyboard.press("Escape")
    page.see(f"#pawns [data-pawn='{pawn}']:not(.lifted)")
    assert set(page.page.evaluate(HALOS)) == everywhere


@pytest.mark.parametrize(("address", "size"), [("", (1440, 900)), ("", (390, 844)), ("spectate", (1280, 720))])
@pytest.mark.parametrize("rules", ["classic", "us", "dice"])
@pytest.mark.long_but_first
def test_tickets_lie_on_no_number_and_on_no_other_ticket(
    lay: Lay, visit: Visit, rules: str, address: str, size: tuple[int, int]
) -> None:
    def begin(p: SimulatedTable) -> None:
        p.new_game()
        people = SimulatedPeople(p, random.Random(2))
        people.set_up()
        for _ in range(9):
            people.play()
        while p.public.outcome is None and (p.public.mr_x_to_move or not p.public.moves):
            people.play()
        p.advance(500)

    table = lay(shipped(rules), seed=2, begin=begin, helped=True)
    page = visit(table.url, address, size=size)
    page.see(f"{RECEDES} #targets .sign")
    page.page.wait_for_function("() => document.getAnimations().every(one => one.playState === 'finished')")
    assert page.page.evaluate(OVERLAPS) == {"signs": 0, "numbers": 0}


def test_mister_xs_page_has_the_same_halos_and_none_under_the_cover(visit: Visit) -> None:
    with seat_table() as table:
        page = looking(table, visit)
        page.see(RECEDES)
        assert set(page.page.evaluate(HALOS)) >= {93, 95, 77}
        page.tap("[data-station='93']")
        page.see("#targets .halo.asked[data-to='93']")
        page.page.click("#hide")
        assert page.page.evaluate(HALOS) == []
        assert page.page.evaluate(VEIL, "94") == page.page.evaluate(VEIL, "93") == 1


two_rounds = plays(
    lambda p: len(p.public.log) >= 2 and p.public.mr_x_to_move,
    seed=5, players=4, start={MR_X: 94, "red": 13, "yellow": 26, "green": 91},
)  # fmt: skip
"""Mister X and three pawns have moved twice, and he is to move."""


def test_the_last_move_of_each_pawn_is_a_line_and_news_also_for_a_page_that_comes_later(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), seed=5, begin=two_rounds, helped=True)
    moves = table.look(lambda p: p.table.game and p.table.game.last_moves) or ()
    assert {move.pawn for move in moves} == {"red", "yellow", "green"}
    ticket = table.look(lambda p: p.public.log[-1].ticket)
    for address in PAGES:
        page = visit(table.url, address)
        page.see("#last-moves .last-move")
        page.see("#news li .ticket")
        drawn = page.page.evaluate(LINES)
        assert sorted(drawn) == sorted(f"{move.pawn},{move.origin},{move.to},{move.ticket}" for move in moves)
        for move in moves:
            row = page.page.locator(f"#news li:has(.disc[data-of='{move.pawn}'])").first
            assert row.locator(".ticket").get_attribute("data-ticket") == move.ticket
            expect(row.locator(".words")).to_have_text(f"{move.pawn.capitalize()}: {move.origin} to {move.to}.")
        his = page.page.locator("#news li:has(.disc[data-of='mr_x']):has(.ticket)").first
        assert his.locator(".ticket").get_attribute("data-ticket") == ticket
        expect(his.locator(".words")).to_have_text("Mister X moves.")


def number_hidden_by(page: Visitor, line: str, station: int) -> bool:
    """Whether a line changes a pixel of the number of a station."""
    x, y = page.centre(f"[data-station='{station}']")
    number: FloatRect = {"x": x - 8, "y": y - 5, "width": 16, "height": 10}
    shown = page.page.screenshot(clip=number)
    page.page.evaluate("line => document.querySelector(line).style.setProperty('visibility', 'hidden')", line)
    return page.page.screenshot(clip=number) != shown


def test_a_line_passes_below_the_numbers_of_the_stations_on_its_way(lay: Lay, visit: Visit) -> None:
    """Bus and underground go from 46 to 1 past 9."""
    table = red_to_move(lay, 46)
    page = visit(table.url)
    page.see(f"{RECEDES} .halo.open[data-to='1']")
    page.page.mouse.click(*figure(page, "red"))
    page.page.mouse.click(*page.centre("#board [data-station='1']"))
    page.see("#targets .way")
    assert not number_hidden_by(page, "#targets .way", 9)
    page.page.click("#by-ticket [data-ticket='bus']")
    page.see("#last-moves [data-move='red,46,1,bus']")
    page.see("#pawns [data-pawn='red'][data-at='1']")
    page.wait("() => document.getAnimations().every(one => one.playState === 'finished')")
    assert not number_hidden_by(page, "#last-moves", 9)


def test_only_mister_xs_own_page_shows_his_last_move_while_he_hides(visit: Visit) -> None:
    with seat_table() as table:
        page, other = looking(table, visit), visit(table.url, "spectate")
        page.tap("[data-station='93']")
        page.page.click("#by-ticket [data-ticket='taxi']")
        page.click("Go", exact=True)
        page.see("#last-moves [data-move='mr_x,94,93,taxi']")
        other.see(RECEDES)
        assert other.page.evaluate(LINES) == []
        page.page.click("#hide")
        assert page.page.evaluate(LINES) == []
