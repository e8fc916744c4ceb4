"""What pages call things: keys as they are drawn or printed, numbers with their articles."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.web.server import Server
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay, OpenTable, red_to_move
from tests.web.page_states import press_icon
from tests.web.page_table import Room
from tests.web.served import put, served

SAID = """async () => {
  const { gettext } = await import("/static/wording/gettext.js");
  const way = (from, to) => gettext("No line leads from {from} to {to}.", { from, to });
  const stands = gettext("{pawn} stands on {station}.", { pawn: "al {x} 8", station: 81 });
  return [way(67, 113), way(87, 86), way(11, 8), stands];
}"""

DRAWN_KEYS = {
    "de-DE": ["TAXI", "BUS", "U-BAHN", "BESTÄTIGEN", "ZURÜCK"],
    "fr-FR": ["TAXI", "BUS", "MÉTRO", "CONFIRMER", "RETOUR"],
}


def without_a_game(lay: Lay) -> OpenTable:
    return lay(shipped("classic"), begin=lambda _: None)


def some_moves_of(rules: str) -> Callable[[SimulatedTable], None]:
    """Play a game on until a round has begun, and Mister X has moved where he moves first."""

    def play(simulated: SimulatedTable) -> None:
        players = SimulatedPeople(simulated, random.Random(1))
        players.set_up()
        while not simulated.public.round or (rules not in ("dice", "junior") and not simulated.public.log):
            players.play()

    return play


def read_prompt(page: Visitor, word: str) -> str:
    page.wait("word => document.querySelector('#prompt').textContent.includes(word)", word)
    return page.page.locator("#prompt").text_content() or ""


def test_italian_pages_join_an_article_to_a_number_that_begins_with_a_vowel(lay: Lay, visit: Visit) -> None:
    page = visit(without_a_game(lay).url, "spectate", locale="it-IT")
    assert page.page.evaluate(SAID) == [
        "Nessuna linea va dal 67 al 113.",
        "Nessuna linea va dall’87 all’86.",
        "Nessuna linea va dall’11 all’8.",
        "al {x} 8 è sull’81.",
    ]


@pytest.mark.parametrize("locale", DRAWN_KEYS)
def test_keys_that_a_page_draws_are_called_in_its_language(lay: Lay, visit: Visit, locale: str) -> None:
    table = without_a_game(lay)
    page, onlooker = visit(table.url, locale=locale), visit(table.url, "spectate", locale=locale)
    page.see("#keys [data-key='table.back']")
    names = [name.text_content() for name in page.page.locator("#keys [data-key] .name").all()]
    assert names == DRAWN_KEYS[locale]
    confirm = DRAWN_KEYS[locale][3]
    assert "CONFIRM " not in read_prompt(page, confirm)
    assert "CONFIRM " not in read_prompt(onlooker, confirm)


def test_printed_keys_of_a_real_board_are_called_as_they_are_printed(
    real_board: tuple[str, SimulatedTable], visit: Visit
) -> None:
    url, simulated = real_board
    simulated.advance(1000)
    page = visit(url, "spectate", locale="de-DE")
    assert read_prompt(page, "CONFIRM") == "Drück CONFIRM für ein neues Spiel"


COUNTED = {
    "classic": "Round 1 · move 1 of 24",
    "us": "Round 1 · move 1 of 24",
    "current": "Round 1 of 22 · move 1",
    "beginners": "Round 1 of 13 · move 1",
    "dice": "Round 1 · move 0 of 13",
    "junior": "Round 1",
}
"""How far a game is, as its rules end it: after a full log (CL-22, US-04, DI-26), rounds (ED-01, BE-11) or chips."""


def test_a_page_counts_what_ends_the_game(visit: Visit) -> None:
    with served() as table:
        page = visit(table.server.url, "spectate")
        page.excuse("Failed to load resource")  # nobody serves the boards' pictures
        for rules, said in COUNTED.items():
            room = Room(shipped(rules))
            some_moves_of(rules)(room.simulated)
            room.wait(50)
            for kind in ("board", "scene"):
                put(table, **room.heard(kind))
            page.wait("said => document.querySelector('#turn span')?.textContent === said", said)


LESSON = """async logs => {
  const { reactionTo } = await import("/static/tutorial/mr_x_lesson.js");
  return logs.map(log => reactionTo({ log }));
}"""


def test_the_lesson_says_of_a_double_move_that_two_tickets_were_seen(lay: Lay, visit: Visit) -> None:
    page = visit(without_a_game(lay).url, "spectate")
    taxi, bus = {"ticket": "taxi", "station": None, "double": 0}, {"ticket": "bus", "station": None, "double": 0}
    double = [taxi | {"double": 1}, bus | {"double": 2}]
    assert page.page.evaluate(LESSON, [[taxi], [taxi, bus], double]) == [
        "All they saw is one taxi ticket: your pawn stays hidden.",
        "All they saw is one bus ticket: your pawn stays hidden. A black ticket would have shown them nothing.",
        "All they saw is two tickets, taxi and bus: your pawn stays hidden.",
    ]


def test_after_a_move_by_keyboard_the_pawn_that_is_to_move_next_has_the_focus(lay: Lay, visit: Visit) -> None:
    table = red_to_move(lay)
    page = visit(table.url)
    page.see('[data-pawn="red"][data-at="74"]')
    to = table.look(lambda p: next(one.to for one in p.public.moves if one.pawn == "red"))
    page.page.evaluate("document.querySelector('[data-station=\"74\"]').focus()")
    page.page.keyboard.press("Enter")
    page.type_station(to)
    page.page.keyboard.press("Enter")
    page.wait(
        """to => {
      const ticket = document.querySelector("#by-ticket .ticket-choice");
      return ticket !== null || document.querySelector(`[data-pawn="red"][data-at="${to}"]`);
    }""",
        to,
    )
    if page.page.locator("#by-ticket .ticket-choice").count():
        page.page.keyboard.press("Enter")
    table.until(lambda p: p.public.turn == ("yellow",), "Yellow's turn")
    page.wait("() => document.activeElement.dataset.station === '26'")


REFUSE = """async () => {
  localStorage.setItem("yardboard-captions", "on");
  const { onRefusal } = await import("/static/sounds/refusal_signal.js");
  window.refusals = 0;
  onRefusal(() => (window.refusals += 1));
}"""


def test_a_refusal_of_the_page_itself_is_signalled_as_one_of_the_table_is(lay: Lay, visit: Visit) -> None:
    table = red_to_move(lay)
    page = visit(table.url)
    page.see('[data-pawn="red"][data-at="74"]')
    page.page.evaluate(REFUSE)
    page.carry("red", '[data-station="1"]')  # no line leads there
    page.says("#caption", "A buzz")


TO_PRESS = "button:visible:not([data-step]), a.button:visible, #speed:visible, input:visible"


def on_paper(page: Page, *shown: str) -> None:
    """A page is printed in ink on white, with what it shows and nothing to press."""
    page.emulate_media(media="print")
    page.wait_for_function("() => document.documentElement.dataset.theme === 'day'")
    for part in shown:
        assert page.locator(part).first.is_visible(), part
    assert page.locator(TO_PRESS).count() == 0
    page.emulate_media(media="screen")


@pytest.mark.parametrize("path", ["", "spectate"])
def test_on_paper_a_table_has_its_board_its_log_and_its_tickets_and_nothing_to_press(
    playing: Server, visit: Visit, path: str
) -> None:
    page = visit(playing.url, path)
    page.see("#log .window")
    page.page.emulate_media(color_scheme="dark")
    on_paper(page.page, "#board", "#log", "#tickets")
    if path:
        return  # those who look on have no rules
    press_icon(page.page, "Rules")
    page.see("#rules[open] .rules h3")
    on_paper(page.page, "#rules .rules")


def test_on_paper_a_replay_has_its_map_its_log_and_every_step(visit: Visit, ended: Server) -> None:
    page = visit(ended.url, "games/1").page
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("#story button")
    on_paper(page, "#board", "#log", "#story [data-step]")
