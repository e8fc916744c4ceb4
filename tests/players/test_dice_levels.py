"""In the dice game the hard one knows how likely Mister X is where, and plays each move on in its mind."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.config.loader import simulator, with_rules
from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.players.levels.dice_strategy import DiceBelief, DicePlayouts, DiceScene, DiceStrategy
from firmware_host.players.levels.level_player import chooser_at
from firmware_host.players.levels.levels import LEVELS
from firmware_host.players.levels.pursuit_strategies import PossibleStations, mean_distance
from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.rules.actions import DETECTIVES, MR_X, START, Action, Double, MrXMove, Pass, PawnMove, RollAgain
from firmware_host.rules.dice.dice_view import DiceView
from firmware_host.rules.dice.tiles import Tiling
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Wish

FACES = {"taxi": 3, "bus": 1, "underground": 1, "x": 1}


def dealt(seed: int, players: int = 4, faces: Mapping[str, int] = FACES, **wish: Any) -> Game:
    config = with_rules(simulator(), "dice")
    box = replace(config.edition, faces=faces)
    return Game(system(box).deal(config.ground, Wish(players=players, **wish), random.Random(seed)))


def walk(
    seed: int,
    look: Callable[[Game, PublicHistory, tuple[Action, ...]], None],
    *,
    mr_x: str,
    detectives: str,
    begun: Game | None = None,
) -> None:
    """Play a game, by default one with a random layout, and look at each answer before it is played."""
    game, dice = begun or dealt(seed), random.Random(seed)
    levels = {MR_X: mr_x, DETECTIVES: detectives}
    choosers = {
        role: chooser_at(
            replace(LEVELS[levels[role]], iterations=60),
            NewGame.of(game.setup, pawns, seed=seed, level="", ms=60_000),
        )
        for role, pawns in ((MR_X, game.public.fugitives), (DETECTIVES, game.public.order))
    }
    history = PublicHistory.begin(game.public)
    while game.public.outcome is None:
        role = MR_X if game.public.mr_x_to_move else DETECTIVES
        roll = game.roll(dice)
        private = game.private if role == MR_X else None
        actions = (roll,) if roll else choosers[role].choose(Position(history, private))
        look(game, history, actions)
        for action in actions:
            game.play(action)
            history = history.see(game.public, action)


@pytest.mark.parametrize("mr_x", ["easy", "medium", "hard"])
def test_what_is_believed_of_mister_x_never_leaves_out_where_he_is(mr_x: str) -> None:
    def look(game: Game, history: PublicHistory, _: object) -> None:
        belief = DiceBelief()
        for view in history.views:
            assert isinstance(view, DiceView)
            belief.see(view)
        if here := game.private.at.value:
            assert belief.likely[here] > 0
            assert sum(belief.likely.values()) == pytest.approx(1)
            if MR_X in game.public.pawns:
                assert belief.likely == {here: 1.0}

    for seed in range(3):
        walk(seed, look, mr_x=mr_x, detectives="medium")


def test_hard_never_begins_where_a_detective_comes_next() -> None:
    starts = []

    def look(game: Game, _: PublicHistory, actions: tuple[Action, ...]) -> None:
        first = actions[0]
        if isinstance(first, MrXMove) and first.ticket == START:
            stand = [game.public.pawns[pawn] for pawn in game.public.order]
            starts.append(min(distances(game.public.network, at)[first.to.value] for at in stand))

    for seed in range(6):
        walk(seed, look, mr_x="hard", detectives="easy")
    assert len(starts) == 6
    assert min(starts) >= 2


def test_hard_catches_mister_x_wherever_he_is_in_sight_and_can_be_reached() -> None:
    chances = []

    def look(game: Game, _: PublicHistory, actions: tuple[Action, ...]) -> None:
        view = game.public
        if any(move.to == view.pawns.get(MR_X) for move in view.moves):
            chances.append(isinstance(actions[0], PawnMove) and actions[0].to == view.pawns[MR_X])

    for seed in range(12):
        walk(seed, look, mr_x="easy", detectives="hard")
    assert chances
    assert all(chances)


def test_medium_rolls_no_die_again_that_brings_its_pawn_much_nearer() -> None:
    fell: list[float] = []

    def look(game: Game, history: PublicHistory, actions: tuple[Action, ...]) -> None:
        if actions[0] != RollAgain():
            return
        view, possible = game.public, PossibleStations()
        for seen in history.views:
            possible.see(seen)
        here = mean_distance(view, view.pawns[view.turn[0]], possible.stations)
        fell.append(here - min(mean_distance(view, move.to, possible.stations) for move in view.moves))

    for seed in range(20):
        walk(seed, look, mr_x="medium", detectives="medium")
    assert len(fell) > 20
    assert max(fell) < 0.5


@pytest.mark.parametrize("mr_x", ["easy", "hard"])
def test_di_20_mister_x_doubles_in_a_game_whose_starts_were_dealt_too(mr_x: str) -> None:
    doubles: list[list[type[Action]]] = []

    def look(_game: Game, _history: PublicHistory, actions: tuple[Action, ...]) -> None:
        if actions[0] == Double():
            doubles.append([type(action) for action in actions])

    for seed in range(10):
        start = {"red": 1, "yellow": 22, "green": 33, MR_X: 10}
        begun = dealt(seed, options={"layout": "ABC DEF GHI"}, start=start)
        walk(seed, look, mr_x=mr_x, detectives="easy", begun=begun)
    assert doubles
    assert all(kinds == [Double, MrXMove, MrXMove] for kinds in doubles)


def test_di_23_hard_knows_that_a_pass_hides_nothing_where_he_shows_himself() -> None:
    passes = 0
    for seed in range(20):
        game, dice = dealt(seed, faces={"bus": 3, "x": 3}), random.Random(seed)
        as_told = NewGame.of(game.setup, game.public.fugitives, seed=seed, level="", ms=60_000)
        strategy = DiceStrategy(as_told, dice, lambda *_: True, lambda: 0.0)
        strategy.see(game.public)
        while game.public.outcome is None:
            if game.public.mr_x_to_move and game.private.shows and Pass() in game.legal:
                assert strategy._likely(game.private, game.public, Pass()) == {game.private.at.value: 1.0}
                passes += 1
            game.play(game.roll(dice) or dice.choice(game.legal))
            strategy.see(game.public)
    assert passes


@pytest.fixture
def playouts() -> DicePlayouts:
    network = dealt(1).public.network
    assert isinstance(network, Tiling)
    return DicePlayouts(network, FACES, hand=4, windows=13, surfacing=frozenset({3, 7, 11}), rng=random.Random(1))


def scene(x: int, stand: tuple[int, ...], windows: int = 0) -> DiceScene:
    ghosts = (x,) * len(stand)
    return DiceScene(x, ghosts, stand, waiting=(), dice=0, used=("taxi",), blacks=0, windows=windows, first=0)


def test_a_playout_in_which_a_detective_stands_on_mister_x_is_won_at_once(playouts: DicePlayouts) -> None:
    assert playouts.play(scene(5, (5, 20, 30))) == 1.0


def test_a_playout_with_a_full_log_is_lost_by_the_detectives(playouts: DicePlayouts) -> None:
    assert playouts.play(scene(5, (6, 20, 30), windows=13)) == 0.0


def test_mister_x_is_caught_more_in_a_dead_end_behind_detectives_than_in_the_open(playouts: DicePlayouts) -> None:
    stand = (31, 14, 2)  # 26, 29, 30 and 32 lie behind these; the other half of the tiles is open
    shut, free = (sum(playouts.play(scene(x, stand)) for _ in range(60)) for x in (29, 33))
    assert shut > free * 3
