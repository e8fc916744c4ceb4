"""Computers' moves can be followed: a pause, single steps and a pace; and nobody is asked to use hands that help."""

from __future__ import annotations

import re

import pytest

from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import PawnMove
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.helping_hands import WAITS
from firmware_host.web.feeds.page_orders import NewGameOrder, PaceOrder, StepOrder
from tests.amount import amount
from tests.table.cases import BEGINNERS, CASES, ENTERED, JUNIOR, Case, shipped
from tests.web.chromium import Visit
from tests.web.open_table import Lay
from tests.web.page_table import Room
from tests.web.test_helping_hands import ALL, begun, helped, phase, until

CLASSIC = Case("classic", 4)
FOR_HANDS = re.compile(r"\b(move it|set it there|Set .* pawn|Put |Clear |Set up: )")


def placed(room: Room) -> int:
    """How many moves of detectives hands have made."""
    simulated = room.simulated
    done = sum(isinstance(action, PawnMove) for action in simulated.actions)
    return done - (phase(room) is Phase.CARRY_OUT)


def carrying(room: Room) -> None:
    until(room, lambda _: phase(room) is Phase.CARRY_OUT, "a computer's move")


def test_a_computers_move_is_shown_before_it_is_made() -> None:
    room = begun(CLASSIC, **ALL)
    carrying(room)
    began = room.simulated.hardware.clock.now()
    todo = room.simulated.table.scene().to_carry_out
    assert todo is not None
    until(room, lambda p: p.hardware.where().get(todo.move.pawn) == todo.move.to, "its pawn to come")
    assert room.simulated.hardware.clock.now() - began >= WAITS["usual"] - 0.1


def test_a_paused_game_stands_still_until_a_step_moves_one_pawn() -> None:
    room = begun(CLASSIC, **ALL)
    carrying(room)
    room.ask(PaceOrder("paused"))
    before = placed(room)
    room.wait(20_000)
    assert placed(room) == before
    assert phase(room) is Phase.CARRY_OUT
    assert room.simulated.table.scene().wrong == 0
    assert room.heard("table")["pace"] == "paused"
    room.ask(StepOrder(), ms=20_000)
    assert placed(room) == before + 1
    room.ask(PaceOrder("fast"), ms=20_000)
    assert placed(room) > before + 3
    assert room.refused == []


def test_a_faster_pace_makes_more_moves() -> None:
    made = []
    for pace in ("slow", "usual", "fast"):
        room = begun(CLASSIC, **ALL)
        room.ask(PaceOrder(pace), ms=30_000)
        made.append(placed(room))
    assert made[0] < made[1] < made[2]


def test_another_game_is_not_paused() -> None:
    room = begun(CLASSIC, **ALL)
    room.ask(PaceOrder("paused"), ms=1500)
    room.ask(NewGameOrder("classic", 4, {}, ALL))
    assert room.heard("table")["pace"] == "usual"


def test_only_the_tables_page_sets_the_pace() -> None:
    room = begun(CLASSIC, **ALL)
    for page in ("spectator", "detective", "handset"):
        for order in (PaceOrder("paused"), StepOrder()):
            room.ask(order, page=page)
    assert len(room.refused) == 6
    assert room.heard("table")["pace"] == "usual"


@pytest.mark.parametrize("case", amount((CLASSIC, BEGINNERS, ENTERED, JUNIOR), (CLASSIC, *CASES)), ids=str)
def test_while_hands_help_no_sentence_asks_for_hands(case: Case) -> None:
    room = helped(case, **ALL)
    said = set[str]()
    for _ in range(amount(500, 800)):
        room.wait(50)
        if room.simulated.public.outcome is not None:
            break
        said.add(room.heard("scene")["prompt"]["text"])
    assert len(said) > 5
    assert {text for text in said if FOR_HANDS.search(text)} == set()


def test_the_news_of_a_new_game_begins_empty() -> None:
    room = begun(CLASSIC, **ALL)
    room.wait(20_000)
    assert len(room.heard("news")["lines"]) > 5
    room.ask(NewGameOrder("classic", 4, {}, ALL))
    lines = [line["text"] for line in room.heard("news")["lines"]]
    assert any(line.startswith("A new game") for line in lines)
    assert not any("Mister X moves" in line for line in lines)


def test_a_game_that_is_watched_has_a_pause_steps_and_a_pace_and_no_keys(lay: Lay, visit: Visit) -> None:
    def begin(p: SimulatedTable) -> None:
        p.new_game(players=4, seats=ALL)

    table = lay(shipped("classic"), seed=5, begin=begin, helped=True)
    page = visit(table.url)
    page.see("body[data-watch] #pace #pause")
    assert page.page.locator("#keys > button:visible").count() == 0
    page.page.click("#pause")
    page.see("#pause[data-paused]")
    table.until(lambda p: p.scene.phase is Phase.CARRY_OUT, "a move that is shown")
    pawn = table.look(lambda p: p.scene.to_carry_out and p.scene.to_carry_out.move.pawn)
    page.see(f"#targets .halo.asked[data-pawn-colour='{pawn}']")
    assert not page.page.locator("#last-moves [data-pawn-colour='" + str(pawn) + "']").count()
    page.page.click("#step")
    page.see(f"#last-moves [data-pawn-colour='{pawn}']")
    page.page.get_by_role("group", name="Speed").get_by_role("button", name="Fast", exact=True).click()
    page.see("#pace [data-pace='fast'][aria-pressed='true']")
    table.until(lambda p: len(p.public.log) > 1, "the second round")
    assert page.read("#refused") == ""
