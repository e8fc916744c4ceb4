"""Extract the public part of a tape: what everyone at the table could see and do.

It includes only what is known to be public: the contacts under the board, the table's keys, the lamps, the public
display, and the loss of one of these. Mister X's screen and keys, random numbers, the journal and the times at which
his screen was ready are not among its tracks. Passes and exact times are left out too: a pass's duration reveals
whether it drew his screen. Times are exact to a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hardware.recording.tape import DISPLAY, KEYS, LAMPS, SWITCHES, End, Entry, Lost, Now, Sample, Shown

TABLE = "table."
"""The prefix of the names of public keys."""

TENTH = 100_000
"""The resolution of times, in microseconds."""


def public_part(entries: Iterator[Entry], keys: Sequence[str], shown: str = TABLE) -> Iterator[Entry]:
    """Yield the public part of a tape, as entries of a tape; times count from its beginning.

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
    """Yield the entries of public kinds; of a device that was written to while lost, only the loss."""
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
