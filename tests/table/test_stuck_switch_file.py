"""Whatever lies where the file with the switches out of order belongs, nobody waits for it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.table.inputs import STUCK_SWITCHES_FILE, StuckSwitchFile
from tests.recording.recorded_tables import alike, config_of, recorded, replayed


@pytest.fixture(autouse=True)
def _no_waiting() -> Iterator[None]:
    """Who waits for a file for good is told of after a minute."""

    def waits(*_: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, waits)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def test_a_pipe_in_its_place_is_as_no_file_at_all_and_gives_way(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / STUCK_SWITCHES_FILE
    os.mkfifo(file)
    assert StuckSwitchFile(file, "london").read(199) == SwitchRegister()
    assert "are not known any more" in caplog.text
    StuckSwitchFile(file, "london").write(SwitchRegister.of({57: True}))
    assert StuckSwitchFile(file, "london").read(199) == SwitchRegister.of({57: True})


def test_whatever_lies_where_it_is_made_is_neither_followed_nor_waited_for(tmp_path: Path) -> None:
    file, new, other = tmp_path / STUCK_SWITCHES_FILE, tmp_path / f".{STUCK_SWITCHES_FILE}.new", tmp_path / "other"
    other.write_text("not to be touched")
    for lay in (lambda: new.symlink_to(other), lambda: os.mkfifo(new), lambda: new.write_text("left over")):
        file.unlink(missing_ok=True)
        lay()
        StuckSwitchFile(file, "london").write(SwitchRegister.of({57: True}))
        assert StuckSwitchFile(file, "london").read(199) == SwitchRegister.of({57: True})
        assert other.read_text() == "not to be touched"
        assert sorted(each.name for each in tmp_path.iterdir()) == ["other", STUCK_SWITCHES_FILE]


def test_a_table_with_a_pipe_in_its_place_starts_and_is_recorded(tmp_path: Path) -> None:
    tape = tmp_path / "a.tape"
    os.mkfifo(tmp_path / STUCK_SWITCHES_FILE)
    with recorded(config_of(tmp_path), tape, journal=tmp_path / "journal.sqlite") as simulated:
        simulated.advance(2000)
        assert simulated.table.scene().ignored == set()
    assert alike(replayed(tape))
