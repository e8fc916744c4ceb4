"""Devices in memory: `driver = "sim"`. A whole board is simulated by `hardware.sim`, so this record makes nothing."""

from __future__ import annotations

from firmware_host.config.drivers.driver import Driver

SIMULATED = "sim"
"""Its name."""

DRIVERS = (Driver(name=SIMULATED, of=("switches", "lamps", "handset", "display", "keys"), simulated=True),)
