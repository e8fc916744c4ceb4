"""What the dice game shows and says never depends on where Mister X hides (DI-10, DI-17, PB-07)."""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import pytest

from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, Pass, PawnMove, RollAgain
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Setup
from tests.amount import amount
from tests.rules.dice.dice_boards import deal, game, idle, laid, play, random_setup
from tests.rules.refusals import refused_alike

WRONG = [
    *(MrXMove(Secret(to), ticket) for to in (2, 77) for ticket in ("start", "x", "stay", "boat", "pass", "")),
    *(PawnMove(pawn, 77, "taxi") for pawn in ("red", "yellow", "green", MR_X)),
]


def _same_for_all(action: Action) -> object:
    """What the table sees of an action: of Mister X's move what it was made by."""
    return action.ticket if isinstance(action, MrXMove) else action


def _twin(setup: Setup, chance: random.Random) -> Setup:
    """The same game, with Mister X elsewhere on the same tile, if his start is settled."""
    tiling = laid(setup.layout)
    here = setup.mr_x.value
    near = [n for n in tiling.stations if here and tiling.letters[n] == tiling.letters[here]]
    there = chance.choice([n for n in near if n not in setup.start.values()] or [here])
    return Setup(
        setup.edition, setup.network, setup.owners, setup.start, Secret(there), setup.options, setup.layout
    )  # fmt: skip


def _alike(one: Game, two: Game, first: Action, second: Action) -> bool:
    """Whether two actions that look the same from outside, one for each game, tell nothing and end neither."""
    if isinstance(first, PawnMove):
        return first.to not in (one.private.at.value, two.private.at.value)
    shows = len(one.public.log) + 1 in one.public.surfacing
    if not isinstance(first, MrXMove) or not isinstance(second, MrXMove):
        return not (isinstance(first, Pass) and shows) or one.private.at == two.private.at
    letters = laid(one.setup.layout).letters
    if first.ticket == "start":
        return letters[first.to.value] == letters[second.to.value]
    if {first.to.value, second.to.value} & {p for name, p in one.public.pawns.items() if name != MR_X}:
        return False
    return first == second or not shows


def _step(one: Game, two: Game, chance: random.Random) -> bool:
    """One thing for each game to do that looks the same; false if there is none."""
    roll = one.roll(chance)
    if roll is not None:
        one.play(roll)
        two.play(roll)
        return True
    twins = defaultdict[object, list[Action]](list)
    for action in two.legal:
        twins[_same_for_all(action)].append(action)
    pairs = [(a, b) for a in one.legal for b in twins[_same_for_all(a)] if _alike(one, two, a, b)]
    if not pairs:
        return False
    # Where he can, he goes apart from his twin; else what is rare is done more often.
    apart = [pair for pair in pairs if pair[0] != pair[1]] if chance.random() < 0.6 else []
    first, second = pairs[-1] if chance.random() < 0.2 else chance.choice(apart or pairs)
    one.play(first)
    two.play(second)
    return True


def _printed(table: Game) -> str:
    """All that a careless line of log could print, but for how many choices he has."""
    state = table._states[-1]
    shown = [table.public, table.private.at, table.private.route, table.private.choices, state, state.log, *state.log]
    return " ".join(f"{thing} {thing!r}" for thing in [*shown, *table.actions])


def _refuse_alike(one: Game, two: Game) -> int:
    """Both games refuse wrong actions in the same words."""
    return sum(refused_alike(one, two, wrong) for wrong in (*WRONG, Double(), Pass(), RollAgain()))


@pytest.mark.parametrize("seed", range(amount(1, 4)))
def test_di_games_that_look_the_same_to_the_table_show_the_same_to_the_table(seed: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(30):
        chance = random.Random(1000 * seed + number)
        setup = random_setup(chance)
        one, two = Game(setup), Game(_twin(setup, chance))
        while _step(one, two, chance) and one.public.outcome is None:
            assert one.public == two.public
            assert repr(one.public) == repr(two.public)
            assert _printed(one) == _printed(two)
            assert one.private.shows == two.private.shows
            seen["compared"] += 1
            seen["apart"] += one.private.at != two.private.at
            seen["choices apart"] += one.private.choices != two.private.choices
            seen["in a double"] += one.public.double == 2
            seen["visible"] += MR_X in one.public.pawns
            seen["refused"] += _refuse_alike(one, two) if chance.random() < 0.3 else 0
    assert seen["compared"] > 700
    assert seen["apart"] > 400
    assert seen["choices apart"] > 50
    assert seen["refused"] > 1000
    for happening in ("in a double", "visible"):
        assert seen[happening] > 0, happening


def test_di_10_of_his_start_the_table_learns_the_tile_alone() -> None:
    tables = []
    for to in range(9, 13):  # tile C
        table = Game(deal(4, layout="ABC DEF GHI"))
        tables.append(play(table, f"r1s y16s g36s {to}s"))
    assert all(table.public == tables[0].public for table in tables)
    assert all(table.setup.to_record() == tables[0].setup.to_record() for table in tables)
    assert all(_printed(table) == _printed(tables[0]) for table in tables)
    elsewhere = play(Game(deal(4, layout="ABC DEF GHI")), "r1s y16s g36s 13s")
    assert elsewhere.public != tables[0].public


def test_di_14_that_a_detective_was_passed_over_tells_nothing_of_him() -> None:
    words = "!xxxx R !xxxx R !xxxx R !bbbb"
    assert game(2, words).public.skipped == game(3, words).public.skipped == game(4, words).public.skipped


def test_di_25_a_detective_is_offered_his_place_like_any_other() -> None:
    beside, away = game(3, "!tttt"), game(4, "!tttt")
    assert beside.public.moves == away.public.moves
    assert beside.legal == away.legal


def test_di_no_complaint_holds_his_place() -> None:
    one, two = idle(game(18)), idle(game(30))
    assert _refuse_alike(one, two) > 10
