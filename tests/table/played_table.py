"""A table in play, and the actions of hands at it, for the tests of the table."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from PIL import Image

from firmware_host.config.loader import Config, parse
from firmware_host.journal.entries import PLAY
from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import Row, Store, UnwritableJournal
from firmware_host.referee.scene import Kind, Scene
from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator import IN_MEMORY, SimulatedTable
from firmware_host.table.commands import Choose, StartGame
from firmware_host.table.outputs import limit_lamps
from firmware_host.table.player_maker import LevelMaker
from firmware_host.table.table import Table
from firmware_host.ui.prompt_wording import prompt
from hardware.ports import Lamps, Panel

FIVE = {"red": 74, "yellow": 13, "green": 26, "blue": 50}
"""Where detectives start at the tables of these tests."""

FAR = {"yellow": (13, 23), "green": (26, 15)}
"""Pawns far from the action: each goes to the second station and back."""


def config(text: str = "", **sections: Mapping[str, Any]) -> Config:
    """Return the simulator's configuration with some keys set, such as game={"take_back": False}."""
    lines = [text]
    for section, keys in sections.items():
        lines.append(f"[{section}]")
        lines += [f"{key} = {str(value).lower() if not isinstance(value, str) else repr(value)}"
                  for key, value in keys.items()]  # fmt: skip
    return parse("\n".join(lines), "test.toml")


class Shaky:
    """A store that can fail, and that reports each action before it is written. Implements `Store`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.name, self.rows, self.poll, self.wait, self.close = (
            store.name, store.rows, store.poll, store.wait, store.close
        )  # fmt: skip
        self.refused: frozenset[str] = frozenset()
        self.broken = False
        self.tried = 0
        self.before: Callable[[], None] | None = None

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        kind = rows[-1][2] if rows else ""
        if kind == PLAY:
            self.tried += 1
            if self.before is not None:
                self.before()
        if self.broken or kind in self.refused:
            raise UnwritableJournal("journal test: cannot be written: the disk is full; free some space")
        self._store.submit(rows, instead)


class SeenLamps:
    """Lamps that record every frame with its time."""

    def __init__(self, lamps: Lamps, now: Callable[[], float]) -> None:
        self._lamps, self._now = lamps, now
        self.frames: list[tuple[float, bytes]] = []

    @property
    def count(self) -> int:
        return self._lamps.count

    def ready(self) -> bool:
        return self._lamps.ready()

    def show(self, frame: bytes) -> None:
        self.frames.append((self._now(), frame))
        self._lamps.show(frame)

    def close(self) -> None:
        self._lamps.close()


class SeenPanel:
    """A panel that records every picture with its time."""

    def __init__(self, panel: Panel, now: Callable[[], float]) -> None:
        self._panel, self._now = panel, now
        self.pictures: list[tuple[float, bytes | None]] = []

    @property
    def size(self) -> tuple[int, int]:
        return self._panel.size

    def ready(self) -> bool:
        return self._panel.ready()

    def show(self, picture: Image.Image | None) -> None:
        self.pictures.append((self._now(), None if picture is None else picture.tobytes()))
        self._panel.show(picture)

    def close(self) -> None:
        self._panel.close()


class Watched(SimulatedTable):
    """A table whose outputs are all recorded, on a journal that can fail."""

    lamps: SeenLamps
    display: SeenPanel
    handset: SeenPanel
    store: Shaky

    def _opened(self) -> Journal:
        journal = super()._opened()
        journal.store = self.store = Shaky(journal.store)
        return journal

    def _start(self) -> Table:
        backend, now = self.backend, self.hardware.clock.now
        assert backend.display is not None
        self.lamps = SeenLamps(self.hardware.lamps, now)
        self.display, self.handset = SeenPanel(backend.display, now), SeenPanel(backend.handset, now)
        lamps = limit_lamps(self.config, self.lamps)
        watched = replace(backend, lamps=lamps, display=self.display, handset=self.handset)
        table = Table(
            self.config, watched, self._journal, rng=self._rng, wall_clock=now, audience=self._audience,
            players=self._players or LevelMaker(), patient=self._patient,
        )  # fmt: skip
        self.hardware.drive(table.step, hz=self.config.switches.scan_hz)
        return table


def begun(mr_x: int, conf: Config | None = None, *, seen: bool = False, **start: int) -> Any:
    """Return a table with its pawns set up, at which Mister X has to move."""
    p = (Watched if seen else SimulatedTable)(conf, journal=IN_MEMORY)
    p.do(StartGame(detectives=len(start), start={MR_X: mr_x, **start}))
    p.set_up()
    return p


def watched(*, moved: bool = True, **sections: Any) -> Watched:
    """Return a table with recorded outputs, at which Mister X has moved from 197, hidden, or has to."""
    p: Watched = begun(197, config(**sections), seen=True, **FIVE)
    if moved:
        go(p, 184)
    return p


def red_to_move(conf: Config | None = None, *, seen: bool = False, **start: int) -> Any:
    """Return a table at which Mister X has moved from 197, hidden, and red has to move."""
    p = begun(197, conf, seen=seen, **(start or FIVE))
    go(p, 184)
    return p


def hunted(red: tuple[int, int], mr_x: tuple[int, int], conf: Config | None = None, *, seen: bool = False) -> Any:
    """Return a table at which Mister X has just surfaced on `mr_x[1]` and red, on `red[0]`, has to move."""
    p = begun(mr_x[0], conf, seen=seen, red=red[0], **{pawn: way[0] for pawn, way in FAR.items()})
    for turn in range(2):
        go(p, mr_x[1 - turn])
        for pawn, way in {"red": red, **FAR}.items():
            walk(p, pawn, way[1 - turn])
    go(p, mr_x[1])
    assert p.public.pawns[MR_X] == mr_x[1]
    return p


def go(p: SimulatedTable, to: int, ticket: str = "taxi") -> None:
    """Make Mister X's move."""
    p.do(Choose(MrXMove(Secret(to), ticket)))
    p.advance(100)


def walk(p: SimulatedTable, pawn: str, to: int, ticket: str | None = None) -> None:
    """Carry a pawn to a station, and press the key for its ticket if the table asks."""
    carry(p, pawn, to)
    asked = p.table.scene().asked
    if asked and p.public.outcome is None:
        ticket = ticket or asked[0].ticket
        p.hardware.press(f"table.{ticket}" if len(asked) > 1 else "table.confirm")
    p.advance(100)


def carry(p: SimulatedTable, pawn: str, to: int, ms: float = 900) -> None:
    """Lift a pawn from anywhere, set it down on a station, and wait a while."""
    if p.hardware.where().get(pawn) is not None:
        p.hardware.pick_up(pawn)
        p.advance(400)
    p.hardware.put(to, pawn)
    p.advance(ms)


def fault(p: SimulatedTable, device: str, kind: str, ms: float) -> None:
    p.hardware.fault(device, kind)
    p.advance(ms)


def put(p: SimulatedTable, station: int, pawn: str, ms: float) -> None:
    p.hardware.put(station, pawn)
    p.advance(ms)


def take(p: SimulatedTable, station: int, ms: float, pawn: str | None = None) -> None:
    """Lift a pawn from a station."""
    p.hardware.lift(station, pawn)
    p.advance(ms)


def press(p: SimulatedTable, key: str, ms: float = 100) -> None:
    p.hardware.press(key)
    p.advance(ms)


def hold(p: SimulatedTable, key: str, ms: float = 100) -> None:
    p.hardware.hold(key)
    p.advance(ms)


def release(p: SimulatedTable, key: str, ms: float = 100) -> None:
    p.hardware.release(key)
    p.advance(ms)


def confirm(p: SimulatedTable) -> None:
    p.hardware.press("table.confirm")
    p.advance(100)


def say_elsewhere(p: SimulatedTable) -> None:
    """Say by key that a pawn is elsewhere, when the table waits for it to go where it is shown."""
    assert ask_kind(p) is Kind.CANCELLED
    p.advance(4000)
    confirm(p)


def text(p: SimulatedTable) -> str:
    """Return the prompt of the table in words."""
    return p.prompt_text


def ask_kind(p: SimulatedTable) -> Kind:
    """Return the kind of the question of the table."""
    return p.table.scene().ask.kind


def captured(p: SimulatedTable) -> bool:
    outcome = p.public.outcome
    return outcome is not None and (outcome.winner, outcome.reason) == ("detectives", "captured")


def tells(p: SimulatedTable) -> bool:
    """Return whether the handset's screen shows that Mister X is on 197."""
    return any("197" in line for line in p.handset_lines())


def state(p: SimulatedTable, device: str) -> str:
    return str(p.table.health()[device]["state"])


def asks(p: SimulatedTable) -> tuple[Kind | str | int, ...]:
    """Return the table's question: the kind, the pawns, the station, and the keys that answer."""
    ask = p.table.scene().ask
    station = (ask.station,) if ask.station else ()
    return ask.kind, *ask.pawns, *station, *(key.removeprefix("table.") for key in ask.keys)


def unnamed(scene: Scene) -> tuple[str, ...]:
    """Return the keys that answer the question of a scene but are not in its sentence; there should be none."""
    said = prompt(scene).text
    return tuple(key for key in scene.ask.keys if key.removeprefix("table.").upper() not in said)


def tidy(p: SimulatedTable) -> None:
    """Put Mister X's pawn where the table asks for it."""
    scene = p.table.scene()
    for pawn, station in scene.set_down.items():
        if p.hardware.where().get(pawn) is not None:
            p.hardware.pick_up(pawn)
        p.hardware.put(station, pawn)
        p.advance(500)
    for station in scene.take_off:
        p.hardware.lift(station, MR_X)
        p.advance(500)


def play_on(p: SimulatedTable, chance: random.Random, *, most: int = 400) -> None:
    """Play at random with hands, to the end of the game or for `most` actions."""
    for _ in range(most):
        view = p.public
        if view.outcome is not None:
            return
        tidy(p)
        if view.turn == (MR_X,):
            p.do(Choose(_choice(p, chance)))
            p.advance(100)
        else:
            move = chance.choice(view.moves)
            step(p, move)
        assert p.public != view, text(p)


def step(p: SimulatedTable, move: PawnMove) -> None:
    """Make a pawn's legal move, with every key that the table asks for."""
    count = len(p.table.game.actions)
    carry(p, move.pawn, move.to)
    for _ in range(40):
        if len(p.table.game.actions) > count:
            return
        asked = p.table.scene().asked
        if not asked and "table.back" not in p.table.scene().ask.keys:
            confirm(p)
        elif not asked or asked[0].to != move.to:
            p.hardware.press("table.back")
        elif len(asked) > 1:
            p.hardware.press(f"table.{move.ticket}")
        else:
            confirm(p)
        p.advance(100)
    raise AssertionError(text(p))


def _choice(p: SimulatedTable, chance: random.Random) -> Action:
    moves = [c for c in p.private.choices.value if not isinstance(c, Double)]
    return chance.choice(moves)
