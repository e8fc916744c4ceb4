"""Find the games that a board can play, list their choices, deal a game, and assign its seats."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import replace

from firmware_host.config.loader import Config
from firmware_host.config.person_names import Names, fitting, read_names
from firmware_host.players.levels.levels import LEVELS, check_level, level_for, levels_of
from firmware_host.players.player_errors import CannotPlay
from firmware_host.players.seats import PERSON, BadSeats, Seated, read_seats
from firmware_host.rules.actions import DETECTIVES, MR_X
from firmware_host.rules.engines import player_counts, system
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Box, Ground, Option, Setup, Wish
from firmware_host.system.language import gettext, gettext_noop, reason_of, translatable
from firmware_host.ui.new_game_menu import Offer

_WORDS: Mapping[str, tuple[str, ...]] = {
    "x_fares": ("unlimited", "counted"),
    "dice": ("rolled", "entered"),
    "layout": ("",),
    "x_colour": ("black", "blue"),
}
"""Option -> its possible words. The menu offers no layout but "", because a layout is chosen tile by tile."""


def offer(
    box: Box,
    ground: Ground,
    wanted: Mapping[str, Option] | None = None,
    seats: Mapping[str, Option] | None = None,
) -> Offer:
    """Return the choices for a game on a board, with the configured options and seats first.

    With `seats` None the seats are not part of the choice.
    """
    usual = {**box.options, **(wanted or {})}
    players = sorted(player_counts(box, ground), key=lambda count: (count != box.usual_players, count))
    return Offer(
        rules=box.name,
        title=box.title,
        players=tuple(players),
        options={name: _possible_values(box, name, value) for name, value in usual.items()},
        tiles=ground.to_lay,
        seats={}
        if seats is None
        else {seat: _players(box, str(seats.get(seat, PERSON))) for seat in (MR_X, DETECTIVES)},
    )


def offer_values(one: Offer) -> dict[str, object]:
    """Return a game that can begin here as JSON values, in the page's language."""
    levels = [level for level in LEVELS if level in one.seats[MR_X]]
    options = dict(one.options)
    return {
        "rules": one.rules,
        "title": gettext(one.title),
        "players": one.players,
        "options": options,
        "levels": levels,
    }


def program_values(config: Config, trusted: Collection[str]) -> list[dict[str, object]]:
    """Return the programs that can play here as JSON values, and whether each is trusted with all secrets."""
    return [{"name": name, "trusted": name in trusted} for name in config.players]


def _players(box: Box, wanted: Option) -> tuple[str, ...]:
    """Return the players that can sit in a seat, the usual one first."""
    usual = level_for(str(wanted), box)
    return usual, *(player for player in (PERSON, *levels_of(box)) if player != usual)


def _possible_values(box: Box, name: str, usual: Option) -> tuple[Option, ...]:
    """Return all values that an option can have, the default first."""
    if isinstance(usual, bool):
        return usual, not usual
    if isinstance(usual, int):
        return *range(usual, box.fewest_windows - 1, -1), *range(box.windows, usual, -1)
    return usual, *(word for word in _WORDS.get(name, ()) if word != usual)


INSTEAD = "medium"
"""The computer player for Mister X if there is no handset, and for players that cannot play here."""

_NOT_PLAYED = gettext_noop("seats: {place}: {why}")


def offers(config: Config) -> tuple[Offer, ...]:
    """Return the games to offer on the handset: all that this board can play."""
    own = config.edition
    game = config.game
    return tuple(offer(box, config.ground, game.options if box is own else None, game.seats) for box in config.boxes)


def deal(config: Config, rules: str, wish: Wish, rng: random.Random) -> Setup:
    """Deal a game. For the configured game, the configuration's settings fill in what `wish` leaves open.

    Raises:
        BadSetup: the rules forbid the setup, or this table has no such rules.
    """
    box = _box(config, rules)
    if box is config.edition:
        wanted = config.game
        wish = replace(wish, options={**wanted.options, **wish.options})
        if wish.detectives is None and wish.players is None:
            wish = replace(wish, players=wanted.players or None, owners=wish.owners or wanted.owners)
    setup = system(box).deal(config.ground, wish, rng)
    Game(setup)  # refuses what the rules forbid, before anything is saved
    return setup


def assign_seats(config: Config, setup: Setup, wish: Mapping[str, str] | None, programs: Collection[str]) -> Seated:
    """Return which computer plays each seat of a game, by default as configured.

    Raises:
        BadSeats: there is no such seat or player, the player cannot play this game, or a person is to play Mister X
            without a handset.
    """
    if wish is None:
        wish = _usual_wish(config, setup)
    if needs_computer(config):
        wish = {MR_X: INSTEAD, **wish}
        if wish[MR_X] == PERSON:
            raise BadSeats(f"seats: {MR_X}: there is no handset, so Mister X must be a computer, such as {INSTEAD!r}")
    seated = read_seats(wish, setup.owners, programs)
    for place, player in seated.items():
        try:
            if not player.name:
                check_level(player.level, setup.edition)
        except CannotPlay as error:
            raise BadSeats(translatable(_NOT_PLAYED, place=place, why=reason_of(error))) from None
    return seated


def needs_computer(config: Config) -> bool:
    """Return whether Mister X must be a computer, because the board has neither a handset nor a phone for him."""
    return config.devices["handset"].driver.absent and not config.handset.phone


def assign_names(config: Config, setup: Setup, wish: Mapping[str, str] | None, seated: Seated) -> Names:
    """Return the name of each person in a game, by default as configured.

    Raises:
        BadNames: there is no such seat, a computer plays there, or the name is invalid.
    """
    if wish is None:
        return fitting(config.game.names, setup.owners, seated)
    return read_names(wish, setup.owners, seated)


def _usual_wish(config: Config, setup: Setup) -> dict[str, str]:
    """Return the configured seats that this game has, with players that can play it on this machine."""
    seats = {str(number) for number in setup.owners.values()} | {MR_X, DETECTIVES}
    wish = {place: str(player) for place, player in config.game.seats.items() if place in seats}
    return {place: level_for(player, setup.edition) for place, player in wish.items()}


def _box(config: Config, rules: str) -> Box:
    """Return the box with that name, or the configured one for ""."""
    for box in config.boxes:
        if rules in ("", box.name):
            return box
    known = ", ".join(box.name for box in config.boxes)
    raise BadSetup(f"rules: {rules!r} cannot be played on this board; it can play {known}")
