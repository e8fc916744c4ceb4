"""When the handset shows its secrets, and when it does not."""

from __future__ import annotations

import pytest

from firmware_host.referee.scene import CoachMode, Phase
from firmware_host.rules.actions import MR_X, Action, MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import MrXView
from firmware_host.simulator import SimulatedTable
from firmware_host.system.language import Lines
from firmware_host.table.commands import SetCoach, StartGame
from firmware_host.table.handset import Look, lines
from firmware_host.ui.handset_menu import Menu
from tests.table.played_table import FIVE, begun, config, fault, go, hold, press, put, release, take, tells, walk


def table(privacy: str) -> SimulatedTable:
    return begun(197, config(handset={"privacy": privacy, "blank_after_s": 10}), **FIVE)


def test_an_open_handset_shows_where_he_is_until_nobody_has_touched_it_for_a_while() -> None:
    p = table("open")
    p.advance(10_000)
    assert p.hardware.handset.picture is None
    press(p, "handset.down")
    assert tells(p)
    assert p.hardware.handset.picture is not None
    p.advance(9700)
    assert tells(p)
    p.advance(300)
    assert not p.handset_lines()
    assert p.hardware.handset.picture is None


def test_the_key_that_wakes_the_handset_does_no_more() -> None:
    p = table("open")
    p.advance(10_000)
    first = p.table.handset.menu
    press(p, "handset.down")
    assert p.table.handset.menu == first
    press(p, "handset.down")
    assert p.table.handset.menu != first


def test_a_private_handset_shows_secrets_only_while_peek_is_held() -> None:
    p = table("hold")
    press(p, "handset.down")
    assert p.handset_lines()
    assert not tells(p)
    cover = p.hardware.handset.picture
    hold(p, "handset.peek")
    assert tells(p)
    assert p.hardware.handset.picture != cover
    p.advance(60_000)
    assert tells(p)
    release(p, "handset.peek")
    assert not tells(p)
    assert p.hardware.handset.picture == cover


def test_keys_do_nothing_on_a_private_handset_while_nobody_peeks() -> None:
    p = table("hold")
    first = p.table.handset.menu
    for key in ("up", "down", "down", "select", "select"):
        press(p, f"handset.{key}")
    assert p.table.handset.menu == first
    assert not p.table.game.actions


def test_a_move_can_be_made_on_a_private_handset() -> None:
    p = table("hold")
    p.choose(MrXMove(Secret(184), "taxi"))
    assert p.private.at == Secret(184)
    assert not any("184" in line for line in p.handset_lines())


def test_pulling_the_handsets_cable_ends_the_peeking() -> None:
    p = table("hold")
    hold(p, "handset.peek")
    p.hardware.fault("handset", "unplug")
    release(p, "handset.peek", 1000)
    fault(p, "handset", "replug", 1000)
    assert not tells(p)


def test_what_the_table_waits_for_is_said_on_the_handset() -> None:
    p = table("open")
    take(p, 74, 500)
    press(p, "handset.back")
    for key in ("select", "select"):
        press(p, f"handset.{key}")
    assert p.handset_lines()[0] == "Not now"
    assert not p.table.game.actions


def refused() -> tuple[SimulatedTable, Menu]:
    """A table whose handset says that Mister X has to wait, and the choice that was refused."""
    p = table("open")
    take(p, 74, 500)
    press(p, "handset.select")
    choice = p.table.handset.menu
    press(p, "handset.select")
    assert p.handset_lines()[0] == "Not now"
    return p, choice


def test_after_a_notice_the_choice_that_was_refused_is_on_the_screen_again() -> None:
    p, choice = refused()
    before = p.private
    put(p, 74, "red", 1000)
    press(p, "handset.down")  # puts the notice away and does no more
    assert p.handset_lines() == lines(Look("menu", choice), before)
    assert not p.table.game.actions
    press(p, "handset.select")
    assert len(p.table.game.actions) == 1


def test_a_notice_goes_away_when_his_turn_begins() -> None:
    p, _ = refused()
    put(p, 74, "red", 1000)
    go(p, 184)
    for pawn, to in (("red", 75), ("yellow", 23), ("green", 15)):
        walk(p, pawn, to)
    p.table.handset.notice("Not now", "still here")
    walk(p, "blue", 49)
    assert p.public.turn == (MR_X,)
    assert p.table.handset.current_look(p.hardware.clock.now()).kind == "menu"


def test_the_handset_wakes_when_his_turn_begins() -> None:
    p = table("open")
    go(p, 184)
    for pawn, to in (("red", 75), ("yellow", 23), ("green", 15)):
        walk(p, pawn, to)
    p.advance(11_000)
    assert p.hardware.handset.picture is None
    walk(p, "blue", 49)
    assert p.hardware.handset.picture is not None


@pytest.mark.parametrize(
    ("waits_ms", "page"), [(0, "detectives"), (4000, "destinations")], ids=["just now", "long ago"]
)
def test_his_turn_leaves_the_cursor_on_the_item_that_he_chose_just_now(waits_ms: int, page: str) -> None:
    p = table("open")
    go(p, 184)
    for pawn, to in (("red", 75), ("yellow", 23), ("green", 15)):
        walk(p, pawn, to)
    press(p, "handset.down")  # to the detectives' page: his tickets are not on the list yet
    p.advance(waits_ms)
    walk(p, "blue", 49)
    assert p.public.turn == (MR_X,)
    press(p, "handset.select")
    assert p.table.handset.menu.page == page


@pytest.mark.parametrize("again", [False, True], ids=["set up", "resumed"])
def test_the_handset_wakes_when_play_begins_with_his_turn(again: bool) -> None:
    p = table("open") if again else SimulatedTable(config(handset={"blank_after_s": 10}))
    if again:
        p.hardware.pick_up("red")
        p.restart()
    else:
        p.do(StartGame(detectives=4, start={MR_X: 197, **FIVE}))
    p.advance(11_000)
    assert p.table.scene().phase is (Phase.RESUME if again else Phase.SET_UP)
    assert p.hardware.handset.picture is None
    p.set_up()
    assert p.table.scene().phase is Phase.PLAY
    assert p.hardware.handset.picture is not None
    assert tells(p)


def test_the_handset_stays_dark_when_play_begins_with_anothers_turn() -> None:
    p = table("open")
    go(p, 184)
    p.hardware.pick_up("red")
    p.restart()
    p.advance(11_000)
    p.set_up()
    assert p.table.scene().phase is Phase.PLAY
    assert p.hardware.handset.picture is None


def test_what_is_let_go_counts_before_what_is_pressed_in_the_same_instant() -> None:
    p = table("hold")
    hold(p, "handset.peek")
    first = p.table.handset.menu
    before = p.table.handset.key
    heard = []

    def overheard(key: str, *, down: bool, view: MrXView | None, now: float) -> Action | None:
        heard.append((now, key, down))
        return before(key, down=down, view=view, now=now)

    p.table.handset.key = overheard  # type: ignore[method-assign]
    p.hardware.release("handset.peek")
    hold(p, "handset.down")
    assert [(key, down) for _, key, down in heard] == [("peek", False), ("down", True)]
    assert heard[0][0] == heard[1][0]  # or this proves nothing
    assert p.table.handset.menu == first


class CountingAudience:
    """An audience that counts how often it was shown something."""

    def __init__(self) -> None:
        self.seen = 0

    def see(self, *_: object) -> None:
        self.seen += 1

    def receive(self, lines: Lines) -> None:
        """It has no ears."""

    def forget(self) -> None:
        pass


def test_his_screen_is_drawn_in_the_pass_after_a_beat_of_the_lamps_whenever_a_key_falls() -> None:
    lookers = CountingAudience()
    p = SimulatedTable(config(handset={"privacy": "open"}), audience=lookers)
    p.new_game(start={MR_X: 197, **FIVE}, detectives=len(FIVE))
    p.set_up()
    beats, drawn = [], []
    for number in range(400):
        seen, shows = lookers.seen, p.hardware.handset.shows
        key = ("handset.down", "handset.up")[number // 37 % 2]
        if number % 37 == 0:
            p.hardware.hold(key)
        if number % 37 == 11:
            p.hardware.release(key)
        p.advance(5)
        beats += [number] * (lookers.seen - seen)
        drawn += [number] * (p.hardware.handset.shows - shows)
    assert len(drawn) >= 10
    assert set(drawn) <= {number + 1 for number in beats}
    assert not set(drawn) & set(beats)


def test_what_changes_nothing_that_is_shown_waits_for_the_lamps_next_frame() -> None:
    lookers = CountingAudience()
    p = SimulatedTable(config(lamps={"frames_per_second": 20}), audience=lookers)
    p.new_game(start={MR_X: 197, **FIVE}, detectives=len(FIVE))
    p.set_up()
    p.advance(1000)
    before = lookers.seen
    for _ in range(200):
        p.do(SetCoach(CoachMode.OFF))
        p.advance(5)
    assert lookers.seen - before == 20
