"""Draw the public display from a `Scene`.

A scene contains only public facts, so the display cannot reveal Mister X's secrets.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product

from PIL import Image

from firmware_host.referee.scene import Phase, Scene
from firmware_host.rules.actions import DETECTIVES, FREE, MR_X
from firmware_host.rules.views import LogEntry, PublicView
from firmware_host.system.language import gettext, ngettext, pgettext
from firmware_host.ui.drawing import screen_text
from firmware_host.ui.drawing.screen_text import (
    BAR_HEIGHT,
    HEIGHT,
    SMALL,
    TEXT,
    WIDTH,
    Font,
    Mark,
    Rectangle,
    centred,
    centred_text,
    fits,
    left_aligned,
    paint,
    right_aligned,
    small_bar,
    truncate,
)
from firmware_host.ui.fault_wording import Trouble, full_words, short_words, trouble_line, troubles_of
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.games.game_ui import DiceShown
from firmware_host.ui.live_commentary import coach_line
from firmware_host.ui.prompt_wording import prompt
from firmware_host.ui.vocabulary import pawn_name, player_word, side_name, ticket_letter, ticket_name, winner

_Bar = tuple[str, str]
"""The texts of a lit bar: words, and a time at its right end."""

_MOST_TROUBLES = 3
"""The most faults listed; more would leave no room for the prompt."""
_DIE = 9
_NAME_WIDTH = 36  # room for a pawn's name beside its die
_WIDE = WIDTH - 2


@dataclass(frozen=True, slots=True)
class DisplayContent:
    """The content of the public display.

    Attributes:
        headline: whose turn it is, or the phase of the game.
        counts: texts for the round and the window, the longest first; empty if there is no count.
        text: what to do next.
        troubles: devices and switches out of order, lost ones first.
        log: the tickets in the log, oldest first, with the stations where Mister X surfaced.
        tally: what both sides have won, as text, or during setup who plays each seat; "" for none.
        dice: the dice on the table, if a dice game is in play.
        coach: where the coach believes Mister X to be; "" if the coach shows nothing.
        brief: a shorter text, in case `text` does not fit; "" if there is none.
    """

    headline: str
    counts: tuple[str, ...]
    text: str
    troubles: tuple[Trouble, ...]
    log: tuple[str, ...]
    tally: str = ""
    dice: DiceShown | None = None
    brief: str = ""
    coach: str = ""


def display(scene: Scene) -> Image.Image:
    """Return the public display for a scene as a picture of 128 by 64, mode "1"."""
    return paint(layout(content_of(scene)))


def invitation(code: Sequence[str]) -> Image.Image:
    """Return the display's picture with a QR code for Mister X's phone.

    Only a table without handset screen shows it.

    The first person who scans it gets Mister X's seat, and everyone can see it: see docs/threats.md.

    Args:
        code: the rows of the QR code; see `screen_text.code_marks`.
    """
    return paint(screen_text.code_marks(code, pawn_name(MR_X), gettext("Scan this for your map")))


def display_lines(scene: Scene) -> list[str]:
    """Return the texts of the public display for a scene, one per line and unshortened."""
    return lines(content_of(scene))


def lines(content: DisplayContent) -> list[str]:
    """Return the content of the public display as lines of text, none of them shortened."""
    head = " · ".join((content.headline, *content.counts[:1]))
    rows = [head, *content.text.split("\n"), *map(trouble_line, content.troubles), content.coach]
    rows += [*_dice_lines(content.dice), content.tally, "".join(content.log).strip()]
    return [row for row in rows if row]


def content_of(scene: Scene) -> DisplayContent:
    """Return the content of the public display for a scene."""
    view, said = scene.view, prompt(scene)
    if view is None:
        return DisplayContent(_phase_name(scene.phase), (), said.text, troubles_of(scene), (), brief=said.brief)
    game = game_ui(view)
    return DisplayContent(
        headline=_headline(scene.phase, view),
        counts=_counts(view),
        text=said.text,
        troubles=troubles_of(scene),
        log=tuple(_entry_text(entry) for entry in view.log),
        tally=_seats_text(scene.seats, scene.names) if scene.phase is Phase.SET_UP else _tally_text(game.tally(view)),
        dice=game.dice_shown(view, scene.entered),
        brief=said.brief,
        coach=coach_line(scene.coach),
    )


def layout(content: DisplayContent) -> list[Mark]:
    """Return the words and rectangles that make up the public display."""
    marks = [*_heading(content)]
    bottom = HEIGHT
    if content.brief and not any(fits(content.text, SMALL, _WIDE, _room(bars)) for bars in _bars(content.troubles)):
        content = replace(content, text=content.brief)
    bars, foot = _fit_below_text(content)
    for row in reversed(foot):
        bottom -= row.height
        marks += row.marks(bottom)
    bottom -= _bars_height(bars)
    for number, bar in enumerate(bars):
        marks += small_bar(*bar, bottom + 1 + number * BAR_HEIGHT)
    return [*marks, *centred_text(content.text, 1, BAR_HEIGHT + 1, _WIDE, bottom - BAR_HEIGHT - 1)]


def _phase_name(phase: Phase) -> str:
    """Return the headline for a phase in which nobody is on turn."""
    match phase:
        case Phase.NO_GAME:
            return "Yardboard"
        case Phase.SET_UP:
            return pgettext("headline", "Set up")
        case Phase.RESUME:
            return pgettext("headline", "Resume")
        case Phase.OVER:
            return pgettext("headline", "The end")
    return pgettext("headline", "Play")


def _headline(phase: Phase, view: PublicView) -> str:
    if view.outcome is not None:
        return winner(view.outcome)
    if phase is not Phase.PLAY or not view.turn:
        return _phase_name(phase)
    return pawn_name(view.turn[0]) if len(view.turn) == 1 or view.mr_x_to_move else side_name(DETECTIVES)


def _counts(view: PublicView) -> tuple[str, ...]:
    if not view.round:  # starts are still being chosen (DI-10)
        return (pgettext("of the game", "Start"),)
    count = f"{view.round}/{view.rounds}" if view.rounds else str(view.round)
    long = gettext("Round {round}", round=count)
    short = pgettext("short for Round", "R{round}", round=count)
    if view.rounds or not view.windows:  # no full log ends the game
        return long, short
    window = f"{len(view.log)}/{view.windows}"
    return f"{long} · {window}", f"{short} · {window}", window


def _entry_text(entry: LogEntry) -> str:
    """Return a log entry as text: the ticket's letter, and the station if it is public.

    "+" joins the halves of a double move.
    """
    joint = "+" if entry.double == 2 else " "
    if entry.ticket == FREE and entry.station is not None:
        return f"{joint}{entry.station}"
    return f"{joint}{ticket_letter(entry.ticket)}" + (f"→{entry.station}" if entry.station is not None else "")


def _seats_text(seats: Mapping[str, str], names: Mapping[str, str]) -> str:
    """Return a text about who plays each seat. Computers come first, because the line may be too short.

    People without a name, or with a name in other letters, are omitted.
    """
    said = {seat: _in_our_letters(name) for seat, name in names.items()}
    said |= {seat: player_word(player) for seat, player in seats.items()}
    order = sorted(said, key=lambda seat: (seat not in seats, seat != MR_X, seat))
    return " · ".join(f"{'X' if seat == MR_X else seat} {said[seat]}" for seat in order if said[seat])


def _in_our_letters(name: str) -> str:
    """Return a name in letters that the display has, if necessary without accents. "" if that fails."""
    bare = "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
    return next((one for one in (name, bare) if TEXT.covers(one) and SMALL.covers(one)), "")


def _tally_text(tally: Mapping[str, tuple[int, int]]) -> str:
    """Return how many chips each side has won, and how many it needs."""
    names = {side: "X" if side == MR_X else side_name(side) for side in tally}
    return " · ".join(f"{names[side]} {won}/{needed}" for side, (won, needed) in tally.items())


def _dice_lines(dice: DiceShown | None) -> list[str]:
    """Return the dice as two lines of text: first the open dice, then the used dice."""
    if dice is None:
        return []
    faces = " ".join(map(ticket_name, dice.faces))
    lying = gettext("Dice: {faces}", faces=faces) if faces else ""
    awaited = ngettext("{count} to roll", "{count} to roll", dice.awaited) if dice.awaited else ""
    first = " · ".join(part for part in (lying, awaited, *dice.notes) if part)
    used = ", ".join(f"{pawn} {ticket_name(face)}" for pawn, face in dice.used)
    return [first, gettext("Used: {dice}", dice=used) if used else ""]


def _heading(content: DisplayContent) -> Iterator[Mark]:
    yield Rectangle(0, 0, WIDTH, BAR_HEIGHT)
    headline = truncate(content.headline, SMALL, WIDTH - 4)
    yield left_aligned(2, 1, headline, SMALL, ink=0)
    room = WIDTH - 4 - SMALL.width(headline) - 8
    for counts in content.counts:
        if SMALL.width(counts) <= room:
            yield right_aligned(WIDTH - 2, 1, counts, SMALL, ink=0)
            return


def _bars(troubles: tuple[Trouble, ...]) -> Iterator[tuple[_Bar, ...]]:
    """Yield ways to show faults in bars, the fullest first.

    For at most two faults, the first way has two bars for each fault of a device. Each other way has one bar a fault,
    and leaves out one fault more than the way before; the last has one bar. Without a fault, the only way has no bar.
    """
    if len(troubles) <= 2:
        yield tuple(bar for each in troubles for bar in full_words(each))
    for count in range(min(_MOST_TROUBLES, len(troubles)), 0, -1):
        bars = [short_words(each) for each in troubles[:count]]
        if count < len(troubles):
            last = gettext("{count} of {all}: {trouble}", count=count, all=len(troubles), trouble=bars[-1][0])
            bars[-1] = last, bars[-1][1]
        yield tuple(bars)


def _room(bars: tuple[_Bar, ...]) -> int:
    """Return the height in pixels that the faults' bars leave for the text and the rows below it."""
    return HEIGHT - BAR_HEIGHT - 1 - _bars_height(bars)


def _bars_height(bars: tuple[_Bar, ...]) -> int:
    """Return the height of the faults' bars in pixels, including the blank row above them."""
    return len(bars) * BAR_HEIGHT + 1 if bars else 0


@dataclass(frozen=True, slots=True)
class _Row:
    """A row at the bottom of the display: a line of text, or dice and words.

    Its `height` includes the gap above.
    """

    height: int
    text: str = ""
    font: Font = SMALL
    dice: Sequence[tuple[str, str]] = ()
    notes: tuple[str, ...] = ()

    def marks(self, y: int) -> list[Mark]:
        if self.text:
            return [left_aligned(1, y + 2, self.text, self.font)]
        return [*_draw_dice(self.dice, self.notes, y + 1)]


def _fit_below_text(content: DisplayContent) -> tuple[tuple[_Bar, ...], tuple[_Row, ...]]:
    """Return the faults and bottom rows that fit below the text.

    For a long text these are dropped, one after another: the log or the tally beside dice or the coach's line, the used
    dice, the reasons of the faults, all faults but one, and at last all bottom rows.
    """
    ways = [*_bars(content.troubles)]
    with_foot = ((bars, foot) for bars in ways for foot in _possible_feet(content))
    for bars, (font, rows) in chain(with_foot, product(ways, [(SMALL, ())])):
        room = _room(bars) - sum(row.height for row in rows)
        if fits(content.text, font, _WIDE, room):
            return bars, rows
    return ways[-1], ()


def _possible_feet(content: DisplayContent) -> Iterator[tuple[Font, tuple[_Row, ...]]]:
    """Yield the possible rows at the bottom, below a text in this font. The best come first."""
    small = _text_row(content, SMALL)
    if content.dice is None:
        if content.coach:
            coach = _Row(SMALL.height + 2, truncate(content.coach, SMALL, _WIDE))
            yield from ((TEXT, (coach, *small)), (SMALL, (coach, *small)), (SMALL, (coach,)))
        yield from ((TEXT, _text_row(content, TEXT)), (TEXT, small), (SMALL, small))
        return
    lying = [("", face) for face in (*content.dice.faces, *[""] * content.dice.awaited)]
    open_row = _Row(_DIE + 1, dice=lying, notes=content.dice.notes)
    used_row = _Row(_DIE + 1, dice=content.dice.used)
    dice = (open_row, *([used_row] if content.dice.used else []))
    yield from ((TEXT, (*dice, *small)), (SMALL, (*dice, *small)), (TEXT, dice), (SMALL, dice), (SMALL, (open_row,)))


def _text_row(content: DisplayContent, font: Font) -> tuple[_Row, ...]:
    """Return the tally or the log as one line at the bottom."""
    if content.tally and font.width(content.tally) > _WIDE:
        font = SMALL
    text = truncate(content.tally, font, _WIDE) if content.tally else _log_end(content.log, font)
    return (_Row(font.height + 2, text, font),) if text else ()


def _draw_dice(dice: Sequence[tuple[str, str]], notes: tuple[str, ...], y: int) -> Iterator[Mark]:
    """Yield dice side by side, each after its pawn's name if it has one, with notes at the right.

    A die not rolled yet is a dash. Dice that do not fit are omitted.
    """
    x, end = 1, WIDTH - 1
    for note in reversed(notes):
        yield right_aligned(end, y + 1, note, SMALL)
        end -= SMALL.width(note) + 5
    for pawn, face in dice:
        name = truncate(pawn, SMALL, _NAME_WIDTH)
        at = x + (SMALL.width(name) + 2 if name else 0)
        if at + _DIE > end:
            return
        if name:
            yield left_aligned(x, y + 1, name, SMALL)
        yield Rectangle(at, y, _DIE, _DIE) if face else Rectangle(at, y + _DIE - 1, _DIE, 1)
        if face:
            yield centred(at + _DIE // 2, y + 1, ticket_letter(face), SMALL, ink=0)
        x = at + _DIE + (4 if name else 2)


def _log_end(log: tuple[str, ...], font: Font) -> str:
    """Return the newest part of the log that fits the width. An ellipsis replaces any older part."""
    whole = "".join(log).strip()
    if font.width(whole) <= _WIDE:
        return whole
    for first in range(1, len(log)):
        text = "…" + "".join(log[first:])
        if font.width(text) <= _WIDE:
            return text
    return ""
