"""The script that counts how many modules a pass goes through counts what happens, and the ways stay short."""

from __future__ import annotations

from tools.module_changes import table, trips


def test_the_four_trips_are_counted_and_printed() -> None:
    counted = trips()
    idle, lift, settled, key = counted.values()
    assert idle.calls < lift.calls < settled.calls
    assert "firmware_host.journal.journal" in settled.modules & key.modules
    assert "firmware_host.journal.journal" not in idle.modules | lift.modules
    assert idle.changes <= 22
    assert (lift.changes <= 278, settled.changes <= 378, key.changes <= 408) == (True, True, True)
    assert len(table()) == 2 + len(counted)
