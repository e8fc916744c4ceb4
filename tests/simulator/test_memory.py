"""A table that changes its board and its tiles with every game keeps no more for it."""

from __future__ import annotations

import logging
import re
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from firmware_host.config import shipped_files
from firmware_host.journal.journal import Finished
from firmware_host.past_games.finished_games import KEPT, Archive
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.scripting import ScriptSession
from tests.journal.random_journals import config, finished
from tests.simulator.memory_over_hours import PLANS, LongSession, Taken, grown, kept

TABLE, PICTURE = 57, 113
"""Megabytes that were measured of a table with its pages open, and of the process that draws a picture."""

ZERO_2 = 416
"""Megabytes that a Zero 2 has beside what its firmware takes."""


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """A log of which no line is kept for the test's report."""
    log = logging.getLogger("yardboard")
    level = log.level
    log.setLevel(logging.CRITICAL)
    yield
    log.setLevel(level)


def growth(do: Callable[[], object], *, warm: int, times: int) -> float:
    """How many objects each time leaves behind, after so many that fill what is remembered."""
    for _ in range(warm):
        do()
    before = kept()
    for _ in range(times):
        do()
    return (kept() - before) / times


@pytest.mark.long
def test_a_session_that_goes_from_board_to_board_keeps_nothing_of_a_game() -> None:
    with ScriptSession() as table:
        session = LongSession(table)

        def evening() -> None:
            for rules in ("classic", "us", "junior"):  # a board each
                session.game(PLANS[rules], most=1)

        assert growth(evening, warm=2, times=3) < 100  # a board read anew takes thousands


@pytest.mark.long
def test_other_tiles_in_each_game_are_not_kept() -> None:
    simulated = SimulatedTable(config("dice"))
    seeds = iter(range(1000))
    assert growth(lambda: simulated.new_game(seed=next(seeds)), warm=20, times=10) < 30
    simulated.close()


class ManyGames:
    """As many finished games as one likes, each with texts of its own."""

    def __init__(self, record: Finished) -> None:
        self._record = record
        self.newest_finished = 3 * KEPT
        self.writing = False

    def finished(self, after: int = 0, most: int = 1) -> list[Finished]:
        def own(number: int) -> Finished:
            entries = tuple((at, kind, f"{text} "[:-1]) for at, kind, text in self._record.entries)
            return replace(self._record, number=number, entries=entries)

        return [own(number) for number in range(after + 1, self.newest_finished + 1)][-most:]


def test_a_full_archive_takes_less_than_half_a_megabyte() -> None:
    games, archive = ManyGames(finished("classic", 1)[1]), Archive(config())
    archive.follow(ManyGames(finished("classic", 2)[1]))
    games.newest_finished += KEPT
    tracemalloc.start()
    archive.follow(games)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert archive.newest == games.newest_finished
    assert held < 500_000
    assert sys.getsizeof(finished("classic", 1)[1].entries) > 500  # such a game is none of a few lines


def test_what_grew_in_a_hundred_hours_is_told() -> None:
    taken = [Taken(hours, 3 * int(hours), 80_000, 190_000, 40.0) for hours in (1.0, 10.0, 50.0, 100.0)]
    assert grown(taken) == []
    assert grown([replace(taken[0], resident=20.0), *taken[1:]]) == []  # it may fill up at first
    assert len(grown([*taken[:-1], replace(taken[-1], objects=82_000, resident=45.0)])) == 2


def test_the_service_may_take_more_than_a_table_does_and_less_than_the_smallest_pi_has() -> None:
    unit = (shipped_files.service_folder() / "yardboard.service").read_text("utf-8")
    (megabytes,) = re.findall(r"^MemoryMax=(\d+)M$", unit, re.MULTILINE)
    assert TABLE + PICTURE < int(megabytes) <= ZERO_2 - 128
    assert "\nOOMPolicy=continue\n" in unit  # the picture's process alone goes
