"""Whole games by chance, of every rule system, and journals that they are written down in."""

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
"""Every rule system that is shipped."""

Entry = Action | None
"""What is written down: an action, or that the last one is taken back."""


@cache
def config(rules: str = "classic") -> Config:
    return with_rules(simulator(), rules)


def play(rules: str, seed: int, *, players: int | None = None) -> tuple[Game, list[Entry]]:
    """A game by chance, played to its end with some moves taken back, and what was written down of it."""
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
    """Write a game down, an entry every ten seconds; `players`: who played, as `Journal.begin` takes it."""
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
    """A game by chance, and as its journal has it."""
    game, entries = play(rules, seed)
    with Journal.open(MEMORY) as journal:
        write(journal, game, entries)
        return game, journal.finished()[0]
