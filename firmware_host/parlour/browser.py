"""The simulated table played in a browser: what pages ask for is done by hands at the table, in real time.

Two threads meet here. The pages live on the server's; the table, its clock and its daemon on the one that calls
`run`. Orders go over in a queue, everything to be seen goes back through feeds that hold the newest alone.
"""

from __future__ import annotations

import base64
import json
import random
import time
import webbrowser
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PIL import Image

from firmware_host.config import Config
from firmware_host.journal_file import JournalError
from firmware_host.parlour.demo import Pace
from firmware_host.parlour.room import Parlour, ParlourError
from firmware_host.rules.errors import RulesError
from firmware_host.settings import ConfigError
from firmware_host.web.feed import Feed
from firmware_host.web.orders import ByHand, Drag, Fault, Key, Lift, NewGame, Power, Put, Shake
from firmware_host.web.server import Server
from hardware.ports import HardwareError

TURN = 5.0
"""Milliseconds of table time between two looks at what the pages want."""

WAITING = 2000
"""How many orders may wait; whoever asks for more is refused."""

REFUSALS = (ConfigError, HardwareError, JournalError, ParlourError, RulesError)
"""What an order may be refused with; none of their messages tells a secret."""

Say = Callable[[str], None]
Asked = tuple[str, int, ByHand, Callable[[str], None]]


class Requests:
    """What the pages want of the table, until it gets round to it. Implements `web.visitors.Table`."""

    pages = frozenset(("table", "handset", "spectator"))

    def __init__(self) -> None:
        self._waiting: deque[Asked] = deque()
        self._left: deque[int] = deque()

    def ask(self, page: str, visitor: int, order: ByHand, refuse: Callable[[str], None]) -> None:
        """An order waits for the table's thread."""
        if len(self._waiting) >= WAITING:
            refuse("the table cannot keep up; slow down")
            return
        self._waiting.append((page, visitor, order, refuse))

    def left(self, visitor: int) -> None:
        """A page is gone."""
        self._left.append(visitor)

    def take(self) -> tuple[list[Asked], list[int]]:
        """All that waits; for the table's thread."""
        asked = [self._waiting.popleft() for _ in range(len(self._waiting))]
        return asked, [self._left.popleft() for _ in range(len(self._left))]


class Browser:
    """One simulated table behind its pages.

    Args:
        parlour: the table; its pace is that of the game.
        requests: what the pages want.
        server: the pages' server, for what they are to see.
    """

    def __init__(self, parlour: Parlour, requests: Requests, server: Server) -> None:
        self.parlour, self._requests = parlour, requests
        self._public, self._private = server.public, server.private
        self._shown: dict[str, object] = {}

    def turn(self) -> None:
        """Do what the pages ask for, let a moment go by, and show what came of it."""
        asked, _ = self._requests.take()
        for page, _visitor, order, refuse in asked:
            try:
                self._do(page, order)
            except REFUSALS as error:
                refuse(str(error))
        self.parlour.advance(TURN)
        self._show()

    def _do(self, page: str, order: ByHand) -> None:
        table = self.parlour.table
        match order:
            case Key(key, down):
                if not key.startswith(f"{page}."):
                    raise ParlourError(f"{key} is not a key of this page")
                (table.hold if down else table.release)(key)
            case Put(pawn, x, y):
                self._put(pawn, x, y)
            case Lift(pawn):
                table.pick_up(pawn)
            case NewGame(rules, players, options):
                self.parlour.new_game(rules, players=players, options=options)
            case Fault(device, kind):
                table.fault(device, kind)
            case Drag() | Shake() | Power():
                raise ParlourError("not yet")

    def _put(self, pawn: str, x: float, y: float) -> None:
        table, sheet = self.parlour.table, self.parlour.daemon.sheet
        nearest = min(sheet.network.stations.values(), key=lambda station: (station.x - x) ** 2 + (station.y - y) ** 2)
        if table.where().get(pawn) is not None:
            table.pick_up(pawn)
        table.put(nearest.number, pawn)

    def _show(self) -> None:
        table = self.parlour.table
        self._screen("handset", self._private, table.handset.picture, self.parlour.handset_lines)
        if table.display is not None:
            self._screen("display", self._public, table.display.picture, list)
        pawns = table.where()
        if self._shown.get("pawns") != pawns:
            self._shown["pawns"] = pawns
            self._public.put("pawns", partial(_message, "pawns", pawns=pawns))

    def _screen(self, name: str, feed: Feed, picture: Image.Image | None, lines: Callable[[], list[str]]) -> None:
        pixels = None if picture is None else picture.tobytes()
        if name not in self._shown or self._shown[name] != pixels:
            self._shown[name] = pixels
            packed = None if pixels is None else base64.b64encode(pixels).decode("ascii")
            feed.put(name, partial(_message, name, pixels=packed, lines=lines()))


def serve(
    config: Config,
    *,
    host: str,
    port: int,
    journal: Path,
    seed: int | None,
    rough: bool,
    new: bool,
    show: bool,
    say: Say,
) -> None:
    """Play a simulated table in the browser, until the process is told to stop.

    Args:
        config: the table's configuration.
        host: the address to serve the pages on.
        port: the port.
        journal: the file of the journal.
        seed: of all chance; none for real chance.
        rough: whether reeds and hands are of the rough kind.
        new: whether to begin a new game even if one is unfinished.
        show: whether to open the table in this machine's browser.
        say: takes the lines for the terminal, the handset's token among them.

    Raises:
        CannotServe: the pages cannot be served there.
        JournalError: the journal cannot be used.
    """
    requests = Requests()
    server = Server(host, port, requests)
    chance = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 - repeats itself for its seed
    parlour = Parlour(
        config,
        seed=chance.randrange(1 << 30),
        rough=rough,
        journal=journal,
        pace=Pace(),
        chance=chance,
        resume=not new,
        wall=time.time,
        audience=server.onlookers,
    )
    try:
        server.start()
        say(f"The table: {server.url}")
        say(f"Mister X's handset: {server.url}handset#{server.door.new_token()}")
        if show:
            webbrowser.open(server.url)  # the table only: a token would stand among the arguments of a process
        browser = Browser(parlour, requests, server)
        if parlour.daemon.game is None:
            parlour.new_game()
        while True:
            browser.turn()
    finally:
        parlour.close()
        server.stop()


def _message(kind: str, **fields: object) -> str:
    return json.dumps({"kind": kind, **fields}, ensure_ascii=False, separators=(",", ":"))
