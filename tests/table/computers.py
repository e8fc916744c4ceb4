"""Computer players for tests: they play what a test tells them, or fail as it says."""

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
"""Seconds after which the players of these tests are answered for."""

RED_TO_46 = PawnMove("red", 46, "underground")
"""A move of red, which stands on 74 in these tests."""


class Scripted:
    """Plays what it is told, in order, whatever it is asked. Implements `Player`.

    Attributes:
        asked: the positions that it was asked about.
        told: the games that it was told of.
        ended: how games ended, as it was told.
        closed: whether it was let go.
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
    """Plays by the heuristic until it is asked for the n-th time, and dies then; `hangs`: it never answers instead."""

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
    """Makes players as a test says, by their levels. Implements `PlayerMaker`."""

    programs: Collection[str] = ()

    def __init__(self, makers: Mapping[str, Callable[[], Player]] | None = None, *, think: float = THINKS) -> None:
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
    """A table with computers on some seats, at which the pawns stand."""
    p = SimulatedTable(conf, journal=journal, players=makers or Makers(), patient=False)
    pawns = start or {"red": 74, "yellow": 13, "green": 26}
    p.new_game(detectives=len(pawns), start={"mr_x": mr_x, **pawns}, seats=seats)
    p.set_up()
    return p


def done_by_computer(p: SimulatedTable, ms: float = 1000 * THINKS + 500) -> Action:
    """Wait until a computer has done something, and return it."""
    before = len(p.actions)
    for _ in range(int(ms / 50)):
        p.advance(50)
        if len(p.actions) > before:
            return p.actions[before]
    raise AssertionError(f"no computer has moved: {p.prompt_text}")


def carry_out(p: SimulatedTable) -> None:
    """Move the pawn that a computer has moved."""
    todo = p.table.scene().to_carry_out
    assert todo is not None
    carry(p, todo.move.pawn, todo.move.to)
    if p.table.scene().phase is Phase.CARRY_OUT:
        p.hardware.press("table.confirm")
        p.advance(900)
    assert p.table.scene().phase is not Phase.CARRY_OUT


def red_played(*moves: PawnMove, makers: Makers | None = None) -> tuple[SimulatedTable, Scripted]:
    """A table at which red is a computer that plays these moves, and Mister X, a person, has just moved."""
    red = Scripted([move] for move in moves)
    p = seated({"1": "hard"}, makers or Makers({"hard": lambda: red}))
    go(p, 184)
    return p, red
