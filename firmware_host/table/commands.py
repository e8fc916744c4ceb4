"""Commands: all that can be done to a table other than by its devices, and what comes of each.

`firmware_host.table.table.Table.do` takes every command and returns its result. Pages, scripts, the daemon's start and
a tape that is replayed have no other way in. What Mister X chooses on the handset becomes a command, too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from firmware_host.journal.store_port import JournalError
from firmware_host.referee.referee import RefereeError
from firmware_host.referee.scene import CoachMode
from firmware_host.rules.actions import Action
from firmware_host.rules.errors import BadSetup, RulesError
from firmware_host.rules.setup import Option
from firmware_host.system.language import TranslatableText, gettext_noop, reason_of, translatable

# ---- about the game: each waits while an entry is being written ----


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin a game, whatever was played before. CONFIRM begins another like it once it is over.

    Attributes:
        rules: one of the configuration's boxes; by default its own.
        detectives: how many detective pawns; by the number of players if not given.
        players: how many play, Mister X included; the configuration's number by default.
        owners: for each pawn the player who moves it; the rule system's table by default.
        start: stations for some or all pawns, Mister X's under "mr_x"; the others draw their cards.
        options: what differs from the configuration's options.
        seats: who sits where, as `firmware_host.players.seats` reads it; the configuration's wish by default.
        names: what people are called, as `firmware_host.players.person_names` reads it; by default likewise.
        same_mr_x: whether Mister X of the game before plays him again.
        chance: the rng for the cards, and for the dice from then on; the table's by default.
    """

    rules: str = ""
    detectives: int | None = None
    players: int | None = None
    owners: Sequence[int] = ()
    start: Mapping[str, int] | None = field(default=None, repr=False)
    options: Mapping[str, Option] | None = None
    seats: Mapping[str, str] | None = None
    names: Mapping[str, str] | None = None
    same_mr_x: bool = False
    chance: random.Random | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Choose:
    """Do what Mister X has chosen."""

    action: Action


@dataclass(frozen=True, slots=True)
class UndoMove:
    """Do what Undo means now; see `firmware_host.referee.referee.Referee.check_undo`.

    It drops the move that the table asks about. Otherwise it takes the last person's move back, and what computers have
    done since. The table asks for the pawns back then.
    """


@dataclass(frozen=True, slots=True)
class RollDice:
    """RollDice the dice that are to be rolled now, if there are any."""


@dataclass(frozen=True, slots=True)
class GiveUpGame:
    """End the game in play. Nobody wins, and it cannot be undone."""


# ---- about the table: carried out at once ----


@dataclass(frozen=True, slots=True)
class SetCoach:
    """Have the coach show that much from now on."""

    mode: CoachMode


@dataclass(frozen=True, slots=True)
class InvitePhone:
    """Offer the QR code that makes a phone Mister X's handset, a text a row; no rows offer none any more."""

    code: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class TrustSwitches:
    """Offer no key that contradicts the switches while simulated hands are sure of what these should report."""

    sure: bool


@dataclass(frozen=True, slots=True)
class Touch:
    """Note that somebody does something for all to see that no device senses, such as on the table's page.

    Lamps and public screen sleep later for it, or wake. Never send it for what Mister X does on a page of his own.
    """


GameCommand = StartGame | Choose | UndoMove | RollDice | GiveUpGame
"""The commands about the game."""

Command = GameCommand | SetCoach | InvitePhone | TrustSwitches | Touch
"""All commands."""


# ---- what comes of them ----

RefusedError = RefereeError | RulesError | JournalError
"""The errors with which a command may be refused; no message of theirs holds a secret."""

REFUSED = (RefereeError, RulesError, JournalError)
"""The same, to be caught."""

TOO_LATE = gettext_noop("What was chosen before was still being saved")
"""Why a command is refused that was given before an entry changed the game."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command was refused; nothing has changed.

    Attributes:
        error: the reason.
        title: the reason in a word or two, in English, for a small screen.
        text: the rest of it, in English.
    """

    error: RefusedError
    title: str
    text: str

    @staticmethod
    def of(error: RefusedError) -> Refusal:
        """Return the refusal for an error."""
        match error:
            case BadSetup():
                return Refusal(error, gettext_noop("No game"), reason_of(error))
            case JournalError():
                why = gettext_noop("The journal cannot be written: try again")
                return Refusal(error, gettext_noop("Not saved"), why)
        return Refusal(error, gettext_noop("Not now"), reason_of(error))

    @property
    def words(self) -> TranslatableText:
        """Return title and text in one line."""
        return translatable(gettext_noop("{title}: {text}"), title=self.title, text=self.text)


class CommandResult:
    """What has come of a command so far.

    A command may still be refused after `do` has returned, while the journal writes its entry on a thread of its own.

    Attributes:
        refusal: why it was refused; None while it was not.
    """

    def __init__(self) -> None:
        self.refusal: Refusal | None = None
        self._listener: Callable[[Refusal], None] | None = None

    def on_refusal(self, listener: Callable[[Refusal], None]) -> None:
        """Call this if the command is refused: at once if it was already. The table's thread calls it."""
        self._listener = listener
        if self.refusal is not None:
            listener(self.refusal)

    def refuse(self, error: RefusedError) -> None:
        """Note why it is refused; for the table alone."""
        self.refusal = Refusal.of(error)
        if self._listener is not None:
            self._listener(self.refusal)

    def check(self) -> None:
        """Do nothing if it was not refused.

        Raises:
            RefereeError, RulesError, JournalError: it was refused for this reason; nothing has changed.
        """
        if self.refusal is not None:
            raise self.refusal.error


Do = Callable[[Command], CommandResult]
"""The door to a table: `firmware_host.table.table.Table.do`, or what records it."""
