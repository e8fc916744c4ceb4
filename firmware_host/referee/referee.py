"""The referee of one table: it keeps the game, and a state that says what the board shows and what to ask.

House rules:

1. There is no input or output here. `handle` receives an event and the time, and returns at most one `Request`. If the
   request is an `Entry`, the caller makes it durable and then calls `accept`. Only then does the entry take effect.
2. `transitions.step` returns the next frozen `State` from a `State` and an event. It sees views of the game, and never
   the game itself.
3. `scene` returns all that is shown. It holds nothing secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from firmware_host.referee.events import (
    Abandon,
    Accepted,
    Begin,
    Entry,
    Event,
    Play,
    Request,
    Resumed,
    StationsAssigned,
    TakeBack,
    Views,
)
from firmware_host.referee.known_board import KnownBoard
from firmware_host.referee.readings import Mismatch, Patience, Returned, Settled
from firmware_host.referee.scene import CoachHints, Phase, Scene, Seats, Undo, Why, computer_pawns
from firmware_host.referee.state import State, build_scene
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.referee.transitions import step
from firmware_host.rules.actions import MR_X, Action, PawnMove, Roll, RollAgain
from firmware_host.rules.game import Game
from firmware_host.rules.views import DoubleMoves, MrXView, PublicView
from firmware_host.system.language import gettext_noop, translatable

_WAITS = {
    Phase.NO_GAME: gettext_noop("there is no game; begin one first"),
    Phase.SET_UP: gettext_noop("wait until the pawns are set up"),
    Phase.RESUME: gettext_noop("wait until the pawns are back on their stations"),
    Phase.CARRY_OUT: gettext_noop("wait until the computer's pawn stands where it goes"),
    Phase.OVER: gettext_noop("this game is over"),
}
"""Phase -> why nobody can act in it."""

_PAUSED = gettext_noop("the game is paused: {why}")


class RefereeError(Exception):
    """Base class of the referee's errors."""


class NotNow(RefereeError, ValueError):
    """An action that cannot be taken now. The message says what the table waits for."""


class Referee:
    """The referee of one table.

    Args:
        patience: how long a reading must last before the referee believes it.
        take_back: whether a pawn that is put back where it came from takes its move back.
        near: stations so close together that one magnet may close the switches of both.

    Attributes:
        state: all that the referee remembers.
        game: the game in play, or None.
        public: the public view of the game, or None without a game.
        place: returns where people find the switch under a station.
        hints: the coach's current hints.
        names: seat -> the name of the person who plays there.
    """

    def __init__(
        self,
        patience: Patience | None = None,
        *,
        take_back: bool = True,
        near: Mapping[int, frozenset[int]] | None = None,
    ) -> None:
        self.place: Callable[[int], str] = str
        self.hints = CoachHints()
        self.game: Game | None = None
        self.names: Mapping[str, str] = {}
        self.public: PublicView | None = None
        self.state = State(patience or Patience(), take_back, board=KnownBoard(near=near or {}))

    @property
    def private(self) -> MrXView | None:
        """Mister X's view. None without a game, or until the end of a game in which a computer plays Mister X."""
        if self.game is None or (MR_X in self.seats and self.game.public.outcome is None):
            return None
        return self.game.private

    def secrets(self) -> tuple[MrXView, DoubleMoves] | None:
        """Return everything that Mister X's page shows. None without a game, or if a computer plays Mister X."""
        if self.game is None or MR_X in self.seats:
            return None
        return self.game.private, self.game.double_moves.value

    @property
    def seats(self) -> Seats:
        """The seats that computers play."""
        return self.state.board.seats

    def scene(self, now: float) -> Scene:
        """Return everything that the table shows now. It contains no secret."""
        moves = () if self.game is None else self.game.last_moves
        return build_scene(self.state, now, self.place, self.hints, self.names, moves)

    def trust_switches(self, *, trusted: bool) -> None:
        """Set whether the switches are trusted, as in simulations. If so, no key can contradict them."""
        self.state = replace(self.state, trusted=trusted)

    def handle(self, event: Event, now: float) -> Request | None:
        """Handle an event and return the table's request, or None. `now` never runs backwards."""
        self.state, request = step(self.state, event, now)
        self.public = self.state.board.view
        return request

    def accept(self, entry: Entry, now: float) -> None:
        """Change the game by an entry that the journal has saved.

        Raises:
            RulesError: the entry is not legal. Nothing has changed, but the last of several moves may be taken back.
            NotNow: there is no game to change.
        """
        match entry:
            case Begin(setup, _, names):
                self.game, self.names = Game(setup), names
            case Play(action):
                self._the_game().play(action)
            case TakeBack(count):
                for _ in range(count):
                    self._the_game().take_back()
            case Abandon():
                self.game, self.names = None, {}
        seats = entry.seats if isinstance(entry, Begin) else self.seats
        self.handle(Accepted(entry, None if self.game is None else views_of(self.game, seats)), now)

    def resume(
        self,
        game: Game,
        now: float,
        seats: Seats | None = None,
        names: Mapping[str, str] | None = None,
        *,
        home: bool = False,
    ) -> None:
        """Resume a game that began earlier: first guide the pawns to their stations. See `Resumed`."""
        self.game, self.names = game, names or {}
        self.handle(Resumed(views_of(game, seats or {}), seats or {}, home), now)

    def assign_stations(
        self,
        register: SwitchRegister,
        near: Mapping[int, frozenset[int]],
        touching: Mapping[int, frozenset[int]],
        now: float,
    ) -> None:
        """Record which station is on which switch, and which switches are out of order. See `StationsAssigned`."""
        self.handle(StationsAssigned(register, near, touching), now)

    def check(self, action: Action) -> None:
        """Check that Mister X may take this action now.

        Raises:
            NotNow: the table waits for something else, or a computer plays Mister X.
            RulesError: the rules do not allow it.
        """
        state = self.state
        if MR_X in self.seats:
            raise NotNow(gettext_noop("Mister X is played by a computer"))
        if state.paused:
            raise NotNow(translatable(_PAUSED, why=state.paused))
        if state.phase is not Phase.PLAY:
            raise NotNow(_WAITS[state.phase])
        if isinstance(state.reading, Mismatch | Returned):
            raise NotNow(gettext_noop("wait until the pawns on the board are put right"))
        self._the_game().check(action)

    def check_choice(self, action: Action) -> None:
        """Check that this is one of Mister X's choices and that a person plays Mister X.

        Raises:
            NotNow: it is not a choice, or a computer plays Mister X. The message reveals nothing about the action.
        """
        view = self.private
        if view is None or MR_X in self.seats or action not in view.choices.value:
            raise NotNow(gettext_noop("this cannot be chosen now; choose what is shown"))

    def check_undo(self) -> Undo:
        """Return what Undo would do now: cancel the move that the switches show, or take back a played one.

        A played move is taken back together with the computers' moves after it. If it cannot be, `why` has the reason.

        Raises:
            NotNow: the table waits for something else, people alone play, or the table takes no moves back.
        """
        state = self.state
        if state.paused:
            raise NotNow(translatable(_PAUSED, why=state.paused))
        if state.phase not in (Phase.PLAY, Phase.CARRY_OUT):
            raise NotNow(_WAITS[state.phase])
        if state.shown_moves:
            pawn = state.shown_moves[0].pawn
            return Undo(0, pawn, state.board.here.view.pawns.get(pawn), cancels=True)
        if state.undo is None:
            if state.before is None:
                raise NotNow(gettext_noop("there is no move that can be taken back now"))
            raise NotNow(gettext_noop("put the pawn back where it came from, if this table takes moves back"))
        return state.undo

    def _the_game(self) -> Game:
        if self.game is None:
            raise NotNow(_WAITS[Phase.NO_GAME])
        return self.game

    def idle(self, now: float) -> bool:
        """Return whether a computer may move now: the game is in play, and no person is moving a pawn or answering."""
        state = self.state
        quiet = isinstance(state.reading, Settled) and state.quiet_for(now, state.patience.settle)
        return state.phase is Phase.PLAY and not state.paused and quiet and not state.asking.questions


def views_of(game: Game, seats: Seats) -> Views:
    """Return a game's public views: the current one, and the one before the last move."""
    return Views(game.public, game.before, game.returnable, not game.actions, find_undo(game, seats))


def find_undo(game: Game, seats: Seats) -> Undo | None:
    """Return what Undo takes back: the last person's move and all since, or None if no computer plays.

    Nothing can be taken back if this move, or a computer's move since, has shown players something new.
    """
    if not seats:
        return None
    before, count = game.branch(), 0
    while before.actions:
        move = before.returnable
        if move is None:
            return Undo(why=_why(before.actions[-1]))
        before.take_back()
        count += 1
        if move.pawn not in computer_pawns(before.public, seats):
            return Undo(count, move.pawn, before.public.pawns.get(move.pawn))
    return Undo(why=Why.NOBODY)


def _why(stands: Action) -> Why:
    if isinstance(stands, Roll | RollAgain):
        return Why.DICE
    return Why.SHOWN if isinstance(stands, PawnMove) else Why.MR_X
