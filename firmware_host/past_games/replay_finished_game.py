"""Replay the entries of a finished game by the rules, and keep every step.

A record shows everything, including Mister X's whole route. So games that are not over are refused here: a game in
play, one that was given up, and one whose entries do not lead to the recorded end.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from firmware_host.journal.entries import (
    BEGIN,
    FINISH,
    PLAY,
    TAKE_BACK,
    BadEntry,
    apply_entry,
    begin_game,
    names_of,
    parse_record,
    seats_of,
)
from firmware_host.journal.journal import Finished
from firmware_host.past_games.game_analysis import CannotReplay, GameRecord, ReplayedStep, Summary
from firmware_host.players.player_port import NewGame
from firmware_host.players.seats import PERSON
from firmware_host.rules.actions import MR_X, SIDES, Action
from firmware_host.rules.errors import BadRecord, RulesError
from firmware_host.rules.game import Game
from firmware_host.rules.setup import NAME, Box, Ground, check_record
from firmware_host.rules.views import Outcome, PublicView
from firmware_host.system.language import gettext_noop, translatable

_RULES_GONE = gettext_noop("The rules of this game are no longer available.")
_NAMED_RULES_GONE = gettext_noop("The rules {rules} of this game are no longer available.")
_RULES_CHANGED = gettext_noop("The file of the rules {rules} has changed since this game.")
_MAP_GONE = gettext_noop("The map of this game is no longer available, or has changed since.")

Known = Collection[tuple[Box, Ground]]
"""The rules known here, each with a board for it, the likeliest first."""


def summary(game: Finished, known: Known) -> Summary:
    """Summarise a finished game for a list, without replaying its moves.

    Raises:
        CannotReplay: the game is not finished.
    """
    _check_course(game)
    try:
        return _summary(game, known)
    except CannotReplay as error:
        (began, _, _), (ended, _, _) = game.entries[0], game.entries[-1]
        return Summary(game.number, "", "", "", began, ended, 0, (), None, 0, str(error))


def _summary(game: Finished, known: Known) -> Summary:
    (began, _, first), (ended, _, last) = game.entries[0], game.entries[-1]
    setup, outcome = _record(game, first), _outcome(game, _record(game, last))
    try:
        check_record(setup)
    except BadRecord:
        raise CannotReplay(f"game {game.number} cannot be shown: the entry of its start is damaged") from None
    rules, owners = setup["rules"], setup["owners"]
    trouble = ""
    try:
        _find_rules(setup, known)
    except CannotReplay as error:
        trouble = error.args[0]
    kinds = [kind for _, kind, _ in game.entries]
    return Summary(
        number=game.number,
        rules=rules,
        title=next((box.title for box, _ in known if box.name == rules), rules),
        map=setup["map"][0],
        began=began,
        ended=ended,
        players=1 + len(set(owners.values())),
        pawns=tuple(owners),
        outcome=outcome,
        moves=kinds.count(PLAY) - kinds.count(TAKE_BACK),
        trouble=trouble,
        seats=_seats(game, setup),
        names=names_of(setup),
    )


def _seats(game: Finished, setup: Mapping[str, Any]) -> dict[str, str]:
    """Return who played in each seat of a game."""
    try:
        computers = seats_of(setup)
    except BadEntry as error:
        raise CannotReplay(f"game {game.number}: {error}") from None
    seats = [MR_X, *map(str, sorted({*setup["owners"].values()}))]
    return {seat: computers.get(seat, PERSON) for seat in seats}


def replay(game: Finished, known: Known) -> GameRecord:
    """Replay a finished game by the rules.

    Raises:
        CannotReplay: it is not finished, its rules or board no longer exist, or its entries do not replay. The message
            names no station.
    """
    heading = summary(game, known)
    if heading.trouble:
        raise CannotReplay(heading.trouble)
    table = _begin(game, known)
    steps = [_step(table, None, 0.0)]
    for place, (at, kind, text) in enumerate(game.entries[1:-1], 2):
        try:
            apply_entry(table, kind, parse_record(text))
        except BadEntry as error:
            raise CannotReplay(f"game {game.number}: entry {place} {error}") from None
        if kind == TAKE_BACK:
            steps.pop()
        else:
            steps.append(_step(table, table.actions[-1], at - heading.began))
    if steps[-1].view.outcome != heading.outcome:
        raise CannotReplay(f"game {game.number} cannot be shown: its entries do not lead to the recorded end")
    return _game_record(heading, table, steps)


def as_begun(game: Finished, known: Known) -> NewGame:
    """Return what the detectives knew of a finished game before its first move.

    Raises:
        CannotReplay: as for `replay`, but the moves are not replayed.
    """
    _check_course(game)
    table = _begin(game, known)
    return NewGame.of(table.setup, table.public.order, seed=0, level="", ms=0)


def _begin(game: Finished, known: Known) -> Game:
    record = _record(game, game.entries[0][2])
    try:
        return begin_game(record, *_find_rules(record, known))
    except BadEntry as error:
        raise CannotReplay(f"game {game.number} {error}") from None


def _game_record(heading: Summary, table: Game, steps: Sequence[ReplayedStep]) -> GameRecord:
    last = steps[-1].view
    seen = {entry.window for step in steps[:-1] for entry in step.view.log if entry.station is not None}
    return GameRecord(
        summary=heading,
        network=table.setup.network,
        options=dict(table.setup.options),
        routes=_routes(last, steps),
        shown=frozenset(seen | {entry.window for entry in last.log if entry.window in last.surfacing}),
        steps=tuple(steps),
    )


def _routes(last: PublicView, steps: Sequence[ReplayedStep]) -> dict[str, tuple[int, ...]]:
    """Return Mister X's route and X Junior's, who is always visible (JU-07), from a game's steps."""
    before = (0, *(step.walked for step in steps))
    walked = [step for had, step in zip(before, steps, strict=False) if step.walked > had]
    return {pawn: last.route if pawn == MR_X else tuple(step.pawns[pawn] for step in walked) for pawn in last.fugitives}


# ---- reading entries ---------------------------------------------------------------------------------------------


def _check_course(game: Finished) -> None:
    """Check that the entries are those of one game, from its start to its end."""
    kinds = [kind for _, kind, _ in game.entries]
    if kinds[:1] != [BEGIN] or kinds[-1:] != [FINISH] or set(kinds[1:-1]) - {PLAY, TAKE_BACK}:
        raise CannotReplay(f"game {game.number} cannot be shown: it was not played to its end")


def _record(game: Finished, text: str) -> dict[str, Any]:
    try:
        return parse_record(text)
    except BadEntry:
        why = "one of its entries is damaged; a backup may have it whole"
        raise CannotReplay(f"game {game.number} cannot be shown: {why}") from None


def _outcome(game: Finished, end: Mapping[str, Any]) -> Outcome:
    who, why = end.get("winner"), end.get("reason")
    if who not in SIDES or not isinstance(why, str) or not NAME.fullmatch(why):
        raise CannotReplay(f"game {game.number} cannot be shown: the entry of its end is damaged")
    return Outcome(who, why)


def _find_rules(setup: Mapping[str, Any], known: Known) -> tuple[Box, Ground]:
    """Return the rules and the board of a game if they are available here, unchanged."""
    rules = setup.get("rules")
    boxes = [pair for pair in known if pair[0].name == rules]
    if not boxes:
        if isinstance(rules, str) and NAME.fullmatch(rules):
            raise CannotReplay(translatable(_NAMED_RULES_GONE, rules=repr(rules)))
        raise CannotReplay(_RULES_GONE)
    same = [(box, ground) for box, ground in boxes if setup.get("box", box.digest) == box.digest]
    if not same:
        raise CannotReplay(translatable(_RULES_CHANGED, rules=repr(rules)))
    for box, ground in same:
        try:
            network = ground.lay_tiles(str(setup.get("layout", "")))
        except RulesError:
            continue  # these tiles do not fit on this board
        if setup.get("map") == [network.name, network.digest]:
            return box, ground
    raise CannotReplay(_MAP_GONE)


def _step(table: Game, action: Action | None, after: float) -> ReplayedStep:
    """Return the step for the last action."""
    return ReplayedStep(after, action, table.public, _all_pawns(table), len(table.private.route.value))


def _all_pawns(table: Game) -> dict[str, int]:
    """Return the station of every pawn, hidden ones included. With two fugitives (JU-01) both are visible."""
    pawns, at = dict(table.public.pawns), table.private.at.value
    return pawns if MR_X in pawns or not at else pawns | {MR_X: at}
