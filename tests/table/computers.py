"""Computer players for tests, which play scripted moves, or fail on request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from firmware_host.config.loader import Config
from firmware_host.players.coach.coach import OwnCoach
from firmware_host.players.coach.coach_port import Coach
from firmware_host.players.heuristic.heuristic import HeuristicPlayer
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Player, Position
from firmware_host.players.seats import PlayerName
from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import Action, PawnMove
from firmware_host.simulator import IN_MEMORY, SimulatedTable
from firmware_host.table.player_maker import ThinkingTime
from tests.table.played_table import carry, go

THINKS = 2.0
"""Seconds after which the table moves for a player that does not answer in these tests."""

RED_TO_46 = PawnMove("red", 46, "underground")
"""A move of red, which stands on 74 in these tests."""


class Scripted:
    """A player of scripted moves, in order, whatever the table asks. Implements `Player`.

    Attributes:
        asked: the positions of its questions.
        told: the games that it has begun.
        ended: how its games ended.
        closed: whether it was closed.
    """

    def __init__(self, answers: Iterable[Iterable[Action]] = ()) -> None:
        self._answers = [tuple(answer) for answer in answers]
        self.asked: list[Position] = []
        self.told: list[NewGame] = []
        self.ended: list[tuple[str, str]] = []
        self.closed = False

    def begin(self, game: NewGame) -> None:
        self.told.append(game)

    def ask(self, position: Position) -> None:
        self.asked.append(position)

    def answer(self) -> tuple[Action, ...] | None:
        return self._answers[len(self.asked) - 1] if len(self.asked) <= len(self._answers) else None

    def over(self, winner: str, reason: str) -> None:
        self.ended.append((winner, reason))

    def close(self) -> None:
        self.closed = True


class Dying(HeuristicPlayer):
    """A heuristic player that dies at the n-th question; `hangs`: it never answers instead."""

    def __init__(self, at: int = 1, *, hangs: bool = False) -> None:
        super().__init__()
        self._left, self._hangs = at, hangs

    def ask(self, position: Position) -> None:
        self._left -= 1
        if self._left <= 0 and not self._hangs:
            raise PlayerFailed("it has died")
        super().ask(position)

    def answer(self) -> tuple[Action, ...] | None:
        return None if self._left <= 0 else super().answer()


class Makers:
    """A maker of players for the levels that a test defines. Implements `PlayerMaker`."""

    def __init__(
        self,
        makers: Mapping[str, Callable[[], Player]] | None = None,
        *,
        think: float = THINKS,
        programs: Collection[str] = (),
    ) -> None:
        self.programs = programs
        self._makers = dict(makers or {})
        self._think = think
        self.made: list[tuple[str, Player]] = []

    def pace(self, name: PlayerName) -> ThinkingTime:  # noqa: ARG002 - all of them are as slow
        return ThinkingTime(ms=1, think_s=self._think, first_s=10.0, late_s=6.0)

    def make(self, name: PlayerName) -> Player:
        player = self._makers.get(name.level, HeuristicPlayer)()
        self.made.append((name.level, player))
        return player

    def coach(self) -> Coach:
        return OwnCoach()


def seated(
    seats: Mapping[str, str],
    makers: Makers | None = None,
    conf: Config | None = None,
    *,
    mr_x: int = 197,
    journal: str = IN_MEMORY,
    **start: int,
) -> SimulatedTable:
    """Return a table with computers on some seats, and its pawns set up."""
    p = SimulatedTable(conf, journal=journal, players=makers or Makers(), patient=False)
    pawns = start or {"red": 74, "yellow": 13, "green": 26}
    p.new_game(detectives=len(pawns), start={"mr_x": mr_x, **pawns}, seats=seats)
    p.set_up()
    return p


def done_by_computer(p: SimulatedTable, ms: float = 1000 * THINKS + 500) -> Action:
    """Wait until a computer has acted, and return the action."""
    before = len(p.actions)
    for _ in range(int(ms / 50)):
        p.advance(50)
        if len(p.actions) > before:
            return p.actions[before]
    raise AssertionError(f"no computer has moved: {p.prompt_text}")


def carry_out(p: SimulatedTable) -> None:
    """Move a pawn as a computer's move requires."""
    todo = p.table.scene().to_carry_out
    assert todo is not None
    carry(p, todo.move.pawn, todo.move.to)
    if p.table.scene().phase is Phase.CARRY_OUT:
        p.hardware.press("table.confirm")
        p.advance(900)
    assert p.table.scene().phase is not Phase.CARRY_OUT


def red_played(*moves: PawnMove, makers: Makers | None = None) -> tuple[SimulatedTable, Scripted]:
    """Return a table at which red is a computer with these moves, and Mister X, a person, has just moved."""
    red = Scripted([move] for move in moves)
    p = seated({"1": "hard"}, makers or Makers({"hard": lambda: red}))
    go(p, 184)
    return p, red
