"""Several strips in one chain, some with dead first lamps."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.current_limit import LimitedLamps, estimate_current
from hardware.drivers.neopixels import Strip, Strips
from hardware.ports import BadDevice, DeviceLost
from hardware.sim.devices import SimLamps
from hardware.sim.physics import SimClock
from tests.amount import amount


class Closing(SimLamps):
    closed = 0

    def close(self) -> None:
        self.closed += 1


class Meter:
    """What all lamps on one supply draw, at every moment."""

    def __init__(self) -> None:
        self.on: list[Metered] = []
        self.worst = 0.0

    def look(self) -> None:
        self.worst = max(self.worst, estimate_current(b"".join(bytes(lamps.now) for lamps in self.on)))


class Metered:
    """Lamps that change one after the other as a frame comes in, and may be lost before any of them.

    Args:
        count: number of lamps.
        meter: what they hang on.
    """

    def __init__(self, count: int, meter: Meter) -> None:
        self.count = count
        self.now = bytearray(3 * count)
        self.lost_after: int | None = None
        self.error: Exception = DeviceLost("lamps: EIO")
        self._meter = meter
        meter.on.append(self)

    def ready(self) -> bool:
        return True

    def show(self, frame: bytes) -> None:
        for lamp in range(self.count):
            if lamp == self.lost_after:
                raise self.error
            self.now[3 * lamp : 3 * lamp + 3] = frame[3 * lamp : 3 * lamp + 3]
            self._meter.look()

    def close(self) -> None: ...


def metered(*sizes: tuple[int, int], milliamps: float = math.inf) -> tuple[Meter, list[Metered], Strips]:
    """Strips on one supply; the limit is that of the lamps that may shine."""
    meter = Meter()
    devices = [Metered(count, meter) for count, _ in sizes]
    strips = [Strip(lamps, dead) for lamps, (_, dead) in zip(devices, sizes, strict=True)]
    return meter, devices, Strips(strips, milliamps)


def strips_of(*sizes: tuple[int, int]) -> tuple[list[Closing], Strips]:
    clock = SimClock()
    devices = [Closing(count, clock) for count, _ in sizes]
    return devices, Strips([Strip(lamps, dead) for lamps, (_, dead) in zip(devices, sizes, strict=True)])


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
    with pytest.raises(DeviceLost, match=r"^lamps: strip 1: the cable is unplugged$"):
        chain.show(bytes(range(1, 10)))
    assert [device.frame for device in devices[1:]] == [b"\x04\x05\x06", b"\0\0\0\x07\x08\x09"]
    devices[0].replug()
    chain.show(bytes(range(1, 10)))
    assert devices[0].frame == b"\x01\x02\x03"


def test_all_lost_strips_are_named() -> None:
    devices, chain = strips_of((1, 0), (1, 0), (1, 0))
    devices[0].unplug()
    devices[2].unplug()
    with pytest.raises(DeviceLost, match=r"^lamps: strip 1: the cable is unplugged; strip 3: the cable is unplugged"):
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


def test_the_only_strip_has_no_number() -> None:
    devices, chain = strips_of((2, 1))
    devices[0].unplug()
    with pytest.raises(DeviceLost, match=r"^lamps: the cable is unplugged$"):
        chain.show(bytes(3))


# The limit


RED, GREEN, DARK = b"\xff\0\0", b"\0\xff\0", bytes(3)


def test_light_that_moves_from_one_strip_to_the_other_is_never_in_both() -> None:
    meter, devices, chain = metered((1, 0), (1, 0), milliamps=22)
    for frame in (DARK + RED, RED + DARK, DARK + GREEN):
        chain.show(frame)
        assert b"".join(bytes(device.now) for device in devices) == frame
    assert meter.worst == 22


def test_a_strip_waits_in_what_it_shows_while_a_lost_one_may_shine_with_all_there_is() -> None:
    meter, devices, chain = metered((2, 0), (1, 0), milliamps=43)
    chain.show(GREEN + DARK + RED)
    devices[1].lost_after = 0
    for _ in range(2):
        with pytest.raises(DeviceLost, match=r"^lamps: strip 2: EIO$"):
            chain.show(RED + RED + DARK)
    assert [device.now for device in devices] == [GREEN + DARK, RED]
    with pytest.raises(DeviceLost):
        chain.show(DARK + GREEN + DARK)  # what there is room for goes on
    assert devices[0].now == DARK + GREEN
    devices[1].lost_after = None
    chain.show(RED + RED + DARK)
    assert [device.now for device in devices] == [RED + RED, DARK]
    assert meter.worst == 43


def test_a_strip_that_failed_midway_is_reckoned_with_old_and_new_lamps() -> None:
    meter, devices, chain = metered((2, 0), (1, 0), milliamps=43)
    chain.show(DARK + RED + DARK)
    devices[0].lost_after = 1
    with pytest.raises(DeviceLost, match="strip 1"):
        chain.show(RED + DARK + DARK)
    assert devices[0].now == RED + RED
    with pytest.raises(DeviceLost, match="strip 1"):
        chain.show(RED + DARK + GREEN)
    assert devices[1].now == DARK
    assert meter.worst == 43


def test_a_frame_that_goes_past_the_limit_is_refused_and_reaches_no_strip() -> None:
    meter, _, chain = metered((1, 0), (1, 0), milliamps=41)
    with pytest.raises(BadDevice, match="lamps: a frame of 42 mA; the strips may draw 41 mA together"):
        chain.show(RED + GREEN)
    assert meter.worst == 0


@settings(max_examples=amount(40, 300))
@given(sizes=SIZES, spare=st.floats(0, 200), data=st.data())
def test_whatever_fails_and_whenever_the_lamps_never_draw_more_than_their_limit(
    sizes: list[tuple[int, int]], spare: float, data: st.DataObject
) -> None:
    dead = sum(deads for _, deads in sizes)
    most = sum(count for count, _ in sizes) + spare
    meter, devices, chain = metered(*sizes, milliamps=most - dead)
    lamps = LimitedLamps(chain, most, spare=dead)
    bright = st.sampled_from([0, 0, 40, 255])
    for _ in range(data.draw(st.integers(1, 8))):
        fails = False
        for device in devices:
            device.lost_after = data.draw(st.none() | st.integers(0, device.count - 1))
            device.error = data.draw(st.sampled_from([DeviceLost("lamps: EIO"), ZeroDivisionError("a bug")]))
            fails = fails or device.lost_after is not None
        frame = bytes(data.draw(st.lists(bright, min_size=3 * chain.count, max_size=3 * chain.count)))
        lamps.forget()
        if fails:
            with pytest.raises((DeviceLost, ZeroDivisionError)):
                lamps.show(frame)
        else:
            lamps.show(frame)
            single, _, alone = metered((chain.count, 0))
            LimitedLamps(alone, most - dead).show(frame)
            shining = [device.now[3 * deads :] for device, (_, deads) in zip(devices, sizes, strict=True)]
            assert b"".join(shining) == single.on[0].now
    assert meter.worst <= most * (1 + 1e-12)
