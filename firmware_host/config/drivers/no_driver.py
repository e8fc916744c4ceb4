"""No device, if a table can do without it: `driver = "none"`."""

from __future__ import annotations

from firmware_host.config.drivers.driver import Driver

NONE = "none"
"""The driver's name."""

DRIVERS = (Driver(name=NONE, of=("handset", "display"), absent=True),)
