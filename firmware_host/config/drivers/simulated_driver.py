"""Devices in memory: `driver = "sim"`. This creates nothing: `hardware.sim` simulates a whole board."""

from __future__ import annotations

from firmware_host.config.drivers.driver import Driver

SIMULATED = "sim"
"""The driver's name."""

DRIVERS = (Driver(name=SIMULATED, of=("switches", "lamps", "handset", "display", "keys"), simulated=True),)
