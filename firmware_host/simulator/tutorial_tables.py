"""Run practice tables for lessons, one for each page, in memory and on a thread of their own.

A computer plays the other side in the same way every time, and is easy to beat. As Mister X it comes closer and lets
itself be seen beside the detective; as a detective it moves to and fro.

The practice tables share no journal, pawns or orders with the main table. Their number and duration are limited.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

from firmware_host.config.loader import Config, simulator
from firmware_host.players.coach.coach import OwnCoach
from firmware_host.players.coach.coach_port import Coach
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import InstantPlayer, NewGame, Player, Position
from firmware_host.players.seats import PlayerName
from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import Action, MrXMove, PawnMove
from firmware_host.rules.network import Network
from firmware_host.rules.views import MrXView, PublicView
from firmware_host.simulator import IN_MEMORY, SimulatedTable
from firmware_host.simulator.browser_session import TURN, BrowserSession
from firmware_host.system.event_log import describe_error, log_fields
from firmware_host.system.language import gettext
from firmware_host.table.player_maker import ThinkingTime
from firmware_host.web.feeds.board_outline import BoardCache
from firmware_host.web.feeds.latest_feed import Feed
from firmware_host.web.feeds.page_orders import IN_LESSON, PageOrderQueue, UserOrder
from firmware_host.web.feeds.spectator_feed import SpectatorFeed

log = logging.getLogger("yardboard")


BLACK, TAXI = "black", "taxi"

APART = {1: 2, 2: 1, 3: 1}
"""Window of the log -> Mister X's distance from the detective; he is seen at the third."""

HIDDEN = 2
"""The window of the log that Mister X fills with a black ticket."""

PACE = ThinkingTime(ms=0, think_s=2.0)
"""The time that a player pretends to think: long enough to read a line."""


class LessonMaker:
    """The creator of the computer players in a lesson. Implements `PlayerMaker`."""

    programs: Collection[str] = ()

    def pace(self, name: PlayerName) -> ThinkingTime:  # noqa: ARG002 - equal for all
        """Return the time that a player pretends to think before a move."""
        return PACE

    def make(self, name: PlayerName) -> Player:  # noqa: ARG002 - only one kind
        """Create a computer player for a lesson."""
        return LessonPlayer()

    def coach(self) -> Coach:
        """Create a coach, which the interface requires. No lesson uses it."""
        return OwnCoach()


class LessonPlayer(InstantPlayer):
    """A player of either side in a lesson. Implements `Player`."""

    def __init__(self) -> None:
        super().__init__()
        self._pawns: tuple[str, ...] = ()
        self._came: dict[str, int] = {}

    def begin(self, game: NewGame) -> None:
        """Prepare for a new game."""
        self._pawns, self._came, self._answer = game.pawns, {}, None

    def ask(self, position: Position) -> None:
        """Choose a move for this position at once.

        Raises:
            PlayerFailed: there is no move.
        """
        if position.private is not None:
            self._answer = (come_near(position.private),)
            return
        view = position.history.now
        move = to_and_fro(view, self._pawns, self._came)
        self._came[move.pawn] = view.pawns[move.pawn]
        self._answer = (move,)


def come_near(his: MrXView) -> Action:
    """Return Mister X's move that comes closest to the distance that `APART` gives.

    Distances are from the nearest detective, in moves. If possible, the ticket is black at `HIDDEN` and only there.

    Raises:
        PlayerFailed: Mister X has no move.
    """
    view, window = his.public, len(his.public.log) + 1
    moves = [action for action in his.choices.value if isinstance(action, MrXMove)]
    paid = [move for move in moves if (move.ticket == BLACK) == (window == HIDDEN)] or moves
    if not paid:
        raise PlayerFailed("Mister X has no move in this lesson")
    far = _moves_away(view)
    wanted = APART.get(window, max(APART.values()))
    return min(
        paid, key=lambda move: (abs(far.get(move.to.value, len(far)) - wanted), move.ticket != TAXI, move.to.value)
    )


def to_and_fro(view: PublicView, pawns: Collection[str], came: Mapping[str, int]) -> PawnMove:
    """Return a detective's move back to its last station, or else to the neighbour with the lowest number.

    A taxi's move comes before any other, so a neighbour with a lower number may be left out.

    Raises:
        PlayerFailed: these pawns have no move.
    """
    moves = [move for move in view.moves if move.pawn in pawns and move.pawn in view.turn]
    if not moves:
        raise PlayerFailed("the detectives have no move in this lesson")
    return min(moves, key=lambda move: (move.to != came.get(move.pawn), move.ticket != TAXI, move.to))


def _moves_away(view: PublicView) -> dict[int, int]:
    """Return each reachable station's distance from the nearest detective, in moves.

    A move counts if any detective has a ticket for it.
    """
    far = {view.pawns[pawn]: 0 for pawn in view.order if pawn in view.pawns}
    kinds = {kind for pawn in view.order for kind, left in view.tickets[pawn].items() if left}
    edge = list(far)
    while edge:
        edge = [there for here in edge for there in _beside(view.network, here, kinds) if there not in far]
        edge = [*dict.fromkeys(edge)]
        moves = 1 + max(far.values())
        far |= dict.fromkeys(edge, moves)
    return far


def _beside(network: Network, station: int, kinds: AbstractSet[str]) -> list[int]:
    return [there for there, ways in network.around(station).items() if not kinds.isdisjoint(ways)]


MOST = 4
"""The most lessons open at the same time."""

OLDEST = 900.0
"""Seconds after which a lesson ends in any case."""

SCAN_HZ = 50
"""Scans a second on a practice table: a quarter of a real table's, so that lessons cost little."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The start of a lesson's game: stations, tickets and players.

    Attributes:
        page: the kind of page for the lesson, "table" or "handset".
        pawns: the detectives; each belongs to a different player.
        hand: the number of taxi, bus and underground tickets of each detective.
        start: the start station of each pawn.
        computers: the seats of the side that a computer plays.
    """

    page: str
    pawns: tuple[str, ...]
    hand: tuple[int, int, int]
    start: Mapping[str, int]
    computers: tuple[str, ...]


LESSONS: Mapping[str, Lesson] = {
    # Red begins on an underground station without a ticket for it; Mister X begins two moves away.
    "detective": Lesson("table", ("red",), (6, 4, 0), {"mr_x": 100, "red": 67}, ("mr_x",)),
    # All of London is between Mister X and the detectives, so nobody is captured by mistake.
    "mr_x": Lesson("handset", ("red", "yellow"), (10, 8, 4), {"mr_x": 67, "red": 174, "yellow": 197}, ("1", "2")),
}
"""The lessons by the names that pages use."""


class TutorialTable:
    """The table of one open lesson. Implements `web.pages.tutorial.LessonTable`.

    Pages use the feeds, `pages`, `over`, `ask` and `disconnect`. Only the lessons' thread calls the other methods.
    """

    def __init__(self, lesson: Lesson, boards: BoardCache, clock: Callable[[], float]) -> None:
        self._lesson, self._clock = lesson, clock
        self._requests = PageOrderQueue({lesson.page: IN_LESSON[lesson.page]})
        self._session: BrowserSession | None = None
        self._ends = clock() + OLDEST
        self._left = False
        self.public, self.private = Feed(), Feed()
        self.spectators = SpectatorFeed(self.public, boards, self.private)
        self.pages = self._requests.pages
        self.feed = self.private if lesson.page == "handset" else self.public

    def ask(self, page: str, visitor: int, order: UserOrder, refuse: Callable[[str], None]) -> None:
        """Queue a page's order. Once the game is over, refuse it, because a key would start another game."""
        scene = self.spectators.scene
        if scene is not None and scene.phase is Phase.OVER:
            refuse(gettext("the lesson is over; load the page again to restart it"))
        else:
            self._requests.ask(page, visitor, order, refuse)

    def disconnect(self, visitor: int) -> None:
        """End the lesson because its page is closed."""
        self._requests.disconnect(visitor)
        self._left = True

    @property
    def over(self) -> bool:
        """Whether the lesson has ended: its page is closed, or its time is up."""
        return self._left or self._clock() > self._ends

    def turn(self) -> None:
        """Let one step of simulated time pass. The first call starts the game."""
        if self._session is None:
            self._session = self._dealt()
        self._session.turn()

    def close(self) -> None:
        """Close the table."""
        if self._session is not None:
            self._session.simulated.close()
            self._session = None

    def _dealt(self) -> BrowserSession:
        simulated = SimulatedTable(
            practice_config(self._lesson),
            journal=IN_MEMORY,
            audience=self.spectators,
            players=LessonMaker(),
            wall_clock=time.time,
        )
        seats = dict.fromkeys(self._lesson.computers, "easy")
        simulated.new_game(players=1 + len(self._lesson.pawns), start=self._lesson.start, seats=seats, seed=1)
        return BrowserSession(simulated, self._requests, self, real_hands=False)


class TutorialTables:
    """The tables of all open lessons. Implements `web.pages.tutorial.LessonTables`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tables: list[TutorialTable] = []
        self._thread: threading.Thread | None = None

    def __len__(self) -> int:
        """Return the number of open lessons."""
        return len(self._tables)

    def open(self, lesson: str, boards: BoardCache) -> TutorialTable | None:
        """Open a table for a lesson at once, or return None if there are too many lessons or threads.

        Any thread may call it.

        Raises:
            KeyError: there is no such lesson.
        """
        table = TutorialTable(LESSONS[lesson], boards, time.monotonic)
        with self._lock:
            if len(self._tables) >= MOST:
                return None
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="practice", daemon=True)
                try:
                    thread.start()
                except RuntimeError:
                    return None
                self._thread = thread
            self._tables = [*self._tables, table]
        return table

    def _run(self) -> None:
        """Run all tables in real time until no lesson is open."""
        due = time.monotonic()
        while self._goes_on():
            for table in self._tables:
                if table.over or not self._try(table.turn):
                    self._put_away(table)
            due = max(due + TURN / 1000, time.monotonic() - 0.1)
            time.sleep(max(0.0, due - time.monotonic()))

    def _try(self, work: Callable[[], None]) -> bool:
        """Call `work` for one table. If it fails, log the error and return False, to end only that lesson."""
        try:
            work()
        except Exception as error:  # noqa: BLE001 - any mistake ends one lesson, not all
            log.error("A mistake has ended a lesson: %s", describe_error(error), extra=log_fields("mistake"))  # noqa: TRY400
            return False
        return True

    def _goes_on(self) -> bool:
        with self._lock:
            if not self._tables:
                self._thread = None
            return self._thread is not None

    def _put_away(self, table: TutorialTable) -> None:
        with self._lock:
            self._tables = [other for other in self._tables if other is not table]
        self._try(table.close)


def practice_config(lesson: Lesson) -> Config:
    """Return the configuration for a lesson: the classic game with few pawns and few tickets."""
    config = simulator()
    changes: dict[str, Any] = {
        "seats": {1 + len(lesson.pawns): tuple((pawn,) for pawn in lesson.pawns)},
        "hand": lesson.hand,
        "blacks": 2,
        "doubles": 1,
        "options": {**config.edition.options, "x_fares": "counted"},
    }
    box = replace(config.edition, **changes)
    return replace(config, boxes=(box,), switches=replace(config.switches, scan_hz=SCAN_HZ))
