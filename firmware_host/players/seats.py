"""Read and check who plays each seat of a game. Pure.

A request maps seats to players. A seat is "mr_x", a player's number as text ("1", as in `owners`), or "detectives" for
all detectives' players without an entry. A player is "person", one of our own levels ("hard"), or a configured program
with or without a level ("deep", "deep/strong"). The normal form contains only the computers' seats.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from firmware_host.players.player_errors import PlayerError
from firmware_host.rules.actions import DETECTIVES, MR_X
from firmware_host.rules.errors import BadSetup

PERSON = "person"
"""The default player of a seat."""

OWN_LEVELS = ("easy", "medium", "skilled", "hard", "expert")
"""The levels of our own players, the weakest first."""

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}", re.IGNORECASE)


class BadSeats(PlayerError, BadSetup):
    """The error that a request for seats cannot be met. The message says what would be right."""


@dataclass(frozen=True, slots=True)
class PlayerName:
    """The name of a computer player, with its level.

    Attributes:
        name: the program's name in the configuration; "" for our own players.
        level: how well to play; "" for the program's default.
    """

    name: str
    level: str

    def __str__(self) -> str:
        return "/".join(filter(None, (self.name, self.level)))


Seated = Mapping[str, PlayerName]
"""The computers' seats, "mr_x" first, then players by number -> the player."""


def read_seats(wish: Mapping[str, object], owners: Mapping[str, int], programs: Collection[str] = ()) -> Seated:
    """Return which computer plays each seat, from a request in any allowed form.

    Args:
        wish: seat -> player.
        owners: the game's detective pawns, each with the player who moves it.
        programs: the names of the players that the configuration adds to our own.

    Raises:
        BadSeats: there is no such seat or player.
    """
    numbers = [str(number) for number in sorted({*owners.values()})]
    for seat in wish:
        if seat not in (MR_X, DETECTIVES, *numbers):
            known = ", ".join((MR_X, DETECTIVES, *numbers))
            raise BadSeats(f"seats: {_quoted(seat)} is not a seat of this game; seats are {known}")
    players = {seat: read_player(seat, player, programs) for seat, player in wish.items()}
    everybody = {seat: players.get(seat, players.get(DETECTIVES)) for seat in numbers}
    seated = {MR_X: players.get(MR_X), **everybody}
    return {seat: player for seat, player in seated.items() if player is not None}


def read_player(seat: str, player: object, programs: Collection[str] = ()) -> PlayerName | None:
    """Return the player that a request names for a seat, or None for a person.

    Raises:
        BadSeats: there is no such player.
    """
    if player == PERSON:
        return None
    if isinstance(player, str) and player in OWN_LEVELS:
        return PlayerName("", player)
    if isinstance(player, str):
        name, slash, level = player.partition("/")
        if name in programs and (not slash or _NAME.fullmatch(level)):
            return PlayerName(name, level)
    if not isinstance(player, str):
        levels = ", ".join((PERSON, *OWN_LEVELS))
        raise BadSeats(f"seats: {seat}: {player} is not a text; write a player in quotes, one of {levels}")
    raise BadSeats(f"seats: {seat}: {_why_not_a_player(player, sorted(programs))}")


def _why_not_a_player(player: str, programs: list[str]) -> str:
    """Return why a name is not a player's, and what to write."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for typos

    name, slash, _ = player.partition("/")
    known = (PERSON, *OWN_LEVELS, *programs)
    named = ", ".join(known)
    if slash and name in known:
        level = "a level is a letter, followed by at most 31 letters, digits, - and _"
        return f"{_quoted(player)} is not a player; " + (level if name in programs else f'write "{name}" alone')
    fits = slash and _NAME.fullmatch(name)
    what = f'there is no program "{name}"' if fits else f"{_quoted(player)} is not a player"
    near = get_close_matches(name, known, 1) if _NAME.fullmatch(name) else []
    if near:
        return f'{what}; did you mean "{near[0]}"?'
    add = f"add a section [players.{name}] with its command, or choose {named}"
    return f"{what}; {add if fits else f'players are {named}'}"


def to_record(seated: Seated) -> dict[str, str]:
    """Return seats as JSON values such as {"mr_x": "hard"}, which `read_seats` reads."""
    return {seat: str(player) for seat, player in seated.items()}


def _quoted(said: object) -> str:
    """Quote a user's text if it is printable and has at most 40 characters, else return "that"."""
    text = str(said)
    return repr(text) if len(text) <= 40 and text.isprintable() else "that"
