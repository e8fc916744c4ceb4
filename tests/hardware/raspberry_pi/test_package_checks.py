"""What the doctor says of the packages that the devices need, and of the power that they draw."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware import ports
from hardware.ports import NotInstalled, install_extra, pip
from hardware.raspberry_pi.host_facts import PythonBuild, User
from hardware.raspberry_pi.pin_conflicts import I2cUse, PinUse, PwmUse, SpiUse
from hardware.raspberry_pi.requirements import Finding, Requirements
from tests.hardware.raspberry_pi.fake_pi import PI_4, PI_5, PLAN, FakePi

# Packages


@pytest.mark.parametrize(("board", "model", "right"), [(PI_4, "4", "RPi.GPIO"), (PI_5, "5", "rpi-lgpio")])
def test_two_packages_of_one_module(pi: FakePi, board: str, model: str, right: str) -> None:
    pi.write("/proc/device-tree/model", board + "\0")
    pi.packages.append("rpi_lgpio")
    finding = pi.complaint(Requirements(journal=PLAN.journal, model=model))
    assert finding.what == "packages: RPi.GPIO and rpi-lgpio are both installed; each overwrites the other's files"
    assert finding.advice == f"{pip('uninstall -y RPi.GPIO rpi-lgpio')}, then {pip('install', right)}"


@pytest.mark.parametrize(
    ("prefix", "command"),
    [
        ("/home/ann/.venv", "pip install '.[pwm]' in yardboard's folder"),
        (ports.PACKAGED, f"sudo python3 -m pip install --target {ports.ADDED} '.[pwm]' in yardboard's folder"),
    ],
)
def test_a_driver_names_the_command_that_adds_its_package_here(
    prefix: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.prefix", prefix)
    assert f"; install with: {command}; " in str(NotInstalled.needing("lamps", "rpi_ws281x", "pwm"))


def test_a_pin_factory_that_cannot_drive_a_pi_5(pi: FakePi) -> None:
    pi.write("/proc/device-tree/model", PI_5 + "\0")
    plan = Requirements(journal=PLAN.journal, model="5", pin_factory="rpigpio", claims=(PinUse(25, "x"),))
    assert pi.complaint(plan).what == "packages: RPi.GPIO cannot reach the pins of a Pi 5"
    pi.packages.remove("RPi.GPIO")
    pi.packages.append("rpi-lgpio")
    # The drop-in reaches the pins through the gpiochip.
    pi.remove("/dev/gpiomem")
    assert pi.complaints(plan) == []


@pytest.mark.parametrize(
    ("package", "missing"),
    [
        ("gpiozero", "gpiozero"),
        ("RPi.GPIO", "RPi.GPIO or rpi-lgpio"),
        ("luma.oled", "luma.oled"),
        ("smbus2", "smbus2"),
        ("pyserial", "pyserial"),
    ],
)
def test_a_package_that_is_missing(pi: FakePi, package: str, missing: str) -> None:
    pi.packages.remove(package)
    assert pi.complaint() == Finding("error", f"packages: not installed: {missing}", install_extra("pi,rpigpio"))


def test_lgpio_is_missing_only_where_it_moves_the_pins(pi: FakePi) -> None:
    pi.packages.remove("lgpio")
    assert pi.complaints(PLAN) == []  # SPI is the kernel's, and needs no package
    (finding,) = pi.complaints(replace(PLAN, pin_factory="lgpio"))
    assert finding.what == "packages: not installed: lgpio or adafruit-lgpio"
    assert finding.advice == install_extra("pi")


def test_lamps_on_spi_need_no_package(pi: FakePi) -> None:
    pi.packages = ["gpiozero", "RPi.GPIO"]
    claims = tuple(claim for claim in PLAN.claims if not isinstance(claim, I2cUse))
    assert any(isinstance(claim, SpiUse) and claim.steady for claim in claims)
    assert pi.complaints(replace(PLAN, claims=claims, panels=(), serial={}, packages=())) == []


def test_a_table_that_is_shown_in_browsers_lacks_what_serves_them(pi: FakePi) -> None:
    plan = replace(PLAN, outlets=("pages",))
    pi.packages += ["segno", "starlette", "websockets"]
    assert pi.complaint(plan) == Finding(
        "warning",
        "pages: not installed: uvicorn; the table is played without its pages",
        install_extra("web"),
    )
    pi.packages.append("uvicorn")
    assert pi.complaints(plan) == []
    assert "pages: all its packages are installed" in [finding.what for finding in pi.examine(plan)]


def test_a_service_that_is_shown_in_browsers_lacks_the_drop_in_that_opens_the_network(pi: FakePi) -> None:
    pi.packages += ["segno", "starlette", "uvicorn", "websockets"]
    plan = replace(PLAN, outlets=("pages",), of_service=True)
    drop_in = "/etc/systemd/system/yardboard.service.d/10-web.conf"
    finding = pi.complaint(plan)
    assert finding.what == "pages: the service is shut off from the network; the table is played without its pages"
    assert finding.advice == "sudo yardboard setup"
    pi.write(drop_in)
    assert pi.complaints(plan) == []
    assert pi.complaints(replace(PLAN, of_service=True)) == []


def test_a_service_that_publishes_lacks_its_package_and_the_drop_in_that_opens_the_network(pi: FakePi) -> None:
    plan = replace(PLAN, outlets=("mqtt",), of_service=True)
    shut = "mqtt: the service is shut off from the network; the table publishes nothing"
    assert pi.complaints(plan) == [
        Finding("warning", "mqtt: not installed: paho-mqtt; the table publishes nothing", install_extra("mqtt")),
        Finding("warning", shut, "sudo yardboard setup"),
    ]
    pi.packages.append("paho-mqtt")
    pi.write("/etc/systemd/system/yardboard.service.d/10-mqtt.conf")
    assert pi.complaints(plan) == []


@pytest.mark.parametrize(
    ("board", "model", "backend"),
    [(PI_4, "4", "rpi-ws281x"), (PI_5, "5", "Adafruit-Blinka-Raspberry-Pi5-Neopixel")],
)
def test_the_lamps_backend_for_the_board(pi: FakePi, board: str, model: str, backend: str) -> None:
    pi.write("/proc/device-tree/model", board + "\0")
    pi.write("/dev/pio0")
    pi.user = User("root", 0, {})
    pi.packages = ["adafruit-circuitpython-neopixel", "rpi-ws281x", "Adafruit-Blinka-Raspberry-Pi5-Neopixel"]
    plan = Requirements(journal=PLAN.journal, model=model, claims=(PwmUse(12, "[lamps] pin"),))
    assert pi.complaints(plan) == []
    pi.packages.remove(backend)
    finding = pi.complaint(plan)
    assert finding.what == f"packages: not installed: {backend}"
    assert finding.advice == install_extra("pi,pwm")


# Power


def test_only_a_chain_on_the_pi_has_pull_ups(pi: FakePi) -> None:
    line = next(
        finding.what for finding in pi.examine(replace(PLAN, claims=PLAN.claims[1:])) if "power" in finding.what
    )
    assert line.startswith("power: at most 6025 mA (")
    assert "pull-ups" not in line


def test_a_limit_that_does_not_cover_the_dark_lamps(pi: FakePi) -> None:
    finding = pi.complaint(replace(PLAN, max_milliamps=100))
    assert finding.what.startswith("power: a limit of 100 mA is below the 223 mA")
    assert "max_milliamps" in finding.advice


@pytest.mark.parametrize(
    ("python", "said"),
    [
        (PythonBuild((3, 13), 64), ""),
        (PythonBuild((3, 12), 32), ""),
        (
            PythonBuild((3, 13), 32),
            "PyPI has no wheel of lgpio for Python 3.13 of 32 bits; take the system's: sudo apt",
        ),
        (PythonBuild((3, 14), 64), "PyPI has no wheel of lgpio for Python 3.14; take the system's: sudo apt install"),
    ],
)
def test_where_lgpio_has_no_wheel_the_system_s_is_named(pi: FakePi, python: PythonBuild, said: str) -> None:
    pi.packages.remove("lgpio")
    pi.python = python
    finding = pi.complaint(replace(PLAN, pin_factory="lgpio"))
    assert finding.what == "packages: not installed: lgpio or adafruit-lgpio"
    assert finding.advice.startswith(said)
    assert finding.advice.endswith("pip install '.[pi]' in yardboard's folder")
