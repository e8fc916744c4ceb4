"""Define the record of a finished game and the coach's analysis of it, and store analyses in files.

Only finished games get a record: `replay_finished_game`, which builds them from a journal, ensures that.

A file holds what was slow to compute: the coach's review of each step. The rest follows from the game. If a file is
missing, damaged or of another game, the coach analyses the game again.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from firmware_host.rules.actions import MR_X, Action, Commit, Double, MrXMove, PawnMove, Roll, RollAgain
from firmware_host.rules.network import Network
from firmware_host.rules.views import Outcome, PublicView
from firmware_host.system.event_log import log_fields
from firmware_host.system.files import read_small_file, replace_file

log = logging.getLogger("yardboard")


class NoSuchGame(LookupError):
    """The error that no finished game has this number."""


class CannotReplay(ValueError):
    """A finished game that cannot be replayed here. The message says why, for people."""


@dataclass(frozen=True, slots=True)
class ReplayedStep:
    """An action and the position after it.

    Attributes:
        after: seconds since the game began.
        action: the action; None for the start of the game.
        view: the public view after it.
        pawns: each pawn's station, Mister X's included once he has one.
        walked: how many stations of their routes Mister X's pawns have visited, the start included.
    """

    after: float
    action: Action | None
    view: PublicView
    pawns: Mapping[str, int]
    walked: int

    @property
    def who(self) -> str:
        """The pawn that acted, or "" for the start of a game and for dice."""
        match self.action:
            case PawnMove(pawn) | Commit(pawn):
                return pawn
            case None | Roll() | RollAgain():
                return ""
        return MR_X

    @property
    def seen(self) -> bool:
        """Whether everyone sees Mister X's station after this step."""
        return MR_X in self.view.pawns


@dataclass(frozen=True, slots=True)
class Summary:
    """A finished game as an entry of a list.

    Attributes:
        number: the game's number in the table's journal, from 1.
        rules: the name of the box.
        title: the game's title, for people.
        map: the name of the map or the tiles.
        began: when the game began, in seconds of the Unix epoch.
        ended: when the game ended, in the same unit.
        players: how many played, Mister X included.
        pawns: the detective pawns, in playing order.
        outcome: how the game ended; None only if the entry of its start or its end is damaged.
        moves: how many actions were played, without those taken back.
        trouble: why it cannot be replayed, or "".
        seats: "mr_x", or a player's number as text -> who played there: "person", or a computer by its name and level.
        names: the seats whose person gave a name -> the name.
    """

    number: int
    rules: str
    title: str
    map: str
    began: float
    ended: float
    players: int
    pawns: tuple[str, ...]
    outcome: Outcome | None
    moves: int
    trouble: str = ""
    seats: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game from its start to its end.

    Attributes:
        summary: its entry in a list.
        network: the map, or the tiles in their layout.
        options: the options that differ from the box's defaults.
        routes: each pawn of Mister X's -> its stations, the start first.
        shown: the windows at which everyone saw him.
        steps: the start, then one for each action.
    """

    summary: Summary
    network: Network = field(repr=False)
    options: Mapping[str, bool | int | str]
    routes: Mapping[str, tuple[int, ...]]
    shown: frozenset[int]
    steps: Sequence[ReplayedStep]

    @property
    def end(self) -> PublicView:
        """The public view at the end, with the whole log and route."""
        return self.steps[-1].view

    @property
    def route(self) -> tuple[int, ...]:
        """Mister X's route, secret stations included."""
        return self.routes[MR_X]


@dataclass(frozen=True, slots=True)
class AdvisedMove:
    """A move that the coach advises. It is public, because the game is over.

    Attributes:
        pawn: the pawn, Mister X's included.
        to: the station; None for Mister X's announcement of a double move.
        ticket: the ticket.
    """

    pawn: str
    to: int | None
    ticket: str

    @classmethod
    def of(cls, action: Action | None) -> AdvisedMove | None:
        """Return an action as a move. None for any other action, such as surfacing, and for no action."""
        match action:
            case PawnMove(pawn, to, ticket):
                return cls(pawn, to, ticket)
            case MrXMove(hidden, ticket):
                return cls(MR_X, hidden.value, ticket)
            case Double():
                return cls(MR_X, None, "double")
        return None


@dataclass(frozen=True, slots=True)
class AnalysedStep:
    """The coach's analysis of one step, both from what detectives knew and from what Mister X knew.

    Attributes:
        stations: Mister X's possible stations by public knowledge -> their probability, 1 in all.
        advice: the coach's advice for the next action; None if there is none.
        followed: whether the next action was the advised one.
        chance: the detectives' probability of winning by public knowledge; None if the extra `players` is not
            installed, or if the game is too large for the search.
        cost: by how much the next action lowered the acting side's winning probability; None if `chance` is None.
    """

    stations: Mapping[int, float]
    advice: AdvisedMove | None = None
    followed: bool = False
    chance: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The step that ruled out the most stations of Mister X, among the steps at which nobody saw him.

    Attributes:
        step: its number; 0 is the start of the game.
        before: the number of possible stations just before.
        after: the number afterwards.
    """

    step: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Closest:
    """The step before the last at which a detective was nearest to Mister X; the first, if there are several.

    Attributes:
        step: its number.
        pawn: the detective.
        moves: the detective's distance, in moves.
    """

    step: int
    pawn: str
    moves: int


@dataclass(frozen=True, slots=True)
class Slipped:
    """A step at which Mister X escaped: few stations were possible before it, and many after it.

    Attributes:
        step: its number.
        before: the number of possible stations just before.
        after: the number afterwards.
    """

    step: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Costly:
    """A step after which an action made the acting side much less likely to win.

    Attributes:
        step: its number; the costly action is the next step's.
        pawn: the pawn that acted.
        cost: by how much its side became less likely to win, from 0 to 1.
    """

    step: int
    pawn: str
    cost: float


Moment = Narrowed | Closest | Slipped | Costly
"""A step worth looking at."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A game's analysis: how far it is, and once it is complete, its result.

    Attributes:
        done: the number of analysed steps.
        total: the number of steps to analyse: all but the last, at which everything is public.
        steps: the analysis of each step; empty until complete.
        moments: the key moments in the order of the game; empty until complete.
        trouble: a sentence that says why there will be no analysis, or "".
    """

    done: int = 0
    total: int = 0
    steps: tuple[AnalysedStep, ...] = field(default=(), repr=False)
    moments: tuple[Moment, ...] = ()
    trouble: str = ""

    @property
    def complete(self) -> bool:
        """Whether the analysis is complete."""
        return bool(self.steps)


FOLDER = "analyses"
"""The name of the folder with the analyses."""

KEPT = 64
"""The most files, each up to a few hundred kilobytes; the oldest are deleted first."""


class AnalysisFiles:
    """The files with the analyses of one table's finished games.

    Args:
        folder: their folder; the first file creates it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, game: bytes) -> tuple[AnalysedStep, ...] | None:
        """Return a game's stored analysis. None if there is no valid one.

        Args:
            game: the game's journal entries.
        """
        import msgspec  # noqa: PLC0415 - only boards with pages have it

        try:
            return msgspec.json.decode(read_small_file(self._file(game)), type=tuple[AnalysedStep, ...])
        except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
            return None

    def write(self, game: bytes, steps: Sequence[AnalysedStep]) -> None:
        """Store a game's analysis, or log why that fails. This may wait for the disk.

        An analysis without probabilities of winning is not stored. It takes only a moment, and is better once the extra
        `players` is installed.
        """
        import msgspec  # noqa: PLC0415 - as above

        if all(step.chance is None for step in steps):
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            new = self._file(game)
            replace_file(new, msgspec.json.encode(steps))
            others = [file for file in self._folder.glob("*.json") if file != new]  # the clock may have been set back
            for file in sorted(others, key=lambda file: file.stat().st_mtime)[: 1 - KEPT]:
                file.unlink(missing_ok=True)
        except OSError as error:
            what = "%s: an analysis cannot be stored: %s"
            log.warning(what, self._folder, error.strerror or error, extra=log_fields("analysis"))

    def _file(self, game: bytes) -> Path:
        return self._folder / f"{hashlib.sha256(game).hexdigest()[:32]}.json"
