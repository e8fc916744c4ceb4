"""System "classic", Mister X: CL-11 to CL-18."""

from __future__ import annotations

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from tests.rules.boards import game, london, small
from tests.rules.data.boxes import play, refusal
from tests.rules.pursuit.notation import actions, short, shorts

RING = "taxi 11-12 12-13 13-14 14-15 15-16 11-16, bus 11-12 12-13 13-14 14-15 15-16 11-16"
LINE = f"taxi 1-2 2-3 3-4, bus 1-4, underground 2-4, boat 4-16, {RING}"
"""Detectives circle on a ring that only a boat joins to Mister X's four stations."""


def _away(table: Game) -> Game:
    """Let the detectives move until it is Mister X's turn, without catching him."""
    while table.public.turn not in ((MR_X,), ()):
        at = table.private.at.value
        table.play(next(move for move in table.public.moves if move.to != at))
    return table


# ---- CL-11 ----


def test_cl_11_mister_x_is_free_to_choose_though_his_supply_is_used_up() -> None:
    table = game(small(LINE), 1, 11, 13, 15)
    for word in ("4b", "1b", "4b"):
        _away(play(table, word))
    assert table.public.tickets[MR_X]["bus"] == 0
    assert "1b" in shorts(table.legal)
    _away(play(table, "1b"))
    assert table.public.tickets[MR_X]["bus"] == 0
    assert [entry.ticket for entry in table.public.log] == ["bus"] * 4


def test_cl_11_counted_fares_let_him_spend_only_what_he_holds() -> None:
    table = game(small(LINE), 1, 11, 13, 15, x_fares="counted")
    for word in ("4b", "1b", "4b"):
        _away(play(table, word))
    assert table.public.tickets[MR_X]["bus"] == 0
    assert "1b" not in shorts(table.legal)
    assert "1k" in shorts(table.legal)
    refusal(table, "1b")


def test_cl_11_counted_fares_let_him_spend_what_detectives_handed_over() -> None:
    table = game(london(), 74, 29, 26, 50, x_fares="counted", played="58b r41b y15t g49t 74b r29b y26t g50t 58b")
    assert table.public.tickets[MR_X]["bus"] == 2
    play(table, "r42b y15t g49t")
    assert table.public.tickets[MR_X]["bus"] == 3
    assert "74b" in shorts(table.legal)


@pytest.mark.parametrize("fares", ["unlimited", "counted"])
def test_cl_11_black_tickets_are_limited_either_way(fares: str) -> None:
    table = game(small(LINE), 1, 11, 13, 15, x_fares=fares)
    for word in ("4k", "1k", "4k"):
        assert word in shorts(table.legal)
        _away(play(table, word))
    assert table.public.tickets[MR_X]["black"] == 0
    assert "1k" not in shorts(table.legal)
    refusal(table, "1k")


# ---- CL-12 ----


def test_cl_12_a_black_ticket_pays_for_any_transport_and_is_offered_once_a_station() -> None:
    table = game(london(), 74, 29, 26, 50)
    offered = [short(action) for action in table.legal]
    assert sorted(word for word in offered if word.endswith("k")) == ["46k", "58k", "73k", "75k", "92k", "94k"]


@pytest.mark.parametrize(("a", "b"), [(194, 157), (157, 115), (115, 108)])
def test_cl_12_the_boat_runs_both_ways_for_a_black_ticket_alone(a: int, b: int) -> None:
    for start, goal in ((a, b), (b, a)):
        table = game(london(), start, 29, 26, 50)
        assert {w for w in shorts(table.legal) if w.startswith(str(goal))} == {f"{goal}k"}
        for ticket in "tbu":
            refusal(table, f"{goal}{ticket}")
        assert play(table, f"{goal}k").private.at.value == goal


# ---- CL-13 ----


def test_cl_13_a_double_move_fills_two_windows_and_the_card_leaves_the_game() -> None:
    table = game(london(), 197, 29, 26, 50, played="D")
    assert table.public.tickets[MR_X]["double"] == 1
    assert table.public.double == 1
    assert table.public.turn == (MR_X,)
    assert table.public.log == ()
    play(table, "184t")
    assert table.public.double == 2
    assert table.public.turn == (MR_X,)
    play(table, "153b")
    assert table.public.double == 0
    assert table.public.turn == ("red",)
    assert [(e.window, e.ticket, e.double) for e in table.public.log] == [(1, "taxi", 1), (2, "bus", 2)]
    assert table.public.tickets[MR_X] == {"taxi": 3, "bus": 2, "underground": 3, "black": 3, "double": 1}


def test_cl_13_two_cards_a_game() -> None:
    table = game(london(), 197, 29, 26, 50)
    for _ in range(2):
        assert "D" in shorts(table.legal)
        _away(play(table, "D 184t 197t"))
    assert table.public.tickets[MR_X]["double"] == 0
    assert "D" not in shorts(table.legal)
    refusal(table, "D")


def test_cl_13_no_first_half_is_offered_that_leaves_no_second() -> None:
    # Counted: with his last underground ticket, and no black one, he could ride from 1 to 2 but not back.
    table = game(small(f"underground 1-2, taxi 1-3, boat 3-11, {RING}"), 2, 11, 13, 15, x_fares="counted")
    for word in ("1k", "2k", "1k", "2u", "1u"):
        _away(play(table, word))
    assert shorts(table.legal) == {"2u", "3t", "D"}
    play(table, "D")
    assert shorts(table.legal) == {"3t"}
    refusal(table, "2u")
    play(table, "3t")
    assert shorts(table.legal) == {"1t"}


# ---- CL-14, CL-15 ----


def test_cl_14_he_surfaces_after_windows_3_8_13_18_until_he_moves_again() -> None:
    table = game(small(LINE), 1, 11, 13, 15)
    seen = []
    while table.public.outcome is None and len(table.public.log) < 19:
        at = table.private.at.value
        word = next(w for w in ("4b", "1b", "1t", "2t") if w in shorts(table.legal))
        before = table.public.pawns.get(MR_X, 0)
        play(table, word)
        number = len(table.public.log)
        if number - 1 in (3, 8, 13, 18):
            assert before == at
        if MR_X in table.public.pawns:
            assert table.public.pawns[MR_X] == table.private.at.value
            seen.append(number)
        _away(table)
        assert (MR_X in table.public.pawns) is (number in (3, 8, 13, 18) or table.public.outcome is not None)
    assert seen == [3, 8, 13, 18]


def test_cl_14_a_short_log_has_only_the_surfacing_windows_it_reaches() -> None:
    assert game(london(), 197, 29, 26, 50, log_windows=8).public.surfacing == {3, 8}
    assert game(london(), 197, 29, 26, 50, log_windows=7).public.surfacing == {3}


def test_cl_14_his_pawn_has_to_come_off_only_once_he_has_moved_on() -> None:
    table = game(small(LINE), 1, 11, 13, 15)
    stale = []
    for word in ("4b", "1b", "4b", "1b", "4b"):
        play(table, word)
        stale.append((set(table.public.stale), table.public.pawns.get(MR_X)))
        _away(table)
    assert stale == [(set(), None), (set(), None), (set(), 4), ({4}, None), ({4}, None)]


def test_cl_14_his_pawn_is_not_looked_for_where_he_was_seen_long_ago_once_he_shows_himself_again() -> None:
    table = game(small(LINE), 1, 11, 13, 15)
    for word in ("4b", "1b", "4b", "1b", "4b", "1b", "4b"):
        _away(play(table, word))
    assert table.public.stale == {4}
    play(table, "1b")
    assert (table.public.pawns[MR_X], table.public.stale) == (1, frozenset())


def test_cl_15_surfacing_in_the_first_half_of_a_double_move_ends_with_the_second() -> None:
    table = game(small(LINE), 1, 11, 13, 15)
    for word in ("4b", "1b"):
        _away(play(table, word))
    play(table, "D")
    assert MR_X not in table.public.pawns
    play(table, "2t")
    assert table.public.pawns[MR_X] == 2
    assert table.public.log[2].station == 2
    assert table.public.double == 2
    play(table, "3t")
    assert MR_X not in table.public.pawns
    assert table.public.log[2].station == 2
    assert table.public.log[3].station is None
    assert table.public.stale == {2}


def test_cl_15_announcing_a_double_move_does_not_hide_him_yet() -> None:
    table = game(small(LINE), 1, 11, 13, 15)
    for word in ("4b", "1b", "4b"):
        _away(play(table, word))
    play(table, "D")
    assert table.public.pawns[MR_X] == 4
    play(table, "1b")
    assert MR_X not in table.public.pawns


# ---- CL-16 to CL-18 ----


def test_cl_16_he_may_not_enter_a_detectives_station() -> None:
    table = game(london(), 74, 46, 92, 58)
    assert {w[:-1] for w in shorts(table.legal)} == {"73", "75", "94", ""}
    for word in ("46u", "92t", "58t", "58b", "58k"):
        refusal(table, word)


def test_cl_16_nor_pass_through_one_in_the_middle_of_a_double_move() -> None:
    table = game(london(), 197, 184, 29, 26, played="D")
    assert {w[:-1] for w in shorts(table.legal)} == {"195", "196"}
    refusal(table, "184t")
    play(table, "195t")
    table.play(actions("197t")[0])
    assert [e.double for e in table.public.log] == [1, 2]


@pytest.mark.parametrize(("windows", "moves", "offered"), [(4, 2, True), (4, 3, False), (3, 1, True), (3, 2, False)])
def test_cl_17_a_double_move_needs_two_free_windows(windows: int, moves: int, offered: bool) -> None:
    table = game(small(LINE), 1, 11, 13, 15, log_windows=windows)
    for word in ("4b", "1b", "4b")[:moves]:
        _away(play(table, word))
    assert ("D" in shorts(table.legal)) is offered
    if not offered:
        refusal(table, "D")
    else:
        play(table, "D")


def test_cl_18_everyone_sees_tickets_blacks_and_doubles_but_no_hidden_station() -> None:
    table = game(london(), 197, 29, 26, 50, played="D 184t 153k")
    public = table.public
    assert [e.ticket for e in public.log] == ["taxi", "black"]
    assert public.tickets["red"] == {"taxi": 10, "bus": 8, "underground": 4}
    assert (public.tickets[MR_X]["black"], public.tickets[MR_X]["double"]) == (2, 1)
    assert [e.station for e in public.log] == [None, None]
    assert MR_X not in public.pawns
    assert public.route == ()


def test_cl_18_what_he_may_do_is_never_among_the_public_moves() -> None:
    table = game(london(), 197, 29, 26, 50)
    assert table.public.moves == ()
    assert len(table.private.choices.value) == len(table.legal) > 0
    play(table, "184t")
    assert table.private.choices.value == ()
    assert {move.pawn for move in table.public.moves} == {"red"}


def test_cl_18_mister_x_himself_sees_where_he_is_and_was() -> None:
    table = game(london(), 197, 29, 26, 50, played="D 184t 153k")
    assert table.private.at.value == 153
    assert table.private.route.value == (197, 184, 153)
    assert table.private.public == table.public
