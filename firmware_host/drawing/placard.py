"""The public display: what everyone may read, drawn from a `Scene` alone.

It knows nothing of Mister X but what lies open on the table: no view of his can be handed in here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image

from firmware_host.drawing.glyphs import SMALL, TEXT, Font
from firmware_host.drawing.marks import HEIGHT, WIDTH, Box, Mark, centred_text, fits, left, paint, right, shortened
from firmware_host.rules.views import LogEntry, PublicView
from firmware_host.scene import Phase, Scene
from firmware_host.words import pawn_name, reason, winner

_LETTERS = {"taxi": "T", "bus": "B", "underground": "U", "black": "?"}

_HEADLINES = {
    Phase.NO_GAME: "Yardboard",
    Phase.SET_UP: "Set up",
    Phase.RESUME: "Resume",
    Phase.PLAY: "Play",
    Phase.OVER: "The end",
}

_BAR = 9
_WIDE = WIDTH - 2


@dataclass(frozen=True, slots=True)
class Placard:
    """What the public display says.

    Attributes:
        headline: whose turn it is, or where the evening is.
        counts: round and window, the longest wording first; or nothing.
        text: what to do next.
        troubles: devices and switches out of order.
        log: the tickets in the log, oldest first, with the stations where Mister X surfaced.
    """

    headline: str
    counts: tuple[str, ...]
    text: str
    troubles: tuple[str, ...]
    log: tuple[str, ...]


def display(scene: Scene) -> Image.Image:
    """The public display's picture: mode "1", 128 by 64."""
    return paint(layout(placard(scene)))


def display_lines(scene: Scene) -> list[str]:
    """The public display as text, nothing cut short."""
    said = placard(scene)
    head = " · ".join((said.headline, *said.counts[:1]))
    rows = [head, *said.text.split("\n"), *(f"! {t}" for t in said.troubles), "".join(said.log).strip()]
    return [row for row in rows if row]


def placard(scene: Scene) -> Placard:
    """What the public display says of a scene."""
    view = scene.view
    troubles = [f"{device}: {why}" for device, why in sorted(scene.ailing.items())]
    if scene.masked:
        troubles.append("No switch at " + ", ".join(map(str, sorted(scene.masked))))
    if view is None:
        return Placard(_HEADLINES[scene.phase], (), scene.prompt.text, tuple(troubles), ())
    return Placard(
        headline=_headline(scene.phase, view),
        counts=_counts(view),
        text=scene.prompt.text or (reason(view.outcome, view) if view.outcome else ""),
        troubles=tuple(troubles),
        log=tuple(_written(entry) for entry in view.log),
    )


def layout(said: Placard) -> list[Mark]:
    """The marks that the public display is drawn with."""
    marks = [*_heading(said)]
    bottom = HEIGHT
    font = _log_font(said)
    if font:
        bottom -= font.height + 2
        marks.append(left(1, bottom + 2, _newest(said.log, font), font))
    if said.troubles:
        bottom -= _BAR + 1
        marks += _strip(said.troubles, bottom + 1)
    return [*marks, *centred_text(said.text, 1, _BAR + 1, _WIDE, bottom - _BAR - 1)]


def _headline(phase: Phase, view: PublicView) -> str:
    if view.outcome is not None:
        return winner(view.outcome)
    if phase is not Phase.PLAY or not view.turn:
        return _HEADLINES[phase]
    return pawn_name(view.turn[0]) if len(view.turn) == 1 else "Detectives"


def _counts(view: PublicView) -> tuple[str, ...]:
    window = f"{len(view.log)}/{view.windows}"
    return f"Round {view.round} · {window}", f"R{view.round} · {window}", window


def _written(entry: LogEntry) -> str:
    """A log entry as its ticket's letter, with the station if he surfaced; "+" joins a double move's halves."""
    joint = "+" if entry.double == 2 else " "
    letter = _LETTERS.get(entry.ticket, entry.ticket[:1].upper() or "?")
    return f"{joint}{letter}" + (f"→{entry.station}" if entry.station is not None else "")


def _heading(said: Placard) -> Iterator[Mark]:
    yield Box(0, 0, WIDTH, _BAR)
    headline = shortened(said.headline, SMALL, WIDTH - 4)
    yield left(2, 1, headline, SMALL, ink=0)
    room = WIDTH - 4 - SMALL.width(headline) - 8
    for counts in said.counts:
        if SMALL.width(counts) <= room:
            yield right(WIDTH - 2, 1, counts, SMALL, ink=0)
            return


def _strip(troubles: tuple[str, ...], y: int) -> Iterator[Mark]:
    """What is out of order: the first of several, and how many there are."""
    count = f"1 of {len(troubles)}: " if len(troubles) > 1 else ""
    yield Box(0, y, WIDTH, _BAR)
    yield left(2, y + 1, shortened(f"{count or '! '}{troubles[0]}", SMALL, WIDTH - 4), SMALL, ink=0)


def _log_font(said: Placard) -> Font | None:
    """The font for the log: what is to be done next goes before, and if it is long the log has to give way."""
    if not said.log:
        return None
    room = HEIGHT - _BAR - 1 - (_BAR + 1 if said.troubles else 0)
    for text_font, log_font in ((TEXT, TEXT), (TEXT, SMALL), (SMALL, SMALL)):
        if fits(said.text, text_font, _WIDE, room - log_font.height - 2):
            return log_font
    return None


def _newest(log: tuple[str, ...], font: Font) -> str:
    """The end of the log, as much as fits into the width, an ellipsis where something is left out."""
    whole = "".join(log).strip()
    if font.width(whole) <= _WIDE:
        return whole
    for first in range(1, len(log)):
        text = "…" + "".join(log[first:])
        if font.width(text) <= _WIDE:
            return text
    return ""
