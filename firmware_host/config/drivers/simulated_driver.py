"""Devices in memory. A board is simulated as a whole, by `hardware.sim`, so this record makes nothing."""

from __future__ import annotations

from firmware_host.config.drivers.driver import Driver

DRIVERS = (Driver(name="sim", of=("switches", "lamps", "handset", "display", "keys"), simulated=True),)
