"""A program that is not ours, on a detectives' seat: it sees nothing of the table, and cannot hurt it."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from firmware_host.config.loader import load
from firmware_host.players.protocol import player_process
from firmware_host.players.protocol.player_process import Command
from firmware_host.players.protocol.program_sandbox import SCRATCH, Sandbox, sandbox_here
from firmware_host.players.protocol.protocol_messages import Hello, line
from firmware_host.players.seats import PlayerName
from firmware_host.referee.scene import Phase
from firmware_host.simulator import IN_MEMORY, SimulatedTable
from firmware_host.simulator.helping_hands import HelpingHands
from firmware_host.table.player_maker import ProcessMaker
from tests.players.process_games import wait_for_endings
from tests.secrecy import spying_player
from tests.secrecy.canary import Place
from tests.web.programs import Program

MEMORY_MB = 128


@pytest.fixture
def _confined() -> None:
    """Check that programs can be confined here. If not, the test is skipped, and in CI it fails."""
    if sandbox_here() is not Sandbox.BUBBLEWRAP:
        why = "bubblewrap is missing, or may not make namespaces here"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(f"{why} (sudo apt install bubblewrap)")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """An empty place for the table, with a game in its journal in which nobody knows where Mister X is."""
    place = Place(tmp_path)
    for name, value in place.environ.items():
        monkeypatch.setenv(name, value)
    place.play()
    return place


def seat(place: Place, *, harm: bool, **told: object) -> Path:
    """Seat the spy; return a configuration of the table that has it."""
    shutil.copy(spying_player.__file__, place.config.parent / "spy.py")
    (place.config.parent / "spy.py").chmod(0o644)  # root's programs run as nobody
    folders = [str(each) for each in place.folder.iterdir()]
    told |= {"canary": r"(?<![\d.])7\d{4}(?!\d)", "folders": folders, "harm": harm}
    told |= {"memory_mb": MEMORY_MB, "scratch": SCRATCH}
    words = [sys.executable, "-I", "spy.py", json.dumps(told).encode().hex()]
    players = f"[players.spy]\nms = 100\nmemory_mb = {MEMORY_MB}\ncommand = {json.dumps(words)}\n"
    config = place.config.with_name("spied.toml")
    config.write_text(place.config.read_text(encoding="utf-8") + players, encoding="utf-8")
    return config


def command_of(config: Path) -> Command:
    """Return how the spy is run at a table."""
    player: Any = ProcessMaker(load(config)).make(PlayerName("spy", ""))
    command: Command = player._command
    return command


def report(command: Command) -> dict[str, Any]:
    """Run the spy, and return what it could do."""
    stream = player_process._start_program(command)

    try:
        stream.send(line(Hello()))
        while (said := stream.receive()) is None:
            stream.wait(60)
        done: dict[str, Any] = json.loads(said)["report"]
        return done
    finally:
        stream.close()
        wait_for_endings()


@contextmanager
def listening(place: Place) -> Iterator[dict[str, str]]:
    """Two sockets of the table's user: one with a path, and one without."""
    names = {"socket": str(place.folder / "run" / "socket"), "abstract": f"spied-{os.getpid()}"}
    with socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as two:
        one.bind(names["socket"])
        two.bind("\0" + names["abstract"])
        one.listen()
        two.listen()
        yield names


@contextmanager
def table_of(place: Place) -> Iterator[dict[str, Any]]:
    """A table that runs with its pages open; what a spy may look for."""
    with place.config.open("a", encoding="utf-8") as config:
        config.write("serve = true\n")
    words = ("run", "--config", str(place.config))
    with Program(*words, home=place.folder / "work", environ=place.environ) as table:
        port = urlsplit(table.url(r"INFO The table is shown at (\S+)")).port
        table.line("Ready: ")
        with listening(place) as names:
            yield {"table": table.process.pid, "port": port, **names}
        assert table.end() == 0


def contents(place: Place) -> dict[str, bytes]:
    """The table's files, but for what it writes again and again."""
    kept = ((name, path) for name, path, _ in place.files() if path.is_file())
    return {name: path.read_bytes() for name, path in kept if not re.search(r"health\.json|-shm$", name)}


@pytest.mark.usefixtures("_confined")
def test_it_sees_nothing_of_a_table_that_runs_and_harms_nothing(place: Place) -> None:
    with table_of(place) as known:
        config = seat(place, harm=True, **known)
        before = contents(place)
        assert report(command_of(config)) == {}
        assert contents(place) == before
        assert {each.name for each in config.parent.iterdir()} == {
            "canaries.toml",
            "spied.toml",
            "spy.py",
            "table.toml",
        }


@pytest.mark.usefixtures("_confined")
def test_where_nothing_shuts_it_in_it_sees_it_all(place: Place) -> None:
    # What the test above shows would show nothing if the spy could not spy.
    with table_of(place) as known:
        command = command_of(seat(place, harm=False, **known))
        done = report(replace(command, program=""))
    # A table keeps its memory to itself: root alone looks into it.
    kept = {"read the table's environment", "read the table's memory", "list the table's open files"}
    assert spying_player.LOOKS.keys() - done.keys() <= (kept if os.geteuid() else set())
    assert place.told(" ".join(done["read the table's files"]).encode())


@pytest.mark.usefixtures("_confined")
@pytest.mark.parametrize("manner", [*spying_player.MANNERS, "first"])
@pytest.mark.long_but_first
def test_a_game_goes_on_to_its_end_whatever_it_does(place: Place, manner: str) -> None:
    config = load(seat(place, harm=False, table=0, port=0, socket="", abstract=""))
    with closing(SimulatedTable(config, journal=IN_MEMORY, players=ProcessMaker(config), seed=3)) as table:
        table.new_game(players=3, seats={"mr_x": "easy", "detectives": f"spy/{manner}"})
        hands = HelpingHands(table, lambda: ())
        for _ in range(100_000):
            table.advance(50)
            hands.turn()
            if table.scene.phase is Phase.OVER:
                break
        assert table.scene.phase is Phase.OVER
    wait_for_endings()
    its_own = str(place.folder).encode().hex().encode()  # other clones of this project may be tested on this machine
    until = time.monotonic() + 60  # a process that was killed leaves only when the kernel gives it the processor
    while any(its_own in words for words in all_arguments()):
        assert time.monotonic() < until, "it has left something behind"
        time.sleep(0.05)


def all_arguments() -> Iterator[bytes]:
    """The arguments of all processes."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            yield path.read_bytes()
