"""Describe a difference between a tape and the current software, in words and pictures.

Mister X's screen, his keys and random numbers are described only on request.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageChops

from firmware_host.config.board_layout import BoardLayout
from firmware_host.maintenance.recording_timeline import lamp_names
from hardware.recording.tape import (
    HANDSET,
    LAMPS,
    BadTape,
    Drawn,
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
from hardware.recording.tape_file import create
from hardware.recording.tape_player import Difference
from hardware.recording.taped_device import DeviceFacts

MOST_LAMPS = 12
"""The most differing lamps listed one by one."""


def describe(difference: Difference, layout: BoardLayout, facts: DeviceFacts, *, secret: bool) -> Iterator[str]:
    """Describe a difference, a line each; `secret` includes Mister X's secrets."""
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
    """Describe what the software did; None is the end of its pass."""
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
    """Return the picture that a panel showed.

    Raises:
        BadTape: it does not have the panel's size.
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
    """Save both pictures of a difference as PNG; pictures of Mister X's screen only if `secret`.

    Returns:
        The files, readable only by their owner; existing files are not overwritten.

    Raises:
        TapeError: they cannot be written.
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
