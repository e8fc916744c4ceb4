"""Answer in a game of two who choose at once, when one half knows and half guesses what the other does.

It is the restricted Nash response (Johanson, Zinkevich and Bowling, 2007): the other is taken to choose as guessed with
some probability, and otherwise to choose whatever is worst for us. So a right guess wins more than the plain odds of
the game would, and a wrong one costs little.
"""

from __future__ import annotations

from collections.abc import Sequence

_TIMES = 300
"""Answers of each side in fictitious play: within some hundredths of the true shares."""


def safe_answer(gains: Sequence[Sequence[float]], guess: Sequence[float], trust: float) -> list[float]:
    """Return how often to choose each of our options; the shares add up to 1.

    They are found by fictitious play: both sides answer the mean of what the other did so far, many times.

    Args:
        gains: for each of our options, what we gain with each of theirs.
        guess: how often they choose each of their options, as far as we can guess; adds up to 1.
        trust: how far the guess is relied upon: 0 not at all, 1 blindly.
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
