"""Define the interface of strategies, which choose a game's actions from views only."""

from __future__ import annotations

from typing import Protocol

from firmware_host.rules.actions import Action
from firmware_host.rules.views import MrXView, PublicView


class Strategy(Protocol):
    """A strategy for either side of one game, an action at a time. It sees every public view, in order."""

    def see(self, view: PublicView) -> None:
        """Update the strategy from the next public view."""

    def pursue(self, view: PublicView) -> Action:
        """Return the detectives' next action."""

    def flee(self, view: MrXView) -> Action:
        """Return Mister X's next action."""
