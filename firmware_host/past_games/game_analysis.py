"""Define the coach's analysis of a finished game, and keep it in files. No words.

A file holds what was slow to compute: the coach's review of each step. The rest follows from the game. A file that is
missing, damaged or of another game is ignored, and the game analysed again.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, PawnMove
from firmware_host.system.atomic_write import replace_file
from firmware_host.system.event_log import log_fields
from firmware_host.system.safe_read import read_small_file


@dataclass(frozen=True, slots=True)
class AdvisedMove:
    """The coach's move, which may be public because the game is over.

    Attributes:
        pawn: the pawn, Mister X's included.
        to: the station; None for his double move, which is announced first.
        ticket: the ticket.
    """

    pawn: str
    to: int | None
    ticket: str

    @classmethod
    def of(cls, action: Action | None) -> AdvisedMove | None:
        """Return an action as a move, or None for surfacing and taking tickets."""
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
    """The coach's analysis of one step, with detectives' public knowledge or Mister X's own.

    Attributes:
        stations: Mister X's possible stations by public knowledge -> their probability, 1 in all.
        advice: the coach's next action.
        followed: whether the next action was the same.
        chance: the detectives' probability of winning by public knowledge; None without the extra `players`.
        cost: by how much the next action lowered the acting side's winning probability; None without that extra.
    """

    stations: Mapping[int, float]
    advice: AdvisedMove | None = None
    followed: bool = False
    chance: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The step that excluded the most possible stations without Mister X being seen.

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
    """The first step with the smallest distance between a detective and Mister X.

    Attributes:
        step: its number.
        pawn: the detective.
        moves: the distance.
    """

    step: int
    pawn: str
    moves: int


@dataclass(frozen=True, slots=True)
class Slipped:
    """A step at which Mister X slipped away: few stations were possible, then more.

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
    """A step before an action that lowered the acting side's winning probability by much.

    Attributes:
        step: its number; the next action was costly.
        pawn: the pawn that acted.
        cost: by how much, from 0 to 1.
    """

    step: int
    pawn: str
    cost: float


Moment = Narrowed | Closest | Slipped | Costly
"""A step worth looking at."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The progress of a game's analysis, and its result once complete.

    Attributes:
        done: the number of analysed steps.
        total: the number of steps: all but the last, at which everything is open.
        steps: the analysis of each; empty until complete.
        moments: the key moments in the order of the game; empty until complete.
        trouble: why there will be no analysis, a sentence, or "".
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
"""The folder's name."""

KEPT = 64
"""The most files, each up to a few hundred kilobytes; the oldest go first."""

log = logging.getLogger("yardboard")


class AnalysisFiles:
    """The stored analyses of one table's finished games.

    Args:
        folder: their folder; the first file creates it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, game: bytes) -> tuple[AnalysedStep, ...] | None:
        """Return a game's stored analysis, or None if there is none or it is invalid.

        Args:
            game: the game's journal entries.
        """
        import msgspec  # noqa: PLC0415 - only boards with pages have it

        try:
            return msgspec.json.decode(read_small_file(self._file(game)), type=tuple[AnalysedStep, ...])
        except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
            return None

    def write(self, game: bytes, steps: Sequence[AnalysedStep]) -> None:
        """Store a game's analysis. Log if that fails. May wait for the disk.

        An analysis without the search is not stored: it takes only a moment, and is better once the search is there.
        """
        import msgspec  # noqa: PLC0415 - as above

        if all(step.chance is None for step in steps):
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self._file(game), msgspec.json.encode(steps))
            files = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
            for file in files[:-KEPT]:
                file.unlink(missing_ok=True)
        except OSError as error:
            what = "%s: an analysis cannot be stored: %s"
            log.warning(what, self._folder, error.strerror or error, extra=log_fields("analysis"))

    def _file(self, game: bytes) -> Path:
        return self._folder / f"{hashlib.sha256(game).hexdigest()[:32]}.json"
