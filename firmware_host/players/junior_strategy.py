"""Play the junior game, in which both sides choose each round without knowing what the other does.

`JuniorBeginner` goes by where everyone stands, as if nobody else moved. `JuniorGuesser` thinks of where the others go,
as thoughtful people do. `JuniorReckoner` knows that, and answers it; but no further than that it stays hard to beat for
whoever does something else. A round is worth the chip to it, and what the position is worth that comes of it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TypeVar

from firmware_host.players.junior_guesses import Joint, JuniorRound
from firmware_host.players.junior_prospects import prospects, standing
from firmware_host.players.matrix_game import safe_answer
from firmware_host.players.tactics import distances
from firmware_host.rules.actions import Action, Commit
from firmware_host.rules.network import Network
from firmware_host.rules.views import MrXView, PublicView

_APART = 0.3
"""What it is worth to the detectives that Mister X's pawns stand apart, in chips."""

_TRUST = 0.3
"""How far it relies on the other side to choose as people do."""

_FAR = 99

T = TypeVar("T")


class JuniorBeginner:
    """Goes by where everyone stands, and forgets that they will not stay there."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._began: PublicView | None = None

    def see(self, view: PublicView) -> None:
        """Take note of where everyone stands as a round begins."""
        if self._began is None or view.round != self._began.round:
            self._began = view

    def pursue(self, view: PublicView) -> Action:
        """Run to where one of Mister X's pawns stands."""
        goals = [distances(view.network, view.pawns[fugitive]) for fugitive in view.fugitives]
        return min(view.moves, key=lambda move: (min(away.get(move.to, _FAR) for away in goals), self._chance.random()))

    def flee(self, view: MrXView) -> Action:
        """Go to any other station where no detective stands."""
        public, here = view.public, view.at.value
        taken = {here, *(public.pawns[pawn] for pawn in public.order)}
        around = public.network.around(here)
        return self._commit(view, self._chance.choice([to for to in around if to not in taken] or [here]))

    def _commit(self, view: MrXView, to: int) -> Action:
        commits = [action for action in view.choices.value if isinstance(action, Commit)]
        return next(commit for commit in commits if _leads_to(view.public.network, view.at.value, commit) == to)


class JuniorGuesser(JuniorBeginner):
    """Goes where the other side is likely, or unlikely, to go: one thought ahead."""

    def pursue(self, view: PublicView) -> Action:
        """Move a detective to where Mister X is likely to go, and no other detective has gone."""
        pawn = view.moves[0].pawn
        taken = tuple(view.pawns[moved] for moved in view.moved)
        to = _draw(self._chance, self._round(view).guess_detective(view.pawns[pawn], taken))
        return self._chance.choice([move for move in view.moves if (move.pawn, move.to) == (pawn, to)])

    def flee(self, view: MrXView) -> Action:
        """Pick a ticket to where detectives are unlikely to come."""
        return self._commit(view, _draw(self._chance, self._round(view.public).guess_fugitive(view.at.value)))

    def _round(self, view: PublicView) -> JuniorRound:
        return JuniorRound.of(self._began or view)


class JuniorReckoner(JuniorGuesser):
    """Plays each round by its odds, and by what people do.

    Args:
        chance: the chance of what is chosen without a plan.
        seed: of the plans, one for each round, which both of Mister X's pawns follow.
        network: the map: what positions on it are worth is worked out at once, in a second of the processor.
    """

    def __init__(self, chance: random.Random, seed: int, network: Network) -> None:
        super().__init__(chance)
        self._seed = seed
        prospects(network)

    def pursue(self, view: PublicView) -> Action:
        """Move a detective as all of them do together."""
        shares = detectives_shares(self._round(view))
        moved = {place: view.pawns[pawn] for place, pawn in enumerate(view.order) if pawn in view.moved}
        fits = {joint: share for joint, share in shares.items() if all(joint[p] == to for p, to in moved.items())}
        if not fits:  # people have moved some of the pawns otherwise
            return super().pursue(view)
        joint = _draw(self._chance, fits)
        wanted = [move for move in view.moves if move.to == joint[view.order.index(move.pawn)]]
        return self._chance.choice(wanted)

    def flee(self, view: MrXView) -> Action:
        """Pick a ticket for one of Mister X's pawns as both of them flee together."""
        public = view.public
        plan = random.Random(f"{self._seed} round {public.round}")  # noqa: S311 - a game has to repeat itself
        joint = _draw(plan, fugitives_shares(self._round(public)))
        return self._commit(view, joint[public.fugitives.index(view.actor)])


def _draw(chance: random.Random, shares: Mapping[T, float]) -> T:
    """Draw one of some options, each as likely as its share."""
    return chance.choices(list(shares), list(shares.values()))[0]


def _leads_to(network: Network, here: int, commit: Commit) -> int:
    """Return the station that a picked ticket leads to."""
    return next((to for to, ways in network.around(here).items() if commit.ticket.value in ways), here)


def detectives_shares(now: JuniorRound) -> dict[Joint, float]:
    """Return how often the detectives should go where, all together."""
    ours, theirs = now.joints(now.detectives), now.joints(now.fugitives)
    gains = [[worth_of(now, joint, fled) for fled in theirs] for joint in ours]
    return _chosen(ours, safe_answer(gains, now.guess_fugitives(theirs), _TRUST))


def fugitives_shares(now: JuniorRound) -> dict[Joint, float]:
    """Return how often Mister X's pawns should go where, all together."""
    ours, theirs = now.joints(now.fugitives), now.joints(now.detectives)
    gains = [[-worth_of(now, joint, fled) for joint in theirs] for fled in ours]
    return _chosen(ours, safe_answer(gains, now.guess_detectives(theirs), _TRUST))


def _chosen(joints: list[Joint], shares: list[float]) -> dict[Joint, float]:
    return {joint: share for joint, share in zip(joints, shares, strict=True) if share}


def worth_of(now: JuniorRound, joint: Joint, fled: Joint) -> float:
    """Return what it is worth to the detectives that they go somewhere and Mister X's pawns elsewhere, in chips."""
    known, apart = prospects(now.network), {*fled}
    later = sum(known[standing(x, joint)] for x in apart) + _APART * (len(apart) - 1)
    return float(any(to in joint for to in fled)) + later
