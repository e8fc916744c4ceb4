"""What a configuration asks of the Raspberry Pi and of its drivers, and all of it that cannot be.

A board is either simulated as a whole or not at all. For a real one, `claims` is what its devices take of the Pi's
header, and `faults` is everything that is wrong with it, so that a clash is found before anything is soldered. What
each device takes is said by its driver (`firmware_host.config.drivers`). Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.drivers.driver import Device, Misfit, Sections
from firmware_host.config.drivers.registry import DEVICES, devices
from hardware.raspberry_pi.pin_conflicts import Claim, SpiUse, Use, clashes
from hardware.raspberry_pi.pinout import SPI0_SELECTS

_ORDER = ("pi", *DEVICES)


def claims(sections: Sections, laid: BoardLayout) -> list[Claim]:
    """Return what the devices take of the header, in the order of the sections."""
    found = [claim for device in devices(sections, laid) for claim in device.driver.claims(device)]
    plain = {claim.pin for claim in found if isinstance(claim, Use)}
    return [_sparing(claim, plain) for claim in found]


def _sparing(claim: Claim, plain: Collection[int]) -> Claim:
    """Leave SPI0's chip selects, which lamps have no wires for, to others that want these pins."""
    lamps = isinstance(claim, SpiUse) and claim.steady and claim.device == "0.0"
    if lamps and isinstance(claim, SpiUse) and not set(SPI0_SELECTS).isdisjoint(plain):
        return replace(claim, selects=False)
    return claim


def longest_transfers(sections: Sections, laid: BoardLayout) -> dict[str, int]:
    """Return SPI device -> bytes of its longest transfer."""
    needs = [device.driver.needs(device) for device in devices(sections, laid)]
    return {spi: size for each in needs for spi, size in each.transfers.items()}


def screen_chips(sections: Sections, laid: BoardLayout) -> tuple[str, ...]:
    """Return the chip of each screen, the handset's first."""
    needs = [device.driver.needs(device) for device in devices(sections, laid)]
    return tuple(each.screen for each in needs if each.screen)


def faults(sections: Sections, laid: BoardLayout) -> list[Misfit]:
    """Return everything that is wrong with the devices of a board."""
    every = devices(sections, laid)
    real = [device for device in every if device.driver.real]
    mixed = [device for device in every if device.driver.simulated] if real else []
    if mixed:
        what = f'"sim" beside a real [{real[0].name}]; a board is simulated as a whole or not at all'
        return [Misfit(device.name, "driver", what) for device in mixed]
    found = [misfit for device in real for misfit in _wrong(device)]
    if real and not found:
        found = [Misfit("pi", "", line) for line in clashes(claims(sections, laid), sections["pi"].model)]
    return sorted(found, key=lambda misfit: _ORDER.index(misfit.section.partition(".")[0]))


def _wrong(device: Device) -> Iterator[Misfit]:
    """What its driver finds wrong with a device, and stations on inputs that its switches have not."""
    found = list(device.driver.faults(device))
    yield from found
    inputs = device.driver.inputs(device)
    if device.name == "switches" and inputs and not any(misfit.section == "switches.wiring" for misfit in found):
        wired = zip(device.sheet.stations, device.sheet.switch_inputs, strict=True)
        beyond = [f"{station} on {number}" for station, number in wired if number not in inputs]
        if beyond:
            shown = ", ".join(beyond[:5]) + (f" and {len(beyond) - 5} more" if len(beyond) > 5 else "")
            what = f"station {shown}; this driver has the inputs {inputs.start} to {inputs.stop - 1}"
            yield Misfit("switches.wiring", "", what)
