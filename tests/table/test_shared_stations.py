"""Shared stations: where a pawn stands already, one more makes no edge (PB-05, JU-05, JU-06)."""

from __future__ import annotations

import random

import pytest

from firmware_host.referee.readings import Ambiguous, InHand, Mismatch, Returned, Settled
from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import MR_X, STAY, Commit, PawnMove
from firmware_host.simulator import SimulatedTable
from tests.table.any_table import answer, carried, done, junior, key, lift, pick, stand, table
from tests.table.played_table import asks, confirm, put, text, tidy

W_TO_8 = PawnMove("white", 8, "bus")
"""From 5, to where yellow stands."""


def moves(p: SimulatedTable) -> list[PawnMove]:
    """All detectives' moves that the table has accepted."""
    return [action for action in done(p) if isinstance(action, PawnMove)]


# ---- onto an occupied station ----


def test_pb_05_ju_06_a_pawn_set_down_beside_another_waits_for_confirm() -> None:
    p = junior(5, 8)
    carried(p, "white", 8, 10_000)
    assert moves(p) == []
    assert p.table.scene().reading == InHand(("white",), (W_TO_8,))
    assert asks(p) == (Kind.WENT, "white", 8, "confirm", "back")
    confirm(p)
    assert moves(p) == [W_TO_8]
    assert p.public.turn == ("yellow",)
    assert p.table.scene().reading == Settled((PawnMove("yellow", 8, STAY),))


def test_pb_05_ju_06_a_pawn_held_in_the_hand_shares_no_station_by_itself() -> None:
    p = junior(5, 8)
    lift(p, "white")
    p.advance(60_000)
    assert moves(p) == []
    put(p, 1, "white", 1200)
    assert moves(p) == [PawnMove("white", 1, "taxi")]


def test_pb_05_ju_06_by_key_alone_back_goes_to_the_station_that_is_meant() -> None:
    p = junior(5, 8)
    lift(p, "white")
    p.advance(1000)
    asked = []
    for _ in range(4):
        asked.append({(move.pawn, move.to) for move in p.table.scene().asked})
        key(p, "back")
    assert asked == [{("white", 8)}, {("white", 1)}, {("white", 10)}, {("white", 5)}]
    key(p, "confirm", "back", "confirm")
    assert moves(p) == [PawnMove("white", 1, "taxi")]
    assert p.table.scene().ignored == {1}  # where no switch felt it


def test_pb_05_ju_06_both_pawns_change_places_which_no_switch_can_tell_from_staying() -> None:
    p = junior(5, 8)
    lift(p, "white", "yellow")
    p.advance(400)
    p.hardware.put(8, "white")
    put(p, 5, "yellow", 5000)
    assert moves(p) == []
    assert isinstance(p.table.scene().reading, Settled)
    answer(p, [W_TO_8])
    answer(p, [PawnMove("yellow", 5, "bus")])
    assert p.public.turn == (MR_X,)
    assert (p.public.pawns["white"], p.public.pawns["yellow"]) == (8, 5)
    assert isinstance(p.table.scene().reading, Settled)


# ---- off a shared station ----


@pytest.mark.parametrize("pawn", ["white", "yellow"])
def test_ju_06_when_one_of_two_leaves_the_table_asks_which_it_was(pawn: str) -> None:
    p = junior(8, 8)
    carried(p, pawn, 12, 10_000)
    assert moves(p) == []
    both = (PawnMove("white", 12, "taxi"), PawnMove("yellow", 12, "taxi"))
    assert p.table.scene().reading == Ambiguous(both)
    assert asks(p) == (Kind.WENT, "white", 12, "confirm", "back")
    if pawn == "yellow":
        key(p, "back")
        assert asks(p) == (Kind.WENT, "yellow", 12, "confirm", "back")
    confirm(p)
    assert moves(p) == [PawnMove(pawn, 12, "taxi")]
    assert p.public.pawns[pawn] == 12


# ---- from shared to shared ----


def test_pb_05_ju_06_from_beside_mister_xs_pawn_to_beside_a_detectives_by_key() -> None:
    p = junior(5, 8, mr_x=5)
    stand(p, MR_X, 5)
    assert set(p.hardware.standing(5)) == {"white", MR_X}
    carried(p, "white", 8, 3000)
    assert moves(p) == []
    assert isinstance(p.table.scene().reading, Settled)  # Mister X's pawn closes 5, yellow 8
    answer(p, [W_TO_8])
    assert moves(p) == [W_TO_8]
    assert isinstance(p.table.scene().reading, Settled)


# ---- staying ----


def test_ju_05_confirm_asks_who_stays_and_confirm_again_answers() -> None:
    p = junior(1, 4)
    tidy(p)
    assert text(p) == "White or Yellow moves. CONFIRM: one stays, or shares a station"
    confirm(p)
    assert moves(p) == []
    assert asks(p) == (Kind.STAYS, "white", 1, "confirm", "back")
    confirm(p)
    assert moves(p) == [PawnMove("white", 1, STAY)]
    assert p.public.turn == ("yellow",)


def test_ju_05_the_last_pawn_too_stays_by_two_confirms_and_back_drops_the_question() -> None:
    p = junior(1, 4)
    tidy(p)
    carried(p, "white", 5)
    assert text(p) == "Yellow moves. CONFIRM: one stays, or shares a station"
    confirm(p)
    assert asks(p) == (Kind.STAYS, "yellow", 4, "confirm", "back")
    key(p, "back")
    assert p.table.scene().asked == ()
    assert text(p) == "Yellow moves. CONFIRM: one stays, or shares a station"
    confirm(p)
    assert p.public.turn == ("yellow",)
    confirm(p)
    assert moves(p) == [PawnMove("white", 5, "taxi"), PawnMove("yellow", 4, STAY)]


def test_ju_05_a_pawn_lifted_and_put_back_does_not_stay_by_that() -> None:
    p = junior(1, 4)
    carried(p, "white", 1, 10_000)
    assert moves(p) == []


def test_ju_05_a_move_on_the_board_ends_the_question_who_stays() -> None:
    p = junior(1, 4)
    confirm(p)
    carried(p, "yellow", 3)
    assert moves(p) == [PawnMove("yellow", 3, "taxi")]
    assert p.table.scene().asked == ()


# ---- Mister X's pawn ----


def test_pb_05_ju_06_a_detective_beside_mister_xs_pawn_waits_for_confirm() -> None:
    p = junior(9, 4, mr_x=13)
    stand(p, MR_X, 13)
    assert p.table.scene().set_down == {}
    carried(p, "white", 13, 10_000)
    assert moves(p) == []
    assert asks(p) == (Kind.WENT, "white", 13, "confirm", "back")
    confirm(p)
    assert moves(p) == [PawnMove("white", 13, "taxi")]


def test_pb_06_ju_07_mister_xs_pawn_beside_a_detective_is_asked_for_and_never_waited_for() -> None:
    p = junior(9, 4, mr_x=13, picks="taxi")
    stand(p, MR_X, 13)
    confirm(p)
    confirm(p)  # white stays on 9
    confirm(p)
    confirm(p)  # yellow stays on 4
    assert p.public.chips["detectives"][0] == 1  # JU-08: caught on 9
    assert p.public.pawns[MR_X] == 9
    assert p.table.scene().set_down == {MR_X: 9}
    assert p.table.scene().take_off == {13}
    lift(p, MR_X)  # into a hand, and not set down
    p.advance(700)
    assert p.table.scene().take_off == frozenset()
    assert p.table.scene().set_down == {MR_X: 9}  # his turn
    assert text(p).startswith("Caught: a chip for the detectives. Mister X picks a ticket in secret. Set Mister X's")
    p.advance(10_000)
    assert text(p).startswith("Caught: a chip for the detectives. ")
    pick(p, "taxi")
    assert p.table.scene().set_down == {}  # the detectives' turn: nobody waits for it
    assert text(p) == "White or Yellow moves. CONFIRM: one stays, or shares a station"
    carried(p, "white", 8)
    assert moves(p)[-1] == PawnMove("white", 8, "boat")


@pytest.mark.parametrize("seed", range(4))
def test_pb_06_games_in_which_nobody_ever_minds_mister_xs_pawns_are_played_as_meant(seed: int) -> None:
    chance = random.Random(seed)
    p = table("junior", players=3 + seed % 2, seed=seed)
    p.set_up()
    for figure in p.public.fugitives:
        put(p, p.public.pawns[figure], figure, 700)
    while p.public.outcome is None and p.public.round < 5:
        if p.public.mr_x_to_move:
            choices = p.private.choices.value
            action = chance.choice([choice for choice in choices if isinstance(choice, Commit)])
            pick(p, action.ticket.value)
            continue
        before = done(p)
        move = chance.choice(p.public.moves)
        carried(p, move.pawn, move.to)
        if done(p) == before:
            answer(p, [move])
        assert done(p) == [*before, move], text(p)
        assert not isinstance(p.table.scene().reading, Mismatch), text(p)


def test_ju_08_that_he_escaped_is_told_before_what_is_next_until_the_next_thing_is_done() -> None:
    p = junior(1, 4, mr_x=13)
    assert "chip" not in text(p)
    for _ in range(2):
        assert p.public.chips[MR_X][0] == 0
        key(p, "confirm", "confirm")  # each stays
    assert p.public.chips[MR_X][0] == 1
    assert text(p).startswith("Escaped: a chip for Mister X. Mister X picks a ticket in secret")
    pick(p, "stay")
    assert "Escaped" not in text(p)


# ---- taking back ----


def test_a_move_off_a_shared_station_is_taken_back_by_confirm() -> None:
    p = junior(8, 8)
    carried(p, "white", 12)
    confirm(p)
    assert moves(p) == [PawnMove("white", 12, "taxi")]
    carried(p, "white", 8, 5000)
    assert p.table.scene().reading == Returned("white", 8, ambiguous=True)
    assert asks(p) == (Kind.BACK_OR_NOT, "white", 8, "confirm", "back")
    assert moves(p) != []
    confirm(p)
    assert moves(p) == []
    assert p.public.turn == ("white", "yellow")


def test_a_move_beside_mister_xs_pawn_is_taken_back_without_a_question_where_nobody_else_could_go_there() -> None:
    p = junior(9, 4)
    stand(p, MR_X, 13)
    carried(p, "white", 13)
    confirm(p)
    assert p.public.pawns["white"] == 13
    carried(p, "white", 9)
    assert moves(p) == []
    assert p.public.pawns["white"] == 9


def test_ju_06_where_the_other_pawn_could_have_come_instead_the_table_asks() -> None:
    p = junior(5, 8)
    carried(p, "white", 8)
    confirm(p)
    carried(p, "white", 5, 3000)  # or is it yellow, by bus?
    assert moves(p) == [W_TO_8]
    assert asks(p) == (Kind.WENT, "yellow", 5, "confirm", "back")
    key(p, "back")
    assert asks(p) == (Kind.WENT_BACK, "white", 5, "confirm", "back")
    confirm(p)
    assert moves(p) == []


def test_ju_07_the_last_move_of_a_round_shows_mister_x_and_cannot_be_taken_back() -> None:
    p = junior(5, 4, picks="taxi")
    stand(p, MR_X, 13)
    carried(p, "white", 1)
    carried(p, "yellow", 3)
    assert p.public.pawns[MR_X] == 9
    carried(p, "yellow", 4, 3000)
    assert moves(p) == [PawnMove("white", 1, "taxi"), PawnMove("yellow", 3, "taxi")]
    assert text(p).startswith("Put Yellow on 3. Clear 4")
    carried(p, "yellow", 3)
    assert not isinstance(p.table.scene().reading, Mismatch)


def test_ju_05_the_first_move_of_a_round_can_be_taken_back_until_the_other_pawn_has_moved() -> None:
    p = junior(5, 4)
    carried(p, "white", 1)
    carried(p, "white", 5)
    assert moves(p) == []
    carried(p, "white", 1)
    carried(p, "yellow", 3)
    carried(p, "white", 5, 3000)
    assert p.public.pawns["white"] == 1


def test_ju_06_a_move_from_where_mister_xs_pawn_stood_to_where_it_stands_is_taken_back_by_confirm() -> None:
    p = junior(9, 4, mr_x=13, picks="taxi")
    stand(p, MR_X, 13)
    carried(p, "white", 13, 3000)
    key(p, "confirm")
    carried(p, "yellow", 3)
    assert (p.public.pawns["white"], p.public.pawns[MR_X]) == (13, 9)
    stand(p, MR_X, 9)
    pick(p, "stay")
    carried(p, "white", 9, 3000)  # his pawn closes 9; he has been on 13
    answer(p, [PawnMove("white", 9, "taxi")])
    before = moves(p)
    carried(p, "white", 13, 3000)
    assert moves(p) == before
    answer(p, [], back=True)
    assert p.public.pawns["white"] == 13
