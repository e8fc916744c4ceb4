"""Work out the modules of a QR code: its dark and light squares."""

from __future__ import annotations

import segno

QUIET = 4
"""Light modules around the code; readers need them."""


def qr_modules(link: str) -> list[str]:
    """Return a link's code row by row with light modules around it, a character a module: "1" for a dark one."""
    rows = segno.make(link, error="l", micro=False).matrix_iter(border=QUIET)
    return ["".join(str(module) for module in row) for row in rows]
