"""Lines of the stdio protocol: each gets a reply, and a refused one changes nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.config.loader import simulator, with_rules
from firmware_host.simulator.scripting import LineOrder, ScriptSession, line_order
from firmware_host.simulator.simulated_table import NoGame
from firmware_host.system.orders import BadOrder, fields
from firmware_host.ui import json_views
from hardware.sim.faults import LINE_FAULTS, SWITCH_FAULTS
from tests.proofs.fuzz.target import BrokenPromise, Target, Try

WAIT = 1000
"""Milliseconds that a line may let pass here. Longer waits are left out, because they prove no more."""

_ORDERS: tuple[dict[str, Any], ...] = (
    {"do": "new_game"},
    {"do": "new_game", "rules": "classic", "detectives": 4, "deal": {"mr_x": 45, "red": 13}, "seed": 7},
    {"do": "new_game", "rules": "us", "players": 5, "owners": [1, 1, 2, 3, 4], "options": {"open_log": True}},
    {"do": "new_game", "rules": "beginners"},
    {"do": "new_game", "rules": "dice", "seed": 3},
    {"do": "new_game", "rules": "junior", "players": 2},
    {"do": "put", "station": 13, "pawn": "red"},
    {"do": "put", "station": 26, "pawn": "yellow"},
    {"do": "lift", "station": 13},
    {"do": "lift", "station": 26, "pawn": "yellow"},
    {"do": "slide", "path": [13, 23, 37], "ms": 300},
    {"do": "press", "key": "table.confirm"},
    {"do": "press", "key": "handset.select", "ms": 60},
    {"do": "hold", "key": "handset.peek"},
    {"do": "release", "key": "handset.peek"},
    {"do": "mr_x", "action": {"kind": "move", "to": 46, "ticket": "taxi"}},
    {"do": "mr_x", "action": {"kind": "double"}},
    {"do": "wait", "ms": 400},
    {"do": "fault", "device": "switch:13", "kind": "stuck_closed"},
    {"do": "fault", "device": "lamps", "kind": "unplug"},
    {"do": "restart"},
    *({"get": word} for word in ("public", "private", "leds", "handset", "display", "health")),
)


class _TableByLines:
    """A session, and the parts of it that a refused line must not change."""

    def __init__(self, session: ScriptSession) -> None:
        self._session = session
        session.answer('{"do": "new_game", "rules": "junior", "seed": 1}')

    def __call__(self, data: bytes) -> bool:
        with suppress(BadOrder):
            if getattr(line_order(data), "ms", 0) > WAIT:
                return False
        before = self._state()
        reply = self._session.answer(data)
        json.dumps(reply, ensure_ascii=False).encode()
        if reply["ok"]:
            return True
        why = reply["error"]
        if not why or not isinstance(why, str):
            raise BrokenPromise(f"refused without a reason: {reply!r}")
        # That the handset does not do what it is told is seen only once its keys have been pressed.
        if "handset" not in why and self._state() != before:
            raise BrokenPromise(f"was refused ({why}) and has changed the table")
        return False

    def _state(self) -> object:
        simulated = self._session.simulated
        table, hardware = simulated.table, simulated.hardware
        try:
            game: object = json_views.private(table.scene(), simulated.private)
        except NoGame:
            game = json_views.public(table.scene())
        return game, hardware.where(), hardware.clock.now(), hardware.keys.held, hardware.broken(), table.health()


@contextmanager
def _opened() -> Iterator[Try]:
    with ScriptSession(with_rules(simulator(), "junior")) as session:
        yield _TableByLines(session)


_NAMES = (
    "do", "get", "ms", "station", "pawn", "path", "key", "action", "kind", "device", "red", "mr_x", "table.taxi",
    "handset.up", "unplug", "replug", "garbage", "switches", "owners", "deal", "options", "layout", "tile",
)  # fmt: skip

_PAWNS = ("mr_x", "white", "red", "yellow", "green", "blue", "black")
_DEVICES = ("switches", "serial", "lamps", "handset", "display", "keys")
_TICKETS = ("taxi", "bus", "underground", "boat", "black")


def _made(chance: random.Random) -> bytes:
    """Create an order that hands may carry out at the small board of the junior game."""
    station, other, pawn = chance.randint(1, 14), chance.randint(1, 14), chance.choice(_PAWNS)
    orders: tuple[dict[str, Any], ...] = (
        {"do": "put", "station": station, "pawn": pawn},
        {"do": "lift", "station": station},
        {"do": "slide", "path": [station, other], "ms": chance.choice((1, 90, 400))},
        {"do": "press", "key": chance.choice(KEYS), "ms": chance.choice((1, 60, 300))},
        {"do": chance.choice(("hold", "release")), "key": chance.choice(KEYS)},
        {"do": "mr_x", "action": {"kind": "move", "to": station, "ticket": chance.choice(_TICKETS)}},
        {"do": "wait", "ms": chance.choice((1, 50, 700, 1000))},
        {"do": "fault", "device": f"switch:{station}", "kind": chance.choice((*SWITCH_FAULTS, "ok", "ok"))},
        {"do": "fault", "device": chance.choice(_DEVICES), "kind": chance.choice((*LINE_FAULTS, "ok", "ok"))},
        *_ORDERS[-8:],
    )
    return json.dumps(chance.choice(orders)).encode()


TARGET = Target(
    "lines",
    seeds=[json.dumps(order).encode() for order in _ORDERS],
    words=[f'"{word}"'.encode() for word in (*fields(LineOrder), *_NAMES)],
    open=_opened,
    fresh=3000,
    make=_made,
)
