"""Run the computer players of one table: ask for their moves, and play these on fixed ticks.

Nothing waits for a player. A player is asked as soon as the board is ready for its move. Its answer is played after the
seconds that its level takes (`ThinkingTime`), whatever the position, so its time to think reveals nothing. If the
answer is not ready then, the table checks again one whole tick later.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Player, Position, PublicHistory
from firmware_host.players.seats import PlayerName, Seated
from firmware_host.referee.events import Play, WantRoll
from firmware_host.rules.actions import MR_X, Action, PawnMove
from firmware_host.rules.errors import RulesError
from firmware_host.rules.game import Game
from firmware_host.rules.views import PublicView
from firmware_host.system.event_log import log_fields
from firmware_host.system.language import Lines, gettext
from firmware_host.system.printable import printable
from firmware_host.table.player_maker import PlayerMaker, ThinkingTime, substitute
from firmware_host.ui.vocabulary import all_of, pawn_name

log = logging.getLogger("yardboard")


GOING_ON = 1.0
"""Seconds between two actions of one answer, such as a double move's halves, and before a roll."""


_LONGEST_LINE = 200
"""Most characters that the log quotes of a failed program's standard error, or of its reason not to play."""


@dataclass(slots=True)
class ComputerSeat:
    """One seat of a game, and the computer player in it.

    Attributes:
        seat: "mr_x", or a player's number as text.
        name: the name of its player.
        game: the game's public data that the player receives at the start.
        pace: how long the player takes.
        player: the player; None while none is available.
        answered: whether the player has answered before.
        failures: how often players of this seat have failed in this game.
        fault: why no player is available.
    """

    seat: str
    name: PlayerName
    game: NewGame
    pace: ThinkingTime
    player: Player | None = None
    answered: bool = False
    failures: int = 0
    fault: PlayerFailed | None = None


@dataclass(slots=True)
class _Thinking:
    """A seat whose computer player is thinking.

    Attributes:
        seat: the seat.
        history: the public history that the player was asked about.
        due: clock seconds at which the answer is played.
        since: clock seconds at which the player was asked.
        rest: the actions of its answer that are still to be played; None before it has answered.
    """

    seat: ComputerSeat
    history: PublicHistory
    due: float
    since: float
    rest: tuple[Action, ...] | None = None


class ComputerSeats:
    """The computer players of one table, by seat.

    Args:
        maker: creates the players.
        publish: sends a message when the table plays on for a player that has failed twice.
        patient: whether to wait for a player that is not done on its tick. Needed for repeatable games where table time
            is not real time.

    Attributes:
        seats: the seats that computers play in this game; read only.
    """

    def __init__(self, maker: PlayerMaker, publish: Callable[[Lines], None], *, patient: bool = False) -> None:
        self._maker, self._publish, self._patient = maker, publish, patient
        self.seats: dict[str, ComputerSeat] = {}
        self._history: PublicHistory | None = None
        self._thinking: _Thinking | None = None
        self._roll_at: float | None = None

    # ---- the course of a game ----

    def begin(self, game: Game | None, seated: Seated, rng: random.Random) -> None:
        """Seat the computer players of a game that starts or resumes. Seat nobody if `game` is None.

        A player of the previous game stays if the new game needs the same player, and if it has not failed. The other
        players are closed.
        """
        free = [seat for seat in self.seats.values() if seat.player is not None and not seat.failures]
        if game is None or not seated:
            self.close()
            return
        self._vacate(staying=free)
        self._history = PublicHistory.of(game)
        view = game.public
        for seat, name in seated.items():
            pawns = view.fugitives if seat == MR_X else tuple(p for p, n in view.owners.items() if str(n) == seat)
            pace = self._maker.pace(name)
            new = NewGame.of(game.setup, pawns, seed=rng.getrandbits(31), level=name.level, ms=pace.ms)
            self.seats[seat] = ComputerSeat(seat, name, new, pace)
            self._sit_down(self.seats[seat], _take(free, name))
        for left in free:
            _let_go(left)

    def go_on(self, game: Game) -> None:
        """Update the players after an action was played or undone."""
        if self._history is None:
            return
        self._history = self._history.follow(game)
        outcome = game.public.outcome
        if outcome is not None:
            for seat in self.seats.values():
                if seat.player is not None:
                    seat.player.over(outcome.winner, outcome.reason)

    def close(self) -> None:
        """Close all players."""
        self._vacate()

    def _vacate(self, staying: Sequence[ComputerSeat] = ()) -> None:
        """Close the players of all seats except those in `staying`."""
        for seat in self.seats.values():
            if not any(seat is one for one in staying):
                _let_go(seat)
        self.seats, self._history, self._thinking, self._roll_at = {}, None, None, None

    # ---- one pass ----

    def wants(self, game: Game | None, now: float) -> Play | WantRoll | None:
        """Return a computer's request, to play an action or roll the dice, or None if none is due.

        Call this only while the board agrees with the game. A request that is not carried out is returned again at the
        next tick.
        """
        if self._history is None or game is None:
            return None
        view = game.public
        seat = self._on_turn(view)
        if seat is None:
            self._thinking = self._roll_at = None
            return None
        if view.to_roll is not None:
            return None if view.to_roll.by_hand else self._roll(now)
        self._roll_at = None
        thinking = self._thinking
        if thinking is None or thinking.seat is not seat or not self._still(thinking, game):
            self._ask(seat, game, now)
            return None
        return self._act(thinking, game, now) if now >= thinking.due else None

    def _on_turn(self, view: PublicView) -> ComputerSeat | None:
        """Return the computer's seat that has to act. If people may act too, they go first (BE-02, JU-05)."""
        seats = [MR_X if view.mr_x_to_move else str(view.owners[pawn]) for pawn in view.turn]
        return self.seats[seats[0]] if seats and self.seats.keys() >= {*seats} else None

    def _roll(self, now: float) -> WantRoll | None:
        if self._roll_at is None:
            self._roll_at = now + GOING_ON
        if now < self._roll_at:
            return None
        self._roll_at = now + GOING_ON
        return WantRoll()

    def _still(self, thinking: _Thinking, game: Game) -> bool:
        """Return whether a player's answer still counts: since the question, only its own actions were played."""
        if thinking.history is self._history:
            return True
        if not thinking.rest or not game.actions or game.actions[-1] != thinking.rest[0]:
            return False
        thinking.rest, thinking.history = thinking.rest[1:], self._history or thinking.history
        return bool(thinking.rest)

    def _ask(self, seat: ComputerSeat, game: Game, now: float) -> None:
        """Ask a seat's player for its move."""
        if self._history is None:
            return
        self._thinking = _Thinking(seat, self._history, now + seat.pace.think_s, now)
        if seat.player is None:
            self._fail(seat, seat.fault or PlayerFailed("it is not available"))
            return
        try:
            seat.player.ask(Position(self._history, game.private if seat.seat == MR_X else None))
        except PlayerFailed as error:
            self._fail(seat, error)

    def _act(self, thinking: _Thinking, game: Game, now: float) -> Play | None:
        """Return the next action of a seat's answer, or None if no answer is due."""
        seat = thinking.seat
        try:
            if thinking.rest is None:
                thinking.rest = self._answer(thinking, now)
            if thinking.rest is None:
                thinking.due += seat.pace.think_s
                return None
            action = _allowed(thinking.rest, seat.game, game)
        except PlayerFailed as error:
            self._fail(seat, error)
            return None
        thinking.due = now + GOING_ON  # for the next action, or for this one if it cannot be saved
        return Play(action)

    def _answer(self, thinking: _Thinking, now: float) -> tuple[Action, ...] | None:
        """Return the answer of a thinking player, or None if it needs more time.

        Raises:
            PlayerFailed: the player has failed or is too late.
        """
        player, answer, pace = thinking.seat.player, None, thinking.seat.pace
        most = pace.late_s if thinking.seat.answered else pace.first_s
        if player is not None:
            answer = player.answer()
            until = time.monotonic() + most
            while answer is None and self._patient and time.monotonic() < until:
                time.sleep(0.002)
                answer = player.answer()
        if answer is None and (self._patient or now - thinking.since >= most):
            raise PlayerFailed(f"it has not answered within {most:g} s")
        thinking.seat.answered |= answer is not None
        return answer

    # ---- players that fail ----

    def _sit_down(self, seat: ComputerSeat, player: Player | None = None) -> None:
        """Start a game for the player of a seat, by default a new player. `_ask` reports a failed start later."""
        seat.player = player
        try:
            seat.player = player or self._maker.make(seat.name)
            seat.player.begin(seat.game)
        except PlayerFailed as error:
            seat.fault = error
            _let_go(seat)
            if player is not None:  # the player has ended since its last game
                self._sit_down(seat)

    def _fail(self, seat: ComputerSeat, error: PlayerFailed) -> None:
        """Replace a failed player: first by another of its kind, then by the heuristic for the rest of the game."""
        seat.failures += 1
        seat.answered = False
        self._thinking = None
        _let_go(seat)
        then = "the table starts it again" if seat.failures == 1 else "the table plays in its place until the game ends"
        log.warning("%s; %s", _describe_failure(seat, error), then, extra=log_fields("player", seat=seat.seat))
        if seat.failures == 1:
            self._sit_down(seat)
            return
        seat.player = substitute()
        seat.player.begin(seat.game)
        if seat.failures == 2:
            pawns = seat.game.pawns
            self._publish(lambda: [failed(pawns)])


def _describe_failure(seat: ComputerSeat, error: PlayerFailed) -> str:
    """Return which player failed, and why. Mister X's reason is left out, because it might reveal a secret."""
    name = seat.name
    who = f"[players.{name.name}]" if name.name else f'The player "{name.level}"'
    if seat.seat == MR_X:
        return f"{who} has failed; the log says no reason for Mister X: let it play detectives to see one"
    line = error.last_line.value.strip()
    shown = line if len(line) <= _LONGEST_LINE else f"…{line[-_LONGEST_LINE:]}"
    reason = printable(error.reason.value[:_LONGEST_LINE].strip())[:_LONGEST_LINE]
    why = f'{error}: "{reason}"' if reason else str(error)
    return f"{who} has failed: {why}" + (f'; the last line of its standard error: "{shown}"' if line else "")


def _let_go(seat: ComputerSeat) -> None:
    """Close the player of a seat, if it has one."""
    if seat.player is not None:
        seat.player.close()
        seat.player = None


def _take(free: list[ComputerSeat], name: PlayerName) -> Player | None:
    """Remove a player with that name from the free players and return it, or None if there is none."""
    for n, seat in enumerate(free):
        if seat.name == name:
            return free.pop(n).player
    return None


def failed(pawns: tuple[str, ...]) -> str:
    """Return the message that the computer player of these pawns has failed."""
    who = all_of(map(pawn_name, pawns))
    return gettext("The player of {pawns} has failed: the table plays on for it.", pawns=who)


def _allowed(answer: tuple[Action, ...], new: NewGame, game: Game) -> Action:
    """Return the first action of a player's answer, checked to be legal.

    Raises:
        PlayerFailed: the answer is empty, or its first action is not legal or moves a pawn of another seat.
    """
    if not answer:
        raise PlayerFailed("its answer contains no action; it must contain a legal one")
    action = answer[0]
    foreign = isinstance(action, PawnMove) and action.pawn not in new.pawns
    if foreign or not isinstance(action, Action):
        raise PlayerFailed("it answered with a move of a pawn that it does not play; it may move only its own")
    try:
        game.check(action)
    except (RulesError, LookupError, TypeError, ValueError):
        raise PlayerFailed("it answered with an action that is not legal") from None
    return action
