"""Start on a sound journal under disk.c while the disk has no room, and report what is said of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import UnwritableJournal
from tests.proofs.power.evening import NAME, library
from tests.proofs.power.faults import FULL


def main(folder: str) -> None:
    """Print for each step of a start what is said if it fails, alone or with all later ones, and what is left."""
    path = Path(folder) / NAME
    Journal.open(path).close()
    before = library().power_steps(0)
    Journal.open(path).close()
    steps = range(1, library().power_steps(0) - before + 1)
    said = {kind: [_said(path, step, lasts) for step in steps] for kind, lasts in (("full once", 0), ("full", 1))}
    print(json.dumps({**said, "left": [each.name for each in path.parent.iterdir()]}))  # noqa: T201


def _said(path: Path, step: int, lasts: int) -> str:
    library().power_fail(step, FULL, lasts, 0)
    try:
        Journal.open(path).close()
    except UnwritableJournal as refusal:
        return str(refusal).removeprefix(f"journal {path}: ")
    else:
        return ""
    finally:
        library().power_fail(0, 0, 0, 0)
        Journal.open(path).close()  # its log goes with that


if __name__ == "__main__":
    main(*sys.argv[1:])
