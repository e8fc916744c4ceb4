"""A table that is killed at random instants; `python -m tests.proofs.power --kills 300` does it at length."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proofs.power.cuts import ROOT
from tests.proofs.power.sitting import Entry, _compare

KILLS = 12


def test_a_table_that_is_killed_at_any_instant_loses_nothing_and_leads_the_pawns_home(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.proofs.power", "--kills", str(KILLS), "--seed", "7"]
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    answer = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout
    names, *rows = (line.split() for line in answer.stdout.splitlines())
    figures = {row[0]: dict(zip(names[1:], map(int, row[1:]), strict=True)) for row in rows}
    assert {rules: of["kills"] for rules, of in figures.items() if of["kills"] != KILLS // 6} == {"all": KILLS}
    assert figures["all"]["accepted"] >= 26  # with this seed, however slow the machine is
    assert figures["all"]["games"] >= 5
    assert list(tmp_path.iterdir()) == []


# ---- what is lost is found out ----

KEPT: list[Entry] = [("begin", {}), ("play", {"n": 1}), ("play", {"n": 2})]
ROWS = [(1, "begin", "{}"), (2, "play", '{"n":1}'), (3, "play", '{"n":2}')]


def test_what_was_accepted_is_what_is_found() -> None:
    _compare(ROWS, KEPT)


@pytest.mark.parametrize(
    "rows",
    [[], ROWS[:2], ROWS[1:], [*ROWS, (4, "play", "{}")], [ROWS[0], ROWS[2], ROWS[1]]],
)
def test_an_entry_that_is_lost_invented_or_moved_is_found_out(rows: list[tuple[int, str, str]]) -> None:
    with pytest.raises(AssertionError):
        _compare(rows, KEPT)
