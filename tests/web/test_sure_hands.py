"""Simulated hands know what the switches should sense: keys for hands on a real board appear where a switch fails."""

from __future__ import annotations

import random

import pytest

from firmware_host.players.heuristic import heuristic
from firmware_host.referee.scene import BACK, CONFIRM, Ask, Kind, Phase
from firmware_host.rules.actions import START, STAY
from firmware_host.system.orders import FaultOrder
from firmware_host.web.feeds.page_orders import KeyOrder, NewGameOrder
from tests.amount import amount
from tests.table.cases import CASES, ROLLED, Case
from tests.web.page_table import Room
from tests.web.test_helping_hands import a_move, begun, phase, red_to_move, until

LATE = 6000
"""Milliseconds after which a real board asks whether a switch has missed something."""

TICKETS = ("table.taxi", "table.bus", "table.underground")


def for_real_hands(room: Room) -> list[str]:
    """The keys offered now that nobody needs whose hands are simulated, and the words about them."""
    scene, said = room.simulated.scene, room.simulated.prompt_text
    ask = scene.ask
    if decides(ask, scene.view is not None and any(move.ticket == STAY for move in scene.view.moves)):
        return []
    extras = () if scene.view is None else scene.view.extras  # such as to roll again
    keys = {CONFIRM: "CONFIRM", BACK: "BACK"}
    return [key for key, word in keys.items() if key not in extras and (key in ask.keys or word in said)]


def decides(ask: Ask, can_stay: bool) -> bool:
    """Whether its keys are a player's decision: a ticket, dice, to stay, or another game."""
    by_players = {Kind.NEXT_GAME, Kind.ROLL, Kind.ENTER, Kind.ENTERED, Kind.STAYS, Kind.CAN_ONLY_STAY, Kind.UNDO}
    return ask.kind in by_players or len(ask.tickets) > 1 or (ask.kind is Kind.MOVE_OR_CONFIRM and can_stay)


def press(room: Room, key: str) -> None:
    """Somebody presses a key of the page."""
    room.ask(KeyOrder(key, down=True), ms=80)
    room.ask(KeyOrder(key, down=False), ms=80)


def go_on(room: Room, rng: random.Random) -> None:
    """Somebody does the next thing that a player decides."""
    simulated = room.simulated
    view, ask = simulated.public, simulated.scene.ask
    if ask.kind in (Kind.ROLL, Kind.CAN_ONLY_STAY, Kind.STAYS):
        press(room, CONFIRM)
    elif ask.kind in (Kind.ENTER, Kind.ENTERED):
        press(room, rng.choice([key for key in ask.keys if key != BACK]))
    elif len(ask.tickets) > 1:
        press(room, rng.choice([key for key in ask.keys if key in TICKETS]))
    elif view.mr_x_to_move:
        simulated.choose_from_page(heuristic.random_mr_x_action(simulated.private, rng))
    else:
        moves = [move for move in view.moves if move.ticket != STAY]
        if not moves:
            press(room, CONFIRM)
            return
        move = rng.choice(moves)
        room.put(move.pawn, move.to)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_sound_switches_are_never_doubted_however_long_a_player_waits(case: Case) -> None:
    room, rng = begun(case), random.Random(case.players)
    for _ in range(amount(8, 200)):
        room.wait(LATE)
        assert for_real_hands(room) == [], (room.simulated.prompt_text, room.simulated.scene.ask)
        assert room.simulated.scene.ignored == frozenset()
        if room.simulated.public.outcome is not None:
            break
        go_on(room, rng)
        assert room.refused == []


def test_a_start_waits_for_nothing_but_its_pawn() -> None:
    room = begun(ROLLED)
    room.wait(LATE)
    assert room.heard("scene")["prompt"] == {"text": "Red: choose a start and set the pawn there", "keys": []}
    start = next(move for move in room.simulated.public.moves if move.ticket == START)
    room.put(start.pawn, start.to)
    until(room, lambda p: p.actions, "the start to count", seconds=3)
    assert room.simulated.actions == [start]


@pytest.mark.parametrize("ways", [1, 2])
def test_a_pawn_that_no_switch_senses_is_told_by_the_hands_and_the_player_says_the_ticket(ways: int) -> None:
    room = red_to_move()
    until_there_are(room, ways)
    move = a_move(room, tickets=ways)
    before = len(room.simulated.actions)
    room.ask(FaultOrder(f"switch:{move.to}", "stuck_open"))
    room.put(move.pawn, move.to)
    until(room, lambda p: len(p.actions) > before or len(p.scene.asked) == ways > 1, "the hands to say where it stands")
    if ways > 1:
        assert {f"table.{one.ticket}" for one in room.simulated.scene.asked} <= {*room.heard("scene")["prompt"]["keys"]}
        press(room, f"table.{move.ticket}")
    until(room, lambda p: len(p.actions) > before, "the move")
    assert room.simulated.actions[before] == move


def until_there_are(room: Room, ways: int) -> None:
    """Pawns are moved until one can go somewhere by so many tickets."""

    def there_are() -> bool:
        moves = room.simulated.public.moves
        return any(sum(m.to == move.to for m in moves) == ways for move in moves)

    while not there_are():
        (pawn,) = room.simulated.public.turn
        room.put(pawn, a_move(room).to)
        until(room, lambda p, pawn=pawn: p.public.turn not in ((pawn,), ("mr_x",)), "the next one's turn")


def test_a_switch_that_sticks_is_asked_about_and_the_game_goes_on() -> None:
    room = red_to_move()
    taken = {*room.simulated.public.pawns.values(), *(move.to for move in room.simulated.public.moves)}
    station = next(n for n in range(1, 200) if n not in taken)
    room.ask(FaultOrder(f"switch:{station}", "stuck_closed"))
    until(room, lambda p: p.scene.ask.kind is Kind.SWITCH, "the question about it", seconds=8)
    assert room.heard("scene")["prompt"]["keys"] == [CONFIRM]
    press(room, CONFIRM)
    until(room, lambda p: p.scene.ignored == {station}, "the switch to be ignored", seconds=3)
    move, before = a_move(room), len(room.simulated.actions)
    room.put("red", move.to)
    until(room, lambda p: len(p.actions) > before, "the move to count", seconds=9)


def test_a_game_begins_though_the_switch_under_a_start_is_dead() -> None:
    room = begun(Case("classic", 4))
    room.ask(*(FaultOrder(f"switch:{at}", "stuck_open") for at in (74, 117)))
    for start in range(40):  # until somebody starts there
        room.ask(NewGameOrder("classic", 6, {}, {}), ms=4000)
        if phase(room) is not Phase.PLAY:
            break
        assert start < 39
    until(room, lambda p: CONFIRM in p.scene.ask.keys, "the question", seconds=30)
    while phase(room) is Phase.SET_UP:
        press(room, CONFIRM)
        room.wait(1000)
    assert phase(room) is Phase.PLAY
