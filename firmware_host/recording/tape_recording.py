"""Record and replay a table's commands, and whether its journal could save each entry.

`tape_recorder` wraps devices, time and random numbers. This module adds the game that was in the journal at the start,
the success or failure of each entry, and each command. Each command is a note in a pass of its own.
"""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.journal.entries import seal_entry
from firmware_host.journal.journal import Journal, PlainEntry
from firmware_host.journal.sqlite_store import SqliteStore
from firmware_host.journal.store_port import MEMORY, JournalError, Row, Store, UnwritableJournal
from firmware_host.recording.tape import PUBLIC_KEYS, BadTape, Note
from firmware_host.recording.tape_recorder import DeviceFacts, Recorder
from firmware_host.recording.taped_players import PLAYERS, RecordedPlayers
from firmware_host.referee.scene import CoachMode
from firmware_host.rules.actions import from_record, to_record
from firmware_host.rules.errors import BadRecord
from firmware_host.system.files import read_small_file
from firmware_host.table.commands import (
    Choose,
    Command,
    CommandResult,
    Do,
    GiveUpGame,
    InvitePhone,
    PressKey,
    RollDice,
    SayPowerOffFailed,
    SetCoach,
    ShowAddress,
    ShowOwnerCode,
    StartGame,
    Touch,
    TrustSwitches,
    UndoMove,
)
from firmware_host.table.compose import RecordingHooks
from firmware_host.table.inputs import STUCK_SWITCHES_FILE
from firmware_host.table.player_maker import PlayerMaker
from firmware_host.ui.drawing.table_menu_screen import TableAddress
from firmware_host.ui.handset_page_kinds import LARGEST_CODE
from hardware.backend import Backend

_NEWER = "the tape has {} that this version does not know; replay it with the version that recorded it"


def recorded_store(store: Store, recorder: Recorder) -> Store:
    """Wrap a store so that this tape, and no earlier one, records whether each entry was saved."""
    return _RecordedStore(store.store if isinstance(store, _RecordedStore) else store, recorder)


class _RecordedStore:
    """A store that records whether each entry was saved. Implements `Store`."""

    def __init__(self, store: Store, recorder: Recorder) -> None:
        self.store, self._recorder = store, recorder

    @property
    def name(self) -> str:
        return self.store.name

    def rows(self, first: int = 0, last: int | None = None) -> Iterator[Row]:
        return self.store.rows(first, last)

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        try:
            self.store.submit(rows, instead)
        except JournalError as error:
            self._recorder.written(str(error))
            raise

    def poll(self) -> bool:
        try:
            done = self.store.poll()
        except JournalError as error:
            self._recorder.written(str(error))
            raise
        self._recorder.written("" if done else None)
        return done

    def wait(self) -> None:
        self.store.wait()

    def close(self) -> None:
        self.store.close()


class _PlayedStore:
    """A store in memory that fails and succeeds as in the recording. Implements `Store`.

    Args:
        store: holds the entries during the replay.
        name: the file's path that the journal reports, although there is no such file.
        written: returns at each call why the entry failed; "" if it was saved, None if it is in progress.
    """

    def __init__(self, store: Store, name: str, written: Callable[[], str | None]) -> None:
        self.name = name
        self._store, self._written = store, written
        self._submitted: tuple[Sequence[Row], Row | None] = ((), None)

    def rows(self, first: int = 0, last: int | None = None) -> Iterator[Row]:
        return self._store.rows(first, last)

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        self._submitted = rows, instead

    def poll(self) -> bool:
        trouble = self._written()
        if trouble:
            raise UnwritableJournal(trouble)
        if trouble is None:
            return False
        self._store.submit(*self._submitted)
        return True

    def wait(self) -> None:
        pass

    def close(self) -> None:
        self._store.close()


def played_journal(
    newest: Iterable[PlainEntry], masks: str, folder: Path, written: Callable[[], str | None]
) -> Journal:
    """Return a journal with the game and the stuck switches that the session started with.

    Args:
        newest: the entries of the newest game.
        masks: the saved file of stuck switches; "" if there was none.
        folder: an empty folder for that file.
        written: returns whether each entry was saved; see `_PlayedStore`.

    Raises:
        JournalError, ValueError: the entries are not a game.
    """
    if masks:
        (folder / STUCK_SWITCHES_FILE).write_text(masks, encoding="utf-8")
    rows: list[Row] = []
    seal = ""
    for number, (at, kind, text) in enumerate(newest, 1):
        seal = seal_entry(seal, number, at, kind, text)
        rows.append((number, at, kind, text, seal))
    store = SqliteStore.open(MEMORY)
    store.submit(rows)
    return Journal(_PlayedStore(store, str(folder / "journal.sqlite"), written))


JOURNAL, MASKS, DEVICES = "journal", "masks", "devices"
"""Names of notes: the newest game, the file of stuck switches, the devices' constant properties."""


class TapeRecording(RecordingHooks):
    """The recorder of one table, on one tape."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def journal(self, journal: Journal) -> Journal:
        """Record the table's journal from now on, and return it.

        Its newest game and the file of stuck switches are put on the tape first.
        """
        self._recorder.note(JOURNAL, json.dumps(journal.newest_entries()))
        if journal.name != MEMORY:
            with contextlib.suppress(OSError, ValueError):  # an unreadable file does not count for the table either
                kept = read_small_file(Path(journal.name).with_name(STUCK_SWITCHES_FILE))
                self._recorder.note(MASKS, kept.decode())
        self.take_over_journal(journal)
        return journal

    def take_over_journal(self, journal: Journal) -> None:
        """Take over recording the journal from the previous tape."""
        journal.store = recorded_store(journal.store, self._recorder)

    def commands(self, do: Do) -> Do:
        """Wrap the function that carries out commands. Each command starts a pass, with a note on the tape.

        A command within a pass follows from what that pass has recorded already, and has no note.
        """

        def recorded(command: Command) -> CommandResult:
            if self._recorder.in_pass:
                return do(command)
            if isinstance(command, StartGame) and command.rng is not None:
                command = replace(command, rng=self._recorder.rng(command.rng))
            with self._recorder.one_pass():
                self._recorder.put(note_of(command))
                return do(command)

        return recorded

    def backend(self, backend: Backend) -> Backend:
        """Return the table's devices, wrapped for recording."""
        self._recorder.note(DEVICES, json.dumps(asdict(DeviceFacts.of(backend))))
        return self._recorder.backend(backend)

    def rng(self, rng: random.Random) -> random.Random:
        """Return the table's rng, wrapped for recording."""
        return self._recorder.rng(rng)

    def players(self, players: PlayerMaker) -> PlayerMaker:
        """Return the source of computer players, wrapped so that their answers are recorded."""
        self._recorder.note(PLAYERS, "1")
        return RecordedPlayers(players, lambda name, text: self._recorder.put(Note(name, text)))

    def wall_clock(self, wall_clock: Callable[[], float]) -> Callable[[], float]:
        """Return the table's wall clock, wrapped for recording."""
        return self._recorder.wall_clock(wall_clock)

    def step(self, step: Callable[[], None]) -> Callable[[], None]:
        """Return the function for one pass of the table, wrapped for recording."""
        return self._recorder.step(step)


# ---- commands as notes ----


@dataclass(frozen=True, slots=True)
class _Kind:
    """The note for one kind of command: its name, and how its text is written and read."""

    name: str
    write: Callable[[Any], str]
    read: Callable[[str], Command]


def note_of(command: Command) -> Note:
    """Return the note that stands for a command on the tape."""
    kind = _KINDS[type(command)]
    return Note(kind.name, kind.write(command))


def read_command(read_note: Callable[[str], str | None]) -> Command | None:
    """Return the command in the note that starts a pass, or None if there is no such note.

    Args:
        read_note: returns the text of the next note if it has this name, else None.

    Raises:
        BadTape: this version cannot read the command in the note.
    """
    for kind in _KINDS.values():
        text = read_note(kind.name)
        if text is not None:
            return kind.read(text)
    return None


def _write_new_game(command: StartGame) -> str:
    return json.dumps({name: getattr(command, name) for name in _WISHES})


def _read_new_game(text: str) -> StartGame:
    wish = _read_json(text)
    if not isinstance(wish, dict) or not wish.keys() <= _WISHES:
        raise BadTape(_NEWER.format("a way to begin a game"))
    return StartGame(**wish)


def _read_choice(text: str) -> Choose:
    record = _read_json(text)
    try:
        return Choose(from_record(record if isinstance(record, dict) else {}))
    except BadRecord:
        raise BadTape(_NEWER.format("a choice")) from None


def _read_invitation(text: str) -> InvitePhone:
    return InvitePhone(_read_code(_read_json(text)))


def _read_code(rows: object) -> tuple[str, ...]:
    if not (isinstance(rows, list) and len(rows) <= LARGEST_CODE and all(_is_row(row, len(rows)) for row in rows)):
        raise BadTape(f"a QR code on the tape is not a square of 0 and 1 with at most {LARGEST_CODE} rows")
    return tuple(rows)


def _is_row(row: object, width: int) -> bool:
    return isinstance(row, str) and len(row) == width and set(row) <= {"0", "1"}


def _read_key(text: str) -> PressKey:
    if text not in KEYS or not text.startswith(PUBLIC_KEYS):
        raise BadTape(_NEWER.format("a key of the owner's page"))
    return PressKey(text)


def _read_address(text: str) -> ShowAddress:
    match _read_json(text):
        case None if text == "null":
            return ShowAddress(None)
        case {"url": str(url), "name": str(name), "code": code, "has_owner": bool(owner)}:
            return ShowAddress(TableAddress(url, name, _read_code(code), owner))
    raise BadTape(_NEWER.format("an address of the table's pages"))


def _read_coach(text: str) -> SetCoach:
    try:
        return SetCoach(CoachMode(text))
    except ValueError:
        raise BadTape(_NEWER.format("a setting of the coach")) from None


def _read_json(text: str) -> object:
    """Return the value of a note's JSON text, or None if the text is not valid JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


_WISHES = {field.name for field in fields(StartGame)} - {"rng"}

_KINDS: Mapping[type[Command], _Kind] = {
    StartGame: _Kind("new_game", _write_new_game, _read_new_game),
    Choose: _Kind("choice", lambda choose: json.dumps(to_record(choose.action)), _read_choice),
    InvitePhone: _Kind("invitation", lambda invite: json.dumps(invite.code), _read_invitation),
    ShowAddress: _Kind(
        "address", lambda show: json.dumps(None if show.address is None else asdict(show.address)), _read_address
    ),
    ShowOwnerCode: _Kind("owner_code", lambda show: show.code, ShowOwnerCode),
    SayPowerOffFailed: _Kind("power_off_failed", lambda _: "1", lambda _: SayPowerOffFailed()),
    UndoMove: _Kind("take_back", lambda _: "1", lambda _: UndoMove()),
    RollDice: _Kind("roll", lambda _: "1", lambda _: RollDice()),
    GiveUpGame: _Kind("give_up", lambda _: "1", lambda _: GiveUpGame()),
    SetCoach: _Kind("coach", lambda coach: coach.mode.value, _read_coach),
    TrustSwitches: _Kind("trust", lambda trust: str(int(trust.trusted)), lambda text: TrustSwitches(text == "1")),
    PressKey: _Kind("key", lambda press: press.key, _read_key),
    Touch: _Kind("touch", lambda _: "1", lambda _: Touch()),
}
"""All commands, each with its note."""
