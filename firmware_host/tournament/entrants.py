"""Define who takes part in a tournament, pair entrants on the same deals, and create their players."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import ClassVar

from firmware_host.config.loader import Config, simulator, with_rules
from firmware_host.config.player_programs import full_command
from firmware_host.players.levels.level_player import LevelPlayer
from firmware_host.players.levels.levels import LEVELS, Level, levels_of
from firmware_host.players.player_port import Player
from firmware_host.players.protocol.player_process import Command, PlayerProcess
from firmware_host.rules.engines import system
from firmware_host.rules.setup import Box, Option, Setup, Wish

_NUMBER = re.compile(r"[0-9]{1,9}")


class TournamentError(ValueError):
    """A tournament that cannot be played. The message says why, and what would be right."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """One of yardboard's own players as an entrant.

    Attributes:
        name: its name in results.
        level: its level, with its thinking time.
    """

    name: str
    level: Level

    clock: ClassVar = staticmethod(time.thread_time)
    """The clock of its answers, in seconds: the processor time of the playing thread."""

    timed_by: ClassVar[str] = "of processor time"

    def player(self) -> Player:
        """Create a player, for any number of games."""
        return LevelPlayer(self.level)


@dataclass(frozen=True, slots=True)
class Program:
    """A user's program, as a configuration defines it.

    Attributes:
        words: the program and its arguments.
        folder: the working folder; on a cluster it must exist on every worker.
        memory_mb: megabytes of data that each of its processes may have.
        ms: most milliseconds for an answer.
        name: its name in the configuration.
        kept: folders that the program must not see.
    """

    words: tuple[str, ...]
    folder: Path
    memory_mb: int
    ms: int
    name: str
    kept: tuple[Path, ...]


def programs(config: Config) -> Mapping[str, Program]:
    """Return the programs of a configuration by name."""
    folder, kept = config.folder.absolute(), config.private_folders()
    return {
        name: Program(full_command(section, folder), folder, section.memory_mb, section.ms, name, kept)
        for name, section in config.players.items()
    }


@dataclass(frozen=True, slots=True)
class ProgramEntrant(Entrant):
    """A user's program as an entrant, with a process of its own for each game.

    Attributes:
        program: how to run it.
    """

    program: Program

    clock: ClassVar = staticmethod(time.monotonic)
    """The clock of its answers, in seconds: wall-clock time, because another process thinks."""

    timed_by: ClassVar[str] = "on the clock"

    def player(self) -> Player:
        """Create a player that runs the program."""
        own = self.program
        return PlayerProcess(Command(own.words, own.folder, {}, own.memory_mb, own.name, own.kept))


def entrant(text: str, box: Box, ms: int | None = None, others: Mapping[str, Program] | None = None) -> Entrant:
    """Return the entrant that a text names: "LEVEL", "LEVEL@MS", "NAME", "NAME/LEVEL" or "NAME/LEVEL@MS".

    Args:
        text: the text.
        box: the box that is played.
        ms: milliseconds for each answer if the text names none; None: the level's or the program's own time.
        others: name -> program, for the programs that may play besides our levels.

    Raises:
        TournamentError: there is no such entrant, it does not play this box, or the number after @ is wrong.
    """
    who, at, own = text.partition("@")
    name, slash, word = who.partition("/")
    if at and not (_NUMBER.fullmatch(own) and 1 <= int(own) <= 600_000):
        raise TournamentError(f"{text:.60}: after @ write milliseconds from 1 to 600000, such as {who:.60}@100")
    wanted = int(own) if at else ms
    if others and name in others and (word or not slash):
        usual = others[name].ms
        level = Level(word, wanted or usual, 0)
        return ProgramEntrant(who if level.ms == usual else f"{who}@{level.ms}", level, others[name])
    if who not in levels_of(box):
        known = ", ".join((*levels_of(box), *(others or ())))
        what = f"does not play {box.name}" if who in LEVELS else "unknown player"
        hint = "" if others or who in LEVELS else "; to add the programs of a configuration, name it: --config FILE"
        raise TournamentError(f"{text}: {what}; players are {known}{hint}")
    level = LEVELS[who]
    return Entrant(who if wanted in (None, level.ms) else f"{who}@{wanted}", replace(level, ms=wanted or level.ms))


@lru_cache(maxsize=8)
def _table(rules: str) -> Config:
    """Return a table's configuration with these rules. It is cached: games share what is computed for its map."""
    return with_rules(simulator(), rules)


def _is_same(value: Option, own: Option | None) -> bool:
    """Return whether two values are equal, of the same type: 1 is not true."""
    return type(value) is type(own) and value == own


@dataclass(frozen=True, slots=True)
class Terms:
    """The settings that all games of a tournament have in common.

    Attributes:
        rules: the box's name.
        players: how many play, Mister X included; 0: the usual number.
        options: name -> value of the options that differ from the box's defaults, sorted.
        seed: the seed of all deals and random choices.
    """

    rules: str
    players: int
    options: tuple[tuple[str, Option], ...]
    seed: int

    @classmethod
    def of(cls, rules: str, players: int, options: Mapping[str, Option], seed: int) -> Terms:
        """Return the terms of a tournament, without options that have the box's default value."""
        own = _table(rules).edition.options
        differing = {name: value for name, value in options.items() if not _is_same(value, own.get(name))}
        return cls(rules, players, tuple(sorted(differing.items())), seed)

    @property
    def box(self) -> Box:
        """The box of the games that are played."""
        return _table(self.rules).edition

    def deal(self, number: int) -> Setup:
        """Return the deal with this number: the same start positions for the same number.

        Raises:
            BadSetup: the box cannot be played like this.
        """
        wish = Wish(players=self.players or None, options=dict(self.options))
        config = _table(self.rules)
        return system(config.edition).deal(config.ground, wish, self.rng(number))

    def rng(self, number: int, of: str = "") -> random.Random:
        """Return an rng for the purpose `of` in a deal. The same arguments always give the same numbers."""
        return random.Random(f"{self.seed} {number} {of}")  # noqa: S311 - repeatable by seed


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to play: the entrant as Mister X, the entrant as detectives, and the deal."""

    terms: Terms
    deal: int
    mr_x: Entrant
    detectives: Entrant

    def __str__(self) -> str:
        return f"{self.mr_x.name} as Mister X against {self.detectives.name} on deal {self.deal}"


def pairings(terms: Terms, entrants: Sequence[Entrant], games: int) -> list[Pairing]:
    """Return all games of every pair of entrants, with the two games of a deal next to each other."""
    return [
        Pairing(terms, deal, *sides)
        for deal in range(games // 2)
        for one, other in combinations(entrants, 2)
        for sides in ((one, other), (other, one))
    ]


def options_text(options: Mapping[str, Option]) -> str:
    """Return options as a text that is the same for equal options, and only for those."""
    words = {name: str(value).lower() if type(value) is bool else value for name, value in options.items()}
    return " ".join(f"{name}={word}" for name, word in sorted(words.items()))
