"""A disk that is full, bad or read-only; `python -m tests.proofs.power --faults` fails every single step."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proofs.power.cuts import ROOT
from tests.proofs.power.disk import watched
from tests.proofs.power.evening import NAME
from tests.proofs.power.faults import KINDS, told


@pytest.mark.parametrize(
    ("name", "every"), [("old games are let go of", 23), ("an old journal lets go", 5), ("a torn journal", 7)]
)
@pytest.mark.long_but_first
def test_what_a_disk_refuses_has_changed_nothing_and_is_accepted_once_it_is_well(name: str, every: int) -> None:
    figures = told(name, every)
    for kind in KINDS:
        assert figures[f"{kind}: tried"] >= 5
        assert figures[f"{kind}: refused"] >= 3
    assert figures["started again"] > 40


def test_what_keeps_a_write_ahead_log_from_being_made_at_a_start_is_told(tmp_path: Path) -> None:
    """As where a disk has no inode left: SQLite says no more than that it cannot open something."""
    command = [sys.executable, "-m", "tests.proofs.power.roomless", str(tmp_path)]
    answer = subprocess.run(command, cwd=ROOT, env=watched(tmp_path), check=True, capture_output=True, text=True)
    seen = json.loads(answer.stdout)
    refused = {
        kind: {said for said in seen[kind] if said.startswith("cannot be opened")} for kind in ("full", "full once")
    }
    assert refused == {
        "full": {"cannot be opened: nothing can be made beside it: No space left on device"},
        "full once": {"cannot be opened: the file or its folder is not accessible"},  # there is room again
    }
    assert seen["left"] == [Path(NAME).name]


def test_a_game_goes_on_by_itself_as_soon_as_the_disk_is_well(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.proofs.power.refused", str(tmp_path)]
    answer = subprocess.run(command, cwd=ROOT, env=watched(tmp_path), check=True, capture_output=True, text=True)
    seen = json.loads(answer.stdout)
    assert set(seen) == {kind for kind, (_, lasts, reading) in KINDS.items() if lasts > reading}
    for kind, what in seen.items():
        tried = what.pop("tried")
        assert 2 <= tried <= 60, kind  # asked again by and by, not with every pass
        assert what == {
            "lost at once": "lost",
            "shown": True,
            "written": True,
            "still lost": "lost",
            "ok again": "ok",
            "accepted": True,
            "kept": True,
        }
