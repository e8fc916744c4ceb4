"""NeoPixels on a PWM pin: the real neopixel.NeoPixel on Blinka's board for any machine, its last call recorded."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardware.drivers import neopixels
from hardware.drivers.colour_order import ORDERS
from hardware.drivers.neopixels import PwmLamps
from hardware.ports import BadDevice, DeviceLost, NotInstalled
from tests.hardware.drivers.blinka_lamps import Writer, blinka, colours, writer

__all__ = ["blinka", "writer"]  # fixtures

PI_3 = "3"
PI_4 = "4"
PI_5 = "5"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    frames=st.integers(1, 8).flatmap(
        lambda n: st.lists(st.binary(min_size=3 * n, max_size=3 * n), min_size=1, max_size=3)
    ),
    order=st.sampled_from(ORDERS),
)
def test_every_frame_goes_out_in_the_order_of_the_lamps(writer: Writer, frames: list[bytes], order: str) -> None:
    writer.written.clear()
    lamps = PwmLamps(len(frames[0]) // 3, pin=18, order=order, model=PI_4)
    for frame in frames:
        lamps.show(frame)
    assert [(pin, colours(wire, order)) for pin, wire in writer.written] == [(18, frame) for frame in frames]


def test_one_buffer_serves_all_frames(writer: Writer) -> None:
    # Blinka starts rpi_ws281x anew for each buffer that it does not know.
    lamps = PwmLamps(2, pin=18, model=PI_4)
    for frame in (b"\x01\x02\x03" * 2, b"\x04\x05\x06" * 2, bytes(6)):
        lamps.show(frame)
    assert len(writer.buffers) == 1


@pytest.mark.parametrize("model", ["zero2", PI_3, PI_4])
@pytest.mark.parametrize("pin", [10, 12, 13, 18, 19, 21])
def test_up_to_the_pi_4_the_pins_with_pwm_pcm_and_spi_serve(writer: Writer, model: str, pin: int) -> None:
    PwmLamps(1, pin=pin, model=model).show(b"\x01\x02\x03")
    assert writer.written == [(pin, b"\x02\x01\x03")]


@pytest.mark.parametrize("pin", [0, 18, 27])
def test_on_a_pi_5_any_pin_serves(writer: Writer, pin: int) -> None:
    PwmLamps(1, pin=pin, model=PI_5).show(b"\x01\x02\x03")
    assert writer.written == [(pin, b"\x02\x01\x03")]


@pytest.mark.parametrize(
    ("model", "pin", "node"), [(PI_4, 18, "/dev/mem"), (PI_4, 10, "/dev/spidev0.0"), (PI_5, 18, "/dev/pio0")]
)
def test_the_file_that_is_needed_is_the_one_of_model_and_pin(model: str, pin: int, node: str) -> None:
    assert neopixels._backend_for(pin, model).node == node


@pytest.mark.parametrize(("model", "way"), [(PI_4, "_PWM"), (PI_5, "_PIO")])
def test_without_access_nothing_is_called_and_with_it_the_lamps_come_back(
    writer: Writer, tmp_path: Path, model: str, way: str
) -> None:
    lamps = PwmLamps(1, pin=18, model=model)
    (tmp_path / way).unlink()
    for _ in range(2):
        with pytest.raises(DeviceLost, match=rf"^lamps: neopixel-pwm on GPIO 18 needs .*{way}: No such file"):
            lamps.show(b"\x01\x02\x03")
    assert not writer.calls
    (tmp_path / way).touch()
    lamps.show(b"\x01\x02\x03")
    assert writer.written == [(18, b"\x02\x01\x03")]


def test_a_file_that_opens_for_reading_only_does_not_do(writer: Writer, tmp_path: Path) -> None:
    (tmp_path / "_PWM").unlink()
    (tmp_path / "_PWM").mkdir()  # opens for reading, and for writing not even to root
    with pytest.raises(DeviceLost, match="Is a directory; start yardboard as root"):
        PwmLamps(1, pin=18, model=PI_4).show(bytes(3))
    assert not writer.calls


def test_rpi_ws281x_is_never_called_again_after_it_failed(writer: Writer) -> None:
    lamps = PwmLamps(1, pin=18, model=PI_4)
    writer.error = RuntimeError("ws2811_init failed with code -9\n(Failed to create mailbox device)")
    with pytest.raises(DeviceLost, match=r"lamps: GPIO 18 .* code -9 \(Failed .*; mend it and start yardboard again$"):
        lamps.show(bytes(3))
    writer.error = None
    with pytest.raises(DeviceLost, match="start yardboard again"):
        lamps.show(bytes(3))
    assert writer.calls == 1


@pytest.mark.parametrize("error", [RuntimeError("Failed to open PIO device (error -13)"), OSError(5, "I/O error")])
def test_on_a_pi_5_lamps_that_failed_are_tried_again(writer: Writer, error: Exception) -> None:
    lamps = PwmLamps(1, pin=18, model=PI_5)
    writer.error = error
    with pytest.raises(DeviceLost, match="lamps: GPIO 18 cannot be written to"):
        lamps.show(bytes(3))
    writer.error = None
    lamps.show(b"\x01\x02\x03")
    assert writer.written == [(18, b"\x02\x01\x03")]


def test_a_pin_that_is_taken_is_told_and_tried_again(
    writer: Writer, blinka: tuple[ModuleType, ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    lamps = PwmLamps(1, pin=18, model=PI_4)
    with monkeypatch.context() as patch:

        def busy(_: object) -> None:
            raise OSError(16, "Device or resource busy")

        patch.setattr(blinka[1].digitalio, "DigitalInOut", busy)
        with pytest.raises(DeviceLost, match=r"lamps: GPIO 18 cannot be taken: .*busy"):
            lamps.show(bytes(3))
    lamps.show(b"\x01\x02\x03")
    assert writer.calls == 1


def test_closing_lets_go_of_the_pin_and_sends_nothing(writer: Writer) -> None:
    lamps = PwmLamps(1, pin=18, model=PI_4)
    lamps.close()
    lamps.show(b"\x01\x02\x03")
    pin = lamps._pixels.pin
    lamps.close()
    lamps.close()
    assert pin._pin is None
    assert writer.calls == 1


def test_a_machine_that_blinka_does_not_run_on_is_told_so_and_not_to_install_anything(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    monkeypatch.delitem(sys.modules, "board", raising=False)
    (tmp_path / "board.py").write_text('raise NotImplementedError("Board not supported None")\n')
    monkeypatch.syspath_prepend(tmp_path)
    told = (
        "lamps: neopixel-pwm does not run on this machine (Board not supported None, says Blinka); "
        "it takes a Raspberry Pi; or set [lamps] driver to neopixel-spi"
    )
    with pytest.raises(BadDevice) as caught:
        PwmLamps(1, pin=18, model=PI_4)
    assert str(caught.value) == told


def test_what_blinka_itself_misses_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BLINKA_SKIP_DEPENDENCY_CHECK", raising=False)
    monkeypatch.delitem(sys.modules, "board", raising=False)
    (tmp_path / "board.py").write_text(
        'import os\nraise RuntimeError("no gpiod\\n  asks: " + os.environ["BLINKA_SKIP_DEPENDENCY_CHECK"])\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    try:
        with pytest.raises(NotInstalled, match=r"\(no gpiod asks: 1\); install with"):
            PwmLamps(1, pin=18, model=PI_4)
    finally:
        os.environ.pop("BLINKA_SKIP_DEPENDENCY_CHECK", None)
