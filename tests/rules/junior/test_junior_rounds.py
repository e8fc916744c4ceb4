"""The rounds of the junior game, from the pick to the last chip (JU-04 to JU-10)."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.rules.actions import MR_X, MR_X_JUNIOR, Commit, Double, MrXMove, Pass, PawnMove
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import Outcome
from tests.rules.junior.junior_boards import game, london, meant, play, shorts, small
from tests.rules.refusals import refusal

# White on 1, yellow on 4, Mister X on 13, his accomplice on 10, as marked on the map that is shipped.
ALL_STAY = "x- w- y-"
# A ring by taxi and bus, a boat across; white on 1, yellow on 2, Mister X on 4, his accomplice on 5.
RING = small("taxi 1-2 3-4 5-6, bus 2-3 4-5 6-1, boat 1-4", (1, 2, 4, 5))


def chips(table: Game) -> tuple[int, int]:
    """What Mister X has won, and the detectives."""
    return table.public.chips[MR_X][0], table.public.chips["detectives"][0]


# ---- JU-04: Mister X picks ----


def test_ju_04_a_round_begins_with_mister_x_who_picks_a_ticket_or_none() -> None:
    table = game(london())
    assert table.public.turn == (MR_X,)
    assert table.public.mr_x_to_move
    assert shorts(table.legal) == {"xt", "xb", "xu", "x-"}
    assert table.private.choices == Secret(table.legal)
    assert (table.private.actor, table.private.at) == (MR_X, Secret(13))
    assert table.public.moves == ()


def test_ju_04_only_a_ticket_with_a_link_at_that_station_can_be_picked() -> None:
    assert shorts(game(london(), mr_x=14).legal) == {"xt", "xb", "xu", "xf", "x-"}
    assert shorts(game(RING).legal) == {"xt", "xb", "xf", "x-"}
    for ticket in ("boat", "black", "", "walk"):
        words = refusal(game(london()), Commit(MR_X, Secret(ticket)))
        assert words == "Mister X cannot pick this now; what he can pick is on the handset"


def test_ju_04_his_accomplice_picks_after_him_and_for_himself() -> None:
    table = game(london(), "xu", players=4)
    assert table.public.turn == (MR_X_JUNIOR,)
    assert table.public.mr_x_to_move
    assert shorts(table.legal) == {"jt", "jb", "ju", "jf", "j-"}
    assert (table.private.actor, table.private.at) == (MR_X_JUNIOR, Secret(10))
    refusal(table, Commit(MR_X, Secret("taxi")))
    play(table, "jf")
    assert table.public.turn == ("white", "yellow")


def test_ju_04_nobody_picks_twice_and_nobody_picks_for_another() -> None:
    table = game(london(), players=4)
    refusal(table, Commit(MR_X_JUNIOR, Secret("taxi")))
    refusal(table, Commit("white", Secret("taxi")))
    play(table, "x- j-")
    words = refusal(table, Commit(MR_X, Secret("taxi")))
    assert words == "it is white or yellow's turn, not Mister X's"


def test_ju_04_what_he_has_picked_stays_secret_and_moves_nobody() -> None:
    one, two = game(london(), "xt"), game(london(), "x-")
    assert one.public == two.public
    assert one.public.pawns[MR_X] == 13


# ---- JU-05: the detectives ----


def test_ju_05_the_detectives_come_after_the_picks_and_not_before() -> None:
    table = game(london(), players=4)
    for word in ("wt", "y-"):
        words = refusal(table, meant(table, word))
        assert words.endswith("asked to move, but it is Mister X's turn to pick a ticket")
    play(table, "x-")
    words = refusal(table, meant(table, "wt"))
    assert words == "white asked to move, but it is X Junior's turn to pick a ticket"


@pytest.mark.parametrize("words", ["wt y-", "y- wt"])
def test_ju_05_the_detectives_move_in_any_order(words: str) -> None:
    table = game(london(), "xt")
    assert table.public.turn == ("white", "yellow")
    assert {move.pawn for move in table.public.moves} == {"white", "yellow"}
    first, second = words.split()
    play(table, first)
    still = "yellow" if first[0] == "w" else "white"
    assert table.public.turn == (still,)
    assert {move.pawn for move in table.public.moves} == {still}
    play(table, second)
    assert table.public.pawns == {"white": 5, "yellow": 4, MR_X: 9}


@pytest.mark.parametrize(
    ("to", "ticket"), [(5, "bus"), (6, "taxi"), (1, "taxi"), (1, "boat"), (5, "stay"), (99, "taxi"), (5, "")]
)
def test_ju_05_anything_else_is_refused_with_what_is_legal(to: int, ticket: str) -> None:
    words = refusal(game(london(), "x-"), PawnMove("white", to, ticket))
    ways = "5 by taxi, 2 by bus, 8 by underground, 1 by stay"
    assert words == f"white cannot go to {to} by {ticket}; it may go to {ways}"


def test_ju_05_nobody_moves_mister_x_pawns_or_pawns_that_do_not_play() -> None:
    for pawn in (MR_X, MR_X_JUNIOR, "red"):
        words = f"{pawn} asked to move, but it is "
        assert refusal(game(london()), PawnMove(pawn, 9, "taxi")) == f"{words}Mister X's turn to pick a ticket"
        assert refusal(game(london(), "x-"), PawnMove(pawn, 9, "taxi")) == f"{words}white or yellow's turn"


@pytest.mark.parametrize("thing", [None, "stay", Double(), Pass(), MrXMove(Secret(9), "taxi"), ("commit", "taxi")])
@pytest.mark.parametrize("played", ["", "xt"])
def test_ju_05_what_is_no_action_of_this_game_is_refused(thing: Any, played: str) -> None:
    refusal(game(london(), played), thing)


# ---- JU-06: sharing stations ----


def test_ju_06_all_may_start_on_one_station() -> None:
    table = game(london(), players=4, white=6, yellow=6, mr_x=6, mr_x_junior=6)
    assert set(table.public.pawns.values()) == {6}
    play(table, "xt jb wu yf")
    assert table.public.pawns == {"white": 7, "yellow": 10, MR_X: 2, MR_X_JUNIOR: 3}


def test_ju_06_a_detective_that_moves_onto_mister_x_catches_nobody_by_that() -> None:
    table = game(london(), "xt wt", white=9)
    assert table.public.pawns["white"] == table.public.pawns[MR_X] == 13
    assert table.public.outcome is None
    assert chips(table) == (0, 0)
    play(table, "y-")
    assert chips(table) == (1, 0)  # he has gone to 9, past white


# ---- JU-07: he shows himself ----


def test_ju_07_on_a_detectives_station_he_is_caught() -> None:
    assert chips(game(london(), "xt w- y-", white=9)) == (0, 1)  # he comes to white
    assert chips(game(london(), "x- wt y-", white=9)) == (0, 1)  # white comes to him
    assert chips(game(london(), "xt w- yf", yellow=8)) == (0, 1)  # they meet elsewhere


def test_ju_07_he_is_to_be_moved_on_from_where_he_stood_until_he_has_picked_again() -> None:
    table = game(london())
    assert table.public.stale == frozenset()
    play(table, "xt w- y-")
    assert table.public.stale == {13}
    assert table.public.pawns[MR_X] == 9
    play(table, "xt")
    assert table.public.stale == frozenset()
    play(table, ALL_STAY[3:])
    assert table.public.stale == {9}


def test_ju_07_each_of_the_two_is_to_be_moved_on_from_his_own_station() -> None:
    table = game(london(), "xt jf w- y-", players=4)
    assert table.public.stale == {13, 10}
    play(table, "x-")
    assert table.public.stale == {10}
    play(table, "j-")
    assert table.public.stale == frozenset()


def test_ju_07_where_one_of_the_two_takes_the_others_place_it_is_not_stale() -> None:
    table = game(london(), "xt jt w- y-", players=4, mr_x=13, mr_x_junior=9)
    assert table.public.stale == frozenset()
    table = game(london(), "xt jb w- y-", players=4, mr_x=13, mr_x_junior=9)
    assert table.public.stale == {13}


# ---- JU-08: success chips ----


@pytest.mark.parametrize(
    ("words", "won"),
    [
        ("x- j- w- y-", (1, 0)),
        ("xt j- w- y-", (0, 1)),  # Mister X to white on 9
        ("x- jb w- y-", (0, 1)),  # Junior to yellow on 11
        ("xt jb w- y-", (0, 1)),  # both
        ("xt jb wt y-", (0, 1)),  # white goes away, yellow is enough
        ("xt jb wt yt", (1, 0)),  # both detectives have gone away
    ],
)
def test_ju_08_of_the_two_one_caught_is_enough_and_both_are_one_chip(words: str, won: tuple[int, int]) -> None:
    table = game(london(), words, players=4, white=9, yellow=11)
    assert chips(table) == won


# ---- JU-09: the next round ----


def test_ju_09_the_next_round_starts_from_where_everyone_stands() -> None:
    table = game(london(), "xt wt yb")
    assert table.public.round == 2
    assert table.public.turn == (MR_X,)
    assert table.public.pawns == {"white": 5, "yellow": 7, MR_X: 9}
    play(table, "xu wb yt")
    assert table.public.pawns == {"white": 8, "yellow": 11, MR_X: 14}


# ---- JU-10: the end ----


def test_ju_10_mister_x_wins_with_nine_chips() -> None:
    table = game(london(), " ".join([ALL_STAY] * 8))
    assert table.public.outcome is None
    play(table, ALL_STAY)
    assert table.public.outcome == Outcome(MR_X, "chips")
    assert table.public.chips == {MR_X: (9, 9), "detectives": (0, 3)}


def test_ju_10_the_detectives_win_with_three_chips() -> None:
    table = game(london(), f"{ALL_STAY} {ALL_STAY}", white=13)
    assert table.public.outcome is None
    play(table, ALL_STAY)
    assert table.public.outcome == Outcome("detectives", "chips")
    assert table.public.chips == {MR_X: (0, 9), "detectives": (3, 3)}


def test_ju_10_nothing_can_be_done_after_the_end() -> None:
    table = game(london(), " ".join([ALL_STAY] * 3), white=13)
    assert table.legal == ()
    view = table.public
    assert (view.turn, view.moves, view.round) == ((), (), 3)
    assert table.private.choices == Secret(())
    for word in ("x-", "w-"):
        assert refusal(table, meant(table, word)) == "the game is over: detectives won (chips)"


def test_ju_10_after_the_end_the_way_of_mister_x_is_told_and_not_before() -> None:
    table = game(london(), "xt w- y- x- w- y-", white=9)
    assert table.public.route == ()
    assert table.private.route == Secret((13, 9, 9))
    play(table, "x- w- y-")
    assert table.public.outcome is not None
    assert table.public.route == (13, 9, 9, 9)


# ---- the view ----


def test_there_is_no_log_and_no_window_and_he_is_always_in_sight() -> None:
    table = game(london(), ALL_STAY)
    view = table.public
    assert (view.log, view.windows, view.surfacing, view.marked) == ((), 0, frozenset(), frozenset())
    assert view.in_sight
    assert not table.private.shows
    assert (view.double, view.skipped, view.open_moves, view.extras, view.to_roll) == (0, (), (), {}, None)
