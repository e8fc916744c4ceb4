"""A disk whose commits take half a second: each delays its own move and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from firmware_host.config.board_layout import BoardLayout
from firmware_host.journal.entries import PLAY
from firmware_host.referee.scene import Phase, Scene
from firmware_host.rules.actions import MR_X, MrXMove, Roll, RollAgain
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import PublicView
from firmware_host.table.commands import StartGame
from firmware_host.ui.lamp_rhythms import LampFrame
from tests.table.any_table import started
from tests.table.played_table import config, hold, press, put, release, take
from tests.table.slow_disk import COMMIT, SlowStore, SlowTable, choose, slow_table, written


class ViewAudience:
    """An audience that remembers each view of the game that it was shown, and when it saw it first."""

    def __init__(self, p: SlowTable) -> None:
        self.p = p
        self.seen: list[tuple[float, PublicView | None]] = []
        self.heard: list[float] = []
        p.table._outputs._audience = self  # type: ignore[assignment]

    def see(self, scene: Scene, _sheet: BoardLayout, _frame: LampFrame) -> None:
        if not self.seen or self.seen[-1][1] is not scene.view:
            self.seen.append((self.p.hardware.clock.now(), scene.view))

    def receive(self, _line: str) -> None:
        self.heard.append(self.p.hardware.clock.now())

    def forget(self) -> None:
        pass


def round_of_moves(p: SlowTable) -> None:
    """Everybody moves as fast as hands can, without a look at the table; each presses the ticket's key all the same."""
    choose(p, 184)
    p.advance(100)
    for pawn, station, to, rest in (("red", 74, 75, 260), ("yellow", 13, 23, 230), ("green", 26, 39, 400)):
        take(p, station, 80, pawn)
        put(p, to, pawn, rest)
        if pawn == "yellow":
            p.hardware.press("table.bus", 40)
    p.advance(3000)


def test_scans_keep_their_beat_while_the_disk_writes() -> None:
    p = slow_table()
    round_of_moves(p)
    assert len(p.slow.waits) >= 4
    gaps = {round(after - before, 6) for before, after in pairwise(p.switches.reads)}
    assert gaps == {0.005}
    for submitted, durable in p.slow.waits:
        assert durable - submitted == pytest.approx(COMMIT, abs=0.006)
        assert sum(submitted < at < durable for at in p.switches.reads) >= 98


def test_no_edge_is_missed_and_all_is_written_as_on_a_fast_disk() -> None:
    fast, slow = slow_table(0.0), slow_table()
    for p in (fast, slow):
        round_of_moves(p)
    assert written(slow) == written(fast)
    assert [kind for kind, _ in written(slow)].count(PLAY) == 4
    assert slow.public == fast.public
    assert slow.public.turn == (MR_X,)


def test_a_commit_delays_its_own_move_and_no_other_by_more_than_it_has_to_wait() -> None:
    p = slow_table()
    round_of_moves(p)
    for (_, durable), (submitted, _) in pairwise(p.slow.waits):
        assert submitted >= durable  # one after the other
    yellow, green = p.slow.waits[2:4]
    assert green[0] == pytest.approx(yellow[1], abs=0.011)  # green stood there long before


def test_nothing_is_shown_before_it_is_durable() -> None:
    p = slow_table()
    views = ViewAudience(p)
    p.advance(200)
    round_of_moves(p)
    durable = [done for _, done in p.slow.waits]
    assert len(views.seen) == 5
    for (at, _), done in zip(views.seen[1:], durable, strict=True):
        assert done <= at < done + 0.05
    assert all(any(done <= at < done + 0.011 for done in durable) for at in views.heard)
    submitted = p.slow.waits[0][0]
    lamp = 3 * p.config.layout.log_lamp(1)
    paid = p.lamps.frames[-1][1][lamp : lamp + 3]
    assert min(at for at, frame in p.lamps.frames if frame[lamp : lamp + 3] == paid) >= durable[0]
    meanwhile = {picture for at, picture in p.display.pictures if submitted <= at < durable[0]}
    before = [picture for at, picture in p.display.pictures if at < submitted][-1]
    assert meanwhile <= {before}
    assert p.display.pictures[-1][1] != before


def test_the_log_and_the_health_say_nothing_before_it_is_durable(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="yardboard")
    p = slow_table()
    caplog.clear()
    choose(p, 184)
    p.advance(300)
    assert p.table.journal.writing
    assert not caplog.messages
    assert p.table.health()["journal"]["state"] == "ok"
    assert p.private.at == Secret(197)
    p.advance(300)
    assert caplog.messages
    assert p.private.at == Secret(184)


def refused(p: SlowTable, meanwhile: Callable[[], None]) -> None:
    p.store.broken = True
    meanwhile()
    p.advance(1000 * COMMIT + 50)


def test_a_move_that_is_refused_in_the_end_has_not_happened_and_is_accepted_when_it_can_be() -> None:
    p = slow_table()
    choose(p, 184)
    p.advance(700)
    was = p.public
    p.store.broken = True
    take(p, 74, 300, "red")
    put(p, 75, "red", 2500)
    assert p.public is was
    assert p.table.health()["journal"]["state"] == "lost"
    assert "journal" in p.table.scene().ailing
    p.store.broken = False
    p.advance(2500)
    assert p.public.pawns["red"] == 75
    assert p.table.health()["journal"]["state"] == "ok"


def test_mister_x_is_told_that_his_choice_was_refused_in_the_end() -> None:
    p = slow_table()
    p.store.broken = True
    choose(p, 184)
    p.advance(300)
    assert p.handset_lines()[0] != "Not saved"
    p.advance(400)
    assert p.handset_lines()[0] == "Not saved"
    assert p.private.at == Secret(197)


def test_after_a_refusal_he_is_back_at_his_choice_whatever_he_read_meanwhile() -> None:
    p = slow_table()
    choose(p, 184)
    p.store.broken = True
    for key in ("up", "up", "select"):
        p.hardware.press(f"handset.{key}", 40)
        p.advance(40)
    assert "Taxi 4" in p.handset_lines()
    p.advance(600)
    assert p.handset_lines()[0] == "Not saved"
    press(p, "handset.back")
    assert p.handset_lines()[0] == "Taxi → 184"


def test_a_second_choice_while_the_first_is_written_is_no_choice_among_what_he_has_not_seen() -> None:
    p = slow_table()
    choose(p, 184)
    before = len(written(p))
    for _ in range(3):
        p.hardware.press("handset.select", 60)
        p.advance(40)
    assert p.table.journal.writing
    p.advance(2000)
    assert written(p)[before:] == written(p)[before:][:1]
    assert p.table.game is not None
    assert p.table.game.actions == [MrXMove(Secret(184), "taxi")]


def test_his_screen_is_covered_as_soon_as_he_lets_go_of_peek_whatever_is_written() -> None:
    p = slow_table(conf=config(handset={"privacy": "hold"}))
    hold(p, "handset.peek")
    choose(p, 184)
    assert p.table.journal.writing
    release(p, "handset.peek", 50)
    assert p.table.journal.writing
    assert p.table.handset.current_look(p.hardware.clock.now()).kind == "cover"


def test_a_key_that_is_pressed_again_for_want_of_an_answer_does_not_answer_what_nobody_has_read() -> None:
    p = SlowTable(config(game={"rules": "dice"}))
    p.slow.seconds = COMMIT
    for _ in range(3):
        press(p, "table.confirm")
    assert p.table.game is None
    p.advance(1000)
    assert p.table.scene().phase is Phase.SET_UP
    assert p.table.referee.state.to_lay
    press(p, "table.confirm")
    assert not p.table.referee.state.to_lay


def test_di_15_nobody_rolls_again_what_nobody_has_read() -> None:
    p = started(dice="rolled")
    slow = p.table.journal.store = SlowStore(p.table.journal.store, p.hardware.clock.now)
    slow.seconds = COMMIT
    press(p, "table.confirm")
    press(p, "table.back")
    assert p.table.journal.writing
    p.advance(1000)
    assert isinstance(p.actions[-1], Roll)
    press(p, "table.back", 1000)
    assert p.actions[-1] == RollAgain()


def test_a_pawn_that_is_set_down_while_a_game_is_begun_stands_there() -> None:
    p = SlowTable()
    p.slow.seconds = COMMIT
    start = {"red": 74, "yellow": 13, "green": 26}
    p.do(StartGame(detectives=3, start={MR_X: 197, **start}))
    p.advance(100)
    for pawn, station in start.items():
        p.hardware.put(station, pawn)
    assert p.table.game is None
    p.advance(1500)
    assert p.table.scene().phase is Phase.PLAY


def test_whoever_waits_has_it_true_on_return() -> None:
    p = SlowTable()
    p.slow.seconds = COMMIT
    p.do(StartGame(detectives=3))
    assert p.table.game is None
    p.table.wait()
    assert p.table.game is not None
    p.advance(100)
    assert p.table.late()["journal"] == 0.0


def test_a_disk_that_never_answers_is_told_as_late() -> None:
    p = slow_table(1e6)
    choose(p, 184)
    p.advance(11_000)
    assert p.table.late()["journal"] > 10
    assert p.private.at == Secret(197)
