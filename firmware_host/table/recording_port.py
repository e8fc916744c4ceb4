"""The port for recording a table: all input from outside passes through it, by default unchanged."""

from __future__ import annotations

import random
from collections.abc import Callable

from firmware_host.config.loader import Config
from firmware_host.journal.journal import Journal
from firmware_host.table.commands import Do
from firmware_host.table.player_maker import PlayerMaker
from hardware.backend import Backend


class Recording:
    """A recorder that records nothing and returns everything unchanged."""

    def begin(self, config: Config, *, resume: bool) -> Recording:  # noqa: ARG002 - a recorder of tapes needs them
        """Return the recorder for a table that starts now."""
        return self

    def stop(self) -> None:
        """End the recording, because the table is closed or restarts."""

    def discard(self) -> None:
        """Delete the recording, because the table did not start after all."""

    def journal(self, journal: Journal) -> Journal:
        """Return the journal for the table, wrapped if it is recorded."""
        return journal

    def listen(self, journal: Journal) -> None:
        """Take over recording the journal from the previous tape."""

    def door(self, do: Do) -> Do:
        """Return the function that carries out commands, wrapped if it is recorded."""
        return do

    def backend(self, backend: Backend) -> Backend:
        """Return the devices for the table, wrapped if they are recorded."""
        return backend

    def rng(self, rng: random.Random) -> random.Random:
        """Return the rng for the table, wrapped if it is recorded."""
        return rng

    def players(self, players: PlayerMaker) -> PlayerMaker:
        """Return the maker of computer players, wrapped if it is recorded."""
        return players

    def wall(self, wall: Callable[[], float]) -> Callable[[], float]:
        """Return the wall clock for the table, wrapped if it is recorded."""
        return wall

    def step(self, step: Callable[[], None]) -> Callable[[], None]:
        """Return the function that makes one pass of the table, wrapped if it is recorded."""
        return step
