"""Define what chooses the actions of one game, from views alone."""

from __future__ import annotations

from typing import Protocol

from firmware_host.rules.actions import Action
from firmware_host.rules.views import MrXView, PublicView


class Strategy(Protocol):
    """Chooses the actions of either side of one game, an action at a time. It sees every public view, in order."""

    def see(self, view: PublicView) -> None:
        """Take note of the next public view."""

    def pursue(self, view: PublicView) -> Action:
        """Return the detectives' next action."""

    def flee(self, view: MrXView) -> Action:
        """Return Mister X's next action."""
