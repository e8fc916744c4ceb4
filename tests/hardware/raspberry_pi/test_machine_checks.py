"""What the doctor finds on a machine that is a folder of files: all right, or the wrong board, pins or groups."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from hardware.ports import BadDevice
from hardware.raspberry_pi.host_facts import HostFacts, User
from hardware.raspberry_pi.machine_checks import examine
from hardware.raspberry_pi.pin_conflicts import PinUse, PwmUse
from hardware.raspberry_pi.requirements import Finding, Requirements
from tests.hardware.raspberry_pi.fake_pi import GROUPS, ME, PI_5, PLAN, FakePi

POWER = (
    "power: at most 6029 mA (Raspberry Pi with USB devices 3000, dark lamps 223, light of the lamps 2777, "
    "1 × OLED SSD1306 25, pull-ups of 12 closed reeds 4): a 5 V supply of 8 A or more, or one of 4 A or more "
    "for the lamps beside the Pi's own; fed into the chain at 9 points"
)


def test_a_pi_that_is_set_up_has_nothing_to_complain_of(pi: FakePi) -> None:
    assert [finding.what for finding in pi.examine()] == [
        "pins: none is taken twice; free GPIOs: 4, 5, 6, 12, 13, 14, 15, 16, 17, 22, 23, 24, 26, 27",
        "board: Raspberry Pi 4 Model B Rev 1.4",
        "user: ada is in gpio, spi, i2c",
        "pins: /dev/gpiomem* is there",
        "SPI: /dev/spidev0.0 is there",
        "SPI: /dev/spidev6.0 is there",
        "I2C: /dev/i2c-1 is there",
        "pins: /boot/firmware/config.txt gives none of them to anything else",
        "pins: the kernel and other programs hold none of them",
        "SPI: a transfer takes up to 2676 bytes, the buffer has 4096",
        "lamps: the clock of SPI stands still (core_freq=500, core_freq_min=500)",
        "I2C: bus 1 runs at 400000 bits a second",
        "user: ada is in dialout",
        "serial: /dev/serial/by-id/usb-yardboard is there",
        "packages: those that the devices need are installed",
        POWER,
        "supply: this machine does not report under-voltage or heat; the table works without that",
        "journal: /var/lib/yardboard is there",
        "journal: it is on ext4",
    ]
    assert pi.complaints() == []


def test_a_laptop_is_told_plainly(pi: FakePi) -> None:
    pi.remove("/proc/device-tree/model")
    finding = pi.complaint()
    assert finding.level == "error"
    assert finding.what == (
        "this machine is not a Raspberry Pi, but the configuration is made for a Raspberry Pi 4; "
        "its device files and boot settings were not checked"
    )
    assert 'set the drivers to "sim"' in finding.advice


def test_the_simulator_needs_only_its_journal(tmp_path: Path) -> None:
    user = User("ada", ME, {})
    tmp_path.chmod(0o777)
    findings = examine(Requirements(journal=PurePosixPath("/games")), machine=HostFacts(tmp_path, user, ()))
    assert findings == [Finding("ok", "journal: /games can be made")]


def test_this_very_machine_can_be_examined(tmp_path: Path) -> None:
    assert all(finding.what for finding in examine(replace(PLAN, journal=PurePosixPath(tmp_path / "journal"))))
    assert HostFacts.of_this_machine().has_package("pytest")


def test_a_model_that_does_not_exist_is_refused(pi: FakePi) -> None:
    with pytest.raises(BadDevice, match="no Raspberry Pi is called '9'"):
        pi.examine(replace(PLAN, model="9"))


# Pins and board


def test_a_pin_that_is_taken_twice(pi: FakePi) -> None:
    finding = pi.complaint(replace(PLAN, claims=(*PLAN.claims, PinUse(25, "[keys] table.back"))))
    assert finding.what.startswith("GPIO 25 (pin 22) is taken by [switches] load_pin and [keys] table.back; free GPIOs")


def test_another_model_than_configured(pi: FakePi) -> None:
    pi.write("/proc/device-tree/model", "Raspberry Pi 3 Model B Plus Rev 1.3\0")
    finding = next(finding for finding in pi.complaints() if finding.what.startswith("board"))
    assert finding.what == 'board: this is a Raspberry Pi 3 Model B Plus Rev 1.3, the configuration says model = "4"'
    assert finding.advice.startswith('set model = "3"')


def test_a_board_that_nobody_knows(pi: FakePi) -> None:
    pi.write("/proc/device-tree/model", "Raspberry Pi 9 Model B\0")
    pi.configure("[pi4]", "[all]")
    assert pi.complaint().what == (
        'board: Raspberry Pi 9 Model B is an unknown board; the configuration says model = "4"'
    )


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", "zero2"),
        ("Raspberry Pi 3 Model B Rev 1.2", "3"),
        ("Raspberry Pi 400 Rev 1.0", "4"),
        ("Raspberry Pi Compute Module 4 Rev 1.1", "4"),
        ("Raspberry Pi 500 Rev 1.0", "5"),
        ("Raspberry Pi Zero W Rev 1.1", None),
        ("Radxa ROCK 5B", None),
    ],
)
def test_boards_are_known_by_their_names(pi: FakePi, name: str, model: str | None) -> None:
    pi.write("/proc/device-tree/model", name + "\0")
    assert HostFacts(pi.root, pi.user, ()).model == model


# Groups


def test_groups_that_are_missing(pi: FakePi) -> None:
    pi.user = User("ada", ME, {"i2c": 1, "dialout": 2})
    assert pi.complaint() == Finding(
        "error",
        "user: ada is not in gpio and spi",
        "sudo usermod -aG gpio,spi ada, then log in again (the service has them already)",
    )


def test_the_serial_port_s_group(pi: FakePi) -> None:
    pi.user = User("ada", ME, {name: gid for name, gid in GROUPS.items() if name != "dialout"})
    assert pi.complaint().what == "user: ada is not in dialout"


def test_root_needs_no_group(pi: FakePi) -> None:
    pi.user = User("root", 0, {})
    assert pi.complaints() == []


def test_root_is_told_whose_access_was_looked_at(pi: FakePi) -> None:
    pi.user = User("root", 0, {})
    assert [finding.what for finding in pi.examine() if finding.what.startswith("user")] == [
        "user: root, who needs no group; the service runs as a user of its own with the groups of its unit"
    ]
    lamps = Requirements(journal=PLAN.journal, model="4", claims=(PwmUse(12, "[lamps] pin"),))
    said = "user: root, who needs no group, and may write everywhere"
    assert said in [finding.what for finding in pi.examine(lamps)]
    pi.write("/proc/device-tree/model", PI_5 + "\0")
    assert said not in [finding.what for finding in pi.examine(replace(lamps, model="5"))]
