"""A table that people play in browsers, in this process: it runs in its own thread, and tests can read it."""

from __future__ import annotations

import queue
import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, TypeVar

import pytest

from firmware_host.config.loader import Config
from firmware_host.rules.actions import MR_X, Action
from firmware_host.simulator import IN_MEMORY, SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.simulator.browser_session import BrowserSession
from firmware_host.simulator.demo import Pace
from firmware_host.simulator.tutorial_tables import TutorialTables
from firmware_host.web.feeds import websocket_session
from firmware_host.web.feeds.page_orders import PageOrderQueue
from firmware_host.web.server import Server
from tests.table.cases import Case, shipped
from tests.web.chromium import Visitor
from tests.web.played_evening import Evening
from tests.web.scripts import Script

T = TypeVar("T")

PATIENCE = 60.0
"""Real seconds that any step may take."""

SPEED = 5.0
"""How many times as fast as real time the table runs; hands in a browser need most of the time."""


class OpenTable:
    """A table behind its pages. Use it in a `with` statement, and touch it only by `look` and `until`.

    Args:
        config: the table's configuration.
        seed: the seed of its cards, dice and bounces.
        begin: called before any page opens, at full speed; a new game by default.
        speed: the factor on real time from then on.
        journal: its journal's file, or `IN_MEMORY`.
        host: the address to listen on; an unusual one makes a page seem to be on another machine.
        port: the port to listen on; any free one by default.
        helped: whether simulated hands help, as in the browser by default.
    """

    def __init__(
        self,
        config: Config,
        *,
        seed: int = 0,
        begin: Callable[[SimulatedTable], object] = SimulatedTable.new_game,
        speed: float = SPEED,
        journal: Path | str = IN_MEMORY,
        host: str = "127.0.0.1",
        port: int = 0,
        helped: bool = False,
    ) -> None:
        self._config, self._seed, self._begin, self._speed, self._journal = config, seed, begin, speed, journal
        self._helped = helped
        self._requests = PageOrderQueue()
        self.practice = TutorialTables()
        self.server = Server(host, port, self._requests, practice=self.practice)
        self._calls: queue.SimpleQueue[Callable[[SimulatedTable], bool]] = queue.SimpleQueue()
        self._waiting: list[Callable[[SimulatedTable], bool]] = []
        self._failed: BaseException | None = None
        self._end = threading.Event()
        self._patience = pytest.MonkeyPatch()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def __enter__(self) -> Self:
        self._patience.setattr(websocket_session, "LATE", PATIENCE)  # a browser may get no processor for long
        self._thread.start()
        self.look(lambda _: None)
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join(PATIENCE)
        self._patience.undo()
        if self._failed is not None:
            raise self._failed

    @property
    def url(self) -> str:
        return self.server.url

    def look(self, at: Callable[[SimulatedTable], T]) -> T:
        """Call a function with the table in the table's thread, and return its result. It may also change the table."""
        said: Future[T] = Future()

        def ask(simulated: SimulatedTable) -> bool:
            try:
                said.set_result(at(simulated))
            except Exception as error:  # noqa: BLE001 - it is the asker's
                said.set_exception(error)
            return True

        return self._asked(ask, said, "the table to answer")

    def until(self, so: Callable[[SimulatedTable], object], what: str) -> None:
        """Wait until a condition is true at the table."""
        said: Future[bool] = Future()

        def ask(simulated: SimulatedTable) -> bool:
            try:
                if not so(simulated):
                    return False
                said.set_result(True)
            except Exception as error:  # noqa: BLE001 - it is the asker's
                said.set_exception(error)
            return True

        self._asked(ask, said, what)

    def wait(self, ms: float) -> None:
        """Wait until `ms` milliseconds of table time have passed."""
        due = self.look(lambda p: p.hardware.clock.now()) + ms / 1000
        self.until(lambda p: p.hardware.clock.now() >= due, "time to go by")

    def _asked(self, ask: Callable[[SimulatedTable], bool], said: Future[T], what: str) -> T:
        self._calls.put(ask)
        try:
            return said.result(PATIENCE)
        except TimeoutError:
            if self._failed is not None:
                raise self._failed from None
            text = self.look(lambda p: p.prompt_text) if what != "the table to answer" else "no answer"
            raise AssertionError(f"waited for {what}; the table says: {text}") from None

    def _run(self) -> None:
        try:
            self._serve()
        except BaseException as error:  # noqa: BLE001 - told where the table is closed
            self._failed = error

    def _serve(self) -> None:
        pace: Callable[[float], None] = _at_once
        simulated = SimulatedTable(
            self._config,
            rng=random.Random(self._seed),
            journal=self._journal,
            pace=lambda seconds: pace(seconds),  # noqa: PLW0108 - another one from the beginning on
            audience=self.server.spectators,
        )
        try:
            self.server.start()
            offer_seat = self.server.handset_token.offer_seat
            browser = BrowserSession(
                simulated,
                self._requests,
                self.server,
                real_hands=not self._helped,
                offer_seat=offer_seat,
                player_of=self.server.detectives.player_of,
                has_seat=self.server.sessions.has_seat,
            )
            if simulated.table.game is None:
                self._begin(simulated)
            pace = Pace(self._speed)
            while not self._end.is_set():
                browser.turn()
                while not self._calls.empty():
                    self._waiting.append(self._calls.get())
                self._waiting = [ask for ask in self._waiting if not ask(browser.simulated)]
        finally:
            simulated.close()
            self.server.stop()

    def token(self) -> str:
        """Return a token that opens the handset once."""
        return self.server.handset_token.new_token()


Lay = Callable[..., OpenTable]
"""Opens a table; see `OpenTable`."""


class Seated:
    """A room: the table, and the users at its pages; see `evening.Room`."""

    def __init__(self, table: OpenTable, board: Visitor, handset: Visitor) -> None:
        self.board, self.handset = board, handset
        self.look, self.until = table.look, table.until
        self.drag, self.put_away = board.drag, board.put_away

    def press(self, key: str) -> None:
        (self.handset if key.startswith("handset.") else self.board).press(key)


def _at_once(_: float) -> None:
    """Run at full speed while nobody watches."""


def plays(until: Callable[[SimulatedTable], object], seed: int = 2, **game: Any) -> Callable[[SimulatedTable], None]:
    """Return a function that begins a game and plays it until a condition is true."""

    def begin(simulated: SimulatedTable) -> None:
        simulated.new_game(**game)
        people = SimulatedPeople(simulated, random.Random(seed))
        people.set_up()
        while not until(simulated):
            people.play()
        simulated.advance(500)

    return begin


def begins(case: Case, played: Sequence[Action] | None = None) -> Callable[[SimulatedTable], None]:
    """Return a function that begins a game; if steps are given, even none, it sets the game up and plays them."""

    def begin(simulated: SimulatedTable) -> None:
        simulated.new_game(players=case.players, options=dict(case.options))
        if played is None:
            return
        people = SimulatedPeople(simulated, random.Random(0))
        people.set_up()
        for step in played:
            people.play(step)
        simulated.advance(500)

    return begin


def red_to_move(lay: Lay, red: int = 74) -> OpenTable:
    """Return a table with helping hands at which Red moves first, against a computer that hides far away."""
    start = {MR_X: 172, "red": red, "yellow": 26, "green": 117}
    table = lay(
        shipped("classic"),
        seed=5,
        begin=lambda p: p.new_game(players=4, start=start, seats={MR_X: "easy"}),
        helped=True,
    )
    table.until(lambda p: p.public.turn == ("red",), "Red's turn")
    return table


def seated(
    game: Script,
    lay: Callable[..., OpenTable],
    visit: Callable[..., Visitor],
    config: Config | None = None,
    *,
    played: int | None = None,
    **page: Any,
) -> tuple[OpenTable, Visitor, Visitor, Evening]:
    """Return a table with a new game, its page (of that kind), its handset's page, and the people who play there.

    It has the shipped board unless a configuration is given, and the pages' language. `played` steps have been played
    before any page opens; None: not even the setup.
    """
    steps = None if played is None else game.steps[:played]
    config = config or shipped(game.case.rules)
    spoken = str(page.get("locale", config.board.language))[:2]
    config = replace(config, board=replace(config.board, language=spoken))
    table = lay(config, seed=game.seed, begin=begins(game.case, steps))
    asked = {"locale": page["locale"]} if "locale" in page else {}
    board, handset = visit(table.url, **page), visit(table.url, f"handset#{table.token()}", **asked)
    return table, board, handset, Evening(Seated(table, board, handset))
