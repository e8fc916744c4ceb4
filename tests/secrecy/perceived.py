"""Everything that can be perceived of a table from outside, however much goes wrong at it."""

from __future__ import annotations

import json
import logging
import os
import random
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, get_args

from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.loader import Config
from firmware_host.daemon import health_file
from firmware_host.daemon.health_file import HealthFile
from firmware_host.daemon.watchdog import Watchdog
from firmware_host.home.metrics import TableMetrics
from firmware_host.home.mqtt_publisher import TablePublisher
from firmware_host.referee.events import TakeBack
from firmware_host.referee.readings import Mismatch
from firmware_host.referee.scene import CONFIRM, Scene
from firmware_host.rules.actions import Action, PawnMove, Roll, RollAgain
from firmware_host.simulator.scripting import Asked, ScriptSession
from firmware_host.system.event_log import line
from firmware_host.system.language import Lines
from firmware_host.system.systemd_notify import ServiceManager
from firmware_host.table.inputs import STUCK_SWITCHES_FILE
from firmware_host.table.table import Table
from firmware_host.ui.handset_menu import keys_for
from firmware_host.ui.lamp_rhythms import LampFrame
from hardware.sim.physics import SimClock
from tests.table.alike import Alike
from tests.table.all_hands import AllHands, begin, by_keys, press_keys
from tests.table.onlooker import WatchedOften
from tests.table.twins import Step

Heard = list[tuple[float, object]]
"""Perceived outputs, each with its time."""

COMPARED = {
    "lamps", "display", "audience.see", "audience.hear", "log", "service manager", "stdio", "looks", "health.json",
    "switches.json", "mqtt", "metrics",
}  # fmt: skip
"""The outputs that anybody may perceive."""

PRIVATE_WORDS = ("private", "handset")
"""The parts of the JSON lines that are Mister X's alone."""

REFUSED = (
    "{",
    '{"get": "nothing"}',
    '{"do": "put", "station": 999999, "pawn": "red"}',
    '{"do": "press", "key": "table.nothing"}',
    '{"do": "fault", "device": "switch:999999", "kind": "ok"}',
    '{"do": "mr_x", "action": {"kind": "move", "to": 999999, "ticket": "none"}}',
    '{"do": "mr_x", "action": {"kind": "nonsense"}}',
)
"""JSON lines that every table refuses."""


class Seats:
    """An audience that records what it receives."""

    def __init__(self) -> None:
        self.now: Callable[[], float] = lambda: 0.0
        self.seen: Heard = []
        self.heard: Heard = []
        self._last: tuple[Scene, BoardLayout] | None = None

    def see(self, scene: Scene, layout: BoardLayout, frame: LampFrame) -> None:
        if self._last is None or self._last[0] is not scene or self._last[1] is not layout:
            self._last = scene, layout
            self.seen.append((self.now(), (repr(scene), [layout.lamp(s) for s in layout.stations if s])))
        self.seen.append((self.now(), (frame.shining, frame.in_palette("colour-blind"))))

    def receive(self, lines: Lines) -> None:
        self.heard.append((self.now(), *lines()))

    def forget(self) -> None:
        self.heard.append((self.now(), "forget"))


class LogReader(logging.Handler):
    """A reader of the log in both of its forms, with the time of each line."""

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__()
        self._now = now
        self.read: Heard = []

    def emit(self, record: logging.LogRecord) -> None:
        said = [line(record), line(record, journal=True), line(record, form="json", journal=True)]
        self.read.append((self._now(), said))


@contextmanager
def reading(now: Callable[[], float]) -> Iterator[LogReader]:
    """Read the log within the `with`, down to debugging lines."""
    logger, reader = logging.getLogger("yardboard"), LogReader(now)
    level = logger.level
    logger.addHandler(reader)
    logger.setLevel(logging.DEBUG)
    try:
        yield reader
    finally:
        logger.removeHandler(reader)
        logger.setLevel(level)


class Listener:
    """A service manager that records its notifications, over a real socket."""

    def __init__(self, clock: SimClock, stack: ExitStack) -> None:
        self._clock = clock
        self._line = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        self._line.bind("")  # a name of its own that is in no folder
        self._line.setblocking(False)
        address = "@" + self._line.getsockname()[1:].decode()
        self.watchdog = Watchdog(ServiceManager(address, patience=20.0), clock)
        self.told: Heard = []

    def attend(self, table: Table) -> None:
        self.watchdog.attend(table)
        while True:
            try:
                self.told.append((self._clock.now(), self._line.recv(4096)))
            except BlockingIOError:
                return


class Files:
    """A user who reads what a running table writes for everyone, as soon as it is written."""

    def __init__(self, p: WatchedOften, folder: Path) -> None:
        self._now = p.hardware.clock.now
        self.health_file = HealthFile(p.config, p.hardware.clock, self._now, folder / health_file.NAME)
        self._files = {name: folder / name for name in (health_file.NAME, STUCK_SWITCHES_FILE)}
        self._inodes = dict.fromkeys(self._files, 0)
        self.read: dict[str, Heard] = {name: [] for name in self._files}

    def attend(self, table: Table) -> None:
        self.health_file.attend(table)
        for name, path in self._files.items():
            with suppress(FileNotFoundError):
                if (inode := os.stat(path).st_ino) != self._inodes[name]:  # noqa: PTH116 - at each scan
                    self._inodes[name] = inode
                    self.read[name].append((self._now(), path.read_text(encoding="utf-8")))


class House:
    """A broker that records what was published and when, and a monitoring system that reads the metrics."""

    def __init__(self, p: WatchedOften, health: HealthFile) -> None:
        self._now, self._health, self._known = p.hardware.clock.now, health, health.values
        self._publisher = TablePublisher(self, self._now, p.config.board.language)
        self._metrics = TableMetrics()
        self.published: Heard = []
        self.measured: Heard = []

    def put(self, states: Mapping[str, str], events: Mapping[str, str]) -> None:
        self.published.append((self._now(), (dict(states), dict(events))))

    def stop(self) -> None:
        """Do nothing, because nothing is running."""

    def attend(self, table: Table) -> None:
        self._publisher.attend(table.scene)
        self._metrics.follow_game(table.referee.public, table.journal.newest_begun)
        if self._health.values is not self._known:
            self._known = self._health.values
            self._metrics.add(self._known, table.scene(), table.late(), entries=table.journal.entry_count)
            self.measured.append((self._now(), self._metrics.text()))


class Perceived:
    """One of two games that look alike, played at a table at which much goes wrong, and all its outputs.

    Attributes:
        outputs: name -> what came and when.
        private: the same for outputs that are Mister X's alone.
    """

    def __init__(self, pair: Alike, side: int, config: Config, folder: Path) -> None:
        seats = Seats()
        p = WatchedOften(config, rng=random.Random(pair.seed), audience=seats, journal=folder / "journal.sqlite")
        seats.now = now = p.hardware.clock.now
        self.replies: Heard = []
        self.secrets: Heard = []
        with ExitStack() as stack:
            reader = stack.enter_context(reading(now))
            manager = Listener(p.hardware.clock, stack)
            files = Files(p, folder)
            house = House(p, files.health_file)
            p.attendants += [manager.attend, files.attend, house.attend]
            session = stack.enter_context(_session(p))
            begin(p, pair.case, pair.start[side])
            hands = UnluckyHands(p, pair, curious=side == 1)
            for steps in pair.script:
                hands.carry_out(steps[side], in_the_open=steps[0] == steps[1])
                self._ask(session, now())
            p.close()
        self.mishaps = hands.mishaps
        self.outputs: dict[str, Heard] = {
            "lamps": list(p.frames),
            "display": list(p.pictures),
            "audience.see": seats.seen,
            "audience.hear": seats.heard,
            "log": reader.read,
            "service manager": manager.told,
            "stdio": self.replies,
            "looks": list(p.looks),
            "mqtt": house.published,
            "metrics": house.measured,
            **files.read,
        }
        assert self.outputs.keys() == COMPARED
        self.private = {"handset": list(p.private_pictures), "stdio": self.secrets}

    def _ask(self, session: ScriptSession, now: float) -> None:
        """Ask for everything that the JSON lines give, and provoke their refusals."""
        for word in get_args(Asked):
            reply = json.dumps(session.answer(json.dumps({"get": word})))
            (self.secrets if word in PRIVATE_WORDS else self.replies).append((now, (word, reply)))
        for wrong in REFUSED:
            refused = session.answer(wrong)
            assert refused["ok"] is False
            self.replies.append((now, refused["error"]))


@contextmanager
def _session(p: WatchedOften) -> Iterator[ScriptSession]:
    """Yield the JSON lines of an existing table."""
    with ScriptSession(p.config) as session:
        own, session.simulated = session.simulated, p
        yield session
        session.simulated = own


class UnluckyHands(AllHands):
    """Hands at a table at which something goes wrong at every step, the same whatever is hidden."""

    def __init__(self, p: WatchedOften, pair: Alike, *, curious: bool) -> None:
        super().__init__(p, pair.seed, by_keys)
        self._curious = curious
        self.p = p
        self.mishaps: list[str] = []
        self._his = [self.handset_lost, self.full_for_him, self.stuck]
        self._his += [self.cut_in_his_choice, self.outputs_lost, self.noise]
        self._theirs = [self.full_for_all, self.handset_lost, self.outputs_lost, self.cut, self.noise]
        self._full_until = float("inf")
        stood = {step.to for both in pair.script for step in both if isinstance(step, PawnMove)}
        self._bare = max({*p.table.layout.stations} - stood - {*p.public.pawns.values()} - {0})
        p.attendants.append(self._mend_journal)

    def carry_out(self, step: Step, *, in_the_open: bool = True) -> None:
        """Do one step at the table, after something has gone wrong."""
        if isinstance(step, TakeBack | Roll | RollAgain):
            super().carry_out(step, in_the_open=in_the_open)
            return
        kinds = self._his if self.p.public.mr_x_to_move else self._theirs
        mishap = kinds.pop(0)
        kinds.append(mishap)
        self.p.advance(500)
        mishap(step)
        self.mishaps.append(mishap.__name__)
        super().carry_out(step, in_the_open=in_the_open)

    # ---- what goes wrong ----

    def handset_lost(self, _: Action) -> None:
        """Unplug the handset's cable; in one of the games just when Mister X has looked something up."""
        self.p.hardware.press("handset.back", 60)
        self.p.advance(60)
        if self._curious:
            self.p.hardware.press("handset.down", 25)
        else:
            self.p.advance(25)
        self._unplugged("handset", lambda: self.p.hardware.press("handset.select", 60))

    def outputs_lost(self, _: Action) -> None:
        self._unplugged("lamps", lambda: self._unplugged("display", lambda: None))

    def noise(self, _: Action) -> None:
        """Disturb the line of the switches, and weaken the power."""
        self.p.hardware.fault("switches", "garbage")
        self.p.hardware.fault("power", "under_voltage")
        self.p.advance(1000)
        self._unplugged("switches", lambda: None)
        self.p.advance(2000)
        self.p.hardware.fault("power", "ok")

    def stuck(self, _: Action) -> None:
        """Break an unused switch for a while, in one way and in another."""
        for fault in ("stuck_closed", "chatter"):
            self.p.hardware.fault(f"switch:{self._bare}", fault)
            self.p.advance(6000)
            wrong = self.p.table.scene().reading
            if isinstance(wrong, Mismatch) and self._bare in wrong.extra:
                self.p.hardware.press(CONFIRM)  # nobody stands there: the switch is not listened to any more
                self.p.advance(1000)
            self.p.hardware.fault(f"switch:{self._bare}", "ok")
            self.p.advance(2000)

    def cut(self, _: Action) -> None:
        self.p.restart()
        self.p.advance(2000)

    def cut_in_his_choice(self, step: Action) -> None:
        """Cut the power when one key of a choice is missing."""
        self.p.hardware.press("handset.back", 60)
        self.p.advance(60)
        keys = keys_for(self.p.table.handset.menu, self.p.private, step)[:-1]
        self.p.advance(4000 - 110 * len(keys))
        for key in keys:
            self.p.hardware.press(f"handset.{key}", 55)
            self.p.advance(55)
        self.cut(step)

    def full_for_him(self, step: Action) -> None:
        """Fill the disk just when Mister X has chosen: nothing happens, and his handset says so."""
        self.p.store.broken = True
        tried = self.p.store.tried
        self.p.hardware.press("handset.back", 60)
        press_keys(self.p, step)
        assert self.p.store.tried > tried
        self.p.advance(1500)
        self.p.store.broken = False
        self.p.hardware.press("handset.back", 60)
        self.p.advance(1500)

    def full_for_all(self, _: Action) -> None:
        """Fill the disk when a pawn moves, and free it a while later."""
        self.p.store.broken = True
        self._full_until = self.p.hardware.clock.now() + 4.0

    def _mend_journal(self, _: Table) -> None:
        if self.p.hardware.clock.now() >= self._full_until:
            self.p.store.broken, self._full_until = False, float("inf")

    def _unplugged(self, device: str, meanwhile: Callable[[], Any]) -> None:
        self.p.hardware.fault(device, "unplug")
        self.p.advance(1500)
        meanwhile()
        self.p.hardware.fault(device, "replug")
        self.p.advance(2500)
