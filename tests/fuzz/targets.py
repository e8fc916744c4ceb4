"""Every way in from outside."""

from __future__ import annotations

from tests.fuzz import files, frames, journals, lines, orders

TARGETS = {
    target.name: target
    for target in (
        lines.TARGET, frames.TARGET, orders.TARGET, files.CONFIG, files.MAP, files.TILES, files.BOX, journals.TARGET,
    )
}  # fmt: skip
"""By name."""
