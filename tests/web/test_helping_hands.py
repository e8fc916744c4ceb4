"""Simulated hands do what the table asks of hands and is no player's decision; people decide, and can take back."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import cycle, product

import pytest

from firmware_host.players.heuristic import heuristic
from firmware_host.referee.scene import CONFIRM, Phase
from firmware_host.rules.actions import START, STAY, PawnMove
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.browser_session import TURN, BrowserSession
from firmware_host.system.orders import FaultOrder
from firmware_host.web.feeds.page_orders import HandsOrder, KeyOrder, LiftOrder, NewGameOrder, PutOrder, UndoOrder
from tests.amount import amount
from tests.table.cases import CASES, ENTERED, JUNIOR, ROLLED, Case, shipped
from tests.web.page_table import Room, bare

SET_UP = 2000
"""Milliseconds in which all pawns are in place."""

ALL = {"mr_x": "easy", "detectives": "easy"}


def helped(case: Case, **seats: str) -> Room:
    """A table with helping hands at which a game of a kind has just begun."""
    room = Room(shipped(case.rules))
    room.browser = BrowserSession(room.simulated, room.requests, room.pages, real_hands=False)
    room.ask(NewGameOrder(case.rules, case.players, dict(case.options), seats))
    assert room.refused == []
    return room


def until(room: Room, so: Callable[[SimulatedTable], object], what: str, seconds: float = 60) -> None:
    """Let table time go by until it is so."""
    end = room.simulated.hardware.clock.now() + seconds
    while not so(room.simulated):
        assert room.simulated.hardware.clock.now() < end, f"{what}: {room.simulated.prompt_text}"
        room.wait(10 * TURN)


def phase(room: Room) -> Phase:
    return room.simulated.table.scene().phase


def begun(case: Case, **seats: str) -> Room:
    """The same once its pawns are in place."""
    room = helped(case, **seats)
    room.wait(SET_UP)
    assert phase(room) is Phase.PLAY, room.simulated.prompt_text
    return room


def red_to_move() -> Room:
    """A classic game in which a computer hides and Red is to move."""
    room = begun(Case("classic", 4), mr_x="easy")
    until(room, lambda p: p.public.turn == ("red",), "Mister X's first move")
    return room


def a_move(room: Room, *, tickets: int = 1) -> PawnMove:
    """A move of the pawn on turn, to a station to which so many tickets lead."""
    moves = room.simulated.public.moves
    return next(move for move in moves if sum(m.to == move.to for m in moves) == tickets)


# ---- set up ----


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_pawns_are_in_place_and_the_tiles_lie_within_two_seconds(case: Case) -> None:
    room = begun(case)
    view = room.simulated.public
    assert {pawn: at for pawn, at in room.where.items() if at is not None and pawn in view.order} == {
        pawn: view.pawns[pawn] for pawn in view.order if pawn in view.pawns
    }


def test_old_pawns_are_cleared_for_the_next_game() -> None:
    room = begun(Case("classic", 6))
    room.wait(1000)
    room.ask(NewGameOrder("classic", 4, {}, {}), ms=SET_UP)
    assert phase(room) is Phase.PLAY
    assert {pawn for pawn, at in room.where.items() if at is not None} == set(room.simulated.public.order)


def test_with_real_hands_nobody_helps() -> None:
    room = helped(Case("classic", 4))
    room.ask(HandsOrder(real=True), NewGameOrder("classic", 4, {}, {}), ms=5 * SET_UP)
    assert phase(room) is Phase.SET_UP
    assert room.heard("table")["real_hands"]
    room.ask(HandsOrder(real=False), ms=SET_UP)
    assert phase(room) is Phase.PLAY


# ---- computers ----


@pytest.mark.parametrize("case", amount((Case("junior", 2), Case("dice", 4)), CASES), ids=str)
@pytest.mark.long_but_first
def test_a_whole_game_of_computers_needs_no_hand_but_theirs(case: Case) -> None:
    room = helped(case, **ALL)
    until(room, lambda p: p.public.outcome, "the end", seconds=3600)
    room.wait(2000)
    stand = room.where
    told = room.simulated.public
    everyone = {*told.order, *told.fugitives}
    assert {pawn: stand.get(pawn) for pawn in everyone} == {pawn: told.pawns.get(pawn) for pawn in everyone}


def test_mister_xs_pawn_is_set_down_where_he_shows_himself_and_taken_off_when_he_has_left() -> None:
    room = begun(Case("classic", 4), **ALL)
    until(room, lambda p: len(p.public.log) == 3, "his third move", seconds=300)
    shown = room.simulated.public.log[2].station
    until(room, lambda p: p.hardware.where().get("mr_x") == shown, "his pawn on the board", seconds=3)
    until(room, lambda p: len(p.public.log) == 4, "his fourth move", seconds=300)
    until(room, lambda p: p.hardware.where().get("mr_x") is None, "his pawn off the board", seconds=3)


# ---- what people do ----


def test_a_move_by_one_ticket_counts_without_a_word() -> None:
    room = red_to_move()
    move = a_move(room)
    before = len(room.simulated.actions)
    room.put("red", move.to)
    until(room, lambda p: len(p.actions) > before, "the move to count", seconds=2)
    assert room.simulated.actions[before] == move


def test_where_several_tickets_lead_the_player_is_asked() -> None:
    room = red_to_move()
    while all(sum(m.to == move.to for m in room.simulated.public.moves) == 1 for move in room.simulated.public.moves):
        (pawn,) = room.simulated.public.turn
        room.put(pawn, a_move(room).to)
        until(room, lambda p, pawn=pawn: p.public.turn not in ((pawn,), ("mr_x",)), "the next one's turn")
    move = a_move(room, tickets=2)
    before = len(room.simulated.actions)
    room.put(move.pawn, move.to)
    until(room, lambda p: len(p.table.scene().asked) == 2, "the question", seconds=3)
    room.wait(3000)
    assert len(room.simulated.actions) == before


def test_a_pawn_where_it_may_not_stand_is_brought_back() -> None:
    room = red_to_move()
    home = dict(room.simulated.public.pawns)
    before = list(room.simulated.actions)
    room.ask(PutOrder("red", *bare(room)), ms=3000)
    room.put("yellow", next(n for n in range(1, 200) if n not in home.values()))
    room.wait(3000)
    room.ask(LiftOrder("blue"), ms=3000)
    assert {pawn: at for pawn, at in room.where.items() if pawn in home} == home
    assert room.simulated.actions == before


def test_undo_puts_the_pawn_back_and_takes_its_move_back() -> None:
    room = red_to_move()
    assert room.heard("pawns")["undo"] is None  # Mister X has moved last, and where he was nobody knows
    home, before = room.simulated.public.pawns["red"], list(room.simulated.actions)
    room.put("red", a_move(room).to)
    until(room, lambda p: len(p.actions) > len(before), "the move to count")
    room.wait(50)
    assert room.heard("pawns")["undo"] == {"pawn": "red", "to": home}
    room.ask(UndoOrder())
    until(room, lambda p: p.actions == before, "the move to be taken back", seconds=3)
    assert room.where["red"] == home
    room.wait(50)
    assert room.heard("pawns")["undo"] is None


@pytest.mark.parametrize(
    ("ms", "tickets"), [(10, 1), (10, 2), (50, 1), (90, 2), (130, 1), (170, 2), (210, 1), (300, 2), (600, 1), (1500, 2)]
)
def test_undo_takes_a_move_back_however_soon_it_is_pressed(ms: int, tickets: int) -> None:
    room = helped(Case("classic", 4))
    start = {"mr_x": 172, "red": 74, "yellow": 26, "green": 117}
    room.simulated.new_game(players=4, start=start, seats={"mr_x": "easy"})
    until(room, lambda p: p.public.turn == ("red",), "Red's turn")
    before, move = list(room.simulated.actions), a_move(room, tickets=tickets)
    room.ask(PutOrder("red", *room.share(move.to)), ms=ms)
    assert room.heard("pawns")["undo"] == {"pawn": "red", "to": 74}
    room.ask(UndoOrder())
    room.wait(8000)
    assert room.refused == []
    assert room.where["red"] == 74
    assert (room.simulated.actions, room.simulated.scene.asked, room.simulated.scene.ignored) == (
        before,
        (),
        frozenset(),
    )


def test_undo_goes_back_past_what_computers_have_done() -> None:
    room = helped(Case("classic", 4), **{"2": "easy"})
    until(room, lambda p: p.scene.phase is Phase.PLAY, "the set-up")
    room.simulated.choose(heuristic.random_mr_x_action(room.simulated.private, random.Random(1)))
    before, home = list(room.simulated.actions), dict(room.simulated.public.pawns)
    room.put("red", a_move(room).to)
    until(room, lambda p: len(p.actions) == len(before) + 2 and p.scene.phase is Phase.PLAY, "the computer's move")
    room.wait(50)
    assert room.heard("pawns")["undo"] == {"pawn": "red", "to": home["red"]}
    room.ask(UndoOrder())
    until(room, lambda p: p.scene.phase is Phase.RESUME, "the moves to be taken back", seconds=3)
    until(room, lambda p: p.scene.phase is Phase.PLAY, "the pawns to be back", seconds=9)
    assert room.simulated.actions == before
    assert {pawn: at for pawn, at in room.where.items() if pawn in home} == home


def test_where_nothing_can_be_taken_back_undo_says_so() -> None:
    room = red_to_move()
    room.ask(UndoOrder())
    assert room.refusal() == "Nothing is taken back: Mister X has moved"


def test_a_key_that_a_page_holds_down_is_waited_for() -> None:
    room = Room(shipped("dice"))
    room.browser = BrowserSession(room.simulated, room.requests, room.pages, real_hands=False)
    room.ask(KeyOrder("table.confirm", down=True), ms=300)
    room.ask(NewGameOrder("dice", 4))
    room.wait(SET_UP)
    assert phase(room) is Phase.SET_UP
    room.ask(KeyOrder("table.confirm", down=False))
    until(room, lambda p: p.table.scene().phase is Phase.PLAY, "the tiles to be said to lie")


# ---- hands never blame themselves ----


def blamed(room: Room) -> list[str]:
    """What the table reports of its switches, if it takes what hands do for a fault."""
    scene, health = room.simulated.scene, room.simulated.table.health()["switches"]
    masked = [f"{station} ignored" for station in sorted(scene.ignored)]
    return masked + [str(health)] * (health["state"] != "ok")


@pytest.mark.parametrize(("case", "seats"), list(zip(CASES, cycle(({}, ALL)), strict=False)), ids=str)
def test_a_game_in_the_midst_of_another_makes_no_switch_suspect(case: Case, seats: dict[str, str]) -> None:
    room = helped(case, **seats)
    for n in range(3):
        room.wait(2000 * (n + 1))
        room.ask(NewGameOrder(case.rules, case.players, dict(case.options), seats))
        assert room.refused == []
        for _ in range(50):
            room.wait(50)
            assert blamed(room) == []
    assert phase(room) in (Phase.PLAY, Phase.CARRY_OUT)


# ---- somebody changes their mind in the midst of it ----


@pytest.mark.parametrize("real", [False, True], ids=["helped", "real hands"])
@pytest.mark.parametrize("case", [ROLLED, ENTERED], ids=str)
def test_a_start_that_is_cancelled_is_chosen_again(case: Case, *, real: bool) -> None:
    room = begun(case)
    room.ask(HandsOrder(real=real))
    first, other = (move for move in room.simulated.public.moves[:2] if move.ticket == START)
    room.put(first.pawn, first.to)
    until(room, lambda p: p.table.referee.state.shown_moves, "the switches to show the start", seconds=1)
    room.ask(UndoOrder(), ms=50)
    assert room.simulated.prompt_text.endswith("choose a start and set the pawn there")
    room.put(other.pawn, other.to)
    until(room, lambda p: p.actions, "the other start to count", seconds=3)
    assert room.simulated.actions == [other]
    assert blamed(room) == []


def test_a_pawn_astray_while_a_computer_moves_is_brought_back() -> None:
    room = begun(Case("classic", 3), detectives="easy")
    mr_x = heuristic.random_mr_x_action(room.simulated.private, random.Random(1))
    room.simulated.choose_from_page(mr_x)
    until(room, lambda p: p.scene.phase is Phase.CARRY_OUT, "a computer's move")
    todo = room.simulated.scene.to_carry_out
    assert todo is not None
    other = next(pawn for pawn in room.simulated.public.order if pawn != todo.move.pawn)
    free = next(n for n in range(1, 200) if n not in room.where.values())
    room.put(other, free)
    until(room, lambda p: p.public.mr_x_to_move and p.scene.phase is Phase.PLAY, "Mister X's turn", seconds=60)
    assert room.where[other] == room.simulated.public.pawns[other]
    assert blamed(room) == []


def test_a_pawn_put_right_after_another_counts_though_its_switch_is_dead() -> None:
    room = begun(JUNIOR, mr_x="easy")
    until(room, lambda p: {"white", "yellow"} <= {*p.public.turn}, "the detectives' turn")
    yellow, white = lone_move(room, "yellow"), lone_move(room, "white")
    room.ask(FaultOrder(f"switch:{white.to}", "stuck_open"))
    before = len(room.simulated.actions)
    room.put("yellow", yellow.to)
    room.wait(50)
    assert len(room.simulated.actions) == before  # White moves before Yellow's move is played
    room.put("white", white.to)
    until(room, lambda p: len(p.actions) >= before + 2, "both moves", seconds=9)
    assert room.simulated.actions[before : before + 2] == [yellow, white]


def lone_move(room: Room, pawn: str) -> PawnMove:
    """A move of a pawn to a station to which one ticket leads, and to which no other pawn can go."""
    moves = [move for move in room.simulated.public.moves if move.ticket != STAY]
    to = [move.to for move in moves]
    return next(move for move in moves if move.pawn == pawn and to.count(move.to) == 1)


def test_a_move_is_taken_back_though_another_pawn_is_touched_before_the_table_asks() -> None:
    room = red_to_move()
    before, move = list(room.simulated.actions), a_move(room)
    room.ask(FaultOrder(f"switch:{move.to}", "stuck_open"))
    room.put("red", move.to)
    until(room, lambda p: len(p.actions) > len(before), "the move to count")
    room.ask(UndoOrder(), ms=50)
    room.put("yellow", room.simulated.public.pawns["yellow"])
    until(room, lambda p: p.actions == before, "the move to be taken back", seconds=9)


BROKEN = [
    (58, "stuck_open", "back"),
    (58, "stuck_closed", "undo"),
    (74, "stuck_open", "undo"),
    (74, "stuck_closed", "back"),
]
"""Which of its switches is broken, the new one or the old one, and in what way; how the move is cancelled."""


@pytest.mark.parametrize(
    ("at", "kind", "how"), amount(BROKEN, [*product((58, 74), ("stuck_open", "stuck_closed"), ("back", "undo"))])
)
def test_a_move_can_be_cancelled_though_a_switch_of_its_is_broken(at: int, kind: str, how: str) -> None:
    room = helped(Case("classic", 4))
    start = {"mr_x": 172, "red": 74, "yellow": 26, "green": 117}
    room.simulated.new_game(players=4, start=start, seats={"mr_x": "easy"})
    until(room, lambda p: p.public.turn == ("red",), "Red's turn")
    before = list(room.simulated.actions)
    room.ask(FaultOrder(f"switch:{at}", kind), ms=1000)
    room.put("red", 58)
    until(room, lambda p: len(p.scene.asked) == 2, "the question about the ticket", seconds=12)
    room.wait(8000)
    assert room.where["red"] == 58
    if how == "undo":
        room.ask(UndoOrder(), ms=1000)
    else:
        room.ask(KeyOrder("table.back", down=True), ms=80)
        room.ask(KeyOrder("table.back", down=False), ms=1000)
    assert room.refused == []
    assert room.where["red"] == 74
    room.wait(8000)
    assert room.where["red"] == 74
    assert room.simulated.scene.ignored == frozenset()
    assert {move.to for move in room.simulated.scene.asked} <= {74}
    assert room.simulated.actions == before


@pytest.mark.parametrize("real", [False, True], ids=["helped", "real hands"])
@pytest.mark.parametrize("case", [JUNIOR, Case("current", 4)], ids=str)
def test_a_pawn_that_follows_another_at_once_makes_no_switch_suspect(case: Case, *, real: bool) -> None:
    room = begun(case, mr_x="easy")
    until(room, lambda p: len(p.public.turn) > 1 and p.public.moves, "the detectives' turn")
    room.wait(2000)
    room.ask(HandsOrder(real=real))
    view = room.simulated.public
    moves = [move for move in view.moves if move.ticket != STAY and move.to not in view.pawns.values()]
    first = moves[0]
    follower = next(pawn for pawn in view.turn if pawn != first.pawn)
    room.put(first.pawn, first.to)
    room.put(follower, view.pawns[first.pawn])
    for _ in range(20):
        room.wait(1000)
        keys = room.simulated.scene.ask.keys
        asked = room.simulated.scene.asked
        if real and asked and CONFIRM in keys and room.where[asked[0].pawn] == asked[0].to:
            room.ask(KeyOrder(CONFIRM, down=True), ms=80)
            room.ask(KeyOrder(CONFIRM, down=False), ms=80)
        assert blamed(room) == []
