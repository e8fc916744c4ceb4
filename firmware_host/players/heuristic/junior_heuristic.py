"""Choose moves in the junior game, where Mister X picks a ticket before the detectives move."""

from __future__ import annotations

import random

from firmware_host.players.heuristic.game_heuristic import GameHeuristic
from firmware_host.rules.actions import Action, Commit
from firmware_host.rules.junior.junior_view import JuniorView
from firmware_host.rules.views import MrXView


class JuniorHeuristic(GameHeuristic[JuniorView]):
    """The rules of thumb for the junior game."""

    view = JuniorView

    def possible_stations(self, view: JuniorView) -> frozenset[int]:
        """Return the stations where Mister X or his accomplice may appear next."""
        found = {view.pawns[fugitive] for fugitive in view.fugitives}
        return frozenset(found.union(*(view.network.around(station) for station in found)))

    def flee(self, view: MrXView, rng: random.Random) -> Action:
        """Choose a ticket to a station that few detectives can reach, partly at random (JU-04)."""
        public, here = view.public, view.at.value
        around = public.network.around
        threats = [{public.pawns[pawn], *around(public.pawns[pawn])} for pawn in public.order]

        def danger(commit: Commit) -> float:
            ticket = commit.ticket.value
            to = next((to for to, ways in around(here).items() if ticket in ways), here)
            return sum(to in reached for reached in threats) + rng.random() * 2

        return min((action for action in view.choices.value if isinstance(action, Commit)), key=danger)
