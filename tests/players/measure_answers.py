"""Measure the answers of our own players over the protocol, each player in its own process.

    python -m tests.players.measure_answers classic --level expert --ms 100 --games 5 [--without-start]

An answer's time is what the process takes of the processor from the position to its answer: proc(5), `schedstat`.
Memory is the most that a process has had resident.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.players.protocol.limited_process import own_command
from firmware_host.players.protocol.protocol_decoding import actions_of
from firmware_host.players.protocol.protocol_encoding import new_game_line, position_line
from firmware_host.players.protocol.protocol_messages import Go, line, read_move, read_ready
from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from tests.players.test_protocol import PURSUIT, dealt


class MeasuredPlayer:
    """One player process."""

    def __init__(self, level: str, *, start: bool = True) -> None:
        self._start = start  # whether it is told where the pawns start before the first position
        command = own_command("player", "--level", level)
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def begin(self, game: NewGame) -> None:
        """Send a new game to the player."""
        self._game = game
        record = json.loads(line(new_game_line(game)))
        if not self._start:
            record.pop("start", None)
        if not read_ready(self._asked(json.dumps(record).encode() + b"\n")).ok:
            sys.exit("it does not play")

    def answer(self, position: Position) -> tuple[bytes, float]:
        """Return its answer, and the processor milliseconds that it took."""
        before = self._used_ms()
        said = self._asked(line(position_line(self._game, position), Go(self._game.ms)))
        return said, self._used_ms() - before

    def close(self) -> float:
        """Close the player. Return the most megabytes that it had resident."""
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="utf-8")
        self._process.kill()
        self._process.wait()
        return next(int(row.split()[1]) for row in status.splitlines() if row.startswith("VmHWM:")) / 1024

    def _used_ms(self) -> float:
        schedstat = Path(f"/proc/{self._process.pid}/schedstat").read_text(encoding="utf-8")
        return int(schedstat.split()[0]) / 1e6

    def _say(self, lines: bytes) -> None:
        if self._process.stdin is not None:
            self._process.stdin.write(lines)
            self._process.stdin.flush()

    def _asked(self, lines: bytes) -> bytes:
        self._say(lines)
        return b"" if self._process.stdout is None else self._process.stdout.readline()


def measure(game: Game, players: dict[str, MeasuredPlayer], ms: int, took: dict[str, list[float]]) -> None:
    """Play a game to its end. Add what each answer took, by player and by whether it was the first of the game."""
    told = {}
    for role, player in players.items():
        pawns = game.public.fugitives if role == MR_X else game.setup.pawns
        told[role] = NewGame.of(game.setup, pawns, seed=1, level="", ms=ms)
        player.begin(told[role])
    history, answered = PublicHistory.begin(game.public), set[str]()
    while game.public.outcome is None:
        role = MR_X if game.public.mr_x_to_move else "detectives"
        position = Position(history, game.private if game.public.mr_x_to_move else None)
        said, used = players[role].answer(position)
        took[f"{role}, {'later' if role in answered else 'first'}"].append(used)
        answered.add(role)
        for action in actions_of(read_move(said), told[role], position):
            game.play(action)
            history = history.see(game.public, action)


def main() -> None:
    """Play the games that the arguments name, and print the times of answers."""
    asked = argparse.ArgumentParser(prog="python -m tests.players.measure_answers")
    asked.add_argument("name", choices=PURSUIT)
    asked.add_argument("--level", default="expert")
    asked.add_argument("--ms", type=int, default=100)
    asked.add_argument("--games", type=int, default=3)
    asked.add_argument("--without-start", action="store_true")
    options = asked.parse_args()
    players = {role: MeasuredPlayer(options.level, start=not options.without_start) for role in (MR_X, "detectives")}
    took = defaultdict[str, list[float]](list)
    for seed in range(options.games):
        measure(dealt(options.name, seed), players, options.ms, took)
    for who, times in took.items():
        late = f"{sum(time > options.ms for time in times)} late"
        told = f"{len(times)} answers, {late}, median {median(times):.1f} ms, longest {max(times):.1f} ms"
        print(f"{who}: {told}")  # noqa: T201 - a program
    print("resident, at most:", *[f"{player.close():.0f} MB" for player in players.values()])  # noqa: T201 - a program


if __name__ == "__main__":
    main()
