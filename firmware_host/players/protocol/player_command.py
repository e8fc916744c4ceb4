"""The command `player`: our own players behind the player protocol, on standard input and output (docs/players.md)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

import click
from msgspec import UNSET, Struct

from firmware_host.players.coach.coach import CoachMind
from firmware_host.players.coach.game_review import ReviewingMind
from firmware_host.players.coach.review_port import NextAction
from firmware_host.players.heuristic.heuristic_player import HeuristicPlayer
from firmware_host.players.levels.level_chooser import Chooser, player_of
from firmware_host.players.levels.levels import LEVELS, levels_of
from firmware_host.players.player_errors import CannotPlay, PlayerError
from firmware_host.players.player_port import NewGame, Position
from firmware_host.players.protocol.protocol_answers import actions_of, answer_of
from firmware_host.players.protocol.protocol_decoding import PositionReader, game_of
from firmware_host.players.protocol.protocol_encoding import short_record
from firmware_host.players.protocol.protocol_messages import (
    LONGEST_QUESTION,
    VERSION,
    BadLine,
    Go,
    Hello,
    Hint,
    Move,
    NewGameMessage,
    Over,
    PositionMessage,
    Quit,
    Ready,
    ReviewMessage,
    Told,
    line,
    read_question,
)
from firmware_host.players.public_history import PublicHistory
from firmware_host.players.seats import DETECTIVES
from firmware_host.rules.actions import MR_X, Action, Commit, Double, MrXMove, from_record, to_record
from firmware_host.rules.errors import RulesError
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.system.private_memory import keep_memory_to_itself

NAME = "yardboard"
"""What our own players are called."""


class PlayerSession:
    """Answers the lines of one table.

    Args:
        level: how well to play; "": as the table says.

    Attributes:
        ended: whether the table wants no more.
    """

    def __init__(self, level: str = "") -> None:
        self.ended = False
        self._level = level
        self._game: NewGame | None = None
        self._reader: PositionReader | None = None
        self._position: PositionMessage | None = None
        self._chooser: Chooser | None = None
        self._coach: CoachMind | None = None
        self._reviewer: ReviewingMind | None = None
        self._warm: set[str] = set()

    def answer(self, said: bytes) -> Struct | None:
        """Return the answer to one line; None where there is none. Raises nothing, whatever the line."""
        try:
            question = read_question(said)
            match question:
                case Hello(protocol):
                    return _hello(protocol)
                case NewGameMessage():
                    return self._begin(question)
                case PositionMessage():
                    self._position = question
                    return None
                case Go(ms):
                    return self._choose(ms)
                case Hint() | ReviewMessage():
                    return self._tell(question)
                case Over():
                    return Ready(ok=True)
                case Quit():
                    self.ended = True
        except (PlayerError, CannotPlay, RulesError) as error:
            return Ready(ok=False, error=str(error))
        return None

    def _begin(self, told: NewGameMessage) -> Ready:
        game = game_of(told)
        self._game = replace(game, level=self._level or game.level or levels_of(game.box)[-1])
        self._reader, self._position = PositionReader(self._game), None
        self._chooser = self._coach = self._reviewer = None
        if self._game.level not in self._warm:
            _warm_up(self._game)
            self._warm.add(self._game.level)
        return Ready(ok=True)

    def _choose(self, ms: int) -> Move:
        game, reader, said = self._game, self._reader, self._position
        if game is None or reader is None or said is None:
            raise BadLine("go: there is no position yet; first come new_game and position")
        if self._chooser is None or ms != game.ms:
            game = self._game = replace(game, ms=ms, start=game.start or said.start)
            self._chooser = player_of(game.level, game)
        position = reader.position(said)
        choosers: tuple[Chooser, ...] = (self._chooser, _Habit(game))
        for chooser in choosers:
            answer = _answer(chooser, game, position)
            if answer is not None:
                return answer
        if not said.legal:
            raise BadLine("go: nothing is legal in this position")
        return Move(move=said.legal[0])

    def _tell(self, asked: Hint | ReviewMessage) -> Told:
        game, history = self._asked()
        if isinstance(asked, Hint):
            self._coach = self._coach or CoachMind(game)
            insight = self._coach.look(history, advice=asked.advice)
            move = UNSET if insight.advice is None else short_record(insight.advice)
            return Told(stations=dict(insight.stations), move=move)
        self._reviewer = self._reviewer or ReviewingMind(game)
        said = self._reviewer.review(history, NextAction(from_record(asked.done), asked.mr_x, asked.shows))
        return Told(
            stations=dict(said.stations),
            move=UNSET if said.advice is None else to_record(said.advice),
            chance=UNSET if said.chance is None else said.chance,
            cost=UNSET if said.cost is None else said.cost,
        )

    def _asked(self) -> tuple[NewGame, PublicHistory]:
        if self._game is None or self._reader is None or self._position is None:
            raise BadLine("there is no position yet; first come new_game and position")
        return self._game, self._reader.position(self._position).history


def _answer(chooser: Chooser, game: NewGame, position: Position) -> Move | None:
    """Return the answer of a chooser; None if it has none that is legal, as the table has it."""
    try:
        answer = answer_of(chooser.choose(position), game)
        actions_of(answer, game, position)
    except (PlayerError, CannotPlay, RulesError, LookupError, ValueError):  # another table's rules may not be ours
        return None
    return answer


class _Habit:
    """Chooses by the heuristic, one action at a time: for where a better player is at a loss. A `Chooser`."""

    def __init__(self, game: NewGame) -> None:
        self._player = HeuristicPlayer()
        self._player.begin(game)

    def choose(self, position: Position) -> tuple[Action, ...]:
        """Return one action: no double move, whose second half would have to come along."""
        if (private := position.private) is not None:
            single = tuple(action for action in private.choices.value if not isinstance(action, Double))
            position = replace(position, private=replace(private, choices=Secret(single)))
        self._player.ask(position)
        return self._player.answer() or ()


def _warm_up(game: NewGame) -> None:
    """Have a level choose once in a game like this, so that what has to be compiled is, before the first answer counts.

    Raises:
        CannotPlay: the game cannot be played at this level on this machine.
    """
    cards = sorted({*game.network.start_cards, *game.cards})
    start = game.start or dict(zip(game.owners, cards, strict=False))
    free = [station for station in game.cards if station not in start.values()]
    his_station = start.get(MR_X, free[0] if free else 0)
    game = replace(game, start=start, ms=1)
    try:
        played = Game(replace(game.setup, mr_x=Secret(his_station)))
        history = PublicHistory.begin(played.public)
        if played.public.his_turn:
            his = replace(game, role=MR_X, pawns=played.public.fugitives)
            player_of(game.level, his).choose(Position(history, played.private))
            played.play(next(action for action in played.legal if isinstance(action, MrXMove | Commit)))
            history = history.see(played.public, played.actions[-1])
        if played.legal and not played.public.his_turn:
            theirs = replace(game, role=DETECTIVES, pawns=played.public.order)
            player_of(game.level, theirs).choose(Position(history))
    except (RulesError, StopIteration):  # another table's own kind of game: its first answer takes longer
        return


def _hello(protocol: int) -> Ready:
    if protocol < VERSION:
        raise BadLine(f"hello: protocol {protocol}; spoken here is {VERSION}")
    return Ready(ok=True, name=NAME, roles=(MR_X, DETECTIVES), games=(), levels=tuple(LEVELS))


@click.command()
@click.option("--level", type=click.Choice(tuple(LEVELS)), help="How well it plays; by default as the table says.")
def player(level: str | None) -> None:
    """Play for another program.

    One of our players, behind the player protocol on standard input and output: see docs/players.md.
    """
    keep_memory_to_itself()
    serve(PlayerSession(level or ""), sys.stdin.buffer, sys.stdout.buffer)


COMMANDS = (player,)


def serve(session: PlayerSession, lines: BinaryIO, out: BinaryIO) -> None:
    """Answer every line that is not blank until there are no more, or the table wants no more."""
    for said in _read(lines):
        if not said.strip():
            continue
        answer = session.answer(said)
        if session.ended:
            return
        if answer is not None:
            out.write(line(answer))
            out.flush()


def _read(lines: BinaryIO) -> Iterator[bytes]:
    """Yield each line without its end; of one that is too long no more than shows that."""
    while said := lines.readline(LONGEST_QUESTION + 2):
        end = said
        while len(end) > LONGEST_QUESTION and not end.endswith(b"\n"):
            end = lines.readline(LONGEST_QUESTION + 2)
        yield said.rstrip(b"\r\n")
