"""A table's health file with faults: it must be refused, or printed without moving the cursor."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_host.daemon.health_file import NAME, ForeignHealth, HealthFile, read
from firmware_host.maintenance.running_table_commands import describe_health
from firmware_host.simulator import SimulatedTable
from tests.proofs.fuzz.target import BrokenPromise, Target, Try

_NOW = 1_700_000_000.0


@contextmanager
def _opened() -> Iterator[Try]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, NAME)

        def one(data: bytes) -> bool:
            file.write_bytes(data)
            try:
                said = read(file, _NOW)
            except ForeignHealth:
                return False
            told = [*describe_health(said, _NOW), f"{said.fresh}, {said.well}"]
            if not all(line.isprintable() for line in told):
                raise BrokenPromise(f"this goes to the terminal: {told!r}")
            return True

        yield one


def _seed() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        simulated = SimulatedTable()
        simulated.new_game()
        simulated.set_up()
        file = Path(folder, NAME)
        HealthFile(simulated.config, simulated.hardware.clock, lambda: _NOW, file).attend(simulated.table)
        simulated.close()
        return file.read_bytes()


TARGET = Target(
    "health",
    [_seed()],
    [*(b'"%s": ' % name for name in (b"state", b"reason", b"since", b"config", b"devices", b"switches", b"written"))],
    _opened,
)
