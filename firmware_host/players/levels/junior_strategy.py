"""Play the junior game, in which both sides choose at the same time.

`JuniorBeginner` assumes that nobody else moves. `JuniorGuesser` predicts where the others go, as thoughtful people do.
`JuniorReckoner` answers that prediction, but only so far that it stays hard to beat for anyone who plays otherwise. It
values a round by the chip and by the position that follows.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TypeVar

from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.players.levels.junior_guesses import Joint, JuniorRound
from firmware_host.players.levels.junior_prospects import prospects, standing
from firmware_host.players.levels.matrix_game import safe_answer
from firmware_host.rules.actions import Action, Commit
from firmware_host.rules.network import Network
from firmware_host.rules.views import MrXView, PublicView

_APART = 0.3
"""The value to the detectives of Mister X's pawns standing apart, in chips."""

_TRUST = 0.3
"""How far it relies on the prediction of the other side's choice."""

_FAR = 99

T = TypeVar("T")


class JuniorBeginner:
    """A strategy that assumes that all other pawns stay where they are."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._began: PublicView | None = None

    def see(self, view: PublicView) -> None:
        """Remember where everyone stands as a round begins."""
        if self._began is None or view.round != self._began.round:
            self._began = view

    def pursue(self, view: PublicView) -> Action:
        """Move to the station of one of Mister X's pawns."""
        goals = [distances(view.network, view.pawns[fugitive]) for fugitive in view.fugitives]
        return min(view.moves, key=lambda move: (min(away.get(move.to, _FAR) for away in goals), self._chance.random()))

    def flee(self, view: MrXView) -> Action:
        """Go to any other station without a detective."""
        public, here = view.public, view.at.value
        taken = {here, *(public.pawns[pawn] for pawn in public.order)}
        around = public.network.around(here)
        return self._commit(view, self._chance.choice([to for to in around if to not in taken] or [here]))

    def _commit(self, view: MrXView, to: int) -> Action:
        commits = [action for action in view.choices.value if isinstance(action, Commit)]
        return next(commit for commit in commits if _leads_to(view.public.network, view.at.value, commit) == to)


class JuniorGuesser(JuniorBeginner):
    """A strategy that predicts the other side's choice, one step ahead."""

    def pursue(self, view: PublicView) -> Action:
        """Move a detective to Mister X's likeliest station that no other detective takes."""
        pawn = view.moves[0].pawn
        taken = tuple(view.pawns[moved] for moved in view.moved)
        to = _draw(self._chance, self._round(view).guess_detective(view.pawns[pawn], taken))
        return self._chance.choice([move for move in view.moves if (move.pawn, move.to) == (pawn, to)])

    def flee(self, view: MrXView) -> Action:
        """Pick a ticket to a station that detectives are unlikely to reach."""
        return self._commit(view, _draw(self._chance, self._round(view.public).guess_fugitive(view.at.value)))

    def _round(self, view: PublicView) -> JuniorRound:
        return JuniorRound.of(self._began or view)


class JuniorReckoner(JuniorGuesser):
    """A strategy that balances the odds of each round with a prediction of people's choices.

    Args:
        chance: the random source for choices without a plan.
        seed: the seed of the plans, one a round, which both of Mister X's pawns follow.
        network: the map; its positions' values are computed at once, in about a second of processor time.
    """

    def __init__(self, chance: random.Random, seed: int, network: Network) -> None:
        super().__init__(chance)
        self._seed = seed
        prospects(network)

    def pursue(self, view: PublicView) -> Action:
        """Move a detective according to the joint plan of all detectives."""
        shares = detectives_shares(self._round(view))
        moved = {place: view.pawns[pawn] for place, pawn in enumerate(view.order) if pawn in view.moved}
        fits = {joint: share for joint, share in shares.items() if all(joint[p] == to for p, to in moved.items())}
        if not fits:  # people have moved some of the pawns differently
            return super().pursue(view)
        joint = _draw(self._chance, fits)
        wanted = [move for move in view.moves if move.to == joint[view.order.index(move.pawn)]]
        return self._chance.choice(wanted)

    def flee(self, view: MrXView) -> Action:
        """Pick a ticket for one of Mister X's pawns according to their joint plan."""
        public = view.public
        plan = random.Random(f"{self._seed} round {public.round}")  # noqa: S311 - a game has to repeat itself
        joint = _draw(plan, fugitives_shares(self._round(public)))
        return self._commit(view, joint[public.fugitives.index(view.actor)])


def _draw(chance: random.Random, shares: Mapping[T, float]) -> T:
    """Draw one of the options with the given probabilities."""
    return chance.choices(list(shares), list(shares.values()))[0]


def _leads_to(network: Network, here: int, commit: Commit) -> int:
    """Return the station that a picked ticket leads to."""
    return next((to for to, ways in network.around(here).items() if commit.ticket.value in ways), here)


def detectives_shares(now: JuniorRound) -> dict[Joint, float]:
    """Return how often the detectives should choose each joint move."""
    ours, theirs = now.joints(now.detectives), now.joints(now.fugitives)
    gains = [[worth_of(now, joint, fled) for fled in theirs] for joint in ours]
    return _chosen(ours, safe_answer(gains, now.guess_fugitives(theirs), _TRUST))


def fugitives_shares(now: JuniorRound) -> dict[Joint, float]:
    """Return how often Mister X's pawns should choose each joint move."""
    ours, theirs = now.joints(now.fugitives), now.joints(now.detectives)
    gains = [[-worth_of(now, joint, fled) for joint in theirs] for fled in ours]
    return _chosen(ours, safe_answer(gains, now.guess_detectives(theirs), _TRUST))


def _chosen(joints: list[Joint], shares: list[float]) -> dict[Joint, float]:
    return {joint: share for joint, share in zip(joints, shares, strict=True) if share}


def worth_of(now: JuniorRound, joint: Joint, fled: Joint) -> float:
    """Return the value of a round to the detectives, in chips, for both sides' joint moves."""
    known, apart = prospects(now.network), {*fled}
    later = sum(known[standing(x, joint)] for x in apart) + _APART * (len(apart) - 1)
    return float(any(to in joint for to in fled)) + later
