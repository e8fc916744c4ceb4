"""Whatever lies where compiled code is kept, players play: what is unfit for use is compiled anew."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from firmware_host.players.protocol.limited_process import own_command, own_environment
from firmware_host.players.protocol.player_session import player
from firmware_host.players.protocol.protocol_encoding import new_game_line
from firmware_host.players.protocol.protocol_messages import line
from firmware_host.players.search import compiling as module
from firmware_host.players.search import search_player
from firmware_host.players.search.compiling import compiled_files
from firmware_host.rules.actions import MR_X
from tests.amount import amount
from tests.players.test_protocol import dealt, told

LISTED = f"compiled-py{sys.version_info.major}{sys.version_info.minor}.json"
INDEX, DATA = (
    f"belief.normalized-7.py{sys.version_info.major}{sys.version_info.minor}{end}" for end in (".nbi", ".1.nbc")
)

SPOILED: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "of something else": lambda _: b"dear diary",
    "half written": lambda whole: whole[: len(whole) // 2],
    "with one byte that has changed": lambda whole: whole[:400] + bytes([whole[400] ^ 255]) + whole[401:],
}


CHECKED = {"NUMBA_BOUNDSCHECK": "1"}
"""What is compiled with this in the environment ends a program that reaches beyond an array."""


def played(compiled: Path, *which: str) -> str:
    """What a program says that keeps its compiled code in a folder, of a game and its iterations."""
    environ = os.environ | CHECKED | {"NUMBA_CACHE_DIR": str(compiled)}
    command = [sys.executable, "-m", "tests.players.compiled_game", *which]
    done = subprocess.run(command, capture_output=True, env=environ, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class FirstPlayer(NamedTuple):
    """What a player process was like that found nothing compiled.

    Attributes:
        folder: where compiled code is kept since then.
        megabytes: the most that it has had resident.
        played: what is played on that code.
    """

    folder: Path
    megabytes: float
    played: str


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> FirstPlayer:
    """A player process that has got ready for a game where nothing was compiled."""
    folder, game = tmp_path_factory.mktemp("compiled"), dealt("classic", 1)
    environ = os.environ | own_environment() | CHECKED | {"NUMBA_CACHE_DIR": str(folder)}
    with subprocess.Popen(
        own_command("player", "--level", "expert"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ
    ) as player:
        assert player.stdin is not None
        assert player.stdout is not None
        player.stdin.write(line(new_game_line(told(game, MR_X))))
        player.stdin.flush()
        assert player.stdout.readline() == b'{"ok":true}\n'
        status = Path(f"/proc/{player.pid}/status").read_text(encoding="utf-8")
        player.stdin.close()
    resident = next(row.split()[1] for row in status.splitlines() if row.startswith("VmHWM:"))
    return FirstPlayer(folder, int(resident) / 1024, played(folder))


@pytest.mark.long
def test_a_player_that_finds_nothing_compiled_needs_no_more_memory_than_others(first: FirstPlayer) -> None:
    assert first.megabytes < 250


def test_where_compiled_code_cannot_be_kept_the_command_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def compile_in_vain() -> None:
        raise RuntimeError("cannot cache function 'bits': no locator available for file 'random_numbers.py'")

    monkeypatch.setattr(search_player, "compile_search", compile_in_vain)
    done = CliRunner().invoke(player, ["--compile"])
    assert done.exit_code == 1
    assert "no folder for the compiled code can be written" in done.output


@pytest.fixture
def compiled(first: FirstPlayer) -> tuple[Path, str]:
    """A folder with compiled code, and what was played on it."""
    return first.folder, first.played


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("rules", amount(["us"], ["classic", "us", "current", "beginners"]))
@pytest.mark.long
def test_no_compiled_code_reaches_beyond_its_arrays_until_the_tree_is_full_and_after(
    rules: str, compiled: tuple[Path, str]
) -> None:
    assert played(compiled[0], rules, amount("40000", "250000")).rstrip().endswith(" 0")


@pytest.mark.long
def test_what_was_compiled_is_loaded_the_next_time_and_all_of_it_before_the_first_move(
    compiled: tuple[Path, str], tmp_path: Path
) -> None:
    folder, told = compiled
    assert told.rstrip().endswith(" 0")
    shutil.copytree(folder, tmp_path / "again")
    assert played(tmp_path / "again") == told
    assert files(tmp_path / "again") == files(folder)


@pytest.mark.parametrize("how", amount(["half written", "with one byte that has changed"], [*SPOILED]))
@pytest.mark.parametrize("kind", [".nbi", ".nbc"])
@pytest.mark.long
def test_a_spoiled_file_is_compiled_anew(kind: str, how: str, compiled: tuple[Path, str], tmp_path: Path) -> None:
    folder, told = compiled
    shutil.copytree(folder, tmp_path / "spoiled")
    (path,) = (path for path in (tmp_path / "spoiled").rglob(f"*{kind}") if "normalized" in path.name)
    path.write_bytes(SPOILED[how](path.read_bytes()))
    assert played(tmp_path / "spoiled") == told


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two files that were compiled by the code as it is."""
    monkeypatch.setattr(module, "_checked", set())
    with compiled_files(str(tmp_path)):
        for name in (INDEX, DATA):
            (tmp_path / name).write_bytes(b"compiled")
    module._checked.clear()
    return tmp_path


def test_what_this_code_has_compiled_stays(made: Path) -> None:
    before = files(made)
    with compiled_files(str(made)):
        assert files(made) == before
    assert files(made) == before


def test_what_other_code_has_compiled_goes_although_it_is_whole(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_made_by", lambda: "another version")
    with compiled_files(str(made)):
        assert files(made).keys() == {LISTED}


def test_a_file_that_nobody_has_listed_goes_and_others_stay(made: Path) -> None:
    (made / INDEX.replace("normalized", "draw")).write_bytes(b"written when the power went")
    (made / "search_player.cpython-311.pyc").write_bytes(b"Python's own")
    with compiled_files(str(made)):
        assert files(made).keys() == {LISTED, INDEX, DATA, "search_player.cpython-311.pyc"}


@pytest.mark.parametrize("found", [None, [], "all", {INDEX: 7}])
def test_a_list_of_another_shape_counts_as_none(made: Path, found: object) -> None:
    listed = json.loads((made / LISTED).read_bytes())
    (made / LISTED).write_text(json.dumps(listed | {"files": found}))
    with compiled_files(str(made)):
        assert not files(made).keys() & {INDEX, DATA}


@pytest.mark.parametrize("list_", [b"", b"[]", b'{"made_by": 7}', b"\xff", None])
def test_without_a_list_that_can_be_read_all_is_compiled_anew(made: Path, list_: bytes | None) -> None:
    (made / LISTED).unlink()
    if list_ is not None:
        (made / LISTED).write_bytes(list_)
    with compiled_files(str(made)):
        assert not files(made).keys() & {INDEX, DATA}


# ---- what is compiled ----


def _double(numbers: NDArray[np.int16]) -> int:
    numbers *= 2
    return len(numbers)


def _more(numbers: NDArray[np.int16]) -> int:
    return len(np.zeros(len(numbers) + 1))


def test_a_compiled_function_changes_an_array_in_place() -> None:
    numbers = np.array([1, 2, 3], np.int16)
    assert module.compiled(_double)(numbers) == 3
    assert numbers.tolist() == [2, 4, 6]


def test_a_function_that_makes_an_array_is_refused() -> None:
    with pytest.raises(NumbaError, match="No implementation of function"):
        module.compiled(_more)(np.array([1, 2, 3], np.int16))
