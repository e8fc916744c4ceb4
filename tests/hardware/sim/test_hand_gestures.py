"""Gestures: whatever a hand does on the way, the pawn stands where it should in the end."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hardware.contacts.chatter import Chatter
from hardware.contacts.debounce import Debounce
from hardware.sim import Hands, SimError, SimulatedHardware
from tests.amount import amount
from tests.hardware.simulator_boards import KEYS, london, row

GESTURES = ("move", "slide", "bounce", "bump", "wrong_then_right", "two_lifted", "half_way")
LONDON = london()


def table_with(pawns: dict[str, int], positions: dict[int, tuple[float, float]], seed: int = 0) -> SimulatedHardware:
    table = SimulatedHardware(positions, lamps=len(positions), keys=KEYS, seed=seed)
    for pawn, number in pawns.items():
        table.put(number, pawn)
    table.advance(100)
    return table


def seen_during(table: SimulatedHardware, hands: Hands, gesture: str, frm: int, to: int) -> list[frozenset[int]]:
    """The debounced occupations of the board, one after another, during a gesture of the red pawn and after it."""
    numbers = tuple(table.places)
    debounce = Debounce(len(numbers), stable=table.switches.read())
    seen: list[frozenset[int]] = []

    def step() -> None:
        mask = debounce.update(table.switches.read())
        occupied = frozenset(number for spot, number in enumerate(numbers) if mask >> spot & 1)
        if not seen or seen[-1] != occupied:
            seen.append(occupied)

    table.drive(step)
    getattr(hands, gesture)("red", frm, to)
    table.advance(50)
    table.drive(None)
    return seen


@given(gesture=st.sampled_from(GESTURES), seed=st.integers(0, 10_000), to=st.integers(1, 199))
@settings(max_examples=amount(20, 60), deadline=None)
def test_after_any_gesture_every_pawn_stands_and_is_felt_where_it_should(gesture: str, seed: int, to: int) -> None:
    assume(gesture != "slide" or to != 89)  # a slide must lead somewhere
    others = {"blue": 13, "green": 117, "yellow": 198}
    table = table_with({"red": 89, **others}, LONDON, seed)
    before = table.clock.now()
    seen = seen_during(table, Hands(table, Random(seed)), gesture, 89, to)
    assert table.where() == {"red": to, **others}
    assert seen[-1] == {to, *others.values()}
    if gesture != "slide":
        assert 0.3 <= table.clock.now() - before <= 5


@pytest.mark.parametrize("gesture", GESTURES)
def test_the_same_seed_makes_the_same_gesture(gesture: str) -> None:
    def once(seed: int) -> tuple[float, list[frozenset[int]]]:
        table = table_with({"red": 11, "blue": 13, "green": 16}, row())
        seen = seen_during(table, Hands(table, Random(seed)), gesture, 11, 14)
        return table.clock.now(), seen

    assert once(5) == once(5)
    assert once(5)[0] != once(6)[0]


def test_a_careful_move_is_lifted_and_then_set_down() -> None:
    table = table_with({"red": 11, "blue": 13}, row())
    assert seen_during(table, Hands(table, Random(1)), "move", 11, 15) == [{11, 13}, {13}, {13, 15}]


def test_a_slide_is_felt_on_the_free_stations_of_its_way() -> None:
    table = table_with({"red": 11, "blue": 13}, row())
    seen = seen_during(table, Hands(table, Random(1)), "slide", 11, 15)
    assert {13, 12} in seen
    assert {13, 14} in seen


def test_a_bounce_lands_more_than_once() -> None:
    landings = 0
    for seed in range(10):
        table = table_with({"red": 11}, row())
        landings += seen_during(table, Hands(table, Random(seed)), "bounce", 11, 12).count(frozenset({12}))
    assert landings >= 20


def test_a_bump_knocks_the_pawn_nearest_to_the_landing_off_and_puts_it_back() -> None:
    table = table_with({"red": 11, "blue": 13, "green": 16}, row())
    seen = seen_during(table, Hands(table, Random(1)), "bump", 11, 14)
    assert {14, 16} in seen
    assert all(16 in occupied for occupied in seen)
    assert seen[-1] == {13, 14, 16}


def test_a_wrong_station_is_felt_before_the_right_one() -> None:
    table = table_with({"red": 11, "blue": 13}, row())
    hands = Hands(table, Random(1))
    seen = seen_during(table, hands, "wrong_then_right", 11, 12)
    assert any(occupied in seen for occupied in ({13, 14}, {13, 15}, {13, 16}))
    assert seen[-1] == {12, 13}
    hands.wrong_then_right("red", 12, 15, wrong=16)
    assert table.where() == {"red": 15, "blue": 13}


def test_two_lifted_pawns_are_in_the_hands_at_once() -> None:
    table = table_with({"red": 11, "blue": 13}, row())
    seen = seen_during(table, Hands(table, Random(1)), "two_lifted", 11, 12)
    assert frozenset() in seen
    assert seen[-1] == {12, 13}


def test_a_stop_half_way_is_on_a_station_between_or_on_the_bare_board() -> None:
    table = table_with({"red": 11}, row())
    hands = Hands(table, Random(1))
    assert seen_during(table, hands, "half_way", 11, 14) == [{11}, set(), {13}, set(), {14}]
    assert seen_during(table, hands, "half_way", 14, 15) == [{14}, set(), {15}]


def test_a_stop_half_way_keeps_off_the_stations_where_others_stand() -> None:
    table = table_with({"red": 11, "blue": 13}, row())
    assert {12, 13} in seen_during(table, Hands(table, Random(1)), "half_way", 11, 14)


@pytest.mark.parametrize("gesture", GESTURES)
@pytest.mark.parametrize(("pawn", "frm", "to"), [("red", 13, 12), ("pink", 11, 12), ("red", 11, 99)])
def test_an_impossible_gesture_is_refused_before_a_hand_moves(gesture: str, pawn: str, frm: int, to: int) -> None:
    table = table_with({"red": 11, "blue": 13}, row())
    before = table.clock.now()
    with pytest.raises(SimError, match=r"stand|station"):
        getattr(Hands(table, Random(2)), gesture)(pawn, frm, to)
    assert table.where() == {"red": 11, "blue": 13}
    assert table.clock.now() == before


def test_an_impossible_place_is_refused_before_a_hand_moves() -> None:
    table = table_with({"red": 11}, row())
    before = table.clock.now()
    with pytest.raises(SimError, match="no station 99"):
        Hands(table, Random(2)).place("blue", 99)
    assert table.clock.now() == before


@given(seed=st.integers(0, 10_000), gestures=st.lists(st.sampled_from(GESTURES), min_size=1, max_size=6))
@settings(max_examples=30, deadline=None)
def test_hands_never_look_like_chattering_contacts(seed: int, gestures: list[str]) -> None:
    table = SimulatedHardware(LONDON, lamps=199, keys=KEYS, seed=seed, rough=True)
    table.put(111, "red")
    table.put(113, "blue")
    chatter = Chatter(199)
    found: list[int] = []
    table.drive(lambda: found.append(chatter.update(table.switches.read(), table.clock.now())))
    hands, at = Hands(table, Random(seed)), 111
    for gesture in gestures:
        to = 112 if at == 111 else 111
        getattr(hands, gesture)("red", at, to)
        at = to
    assert found
    assert not any(found)
