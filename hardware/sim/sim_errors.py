"""Define the one error of the simulated table."""

from __future__ import annotations

from hardware.ports import HardwareError


class SimError(HardwareError, ValueError):
    """A call for something that no hand can do. Nothing has changed. The message says what is possible."""
