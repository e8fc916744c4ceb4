"""Check whether this machine is set up for a table's devices.

`examine` only reads. `Requirements` lists what the table needs; each check yields a `Finding` for what is right as well
as for what is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from hardware.ports import BadDevice
from hardware.raspberry_pi import config_txt_checks as config_txt
from hardware.raspberry_pi import journal_checks, package_checks, power_budget, user_group_checks
from hardware.raspberry_pi.findings import Finding, error, ok, warning
from hardware.raspberry_pi.host_facts import HostFacts
from hardware.raspberry_pi.pin_conflicts import find_conflicts, free_gpios
from hardware.raspberry_pi.pinout import MODELS, model_named
from hardware.raspberry_pi.power_watch import SupplyFiles
from hardware.raspberry_pi.requirements import Requirements, model_of

Check = Callable[[Requirements, HostFacts], Iterator[Finding]]
"""One check of the machine."""


def examine(needs: Requirements, root: Path = Path("/"), machine: HostFacts | None = None) -> list[Finding]:
    """Return all findings about a machine, those of the Pi first.

    Args:
        needs: what the table needs.
        root: where the machine's files are; "/" for this one.
        machine: the machine, if it is not this one's user and packages under `root`.

    Raises:
        BadDevice: the model that is needed does not exist.
    """
    machine = machine or HostFacts.here(root)
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
    """Check that no two devices share a pin, and list the free ones."""
    lines = find_conflicts(needs.claims, needs.model)
    for line in lines:
        yield error(line, "change the configuration and the wire")
    if not lines:
        left = ", ".join(str(pin) for pin in free_gpios(needs.claims, needs.model))
        yield ok(f"pins: none is taken twice; free GPIOs: {left or 'none'}")


def check_model(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Compare the board with the configured model."""
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
            f'set model = "{machine.model}" in the configuration, then let check-config look at the pins',
        )


def check_mock_pins(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Refuse pins in memory on a machine that has real ones."""
    if needs.pin_factory == "mock":
        yield error(
            f'pins: pin_factory = "mock" has pins in memory only; nothing happens on those of this {machine.board}',
            'set pin_factory = "lgpio" in [pi]',
        )


def check_power_budget(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Add up the current of all devices."""
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
    """Check whether the machine reports its power, and its current state."""
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
    user_group_checks.check_groups_of_buses,
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
    user_group_checks.report_root,
    user_group_checks.check_serial_port,
    package_checks.check_packages,
    package_checks.check_page_packages,
    check_power_budget,
    check_power_supply,
    journal_checks.check_journal,
)
"""The checks for every machine."""
