"""Record what comes to a table from outside: devices, time, chance, commands, players, coach, journal.

Devices, time and chance are wrapped on the wire side (`hardware.recording.tape_recorder`). What is added here is the
journal's newest game, which belongs to the session, and each command, as the note of a pass of its own; how each entry
fares is told by `taped_journal`.
"""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import MEMORY
from firmware_host.referee.scene import CoachMode
from firmware_host.rules.actions import from_record, to_record
from firmware_host.rules.errors import BadRecord
from firmware_host.system import safe_read
from firmware_host.table import stuck_switch_file
from firmware_host.table.commands import (
    Choose,
    Command,
    CommandResult,
    Do,
    GiveUpGame,
    InvitePhone,
    RollDice,
    SetCoach,
    StartGame,
    Touch,
    TrustSwitches,
    UndoMove,
)
from firmware_host.table.player_maker import PlayerMaker
from firmware_host.table.recording_port import Recording
from firmware_host.table.taped_journal import recorded_store
from firmware_host.table.taped_players import PLAYERS, RecordedPlayers
from firmware_host.ui.handset_page_kinds import LARGEST_CODE
from hardware.backend import Backend
from hardware.recording.tape import BadTape, Note
from hardware.recording.tape_recorder import Recorder
from hardware.recording.taped_device import DeviceFacts

JOURNAL, MASKS, DEVICES = "journal", "masks", "devices"
"""Notes of a tape: the newest game, the file with the switches out of order, what does not change in the devices."""


class TapeRecording(Recording):
    """Record a table on a tape."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def journal(self, journal: Journal) -> Journal:
        """Return the journal for the table, recorded; what is on the tape of it is its newest game."""
        self._recorder.note(JOURNAL, json.dumps(journal.newest_entries()))
        if journal.name != MEMORY:
            with contextlib.suppress(OSError, ValueError):  # whoever reads it for the table does without it then, too
                kept = safe_read.read_small_file(Path(journal.name).with_name(stuck_switch_file.NAME))
                self._recorder.note(MASKS, kept.decode())
        self.listen(journal)
        return journal

    def listen(self, journal: Journal) -> None:
        """Tell here from now on how the entries of a journal fare that another tape of the table had before."""
        journal.store = recorded_store(journal.store, self._recorder)

    def door(self, do: Do) -> Do:
        """Return the door to the table, recorded: each command is a pass of its own, which begins with its note.

        A command that is given within a pass follows from what that pass has recorded already, and has no note.
        """

        def recorded(command: Command) -> CommandResult:
            if self._recorder.in_pass:
                return do(command)
            if isinstance(command, StartGame) and command.chance is not None:
                command = replace(command, chance=self._recorder.chance(command.chance))
            with self._recorder.one_pass():
                self._recorder.put(note_of(command))
                return do(command)

        return recorded

    def backend(self, backend: Backend) -> Backend:
        """Return the devices for the table, recorded."""
        self._recorder.note(DEVICES, json.dumps(asdict(DeviceFacts.of(backend))))
        return self._recorder.backend(backend)

    def chance(self, chance: random.Random) -> random.Random:
        """Return the chance for the table, recorded."""
        return self._recorder.chance(chance)

    def players(self, players: PlayerMaker) -> PlayerMaker:
        """Return where the table's computer players come from, with their answers recorded."""
        self._recorder.note(PLAYERS, "1")
        return RecordedPlayers(players, lambda name, text: self._recorder.put(Note(name, text)))

    def wall(self, wall: Callable[[], float]) -> Callable[[], float]:
        """Return the wall clock for the table, recorded."""
        return self._recorder.wall(wall)

    def step(self, step: Callable[[], None]) -> Callable[[], None]:
        """Return the pass for the table, recorded."""
        return self._recorder.step(step)


# ---- commands as notes ----


@dataclass(frozen=True, slots=True)
class _Kind:
    """How one kind of command is a note: its name, and how its text is written and read."""

    name: str
    write: Callable[[Any], str]
    read: Callable[[str], Command]


def note_of(command: Command) -> Note:
    """Return the note that begins the pass of a command."""
    kind = _KINDS[type(command)]
    return Note(kind.name, kind.write(command))


def read_command(read_note: Callable[[str], str | None]) -> Command | None:
    """Read the command that begins a pass; None if none does.

    Args:
        read_note: returns the text of the next note if it has this name, else None.

    Raises:
        BadTape: it is no command that this version knows.
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
        raise BadTape("a game was begun in a way that this version does not know")
    return StartGame(**wish)


def _read_choice(text: str) -> Choose:
    record = _read_json(text)
    try:
        return Choose(from_record(record if isinstance(record, dict) else {}))
    except BadRecord:
        raise BadTape("a choice was made in a way that this version does not know") from None


def _read_invitation(text: str) -> InvitePhone:
    rows = _read_json(text)
    if not (isinstance(rows, list) and len(rows) <= LARGEST_CODE and all(_is_row(row, len(rows)) for row in rows)):
        raise BadTape(f"the code for Mister X's phone is no square of 0 and 1 with at most {LARGEST_CODE} rows")
    return InvitePhone(tuple(rows))


def _is_row(row: object, width: int) -> bool:
    return isinstance(row, str) and len(row) == width and set(row) <= {"0", "1"}


def _read_coach(text: str) -> SetCoach:
    try:
        return SetCoach(CoachMode(text))
    except ValueError:
        raise BadTape("the coach was told something that this version does not know") from None


def _read_json(text: str) -> object:
    """Return a note's value; None if it is not valid JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


_WISHES = {field.name for field in fields(StartGame)} - {"chance"}

_KINDS: Mapping[type[Command], _Kind] = {
    StartGame: _Kind("new_game", _write_new_game, _read_new_game),
    Choose: _Kind("choice", lambda choose: json.dumps(to_record(choose.action)), _read_choice),
    InvitePhone: _Kind("invitation", lambda invite: json.dumps(invite.code), _read_invitation),
    UndoMove: _Kind("take_back", lambda _: "1", lambda _: UndoMove()),
    RollDice: _Kind("roll", lambda _: "1", lambda _: RollDice()),
    GiveUpGame: _Kind("give_up", lambda _: "1", lambda _: GiveUpGame()),
    SetCoach: _Kind("coach", lambda coach: coach.mode.value, _read_coach),
    TrustSwitches: _Kind("trust", lambda trust: str(int(trust.sure)), lambda text: TrustSwitches(text == "1")),
    Touch: _Kind("touch", lambda _: "1", lambda _: Touch()),
}
"""All commands, each with its note."""
