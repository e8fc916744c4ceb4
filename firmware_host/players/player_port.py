"""Define the interface of computer players, and the knowledge that each may have.

A detectives' player gets public knowledge only. This holds by construction: this module builds its input
from public views and public data, and only Mister X's player gets his view.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, Protocol

from firmware_host.rules.actions import DETECTIVES, MR_X, Action, PawnMove, Roll, RollAgain, Take
from firmware_host.rules.game import Game
from firmware_host.rules.network import Network
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Box, Option, Setup
from firmware_host.rules.views import LogEntry, MrXView, PublicView

SeenAction = PawnMove | Roll | RollAgain | Take
"""The public actions. Of Mister X's, only `Take` is among them: log and views show what is known of the others."""


@dataclass(frozen=True, slots=True)
class Appeared:
    """The event that Mister X's pawn appeared at its destination at the end of a round (JU-07)."""

    pawn: str
    station: int


SeenEvent = LogEntry | SeenAction | Appeared
"""A past event as everyone knows it: Mister X's move is the entry in his log."""


@dataclass(frozen=True, slots=True)
class PublicHistory:
    """The public history of one game. It is immutable: `see` and `forget` return another history.

    Attributes:
        views: the public views: before the first action, and after each.
        done: for each view but the first, the public action just before it; None if only the views show it.
    """

    views: tuple[PublicView, ...] = field(repr=False)
    done: tuple[SeenAction | None, ...] = ()

    @classmethod
    def begin(cls, view: PublicView) -> PublicHistory:
        """Return the history of a game before its first action."""
        return cls((view,))

    @classmethod
    def of(cls, game: Game) -> PublicHistory:
        """Return the history of a game so far."""
        again = Game(game.setup)
        history = cls.begin(again.public)
        for action in game.actions:
            again.play(action)
            history = history.see(again.public, action)
        return history

    @property
    def now(self) -> PublicView:
        """The current public view."""
        return self.views[-1]

    def see(self, view: PublicView, action: Action | None) -> PublicHistory:
        """Return the history after one more action. A secret action is not recorded in it."""
        seen = action if isinstance(action, SeenAction) else None
        return PublicHistory((*self.views, view), (*self.done, seen))

    def follow(self, game: Game) -> PublicHistory:
        """Return the history after one more action or an undo. Return this same object if nothing changed."""
        history, done = self, len(self.done)
        for _ in range(done - len(game.actions)):
            history = history.forget()
        return history.see(game.public, game.actions[-1]) if len(game.actions) > done else history

    def forget(self) -> PublicHistory:
        """Return the history without the last action, because that was taken back."""
        return PublicHistory(self.views[:-1], self.done[:-1])

    @property
    def events(self) -> tuple[SeenEvent, ...]:
        """All public events in order. A log entry also shows a station that was uncovered later."""
        return tuple(self._events())

    def _events(self) -> Iterator[SeenEvent]:
        log = self.now.log
        for (before, after), action in zip(pairwise(self.views), self.done, strict=True):
            if action is not None:
                yield action
            yield from log[len(before.log) : len(after.log)]
            if not after.windows and (after.round, after.outcome) != (before.round, before.outcome):
                yield from (Appeared(pawn, after.pawns[pawn]) for pawn in after.fugitives)


Role = Literal["mr_x", "detectives"]
"""Which side a player is on."""

Clock = Literal["cpu", "wall"]
"""The clock of an answer's time: the thread's processor time, or wall-clock time."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A player's knowledge of a new game before the first move. Nothing in it is hidden.

    Attributes:
        box: the box that is played.
        network: the map in play, or the tiles in their layout.
        owners: the detective pawns in playing order, each with the player (from 1) who moves it.
        start: the pawns that everyone sees before the first move -> their stations.
        cards: the start cards from which Mister X draws; empty if he draws none.
        options: the options that differ from the box's defaults.
        layout: the layout of the tiles, or "".
        role: `MR_X` or `DETECTIVES`.
        pawns: the pawns that the player moves.
        seed: the seed of the player's random choices.
        level: how well to play, such as "easy"; "" for as well as possible.
        ms: milliseconds for each answer; 0: as many as the level has.
        clock: "cpu" for milliseconds of processor time, "wall" for wall-clock time.
    """

    box: Box = field(repr=False)
    network: Network = field(repr=False)
    owners: Mapping[str, int]
    start: Mapping[str, int]
    cards: tuple[int, ...]
    options: Mapping[str, Option]
    layout: str
    role: Role
    pawns: tuple[str, ...]
    seed: int
    level: str
    ms: int
    clock: Clock = "cpu"

    @classmethod
    def of(cls, setup: Setup, pawns: tuple[str, ...], *, seed: int, level: str, ms: int) -> NewGame:
        """Return the knowledge of a new game that the player of these pawns has."""
        first = Game(setup).public
        return cls(
            box=setup.edition,
            network=setup.network,
            owners=dict(setup.owners),
            start=dict(first.pawns),
            cards=setup.edition.mr_x_starts(setup.network),
            options=dict(setup.options),
            layout=setup.layout,
            role=MR_X if pawns[0] in first.fugitives else DETECTIVES,
            pawns=pawns,
            seed=seed,
            level=level,
            ms=ms,
        )

    @property
    def setup(self) -> Setup:
        """The setup as everyone knows it. Mister X's station is 0 unless he starts visibly."""
        start = {pawn: station for pawn, station in self.start.items() if pawn != MR_X}
        mr_x = Secret(self.start.get(MR_X, 0))
        return Setup(self.box, self.network, self.owners, start, mr_x, self.options, self.layout)


@dataclass(frozen=True, slots=True)
class Position:
    """The part of a position that a player may know.

    Attributes:
        history: the public history; `history.now` is the current view.
        private: Mister X's own view, for his player only; always None for a detectives' player.
    """

    history: PublicHistory
    private: MrXView | None = None


class Player(Protocol):
    """The interface of a computer player of one seat, for one game after another.

    No method blocks, except that an `InstantPlayer` thinks in `ask`.
    """

    def begin(self, game: NewGame) -> None:
        """Start a game, and end the previous one. Return at once. `ask` may follow at once.

        Raises:
            PlayerFailed: the player cannot play it.
        """

    def ask(self, position: Position) -> None:
        """Start to think about the next action. Return at once. An earlier question no longer counts.

        Raises:
            PlayerFailed: the player can no longer play.
        """

    def answer(self) -> tuple[Action, ...] | None:
        """Return the player's actions, in order, or None while it is thinking. Return at once.

        A detectives' player answers with one action, for one of its pawns. Mister X's may answer with several, such as
        a double move. If no answer will ever come, `PlayerFailed` is raised.

        Raises:
            PlayerFailed: the player has died, is late or has sent nonsense.
        """

    def over(self, winner: str, reason: str) -> None:
        """Report the end of the game, in the words of the rules' `Outcome`. This raises nothing."""

    def close(self) -> None:
        """Release the player, which may not be used afterwards. This raises nothing and may be called twice."""


class InstantPlayer:
    """Base class of players that find their answer in `ask` and in this process."""

    def __init__(self) -> None:
        self._answer: tuple[Action, ...] | None = None

    def answer(self) -> tuple[Action, ...] | None:
        """Return the actions that were found, or None before `ask`."""
        return self._answer

    def over(self, winner: str, reason: str) -> None:
        """Do nothing: this player learns nothing from results."""

    def close(self) -> None:
        """Do nothing: this player holds no resources."""
