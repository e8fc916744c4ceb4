"""Choose moves of the dice game by simulating the rest from Mister X's possible places."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from firmware_host.players.levels.dice_belief import DiceBelief, on_tile, tiling
from firmware_host.players.levels.dice_playouts import DicePlayouts, DiceScene
from firmware_host.players.player_errors import CannotPlay
from firmware_host.players.player_port import NewGame
from firmware_host.rules.actions import BLACK, HELICOPTER, MR_X, START, STAY, Action, Double, MrXMove, Pass, PawnMove
from firmware_host.rules.dice.dice_box import DiceBox
from firmware_host.rules.dice.dice_mr_x_turns import PASS
from firmware_host.rules.dice.dice_view import DiceView
from firmware_host.rules.views import MrXView, PublicView

DICE_PLAYOUTS = 400
"""The most playouts per answer: about 50 ms of processor time on the machine of the measurement."""

_COSTS: Mapping[str, float] = {BLACK: 0.05, HELICOPTER: 0.05}
"""The value of each of Mister X's cards, in captures."""

_TOKEN = 0.05
"""The value of a token for rolling again, in captures."""

_DOUBLE = 0.45
"""Mister X doubles if the capture probability after his best single move is above this."""

_EXPLORE = 0.5
"""How strongly rarely tried moves are preferred (UCB1)."""

A = TypeVar("A", bound=Action)


class DiceStrategy:
    """A strategy that simulates each move, the good ones more often than the others.

    Args:
        game: the game as its player knows it.
        chance: the random source.
        enough: called with the number of playouts and the seconds they took; returns True to stop.
        clock: the clock that counts the seconds.

    Raises:
        CannotPlay: the game is not the dice game.
    """

    def __init__(
        self,
        game: NewGame,
        chance: random.Random,
        enough: Callable[[int, float], bool],
        clock: Callable[[], float],
    ) -> None:
        box = game.box
        if not isinstance(box, DiceBox):
            raise CannotPlay(f"{box.name} is not a dice game")
        self._chance, self._enough, self._clock, self._belief = chance, enough, clock, DiceBelief()
        self._faces = box.faces
        self._hand = box.small_hand if box.is_small(game.owners.values()) else box.hand

    def see(self, view: PublicView) -> None:
        """Update the probabilities of Mister X's places."""
        self._belief.see(_dice(view))

    def pursue(self, view: PublicView) -> Action:
        """Move, or roll again, so that Mister X is captured most often and soonest."""
        likely, view = self._belief.likely, _dice(view)
        if not likely:  # Mister X is not on the board yet: all starts are equal (DI-10)
            return self._chance.choice(view.moves)
        places, shares = [*likely], [*likely.values()]
        scenes = {action: self._pursuing(view, action) for action in (*view.moves, *view.extras.values())}
        playouts = self._playouts(view)

        def gain(action: Action) -> float:
            x, *ghosts = self._chance.choices(places, shares, k=1 + len(view.order))
            cost = 0.0 if isinstance(action, PawnMove) else _TOKEN
            return playouts.play(scenes[action]._replace(x=x, ghosts=ghosts)) - cost

        return self._best([*scenes], gain)[0]

    def flee(self, view: MrXView) -> Action:
        """Make the move with the fewest and latest captures; double if even that move is dangerous."""
        public, choices = _dice(view.public), view.choices.value
        moves = [action for action in choices if isinstance(action, MrXMove | Pass)]
        scenes = {move: self._fleeing(view, public, move) for move in moves}
        likely = {move: self._likely(view, public, move) for move in moves}
        playouts = self._playouts(public)

        def gain(move: MrXMove | Pass) -> float:
            ghosts = self._chance.choices([*likely[move]], [*likely[move].values()], k=len(public.order))
            cost = _COSTS.get(move.ticket, 0.0) if isinstance(move, MrXMove) else 0.0
            return -playouts.play(scenes[move]._replace(ghosts=ghosts)) - cost

        best, worth = self._best(moves, gain)
        return Double() if Double() in choices and -worth > _DOUBLE else best

    def _playouts(self, view: DiceView) -> DicePlayouts:
        return DicePlayouts(
            tiling(view),
            self._faces,
            hand=self._hand,
            windows=view.windows,
            surfacing=view.surfacing,
            chance=self._chance,
        )

    def _pursuing(self, view: DiceView, action: Action) -> DiceScene:
        """Return the scene after the detectives' action, without Mister X."""
        stand, dice = _stand(view), view.dice
        used, left = tuple(face for _, face in dice.used), len(dice.rolled)
        first = (view.round - 1) % len(stand)
        gone = {*view.moved, *(skipped.pawn for skipped in view.skipped)}
        if isinstance(action, PawnMove):
            place = view.order.index(action.pawn)
            stand = (*stand[:place], action.to, *stand[place + 1 :])
            gone.add(action.pawn)
            if action.ticket != STAY:
                used, left = (*used, action.ticket), left - 1
        waiting = tuple(n for n in _turns(first, len(stand)) if view.order[n] not in gone)
        blacks = view.tickets[MR_X].get(BLACK, 0)
        return DiceScene(0, (), stand, waiting, left, used, blacks, len(view.log), first)

    def _fleeing(self, view: MrXView, public: DiceView, move: MrXMove | Pass) -> DiceScene:
        """Return the scene after Mister X's move, without the detectives' ghosts."""
        to, ticket = (move.to.value, move.ticket) if isinstance(move, MrXMove) else (view.at.value, PASS)
        stand, first = _stand(public), public.round % len(public.order)
        blacks = public.tickets[MR_X].get(BLACK, 0) - (ticket == BLACK)
        filled = len(public.log) + (ticket != START)
        if public.double == 1:  # the second half follows, with one of the other dice
            used = [face for _, face in public.dice.used]
            if ticket in used:
                used.remove(ticket)
            return DiceScene(to, (), stand, (), 0, tuple(used), blacks, filled, first - 1)
        return DiceScene(to, (), stand, _turns(first, len(stand)), self._hand, (), blacks, filled, first)

    def _likely(self, view: MrXView, public: DiceView, move: MrXMove | Pass) -> Mapping[int, float]:
        """Return the probabilities of Mister X's places that the detectives see after a move."""
        if isinstance(move, Pass):
            return self._belief.after(public, PASS)
        if view.shows:
            return {move.to.value: 1.0}
        if move.ticket != START:
            return self._belief.after(public, move.ticket)
        return on_tile(public, tiling(public).letters[move.to.value])

    def _best(self, actions: Sequence[A], gain: Callable[[A], float]) -> tuple[A, float]:
        """Return the best action and its mean gain (UCB1)."""
        began, tried = self._clock(), [1] * len(actions)
        gained, played = [gain(action) for action in actions], len(actions)
        while len(actions) > 1 and not self._enough(played, self._clock() - began):
            log = _EXPLORE * math.log(played)
            n = max(range(len(actions)), key=lambda n: gained[n] / tried[n] + math.sqrt(log / tried[n]))
            gained[n] += gain(actions[n])
            tried[n] += 1
            played += 1
        best = max(range(len(actions)), key=lambda n: (tried[n], gained[n]))
        return actions[best], gained[best] / tried[best]


def _dice(view: PublicView) -> DiceView:
    if not isinstance(view, DiceView):
        raise CannotPlay("a player of the dice game got a view of another game")
    return view


def _stand(view: DiceView) -> tuple[int, ...]:
    """Return the detectives' places in playing order; all of them are on the board by then."""
    return tuple(view.pawns[pawn] for pawn in view.order)


def _turns(first: int, count: int) -> tuple[int, ...]:
    """Return the detectives' indexes in turn, beginning with `first`."""
    return (*range(first, count), *range(first))
