"""Learn how likely Mister X is to win a position, from games of the search against itself.

python -m tools.tune.position_value WEIGHTS.json [--deals N-N] [--seed N] [--iterations N] [--jobs N | --cluster A]

The games are deals of all pursuit games, with any number of players and all options. The search plays them with the
numbers in use but without the present network, and now and then takes a random action, so that positions differ. Adam
(Kingma & Ba 2015) then trains a network with one hidden layer, until it no longer predicts better the games that were
held back. The same command plays and learns the same, as long as the search plays the same.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from firmware_host.players.search.game_numbers import Row, X, distances, game_numbers, row_of_view
from firmware_host.players.search.position_value import FEATURES, describe
from firmware_host.players.search.search_player import SearchPlayer
from firmware_host.players.search_settings import DEFAULT
from firmware_host.rules.actions import MR_X
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Option, Setup
from firmware_host.system.terminal import FILE
from firmware_host.tournament.entrants import Terms
from firmware_host.tournament.one_game import RunnerLost, software_version
from firmware_host.tournament.tournament_command import runner_of
from tools.tune.choice import deals_of

RULES = (*["classic"] * 4, *["us"] * 3, *["current"] * 2, "beginners")
"""The boxes that are played, each as often as it is listed."""

PLAYERS = (0, 0, 3, 4, 5, 6)
"""The numbers of players, each as often as it is listed. 0, or a number that a box does not allow: the usual number."""

STRAYS = 0.08
"""The share of actions that are drawn from all legal ones."""

HIDDEN, EPOCHS, BATCH, RATE, DECAY, PATIENCE = 32, 60, 512, 2e-3, 1e-4, 8
HELD_BACK = 8
"""The number of games of which one is held back, to test the network."""

Floats = NDArray[np.float32]


def setup_of(deal: int, seed: int) -> Setup:
    """Return the game to play for a deal's number."""
    rng = random.Random(deal)
    rules = rng.choice(RULES)
    options: dict[str, Option] = {}
    if rules == "classic" and rng.random() < 0.5:
        options |= {"last_chance": rng.random() < 0.5, "x_fares": rng.choice(["unlimited", "counted"])}
    if rules == "us" and rng.random() < 0.5:
        options |= {"cut_off": rng.random() < 0.5, "voluntary_surfacing": rng.random() < 0.7}
        options |= {"x_fares": rng.choice(["unlimited", "counted"])}
    terms = Terms(rules, rng.choice(PLAYERS), tuple(sorted(options.items())), seed)
    try:
        return terms.deal(deal)
    except BadSetup:
        return replace(terms, players=0).deal(deal)


def positions(deal: int, seed: int, iterations: int) -> tuple[Floats, bool]:
    """Play a deal. Return a row of features for each position, and whether Mister X has won."""
    setup, rng = setup_of(deal, seed), random.Random(deal)
    game, plain = Game(setup), replace(DEFAULT, value_share=0.0)
    his, theirs = (
        SearchPlayer(setup, rng=random.Random(rng.random()), enough=lambda done, _: done >= iterations, settings=plain)
        for _ in range(2)
    )
    terms = game.system.begin(setup).terms
    numbers, away, found = game_numbers(terms), distances(terms.network), list[Floats]()
    while game.public.outcome is None:
        view = game.public
        his.see(view)
        theirs.see(view)
        row = row_of_view(view, terms)
        row[X] = game.private.at.value
        found.append(np.zeros(len(FEATURES), np.float32))
        describe(numbers, row, away, _ghosts(theirs.belief, rng), found[-1])
        if rng.random() <= STRAYS:
            action = rng.choice(game.legal)
        else:
            action = his.flee(game.private) if view.mr_x_to_move else theirs.pursue(view)
        game.play(action)
    return np.array(found), game.public.outcome.winner == MR_X


def _numbered(deal: int, seed: int, iterations: int) -> tuple[int, tuple[Floats, bool]]:
    """Play a deal. Return its number, too, because games end in another order than they start."""
    return deal, positions(deal, seed, iterations)


def _ghosts(belief: NDArray[np.float64], rng: random.Random) -> Row:
    cumulated = np.cumsum(belief)
    drawn = [int(np.searchsorted(cumulated, rng.random() * cumulated[-1], side="right")) for _ in range(5)]
    return np.array([min(len(belief) - 1, station) for station in drawn], np.int16)


def guesses(weights: Sequence[Floats], inputs: Floats) -> Floats:
    """Return how likely Mister X is to win each position, given a row of features for each."""
    first, bias, second, last = weights
    hidden = np.maximum(inputs @ first.T + bias, 0.0)
    likely: Floats = 1.0 / (1.0 + np.exp(-(hidden @ second + last)))
    return likely


def loss(weights: Sequence[Floats], inputs: Floats, won: Floats) -> float:
    """Return how wrong the guesses are: the cross-entropy in nats per position, almost 0 if all are right."""
    likely = np.clip(guesses(weights, inputs), 1e-5, 1 - 1e-5)
    return float(-(won * np.log(likely) + (1 - won) * np.log(1 - likely)).mean())


def learn(inputs: Floats, won: Floats, held_inputs: Floats, held_won: Floats, seed: int) -> tuple[list[Floats], float]:
    """Train the network. Return the weights that guess best how the held-back games end, and their `loss`."""
    rng = np.random.default_rng(seed)
    weights: list[Floats] = [
        rng.normal(0, 0.3, (HIDDEN, inputs.shape[1])).astype(np.float32), np.zeros(HIDDEN, np.float32),
        rng.normal(0, 0.3, HIDDEN).astype(np.float32), np.zeros(1, np.float32),
    ]  # fmt: skip
    mean, square, steps = [np.zeros_like(one) for one in weights], [np.zeros_like(one) for one in weights], 0
    best, least, waited = [one.copy() for one in weights], math.inf, 0
    for epoch in range(EPOCHS):
        order = rng.permutation(len(inputs))
        for start in range(0, len(order), BATCH):
            some, steps = order[start : start + BATCH], steps + 1
            for n, slope in enumerate(_slopes(weights, inputs[some], won[some])):
                mean[n] = 0.9 * mean[n] + 0.1 * slope
                square[n] = 0.999 * square[n] + 0.001 * slope**2
                step = (mean[n] / (1 - 0.9**steps)) / (np.sqrt(square[n] / (1 - 0.999**steps)) + 1e-8)
                weights[n] = (weights[n] - RATE * 0.95**epoch * step).astype(np.float32)
        badly = loss(weights, held_inputs, held_won)
        if badly < least - 1e-4:
            best, least, waited = [one.copy() for one in weights], badly, 0
        else:
            waited += 1
        if waited > PATIENCE:
            break
    return best, least


def _slopes(weights: Sequence[Floats], inputs: Floats, won: Floats) -> Iterator[Floats]:
    first, bias, second, _ = weights
    reached = inputs @ first.T + bias
    missed = (guesses(weights, inputs) - won) / len(inputs)
    below = np.outer(missed, second) * (reached > 0)
    slopes = below.T @ inputs, below.sum(0), np.maximum(reached, 0).T @ missed, missed.sum(keepdims=True)
    for weight, slope in zip(weights, slopes, strict=True):
        yield slope + DECAY * weight


@click.command()
@click.argument("path", metavar="WEIGHTS.json", type=FILE)
@click.option("--deals", multiple=True, metavar="N-N", default=("0-999",), show_default=True, help="More than once.")
@click.option("--seed", type=click.IntRange(0), default=777, show_default=True, help="Of all deals.")
@click.option("--iterations", type=click.IntRange(1), default=300, show_default=True, help="Of each answer.")
@click.option("--jobs", type=click.IntRange(1), help="Processes; by default one a core.")
@click.option("--cluster", metavar="tcp://HOST:PORT", help="Play on a Dask cluster instead, with this clone on each.")
@click.option("--wait", type=click.FloatRange(0.1), default=60.0, show_default=True, help="Seconds, for the cluster.")
def main(
    path: Path, deals: tuple[str, ...], seed: int, iterations: int, jobs: int | None, cluster: str | None, wait: float
) -> None:
    """Play games, learn the weights from them, and save the weights."""
    runner = runner_of(jobs, cluster, wait)
    try:
        with closing(runner.play(partial(_numbered, seed=seed, iterations=iterations), deals_of(deals))) as playing:
            games = [played for _, played in sorted(playing, key=lambda one: one[0])]
    except RunnerLost as error:
        raise click.ClickException(str(error)) from None
    inputs = np.concatenate([found for found, _ in games])
    won = np.concatenate([np.full(len(found), has_won, np.float32) for found, has_won in games])
    held = np.concatenate([np.full(len(found), n % HELD_BACK == 0) for n, (found, _) in enumerate(games)])
    weights, badly = learn(inputs[~held], won[~held], inputs[held], won[held], seed=1)
    first, bias, second, last = ([*map(_rounded, one.tolist())] for one in weights)
    record: dict[str, Any] = {
        "version": software_version(), "deals": deals, "seed": seed, "iterations": iterations, "games": len(games),
        "positions": len(inputs), "won": round(float(won.mean()), 4), "nats_held_back": round(badly, 4),
        "features": FEATURES, "first": first, "bias": bias, "second": second, "last": last[0],
    }  # fmt: skip
    path.write_text(f"{json.dumps(record)}\n", encoding="utf-8")
    click.echo(f"{len(games)} games, {len(inputs)} positions: {badly:.4f} nats each where games were held back")


def _rounded(weight: Any) -> Any:
    return [*map(_rounded, weight)] if isinstance(weight, list) else round(weight, 4)


if __name__ == "__main__":
    main()
