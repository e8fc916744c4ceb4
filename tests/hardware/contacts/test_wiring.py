"""Wires: from the device's inputs to spots, and from spots to the device's lamps."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.contacts.wiring import Wiring
from hardware.ports import BadDevice


@st.composite
def wirings(draw: st.DrawFn) -> tuple[int, int, dict[int, int]]:
    width = draw(st.integers(1, 40))
    count = draw(st.integers(1, width))
    wires = draw(st.permutations(range(width)))[:count]
    return count, width, dict(enumerate(wires))


@given(laid=wirings(), data=st.data())
def test_inputs_reach_their_spots(laid: tuple[int, int, dict[int, int]], data: st.DataObject) -> None:
    count, width, wires = laid
    wiring = Wiring(count, wires, width=width)
    for mask in data.draw(st.lists(st.integers(0, (1 << width) - 1), min_size=1, max_size=5)):
        expected = sum((mask >> wires[spot] & 1) << spot for spot in range(count))
        assert wiring.to_spots(mask) == expected
        assert wiring.to_spots(mask) == expected


@given(laid=wirings(), data=st.data())
def test_colours_reach_their_lamps(laid: tuple[int, int, dict[int, int]], data: st.DataObject) -> None:
    count, width, wires = laid
    frame = data.draw(st.binary(min_size=3 * count, max_size=3 * count))
    chain = Wiring(count, wires, width=width, what="lamp").frame_for_chain(frame)
    assert len(chain) == 3 * width
    for lamp in range(width):
        spots = [spot for spot, wire in wires.items() if wire == lamp]
        expected = frame[3 * spots[0] : 3 * spots[0] + 3] if spots else bytes(3)
        assert chain[3 * lamp : 3 * lamp + 3] == expected


def test_without_a_mapping_every_spot_has_the_wire_of_its_number() -> None:
    wiring = Wiring(199)
    mask = 1 << 198 | 5
    assert wiring.to_spots(mask) == mask
    assert wiring.frame_for_chain(frame := bytes(range(199)) * 3) is frame
    assert wiring.wires == tuple(range(199))


def test_a_device_wider_than_the_board_keeps_its_other_inputs_to_itself() -> None:
    assert Wiring(3, width=8).to_spots(0b1111_1101) == 0b101


def test_two_swapped_wires_are_named_alone() -> None:
    wiring = Wiring(6, {2: 4, 4: 2})
    assert wiring.to_spots(0b000101) == 0b010001
    assert wiring.wires == (0, 1, 4, 3, 2, 5)


@pytest.mark.parametrize(
    ("wires", "width", "complaint"),
    [
        ({2: 4}, 6, "spots 2 and 4 are both on input 4"),
        ({0: 5, 3: 5, 5: 0}, 6, "spots 0 and 3 are both on input 5"),
        ({2: 6}, 6, "spot 2 is on input 6; inputs are 0 to 5"),
        ({2: -1}, 6, "spot 2 is on input -1"),
        ({6: 0}, 6, "no spot 6; spots are 0 to 5"),
        ({}, 5, "spot 5 is on input 5; inputs are 0 to 4"),
        ({}, 0, "must be at least 1"),
    ],
)
def test_bad_wires_are_refused_by_their_names(wires: Mapping[int, int], width: int, complaint: str) -> None:
    with pytest.raises(BadDevice, match=complaint):
        Wiring(6, wires, width=width)


def test_the_device_s_own_word_is_used_for_its_wires() -> None:
    with pytest.raises(BadDevice, match="both on lamp 1; give each spot a lamp of its own"):
        Wiring(2, {0: 1}, what="lamp")


@pytest.mark.parametrize("mask", [1 << 6, -1])
def test_a_sample_with_bits_beyond_the_device_is_refused(mask: int) -> None:
    with pytest.raises(BadDevice, match="beyond the 6 inputs"):
        Wiring(6, {0: 1, 1: 0}).to_spots(mask)


def test_a_frame_of_another_length_is_refused() -> None:
    with pytest.raises(BadDevice, match="9 bytes; 2 spots take 6"):
        Wiring(2).frame_for_chain(bytes(9))
