"""Define where a table can be recorded: all that comes to it from outside goes through this port, unchanged here."""

from __future__ import annotations

import random
from collections.abc import Callable

from firmware_host.config.loader import Config
from firmware_host.journal.journal import Journal
from firmware_host.table.commands import Do
from firmware_host.table.player_maker import PlayerMaker
from hardware.backend import Backend


class Recording:
    """Record a table; this one records nothing, and everything stays as it is."""

    def begin(self, config: Config, *, resume: bool) -> Recording:  # noqa: ARG002 - whoever makes tapes needs them
        """Return what records the table from a start on."""
        return self

    def stop(self) -> None:
        """End the recording: the table is over, or starts anew."""

    def discard(self) -> None:
        """Drop the recording: the table was not begun after all."""

    def journal(self, journal: Journal) -> Journal:
        """Return the journal for the table."""
        return journal

    def listen(self, journal: Journal) -> None:
        """Tell here from now on how the entries of a journal fare that another tape of the table had before."""

    def door(self, do: Do) -> Do:
        """Return the door to the table: what carries out commands."""
        return do

    def backend(self, backend: Backend) -> Backend:
        """Return the devices for the table."""
        return backend

    def chance(self, chance: random.Random) -> random.Random:
        """Return the chance for the table."""
        return chance

    def players(self, players: PlayerMaker) -> PlayerMaker:
        """Return where the table's computer players come from."""
        return players

    def wall(self, wall: Callable[[], float]) -> Callable[[], float]:
        """Return the wall clock for the table."""
        return wall

    def step(self, step: Callable[[], None]) -> Callable[[], None]:
        """Return the pass for the table."""
        return step
