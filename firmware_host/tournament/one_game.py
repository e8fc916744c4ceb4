"""Play one game of a tournament, or many in processes of this machine, and identify the software."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Protocol, TypeVar

import firmware_host
from firmware_host.config.shipped_files import folder
from firmware_host.players.levels.levels import can_search, leave_loaded_alone
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Player, Position, PublicHistory
from firmware_host.rules.actions import DETECTIVES, MR_X, Action
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.game import Game
from firmware_host.tournament.entrants import Entrant, Pairing, TournamentError


@cache
def software_version() -> str:
    """Return the software's version as a text, for results that can be compared only within one version.

    The text has the version number, a digest of code, learned weights, boxes, maps and tiles, and whether the search is
    available. The number alone is not enough, because a clone's code changes while the number stays. `__pycache__`
    differs between machines, and is ignored.
    """
    package, shipped = Path(firmware_host.__file__).parent, folder()
    files = [(path.relative_to(package), path) for path in package.rglob("*.py")]
    files += [(path.relative_to(package), path) for path in package.glob("players/**/*.json")]
    files += [
        (path.relative_to(shipped), path)
        for kind in ("editions", "maps", "tiles")
        for path in (shipped / kind).glob("*.toml")
    ]
    digest = hashlib.sha256()
    for name, path in sorted(files):
        if "__pycache__" in name.parts:
            continue
        digest.update(f"{name.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    search = "with" if can_search() else "without"
    return f"{firmware_host.__version__} (code {digest.hexdigest()[:10]}, {search} the search)"


FAILED = "failed"
"""The reason of a game's end if a player failed."""

_A_MOMENT = 0.001
"""Seconds between two polls of a player process."""

_LAST_ANSWER = 3.0
"""Seconds that processes have to abandon their games before they are killed: one answer of a slow player."""

_abandoned = threading.Event()
"""The event that nobody wants this process's games any more. It is set only in processes that play for another one.

The process then ends its games in order. If it were killed while a program enters Bubblewrap, the program would keep
running: for some milliseconds, Bubblewrap does not notice that its parent has ended.
"""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one game.

    Attributes:
        pairing: who played which side, and which deal.
        winner: "mr_x" or "detectives".
        reason: a word of the rules; or `FAILED`, a colon, and why, if the other side's player failed.
        rounds: how many rounds were played.
        mr_x_ms: the longest answer of Mister X's player, in milliseconds by its entrant's clock.
        detectives_ms: the longest answer of the detectives' player, in the same way.
        seconds: the processor time of the whole game, without the time of users' programs.
        version: the version of yardboard that played the game; see `software_version`.
    """

    pairing: Pairing
    winner: str
    reason: str
    rounds: int
    mr_x_ms: float
    detectives_ms: float
    seconds: float
    version: str

    @property
    def names(self) -> tuple[str, str]:
        """The names of Mister X's and the detectives' entrant."""
        return self.pairing.mr_x.name, self.pairing.detectives.name

    @property
    def why_failed(self) -> str | None:
        """Why the losing side's player failed, or None if it did not."""
        word, _, why = self.reason.partition(": ")
        return (why or "for an unknown reason") if word == FAILED else None

    def longest(self, name: str) -> float:
        """Return the longest time that one of the two entrants took for an answer, in milliseconds."""
        return self.mr_x_ms if name == self.pairing.mr_x.name else self.detectives_ms


@dataclass(slots=True)
class _Side:
    """The player of one side in one game, and the seconds of its longest answer."""

    entrant: Entrant
    player: Player
    longest: float = field(default=0.0)

    def answer(self, position: Position) -> tuple[Action, ...]:
        began = self.entrant.clock()
        self.player.ask(position)
        while (answer := self.player.answer()) is None and not _abandoned.is_set():
            time.sleep(_A_MOMENT)
        if answer is None or _abandoned.is_set():
            raise RunnerLost("nobody asks for this game any more")
        self.longest = max(self.longest, self.entrant.clock() - began)
        return answer


def play(pairing: Pairing) -> Result:
    """Play a game to its end. A player that fails or makes an illegal move loses the game.

    Raises:
        RunnerLost: the process for which this process plays wants no more games.
    """
    began, terms = time.thread_time(), pairing.terms
    game = Game(terms.deal(pairing.deal))
    seated = {MR_X: pairing.mr_x, DETECTIVES: pairing.detectives}
    sides: dict[str, _Side] = {}
    with ExitStack() as players:
        for role, who in seated.items():
            sides[role] = _Side(who, players.enter_context(closing(who.player())))
        winner, reason = _play(game, pairing, sides)
    longest = {name: round(1000 * side.longest, 1) for name, side in sides.items()}
    seconds = round(time.thread_time() - began, 3)
    rounds, version = game.public.round, software_version()
    return Result(pairing, winner, reason, rounds, longest[MR_X], longest[DETECTIVES], seconds, version)


@cache
def _leave_loaded_alone(rules: str, names: frozenset[str]) -> None:  # noqa: ARG001 - cached by these
    leave_loaded_alone()


def _play(game: Game, pairing: Pairing, sides: dict[str, _Side]) -> tuple[str, str]:
    terms, first = pairing.terms, game.public
    dice, history = terms.rng(pairing.deal, "dice"), PublicHistory.begin(first)
    turn = MR_X
    try:
        for turn, pawns in ((MR_X, first.fugitives), (DETECTIVES, first.order)):
            seed, who = terms.rng(pairing.deal, turn).getrandbits(31), sides[turn].entrant
            sides[turn].player.begin(NewGame.of(game.setup, pawns, seed=seed, level=who.level.name, ms=who.level.ms))
        _leave_loaded_alone(terms.rules, frozenset(side.entrant.name for side in sides.values()))
        while (outcome := game.public.outcome) is None:
            turn = MR_X if game.public.mr_x_to_move else DETECTIVES
            rolled = game.roll(dice)
            private = game.private if turn == MR_X else None
            for action in (rolled,) if rolled else sides[turn].answer(Position(history, private)):
                game.play(action)
                history = history.see(game.public, action)
    except (PlayerFailed, IllegalAction) as error:
        return (DETECTIVES if turn == MR_X else MR_X), f"{FAILED}: {error}"
    return outcome.winner, outcome.reason


Work = TypeVar("Work")
Outcome = TypeVar("Outcome")


class RunnerLost(TournamentError, RuntimeError):
    """The error that no further game can be played. The message says why. The results so far count."""


class GameRunner(Protocol):
    """The interface of something that plays games: this process, other processes, or other machines."""

    def play(self, play: Callable[[Work], Outcome], games: Sequence[Work]) -> Generator[Outcome]:
        """Play these games. Yield each result once, as soon as it arrives.

        Closing the generator abandons the games in progress.

        Args:
            play: plays a game, such as `one_game.play`; other processes find it by its module and name.
            games: the games, each with a text that identifies it.

        Raises:
            RunnerLost: the remaining games cannot be played.
        """


class LocalProcesses:
    """Processes on this machine that play games. Implements `GameRunner`.

    Args:
        jobs: how many games at a time; with 1 this process plays them in order.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def play(self, play: Callable[[Work], Outcome], games: Sequence[Work]) -> Generator[Outcome]:
        """Play these games. Yield each result once, as soon as it arrives.

        Raises:
            RunnerLost: one of the processes was killed.
        """
        if self._jobs == 1 or not games:
            yield from map(play, games)
            return
        spawn = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(min(self._jobs, len(games)), spawn, initializer=_live_with_the_parent)
        done = False
        try:
            for played in as_completed([pool.submit(play, game) for game in games]):
                yield played.result()
            done = True
        except BrokenProcessPool:
            raise RunnerLost(
                "a process that plays was killed, perhaps for lack of memory; try a smaller --jobs"
            ) from None
        finally:
            pool.shutdown(wait=done, cancel_futures=True)  # else threads complain as Python ends
            _end(multiprocessing.active_children())


def _end(processes: Sequence[BaseProcess]) -> None:
    """Let these processes abandon their games and end. Kill those that take too long."""
    for process in processes:
        process.terminate()
    until = time.monotonic() + _LAST_ANSWER
    for process in processes:
        process.join(max(0.0, until - time.monotonic()))
        process.kill()


def _live_with_the_parent() -> None:
    """Ignore Ctrl-C in this process. Abandon its games and end it when its parent process asks for it or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda _number, _frame: _abandoned.set())
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        _abandoned.set()
        time.sleep(_LAST_ANSWER)
        os._exit(1)
