"""Run a commissioning command on a simulated table in real time. The program notes its end in a file.

Usage: python -m tests.commissioning.real_time FILE wiring learn CONFIG ... | selftest CONFIG ... | measure CONFIG
"""

from __future__ import annotations

import fcntl
import sys
import termios
from dataclasses import replace
from pathlib import Path

import click

from firmware_host.commissioning.board_commands import measure, selftest, wiring
from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.config.loader import Config
from firmware_host.table import device_factory
from firmware_host.table.outputs import limit_lamps
from hardware.backend import Backend
from hardware.ports import Clock
from hardware.sim import SimulatedHardware


class Following:
    """Real time, which the table's own clock follows."""

    def __init__(self, clock: Clock, table: SimulatedHardware) -> None:
        self._clock, self._table = clock, table
        self._began = clock.now() - table.clock.now()

    def now(self) -> float:
        now = self._clock.now() - self._began
        self._table.advance(max(0.0, 1000 * (now - self._table.clock.now())))
        return self._table.clock.now()


def main() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # from now on Control-C at the terminal on standard input reaches us
    told = Path(sys.argv[1])

    def assembled(config: Config, clock: Clock, *, needed: tuple[str, ...]) -> Backend:  # noqa: ARG001
        table = SimulatedHardware(
            config.layout.positions_mm(config.board.width_mm), lamps=config.layout.lamps, keys=KEYS
        )

        class Told(Backend):
            def close(self) -> None:
                super().close()
                assert table.display is not None
                lit = len(table.lamps.lit())
                screens = [panel for panel in (table.handset, table.display) if panel.picture is not None]
                told.write_text(f"{lit} lamps, {len(screens)} screens")

        backend = replace(table.backend, lamps=limit_lamps(config, table.lamps), clock=Following(clock, table))
        return Told(**{name: getattr(backend, name) for name in Backend.__slots__})

    device_factory.make_devices = assembled  # type: ignore[assignment]
    words = click.Group("yardboard", commands={"wiring": wiring, "selftest": selftest, "measure": measure})
    words(sys.argv[2:])


if __name__ == "__main__":
    main()
