"""Define what a computer player is: told of a game, asked for moves, and what it may know.

A detectives' player is handed nothing but what everyone knows. That is so by construction: what it gets is built here
and in `public_history` from public views and public data alone, and only Mister X's player gets his view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from firmware_host.players.public_history import PublicHistory
from firmware_host.players.seats import DETECTIVES
from firmware_host.rules.actions import MR_X, Action
from firmware_host.rules.game import Game
from firmware_host.rules.network import Network
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Box, Option, Setup
from firmware_host.rules.views import MrXView

Role = Literal["mr_x", "detectives"]
"""Which side a player is on."""

Clock = Literal["cpu", "wall"]
"""What an answer's time is counted by: the processor's, whatever others do, or the clock on the wall."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game as a player is told of it before the first move. Nothing in it is hidden, whatever the role.

    Attributes:
        box: the box that is played.
        network: the map in play, or the tiles as they lie.
        owners: the detective pawns in playing order, each with the player (from 1) who moves it.
        start: the pawns that everyone sees before the first move -> their stations.
        cards: the start cards that Mister X's is one of; empty where he draws none.
        options: the options that differ from the box's own.
        layout: how the tiles lie, or "".
        role: `MR_X` or `DETECTIVES`.
        pawns: the pawns that the player moves.
        seed: of all its chance.
        level: how well it shall play, a word of its own such as "easy"; "" for as well as it can.
        ms: milliseconds that it has for each answer.
        clock: "cpu" if they are milliseconds of processor time, "wall" if they are those of the clock on the wall.
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
        """Return what the player of these pawns is told of a game that begins like this."""
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
        """The setup as everyone knows it: Mister X's station is 0 unless he begins in the open."""
        start = {pawn: station for pawn, station in self.start.items() if pawn != MR_X}
        mr_x = Secret(self.start.get(MR_X, 0))
        return Setup(self.box, self.network, self.owners, start, mr_x, self.options, self.layout)


@dataclass(frozen=True, slots=True)
class Position:
    """Where a game stands as a player may know it.

    Attributes:
        history: all that everyone has seen; `history.now` is the view of this moment.
        private: Mister X's own view, for his player alone; None for a detectives' player, always.
    """

    history: PublicHistory
    private: MrXView | None = None


class Player(Protocol):
    """One computer player of one seat. It lives through one game or many, and nothing here ever waits for it."""

    def begin(self, game: NewGame) -> None:
        """Begin to play a game; whatever was played before is over. Returns at once; may be asked at once.

        Raises:
            PlayerFailed: it cannot play.
        """

    def ask(self, position: Position) -> None:
        """Have it think about what to do now. Returns at once; what was asked before is void.

        Raises:
            PlayerFailed: it does not play any more.
        """

    def answer(self) -> tuple[Action, ...] | None:
        """Return what it will do, in order, once it knows; None while it thinks. Returns at once.

        A detectives' player answers with one action, for one of its pawns. Mister X's may answer with several, such as
        a double move; `PlayerFailed` is raised, not returned, where it will never answer.

        Raises:
            PlayerFailed: it has died, is late or has answered nonsense.
        """

    def over(self, winner: str, reason: str) -> None:
        """Tell it how the game has ended; both are words of the rules' `Outcome`. Raises nothing."""

    def close(self) -> None:
        """Let it go; nothing may be asked of it afterwards. Raises nothing, may be called twice."""
