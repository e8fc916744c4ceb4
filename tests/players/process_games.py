"""Games with players behind the port, and misbehaving programs behind pipes."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from firmware_host.players.player_port import Player, Position, PublicHistory
from firmware_host.players.protocol.player_process import Command, PlayerPatience, PlayerProcess
from firmware_host.rules.actions import MR_X, Action
from firmware_host.rules.game import Game

FAKE = Path(__file__).parent / "fake_player.py"


class Patient(Player, Protocol):
    """A player for whose answer a test can wait."""

    def wait(self, timeout: float) -> None: ...


def command(*words: str, memory_mb: int = 512) -> Command:
    return Command(words, Path(__file__).parent, {}, memory_mb)


@contextmanager
def behind_pipes(run: Command, now: Sequence[float] = (0.0,)) -> Iterator[PlayerProcess]:
    """Start a player program; the time is the last of `now`. Nothing of it remains afterwards."""
    player = PlayerProcess(run, patience=PlayerPatience(60, 120, 15, 10), now=lambda: now[-1])
    try:
        yield player
    finally:
        player.close()
        wait_for_endings()


def fake(when: str = "never", what: str = "", *, now: Sequence[float] = (0.0,), memory_mb: int = 512):  # type: ignore[no-untyped-def]
    """Start a fake player, as in `fake_player`."""
    return behind_pipes(command(sys.executable, "-I", str(FAKE), when, what, memory_mb=memory_mb), now)


def wait_for_endings() -> None:
    """Wait until all players that were closed have ended."""
    for thread in threading.enumerate():
        if thread.name == "ending-player":
            thread.join()


def open_files() -> int:
    """Return how many files this process has open."""
    return len([*Path("/proc/self/fd").iterdir()])


def answer_of(player: Patient) -> tuple[Action, ...]:
    """Wait for an answer, however long it takes."""
    while (actions := player.answer()) is None:
        player.wait(60)
    return actions


def played_out(game: Game, players: Mapping[str, Patient], seed: int = 1) -> Game:
    """Play a game to its end with players of both sides, which have begun it already. The seed decides the dice."""
    chance, history = random.Random(seed), PublicHistory.begin(game.public)
    while (view := game.public).outcome is None:
        roll = game.roll(chance)
        player = players[MR_X if view.mr_x_to_move else "detectives"]
        actions: tuple[Action, ...] = () if roll is None else (roll,)
        if roll is None:
            player.ask(Position(history, game.private if view.mr_x_to_move else None))
            actions = answer_of(player)
        for action in actions:
            game.play(action)
            history = history.see(game.public, action)
    for player in players.values():
        player.over(view.outcome.winner, view.outcome.reason)
    return game
