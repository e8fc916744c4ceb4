"""Tapes from strangers: the commands that read them refuse them, or print them as far as they go; nothing else.

Almost no damaged file passes the checks. So most inputs are the content: the notes and the entries, with separators,
which are packed unchanged into a valid file.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache, partial
from pathlib import Path
from unittest.mock import patch

from firmware_host.config import shipped_files
from firmware_host.config.loader import load
from firmware_host.daemon.run import begin
from firmware_host.maintenance.bug_report import public_tape
from firmware_host.recording.recorded_session import SESSION, session_of
from firmware_host.recording.replay_recording import UNREADABLE, replay_command
from firmware_host.recording.tape import BadTape, Entry, Note, Packer
from firmware_host.recording.tape_file import Tape, TapeWriter, create
from firmware_host.recording.tape_recorder import Recorder
from firmware_host.recording.tape_recording import TapeRecording
from firmware_host.simulator import SimulatedTable
from tests.proofs.fuzz.target import BrokenPromise, Target, Try

_CUT, _NAMED = b"yardboard fuzz: cut", b"yardboard fuzz: note "
_WORDS = (((), ("--show",)), (("--secret",), ("--show", "--secret")))


def _recorded(folder: Path, *, public: bool) -> tuple[dict[str, str], list[Entry], bytes]:
    """Record a short session of the junior game."""
    table, tape = folder / "table.toml", folder / f"{public}.tape"
    table.write_text('[game]\nrules = "junior"\n[handset]\nblank_after_s = 20\n', encoding="utf-8")
    config = load(table)
    recorder = Recorder(TapeWriter(create(tape)), print)
    recorder.note(SESSION, session_of(config, resume=True, now=1_700_000_000.0).note())
    taping = TapeRecording(recorder)
    simulated = SimulatedTable(config, seed=5, taping=taping)
    taping.step(partial(begin, simulated.table))()
    simulated.hardware.press("handset.select", 20)
    simulated.hardware.fault("lamps", "unplug")
    simulated.advance(40)
    recorder.stop()
    simulated.close()
    content = tape.read_bytes()
    if public:
        content = public_tape(Tape(io.BytesIO(content), "x"), "x")
    read = Tape(io.BytesIO(content), "x")
    return read.notes, list(read.entries), content


def _open(notes: dict[str, str], entries: list[Entry]) -> bytes:
    """Return the content of a tape as an input."""
    packer = Packer()
    for entry in entries:
        packer.put(entry)
    parts = [_NAMED + name.encode() + b"\n" + text.encode() for name, text in notes.items()]
    return _CUT.join([*parts, packer.block()])


def _closed(data: bytes, file: Path) -> None:
    """Write an input as the file of a tape."""
    if _CUT not in data:
        file.write_bytes(data)
        return
    writer = TapeWriter(file.open("wb", buffering=0))
    for part in data.split(_CUT):
        packer = Packer()
        if part.startswith(_NAMED):
            name, _, text = part.removeprefix(_NAMED).decode("utf-8", "surrogateescape").partition("\n")
            packer.put(Note(name, text))
        writer.write(packer.block() if part.startswith(_NAMED) else part)
    writer.close()


class _DamagedTapes:
    def __init__(self, folder: Path) -> None:
        self._tape = folder / "x.tape"

    def __call__(self, data: bytes) -> bool:
        _closed(data, self._tape)
        taken = False
        for words in _WORDS[data.count(b"0") % len(_WORDS)]:
            said, complained = io.StringIO(), io.StringIO()
            with redirect_stdout(said), redirect_stderr(complained):
                status = replay_command.main([*words, str(self._tape)], standalone_mode=False)
            told = said.getvalue() + complained.getvalue()
            if (status == UNREADABLE) != bool(complained.getvalue()):
                raise BrokenPromise(f"the status is {status}, and this is said: {told}")
            if not all(line.isprintable() for line in told.split("\n")):
                raise BrokenPromise(f"this goes to the terminal: {told!r}")
            taken |= status != UNREADABLE
        try:
            with self._tape.open("rb") as file:
                public_tape(Tape(file, "x.tape"), "x.tape")
        except BadTape as error:
            if "x.tape" not in str(error):
                raise BrokenPromise(f"the message does not say which file: {error}") from error
        return taken


@contextmanager
def _opened() -> Iterator[Try]:
    memory = Path("/dev/shm")  # noqa: S108 - a disk that is not worn out by this
    with (
        tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder,
        patch.object(tempfile, "tempdir", folder),
        patch.object(shipped_files, "load_ground", cache(shipped_files.load_ground)),
        patch.object(shipped_files, "load_edition", cache(shipped_files.load_edition)),
    ):
        yield _DamagedTapes(Path(folder))


def _seeds() -> Iterator[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        for public in (False, True):
            notes, entries, content = _recorded(Path(folder), public=public)
            yield _open(notes, entries)
    yield content


_TOLD = (
    *(b'"%s":' % name for name in (b"zone", b"inputs", b"lamps", b"keys", b"files", b"text", b"display", b"resume")),
    *(b'"%s": ' % name for name in (b"zone", b"inputs", b"lamps", b"keys", b"files", b"text", b"display", b"places")),
    b'{"game/x.toml": ""}', b'{"map/../x.toml": "x"}', b'[game]\\nrules = \\"/etc/x.toml\\"', b"[0, 0]", b"1e9",
    b"null", b"switches", b"handset", b"lamps", b"\\u0000", b"\\ud800", _CUT, _NAMED,
    *(_NAMED + name for name in (b"session\n", b"devices\n", b"journal\n", b"masks\n")),
)  # fmt: skip

TARGET = Target("tape", [*_seeds()], _TOLD, _opened)
