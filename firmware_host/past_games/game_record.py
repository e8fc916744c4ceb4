"""Define the record of a finished game, step by step and without secrets. No words.

Only finished games get a record: `replay_finished_game`, which builds them from a journal, ensures that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from firmware_host.rules.actions import MR_X, Action, Commit, PawnMove, Roll, RollAgain
from firmware_host.rules.network import Network
from firmware_host.rules.views import Outcome, PublicView


class NoSuchGame(LookupError):
    """There is no finished game with that number."""


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
        """The pawn that acted, or "" for the start of the game and for dice."""
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
    """A game's entry in a list.

    Attributes:
        number: the game's number in the table's journal, from 1.
        rules: the rule system's name.
        title: the game's title, for people.
        map: the name of the map or the tiles.
        began: when, in seconds of the Unix epoch.
        ended: when, likewise.
        players: how many played, Mister X included.
        pawns: the detective pawns, in playing order.
        outcome: how it ended; None only if that is no longer readable.
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
        """Mister X's own route."""
        return self.routes[MR_X]
