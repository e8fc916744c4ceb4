"""Solve a game of simultaneous choices if the opponent's choice is partly predictable.

This is the restricted Nash response (Johanson, Zinkevich and Bowling, 2007): the opponent chooses as predicted with
some probability, and otherwise chooses the worst for us. So a right prediction wins more than the equilibrium would,
and a wrong one costs little.
"""

from __future__ import annotations

from collections.abc import Sequence

_TIMES = 300
"""Rounds of fictitious play: enough for an error of some hundredths."""


def safe_answer(gains: Sequence[Sequence[float]], guess: Sequence[float], trust: float) -> list[float]:
    """Return how often to choose each of our options; the shares add up to 1.

    Both sides repeatedly answer the mean of the other's past choices (fictitious play).

    Args:
        gains: for each of our options, our gain against each of theirs.
        guess: the predicted share of each of their options; adds up to 1.
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
