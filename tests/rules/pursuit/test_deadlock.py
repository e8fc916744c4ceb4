"""No detective will ever move again: Mister X has won, whether he can move or not (CL-21 comes before CL-23)."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.rules.engines import system
from firmware_host.rules.pursuit.edition import Edition
from firmware_host.rules.pursuit.position import Hand, PursuitEntry, PursuitState
from firmware_host.rules.views import Outcome, Skipped
from tests.amount import amount
from tests.rules.data.boxes import (
    RawMap,
    beginners,
    classic,
    current,
    game,
    lanes,
    london,
    london_us,
    play,
    setup_of,
    small,
    us,
)

TICKETS = ("taxi", "bus", "underground")
EDITIONS = (classic, current, us)


def position(edition: Edition, board: RawMap, x: int, at: list[int], hands: list[Hand], **options: Any) -> PursuitState:
    """The last detectives are on turn in the first round; the hands are as given, and all before them have moved."""
    players = next(n for n in sorted(edition.seats, reverse=True) if len(edition.owners(n)) == len(at))
    begun: PursuitState = system(edition).begin(setup_of(edition, board, x, *at, players=players, **options))
    log = (PursuitEntry("taxi", x, 0, seen=False),)
    groups = begun.terms.groups
    moved = sum(1 << pawn for group in groups[:-1] for pawn in group)
    late = begun._replace(hands=tuple(hands), blacks=0, doubles=0, log=log, outcome=None)
    return late._replace(turn=len(groups) - 1, moved=moved)


# ---- the slow and plain answer ----


def ways(board: RawMap, station: int) -> set[int]:
    """Where taxi, bus and underground lead to."""
    row = board.data["stations"][str(station)]
    return {to for ticket in TICKETS for to in row.get(ticket, ())}


def rides(board: RawMap, at: list[int], hands: list[Hand], pawn: int) -> list[tuple[int, int]]:
    """Where a pawn can go, and by the ticket of which place in its hand: the whole file of the map is walked."""
    row = board.data["stations"][str(at[pawn])]
    found = [(to, place) for place, ticket in enumerate(TICKETS) for to in row.get(ticket, ()) if hands[pawn][place]]
    return [(to, place) for to, place in found if to not in at]


def ever_moves(board: RawMap, at: list[int], hands: list[Hand]) -> bool:
    """Whether any detective moves in some coming round, in whatever order they are asked, wherever Mister X may be."""
    for order in permutations(range(len(at))):
        for _ in at:  # rounds: if nobody has moved in one, the next is like it
            for pawn in order:
                if rides(board, at, hands, pawn):
                    return True
    return False


def ends(board: RawMap, state: PursuitState) -> Outcome | None:
    """How a game ends when the detectives' part is over, but for a full log."""
    at, hands = list(state.at), list(state.hands)
    if not ever_moves(board, at, hands):
        fits = [rides(board, [station], [hand], 0) for station, hand in zip(at, hands, strict=True)]
        return Outcome(MR_X, "stalled" if any(fits) else "immobilised")
    return None if ways(board, state.x) - set(at) else Outcome("detectives", "trapped")


def drawn(edition: Edition, board: RawMap, chance: random.Random) -> PursuitState:
    """A position late in a game: pawns that stand close together with few tickets, Mister X among them."""
    stations, pawns = board.data["stations"], chance.choice(edition.sizes)
    close = [int(chance.choice(list(stations)))]
    for station in close:
        close += sorted(ways(board, station).difference(close))
        if len(close) > pawns + 3:
            break
    rest = [int(number) for number in stations if int(number) not in close]
    x, *at = chance.sample(close + rest[: max(0, pawns + 1 - len(close))], pawns + 1)
    hands = [tuple(chance.choice((0, 0, 0, 1, 2)) for _ in TICKETS) for _ in at]
    return position(edition, board, x, at, hands)  # type: ignore[arg-type]


def judged(edition: Edition, board: RawMap, chance: random.Random, seen: Counter[str]) -> None:
    """The last pawns move, any way they can; the end is as the plain answer has it."""
    state = drawn(edition, board, chance)
    rules: Any = system(edition)
    while state.turn >= 0 and state.outcome is None and state.round == 1:
        legal = [move for move in rules.legal(state) if move.to != state.x]
        if not legal:
            return
        state = rules.play(state, chance.choice(legal))
    wanted = ends(board, state)
    assert state.outcome == wanted
    seen[wanted.reason if wanted else "on"] += 1
    if wanted and wanted.winner == MR_X:
        seen["won though trapped"] += not ways(board, state.x) - set(state.at)


# ---- CL-21 ----

HANDS: list[Hand] = [(0, 0, 2), (0, 0, 0), (0, 2, 1), (2, 1, 2), (1, 0, 0)]


@pytest.mark.parametrize("edition", [classic, current])
def test_cl_21_who_is_shut_in_by_detectives_that_never_move_again_has_won(edition: Any) -> None:
    # Blue has tickets, but red and yellow stand in its ways for good; so they do in Mister X's.
    before = position(edition(), london(), 28, [15, 16, 27, 5, 54], HANDS)
    after = system(edition()).play(before, PawnMove("purple", 41, "taxi"))
    assert after.outcome == Outcome(MR_X, "stalled")
    assert system(edition()).public(after).turn == ()


def test_cl_21_it_ends_a_game_in_which_he_could_go_on() -> None:
    # Red's last ticket takes it beside yellow, whose only way it shuts.
    board = small("taxi 1-2 2-3, bus 3-4, taxi 5-6 6-7 5-7, boat 4-5")
    edition = replace(classic(), hand=(1, 0, 0))
    table = game(edition, board, 5, 1, 3, 4, played="6t", players=4)
    assert table.public.turn == ("red",)
    play(table, "r2t")
    assert table.public.outcome == Outcome(MR_X, "stalled")
    assert table.public.skipped == (Skipped("yellow", "blocked"), Skipped("green", "immobilised"))


def test_cl_21_a_capture_by_the_last_move_of_all_comes_first() -> None:
    before = position(classic(), london(), 41, [15, 16, 27, 5, 54], HANDS)
    after = system(classic()).play(before, PawnMove("purple", 41, "taxi"))
    assert after.outcome == Outcome("detectives", "captured")


def test_cl_21_before_the_first_move_too_he_has_won_before_it_is_asked_whether_he_can_move() -> None:
    board = small("taxi 1-2 1-3, boat 2-4 3-5 4-6")
    edition = replace(classic(), hand=(0, 8, 4))
    assert game(edition, board, 1, 2, 3, 6, players=4).public.outcome == Outcome(MR_X, "immobilised")
    assert game(classic(), board, 1, 2, 3, 6, players=4).public.outcome == Outcome("detectives", "trapped")


def test_us_04_the_tickets_that_mister_x_takes_may_leave_them_shut_in() -> None:
    # Purple gives its last ticket, and red can only go where purple stands.
    board = small("taxi 1-2 2-3 1-3, bus 11-12 12-13, taxi 21-22, boat 22-1 13-21 31-41 41-22 31-13")
    edition = replace(us(), hand=(0, 1, 0))
    table = game(edition, board, 1, 12, 11, 21, 31, 41, voluntary_surfacing=True)
    play(table, "S 2t +pb")
    state = table._states[-1]._replace(taking=(), turn=-1, bare=False)
    table._states[-1] = state._replace(hands=((0, 0, 0), (0, 1, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)))
    play(table, "3t")
    assert table.public.outcome == Outcome(MR_X, "stalled")


def test_be_02_detectives_who_need_no_tickets_wait_and_the_rounds_go_on() -> None:
    # Nobody can ever move on these ways, which a boat alone joins; the beginners' rules know no end by that.
    board = small("taxi 1-2 2-3 1-3, bus 11-12 12-13 13-11, boat 13-1")
    table = game(beginners(), board, 1, 11, 12, 13, players=4)
    for _ in range(13):
        assert table.public.outcome is None
        play(table, f"{table.private.at.value % 3 + 1}f")
    assert table.public.outcome == Outcome(MR_X, "rounds_over")


def test_be_10_a_mister_x_who_cannot_move_has_lost_even_to_detectives_who_cannot() -> None:
    board = small("taxi 1-2 2-3, boat 3-4 4-5")
    assert game(beginners(), board, 1, 2, 4, 5, players=4).public.outcome == Outcome("detectives", "trapped")


# ---- the plain answer agrees ----


@pytest.mark.parametrize("edition", EDITIONS)
@given(chance=st.randoms(use_true_random=False), seed=st.integers(0, 300))
def test_cl_21_the_plain_answer_agrees_on_small_maps(edition: Any, chance: random.Random, seed: int) -> None:
    judged(edition(), lanes(seed), chance, Counter())


@pytest.mark.parametrize(("edition", "board"), [(classic, london), (current, london), (us, london_us)])
@given(chance=st.randoms(use_true_random=False))
def test_cl_21_the_plain_answer_agrees_on_london(edition: Any, board: Any, chance: random.Random) -> None:
    judged(edition(), board(), chance, Counter())


@pytest.mark.parametrize("edition", EDITIONS)
def test_cl_21_every_way_to_end_is_among_what_is_compared(edition: Any) -> None:
    seen: Counter[str] = Counter()
    for seed in range(amount(300, 1500)):
        judged(edition(), lanes(seed % 100), random.Random(seed), seen)
    for happening in ("on", "immobilised", "stalled", "trapped", "won though trapped"):
        assert seen[happening] > 0, (happening, seen)
