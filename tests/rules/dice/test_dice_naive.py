"""The engine of the dice game and the naive referee play the same games and never disagree, also in counting.

Every outcome of a roll counts as one action, whatever its probability.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from firmware_host.rules.views import PublicView
from tests.amount import amount
from tests.rules.counting import Counted
from tests.rules.dice.dice_boards import NINE, SIX, deal, game, naive_of, plain, play, random_setup
from tests.rules.dice.naive_dice import FACES, NaiveDice, perft


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


# ---- how many sequences of actions lead on from a position ----


def _row(players: int, layout: str, start: dict[str, int], played: str, turn: str, counts: tuple[int, ...]) -> Counted:
    def begin() -> Game:
        if not start:
            return play(Game(deal(players, layout=layout)), played)
        stations = dict(start)
        return game(stations.pop(MR_X), played, players=players, layout=layout, **stations)

    return Counted(None, begin, (turn,), counts)


ROWS = {
    "choosing starts on all tiles": _row(4, NINE, {}, "", "red", (19, 342, 5814)),
    "choosing Mister X's start, against one detective player": _row(2, SIX, {}, "r1s y22s", MR_X, (22, 440, 1980)),
    "one detective player rolls for the second pawn, with one token left": _row(
        2,
        "IGB HEF",
        {"red": 29, "yellow": 22, MR_X: 8},
        "!uxu r29- !xut y21t 22t !ttt y23t !tt R !tt r35t 24t !utb y20t !tt r29t 22k !uxt y18t !tx R",
        "red",
        (10, 24, 206),
    ),
    "the first half of a double move, with a flight to be had, experts' tiles": _row(
        4,
        "CFI HBe gaD",
        {"red": 6, "yellow": 17, "green": 27, MR_X: 18},
        "!utxu r5t !uxt R !bxu R !utu y6t !bx g27- 20k !tttt R !tttt y24t !tut g28t !ut r23t 17t !tttt g26t !ttu r21t "
        "!xt y35t 6k !uxut r10t !xuu !txb g32t 24t !tbtt y17t !tut g7t !tt r9t 35k !uutu g32t !ttu r10t !tu y6t 36t "
        "!utxt r12t !bxt y5t !tt g26t D",
        MR_X,
        (3, 10, 350),
    ),
    "dice lead only onto a detective, so that black tickets are all he has": _row(
        3,
        "BGE hfD",
        {"red": 26, "yellow": 16, MR_X: 20},
        "!tbb r17t !xu R !tu y14t 18k !ubt y20t !tt r19t",
        MR_X,
        (4, 63, 192),
    ),
    "no die to take, and everything else left": _row(
        4,
        "FHB EID ACG",
        {"red": 17, "yellow": 4, "green": 26, MR_X: 24},
        "!ttxb R !tttx r23t !uut y3t !xt g28t 32k !tubt y1t !ttt g26t !ut R !tt r24t 31t !xttu g25t !uut r23t !xt y19t "
        "33k !ttbt r21t !ttb y3b !bu g32u 18t !tttt y1t !tbx g30b !bt r23t 20t !xuxu R !tutb g29t !bbx !txt y3t 18t "
        "!txtt r17t !tbb y11b !tt g22t 20t !btuu y3b !xxx !xux",
        MR_X,
        (9, 286, 4696),
    ),
    "the last detective after the last move": _row(
        4,
        "BFg HAI Ecd",
        {"red": 26, "yellow": 27, "green": 4, MR_X: 31},
        "!xtxu R !txtt r25t !ubt y28t !tu g10t 32k !bttb y27t !xtx g12t !tx r22t 18t !utuu g9t !but r25t !ut y28t 32t "
        "!utbt r3u !xxt y34t !bu R !ub R !tb g18t 10k !bttt y14b !xtt g20t !xx 9t !xxbt g19t !bbt r4t !xb y34b 18k "
        "!ttbu r10t !tbt y36t !xt g20t 32t !uttt y14t !ttu g11t !ub r25u 18t !tbbb g19b !txt r27t !tx y13t 32b "
        "!tutu r33t !bxt y10t !bt g17t 3t !bttx y9t !txt g19t !ut r2t 4t !xttb g20t !btu r30b !xx 10t !tbtu r32t "
        "!utt y12t !tu g3u 13t !bubx !xttu g25u",
        "red",
        (20, 100, 0),
    ),
    "a double move over the end of the log, experts' tiles": _row(
        2,
        "IgH DaF",
        {"red": 26, "yellow": 36, MR_X: 34},
        "!tbt y27t !xt r25t 36k !ttt y1t !xb R !ux r32u 27t !uxu r25u !bt y14t 28k !btb y16t !xt r26t 2t !utu r25t !bu "
        "R !tt y3t 21t !xtu r34t !ut y1t 23t !xxt y3t !bu R !tx r25t 29h !tbt r34b !tt y1t 30t !bbt r33t !ut y3t 29t "
        "!xxx r33- !btu y16t 30t !xxb r33- !xbt y15t 32t !tbt y16t !xt r35t",
        MR_X,
        (4, 63, 242),
    ),
}


def _naive_after(_board: None, table: Game) -> NaiveDice:
    naive = naive_of(table.setup)
    for action in table.actions:
        naive.do(plain(action))
    return naive


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.long_but_first
def test_di_engine_and_naive_referee_count_as_many_sequences_as_are_written_here(name: str) -> None:
    ROWS[name].check(_naive_after, perft)
