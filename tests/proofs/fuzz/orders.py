"""Messages of pages to the WebSocket: each is read, and its order carried out, from any page."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Iterator
from contextlib import contextmanager

from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.simulator.browser_session import REFUSALS
from firmware_host.system.orders import BadOrder
from firmware_host.web.feeds import page_orders
from firmware_host.web.feeds.page_orders import Alive
from hardware.sim.faults import LINE_FAULTS, SWITCH_FAULTS
from tests.proofs.fuzz.target import BrokenPromise, Target, Try
from tests.web.page_table import Room

_ORDERS = (
    {"do": "hello", "page": "table"},
    {"do": "hello", "page": "handset", "session": "x" * 43},
    {"do": "heard", "at": 12.5},
    {"do": "drag", "pawn": "red", "x": 0.31, "y": 0.42},
    {"do": "put", "pawn": "red", "x": 0.31, "y": 0.42},
    {"do": "lift", "pawn": "red"},
    {"do": "key", "key": "table.confirm", "down": True},
    {"do": "key", "key": "table.confirm", "down": False},
    {"do": "key", "key": "handset.select", "down": True},
    {"do": "fault", "device": "switch:13", "kind": "chatter"},
    {"do": "fault", "device": "handset", "kind": "unplug"},
    {"do": "shake"},
    {"do": "power", "on": False},
    {"do": "power", "on": True},
    {"do": "new_game", "rules": "dice", "players": 3, "options": {}},
    {"do": "new_game", "rules": "junior", "players": 2, "seats": {"mr_x": "person", "detectives": "person"}},
    {"do": "hands", "real": False},
    {"do": "undo"},
    {"do": "new_game", "rules": "classic", "options": {"colour": 3}},
)
_WORDS = (
    "do", "page", "table", "spectator", "handset", "session", "pawn", "x", "y", "key", "down", "device", "kind", "on",
    "rules", "players", "options", "red", "mr_x", "switches", "lamps", "garbage", "table.back",
    "handset.peek", "./own.toml", "seats", "mr_x", "detectives",
)  # fmt: skip
_DEVICES = ("switches", "serial", "lamps", "handset", "display", "keys")
PAGES = ("table", "handset")


class _TableByOrders:
    def __init__(self) -> None:
        self._room = Room()
        self._asked = 0

    def __call__(self, data: bytes) -> bool:
        with contextlib.suppress(BadOrder):
            page_orders.hello(data)
        before = self._state()
        try:
            order = page_orders.order(data)
        except BadOrder as error:
            if not str(error):
                raise BrokenPromise("refused without a reason") from None
            return False
        if isinstance(order, Alive):
            return True
        self._asked += 1
        try:
            self._room.browser._do(PAGES[self._asked % 2], self._asked % 3, order)
        except REFUSALS as error:
            if self._state() != before:
                raise BrokenPromise(f"was refused ({error}) and has changed the table") from error
            return False
        finally:
            self._room.browser.turn()
        return True

    def _state(self) -> object:
        simulated = self._room.simulated
        game = simulated.table.game
        actions = None if game is None else (game.system.name, list(game.actions))
        return (
            actions,
            simulated.hardware.where(),
            simulated.hardware.keys.held,
            simulated.hardware.broken(),
            simulated.hardware.clock.now(),
        )


@contextmanager
def _opened() -> Iterator[Try]:
    yield _TableByOrders()


def _made(chance: random.Random) -> bytes:
    """Create an order that a page may send, mostly about the board."""
    pawn = chance.choice(("red", "yellow", "green", "blue", "black", "mr_x"))
    x, y = (round(chance.uniform(-0.5, 1.5), 3) for _ in range(2))
    orders: tuple[dict[str, object], ...] = (
        {"do": "drag", "pawn": pawn, "x": x, "y": y},
        {"do": "put", "pawn": pawn, "x": x, "y": y},
        {"do": "lift", "pawn": pawn},
        {"do": "key", "key": chance.choice(KEYS), "down": chance.random() < 0.6},
        {"do": "fault", "device": f"switch:{chance.randint(1, 199)}", "kind": chance.choice(SWITCH_FAULTS)},
        {"do": "fault", "device": chance.choice(_DEVICES), "kind": chance.choice(LINE_FAULTS)},
        chance.choice(_ORDERS),
    )
    return json.dumps(chance.choice(orders)).encode()


TARGET = Target(
    "orders",
    seeds=[json.dumps(order).encode() for order in _ORDERS],
    words=[f'"{word}"'.encode() for word in _WORDS],
    open=_opened,
    fresh=5000,
    make=_made,
)
