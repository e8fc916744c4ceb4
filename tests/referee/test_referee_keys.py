"""The referee alone: keys, taking back, pausing."""

from __future__ import annotations

import random

import pytest

from firmware_host.referee.events import DevicesChanged, Play, Pressed, SwitchesChanged, TakeBack, Tick, WantGame
from firmware_host.referee.readings import LAST_LOOK, InHand, Mismatch, Settled
from firmware_host.referee.referee import NotNow, Referee
from firmware_host.referee.scene import Ask, Kind, Phase
from firmware_host.rules.actions import Double, MrXMove, PawnMove
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.secret import Secret
from firmware_host.ui.prompt_wording import prompt
from tests.referee.referees import ALL, CONFIRM, EPS, INSIST, SETTLE, SLIDE, X_AT, begun, home, reading, stand

# ---- keys -----------------------------------------------------------------------------------------------------------


def test_without_a_game_only_confirm_means_something() -> None:
    referee = Referee()
    for key in ALL:
        wanted = WantGame() if key == "confirm" else None
        assert referee.handle(Pressed(f"table.{key}"), 1.0) == wanted
    assert referee.state.phase is Phase.NO_GAME
    assert referee.scene(1.0).ask.keys == ("table.confirm",)


def test_after_the_end_confirm_asks_for_a_new_game_only_after_the_last_look() -> None:
    referee = begun(46, 58, 29, 34, played="45t")
    stand(referee, 10.0, 58, more=(45,))
    assert referee.handle(Tick(), 11.0) == Play(PawnMove("red", 45, "taxi"))
    referee.accept(Play(PawnMove("red", 45, "taxi")), 11.0)
    assert referee.state.phase is Phase.OVER
    assert referee.handle(CONFIRM, 11.0 + LAST_LOOK - EPS) is None
    assert referee.handle(Pressed("table.back"), 11.0 + LAST_LOOK) is None
    assert referee.handle(CONFIRM, 11.0 + LAST_LOOK) == WantGame()


@pytest.mark.parametrize(("played", "keys"), [("", ALL), ("184t", set(ALL) - {"confirm"})], ids=["mister x", "red"])
def test_keys_mean_nothing_while_nothing_is_asked(played: str, keys: set[str]) -> None:
    referee = begun(played=played)
    before = referee.scene(50.0)
    for key in keys:
        assert referee.handle(Pressed(f"table.{key}"), 50.0) is None
    assert referee.scene(50.0) == before


def test_confirm_asks_for_any_move_where_nothing_is_felt_to_have_changed_and_back_leads_out_again() -> None:
    referee = begun(played="184t")
    before = referee.scene(50.0)
    assert referee.handle(CONFIRM, 50.0) is None
    assert prompt(referee.scene(50.0)).text == "Where does Red stand? BACK: show the next station"
    assert referee.public is not None
    asked = []
    for _ in {move.to for move in referee.public.moves}:
        referee.handle(Pressed("table.back"), 51.0)
        asked.append(referee.scene(51.0).asked[0])
    assert {(move.pawn, move.to) for move in asked} == {(move.pawn, move.to) for move in referee.public.moves}
    referee.handle(Pressed("table.back"), 52.0)
    assert referee.scene(50.0) == before


def test_keys_mean_nothing_while_a_mismatch_is_young() -> None:
    referee = begun()
    stand(referee, 10.0, 26)
    for key in ALL:
        assert referee.handle(Pressed(f"table.{key}"), 10.0 + INSIST - EPS) is None
    assert not referee.scene(15.0).ignored
    for key in set(ALL) - {"confirm"}:
        assert referee.handle(Pressed(f"table.{key}"), 15.0) is None
    assert not referee.scene(15.0).ignored


def test_pb_04_only_the_keys_of_fitting_tickets_answer() -> None:
    referee = begun(X_AT, 74, 13, 34, played="184t")
    stand(referee, 10.0, 74, more=(58,))
    assert referee.handle(Pressed("table.bus"), 10.0 + SETTLE) is None  # it may still slide on
    assert referee.handle(Tick(), 10.0 + SLIDE) is None
    assert referee.scene(11.0).ask.keys == ("table.taxi", "table.bus", "table.back")
    for key in ("underground", "confirm"):
        assert referee.handle(Pressed(f"table.{key}"), 11.0) is None
    assert referee.scene(11.0).asked
    assert referee.handle(Tick(), 500.0) is None
    assert referee.handle(Pressed("table.bus"), 500.0) == Play(PawnMove("red", 58, "bus"))


def test_a_question_is_dropped_when_the_pawn_is_lifted_again() -> None:
    referee = begun(X_AT, 74, 13, 34, played="184t")
    stand(referee, 10.0, 74, more=(58,))
    referee.handle(Tick(), 10.0 + SLIDE)
    stand(referee, 12.0, 74)
    assert referee.handle(Pressed("table.bus"), 13.0) is None
    assert not referee.scene(13.0).asked
    assert reading(referee) == InHand(("red",))


def test_a_pawn_that_no_switch_feels_is_asked_for_station_by_station() -> None:
    referee = begun(played="184t")
    stand(referee, 10.0, 26)
    assert referee.handle(CONFIRM, 10.0 + SETTLE - EPS) is None
    assert not referee.scene(10.3).asked
    assert referee.handle(CONFIRM, 11.0) is None
    for key in ("confirm", "taxi", "confirm"):  # nothing is meant yet, and no key but one makes the table ask
        assert referee.scene(11.0).ask == Ask(Kind.WHERE, ("table.back",), ("red",))
        assert prompt(referee.scene(11.0)).text == "Where does Red stand? BACK: show the next station"
        assert not referee.scene(11.0).asked
        assert referee.handle(Pressed(f"table.{key}"), 11.0) is None
    seen = []
    for _ in range(4):
        referee.handle(Pressed("table.back"), 11.0)
        seen.append(referee.scene(11.0).asked[0].to)
        assert "table.back" in referee.scene(11.0).ask.keys
    assert seen == [15, 27, 39, 26]  # the last: it never was in a hand
    referee.handle(Pressed("table.back"), 11.0)
    assert prompt(referee.scene(11.0)).text == "Red: to a lit station. Not sensed there? CONFIRM"
    assert referee.public is not None
    assert referee.public.pawns["red"] == 26
    for key in (CONFIRM, Pressed("table.back")):
        referee.handle(key, 11.0)
    while referee.scene(11.0).asked[0].to != 39:
        referee.handle(Pressed("table.back"), 11.0)
    assert referee.handle(CONFIRM, 12.0) == Play(PawnMove("red", 39, "taxi"))
    assert referee.scene(12.0).ignored == {39}


def test_a_pawn_in_hand_is_asked_for_only_when_nothing_has_changed_for_long() -> None:
    referee = begun(played="184t")
    stand(referee, 10.0, 26)
    assert prompt(referee.scene(10.0 + INSIST - EPS)).text == "Red: to a lit station"
    assert referee.state.next_due(11.0) == 10.0 + INSIST
    assert prompt(referee.scene(10.0 + INSIST)).text == "Red: to a lit station. Not sensed there? CONFIRM"
    stand(referee, 20.0, 26, more=(15,))
    stand(referee, 20.1, 26)
    assert prompt(referee.scene(20.1 + INSIST - EPS)).text == "Red: to a lit station"
    assert prompt(referee.scene(20.1 + INSIST)).text == "Red: to a lit station. Not sensed there? CONFIRM"


def test_a_pawn_that_can_go_to_one_station_only_is_still_asked_for_by_the_back_key() -> None:
    referee = begun(X_AT, 8, 19, 34, played="184t")  # red on 8, yellow on 19: to 18 and 32
    stand(referee, 10.0, 8)
    referee.handle(CONFIRM, 11.0)
    assert referee.public is not None
    ways = sorted({m.to for m in referee.public.moves})
    for way in (*ways, 8):
        referee.handle(Pressed("table.back"), 12.0)
        assert referee.scene(12.0).asked[0].to == way


def test_what_was_denied_in_mister_xs_turn_does_not_hurry_reds() -> None:
    referee = begun(played="184t r15t y45t g22t")
    for _ in range(2):
        referee.handle(Pressed("table.back"), 50.0)
    assert referee.state.asking.declined  # that Green is back
    referee.accept(Play(MrXMove(Secret(185), "taxi")), 51.0)
    stand(referee, 52.0, 15)
    assert prompt(referee.scene(52.0 + INSIST - EPS)).text == "Red: to a lit station"


def test_what_was_denied_of_one_reading_does_not_hurry_the_next_and_is_still_denied_when_it_comes_back() -> None:
    referee = begun(played="184t r15t")
    for _ in range(2):
        referee.handle(Pressed("table.back"), 50.0)
    assert referee.state.asking.declined  # that Red is back
    stand(referee, 52.0, 58)
    assert prompt(referee.scene(52.0 + INSIST - EPS)).text == "Yellow: to a lit station"
    stand(referee, 53.0)
    referee.handle(Tick(), 53.0 + SETTLE)
    assert referee.state.asking.declined


def test_while_the_table_asks_about_a_pawn_its_move_needs_a_key() -> None:
    referee = begun(played="184t")
    stand(referee, 10.0, 26)
    referee.handle(Tick(), 10.0 + INSIST)
    assert referee.scene(15.0).ask.kind is Kind.STANDS
    stand(referee, 20.0, 26, more=(15,))
    for now in (20.0 + SETTLE, 20.0 + SLIDE, 30.0):
        assert referee.handle(Tick(), now) is None
    assert prompt(referee.scene(30.0)).text == "Red to 15? CONFIRM. No: BACK"
    stand(referee, 31.0, 26)
    stand(referee, 31.1, 26, more=(39,))  # slid on: it is asked for still
    assert referee.handle(Tick(), 33.0) is None
    assert prompt(referee.scene(33.0)).text == "Red to 39? CONFIRM. No: BACK"
    assert referee.handle(CONFIRM, 33.0) == Play(PawnMove("red", 39, "taxi"))


@pytest.mark.parametrize("after", [0.0, 0.1, SETTLE, 2 * SETTLE - 0.05])
def test_a_key_meant_for_the_question_is_not_taken_for_an_answer_to_the_next_and_not_lost(after: float) -> None:
    referee = begun(played="184t")
    stand(referee, 10.0, 26)
    referee.handle(Tick(), 10.0 + INSIST)
    stand(referee, 20.0, 26, more=(15,))
    if after >= SETTLE:
        referee.handle(Tick(), 20.0 + SETTLE)
    assert referee.handle(CONFIRM, 20.0 + after) is None
    assert referee.handle(Tick(), 22.0) is None
    assert prompt(referee.scene(22.0)).text == "Red: to a lit station. Does it stand on 26? CONFIRM. No: BACK"
    assert not referee.scene(22.0).ignored
    assert referee.handle(Pressed("table.back"), 22.0) is None
    assert prompt(referee.scene(22.0)).text == "Red to 15? CONFIRM. No: BACK"
    assert referee.handle(CONFIRM, 23.0) == Play(PawnMove("red", 15, "taxi"))
    assert not referee.scene(23.0).ignored


def test_who_says_then_that_the_pawn_never_left_has_its_own_switch_ignored_and_no_other() -> None:
    referee = begun(played="184t")
    stand(referee, 10.0, 26)
    referee.handle(Tick(), 10.0 + INSIST)
    stand(referee, 20.0, 26, more=(15,))
    for now in (20.1, 22.0):
        assert referee.handle(CONFIRM, now) is None
    assert referee.scene(22.0).ignored == {26}


def test_a_key_meant_for_a_station_brings_no_question_about_it_once_the_pawn_has_arrived_elsewhere() -> None:
    referee = begun(played="184t")
    stand(referee, 10.0, 26)
    referee.handle(Tick(), 10.0 + INSIST)
    for key, now in (("back", 15.0), ("confirm", 16.0), ("back", 17.0)):
        referee.handle(Pressed(f"table.{key}"), now)
    assert "Already on 15?" in prompt(referee.scene(17.0)).text
    stand(referee, 20.0, 26, more=(39,))
    assert referee.handle(CONFIRM, 20.1) is None
    assert not referee.scene(20.1).asked
    assert referee.handle(Tick(), 22.0) == Play(PawnMove("red", 39, "taxi"))


# ---- taking back ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("played", "why"), [("", "there is no move that can be taken back"), ("r15t", "put the pawn back")]
)
def test_undo_says_whether_there_is_a_move_that_hands_can_take_back(played: str, why: str) -> None:
    with pytest.raises(NotNow, match=why):
        begun(played=f"184t {played}").check_undo()


@pytest.mark.parametrize("allowed", [True, False])
def test_a_pawn_put_back_takes_its_move_back_if_that_is_allowed(allowed: bool) -> None:
    referee = begun(played="184t r15t", take_back=allowed)
    stand(referee, 10.0, 15)
    stand(referee, 11.0, 15, more=(26,))
    assert referee.handle(Tick(), 11.0 + SETTLE - EPS) is None
    assert referee.handle(Tick(), 11.0 + SETTLE) == (TakeBack() if allowed else None)
    if allowed:
        referee.accept(TakeBack(), 11.3)
        assert referee.public is not None
        assert referee.public.turn == ("red",)
        assert reading(referee) == Settled()
    else:
        assert reading(referee) == Mismatch({"red": 15}, frozenset({26}))


def test_pb_02_mister_x_waits_while_the_last_pawn_is_being_put_back() -> None:
    referee = begun(played="184t r15t y45t g22t")
    referee.check(MrXMove(Secret(185), "taxi"))
    stand(referee, 10.0, 22, more=(34,))
    with pytest.raises(NotNow, match="put right"):
        referee.check(MrXMove(Secret(185), "taxi"))


# ---- pausing, and what may not be ------------------------------------------------------------------------------------


def test_a_paused_table_does_nothing_and_goes_on_after_a_quiet_while() -> None:
    referee = begun(played="184t")
    stand(referee, 10.0, 26, more=(15,))
    assert referee.handle(DevicesChanged({"switches": "lost: gone"}, "the switches are lost"), 10.1) is None
    assert referee.handle(Tick(), 50.0) is None
    assert referee.handle(CONFIRM, 50.0) is None
    assert prompt(referee.scene(50.0)).text == "Paused: the switches are lost"
    assert referee.scene(50.0).ailing == {"switches": "lost: gone"}
    with pytest.raises(NotNow, match="paused"):
        referee.check(Double())
    assert referee.handle(DevicesChanged({}), 60.0) is None
    assert referee.handle(Tick(), 60.0 + SETTLE - EPS) is None
    assert referee.handle(Tick(), 60.0 + SETTLE) == Play(PawnMove("red", 15, "taxi"))


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    referee = begun()
    before = referee.scene(10.0)
    with pytest.raises(IllegalAction):
        referee.check(MrXMove(Secret(1), "taxi"))
    with pytest.raises(IllegalAction):
        referee.accept(Play(PawnMove("red", 15, "taxi")), 10.0)
    assert referee.scene(10.0) == before


def test_without_a_game_nothing_can_be_done() -> None:
    referee = Referee()
    with pytest.raises(NotNow, match="no game"):
        referee.accept(TakeBack(), 1.0)
    with pytest.raises(NotNow, match="there is no game"):
        referee.check(Double())


@pytest.mark.parametrize("seed", range(20))
def test_no_sequence_of_events_upsets_the_referee(seed: int) -> None:
    chance, now = random.Random(seed), 10.0
    referee = begun(played="184t", take_back=chance.random() < 0.5)
    for _ in range(300):
        now += chance.choice((0.0, 0.005, 0.3, 0.7, 5.0))
        near = [*home(referee), 15, 27, 39, 57, 100]
        felt = frozenset(s for s in near if chance.random() < 0.7)
        unwell = frozenset(chance.sample(near, chance.choice((0, 0, 1))))
        key = Pressed(f"table.{chance.choice(ALL)}")
        ailing = DevicesChanged({}, chance.choice(("", "", "x")))
        event = chance.choice(
            (SwitchesChanged(felt, unwell), SwitchesChanged(home(referee)), Tick(), Tick(), key, ailing)
        )
        entry = referee.handle(event, now)
        if isinstance(entry, Play | TakeBack):
            referee.accept(entry, now)
        assert prompt(referee.scene(now)).text
        assert referee.state.next_due(now) > now
