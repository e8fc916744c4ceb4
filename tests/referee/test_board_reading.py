"""The tracker: what a board that only feels presence can mean (PB-01, PB-03, PB-05, PB-06), in every box."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.referee.board_reading import moves_undone_unsensed, read
from firmware_host.referee.known_board import Occupancy, mr_x_stations
from firmware_host.referee.readings import HERE, RETURN, Ambiguous, InHand, Mismatch, Moved, Returned, Settled
from firmware_host.referee.scene import without_computer_moves
from firmware_host.rules.actions import FREE, MR_X, START, STAY, PawnMove
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Wish
from firmware_host.rules.views import PublicView
from tests.referee.referees import occupancy
from tests.rules.boards import game, london, random_setup
from tests.rules.pursuit.notation import actions
from tests.table.cases import shipped
from tests.ui.handmade_views import public

TO_57 = PawnMove("red", 57, "taxi")
TO_59 = PawnMove("red", 59, "taxi")
BY_TAXI, BY_BUS = PawnMove("red", 74, "taxi"), PawnMove("red", 74, "bus")
STAND = {"red": 58, "yellow": 34, "green": 141}


def view(*moves: PawnMove, stand: dict[str, int] | None = None, **said: Any) -> PublicView:
    """Red on 58 is to move; yellow and green stand by."""
    pawns = {**(stand or STAND), **said.pop("pawns", {})}
    return public(detectives=3, **{"turn": ("red",), "pawns": pawns, "moves": moves, **said})


def felt(
    view: PublicView, *occupied: int, ignored: set[int] | None = None, ambiguous: set[int] | None = None
) -> Occupancy:
    return occupancy(view, frozenset(occupied), frozenset(ignored or ()), frozenset(ambiguous or ()))


def test_everyone_at_home_is_settled() -> None:
    assert read(felt(view(TO_57), 58, 34, 141)) == Settled()


def test_pb_01_the_lifted_pawn_of_the_turn_is_in_hand() -> None:
    assert read(felt(view(TO_57), 34, 141)) == InHand(("red",))


def test_pb_01_a_legal_destination_that_is_felt_is_a_move() -> None:
    assert read(felt(view(TO_57, TO_59), 57, 34, 141)) == Moved((TO_57,))


def test_pb_04_all_tickets_to_a_station_are_kept_and_none_is_guessed() -> None:
    assert read(felt(view(BY_TAXI, TO_57, BY_BUS), 74, 34, 141)) == Moved((BY_TAXI, BY_BUS))


def test_pb_03_a_pawn_that_could_legally_slide_on_is_marked() -> None:
    to_44, to_45, to_46 = (PawnMove("red", to, "taxi") for to in (44, 45, 46))
    assert 45 in view().network.around(46)
    assert read(felt(view(to_45, to_46), 46, 34, 141)) == Moved((to_46,), may_slide=True)
    assert read(felt(view(to_46, to_44), 46, 34, 141)) == Moved((to_46,), may_slide=44 in view().network.around(46))
    assert read(felt(view(to_46), 46, 34, 141)) == Moved((to_46,), may_slide=False)


def test_pb_03_only_the_same_pawns_moves_make_a_slide() -> None:
    to_45, other = PawnMove("red", 45, "taxi"), PawnMove("yellow", 46, "taxi")
    reading = read(felt(view(to_45, other, turn=("red", "yellow")), 45, 34, 141))
    assert reading == Moved((to_45,), may_slide=False)


def test_pb_06_where_no_pawn_is_felt_to_leave_any_that_may_have_come_is_asked_about() -> None:
    """Red's station is closed by Mister X's pawn, says the table; it may stand on yellow's just as well."""
    red, yellow = PawnMove("red", 57, "taxi"), PawnMove("yellow", 57, "taxi")
    both = view(red, yellow, turn=("red", "yellow"), pawns={MR_X: 58})
    assert read(felt(both, 57, 58, 34, 141)) == Ambiguous((red, yellow))
    assert read(felt(view(red, pawns={MR_X: 58}), 57, 58, 34, 141)) == Moved((red,))
    assert read(felt(both, 57, 34, 141)) == Moved((red,))


def test_two_pawns_that_explain_one_station_are_ambiguous_and_the_free_order_asks() -> None:
    red, yellow = PawnMove("red", 57, "taxi"), PawnMove("yellow", 57, "taxi")
    free = view(red, yellow, turn=("red", "yellow"))
    assert read(felt(free, 57, 34, 141)) == Moved((red,))
    assert read(felt(free, 57, 58, 141)) == Moved((yellow,))
    ignored = read(felt(free, 57, 141, ignored={58, 34}))
    assert ignored == Ambiguous((red, yellow))


def test_pb_02_a_pawn_out_of_turn_is_missing() -> None:
    assert read(felt(view(TO_57), 58, 141)) == Mismatch({"yellow": 34}, frozenset())


def test_pb_02_an_illegal_station_is_extra_and_the_pawns_own_station_is_shown_too() -> None:
    assert read(felt(view(TO_57), 100, 34, 141)) == Mismatch({"red": 58}, frozenset({100}))


def test_a_moved_pawn_and_a_stranger_name_the_stranger_alone() -> None:
    assert read(felt(view(TO_57), 57, 34, 141, 100)) == Mismatch({}, frozenset({100}))


def test_two_pawns_lifted_at_once_name_the_one_out_of_turn() -> None:
    reading = read(felt(view(TO_57), 141))
    assert isinstance(reading, Mismatch)
    assert reading.missing == {"yellow": 34}
    assert not reading.extra


def test_an_empty_board_misses_everyone_in_mister_xs_turn() -> None:
    assert read(felt(view(turn=(MR_X,)))) == Mismatch(STAND, frozenset())


def test_pb_06_mister_xs_pawn_is_never_in_the_way_where_it_stands_or_stood() -> None:
    assert mr_x_stations(view(pawns={MR_X: 57}, stale=frozenset({100}))) == {57, 100}
    assert read(felt(view(TO_57, pawns={MR_X: 57}), 58, 34, 141, 57)) == Settled()
    assert read(felt(view(TO_57, stale=frozenset({100})), 58, 34, 141, 100)) == Settled()
    assert isinstance(read(felt(view(TO_57), 58, 34, 141, 100)), Mismatch)


def test_pb_05_beside_mister_xs_pawn_nothing_is_felt_so_the_hand_asks() -> None:
    visible = view(TO_57, TO_59, pawns={MR_X: 57})
    assert read(felt(visible, 34, 141, 57, ambiguous={57})) == InHand(("red",), (TO_57,))
    assert read(felt(visible, 34, 141, ambiguous={57})) == InHand(("red",))


def test_pb_05_where_mister_xs_pawn_is_known_to_be_off_a_detective_there_is_a_move() -> None:
    assert read(felt(view(TO_57, pawns={MR_X: 57}), 34, 141, 57)) == Moved((TO_57,))


def test_a_masked_destination_is_silent_and_a_masked_pawn_is_not_missed() -> None:
    assert read(felt(view(TO_57, TO_59), 34, 141, ignored={57})) == InHand(("red",), (TO_57,))
    assert read(felt(view(TO_59), 58, 141, ignored={34})) == Settled()
    assert read(felt(view(TO_59), 58, 34, 141, 100, ignored={100})) == Settled()


def test_a_pawn_that_stands_on_a_masked_switch_moves_by_key_alone() -> None:
    """What closes at one of its ways may be anything: nobody has felt it leave."""
    assert read(felt(view(TO_57, TO_59), 34, 141, 57, ignored={58})) == Ambiguous((TO_57,))
    assert read(felt(view(TO_57, TO_59), 34, 141, ignored={58})) == Settled()
    assert read(felt(view(TO_57, TO_59), 34, 141, ignored={58, 59})) == Settled((TO_59,))


def _taken_back() -> tuple[PublicView, PublicView]:
    table = game(london(), 197, 26, 29, 34, played="184t r15t")
    before = table.before
    assert before is not None
    return before, table.public


def test_a_pawn_that_stands_again_where_it_came_from_is_returned() -> None:
    before, now = _taken_back()
    assert read(felt(now, 26, 29, 34), before) == Returned("red", 26)
    assert isinstance(read(felt(now, 26, 29, 34)), Mismatch)


def test_a_lifted_pawn_is_not_yet_returned() -> None:
    before, now = _taken_back()
    assert isinstance(read(felt(now, 29, 34), before), Mismatch)


def test_a_lifted_pawn_is_no_more_than_perhaps_returned_to_a_station_whose_switch_is_not_to_be_trusted() -> None:
    before, now = _taken_back()
    perhaps = Returned("red", 26, ambiguous=True)
    assert read(felt(now, 29, 34, ignored={26}), before) == perhaps
    assert read(felt(now, 29, 34, 26, ambiguous={26}), before) == perhaps


# ---- positions by the hundred -------------------------------------------------------------------------------------


def _position(seed: int) -> Game:
    """A game in which a detective is to move."""
    chance = random.Random(seed)
    table = Game(random_setup(london(), chance))
    steps = chance.randrange(60)
    while steps > 0 or table.public.turn == (MR_X,):
        legal = [a for a in table.legal if not (isinstance(a, PawnMove) and a.to == table.private.at.value)]
        if not legal:
            return _position(seed + 1)
        table.play(chance.choice(legal))
        if table.public.outcome is not None:
            return _position(seed + 1)
        steps -= 1
    return table


positions = st.integers(0, 10_000).map(_position)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(positions, st.data())
def test_pb_01_what_a_legal_move_leaves_is_read_as_just_that_move(table: Game, data: st.DataObject) -> None:
    now = table.public
    stand = {pawn: now.pawns[pawn] for pawn in now.order}
    for move in now.moves:
        after = frozenset({**stand, move.pawn: move.to}.values())
        reading = read(occupancy(now, after), table.before)
        assert isinstance(reading, Moved)
        assert set(reading.moves) == {m for m in now.moves if (m.pawn, m.to) == (move.pawn, move.to)}
    by = now.turn[0]
    assert read(occupancy(now, frozenset(stand.values()) - {stand[by]}), table.before) == InHand((by,))
    lost = data.draw(st.sampled_from(sorted(set(now.order) - {by})))
    free = sorted(set(now.network.stations) - set(stand.values()) - mr_x_stations(now))
    strange = data.draw(st.sampled_from(free))
    for move in now.moves:
        after = frozenset({**stand, move.pawn: move.to}.values())
        assert not isinstance(read(occupancy(now, after - {stand[lost]}), table.before), Moved | Settled | InHand)
        if strange != move.to and move.to not in mr_x_stations(now):
            reading = read(occupancy(now, after | {strange}), table.before)
            if strange in {m.to for m in now.moves if m.pawn == move.pawn}:  # it stands on either
                assert reading == Ambiguous(tuple(m for m in now.moves if m.to in (move.to, strange)))
                continue
            assert isinstance(reading, Mismatch)
            assert reading.extra
    assert read(occupancy(now, frozenset(stand.values())), table.before) == Settled()


@settings(max_examples=150, deadline=None, derandomize=True)
@given(positions, st.data())
def test_no_occupation_whatever_upsets_the_tracker(table: Game, data: st.DataObject) -> None:
    now = table.public
    near = [*now.pawns.values(), *(m.to for m in now.moves), 1, 2, 3, 100, 199]
    some = st.sets(st.sampled_from(sorted(set(near))))
    occupied, ignored, ambiguous = (frozenset(data.draw(some)) for _ in range(3))
    reading = read(occupancy(now, occupied, ignored, ambiguous), data.draw(st.sampled_from([table.before, None])))
    if isinstance(reading, Mismatch):
        assert reading.missing or reading.extra
        assert not reading.extra & ignored
        assert not set(reading.missing.values()) & (ignored | occupied)
    if isinstance(reading, Moved | Ambiguous):
        assert reading.moves
        assert set(reading.moves) <= set(now.moves)


def test_the_short_notation_of_these_tests_says_what_it_means() -> None:
    assert actions("r15t") == [PawnMove("red", 15, "taxi")]


# ---- in any order, on shared stations, onto the board, and Mister X's own ----


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


def test_ju_06_a_pawn_is_only_perhaps_back_while_another_may_have_left_a_shared_station_unsensed() -> None:
    before = free(TO_57, stand={"red": 58, "yellow": 47, "green": 47})
    there, elsewhere = by_taxi("yellow", 58), by_taxi("yellow", 45)
    now = view(elsewhere, turn=("yellow",), stand={"red": 57, "yellow": 47, "green": 47})
    assert read(felt(now, 58, 47), before) == Returned("red", 58, ambiguous=True)
    now = replace(now, moves=(there,))
    assert read(felt(now, 58, 47), before) == Ambiguous((there, PawnMove("red", 58, RETURN)))


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


def test_a_pawn_sensed_at_home_and_at_a_station_close_by_may_be_on_its_way_there() -> None:
    close = {57: frozenset({58}), 58: frozenset({57})}
    assert read(occupancy(view(TO_57), frozenset({57, 58, 34, 141}), near=close)) == InHand(("red",), (TO_57,))
    assert read(occupancy(view(TO_57), frozenset({58, 34, 141}), near=close)) == Settled()


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


def test_be_05_his_pawn_may_be_back_while_only_the_station_that_it_left_is_sensed() -> None:
    before = in_the_open(81)
    now = view(TO_57, pawns={MR_X: 81}, in_sight=True, stale=frozenset({82}))
    back = PawnMove(MR_X, 82, RETURN)
    assert read(felt(now, 58, 34, 141, 82), before) == Settled((back,))
    assert read(felt(now, 58, 34, 141, 81, 82), before) == Settled()
    assert read(felt(now, 58, 34, 141), before) == Settled()


def test_be_05_hands_have_no_moves_of_mister_xs_where_a_computer_plays_him() -> None:
    now = in_the_open(81, 140)
    assert without_computer_moves(now, {MR_X: "easy"}) == replace(now, open_moves=())
    assert without_computer_moves(now, {"1": "easy"}) == now


def test_be_05_a_move_on_which_he_vanished_is_not_undone_with_his_pawn() -> None:
    now = view(TO_57, in_sight=True)
    back = (PawnMove(MR_X, 82, RETURN),)
    assert moves_undone_unsensed(felt(now, 58, 34, 141), in_the_open()) == ()
    assert moves_undone_unsensed(felt(replace(now, pawns=STAND | {MR_X: 81}), 58, 34, 141), in_the_open(81)) == back


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
    chance, config = random.Random(seed), shipped(rules)
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
