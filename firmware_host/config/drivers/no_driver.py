"""No device at all, where a table can do without one."""

from __future__ import annotations

from firmware_host.config.drivers.driver import Driver

DRIVERS = (Driver(name="none", of=("display",), absent=True),)
