"""Measure how far from the middle of a station a pawn closes its switch, and how far away it opens again.

The person moves a pawn over millimetre paper and types what they read off; the program shows at once when the switch
closes and opens. The file of the results has two numbers for each direction of each station, in millimetres:

    [stations]
    58 = [[5.5, 7.0], [5.2, 6.8]]      # closed at, opened at

`yardboard make --measured` uses it instead of the distances of data sheets.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from firmware_host.commissioning.exercise_devices import Colour, Exercise, Lost, health_changes
from firmware_host.commissioning.wiring_file import write_in_place
from firmware_host.config import toml_file
from firmware_host.config.allowed_values import as_toml
from firmware_host.config.loader import Config
from firmware_host.config.toml_file import ConfigError

FARTHEST = 40.0
"""The most millimetres at which a pawn's magnet can close a switch."""

Measured = dict[int, list[tuple[float, float]]]
"""Station -> for each direction the millimetres at which its switch closed and opened."""

_OPEN: Colour = (0, 0, 64)
_CLOSED: Colour = (0, 64, 0)
_NUMBER = re.compile(r"\d+([.,]\d+)?")


def read_measured(path: Path, stations: Collection[int]) -> Measured:
    """Return the measurements in a file, after checking it.

    Args:
        path: the file.
        stations: the stations of the board.

    Raises:
        ConfigError: the file cannot be used; the error lists every mistake in it.
    """
    data = toml_file.toml(toml_file.contents(path), str(path))
    mistakes = [f"{path}: {line}" for line in _mistakes(data, stations)]
    if mistakes:
        raise ConfigError(*mistakes)
    return {
        int(station): [(float(closed), float(opened)) for closed, opened in pairs]
        for station, pairs in data["stations"].items()
    }


def read_reach(path: Path, stations: Collection[int]) -> tuple[float, float]:
    """Return from a file the least mm at which a switch closed, and the greatest mm at which a switch opened.

    Raises:
        ConfigError: the file cannot be used, or nothing is measured.
    """
    pairs = [pair for pairs in read_measured(path, stations).values() for pair in pairs]
    if not pairs:
        raise ConfigError(f"{path}: [stations]: lists no measured station; `yardboard measure` writes them")
    return min(closed for closed, _ in pairs), max(opened for _, opened in pairs)


def _mistakes(data: Mapping[str, Any], stations: Collection[int]) -> Iterator[str]:
    for key in data:
        if key != "stations":
            yield f"{key}: does not belong in this file, which has only [stations]; delete it"
    lines = data.get("stations")
    if not isinstance(lines, dict):
        yield "[stations]: is missing; it has a line for each measured station, such as 58 = [[5.5, 7.0]]"
        return
    known = {str(station) for station in stations}
    for name, pairs in lines.items():
        if name not in known:
            yield f"[stations] {name}: there is no such station on this board; correct or delete this line"
        if not isinstance(pairs, list):
            yield f"[stations] {name}: {as_toml(pairs)} is not a list of pairs; write one such as [[5.5, 7.0]]"
        elif wrong := [pair for pair in pairs if not _is_pair(pair)]:
            right = f"write the mm, 0 to {FARTHEST:g}, at which it closed, and those, no fewer, at which it opened"
            yield f"[stations] {name}: {as_toml(wrong[0])} is not a pair such as [5.5, 7.0]; {right}"


def _is_pair(pair: Any) -> bool:
    return (
        isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(one, int | float) and not isinstance(one, bool) for one in pair)
        and 0 <= pair[0] <= pair[1] <= FARTHEST
    )


def measured_text(config: str, measured: Measured) -> str:
    """Return the text of a file of measurements."""
    head = (
        f"# What `yardboard measure` noted of {config}: a pair for each direction of a station, in millimetres\n"
        "# from its middle: where the switch closed, and where it opened again.\n[stations]\n"
    )
    lines = (
        f"{station} = [{', '.join(f'[{closed:g}, {opened:g}]' for closed, opened in pairs)}]\n"
        for station, pairs in sorted(measured.items())
        if pairs
    )
    return head + "".join(lines)


class MeasureReach(Exercise):
    """An exercise that measures one station after another, each from several directions.

    Args:
        config: the board.
        path: the file to write. Measurements that are in it already are kept.

    Attributes:
        done: whether the person has ended it.
        measured: all measurements, including those that the file had before.

    Raises:
        ConfigError: the file exists already and cannot be used.
    """

    def __init__(self, config: Config, path: Path) -> None:
        self._layout = config.layout
        self._config = config.source.rpartition("/")[2]
        self._path = path
        self.measured: Measured = read_measured(path, config.layout.stations) if path.exists() else {}
        self._lost: Lost = {}
        self._mask = 0  # the closed inputs
        self._station = 0  # the one that is being measured; 0 for none
        self._closed_at: float | None = None  # where it closed, once that was typed
        self._reacted = False  # whether it has closed, or then opened, since the last number

    @property
    def lacks_device(self) -> bool:
        """Whether the switches are lost."""
        return "switches" in self._lost

    def save(self) -> None:
        """Write the measurements to the file, if there are any.

        Raises:
            OSError: the file cannot be written.
        """
        if any(self.measured.values()):
            write_in_place(self._path, measured_text(self._config, self.measured))

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Explain how to measure, and ask for a station."""
        self._mask, self._lost = closed, lost
        return [
            "Lay millimetre paper over a station, its zero on the middle, and move a real pawn over it slowly.",
            "q and Enter: end.",
            *health_changes({}, lost, ("switches",)),
            *self._ask(),
        ]

    def devices_changed(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Report that the switches were lost or came back."""
        before, self._lost, self._mask = self._lost, lost, closed
        return health_changes(before, lost, ("switches",))

    def contacts_changed(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """Return a line for each switch that has closed or opened. Remember if the measured station's has."""
        changed, self._mask = self._mask ^ closed, closed
        lines = []
        for station, number in self._layout.switches.items():
            if changed >> number & 1:
                state = "closed" if closed >> number & 1 else "open"
                lines.append(f"  station {station}: {state}")
                wanted = "closed" if self._closed_at is None else "open"
                self._reacted = self._reacted or (station == self._station and state == wanted)
        return lines

    def line_typed(self, line: str, now: float) -> list[str]:  # noqa: ARG002
        """React to a typed line: a station's number, or a distance in millimetres.

        Enter alone finishes the station, q ends the exercise.
        """
        word = line.strip().lower()
        if word == "q":
            self.done = True
            return []
        if self.waiting:
            return ["  the switches are lost; this waits for them. q and Enter: end."]
        if not self._station:
            return self._choose(word)
        if not word:
            self._station, self._closed_at = 0, None
            return self._ask()
        if not _NUMBER.fullmatch(word) or float(word.replace(",", ".")) > FARTHEST:
            return [f"  {line.strip()!r} is not a distance; type millimetres from the middle, 0 to {FARTHEST:g}"]
        return self._note(float(word.replace(",", ".")))

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:  # noqa: ARG002
        """Return the lamp of the measured station: blue while its switch is open, green while it is closed."""
        if not self._station:
            return {}
        return {self._layout.lamp(self._station): _CLOSED if self._is_closed() else _OPEN}

    def summary(self) -> Sequence[str]:
        """Return lines that sum up the measurements."""
        pairs = [pair for pairs in self.measured.values() for pair in pairs]
        if not pairs:
            return ["Nothing is measured."]
        closes, opens = min(closed for closed, _ in pairs), max(opened for _, opened in pairs)
        stations = sum(map(bool, self.measured.values()))
        check = f"yardboard make section {self._config} --measured {self._path}"
        return [
            f"Stations: {stations}, directions: {len(pairs)}.",
            f"Switches close up to {closes:g} mm beside the middle, and have opened at {opens:g} mm.",
            f"Written to {self._path}. Check the board with: {check}",
        ]

    def _is_closed(self) -> bool:
        return bool(self._mask >> self._layout.switches[self._station] & 1)

    def _ask(self) -> list[str]:
        if not self._station:
            return ["Type the number of a station."]
        self._reacted = False
        if self._closed_at is not None:
            first = "" if self._is_closed() else "near until the switch closes, then "
            return [f"  Now move it {first}away until the switch opens; type the millimetres."]
        now, pawn = ("closed", "take the pawn away, then move it") if self._is_closed() else ("open", "move the pawn")
        what = f"{pawn} towards the middle until the switch closes; type the millimetres."
        return [f"Station {self._station} is {now}: {what}"]

    def _choose(self, word: str) -> list[str]:
        if not word.isdecimal() or int(word) not in self._layout.switches:
            return [f"  {word!r} is not a station of this board", *self._ask()]
        self._station, self._closed_at = int(word), None
        return self._ask()

    def _note(self, distance: float) -> list[str]:
        """Store the distance at which the switch has just closed or opened."""
        if not self._reacted:
            what, way = ("opened", "farther away") if self._closed_at is not None else ("closed", "nearer")
            return [f"  the switch has not {what} yet; move the pawn {way}"]
        if self._closed_at is None:
            self._closed_at = distance
            return self._ask()
        if distance < self._closed_at:
            return [f"  a switch opens no nearer than it closes, which was {self._closed_at:g} mm; type it again"]
        pairs = self.measured.setdefault(self._station, [])
        pairs.append((self._closed_at, distance))
        noted = f"  station {self._station}: closed at {self._closed_at:g} mm, opened at {distance:g} mm"
        self._closed_at = None
        return [f"{noted}; directions: {len(pairs)}", "Another direction, or Enter for another station.", *self._ask()]
