"""Check that the user is in the groups that own the device files: gpio, spi, i2c and dialout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hardware.raspberry_pi.findings import Finding, error, ok
from hardware.raspberry_pi.host_facts import HostFacts
from hardware.raspberry_pi.pinout import MODELS
from hardware.raspberry_pi.requirements import Requirements, is_pi5, model_of


def report_root(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Report whose access is checked, unless it is the service's."""
    if machine.user.uid == 0:
        yield ok(
            "user: root, who needs no group, and may write everywhere"
            if needs.pwm and not is_pi5(needs, machine)
            else "user: root, who needs no group; the service runs as a user of its own with the groups of its unit"
        )


def check_groups_of_buses(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check the groups that own the device files of pins, SPI and I2C."""
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
    """Check the serial port and its group."""
    if not needs.serial:
        return
    yield from check_groups(["dialout"], machine)
    if machine.exists(needs.serial):
        yield ok(f"serial: {needs.serial} is there")
    else:
        yield error(
            f"serial: there is no {needs.serial}",
            "plug the microcontroller in, and see what it is called: ls -l /dev/serial/by-id",
        )


def check_groups(groups: Sequence[str], machine: HostFacts) -> Iterator[Finding]:
    """Check that the user is in these groups, which own device files. Root needs none."""
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
