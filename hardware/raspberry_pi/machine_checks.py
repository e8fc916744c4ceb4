"""Check whether this machine is ready for a table: journal, packages, groups and devices.

`examine` only reads. `Requirements` lists the needs of the table. Each check yields a `Finding` for each thing that is
right or wrong.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from hardware.ports import BadDevice, install_extra, pip
from hardware.raspberry_pi import config_txt_checks as config_txt
from hardware.raspberry_pi import power_budget
from hardware.raspberry_pi.host_facts import HostFacts, PythonBuild
from hardware.raspberry_pi.pin_conflicts import find_conflicts, free_gpios
from hardware.raspberry_pi.pinout import MODELS, model_named
from hardware.raspberry_pi.power_watch import SupplyFiles
from hardware.raspberry_pi.requirements import Finding, Requirements, error, is_pi5, model_of, ok, warning

SERVICE_JOURNAL = PurePosixPath("/var/lib/yardboard")
"""The journal's folder under the service: the StateDirectory of its unit."""


def check_journal(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check that the journal's folder can be used."""
    if needs.of_service and needs.journal != SERVICE_JOURNAL:
        yield ok(f"journal: the service keeps it in {SERVICE_JOURNAL}, not in {needs.journal}")
    folder = machine.path(needs.journal)
    # A parent that is not accessible hides the folder: then the parent is checked.
    there = next(parent for parent in (folder, *folder.parents) if os.path.exists(parent))  # noqa: PTH110 - unreadable counts as missing
    if not there.is_dir():
        yield error(
            f"journal: {needs.journal} cannot be a folder, because a part of this path is a file",
            "set another path in [journal]",
        )
        return
    name = needs.journal if there == folder else "the folder above " + str(needs.journal)
    user = machine.user
    made = f"sudo install -d -m 700 -o {user.name} {needs.journal}"
    if not user.may_write(there):
        yield error(f"journal: {user.name} may not write in {name}", made)
    elif there == folder and folder.stat().st_mode & 0o077:
        mode = folder.stat().st_mode & 0o777
        yield warning(f"journal: others may look into {name} (mode {mode:04o})", f"chmod 700 {needs.journal}")
    else:
        yield ok(f"journal: {needs.journal} {'is there' if there == folder else 'can be made'}")
    yield from _disk(needs.journal, machine)


def _disk(path: PurePosixPath, machine: HostFacts) -> Iterator[Finding]:
    """Check that a folder is on a disk that keeps its files."""
    mount = machine.mount_of(path)
    if mount is None:
        return
    if mount.type in {"tmpfs", "ramfs", "overlay"}:
        yield error(
            f"journal: {path} is in memory ({mount.type} on {mount.point}), so a power cut deletes it",
            "set a path on the SD card in [journal]; sudo raspi-config switches an overlay file system off",
        )
    elif not mount.writable:
        yield error(f"journal: {mount.point} is mounted read-only", f"sudo mount -o remount,rw {mount.point}")
    else:
        yield ok(f"journal: it is on {mount.type}")


_LGPIO = ("lgpio", "adafruit-lgpio")
_OUTLETS = {
    "pages": ("web", ("segno", "starlette", "uvicorn", "websockets"), "the table is played without its pages"),
    "mqtt": ("mqtt", ("paho-mqtt",), "the table publishes nothing"),
}
"""An outlet to the network -> the name of its extra and its drop-in, its packages, and what happens without them."""

_DROP_INS = "/etc/systemd/system/yardboard.service.d"


def lgpio_of_system(python: PythonBuild) -> str:
    """Return how to get lgpio if PyPI has no wheel for this Python, or "" if it has one."""
    if not python.lacks_lgpio():
        return ""
    return (
        f"PyPI has no wheel of lgpio for {python}; take the system's: sudo apt install python3-lgpio python3-gpiozero, "
        "and make the environment with /usr/bin/python3 -m venv --system-site-packages"
    )


def check_packages(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check that the packages for the devices are installed, and that none overwrites another one."""
    classic, drop_in = machine.has_package("RPi.GPIO"), machine.has_package("rpi-lgpio")
    if classic and drop_in:
        right = "rpi-lgpio" if is_pi5(needs, machine) else "RPi.GPIO"
        yield error(
            "packages: RPi.GPIO and rpi-lgpio are both installed; each overwrites the other's files",
            f"{pip('uninstall -y RPi.GPIO rpi-lgpio')}, then {pip('install', right)}",
        )
    elif needs.pin_factory == "rpigpio" and classic and is_pi5(needs, machine):
        yield error(
            "packages: RPi.GPIO cannot reach the pins of a Pi 5",
            f'set pin_factory = "lgpio"; or {pip("uninstall RPi.GPIO")}, then {pip("install rpi-lgpio")}',
        )
    missing = [
        " or ".join(names) for names in _needed(needs, machine) if not any(machine.has_package(name) for name in names)
    ]
    if missing:
        extras = ["pi", *(["rpigpio"] if needs.pin_factory == "rpigpio" else []), *(["pwm"] if needs.pwm else [])]
        wheels = install_extra(",".join(extras))
        system = lgpio_of_system(machine.python) if " or ".join(_LGPIO) in missing else ""
        yield error(f"packages: not installed: {', '.join(missing)}", f"{system}; then {wheels}" if system else wheels)
    elif needs.claims or needs.serial:
        yield ok("packages: those that the devices need are installed")


def _needed(needs: Requirements, machine: HostFacts) -> Iterator[tuple[str, ...]]:
    if needs.pin_factory:
        yield ("gpiozero",)
    if needs.pin_factory == "rpigpio":
        yield ("RPi.GPIO", "rpi-lgpio")
    if needs.pin_factory == "lgpio":
        yield _LGPIO
    if needs.panels:
        yield ("luma.oled",)
    if needs.i2c:
        yield ("smbus2",)
    if needs.pwm:
        yield ("adafruit-circuitpython-neopixel",)
        yield ("Adafruit-Blinka-Raspberry-Pi5-Neopixel",) if is_pi5(needs, machine) else ("rpi-ws281x",)
    yield from ((name,) for name in needs.packages)


def check_outlets(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check that pages and MQTT have their packages, and that the service may use the network.

    A fault is only a warning, because the table works without pages and MQTT.
    """
    for outlet in needs.outlets:
        extra, packages, without = _OUTLETS[outlet]
        missing = [name for name in packages if not machine.has_package(name)]
        if missing:
            yield warning(f"{outlet}: not installed: {', '.join(missing)}; {without}", install_extra(extra))
        else:
            yield ok(f"{outlet}: all its packages are installed")
        if needs.of_service and not machine.exists(f"{_DROP_INS}/10-{extra}.conf"):
            yield warning(f"{outlet}: the service is shut off from the network; {without}", "sudo yardboard setup")


def report_root(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Report that the checks are about root, if they are."""
    if machine.user.uid == 0:
        yield ok(
            "user: root, who needs no group, and may write everywhere"
            if needs.pwm and not is_pi5(needs, machine)
            else "user: root, who needs no group; the service runs as a user of its own with the groups of its unit"
        )


def check_groups_of_buses(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check that the user is in the groups that own the device files for pins, SPI and I2C.

    Up to the Pi 4, also check that the user is root if lamps are on a PWM or PCM pin.
    """
    user = machine.user
    if needs.pwm and MODELS[model_of(needs, machine)].core_freq is not None and user.uid != 0:
        yield error(
            f"user: {user.name} is not root, but lamps on a PWM or PCM pin are driven through /dev/mem",
            'run as root, or drive the lamps over SPI (driver "neopixel-spi")',
        )
    needed = {
        "gpio": bool(needs.pin_factory or needs.pins or needs.pwm),
        "spi": bool(needs.spi),
        "i2c": bool(needs.i2c),
    }
    yield from check_groups([group for group, wanted in needed.items() if wanted], machine)


def check_serial_port(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check that the serial ports exist and the user may open them."""
    if not needs.serial:
        return
    yield from check_groups(["dialout"], machine)
    for port, program in needs.serial.items():
        if machine.exists(port):
            yield ok(f"serial: {port} is there")
        else:
            yield error(
                f"serial: there is no {port} for the {program}",
                "plug the Pico in, and see what it is called: ls -l /dev/serial/by-id",
            )


def check_groups(groups: Sequence[str], machine: HostFacts) -> Iterator[Finding]:
    """Check that the user is in these groups, which own device files. Root need not be."""
    user = machine.user
    if user.uid == 0:
        return
    missing = [group for group in groups if group not in user.groups]
    if missing:
        yield error(
            f"user: {user.name} is not in {' and '.join(missing)}",
            f"sudo usermod -aG {','.join(missing)} {user.name}, then log in again (the service has them already)",
        )
    elif groups:
        yield ok(f"user: {user.name} is in {', '.join(groups)}")


Check = Callable[[Requirements, HostFacts], Iterator[Finding]]
"""One check of the machine."""


def examine(needs: Requirements, root: Path = Path("/"), machine: HostFacts | None = None) -> list[Finding]:
    """Run all checks of a machine and return their findings, those about the Pi first.

    Args:
        needs: what the table needs.
        root: where the machine's files are; "/" for this one.
        machine: the facts to check; by default those of the files under `root`, with this process's user and packages.

    Raises:
        BadDevice: `needs` names an unknown model.
    """
    machine = machine or HostFacts.of_this_machine(root)
    checks: tuple[Check, ...] = _ANYWHERE
    findings: list[Finding] = []
    if needs.model:
        model_named(needs.model)
        findings += check_pins(needs)
        if machine.board:
            checks = (*_ON_A_PI, *_ANYWHERE)
        else:
            findings.append(
                error(
                    "this machine is not a Raspberry Pi, but the configuration is made for a "
                    f"{MODELS[needs.model].name}; its device files and boot settings were not checked",
                    'run this on the Pi, or set the drivers to "sim" to play here',
                )
            )
    return [*findings, *(finding for check in checks for finding in check(needs, machine))]


def check_pins(needs: Requirements) -> Iterator[Finding]:
    """Check that no pin is used twice, and list the free pins."""
    lines = find_conflicts(needs.claims, needs.model)
    for line in lines:
        yield error(line, "change the configuration and the wire")
    if not lines:
        left = ", ".join(str(pin) for pin in free_gpios(needs.claims, needs.model))
        yield ok(f"pins: none is taken twice; free GPIOs: {left or 'none'}")


def check_model(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check that the board is the configured model."""
    if machine.model == needs.model:
        yield ok(f"board: {machine.board}")
    elif machine.model is None:
        yield warning(
            f'board: {machine.board} is an unknown board; the configuration says model = "{needs.model}"',
            f"known are {', '.join(model.name for model in MODELS.values())}",
        )
    else:
        yield error(
            f'board: this is a {machine.board}, the configuration says model = "{needs.model}"',
            f'set model = "{machine.model}" in the configuration, then check the pins with check-config',
        )


def check_mock_pins(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check that a machine with real pins does not use simulated ones."""
    if needs.pin_factory == "mock":
        yield error(
            f'pins: pin_factory = "mock" has pins in memory only; nothing happens on those of this {machine.board}',
            'set pin_factory = "lgpio" in [pi]',
        )


def check_power_budget(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Report how much current all devices together may draw."""
    if not needs.lamps or not needs.model:
        return
    try:
        sums = power_budget.budget(
            needs.lamps, needs.max_milliamps, model_of(needs, machine), needs.panels, needs.dead, pull_ups=needs.chain
        )
        parts = ", ".join(f"{what} {milliamps:.0f}" for what, milliamps in sums.lines)
        feeds = "one point" if sums.feeds == 1 else f"{sums.feeds} points"
        yield ok(
            f"power: at most {sums.total:.0f} mA ({parts}): a 5 V supply of {sums.supply:g} A or more, or one of "
            f"{sums.lamp_supply:g} A or more for the lamps beside the Pi's own; fed into the chain at {feeds}"
        )
    except BadDevice as complaint:
        yield error(str(complaint), "set max_milliamps in [lamps] to what the supply gives")


def check_power_supply(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check whether the machine can report on its power, and what it reports now."""
    if not needs.model:
        return
    files = SupplyFiles.find(machine.path("/"))
    if files is None:
        yield ok("supply: this machine does not report under-voltage or heat; the table works without that")
    elif trouble := files.trouble():
        what, _, remedy = trouble.partition("; ")
        yield warning(f"supply: {what}", remedy or "look at it with: vcgencmd get_throttled")
    else:
        yield ok("supply: enough power, and not too hot; the table watches both")


_ON_A_PI: tuple[Check, ...] = (
    check_model,
    check_mock_pins,
    check_groups_of_buses,
    config_txt.check_device_files,
    config_txt.check_pins_of_kernel,
    config_txt.check_overlays,
    config_txt.check_console,
    config_txt.check_spi_buffer,
    config_txt.check_core_clock,
    config_txt.check_i2c_speed,
    config_txt.check_analog_sound,
)
"""The checks that are only possible on a Raspberry Pi."""

_ANYWHERE: tuple[Check, ...] = (
    report_root,
    check_serial_port,
    check_packages,
    check_outlets,
    check_power_budget,
    check_power_supply,
    check_journal,
)
"""The checks for every machine."""
