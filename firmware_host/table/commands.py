"""Define the commands that a table accepts besides the inputs of its devices, and their results.

`firmware_host.table.table.Table.do` takes every command and returns its result. Pages, scripts, the daemon's start and
replayed tapes have no other way to change a table. What Mister X chooses on the handset becomes a command, too.
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
from firmware_host.ui.drawing.table_menu_screen import TableAddress

# ---- commands about the game: each waits while an entry is being written ----


@dataclass(frozen=True, slots=True)
class StartGame:
    """The command to start a game in place of any game in play. Afterwards CONFIRM starts another like it.

    Attributes:
        rules: the name of one of the configuration's boxes; by default its own.
        detectives: the number of detective pawns; by default it follows from the number of players.
        players: the number of players, Mister X included; for the configured game by default the configuration's.
        owners: the player who moves each pawn; by default the rule system's assignment.
        start: stations for some or all pawns, Mister X's under "mr_x"; the other pawns draw start cards.
        options: options that differ from the configuration's.
        seats: who plays each seat, as `firmware_host.players.seats` reads it; by default the configuration's seats.
        names: people's names, as `firmware_host.config.person_names` reads them; by default the configuration's.
        same_mr_x: whether the previous game's Mister X plays Mister X again.
        rng: the rng for the start cards and for later dice; by default the table's.
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
    rng: random.Random | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Choose:
    """The command to carry out the action that Mister X has chosen."""

    action: Action


@dataclass(frozen=True, slots=True)
class UndoMove:
    """The command to undo what can be undone now. See `firmware_host.referee.referee.Referee.check_undo`.

    While the switches show a move that has not been played yet, that move is dropped. Otherwise the last person's move
    is undone, with all computer moves since. The table then asks for the pawns to be put back.
    """


@dataclass(frozen=True, slots=True)
class RollDice:
    """The command to roll the dice that are due, if any."""


@dataclass(frozen=True, slots=True)
class GiveUpGame:
    """The command to end the game in play. Nobody wins, and the command cannot be undone."""


# ---- commands about the table: carried out at once, except that a key waits while an entry is being written ----


@dataclass(frozen=True, slots=True)
class SetCoach:
    """The command to set how much the coach shows from now on."""

    mode: CoachMode


@dataclass(frozen=True, slots=True)
class InvitePhone:
    """The command to show the QR code that makes a phone Mister X's handset.

    The code is given as rows of text. Without rows, no code is shown.
    """

    code: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ShowAddress:
    """The command to show the address of the pages in the table menu, and once on the display. None: no address."""

    address: TableAddress | None


@dataclass(frozen=True, slots=True)
class ShowOwnerCode:
    """The command to show in the table menu the code that lets a browser into the owner's page."""

    code: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SayPowerOffFailed:
    """The command to say in the table menu that the machine is not shut down, although the menu asked for it."""


@dataclass(frozen=True, slots=True)
class TrustSwitches:
    """The command to set whether the switches are trusted. If they are, no key can contradict them."""

    trusted: bool


@dataclass(frozen=True, slots=True)
class PressKey:
    """The command to press one of the table's keys, as the owner does on a page.

    It counts for the game like the key itself, but neither opens the table menu nor moves through it.

    Attributes:
        key: the key's name, such as "table.confirm"; never one of the handset's.
    """

    key: str


@dataclass(frozen=True, slots=True)
class Touch:
    """The command to note public activity that no device senses, such as a click on the table's page.

    It delays the sleep of lamps and public display, or wakes them. Never send it for what Mister X does on his own
    page.
    """


GameCommand = StartGame | Choose | UndoMove | RollDice | GiveUpGame
"""The commands about the game."""

MenuCommand = ShowAddress | ShowOwnerCode | SayPowerOffFailed
"""The commands about the table menu."""

Command = GameCommand | MenuCommand | SetCoach | InvitePhone | TrustSwitches | PressKey | Touch
"""All commands."""


# ---- results of commands ----

RefusedError = RefereeError | RulesError | JournalError
"""The errors with which a command may be refused. Their messages contain no secret."""

REFUSED = (RefereeError, RulesError, JournalError)
"""The errors of `RefusedError` as a tuple, for `except`."""

TOO_LATE = gettext_noop("What was chosen before was still being saved")
"""The refusal of a command that was given before an entry changed the game."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a command was refused. A refused command changes nothing.

    Attributes:
        error: the error that refused it.
        title: the reason in a word or two, in English, for a small screen.
        text: the rest of the reason, in English.
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
        """The refusal's title and text in one line."""
        return translatable(gettext_noop("{title}: {text}"), title=self.title, text=self.text)


class CommandResult:
    """The result of a command so far.

    A command may be refused after `do` has returned, while a background thread of the journal writes its entry.

    Attributes:
        refusal: why the command was refused; None if it was not, or not yet.
    """

    def __init__(self) -> None:
        self.refusal: Refusal | None = None
        self._listener: Callable[[Refusal], None] | None = None

    def on_refusal(self, listener: Callable[[Refusal], None]) -> None:
        """Call `listener` on the table's thread when the command is refused. If it was refused already, call it now."""
        self._listener = listener
        if self.refusal is not None:
            listener(self.refusal)

    def refuse(self, error: RefusedError) -> None:
        """Mark the command as refused and call the listener. Only the table may call this."""
        self.refusal = Refusal.of(error)
        if self._listener is not None:
            self._listener(self.refusal)

    def check(self) -> None:
        """Raise the refusal's error if the command was refused.

        Raises:
            RefereeError, RulesError, JournalError: the command was refused; nothing has changed.
        """
        if self.refusal is not None:
            raise self.refusal.error


Do = Callable[[Command], CommandResult]
"""The function that takes commands: `firmware_host.table.table.Table.do`, or a recorder before it."""
