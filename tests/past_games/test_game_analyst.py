"""The coach looks at finished games for as long as somebody asks, and what it says follows from the log alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import MEMORY
from firmware_host.past_games import game_analyst
from firmware_host.past_games.finished_games import Archive
from firmware_host.past_games.game_analysis import (
    AdvisedMove,
    AnalysedStep,
    Analysis,
    Closest,
    Costly,
    Narrowed,
    NoSuchGame,
    Slipped,
)
from firmware_host.past_games.game_analyst import (
    BUSY,
    CLOSED,
    COSTLY,
    FAILED,
    FEW,
    MOST,
    MUCH,
    PATIENCE,
    GameAnalyst,
    GameToAnalyse,
    _announces,
    key_moments,
)
from firmware_host.past_games.replay_finished_game import as_begun, replay
from firmware_host.players.coach import coach as coaches
from firmware_host.players.coach.coach_port import KNOWS, NextAction, Review
from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, PublicHistory
from firmware_host.rules.actions import MR_X, Double, MrXMove, Surface
from firmware_host.rules.secret import Secret
from tests.journal.random_journals import config, finished, play, write
from tests.past_games.own_reviewer import OwnReviewer

COACHED = ("classic", "current", "us", "beginners")
SOON = 60.0
"""Seconds for what takes no time: beyond these something hangs."""


class HeldCoach:
    """Looks at as many steps as it is let, says little and knows all that it was told."""

    def __init__(self, *, fails: Exception | None = None) -> None:
        self.steps = threading.Semaphore(0)
        self.fails, self.asked = fails, threading.Semaphore(0)
        self.closed = threading.Event()
        self.at_the_end: Callable[[], object] = bool
        self.histories: list[PublicHistory] = []
        self.deeds: list[NextAction] = []
        self.game: NewGame | None = None

    def begin(self, game: NewGame) -> None:
        self.game = game

    def review(self, history: PublicHistory, done: NextAction) -> None:
        self.histories.append(history)
        self.deeds.append(done)
        self.asked.release()

    def reviewed(self) -> Review | None:
        if self.fails is not None:
            raise self.fails
        return Review({1: 1.0}) if self.steps.acquire(blocking=False) else None

    def close(self) -> None:
        self.at_the_end()
        self.closed.set()


class Desk:
    """An analyst with coaches of ours, a clock of ours and the games that are asked of it."""

    def __init__(self, *coaches: HeldCoach) -> None:
        self.now = 0.0
        self._coaches = iter(coaches)
        self.analyst = GameAnalyst(self._find, make=lambda: next(self._coaches), now=lambda: self.now)

    def _find(self, number: int) -> GameToAnalyse:
        if number > 9:
            raise NoSuchGame("There is no such game.")
        return told("classic", number)


@pytest.fixture
def desk() -> Iterator[Callable[..., Desk]]:
    desks: list[Desk] = []

    def sit_down(*coaches: HeldCoach) -> Desk:
        desks.append(Desk(*coaches))
        return desks[-1]

    yield sit_down
    for one in desks:
        one.analyst.close()


def told(rules: str, seed: int) -> GameToAnalyse:
    known = [(config(rules).edition, config(rules).ground)]
    _, game = finished(rules, seed)
    return GameToAnalyse(as_begun(game, known), replay(game, known))


def end_of(desk: Desk, coach: HeldCoach, number: int) -> Analysis | None:
    """What is told of a game once its coach has gone."""
    assert coach.closed.wait(SOON)
    desk.analyst.close()
    return desk.analyst.analysis_of(number)


def steps_of(possible: list[int]) -> list[AnalysedStep]:
    return [AnalysedStep(dict.fromkeys(range(count), 1 / count)) for count in possible]


# ---- how far it is ----------------------------------------------------------------------------------------------


def test_it_tells_how_far_it_is_and_what_was_found_once_it_is_through(desk: Callable[..., Desk]) -> None:
    coach = HeldCoach()
    table = desk(coach)
    total = len(told("classic", 1).record.steps) - 1
    assert table.analyst.analysis_of(1) is None
    assert table.analyst.begin(1).total == total
    coach.steps.release(3)
    for _ in range(4):
        assert coach.asked.acquire(timeout=SOON)
    assert table.analyst.analysis_of(1) == Analysis(3, total)
    coach.steps.release(total)
    found = end_of(table, coach, 1)
    assert found is not None
    assert found.complete
    assert (found.done, len(found.steps), found.trouble) == (total, total, "")
    assert table.analyst.begin(1) is found


def test_a_game_that_nobody_asks_about_any_more_is_let_be(desk: Callable[..., Desk]) -> None:
    coach = HeldCoach()
    table = desk(coach)
    table.analyst.begin(1)
    assert coach.asked.acquire(timeout=SOON)
    for _ in range(3):  # as long as somebody asks it goes on
        table.now += PATIENCE - 1
        table.analyst.analysis_of(1)
        coach.steps.release()
        assert coach.asked.acquire(timeout=SOON)
    table.now += PATIENCE + 1
    assert end_of(table, coach, 1) is None


def test_the_next_game_waits_for_the_one_before(desk: Callable[..., Desk]) -> None:
    first, second = HeldCoach(), HeldCoach()
    table = desk(first, second)
    for number in (1, 2):
        table.analyst.begin(number)
    assert first.asked.acquire(timeout=SOON)
    assert not second.histories
    first.steps.release(500)
    assert first.closed.wait(SOON)
    assert second.asked.acquire(timeout=SOON)


def test_only_so_many_games_may_wait(desk: Callable[..., Desk]) -> None:
    table = desk(*(HeldCoach() for _ in range(MOST)))
    troubles = [table.analyst.begin(number).trouble for number in range(MOST + 1)]
    assert troubles == [*[""] * MOST, BUSY]


@pytest.mark.parametrize("fails", [PlayerFailed("it has ended"), LookupError("a fault of ours")])
def test_a_coach_that_fails_is_told_of_once(desk: Callable[..., Desk], fails: Exception) -> None:
    coach, next_one = HeldCoach(fails=fails), HeldCoach()
    table = desk(coach, next_one)
    table.analyst.begin(1)
    table.analyst.begin(2)
    assert next_one.asked.acquire(timeout=SOON)  # the thread goes on with the next game
    assert end_of(table, coach, 1) == Analysis(trouble=FAILED)
    assert table.analyst.analysis_of(1) is None


def test_games_whose_coach_has_failed_keep_no_place_once_nobody_asks_about_them(desk: Callable[..., Desk]) -> None:
    failed, good = [HeldCoach(fails=PlayerFailed("it has ended")) for _ in range(MOST)], HeldCoach()
    table = desk(*failed, good)
    for number in range(MOST):
        table.analyst.begin(number)
    assert failed[-1].closed.wait(SOON)
    table.now += PATIENCE + 1
    assert table.analyst.begin(MOST).trouble == ""
    assert good.asked.acquire(timeout=SOON)


def test_once_it_is_closed_nothing_begins(desk: Callable[..., Desk]) -> None:
    table = desk()
    table.analyst.close()
    assert table.analyst.begin(1) == Analysis(trouble=CLOSED)
    assert table.analyst.analysis_of(1) is None


def test_only_so_many_analyses_are_kept(monkeypatch: pytest.MonkeyPatch, desk: Callable[..., Desk]) -> None:
    monkeypatch.setattr(game_analyst, "KEPT", 1)
    first, second = HeldCoach(), HeldCoach()
    table = desk(first, second)
    for number, coach in enumerate((first, second)):
        coach.steps.release(500)
        table.analyst.begin(number)
    assert first.closed.wait(SOON)
    assert end_of(table, second, 1)
    assert table.analyst.analysis_of(0) is None


# ---- what it may know -------------------------------------------------------------------------------------------


def test_a_game_in_play_or_given_up_is_never_looked_at() -> None:
    archive = Archive(config(), make_reviewer=HeldCoach)
    with Journal.open(MEMORY) as journal:
        write(journal, *play("us", 1), finish=False)
        journal.abandon(9.0)
        write(journal, *play("classic", 1), finish=False)
        archive.follow(journal)
        for number in range(4):
            with pytest.raises(NoSuchGame):
                archive.analyse(number)
            assert archive.analysis(number) is None
    archive.close()


@pytest.mark.parametrize("rules", ["dice", "junior"])
def test_of_a_game_that_the_coach_does_not_know_it_says_so(rules: str) -> None:
    archive = Archive(config(rules), make_reviewer=HeldCoach)
    with Journal.open(MEMORY) as journal:
        write(journal, *play(rules, 1))
        archive.follow(journal)
    assert archive.analyse(1) == Analysis(trouble=KNOWS)


def test_the_coach_is_told_what_everyone_knew_at_each_step_and_what_was_done_next(desk: Callable[..., Desk]) -> None:
    coach = HeldCoach()
    table = desk(coach)
    coach.steps.release(500)
    table.analyst.begin(1)
    assert end_of(table, coach, 1)
    game, record, _ = told("classic", 1)
    assert coach.game == game
    assert MR_X not in game.start
    assert game.setup.mr_x.value == 0
    assert [history.now for history in coach.histories] == [step.view for step in record.steps[:-1]]
    assert not any(history.now.outcome or history.now.route for history in coach.histories)
    steps = record.steps
    assert [(done.action, done.mr_x) for done in coach.deeds] == [
        (following.action, step.pawns[MR_X]) for step, following in pairwise(steps)
    ]


@pytest.mark.parametrize("rules", COACHED)
def test_he_was_always_on_one_of_the_stations_that_it_tells(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coaches, "can_search", lambda: False)
    found = []
    for _ in range(2):
        closed = threading.Event()
        analyst = GameAnalyst(lambda number: told(rules, number), make=partial(LeavingCoach, closed))
        analyst.begin(3)
        assert closed.wait(SOON)
        analyst.close()
        found.append(analyst.analysis_of(3))
    assert found[0] == found[1]
    analysis, record = found[0], told(rules, 3).record
    assert analysis is not None
    for step, analysed in zip(record.steps, analysis.steps, strict=False):
        assert step.pawns.get(MR_X, 0) in analysed.stations
        if analysed.advice is not None:
            assert analysed.advice in map(AdvisedMove.of, step.view.moves)
        assert (analysed.chance, analysed.cost) == (None, None)  # without compiled code
    for analysed, step in zip(analysis.steps, record.steps[1:], strict=True):
        assert analysed.followed == (analysed.advice is not None and analysed.advice == AdvisedMove.of(step.action))


class LeavingCoach(OwnReviewer):
    """One that tells when it has gone."""

    def __init__(self, closed: threading.Event) -> None:
        super().__init__()
        self._closed = closed

    def close(self) -> None:
        self._closed.set()


# ---- key moments ------------------------------------------------------------------------------------------------


def test_the_largest_drop_is_a_key_moment_unless_he_showed_himself() -> None:
    record = told("classic", 1).record
    shown = next(n for n, step in enumerate(record.steps) if step.seen)
    possible = [50] * (len(record.steps) - 1)
    possible[shown] = 1
    possible[shown - 2] = 40
    found = [moment for moment in key_moments(record, steps_of(possible)) if isinstance(moment, Narrowed)]
    assert found == [Narrowed(shown - 2, before=50, after=40)]


def test_few_stations_that_became_more_are_a_key_moment_unless_he_had_been_seen() -> None:
    record = told("classic", 1).record
    possible = [FEW] * (len(record.steps) - 1)
    shown = next(n for n, step in enumerate(record.steps) if step.seen and not record.steps[n + 1].seen)
    for step in (2, shown + 1):
        assert not record.steps[1].seen
        possible[step] = FEW + 1
    found = [moment.step for moment in key_moments(record, steps_of(possible)) if isinstance(moment, Slipped)]
    assert found == [2]


def test_the_costliest_moves_are_key_moments_and_cheap_ones_are_not() -> None:
    record = told("classic", 1).record
    costs = {1: MUCH - 0.01, 2: 0.3, 3: 0.2, 5: 0.15, 6: 0.5, 9: MUCH}
    steps = [replace(step, cost=costs.get(n, 0.0)) for n, step in enumerate(steps_of([9] * (len(record.steps) - 1)))]
    found = [moment for moment in key_moments(record, steps) if isinstance(moment, Costly)]
    assert [(moment.step, moment.cost) for moment in found] == [(2, 0.3), (3, 0.2), (5, 0.15), (6, 0.5)]
    assert [moment.pawn for moment in found] == [record.steps[moment.step + 1].who for moment in found]
    assert len(found) == COSTLY


@pytest.mark.parametrize("rules", COACHED)
def test_the_first_step_at_which_a_detective_was_nearest_is_a_key_moment(rules: str) -> None:
    record = told(rules, 2).record
    found = key_moments(record, steps_of([1] * (len(record.steps) - 1)))
    (moment,) = (one for one in found if isinstance(one, Closest))

    def nearest(number: int) -> int:
        at = record.steps[number].pawns
        away = distances(record.network, at[MR_X], boats=False)
        return min(away[at[pawn]] for pawn in record.end.order)

    then = record.steps[moment.step].pawns
    assert distances(record.network, then[MR_X], boats=False)[then[moment.pawn]] == moment.moves
    assert all(nearest(number) > moment.moves for number in range(moment.step))
    assert all(nearest(number) >= moment.moves for number in range(moment.step, len(record.steps) - 1))


def test_an_announced_surfacing_counts_beyond_the_double_until_his_move_and_no_longer() -> None:
    actions = [Surface(), Double(), MrXMove(Secret(5), "taxi"), MrXMove(Secret(6), "taxi"), Double()]
    shows, found = False, []
    for action in actions:
        shows = _announces(action, shows)
        found.append(shows)
    assert found == [True, True, False, False, False]
