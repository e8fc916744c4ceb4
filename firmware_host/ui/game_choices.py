"""List the games that the handset offers: each box's players and options with their values. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.players.levels.levels import level_for, levels_of
from firmware_host.players.seats import DETECTIVES, PERSON
from firmware_host.rules.actions import MR_X
from firmware_host.rules.engines import player_counts
from firmware_host.rules.setup import Box, Ground, Option
from firmware_host.ui.new_game_menu import Offer, TileOffer

_WORDS: Mapping[str, tuple[str, ...]] = {
    "x_fares": ("unlimited", "counted"),
    "dice": ("rolled", "entered"),
    "layout": ("",),
    "x_colour": ("black", "blue"),
}
"""The values of options that are words; a layout is chosen tile by tile."""


def offer(
    box: Box,
    ground: Ground,
    wanted: Mapping[str, Option] | None = None,
    seats: Mapping[str, Option] | None = None,
) -> Offer:
    """Return the choices for a box on a board. The configured options and seats come first.

    With `seats` None the seats are not part of the choice.
    """
    usual = {**box.options, **(wanted or {})}
    players = sorted(player_counts(box, ground), key=lambda count: (count != box.usual_players, count))
    return Offer(
        rules=box.name,
        title=box.title,
        players=tuple(players),
        options={name: _possible_values(box, name, value) for name, value in usual.items()},
        tiles=TileOffer(ground.to_lay) if ground.to_lay else None,
        seats={}
        if seats is None
        else {seat: _players(box, str(seats.get(seat, PERSON))) for seat in (MR_X, DETECTIVES)},
    )


def _players(box: Box, wanted: Option) -> tuple[str, ...]:
    """Return the possible players of a seat, the usual player first."""
    usual = level_for(str(wanted), box)
    return usual, *(player for player in (PERSON, *levels_of(box)) if player != usual)


def _possible_values(box: Box, name: str, usual: Option) -> tuple[Option, ...]:
    """Return all values of an option, the default first."""
    if isinstance(usual, bool):
        return usual, not usual
    if isinstance(usual, int):
        return *range(usual, box.fewest_windows - 1, -1), *range(box.windows, usual, -1)
    return usual, *(word for word in _WORDS.get(name, ()) if word != usual)
