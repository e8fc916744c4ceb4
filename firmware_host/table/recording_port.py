"""Define where a table can be recorded: all that comes to it from outside goes through this port, unchanged here."""

from __future__ import annotations

import random
from collections.abc import Callable

from firmware_host.config.loader import Config
from firmware_host.journal.journal import Journal
from firmware_host.referee.scene import CoachMode
from firmware_host.rules.actions import Action
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

    def new_game(self, begin: Callable[..., None]) -> Callable[..., None]:
        """Return what begins a game by no device, such as from a page; it takes what is wanted of it by name."""
        return begin

    def choose(self, choose: Callable[[Action], None]) -> Callable[[Action], None]:
        """Return what makes a choice of Mister X's by no device, such as from his page."""
        return choose

    def invite(self, invite: Callable[[tuple[str, ...]], None]) -> Callable[[tuple[str, ...]], None]:
        """Return what offers the code that makes a phone Mister X's handset."""
        return invite

    def take_back(self, take_back: Callable[[], None]) -> Callable[[], None]:
        """Return what takes a move back by no device."""
        return take_back

    def coach(self, coach: Callable[[CoachMode], None]) -> Callable[[CoachMode], None]:
        """Return what says how much the coach is to tell."""
        return coach

    def trust_switches(self, trust: Callable[..., None]) -> Callable[..., None]:
        """Return what says whether the switches are trusted, as simulated hands know them; it takes `sure` by name."""
        return trust

    def touch(self, touch: Callable[[], None]) -> Callable[[], None]:
        """Return what notes that somebody does something on a page that no device senses."""
        return touch

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
