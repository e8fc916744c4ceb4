"""What the table says: it fits on the small display, and names pawns and stations in plain words."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import pytest

from firmware_host import prompts
from firmware_host.drawing import marks, placard
from firmware_host.parlour import Parlour
from firmware_host.parlour.player import Players
from firmware_host.rules.actions import MR_X
from firmware_host.rules.setup import Option
from firmware_host.rules.views import PublicView, Skipped
from firmware_host.scene import Mismatch, Phase, Scene, Settled
from tests.table.house import text
from tests.table.parlours import box
from tests.views import DICE, dice_game, public, scene

PAWNS = ("red", "yellow", "green", "blue", "purple", "white")
NAMES = {pawn.capitalize() for pawn in PAWNS}
KEYS = {"CONFIRM", "BACK", "TAXI", "BUS", "UNDERGROUND"}


class Heard(Parlour):
    """A parlour that remembers all that the table has said."""

    heard: set[str]
    cut: set[str]

    def advance(self, ms: float) -> None:
        super().advance(ms)
        said = self.daemon.scene()
        self.heard.add(said.prompt.text)
        if not whole(said):
            self.cut.add(said.prompt.text)


def whole(said: Scene) -> bool:
    """Whether the display shows a scene's prompt to its last word."""
    words = [mark.text for mark in placard.layout(placard.placard(said)) if isinstance(mark, marks.Word)]
    return said.prompt.text.replace(" ", "") in "".join(words).replace(" ", "")


def played(rules: str, players: int, seed: int, options: dict[str, Option]) -> Heard:
    """A game played to its end by rough hands."""
    p = Heard(box(rules), seed=seed, rough=True)
    p.heard, p.cut = set(), set()
    p.new_game(players=players, options=options)
    hands = Players(p, random.Random(seed), rough=True)
    hands.set_up()
    while p.public.outcome is None:
        hands.play()
    p.advance(1000)
    return p


GAMES: list[tuple[str, int, int, dict[str, Option]]] = [
    ("classic", 6, 0, {}),
    ("current", 4, 1, {}),
    ("us", 3, 0, {"voluntary_surfacing": True}),
    ("us", 5, 3, {}),
    ("beginners", 5, 2, {}),
    ("dice", 4, 3, {}),
    ("dice", 4, 0, {"dice": "entered", "experts": True}),
    ("dice", 2, 1, {"dice": "entered"}),
    ("junior", 4, 2, {}),
    ("junior", 3, 1, {}),
]


@pytest.mark.parametrize(("rules", "players", "seed", "options"), GAMES)
def test_all_that_is_said_in_a_game_fits_on_the_display_in_plain_words(
    rules: str, players: int, seed: int, options: dict[str, Option]
) -> None:
    p = played(rules, players, seed, options)
    assert p.cut == set()
    assert len(p.heard) > 8
    stations = set(p.public.network.stations)
    for said in p.heard:
        assert said, "nothing is said"
        assert not re.search(r"_|[{}<>]|None|\bmr|x_", said), said
        assert not set(re.findall(r"\b[a-z]+\b", said)) & set(PAWNS), said  # a pawn's name begins with a capital
        assert set(re.findall(r"\b[A-Z]{3,}\b", said)) <= KEYS, said
        numbers = {int(n) for n in re.findall(r"(?:on|off|to|at|Clear) (\d+)", said)}
        assert numbers <= stations, said
    assert any(re.search(rf"\b{name}\b", said) for said in p.heard for name in NAMES)
    assert text(p).endswith("CONFIRM: new game")


def said_of(view: PublicView, reading: Any = None, **told: Any) -> Scene:
    """A scene with the prompt that belongs to it."""
    bare = scene(view, "", reading=reading or Settled(), phase=Phase.PLAY, **told)
    return replace(bare, prompt=prompts.prompt(bare, more=False, late=False, lay=False, paused=""))


SKIPS = [(), ("green",), ("yellow", "green")]


@pytest.mark.parametrize("skipped", SKIPS)
def test_di_08_whatever_is_entered_fits_on_the_display(skipped: tuple[str, ...]) -> None:
    dice = replace(DICE, to_roll=4, rolled=(), used=(), by_hand=True)
    told = tuple(Skipped(pawn, "no_die") for pawn in skipped)
    view = dice_game(17, turn=("yellow",) if "yellow" not in skipped else ("red",), dice=dice, skipped=told).public
    for count in range(5):
        for entered in combinations_with_replacement(DICE.faces, count):
            assert whole(said_of(view, entered=entered)), said_of(view, entered=entered).prompt.text


def test_dice_alike_are_counted() -> None:
    view = dice_game(17, turn=("red",), dice=replace(DICE, to_roll=4, rolled=(), used=(), by_hand=True)).public
    some = said_of(view, entered=("underground", "x", "underground")).prompt.text
    assert some == "Red: 1 more: TAXI, BUS or UNDERGROUND, CONFIRM for X. Entered: 2 underground and x."
    every = said_of(view, entered=("x",) * 4).prompt.text
    assert every == "Red rolled 4 x? CONFIRM, or BACK to mend it"


def test_cl_19_pawns_that_stay_for_the_same_reason_are_told_of_together() -> None:
    skips = (Skipped("red", "blocked"), Skipped("yellow", "immobilised"), Skipped("green", "immobilised"))
    view = public(turn=(MR_X,), skipped=skips)
    assert said_of(view).prompt.text == (
        "Mister X moves. Red is blocked and stays. Yellow and Green are immobilised and stay"
    )
    four = tuple(Skipped(pawn, "immobilised") for pawn in ("red", "yellow", "green", "blue"))
    shown = said_of(public(turn=(MR_X,), skipped=four, stale=frozenset({171})), take_off=frozenset({171}))
    assert shown.prompt.text == (
        "Mister X moves. Take Mister X's pawn off 171. Red, Yellow, Green and Blue are immobilised and stay"
    )
    assert whole(shown)


def test_a_board_swept_bare_is_told_of_in_few_words() -> None:
    stand = {"red": 138, "yellow": 141, "green": 126, "blue": 150, "purple": 155}
    view = public(detectives=5, pawns=stand)
    wrong = Mismatch(stand, frozenset({101, 102, 103, 104, 105, 106}))
    for level in (1, 2):
        shown = said_of(view, wrong, wrong=level, set_down={MR_X: 199})
        assert whole(shown), shown.prompt.text
        assert "and 2 more" in shown.prompt.text
        assert "and 3 more" in shown.prompt.text
        assert ("Set Mister X's pawn on 199" in shown.prompt.text) == (level == 1)
