"""Define the record of a finished game, step by step with everything open. No words.

Only a game that is over is ever told; `replay_finished_game`, which makes a record out of a journal, sees to that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from firmware_host.rules.actions import MR_X, Action, Commit, PawnMove, Roll, RollAgain
from firmware_host.rules.network import Network
from firmware_host.rules.views import Outcome, PublicView


class NoSuchGame(LookupError):
    """There is no finished game of that number."""


class Untellable(ValueError):
    """A finished game that cannot be told here; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class ReplayedStep:
    """One thing that was done, and how the table stood after it.

    Attributes:
        after: seconds since the game began.
        action: what was done; None for the start of the game.
        view: what everyone saw after it.
        pawns: where each pawn stands, Mister X's own included as soon as he is anywhere.
        walked: how many stations of their routes Mister X's pawns have been to, the start included.
    """

    after: float
    action: Action | None
    view: PublicView
    pawns: Mapping[str, int]
    walked: int

    @property
    def who(self) -> str:
        """The pawn that did it; "" for the start of the game and for dice."""
        match self.action:
            case PawnMove(pawn) | Commit(pawn):
                return pawn
            case None | Roll() | RollAgain():
                return ""
        return MR_X

    @property
    def seen(self) -> bool:
        """Whether everyone saw where Mister X is."""
        return MR_X in self.view.pawns


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list of games says of one.

    Attributes:
        number: which game of the table's journal it is, from 1.
        rules: the rule system's name.
        title: what it is called, for people.
        map: the name of the map or the tiles.
        began: when, in seconds of the Unix epoch.
        ended: when, likewise.
        players: how many played, Mister X included.
        pawns: the detective pawns, in playing order.
        outcome: how it ended; None only where that cannot be read any more.
        moves: how many actions were played, those taken back left out.
        trouble: why it cannot be told step by step, or "".
        seats: "mr_x", or a player's number as text -> who played there: "person", or a computer by its name and level.
        names: those seats whose person gave a name -> what they are called.
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
        summary: what a list says of it.
        network: the map, or the tiles as they lay.
        options: those that differ from the box's own.
        routes: each of these pawns -> its stations, the start first.
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
        """What everyone saw at the end: all, his log and his route included."""
        return self.steps[-1].view

    @property
    def route(self) -> tuple[int, ...]:
        """Mister X's own."""
        return self.routes[MR_X]
