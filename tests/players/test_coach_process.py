"""Whatever becomes of the coach's process, whoever asks it is told so plainly, and nothing of it is left."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from firmware_host.players.coach.coach_port import Insight
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import PublicHistory
from firmware_host.players.protocol.coach_process import PATIENCE, CoachProcess
from tests.players.process_games import FAKE, open_files, wait_for_endings
from tests.players.test_coach import begun, told
from tests.waiting import until


@contextmanager
def coach_that(when: str, what: str, now: Sequence[float] = (0.0,)) -> Iterator[CoachProcess]:
    """A coach with any manners, which was asked. Nothing of it is left afterwards."""
    before = open_files()
    coach = CoachProcess(command=(sys.executable, "-I", str(FAKE), when, what), now=lambda: now[-1])
    try:
        yield coach
    finally:
        coach.close()
        coach.close()
        wait_for_endings()
    assert open_files() == before


def ask(coach: CoachProcess) -> None:
    game = begun("classic", 1)
    coach.begin(told(game))
    coach.ask(PublicHistory.begin(game.public), advice=True)


def answer_of(coach: CoachProcess) -> Insight:
    """Ask, and wait for the answer."""
    ask(coach)
    until(coach.insight, "its answer", seconds=120)  # what it needs may have to be compiled first
    insight = coach.insight()
    assert insight is not None
    return insight


def heard(coach: CoachProcess, left: int) -> None:
    """Listen until it owes only so many answers."""

    def has_answered() -> bool:
        assert coach.insight() is None
        return len(coach._awaited) <= left

    until(has_answered, "its answers", seconds=120)


WHY = {
    ("start", "die"): "it ended with status 3",
    ("new_game", "killed"): "it was ended by signal 9",
    ("hint", "die"): "it ended with status 3",
    ("hint", "mute"): "it has closed its output, but has not ended",
    ("hint", "complain"): "it ended with status 1",
    ("hint", "huge"): "it sent a line of more than 65536 bytes",
    ("new_game", "say:" + b'{"ok": false}\n'.hex()): "it does not know the game",
    ("hint", "say:" + b'{"ok": false}\n'.hex()): "it could not answer about this position",
    ("start", "flood"): "it sent lines that nobody asked for",
}


@pytest.mark.parametrize(("when", "what"), WHY)
def test_one_that_fails_has_failed_for_good(when: str, what: str) -> None:
    with coach_that(when, what) as coach:
        with pytest.raises(PlayerFailed) as failed:
            answer_of(coach)
        assert str(failed.value) == WHY[when, what]
        for again in (coach.insight, lambda: ask(coach)):
            with pytest.raises(PlayerFailed, match=WHY[when, what]):
                again()


@pytest.mark.parametrize("what", ["hang", "newlines", "deaf", "say:" + b'{"ok": tr'.hex()])
def test_one_that_is_silent_or_says_half_a_line_has_failed_when_its_time_is_up(what: str) -> None:
    now = [0.0]
    with coach_that("hint", what, now) as coach:
        ask(coach)
        heard(coach, 1)
        now.append(PATIENCE - 1)
        assert coach.insight() is None
        now.append(2 * PATIENCE)
        with pytest.raises(PlayerFailed, match="it does not answer"):
            coach.insight()


def test_one_that_was_closed_tells_nothing_more() -> None:
    with coach_that("never", "") as coach:
        assert answer_of(coach) == Insight()
        coach.close()
        for again in (coach.insight, lambda: ask(coach)):
            with pytest.raises(PlayerFailed, match="it was let go"):
                again()
