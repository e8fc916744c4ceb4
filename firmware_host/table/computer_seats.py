"""The computer players of one table: asked when they are on turn, and answered for at the table's own beat.

Nothing here waits for a player. It is asked as soon as the board is ready for its move, and what it has answered is
taken as many seconds later as its level takes (`ThinkingTime`), whatever the position and however soon it knew: how
long it thinks tells nothing. One that is not done then is looked at again a whole beat later.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Player, Position
from firmware_host.players.public_history import PublicHistory
from firmware_host.players.seats import PlayerName, Seated
from firmware_host.referee.events import Play, WantRoll
from firmware_host.rules.actions import MR_X, Action, PawnMove
from firmware_host.rules.errors import RulesError
from firmware_host.rules.game import Game
from firmware_host.rules.views import PublicView
from firmware_host.system.event_log import log_fields
from firmware_host.system.language import Lines, gettext
from firmware_host.table.history_for_players import history_of, next_history
from firmware_host.table.player_maker import PlayerMaker, ThinkingTime, substitute
from firmware_host.ui.vocabulary import all_of, pawn_name

GOING_ON = 1.0
"""Seconds between two actions of one answer, such as the halves of a double move; and before dice are rolled."""

log = logging.getLogger("yardboard")


@dataclass(slots=True)
class ComputerSeat:
    """One seat, and who plays there.

    Attributes:
        seat: "mr_x", or a player's number as text.
        name: who plays there.
        game: what the player is told of the game.
        pace: how long it takes.
        player: the player; None while there is none to be had.
        answered: whether it has answered before.
        failures: how often a player of this seat has failed in this game.
    """

    seat: str
    name: PlayerName
    game: NewGame
    pace: ThinkingTime
    player: Player | None = None
    answered: bool = False
    failures: int = 0


@dataclass(slots=True)
class _Thinking:
    """What a seat is thinking about.

    Attributes:
        seat: the seat.
        history: what it was asked about.
        due: when (clock seconds) its answer is taken.
        since: when it was asked.
        rest: what it has answered and is still to be done; None before it has answered.
    """

    seat: ComputerSeat
    history: PublicHistory
    due: float
    since: float
    rest: tuple[Action, ...] | None = None


class ComputerSeats:
    """The computer players of one table.

    Args:
        maker: where players come from.
        tell: takes lines for everybody when a player has failed.
        patient: whether a player that is not done at the beat is waited for: where table time is not real time, a game
            has to repeat itself.

    Attributes:
        seats: the seats that computers play in this game; not to be changed from without.
    """

    def __init__(self, maker: PlayerMaker, tell: Callable[[Lines], None], *, patient: bool = False) -> None:
        self._maker, self._tell, self._patient = maker, tell, patient
        self.seats: dict[str, ComputerSeat] = {}
        self._history: PublicHistory | None = None
        self._thinking: _Thinking | None = None
        self._roll_at: float | None = None

    # ---- the course of a game ----

    def begin(self, game: Game | None, seated: Seated, chance: random.Random) -> None:
        """Seat the players of a game that begins or is taken up again, if there is one.

        A player of the game before that has not failed plays on where one like it is wanted; the others go.
        """
        free = [seat for seat in self.seats.values() if seat.player is not None and not seat.failures]
        if game is None or not seated:
            self.close()
            return
        self._vacate(staying=free)
        self._history = history_of(game)
        view = game.public
        for seat, name in seated.items():
            pawns = view.fugitives if seat == MR_X else tuple(p for p, n in view.owners.items() if str(n) == seat)
            pace = self._maker.pace(name)
            told = NewGame.of(game.setup, pawns, seed=chance.getrandbits(31), level=name.level, ms=pace.ms)
            self.seats[seat] = ComputerSeat(seat, name, told, pace)
            self._sit_down(self.seats[seat], _take(free, name))
        for left in free:
            _let_go(left)

    def go_on(self, game: Game) -> None:
        """Take note of what was done in the game: something played, or taken back."""
        if self._history is None:
            return
        self._history = next_history(self._history, game)
        outcome = game.public.outcome
        if outcome is not None:
            for seat in self.seats.values():
                if seat.player is not None:
                    seat.player.over(outcome.winner, outcome.reason)

    def close(self) -> None:
        """Let all players go."""
        self._vacate()

    def _vacate(self, staying: Sequence[ComputerSeat] = ()) -> None:
        """Let all players go but those."""
        for seat in self.seats.values():
            if not any(seat is one for one in staying):
                _let_go(seat)
        self.seats, self._history, self._thinking, self._roll_at = {}, None, None, None

    # ---- one pass ----

    def wants(self, game: Game | None, now: float) -> Play | WantRoll | None:
        """Return what a computer does at this moment, at which the board is ready for it; None for nothing.

        What is returned and not done is returned again at the next beat.
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
        """Return the computer's seat that is to act; where people may act as well, they go first (BE-02, JU-05)."""
        seats = [MR_X if view.his_turn else str(view.owners[pawn]) for pawn in view.turn]
        return self.seats[seats[0]] if seats and self.seats.keys() >= {*seats} else None

    def _roll(self, now: float) -> WantRoll | None:
        if self._roll_at is None:
            self._roll_at = now + GOING_ON
        if now < self._roll_at:
            return None
        self._roll_at = now + GOING_ON
        return WantRoll()

    def _still(self, thinking: _Thinking, game: Game) -> bool:
        """Whether a seat thinks about what is now; what it has begun to do may go on, too."""
        if thinking.history is self._history:
            return True
        if not thinking.rest or not game.actions or game.actions[-1] != thinking.rest[0]:
            return False
        thinking.rest, thinking.history = thinking.rest[1:], self._history or thinking.history
        return bool(thinking.rest)

    def _ask(self, seat: ComputerSeat, game: Game, now: float) -> None:
        """Ask a seat what it does."""
        if self._history is None:
            return
        self._thinking = _Thinking(seat, self._history, now + seat.pace.think_s, now)
        if seat.player is None:
            self._fail(seat, PlayerFailed("it could not be had"))
            return
        try:
            seat.player.ask(Position(self._history, game.private if seat.seat == MR_X else None))
        except PlayerFailed as error:
            self._fail(seat, error)

    def _act(self, thinking: _Thinking, game: Game, now: float) -> Play | None:
        """Return what a seat does now that its answer is due."""
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
        thinking.due = now + GOING_ON  # of what comes next, or of this where it cannot be written down
        return Play(action)

    def _answer(self, thinking: _Thinking, now: float) -> tuple[Action, ...] | None:
        """Return what a player has answered; None while it thinks.

        Raises:
            PlayerFailed: it has failed, or is too late.
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
            raise PlayerFailed("it does not answer")
        thinking.seat.answered = answer is not None
        return answer

    # ---- players that fail ----

    def _sit_down(self, seat: ComputerSeat, player: Player | None = None) -> None:
        """Have a player begin the game on a seat, by default a new one; where none can be had, that is found later."""
        seat.player = player
        try:
            seat.player = player or self._maker.make(seat.name)
            seat.player.begin(seat.game)
        except PlayerFailed:
            _let_go(seat)
            if player is not None:  # it has ended since its last game
                self._sit_down(seat)

    def _fail(self, seat: ComputerSeat, error: PlayerFailed) -> None:
        """Have another player take the seat: the same anew once, and then the heuristic for the rest of the game."""
        seat.failures += 1
        seat.answered = False
        self._thinking = None
        _let_go(seat)
        said = "" if seat.seat == MR_X else f": {error}"  # of his player it might tell something
        log.warning("A player has failed%s", said, extra=log_fields("player", seat=seat.seat))
        if seat.failures == 1:
            self._sit_down(seat)
            return
        seat.player = substitute()
        seat.player.begin(seat.game)
        if seat.failures == 2:
            pawns = seat.game.pawns
            self._tell(lambda: [failed(pawns)])


def _let_go(seat: ComputerSeat) -> None:
    """Let the player of a seat go, if there is one."""
    if seat.player is not None:
        seat.player.close()
        seat.player = None


def _take(free: list[ComputerSeat], name: PlayerName) -> Player | None:
    """Take a player of a name from those that are free; None if there is none."""
    for n, seat in enumerate(free):
        if seat.name == name:
            return free.pop(n).player
    return None


def failed(pawns: tuple[str, ...]) -> str:
    """Return the line that says whose player has failed."""
    who = all_of(map(pawn_name, pawns))
    return gettext("The player of {pawns} has failed: the table plays on for it.", pawns=who)


def _allowed(answer: tuple[Action, ...], told: NewGame, game: Game) -> Action:
    """Return the first action of an answer, if the player may do it.

    Raises:
        PlayerFailed: it may not, or there is none.
    """
    if not answer:
        raise PlayerFailed("it answers nothing")
    action = answer[0]
    foreign = isinstance(action, PawnMove) and action.pawn not in told.pawns
    if foreign or not isinstance(action, Action):
        raise PlayerFailed("it answers what is no move of its")
    try:
        game.check(action)
    except (RulesError, LookupError, TypeError, ValueError):
        raise PlayerFailed("it answers what is not legal") from None
    return action
