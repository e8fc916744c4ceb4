"""Word the dice game's prompts: tiles to lay, dice to roll or enter. Everything here is public."""

from __future__ import annotations

from collections import Counter

from firmware_host.referee.scene import Ask, Kind
from firmware_host.rules.views import PublicView
from firmware_host.system.language import gettext, ngettext
from firmware_host.ui.vocabulary import all_of, any_of, key_name, pawn_name, ticket_name


def tiles_words(layout: str) -> str:
    """Return how to lay the tiles (DI-01, DI-06)."""
    said = [gettext("Lay the tiles: {tiles}.", tiles=" / ".join(" ".join(row) for row in layout.split()))]
    said += [gettext("Small letters: light side up.")] if layout != layout.upper() else []
    return " ".join([*said, gettext("CONFIRM when they lie")])


def dice_words(ask: Ask, view: PublicView, entered: tuple[str, ...]) -> str:
    """Return the request to roll dice, or to enter rolled ones, with the entries so far (DI-13)."""
    pawns = any_of(map(pawn_name, ask.pawns))
    if ask.kind is Kind.ENTERED:
        return gettext("{pawns} rolled {faces}? CONFIRM, or BACK to mend it", pawns=pawns, faces=_faces(entered))
    to_roll = 0 if view.to_roll is None else view.to_roll.count
    if ask.kind is Kind.ROLL:
        return ngettext(
            "{pawns}: CONFIRM rolls {count} die", "{pawns}: CONFIRM rolls {count} dice", max(1, to_roll), pawns=pawns
        )
    keys = any_of(map(key_name, ask.tickets))
    if not entered:
        return ngettext(
            "{pawns}: roll {count} die and enter each: {keys}, CONFIRM for X.",
            "{pawns}: roll {count} dice and enter each: {keys}, CONFIRM for X.",
            max(1, to_roll),
            pawns=pawns,
            keys=keys,
        )
    left = to_roll - len(entered)
    more = gettext("{pawns}: {count} more: {keys}, CONFIRM for X.", pawns=pawns, count=left, keys=keys)
    so_far = gettext("Entered: {faces}, BACK mends.", faces=_faces(entered))
    return f"{more} {so_far}"


def dice_left(ask: Ask, view: PublicView, entered: tuple[str, ...]) -> str:
    """Return in few words how many dice are still to be entered; "" before the first."""
    if view.to_roll is None or not entered:
        return ""
    left, keys = view.to_roll.count - len(entered), any_of(map(key_name, ask.tickets))
    return gettext("{count} more: {keys}, CONFIRM for X, BACK mends.", count=left, keys=keys)


def _faces(faces: tuple[str, ...]) -> str:
    """Return a list of dice in few words: "taxi and 2 bus"."""
    counts = Counter(faces).items()
    return all_of(
        gettext("{count} {face}", count=n, face=ticket_name(face)) if n > 1 else ticket_name(face) for face, n in counts
    )
