"""Who plays at one table beside the people: computers on their seats, and the coach.

What plays, and what coaches, is loaded where it is first wanted: most tables want neither.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from firmware_host.config.loader import Config
from firmware_host.players.person_names import Names
from firmware_host.players.seats import BadSeats, PlayerName, Seated, read_seats, to_record
from firmware_host.referee.events import Begin, Entry, Request
from firmware_host.referee.referee import Referee
from firmware_host.referee.scene import CoachMode, Seats
from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Setup
from firmware_host.system.event_log import log_fields
from firmware_host.system.language import Lines
from firmware_host.table.playable_games import INSTEAD, assign_names, assign_seats
from firmware_host.table.player_maker import PlayerMaker
from firmware_host.ui.handset_peek_and_sleep import Handset
from firmware_host.ui.live_commentary import seat_lines

if TYPE_CHECKING:
    from firmware_host.table.ask_coach import TableCoach
    from firmware_host.table.computer_seats import ComputerSeats

log = logging.getLogger("yardboard")


class Seating:
    """The players of one table who are no people, and its coach.

    Args:
        config: the table's configuration.
        players: where they come from.
        referee: asked whether anybody does anything at the board; told what the coach tells everyone.
        handset: told whether a computer is Mister X.
        tell: takes lines for everybody.
        patient: whether a computer player is waited for; see `ComputerSeats`.

    Attributes:
        computers: the players of the game in play; None where none has been wanted yet.
        coach: the coach; None where none has been wanted yet.
    """

    def __init__(
        self,
        config: Config,
        players: PlayerMaker,
        referee: Referee,
        handset: Handset,
        tell: Callable[[Lines], None],
        *,
        patient: bool,
    ) -> None:
        self._config, self._players, self._referee, self._handset, self._tell = config, players, referee, handset, tell
        self._patient = patient
        self.computers: ComputerSeats | None = None
        self.coach: TableCoach | None = None
        self.choose_coach(CoachMode(config.game.coach), None)

    def choose_coach(self, tells: CoachMode, game: Game | None) -> None:
        """Have the coach tell so much from now on."""
        if self.coach is None and tells is not CoachMode.OFF:
            from firmware_host.table.ask_coach import TableCoach  # noqa: PLC0415 - few want one

            self.coach = TableCoach(self._players.coach)
        if self.coach is not None:
            self.coach.choose(tells, game)
            self._pass_hints_on(self.coach)

    def hear_coach(self, now: float) -> bool:
        """Ask the coach, and hear it; return whether it tells everyone something else now."""
        if self.coach is None or self.coach.hints.tells is CoachMode.OFF or not self.coach.look(now):
            return False
        self._pass_hints_on(self.coach)
        return True

    def wants(self, game: Game | None, now: float) -> Request | None:
        """Return what a computer does, if it is its turn and nobody does anything at the board; else None."""
        if self.computers is None or not self.computers.seats or not self._referee.idle(now):
            return None
        return self.computers.wants(game, now)

    def assign(
        self, setup: Setup, seats: Mapping[str, str] | None, names: Mapping[str, str] | None
    ) -> tuple[Seats, Names]:
        """Return who plays a game that is dealt: the seats of computers, and what people are called.

        See `firmware_host.table.playable_games.assign_seats` and `assign_names`.

        Raises:
            BadSeats, BadNames: this cannot be.
        """
        seated = assign_seats(self._config, setup, seats, self._players.programs)
        return to_record(seated), assign_names(self._config, setup, names, seated)

    def resume(self, game: Game, seats: Mapping[str, str], chance: random.Random) -> Seats:
        """Seat the players of a game that is taken up again, as they sat when it was begun; return who sits where."""
        seated = self._seated_before(game, seats)
        self._begin(game, seated, chance)
        return to_record(seated)

    def follow(self, entry: Entry, game: Game | None, chance: random.Random) -> None:
        """Take note of what is true now: a game begins, goes on or back, or is given up."""
        if game is None:
            self._begin(None, {}, chance)
        elif isinstance(entry, Begin):
            self._begin(game, read_seats(entry.seats, entry.setup.owners, self._players.programs), chance)
            self._tell(partial(seat_lines, game.public, entry.seats))
        else:
            if self.coach is not None:
                self.coach.go_on(game)
                self._pass_hints_on(self.coach)
            if self.computers is not None:
                self.computers.go_on(game)

    def close(self) -> None:
        """Let all players and the coach go."""
        for one in (self.computers, self.coach):
            if one is not None:
                one.close()

    def _pass_hints_on(self, coach: TableCoach) -> None:
        """Tell the referee what the coach tells everyone: after all that may have changed it."""
        self._referee.hints = coach.hints

    def _begin(self, game: Game | None, seated: Seated, chance: random.Random) -> None:
        if self.coach is not None:
            self.coach.begin(game)
            self._pass_hints_on(self.coach)
        if seated and self.computers is None:
            from firmware_host.table.computer_seats import ComputerSeats  # noqa: PLC0415 - people need none

            self.computers = ComputerSeats(self._players, self._tell, patient=self._patient)
        if self.computers is not None:
            self.computers.begin(game, seated, chance)
        self._handset.sit_down(computer=MR_X in seated)

    def _seated_before(self, game: Game, seats: Mapping[str, str]) -> Seated:
        """Return who sat where when the game was begun; a player who is not known any more is played by the table."""
        owners, programs = game.setup.owners, self._players.programs
        seated: dict[str, PlayerName] = {}
        for place, player in seats.items():
            try:
                seated |= read_seats({place: player}, owners, programs)
            except BadSeats as error:
                log.warning("%s: %s plays there instead", error, INSTEAD, extra=log_fields("player", seat=place))
                seated |= read_seats({place: INSTEAD}, owners)
        return seated
