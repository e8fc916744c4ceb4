"""Programs behind the service's socket: the table sends a name, and the service's configuration says what runs."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.protocol.player_process import Command, PlayerProcess
from firmware_host.players.protocol.program_sandbox import SERVICE_SOCKET, sandbox_here
from tests.players.process_games import FAKE, answer_of
from tests.players.test_player_process import a_game, asked, told

NEVER = Path("/nowhere")


class Manager:
    """A service manager: for each connection it starts the unit's command, with the connection on its pipes.

    Attributes:
        units: what it has started.
    """

    def __init__(self, folder: Path) -> None:
        self.config = folder / "table.toml"
        words = json.dumps([sys.executable, "-I", str(FAKE), "never", ""])
        self.config.write_text(f"[players.fake]\ncommand = {words}\n", encoding="utf-8")
        self.place = str(folder / "socket")
        self.units: list[subprocess.Popen[bytes]] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.place)
        self._listener.listen()
        self._thread = Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        command = [sys.executable, "-m", "firmware_host", "seat-program", "--config", str(self.config)]
        while True:
            connection, _ = self._listener.accept()
            with connection:
                if connection.recv(1, socket.MSG_PEEK) in (b"", b"!"):
                    return
                both = connection.fileno()
                self.units.append(subprocess.Popen(command, stdin=both, stdout=both, stderr=subprocess.DEVNULL))

    def close(self) -> None:
        """Listen no more; every unit has ended."""
        with socket.socket(socket.AF_UNIX) as last:
            last.connect(self.place)
            last.send(b"!")
            self._thread.join()
        self._listener.close()
        for unit in self.units:
            unit.wait(60)


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Manager]:
    manager = Manager(tmp_path)
    monkeypatch.setenv(SERVICE_SOCKET, manager.place)
    sandbox_here.cache_clear()
    yield manager
    sandbox_here.cache_clear()
    manager.close()


def seated(name: str) -> PlayerProcess:
    """A player whose command, as the table has it, is never run."""
    return PlayerProcess(Command((str(NEVER),), NEVER, {}, 64, program=name))


def test_a_program_of_the_services_configuration_plays_and_ends_with_its_connection(manager: Manager) -> None:
    player = seated("fake")
    asked(player)
    assert answer_of(player)
    (unit,) = manager.units
    assert unit.poll() is None
    player.close()
    assert unit.wait(60) == 0


def test_a_name_that_the_services_configuration_does_not_have_is_no_program(manager: Manager) -> None:
    player = seated("sh")
    player.begin(told(a_game()[0], "detectives"))
    with pytest.raises(PlayerFailed, match="ended"):
        answer_of(player)
    assert manager.units[0].wait(60) == 1


def test_where_its_unit_does_not_run_the_player_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SERVICE_SOCKET, str(tmp_path / "nobody"))
    sandbox_here.cache_clear()
    with pytest.raises(PlayerFailed, match="its unit does not run"):
        seated("fake").begin(told(a_game()[0], "detectives"))
    sandbox_here.cache_clear()


def test_the_command_runs_for_its_unit_alone() -> None:
    words = [sys.executable, "-m", "firmware_host", "seat-program", "--config", "config/simulator.toml"]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "its standard input is not a connection" in done.stderr
