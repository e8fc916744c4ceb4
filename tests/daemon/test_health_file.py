"""What a running table tells of itself in a file: whole, on its beat, and nothing that is not public."""

from __future__ import annotations

import json
import logging
import os
import random
import stat
from pathlib import Path

import pytest

from firmware_host.config.loader import simulator
from firmware_host.daemon import health_file
from firmware_host.daemon.health_file import (
    HEALTH_TICK,
    AbsentHealth,
    ForeignHealth,
    HealthFile,
    UnreadableHealth,
    place,
    places,
)
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.table.table import Table


class RememberedHealth(HealthFile):
    """One that remembers everything it has written, and when."""

    def __init__(self, p: SimulatedTable, file: Path) -> None:
        super().__init__(p.config, p.hardware.clock, p.hardware.clock.now, file)
        self.p, self.written = p, list[tuple[float, bytes]]()

    def attend(self, table: Table) -> None:
        before = self.file.stat().st_ino if self.file.exists() else 0
        super().attend(table)
        if self.file.exists() and self.file.stat().st_ino != before:
            self.written.append((self.p.hardware.clock.now(), self.file.read_bytes()))


def attended(p: SimulatedTable, file: Path) -> RememberedHealth:
    """A table with its health file, as a table that is run has it."""
    told = RememberedHealth(p, file)

    def step() -> None:
        p.table.step()
        told.attend(p.table)

    p.hardware.drive(step, hz=p.config.switches.scan_hz)
    return told


@pytest.fixture
def simulated() -> SimulatedTable:
    p = SimulatedTable(seed=4)
    p.new_game()
    return p


def test_it_is_written_on_the_beat_and_on_no_other_occasion(simulated: SimulatedTable, tmp_path: Path) -> None:
    told = attended(simulated, tmp_path / "health.json")
    players = SimulatedPeople(simulated, random.Random(1))
    players.set_up()
    for _ in range(4):
        players.play()
        simulated.hardware.fault("lamps", "unplug")
        simulated.advance(4321)
        simulated.hardware.fault("lamps", "replug")
    times = [at for at, _ in told.written]
    assert len(times) > 4
    assert times == [0.005, *(HEALTH_TICK * n for n in range(1, len(times)))]


def test_it_tells_devices_switches_versions_and_passes(simulated: SimulatedTable, tmp_path: Path) -> None:
    told = attended(simulated, tmp_path / "health.json")
    simulated.set_up()
    simulated.hardware.fault("lamps", "unplug")
    simulated.advance(61_000)
    said = health_file.read(told.file, simulated.hardware.clock.now())
    assert said.fresh
    assert not said.well
    values = said.values
    assert values["devices"]["switches"] == {"state": "ok", "reason": "", "since": 0.0}
    lamps = values["devices"]["lamps"]
    assert (lamps["state"], lamps["reason"]) == ("lost", "the cable is unplugged")
    assert 0 < lamps["since"] < 4
    assert set(values["devices"]) == {"switches", "keys", "lamps", "handset", "display", "power", "journal"}
    assert values["passes"] == pytest.approx(200 * values["up_s"], rel=0.1)
    felt = {str(at) for at in simulated.public.pawns.values()}
    assert {name for name, switch in values["switches"].items() if switch["closures"]} == felt
    assert all(switch["place"].startswith("input ") for switch in values["switches"].values())


def test_it_says_whether_a_game_is_in_play(simulated: SimulatedTable, tmp_path: Path) -> None:
    told = attended(simulated, tmp_path / "health.json")

    def in_play() -> bool:
        simulated.advance(5000)
        return health_file.read(told.file, simulated.hardware.clock.now()).in_play

    assert not in_play()
    simulated.set_up()
    assert in_play()
    players = SimulatedPeople(simulated, random.Random(1))
    while simulated.public.outcome is None:
        players.play()
    assert not in_play()
    stale = health_file.read(told.file, simulated.hardware.clock.now() + 3600)
    assert not stale.in_play


def test_its_user_and_its_group_may_read_it_and_nobody_else_whatever_the_umask(
    simulated: SimulatedTable, tmp_path: Path
) -> None:
    for umask in (0o077, 0o000):
        before = os.umask(umask)
        try:
            told = RememberedHealth(simulated, tmp_path / "health.json")
            told.attend(simulated.table)
        finally:
            os.umask(before)
        assert stat.S_IMODE(told.file.stat().st_mode) == 0o640


def test_whatever_lies_where_it_is_made_is_neither_followed_nor_waited_for(
    simulated: SimulatedTable, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.write_text("not to be touched")
    new = tmp_path / ".health.json.new"
    for lay in (lambda: new.symlink_to(other), lambda: os.mkfifo(new), lambda: new.write_text("left over")):
        lay()
        told = RememberedHealth(simulated, tmp_path / "health.json")
        told.attend(simulated.table)
        assert len(told.written) == 1
        assert other.read_text() == "not to be touched"
        assert sorted(file.name for file in tmp_path.iterdir()) == ["health.json", "other"]


def test_a_place_that_cannot_be_written_is_told_once_and_stops_no_game(
    simulated: SimulatedTable, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "gone"
    told = attended(simulated, folder / "health.json")
    caplog.set_level(logging.WARNING, "yardboard")
    players = SimulatedPeople(simulated, random.Random(1))
    players.set_up()
    players.play()
    simulated.advance(60_000)
    lines = [r.getMessage() for r in caplog.records]
    assert lines == [f"{told.file}: there is no folder {told.file.parent}; create it; the game goes on"]
    folder.mkdir()
    simulated.advance(1000 * HEALTH_TICK)
    assert told.file.exists()
    told.remove()
    assert not told.file.exists()
    told.remove()


def test_a_reader_at_any_moment_finds_it_whole(simulated: SimulatedTable, tmp_path: Path) -> None:
    """Opened before the next is written, it is still the old one, whole."""
    told = attended(simulated, tmp_path / "health.json")
    simulated.advance(1000)
    with told.file.open(encoding="utf-8") as old:
        head = old.read(10)
        simulated.advance(2000 * HEALTH_TICK)
        assert json.loads(head + old.read())["up_s"] == 0
    assert json.loads(told.file.read_text(encoding="utf-8"))["up_s"] == 2 * HEALTH_TICK


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"null", b"[]", b"7", b"{}", b"\xff\xfe", b"[" * 100_000, b'{"format": 1}',
        b'{"format": 2, "devices": {}, "switches": {}}',
    ],
)  # fmt: skip
def test_what_is_torn_or_foreign_is_refused_by_its_name(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "health.json"
    file.write_bytes(content)
    with pytest.raises(ForeignHealth, match=r"health\.json: is damaged, or of another version"):
        health_file.read(file, 0.0)


def test_a_file_that_is_none_or_may_not_be_read_is_told_as_such(tmp_path: Path) -> None:
    file = tmp_path / "health.json"
    with pytest.raises(AbsentHealth, match="no such file"):
        health_file.read(file, 0.0)
    os.mkfifo(file)
    with pytest.raises(ForeignHealth):
        health_file.read(file, 0.0)
    file.unlink()
    file.mkdir()
    with pytest.raises(UnreadableHealth):
        health_file.read(file, 0.0)


def test_a_service_keeps_it_in_its_runtime_folder_others_beside_the_journal() -> None:
    config = simulator()
    service = {"RUNTIME_DIRECTORY": "/run/here:/run/there", "STATE_DIRECTORY": "/var/lib/yardboard"}
    assert place(config, service) == Path("/run/here/health.json")
    assert place(config, {"XDG_STATE_HOME": "/home/me"}) == Path("/home/me/yardboard/health.json")
    assert places(config, {"XDG_STATE_HOME": "/home/me"}) == (
        Path("/home/me/yardboard/health.json"),
        Path("/run/yardboard/health.json"),
    )
