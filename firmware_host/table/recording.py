"""Where a table can be recorded: what stands between the daemon and everything that it does not work out by itself.

Devices, time and chance are wrapped on the wire side (`hardware.recording.tape_recorder`). What is added here is the
journal: the newest game in it belongs to the session, and so does whether each entry could be made durable.
"""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from firmware_host.config.loader import Config
from firmware_host.journal.journal import Journal
from firmware_host.journal.sqlite_store import MEMORY, JournalError, UnwritableJournal
from firmware_host.system import safe_read
from firmware_host.table import stuck_switch_file
from hardware.backend import Backend
from hardware.ports import BadDevice, Switches
from hardware.recording.tape import Note
from hardware.recording.tape_recorder import Recorder

JOURNAL, MASKS, DEVICES = "journal", "masks", "devices"
"""Notes of a tape: the newest game, the file with the switches out of order, what does not change in the devices."""

NEW_GAME = "new_game"
"""The note that begins a pass in which a game was begun by no device: what was wanted of it, as JSON."""

Told = tuple[float, str, str]
"""An entry of a journal: when (Unix epoch), of which kind and what, as JSON text."""


class Untaped:
    """A table that is not recorded: everything stays as it is."""

    def begin(self, config: Config, *, resume: bool) -> Untaped:  # noqa: ARG002 - whoever makes tapes needs them
        """What records the table from a start on; whether that goes on with the game in the journal."""
        return self

    def stop(self) -> None:
        """The table is over, or starts anew."""

    def discard(self) -> None:
        """The table was not begun after all."""

    def journal(self, path: Path | str, keep_games: int | None = None) -> Journal:
        """The table's journal, opened; see `Journal.open`."""
        return Journal.open(path, keep_games=keep_games)

    def listen(self, journal: Journal) -> None:
        """The table's journal, opened before: whether each entry can be made durable is told from now on."""

    def new_game(self, begin: Callable[..., None]) -> Callable[..., None]:
        """What begins a game by no device, such as from a page; it takes what is wanted of it by name."""
        return begin

    def backend(self, backend: Backend) -> Backend:
        """The devices that the daemon gets."""
        return backend

    def chance(self, chance: random.Random) -> random.Random:
        """The chance that it gets."""
        return chance

    def wall(self, wall: Callable[[], float]) -> Callable[[], float]:
        """The wall clock that it gets."""
        return wall

    def step(self, step: Callable[[], None]) -> Callable[[], None]:
        """The pass that is made."""
        return step


class Taped(Untaped):
    """A table that is recorded."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def journal(self, path: Path | str, keep_games: int | None = None) -> Journal:
        """The table's journal, opened; what is on the tape of it is its newest game."""
        journal = _TapedJournal.open(path, keep_games=keep_games)
        self.listen(journal)
        self._recorder.note(JOURNAL, json.dumps(journal.newest_entries()))
        with contextlib.suppress(OSError, ValueError):  # whoever reads it for the table does without it then, too
            self._recorder.note(MASKS, safe_read.content(Path(path).with_name(stuck_switch_file.NAME)).decode())
        return journal

    def listen(self, journal: Journal) -> None:
        """The table's journal, opened by this or by another tape of the table; it tells this one from now on."""
        if isinstance(journal, _TapedJournal):
            journal.tell = self._recorder.written

    def new_game(self, begin: Callable[..., None]) -> Callable[..., None]:
        """What begins a game by no device, recorded: a pass of its own, which says what was wanted."""

        def recorded(*, chance: random.Random, **wanted: Any) -> None:
            def one_pass() -> None:
                self._recorder.put(Note(NEW_GAME, json.dumps(wanted)))
                begin(**wanted, chance=chance)

            self._recorder.step(one_pass)()

        return recorded

    def backend(self, backend: Backend) -> Backend:
        """The devices that the daemon gets, recorded."""
        display, switches = backend.display, backend.switches
        facts = {
            "inputs": switches.count,
            "places": _places(switches),
            "lamps": backend.lamps.count,
            "keys": backend.keys.names,
            "handset": backend.handset.size,
            "display": None if display is None else display.size,
            "power": backend.power is not None,
        }
        self._recorder.note(DEVICES, json.dumps(facts))
        return self._recorder.backend(backend)

    def chance(self, chance: random.Random) -> random.Random:
        """The chance that it gets, recorded."""
        return self._recorder.chance(chance)

    def wall(self, wall: Callable[[], float]) -> Callable[[], float]:
        """The wall clock that it gets, recorded."""
        return self._recorder.wall(wall)

    def step(self, step: Callable[[], None]) -> Callable[[], None]:
        """The pass that is made, recorded."""
        return self._recorder.step(step)


def _places(switches: Switches) -> dict[int, str]:
    """Where a human finds each input that there is: of GPIOs not every number is one."""
    places = {}
    for number in range(switches.count):
        with contextlib.suppress(BadDevice):
            places[number] = switches.place(number)
    return places


class _TapedJournal(Journal):
    tell: Callable[[str], None]
    """Told of each entry why it could not be made durable, or ""."""

    def newest_entries(self) -> tuple[Told, ...]:
        """The newest game, finished, given up or in play; nothing if there never was one."""
        return self._entries(self._begun[-1][0], self._seq) if self._begun else ()

    def _append(
        self, at: float, entries: Sequence[tuple[str, Mapping[str, Any]]], oldest: tuple[int, str] | None = None
    ) -> None:
        try:
            super()._append(at, entries, oldest)
        except JournalError as error:
            self.tell(str(error))
            raise
        self.tell("")


class PlayedJournal(Journal):
    """The journal of a session that is played back, in memory: what could not be made durable then, cannot now.

    Attributes:
        trouble: asked for each entry why it could not be made durable; gives "" if it could.
    """

    trouble: Callable[[], str]

    @classmethod
    def of(cls, newest: Iterable[Told], masks: str, folder: Path, trouble: Callable[[], str]) -> Self:
        """The journal as it was when the session began, as far as the daemon looks into it.

        Args:
            newest: the newest game.
            masks: what was kept beside it of switches out of order; "" for nothing.
            folder: an empty one, for that.
            trouble: see above.

        Raises:
            ValueError: what is told is no game.
        """
        journal = cls.open(MEMORY)
        journal.name = str(folder / "journal.sqlite")
        if masks:
            (folder / stuck_switch_file.NAME).write_text(masks, encoding="utf-8")
        journal.trouble = lambda: ""
        for at, kind, text in newest:
            journal._append(at, [(kind, json.loads(text))])  # noqa: SLF001 - one of our own kind
        journal.trouble = trouble
        return journal

    def _append(
        self, at: float, entries: Sequence[tuple[str, Mapping[str, Any]]], oldest: tuple[int, str] | None = None
    ) -> None:
        trouble = self.trouble()
        if trouble:
            raise UnwritableJournal(trouble)
        super()._append(at, entries, oldest)
