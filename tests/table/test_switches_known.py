"""A switch known to be bad makes no move of its own, asks for nothing, and is named where people look."""

from __future__ import annotations

import pytest

from firmware_host.config.loader import simulator, with_rules
from firmware_host.referee.scene import Kind, Phase
from firmware_host.rules.actions import MR_X
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import StartGame
from firmware_host.ui.drawing import public_display, screen_text
from tests.table.played_table import (
    FIVE,
    ask_kind,
    asks,
    carry,
    confirm,
    fault,
    go,
    hunted,
    press,
    put,
    red_to_move,
    say_elsewhere,
    take,
    text,
    walk,
)


def known(p: SimulatedTable, station: int) -> None:
    """The switch of a station where nothing stands sticks closed, and a key has said so."""
    fault(p, f"switch:{station}", "stuck_closed", 2000)
    if p.table.scene().asked:
        p.hardware.press("table.back")
    p.advance(5000)
    confirm(p)
    assert p.table.scene().ignored == {station}


def ignore(p: SimulatedTable, station: int, *, closed: bool = False) -> None:
    """The switch of a station is known to be dead, or to be stuck closed."""
    board = p.table.referee.state.board
    register = board.register.add(station, occupied={station} if closed else set())
    p.table.referee.assign_stations(register, board.near, board.touching, p.hardware.clock.now())


def drawn(p: SimulatedTable) -> str:
    """What the display has room for, in a row."""
    return " ".join(
        m.text
        for m in public_display.layout(public_display.content_of(p.table.scene()))
        if isinstance(m, screen_text.Word)
    )


def test_a_stuck_switch_that_lets_go_for_a_moment_and_sticks_again_plays_no_move() -> None:
    p = red_to_move()
    known(p, 75)
    take(p, 74, 1000, "red")
    fault(p, "switch:75", "ok", 60)
    fault(p, "switch:75", "stuck_closed", 20_000)
    assert p.public.pawns["red"] == 74
    assert p.table.scene().ignored == {75}


@pytest.mark.parametrize(("every", "within"), [(300, 15), (500, 15), (900, 40)])
def test_a_slow_flicker_is_found_in_fifteen_seconds_and_a_slower_one_in_forty(every: int, within: int) -> None:
    p = red_to_move()
    start = p.hardware.clock.now()
    for n in range(1000 * within // every + 1):
        fault(p, "switch:100", ("stuck_closed", "ok")[n % 2], every)
        if p.table.scene().ignored:
            break
    assert p.table.scene().ignored == {100}
    assert p.hardware.clock.now() - start <= within


def shown(station: int = 67) -> SimulatedTable:
    """Mister X shows himself on a station in the third round; his pawn is not set down there yet."""
    return hunted((74, 75), (51, station), seen=True)


def test_where_his_pawn_is_asked_off_in_vain_the_switch_can_be_told_to_be_stuck() -> None:
    p = shown()
    assert text(p).endswith("Set Mister X's pawn on 67")
    put(p, 67, MR_X, 1000)
    while not p.public.mr_x_to_move:
        pawn = p.public.turn[0]
        move = next(m for m in p.public.moves if m.to not in p.public.pawns.values())
        walk(p, pawn, move.to, move.ticket)
    go(p, next(m.to.value for m in p.private.choices.value if getattr(m, "ticket", "") == "taxi"))
    p.hardware.fault("switch:67", "stuck_closed")
    take(p, 67, 1500, MR_X)
    assert "Clear 67: Mister X has left" in text(p)
    assert "table.confirm" not in p.table.scene().ask.keys
    p.advance(3500)
    assert text(p).endswith("Is 67 empty? CONFIRM: its switch is broken")
    confirm(p)
    assert p.table.scene().ignored == {67}
    assert "has left" not in text(p)


def test_a_detective_felt_where_his_pawn_was_taken_off_may_have_left_a_switch_that_sticks() -> None:
    p = shown()
    put(p, 67, MR_X, 1000)
    for pawn, to, ticket in (("red", 75, "taxi"), ("yellow", 52, "bus"), ("green", 15, "taxi")):
        walk(p, pawn, to, ticket)
    go(p, 66)
    p.hardware.lift(67, MR_X)
    walk(p, "red", 74, "taxi")
    p.hardware.fault("switch:52", "stuck_closed")
    carry(p, "yellow", 67, 5000)
    assert text(p).endswith("Is 67 empty? CONFIRM: its switch is broken. No: BACK")
    press(p, "table.back")
    assert asks(p) == (Kind.WENT, "yellow", 67, "confirm", "back")
    confirm(p)
    assert p.public.pawns["yellow"] == 67
    assert p.table.scene().ignored == {52}


def test_his_own_pawn_moves_on_from_and_to_a_dead_switch_by_one_key() -> None:
    for dead in ("from", "to"):
        p = SimulatedTable(with_rules(simulator(), "beginners"))
        p.do(StartGame(players=4, start={"red": 46, "yellow": 124, "green": 41}))
        p.set_up()
        here = p.public.pawns[MR_X]
        put(p, here, MR_X, 1000)
        to = p.public.open_moves[0].to
        station = here if dead == "from" else to
        p.hardware.fault(f"switch:{station}", "stuck_open")
        ignore(p, station)
        carry(p, MR_X, to, 2000)
        if dead == "to":
            assert text(p).endswith(f"Has he gone to {to}? CONFIRM")
            confirm(p)
        assert text(p) == f"Mister X to {to}: CONFIRM?" or text(p).startswith(f"Mister X to {to}?")
        confirm(p)
        assert p.public.pawns[MR_X] == to


def test_the_display_names_a_switch_with_its_place_and_cuts_no_key_off() -> None:
    p = red_to_move()
    known(p, 75)
    assert "75: input 74" in drawn(p)
    assert "degraded" not in drawn(p)
    p.hardware.fault("switch:74", "stuck_closed")
    carry(p, "red", 58, 3000)
    assert "CONFIRM" in drawn(p) or "TAXI" in drawn(p)
    known_now = p.table.scene().ignored
    press(p, p.table.scene().ask.keys[0])
    (fresh,) = p.table.scene().ignored - known_now
    assert text(p).startswith(f"The switch of {fresh} is broken: input {fresh - 1}. Yellow")
    assert "No switch at 74, 75" in drawn(p)
    fault(p, "switch:74", "ok", 3000)
    assert "ignored" not in text(p)  # it is trusted again


def test_several_pawns_missing_at_a_resume_leave_room_for_the_question() -> None:
    p = SimulatedTable()
    p.do(StartGame(detectives=4, start={MR_X: 197, **FIVE}))
    p.set_up()
    go(p, 184)
    for pawn, station in FIVE.items():
        p.hardware.lift(station, pawn)
    p.restart()
    p.advance(1000)
    put(p, 100, "red", 21_000)
    assert p.table.scene().phase is Phase.RESUME
    assert "Done? CONFIRM" in drawn(p)
    press(p, "table.confirm", 500)
    assert "Is 100 empty? CONFIRM: its switch is broken" in drawn(p)


def test_where_an_arrival_was_denied_a_pawn_that_is_lifted_later_has_not_gone() -> None:
    p = red_to_move()
    fault(p, "switch:75", "stuck_closed", 1500)
    assert asks(p) == (Kind.WENT, "red", 75, "confirm", "back")
    press(p, "table.back", 500)
    take(p, 74, 2000, "red")
    assert p.public.pawns["red"] == 74
    assert text(p).startswith("Red to 75?")  # and is asked, for it may have gone there after all
    press(p, "table.back")
    say_elsewhere(p)
    assert asks(p) == (Kind.EMPTY, "red", 75, "confirm", "back")
    confirm(p)
    assert p.table.scene().ignored == {75}
    put(p, 73, "red", 1500)
    assert p.public.pawns["red"] == 73


def test_where_his_own_pawn_stands_on_a_way_it_can_be_told_by_key() -> None:
    p = shown()
    put(p, 67, MR_X, 1000)
    move = next(m for m in p.public.moves if m.to not in {67, *p.public.pawns.values()})
    at = p.public.pawns[move.pawn]
    p.hardware.lift(67, MR_X)
    put(p, move.to, MR_X, 1500)
    p.hardware.press("table.back")  # nobody has gone there
    take(p, at, 1000, move.pawn)
    asked = []
    while ask_kind(p) is not Kind.MR_X_PAWN and len(asked) < 9:
        asked.append(text(p))
        press(p, "table.back")
    assert not any("empty" in said for said in asked)
    assert text(p) == f"Is that Mister X's pawn on {move.to}? CONFIRM. No: BACK"
    confirm(p)
    assert p.public.pawns[move.pawn] == at
    assert p.table.scene().take_off == {move.to}
    assert not p.table.scene().ignored
    another = next(m for m in p.public.moves if m.pawn == move.pawn and m.to not in {move.to, 67, at})
    put(p, another.to, move.pawn, 2000)
    if p.table.scene().asked:
        press(p, f"table.{another.ticket}", 500)
    assert p.public.pawns[move.pawn] == another.to


def test_where_a_ticket_is_asked_for_a_move_that_nobody_made_it_can_be_said_so_after_a_while() -> None:
    p = red_to_move()
    p.hardware.fault("switch:75", "stuck_open")
    p.hardware.lift(74, "red")
    p.hardware.fault("switch:58", "stuck_closed")
    put(p, 75, "red", 2000)
    assert asks(p) == (Kind.WENT, "red", 58, "taxi", "bus", "back")
    press(p, "table.back")
    say_elsewhere(p)
    assert asks(p) == (Kind.EMPTY, "red", 58, "confirm", "back")
    confirm(p)
    p.advance(1000)
    assert p.table.scene().ignored == {58}
    assert asks(p) == (Kind.WENT, "red", 58, "taxi", "bus", "back")
    for _ in range(20):
        if any(move.to == 75 for move in p.table.scene().asked):
            break
        press(p, "table.back" if p.table.scene().asked else "table.confirm", 400)
    assert asks(p) == (Kind.WENT, "red", 75, "confirm", "back")
    p.hardware.press("table.taxi")
    confirm(p)
    assert p.public.pawns["red"] == 75
    assert p.table.scene().ignored == {58, 75}
