"""Games that are too large for the search."""

from __future__ import annotations

import random
from dataclasses import replace

from firmware_host.config.loader import simulator
from firmware_host.config.shipped_files import load_edition
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Box, Ground, Wish


def game_of_six_pawns() -> Game:
    """Return a classic game in which two players move three pawns each."""
    six = {3: (("red", "yellow", "green"), ("blue", "purple", "white"))}
    return _begun(replace(load_edition("classic"), seats=six, blacks=4), simulator().network)


def game_with_high_numbers() -> Game:
    """Return a classic game on a London whose stations have numbers from 1001 on."""
    london = simulator().network
    stations = {1000 + n: replace(station, number=1000 + n) for n, station in london.stations.items()}
    links = tuple(replace(link, a=1000 + link.a, b=1000 + link.b) for link in london.links)
    cards = tuple(1000 + card for card in london.start_cards)
    return _begun(load_edition("classic"), replace(london, stations=stations, links=links, start_cards=cards))


def _begun(box: Box, ground: Ground) -> Game:
    return Game(system(box).deal(ground, Wish(players=3), random.Random(1)))
