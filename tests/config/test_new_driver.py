"""A new driver is a file and its lines in the registry: a program with both, in all that a driver is for."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from firmware_host.config.allowed_values import text, with_keys_of
from firmware_host.config.drivers import registry
from firmware_host.config.drivers.switch_drivers import ShiftRegisterSettings
from firmware_host.config.loader import parse
from hardware.drivers.pins import PiAccess
from hardware.ports import BadDevice
from hardware.sim.physics import SimClock

ROOT = Path(__file__).parents[2]

FILE = '''
"""Switches on a drum."""

from dataclasses import dataclass

from firmware_host.config.drivers.driver import Driver, DeviceFault, Needs
from firmware_host.config.allowed_values import number
from hardware.raspberry_pi.pin_conflicts import PinUse


@dataclass(frozen=True)
class DrumSettings:
    beat_pin: int = number(6, low=0, high=27, doc="The GPIO of the drum.")


class DrumSwitches:
    def __init__(self, beat_pin, count):
        self.count = count
        self.beat_pin = beat_pin

    def read(self):
        return 1 << self.beat_pin

    def place(self, number):
        return f"stick {number}"

    def close(self):
        pass


def _faults(device):
    if device.settings.beat_pin % 2:
        yield DeviceFault("switches", "beat_pin", "a drum beats on even pins; write 6")


def sheets(config):
    def draw(canvas, config, source):
        canvas.text((100, 100), f"a drum on GPIO {config.switches.beat_pin}", 12, (0, 0, 0), name="drum")

    return {"drum": draw}


DRIVERS = (
    Driver(
        name="drum",
        of=("switches",),
        settings=DrumSettings,
        claims=lambda device: [PinUse(device.settings.beat_pin, "[switches] beat_pin")],
        faults=_faults,
        needs=lambda device: Needs(packages=("drumming",)),
        inputs=lambda device: range(16),
        make=lambda device, pi, clock: DrumSwitches(device.settings.beat_pin, 16),
        lead=lambda device, pin: "drum: skin",
        sheets="firmware_host.config.drivers.drum_driver:sheets",
    ),
)
'''
IMPORT, LINE = "    drum_driver,\n", "    *drum_driver.DRIVERS,\n"

PROGRAM = """
import json, sys
from gpiozero.pins.mock import MockFactory
from firmware_host.commissioning.diagram_command import draw, sheets
from firmware_host.commissioning.board_commands import check_machine
from firmware_host.commissioning.config_command import as_text
from firmware_host.config.loader import parse
from firmware_host.config.toml_file import ConfigError
from firmware_host.table.device_factory import make_devices
from hardware.drivers.pins import PiAccess
from hardware.sim.physics import SimClock

class Wire:
    def transfer(self, data):
        return bytes(len(data))

    def close(self):
        pass

def mistakes(text):
    try:
        parse(text, "board.toml")
    except ConfigError as error:
        return error.mistakes
    return []

text = sys.stdin.read()
config = parse(text, "board.toml")
pi = PiAccess(MockFactory, lambda *_: Wire())
backend = make_devices(config, SimClock(), pi, needed=("switches",))
told = {
    "reference": as_text(),
    "odd": mistakes(text.replace("beat_pin = 6", "beat_pin = 7")),
    "taken": mistakes(text.replace("beat_pin = 6", "beat_pin = 24")),
    "elsewhere": mistakes(text.replace('"drum"', '"matrix"')),
    "doctor": [finding.what for finding in check_machine(config)],
    "read": backend.switches.read(),
    "count": backend.switches.count,
    "sheets": sheets(config),
    "header": draw(config, "header"),
    "drum": draw(config, "drum"),
}
backend.close()
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the program says, with the file and its lines, of a board with a drum."""
    house = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT / "firmware_host", house / "firmware_host", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("hardware", "config"):
        (house / folder).symlink_to(ROOT / folder)
    drivers = house / "firmware_host/config/drivers"
    (drivers / "drum_driver.py").write_text(FILE)
    lines = (drivers / "registry.py").read_text()
    for before, line in (("    switch_drivers,\n", IMPORT), ("    *switch_drivers.DRIVERS,\n", LINE)):
        lines = lines.replace(before, before + line)
    (drivers / "registry.py").write_text(lines)
    board = (
        (ROOT / "config/junior-gpio.toml").read_text().replace('driver = "gpio"', 'driver = "drum"\nbeat_pin = 6', 1)
    )
    board = re.sub(r"\[switches\.wiring\]\n(\d+ = \d+\n)+", "", board)
    program = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(program, input=board, capture_output=True, text=True, cwd=house, check=False)
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_the_reference_explains_its_keys_among_those_of_the_others(told: dict[str, Any]) -> None:
    at = told["reference"].index(
        '  beat_pin: a whole number from 0 to 27; default 6\n      For "drum": The GPIO of the drum.'
    )
    assert told["reference"].index("  columns:") < at < told["reference"].index("  scan_hz:")


def test_check_config_complains_of_it(told: dict[str, Any]) -> None:
    assert told["odd"] == ["board.toml: [switches] beat_pin: a drum beats on even pins; write 6"]
    assert len(told["taken"]) == 1
    assert "GPIO 24 (pin 18) is taken by [switches] beat_pin and [keys.table] back" in told["taken"][0]
    assert told["elsewhere"][0] == (
        'board.toml: [switches] beat_pin: the driver "matrix" does not use this key; delete it, or '
        'write driver = "drum"'
    )


def test_the_doctor_asks_for_its_packages(told: dict[str, Any]) -> None:
    assert any(re.search(r"packages: not installed: .*drumming", line) for line in told["doctor"])


def test_its_device_is_made(told: dict[str, Any]) -> None:
    assert (told["read"], told["count"]) == (1 << 6, 16)


def test_its_wires_are_drawn(told: dict[str, Any]) -> None:
    assert told["sheets"] == ["header", "drum", "lamps", "order", "panels"]
    assert "drum: skin" in told["header"]
    assert "a drum on GPIO 6" in told["drum"]


def test_every_driver_of_a_real_board_can_be_made_and_drawn() -> None:
    for driver in registry.DRIVERS:
        if driver.real:
            assert driver.sheets, f"{driver.name}: name the function that draws its wires"
            assert driver.make.__module__ != "firmware_host.config.drivers.driver", driver.name


def test_a_driver_that_stands_for_no_wires_refuses_to_be_made() -> None:
    sim = parse("", "yard.toml").devices["keys"]
    with pytest.raises(BadDevice, match=r'\[keys\] driver = "sim": names no real device'):
        sim.driver.make(sim, PiAccess(lambda: None), SimClock())


def test_a_key_that_differs_from_another_drivers_is_refused_with_the_line_to_write() -> None:
    @dataclass(frozen=True)
    class OtherSettings:
        spi: str = text("0.0", doc="The SPI device of another chip.")

    right = 'spi: str = as_in(ShiftRegisterSettings, "spi")'
    with pytest.raises(
        TypeError,
        match=re.escape(f"driver other: the key spi differs from the one in ShiftRegisterSettings; write {right}, "),
    ):
        with_keys_of({"shift-register": (ShiftRegisterSettings, ()), "other": (OtherSettings, ())})
