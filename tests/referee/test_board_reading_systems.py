"""The tracker where pawns go in any order, share stations, come onto the board, or are Mister X's (PB-05, PB-06)."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.referee.board_reading import read
from firmware_host.referee.known_board import mr_x_stations
from firmware_host.referee.readings import HERE, RETURN, Ambiguous, InHand, Mismatch, Moved, Returned, Settled
from firmware_host.rules.actions import FREE, MR_X, START, STAY, PawnMove
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Wish
from firmware_host.rules.views import PublicView
from tests.referee.referees import occupancy
from tests.referee.test_board_reading import TO_57, felt, view
from tests.table.any_table import box

FREE_ORDER = ("red", "yellow")
"""Red on 58 and yellow on 34 may both move."""


def free(*moves: PawnMove, **said: Any) -> PublicView:
    return view(*moves, turn=FREE_ORDER, **said)


def by_taxi(pawn: str, to: int) -> PawnMove:
    return PawnMove(pawn, to, "taxi")


def test_ju_05_pawns_that_may_stay_leave_everything_as_it_is_and_so_confirm_decides() -> None:
    stays = PawnMove("red", 58, STAY), PawnMove("yellow", 34, STAY)
    assert read(felt(free(TO_57, *stays), 58, 34, 141)) == Settled(stays)


def test_di_10_a_pawn_that_is_not_on_the_board_yet_may_have_come_to_a_start_under_a_dead_switch() -> None:
    start, elsewhere = PawnMove("yellow", 57, "start"), PawnMove("yellow", 34, "start")
    before_it = view(start, elsewhere, turn=("yellow",), stand={"red": 58, "green": 141})
    assert read(occupancy(before_it, frozenset({58, 141}), ignored=frozenset({57}))) == Settled((start,))
    near = {57: frozenset({58})}
    assert read(occupancy(before_it, frozenset({58, 141}), near=near)) == Settled()


def test_ju_06_onto_a_station_where_another_stands_no_switch_tells_a_move_from_a_hand() -> None:
    onto, elsewhere = by_taxi("red", 34), by_taxi("red", 57)
    assert read(felt(free(onto, elsewhere), 34, 141)) == InHand(("red",), (onto,))
    assert read(felt(free(onto, elsewhere), 34, 141, 57)) == Moved((elsewhere,))


def test_ju_06_off_a_station_where_two_stand_it_may_have_been_either() -> None:
    both = {"red": 58, "yellow": 58, "green": 141}
    moves = by_taxi("red", 57), by_taxi("yellow", 57)
    assert read(felt(free(*moves, stand=both), 58, 141, 57)) == Ambiguous(moves)
    assert read(felt(free(*moves, stand=both), 58, 141)) == Settled()
    assert read(felt(view(moves[0], stand=both), 58, 141, 57)) == Moved(moves[:1])


def test_ju_06_from_a_shared_station_to_a_shared_one_nothing_is_felt_at_all() -> None:
    stand = {"red": 58, "yellow": 34, "green": 58}
    onto = by_taxi("red", 34)
    assert read(felt(free(onto, by_taxi("red", 57), stand=stand), 58, 34)) == Settled((onto,))


def test_ju_06_two_that_may_have_changed_places_leave_everything_as_it_is() -> None:
    there, back, aside = by_taxi("red", 34), by_taxi("yellow", 58), by_taxi("red", 57)
    assert read(felt(free(there, aside, back), 58, 34, 141)) == Settled((there, back))
    assert read(felt(free(there, aside), 58, 34, 141)) == Settled()  # yellow has no way to where red stood
    assert read(felt(view(there, aside), 58, 34, 141)) == Settled()  # yellow may not move now


def test_ju_06_a_pawn_back_on_a_shared_station_is_only_perhaps_there() -> None:
    before = free(TO_57, stand={"red": 58, "yellow": 58, "green": 141})
    now = view(turn=("yellow",), stand={"red": 57, "yellow": 58, "green": 141})
    assert read(felt(now, 58, 141), before) == Returned("red", 58, ambiguous=True)


def test_a_pawn_that_may_be_back_or_another_that_may_have_come_is_asked_for() -> None:
    before = free(by_taxi("red", 34), by_taxi("yellow", 58))
    there = by_taxi("yellow", 58)
    now = view(there, turn=("yellow",), stand={"red": 34, "yellow": 34, "green": 141})
    assert read(felt(now, 58, 34, 141), before) == Ambiguous((there, PawnMove("red", 58, RETURN)))


def test_pb_05_where_somebody_says_it_is_his_pawn_nobody_is_back_and_nobody_has_come_for_sure() -> None:
    before = free(by_taxi("red", 34), by_taxi("yellow", 58))
    there = by_taxi("yellow", 58)
    now = view(there, turn=("yellow",), stand={"red": 34, "yellow": 34, "green": 141})
    at = frozenset({58})
    assert read(occupancy(now, frozenset({58, 34, 141}), left=at, his=at), before) == Settled((there,))
    apart = view(there, turn=("yellow",), stand={"red": 34, "yellow": 47, "green": 141})
    assert read(occupancy(apart, frozenset({58, 34, 141}), left=at, his=at), before) == InHand(("yellow",), (there,))


def test_ju_06_the_pawn_whose_switch_has_opened_has_moved_and_not_one_that_has_left_mister_xs_pawn_behind() -> None:
    before = free(by_taxi("red", 34), by_taxi("yellow", 34), stand={"red": 58, "yellow": 47, "green": 141})
    beside = by_taxi("yellow", 34)
    now = view(beside, turn=("yellow",), stand={"red": 34, "yellow": 47, "green": 141})
    his = frozenset({34, 58})  # his pawns may stand where red is, and where red was
    assert read(occupancy(now, frozenset({58, 34, 141}), left=his), before) == InHand(("yellow",), (beside,))


def test_a_switch_beside_one_that_is_not_listened_to_may_feel_the_pawn_that_stands_there_still() -> None:
    close = {57: frozenset({58}), 58: frozenset({57})}
    beside = occupancy(view(TO_57), frozenset({57, 34, 141}), ignored=frozenset({58}), touching=close)
    assert read(beside) == InHand(("red",), (TO_57,))
    assert read(occupancy(view(TO_57), beside.occupied, touching=close)) == Moved((TO_57,))


def test_two_pawns_in_hands_at_once_are_both_in_hand() -> None:
    assert read(felt(free(TO_57), 141)) == InHand(FREE_ORDER)


def test_two_pawns_set_down_at_once_are_read_one_by_one_where_only_one_way_explains_them() -> None:
    to_57, to_47 = by_taxi("red", 57), by_taxi("yellow", 47)
    assert read(felt(free(to_57, to_47), 57, 47, 141)) == Moved((to_47,))
    either = by_taxi("yellow", 57)
    assert read(felt(free(to_57, either, to_47), 57, 47, 141)) == Moved((to_47,), may_slide=True)


def test_two_pawns_set_down_at_once_are_asked_for_where_both_ways_explain_them() -> None:
    moves = [by_taxi(pawn, to) for pawn in FREE_ORDER for to in (47, 57)]
    assert read(felt(free(*moves), 57, 47, 141)) == Ambiguous((by_taxi("red", 57), by_taxi("yellow", 57)))


def test_two_pawns_and_a_stranger_are_a_mismatch() -> None:
    assert isinstance(read(felt(free(by_taxi("red", 57), by_taxi("yellow", 47)), 57, 47, 100, 141)), Mismatch)


def in_the_open(*ways: int, at: int = 82, **said: Any) -> PublicView:
    """Mister X's turn, in sight."""
    moves = tuple(PawnMove(MR_X, to, FREE) for to in ways)
    return view(turn=(MR_X,), pawns={MR_X: at}, open_moves=moves, in_sight=True, **said)


def test_be_05_mister_xs_own_pawn_on_one_of_his_ways_has_moved() -> None:
    now = in_the_open(81, 140)
    assert read(felt(now, 58, 34, 141, 82)) == Settled()
    ways = (PawnMove(MR_X, 82, HERE), *now.open_moves)
    assert read(felt(now, 58, 34, 141)) == Settled(unsensed=ways)  # in a hand, or its switch is dead
    assert read(felt(now, 58, 34, 141, 140)) == Moved((PawnMove(MR_X, 140, FREE),))


def test_be_05_while_his_station_is_closed_his_pawn_has_not_moved() -> None:
    assert read(felt(in_the_open(81, 140), 58, 34, 141, 82, 81)) == Mismatch({}, frozenset({81}))


def test_be_05_where_he_has_no_way_to_or_where_two_things_stand_is_wrong() -> None:
    assert read(felt(in_the_open(81), 58, 34, 141, 100)) == Mismatch({MR_X: 82}, frozenset({100}))
    both = frozenset({81, 140})
    assert read(felt(in_the_open(81, 140), 58, 34, 141, *both)) == Mismatch({MR_X: 82}, both)
    assert read(felt(in_the_open(81), 34, 141, 81)) == Mismatch({"red": 58}, frozenset())


def test_be_05_back_to_where_his_pawn_was_left_standing_is_confirms_to_say() -> None:
    left = in_the_open(81, 140, stale=frozenset({81}))
    ways = (PawnMove(MR_X, 82, HERE), *left.open_moves)
    assert read(felt(left, 58, 34, 141, 81)) == Settled((PawnMove(MR_X, 81, FREE),), ways)
    assert read(felt(left, 58, 34, 141, 81, 82)) == Settled()  # two pawns of his? neither has moved
    forgotten = occupancy(in_the_open(81, 140), frozenset({58, 34, 141, 140}), left=frozenset({140}))
    assert read(forgotten) == Settled((PawnMove(MR_X, 140, FREE),), ways)


def test_pb_06_what_was_left_standing_long_ago_is_no_mismatch_and_no_proof() -> None:
    left = occupancy(view(TO_57), frozenset({58, 34, 141, 100}), left=frozenset({100}))
    assert read(left) == Settled()
    onto = by_taxi("red", 100)
    doubted = occupancy(view(onto, TO_57), frozenset({34, 141, 100}), ambiguous=frozenset({100}), left=frozenset({100}))
    assert read(doubted) == InHand(("red",), (onto,))


def test_di_10_a_pawn_comes_onto_the_board_by_being_set_down() -> None:
    starts = tuple(PawnMove("red", to, START) for to in (57, 59))
    now = view(*starts, stand={"yellow": 34, "green": 141})
    assert read(felt(now, 34, 141)) == Settled()
    assert read(felt(now, 34, 141, 57)) == Moved(starts[:1], may_slide=True)  # it may be pushed on
    before = now
    after = view(turn=("yellow",), stand={"red": 57, "yellow": 34, "green": 141})
    assert read(felt(after, 34, 141), before) == Returned("red", None)


BOXES = ("us", "beginners", "dice", "junior")


def _anywhere(rules: str, seed: int) -> Game:
    """Some position of a random game of a box."""
    chance, config = random.Random(seed), box(rules)
    rule = system(config.edition)
    table = Game(rule.deal(config.ground, Wish(players=chance.choice(sorted(config.edition.seats))), chance))
    for _ in range(chance.randrange(40)):
        table.play(table.roll(chance) or chance.choice(table.legal))
        if table.public.outcome is not None:
            return Game(table.setup, table.actions[:-1])
    return table


anywhere = st.tuples(st.sampled_from(BOXES), st.integers(0, 400)).map(lambda of: _anywhere(*of))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(anywhere, st.data())
def test_no_occupation_whatever_upsets_the_tracker_in_any_game(table: Game, data: st.DataObject) -> None:
    now = table.public
    ways = [move.to for move in (*now.moves, *now.open_moves)]
    near = sorted({*now.pawns.values(), *ways, *now.stale, *sorted(now.network.stations)[:3]})
    some = st.sets(st.sampled_from(near))
    occupied, ignored, ambiguous, left = (frozenset(data.draw(some)) for _ in range(4))
    home = frozenset(now.pawns[pawn] for pawn in now.order if pawn in now.pawns)
    occupied = data.draw(st.sampled_from([occupied, home ^ occupied, home]))
    pairs = {one: frozenset({other}) for one, other in pairwise(data.draw(st.lists(st.sampled_from(near), max_size=3)))}
    before = data.draw(st.sampled_from([table.before, None]))
    reading = read(occupancy(now, occupied, ignored, ambiguous, pairs, left), before)
    legal = {*now.moves, *now.open_moves}
    match reading:
        case Mismatch(missing, extra):
            assert missing or extra
            assert not extra & ignored
            assert not set(missing.values()) & (ignored | occupied)
        case Moved(moves):
            assert moves
            assert set(moves) <= legal
            assert len({(move.pawn, move.to) for move in moves}) == 1
        case Ambiguous(moves):
            unseen = any(now.pawns.get(move.pawn) in ignored for move in moves)  # none was felt to leave
            assert len({(move.pawn, move.to) for move in moves}) > 1 or unseen
            assert {move for move in moves if move.ticket != RETURN} <= legal
        case InHand(pawns, silent):
            assert pawns
            assert set(pawns) <= set(now.turn)
            assert set(silent) <= legal
        case Settled(silent):
            assert {move for move in silent if move.ticket != RETURN} <= legal


@settings(max_examples=120, deadline=None, derandomize=True)
@given(anywhere)
def test_pb_01_in_any_game_what_one_legal_move_leaves_is_never_read_as_another(table: Game) -> None:
    now = table.public
    stand = {pawn: now.pawns[pawn] for pawn in now.order if pawn in now.pawns}
    assert isinstance(read(occupancy(now, frozenset(stand.values()))), Settled)
    for move in now.moves:
        after = frozenset({**stand, move.pawn: move.to}.values())
        reading = read(occupancy(now, after, ambiguous=mr_x_stations(now)))
        if isinstance(reading, Moved):
            assert {(one.pawn, one.to) for one in reading.moves} == {(move.pawn, move.to)}
        elif isinstance(reading, Ambiguous):
            assert move in reading.moves
        else:
            assert isinstance(reading, Settled | InHand)
            assert move in reading.silent
