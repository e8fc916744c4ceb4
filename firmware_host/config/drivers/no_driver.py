"""No device at all, where a table can do without one: `driver = "none"`."""

from __future__ import annotations

from firmware_host.config.drivers.driver import Driver

NONE = "none"
"""Its name."""

DRIVERS = (Driver(name=NONE, of=("handset", "display"), absent=True),)
