"""A handset on the bench: the Pico's real program, a model of its screen, five keys, and a cable that can be pulled."""

from __future__ import annotations

from functools import partial

from PIL import Image

from hardware.drivers.oled import Chip, OledPanel
from hardware.drivers.pico import PicoLine
from hardware.drivers.pico_handset import KEYS, PicoBus, PicoKeys, handset_line
from hardware.ports import Clock, DeviceLost
from tests.hardware.drivers.oled_model import Glass
from tests.hardware.drivers.panel_bench import CHIPS, PanelCable
from tests.hardware.firmware.rig import PicoRig

ADDRESS = 0x3C


class HandsetRig(PicoRig):
    """A Pico with the handset's program, a screen and five keys. The screen is powered by the same cable.

    Args:
        chip: the controller of the screen.
        glass: the screen, if it exists already, with its `wire`.
        settings: settings of bench.py.

    Attributes:
        glass: the screen.
        lit: every picture that was visible so far, oldest first, without repetitions.
    """

    def __init__(
        self,
        chip: Chip = "ssd1306",
        *,
        glass: Glass | None = None,
        wire: PanelCable | None = None,
        **settings: int,
    ) -> None:
        self.glass = glass or CHIPS[chip](seed=1)
        self._wire = wire or PanelCable(self.glass)
        self.lit: list[bytes] = []
        self._set = b""
        super().__init__(program="handset", on_line=self._hear, **settings)

    def hold(self, *keys: str, screen: int = ADDRESS, fails: int = 0) -> None:
        """Hold these keys down, and no others.

        Args:
            keys: their names.
            screen: the address at which the screen is wired, 0 for none.
            fails: 1 if the Pico's program fails at its next read of the keys, 2 if the screen's bus fails, too.
        """
        levels = bytes([sum(1 << KEYS.index(key) for key in keys), screen, fails])
        if levels != self._set:
            self._set = levels
            self.set_levels(levels)

    def unplug(self) -> None:
        super().unplug()
        self.glass.power_up(seed=2)

    def replug(self) -> None:
        self.hold()
        super().replug()

    def revive(self) -> None:
        """Start the program again if it has asked for a restart, as a Pico does."""
        if "reset" in self.said:
            self.said.clear()
            self.hold()
            self.reset()

    def pixels(self) -> bytes:
        """Return the visible picture, line by line."""
        return self.glass.seen().tobytes()

    def _hear(self, line: str) -> None:
        """Handle a line about what the Pico does at its pins."""
        word, _, more = line.partition(" ")
        if word == "i2c":
            control, *rest = bytes.fromhex(more)
            for byte in rest:
                self._wire.carry(byte, self.glass.data if control else self.glass.command, OSError(5, "EIO"))
        elif word == "res":
            self.glass.reset()
        picture = self.pixels()
        if picture != (self.lit or [b""])[-1]:
            self.lit.append(picture)


def pages(picture: bytes) -> list[bytes]:
    """Return the eight lines of bytes of a picture, each eight pixels high."""
    return [picture[start : start + 128] for start in range(0, 1024, 128)]


class HostOfHandset:
    """The drivers of a handset, as a table has them: a screen and keys on one line."""

    def __init__(self, port: str, clock: Clock, chip: Chip = "ssd1306") -> None:
        self.line: PicoLine = handset_line(port, clock)
        self.keys = PicoKeys(self.line)
        self.panel = OledPanel(
            "handset",
            chip=chip,
            open_bus=partial(PicoBus, self.line, ADDRESS),
            clock=clock,
            contrast=127,
            shift_every=float("inf"),
        )

    def shown(self, picture: Image.Image | None) -> str:
        """Show a picture. Return the error text, or ""."""
        try:
            self.panel.show(picture)
        except DeviceLost as lost:
            return str(lost)
        return ""

    def held(self) -> set[str]:
        """Return the keys that are down."""
        mask = self.keys.read()
        return {key for bit, key in enumerate(KEYS) if mask >> bit & 1}

    def kill(self) -> None:
        """End the line at once, as a killed process would."""
        self.line._users = 1
        self.line.close()
        self.close = _do_nothing  # type: ignore[method-assign]

    def close(self) -> None:
        self.panel.close()
        self.keys.close()


def _do_nothing() -> None:
    pass
