"""Describe the events at a table, second by second, from the public part of a tape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from firmware_host.config.board_layout import BoardLayout
from hardware.recording.tape import DISPLAY, KEYS, LAMPS, SWITCHES, Entry, Lost, Now, Sample, Shown

SECOND = 1_000_000


class Timeline:
    """A writer of the timeline, line by line.

    Lit lamps are listed by the second, because they breathe and flash; contacts and keys by the tenth, because they
    bounce.

    Args:
        layout: the configured board layout: the switches and lamps of the stations.
        keys: the names of the keys.
    """

    def __init__(self, layout: BoardLayout, keys: Sequence[str]) -> None:
        self._inputs = {wire: str(station) for wire, station in zip(layout.switch_inputs, layout.stations, strict=True)}
        self._lamps = lamp_names(layout)
        self._keys = dict(enumerate(keys))
        self._masks = {SWITCHES: 0, KEYS: 0}
        self._settled = dict(self._masks)
        self._frame = b""
        self._lit: list[str] | None = None
        self._this_second: set[int] = set()
        self._lost: set[str] = set()
        self._now = 0

    def lines(self, entries: Iterator[Entry]) -> Iterator[str]:
        """Yield the timeline's lines for the public part of a tape."""
        for entry in entries:
            if isinstance(entry, Now):
                yield from self._advance_to(entry.microseconds)
                continue
            if isinstance(entry, Sample | Shown) and entry.track in self._lost:
                self._lost.remove(entry.track)
                yield self._stamped(f"{entry.track}: back")
            match entry:
                case Sample(track, mask):
                    self._masks[track] = mask
                case Shown(track, content) if track == LAMPS and content is not None:
                    self._frame = content
                    self._this_second |= _lit_lamps(content)
                case Shown(track) if track == DISPLAY:
                    yield self._stamped("display: another picture")
                case Lost(track, words):
                    self._lost.add(track)
                    yield self._stamped(f"{track}: lost: {words.removeprefix(f'{track}: ')}")
        yield from self._advance_to(self._now + SECOND)

    def _advance_to(self, microseconds: int) -> Iterator[str]:
        """Advance the time, and yield the state that lasted until then."""
        yield from self._input_changes(SWITCHES, self._inputs, ("opened", "closed"))
        yield from self._input_changes(KEYS, self._keys, ("released", "pressed"))
        if microseconds // SECOND != self._now // SECOND:
            lit = [self._lamps.get(lamp, f"lamp {lamp}") for lamp in sorted(self._this_second)]
            if lit != self._lit:
                self._lit = lit
                yield self._stamped(f"lamps: {', '.join(lit) or 'all dark'}")
            self._this_second = _lit_lamps(self._frame)
        self._now = microseconds

    def _input_changes(self, track: str, names: Mapping[int, str], words: tuple[str, str]) -> Iterator[str]:
        mask, before = self._masks[track], self._settled[track]
        self._settled[track] = mask
        for wire in range((mask ^ before).bit_length()):
            if (mask ^ before) >> wire & 1:
                yield self._stamped(f"{words[mask >> wire & 1]} {names.get(wire, f'input {wire}')}")

    def _stamped(self, what: str) -> str:
        return f"{self._now / SECOND:8.1f} s  {what}"


def lamp_names(layout: BoardLayout) -> dict[int, str]:
    """Name each lamp of the chain: "58", "log 3"."""
    names = {lamp: str(station) for lamp, station in zip(layout.station_lamps, layout.stations, strict=True) if station}
    return names | {lamp: f"log {window}" for window, lamp in enumerate(layout.log_lamps, 1)}


def _lit_lamps(frame: bytes) -> set[int]:
    return {byte // 3 for byte, value in enumerate(frame) if value}
