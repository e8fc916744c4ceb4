"""System "classic", the end: CL-20 to CL-24."""

from __future__ import annotations

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.game import Game
from firmware_host.rules.views import Outcome, Skipped
from tests.rules.boards import game, london, small
from tests.rules.data.boxes import play

RING = "taxi 11-12 12-13 13-14 14-15 15-16 11-16, bus 11-12 12-13 13-14 14-15 15-16 11-16"
SUBWAY = "underground 11-12 12-13 13-14 14-15 15-16 11-16"
APART = f"taxi 1-2 2-3 1-3, boat 3-11, {RING}"
"""Mister X walks on 1, 2, 3; the detectives ride a ring that only a boat joins to it."""


def _walk(table: Game, windows: int) -> Game:
    """Mister X walks 1, 2, 3 and the detectives ride the ring clockwise, until that many windows are filled."""
    while table.public.outcome is None and len(table.public.log) < windows:
        play(table, f"{table.private.at.value % 3 + 1}t")
        _ride(table)
    return table


def _ride(table: Game) -> None:
    while table.public.turn not in ((MR_X,), ()):
        at = table.public.pawns[table.public.turn[0]]
        table.play(next(move for move in table.public.moves if move.to == (at - 10) % 6 + 11))


# ---- CL-20 ----


def test_cl_20_entering_mister_x_station_wins_at_once_and_shows_him() -> None:
    table = game(london(), 1, 19, 29, 26, played="8t")
    assert MR_X not in table.public.pawns
    play(table, "r8t")
    public = table.public
    assert public.outcome == Outcome("detectives", "captured")
    assert public.pawns == {"red": 8, "yellow": 29, "green": 26, MR_X: 8}
    assert public.turn == ()
    assert public.moves == ()
    assert table.legal == ()


def test_cl_20_a_capture_where_he_was_last_seen_leaves_no_pawn_to_take_off() -> None:
    board = small(f"taxi 1-2 2-3 3-4 4-5 3-5, boat 5-11, {RING}")
    played = "2t r5t y12t g14t 1t r4t y11t g13t 2t r5t y12t g14t 1t r3t y11t g13t 2t"
    table = game(board, 1, 4, 11, 13, played=played)
    assert (table.public.stale, table.public.pawns.get(MR_X)) == ({2}, None)
    play(table, "r2t")
    assert (table.public.stale, table.public.pawns.get(MR_X)) == (frozenset(), 2)


def test_cl_20_a_capture_with_the_very_last_ticket_is_a_capture() -> None:
    # Yellow and green stand where only boats stop; red has one underground ticket left.
    board = small("underground 1-2 2-3 3-4, boat 11-12 12-13 13-14 3-11")
    before = "1u r3u 2u r4u 1u r3u 2u"
    assert game(board, 2, 4, 11, 12, played=f"{before} r4u").public.outcome == Outcome(MR_X, "immobilised")
    assert game(board, 2, 4, 11, 12, played=f"{before} r2u").public.outcome == Outcome("detectives", "captured")


# ---- CL-21 ----


def test_cl_21_mister_x_wins_once_every_detective_is_immobilised() -> None:
    board = small("underground 1-2 3-4 5-6, taxi 7-8 8-9 7-9, boat 2-4 4-6 6-7")
    table = game(board, 7, 1, 3, 5)
    for there, back in (("8t r2u y4u g6u", "7t r1u y3u g5u"),) * 2:
        assert table.public.outcome is None
        play(table, there)
        assert table.public.outcome is None
        play(table, back)
    assert table.public.outcome == Outcome(MR_X, "immobilised")
    assert table.public.round == 4


def test_cl_21_it_is_not_judged_in_the_middle_of_a_double_move() -> None:
    table = game(small("taxi 7-8 8-9 7-9, boat 1-2 2-3 3-4 4-7"), 7, 1, 2, 3, played="D 8t")
    assert table.public.outcome is None
    play(table, "9t")
    assert table.public.outcome == Outcome(MR_X, "immobilised")


def test_cl_21_a_part_in_which_no_detective_could_move_ends_the_game() -> None:
    # Red and yellow bar each other's only way; green stands where only boats stop.
    table = game(small("underground 1-2, taxi 7-8 8-9 7-9, boat 2-3 3-7"), 7, 1, 2, 3, played="8t")
    assert table.public.outcome == Outcome(MR_X, "stalled")
    assert table.public.skipped == (
        Skipped("red", "blocked"),
        Skipped("yellow", "blocked"),
        Skipped("green", "immobilised"),
    )


# ---- CL-22 ----


@pytest.mark.parametrize("windows", range(3, 25))
def test_cl_22_every_length_of_log_from_3_to_24_can_be_filled(windows: int) -> None:
    # Two double moves, for the detectives' tickets last for 22 rounds alone.
    table = game(small(f"{APART}, {SUBWAY}"), 1, 11, 13, 15, log_windows=windows)
    while table.public.outcome is None:
        if windows - len(table.public.log) >= 2 and table.public.tickets[MR_X]["double"]:
            play(table, f"D {table.private.at.value % 3 + 1}t")
        play(table, f"{table.private.at.value % 3 + 1}t")
        _ride(table)
    assert table.public.outcome == Outcome(MR_X, "log_full")
    assert len(table.public.log) == table.public.windows == windows


@pytest.mark.parametrize("last_chance", [False, True])
def test_cl_22_the_last_window_may_be_filled_by_the_second_half_of_a_double_move(last_chance: bool) -> None:
    table = _walk(game(small(APART), 1, 11, 13, 15, log_windows=4, last_chance=last_chance), 2)
    play(table, "D 1t")
    assert table.public.outcome is None
    play(table, "2t")
    assert (table.public.outcome == Outcome(MR_X, "log_full")) is not last_chance
    _ride(table)
    assert table.public.outcome == Outcome(MR_X, "log_full")


def test_cl_22_with_last_chance_the_detectives_finish_the_round_first() -> None:
    table = _walk(game(small(APART), 1, 11, 13, 15, log_windows=3, last_chance=True), 2)
    play(table, "1t")
    for word in ("r14t", "y16t", "g12t"):
        assert table.public.outcome is None
        play(table, word)
    assert table.public.outcome == Outcome(MR_X, "log_full")
    assert table.public.round == 3


def test_cl_22_without_last_chance_the_detectives_do_not_move_any_more() -> None:
    table = _walk(game(small(APART), 1, 11, 13, 15, log_windows=3), 2)
    play(table, "1t")
    assert table.public.outcome == Outcome(MR_X, "log_full")
    assert table.public.turn == ()
    with pytest.raises(IllegalAction, match="over"):
        play(table, "r14t")


# ---- CL-23 ----


def test_cl_23_the_detectives_win_when_mister_x_cannot_move() -> None:
    table = game(small("taxi 1-2 2-3 3-4 4-5 5-6 6-7 5-7"), 1, 4, 6, 7, played="2t r3t y5t g6t")
    play(table, "1t")
    assert table.public.outcome is None
    play(table, "r2t y4t g5t")
    assert table.public.outcome == Outcome("detectives", "trapped")
    assert table.public.pawns[MR_X] == 1
    assert table.public.turn == ()


def test_cl_23_counted_he_also_loses_with_no_ticket_that_fits() -> None:
    table = game(small(f"underground 1-2, boat 1-11, {RING}"), 2, 11, 13, 15, x_fares="counted")
    for word in ("1k", "2k", "1k", "2u", "1u", "2u"):
        assert table.public.outcome is None
        play(table, word)
        _ride(table)
    assert table.public.outcome == Outcome("detectives", "trapped")


# ---- CL-24 ----


def test_cl_24_after_the_end_the_log_is_open_entry_by_entry() -> None:
    table = game(small(APART), 1, 11, 13, 15, log_windows=4, played="D 2t 3k")
    _ride(table)
    play(table, "2t")
    _ride(table)
    assert table.public.route == ()
    assert [e.station for e in table.public.log] == [None, None, 2]
    play(table, "1k")
    assert table.public.outcome == Outcome(MR_X, "log_full")
    assert table.public.route == (1, 2, 3, 2, 1)
    assert [(e.window, e.ticket, e.station, e.double) for e in table.public.log] == [
        (1, "taxi", 2, 1),
        (2, "black", 3, 2),
        (3, "taxi", 2, 0),
        (4, "black", 1, 0),
    ]
    assert table.public.pawns[MR_X] == 1


@pytest.mark.parametrize("word", ["D", "2t", "r12t"])
def test_cl_24_after_the_end_nothing_can_be_done(word: str) -> None:
    table = _walk(game(small(APART), 1, 11, 13, 15, log_windows=3), 3)
    assert table.legal == ()
    assert table.public.turn == ()
    assert table.public.moves == ()
    assert table.private.choices.value == ()
    with pytest.raises(IllegalAction, match=r"over.*mr_x won \(log_full\)"):
        play(table, word)
