"""What everyone at a table could see and do, out of a tape; nothing else of it, and nothing that follows from the rest.

It is put together from what is known to be public, never by leaving things out: the contacts under the board, the keys
at the table, the lamps, the public display, and that one of these was lost. Mister X's screen and keys, chance, the
journal and when his screen was ready are on no track of it. Nor are the passes and the exact times: how long a pass
took tells whether his screen was drawn in it. Each thing has the tenth of a second in which it happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hardware.recording.tape import DISPLAY, KEYS, LAMPS, SWITCHES, End, Entry, Lost, Now, Sample, Shown

TABLE = "table."
"""How the names of the keys begin that are public."""

TENTH = 100_000
"""Microseconds to which times are known."""


def openly(entries: Iterator[Entry], keys: Sequence[str], shown: str = TABLE) -> Iterator[Entry]:
    """The public part of a tape, as entries of a tape; times count from its beginning.

    Args:
        entries: what is on it.
        keys: the names of its keys.
        shown: how the names of the keys begin that are told.
    """
    public = sum(1 << bit for bit, name in enumerate(keys) if name.startswith(shown))
    began = told_at = None
    now = 0
    known: dict[str, Entry] = {}
    for entry in _settled(entries):
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
        if now != told_at:
            told_at = now
            yield Now(now)
        known[track] = news
        yield news


def _settled(entries: Iterator[Entry]) -> Iterator[Now | End | Sample | Shown | Lost]:
    """What is public in kind; of something that a device was shown while it was lost, that it was lost."""
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
