"""Define the one error of the simulated table."""

from __future__ import annotations

from hardware.ports import HardwareError


class SimError(HardwareError, ValueError):
    """The call asks for what no hand can do; nothing has changed. The message says what is possible."""
