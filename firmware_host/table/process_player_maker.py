"""Create the players of a table, each in a process of its own."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.config.loader import Config
from firmware_host.config.player_programs import full_command
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.seats import PlayerName
from firmware_host.table.player_maker import PACES, ThinkingTime

if TYPE_CHECKING:  # a table of people needs neither
    from firmware_host.players.coach.coach_port import Coach
    from firmware_host.players.player_port import Player

OWN_MEMORY = 512
"""Megabytes of data that a built-in player may use. An expert takes 150, and more at its compile."""

_TICK = 1.0
"""Extra seconds for a program to start thinking and to send its answer."""

_SHARE = 2.0
"""How much longer a program takes than its processor time, because it has the lowest priority."""


class ProcessMaker:
    """A maker of players that run as processes. Implements `PlayerMaker`.

    Args:
        config: the table's configuration; `[players.NAME]` are its player programs.
    """

    def __init__(self, config: Config) -> None:
        self._folder, self._programs = config.folder.absolute(), config.players
        self._kept = config.private_folders() if config.players else ()

    @property
    def programs(self) -> Collection[str]:
        """Return the names of the players that the configuration adds to the built-in ones."""
        return self._programs.keys()

    def pace(self, name: PlayerName) -> ThinkingTime:
        """Return how long a player takes: a built-in one by its level, a program by its configured time."""
        if not name.name:
            return PACES[name.level]
        ms = self._programs[name.name].ms
        return ThinkingTime(ms=ms, think_s=_TICK + _SHARE * ms / 1000)

    def make(self, name: PlayerName) -> Player:
        """Create a player. Its program starts with its first game.

        Raises:
            PlayerFailed: the configuration has no such player.
        """
        from firmware_host.players.protocol.limited_process import own_command, own_environment  # noqa: PLC0415 - people need none
        from firmware_host.players.protocol.player_process import Command, PlayerProcess  # noqa: PLC0415 - people need none

        if not name.name:
            own = own_command("player", "--level", name.level)
            return PlayerProcess(Command(own, Path("/"), own_environment(), OWN_MEMORY))
        section = self._programs.get(name.name)
        if section is None:
            raise PlayerFailed("it is no longer in the configuration")
        words = full_command(section, self._folder)
        return PlayerProcess(Command(words, self._folder, {}, section.memory_mb, name.name, self._kept))

    def coach(self) -> Coach:
        """Create a coach. Its program starts with its first game."""
        from firmware_host.players.protocol.coach_process import CoachProcess  # noqa: PLC0415 - few ask for one

        return CoachProcess()
