"""Work out the modules of a QR code: its dark and light squares."""

from __future__ import annotations

import re
from typing import Any

import segno

from firmware_host.ui.handset_page_kinds import LARGEST_CODE

QUIET = 4
"""Light modules around the code; readers need them."""

_ORIGIN = re.compile(r"http://[a-z0-9.-]+:[0-9]+/")


def qr_modules(link: str) -> list[str]:
    """Return a link's code row by row with light modules around it, a character a module: "1" for a dark one."""
    rows = segno.make(link, error="l", micro=False).matrix_iter(border=QUIET)
    return ["".join(str(module) for module in row) for row in rows]


def small_qr_modules(link: str) -> tuple[str, ...]:
    """Return the code of a link for a small screen, without light modules around it; empty if it is too large for that.

    Scheme and host mean the same in capital letters, and these take less room in a code than small ones.
    """
    origin = _ORIGIN.match(link)
    parts = [link] if origin is None else [origin[0].upper(), link[origin.end() :]]
    segments: Any = [(part,) for part in parts]  # the annotations of `make` leave them out; see `segno.encoder`
    code = segno.make(segments, error="l", micro=False)
    modules = tuple("".join(str(module) for module in row) for row in code.matrix_iter(border=0))
    return modules if len(modules) <= LARGEST_CODE else ()
