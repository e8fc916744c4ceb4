"""All drivers. A new one is a file in this folder with its record, imported and listed here."""

from __future__ import annotations

from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.drivers import (
    buttons_driver,
    diode_matrix_driver,
    gpio_contacts_driver,
    neopixel_drivers,
    no_driver,
    oled_driver,
    pico_driver,
    shift_register_driver,
    simulated_driver,
)
from firmware_host.config.drivers.driver import ConfiguredDevice, Driver, Sections

DEVICES = ("switches", "lamps", "handset", "display", "keys")
"""The sections of a board's devices."""

DRIVERS: tuple[Driver, ...] = (
    *simulated_driver.DRIVERS,
    *shift_register_driver.DRIVERS,
    *diode_matrix_driver.DRIVERS,
    *gpio_contacts_driver.DRIVERS,
    *pico_driver.DRIVERS,
    *neopixel_drivers.DRIVERS,
    *oled_driver.DRIVERS,
    *buttons_driver.DRIVERS,
    *no_driver.DRIVERS,
)
"""All records, in the order in which the drivers are explained."""


def drivers_of(section: str) -> tuple[Driver, ...]:
    """Return the drivers that may be named in a section."""
    return tuple(driver for driver in DRIVERS if section in driver.of)


def device(name: str, sections: Sections, layout: BoardLayout) -> ConfiguredDevice:
    """Return one of the `DEVICES` of a parsed configuration."""
    settings = sections[name]
    driver = next(driver for driver in drivers_of(name) if driver.name == settings.driver)
    return ConfiguredDevice(name, driver, settings, sections, layout)


def devices(sections: Sections, layout: BoardLayout) -> tuple[ConfiguredDevice, ...]:
    """Return all devices of a configuration."""
    return tuple(device(name, sections, layout) for name in DEVICES)


def input_count(switches: ConfiguredDevice) -> int:
    """Return how many inputs the switches have, wired or not: the wiring is learned from them."""
    driver = switches.driver
    return driver.inputs(switches).stop if driver.learns else switches.layout.inputs
