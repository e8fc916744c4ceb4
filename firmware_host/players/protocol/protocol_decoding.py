"""Create games, positions and answers from the messages of the player protocol. Pure.

Fields that a table omits in a pursuit game get the values of the classic box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, get_type_hints

import msgspec
from msgspec import UnsetType

from firmware_host.players.levels.levels import is_pursuit
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.players.protocol.protocol_encoding import legal, may_double, position_line, short_record
from firmware_host.players.protocol.protocol_messages import (
    BadLine,
    Map,
    Move,
    NewGameMessage,
    PositionMessage,
    Record,
    Rules,
)
from firmware_host.players.protocol.pursuit_replay import PursuitReplay, beginning, state_of
from firmware_host.rules.actions import FUGITIVES, MR_X, Action, Double, MrXMove, PawnMove, from_record, to_record
from firmware_host.rules.dice.tiles import Tiling
from firmware_host.rules.engines import ENGINES, system
from firmware_host.rules.errors import RulesError
from firmware_host.rules.network import TRANSPORTS, Link, Network, Station, problems_of_links
from firmware_host.rules.pursuit.edition import Edition
from firmware_host.rules.pursuit.pursuit_game import Pursuit
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Box
from firmware_host.rules.views import MrXView, PublicView

_MOST_STATIONS = 1000
"""The most stations a map may have. Station numbers go up to twice that; distance tables grow with it."""


def game_of(line: NewGameMessage) -> NewGame:
    """Return the game that a `new_game` message describes.

    Raises:
        BadLine: the game does not exist, or the message contradicts itself.
    """
    rules = line.rules
    network = _network(line)
    _check(line)
    box = _edition(rules, line.cards) if rules.game == "pursuit" else _box(rules)
    return NewGame(
        box=box,
        network=network,
        owners=_owners(rules),
        start=line.start,
        cards=rules.mr_x_cards or line.cards,
        options={} if rules.game == "pursuit" else rules.options,
        layout=network.layout if isinstance(network, Tiling) else "",
        role=line.role,
        pawns=line.seat or ((MR_X,) if line.role == MR_X else rules.pawns),
        seed=line.seed,
        level=line.level,
        ms=line.ms,
        clock=line.clock,
    )


def _check(line: NewGameMessage) -> None:
    """Check that a message's pawns, seat, windows, cards and starts suit its rules and its map.

    Raises:
        BadLine: one of them does not; the message names it.
    """
    rules, stations = line.rules, {*line.map.stations}
    if not rules.pawns or len({*rules.pawns}) < len(rules.pawns) or MR_X in rules.pawns:
        raise BadLine(f"new_game: rules.pawns must name each detectives' pawn once, and not {MR_X}")
    if rules.game == "pursuit" and not {*rules.surfacing} <= {*range(1, rules.windows + 1)}:
        raise BadLine("new_game: rules.surfacing must have only windows from 1 to rules.windows")
    if line.role == MR_X and not {*line.seat} <= {*FUGITIVES}:
        raise BadLine(f"new_game: seat must name pawns of Mister X's side: {', '.join(FUGITIVES)}")
    if line.role != MR_X and not {*line.seat} <= {*rules.pawns}:
        raise BadLine(f"new_game: seat must name pawns of rules.pawns: {', '.join(rules.pawns)}")
    for name, named in (("cards", line.cards), ("rules.mr_x_cards", rules.mr_x_cards), ("start", line.start.values())):
        if not stations.issuperset(named):
            raise BadLine(f"new_game: {name} must have only stations of map.stations")


class PositionReader:
    """A decoder of the positions of one game, which may come in any order.

    Args:
        game: the game. For a pursuit game it must say where the pawns start.

    Raises:
        BadSetup: the box, the map and the starts contradict each other.
    """

    def __init__(self, game: NewGame) -> None:
        self._game = game
        self._replay = PursuitReplay(game) if isinstance(game.box, Edition) else None

    def position(self, line: PositionMessage) -> Position:
        """Return the position that a message describes.

        Raises:
            BadLine: the position does not fit the game, or contradicts itself.
        """
        try:
            return self._other(line) if self._replay is None else self._pursuit(line, self._replay)
        except (RulesError, KeyError, IndexError, TypeError, ValueError):
            raise BadLine(
                "position: pawns, mr_x, log or legal do not fit the game of new_game; send that game's values"
            ) from None

    def _pursuit(self, line: PositionMessage, replay: PursuitReplay) -> Position:
        history, state = replay.replay(line)
        if line.role != MR_X:
            return Position(_offering(history, line, self._game))
        choices = (*map(_mr_x_action, line.legal), *([Double()] if line.may_double is True else []))
        private = Pursuit.private(state)
        route = private.route if isinstance(line.mr_x.route, UnsetType) else Secret(line.mr_x.route)
        if {*choices} != {*private.choices.value}:
            private = replace(private, choices=Secret(choices))
        return Position(history, replace(private, public=history.now, route=route))

    def _other(self, line: PositionMessage) -> Position:
        game, record = self._game, line.view
        if isinstance(record, UnsetType):
            raise BadLine(f"position: view is missing; a game of {game.box.name} needs it")
        engine = next(engine for engine in ENGINES.values() if isinstance(game.box, engine.box))
        view = _view(record, engine.view, game.network)
        history = PublicHistory.begin(view)
        if line.role != MR_X:
            return Position(history)
        at = 0 if isinstance(line.mr_x.at, UnsetType) else line.mr_x.at or 0
        route = () if isinstance(line.mr_x.route, UnsetType) else line.mr_x.route
        choices = Secret(tuple(map(from_record, line.legal)))
        actor = MR_X if isinstance(line.actor, UnsetType) else line.actor
        return Position(history, MrXView(view, Secret(at), Secret(route), choices, line.shows is True, actor))


def _offering(history: PublicHistory, line: PositionMessage, game: NewGame) -> PublicHistory:
    """Return a history whose last view offers the player's pawns exactly the message's legal moves."""
    now = history.now
    offered = tuple(PawnMove(one.get("pawn", line.turn[0]), one["to"], one["ticket"]) for one in line.legal)
    if {*offered} == {move for move in now.moves if move.pawn in game.pawns}:
        return history
    return replace(history, views=(*history.views[:-1], replace(now, moves=offered)))


def _mr_x_action(record: Record) -> Action:
    return from_record(record) if "kind" in record else MrXMove(Secret(record["to"]), record["ticket"])


def _view(record: Record, kind: type[PublicView], network: Network) -> PublicView:
    """Decode a public view that `protocol_encoding.view_record` has encoded."""
    hints = get_type_hints(kind)
    values: dict[str, Any] = {
        field.name: msgspec.convert(record[field.name], hints[field.name])
        for field in fields(kind)
        if field.name in record and field.name not in ("network", "extras")
    }
    extras = {key: from_record(value) for key, value in record["extras"].items()}
    return kind(network=network, extras=extras, **values)


def _owners(rules: Rules) -> dict[str, int]:
    """Return which player moves each pawn. If the rules do not say so, each group of pawns has one player."""
    if rules.owners:
        return {pawn: rules.owners[pawn] for pawn in rules.pawns if pawn in rules.owners}
    number = {pawn: player for player, group in enumerate(rules.groups, 1) for pawn in group}
    return {pawn: number.get(pawn, place) for place, pawn in enumerate(rules.pawns, 1)}


def _edition(rules: Rules, cards: tuple[int, ...]) -> Edition:
    """Return a pursuit box with these rules, for this number of pawns only."""
    owners = _owners(rules)
    players = sorted({*owners.values()})
    seats = tuple(tuple(pawn for pawn in rules.pawns if owners.get(pawn) == player) for player in players)
    groups = rules.groups or (tuple((pawn,) for pawn in rules.pawns) if rules.order == "fixed" else (rules.pawns,))
    in_turn = all(len(group) == 1 for group in groups)
    return Edition(
        name=rules.edition,
        title=rules.edition,
        map="",
        seats={len(players) + 1: seats},
        order="fixed" if in_turn else "free" if len(groups) == 1 else "player",
        windows=rules.windows,
        options={
            "x_fares": rules.x_fares,
            "voluntary_surfacing": rules.voluntary_surfacing,
            "cut_off": rules.cut_off,
            "uncover_half": rules.uncover_half,
        },
        hand=rules.hand,
        mr_x_hand=rules.mr_x_hand,
        blacks=rules.blacks,
        doubles=rules.doubles,
        bobbies={len(players) + 1: rules.bobbies} if rules.bobbies else {},
        surfacing=frozenset(rules.surfacing),
        in_sight=rules.in_sight,
        fares=rules.fares,
        rounds=rules.rounds,
        last_chance=rules.last_chance,
        cards=cards,
        mr_x_cards=rules.mr_x_cards,
    )


def _box(rules: Rules) -> Box:
    """Return the box of a game other than pursuit, whose message contains the whole box."""
    if rules.game not in ENGINES or isinstance(rules.box, UnsetType):
        raise BadLine(
            f"new_game: rules.game must be one of {', '.join(ENGINES)}; all but the first need rules.box, too"
        )
    try:
        return msgspec.convert(rules.box, ENGINES[rules.game].box, str_keys=True)
    except msgspec.ValidationError:
        raise BadLine(
            f"new_game: rules.box does not describe a box of {rules.game}; send what this version's table sends"
        ) from None


def _network(line: NewGameMessage) -> Network:
    board, cards = line.map, tuple(line.rules.mr_x_cards or line.cards)
    if len(board.stations) > _MOST_STATIONS:
        raise BadLine(f"new_game: map.stations has {len(board.stations)} stations; a map has at most {_MOST_STATIONS}")
    passed = {(min(a, b), max(a, b), way): via if a < b else via[::-1] for a, b, way, via in board.via}
    ends = [(min(a, b), max(a, b), way) for a, b, way in board.links]
    links = tuple(sorted(Link(a, b, way, passed.get((a, b, way), ())) for a, b, way in dict.fromkeys(ends)))
    stations = {number: Station(number, 0.0, 0.0) for number in board.stations}
    highest = 2 * _MOST_STATIONS
    if any(link.transport not in TRANSPORTS for link in links) or not all(
        1 <= number <= highest for number in stations
    ):
        ways = ", ".join(TRANSPORTS)
        raise BadLine(f"new_game: map.stations must be whole numbers from 1 to {highest}, and map.links go by {ways}")
    if problems_of_links(stations, list(links)):
        raise BadLine(
            "new_game: map.links: a link must join two different stations of map.stations, once for each transport"
        )
    if isinstance(board.tiles, UnsetType):
        return Network(board.name, board.name, 1.0, cards, stations, links, dict(board.starts))
    return _tiling(board, board.tiles, stations, links)


def _tiling(board: Map, tiles: Record, stations: dict[int, Station], links: tuple[Link, ...]) -> Tiling:
    hints = get_type_hints(Tiling)
    try:
        own = {
            name: msgspec.convert(tiles[name], hints[name], strict=False, str_keys=True)
            for name in ("layout", "rows", "stops", "letters", "barred")
        }
    except (KeyError, msgspec.ValidationError):
        raise BadLine("new_game: map.tiles does not describe tiles; send what this version's table sends") from None
    return Tiling(
        name=board.name, title=board.name, aspect=1.0, start_cards=(), stations=stations, links=links, **own
    )  # fmt: skip


_OPTIONAL = ("kind", "pawn")
"""Fields that an answer may omit if it names a destination."""


def actions_of(answer: Move, game: NewGame, position: Position) -> tuple[Action, ...]:
    """Return the actions that a player's answer stands for.

    Raises:
        PlayerFailed: the answer contains no action, is not legal now, or fits several pawns. The message quotes
            nothing.
    """
    if not isinstance(answer.move, UnsetType):
        return (_legal_action(answer.move, game, position),)
    if not isinstance(answer.double, UnsetType):
        return _double_move(answer.double, game, position)
    raise PlayerFailed("it has no answer")


def answer_of(actions: Sequence[Action], game: NewGame) -> Move:
    """Encode actions as an answer: either the first action, or a whole double move.

    Raises:
        BadLine: the actions are a double move without its halves.
    """
    if not is_pursuit(game.box):
        return Move(move=to_record(actions[0]))
    if not isinstance(actions[0], Double):
        return Move(move=short_record(actions[0]))
    halves = [short_record(action) for action in actions[1:] if isinstance(action, MrXMove)]
    if len(halves) != 2:
        raise BadLine('double: a double move needs both halves, as in {"double": [… , …]}')
    return Move(double=(halves[0], halves[1]))


def fits(answer: Record, record: Record) -> bool:
    """Return whether an answer stands for a legal action, given as a record. Optional fields may be missing."""
    optional = _OPTIONAL if "to" in record else ()
    return all(
        answer[name] == value and type(answer[name]) is type(value) if name in answer else name in optional
        for name, value in record.items()
    )


def _legal_action(answer: Record, game: NewGame, position: Position) -> Action:
    found = [action for record, action in legal(game, position) if fits(answer, record)]
    if not found:
        raise PlayerFailed("it answered with a move that is not legal")
    if len(found) > 1:
        raise PlayerFailed("it answered with a move that several pawns could make, and named none")
    return found[0]


def _double_move(halves: tuple[Record, Record], game: NewGame, position: Position) -> tuple[Action, ...]:
    """Return a double move with both its halves, after checking on a copy of the game that it is legal."""
    private = position.private
    if private is None or not is_pursuit(game.box) or not may_double(private):
        raise PlayerFailed("it answered with a double move, which is not legal")
    rules = system(game.box)
    actions: list[Action] = [Double()]
    try:
        state = rules.play(state_of(beginning(game).terms, position_line(game, position)), Double())
        for half in halves:
            found = [action for action in rules.legal(state) if fits(half, short_record(action))]
            state = rules.play(state, found[0])
            actions.append(found[0])
    except (RulesError, BadLine, IndexError):
        raise PlayerFailed("it answered with a double move that is not legal") from None
    if not all(isinstance(action, MrXMove) for action in actions[1:]):
        raise PlayerFailed("it answered with a double move that is not legal")
    return tuple(actions)
