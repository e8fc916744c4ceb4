"""Whatever a player's program does: the table never waits for it, is told plainly, and nothing of it is left."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import Position, PublicHistory
from firmware_host.players.protocol.player_process import PlayerProcess
from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.rules.game import Game
from tests.players.process_games import (
    FAKE,
    answer_of,
    behind_pipes,
    command,
    fake,
    open_files,
    played_out,
    wait_for_endings,
)
from tests.players.test_protocol import dealt, told
from tests.waiting import until


def a_game() -> tuple[Game, Position]:
    """A classic game in which red is to move."""
    game = dealt("classic", 3)
    history = PublicHistory.begin(game.public)
    game.play(next(one for one in game.legal if isinstance(one, MrXMove)))
    return game, Position(history.see(game.public, None))


def asked(player: PlayerProcess) -> Game:
    """Begin a game with a player, and ask it for red's move."""
    game, position = a_game()
    player.begin(told(game, "detectives"))
    player.ask(position)
    return game


def answer_of_asked(player: PlayerProcess) -> None:
    """Ask a player, and wait for its answer."""
    asked(player)
    answer_of(player)


def heard(player: PlayerProcess, left: int) -> None:
    """Listen to a player until it owes only so many answers."""
    while len(player._wanted) > left:
        player.wait(60)
        assert player.answer() is None


def failure(player: PlayerProcess) -> str:
    """Ask a player until it fails, and return why."""
    with pytest.raises(PlayerFailed) as why:
        answer_of_asked(player)
    with pytest.raises(PlayerFailed, match=re.escape(str(why.value))):  # for good
        player.answer()
    return str(why.value)


@pytest.mark.parametrize("name", ["classic", "us advanced", "dice", "junior"])
def test_a_program_plays_whole_games_on_both_sides(name: str) -> None:
    with fake() as his, fake() as theirs:
        game = dealt(name, 1)
        his.begin(told(game, MR_X))
        theirs.begin(told(game, "detectives"))
        assert played_out(game, {MR_X: his, "detectives": theirs}).public.outcome is not None


WHY = {
    ("start", "die"): "it ended with status 3",
    ("hello", "die"): "it ended with status 3",
    ("new_game", "killed"): "it was ended by signal 9",
    ("go", "die"): "it ended with status 3",
    ("go", "mute"): "it has closed its output, but has not ended",
    ("go", "huge"): "it sent a line of more than 65536 bytes",
    ("hello", "huge"): "it sent a line of more than 65536 bytes",
    ("go", "flood"): "it sent lines that nobody asked for",
    ("start", "flood"): "it sent lines that nobody asked for",
    ("go", "complain"): "it ended with status 1",
}


NO_MOVE = 'it sent an invalid answer: the answer must have one move; write {"move": …} or {"double": [… , …]}'
NO_MESSAGE = (
    "it sent an invalid answer: the line is not a message of the protocol; write one JSON object with its fields"
)


@pytest.mark.parametrize(("when", "what"), WHY)
def test_bad_manners_are_told_plainly(when: str, what: str) -> None:
    with fake(when, what) as player:
        assert failure(player) in (WHY[when, what], NO_MESSAGE)


SAID = {
    b"garbage\n": NO_MESSAGE,
    b"\xff\xfe{}\n": NO_MESSAGE,
    b"[" * 20000 + b"\n": NO_MESSAGE,
    b'{"move": ' + b"[" * 9000 + b"]" * 9000 + b"}\n": NO_MESSAGE,
    b"{}\n": NO_MOVE,
    b'{"ok": false, "error": "he is at 107"}\n': NO_MOVE,
    b'{"move": {"to": 107, "ticket": "taxi"}}\n': "it answered with a move that is not legal",
    b'{"double": [{"to": 1, "ticket": "taxi"}, {"to": 2, "ticket": "taxi"}]}\n':
        "it answered with a double move, which is not legal",
    b'{"move": {"kind": "roll", "faces": ["taxi"]}}\n': "it answered with a move that is not legal",
}  # fmt: skip


@pytest.mark.parametrize("said", SAID, ids=lambda said: said[:24].decode(errors="replace"))
def test_nonsense_is_told_plainly_and_not_quoted(said: bytes) -> None:
    with fake("go", f"say:{said.hex()}") as player:
        assert failure(player) == SAID[said]


def test_a_player_that_will_not_play_is_told_plainly() -> None:
    no = b'{"ok": false, "error": "too tired for 107"}\n'
    for when in ("hello", "new_game"):
        with fake(when, f"say:{no.hex()}") as player:
            assert failure(player) == "it refused to play"
            with pytest.raises(PlayerFailed) as failed:
                player.answer()
            assert failed.value.reason.value == "too tired for 107"
            assert "107" not in repr(failed.value)
    other = b'{"ok": true, "roles": ["mr_x"], "games": ["classic"], "levels": ["easy"]}\n'
    with fake("hello", f"say:{other.hex()}") as player:
        assert failure(player) == "it does not play detectives"


@pytest.mark.parametrize(
    ("when", "seconds", "what"), [("hello", 61, "newlines"), ("new_game", 121, "deaf"), ("go", 16, "hang")]
)
def test_a_silent_player_is_waited_for_as_long_as_is_fair(when: str, seconds: float, what: str) -> None:
    now = [0.0]
    with fake(when, what, now=now) as player:
        asked(player)
        heard(player, {"hello": 3, "new_game": 2, "go": 1}[when])
        now.append(seconds - 2)
        assert player.answer() is None
        now.append(2.0 * seconds)
        with pytest.raises(PlayerFailed, match=f"it did not answer {when}"):
            player.answer()


def test_what_was_asked_before_is_void_and_its_answer_is_not_taken_for_the_next() -> None:
    with fake() as player:
        game, position = a_game()
        player.begin(told(game, "detectives"))
        player.ask(position)
        red = answer_of(player)[0]
        player.ask(position)
        game.play(red)
        player.ask(Position(position.history.see(game.public, red)))
        yellow = answer_of(player)[0]
        assert (red.pawn, yellow.pawn) == game.setup.pawns[:2]  # type: ignore[union-attr]


def test_a_game_that_was_broken_off_does_no_harm_to_the_next() -> None:
    with fake() as player:
        asked(player)
        player.over("detectives", "captured")
        game = asked(player)
        player.begin(told(game, "detectives"))
        player.ask(a_game()[1])
        assert answer_of(player)


def test_a_program_gets_a_bare_environment_three_pipes_and_the_last_claim_on_the_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SECRET", "107")
    secret, other = os.pipe()
    os.set_inheritable(secret, True)
    with fake("go", "tell") as player:
        failure(player)
        found = json.loads(player.last_words.value)
    os.close(secret)
    os.close(other)
    assert set(found["environment"]) <= {
        "PATH",
        "HOME",
        "LANG",
        "NUMBA_CACHE_DIR",
        "PWD",
        "OLDPWD",
        "SHLVL",
        "_",
        "LC_CTYPE",
    }
    assert "107" not in json.dumps([found["arguments"], found["environment"]])
    assert found["files"] == ["0", "1", "2", "3"]  # the last is the folder that is being listed
    assert found["nice"] == min(19, os.nice(0) + 10)
    assert found["session"]
    assert found["here"] == str(Path(__file__).parent)


def test_a_program_that_wants_too_much_memory_gets_none() -> None:
    with fake("new_game", "hungry", memory_mb=200) as player:
        assert failure(player) == "it ended with status 1"
        with pytest.raises(PlayerFailed) as failed:
            player.answer()
        assert failed.value.last_line.value == "MemoryError"
        assert "MemoryError" not in repr(failed.value)


@pytest.mark.parametrize("asked_before", [False, True])
def test_one_that_runs_wild_before_or_between_questions_is_ended_by_the_kernel(asked_before: bool) -> None:
    with fake() as player:
        if asked_before:
            asked(player)
            answer_of(player)
        else:
            player.begin(told(a_game()[0], "detectives"))
        process = player._process
        assert process is not None
        limit = Path(f"/proc/{process.pid}/limits").read_text(encoding="utf-8")
        seconds = next(line.split()[3] for line in limit.splitlines() if line.startswith("Max cpu time"))
        assert 180 <= int(seconds) <= 190


def test_its_last_words_are_kept_short_and_never_told() -> None:
    with fake("go", "complain") as player:
        assert failure(player) == "it ended with status 1"
        assert player.last_words.value.endswith("the last words of Mister X at 107")
        assert len(player.last_words.value) <= 4096
        assert "107" not in f"{player.last_words!r}"


def is_running(pid: int) -> bool:
    """Whether a process runs; one whose end nobody has noticed does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("what", ["stubborn", "family", "flood", "newlines"])
def test_nothing_is_left_of_a_player_that_was_closed(what: str) -> None:
    before = open_files()
    player = PlayerProcess(command(sys.executable, "-I", str(FAKE), "start", what))
    player.begin(told(a_game()[0], "detectives"))
    process = player._process
    assert process is not None
    process.wait(60)
    child = json.loads(process.receive() or b"")["child"] if what == "family" else 0
    player.close()
    player.close()
    wait_for_endings()
    with pytest.raises(ChildProcessError):
        os.waitpid(process.pid, os.WNOHANG)
    assert not is_running(process.pid)
    until(lambda: not child or not is_running(child), "its child, which was killed")
    assert open_files() == before
    with pytest.raises(PlayerFailed, match="let go"):
        player.ask(a_game()[1])


TABLE = """
import sys, time
from tests.players.process_games import FAKE, command
from tests.players.test_player_process import PlayerProcess, a_game, told
player = PlayerProcess(command(sys.executable, "-I", str(FAKE), "start", "stubborn"))
player.begin(told(a_game()[0], "detectives"))
player._process.wait(60)
print(player._process.pid, flush=True)
time.sleep(600)
"""
"""A program that has a player which ends neither by itself nor when it is asked to."""


def test_it_does_not_outlive_a_table_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", TABLE], stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        pid = int(table.stdout.readline())
        assert is_running(pid)
        table.kill()
    until(lambda: not is_running(pid), "the player, whose table was killed")


def test_one_that_was_killed_from_outside_is_missed_at_once() -> None:
    with fake("go", "hang") as player:
        asked(player)
        assert player._process is not None
        os.kill(player._process.pid, signal.SIGKILL)
        with pytest.raises(PlayerFailed, match="it was ended by signal 9"):
            answer_of(player)


def test_a_command_that_cannot_be_one_is_told_plainly() -> None:
    before = open_files()
    with behind_pipes(command("/bin/sh\0")) as player:
        assert failure(player) == "it could not be started: its command contains a zero byte"
    assert open_files() == before


def test_where_the_system_buries_ended_programs_by_itself_closing_one_does_no_harm() -> None:
    ignored = signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # as whoever started us may have told the system
    try:
        with fake("go", "die") as player:
            assert failure(player) == "it has ended"
    finally:
        signal.signal(signal.SIGCHLD, ignored)


@given(st.binary(max_size=60) | st.sampled_from([b'{"move": {"to": 1}}', b'{"double": [1, 2]}', b'{"ok": true}']))
def test_any_answer_is_a_move_or_a_failure(said: bytes) -> None:
    with fake("go", "say:" + (said + b"\n").hex()) as player:
        asked(player)
        try:
            heard(player, 1)
            while player.answer() is None and said.strip():
                player.wait(60)
        except PlayerFailed:
            return
        assert player.answer() or not said.strip()


COMPILES = """
import sys
from firmware_host.players.protocol import player_session
takes_long = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
player_session.own_command = lambda *_: (sys.executable, "-c", takes_long)
player_session.subprocess.DEVNULL = None
player_session._Compilation().run(600)
"""
"""A player for whom something is compiled, which takes long."""


def test_what_is_compiled_for_a_player_does_not_go_on_without_it() -> None:
    is_compiled = "import firmware_host.players.search.search_player as it; it.is_compiled = lambda: False"
    with subprocess.Popen([sys.executable, "-c", is_compiled + COMPILES], stdout=subprocess.PIPE, text=True) as player:
        assert player.stdout is not None
        pid = int(player.stdout.readline())
        assert is_running(pid)
        player.kill()
    until(lambda: not is_running(pid), "what compiles, whose player was killed")
