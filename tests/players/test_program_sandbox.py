"""What a program that is shut in sees of the machine: what its command names, and no folder with secrets in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.players.protocol import program_sandbox
from firmware_host.players.protocol.program_sandbox import in_bubblewrap


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
