"""Everything that people at a table, or readers of its logs, can see."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

from firmware_host.config.loader import Config
from firmware_host.daemon.run import Attendant
from firmware_host.referee.referee import Begin, NotNow, Play
from firmware_host.rules.actions import MR_X, Action, Commit, MrXMove, PawnMove, Roll, Take
from firmware_host.rules.errors import RulesError
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import Choose
from firmware_host.table.table import Table
from firmware_host.ui import json_views
from firmware_host.ui.drawing.public_display import display_lines
from firmware_host.ui.live_commentary import public_events
from hardware.sim import SimulatedHardware
from tests.table.played_table import Watched


class WatchedOften(Watched):
    """A table whose outputs are all recorded, also over restarts; an observer looks five times a second.

    Attributes:
        attendants: the tasks after every pass.
    """

    def __init__(self, config: Config, **told: Any) -> None:
        self.frames: list[tuple[float, bytes]] = []
        self.pictures: list[tuple[float, bytes | None]] = []
        self.private_pictures: list[tuple[float, bytes | None]] = []
        self.looks: list[tuple[float, str]] = []
        self.attendants: list[Attendant] = []
        super().__init__(config, **told)

    def _create_hardware(self) -> SimulatedHardware:
        """Create keys that do not bounce, because a bounce depends on how many keys were pressed before."""
        hardware = super()._create_hardware()
        hardware.keys._contacts._bounce = (0.0, 0.0)
        return hardware

    def _start(self) -> Table:
        table = super()._start()
        self.lamps.frames, self.display.pictures = self.frames, self.pictures
        self.handset.pictures = self.private_pictures
        self._lay_tiles(table)
        passes = 0

        def step() -> None:
            nonlocal passes
            table.step()
            passes += 1
            if passes % 40 == 0:
                look = json.dumps(json_views.public(table.scene()))
                if not self.looks or self.looks[-1][1] != look:
                    self.looks.append((self.hardware.clock.now(), look))
            for attend in self.attendants:
                attend(table)

        self.hardware.drive(step, hz=self.config.switches.scan_hz)
        return table


def seen_by_all(p: SimulatedTable) -> dict[str, Any]:
    """Return everything public about this moment, as plain values."""
    view, scene = p.public, p.table.scene()
    return {
        "time": p.hardware.clock.now(),
        "view": {f.name: repr(getattr(view, f.name)) for f in fields(view) if f.name != "network"},
        "scene": {f.name: repr(getattr(scene, f.name)) for f in fields(scene)},
        "json": json_views.public(scene),
        "display": display_lines(scene),
        "stations": {str(n): c for n, c in p.station_leds().items()},
        "log": {str(n): c for n, c in p.log_leds().items()},
        "health": {name: dict(state) for name, state in p.table.health().items()},
    }


def everything_printed(p: SimulatedTable) -> dict[str, str]:
    """Return every object of the running game as a debugger, a log line or a traceback would print it."""
    table, game, now = p.table, p.table.game, p.hardware.clock.now()
    assert game is not None
    private = p.private
    state = game._states[-1]
    inside = {"table": table, "referee": table.referee, "handset": table.handset, "game": game}
    objects = {
        "journal": table.journal, "menu": table.handset.menu, "new game": table.handset.new_game,
        "look": table.handset.current_look(now), "state": state, "setup": game.setup, "begin": Begin(game.setup),
        "actions": game.actions, "entries": [Play(a) for a in game.actions], "public": p.public, "private": private,
        "hidden": [private.at, private.route, private.choices], "scene": table.scene(), "before": game.before,
        "health": table.health(), "felt": table.referee.state, "display": display_lines(table.scene()),
        "news": public_events(None, p.public), "formatted": f"{private.at} {private.route!s:>20} {private.choices!r}",
        **inside,
    }  # fmt: skip
    if private.public.rules != "junior":
        objects["entries of the log"] = state.log
    if private.public.rules == "dice":
        objects["dice"] = state.pool
    for name, thing in inside.items():  # but for what stands in the map and in the box
        objects[f"in {name}"] = {k: v for k, v in vars(thing).items() if k not in ("near", "touching", "system")}
    return {name: re.sub(r"0x[0-9a-f]+", "0x", repr(thing)) for name, thing in objects.items()}


def hidden_stations(p: SimulatedTable, met: set[int]) -> set[int]:
    """Return where Mister X is, was, may go or will go, as long as nobody can know it.

    Args:
        p: the table.
        met: stations that have been spoken of before, for a detective stood there, or he in the open; they are added.
    """
    view, secret, state = p.public, p.private, p.table.game._states[-1]  # type: ignore[union-attr]
    met |= {*view.pawns.values(), *view.stale, *view.route, *(e.station for e in view.log if e.station is not None)}
    near = {*secret.route.value, secret.at.value} - {0}
    near |= {c.to.value for c in secret.choices.value if isinstance(c, MrXMove)}
    if view.rules == "junior":
        rides = state.terms.rides
        near |= {rides[at][ticket] for at, ticket in zip(state.x, state.picks, strict=False)}
    before = p.table.game.before  # type: ignore[union-attr]
    moves = (*view.moves, *view.open_moves, *(before.moves if before is not None else ()))
    return near - met - {move.to for move in moves}


def wrong_actions(p: SimulatedTable) -> Iterator[Action]:
    """Yield actions that are never legal, wherever Mister X may be."""
    somewhere = min(p.public.network.stations)
    yield from (MrXMove(Secret(somewhere), ticket) for ticket in ("x", "stay", "none"))
    yield from (PawnMove(pawn, somewhere, "none") for pawn in (*p.public.order, MR_X))
    yield from (Commit(pawn, Secret("none")) for pawn in p.public.fugitives)
    yield Take("nobody", "taxi")
    yield Roll(("none",))


def refused(p: SimulatedTable, action: Action, refusals: Callable[[], str]) -> Iterator[str]:
    """Yield the refusals of an action, from every way by which it can come."""
    for act in (lambda action: p.do(Choose(action)), p.table.game.play, p.table.game.check, p.table.referee.check):  # type: ignore[union-attr]
        try:
            act(action)
        except (RulesError, NotNow):
            yield refusals()
        else:
            raise AssertionError("that was legal")
