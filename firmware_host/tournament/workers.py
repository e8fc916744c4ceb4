"""Play the games of a tournament on all cores, one game a task."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator

from firmware_host.tournament.one_game import Result, play
from firmware_host.tournament.pairings import Pairing


def play_all(games: list[Pairing], jobs: int) -> Iterator[Result]:
    """Play games, and give each result as it comes; in order with one job, which is this process."""
    if jobs == 1:
        yield from map(play, games)
        return
    with multiprocessing.get_context("spawn").Pool(min(jobs, len(games) or 1)) as pool:
        yield from pool.imap_unordered(play, games)
