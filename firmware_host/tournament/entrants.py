"""Read who takes part in a tournament, and make them players."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from firmware_host.config.loader import Config
from firmware_host.config.player_programs import full_command
from firmware_host.players.levels.level_player import LevelPlayer
from firmware_host.players.levels.levels import LEVELS, Level, levels_of
from firmware_host.players.player_port import Player
from firmware_host.players.protocol.player_process import Command, PlayerProcess
from firmware_host.rules.setup import Box

_NUMBER = re.compile(r"[0-9]{1,9}")


class TournamentError(ValueError):
    """A tournament cannot be played like this; the message says why, and what would be right."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes part: a player of our own.

    Attributes:
        name: its name in results.
        level: how it plays, with the time that it has.
    """

    name: str
    level: Level

    clock: ClassVar = staticmethod(time.thread_time)
    """What its answers are timed by, in seconds: the processor time of this thread, which plays."""

    timed_by: ClassVar[str] = "of processor time"

    def player(self) -> Player:
        """Return a player, for any number of games."""
        return LevelPlayer(self.level)


@dataclass(frozen=True, slots=True)
class Program:
    """A program of somebody's own, as a configuration names it.

    Attributes:
        words: the program and its arguments.
        folder: where it runs; on a cluster it has to be there on every worker.
        memory_mb: megabytes of data that each of its processes may have.
        ms: milliseconds that an answer may take.
        name: its name in the configuration.
        kept: folders that it must not see.
    """

    words: tuple[str, ...]
    folder: Path
    memory_mb: int
    ms: int
    name: str
    kept: tuple[Path, ...]


def programs(config: Config) -> Mapping[str, Program]:
    """Return the programs of a configuration by their names."""
    folder, kept = config.folder.absolute(), config.private_folders()
    return {
        name: Program(full_command(section, folder), folder, section.memory_mb, section.ms, name, kept)
        for name, section in config.players.items()
    }


@dataclass(frozen=True, slots=True)
class ProgramEntrant(Entrant):
    """A program that takes part: a process for each game.

    Attributes:
        program: how it is run.
    """

    program: Program

    clock: ClassVar = staticmethod(time.monotonic)
    """The clock on the wall: it is another process that thinks."""

    timed_by: ClassVar[str] = "on the clock"

    def player(self) -> Player:
        """Return a player, for any number of games."""
        own = self.program
        return PlayerProcess(Command(own.words, own.folder, {}, own.memory_mb, own.name, own.kept))


def entrant(text: str, box: Box, ms: int | None = None, others: Mapping[str, Program] | None = None) -> Entrant:
    """Return who is meant by "LEVEL", "LEVEL@MS", or the same of a program: "NAME", "NAME/LEVEL", "NAME/LEVEL@MS".

    Args:
        text: what was written.
        box: what is played.
        ms: the time of who has none of its own; None: the level's, or the program's.
        others: the programs that there are beside our levels.

    Raises:
        TournamentError: nobody is meant, or it does not play this box.
    """
    who, at, own = text.partition("@")
    name, _, word = who.partition("/")
    if at and not (_NUMBER.fullmatch(own) and 1 <= int(own) <= 600_000):
        raise TournamentError(f"{text:.60}: after @ write milliseconds from 1 to 600000, such as {who:.60}@100")
    wanted = int(own) if at else ms
    if others and name in others:
        usual = others[name].ms
        level = Level(word, "", wanted or usual, 0)
        return ProgramEntrant(who if level.ms == usual else f"{who}@{level.ms}", level, others[name])
    if who not in levels_of(box):
        raise TournamentError(f"{text}: who plays {box.name} here is {', '.join((*levels_of(box), *(others or ())))}")
    level = LEVELS[who]
    return Entrant(who if wanted in (None, level.ms) else f"{who}@{wanted}", replace(level, ms=wanted or level.ms))
