"""Group all devices of one table, real or simulated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field

from hardware.current_limit import LimitedLamps
from hardware.ports import Clock, Keys, Panel, Supply, Switches


@dataclass(frozen=True, slots=True)
class Backend:
    """The devices of one table: real, simulated or mixed.

    Attributes:
        switches: the contacts under the board.
        lamps: the lamps of the board, always with their current limit, which no caller can bypass.
        handset: the private panel.
        display: the public panel, or None without one.
        keys: the push buttons of table and handset.
        clock: the devices' clock.
        threads: name -> function that returns the seconds without progress of a device's thread. A thread that retries
            a lost device makes progress.
        power: the machine's power supply, or None if nothing reports it.
    """

    switches: Switches
    lamps: LimitedLamps
    handset: Panel
    display: Panel | None
    keys: Keys
    clock: Clock
    threads: Mapping[str, Callable[[], float]] = field(default_factory=dict)
    power: Supply | None = None

    def close(self) -> None:
        """Close every device. May be called twice. Lamps keep their last frame; screens go dark."""
        with ExitStack() as last_first:  # closes all even if one fails; the handset first
            for device in (self.power, self.keys, self.switches, self.lamps, self.display, self.handset):
                if device is not None:
                    last_first.callback(device.close)
