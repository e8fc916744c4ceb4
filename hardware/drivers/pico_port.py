"""Find a Pico's port, and advise if it cannot be opened."""

from __future__ import annotations

import errno
import re
from pathlib import Path

BY_ID = Path("/dev/serial/by-id")
"""Where Linux lists serial ports by maker and serial number."""


def find_port(port: str) -> Path:
    """Return the path of a port from its path or from the Pico's serial number.

    In /dev/serial/by-id the serial number is the last part of a name, before the number of the interface:
    usb-MicroPython_Board_in_FS_mode_e6614103e7452d2f-if00.

    Raises:
        OSError: no port has that serial number, or several have (`errno.ENOTUNIQ`). A path is not checked.
    """
    if "/" in port:
        return Path(port)
    named = re.compile(rf"(.*_)?{re.escape(port)}(-if\d+)?(-port\d+)?", re.IGNORECASE)
    found = [entry for entry in sorted(BY_ID.glob("*")) if named.fullmatch(entry.name)]
    if len(found) > 1:
        names = ", ".join(map(str, found))
        raise OSError(errno.ENOTUNIQ, f"several ports have the serial number {port}; give the path of one: {names}")
    if not found:
        raise FileNotFoundError(errno.ENOENT, "unknown serial number", port)
    return found[0]


def advice_for(error: Exception) -> str:
    """Return a remedy for a port that cannot be opened or has broken."""
    number = getattr(error, "errno", None)
    if number in {errno.EACCES, errno.EPERM}:
        return "permission denied; add the user to the group dialout: sudo usermod -aG dialout USER"
    if number in {errno.EAGAIN, errno.EBUSY}:
        return "another program has the port open; end it"
    if number in {errno.ENOENT, errno.ENODEV, errno.ENXIO}:
        there = ", ".join(sorted(entry.name for entry in BY_ID.glob("*"))) or "none"
        return f"there is no such port; see that its cable is in; ports in {BY_ID}: {there}"
    if number == errno.ENOTUNIQ:
        return str(getattr(error, "strerror", error))
    return f"the connection broke ({error}); see that its cable is in"
