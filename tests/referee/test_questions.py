"""What the table asks, one question after another, and what an answer means (PB-04, PB-05)."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.referee.events import Play, TakeBack
from firmware_host.referee.questions import (
    NO_QUESTIONS,
    Asking,
    Questions,
    ask_about,
    ask_about_held,
    ask_after_waiting,
    ask_elsewhere,
    entry_of,
    who_arrived,
)
from firmware_host.referee.readings import EMPTY, HERE, MR_X_PAWN, RETURN, Ambiguous, InHand, Moved, Settled
from firmware_host.rules.actions import FREE, MR_X, STAY, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from tests.referee.referees import occupancy
from tests.ui.handmade_views import public

RED_57, RED_59 = PawnMove("red", 57, "taxi"), PawnMove("red", 59, "taxi")
RED_74_TAXI, RED_74_BUS = PawnMove("red", 74, "taxi"), PawnMove("red", 74, "bus")
BLUE_57, BLUE_STAYS = PawnMove("blue", 57, "bus"), PawnMove("blue", 58, STAY)


def test_nothing_to_ask_is_no_question_at_all() -> None:
    assert not NO_QUESTIONS
    assert NO_QUESTIONS.asked == ()
    assert not NO_QUESTIONS.more
    assert NO_QUESTIONS.next() == NO_QUESTIONS
    assert ask_about(()) == NO_QUESTIONS


def test_pb_04_all_tickets_of_a_pawn_to_a_station_are_one_question() -> None:
    asked = ask_about([RED_74_TAXI, RED_57, RED_74_BUS])
    assert asked.each == ((RED_74_TAXI, RED_74_BUS), (RED_57,))
    assert asked.asked == (RED_74_TAXI, RED_74_BUS)


def test_two_pawns_to_one_station_are_two_questions() -> None:
    assert ask_about([RED_57, BLUE_57]).each == ((RED_57,), (BLUE_57,))


def test_a_way_there_and_the_way_back_to_the_same_station_are_two_questions() -> None:
    there, back = PawnMove(MR_X, 82, FREE), PawnMove(MR_X, 82, RETURN)
    assert ask_about([there, back]).each == ((there,), (back,))


def test_a_move_told_twice_is_asked_for_once() -> None:
    assert ask_about([RED_57, RED_59, RED_57]).each == ((RED_57,), (RED_59,))


def test_a_switch_is_in_question_only_where_the_pawn_is_said_to_stand_elsewhere() -> None:
    def asked(*moves: PawnMove, occupied: int = 57) -> tuple[tuple[tuple[PawnMove, ...], ...], ...]:
        here = occupancy(public(), frozenset({occupied, 58, 74}))
        first = ask_after_waiting(Ambiguous(moves), here, None, wrong=0, late=False)
        return first.each, ask_elsewhere(Ambiguous(moves), here).each

    assert asked(RED_57, BLUE_57) == (((RED_57,), (BLUE_57,)), ((PawnMove("red", 57, EMPTY),),))
    assert asked(RED_57, BLUE_57, occupied=59) == (((RED_57,), (BLUE_57,)),) * 2  # no switch says anything there
    assert asked(RED_74_TAXI, RED_74_BUS) == (((RED_74_TAXI, RED_74_BUS),), ((PawnMove("red", 74, EMPTY),),))


def test_whether_one_of_several_pawns_in_hands_still_stands_is_not_asked() -> None:
    def asked(*occupied: int) -> list[PawnMove]:
        here = occupancy(view, frozenset(occupied))
        return [move for moves in ask_after_waiting(in_hand, here, None, wrong=0, late=True).each for move in moves]

    view = public(turn=("red", "blue"))
    in_hand, still = InHand(("red", "blue"), (RED_57,)), PawnMove("red", view.pawns["red"], HERE)
    assert all(move.ticket != HERE for move in asked())
    assert still in asked(view.pawns["blue"])


def test_where_his_pawn_is_or_was_on_the_board_it_may_be_that_too() -> None:
    view = public()
    on_board = replace(view, pawns={**view.pawns, MR_X: 100}), replace(view, stale=frozenset({100}))
    for seen in on_board:
        here, his = occupancy(seen, frozenset({57})), (PawnMove(MR_X, 57, MR_X_PAWN),)
        each = ask_after_waiting(Ambiguous((RED_57,)), here, None, wrong=0, late=False).each
        assert each == ((RED_57,), his)
        assert ask_elsewhere(Moved((RED_57,)), here).each == ((PawnMove("red", 57, EMPTY),), his)


def test_where_his_pawn_seems_to_stand_still_a_detective_may_have_come_or_nothing_stands() -> None:
    view = replace(public(), moves=(RED_57, RED_59, BLUE_57))
    assert who_arrived(view, 57).each == ((RED_57,), (BLUE_57,), (PawnMove("red", 57, EMPTY),))
    assert who_arrived(view, 60) == NO_QUESTIONS


def test_back_goes_round_and_round() -> None:
    asked, seen = ask_about([RED_57, RED_59, BLUE_57]), []
    for _ in range(4):
        seen.append(asked.asked)
        assert asked.more
        asked = asked.next()
    assert seen == [(RED_57,), (RED_59,), (BLUE_57,), (RED_57,)]


def test_a_single_question_leaves_back_nothing_to_do() -> None:
    one = ask_about([RED_74_TAXI, RED_74_BUS])
    assert one
    assert not one.more
    assert one.next() == one


def test_before_back_has_gone_to_a_station_none_is_meant() -> None:
    one = Questions(((RED_57,),), -1)
    assert one
    assert one.asked == ()
    assert one.more
    assert one.next().asked == (RED_57,)
    assert not one.next().more


def test_pb_05_the_likeliest_stations_come_first_and_then_all_others_of_the_pawns_in_hand() -> None:
    view = public(moves=(RED_74_BUS, RED_57, RED_59, RED_74_TAXI, BLUE_57, BLUE_STAYS))
    asked = ask_about_held(view, ("red",), (RED_74_TAXI,))
    assert asked.at == 0
    assert asked.each == ((RED_74_BUS, RED_74_TAXI), (RED_57,), (RED_59,))
    assert asked.asked == (RED_74_BUS, RED_74_TAXI)


def test_pb_05_where_no_station_is_likelier_than_the_others_none_is_meant_at_first() -> None:
    view = public(moves=(RED_59, RED_57, BLUE_57))
    asked = ask_about_held(view, ("red", "blue"))
    assert asked.asked == ()
    assert asked.more
    assert asked.each == ((RED_57,), (BLUE_57,), (RED_59,))  # by station


def test_ju_05_a_pawn_in_the_hand_is_not_asked_whether_it_stays() -> None:
    view = public(moves=(BLUE_STAYS, BLUE_57))
    assert ask_about_held(view, ("blue",)).each == ((BLUE_57,),)
    assert ask_about_held(view, ("red",)) == NO_QUESTIONS  # it can go nowhere: there is nothing to ask


def test_what_was_denied_on_one_turn_is_not_denied_on_the_next() -> None:
    denied = Asking(ask_about((RED_57,))).ask_next(Settled())
    assert denied.declined
    assert not denied.forget().declined


def test_a_detectives_move_is_played_and_one_to_be_taken_back_is_taken_back() -> None:
    assert entry_of(RED_57) == Play(RED_57)
    assert entry_of(BLUE_STAYS) == Play(BLUE_STAYS)
    assert entry_of(PawnMove("red", 58, RETURN)) == TakeBack()


def test_be_05_mister_xs_pawn_moved_on_the_board_is_his_own_move_and_a_secret_to_whoever_prints_it() -> None:
    made = entry_of(PawnMove(MR_X, 100, FREE))
    assert made == Play(MrXMove(Secret(100), FREE))
    assert "100" not in repr(made)
