"""What the lamps show at one of their beats: as they shine, and as they would in the colours of another palette."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_host.config.board_layout import BoardLayout
from firmware_host.referee.scene import Scene
from firmware_host.ui.lamp_plan import plan
from firmware_host.ui.lamp_rhythms import frame


@dataclass(frozen=True, slots=True)
class LampFrame:
    """The lamps at a beat. Pure, for any thread, now or later.

    Attributes:
        shining: what shines, limited as it is: three bytes a lamp; None while the lamps cannot be reached.
        scene: what it was painted from; None before the first.
        layout: which station lies on which lamp.
        at: when it is, in seconds of the table's clock.
        limit: dims and limits any other frame of the lamps, as it did this one.
    """

    shining: bytes | None
    scene: Scene | None
    layout: BoardLayout
    at: float
    limit: Callable[[bytes], bytes]

    def in_palette(self, palette: str) -> bytes | None:
        """Return the same in the colours of a palette, whatever the lamps themselves are set to.

        Raises:
            KeyError: there is no such palette.
        """
        if self.shining is None or self.scene is None:
            return None
        glows = plan(self.scene, palette)
        lit = self.layout.by_lamp(glows.stations, glows.log)
        return self.limit(frame(lit, self.at, bytes(len(self.shining))))
