"""The dice game at the table: dice are rolled, entered and used (DI-08 to DI-25)."""

from __future__ import annotations

from pathlib import Path

from firmware_host.referee.readings import InHand, Mismatch, Settled
from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import MR_X, START, STAY, MrXMove, PawnMove, Roll, RollAgain
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.ui.drawing import public_display
from firmware_host.ui.drawing.public_display import display_lines
from tests.table.any_table import SIX, STARTS, carried, done, enter, key, laid, lift, rolls, started, table
from tests.table.played_table import asks, confirm, hold, put, release, text

# ---- rolling ----


def test_di_13_confirm_rolls_the_hand_once() -> None:
    p = started(dice="rolled")
    assert text(p) == "Red: CONFIRM rolls 4 dice"
    key(p, "taxi", "bus", "underground", "back")
    assert rolls(p) == []
    confirm(p)
    (roll,) = rolls(p)
    assert len(roll.faces) == 4
    assert sorted(p.public.dice.rolled) == sorted(roll.faces)
    confirm(p)
    assert rolls(p) == [roll]


def test_pb_02_di_13_a_move_before_rolling_is_wrong() -> None:
    p = started()
    carried(p, "red", 2, 2000)
    assert len(done(p)) == 4
    assert p.table.scene().reading == Mismatch({"red": 1}, frozenset({2}))
    enter(p, "taxi")
    assert rolls(p) == []  # no key is for dice while a pawn stands wrong
    carried(p, "red", 1)
    enter(p, "taxi", "taxi", "bus", "x")
    carried(p, "red", 2)
    assert done(p)[-1] == PawnMove("red", 2, "taxi")


def test_pb_02_di_13_a_pawn_that_is_not_on_turn_is_wrong_after_rolling_too() -> None:
    p = started()
    enter(p, "taxi", "taxi", "bus", "x")
    carried(p, "yellow", 5, 2000)
    assert p.table.scene().reading == Mismatch({"yellow": 6}, frozenset({5}))
    assert p.public.pawns["yellow"] == 6


# ---- entering ----


def test_di_08_dice_are_entered_face_by_face_and_shown_to_all_before_they_are_accepted() -> None:
    p = started()
    first = "Red: roll 4 dice and enter each: TAXI, BUS or UNDERGROUND, CONFIRM for X."
    assert text(p) == first
    before = p.hardware.display
    assert before is not None
    pictures = [before.picture]
    for face, name in (("taxi", "taxi"), ("bus", "bus"), ("x", "confirm"), ("underground", "underground")):
        key(p, name)
        assert p.table.scene().entered[-1] == face
        pictures.append(before.picture)
    assert len({picture.tobytes() for picture in pictures if picture is not None}) == 5
    assert text(p) == "Red rolled taxi, bus, X and underground? CONFIRM, or BACK to mend it"
    assert rolls(p) == []
    confirm(p)
    assert rolls(p) == [Roll(("taxi", "bus", "x", "underground"))]
    assert p.table.scene().entered == ()


def test_di_08_what_is_entered_stands_on_the_public_display_in_words() -> None:
    p = started()
    key(p, "taxi", "confirm")
    assert text(p).endswith("Entered: taxi and X, BACK mends.")
    assert any(line.startswith("Dice: taxi X") for line in display_lines(p.table.scene()))
    assert public_display.content_of(p.table.scene()).dice is not None


def test_di_08_back_mends_and_too_many_keys_are_ignored() -> None:
    p = started()
    key(p, "back")
    key(p, "taxi", "bus", "back", "underground", "taxi", "taxi")
    assert p.table.scene().entered == ("taxi", "underground", "taxi", "taxi")
    key(p, "bus", "taxi", "underground")
    assert p.table.scene().entered == ("taxi", "underground", "taxi", "taxi")
    key(p, "back", "back", "bus", "bus")
    confirm(p)
    assert rolls(p) == [Roll(("taxi", "underground", "bus", "bus"))]


def test_di_08_a_power_cut_forgets_what_was_entered_and_not_accepted(tmp_path: Path) -> None:
    p = started(journal=tmp_path / "journal.sqlite")
    key(p, "taxi", "bus")
    p.restart()
    p.advance(1500)
    assert p.table.scene().entered == ()
    assert text(p).startswith("Red: roll 4 dice")
    enter(p, "taxi", "taxi", "bus", "x")
    p.restart()
    p.advance(1500)
    assert p.public.dice.rolled == rolls(p)[0].faces
    p.close()


# ---- moving ----


def test_pb_04_di_13_where_two_dice_lead_to_one_place_the_table_asks_which() -> None:
    p = laid(dice="entered")
    for pawn, station in {"red": 4, "yellow": 6, "green": 36}.items():
        carried(p, pawn, station)
    p.choose(MrXMove(Secret(22), START))
    enter(p, "taxi", "taxi", "bus", "x")
    carried(p, "red", 2)
    for faces in (("taxi", "bus", "x"), ("bus", "x")):
        enter(p, *faces)
        if p.public.turn == ("yellow",):
            carried(p, "yellow", 9)
        elif p.public.turn == ("green",):
            key(p, "confirm", "confirm")
    assert p.public.turn == (MR_X,), text(p)
    p.choose(next(c for c in p.private.choices.value if isinstance(c, MrXMove)))
    assert p.public.round == 2
    while p.public.turn != ("red",):  # another begins with every round (DI-12)
        enter(p, *["taxi"] * _to_roll(p))
        move = next(m for m in p.public.moves if m.to not in (5, p.private.at.value))
        carried(p, move.pawn, move.to)
    enter(p, *(["taxi", "bus"] + ["x"] * 4)[: _to_roll(p)])
    carried(p, "red", 5, 5000)
    assert p.public.pawns["red"] == 2
    assert asks(p) == (Kind.WENT, "red", 5, "taxi", "bus", "back")
    key(p, "bus")
    assert done(p)[-1] == PawnMove("red", 5, "bus")
    assert ("red", "bus") in p.public.dice.used


def _to_roll(p: SimulatedTable) -> int:
    return p.public.dice.to_roll


def test_di_13_the_die_stays_with_the_pawn_and_the_next_rolls_what_is_left() -> None:
    p = started()
    enter(p, "taxi", "taxi", "bus", "x")
    carried(p, "red", 2)
    assert p.public.dice.used == (("red", "taxi"),)
    assert text(p).startswith("Yellow: roll 3 dice")
    carried(p, "red", 1)  # taken back: nothing has been rolled since
    assert p.public.turn == ("red",)
    assert p.public.dice.used == ()
    assert sorted(p.public.dice.rolled) == ["bus", "taxi", "taxi", "x"]
    carried(p, "red", 3)
    enter(p, "taxi", "bus", "x")
    carried(p, "red", 1, 2000)
    assert p.public.pawns["red"] == 3
    assert text(p).startswith("Put Red on 3. Clear 1")


def test_di_16_one_player_moves_either_pawn_by_the_first_roll_and_the_other_by_the_second() -> None:
    p = table("dice", players=2, options={"layout": SIX, "dice": "entered"})
    p.advance(500)
    confirm(p)
    carried(p, "red", 1)
    carried(p, "yellow", 22)
    p.choose(MrXMove(Secret(9), START))
    assert text(p).startswith("Red or Yellow: roll 3 dice")
    enter(p, "taxi", "taxi", "x")
    assert set(p.public.turn) == {"red", "yellow"}
    to = next(m.to for m in p.public.moves if m.pawn == "yellow" and m.to != 9)
    carried(p, "yellow", to)
    assert p.public.pawns["yellow"] == to
    assert text(p).startswith("Red: roll 2 dice")


# ---- again ----


def test_di_15_back_rolls_again_while_a_token_is_left() -> None:
    p = started()
    enter(p, "taxi", "taxi", "bus", "x")
    assert text(p) == "Red moves, BACK rolls again"
    key(p, "back")
    assert done(p)[-1] == RollAgain()
    assert p.public.dice.tokens == 2
    assert text(p).startswith("Red: roll 4 dice")
    key(p, "back")
    assert done(p)[-1] == RollAgain()
    for left in (1, 0):
        enter(p, "taxi", "taxi", "bus", "x")
        key(p, "back")
        assert p.public.dice.tokens == left
    enter(p, "taxi", "taxi", "bus", "x")
    assert text(p) == "Red moves"
    key(p, "back")
    assert isinstance(done(p)[-1], Roll)


def test_di_15_back_answers_a_question_first_and_rolls_again_only_when_none_is_open() -> None:
    p = started()
    enter(p, "taxi", "taxi", "bus", "x")
    lift(p, "red")
    p.advance(500)
    assert p.table.scene().reading == InHand(("red",))
    confirm(p)  # it stands somewhere where no switch has felt it: where?
    assert asks(p) == (Kind.WHERE, "red", "back")
    key(p, "back")
    assert isinstance(done(p)[-1], Roll)
    assert p.table.scene().asked
    put(p, 1, "red", 1000)
    assert p.table.scene().asked == ()
    key(p, "back")
    assert done(p)[-1] == RollAgain()


def test_di_15_back_held_while_its_question_disappears_spends_no_token() -> None:
    p = started()
    enter(p, "taxi", "taxi", "bus", "x")
    lift(p, "red")
    p.advance(500)
    confirm(p)
    assert asks(p) == (Kind.WHERE, "red", "back")
    hold(p, "table.back")
    put(p, 1, "red", 1000)
    assert text(p) == "Red moves, BACK rolls again"
    release(p, "table.back")
    assert isinstance(done(p)[-1], Roll)
    key(p, "back")
    assert done(p)[-1] == RollAgain()


def test_di_15_with_a_pawn_that_has_just_landed_back_does_not_roll_again() -> None:
    p = started()
    enter(p, "taxi", "taxi", "bus", "x")
    lift(p, "red")
    p.advance(400)
    put(p, 2, "red", 100)
    p.hardware.press("table.back", 50)
    p.advance(100)
    assert isinstance(done(p)[-1], Roll)
    p.advance(1500)
    assert done(p)[-1] == PawnMove("red", 2, "taxi")


def test_di_15_until_a_pawn_put_back_has_stood_for_a_moment_back_does_not_roll_again() -> None:
    p = started()
    enter(p, "taxi", "taxi", "bus", "x")
    lift(p, "red")
    p.advance(1000)
    put(p, 1, "red", 100)
    assert isinstance(p.table.scene().reading, Settled)
    p.hardware.press("table.back", 50)
    p.advance(100)
    assert isinstance(done(p)[-1], Roll)
    p.advance(1000)
    assert isinstance(done(p)[-1], Roll)
    key(p, "back")
    assert done(p)[-1] == RollAgain()


# ---- who can use no die ----


def test_di_14_who_can_use_no_die_stays_by_confirm_or_rolls_again_by_back() -> None:
    p = started()
    enter(p, "x", "x", "x", "x")
    assert text(p) == "Red can use no die: CONFIRM stays, BACK rolls again"
    p.advance(30_000)
    assert isinstance(done(p)[-1], Roll)
    confirm(p)
    assert isinstance(done(p)[-1], Roll)
    assert asks(p) == (Kind.STAYS, "red", 1, "confirm", "back")
    confirm(p)
    assert done(p)[-1] == PawnMove("red", 1, STAY)
    assert text(p).startswith("Yellow: roll 4 dice")
    enter(p, "x", "x", "x", "x")
    key(p, "back")
    assert done(p)[-1] == RollAgain()


def test_di_14_back_drops_the_question_whether_a_pawn_stays_and_only_then_rolls_again() -> None:
    p = started()
    enter(p, "x", "x", "x", "x")
    confirm(p)
    assert asks(p) == (Kind.STAYS, "red", 1, "confirm", "back")
    key(p, "back")
    assert isinstance(done(p)[-1], Roll)
    assert p.table.scene().asked == ()
    assert text(p) == "Red can use no die: CONFIRM stays, BACK rolls again"
    key(p, "back")
    assert done(p)[-1] == RollAgain()


def test_di_14_a_pawn_in_hand_that_no_die_takes_anywhere_is_to_be_put_back() -> None:
    p = started()
    enter(p, "x", "x", "x", "x")
    lift(p, "red")
    p.advance(6000)
    assert asks(p) == (Kind.STANDS, "red", 1, "confirm", "back")
    key(p, "taxi", "back")
    assert text(p) == "No die takes it anywhere. Put Red back on 1. Not sensed there? CONFIRM, BACK rolls again"
    key(p, "confirm", "taxi")
    assert isinstance(done(p)[-1], Roll)
    assert asks(p) == (Kind.STAYS, "red", 1, "confirm", "back")  # if its switch has died
    put(p, 1, "red", 1000)
    key(p, "confirm", "confirm")
    assert done(p)[-1] == PawnMove("red", 1, STAY)


def test_di_14_without_a_token_who_can_use_no_die_is_passed_over_and_that_is_told() -> None:
    p = started()
    for _ in range(3):
        enter(p, "x", "x", "x", "x")
        key(p, "back")
    enter(p, "x", "x", "x", "x")
    assert p.public.turn == ("yellow",)
    assert [(skip.pawn, skip.why) for skip in p.public.skipped] == [("red", "no_die")]
    assert text(p).startswith("Red has no die and stays. Yellow: roll 4 dice")
    enter(p, "taxi", "x", "x", "x")
    assert text(p) == "Yellow moves. Red has no die and stays"


# ---- captures, and Mister X in sight ----


def test_pb_07_what_mister_x_can_do_is_lit_nowhere() -> None:
    p = laid()
    for pawn, station in STARTS.items():
        carried(p, pawn, station)
    p.advance(1000)
    assert set(p.station_leds()) <= set(STARTS.values())
