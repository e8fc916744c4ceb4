"""What Python says to pages, and takes from them, is what the pages' types say; see `messages.d.ts`."""

from __future__ import annotations

import json
import random
from typing import get_args

import msgspec
import pytest

from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.web.feeds.latest_feed import LAMPS
from firmware_host.web.feeds.page_orders import Alive, PageHello, UserOrder
from tests.table.cases import CASES, Case, shipped
from tests.web.at_once import AtOnce, kinds, texts
from tests.web.message_types import differences, interfaces, names, not_as_told

OF_A_SERVER = {"games", "refused"}
"""Kinds of messages of which no table without a server sends any; `programs.Page` looks at all that it hears."""

MOVES = 12
"""So many tell of all that there is to tell."""


def check(room: AtOnce) -> None:
    """Every message so far is as its kind's type says."""
    room.wait(500)
    for text in texts(room.public.heard) + texts(room.private.heard):
        assert not_as_told(json.loads(text)) == [], text
    heard = kinds(room.public.heard).keys() | kinds(room.private.heard).keys()
    assert heard - {LAMPS["colour-blind"]} == interfaces()["Messages"].keys() - OF_A_SERVER  # to a page they are lamps


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.long_but_first
def test_every_message_of_a_game_is_as_the_pages_types_say(case: Case) -> None:
    with AtOnce(shipped(case.rules), seed=3) as room:
        room.wait(500)  # while there is no game
        room.simulated.new_game(players=case.players, options=dict(case.options))
        players = SimulatedPeople(room.simulated, random.Random(3))
        players.set_up()
        for _ in range(MOVES):
            players.play()
        check(room)


def test_every_message_at_the_end_of_a_game_is_as_the_pages_types_say() -> None:
    with AtOnce(shipped("junior"), seed=3) as room:
        room.simulated.new_game()
        players = SimulatedPeople(room.simulated, random.Random(3))
        players.set_up()
        while room.simulated.public.outcome is None:
            players.play()
        check(room)
        assert any('"ended":{' in text for text in texts(room.public.heard))


def test_the_orders_of_pages_have_the_fields_that_python_reads() -> None:
    types = [interfaces()[name] for name in names()["Order"].split(" | ")]
    read = {
        f'"{order.__struct_config__.tag}"': {field.name: field.required for field in msgspec.structs.fields(order)}
        for order in (PageHello, Alive, *get_args(UserOrder))
    }
    assert read == {
        type_["do"].type: {name: field.required for name, field in type_.items() if name != "do"} for type_ in types
    }


WRONG = [
    ({"newest": "1"}, "GamesMessage"), ({}, "GamesMessage"), ({"newest": 1, "more": 1}, "GamesMessage"),
    ([1, "2"], "number[]"), ({"red": None}, "Record<string, number>"),
    ([[1, "2", "bus"]], "[number, number, string][]"),
    ("played", "Phase"), ({"simulated": True, "devices": []}, "TableMessage"),
]  # fmt: skip


def test_a_value_that_is_not_as_its_type_says_is_found() -> None:
    assert [pair for pair in WRONG if not differences(*pair)] == []
