"""Several strips in one chain, some with dead first lamps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.drivers.strips import Strip, Strips
from hardware.ports import BadDevice, DeviceLost, Lamps
from hardware.sim.clock import SimClock
from hardware.sim.devices import SimLamps


class Closing(SimLamps):
    """Lamps that count how often they were closed."""

    closed = 0

    def close(self) -> None:
        self.closed += 1


def strips_of(*sizes: tuple[int, int]) -> tuple[list[Closing], Strips]:
    clock = SimClock()
    devices = [Closing(count, clock) for count, _ in sizes]
    return devices, Strips([Strip(lamps, dead) for lamps, (_, dead) in zip(devices, sizes, strict=True)])


def test_strips_are_lamps() -> None:
    assert isinstance(strips_of((1, 0))[1], Lamps)


def test_the_chain_goes_on_from_strip_to_strip_and_past_dead_lamps() -> None:
    devices, chain = strips_of((3, 1), (2, 0), (4, 3))
    assert chain.count == 5
    chain.show(bytes(range(1, 16)))
    assert [device.frame for device in devices] == [
        bytes([0, 0, 0, 1, 2, 3, 4, 5, 6]),
        bytes([7, 8, 9, 10, 11, 12]),
        bytes([0] * 9 + [13, 14, 15]),
    ]


SIZES = st.lists(
    st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))), min_size=1, max_size=5
)


@given(sizes=SIZES, data=st.data())
def test_every_lamp_that_is_not_dead_shines_in_its_turn_and_dead_ones_never(
    sizes: list[tuple[int, int]], data: st.DataObject
) -> None:
    devices, chain = strips_of(*sizes)
    frame = data.draw(st.binary(min_size=3 * chain.count, max_size=3 * chain.count))
    chain.show(frame)
    alive, dead = b"", b""
    for device, (_, deads) in zip(devices, sizes, strict=True):
        dead += device.frame[: 3 * deads]
        alive += device.frame[3 * deads :]
    assert alive == frame
    assert not any(dead)


def test_a_lost_strip_is_named_after_the_others_got_their_part() -> None:
    devices, chain = strips_of((1, 0), (1, 0), (2, 1))
    devices[0].unplug()
    with pytest.raises(DeviceLost, match=r"^lamps: strip 1: no answer; the cable is unplugged$"):
        chain.show(bytes(range(1, 10)))
    assert [device.frame for device in devices[1:]] == [b"\x04\x05\x06", b"\0\0\0\x07\x08\x09"]
    devices[0].replug()
    chain.show(bytes(range(1, 10)))
    assert devices[0].frame == b"\x01\x02\x03"


def test_all_lost_strips_are_named() -> None:
    devices, chain = strips_of((1, 0), (1, 0), (1, 0))
    devices[0].unplug()
    devices[2].unplug()
    with pytest.raises(DeviceLost, match=r"^lamps: strip 1: no answer.*; strip 3: no answer"):
        chain.show(bytes(9))


def test_the_chain_is_ready_when_its_slowest_strip_is() -> None:
    devices, chain = strips_of((1, 0), (1, 0))
    assert chain.ready()
    devices[1].show(bytes(3))
    assert not chain.ready()


def test_closing_closes_every_strip() -> None:
    devices, chain = strips_of((1, 0), (2, 0))
    chain.close()
    assert [device.closed for device in devices] == [1, 1]


def test_a_frame_of_another_length_is_refused_and_reaches_no_strip() -> None:
    devices, chain = strips_of((2, 1), (1, 0))
    with pytest.raises(BadDevice, match="9 bytes; 2 lamps take 6"):
        chain.show(bytes(9))
    assert [device.shows for device in devices] == [0, 0]


def test_a_chain_of_no_strips_is_refused() -> None:
    with pytest.raises(BadDevice, match="no strips"):
        Strips([])


@pytest.mark.parametrize("dead", [-1, 2, 3])
def test_a_strip_with_too_many_dead_lamps_is_refused_by_its_number(dead: int) -> None:
    with pytest.raises(BadDevice, match=f"strip 2 has {dead} dead lamps of 2; there may be 0 to 1"):
        strips_of((1, 0), (2, dead))


def test_the_only_strip_has_no_number() -> None:
    devices, chain = strips_of((2, 1))
    devices[0].unplug()
    with pytest.raises(DeviceLost, match=r"^lamps: no answer; the cable is unplugged$"):
        chain.show(bytes(3))
