"""The engine of the dice game and the naive referee play the same games and never disagree."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from firmware_host.rules.views import PublicView
from tests.amount import amount
from tests.rules.dice.dice_boards import naive_of, plain, random_setup
from tests.rules.dice.naive_dice import FACES, NaiveDice


def _log(naive: NaiveDice) -> list[tuple[str, int | None, int]]:
    """The log as everyone sees it."""
    seen = range(1, 14) if naive.end else (3, 7, 11)
    return [(t, naive.route[n] if n in seen else None, half) for n, (t, half) in enumerate(naive.log, 1)]


def _compare(public: PublicView, naive: NaiveDice) -> None:
    """Everything that is public."""
    assert (public.outcome.reason if public.outcome else None) == naive.end
    assert {pawn: place for pawn, place in public.pawns.items() if pawn != MR_X} == naive.where
    assert public.pawns.get(MR_X) == (naive.x if naive.shown or naive.end else None)
    assert [(e.ticket, e.station, e.double) for e in public.log] == _log(naive)
    assert public.tickets[MR_X] == naive.left
    assert [skipped.pawn for skipped in public.skipped] == naive.skipped
    assert (public.round, public.double) == (naive.round, 0 if naive.end else naive.half)
    assert list(public.route) == (naive.route if naive.end else [])
    dice = public.dice
    assert dice.tokens == naive.tokens
    assert dice.to_roll == naive.to_roll()
    assert sorted(dice.rolled) == sorted(die.face for die in naive.lying("open"))
    assert dice.used == tuple((die.pawn, naive_face) for die, naive_face in naive.history)
    assert dice.taken == naive.taken
    assert dice.supply == len(naive.lying("supply"))
    assert list(dice.covers) == [die.face for die in naive.lying("log")]


def _play_side_by_side(chance: random.Random) -> Counter[str]:
    """One random game; counts positions, ends and what happened on the way."""
    setup = random_setup(chance, draws=40)
    game, naive = Game(setup), naive_of(setup)
    wary = chance.random() < 0.5  # detectives who would rather not catch him let games grow old
    seen: Counter[str] = Counter()
    while True:
        legal = game.legal
        seen["positions"] += 1
        assert sorted(map(plain, legal)) == sorted(naive.moves())  # sorted, so that nothing is offered twice
        _compare(game.public, naive)
        assert game.private.route.value == tuple(naive.route)
        if naive.end is not None:
            seen[naive.end] += 1
            return seen
        roll = game.roll(chance)
        if wary and naive.waiting and not roll:
            legal = tuple(a for a in legal if plain(a)[1:3] and plain(a)[2] != naive.x) or legal
        # What is rare among many moves is taken more often: the underground, and doubles and rolling again, named last.
        lines = [a for a in legal if plain(a)[-1] == "underground"]
        legal = lines if lines and chance.random() < 0.5 else legal
        action = roll or (legal[-1] if chance.random() < 0.2 else chance.choice(legal))
        seen[plain(action)[0] if plain(action)[0] != "x" else plain(action)[2]] += 1
        seen["stay"] += plain(action)[-1] == "stay"
        seen["no die"] += len(naive.skipped)
        game.play(action)
        naive.do(plain(action))


@pytest.mark.parametrize("seed", range(amount(1, 4)))
def test_di_the_naive_referee_agrees_on_random_games(seed: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(100):
        seen += _play_side_by_side(random.Random(1000 * seed + number))
    assert seen["positions"] > 2000
    ends = ("captured", "escaped", "walked_in")
    deeds = ("black", "helicopter", "double", "pass", "again", "stay", "no die", *FACES[:3])
    for happening in (*ends, *deeds):
        assert seen[happening] > 0, happening
