"""Learn how Mister X chooses his moves if he searches, from games of the search, and save the weights.

python -m tools.tune.choice WEIGHTS.json [NAME=NUMBER ...] [--deals N-N] [--seed N] [--iterations N] [--rules NAME]

Two players play both sides of each deal: one with the search's present settings, the other with some of them changed.
Neither follows the present weights (`trust` 0), so the same command learns the same weights again, bit for bit, as long
as the rules, the search and its value network stay the same. The file also names the version that played. The weights
are those of a conditional logit with a ridge, found by Newton's method.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from firmware_host.config.shipped_files import edition_names
from firmware_host.players.player_port import Player
from firmware_host.players.search.belief import FEATURES, Weights, describe
from firmware_host.players.search.game_numbers import distances, game_numbers, row_of_view
from firmware_host.rules.actions import TICKETS, Action, MrXMove
from firmware_host.rules.game import Game
from firmware_host.system.terminal import FILE
from firmware_host.tournament.entrants import Entrant, Pairing, Terms
from firmware_host.tournament.one_game import play, software_version
from tools.tune.compare import changed
from tools.tune.study import counting

BOTH = ("trust=0",)
"""The change that both players make to the numbers in use."""

Choice = tuple[NDArray[np.float64], int]
"""The features of each action that Mister X could choose, a row each, and the index of the one he chose."""


@dataclass(frozen=True, slots=True)
class _Watched(Entrant):
    """An entrant that plays like the given level, and records each action in `actions`."""

    actions: list[Action] = field(default_factory=list)

    def player(self) -> Player:
        return _Writing(Entrant.player(self), self.actions)


class _Writing:
    """A player that passes everything on to another player, and records its actions. Implements `Player`."""

    def __init__(self, player: Player, actions: list[Action]) -> None:
        self._player, self._actions = player, actions
        self.begin, self.ask, self.over, self.close = player.begin, player.ask, player.over, player.close

    def answer(self) -> tuple[Action, ...] | None:
        done = self._player.answer()
        self._actions.extend(done or ())
        return done


def games(rules: str, seed: int, deals: Sequence[int], entrants: Sequence[Entrant]) -> Iterator[Game]:
    """Yield the games of two entrants: they play each deal twice, once with the sides exchanged."""
    terms = Terms(rules, 0, (), seed)
    for deal in deals:
        for sides in (entrants, entrants[::-1]):
            actions: list[Action] = []
            play(Pairing(terms, deal, *(_Watched(side.name, side.level, actions) for side in sides)))
            yield Game(terms.deal(deal), actions)


def choices(game: Game) -> Iterator[Choice]:
    """Yield each choice that Mister X made between several moves, halves of double moves included."""
    again = Game(game.setup)
    terms = again.system.begin(game.setup).terms
    numbers, away = game_numbers(terms), distances(terms.network)
    for action in game.actions:
        ways = [move for move in again.legal if isinstance(move, MrXMove)]
        if isinstance(action, MrXMove) and len(ways) > 1:
            row, at, seen = (
                row_of_view(again.public, terms),
                again.private.at.value,
                np.zeros((len(ways), len(FEATURES))),
            )
            for features, move in zip(seen, ways, strict=True):
                ticket = TICKETS.index(move.ticket) if terms.paying or move.ticket == TICKETS[3] else 0
                describe(numbers, row, away, at, move.to.value, ticket, features)
            yield seen, ways.index(action)
        again.play(action)


def learn(found: Sequence[Choice], ridge: float = 1.0) -> Weights:
    """Return the weights that make the recorded choices most likely. `ridge` keeps them small."""
    weights = np.zeros(len(FEATURES))
    for _ in range(100):
        slope, bend = -ridge * weights, ridge * np.eye(len(weights))
        for features, chosen in found:
            appeal = np.exp(features @ weights - (features @ weights).max())
            likely = appeal / appeal.sum()
            expected = likely @ features
            slope += features[chosen] - expected
            bend += (features.T * likely) @ features - np.outer(expected, expected)
        step = np.linalg.solve(bend, slope)
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def deals_of(texts: Sequence[str]) -> list[int]:
    """Return the numbers of the deals in texts such as "0-25".

    Raises:
        UsageError: a text has another form.
    """
    return [deal for text in texts for deal in _range(text)]


def _range(text: str) -> range:
    first, _, last = text.partition("-")
    try:
        return range(int(first), int(last or first) + 1)
    except ValueError:
        raise click.UsageError(f"--deals: {text}: write two numbers, such as 0-25") from None


@click.command()
@click.argument("path", metavar="WEIGHTS.json", type=FILE)
@click.argument("other", nargs=-1, metavar="[NAME=NUMBER]...")
@click.option("--deals", multiple=True, metavar="N-N", default=("0-25",), show_default=True, help="More than once.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of all deals and chance.")
@click.option("--iterations", type=click.IntRange(1), default=1000, show_default=True, help="Of each answer.")
@click.option("--rules", type=click.Choice(edition_names()), default="classic", show_default=True)
def main(path: Path, other: tuple[str, ...], deals: tuple[str, ...], seed: int, iterations: int, rules: str) -> None:
    """Play games, learn the weights from them, and save the weights."""
    entrants = [counting(name, changed((*BOTH, *words)), iterations) for name, words in (("one", ()), ("other", other))]
    numbers = deals_of(deals)
    found = [choice for game in games(rules, seed, numbers, entrants) for choice in choices(game)]
    recipe = {"rules": rules, "seed": seed, "deals": deals, "iterations": iterations, "both": BOTH, "changed": other}
    learned = {name: round(float(weight), 3) for name, weight in zip(FEATURES, learn(found), strict=True)}
    record: dict[str, Any] = {"version": software_version(), **recipe, "choices": len(found), "weights": learned}
    path.write_text(f"{json.dumps(record, indent=1)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
