"""The tracker: what a board that only feels presence can mean (PB-01, PB-03, PB-05)."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.referee.board_reading import read
from firmware_host.referee.known_board import Occupancy, mr_x_stations
from firmware_host.referee.readings import Ambiguous, InHand, Mismatch, Moved, Returned, Settled
from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.rules.game import Game
from firmware_host.rules.views import PublicView
from tests.referee.referees import occupancy
from tests.rules.boards import game, london, random_setup
from tests.rules.pursuit.notation import actions
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
