"""Each question about one pawn and one station, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.referee.readings import InHand, Mismatch, Reading, Returned, Settled
from firmware_host.referee.scene import BACK, CONFIRM, Ask, Kind, Phase
from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.ui import json_views
from firmware_host.ui.prompt_wording import prompt
from tests.ui.handmade_views import public, scene

YES_OR_NO = (CONFIRM, BACK)
TICKETS = ("taxi", "bus")
KEYS = ("table.taxi", "table.bus")
HELD = InHand(("red",))


@pytest.mark.parametrize(
    ("ask", "reading", "said"),
    [
        (Ask(Kind.WENT, YES_OR_NO, ("red",), 75), Settled(), "Red to 75? CONFIRM. No: BACK"),
        (Ask(Kind.WENT, (*KEYS, BACK), ("red",), 58, TICKETS), Settled(), "Red to 58? TAXI or BUS. No: BACK"),
        (
            Ask(Kind.WENT, YES_OR_NO, ("red",), 75),
            HELD,
            "Red: to a lit station. Already on 75? Press CONFIRM, BACK: elsewhere",
        ),
        (Ask(Kind.WENT_BACK, YES_OR_NO, ("red",), 75), Settled(), "Red back on 75? CONFIRM. No: BACK"),
        (Ask(Kind.WENT_BACK, YES_OR_NO, ("red",), 74), Settled(), "Take Red's start on 74 back? CONFIRM. No: BACK"),
        (Ask(Kind.BACK_OR_NOT, YES_OR_NO, ("red",), 75), HELD, "Red back on 75? CONFIRM. It stands on 74? BACK"),
        (Ask(Kind.STAYS, YES_OR_NO, ("red",), 74), Settled(), "Red stays on 74? CONFIRM, BACK: no"),
        (
            Ask(Kind.STANDS, YES_OR_NO, ("red",), 74),
            HELD,
            "Red: to a lit station. Does it stand on 74? CONFIRM. No: BACK",
        ),
        (Ask(Kind.STANDS, YES_OR_NO, ("yellow",), 13), HELD, "Put Yellow back. Does it stand on 13? CONFIRM. No: BACK"),
        (Ask(Kind.EMPTY, YES_OR_NO, ("red",), 75), HELD, "Is 75 empty? CONFIRM: its switch is broken. No: BACK"),
        (Ask(Kind.MR_X_PAWN, YES_OR_NO, (MR_X,), 75), HELD, "Is that Mister X's pawn on 75? CONFIRM. No: BACK"),
        (Ask(Kind.WHERE, (BACK,), ("red",)), HELD, "Where does Red stand? BACK: show the next station"),
        (Ask(Kind.CHOOSE_START, (), ("red",)), HELD, "Red: choose a start and set the pawn there"),
        (
            Ask(Kind.CHOOSE_START, (CONFIRM,), ("red",), unsensed=True),
            HELD,
            "Red: choose a start and set the pawn there. Not sensed there? CONFIRM",
        ),
    ],
)
def test_a_question_names_its_pawn_its_station_and_the_keys_that_answer(ask: Ask, reading: Reading, said: str) -> None:
    view = public(turn=("red",), pawns={"red": 74, "yellow": 13}, moves=(PawnMove("red", 75, "taxi"),))
    assert prompt(replace(scene(view, reading=reading, phase=Phase.PLAY), ask=ask)).text == said


@pytest.mark.parametrize(
    ("ask", "reading", "asked"),
    [
        (Ask(Kind.BACK_OR_NOT, YES_OR_NO, ("red",), 75), Returned("red", 75, ambiguous=True), ("red", 75, "return")),
        (Ask(Kind.BACK_OR_NOT, YES_OR_NO, ("red",)), Returned("red", None, ambiguous=True), ("red", 74, "return")),
        (Ask(Kind.MR_X_MOVED, (CONFIRM,), (MR_X,)), Settled((PawnMove(MR_X, 42, "free"),)), (MR_X, 42, "free")),
        (Ask(Kind.SWITCH, (CONFIRM,), ("red",), 74), Mismatch({"red": 74}, frozenset()), ("red", 74, "here")),
        (Ask(Kind.SWITCH, (CONFIRM,), (), 100), Mismatch({}, frozenset({100})), ("red", 100, "empty")),
        (
            Ask(Kind.MOVE, (CONFIRM,), ("red",), besides=Ask(Kind.EMPTY, (CONFIRM,), station=46)),
            Settled(),
            ("red", 46, "empty"),
        ),
    ],
)
def test_all_that_is_asked_is_in_the_public_values(ask: Ask, reading: Reading, asked: tuple[str, int, str]) -> None:
    view = public(pawns={"red": 74, "yellow": 13})
    said = json_views.public(scene(view, ask=ask, reading=reading, take_off=frozenset({46})))["asked"]
    assert said == [dict(zip(("pawn", "to", "ticket"), asked, strict=True))]
