"""The referee alone: how long things have to last, setting up, going on; and its table decides on every event."""

from __future__ import annotations

import pytest

from firmware_host.referee.events import Abandon, Begin, Entry, Play, SwitchesChanged, TakeBack, Tick
from firmware_host.referee.readings import Mismatch, Moved, Patience, Settled
from firmware_host.referee.referee import NotNow, Referee
from firmware_host.referee.scene import Kind, Phase, ToCarryOut
from firmware_host.referee.state import State
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.referee.transition_steps import always
from firmware_host.referee.transitions import ANY, EVERY, GAME, NEWS, TABLE, On
from firmware_host.rules.actions import MR_X, Double, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import LastMove
from firmware_host.ui.prompt_wording import prompt
from tests.referee.referees import CONFIRM, EPS, HOME, INSIST, SETTLE, SLIDE, WRONG, X_AT, begun, reading, stand
from tests.rules.boards import game, london, setup_of
from tests.rules.pursuit.notation import actions


def unplayed(*dead: int) -> Referee:
    """A referee whose game has just begun. It ignores the switches of some stations, which stay open."""
    referee = Referee(Patience(SETTLE, SLIDE, WRONG, INSIST))
    referee.assign_stations(SwitchRegister.of(dict.fromkeys(dead, False)), {}, {}, 0.0)
    referee.accept(Begin(setup_of(london(), X_AT, *HOME)), 0.0)
    return referee


def red_by_computer(*dead: int) -> Referee:
    """A referee at second 20, for which a computer has just moved Red from 26 to 39. It ignores some switches."""
    referee = Referee(Patience(SETTLE, SLIDE, WRONG, INSIST))
    referee.accept(Begin(setup_of(london(), X_AT, *HOME), {"1": "hard"}), 0.0)
    stand(referee, 0.0)
    referee.handle(Tick(), SETTLE)
    referee.assign_stations(SwitchRegister.of(dict.fromkeys(dead, False)), {}, {}, 10.0)
    for entry in (Play(MR_X_MOVES), Play(RED_MOVES)):
        referee.accept(entry, 20.0)
    return referee


# ---- how long things have to last -----------------------------------------------------------------------------------


def test_pb_03_a_move_counts_when_it_has_been_quiet_for_the_settle_time_and_not_before() -> None:
    referee = begun(played="184t")  # red on 26: to 15, 27, 39
    assert stand(referee, 10.0, 26) is None
    assert stand(referee, 12.0, 26, more=(15,)) is None
    assert referee.state.next_due(12.0) == 12.0 + SETTLE
    assert referee.handle(Tick(), 12.0 + SETTLE - EPS) is None
    assert referee.handle(Tick(), 12.0 + SETTLE) == Play(PawnMove("red", 15, "taxi"))


def test_pb_03_a_switch_that_was_closed_before_the_pawn_beside_it_was_lifted_is_not_its_move() -> None:
    near = {57: frozenset({58}), 58: frozenset({57})}
    referee = begun(X_AT, 58, 26, 34, near=near, more=(57,))  # the magnet on 58 may close 57 as well
    for action in actions("184t"):
        referee.accept(Play(action), 10.0)
    stand(referee, 10.0, 58, more=(57,))  # but 57 stays closed while Red is in the hand
    assert referee.handle(Tick(), 20.0) is None
    assert referee.scene(20.0).asked == (PawnMove("red", 57, "taxi"),)


def test_pb_03_after_more_switches_changed_than_hands_can_move_a_move_counts_by_key_until_all_is_right() -> None:
    referee = begun(played="184t")
    red, yellow = PawnMove("red", 15, "taxi"), PawnMove("yellow", 46, "bus")
    referee.handle(SwitchesChanged(frozenset({15, 58, 34}), implausible=True), 10.0)
    assert referee.handle(Tick(), 20.0) is None
    assert referee.scene(20.0).asked == (red,)
    assert referee.handle(CONFIRM, 21.0) == Play(red)
    referee.accept(Play(red), 21.0)
    assert referee.handle(Tick(), 25.0) is None  # all pawns are in place now
    assert stand(referee, 26.0, 58, more=(46,)) is None
    assert referee.handle(Tick(), 30.0) == Play(yellow)


def test_pb_03_every_change_begins_the_settle_time_anew() -> None:
    referee = begun(played="184t")
    stand(referee, 10.0, 26, more=(15,))
    assert stand(referee, 10.2, 26) is None
    assert stand(referee, 10.25, 26, more=(15,)) is None
    assert referee.handle(Tick(), 10.25 + SETTLE - EPS) is None
    assert referee.handle(Tick(), 10.25 + SETTLE) is not None


def test_pb_03_where_the_pawn_could_slide_on_the_longer_time_counts() -> None:
    referee = begun(X_AT, 58, 13, 34, played="184t")  # red on 58: 45 and 46 are both legal, and neighbours
    stand(referee, 10.0, 58, more=(46,))
    assert isinstance(reading(referee), Moved)
    assert referee.handle(Tick(), 10.0 + SETTLE) is None
    assert referee.state.next_due(10.0 + SETTLE) == 10.0 + SLIDE
    assert referee.handle(Tick(), 10.0 + SLIDE - EPS) is None
    stand(referee, 10.7, 58, more=(45,))
    assert referee.handle(Tick(), 10.7 + SLIDE) == Play(PawnMove("red", 45, "taxi"))


@pytest.mark.parametrize(("after", "played"), [(SETTLE - EPS, None), (SETTLE, Play(PawnMove("yellow", 45, "taxi")))])
def test_pb_05_mister_xs_pawn_has_stood_where_he_was_seen_only_if_its_switch_was_closed_for_the_settle_time(
    after: float, played: Play | None
) -> None:
    referee = begun(60, *HOME, played="61t r15t y59t g22t 60t r26t y58t g34t")
    for action in actions("D 45t"):  # he is seen on 45
        referee.accept(Play(action), 10.0)
    stand(referee, 12.0, more=(45,))
    referee.accept(Play(MrXMove(Secret(32), "taxi")), 12.0 + after)
    stand(referee, 12.5)
    referee.handle(Tick(), 13.0)
    referee.accept(Play(PawnMove("red", 15, "taxi")), 14.0)
    stand(referee, 14.0)
    referee.handle(Tick(), 15.0)
    stand(referee, 20.0, 58, more=(45,))  # Yellow, or his pawn after all if it has not stood there before
    assert referee.handle(Tick(), 20.0 + SLIDE) == played


def test_pb_05_a_pawn_on_the_station_where_mister_x_was_seen_is_not_his_while_yellow_is_missing() -> None:
    referee = begun(60, *HOME, played="61t r15t y59t g22t 60t r26t y58t g34t")
    for action in actions("D 45t"):  # he is seen on 45
        referee.accept(Play(action), 10.0)
    stand(referee, 12.0, 58, more=(45,))  # Yellow's pawn: it moves too early, and is put back
    referee.accept(Play(MrXMove(Secret(32), "taxi")), 15.0)
    stand(referee, 15.1)
    referee.handle(Tick(), 16.0)
    referee.accept(Play(PawnMove("red", 15, "taxi")), 17.0)
    stand(referee, 17.0)
    referee.handle(Tick(), 18.0)
    stand(referee, 20.0, 58, more=(45,))  # Yellow, or his pawn
    assert referee.handle(Tick(), 20.0 + SLIDE) is None
    assert referee.scene(20.0 + SLIDE).asked == (PawnMove("yellow", 45, "taxi"),)


def test_a_mismatch_shows_after_the_wrong_time_and_insists_after_the_longer_one() -> None:
    referee = begun()
    stand(referee, 10.0, 26)
    urgency = [referee.scene(10.0 + t).wrong for t in (0, WRONG - EPS, WRONG, INSIST - EPS, INSIST)]
    assert urgency == [0, 0, 1, 1, 2]
    assert referee.state.next_due(10.0 + SLIDE) == 10.0 + WRONG
    assert referee.state.next_due(10.0 + WRONG) == 10.0 + INSIST
    assert "Put Red on 26" not in prompt(referee.scene(10.0 + WRONG - EPS)).text
    assert prompt(referee.scene(10.0 + WRONG)).text == "Put Red on 26"
    assert referee.scene(10.0 + INSIST).ask.keys == ("table.confirm",)
    stand(referee, 15.0)
    assert referee.scene(30.0).wrong == 0
    assert referee.state.next_due(50.0) == float("inf")


def test_a_mismatch_that_changes_stays_in_sight_but_insists_anew_and_a_new_one_begins_anew() -> None:
    referee = begun()
    stand(referee, 10.0, 26)
    stand(referee, 10.7, 26, 58)
    assert [referee.scene(10.0 + t).wrong for t in (WRONG - EPS, WRONG)] == [0, 1]
    assert referee.state.next_due(12.0) == 10.7 + INSIST
    assert [referee.scene(10.7 + t).wrong for t in (INSIST - EPS, INSIST)] == [1, 2]
    stand(referee, 17.0, 26)
    assert [referee.scene(17.0 + t).wrong for t in (0, INSIST - EPS, INSIST)] == [1, 1, 2]
    assert referee.handle(CONFIRM, 17.0 + INSIST - EPS) is None
    assert not referee.scene(17.0 + INSIST).ignored
    stand(referee, 30.0)
    stand(referee, 31.0, 58)
    assert referee.scene(31.0 + WRONG - EPS).wrong == 0


def test_one_confirm_masks_the_one_station_that_is_asked_about_and_patience_begins_anew() -> None:
    referee = begun()
    stand(referee, 10.0, 26, 58, more=(100, 90))
    asked = []
    now = 10.0
    for _ in range(4):
        now += INSIST
        assert referee.handle(CONFIRM, now - EPS) is None
        before = referee.scene(now).ignored
        assert referee.scene(now).ask.keys == ("table.confirm",)
        if referee.scene(now).ask.kind is Kind.ALL_RIGHT:  # more is wrong than one switch can be to blame for
            assert referee.handle(CONFIRM, now) is None
            assert referee.scene(now).ignored == before
            now += SETTLE
        asked.append((referee.scene(now).ask.kind, referee.scene(now).ask.station))
        assert referee.handle(CONFIRM, now) is None
        assert len(referee.scene(now).ignored - before) == 1
        assert referee.scene(now).wrong < 2
    assert asked == [
        (Kind.EMPTY, 90),
        (Kind.EMPTY, 100),
        (Kind.STANDS, 26),
        (Kind.SWITCH, 58),
    ]
    assert referee.scene(now).ignored == {26, 58, 90, 100}
    assert reading(referee) == Settled()


def test_no_switch_is_masked_twice_over_by_a_key_pressed_twice() -> None:
    referee = begun()
    stand(referee, 10.0, 26, 58)
    for n in range(20):
        referee.handle(CONFIRM, 10.0 + INSIST + n / 10)
    assert referee.scene(20.0).ignored == {26}


def test_while_several_pawns_miss_one_confirm_masks_one_switch_only_and_the_game_does_not_start() -> None:
    referee = Referee(Patience(SETTLE, SLIDE, WRONG, INSIST))
    referee.accept(Begin(setup_of(london(), X_AT, *HOME)), 0.0)
    referee.handle(SwitchesChanged(frozenset({34})), 0.0)
    assert prompt(referee.scene(5 * INSIST)).text == "Set up: Put Red on 26 and Yellow on 58. Done? CONFIRM"
    assert referee.handle(CONFIRM, 5 * INSIST) is None
    assert not referee.scene(20.5).ignored
    assert prompt(referee.scene(20.5)).text == "Put Red back. Does it stand on 26? CONFIRM. No: BACK"
    assert referee.handle(CONFIRM, 21.0) is None
    assert referee.scene(21.0).ignored == {26}
    assert referee.scene(21.0).wrong == 1
    for late in (21.0, 30.0, 39.9, 500.0):
        assert referee.handle(Tick(), late) is None
        assert referee.state.phase is Phase.SET_UP
    assert referee.scene(21 + 5 * INSIST - EPS).wrong == 1
    assert prompt(referee.scene(21 + 5 * INSIST)).text.endswith(
        "Does Yellow stand on 58? CONFIRM: its switch is broken"
    )


def test_of_a_long_list_the_first_three_are_said_and_how_many_more() -> None:
    referee = Referee(Patience(SETTLE, SLIDE, WRONG, INSIST))
    referee.handle(SwitchesChanged(frozenset({90, 91, 92, 100, 150})), 0.0)
    referee.accept(Begin(setup_of(london(), X_AT, 1, 2, 3, 4, 5)), 0.0)
    text = prompt(referee.scene(0.0)).text
    assert text == "Set up: Put Red on 1, Yellow on 2, Green on 3 and 2 more. Clear 90, 91, 92 and 2 more"
    referee.handle(SwitchesChanged(frozenset({3, 90, 91, 92, 100})), 1.0)
    text = prompt(referee.scene(1.0)).text
    assert text == "Set up: Put Red on 1, Yellow on 2, Blue on 4 and Purple on 5. Clear 90, 91, 92 and 100"


def test_where_pawns_change_hands_too_quickly_to_be_believed_nothing_is_insisted_on() -> None:
    referee = begun()
    stand(referee, 10.0, HOME[0])
    for tenth in range(100, 200, 5):
        referee.handle(SwitchesChanged(frozenset(HOME[1:]), unsettled=True), tenth / 10)
        assert referee.scene(tenth / 10 + 0.5).wrong < 2
    assert [referee.scene(19.5 + t).wrong for t in (INSIST - EPS, INSIST)] == [1, 2]


def test_setting_up_is_guided_at_once_and_insists_only_after_five_times_as_long() -> None:
    referee = Referee(Patience(SETTLE, SLIDE, WRONG, INSIST))
    referee.accept(Begin(setup_of(london(), X_AT, *HOME)), 50.0)
    referee.handle(SwitchesChanged(frozenset({34})), 50.0)
    assert [referee.scene(50.0 + t).wrong for t in (0, 5 * INSIST - EPS, 5 * INSIST)] == [1, 1, 2]
    assert referee.state.next_due(50.0 + INSIST) == 50.0 + 5 * INSIST


def test_an_empty_board_that_nobody_has_begun_to_set_up_puts_no_switch_in_doubt() -> None:
    referee = Referee(Patience(SETTLE, SLIDE, WRONG, INSIST))
    referee.accept(Begin(setup_of(london(), X_AT, *HOME)), 0.0)
    assert referee.handle(Tick(), 500.0) is None
    unlaid = "Set up: Put Red on 26, Yellow on 58 and Green on 34"
    assert prompt(referee.scene(5 * INSIST - EPS)).text == unlaid
    assert prompt(referee.scene(500.0)).text == f"{unlaid}. Done? CONFIRM"
    assert referee.scene(500.0).wrong == 1
    assert referee.handle(CONFIRM, 500.0) is None
    assert referee.scene(500.0).ignored == frozenset()


def test_a_board_that_is_set_up_on_switches_none_of_which_feels_it_is_confirmed_pawn_by_pawn() -> None:
    referee = Referee(Patience(SETTLE, SLIDE, WRONG, INSIST))
    referee.accept(Begin(setup_of(london(), X_AT, *HOME)), 0.0)
    referee.handle(SwitchesChanged(frozenset(), frozenset({58})), 1.0)
    now = 1.0
    for _ in range(8):
        now += 5 * INSIST
        referee.handle(Tick(), now)
        if referee.state.phase is Phase.SET_UP:
            assert referee.scene(now).ask.keys[0] == "table.confirm"
            referee.handle(CONFIRM, now)
            referee.handle(Tick(), now + SETTLE)
    assert referee.state.phase is Phase.PLAY
    assert referee.scene(now).ignored == {26, 34, 58}


def test_the_last_pawn_to_be_set_up_makes_its_switch_suspect_though_no_switch_is_closed() -> None:
    referee = unplayed(26, 58)
    referee.handle(SwitchesChanged(frozenset({34})), 1.0)
    for now in (2.0, 3.0, 4.0):  # that all stands, that Red does, and that Yellow does
        assert referee.handle(CONFIRM, now) is None
    referee.handle(SwitchesChanged(frozenset()), 4.1)
    assert reading(referee) == Mismatch({"green": 34}, frozenset())
    assert [referee.scene(4.1 + t).wrong for t in (5 * INSIST - EPS, 5 * INSIST)] == [1, 2]
    assert prompt(referee.scene(4.1 + 5 * INSIST)).text.endswith(
        "Does Green stand on 34? CONFIRM: its switch is broken"
    )


def test_the_last_two_pawns_to_be_set_up_make_no_switch_suspect_while_no_switch_is_closed() -> None:
    referee = unplayed(26)
    referee.handle(SwitchesChanged(frozenset({58, 34})), 1.0)
    assert referee.handle(CONFIRM, 2.0) is None
    referee.handle(SwitchesChanged(frozenset()), 2.1)
    assert reading(referee) == Mismatch({"yellow": 58, "green": 34}, frozenset())
    assert referee.scene(500.0).wrong == 1


def test_a_pawn_set_up_on_an_ignored_switch_is_asked_for_as_soon_as_the_board_has_settled() -> None:
    referee = unplayed(26)
    referee.handle(SwitchesChanged(frozenset({58, 34})), 1.0)
    assert [referee.scene(1.0 + t).wrong for t in (SETTLE - EPS, SETTLE)] == [1, 2]
    assert prompt(referee.scene(1.0 + SETTLE)).text == "Set up: Put Red on 26. Does Red stand on 26? CONFIRM"


def test_a_pawn_that_goes_home_to_an_ignored_switch_is_asked_for_as_soon_as_the_board_has_settled() -> None:
    referee = red_by_computer(26, 39)
    referee.accept(TakeBack(by_hand=False), 21.0)
    stand(referee, 21.0, 26, 58)
    stand(referee, 22.0, 26)
    assert [referee.scene(22.0 + t).wrong for t in (SETTLE - EPS, SETTLE)] == [1, 2]
    assert prompt(referee.scene(22.0 + SETTLE)).text == "Going on: Put Red on 26. Does Red stand on 26? CONFIRM"


def test_a_computers_pawn_that_goes_to_an_ignored_switch_is_insisted_on_only_after_the_longer_time() -> None:
    referee = red_by_computer(39)
    referee.handle(SwitchesChanged(frozenset({58, 34})), 22.0)
    assert reading(referee) == Mismatch({"red": 39}, frozenset())
    assert [referee.scene(22.0 + t).wrong for t in (SETTLE, INSIST - EPS, INSIST)] == [1, 1, 2]


def test_a_computers_move_is_asked_for_only_while_nothing_else_is_wrong() -> None:
    referee = red_by_computer()
    moves = "Red (computer) goes to 39 by taxi: move it"
    for now, less, more, text in (
        (22.0, (39,), (), moves),
        (24.0, (39, 58), (), "Put Red on 39 and Yellow on 58"),
        (26.0, (39,), (100,), "Put Red on 39. Clear 100"),
        (28.0, (39,), (26,), moves),
    ):
        stand(referee, now, *less, more=more)
        assert prompt(referee.scene(now + WRONG)).text == text


def test_a_new_game_does_not_insist_on_what_stood_wrong_in_the_last_one() -> None:
    referee = begun()
    stand(referee, 10.0, 26)
    assert referee.scene(60.0).wrong == 2
    referee.accept(Begin(setup_of(london(), X_AT, 13, 29, 50)), 60.0)
    assert referee.scene(60.0).wrong == 1


def test_a_new_game_does_not_insist_on_the_very_same_that_stood_wrong_in_the_last_one() -> None:
    referee = begun()
    stand(referee, 10.0, 26)
    assert referee.scene(60.0).wrong == 2
    referee.accept(Begin(setup_of(london(), X_AT, *HOME)), 60.0)
    assert [referee.scene(60.0 + t).wrong for t in (0, 5 * INSIST - EPS, 5 * INSIST)] == [1, 1, 2]
    assert referee.handle(CONFIRM, 61.0) is None
    assert not referee.scene(61.0).ignored


# ---- setting up and going on ----------------------------------------------------------------------------------------


def test_setting_up_waits_for_every_pawn_and_for_quiet() -> None:
    referee = Referee(Patience(SETTLE, SLIDE, WRONG, INSIST))
    referee.accept(Begin(setup_of(london(), X_AT, *HOME)), 0.0)
    for count, station in enumerate((34, 26), 1):
        referee.handle(SwitchesChanged(frozenset((34, 26)[:count])), float(station))
        assert referee.handle(Tick(), 90.0 + count) is None
        assert referee.state.phase is Phase.SET_UP
        assert station not in referee.scene(95.0).reading.missing.values()
    referee.handle(SwitchesChanged(frozenset(HOME)), 100.0)
    referee.handle(Tick(), 100.0 + SETTLE - EPS)
    assert referee.state.phase is Phase.SET_UP
    with pytest.raises(NotNow, match="set up"):
        referee.check(Double())
    referee.handle(Tick(), 100.0 + SETTLE)
    assert referee.state.phase is Phase.PLAY
    referee.check(Double())


def test_setting_up_waits_until_what_is_too_much_is_gone() -> None:
    referee = Referee()
    referee.accept(Begin(setup_of(london(), X_AT, *HOME)), 0.0)
    referee.handle(SwitchesChanged(frozenset((*HOME, 100))), 1.0)
    referee.handle(Tick(), 9.0)
    assert referee.state.phase is Phase.SET_UP
    assert prompt(referee.scene(9.0)).text == "Set up: Clear 100"


def test_a_dead_switch_does_not_stop_the_setting_up_once_it_is_confirmed() -> None:
    referee = Referee()
    referee.accept(Begin(setup_of(london(), X_AT, *HOME)), 0.0)
    referee.handle(SwitchesChanged(frozenset((26, 58))), 1.0)
    assert referee.handle(CONFIRM, 19.0) is None
    assert not referee.scene(19.0).ignored
    assert referee.handle(CONFIRM, 25.0) is None
    assert referee.scene(25.0).ignored == {34}
    due = referee.state.next_due(25.0)
    assert due <= 25.0 + SETTLE
    referee.handle(Tick(), due)
    assert referee.state.phase is Phase.PLAY


def test_a_move_made_beside_a_stuck_switch_counts_once_the_switch_is_confirmed_away() -> None:
    referee = begun(played="184t")
    stand(referee, 10.0, 26, more=(15, 100))
    assert referee.handle(CONFIRM, 15.0) is None
    assert referee.scene(15.0).ignored == {100}
    due = referee.state.next_due(15.0)
    assert due <= 15.0 + SETTLE
    assert referee.handle(Tick(), due) == Play(PawnMove("red", 15, "taxi"))


def test_a_game_taken_up_again_guides_every_pawn_home() -> None:
    referee = Referee()
    referee.resume(game(london(), X_AT, *HOME, played="184t r15t"), 5.0)
    assert referee.state.phase is Phase.RESUME
    scene = referee.scene(5.0)
    assert scene.reading == Mismatch({"red": 15, "yellow": 58, "green": 34}, frozenset())
    assert scene.wrong == 1
    assert prompt(scene).text == "Going on: Put Red on 15, Yellow on 58 and Green on 34"
    stand(referee, 6.0)
    referee.handle(Tick(), 6.0 + SETTLE)
    assert referee.state.phase is Phase.PLAY


def test_a_game_taken_up_again_guides_the_last_pawn_on_from_where_it_was_before_its_move() -> None:
    referee = Referee()
    referee.handle(SwitchesChanged(frozenset(HOME)), 0.0)
    referee.resume(game(london(), X_AT, *HOME, played="184t r15t"), 5.0)  # the others remember the board before
    for late in (5.0, 5.0 + SETTLE, 9.0):
        assert referee.handle(Tick(), late) is None
    assert referee.state.phase is Phase.RESUME
    assert referee.scene(9.0).reading == Mismatch({"red": 15}, frozenset({26}))
    stand(referee, 10.0)
    referee.handle(Tick(), 10.0 + SETTLE)
    assert referee.state.phase is Phase.PLAY


def test_a_move_made_while_the_power_was_off_counts_after_the_restart() -> None:
    referee = Referee()
    referee.handle(SwitchesChanged(frozenset({15, 58, 34})), 0.0)
    referee.resume(game(london(), X_AT, *HOME, played="184t"), 5.0)
    entries = [referee.handle(Tick(), 5.0 + n * SETTLE) for n in range(4)]
    assert Play(PawnMove("red", 15, "taxi")) in entries


def test_pb_05_while_mister_x_is_seen_a_move_made_while_the_power_was_off_counts_by_key() -> None:
    seen = "61t r15t y59t g22t 60t r26t y58t g34t 45t"  # the pawn on 15 may be his
    referee = Referee()
    referee.handle(SwitchesChanged(frozenset({15, 58, 34})), 0.0)
    referee.resume(game(london(), 60, *HOME, played=seen), 5.0)
    assert [referee.handle(Tick(), 5.0 + n * SETTLE) for n in range(9)] == [None] * 9
    assert referee.scene(9.0).asked == (PawnMove("red", 15, "taxi"),)


def test_the_scene_has_the_last_move_of_each_pawn_that_everyone_saw_move() -> None:
    referee = begun(played="184t r39t y46b")
    assert referee.scene(10.0).last_moves == (LastMove("red", 26, 39, "taxi"), LastMove("yellow", 58, 46, "bus"))


def test_what_is_no_choice_of_mister_xs_now_is_refused_in_the_same_words_whatever_the_reason() -> None:
    nobody, his, theirs, computer = Referee(), begun(), begun(played="184t"), Referee()
    computer.accept(Begin(setup_of(london(), X_AT, *HOME), seats={MR_X: "easy"}), 0.0)
    legal, illegal = MrXMove(Secret(184), "taxi"), MrXMove(Secret(1), "taxi")
    his.check_choice(legal)
    for referee, action in ((nobody, legal), (his, illegal), (theirs, legal), (computer, legal)):
        with pytest.raises(NotNow, match=r"^this cannot be chosen now; choose what is shown$"):
            referee.check_choice(action)


def test_a_finished_game_taken_up_again_is_over() -> None:
    over = game(london(), 46, 58, 29, 34, played="45t r45t")
    referee = Referee()
    referee.resume(over, 5.0)
    assert referee.state.phase is Phase.OVER


@pytest.mark.parametrize(
    ("missing", "extra", "urgency"),
    [
        ({"red": 39}, {26}, 0),
        ({"red": 39}, set(), 0),  # Red is in a hand
        ({}, {26}, 0),  # the switch of 39 is ignored
        ({"yellow": 58}, set(), 1),
        ({"red": 39}, {27}, 1),
    ],
)
def test_simulated_hands_that_have_yet_to_move_a_computers_pawn_are_no_mismatch(
    missing: dict[str, int], extra: set[int], urgency: int
) -> None:
    state = State(
        phase=Phase.CARRY_OUT,
        to_carry_out=ToCarryOut(RED_MOVES, 26, unsensed=False),
        reading=Mismatch(missing=missing, extra=frozenset(extra)),
        wrong_since=0.0,
        trusted=True,
    )
    assert state.urgency(INSIST) == urgency


# ---- the table of transitions ----


OF_A_GAME = (On.PLAYED, On.TAKEN_BACK, On.ABANDONED)
MR_X_MOVES, RED_MOVES = MrXMove(Secret(184), "taxi"), PawnMove("red", 39, "taxi")


@pytest.mark.parametrize("news", NEWS)
def test_news_finds_a_row_in_every_phase_in_which_it_can_occur(news: On) -> None:
    for phase in GAME if news in OF_A_GAME else EVERY:
        for kind in ANY:
            rows = [row for row in TABLE if row.on is news and phase in row.phases and kind in row.readings]
            assert rows, (phase, kind)
            assert rows[-1].when is always


@pytest.mark.parametrize(
    ("entries", "phases"),
    [
        ([Abandon()], [Phase.NO_GAME]),
        ([Play(MR_X_MOVES), Play(RED_MOVES)], [Phase.PLAY, Phase.CARRY_OUT]),
        ([Play(MR_X_MOVES), Play(RED_MOVES), TakeBack(by_hand=False)], [Phase.PLAY, Phase.CARRY_OUT, Phase.RESUME]),
    ],
)
def test_the_phase_after_an_entry_is_the_one_of_its_row(entries: list[Entry], phases: list[Phase]) -> None:
    referee = begun()
    referee.accept(Begin(setup_of(london(), X_AT, *HOME), {"1": "hard"}), 20.0)
    assert referee.state.phase is Phase.SET_UP
    stand(referee, 20.0)
    referee.handle(Tick(), 20.0 + SETTLE)
    seen = []
    for entry in entries:
        referee.accept(entry, 30.0)
        seen.append(referee.state.phase)
    assert seen == phases


@pytest.mark.parametrize("take_back", [True, False])
def test_a_move_can_be_put_back_only_where_the_table_takes_moves_back(take_back: bool) -> None:
    referee = begun(played="184t", take_back=take_back)
    referee.accept(Play(RED_MOVES), 20.0)
    stand(referee, 20.0)
    referee.handle(Tick(), 21.0)
    home = frozenset({26, 58, 34})
    referee.handle(SwitchesChanged(home), 22.0)
    assert referee.handle(Tick(), 23.0) == (TakeBack() if take_back else None)
