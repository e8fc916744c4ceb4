"""Which library moves the pins: always the one that was named, or an error that says which one fits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import gpiozero
import gpiozero.pins.local
import pytest
from gpiozero.exc import PinUnknownPi

from hardware.drivers.pin_factory import lgpio_module, pin_factory
from hardware.drivers.pins import PinGroup
from hardware.ports import BadDevice, DeviceLost, NotInstalled
from tests.hardware.drivers.compiled_packages import compiled
from tests.hardware.fake_kernel import FakeKernel, kernel_of_2026

PI_4, PI_5 = 0xC03114, 0xD04170
"""Revision codes, as the Raspberry Pi documentation lists them."""

RPI_GPIO = """
BCM, IN, OUT, I2C, SPI, HARD_PWM, SERIAL, UNKNOWN = 11, 1, 0, 42, 41, 43, 40, -1
PUD_UP, PUD_DOWN, PUD_OFF, BOTH, RISING, FALLING = 22, 21, 20, 33, 31, 32
calls = []
def setmode(mode): calls.append(("setmode", mode))
def setwarnings(on): calls.append(("setwarnings", on))
def cleanup(*pins): calls.append(("cleanup", *pins))
"""
"""As much of RPi.GPIO as gpiozero's factory asks for before the first pin."""


@pytest.fixture
def revision(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes gpiozero find itself on that Pi, or on none."""

    def be(code: int | None) -> None:
        def told() -> int:
            if code is None:
                raise PinUnknownPi("unable to locate Pi revision in /proc/device-tree or /proc/cpuinfo")
            return code

        monkeypatch.setattr(gpiozero.pins.local, "get_pi_revision", told)

    return be


@pytest.fixture
def rpi_gpio(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Puts a package RPi in the way of any real one, with that source and, if wanted, RPi.GPIO's C half."""

    def put(source: str, *, c_half: bool) -> None:
        for name in [name for name in sys.modules if name.split(".")[0] == "RPi"] + ["gpiozero.pins.rpigpio"]:
            monkeypatch.delitem(sys.modules, name, raising=False)
        package = tmp_path / "RPi"
        (package / "GPIO").mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "_GPIO.py").write_text(source)
        (package / "GPIO" / "__init__.py").write_text("from RPi._GPIO import *\n" if c_half else source)
        monkeypatch.syspath_prepend(str(tmp_path))

    yield put
    for name in ("RPi", "RPi.GPIO", "RPi._GPIO", "gpiozero.pins.rpigpio"):
        sys.modules.pop(name, None)


def test_gpiozero_is_never_left_to_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen() -> None:
        raise AssertionError("gpiozero chose a factory by itself")

    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", chosen)
    factory = pin_factory("mock")
    with PinGroup("switches", [(4, lambda: gpiozero.InputDevice(4, pull_up=True, pin_factory=factory))]) as (pin,):
        assert pin.value == 0


@pytest.mark.parametrize(
    ("name", "missing", "said"),
    [
        (
            "rpigpio",
            "RPi",
            r"RPi\.GPIO.*pip install '\.\[rpigpio\]' in yardboard's folder; or set \[pi\] pin_factory = \"lgpio\"",
        ),
        ("rpigpio", "gpiozero.pins.rpigpio", "needs gpiozero and RPi.GPIO"),
        ("lgpio", "lgpio", r"lgpio is missing; install with: pip install '\.\[pi\]'"),
        ("lgpio", "gpiozero.pins.lgpio", "needs gpiozero; install with"),
        ("mock", "gpiozero.pins.mock", "needs gpiozero; install with"),
    ],
)
def test_a_missing_package_is_named(name: str, missing: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing == "gpiozero.pins.lgpio":
        real_lgpio()
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(NotInstalled, match=f"pins: .*{said}"):
        pin_factory(name)


def test_rpi_gpio_away_from_a_pi_is_told_what_it_wants(rpi_gpio: Any) -> None:
    rpi_gpio("raise RuntimeError('This module can only be run on a Raspberry Pi!')", c_half=True)
    with pytest.raises(BadDevice, match=r"can only be run on a Raspberry Pi.*up to the 4.*\"lgpio\".*yardboard sim$"):
        pin_factory("rpigpio")


def test_rpi_gpio_starts_on_a_pi_4(rpi_gpio: Any, revision: Any) -> None:
    rpi_gpio(RPI_GPIO, c_half=True)
    revision(PI_4)
    factory = pin_factory("rpigpio")
    assert type(factory).__name__ == "RPiGPIOFactory"
    assert factory.board_info.model == "4B"


def test_rpi_gpio_on_a_pi_5_is_refused_before_its_first_pin(rpi_gpio: Any, revision: Any) -> None:
    rpi_gpio(RPI_GPIO, c_half=True)
    revision(PI_5)
    with pytest.raises(
        BadDevice, match=r'RPi.GPIO cannot control the pins of this Pi \(5B\); set \[pi\] pin_factory = "lgpio"'
    ):
        pin_factory("rpigpio")
    assert sys.modules["RPi._GPIO"].calls[-1] == ("cleanup",)


def test_its_drop_in_starts_on_a_pi_5_and_is_given_the_header_s_chip(
    rpi_gpio: Any, revision: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RPI_LGPIO_CHIP", "0")
    rpi_gpio(RPI_GPIO, c_half=False)
    revision(PI_5)
    kernel = kernel_of_2026(tmp_path / "machine")
    assert pin_factory("rpigpio", kernel.devices()).board_info.model == "5B"
    assert os.environ["RPI_LGPIO_CHIP"] == "11"


def test_rpi_gpio_on_a_board_that_is_no_pi_is_refused(rpi_gpio: Any, revision: Any) -> None:
    rpi_gpio(RPI_GPIO, c_half=False)
    revision(None)
    with pytest.raises(BadDevice, match="unable to locate Pi revision"):
        pin_factory("rpigpio")


def real_lgpio() -> Any:
    """The module `lgpio`; compiled for Python 3.13, for which neither PyPI nor Debian has it."""
    if (folder := _compiled_lgpio()) and folder not in sys.path:
        sys.path.append(folder)
    return lgpio_module()


def _compiled_lgpio() -> str:
    return str(compiled("lgpio", "0.2.2.0", "swig", PYPI="1")) if sys.version_info >= (3, 13) else ""


class GpioChips:
    """lgpio's C half, as far as gpiochips go: notes which is opened, and has it or not."""

    def __init__(self, real: Any, *, present: bool) -> None:
        self._real = real
        self._present = present
        self.opened: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def _gpiochip_open(self, chip: int) -> int:
        self.opened.append(chip)
        return 7 if self._present else -78 & 0xFFFFFFFF  # LG_CANNOT_OPEN_CHIP


def test_lgpio_away_from_a_pi_is_refused(revision: Any) -> None:
    real_lgpio()
    revision(None)
    with pytest.raises(BadDevice, match=r"not seem to be a Raspberry Pi \(unable.*\); .* run: yardboard sim$"):
        pin_factory("lgpio")


@pytest.mark.parametrize("code", [PI_4, PI_5])
def test_lgpio_without_a_gpiochip_is_refused(
    code: int, revision: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lgpio = real_lgpio()
    revision(code)
    kernel = FakeKernel(tmp_path)
    with pytest.raises(BadDevice, match=r"pins: there is no /dev/gpiochip\*; run: sudo apt full-upgrade"):
        pin_factory("lgpio", kernel.devices())
    kernel.add_chip(2, "pinctrl-rp1")
    monkeypatch.setattr(lgpio, "_lgpio", GpioChips(lgpio._lgpio, present=False))
    with pytest.raises(BadDevice, match=r"cannot open /dev/gpiochip2.*can not open gpiochip.*group gpio.*\"rpigpio\""):
        pin_factory("lgpio", kernel.devices())


@pytest.mark.parametrize(
    ("code", "chips", "chip"),
    [
        (PI_4, {0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),
        (PI_5, {0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1"}, 4),
        (PI_5, {0: "pinctrl-rp1", 10: "gpio-brcmstb@107d508500"}, 0),
        (PI_5, {11: "pinctrl-rp1", 12: "gpio-brcmstb@107d508500"}, 11),
    ],
)
def test_lgpio_opens_the_header_s_chip_whatever_its_number_is(
    code: int, chips: dict[int, str], chip: int, revision: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lgpio = real_lgpio()
    revision(code)
    kernel = FakeKernel(tmp_path)
    for number, label in chips.items():
        kernel.add_chip(number, label)
    opened = GpioChips(lgpio._lgpio, present=True)
    monkeypatch.setattr(lgpio, "_lgpio", opened)
    factory = pin_factory("lgpio", kernel.devices())
    factory._handle = None  # there is nothing to close
    assert opened.opened == [chip]


IMPORT = """
import os, struct, sys, threading
from pathlib import Path
from hardware.drivers.pin_factory import lgpio_module

here = os.getcwd()
lgpio = lgpio_module()
assert lgpio_module() is lgpio is sys.modules["lgpio"]
assert os.getcwd() == here, os.getcwd()

# An edge, written as lgpio's C half writes it, still reaches who listens.
heard = threading.Event()
listener = lgpio.callback(0, 4, lgpio.BOTH_EDGES, lambda *edge: heard.set())
ends = [end for end in Path("/proc/self/fd").iterdir() if end.is_symlink() and ".lgd-nfy" in str(end.readlink())]
for end in ends:
    flags = int(Path(f"/proc/self/fdinfo/{end.name}").read_text().split()[3], 8)
    if flags & os.O_RDWR:
        os.write(int(end.name), struct.pack("QBBBBI", 1, 0, 4, 1, 0, 0))
assert heard.wait(30)
"""


@pytest.mark.parametrize("setting", ["TMPDIR", "RUNTIME_DIRECTORY"])
def test_lgpio_is_imported_without_a_trace(setting: str, tmp_path: Path) -> None:
    real_lgpio()
    here, folder = tmp_path / "here", tmp_path / "folder"
    here.mkdir()
    folder.mkdir()
    value = f"{folder}:{tmp_path / 'another'}" if setting == "RUNTIME_DIRECTORY" else str(folder)
    environment = {key: value for key, value in os.environ.items() if key not in {"RUNTIME_DIRECTORY", "LG_WD"}}
    environment |= {setting: value, "PYTHONPATH": f"{Path(__file__).parents[3]}:{_compiled_lgpio()}"}
    subprocess.run([sys.executable, "-c", IMPORT], cwd=here, env=environment, check=True, timeout=60)
    assert not [*here.iterdir(), *folder.iterdir()]


def test_without_a_folder_to_write_to_lgpio_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "missing"))
    with pytest.raises(BadDevice, match=r"pins: lgpio needs a folder to write to.*RuntimeDirectory="):
        lgpio_module()


class Strange(Exception):
    """None of the libraries' errors."""


def test_lines_turn_the_libraries_errors_into_ours_and_leave_others_alone() -> None:
    lines = PinGroup("keys", [])
    with pytest.raises(DeviceLost, match=r"^keys: a pin does not answer: no such handle"), lines:
        raise OSError("no such handle")
    with pytest.raises(BadDevice, match=r"^keys: a pin cannot serve here: fixed"), lines:
        raise gpiozero.PinFixedPull("fixed")
    with pytest.raises(Strange), lines:
        raise Strange
    with pytest.raises(DeviceLost, match=r"^ours$"), lines:
        raise DeviceLost("ours")


def test_lines_know_lgpio_s_own_error() -> None:
    lgpio = real_lgpio()
    with pytest.raises(DeviceLost, match="keys: a pin does not answer: 'GPIO busy'"), PinGroup("keys", []):
        raise lgpio.error("GPIO busy")
