"""Seat the computer players of one table, and run its coach.

Players and the coach are loaded at their first use, because most tables need neither.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from firmware_host.config.loader import Config
from firmware_host.config.person_names import Names
from firmware_host.players.levels.levels import level_for
from firmware_host.players.seats import BadSeats, PlayerName, Seated, read_seats, to_record
from firmware_host.referee.events import Begin, Entry, Request
from firmware_host.referee.referee import Referee
from firmware_host.referee.scene import CoachMode, Seats
from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Setup
from firmware_host.system.event_log import log_fields
from firmware_host.system.language import Lines
from firmware_host.table.handset import Handset
from firmware_host.table.playable_games import INSTEAD, assign_names, assign_seats, needs_computer
from firmware_host.table.player_maker import PlayerMaker
from firmware_host.ui.live_commentary import seat_lines

if TYPE_CHECKING:
    from firmware_host.table.ask_coach import TableCoach
    from firmware_host.table.computer_seats import ComputerSeats

log = logging.getLogger("yardboard")


class Seating:
    """The computer players and the coach of one table.

    Args:
        config: the table's configuration.
        players: creates the players.
        referee: knows whether anybody is moving something on the board, and receives the coach's hints.
        handset: is informed whether a computer plays Mister X.
        publish: sends messages to everyone.
        patient: whether to wait for a computer player; see `ComputerSeats`.

    Attributes:
        computers: the players of the game in play; None until one is needed.
        coach: the coach; None until it is needed.
    """

    def __init__(
        self,
        config: Config,
        players: PlayerMaker,
        referee: Referee,
        handset: Handset,
        publish: Callable[[Lines], None],
        *,
        patient: bool,
    ) -> None:
        self._config, self._players, self._referee, self._handset, self._publish = (
            config,
            players,
            referee,
            handset,
            publish,
        )
        self._patient = patient
        self.computers: ComputerSeats | None = None
        self.coach: TableCoach | None = None
        self.choose_coach(CoachMode(config.game.coach), None)

    def choose_coach(self, mode: CoachMode, game: Game | None) -> None:
        """Set how much the coach shows from now on."""
        if self.coach is None and mode is not CoachMode.OFF:
            from firmware_host.table.ask_coach import TableCoach  # noqa: PLC0415 - few need one

            self.coach = TableCoach(self._players.coach)
        if self.coach is not None:
            self.coach.choose(mode, game)
            self._pass_hints_on(self.coach)

    def read_coach(self, now: float) -> bool:
        """Ask the coach or collect its answer. Return whether its hints for the table have changed."""
        if self.coach is None or self.coach.hints.tells is CoachMode.OFF or not self.coach.update_hints(now):
            return False
        self._pass_hints_on(self.coach)
        return True

    def wants(self, game: Game | None, now: float) -> Request | None:
        """Return a computer's request, or None if no computer is on turn or a pawn is being moved."""
        if self.computers is None or not self.computers.seats or not self._referee.idle(now):
            return None
        return self.computers.wants(game, now)

    def assign(
        self, setup: Setup, seats: Mapping[str, str] | None, names: Mapping[str, str] | None
    ) -> tuple[Seats, Names]:
        """Return the computer players and the names of people for a new game.

        See `firmware_host.table.playable_games.assign_seats` and `assign_names`.

        Raises:
            BadSeats, BadNames: the seats or names are invalid.
        """
        seated = assign_seats(self._config, setup, seats, self._players.programs)
        return to_record(seated), assign_names(self._config, setup, names, seated)

    def resume(self, game: Game, seats: Mapping[str, str], rng: random.Random) -> Seats:
        """Seat the same players as at the start of the resumed game. Return who plays each seat."""
        seated = self._seated_before(game, seats)
        self._begin(game, seated, rng)
        return to_record(seated)

    def follow(self, entry: Entry, game: Game | None, rng: random.Random) -> None:
        """Update players and coach after an entry: a game starts, goes on, goes back or is given up."""
        if game is None:
            self._begin(None, {}, rng)
        elif isinstance(entry, Begin):
            self._begin(game, read_seats(entry.seats, entry.setup.owners, self._players.programs), rng)
            self._publish(partial(seat_lines, game.public, entry.seats))
        else:
            if self.coach is not None:
                self.coach.go_on(game)
                self._pass_hints_on(self.coach)
            if self.computers is not None:
                self.computers.go_on(game)

    def close(self) -> None:
        """Close all players and the coach."""
        for one in (self.computers, self.coach):
            if one is not None:
                one.close()

    def _pass_hints_on(self, coach: TableCoach) -> None:
        """Send the coach's hints to the referee. Call it after everything that may change them."""
        self._referee.hints = coach.hints

    def _begin(self, game: Game | None, seated: Seated, rng: random.Random) -> None:
        if self.coach is not None:
            self.coach.begin(game)
            self._pass_hints_on(self.coach)
        if seated and self.computers is None:
            from firmware_host.table.computer_seats import ComputerSeats  # noqa: PLC0415 - people need none

            self.computers = ComputerSeats(self._players, self._publish, patient=self._patient)
        if self.computers is not None:
            self.computers.begin(game, seated, rng)
        self._handset.sit_down(computer=MR_X in seated)

    def _seated_before(self, game: Game, seats: Mapping[str, str]) -> Seated:
        """Return who played each seat at the game's start. A built-in player replaces those that cannot play here.

        They include a person as Mister X on a board whose handset was removed.
        """
        owners, programs = game.setup.owners, self._players.programs
        seated: dict[str, PlayerName] = {}
        for place, player in seats.items():
            try:
                able = level_for(player, game.setup.edition)
                seated |= read_seats({place: able}, owners, programs)
                if able != player:
                    why = "%s: %s cannot play here any more; %s plays instead"
                    log.warning(why, place, player, able, extra=log_fields("player", seat=place))
            except BadSeats as error:
                log.warning("%s: %s plays there instead", error, INSTEAD, extra=log_fields("player", seat=place))
                seated |= read_seats({place: INSTEAD}, owners)
        if MR_X not in seated and needs_computer(self._config):
            why = "%s: there is no handset any more; %s plays instead"
            log.warning(why, MR_X, INSTEAD, extra=log_fields("player", seat=MR_X))
            seated |= read_seats({MR_X: INSTEAD}, owners)
        return seated
