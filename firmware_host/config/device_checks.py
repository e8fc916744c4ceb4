"""Find the pins, buses and current that devices use on the Raspberry Pi, and their conflicts. Pure.

A board is either simulated as a whole or not at all. `faults` finds a conflict before anything is soldered. Each driver
(`firmware_host.config.drivers`) knows what its device uses.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import replace

from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.drivers.driver import ConfiguredDevice, DeviceFault, Sections
from firmware_host.config.drivers.registry import DEVICES, devices
from hardware.current_limit import IDLE
from hardware.raspberry_pi.pin_conflicts import Claim, PinUse, SpiUse, find_conflicts
from hardware.raspberry_pi.pinout import SPI0_SELECTS

_ORDER = ("pi", *DEVICES)


def claims(sections: Sections, layout: BoardLayout) -> list[Claim]:
    """Return the devices' claims on the header, in the order of the sections."""
    found = [claim for device in devices(sections, layout) for claim in device.driver.claims(device)]
    plain = {claim.pin for claim in found if isinstance(claim, PinUse)}
    return [_without_selects(claim, plain) for claim in found]


def _without_selects(claim: Claim, plain: Collection[int]) -> Claim:
    """Return a claim without SPI0's chip selects, which lamps leave to others."""
    lamps = isinstance(claim, SpiUse) and claim.steady and claim.device == "0.0"
    if lamps and isinstance(claim, SpiUse) and not set(SPI0_SELECTS).isdisjoint(plain):
        return replace(claim, selects=False)
    return claim


def longest_transfers(sections: Sections, layout: BoardLayout) -> dict[str, int]:
    """Return SPI device -> bytes of its longest transfer."""
    needs = [device.driver.needs(device) for device in devices(sections, layout)]
    return {spi: size for each in needs for spi, size in each.transfers.items()}


def screen_chips(sections: Sections, layout: BoardLayout) -> tuple[str, ...]:
    """Return the chip of each screen, the handset's first."""
    needs = [device.driver.needs(device) for device in devices(sections, layout)]
    return tuple(each.screen for each in needs if each.screen)


def faults(sections: Sections, layout: BoardLayout) -> list[DeviceFault]:
    """Return every fault of a board's devices."""
    every = devices(sections, layout)
    real = [device for device in every if device.driver.real]
    mixed = [device for device in every if device.driver.simulated] if real else []
    if mixed:
        what = f'"sim" beside a real [{real[0].name}]; a board is simulated as a whole or not at all'
        return [DeviceFault(device.name, "driver", what) for device in mixed]
    found = [fault for device in real for fault in _faults_of(device)]
    if real and not found:
        found = [DeviceFault("pi", "", line) for line in find_conflicts(claims(sections, layout), sections["pi"].model)]
    return sorted(found, key=lambda fault: _ORDER.index(fault.section.partition(".")[0]))


def current_fault(sections: Sections, layout: BoardLayout) -> DeviceFault | None:
    """Return the fault of a current limit that dark lamps already exhaust, if so."""
    lamps = sections["lamps"]
    count = max(layout.lamps, sum(lamps.strips)) + sum(lamps.dead)
    limit, dark = lamps.max_milliamps, math.ceil(count * IDLE)
    if limit > dark:
        return None
    what = f"{limit} mA; a chain of {count} lamps draws {dark} mA when dark; write more than that"
    return DeviceFault("lamps", "max_milliamps", what)


def _faults_of(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    """Yield a driver's complaints about a device, and stations on inputs that its switches lack."""
    found = list(device.driver.faults(device))
    yield from found
    inputs = device.driver.inputs(device)
    if device.name == "switches" and inputs and not any(fault.section == "switches.wiring" for fault in found):
        wired = zip(device.layout.stations, device.layout.switch_inputs, strict=True)
        beyond = [f"{station} on {number}" for station, number in wired if number not in inputs]
        if beyond:
            shown = ", ".join(beyond[:5]) + (f" and {len(beyond) - 5} more" if len(beyond) > 5 else "")
            what = f"station {shown}; this driver has the inputs {inputs.start} to {inputs.stop - 1}"
            yield DeviceFault("switches.wiring", "", what)
