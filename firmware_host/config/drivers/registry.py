"""List all drivers. A new driver needs a file in this folder that defines its record, and a line here."""

from __future__ import annotations

from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.drivers import (
    buttons_driver,
    neopixel_drivers,
    oled_driver,
    switch_drivers,
)
from firmware_host.config.drivers.driver import NONE, SIMULATED, ConfiguredDevice, Driver, Sections

DEVICES = ("switches", "lamps", "handset", "display", "keys")
"""The sections of a board's devices."""

DRIVERS: tuple[Driver, ...] = (
    # `hardware.sim` simulates a whole board, so this creates nothing.
    Driver(name=SIMULATED, of=DEVICES, simulated=True),
    *switch_drivers.DRIVERS,
    *neopixel_drivers.DRIVERS,
    *oled_driver.DRIVERS,
    *buttons_driver.DRIVERS,
    Driver(name=NONE, of=("handset", "display"), absent=True),
)
"""All records, in the order in which the drivers are explained."""


def drivers_of(section: str) -> tuple[Driver, ...]:
    """Return the drivers that a section may name."""
    return tuple(driver for driver in DRIVERS if section in driver.of)


def device(name: str, sections: Sections, layout: BoardLayout) -> ConfiguredDevice:
    """Return one device of a parsed configuration, by its name in `DEVICES`, with driver and settings."""
    settings = sections[name]
    driver = next(driver for driver in drivers_of(name) if driver.name == settings.driver)
    return ConfiguredDevice(name, driver, settings, sections, layout)


def devices(sections: Sections, layout: BoardLayout) -> tuple[ConfiguredDevice, ...]:
    """Return all devices of a configuration."""
    return tuple(device(name, sections, layout) for name in DEVICES)


def input_count(switches: ConfiguredDevice) -> int:
    """Return the number of inputs of the switches, at least 1.

    It includes unwired inputs if the driver `learns`, else only those up to the last wired one.
    """
    driver = switches.driver
    if not driver.learns:
        return switches.layout.inputs
    end = driver.inputs(switches).stop
    on_bench = bool(driver.few_inputs) and switches.layout.inputs > end  # then the last chip may have stations, too
    return max(1, end + 8 * on_bench)
