"""NeoPixels on SPI: the bytes decoded as the lamps would, from levels to pulses to colours."""

from __future__ import annotations

import pytest
from adafruit_pixelbuf import PixelBuf
from hypothesis import example, given
from hypothesis import strategies as st

from hardware.drivers.colour_order import ORDERS
from hardware.drivers.neopixels import HZ, SpiLamps, encode
from tests.hardware.drivers.lamp_line import WS2812B, WS2812B_V5, LampChain, LampWire, in_order, levels, runs

FRAMES = st.integers(1, 12).flatmap(lambda lamps: st.binary(min_size=3 * lamps, max_size=3 * lamps))


def lamps_of(count: int, order: str = "GRB") -> tuple[LampWire, SpiLamps]:
    wire = LampWire()
    return wire, SpiLamps(count, spi=wire, order=order)


@given(
    frames=st.integers(1, 8).flatmap(
        lambda n: st.lists(st.binary(min_size=3 * n, max_size=3 * n), min_size=1, max_size=3)
    ),
    order=st.sampled_from(ORDERS),
    idle=st.sampled_from("01"),
    sheet=st.sampled_from([WS2812B, WS2812B_V5]),
)
@example(frames=[b"\xff\x00\x80"], order="GRB", idle="1", sheet=WS2812B_V5)
@example(frames=[bytes(3), b"\xff" * 3], order="RGB", idle="0", sheet=WS2812B)
def test_the_lamps_show_every_frame_whichever_level_the_line_idles_at(
    frames: list[bytes], order: str, idle: str, sheet: dict[str, tuple[int, int]]
) -> None:
    count = len(frames[0]) // 3
    wire, lamps = lamps_of(count, order)
    chain = LampChain(count, sheet)
    for frame in frames:
        lamps.show(frame)
    between = idle * 3_200
    # The transfer's own low must end the frame: what comes behind it is up to the bus.
    chain.take(between + between.join(levels(transfer) for transfer in wire.transfers))
    assert chain.shown == [in_order(frame, order) for frame in frames]


@pytest.mark.parametrize("hz", [HZ, 3_125_000, 3_164_556])
def test_a_clock_that_the_pi_rounds_down_still_keeps_to_the_data_sheet(hz: int) -> None:
    # 250 MHz / 80 and 500 MHz / 158: dividers are even, and never give more than was asked for.
    wire, lamps = lamps_of(2)
    lamps.show(b"\x55\xaa\x0f\xf0\x00\xff")
    chain = LampChain(2, WS2812B_V5, hz)
    chain.take("1" + levels(wire.transfers[0]))
    assert chain.shown == [in_order(b"\x55\xaa\x0f\xf0\x00\xff", "GRB")]


@given(frame=FRAMES)
def test_a_bus_that_pauses_after_each_byte_lengthens_no_pulse(frame: bytes) -> None:
    wire, lamps = lamps_of(len(frame) // 3)
    lamps.show(frame)
    with_pauses = [time for level, time in runs(levels(wire.transfers[0], pause=1), HZ) if level == "1"]
    assert with_pauses == [time for level, time in runs(levels(wire.transfers[0]), HZ) if level == "1"]


def test_a_board_s_frame_is_one_transfer_that_spidev_takes_unasked() -> None:
    wire, lamps = lamps_of(223)
    lamps.show(bytes(range(223)) * 3)
    assert [len(transfer) for transfer in wire.transfers] == [223 * 12 + 240]


@given(frame=FRAMES, order=st.sampled_from(ORDERS))
def test_the_library_s_pixels_filled_one_by_one_would_send_the_same_bytes(frame: bytes, order: str) -> None:
    wire, lamps = lamps_of(len(frame) // 3, order)
    lamps.show(frame)
    sent: list[bytes] = []

    class Pixels(PixelBuf):  # type: ignore[misc]  # it has no types
        def _transmit(self, buffer: bytearray) -> None:
            sent.append(encode(buffer))

    pixels = Pixels(len(frame) // 3, byteorder=order, auto_write=False)
    for lamp in range(len(frame) // 3):
        pixels[lamp] = tuple(frame[3 * lamp : 3 * lamp + 3])
    pixels.show()
    assert wire.transfers == sent


def test_closing_lets_go_of_the_bus_and_sends_nothing() -> None:
    wire, lamps = lamps_of(1)
    lamps.close()
    lamps.close()
    assert wire.closed == 2
    assert not wire.transfers
