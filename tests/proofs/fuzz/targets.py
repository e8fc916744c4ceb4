"""List every input from outside."""

from __future__ import annotations

from tests.proofs.fuzz import files, frames, healths, journals, lines, orders, players, tapes

TARGETS = {
    target.name: target
    for target in (
        lines.TARGET, frames.TARGET, orders.TARGET, files.CONFIG, files.MAP, files.TILES, files.BOX, journals.TARGET,
        tapes.TARGET, healths.TARGET, players.ANSWERS, players.QUESTIONS,
    )
}  # fmt: skip
"""The targets by name."""
