"""What the table says: it fits on the small display, and names pawns and stations in plain words."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import pytest

from firmware_host.config.loader import Config
from firmware_host.referee.readings import Mismatch, Returned, Settled
from firmware_host.referee.scene import NEW_GAME, GameGivenUp, Phase, Scene
from firmware_host.referee.state import next_ask
from firmware_host.rules.actions import FREE, MR_X, STAY, PawnMove
from firmware_host.rules.pursuit.pursuit_view import TicketTaken
from firmware_host.rules.setup import Option
from firmware_host.rules.views import LogEntry, PublicView, Skipped
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.fault_injection import FaultInjection
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.ui.drawing import public_display, screen_text
from firmware_host.ui.prompt_wording import prompt
from tests.amount import amount
from tests.referee.referees import NOW, state_of
from tests.table.cases import shipped
from tests.table.played_table import text, unnamed
from tests.ui.handmade_views import DICE, dice_game, public, scene

PAWNS = ("red", "yellow", "green", "blue", "purple", "white")
NAMES = {pawn.capitalize() for pawn in PAWNS}
KEYS = {"CONFIRM", "BACK", "TAXI", "BUS", "UNDERGROUND"}


class Heard(SimulatedTable):
    """A parlour that remembers every scene that the table has shown."""

    def __init__(self, config: Config, **told: Any) -> None:
        super().__init__(config, **told)
        self.scenes: list[Scene] = []

    def advance(self, ms: float) -> None:
        super().advance(ms)
        scene = self.table.scene()
        if scene not in self.scenes[-1:]:
            self.scenes.append(scene)


def whole(said: Scene) -> bool:
    """Whether the display shows a scene's prompt to its last word."""
    words = [
        mark.text
        for mark in public_display.layout(public_display.content_of(said))
        if isinstance(mark, screen_text.Word)
    ]
    return prompt(said).text.replace(" ", "") in "".join(words).replace(" ", "")


def played(rules: str, players: int, seed: int, options: dict[str, Option], *, faults: bool = False) -> Heard:
    """A game played to its end by rough hands, on a table that fails in places if it has `faults`."""
    p = Heard(shipped(rules), seed=seed, rough=True, pace=lambda _: mishaps.pass_time())
    mishaps = FaultInjection(p, random.Random(seed))
    p.new_game(players=players, options=options)
    hands = SimulatedPeople(p, random.Random(seed), rough=True, mishaps=mishaps)
    if faults:
        mishaps.strike()
    hands.set_up()
    while p.public.outcome is None:
        hands.play()
    p.advance(1000)
    return p


GAMES: list[tuple[str, int, int, dict[str, Option]]] = [
    ("classic", 6, 0, {}),
    ("current", 4, 1, {}),
    ("us", 3, 0, {"voluntary_surfacing": True}),
    ("beginners", 5, 2, {}),
    ("dice", 4, 0, {"dice": "entered", "experts": True}),
    ("junior", 4, 2, {}),
    ("us", 5, 3, {}),
    ("dice", 4, 3, {}),
    ("dice", 2, 1, {"dice": "entered"}),
    ("junior", 3, 1, {}),
]


@pytest.mark.parametrize(("rules", "players", "seed", "options"), GAMES[: amount(6, None)])
@pytest.mark.long_but_first
def test_all_that_is_said_in_a_game_fits_on_the_display_in_plain_words(
    rules: str, players: int, seed: int, options: dict[str, Option]
) -> None:
    p = played(rules, players, seed, options)
    assert [prompt(shown).text for shown in p.scenes if not whole(shown)] == []
    assert [shown.ask for shown in p.scenes if unnamed(shown)] == []
    heard = {prompt(shown).text for shown in p.scenes}
    assert len(heard) > 8
    stations = set(p.public.network.stations)
    for said in heard:
        assert said, "nothing is said"
        assert not re.search(r"_|[{}<>]|None|\bmr|x_", said), said
        assert not set(re.findall(r"\b[a-z]+\b", said)) & set(PAWNS), said  # a pawn's name begins with a capital
        assert set(re.findall(r"\b[A-Z]{3,}\b", said)) <= KEYS, said
        numbers = {int(n) for n in re.findall(r"(?:on|off|to|at|Clear) (\d+)", said)}
        assert numbers <= stations, said
    assert any(re.search(rf"\b{name}\b", said) for said in heard for name in NAMES)
    assert text(p).endswith("CONFIRM: new game")


@pytest.mark.parametrize("rules", ["classic", "dice", "junior"])
def test_every_key_that_answers_is_named_whatever_is_out_of_order(rules: str) -> None:
    p = played(rules, 4, 2, {}, faults=True)
    assert [prompt(shown).text for shown in p.scenes if unnamed(shown)] == []
    assert any(shown.ignored for shown in p.scenes)


def said_of(view: PublicView, reading: Any = None, **told: Any) -> Scene:
    """A scene with the ask that belongs to it."""
    bare = scene(view, reading=reading or Settled(), phase=Phase.PLAY, **told)
    return replace(bare, ask=next_ask(state_of(bare), NOW))


SKIPS = [(), ("green",), ("yellow", "green")]


@pytest.mark.parametrize("skipped", SKIPS)
def test_di_08_whatever_is_entered_fits_on_the_display(skipped: tuple[str, ...]) -> None:
    dice = replace(DICE, to_roll=4, rolled=(), used=(), by_hand=True)
    told = tuple(Skipped(pawn, "no_die") for pawn in skipped)
    view = dice_game(17, turn=("yellow",) if "yellow" not in skipped else ("red",), dice=dice, skipped=told).public
    for count in range(5):
        for entered in combinations_with_replacement(DICE.faces, count):
            assert whole(said_of(view, entered=entered)), prompt(said_of(view, entered=entered)).text


def test_cl_19_pawns_that_stay_for_the_same_reason_are_told_of_together() -> None:
    skips = (Skipped("red", "blocked"), Skipped("yellow", "immobilised"), Skipped("green", "immobilised"))
    view = public(turn=(MR_X,), skipped=skips)
    assert prompt(said_of(view)).text == (
        "Mister X moves. Red is blocked and stays. Yellow and Green lack a ticket and stay"
    )
    four = tuple(Skipped(pawn, "immobilised") for pawn in ("red", "yellow", "green", "blue"))
    shown = said_of(public(turn=(MR_X,), skipped=four, stale=frozenset({171})), take_off=frozenset({171}))
    assert prompt(shown).text == (
        "Mister X moves. Clear 171: Mister X has left. Red, Yellow, Green and Blue lack a ticket and stay"
    )
    assert whole(shown)


def test_a_board_swept_bare_is_told_of_in_few_words() -> None:
    stand = {"red": 138, "yellow": 141, "green": 126, "blue": 150, "purple": 155}
    view = public(detectives=5, pawns=stand)
    wrong = Mismatch(stand, frozenset({101, 102, 103, 104, 105, 106}))
    for level in (1, 2):
        shown = said_of(view, wrong, wrong=level, set_down={MR_X: 199})
        assert whole(shown), prompt(shown).text
        assert "and 2 more" in prompt(shown).text
        assert "and 3 more" in prompt(shown).text
        assert ("Set Mister X's pawn on 199" in prompt(shown).text) == (level == 1)


def test_be_08_be_06_how_mister_x_moves_is_told_with_the_double_moves_half_first() -> None:
    way = (PawnMove(MR_X, 81, FREE),)
    seen: dict[str, Any] = {"turn": (MR_X,), "in_sight": True, "pawns": {"red": 26, MR_X: 82}}
    open_move = public(open_moves=way, **seen)
    assert prompt(said_of(open_move)).text == "Mister X moves: his pawn on the board, or on the handset"
    for half, name in ((1, "1st"), (2, "2nd")):
        told = prompt(said_of(replace(open_move, double=half), set_down={MR_X: 182}))
        head = f"Mister X moves (double move, {name}): his pawn on the board, or on the handset"
        assert told.text == f"{head}. Set Mister X's pawn on 182"
        assert whole(said_of(replace(open_move, double=half), set_down={MR_X: 182}))
    for moves in range(15):
        log = tuple(LogEntry(n, FREE, None, 0) for n in range(1, moves + 1))
        hidden = replace(public(**seen), log=log, surfacing=frozenset(range(1, 16)) - {3, 8, 13})
        line = prompt(said_of(hidden)).text
        is_hidden = line == "Mister X's move is hidden: he chooses on the handset"
        assert is_hidden == (moves + 1 in (3, 8, 13)), line
        assert is_hidden or line == "Mister X moves"
    assert prompt(said_of(replace(hidden, log=log[:2], double=2))).text == (
        "Mister X's move is hidden (double move, 2nd): he chooses on the handset"
    )
    elsewhere = replace(hidden, log=log[:2], in_sight=False)
    assert prompt(said_of(elsewhere)).text == "Mister X moves"


def test_pb_06_while_dice_are_to_be_rolled_mister_xs_pawn_is_asked_for_too() -> None:
    dice = replace(DICE, to_roll=4, rolled=(), used=(), by_hand=False)
    view = dice_game(17, turn=("red",), dice=dice).public
    asked = said_of(view, set_down={MR_X: 17})
    assert prompt(asked).text == "Red: CONFIRM rolls 4 dice. Set Mister X's pawn on 17"
    assert whole(asked)
    left = said_of(view, take_off=frozenset({9}))
    assert prompt(left).text == "Red: CONFIRM rolls 4 dice. Clear 9: Mister X has left"


def test_di_10_a_start_that_may_be_taken_back_is_asked_about_without_a_station() -> None:
    shown = said_of(public(turn=("yellow",), pawns={"red": 26}), Returned("red", None, ambiguous=True))
    assert prompt(shown).text == "Take Red's start back? CONFIRM. It stands on 26? BACK"
    assert whole(shown)


def test_what_has_just_happened_stands_before_what_is_next_but_before_nothing_that_is_wrong_or_asked() -> None:
    def told(shown: Scene, **said: Any) -> str:
        shown = replace(shown, announcement=TicketTaken("bus", "purple"), **said)
        return prompt(replace(shown, ask=next_ask(state_of(shown), NOW))).text

    view = public(turn=(MR_X,))
    bare = said_of(view)
    assert told(bare) == "Mister X took bus from Purple. Mister X moves"
    wrong = Mismatch({}, frozenset({7}))
    assert told(said_of(view, wrong, wrong=1)) == "Clear 7"
    assert "took" not in told(replace(bare, asked=(PawnMove("red", 26, STAY),)))
    assert told(bare, paused="the board is lost") == "Paused: the board is lost"
    for phase in (Phase.SET_UP, Phase.RESUME, Phase.OVER):
        assert "took" not in told(replace(bare, phase=phase))
    given_up = replace(bare, view=None, phase=Phase.NO_GAME, announcement=GameGivenUp(), ask=NEW_GAME)
    assert prompt(given_up).text == "The game was given up. Press CONFIRM for a new game"
