"""Carry out what was chosen on the handset, and tell Mister X where that cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from firmware_host.journal.store_port import JournalError
from firmware_host.referee.referee import NotNow
from firmware_host.rules.actions import Action
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.setup import Option
from firmware_host.rules.views import PublicView
from firmware_host.system.language import gettext_noop
from firmware_host.system.translatable_text import reason_of
from firmware_host.table.lost_devices import Devices
from firmware_host.ui.handset_peek_and_sleep import Handset
from firmware_host.ui.new_game_menu import GiveUp, NewGameChoice

_NOT_NOW = gettext_noop("Not now")

Chosen = Action | NewGameChoice | GiveUp


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen on the handset, and the view that everyone had of the game then."""

    wanted: Chosen
    view: PublicView | None


class _Game(Protocol):
    """What the handset does with a table; see `firmware_host.table.table.Table`."""

    def new_game(
        self,
        *,
        rules: str = "",
        players: int | None = None,
        options: Mapping[str, Option] | None = None,
        seats: Mapping[str, str] | None = None,
        same_mr_x: bool = False,
    ) -> None: ...
    def give_up(self) -> None: ...
    def play(self, action: Action) -> None: ...


class HandsetChoices:
    """The choices made on one table's handset."""

    def __init__(self, table: _Game, handset: Handset, devices: Devices) -> None:
        self._table, self._handset, self._devices = table, handset, devices

    def choose(self, choice: Choice, view: PublicView | None, now: float) -> None:
        """Carry a choice out unless the game has gone on since, and tell Mister X if it cannot be."""
        if choice.view is not view:
            self._handset.notice(_NOT_NOW, gettext_noop("What was chosen before was still being saved"))
            return
        try:
            self._carry_out(choice.wanted)
        except BadSetup as error:
            self._handset.notice(gettext_noop("No game"), reason_of(error))
        except NotNow as error:
            self._handset.notice(_NOT_NOW, reason_of(error))
        except JournalError as error:
            self._devices.lost("journal", error, now)
            self.not_saved()

    def not_saved(self) -> None:
        """Tell Mister X that his choice could not be written down."""
        why = gettext_noop("The journal cannot be written: try again")
        self._handset.notice(gettext_noop("Not saved"), why)

    def _carry_out(self, chosen: Chosen) -> None:
        match chosen:
            case NewGameChoice(rules, players, options, seats):
                self._table.new_game(rules=rules, players=players, options=options, seats=seats, same_mr_x=True)
            case GiveUp():
                self._table.give_up()
            case _:
                self._table.play(chosen)
