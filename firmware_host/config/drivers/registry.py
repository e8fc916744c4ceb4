"""All drivers. A new one is a file in this folder that holds its record, and a line here."""

from __future__ import annotations

from importlib import import_module
from itertools import chain

from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.drivers.driver import ConfiguredDevice, Driver, Sections

FILES = (
    "simulated_driver",
    "shift_register_driver",
    "diode_matrix_driver",
    "gpio_contacts_driver",
    "pico_driver",
    "neopixel_drivers",
    "oled_driver",
    "buttons_driver",
    "no_driver",
)
"""The files, in the order in which the drivers are explained. Each has its records in `DRIVERS`."""

DEVICES = ("switches", "lamps", "handset", "display", "keys")
"""The sections of a board's devices."""

DRIVERS: tuple[Driver, ...] = tuple(
    chain.from_iterable(import_module(f"{__package__}.{file}").DRIVERS for file in FILES)
)
"""All records."""


def drivers_of(section: str) -> tuple[Driver, ...]:
    """Return the drivers that can stand in a section."""
    return tuple(driver for driver in DRIVERS if section in driver.of)


def device(name: str, sections: Sections, layout: BoardLayout) -> ConfiguredDevice:
    """Return one of the `DEVICES` of a configuration that was read."""
    settings = sections[name]
    driver = next(driver for driver in drivers_of(name) if driver.name == settings.driver)
    return ConfiguredDevice(name, driver, settings, sections, layout)


def devices(sections: Sections, layout: BoardLayout) -> tuple[ConfiguredDevice, ...]:
    """Return all devices of a configuration."""
    return tuple(device(name, sections, layout) for name in DEVICES)


def input_count(switches: ConfiguredDevice) -> int:
    """Return how many inputs the switches have, wired or not: what is soldered where is learned from them."""
    driver = switches.driver
    return driver.inputs(switches).stop if driver.learns else switches.layout.inputs
