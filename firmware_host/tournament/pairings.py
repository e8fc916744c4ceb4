"""Pair the entrants: each pair plays the same deals, each entrant once on either side."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from firmware_host.config.loader import Config, simulator, with_rules
from firmware_host.rules.engines import system
from firmware_host.rules.setup import Box, Option, Setup, Wish
from firmware_host.tournament.entrants import Entrant


@lru_cache(maxsize=8)
def _table(rules: str) -> Config:
    """Return a table for these rules, loaded once: its games share what is computed for the map."""
    return with_rules(simulator(), rules)


def _is_same(value: Option, own: Option | None) -> bool:
    """Return whether two values are the same, where 1 is not true."""
    return type(value) is type(own) and value == own


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms that all games of a tournament have in common.

    Attributes:
        rules: the box's name.
        players: how many play, Mister X included; 0: the usual number.
        options: name -> value of the options that differ from the box's defaults, sorted.
        seed: the seed of all deals and random choices.
    """

    rules: str
    players: int
    options: tuple[tuple[str, Option], ...]
    seed: int

    @classmethod
    def of(cls, rules: str, players: int, options: Mapping[str, Option], seed: int) -> Terms:
        """Return the terms; options with the box's default value are dropped."""
        own = _table(rules).edition.options
        differing = {name: value for name, value in options.items() if not _is_same(value, own.get(name))}
        return cls(rules, players, tuple(sorted(differing.items())), seed)

    @property
    def box(self) -> Box:
        """The box that is played."""
        return _table(self.rules).edition

    def deal(self, number: int) -> Setup:
        """Return a deal by its number.

        Raises:
            BadSetup: the box cannot be played like this.
        """
        wish = Wish(players=self.players or None, options=dict(self.options))
        config = _table(self.rules)
        return system(config.edition).deal(config.ground, wish, self.chance(number))

    def chance(self, number: int, of: str = "") -> random.Random:
        """Return the random source for a purpose in a deal; the same each time."""
        return random.Random(f"{self.seed} {number} {of}")  # noqa: S311 - repeatable by seed


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game to play: Mister X's entrant, the detectives' entrant, and the deal."""

    terms: Terms
    deal: int
    mr_x: Entrant
    detectives: Entrant

    def __str__(self) -> str:
        return f"{self.mr_x.name} as Mister X against {self.detectives.name} on deal {self.deal}"


def pairings(terms: Terms, entrants: Sequence[Entrant], games: int) -> list[Pairing]:
    """Return all games of every pair of entrants; both games of a deal are adjacent."""
    return [
        Pairing(terms, deal, *sides)
        for deal in range(games // 2)
        for one, other in combinations(entrants, 2)
        for sides in ((one, other), (other, one))
    ]


def options_text(options: Mapping[str, Option]) -> str:
    """Write options as text, the same for equal options."""
    return " ".join(f"{name}={str(value).lower()}" for name, value in sorted(options.items()))
