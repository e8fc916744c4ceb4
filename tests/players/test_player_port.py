"""Players are told all that everyone knows, and Mister X's player alone what he knows; nothing of it is lost."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from firmware_host.players.heuristic.heuristic import HeuristicPlayer
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import Appeared, NewGame, Position, PublicHistory
from firmware_host.rules.actions import DETECTIVES, MR_X, Action, MrXMove, PawnMove, Roll, RollAgain, Take
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Option
from firmware_host.rules.views import LogEntry
from tests.amount import amount
from tests.players.test_search_player import dealt

SYSTEMS = ("classic", "current", "us", "beginners", "dice", "junior")


def played(game: Game, seed: int) -> PublicHistory:
    """Play a game at random to its end, and return what everyone saw of it."""
    chance, history = random.Random(seed), PublicHistory.begin(game.public)
    while game.public.outcome is None:
        action: Action = game.roll(chance) or chance.choice(game.legal)
        game.play(action)
        history = history.see(game.public, action)
    return history


@pytest.mark.parametrize("seed", range(amount(1, 50)))
@pytest.mark.parametrize("rules", SYSTEMS)
def test_the_events_are_all_that_was_done_in_the_open_and_his_log(rules: str, seed: int) -> None:
    options: dict[str, Option] = {"voluntary_surfacing": True} if rules == "us" else {}
    game = dealt(rules, seed, **options)
    events = played(game, seed).events
    open_kinds = PawnMove | Roll | RollAgain | Take
    assert [e for e in events if isinstance(e, open_kinds)] == [a for a in game.actions if isinstance(a, open_kinds)]
    assert tuple(e for e in events if isinstance(e, LogEntry)) == game.public.log
    if rules == "junior":
        his = [e.station for e in events if isinstance(e, Appeared) and e.pawn == MR_X]
        assert (game.setup.mr_x.value, *his) == game.public.route


def test_what_is_taken_back_was_never_seen() -> None:
    game = dealt("classic", 5)
    history = PublicHistory.begin(game.public)
    earlier = history = history.see(game.public, None)
    game.play(game.legal[0])
    assert history.see(game.public, game.actions[-1]).forget() == earlier


@pytest.mark.parametrize("rules", SYSTEMS)
def test_what_players_are_told_does_not_differ_between_games_that_differ_in_what_is_hidden(rules: str) -> None:
    game = dealt(rules, 7)
    taken = {*game.setup.start.values(), game.setup.mr_x.value}
    for elsewhere in (station for station in sorted(game.setup.network.stations) if station not in taken):
        if not game.setup.mr_x.value or MR_X in game.public.pawns:
            break  # he begins in the open, or has yet to choose
        other = replace(game.setup, mr_x=Secret(elsewhere))
        assert NewGame.of(game.setup, ("red",), seed=1, level="", ms=5) == NewGame.of(
            other, ("red",), seed=1, level="", ms=5
        )
    told = NewGame.of(game.setup, game.setup.pawns[:1], seed=1, level="", ms=5)
    assert told.role == DETECTIVES
    assert told.setup.start == game.setup.start
    assert told.setup.mr_x.value in (0, game.public.pawns.get(MR_X))


@pytest.mark.parametrize("seed", range(amount(1, 20)))
@pytest.mark.parametrize("rules", SYSTEMS)
def test_heuristic_players_on_all_seats_play_every_game_to_its_end(rules: str, seed: int) -> None:
    game, chance = dealt(rules, seed), random.Random(seed)
    history = PublicHistory.begin(game.public)
    seats = {
        number: tuple(p for p, n in game.setup.owners.items() if n == number)
        for number in {*game.setup.owners.values()}
    }
    his, theirs = HeuristicPlayer(), {number: HeuristicPlayer() for number in seats}
    his.begin(NewGame.of(game.setup, game.public.fugitives, seed=seed, level="", ms=5))
    for number, player in theirs.items():
        player.begin(NewGame.of(game.setup, seats[number], seed=seed, level="", ms=5))
    while (view := game.public).outcome is None:
        if (roll := game.roll(chance)) is not None:
            actions: tuple[Action, ...] | None = (roll,)
        elif view.mr_x_to_move:
            his.ask(Position(history, game.private))
            actions = his.answer()
        else:
            number = view.owners[chance.choice(view.turn)]
            theirs[number].ask(Position(history))
            actions = theirs[number].answer()
            assert actions is not None
            assert all(a.pawn in seats[number] for a in actions if isinstance(a, PawnMove))
        for action in actions or ():
            game.play(action)
            history = history.see(game.public, action)


def test_a_heuristic_player_answers_the_same_at_the_same_place_whatever_was_asked_before() -> None:
    game = dealt("classic", 9)
    players = [HeuristicPlayer(), HeuristicPlayer()]
    first = Position(PublicHistory.begin(game.public), game.private)
    for player in players:
        player.begin(NewGame.of(game.setup, (MR_X,), seed=9, level="", ms=5))
    for _ in range(3):
        players[0].ask(first)
    players[1].ask(first)
    assert players[0].answer() == players[1].answer() is not None


def test_a_heuristic_player_that_has_no_move_says_that_it_failed() -> None:
    game = dealt("classic", 9)
    player = HeuristicPlayer()
    position = Position(PublicHistory.begin(game.public))
    with pytest.raises(PlayerFailed, match="before its game"):
        player.ask(position)
    player.begin(NewGame.of(game.setup, ("red",), seed=9, level="", ms=5))
    with pytest.raises(PlayerFailed, match="has no legal one"):
        player.ask(position)
    player.begin(NewGame.of(game.setup, (MR_X,), seed=9, level="", ms=5))
    game.play(next(action for action in game.legal if isinstance(action, MrXMove)))
    with pytest.raises(PlayerFailed, match="has no legal one"):
        player.ask(Position(position.history.see(game.public, game.actions[-1]), game.private))
