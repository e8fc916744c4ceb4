"""Define the fields that only the public view of a junior game has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.rules.views import Happening, PublicView


@dataclass(frozen=True, slots=True)
class ChipWon(Happening):
    """The event that a side, "mr_x" or "detectives", has won a success chip (JU-08)."""

    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JuniorView(PublicView):
    """The public view of a junior game.

    Attributes:
        chips: "mr_x" and "detectives" -> success chips won, and needed to win (JU-08, JU-10).
    """

    chips: Mapping[str, tuple[int, int]]

    def happened_since(self, before: PublicView) -> ChipWon | None:
        """Return the chip won since an earlier view, or None. Each round awards at most one."""
        if not isinstance(before, JuniorView):
            return None
        won = [side for side, (count, _) in self.chips.items() if count > before.chips[side][0]]
        return ChipWon(won[0]) if won else None
