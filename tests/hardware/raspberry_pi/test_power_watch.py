"""What a Pi's own files say of its power, and that nobody waits for them."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

from hardware.ports import Supply
from hardware.raspberry_pi.machine_checks import examine
from hardware.raspberry_pi.power_watch import SLOWED_DOWN, UNDER_VOLTAGE, BackgroundSupply, SupplyFiles, watch_supply
from tests.hardware.raspberry_pi.test_machine_checks import PLAN

FLAGS = "sys/devices/platform/soc/soc:firmware/get_throttled"
SENSOR = "sys/class/hwmon/hwmon1/name"
ALARM = "sys/class/hwmon/hwmon1/in0_lcrit_alarm"

LONG = 10.0
"""Seconds after which a thread that does not go on never will."""


def machine(root: Path, **files: str) -> Path:
    """A machine with those of its files that are given."""
    for name, text in files.items():
        path = root / {"flags": FLAGS, "sensor": SENSOR, "alarm": ALARM}[name]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def found(root: Path) -> SupplyFiles:
    files = SupplyFiles.find(root)
    assert files is not None
    return files


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ("0", ""),
        ("0x0", ""),
        ("50005", UNDER_VOLTAGE),
        ("1", UNDER_VOLTAGE),
        ("f", UNDER_VOLTAGE),
        ("2", SLOWED_DOWN),
        ("4", SLOWED_DOWN),
        ("e0008", SLOWED_DOWN),
        ("f0000", ""),  # all of it has been and is no more
    ],
)
def test_the_flags_of_the_firmware_say_what_is_wrong_now(tmp_path: Path, flags: str, told: str) -> None:
    assert found(machine(tmp_path, flags=f"{flags}\n")).trouble() == told


@pytest.mark.parametrize(("alarm", "told"), [("0", ""), ("1", UNDER_VOLTAGE)])
def test_the_alarm_of_the_sensor_alone_tells_of_under_voltage(tmp_path: Path, alarm: str, told: str) -> None:
    assert found(machine(tmp_path, sensor="rpi_volt\n", alarm=f"{alarm}\n")).trouble() == told


def test_either_file_tells_of_under_voltage_when_both_are_there(tmp_path: Path) -> None:
    assert found(machine(tmp_path, flags="0\n", sensor="rpi_volt\n", alarm="1\n")).trouble() == UNDER_VOLTAGE
    assert found(machine(tmp_path, flags="1\n", alarm="0\n")).trouble() == UNDER_VOLTAGE


def test_the_firmware_is_found_where_the_device_tree_gives_it_an_address(tmp_path: Path) -> None:
    path = tmp_path / "sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled"
    path.parent.mkdir(parents=True)
    path.write_text("1\n")
    assert found(tmp_path).trouble() == UNDER_VOLTAGE


def test_a_machine_that_tells_nothing_has_no_such_device(tmp_path: Path) -> None:
    assert SupplyFiles.find(tmp_path) is None
    assert SupplyFiles.find(machine(tmp_path, sensor="cpu_thermal\n", alarm="1\n")) is None
    assert watch_supply(tmp_path) is None


def test_what_cannot_be_read_or_understood_is_told_and_not_taken_for_good(tmp_path: Path) -> None:
    files = found(machine(tmp_path, flags="hello\n"))
    assert files.trouble() == "the Pi's firmware answers nothing that is known here"
    (tmp_path / FLAGS).unlink()
    assert files.trouble() == "the Pi's firmware does not answer: No such file or directory"


def test_whoever_asks_never_waits_for_a_reading() -> None:
    began, go_on, again = Event(), Event(), Event()

    def read() -> str:
        if began.is_set():
            again.set()
        began.set()
        go_on.wait(LONG)
        return UNDER_VOLTAGE

    supply = BackgroundSupply(read)
    assert isinstance(supply, Supply)
    assert supply.trouble() == ""
    assert began.wait(LONG)
    assert supply.trouble() == ""  # the reading hangs, and the one that asks does not
    go_on.set()
    assert again.wait(LONG)
    assert supply.trouble() == UNDER_VOLTAGE
    supply.close()
    supply.close()


def test_nothing_is_read_that_nobody_asks_for() -> None:
    readings: list[int] = []
    supply = BackgroundSupply(lambda: str(readings.append(1) or ""))
    supply.close()
    assert readings == []


@pytest.mark.parametrize(
    ("flags", "level", "said"),
    [
        ("0", "ok", "supply: enough power, and not too hot; the table watches both"),
        ("1", "warning", "supply: under-voltage"),
        ("4", "warning", "supply: slowed down, too hot"),
        ("?", "warning", "supply: the Pi's firmware answers nothing that is known here"),
    ],
)
def test_the_doctor_tells_how_the_power_is(tmp_path: Path, flags: str, level: str, said: str) -> None:
    findings = examine(PLAN, machine(tmp_path, flags=f"{flags}\n"))
    (finding,) = [one for one in findings if one.what.startswith("supply: ")]
    assert (finding.level, finding.what) == (level, said)
    assert (level == "ok") is not bool(finding.advice)
