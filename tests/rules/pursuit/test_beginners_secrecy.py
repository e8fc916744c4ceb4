"""The beginners version: what the rules show and say never depends on where Mister X hides (PB-07)."""

from __future__ import annotations

import random

import pytest

from firmware_host.rules.actions import BLACK, FREE, MR_X, Action, MrXMove, PawnMove
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import PublicView
from tests.rules.batches import in_batches
from tests.rules.data.boxes import beginners, game, lanes, london, play, random_setup, rest, small
from tests.rules.pursuit.notation import shorts

CANARY = small("taxi 7001-7002 7002-7003 7003-7004 7001-7004, boat 7004-11, taxi 11-12 12-13 13-14 14-15 15-16 16-11")


def test_pb_07_a_hidden_station_is_printed_nowhere() -> None:
    for words in ("7002k", "D 7002k", "D 7002k 7003f"):
        table = play(game(beginners(), CANARY, 7001, 11, 13, 15, players=4), words)
        state = table._states[-1]
        shown = [table.public, table.private, table.setup, *table.actions, table.legal, state, state.log]
        assert "7002" not in " ".join(f"{thing} {thing!r}" for thing in shown)


def test_pb_07_no_refusal_tells_where_he_hides() -> None:
    complaints = set()
    for word in ("7002k", "7004k"):
        table = play(game(beginners(), CANARY, 7001, 11, 13, 15, players=4), word)
        for tried in (MrXMove(Secret(7003), FREE), PawnMove("red", 7002, FREE), PawnMove(MR_X, 7003, FREE)):
            with pytest.raises(IllegalAction) as complaint:
                table.play(tried)
            complaints.add(str(complaint.value))
        rest(table)
        with pytest.raises(IllegalAction) as complaint:
            table.play(MrXMove(Secret(11), FREE))
        complaints.add(str(complaint.value))
    assert len(complaints) == 4


def _twin_moves(table: Game, chance: random.Random) -> tuple[Action, Action]:
    """Two different moves that hide him, paid alike."""
    pairs = [
        (a, b)
        for a in table.legal
        for b in table.legal
        if isinstance(a, MrXMove) and isinstance(b, MrXMove) and a.ticket == b.ticket and a.to != b.to
    ]
    return chance.choice([(a, b) for a, b in pairs if a.ticket == BLACK or _hides(table)])


def _hides(table: Game) -> bool:
    return len(table.public.log) + 1 in (3, 8, 13)


def _alike(one: Game, two: Game) -> PublicView:
    assert one.public == two.public
    assert repr(one.public) == repr(two.public)
    return one.public


def _until_hiding(seed: int, chance: random.Random) -> Game | None:
    """A game in which his next move can hide him in two ways, sometimes in the first half of a double move."""
    table = Game(random_setup(beginners(), london() if seed % 2 else lanes(seed % 100), chance))
    for _ in range(chance.randrange(60)):
        at = table._states[-1].x
        harmless = [a for a in table.legal if not (isinstance(a, PawnMove) and a.to == at)]
        if not harmless:
            return None
        table.play(chance.choice(harmless))
    while table.legal and table.public.turn != (MR_X,):
        table.play(chance.choice(table.legal))
    if "D" in shorts(table.legal) and chance.random() < 0.6:
        play(table, "D")
    ways = {a.to.value for a in table.legal if isinstance(a, MrXMove)}
    able = len(ways) > 1 and (_hides(table) or table.public.tickets[MR_X]["black"])
    return table if able and MR_X in table.public.pawns else None


@in_batches(4)
def test_pb_07_games_that_part_where_he_hides_look_the_same_until_he_is_set_down(batch: int) -> None:
    compared = doubles = 0
    for seed in range(400 * batch, 400 * (batch + 1)):
        chance = random.Random(seed)
        one = _until_hiding(seed, chance)
        if one is None:
            continue
        two, number = Game(one.setup, one.actions), one.public.round
        first, second = _twin_moves(one, chance)
        one.play(first)
        two.play(second)
        while one.public.round == number and one.public.outcome is two.public.outcome is None:
            view = _alike(one, two)
            compared += 1
            if view.double == 2:  # the second half leads to one station, unless it hides him too
                common = sorted(shorts(one.legal) & shorts(two.legal))
                if not common:
                    break
                word = chance.choice(common)
                play(one, word)
                play(two, word)
                doubles += 1
                continue
            caught = {one.private.at.value, two.private.at.value}
            moves = [move for move in view.moves if move.to not in caught]
            if not moves:
                break
            move = chance.choice(moves)
            one.play(move)
            two.play(move)
    assert compared > 150
    assert doubles > 10


@in_batches(4)
def test_pb_07_a_hidden_first_half_leaves_no_trace_for_the_rest_of_the_game(batch: int) -> None:
    compared = 0
    for seed in range(400 * batch, 400 * (batch + 1)):
        chance = random.Random(seed)
        one = _until_hiding(seed, chance)
        if one is None or one.public.double != 1 or one.setup.options.get("uncover_half"):
            continue
        two = Game(one.setup, one.actions)
        first, second = _twin_moves(one, chance)
        one.play(first)
        two.play(second)
        common = sorted(shorts(one.legal) & shorts(two.legal))
        while common:
            word = chance.choice(common)
            play(one, word)
            play(two, word)
            if one.public.outcome is not None:
                break
            _alike(one, two)
            assert one.legal == two.legal
            compared += 1
            common = sorted(shorts(one.legal))
    assert compared > 150
