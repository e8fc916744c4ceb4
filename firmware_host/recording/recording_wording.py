"""Extract the public part of a tape, and say in words what happened and what differs.

The public part includes only what is known to be public: the contacts under the board, the table's keys, the lamps, the
public display, and the loss of one of these. It leaves out Mister X's screen and keys, random numbers, the journal, and
the times at which his screen was ready. It also leaves out passes and exact times, because a pass's duration reveals
whether it drew his screen. Times are exact to a tenth of a second.

Mister X's screen and keys are described only on request, random numbers never.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageChops

from firmware_host.config.board_layout import BoardLayout
from firmware_host.recording.tape import (
    DISPLAY,
    HANDSET,
    KEYS,
    LAMPS,
    PUBLIC_KEYS,
    SWITCHES,
    BadTape,
    Drawn,
    End,
    Entry,
    LoopPass,
    Lost,
    Now,
    ReadyAnswer,
    Sample,
    Shown,
    Wall,
    Written,
)
from firmware_host.recording.tape_file import create
from firmware_host.recording.tape_player import Difference
from firmware_host.recording.tape_recorder import DeviceFacts

TENTH = 100_000
"""The resolution of times, in microseconds."""


def public_part(entries: Iterator[Entry], keys: Sequence[str], shown: str = PUBLIC_KEYS) -> Iterator[Entry]:
    """Yield the public part of a tape's entries. Its times are counted from its beginning.

    Args:
        entries: the tape's entries.
        keys: the names of the tape's keys.
        shown: the prefix of the keys to include.
    """
    public = sum(1 << bit for bit, name in enumerate(keys) if name.startswith(shown))
    began = reported_at = None
    now = 0
    known: dict[str, Entry] = {}
    for entry in _public_kinds(entries):
        match entry:
            case Now(microseconds):
                began = microseconds if began is None else began
                now = (microseconds - began) // TENTH * TENTH
                continue
            case End():
                yield entry
                continue
            case Sample(track, mask):
                news: Entry = Sample(track, mask & public if track == KEYS else mask)
            case Shown(track) | Lost(track):
                news = entry
        if known.get(track) == news:
            continue
        if now != reported_at:
            reported_at = now
            yield Now(now)
        known[track] = news
        yield news


def _public_kinds(entries: Iterator[Entry]) -> Iterator[Now | End | Sample | Shown | Lost]:
    """Yield only the public entries. If a device was written to while lost, yield only its loss."""
    held: Shown | None = None
    for entry in entries:
        if held is not None and not (isinstance(entry, Lost) and entry.track == held.track):
            yield held
        held = None
        match entry:
            case Shown(track) if track in (LAMPS, DISPLAY):
                held = entry
            case Now() | End():
                yield entry
            case Sample(track) | Lost(track) if track in (SWITCHES, KEYS, LAMPS, DISPLAY):
                yield entry
    if held is not None:
        yield held


SECOND = 1_000_000


class Timeline:
    """The timeline of a tape in words, line by line.

    Lit lamps are listed by the second, because they breathe and flash; contacts and keys by the tenth of a second,
    because they bounce.

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
        """Move on to this time. Yield how switches, keys and lamps have changed until then."""
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
    """Return a name for each lamp of a station or of the log, such as "58" or "log 3"."""
    names = {lamp: str(station) for lamp, station in zip(layout.station_lamps, layout.stations, strict=True) if station}
    return names | {lamp: f"log {window}" for window, lamp in enumerate(layout.log_lamps, 1)}


def _lit_lamps(frame: bytes) -> set[int]:
    return {byte // 3 for byte, value in enumerate(frame) if value}


MOST_LAMPS = 12
"""The most differing lamps listed one by one."""


def describe(difference: Difference, layout: BoardLayout, facts: DeviceFacts, *, secret: bool) -> Iterator[str]:
    """Yield lines about a difference. They contain Mister X's secrets only with `secret`."""
    yield f"The first difference is in pass {difference.number}, {difference.seconds:.3f} s after the beginning:"
    then, now = difference.recorded, difference.asked
    if isinstance(then, Shown) and isinstance(now, Shown) and then.track == now.track:
        yield from _compare_pictures(then, now, layout, facts, secret=secret)
    else:
        yield f"  recorded: {_entry_text(then)}"
        yield f"  now:      {_entry_text(now)}"


_DONE: dict[type[Entry], str] = {
    Now: "the clock was read",
    Wall: "the wall clock was read",
    Written: "an entry was written to the journal",
    LoopPass: "nothing more in this pass",
}


def _entry_text(entry: Entry | None) -> str:
    """Return in words what the software did. The entry None means that its pass ended."""
    match entry:
        case Drawn(bits):
            return f"{bits} random bits were drawn"
        case Sample(track):
            return f"the {track} were read"
        case ReadyAnswer(track):
            return f"{track}: polled for readiness"
        case Lost(track, why):
            return f"{track}: lost: {why.removeprefix(f'{track}: ')}"
        case Shown(track):
            return f"{track}: got new output"
    return _DONE.get(type(entry or LoopPass()), "something else")


def _compare_pictures(
    then: Shown, now: Shown, layout: BoardLayout, facts: DeviceFacts, *, secret: bool
) -> Iterator[str]:
    if then.track == LAMPS:
        yield from _compare_frames(then.content or b"", now.content or b"", layout)
        return
    if then.track == HANDSET and not secret:
        yield "  handset: another picture; --secret shows more of Mister X's screen"
        return
    before, after = (picture(shown, facts) for shown in (then, now))
    differing = ImageChops.logical_xor(before, after).tobytes()
    count = sum(byte.bit_count() for byte in differing)
    dark = [word for word, shown in (("recorded", then), ("now", now)) if shown.content is None]
    yield f"  {then.track}: {count} pixels differ" + (f"; dark: {', '.join(dark)}" if dark else "")


def _compare_frames(then: bytes, now: bytes, layout: BoardLayout) -> Iterator[str]:
    if len(then) != len(now):
        yield f"  lamps: {len(then) // 3} were recorded, there are {len(now) // 3} now"
        return
    names = lamp_names(layout)
    differing = [at for at in range(0, len(then), 3) if then[at : at + 3] != now[at : at + 3]]
    yield f"  lamps: {len(differing)} differ"
    for at in differing[:MOST_LAMPS]:
        name = names.get(at // 3, f"lamp {at // 3}")
        yield f"    {name}: recorded #{then[at : at + 3].hex()}, now #{now[at : at + 3].hex()}"
    if len(differing) > MOST_LAMPS:
        yield f"    and {len(differing) - MOST_LAMPS} more"


def picture(shown: Shown, facts: DeviceFacts) -> Image.Image:
    """Return the picture that a screen showed.

    Raises:
        BadTape: the picture does not have the panel's size.
    """
    size = facts.handset if shown.track == HANDSET else facts.display or facts.handset
    if shown.content is None:
        return Image.new("1", size)
    try:
        return Image.frombytes("1", size, shown.content)
    except ValueError:
        wanted = f"{size[0]} by {size[1]}"
        raise BadTape(f"a picture on the tape does not have the size of the {shown.track}, {wanted}") from None


def save_pictures(difference: Difference, facts: DeviceFacts, folder: Path, *, secret: bool) -> list[Path]:
    """Save both pictures of a difference as PNG. Save those of Mister X's screen only if `secret`.

    Returns:
        The files, readable only by their owner; empty unless two pictures of the same screen differ.

    Raises:
        TapeError: a file exists already or cannot be created, or a picture does not have the panel's size.
        OSError: the disk is full.
    """
    then, now = difference.recorded, difference.asked
    if not isinstance(then, Shown) or not isinstance(now, Shown) or then.track != now.track or then.track == LAMPS:
        return []
    if then.track == HANDSET and not secret:
        return []
    saved = []
    for word, shown in (("recorded", then), ("now", now)):
        path = folder / f"pass-{difference.number}-{then.track}-{word}.png"
        with create(path) as file:
            picture(shown, facts).save(file, "PNG")
        saved.append(path)
    return saved
