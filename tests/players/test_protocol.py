"""Lines of the player protocol hold all that a player may know, and nothing else; answers have to be legal."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import fields, replace

import pytest

from firmware_host.config.loader import simulator, with_rules
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.players.protocol.protocol_decoding import PositionReader, actions_of, answer_of, game_of
from firmware_host.players.protocol.protocol_encoding import may_double, new_game_line, position_line
from firmware_host.players.protocol.protocol_messages import (
    BadLine,
    NewGameMessage,
    PositionMessage,
    line,
    read_move,
    read_question,
)
from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, PawnMove
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Option, Wish
from firmware_host.rules.views import PublicView
from tests.amount import amount

GAMES: dict[str, tuple[str, dict[str, Option]]] = {
    "classic": ("classic", {}),
    "counted": ("classic", {"x_fares": "counted", "last_chance": True, "log_windows": 12}),
    "current": ("current", {}),
    "us": ("us", {}),
    "us advanced": ("us", {"voluntary_surfacing": True, "cut_off": True}),
    "beginners": ("beginners", {}),
    "beginners uncovered": ("beginners", {"uncover_half": True}),
    "dice": ("dice", {}),
    "dice for experts": ("dice", {"experts": True, "reveal_route": True}),
    "junior": ("junior", {}),
}
PURSUIT = [name for name, (rules, _) in GAMES.items() if rules not in ("dice", "junior")]

UNTOLD = {"network", "skipped", "stale", "rules", "moves"}
"""What of a view need not come back: `moves` are looked at by themselves."""


def dealt(name: str, seed: int, players: int | None = None) -> Game:
    rules, options = GAMES[name]
    config = with_rules(simulator(), rules)
    chance = random.Random(seed)
    players = players or chance.choice([*config.edition.seats])
    return Game(system(config.edition).deal(config.ground, Wish(players=players, options=options), chance))


def positions(game: Game, seed: int) -> Iterator[tuple[PublicHistory, Position]]:
    """Play a game at random to its end; yield each position, as whoever is on turn may know it, before it is acted."""
    chance, history = random.Random(seed), PublicHistory.begin(game.public)
    while (view := game.public).outcome is None:
        action: Action | None = game.roll(chance)
        if action is None:
            yield history, Position(history, game.private if view.mr_x_to_move else None)
            action = chance.choice(game.legal)
        game.play(action)
        history = history.see(game.public, action)


def told(game: Game, role: str, seat: tuple[str, ...] = ()) -> NewGame:
    pawns = game.public.fugitives if role == MR_X else seat or game.setup.pawns
    return NewGame.of(game.setup, pawns, seed=3, level="easy", ms=40)


def heard(new_game: NewGame) -> NewGame:
    """What a player in another process makes of a new game."""
    said = read_question(line(new_game_line(new_game)))
    assert isinstance(said, NewGameMessage)
    return game_of(said)


def position_heard(new_game: NewGame, position: Position) -> PositionMessage:
    said = read_question(line(position_line(new_game, position)))
    assert isinstance(said, PositionMessage)
    return said


def same(view: PublicView, other: PublicView) -> None:
    for field in fields(view):
        if field.name not in UNTOLD:
            assert getattr(view, field.name) == getattr(other, field.name), field.name


@pytest.mark.parametrize("seed", range(amount(1, 60)))
@pytest.mark.parametrize("name", GAMES)
def test_a_player_in_another_process_knows_all_that_one_in_this_process_knows(name: str, seed: int) -> None:
    game = dealt(name, seed)
    sides = {role: told(game, role) for role in (MR_X, "detectives")}
    readers = {role: PositionReader(heard(new_game)) for role, new_game in sides.items()}
    for _, position in positions(game, seed):
        role = "detectives" if position.private is None else MR_X
        back = readers[role].position(position_heard(sides[role], position))
        same(position.history.now, back.history.now)
        assert set(position.history.now.moves) == set(back.history.now.moves)
        if position.private is None:
            assert back.private is None
            continue
        assert back.private is not None
        assert back.private.at == position.private.at
        assert back.private.route == position.private.route
        choices = set(position.private.choices.value)
        assert set(back.private.choices.value) == choices or choices - set(back.private.choices.value) == {Double()}
        assert (back.private.shows, back.private.actor) == (position.private.shows, position.private.actor)


@pytest.mark.parametrize("seed", range(amount(1, 60)))
@pytest.mark.parametrize("name", PURSUIT)
def test_a_pursuit_game_is_seen_again_view_by_view_from_its_events(name: str, seed: int) -> None:
    game = dealt(name, seed)
    new_game = told(game, "detectives")
    last = None
    for _, position in positions(game, seed):
        if position.private is None:
            last = position
    assert last is not None
    back = PositionReader(heard(new_game)).position(position_heard(new_game, last))
    assert len(back.history.views) == len(last.history.views) or name == "us advanced"
    assert back.history.events == last.history.events
    if not name.startswith(("beginners", "us")):  # in these, log entries are uncovered later
        for view, other in zip(last.history.views, back.history.views, strict=True):
            same(view, other)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_told_whole(name: str) -> None:
    game = dealt(name, 4)
    new_game = told(game, "detectives")
    back = heard(new_game)
    assert (back.owners, back.start, back.role, back.pawns) == (
        new_game.owners, new_game.start, new_game.role, new_game.pawns,
    )  # fmt: skip
    assert (back.seed, back.level, back.ms, back.layout) == (3, "easy", 40, new_game.layout)
    assert set(back.cards) == set(new_game.cards)
    used = game.public.network
    assert sorted(back.network.stations) == sorted(used.stations)
    assert all(back.network.around(station) == used.around(station) for station in used.stations)


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_action_can_be_answered_and_comes_back_as_itself(name: str) -> None:
    game, chance = dealt(name, 5), random.Random(5)
    pursuit = GAMES[name][0] not in ("dice", "junior")
    for _, position in positions(game, 5):
        new_game = told(game, "detectives" if position.private is None else MR_X)
        view = position.history.now
        choices = (*view.moves, *view.extras.values()) if position.private is None else position.private.choices.value
        action = chance.choice([one for one in choices if not (pursuit and isinstance(one, Double))])
        answer = read_move(line(answer_of([action], new_game)))
        assert actions_of(answer, new_game, position) == (action,)


@pytest.mark.parametrize("name", PURSUIT)
def test_a_double_move_is_answered_whole_and_refused_where_its_second_half_is_not_legal(name: str) -> None:
    game, chance, doubled = dealt(name, 6), random.Random(6), 0
    for _, position in positions(game, 6):
        if position.private is None or not may_double(position.private):
            continue
        new_game = told(game, MR_X)
        played = Game(game.setup, [*game.actions, Double()])
        played.play(chance.choice([one for one in played.legal if isinstance(one, MrXMove)]))
        legal = [one for one in played.legal if isinstance(one, MrXMove)]
        whole = (*played.actions[len(game.actions) :], chance.choice(legal))
        assert actions_of(answer_of(whole, new_game), new_game, position) == whole
        nowhere = (*whole[:2], MrXMove(Secret(9999), "taxi"))
        with pytest.raises(PlayerFailed, match="double move that is not legal"):
            actions_of(answer_of(nowhere, new_game), new_game, position)
        doubled += 1
    assert doubled


def test_what_stands_in_a_detectives_line_does_not_differ_between_games_that_differ_in_what_is_hidden() -> None:
    game = dealt("classic", 8)
    hidden = {game.setup.mr_x.value}
    lines = set()
    for elsewhere in game.setup.edition.mr_x_starts(game.setup.network):
        if elsewhere in game.setup.start.values():
            continue
        twin = Game(replace(game.setup, mr_x=Secret(elsewhere)))
        hidden.add(elsewhere)
        twin.play(next(one for one in twin.legal if isinstance(one, MrXMove) and one.ticket == "taxi"))
        history = PublicHistory.begin(Game(twin.setup).public).see(twin.public, twin.actions[-1])
        new_game = told(twin, "detectives")
        lines.add(line(new_game_line(new_game), position_line(new_game, Position(history))))
    assert len(hidden) > 5
    assert len(lines) == 1


def test_an_answer_may_leave_out_the_pawn_only_where_one_alone_may_move() -> None:
    game = dealt("beginners", 2)
    for _, position in positions(game, 2):
        view = position.history.now
        if position.private is None and len(view.turn) > 1:
            new_game = told(game, "detectives")
            move = view.moves[0]
            clashing = [one for one in view.moves if one.to == move.to]
            said = read_move(b'{"move": {"to": %d, "ticket": "free"}, "nodes": 7, "value": 0.5}' % move.to)
            if len(clashing) == 1:
                assert actions_of(said, new_game, position) == (move,)
            else:
                with pytest.raises(PlayerFailed, match="named none"):
                    actions_of(said, new_game, position)
                return


@pytest.mark.parametrize(
    "said",
    [
        b"", b"\n", b"null", b"[]", b'"move"', b"{}", b'{"move": 1}', b'{"move": null}', b'{"double": []}',
        b'{"double": [{}]}', b'{"double": [{}, {}, {}]}', b'{"move": {}, "double": [{}, {}]}', b"\xff\xfe",
        b"{" * 99999,
        b'{"move": ' + b"[" * 5000 + b"]" * 5000 + b"}", b'{"x": ' + b'{"x": ' * 5000, b'{"ok": false, "error": "no"}',
        b'{"move": {"to": ' + b"9" * 5000 + b"}", b"NaN",
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused_with_a_reason_that_quotes_nothing(said: bytes) -> None:
    with pytest.raises(BadLine) as refused:
        read_move(said)
    assert str(refused.value) in (
        "the line is not a message of the protocol; write one JSON object with its fields",
        'the answer must have one move; write {"move": …} or {"double": [… , …]}',
    )


@pytest.mark.parametrize(
    "said",
    [
        b'{"move": {"to": 67, "ticket": "gold"}}', b'{"move": {"to": true, "ticket": "taxi"}}',
        b'{"move": {"to": "67", "ticket": "taxi"}}', b'{"move": {"to": 67.0, "ticket": "taxi"}}',
        b'{"move": {"to": -1, "ticket": "taxi"}}', b'{"move": {"ticket": "taxi"}}', b'{"move": {"pawn": "mr_x"}}',
        b'{"move": {"kind": "double"}}', b'{"move": {"kind": "surface"}}', b'{"double": [{"to": 1}, {"to": 2}]}',
        b'{"move": {"to": 99999999999999999999999999, "ticket": "taxi"}}',
    ],
)  # fmt: skip
def test_what_is_not_legal_is_refused_with_a_reason_that_quotes_nothing(said: bytes) -> None:
    game = dealt("classic", 3)
    game.play(next(one for one in game.legal if isinstance(one, MrXMove)))
    for position in (Position(PublicHistory.begin(game.public)),):
        with pytest.raises(PlayerFailed, match="legal") as refused:
            actions_of(read_move(said), told(game, "detectives"), position)
        assert not any(character.isdigit() for character in str(refused.value))
    assert any(isinstance(one, PawnMove) for one in game.legal)


def test_what_a_table_leaves_out_of_the_rules_is_as_in_the_classic_box() -> None:
    message = json.loads(line(new_game_line(told(dealt("classic", 1), MR_X))))
    whole = game_of(read_question(json.dumps(message).encode())).box
    message["rules"] = {key: message["rules"][key] for key in ("edition", "pawns")}
    bare = game_of(read_question(json.dumps(message).encode())).box
    for term in ("surfacing", "windows", "hand", "mr_x_hand", "doubles", "fares", "order", "last_chance", "options"):
        assert getattr(bare, term) == getattr(whole, term), term
