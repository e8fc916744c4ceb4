"""Programs behind the service's socket, which sends a name alone, and what they can see of the machine."""

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
from firmware_host.players.protocol import program_sandbox
from firmware_host.players.protocol.player_process import Command, PlayerProcess
from firmware_host.players.protocol.program_sandbox import SERVICE_SOCKET, in_bubblewrap, sandbox_here
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
    assert "its standard input must be a connection" in done.stderr


# ---- what a program can see of this machine ----


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with a table's configuration and games, and programs in many places."""
    for name in (
        "table/table.toml", "table/mine.py", "table/bots/deep.py", "table/games/journal.sqlite", "bin/quick",
        "elsewhere/books/openings", "venv/bin/python", "venv/lib/module.py", "versions/3/bin/python3",
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "venv/bin/python").unlink()
    (tmp_path / "venv/bin/python").symlink_to("../../versions/3/bin/python3")
    return tmp_path


def seen(home: Path, *words: str, kept: str = "table/games") -> set[str]:
    """What a command sees below the home folder, from there on."""
    folder = home / "table"
    command = in_bubblewrap(words, folder, (home, folder, home / kept))
    binds = [command[n + 1] for n, word in enumerate(command) if word == "--ro-bind-try"]
    return {str(Path(path).relative_to(home)) for path in binds if Path(path).is_relative_to(home)}


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("/bin/sh", "bots/deep.py"), {"table/bots"}),
        (("/bin/sh", "mine.py"), {"table/mine.py"}),
        (("/bin/sh", "bots/../mine.py"), {"table/bots/../mine.py"}),
        (("/bin/sh", "bots"), {"table/bots"}),
        (("/bin/sh", "../elsewhere/books/openings"), {"table/../elsewhere/books"}),
        (("/bin/sh", ".", "..", "games", "/", "--fast", "no\0path", "x" * 5000), set()),
        (("bots/deep.py",), {"table/bots"}),
        (("../bin/quick",), {"table/../bin"}),
        (("../venv/bin/python",), {"table/../venv", "table/../venv/bin/../../versions/3"}),
    ],
    ids=lambda value: " ".join(sorted(value))[:60] or "nothing",  # sets have no order of their own
)
def test_a_program_sees_the_folders_of_what_its_command_names_and_of_secret_ones_the_file_alone(
    home: Path, words: tuple[str, ...], shown: set[str]
) -> None:
    assert seen(home, *words) == shown


def test_games_beside_the_program_are_not_seen(home: Path) -> None:
    assert seen(home, "/bin/sh", "bots/deep.py", kept="table/bots/games") == {"table/bots/deep.py"}


@pytest.mark.parametrize("path", ["/proc/cpuinfo", "/proc", "/sys/kernel/mm", "/sys"])
def test_what_the_kernel_shows_of_others_is_not_seen(home: Path, path: str) -> None:
    command = in_bubblewrap(("/bin/sh", path), home, ())
    assert not {"/proc", "/sys"} & {command[n + 1] for n, word in enumerate(command) if word == "--ro-bind-try"}


def test_the_users_own_folders_within_the_systems_are_empty(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_sandbox, "_SYSTEM", ("/usr", str(home)))
    bots, games = home / "table/bots", home / "table/games"
    command = in_bubblewrap(("/bin/sh", "deep.py"), bots, (home, games, games / "deeper"))
    for option in ("--tmpfs", "--remount-ro"):
        named = {command[n + 1] for n, word in enumerate(command) if word == option}
        assert {path for path in named if path.startswith(str(home))} == {str(bots), str(games)}
    last = command.index("--remount-ro", command.index("/dev", command.index("--remount-ro") + 1) + 1)
    assert command.index("--tmpfs") < command.index(str(bots / "deep.py")) < last
