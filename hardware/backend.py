"""All devices of one table, whichever build it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field

from hardware.current_limit import LimitedLamps
from hardware.ports import Clock, Keys, Panel, Supply, Switches


@dataclass(frozen=True, slots=True)
class Backend:
    """The devices of one table, as the game side gets them: real, simulated or mixed.

    Attributes:
        switches: the contacts under the board.
        lamps: the lamps of the board. Whoever has a backend has them behind their limit, and cannot go round it.
        handset: the private panel.
        display: the public panel, or None where the table has none.
        keys: the push buttons of table and handset.
        clock: the clock the devices live by.
        threads: the devices that are served beside the loop, each with what tells for how many seconds its thread has
            not gone on. A thread that tries a lost device goes on.
        power: what feeds the machine, or None where nothing tells of it.
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
        """Let go of every device. May be called twice. Lamps go on shining as they were told last; screens go dark."""
        with ExitStack() as last_first:  # whatever goes wrong with one, the others are closed: the handset first
            for device in (self.power, self.keys, self.switches, self.lamps, self.display, self.handset):
                if device is not None:
                    last_first.callback(device.close)
