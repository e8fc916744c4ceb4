"""Ask for stations and accept inputs, or ask for lamps and accept stations and windows of the log."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from firmware_host.commissioning.wiring_file import Notes

NOTHING = 0
"""The answer that a lamp is dead, or at no station and no window."""


class SwitchQuestion:
    """The questions which input is under which station. A `WiringQuestion`.

    Args:
        notes: the notes of the answers.
        wanted: the stations to learn.
        lamps: station -> lamp, if known.
        name: returns an input's description: "input 12 (chip 2, pin E)".
    """

    uses: tuple[str, ...] = ("switches", "lamps")

    def __init__(
        self, notes: Notes, wanted: Collection[int], lamps: Mapping[int, int], name: Callable[[int], str]
    ) -> None:
        self._lines = notes.switches
        self._wanted = wanted
        self._lamps = lamps
        self._name = name

    def is_complete(self) -> bool:
        """Return whether every wanted station has its input."""
        return all(station in self._lines for station in self._wanted)

    def prompt(self, asked: int, *, dark: bool) -> str:
        """Return what the person should do."""
        shines = ", which shines," if asked in self._lamps and not dark else ""
        return f"touch station {asked}{shines} with a magnet"

    def lamp(self, asked: int) -> int | None:
        """Return the station's lamp, if it is known."""
        return self._lamps.get(asked)

    def describe(self, answer: int) -> str:
        """Return the input's description and place."""
        return self._name(answer)

    def answer_from_contact(self, contact: int) -> int | None:
        """Return the input itself."""
        return contact

    def answer_from_word(self, word: str) -> int | None:  # noqa: ARG002 - only magnets answer
        """Return None: no typed word is an answer."""
        return None

    def owner(self, answer: int) -> int | None:
        """Return the station that has this input."""
        return next((station for station, contact in self._lines.items() if contact == answer), None)

    def describe_conflict(self, answer: int, owner: int) -> str:
        """Return a sentence: another station has this input."""
        return f"{self._name(answer)} is station {owner} already"

    def note_answer(self, asked: int, answer: int) -> str:
        """Note a station's input."""
        self._lines[asked] = answer
        return f"station {asked} is {self._name(answer)}"

    def remove_answer(self, asked: int) -> list[str]:
        """Remove a station's input."""
        contact = self._lines.pop(asked, None)
        return [] if contact is None else [f"  station {asked} is not {self._name(contact)} any more"]


class LampQuestion:
    """The questions where each lamp of the chain is. A `WiringQuestion`.

    A station is a positive number, a window of the log a negative one.

    Args:
        notes: the notes of the answers.
        stations: the possible stations; if there are none, only the windows are learned.
        windows: how many windows the log has; 0 if windows cannot be answers.
        wanted: the stations to learn; or the windows, as negative numbers.
        contacts: input -> station, if known; there a magnet can answer.
    """

    def __init__(
        self,
        notes: Notes,
        stations: Collection[int],
        windows: int,
        wanted: Collection[int],
        contacts: Mapping[int, int],
    ) -> None:
        self._notes = notes
        self._stations = stations
        self._windows = windows
        self._wanted = wanted
        self._contacts = contacts
        self.uses: tuple[str, ...] = ("lamps", "switches") if contacts else ("lamps",)

    def is_complete(self) -> bool:
        """Return whether every wanted station or window has its lamp."""
        return all(self.owner(answer) is not None for answer in self._wanted)

    def prompt(self, asked: int, *, dark: bool) -> str:  # noqa: ARG002 - needs working lamps
        """Return what the person should do."""
        if not self._stations:
            return f"lamp {asked} shines: type the number of its window in the log, or none"
        magnet = "touch its station with a magnet, or type its number"
        way = magnet if self._contacts else "type the number of its station"
        window = ", w3 for window 3 of the log" if self._windows else ""
        return f"lamp {asked} shines: {way}{window}, or none"

    def lamp(self, asked: int) -> int | None:
        """Return the lamp itself."""
        return asked

    def describe(self, answer: int) -> str:
        """Return a description of the station or window."""
        return f"station {answer}" if answer > 0 else f"window {-answer}" if answer else "nothing"

    def answer_from_contact(self, contact: int) -> int | None:
        """Return the station above this input."""
        return self._contacts.get(contact)

    def answer_from_word(self, word: str) -> int | None:
        """Parse a station's number, a window's after w, or "none". Without stations w is optional."""
        if word in {"n", "none"}:
            return NOTHING
        number = word.removeprefix("w")
        if not (number.isascii() and number.isdecimal() and len(number) < 6):
            return None
        if word.startswith("w") or not self._stations:
            return -int(number) if 1 <= int(number) <= self._windows else None
        return int(number) if int(number) in self._stations else None

    def owner(self, answer: int) -> int | None:
        """Return the lamp that is already there."""
        return self._notes.lamps.get(answer) if answer > 0 else self._notes.log.get(-answer)

    def describe_conflict(self, answer: int, owner: int) -> str:
        """Return a sentence: another lamp is there."""
        return f"{self.describe(answer)} has lamp {owner} already"

    def note_answer(self, asked: int, answer: int) -> str:
        """Note a lamp's place."""
        if answer == NOTHING:
            self._notes.nothing.add(asked)
            return f"lamp {asked} stays dark"
        self._notes.nothing.discard(asked)
        lines = self._notes.lamps if answer > 0 else self._notes.log
        lines[abs(answer)] = asked
        return f"{self.describe(answer)} has lamp {asked}"

    def remove_answer(self, asked: int) -> list[str]:
        """Remove a lamp's place."""
        self._notes.nothing.discard(asked)
        struck = []
        for lines, sign in ((self._notes.lamps, 1), (self._notes.log, -1)):
            for row in [row for row, lamp in lines.items() if lamp == asked]:
                del lines[row]
                struck.append(f"  {self.describe(sign * row)} has not lamp {asked} any more")
        return struck
