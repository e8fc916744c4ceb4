"""Read and check the names of people who play a game. Pure.

A request maps seats to names. A seat is "mr_x", a player's number as text ("1", as in `owners`), or "detectives" for
all detectives without a name of their own. The normal form contains only seats of people. A name is public: it goes to
everyone who sees the table, and is stored with the game.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from firmware_host.players.player_errors import PlayerError
from firmware_host.rules.actions import DETECTIVES, MR_X
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.network import shorten

LONGEST = 20
"""The most characters in a name."""

Names = Mapping[str, str]
"""The seats of people with a name, "mr_x" first, then players by number -> the name."""


class BadNames(PlayerError, BadSetup):
    """The error that a request for names cannot be met. The message says what would be right."""


def read_name(seat: str, said: object) -> str:
    """Return a name in normal form: composed letters, single blanks. "" means that there is no name.

    Raises:
        BadNames: the name is not a text, is too long, or contains unprintable characters. The message quotes no text.
    """
    if not isinstance(said, str):
        raise BadNames(f"names: {seat}: {shorten(said)} is not a text; a name is a text, such as 'Ada'")
    name = unicodedata.normalize("NFC", said).strip(" ")
    if not name.isprintable():
        raise BadNames(f"names: {seat}: a name has no control characters; write letters, digits, blanks and signs")
    name = " ".join(name.split())
    if len(name) > LONGEST:
        raise BadNames(f"names: {seat}: {len(name)} characters; a name has at most {LONGEST}")
    return name


def read_names(wish: Mapping[str, object], owners: Mapping[str, int], computers: Iterable[str] = ()) -> Names:
    """Return the names of the people in a game, in normal form.

    Args:
        wish: seat -> name; an empty name removes the name.
        owners: the game's detective pawns, each with the player who moves it.
        computers: the seats that computers play.

    Raises:
        BadNames: there is no such seat, a computer plays there, or the name is invalid.
    """
    numbers, taken = [str(number) for number in sorted({*owners.values()})], {*computers}
    for seat in wish:
        if seat not in (MR_X, DETECTIVES, *numbers):
            known = ", ".join((MR_X, DETECTIVES, *numbers))
            raise BadNames(f"names: {seat[:40]!r} is not a seat of this game; seats are {known}")
    names = {seat: name for seat, said in wish.items() if (name := read_name(seat, said))}
    for seat in names:
        if taken.issuperset(numbers if seat == DETECTIVES else [seat]):
            raise BadNames(f"names: {seat}: a computer plays there; names are for people")
    everybody = {seat: names.get(seat, names.get(DETECTIVES, "")) for seat in numbers}
    named = {MR_X: names.get(MR_X, ""), **everybody}
    return {seat: name for seat, name in named.items() if name and seat not in taken}


def fitting(wish: Mapping[str, object], owners: Mapping[str, int], computers: Iterable[str] = ()) -> Names:
    """Return those default names whose seats exist in this game and are played by people.

    Raises:
        BadNames: a name is invalid.
    """
    numbers, taken = {str(number) for number in owners.values()}, {*computers}
    theirs = {MR_X, *numbers} - taken | ({DETECTIVES} if numbers - taken else set())
    return read_names({seat: name for seat, name in wish.items() if seat in theirs}, owners, taken)


def fold_name(name: str) -> str:
    """Return a name in the form that is compared with other names: case-folded."""
    return unicodedata.normalize("NFC", name.casefold())
