"""Play the junior game, in which each side chooses without knowing the other's choice of the round.

The value of a position is found by fictitious play: both sides answer the mean of the other's past choices, a few times
a sweep, and the positions' values enter the next sweep (Leslie, Perkins and Xu, "Best-response dynamics in zero-sum
stochastic games", 2020).

People are predicted to choose like this: Mister X avoids the stations that detectives can reach and seldom stays.
Detectives put themselves in Mister X's place and each go to a different one of his likely stations.

The answer to a prediction is the restricted Nash response (Johanson, Zinkevich and Bowling, 2007): the opponent chooses
as predicted with some probability, and otherwise chooses the worst for us. So a right prediction wins more than the
equilibrium would, and a wrong one costs little.

`JuniorBeginner` assumes that nobody else moves. `JuniorGuesser` predicts where the other side goes, as thoughtful
people do. `JuniorReckoner` relies on the same prediction only in part, so that it stays hard to beat if the prediction
is wrong. It values a round by the chip and by the position that follows.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import TypeVar

from firmware_host.players.heuristic.game_heuristic import FAR, distances
from firmware_host.rules.actions import Action, Commit
from firmware_host.rules.network import Network
from firmware_host.rules.views import MrXView, PublicView

_SWEEPS = 10
_AT_MOST = 15_000
"""The most positions visited, in all sweeps together: about a second of processor time."""

_STEPS = 10
"""Rounds of fictitious play in a position per sweep."""

_FADES = 0.8
"""The factor on the answers of earlier sweeps."""

_LATER = 0.9
"""The factor on a chip of the next round."""

_PACE = 0.5
"""How fast a position's value follows the latest sweep."""

_NEAR = 0.15
"""The first estimate of the value of being one move nearer, in chips."""

Standing = tuple[int, int, int]
"""The stations of one of Mister X's pawns and of the two detectives, the lower station of these two first."""


@lru_cache(maxsize=4)
def prospects(network: Network) -> Mapping[Standing, float]:
    """Return the value of each position to the detectives, in chips above the average."""
    stations = sorted(network.stations)
    standings = ((x, a, b) for x, (a, b) in product(stations, combinations_with_replacement(stations, 2)))
    positions = {standing: _Position(network, standing) for standing in standings}
    worth = {(x, a, b): -_NEAR * min(distances(network, x).get(at, 9) for at in (a, b)) for x, a, b in positions}
    for _ in range(max(1, min(_SWEEPS, _AT_MOST // len(positions)))):
        found = {standing: position.sweep(worth) for standing, position in positions.items()}
        mean = sum(found.values()) / len(found)
        worth = {standing: old + _PACE * (found[standing] - mean - old) for standing, old in worth.items()}
    return worth


def options(network: Network, station: int) -> tuple[int, ...]:
    """Return the stations that a pawn can go to, its own station first."""
    return (station, *network.around(station))


def standing(x: int, joint: tuple[int, ...]) -> Standing:
    """Return the `Standing` with one of Mister X's pawns at `x` and the two detectives at `joint`."""
    return (x, min(joint), max(joint))


class _Position:
    """One position with both sides' past choices in it."""

    def __init__(self, network: Network, at: Standing) -> None:
        fled, joints = options(network, at[0]), list(product(options(network, at[1]), options(network, at[2])))
        self._next = [[standing(x, joint) for joint in joints] for x in fled]
        self._caught = [[float(x in joint) for joint in joints] for x in fled]
        self._his, self._theirs = [1.0, *[0.0] * (len(fled) - 1)], [1.0, *[0.0] * (len(joints) - 1)]

    def sweep(self, worth: Mapping[Standing, float]) -> float:
        """Let both sides improve their choices against each other for `_STEPS` rounds. Return the position's value."""
        rows = [
            [chip + _LATER * worth[to] for chip, to in zip(chips, after, strict=True)]
            for chips, after in zip(self._caught, self._next, strict=True)
        ]
        his, theirs = self._his, self._theirs
        lost = [sum(map(float.__mul__, row, theirs)) for row in rows]
        gained = [sum(map(float.__mul__, column, his)) for column in zip(*rows, strict=True)]
        for _ in range(_STEPS):
            mine, best = lost.index(min(lost)), gained.index(max(gained))
            his[mine] += 1
            theirs[best] += 1
            lost = [sum_ + row[best] for sum_, row in zip(lost, rows, strict=True)]
            gained = list(map(float.__add__, gained, rows[mine]))
        value = (min(lost) + max(gained)) / 2 / sum(his)
        self._his, self._theirs = [_FADES * count for count in his], [_FADES * count for count in theirs]
        return value


_DARING = 0.3
"""The factor on the probability of a station for each detective that can reach it."""

_STAYING = 0.5
"""The factor on the probability that Mister X stays."""

_NEARER = 0.05
"""The value to a detective of coming nearer to Mister X, added to the probability of meeting him."""

_SURENESS = 2.0
"""The exponent with which detectives prefer likely stations: 0 not at all, 1 in proportion."""

Joint = tuple[int, ...]
"""The destinations of several pawns, chosen together."""


@dataclass(frozen=True, slots=True)
class JuniorRound:
    """The start of a round: where all pawns are, and where each can go.

    Attributes:
        network: the map.
        detectives: the detectives' stations, in playing order.
        fugitives: the stations of Mister X's pawns.
    """

    network: Network
    detectives: Joint
    fugitives: Joint

    @classmethod
    def of(cls, view: PublicView) -> JuniorRound:
        """Return the round that starts with this view."""
        detectives = tuple(view.pawns[pawn] for pawn in view.order)
        return cls(view.network, detectives, tuple(view.pawns[pawn] for pawn in view.fugitives))

    def joints(self, stations: Joint) -> list[Joint]:
        """Return every combination of destinations for pawns at these stations."""
        return list(product(*(options(self.network, station) for station in stations)))

    def guess_fugitive(self, station: int) -> Mapping[int, float]:
        """Return how likely Mister X's pawn at a station is to go to each destination."""
        reached = [options(self.network, detective) for detective in self.detectives]
        weights = {
            to: _DARING ** sum(to in near for near in reached) * (_STAYING if to == station else 1.0)
            for to in options(self.network, station)
        }
        return _shares(weights)

    def guess_detective(self, station: int, taken: Joint = ()) -> Mapping[int, float]:
        """Return how likely a detective is to go to each destination, if other detectives go to `taken`."""
        likely = [self.guess_fugitive(fugitive) for fugitive in self.fugitives]
        away = [distances(self.network, fugitive) for fugitive in self.fugitives]

        def weight(to: int) -> float:
            meets = 0.0 if to in taken else sum(shares.get(to, 0.0) for shares in likely)
            return float((meets + _NEARER / (1 + min(row.get(to, FAR) for row in away))) ** _SURENESS)

        return _shares({to: weight(to) for to in options(self.network, station)})

    def guess_fugitives(self, joints: Sequence[Joint]) -> list[float]:
        """Return the probability of each combination of choices by Mister X's pawns, which choose independently."""
        likely = [self.guess_fugitive(station) for station in self.fugitives]
        return [math.prod(shares[to] for shares, to in zip(likely, joint, strict=True)) for joint in joints]

    def guess_detectives(self, joints: Sequence[Joint]) -> list[float]:
        """Return the probability of each combination of choices by the detectives, who choose in turn."""
        return [
            math.prod(
                self.guess_detective(station, joint[:place])[joint[place]]
                for place, station in enumerate(self.detectives)
            )
            for joint in joints
        ]


def _shares(weights: Mapping[int, float]) -> Mapping[int, float]:
    total = sum(weights.values())
    return {to: weight / total for to, weight in weights.items()}


_TIMES = 300
"""Rounds of fictitious play: enough for an error of some hundredths."""


def safe_answer(gains: Sequence[Sequence[float]], guess: Sequence[float], trust: float) -> list[float]:
    """Return how often to choose each of our options, as shares that add up to 1.

    Both sides repeatedly answer the mean of the other's past choices (fictitious play).

    Args:
        gains: for each of our options, our gain against each of the opponents' options.
        guess: the predicted share of each of the opponents' options; the shares add up to 1.
        trust: how far to rely on the prediction: 0 not at all, 1 fully.
    """
    lost = list(zip(*gains, strict=True))
    expected = [sum(gain * share for gain, share in zip(row, guess, strict=True)) for row in gains]
    ours, theirs = [0.0] * len(gains), [0.0] * len(guess)
    count = [0] * len(gains)
    for times in range(_TIMES):
        best = max(range(len(gains)), key=lambda n: trust * (times + 1) * expected[n] + (1 - trust) * ours[n])
        count[best] += 1
        theirs = [sum_ + gain for sum_, gain in zip(theirs, gains[best], strict=True)]
        worst = min(range(len(guess)), key=theirs.__getitem__)
        ours = [sum_ + gain for sum_, gain in zip(ours, lost[worst], strict=True)]
    return [number / _TIMES for number in count]


_APART = 0.3
"""The value to the detectives of Mister X's pawns standing apart, in chips."""

_TRUST = 0.3
"""How far `JuniorReckoner` relies on the prediction of the other side's choice, from 0 to 1."""


T = TypeVar("T")


class JuniorBeginner:
    """A strategy for beginners, which assumes that no other pawn moves."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._began: PublicView | None = None

    def see(self, view: PublicView) -> None:
        """Remember where all pawns are when a round starts."""
        if self._began is None or view.round != self._began.round:
            self._began = view

    def pursue(self, view: PublicView) -> Action:
        """Return the move that ends nearest to one of Mister X's pawns."""
        goals = [distances(view.network, view.pawns[fugitive]) for fugitive in view.fugitives]
        return min(view.moves, key=lambda move: (min(away.get(move.to, FAR) for away in goals), self._rng.random()))

    def flee(self, view: MrXView) -> Action:
        """Return a ticket to any other station without a detective, or `STAY` if there is none."""
        public, here = view.public, view.at.value
        taken = {here, *(public.pawns[pawn] for pawn in public.order)}
        around = public.network.around(here)
        return self._commit(view, self._rng.choice([to for to in around if to not in taken] or [here]))

    def _commit(self, view: MrXView, to: int) -> Action:
        commits = [action for action in view.choices.value if isinstance(action, Commit)]
        return next(commit for commit in commits if _leads_to(view.public.network, view.at.value, commit) == to)


class JuniorGuesser(JuniorBeginner):
    """A strategy that predicts the other side's choice one step ahead."""

    def pursue(self, view: PublicView) -> Action:
        """Draw a move, most often to a likely station of Mister X to which no other detective has moved."""
        pawn = view.moves[0].pawn
        taken = tuple(view.pawns[moved] for moved in view.moved)
        to = _draw(self._rng, self._round(view).guess_detective(view.pawns[pawn], taken))
        return self._rng.choice([move for move in view.moves if (move.pawn, move.to) == (pawn, to)])

    def flee(self, view: MrXView) -> Action:
        """Draw a ticket, most often to a station that few detectives can reach."""
        return self._commit(view, _draw(self._rng, self._round(view.public).guess_fugitive(view.at.value)))

    def _round(self, view: PublicView) -> JuniorRound:
        return JuniorRound.of(self._began or view)


class JuniorReckoner(JuniorGuesser):
    """A strategy that relies only partly on a prediction of people's choices, so that it stays hard to beat.

    Args:
        rng: the random number generator of the detectives' choices.
        seed: the seed of Mister X's plans. Each round has one plan, which both of his pawns follow.
        network: the map; the constructor computes the values of its positions, in about a second of processor time.
    """

    def __init__(self, rng: random.Random, seed: int, network: Network) -> None:
        super().__init__(rng)
        self._seed = seed
        prospects(network)

    def pursue(self, view: PublicView) -> Action:
        """Return a detective's move according to a plan for all detectives."""
        shares = detectives_shares(self._round(view))
        moved = {place: view.pawns[pawn] for place, pawn in enumerate(view.order) if pawn in view.moved}
        fits = {joint: share for joint, share in shares.items() if all(joint[p] == to for p, to in moved.items())}
        if not fits:  # people have moved some of the pawns differently
            return super().pursue(view)
        joint = _draw(self._rng, fits)
        wanted = [move for move in view.moves if move.to == joint[view.order.index(move.pawn)]]
        return self._rng.choice(wanted)

    def flee(self, view: MrXView) -> Action:
        """Return a ticket for one of Mister X's pawns according to a plan for all of them."""
        public = view.public
        plan = random.Random(f"{self._seed} round {public.round}")  # noqa: S311 - a game has to repeat itself
        joint = _draw(plan, fugitives_shares(self._round(public)))
        return self._commit(view, joint[public.fugitives.index(view.actor)])


def _draw(rng: random.Random, shares: Mapping[T, float]) -> T:
    """Return one of the options at random, with the given probabilities."""
    return rng.choices(list(shares), list(shares.values()))[0]


def _leads_to(network: Network, here: int, commit: Commit) -> int:
    """Return the station to which a picked ticket leads."""
    return next((to for to, ways in network.around(here).items() if commit.ticket.value in ways), here)


def detectives_shares(now: JuniorRound) -> dict[Joint, float]:
    """Return how often the detectives should choose each combination of moves."""
    ours, theirs = now.joints(now.detectives), now.joints(now.fugitives)
    gains = [[worth_of(now, joint, fled) for fled in theirs] for joint in ours]
    return _chosen(ours, safe_answer(gains, now.guess_fugitives(theirs), _TRUST))


def fugitives_shares(now: JuniorRound) -> dict[Joint, float]:
    """Return how often Mister X's pawns should choose each combination of moves."""
    ours, theirs = now.joints(now.fugitives), now.joints(now.detectives)
    gains = [[-worth_of(now, joint, fled) for joint in theirs] for fled in ours]
    return _chosen(ours, safe_answer(gains, now.guess_detectives(theirs), _TRUST))


def _chosen(joints: list[Joint], shares: list[float]) -> dict[Joint, float]:
    return {joint: share for joint, share in zip(joints, shares, strict=True) if share}


def worth_of(now: JuniorRound, joint: Joint, fled: Joint) -> float:
    """Return the value of a round to the detectives, in chips, given the moves of both sides."""
    known, apart = prospects(now.network), {*fled}
    later = sum(known[standing(x, joint)] for x in apart) + _APART * (len(apart) - 1)
    return float(any(to in joint for to in fled)) + later
