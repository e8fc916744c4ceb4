"""What the table asks, one question after another, and what an answer means (PB-04, PB-05)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

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
from firmware_host.referee.readings import (
    EMPTY,
    HERE,
    MR_X_PAWN,
    RETURN,
    Ambiguous,
    InHand,
    Mismatch,
    Moved,
    Returned,
    Settled,
)
from firmware_host.referee.scene import BACK, CONFIRM, NEW_GAME, Ask, Kind, Phase
from firmware_host.referee.state import next_ask
from firmware_host.rules.actions import FREE, MR_X, STAY, MrXMove, PawnMove, RollAgain
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import Outcome, PublicView
from tests.referee.referees import NOW, occupancy, state_of
from tests.ui.handmade_views import DICE, dice_game, public, scene

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


def test_the_questions_of_the_last_two_different_readings_come_back_and_a_moves_from_the_first() -> None:
    one, other = Moved((RED_57, BLUE_57)), Settled()
    asking = Asking(ask_about((BLUE_57,))).withdraw(other, 1.0)
    for now in (2.0, 3.0):
        asking = asking.ask_on_key(ask_about((RED_57, BLUE_57), at=1)).withdraw(one, now)
    assert asking.ask_withdrawn(other, 3.0, 5.0).questions == ask_about((BLUE_57,))
    assert asking.ask_withdrawn(one, 3.0, 5.0).questions == ask_about((RED_57, BLUE_57), at=0)


def test_what_was_denied_on_one_turn_is_not_denied_on_the_next() -> None:
    denied = Asking(ask_about((RED_57,))).ask_next(Settled())
    assert denied.declined
    assert not denied.forget().declined


def test_a_move_cancelled_on_one_turn_is_not_cancelled_on_the_next() -> None:
    cancelled = Asking(ask_about((RED_57,))).cancel()
    assert cancelled.cancelled
    assert not cancelled.forget().cancelled


def test_a_detectives_move_is_played_and_one_to_be_taken_back_is_taken_back() -> None:
    assert entry_of(RED_57) == Play(RED_57)
    assert entry_of(BLUE_STAYS) == Play(BLUE_STAYS)
    assert entry_of(PawnMove("red", 58, RETURN)) == TakeBack()


def test_be_05_mister_xs_pawn_moved_on_the_board_is_his_own_move_and_a_secret_to_whoever_prints_it() -> None:
    made = entry_of(PawnMove(MR_X, 100, FREE))
    assert made == Play(MrXMove(Secret(100), FREE))
    assert "100" not in repr(made)


# ---- what is asked next, as data ----


TAXI, BUS = PawnMove("red", 58, "taxi"), PawnMove("red", 58, "bus")
OTHER = PawnMove("red", 77, "taxi")


def red(*moves: PawnMove, **said: Any) -> PublicView:
    """A game in which Red is to move."""
    return public(turn=("red",), moves=moves or (TAXI, BUS, OTHER), **said)


def asked(
    view: PublicView | None,
    *,
    more: bool = False,
    late: bool = False,
    cancelled: bool = False,
    occupied: frozenset[int] = frozenset(),
    **said: Any,
) -> Ask:
    """What is asked in a state made by hand."""
    return next_ask(state_of(scene(view, **said), more=more, late=late, cancelled=cancelled, occupied=occupied), NOW)


def test_outside_a_game_the_confirm_key_begins_one_unless_a_device_is_awaited() -> None:
    over = public(turn=(), outcome=Outcome("mr_x", "escaped"))
    assert asked(None, phase=Phase.NO_GAME) == NEW_GAME
    assert asked(over, phase=Phase.OVER) == Ask(Kind.NEXT_GAME, (CONFIRM,))
    for view in (None, over, red()):
        assert asked(view, paused="the switches are lost") == Ask(Kind.PAUSED)


@pytest.mark.parametrize(
    ("ticket", "kind"), [(HERE, Kind.STANDS), (EMPTY, Kind.EMPTY), (MR_X_PAWN, Kind.MR_X_PAWN), (STAY, Kind.STAYS)]
)
def test_what_is_no_move_between_stations_is_asked_with_yes_and_no(ticket: str, kind: Kind) -> None:
    found = asked(red(), asked=(PawnMove("red", 26, ticket),), reading=InHand(("red",)))
    assert found == Ask(kind, (CONFIRM, BACK), ("red",), 26, (ticket,))


def test_tickets_answer_by_their_own_keys_and_back_denies_from_the_beginning() -> None:
    by_ticket = Ask(Kind.WENT, ("table.taxi", "table.bus", BACK), ("red",), 58, ("taxi", "bus"))
    for reading in (Moved((TAXI, BUS)), InHand(("red",))):
        assert asked(red(), asked=(TAXI, BUS), reading=reading) == by_ticket
    one = Ask(Kind.WENT, (CONFIRM, BACK), ("red",), 77, ("taxi",))
    assert asked(red(), asked=(OTHER,), reading=Ambiguous((OTHER,))) == one
    back = asked(red(), asked=(PawnMove("red", 10, RETURN),))
    assert (back.kind, back.keys, back.station) == (Kind.WENT_BACK, (CONFIRM, BACK), 10)


def test_a_pawn_that_does_not_go_where_it_stands_is_to_be_put_elsewhere_and_confirm_is_offered_after_a_while() -> None:
    moved = Moved((TAXI, BUS))
    assert asked(red(), reading=moved, cancelled=True) == Ask(Kind.CANCELLED, (), ("red",), 58)
    late = Ask(Kind.CANCELLED, (CONFIRM,), ("red",), 58)
    assert asked(red(), reading=moved, cancelled=True, late=True) == late
    empty = (PawnMove("red", 58, EMPTY),)
    assert asked(red(), reading=moved, asked=empty, cancelled=True).kind is Kind.EMPTY


def test_one_switch_is_doubted_only_where_one_alone_can_be_to_blame_and_after_a_while() -> None:
    wrong = Mismatch({"red": 26}, frozenset())
    assert asked(red(), reading=wrong, wrong=1) == Ask(Kind.PUT_RIGHT)
    assert asked(red(), reading=wrong, wrong=2) == Ask(Kind.SWITCH, (CONFIRM,), ("red",), 26)
    assert asked(red(), reading=Mismatch({}, frozenset({90})), wrong=2) == Ask(Kind.SWITCH, (CONFIRM,), (), 90)
    left = frozenset({77})
    assert asked(red(stale=left), occupied=left, reading=wrong, wrong=2) == Ask(Kind.ALL_RIGHT, (CONFIRM,))
    several = Mismatch({"red": 26}, frozenset({90}))
    assert asked(red(), reading=several, wrong=2) == Ask(Kind.ALL_RIGHT, (CONFIRM,))


def test_a_pawn_of_mister_xs_that_nobody_takes_off_puts_its_switch_in_doubt_besides() -> None:
    there, way = frozenset({90}), frozenset({58})
    left = red(stale=there)
    assert asked(left, occupied=there) == Ask(Kind.MOVE, (), ("red",))
    nobody = asked(left, occupied=there, late=True)
    assert nobody == Ask(Kind.MOVE, (CONFIRM,), ("red",), besides=Ask(Kind.EMPTY, (CONFIRM,), station=90))
    assert nobody.suspect == 90
    somebody = asked(red(stale=way), occupied=way, late=True)
    assert somebody.keys == (CONFIRM, BACK)
    assert somebody.besides == Ask(Kind.EMPTY, (CONFIRM, BACK), station=58)
    again = red(stale=way, extras={BACK: RollAgain()})
    assert asked(again, occupied=way, late=True) == Ask(
        Kind.MOVE, (CONFIRM, BACK), ("red",), besides=Ask(Kind.STILL_SENSED, (CONFIRM,), station=58)
    )
    first = public(turn=("red",), moves=(TAXI,), pawns={"red": 26, MR_X: 3}, stale=there)
    assert asked(first, occupied=there, late=True) == Ask(Kind.MOVE, (), ("red",))


def test_di_13_dice_are_rolled_by_one_key_or_entered_by_one_each() -> None:
    dice = replace(DICE, to_roll=2, rolled=(), used=(), by_hand=False)
    table = dice_game(17, turn=("red",), dice=dice).public
    assert asked(table) == Ask(Kind.ROLL, (CONFIRM,), ("red",))
    hand = replace(table, dice=replace(dice, by_hand=True))
    faces = tuple(face for face in dice.faces if face != "x")
    keys = (*(f"table.{face}" for face in faces), CONFIRM)
    assert asked(hand) == Ask(Kind.ENTER, keys, ("red",), tickets=faces)
    assert asked(hand, entered=("x",)).keys == (*keys, BACK)
    assert asked(hand, entered=("x", "taxi")) == Ask(Kind.ENTERED, (CONFIRM, BACK), ("red",))


def test_a_move_that_no_switch_can_feel_is_told_by_the_confirm_key() -> None:
    assert asked(red(), ignored=frozenset({red().pawns["red"]})) == Ask(Kind.MOVE, (CONFIRM,), ("red",), unsensed=True)
    assert asked(red(), reading=Settled((OTHER,))) == Ask(Kind.MOVE_OR_CONFIRM, (CONFIRM,), ("red",))
    held = InHand(("red",))
    assert asked(red(), reading=held) == Ask(Kind.CARRY, (), ("red",))
    assert asked(red(), reading=held, late=True) == Ask(Kind.CARRY, (CONFIRM,), ("red",), unsensed=True)
    assert asked(red(), reading=held, more=True) == Ask(Kind.WHERE, (BACK,), ("red",))
    assert asked(red(PawnMove("yellow", 5, "taxi")), reading=held) == Ask(Kind.PUT_BACK, (), ("red",))


def test_di_10_a_start_that_may_be_taken_back_has_no_station() -> None:
    assert asked(red(), reading=Returned("red", None)) == Ask(Kind.TAKES_BACK, (), ("red",))
    assert asked(red(), reading=Returned("red", None, ambiguous=True)) == Ask(
        Kind.BACK_OR_NOT, (CONFIRM, BACK), ("red",)
    )
