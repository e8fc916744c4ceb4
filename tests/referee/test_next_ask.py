"""What the table asks next, as data: the kind, what it is about, and the keys that answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

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
from firmware_host.rules.actions import MR_X, STAY, PawnMove, RollAgain
from firmware_host.rules.views import Outcome, PublicView
from tests.referee.referees import NOW, state_of
from tests.ui.handmade_views import DICE, dice_game, public, scene

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
