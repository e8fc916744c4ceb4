"""The limit on the lamps' current: no frame gets past it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hardware.current_limit import LimitedLamps, estimate_current, limit_current
from hardware.ports import BadDevice, DeviceLost
from hardware.sim.devices import SimLamps
from hardware.sim.physics import SimClock

FRAMES = st.integers(1, 60).flatmap(lambda lamps: st.binary(min_size=3 * lamps, max_size=3 * lamps))


@given(frame=FRAMES, share=st.floats(0, 1.2))
@example(frame=b"\xff" * 669, share=0.5)
@example(frame=b"\x80\x00\x00" * 3, share=0.0)
def test_no_frame_draws_more_than_the_limit(frame: bytes, share: float) -> None:
    lamps = len(frame) // 3
    most = lamps + share * 60 * lamps
    limited = limit_current(frame, most)
    assert len(limited) == len(frame)
    assert estimate_current(limited) <= most
    assert all(after <= before for before, after in zip(frame, limited, strict=True))


def test_a_limit_missed_by_floating_point_s_last_bit_is_kept_all_the_same() -> None:
    frame, most = bytes.fromhex("b83888"), 26.803921568627448
    assert estimate_current(bytes(byte * 224 >> 8 for byte in frame)) > most
    assert limit_current(frame, most) == bytes(byte * 223 >> 8 for byte in frame)


@given(frame=FRAMES)
def test_a_frame_within_the_limit_is_left_alone(frame: bytes) -> None:
    assert limit_current(frame, estimate_current(frame)) == frame


@given(frame=FRAMES, share=st.floats(0.01, 1.0))
def test_the_limit_takes_no_more_than_a_step_of_256_and_the_rounding_of_bytes(frame: bytes, share: float) -> None:
    lamps = len(frame) // 3
    light = estimate_current(frame) - lamps
    limited_light = estimate_current(limit_current(frame, lamps + share * light)) - lamps
    # One part in 256 for k itself (two where a tie was rounded), and less than one in 255 a byte.
    assert limited_light >= share * light - 2 * light / 256 - len(frame) * 20 / 255 - 1e-9


def test_the_estimate_counts_idle_lamps_and_full_channels() -> None:
    assert estimate_current(bytes(3 * 223)) == 223
    assert estimate_current(b"\xff" * 3 * 223) == pytest.approx(223 * 61)
    assert estimate_current(b"\xff\x00\x00") == 21


def test_a_white_board_is_scaled_as_the_formula_says() -> None:
    # rest 2000 - 223 = 1777; need 223 * 60 = 13380; k = floor(256 * 1777 / 13380) = 33; 255 * 33 >> 8 = 32
    assert limit_current(b"\xff" * 669, 2000) == b"\x20" * 669


def lamps_of(count: int, max_milliamps: float = 10_000, brightness: float = 1.0) -> tuple[SimLamps, LimitedLamps]:
    device = SimLamps(count, SimClock())
    return device, LimitedLamps(device, max_milliamps, brightness)


def test_an_equal_frame_is_not_sent_again() -> None:
    device, lamps = lamps_of(1)
    for frame in (b"\x01\x02\x03", b"\x01\x02\x03", bytes(bytearray(b"\x01\x02\x03")), b"\x01\x02\x04"):
        lamps.show(frame)
    assert device.shows == 2


def test_frames_that_dim_to_the_same_light_are_sent_once() -> None:
    device, lamps = lamps_of(1, brightness=0.5)
    lamps.show(b"\x02\x02\x02")
    lamps.show(b"\x03\x03\x03")
    assert device.shows == 1


def test_after_the_device_was_lost_the_same_frame_is_sent_again() -> None:
    device, lamps = lamps_of(1)
    lamps.show(b"\x01\x02\x03")
    device.unplug()
    with pytest.raises(DeviceLost, match="lamps"):
        lamps.show(b"\x09\x09\x09")
    device.replug()
    lamps.show(b"\x01\x02\x03")
    assert device.frame == b"\x01\x02\x03"


def test_forgetting_sends_the_same_frame_again() -> None:
    device, lamps = lamps_of(1)
    lamps.show(b"\x01\x02\x03")
    lamps.forget()
    lamps.show(b"\x01\x02\x03")
    assert device.shows == 2


def test_limited_lamps_are_ready_when_the_device_is() -> None:
    clock = SimClock()
    lamps = LimitedLamps(SimLamps(1, clock), 100)
    assert lamps.ready()
    lamps.show(b"\x01\x02\x03")
    assert not lamps.ready()
    clock.advance(0.007)
    assert lamps.ready()


def bent(frame: bytes, brightness: float, gamma: float) -> bytes:
    device = SimLamps(len(frame) // 3, SimClock())
    LimitedLamps(device, 100_000, brightness, gamma).show(frame)
    return device.frame


EVERY_BYTE = bytes(range(256)) + b"\0\0"


@given(brightness=st.floats(0, 1))
@example(brightness=1.0)
@example(brightness=0.5)
def test_gamma_of_one_is_a_plain_scale_to_the_bit(brightness: float) -> None:
    assert bent(EVERY_BYTE, brightness, 1.0) == bytes(b * round(256 * brightness) >> 8 for b in EVERY_BYTE)


@given(brightness=st.floats(0.01, 1), gamma=st.floats(0.2, 4).filter(lambda gamma: gamma != 1))
def test_gamma_bends_the_dimmed_byte(brightness: float, gamma: float) -> None:
    frame = bent(EVERY_BYTE, brightness, gamma)
    for byte in range(1, 256):
        light = 255 * (brightness * byte / 255) ** gamma
        assert abs(frame[byte] - light) <= 0.5 or (light < 1 and frame[byte] == 1)


def test_known_bytes_of_gamma_2_2() -> None:
    assert bent(b"\xff\x80\x40", 1.0, 2.2) == bytes([255, 56, 12])
    assert bent(b"\xff\x80\x00", 0.5, 2.2) == bytes([55, 12, 0])


@given(brightness=st.floats(1e-9, 1), gamma=st.floats(0.2, 8).filter(lambda gamma: gamma != 1))
def test_a_bent_colour_keeps_a_spark_of_what_it_has_and_gets_nothing_it_has_not(
    brightness: float, gamma: float
) -> None:
    frame = bent(EVERY_BYTE, brightness, gamma)
    assert all(bool(after) == bool(before) for before, after in zip(EVERY_BYTE, frame, strict=True))


@pytest.mark.parametrize("gamma", [1.0, 2.2])
def test_brightness_zero_is_dark_whatever_the_gamma(gamma: float) -> None:
    assert bent(EVERY_BYTE, 0.0, gamma) == bytes(258)


@given(frame=st.binary(min_size=30, max_size=30), most=st.integers(13, 700), gamma=st.floats(0.2, 4))
@example(frame=b"\x80" * 30, most=100, gamma=0.25)
def test_gamma_cannot_lift_a_frame_over_the_limit_nor_over_what_spare_lamps_leave(
    frame: bytes, most: int, gamma: float
) -> None:
    device = SimLamps(10, SimClock())
    LimitedLamps(device, most, gamma=gamma, spare=3.0).show(frame)
    assert estimate_current(device.frame) + 3 <= most


def test_spare_lamps_take_their_current_from_the_others() -> None:
    with_spare, without = SimLamps(223, SimClock()), SimLamps(223, SimClock())
    LimitedLamps(with_spare, 2010, spare=10).show(b"\xff" * 669)
    LimitedLamps(without, 2000).show(b"\xff" * 669)
    assert with_spare.frame == without.frame == b"\x20" * 669


def test_the_limit_that_was_set_is_told_with_its_spare_part() -> None:
    assert LimitedLamps(SimLamps(1, SimClock()), 100, spare=7).max_milliamps == 100


@given(spare=st.floats(0, 50), frame=st.binary(min_size=15, max_size=15))
def test_a_limit_that_was_accepted_serves_every_frame(spare: float, frame: bytes) -> None:
    try:
        lamps = LimitedLamps(SimLamps(5, SimClock()), 5 + spare, spare=spare)
    except BadDevice:
        return
    lamps.show(frame)
