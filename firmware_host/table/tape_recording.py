"""Record what comes to a table from outside: devices, time, chance, players, coach, journal.

Devices, time and chance are wrapped on the wire side (`hardware.recording.tape_recorder`). What is added here is the
journal's newest game, which belongs to the session; how each entry fares is told by `taped_journal`.
"""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import MEMORY
from firmware_host.referee.scene import CoachMode
from firmware_host.rules.actions import Action, to_record
from firmware_host.system import safe_read
from firmware_host.table import stuck_switch_file
from firmware_host.table.player_maker import PlayerMaker
from firmware_host.table.recording_port import Recording
from firmware_host.table.taped_journal import recorded_store
from firmware_host.table.taped_players import PLAYERS, RecordedPlayers
from hardware.backend import Backend
from hardware.recording.tape import Note
from hardware.recording.tape_recorder import Recorder
from hardware.recording.taped_device import DeviceFacts

JOURNAL, MASKS, DEVICES = "journal", "masks", "devices"
"""Notes of a tape: the newest game, the file with the switches out of order, what does not change in the devices."""

NEW_GAME = "new_game"
"""The note that begins a pass in which a game was begun by no device: what was wanted of it, as JSON."""

CHOICE = "choice"
"""The note that begins a pass in which Mister X chose by no device: his action, as JSON."""

INVITATION = "invitation"
"""The note that begins a pass in which the handset is given the code for Mister X's phone: its rows, as JSON."""

TAKE_BACK = "take_back"
"""The note that begins a pass in which somebody takes a move back by no device."""

COACH = "coach"
"""The note of a pass in which somebody says from a page how much the coach is to tell."""

TRUST = "trust"
"""The note of a pass in which simulated hands say whether they are sure of the switches: "1", or "0"."""

TOUCH = "touch"
"""The note of a pass in which somebody does something on a page that no device senses."""


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

    def new_game(self, begin: Callable[..., None]) -> Callable[..., None]:
        """Return what begins a game by no device, recorded: a pass of its own, which says what was wanted."""

        def recorded(*, chance: random.Random, **wanted: Any) -> None:
            self._one_pass(Note(NEW_GAME, json.dumps(wanted)), lambda: begin(**wanted, chance=chance))

        return recorded

    def choose(self, choose: Callable[[Action], None]) -> Callable[[Action], None]:
        """Return what makes a choice of Mister X's by no device, recorded: a pass of its own, which tells it."""
        return lambda action: self._one_pass(Note(CHOICE, json.dumps(to_record(action))), lambda: choose(action))

    def invite(self, invite: Callable[[tuple[str, ...]], None]) -> Callable[[tuple[str, ...]], None]:
        """Return what offers the code for Mister X's phone, recorded: a pass of its own, which tells it."""
        return lambda code: self._one_pass(Note(INVITATION, json.dumps(code)), lambda: invite(code))

    def take_back(self, take_back: Callable[[], None]) -> Callable[[], None]:
        """Return what takes a move back by no device, recorded: a pass of its own."""
        return lambda: self._one_pass(Note(TAKE_BACK, "1"), take_back)

    def coach(self, coach: Callable[[CoachMode], None]) -> Callable[[CoachMode], None]:
        """Return what says how much the coach is to tell, recorded: a pass of its own, which tells it."""
        return lambda tells: self._one_pass(Note(COACH, tells.value), lambda: coach(tells))

    def trust_switches(self, trust: Callable[..., None]) -> Callable[..., None]:
        """Return what says whether the switches are trusted, recorded: a pass of its own, which says it."""
        return lambda *, sure: self._one_pass(Note(TRUST, str(int(sure))), lambda: trust(sure=sure))

    def touch(self, touch: Callable[[], None]) -> Callable[[], None]:
        """Return what notes that somebody does something on a page, recorded: a pass of its own."""
        return lambda: self._one_pass(Note(TOUCH, "1"), touch)

    def _one_pass(self, note: Note, do: Callable[[], None]) -> None:
        """Do something in a pass that begins with a note."""

        def noted() -> None:
            self._recorder.put(note)
            do()

        self._recorder.step(noted)()

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
