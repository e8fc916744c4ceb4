"""What a program leaves behind, and shows of itself while it runs: in files, on its streams, in its process."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.secrecy.canary import Place
from tests.waiting import until
from tests.web.programs import COMMAND, PATIENCE, Page, Program

SECRET = re.compile(
    r"state/yardboard/(journal\.sqlite(-wal|-shm)?|tapes/[\d-]+\.tape|seat-session\.json|\.seat-session\.json\.new)"
    r"|run/(handset-link|\.handset-link\.new)"
)
"""The files for their owner alone. They may tell where Mister X is, or open his page; `-shm` is none of them with one
connection alone."""

OPEN = re.compile(r"(run|state/yardboard)/(health\.json|\.health\.json\.new|switches\.json|failures)")
"""The files that everyone of the table's group may read; one of them for a moment while it is written."""

FOLDERS = {"state", "state/yardboard", "state/yardboard/tapes"}
"""The folders that a program makes."""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """An empty place, and a mask that makes everything readable that is not held back."""
    before = os.umask(0)
    try:
        yield Place(tmp_path)
    finally:
        os.umask(before)


@contextmanager
def watched(place: Place, *words: str) -> Iterator[Program]:
    """A program in its place; nothing of what it shows of its process names a hidden station."""
    with Program(*words, home=place.folder / "work", environ=place.environ | {"STATE_DIRECTORY": ""}) as program:
        yield program
    assert not place.told("\n".join(program.told).encode()), program.told


# What of these is the process's own: the other numbers, such as inodes, are the kernel's and may be any station's.
_OWN = {"status": rb"(?m)^Name:.*", "stat": rb"\(.*\)", "maps": rb"(?m)^(?:\S+ +){5}(\S.*)", "mountinfo": rb"/\S*"}


def assert_quiet(place: Place, process: int) -> None:
    """Neither its arguments nor its environment tell anything, nor its name, nor whatever else all may read of it."""
    for name in ("cmdline", "environ", "comm", *_OWN):
        try:
            said = Path(f"/proc/{process}/{name}").read_bytes()
        except PermissionError:  # it keeps them to itself
            assert name in ("environ", "maps", "mountinfo"), name
        else:
            own = re.findall(_OWN[name], said) if name in _OWN else [said]
            assert own, name
            assert not place.told(b"\n".join(own)), name


def assert_kept(place: Place, secret: set[str] | None = None) -> set[str]:
    """All files are known ones, their modes what they should be, and hidden stations in none but the secret ones.

    Returns:
        The names of those in which there are some.
    """
    telling = set()
    for name, path, mode in place.files():
        if path.is_dir():
            assert name in {"home", "tmp", "run", "work"} | FOLDERS, name
            assert mode == 0o700, f"{name}: {mode:o}"
            continue
        assert SECRET.fullmatch(name) or OPEN.fullmatch(name), name
        with suppress(FileNotFoundError):  # it has its last name by now, and is read by that, or was already
            if place.told(path.read_bytes()):
                telling.add(name)
        if SECRET.fullmatch(name):
            assert mode == 0o600, f"{name}: {mode:o}"
        else:
            assert not mode & 0o022, f"{name}: {mode:o}"
            assert name not in telling, name
    assert secret is None or telling == secret
    return telling


def test_a_table_that_is_run_keeps_it_in_its_journal_alone(place: Place) -> None:
    place.play()
    with watched(place, "run", "--config", str(place.config)) as table:
        table.line("Going on with a game of classic")
        table.line("Ready: ")
        assert_quiet(place, table.process.pid)
        assert "state/yardboard/journal.sqlite" in assert_kept(place)
        assert table.end(signal.SIGTERM) == 0
    assert_kept(place, {"state/yardboard/journal.sqlite"})


def test_a_table_that_is_recorded_keeps_it_on_its_tape_too(place: Place) -> None:
    place.play()
    with watched(place, "record", "--config", str(place.config)) as table:
        table.line("Recording to ")
        table.line("Ready: ")
        assert_quiet(place, table.process.pid)
        assert_kept(place)
        assert table.end(signal.SIGTERM) == 0
    assert "state/yardboard/journal.sqlite" in assert_kept(place)
    assert [name for name, _, _ in place.files() if name.endswith(".tape")]


@pytest.mark.long
def test_a_table_in_the_browser_keeps_it_in_its_journal_alone(place: Place) -> None:
    place.play()
    with watched(place, "sim", "--config", str(place.config), "--port", "0") as table:
        table.url()
        assert_quiet(place, table.process.pid)
        assert_kept(place)
        assert table.end(signal.SIGTERM) == 0
    assert_kept(place, {"state/yardboard/journal.sqlite"})


@pytest.mark.long
def test_a_table_whose_mister_x_has_a_phone_tells_it_to_his_page_alone(place: Place) -> None:
    place.play()
    with place.config.open("a", encoding="utf-8") as config:
        config.write("serve = true\n[handset]\nphone = true\n")
    file = place.folder / "run" / "handset-link"
    with watched(place, "run", "--config", str(place.config)) as table:
        url = table.url(r"INFO The table is shown at (\S+)")
        table.line("Ready: ")
        until(lambda: file.exists() and file.read_text(), "a link")
        session = opened(url, file.read_text().splitlines()[0].partition("#")[2])
        with Page(url, "handset", session) as his, Page(url, "spectator") as stranger:
            assert place.told(json.dumps(his.message("seat")["mr_x"]).encode())
            for kind in ("table", "board", "scene"):
                said = stranger.message(kind)
                assert kind == "board" or not place.told(json.dumps(said).encode()), kind
        until((place.folder / "state/yardboard/seat-session.json").exists, "the seat to be written down")
        assert_quiet(place, table.process.pid)
        assert assert_kept(place) <= {f"state/yardboard/journal.sqlite{end}" for end in ("", "-wal")}
        assert table.end(signal.SIGTERM) == 0
    assert_kept(place, {"state/yardboard/journal.sqlite"})
    assert not file.exists()


def opened(url: str, token: str) -> str:
    """The session that a token opens."""
    home = url.rstrip("/")
    line = http.client.HTTPConnection(urlsplit(home).netloc, timeout=PATIENCE)
    try:
        line.request("POST", "/handset/session", json.dumps({"token": token, "nonce": "x" * 30}), {"origin": home})
        return str(json.load(line.getresponse())["session"])
    finally:
        line.close()


def test_a_table_that_was_killed_leaves_nothing_more(place: Place) -> None:
    place.play()
    with watched(place, "run", "--config", str(place.config)) as table:
        table.line("Ready: ")
        table.end(signal.SIGKILL)
    telling = assert_kept(place)
    assert telling <= {f"state/yardboard/journal.sqlite{end}" for end in ("", "-wal")}


def test_a_torn_journal_that_is_set_aside_stays_with_its_owner(place: Place) -> None:
    place.play()
    content = bytearray(place.journal.read_bytes())
    content[:16] = b"not ours any more"[:16]
    place.journal.write_bytes(content)
    place.journal.chmod(0o644)  # copied from somewhere
    environ = place.environ | {"STATE_DIRECTORY": ""}
    with Program("run", "--config", str(place.config), home=place.folder / "work", environ=environ) as table:
        table.line("It is kept as ")
        table.line("Ready: ")
        assert table.end() == 0
    # Where the next game begins is no secret.
    said = [line for line in table.told if not re.search("Ready: |A new game: ", line)]
    assert not place.told("\n".join(said).encode()), said
    aside = [(path, mode) for name, path, mode in place.files() if ".aside" in name]
    assert aside
    assert all(mode == 0o600 for _, mode in aside)
    assert any(place.told(path.read_bytes()) for path, _ in aside)


ORDERS = [
    {"do": "new_game", "detectives": 4,
     "deal": {"mr_x": 70045, "red": 70013, "yellow": 70026, "green": 70029, "blue": 70034}},
    *({"do": "put", "station": 70000 + at, "pawn": pawn}
      for pawn, at in {"red": 13, "yellow": 26, "green": 29, "blue": 34}.items()),
    {"do": "wait", "ms": 2000},
    {"do": "mr_x", "action": {"kind": "move", "to": 70058, "ticket": "taxi"}},
    {"do": "mr_x", "action": {"kind": "move", "to": 70059, "ticket": "taxi"}},
    {"do": "fault", "device": "handset", "kind": "unplug"},
    {"do": "wait", "ms": 2000},
    *({"get": word} for word in ("public", "leds", "display", "health")),
]  # fmt: skip


@pytest.mark.parametrize("end", ["eof", "term", "kill"])
@pytest.mark.long
def test_the_json_lines_tell_nothing_that_was_not_asked_for_and_leave_nothing(place: Place, end: str) -> None:
    place.hidden = {70045, 70058, 70059, 70060}
    command = [*COMMAND, "sim", "--stdio", "--config", str(place.config)]
    with subprocess.Popen(
        command, env=place.environ, cwd=place.folder / "work", text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as table:  # fmt: skip
        assert table.stdin is not None
        assert table.stdout is not None
        assert table.stderr is not None
        replies = []
        for order in ORDERS:
            table.stdin.write(json.dumps(order) + "\n")
            table.stdin.flush()
            replies.append(json.loads(table.stdout.readline()))
        assert_quiet(place, table.pid)
        for name, path, mode in place.files():
            assert mode == (0o700 if path.is_dir() else 0o600), f"{name}: {mode:o}"
        if end == "eof":
            table.stdin.close()
        else:
            table.send_signal(signal.SIGTERM if end == "term" else signal.SIGKILL)
        rest = table.stdout.read() + table.stderr.read()
        assert table.wait(PATIENCE) == (-signal.SIGKILL if end == "kill" else 0)
    assert [reply["ok"] for reply in replies].count(False) == 1, replies
    told = json.dumps(replies) + rest
    assert not place.told(told.encode()), told
    left = [name for name, path, _ in place.files() if path.is_file()]
    assert left == []


def test_a_demo_leaves_no_file_but_its_picture(place: Place) -> None:
    work = place.folder / "work"
    words = ("demo", "--fast", "--seed", "4")
    done = subprocess.run([*COMMAND, *words], env=place.environ, cwd=work, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    left = {name for name, path, _ in place.files() if path.is_file()}
    assert left == {"work/yardboard-demo.png"}


def test_the_canary_would_be_found(place: Place) -> None:
    place.play()
    assert place.told(place.journal.read_bytes())
    stray = place.folder / "home" / "notes.txt"
    stray.write_text(f"he is on {min(place.hidden)}", encoding="utf-8")
    with pytest.raises(AssertionError, match="home/notes"):
        assert_kept(place)


def test_an_exception_that_nobody_expected_says_nothing_of_him(place: Place) -> None:
    """A mistake in the program, at the very place where Mister X's stations are at hand."""
    place.play()
    broken = (
        "import sys\n"
        "from firmware_host.table.outputs import Outputs\n"
        "from firmware_host.cli import main\n"
        "def fail(outputs, referee, handset, now):\n"
        "    return {}[referee.private.at.value, referee.private.route.value]\n"
        "Outputs._show_handset = fail\n"
        "main(sys.argv[1:])\n"
    )
    words = [sys.executable, "-c", broken, "run", "--config", str(place.config)]
    done = subprocess.run(
        words, env=place.environ, cwd=place.folder / "work", capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert "A mistake of this program's own ends it: KeyError (<string>:5 fail" in done.stderr
    assert not place.told((done.stdout + done.stderr).encode())
    assert_kept(place, {"state/yardboard/journal.sqlite"})
