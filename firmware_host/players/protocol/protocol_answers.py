"""Check a player's answers against the legal actions, and encode our own players' answers. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UnsetType

from firmware_host.players.levels.levels import is_pursuit
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Position
from firmware_host.players.protocol.protocol_encoding import legal, may_double, position_line, short_record
from firmware_host.players.protocol.protocol_messages import BadLine, Move, Record
from firmware_host.players.protocol.pursuit_replay import beginning, state_of
from firmware_host.rules.actions import Action, Double, MrXMove, to_record
from firmware_host.rules.engines import system
from firmware_host.rules.errors import RulesError

_OPTIONAL = ("kind", "pawn")
"""Fields that an answer may omit if it names a destination."""


def actions_of(answer: Move, game: NewGame, position: Position) -> tuple[Action, ...]:
    """Return the actions that a player's answer means.

    Raises:
        PlayerFailed: the player gave up, or the answer is not legal now. The message quotes nothing.
    """
    if not isinstance(answer.move, UnsetType):
        return (_legal_action(answer.move, game, position),)
    if not isinstance(answer.double, UnsetType):
        return _double_move(answer.double, game, position)
    raise PlayerFailed("it has no answer")


def answer_of(actions: Sequence[Action], game: NewGame) -> Move:
    """Encode actions as an answer: the first of them, or a whole double move.

    Raises:
        BadLine: they are a double move without its halves.
    """
    if not is_pursuit(game.box):
        return Move(move=to_record(actions[0]))
    if not isinstance(actions[0], Double):
        return Move(move=short_record(actions[0]))
    halves = [short_record(action) for action in actions[1:] if isinstance(action, MrXMove)]
    if len(halves) != 2:
        raise BadLine("a double move is answered with both its halves")
    return Move(double=(halves[0], halves[1]))


def fits(answer: Record, record: Record) -> bool:
    """Return whether an answer matches a legal record in every field that it does not omit."""
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
    """Return a double move with both halves, after simulating it to check that it is legal."""
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
