"""The engine and the naive referee play the same games and never disagree, also in counting what leads on."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from tests.amount import amount
from tests.rules.boards import LinkedMap, game, lanes, london, naive_of, plain, random_setup, small
from tests.rules.counting import Counted, play_all


def _play_side_by_side(board: LinkedMap, chance: random.Random) -> Counter[str]:
    """One random game; counts positions, ends and what happened on the way."""
    setup = random_setup(board, chance)
    game, naive = Game(setup), naive_of(board, setup)
    wary = chance.random() < 0.5  # detectives who would rather not catch him let games grow old
    seen: Counter[str] = Counter()
    while True:
        legal = game.legal
        seen["positions"] += 1
        assert sorted(map(plain, legal)) == sorted(naive.moves())  # sorted, so that nothing is offered twice
        public = game.public
        assert (public.outcome.reason if public.outcome else None) == naive.end
        assert {s.pawn: s.why for s in public.skipped} == naive.skipped
        assert {p: s for p, s in public.pawns.items() if p != "mr_x"} == naive.where
        assert public.tickets == naive.hands | {"mr_x": naive.supply | {"double": naive.doubles}}
        seen.update(naive.skipped.values())
        seen["in a double"] += public.double == 1
        if naive.end is not None:
            seen[naive.end] += 1
            return seen
        if wary and naive.waiting[0] != "mr_x":
            legal = tuple(a for a in legal if plain(a)[2] != naive.x) or legal
        # Doubles are rare among many moves: announce every fourth that is to be had.
        action = legal[-1] if chance.random() < 0.25 else chance.choice(legal)
        game.play(action)
        naive.do(plain(action))


@pytest.mark.parametrize("seed", range(amount(1, 4)))
def test_the_naive_referee_agrees_on_random_games_over_london(seed: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(30):
        seen += _play_side_by_side(london(), random.Random(1000 * seed + number))
    assert seen["positions"] > 1000
    assert seen["in a double"] > 10


@pytest.mark.parametrize("seed", range(amount(1, 4)))
def test_the_naive_referee_agrees_on_small_maps_where_pawns_starve_and_block_each_other(seed: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(400):
        seen += _play_side_by_side(lanes(1000 * seed + number), random.Random(number))
    assert seen["positions"] > 4000
    for happening in ("captured", "trapped", "immobilised", "stalled", "log_full", "blocked", "in a double"):
        assert seen[happening] > 0, happening


# ---- how many sequences of actions lead on from a position ----


LANES = "underground 1-2 1-3 1-6 2-4 2-5 3-8 3-9 3-10 4-5 5-7 5-9 8-13 8-14 10-11, taxi 4-8, boat 6-13 9-12"


def _row(
    board: LinkedMap, mr_x: int, start: tuple[int, ...], played: str, turn: str, counts: tuple[int, ...], **options: Any
) -> Counted:
    return Counted(board, lambda: game(board, mr_x, *start, played=played, **options), (turn,), counts)


ROWS = {
    "the first move of a game of six": _row(london(), 117, (26, 91, 174, 53, 198), "", MR_X, (9, 32, 206)),
    "counted fares, three players, all black tickets gone": _row(
        london(),
        155,
        (34, 103, 141, 197),
        "154k r46b y102t g134t b196t 156k r47t y127b g142t b184t 140k r34t y134t g128t b197t "
        "132t r63b y118t g199b b184t 114t r80t y134t g198t b185t 126t r100t y118t g199t b187b "
        "127k r81t y134t g171t b172t",
        MR_X,
        (8, 28, 126),
        players=3,
        x_fares="counted",
    ),
    "a double move over the end of a log of nine, last chance": _row(
        london(),
        112,
        (13, 94, 138),
        "99t r89u y75t g152t 80k r13u y59t g153t 100k r89u y76t g111u 112t r105t y77t g100b "
        "111t r89t y78t g81t D 163k 191b r140u y97t g100t D",
        MR_X,
        (7, 35, 350),
        log_windows=9,
        last_chance=True,
    ),
    "late, in the middle of a round, after both double moves, with a pawn immobilised": _row(
        london(),
        194,
        (155, 157, 132, 138),
        "D 192t 190k r168t y185b g140t b152t 176k r155t y184t g128u b138t 163b r168t y153b g160t b150t "
        "146k r167t y166t g143t b149t 122t r153t y183t g135t b165t D 123k 148t r180b y196t g136t b191b "
        "123t r190b y184t g135t b178t 165b r176b y197t g129t b164t 151t r190b y184t g117t b148t "
        "165t r191b y180b g88t b164t 149t r190t y153b g89t b148t 150t r189t y111u g128u "
        "149t r176t y100b g140u 165t r189t y113t g82b 191b r190t y125t g67b 192t r191b y112t g111u "
        "190t r165b g124b 176b r191b",
        "green",
        (4, 16, 56),
    ),
    "a small map where pawns are blocked and immobilised": _row(
        small(LANES),
        14,
        (7, 10, 4, 12, 6),
        "8u r5u y11u g2u p1u 4k r7u y10u g5u p3u D 8k 13u y11u g9u p10u 8k r5u g3u",
        MR_X,
        (7, 30, 32),
        x_fares="counted",
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_engine_and_naive_referee_count_as_many_sequences_as_are_written_here(name: str) -> None:
    ROWS[name].check(lambda board, table: play_all(naive_of(board, table.setup), map(plain, table.actions)))


def test_the_fixed_positions_are_as_far_apart_as_their_names_say() -> None:
    views = {name: row.begin().public for name, row in ROWS.items()}
    whys = {name: {s.why for s in view.skipped} for name, view in views.items()}
    assert views["counted fares, three players, all black tickets gone"].tickets[MR_X]["black"] == 0
    assert views["a double move over the end of a log of nine, last chance"].double == 1
    assert whys["late, in the middle of a round, after both double moves, with a pawn immobilised"] == {"immobilised"}
    assert whys["a small map where pawns are blocked and immobilised"] == {"blocked", "immobilised"}
