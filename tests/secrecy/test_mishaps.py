"""Whatever goes wrong at a table, nothing of what is hidden comes to light by it: in any output, or by its time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.secrecy.perceived import Perceived
from tests.table.alike import drawn
from tests.table.cases import SOME, Case, shipped

LEAST: dict[object, int] = {"switches.json": 1, ("junior", "switches.json"): 0}
"""How often an output has to come for the test to mean something; else ten times."""


@pytest.mark.parametrize("case", SOME, ids=str)
@pytest.mark.long
def test_games_that_differ_only_in_what_is_hidden_look_alike_whatever_goes_wrong(case: Case, tmp_path: Path) -> None:
    pair = drawn(shipped(case.rules), case, 3, windows=5)
    assert pair.apart >= 2
    folders = [tmp_path / "one", tmp_path / "two"]
    one, two = (Perceived(pair, side, shipped(case.rules), folders[side]) for side in (0, 1))
    assert one.mishaps == two.mishaps
    assert {"handset_lost", "full_for_him", "full_for_all", "cut"} <= {*one.mishaps}
    for name, heard in one.outputs.items():
        assert len(heard) >= LEAST.get((case.rules, name), LEAST.get(name, 10)), name
        for a, b in zip(heard, two.outputs[name], strict=False):
            assert a == b, f"{case}: {name}, at {a[0]:g} s"
        assert len(heard) == len(two.outputs[name]), name
    if case.rules != "junior":  # there the handset forgets at once what was picked (JU-04)
        assert one.private != two.private
