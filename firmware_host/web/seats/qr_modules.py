"""Compute the modules of a QR code, which are its dark and light squares."""

from __future__ import annotations

import re
from typing import Any

import segno

from firmware_host.ui.handset_page_kinds import LARGEST_CODE

QUIET = 4
"""The number of light modules around the code. Readers need them."""

_ORIGIN = re.compile(r"http://[a-z0-9.-]+:[0-9]+/")


def qr_modules(link: str) -> list[str]:
    """Return a link's QR code as rows, with "1" for a dark module, and a light margin around it."""
    rows = segno.make(link, error="l", micro=False).matrix_iter(border=QUIET)
    return ["".join(str(module) for module in row) for row in rows]


def small_qr_modules(link: str) -> tuple[str, ...]:
    """Return a link's QR code for a small screen, without margin. Empty if it is too large.

    The code has the link's scheme and host in capital letters, which mean the same and take less room.
    """
    origin = _ORIGIN.match(link)
    parts = [link] if origin is None else [origin[0].upper(), link[origin.end() :]]
    segments: Any = [(part,) for part in parts]  # the annotations of `make` omit segments; see `segno.encoder`
    code = segno.make(segments, error="l", micro=False)
    modules = tuple("".join(str(module) for module in row) for row in code.matrix_iter(border=0))
    return modules if len(modules) <= LARGEST_CODE else ()
