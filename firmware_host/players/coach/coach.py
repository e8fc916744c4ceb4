"""Work out where Mister X may be from his log, and review the moves of a finished game.

Insights are computed only from a `PublicHistory` and a detectives' `NewGame`, so nothing hidden can enter them.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from firmware_host.players.coach.coach_port import Insight, NextAction, Review, can_coach
from firmware_host.players.levels.levels import can_search
from firmware_host.players.levels.skilled_strategy import LikelyStations, SkilledStrategy
from firmware_host.players.player_errors import CannotPlay
from firmware_host.players.player_port import NewGame, PublicHistory
from firmware_host.rules.actions import PawnMove
from firmware_host.rules.views import PublicView

if TYPE_CHECKING:
    from firmware_host.players.search.search_player import SearchPlayer, SearchReviewer

_ITERATIONS = 1000
"""Games simulated for one piece of advice. This is a number, not a time, so that the same game gets the same advice."""


class CoachMind:
    """The coach's knowledge of one game. It remembers past views and notices actions taken back.

    Args:
        game: the game as detectives know it.
        compiled: True to use the search, which compiles its code in this process if that has not been done yet. False
            to use the skilled level's rules instead, which need no compiled code. They are also used if the
            search cannot run here, or if the map or the number of pawns is too large for it.
    """

    def __init__(self, game: NewGame, *, compiled: bool = True) -> None:
        self._game, self._searches = game, compiled and can_coach(game.box) and can_search()
        self._begin()

    def _begin(self) -> None:
        game = self._game
        cut_off = bool(game.options.get("cut_off", game.box.options.get("cut_off")))
        self._likely = LikelyStations({*game.cards} - {*game.start.values()}, cut_off=cut_off)
        self._rng = random.Random(game.seed)  # noqa: S311 - the same game brings about the same advice
        try:
            self._search = self._make_search() if self._searches else None
        except CannotPlay:
            self._search = None
        self._rule = SkilledStrategy(self._rng, self._likely)
        self._seen: tuple[PublicView, ...] = ()

    def _make_search(self) -> SearchPlayer:
        from firmware_host.players.search.search_player import SearchPlayer  # noqa: PLC0415 - an extra that others lack

        return SearchPlayer(self._game.setup, rng=self._rng, enough=enough)

    def find_insight(self, history: PublicHistory, *, advice: bool) -> Insight:
        """Return where Mister X may be, and advice for the detectives if wanted.

        In a game that the coach does not know, the insight is empty.
        """
        if not can_coach(self._game.box):
            return Insight()
        views, known = history.views, len(self._seen)
        if known and (len(views) < known or views[known - 1] != self._seen[-1]):
            self._begin()  # an action was taken back: start over
            known = 0
        for view in views[known:]:
            self._likely.see(view)
            if self._search is not None:
                self._search.see(view)
        self._seen = views
        return Insight(self._shares(), self._advice(history) if advice else None)

    def _shares(self) -> dict[int, float]:
        shares = self._likely.shares
        weights = shares if self._search is None else {to: float(self._search.belief[to]) for to in shares}
        total = sum(weights.values())
        if total <= 0:
            return {station: 1 / len(shares) for station in sorted(shares)}
        return {station: round(weights[station] / total, 4) for station in sorted(shares)}

    def _advice(self, history: PublicHistory) -> PawnMove | None:
        now = history.now
        if now.outcome is not None or now.mr_x_to_move or not now.moves:
            return None
        self._seed(history)
        chosen = (self._search or self._rule).pursue(now)
        return chosen if isinstance(chosen, PawnMove) else None

    def _seed(self, history: PublicHistory) -> None:
        """Seed the rng so that the coach gives the same advice in the same position."""
        self._rng.seed(f"{self._game.seed} {len(history.views)}")


def enough(played: int, _: float) -> bool:
    """Return whether the search has simulated enough games to give advice."""
    return played >= _ITERATIONS


class OwnCoach:
    """The coach as an object in this process, which does all its thinking in `ask`. Implements `Coach`."""

    def __init__(self) -> None:
        self._mind: CoachMind | None = None
        self._insight: Insight | None = None

    def begin(self, game: NewGame) -> None:
        """Start to follow a game."""
        self._mind, self._insight = CoachMind(game), None

    def ask(self, history: PublicHistory, *, advice: bool) -> None:
        """Compute the insight from the public history, before returning."""
        if self._mind is not None:
            self._insight = self._mind.find_insight(history, advice=advice)

    def insight(self) -> Insight | None:
        """Return the computed insight, or None before the first `ask`."""
        return self._insight

    def close(self) -> None:
        """Do nothing: this coach holds no resources."""


class ReviewingMind(CoachMind):
    """A reviewer that goes through one finished game, step by step.

    Args:
        game: the game as detectives know it.
        compiled: as for `CoachMind`.
    """

    _reviewer: SearchReviewer | None = None

    def _make_search(self) -> SearchReviewer:
        from firmware_host.players.search.search_player import SearchReviewer  # noqa: PLC0415 - an extra

        self._reviewer = SearchReviewer(self._game.setup, rng=self._rng, enough=enough)
        return self._reviewer

    def review(self, history: PublicHistory, done: NextAction) -> Review:
        """Return the review of a step and of the action after it.

        Without the search, the review has neither chance nor cost.
        """
        insight = self.find_insight(history, advice=self._reviewer is None)
        if self._reviewer is None:
            return Review(insight.stations, insight.advice)
        self._seed(history)
        verdict = self._reviewer.review(history.now, done.action, mr_x=done.mr_x, shows=done.shows)
        return Review(insight.stations, verdict.advice, verdict.chance, verdict.cost)
