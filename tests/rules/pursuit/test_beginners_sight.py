"""The beginners version, Mister X in sight and in hiding: BE-05 to BE-10, BE-12."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.rules.actions import BLACK, FREE, MR_X, PawnMove
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.game import Game
from firmware_host.rules.views import Outcome
from tests.rules.data.boxes import away, beginners, game, london, london_us, play, rest, turns, us
from tests.rules.pursuit.notation import shorts


def seen(table: Game) -> tuple[int | None, set[int]]:
    """Where his pawn has to stand, and where it may still do so."""
    return table.public.pawns.get(MR_X), set(table.public.stale)


def stations(table: Game) -> list[int | None]:
    return [entry.station for entry in table.public.log]


def open_to(table: Game) -> set[int]:
    """Where his pawn can be moved to on the board."""
    assert all((move.pawn, move.ticket) == (MR_X, FREE) for move in table.public.open_moves)
    return {move.to for move in table.public.open_moves}


# ---- BE-05 ----


def test_be_05_his_pawn_stands_on_the_board_from_the_start() -> None:
    view = game(beginners(), london(), 82, 41, 46, 124, players=4).public
    assert view.pawns == {"red": 41, "yellow": 46, "green": 124, MR_X: 82}
    assert view.in_sight
    assert (view.log, view.stale) == ((), frozenset())


def test_be_05_what_he_can_do_with_his_pawn_on_the_board_is_open_to_all() -> None:
    table = game(beginners(), london(), 82, 65, 46, 124, players=4)
    assert table.public.open_moves == tuple(PawnMove(MR_X, n, FREE) for n in (66, 67, 81, 100, 101, 140))
    assert table.public.moves == ()


def test_be_05_he_moves_no_pawn_on_the_board_while_the_detectives_are_on_turn_or_after_the_end() -> None:
    table = away()
    play(table, "2f")
    assert table.public.open_moves == ()
    rest(table)
    turns(table, "1f 2f " * 6)
    assert table.public.outcome == Outcome(MR_X, "rounds_over")
    assert table.public.open_moves == ()


def test_be_05_the_move_of_a_double_in_the_open_can_be_made_on_the_board_too() -> None:
    table = away()
    play(table, "D")
    assert open_to(table) == {2, 4}
    play(table, "2f")
    assert seen(table) == (2, {1})
    assert open_to(table) == {1, 3, 4}
    play(table, "3f")
    assert seen(table)[0] == 3
    assert stations(table) == [2, 3]


def test_be_05_the_other_boxes_have_no_mister_x_in_sight() -> None:
    table = game(us(), london_us(), 197, 26, 29, 34, 50, 53, voluntary_surfacing=True)
    assert (table.public.in_sight, table.public.open_moves) == (False, ())
    play(table, "S 184t +pt +rt +gt +yt +bt p15t r41b g48t y49t b69t")
    assert table.public.pawns[MR_X] == 184
    assert (table.public.turn, table.public.open_moves) == ((MR_X,), ())


# ---- BE-06 ----


def test_be_06_his_moves_3_8_and_13_are_hidden_and_no_others() -> None:
    table, hidden = away(), []
    for number in range(1, 14):
        play(table, "2f" if number % 2 else "1f")
        assert len(table.public.log) == number
        if MR_X not in table.public.pawns:
            hidden.append(number)
            assert table.public.log[-1].station is None
        if number < 13:
            rest(table)
        assert table.public.pawns.get(MR_X) == (None if number == 13 else 2 if number % 2 else 1)
    assert hidden == [3, 8, 13]


def test_be_06_the_windows_that_are_marked_are_the_hidden_ones() -> None:
    view = away().public
    assert view.windows == 14
    assert view.marked == {3, 8, 13}
    assert view.surfacing == set(range(1, 15)) - {3, 8, 13}


def test_be_06_mister_x_is_told_whether_his_next_move_shows_him() -> None:
    assert [away("2f 1f 2f 1f"[: 3 * n]).private.shows for n in range(5)] == [True, True, False, True, True]


def test_be_06_a_hidden_move_is_hidden_until_his_next_turn_when_he_is_set_down_where_he_is() -> None:
    table = away("2f 1f")
    assert open_to(table) == set()
    play(table, "4f")
    assert (seen(table), stations(table)) == ((None, {1}), [2, 1, None])
    for _ in range(3):
        assert (seen(table), stations(table)) == ((None, {1}), [2, 1, None])
        table.play(table.public.moves[0])
    assert (seen(table), stations(table)) == ((4, {1}), [2, 1, 4])
    assert open_to(table) == {1, 2, 3}


def test_be_06_before_a_hidden_move_his_pawn_is_moved_on_the_handset_alone() -> None:
    for words in ("2f 1f", "2f 1f 2f 1f 2f 1f 2f", "2f 1f " * 6):
        table = away(words)
        assert table.public.pawns[MR_X] in (1, 2)
        assert table.public.open_moves == ()
        assert len(table.private.choices.value) > 0


def test_be_06_the_detectives_move_after_which_he_is_set_down_cannot_be_taken_back() -> None:
    table = away("2f 1f 4f")
    assert seen(table) == (4, {1})
    with pytest.raises(IllegalAction, match="nothing can be taken back"):
        table.take_back()
    table = away("2f 1f")
    table.take_back()
    assert (seen(table), len(table.public.turn)) == ((1, {2}), 1)


# ---- BE-07 ----


def test_be_07_the_black_ticket_hides_one_more_move_of_his_choice() -> None:
    table = away("2f")
    play(table, "4k")
    assert (seen(table), stations(table)) == ((None, {2}), [2, None])
    assert table.public.log[-1].ticket == "black"
    rest(table)
    assert (seen(table), stations(table)) == ((4, {2}), [2, 4])
    play(table, "1f")
    assert MR_X not in table.public.pawns  # move 3


def test_be_07_it_can_be_laid_on_a_hidden_move_and_hides_it_no_more_than_that() -> None:
    table = away("2f 1f")
    assert "4k" in shorts(table.legal)
    turns(table, "4k")
    assert (seen(table), stations(table)) == ((4, {1}), [2, 1, 4])


# ---- BE-08, BE-09: double moves and hiding ----


def test_be_08_the_pawn_goes_to_the_second_station_and_may_have_stayed_behind() -> None:
    table = away()
    play(table, "D 2f")
    assert seen(table) == (2, {1})
    play(table, "3f")
    assert seen(table) == (3, {1, 2})
    rest(table)
    assert seen(table) == (3, {1, 2})
    play(table, "4f")
    assert MR_X not in table.public.pawns  # move 3
    assert table.public.stale == {3}


@pytest.mark.parametrize("moves", [1, 6, 11])
def test_be_08_used_at_move_2_7_or_12_the_second_half_is_hidden(moves: int) -> None:
    table = away(("2f 1f " * 6)[: 3 * moves])
    here = table.public.pawns[MR_X]
    play(table, "D 4f")
    assert seen(table) == (4, {here})
    assert table.public.open_moves == ()
    play(table, "3f")
    assert seen(table) == (None, {here, 4})
    assert stations(table)[-2:] == [4, None]
    rest(table)
    assert seen(table) == (3, {here, 4})


def test_be_08_of_a_hidden_first_half_nobody_learns_before_the_end() -> None:
    table = away()
    play(table, "D 2k")
    assert table.public.open_moves == ()
    play(table, "3f")
    assert (seen(table), stations(table)) == ((3, {1}), [None, 3])
    rest(table)
    assert (seen(table), stations(table)) == ((3, {1}), [None, 3])
    turns(table, "4f 3f " * 6)
    assert table.public.outcome is not None
    assert stations(table)[:3] == [2, 3, 4]


def test_be_09_hidden_moves_go_by_move_number_and_not_by_round() -> None:
    table = away()
    play(table, "D 2f 1f")
    rest(table)
    assert (table.public.round, table.public.open_moves) == (2, ())
    play(table, "2f")  # move 3 in round 2
    assert MR_X not in table.public.pawns


# ---- BE-10, BE-12 ----


def test_be_12_a_hidden_move_shows_no_transport() -> None:
    # 1-2 has taxi and bus, 1-4 a taxi alone.
    for word in ("2f", "4f"):
        table = away("2f 1f")
        play(table, word)
        assert (table.public.log[-1].ticket, table.public.log[-1].station) == ("free", None)
    for word in ("2k", "4k"):
        table = away()
        play(table, word)
        assert (table.public.log[-1].ticket, table.public.log[-1].station) == ("black", None)


# ---- an edition of one's own, in sight and with tickets ----


def test_ed_01_who_is_in_sight_may_have_to_pay_and_shows_by_what() -> None:
    edition = replace(us(), in_sight=True, surfacing=frozenset(range(1, 25)) - {2})
    table = game(edition, london_us(), 197, 26, 29, 34, 50, 53)
    tickets = {(move.to, move.ticket) for move in table.public.open_moves}
    assert (184, "taxi") in tickets
    assert all(ticket != BLACK for _, ticket in tickets)
    play(table, "184t")
    assert seen(table) == (184, {197})
    rest(table)
    play(table, "196t")
    assert (seen(table), table.public.log[-1].ticket) == ((None, {184}), "taxi")
