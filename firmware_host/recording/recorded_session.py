"""Record a table's session on a tape, with all that is needed to build the same table again."""

from __future__ import annotations

import json
import logging
import os
import platform
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import Any

import tomlkit

from firmware_host import __version__
from firmware_host.config.loader import Config, load, parse, state_folder, with_rules
from firmware_host.config.toml_file import contents, toml
from firmware_host.journal.journal import Journal, PlainEntry
from firmware_host.journal.store_port import JournalError
from firmware_host.recording.tape import BadTape, TapeError
from firmware_host.recording.tape_file import Tape, TapeWriter, create
from firmware_host.recording.tape_player import TapePlayer
from firmware_host.recording.tape_recorder import DeviceFacts, Recorder
from firmware_host.recording.tape_recording import DEVICES, JOURNAL, MASKS, TapeRecording, played_journal
from firmware_host.system.event_log import log_fields
from firmware_host.table.compose import RecordingHooks

log = logging.getLogger("yardboard")


SESSION = "session"
"""The name of the note that contains the session."""

_NAMED = (("game", "rules"), ("map", "name"))
"""The configuration keys that may name the user's own game files."""

_DAY = 24 * 3600  # seconds; no time zone is further from Greenwich
_MOST = 10_000  # inputs, lamps, or pixels per side of a panel: more than any table needs
_LONGEST = 255  # bytes of a file's name
_OWN = re.compile(r"(game|map)/[^/]+\.toml")
"""The names of the user's own game files on a tape."""

_UNREADABLE = (ArithmeticError, AttributeError, KeyError, RecursionError, TypeError, ValueError)
"""The exceptions that a malformed note raises."""

_ANOTHER = "replay it with the yardboard that recorded it, or use another tape"
_LACKS = f"{{}}: lacks {{}}, or is from a newer yardboard; {_ANOTHER}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The facts on a tape about its session: the versions, the start and the configuration.

    Attributes:
        software: the version of yardboard that ran the session.
        python: the version of Python that ran the session.
        began: when the session began: day, time and time zone.
        zone: the time zone's seconds east of Greenwich.
        resume: whether a game in the journal was resumed.
        public: whether everything secret has been removed.
        by_page: whether games start from a page only, never automatically.
        source: the name of the configuration file.
        text: the configuration's text; the paths of the user's own rules and map are replaced by keys of `files`.
        files: the texts of those files, by name.
        rules: the rules that the simulator plays instead of those of the configuration; "" for none.
    """

    software: str
    python: str
    began: str
    zone: int
    resume: bool
    public: bool = False
    by_page: bool = False
    source: str
    text: str
    files: Mapping[str, str]
    rules: str = ""

    def note(self) -> str:
        """Return the session as a note for a tape."""
        return json.dumps(asdict(self), sort_keys=True)

    def config(self) -> Config:
        """Return the session's configuration, parsed.

        Raises:
            ConfigError: this version cannot use it.
            BadTape: the session names files that are not on the tape, or that would be outside its own folder.
        """
        self._refuse_other_folders()
        with tempfile.TemporaryDirectory(prefix="yardboard-") as folder:
            for name, text in self.files.items():
                path = Path(folder, name)
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
            # The answers of the programs are on the tape.
            config = parse(self.text, self.source, folder=Path(folder), find_programs=False)
            return with_rules(config, self.rules) if self.rules else config

    def _refuse_other_folders(self) -> None:
        """Refuse a session whose configuration names files elsewhere, because a stranger may have made the tape.

        Raises:
            BadTape: the configuration names such a file.
            ConfigError: the configuration is not valid TOML.
        """
        for name in self.files:
            if not _OWN.fullmatch(name) or not name.isprintable() or len(name.encode()) > _LONGEST:
                raise BadTape(_ELSEWHERE.format(name))
        document = toml(self.text, self.source)
        rules, ground = (_entry(document, section, key) for section, key in _NAMED)
        if rules in self.files and not ground:
            ground = str(toml(self.files[rules], rules).get("map"))
        for name in (rules, ground, self.rules):
            if name.endswith(".toml") and name not in self.files:
                raise BadTape(_ELSEWHERE.format(name))


_ELSEWHERE = "the tape's configuration names {!r}, which is not on the tape; only files beside the configuration can be"
"""The error text for a file that the tape names and must not name."""


def session_of(config: Config, *, resume: bool, now: float, by_page: bool = False) -> Session:
    """Describe the session that begins at `now` (Unix time), from the file of its configuration.

    Raises:
        ConfigError: a file of the configuration can no longer be read, or is no longer valid.
    """
    here, own = time.localtime(now), load(config.source)
    text, files = config_with_files(own)
    return Session(
        software=__version__,
        python=platform.python_version(),
        began=time.strftime("%Y-%m-%d %H:%M:%S %z", here),
        zone=here.tm_gmtoff,
        resume=resume,
        by_page=by_page,
        source=Path(config.source).name,
        text=text,
        files=files,
        rules="" if config.game.rules == own.game.rules else config.game.rules,
    )


def config_with_files(config: Config) -> tuple[str, dict[str, str]]:
    """Return the text of a configuration's file, and the user's files that it names, by name."""
    text, files = contents(Path(config.source)), {}
    document = tomlkit.parse(text)
    for section, key, wanted in (
        ("game", "rules", config.game.rules),
        ("map", "name", config.map.name or config.edition.map),
    ):
        if wanted.endswith(".toml"):
            name = f"{section}/{Path(wanted).name}"
            files[name] = contents(config.folder / wanted)
            document.setdefault(section, tomlkit.table())[key] = name
    return (tomlkit.dumps(document) if files else text), files


def read_session(tape: Tape, name: str) -> Session:
    """Return the session on a tape. `name` is the tape's file name, for messages.

    Raises:
        BadTape: the tape has no session that this version can read.
    """
    try:
        session = Session(**json.loads(tape.notes[SESSION]))
        return replace(
            session,
            zone=_checked_number(session.zone, -_DAY, _DAY),
            source=str(session.source),
            began=str(session.began),
            software=str(session.software),
            text=_checked_text(session.text),
            rules=str(session.rules),
            files={name: _checked_text(text) for name, text in session.files.items()},
        )
    except _UNREADABLE:
        raise BadTape(_LACKS.format(name, "a description of its table")) from None


def device_facts(tape: Tape, name: str) -> DeviceFacts:
    """Return the constant properties of the session's devices, from its tape.

    Raises:
        BadTape: the tape does not contain them.
    """
    try:
        given: dict[str, Any] = json.loads(tape.notes[DEVICES])
        return DeviceFacts(
            inputs=_checked_number(given["inputs"], 0, _MOST),
            places={int(number): str(place) for number, place in given["places"].items()},
            lamps=_checked_number(given["lamps"], 0, _MOST),
            keys=tuple(map(str, given["keys"])),
            handset=_panel_size(given["handset"]),
            display=None if given["display"] is None else _panel_size(given["display"]),
            power=bool(given.get("power", False)),  # missing on older tapes
        )
    except _UNREADABLE:
        raise BadTape(_LACKS.format(name, "a description of its table's devices")) from None


def _checked_number(given: Any, least: int, most: int) -> int:
    if least <= int(given) <= most:
        return int(given)
    raise ValueError(f"{given} must be from {least} to {most}")


def _checked_text(given: Any) -> str:
    """Return a text after checking that it can be written to a file."""
    return str(given).encode().decode()


def _entry(document: Mapping[str, Any], section: str, key: str) -> str:
    found = document.get(section)
    return str(found.get(key, "")) if isinstance(found, Mapping) else ""


def _panel_size(given: Any) -> tuple[int, int]:
    width, height = given
    return _checked_number(width, 1, _MOST), _checked_number(height, 1, _MOST)


def _newest_game(tape: Tape, name: str) -> list[PlainEntry]:
    """Return the newest game's journal entries when the session began, from its tape.

    Raises:
        BadTape: the tape does not contain them.
    """
    try:
        return [(float(at), str(kind), str(text)) for at, kind, text in json.loads(tape.notes[JOURNAL])]
    except _UNREADABLE:
        raise BadTape(_LACKS.format(name, "its table's game")) from None


@contextmanager
def journal_for(tape: Tape, name: str, player: TapePlayer) -> Iterator[Journal]:
    """Create the journal that the session's table had at its start.

    Raises:
        BadTape: the tape lacks the journal's entries, or these cannot be replayed.
    """
    newest, masks = _newest_game(tape, name), tape.notes.get(MASKS, "")
    with tempfile.TemporaryDirectory(prefix="yardboard-") as folder:
        try:
            journal = played_journal(newest, masks, Path(folder), player.written)
        except (*_UNREADABLE, JournalError):
            raise BadTape(f"{name}: its table's game cannot be replayed; {_ANOTHER}") from None
        with journal:
            yield journal


@contextmanager
def in_time_zone(seconds: int) -> Iterator[None]:
    """Set the process's local time zone, in seconds east of Greenwich, during the `with` block."""
    before = os.environ.get("TZ")
    hours, rest = divmod(abs(seconds), 3600)
    sign = "-" if seconds >= 0 else "+"  # POSIX counts westwards
    _set_zone(f"<ontape>{sign}{hours}:{rest // 60:02}")
    try:
        yield
    finally:
        _set_zone(before)


def _set_zone(zone: str | None) -> None:
    if zone is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = zone
    time.tzset()


_SECRET = "Recording to {}. It holds Mister X's secrets: pass on the file of `yardboard report`, not this one."  # noqa: S105


@contextmanager
def recording(
    config: Config, path: Path | None, *, resume: bool, stamp: str, say: Callable[[str], None]
) -> Iterator[RecordingHooks]:
    """Record a running table during the `with` block. If the table never runs, delete the tape.

    If the default tape cannot be created, the log says so and the table runs without a tape: the game matters more than
    its recording.

    Args:
        config: the table's configuration, from a file.
        path: the tape; by default named by `stamp`, in the folder tapes beside the other persistent files.
        resume: whether a game in the journal is resumed.
        stamp: the day and time.
        say: called with a line that names the tape.

    Raises:
        ConfigError: a file of the configuration can no longer be read or used, or there is no folder for the tape.
        TapeError: the requested tape exists already or cannot be created.
    """
    place, session = path or _unused(_default_tape(stamp)), session_of(config, resume=resume, now=time.time())
    recorder = _begin_tape(place, session, asked_for=path is not None, say=say)
    if recorder is None:
        yield RecordingHooks()
        return
    try:
        yield TapeRecording(recorder)
    finally:
        _end_tape(recorder, place)


class Tapes(RecordingHooks):
    """The tapes of a simulated table: one for each start of the program, each power-on and each new table.

    Args:
        path: the first tape; by default named by `stamp`, in the folder tapes beside the other persistent files. Later
            ones have a number in their names.
        stamp: the day and time.
        say: called with a line that names each tape.

    Raises:
        ConfigError: there is no folder for the tape.
    """

    def __init__(self, path: Path | None, stamp: str, say: Callable[[str], None]) -> None:
        self._first = path or _default_tape(stamp)
        self._asked_for = path is not None
        self._say = say
        self._count = 0

    def begin(self, config: Config, *, resume: bool) -> RecordingHooks:
        """Begin another tape for this start of the table.

        Raises:
            ConfigError: a file of the configuration can no longer be read, or is no longer valid.
            TapeError: the first tape was requested by name and exists already or cannot be created.
        """
        self._count += 1
        number = "" if self._count == 1 else f"-{self._count}"
        place = self._first.with_stem(f"{self._first.stem}{number}")
        is_named = self._asked_for and self._count == 1
        place = place if is_named else _unused(place)
        session = session_of(config, resume=resume, now=time.time(), by_page=True)
        recorder = _begin_tape(place, session, asked_for=is_named, say=self._say)
        return RecordingHooks() if recorder is None else _OneTape(recorder, place)


class _OneTape(TapeRecording):
    """The recording of one run of a table, on a tape of its own."""

    def __init__(self, recorder: Recorder, place: Path) -> None:
        super().__init__(recorder)
        self._own, self._place = recorder, place

    def stop(self) -> None:
        _end_tape(self._own, self._place)

    def discard(self) -> None:
        self._own.stop()
        self._place.unlink(missing_ok=True)


def _default_tape(stamp: str) -> Path:
    return state_folder() / "tapes" / f"{stamp}.tape"


def _unused(place: Path) -> Path:
    """Return the path, with a number in the name if it exists: the clock of a Pi without network repeats times."""
    numbered = (place.with_stem(f"{place.stem}-{number}") for number in count(2))
    return next(path for path in chain([place], numbered) if not os.path.lexists(path))


def _begin_tape(place: Path, session: Session, *, asked_for: bool, say: Callable[[str], None]) -> Recorder | None:
    """Begin a new tape with its session. If that fails, return None, or raise if the user named the tape."""
    try:
        writer = TapeWriter(create(place))
    except TapeError as error:
        if asked_for:
            raise
        log.warning("The table is not recorded: %s", error, extra=log_fields("tape"))
        return None
    recorder = Recorder(writer, lambda why: log.error("%s: %s", place, why, extra=log_fields("tape")))
    recorder.note(SESSION, session.note())
    say(_SECRET.format(place))
    return recorder


def _end_tape(recorder: Recorder, place: Path) -> None:
    """End a tape. If the table never ran, delete it."""
    recorder.stop()
    if not recorder.begun:
        place.unlink(missing_ok=True)
