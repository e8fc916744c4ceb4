"""The words that only the junior game needs, for success chips and tickets that return every round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_host.rules.actions import MR_X
from firmware_host.rules.junior.junior_view import ChipWon, JuniorView
from firmware_host.rules.views import Happening, Outcome
from firmware_host.system.language import gettext
from firmware_host.ui.games.game_ui import GameUi
from firmware_host.ui.handset_page_kinds import Notice, Page
from firmware_host.ui.vocabulary import all_of, pawn_name, side_name

CHIPS = "chips"
"""The handset's page of success chips."""


class JuniorUi(GameUi[JuniorView]):
    """The presentation of the junior game, where it differs from other games."""

    view = JuniorView
    announces_hands = False

    def mr_x_acts(self, view: JuniorView) -> str:
        """Return a sentence which says for which pawn Mister X has to pick a ticket (JU-04)."""
        return gettext("{pawn} picks a ticket in secret", pawn=pawn_name(view.turn[0]))

    def waiting(self, view: JuniorView) -> str:
        """Return a sentence which says that Mister X has picked his tickets, or a request to wait."""
        return gettext("Committed. Detectives move…") if view.turn else super().waiting(view)

    def happened(self, what: Happening) -> str:
        """Return who has won a chip, in a few words."""
        match what:
            case ChipWon("detectives"):
                return gettext("Caught: a chip for the detectives")
            case ChipWon():
                return gettext("Escaped: a chip for Mister X")
        return super().happened(what)

    def events(self, old: JuniorView, new: JuniorView) -> list[str]:
        """Return lines of news: who has won a chip, and where Mister X is now (JU-08)."""
        won = new.happened_since(old)
        if won is None:
            return []
        shown = all_of(
            gettext("{pawn} is on {station}", pawn=pawn_name(pawn), station=new.pawns[pawn]) for pawn in new.fugitives
        )
        count, needed = new.chips[won.side]
        if won.side == MR_X:
            return [gettext("{shown}: a chip for Mister X, {won} of {needed}.", shown=shown, won=count, needed=needed)]
        return [
            gettext("{shown}: a chip for the detectives, {won} of {needed}.", shown=shown, won=count, needed=needed)
        ]

    def reason(self, outcome: Outcome, view: JuniorView) -> str:
        """Return why the game is over, as a sentence."""
        if outcome.reason == CHIPS and outcome.winner in view.chips:
            won, _ = view.chips[outcome.winner]
            if outcome.winner == MR_X:
                return gettext("Mister X has {count} success chips.", count=won)
            return gettext("They have {count} success chips.", count=won)
        return super().reason(outcome, view)

    def tally(self, view: JuniorView) -> Mapping[str, tuple[int, int]]:
        """Return each side's success chips."""
        return view.chips

    def pages(self, view: JuniorView) -> Mapping[str, int]:
        """Return the name of the handset's page about chips, with its number of rows."""
        return {CHIPS: 1}

    def page(self, name: str, view: JuniorView, cursor: int) -> Page:
        """Return the handset's page about success chips."""
        if name != CHIPS:
            return super().page(name, view, cursor)
        counts = [
            gettext("{side} {won} of {needed}", side=side_name(side), won=won, needed=needed)
            for side, (won, needed) in view.chips.items()
        ]
        return Notice(gettext("Success chips"), "\n".join(counts))

    def scene_values(self, view: JuniorView, entered: tuple[str, ...]) -> dict[str, Any]:
        """Return the success chips as JSON values for a scene."""
        return {CHIPS: {side: {"won": won, "needed": needed} for side, (won, needed) in view.chips.items()}}

    def step_values(self, view: JuniorView) -> dict[str, Any]:
        """Return the success chips won so far as JSON values for a step of a finished game."""
        return {CHIPS: {side: won for side, (won, _) in view.chips.items()}}


GAME = JuniorUi()
