"""Play the other side of a lesson: the same every time, and easy to beat.

Mister X comes closer and lets himself be seen beside the detective; detectives walk to and fro.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet

from firmware_host.players.coach.coach import OwnCoach
from firmware_host.players.coach.coach_port import Coach
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Player, Position
from firmware_host.players.seats import PlayerName
from firmware_host.rules.actions import Action, MrXMove, PawnMove
from firmware_host.rules.network import Network
from firmware_host.rules.views import MrXView, PublicView
from firmware_host.table.player_maker import ThinkingTime

BLACK, TAXI = "black", "taxi"

APART = {1: 2, 2: 1, 3: 1}
"""Window of the log -> Mister X's distance from the detective; he is seen at the third."""

HIDDEN = 2
"""The window that he pays with a black ticket."""

PACE = ThinkingTime(ms=0, think_s=2.0)
"""Long enough to read a line; the player does not think."""


class LessonMaker:
    """The source of a lesson's players. Implements `PlayerMaker`."""

    programs: Collection[str] = ()

    def pace(self, name: PlayerName) -> ThinkingTime:  # noqa: ARG002 - equal for all
        """Return a player's thinking time."""
        return PACE

    def make(self, name: PlayerName) -> Player:  # noqa: ARG002 - only one kind
        """Create a player."""
        return LessonPlayer()

    def coach(self) -> Coach:
        """Create a coach. A lesson never asks for it."""
        return OwnCoach()


class LessonPlayer:
    """A player of either side of a lesson. Implements `Player`."""

    def __init__(self) -> None:
        self._pawns: tuple[str, ...] = ()
        self._came: dict[str, int] = {}
        self._answer: tuple[Action, ...] | None = None

    def begin(self, game: NewGame) -> None:
        """Begin a game."""
        self._pawns, self._came, self._answer = game.pawns, {}, None

    def ask(self, position: Position) -> None:
        """Find the answer.

        Raises:
            PlayerFailed: there is no move.
        """
        if position.private is not None:
            self._answer = (come_near(position.private),)
            return
        view = position.history.now
        move = to_and_fro(view, self._pawns, self._came)
        self._came[move.pawn] = view.pawns[move.pawn]
        self._answer = (move,)

    def answer(self) -> tuple[Action, ...] | None:
        """Return the action that was found, or None before `ask`."""
        return self._answer

    def over(self, winner: str, reason: str) -> None:
        """Do nothing: this player learns nothing from results."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def come_near(his: MrXView) -> Action:
    """Return Mister X's move that gets as near to the nearest detective as `APART` says.

    Raises:
        PlayerFailed: Mister X has no move.
    """
    view, window = his.public, len(his.public.log) + 1
    moves = [action for action in his.choices.value if isinstance(action, MrXMove)]
    paid = [move for move in moves if (move.ticket == BLACK) == (window == HIDDEN)] or moves
    if not paid:
        raise PlayerFailed("Mister X has no move in this lesson")
    far = _moves_away(view)
    wanted = APART.get(window, max(APART.values()))
    return min(
        paid, key=lambda move: (abs(far.get(move.to.value, len(far)) - wanted), move.ticket != TAXI, move.to.value)
    )


def to_and_fro(view: PublicView, pawns: Collection[str], came: Mapping[str, int]) -> PawnMove:
    """Return a detective's move back to its last station, or else to the lowest-numbered neighbour.

    Raises:
        PlayerFailed: these pawns have no move.
    """
    moves = [move for move in view.moves if move.pawn in pawns and move.pawn in view.turn]
    if not moves:
        raise PlayerFailed("the detectives have no move in this lesson")
    return min(moves, key=lambda move: (move.to != came.get(move.pawn), move.ticket != TAXI, move.to))


def _moves_away(view: PublicView) -> dict[int, int]:
    """Return each station's distance, in moves, from the nearest detective, using its tickets."""
    far = {view.pawns[pawn]: 0 for pawn in view.order if pawn in view.pawns}
    kinds = {kind for pawn in view.order for kind, left in view.tickets[pawn].items() if left}
    edge = list(far)
    while edge:
        edge = [there for here in edge for there in _beside(view.network, here, kinds) if there not in far]
        edge = [*dict.fromkeys(edge)]
        moves = 1 + max(far.values())
        far |= dict.fromkeys(edge, moves)
    return far


def _beside(network: Network, station: int, kinds: AbstractSet[str]) -> list[int]:
    return [there for there, ways in network.around(station).items() if not kinds.isdisjoint(ways)]
