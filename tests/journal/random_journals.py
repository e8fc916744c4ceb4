"""Random whole games of every rule system, and journals that contain them."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from firmware_host.config import shipped_files
from firmware_host.config.loader import Config, simulator, with_rules
from firmware_host.journal.journal import Finished, Journal
from firmware_host.journal.store_port import MEMORY
from firmware_host.rules.actions import Action
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Wish

RULES = shipped_files.edition_names()
"""Every shipped rule system."""

Entry = Action | None
"""An entry of a journal: an action, or None for a move taken back."""


@cache
def config(rules: str = "classic") -> Config:
    return with_rules(simulator(), rules)


def play(rules: str, seed: int, *, players: int | None = None) -> tuple[Game, list[Entry]]:
    """Play a random game to its end, with some moves taken back. Return the game and its entries."""
    chance = random.Random(seed)
    table = config(rules)
    wish = Wish(players=players or chance.choice(sorted(table.edition.seats)))
    game = Game(system(table.edition).deal(table.ground, wish, chance))
    entries: list[Entry] = []
    while game.public.outcome is None:
        if game.returnable is not None and chance.random() < 0.05:
            game.take_back()
            entries.append(None)
        else:
            action = game.roll(chance) or chance.choice(game.legal)
            game.play(action)
            entries.append(action)
    return game, entries


def write(
    journal: Journal, game: Game, entries: list[Entry], *, at: float = 1_000.0, finish: bool = True, **players: Any
) -> None:
    """Write a game to a journal, an entry every ten seconds. `players`: who played, as for `Journal.begin`."""
    journal.begin(game.setup, at, **players)
    for n, entry in enumerate(entries, 1):
        if entry is None:
            journal.take_back(at + 10 * n)
        else:
            journal.play(entry, at + 10 * n)
    outcome = game.public.outcome
    if finish and outcome is not None:
        journal.finish(outcome, at + 10 * len(entries))


def finished(rules: str, seed: int) -> tuple[Game, Finished]:
    """Return a random game, and the same game from its journal."""
    game, entries = play(rules, seed)
    with Journal.open(MEMORY) as journal:
        write(journal, game, entries)
        return game, journal.finished()[0]
