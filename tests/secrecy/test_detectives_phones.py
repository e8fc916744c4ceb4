"""A detective's phone: it is sent what everyone is sent, and nothing but that, whatever it asks for."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator

import pytest
from websockets.sync.client import ClientConnection

from firmware_host.rules.actions import MR_X, Action
from firmware_host.simulator.browser_session import TURN
from firmware_host.web.feeds.page_orders import AgainOrder, ChooseOrder, UserOrder
from firmware_host.web.feeds.websocket_session import NOT_ALLOWED
from tests.secrecy.test_seat import ByPage
from tests.table.cases import SOME, Case
from tests.web.at_once import AtOnce, kinds
from tests.web.served import PATIENCE, Served, farewell, put, served
from tests.web.twins import by, twins


@pytest.fixture
def table() -> Iterator[Served]:
    with served() as opened:
        yield opened


def test_a_detectives_phone_is_sent_what_a_spectator_is_and_nothing_that_is_mister_xs(table: Served) -> None:
    put(table, "scene", told="everyone")
    put(table, "seat", private=True, told="Mister X")
    put(table, "handset", private=True, told="Mister X")
    heard = {}
    for kind, session in (("spectator", None), ("detective", secrets.token_hex(16))):
        with table.page(kind, session) as page:
            if session is not None:
                page.send('{"do":"sit","player":1}')
            heard[kind] = said_until_a_beat(page)
    assert heard["detective"] - {"refused"} == heard["spectator"] == {"news", "scene", "phones"}


def test_a_detectives_phone_has_no_use_for_mister_xs_session(table: Served) -> None:
    put(table, "seat", private=True, told="Mister X")
    session = table.session()
    with table.page("detective", session) as page:
        assert farewell(page)[0] == NOT_ALLOWED


def said_until_a_beat(page: ClientConnection) -> set[str]:
    """The kinds of all messages to a page until it has had everything."""
    heard = set[str]()
    while "beat" not in heard:
        heard.add(json.loads(page.recv(timeout=PATIENCE))["kind"])
    return heard - {"beat"}


WRONG: tuple[UserOrder, ...] = (
    ChooseOrder({"kind": "move", "to": 9999, "ticket": "taxi"}),
    ChooseOrder({"kind": "pawn", "pawn": MR_X, "to": 9999, "ticket": "taxi"}),
    AgainOrder(),
)
"""What no detective's phone may ask for while a game is on."""


class OnPhones(ByPage):
    """People at a table with phones; one of two tries on his what is not a detective's to do, too."""

    def do(self, step: Action) -> None:
        for wrong in WRONG if self._curious else ():
            self.room.ask("detective", wrong)
        if not self._curious:
            self.room.wait(TURN * len(WRONG))
        super().do(step)


@pytest.mark.parametrize("case", SOME, ids=str)
@pytest.mark.long_but_first
def test_what_is_tried_on_a_phone_tells_nobody_anything_and_no_refusal_differs_by_what_is_hidden(case: Case) -> None:
    def on_phones(room: AtOnce, curious: bool) -> OnPhones:
        room.browser._player_of = lambda _: 1
        return OnPhones(room, curious)

    with twins(case, by(on_phones)) as (one, two):
        assert not one.refused
        assert {why for why in two.refused if "9999" in why} == set()
        assert {*two.refused} >= {"this pawn is not yours to move", "another game begins when this one is over"}
        assert kinds(one.public.heard)["phones"] == 1
