"""Say who sits where: read the wish for a game's seats, and check it against the game and the players there are. Pure.

A wish maps seats to players, as people write them. A seat is "mr_x", a player's number as text ("1", as in `owners`),
or "detectives" for all of them. A player is "person", a level of our own ("hard"), or a program of the configuration
with or without a level ("deep", "deep/strong"). What comes of it, in normal form, holds the computers' seats alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from firmware_host.players.player_errors import PlayerError
from firmware_host.rules.actions import MR_X
from firmware_host.rules.errors import BadSetup

DETECTIVES: Final = "detectives"
"""The role of every player but Mister X's, whose role is `MR_X`."""

PERSON = "person"
"""Who sits where nobody else does."""

OWN_LEVELS = ("easy", "medium", "hard", "expert")
"""The levels of our own players, the weakest first."""

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}", re.IGNORECASE)


class BadSeats(PlayerError, BadSetup):
    """A wish for seats that makes no sense; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class PlayerName:
    """The name of a computer player.

    Attributes:
        name: the program, as the configuration calls it; "" for our own players.
        level: how well it shall play; "" for a program's own choice.
    """

    name: str
    level: str

    def __str__(self) -> str:
        return "/".join(filter(None, (self.name, self.level)))


Seated = Mapping[str, PlayerName]
"""The seats that computers play, "mr_x" first, then players by their numbers -> who plays there."""


def read_seats(wish: Mapping[str, object], owners: Mapping[str, int], programs: Collection[str] = ()) -> Seated:
    """Return the seats that computers play, in normal form.

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
            raise BadSeats(
                f"seats: {_quoted(seat)} is no seat here; there are {', '.join((MR_X, DETECTIVES, *numbers))}"
            )
    players = {seat: read_player(seat, player, programs) for seat, player in wish.items()}
    everybody = {seat: players.get(seat, players.get(DETECTIVES)) for seat in numbers}
    seated = {MR_X: players.get(MR_X), **everybody}
    return {seat: player for seat, player in seated.items() if player is not None}


def read_player(seat: str, player: object, programs: Collection[str] = ()) -> PlayerName | None:
    """Return the player of that name; None for a person.

    Raises:
        BadSeats: there is none.
    """
    if player == PERSON:
        return None
    if isinstance(player, str) and player in OWN_LEVELS:
        return PlayerName("", player)
    if isinstance(player, str):
        name, slash, level = player.partition("/")
        if name in programs and (not slash or _NAME.fullmatch(level)):
            return PlayerName(name, level)
    known = ", ".join((PERSON, *OWN_LEVELS, *sorted(programs)))
    raise BadSeats(f"seats: {seat}: {_quoted(player)} is no player here; there are {known}")


def to_record(seated: Seated) -> dict[str, str]:
    """Return seats as plain JSON values, such as {"mr_x": "hard"}; `read_seats` reads them again."""
    return {seat: str(player) for seat, player in seated.items()}


def _quoted(said: object) -> str:
    """Quote what somebody wrote, if it looks like a name or a number."""
    text = str(said)
    return repr(text) if len(text) <= 40 and text.isprintable() else "that"
