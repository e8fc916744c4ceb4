"""Cause faults at a table while people play: loose cables, broken contacts, noise, power cuts.

A fault may begin at any moment, even during a gesture, and ends after a while; some switches stay broken. Several
faults may overlap.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

from firmware_host.rules.actions import MR_X, START, Action, MrXMove, PawnMove
from firmware_host.simulator.simulated_table import SimulatedTable
from hardware.sim.faults import LINE_FAULTS, SWITCH_FAULTS

CABLES = ("switches", "lamps", "handset", "display", "keys")
"""The devices whose cables can be pulled."""

AT_FIRST = 5.0
"""The fewest seconds of table time before the first fault, apart from switches broken from the start."""

APART = 10.0
"""Mean seconds between two faults; on average every fourth brings another one with it."""

MOST = 10
"""The most faults in one game; simultaneous ones count once."""

BROKEN = (0, 0, 0, 0, 1, 2)
"""The number of broken switches when a game begins: one of these, equally likely."""

LASTING = 2
"""The most switches that stay broken for the rest of a game."""

ECHO = 3.0
"""Seconds after a repair in which the fault may still explain the table's conclusions."""

_SOUND = ("ok", "replug", "unplug")
_NOISE = tuple(kind for kind in LINE_FAULTS if kind not in _SOUND)
_SHOWN = tuple(kind for kind in _NOISE if kind == "slow" or kind.startswith("shift"))
"""Noise that may look like pawns: the port has no sentinel by which drivers detect a shifted sample."""
_SEEMS_BACK = ("stuck_open", "stuck_closed", *_SHOWN)
"""Faults that may make it seem that a pawn is back at its origin."""
_CONTACT = tuple(kind for kind in SWITCH_FAULTS if kind not in _SOUND)


class FaultInjection:
    """The random faults of one simulated game.

    `strike` starts the faults. The table's `pace` calls `pass_time` in each time step.

    Args:
        simulated: the table.
        rng: the random number generator for the faults.

    Attributes:
        happened: how often each kind of fault has begun.
        changed: the table time, in seconds, at which a fault last began or ended.
        dark: whether the power is off.
    """

    def __init__(self, simulated: SimulatedTable, rng: random.Random) -> None:
        self._simulated = simulated
        self.happened: Counter[str] = Counter()
        self.changed = 0.0
        self.dark = False
        self._rng = rng
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._left = 0
        self._lasting = 0
        self._lies: dict[tuple[str, str], float] = {}  # device and fault -> until when readings may be false

    def strike(self) -> None:
        """Start to cause faults at this table. Some switches may be broken from the start."""
        for _ in range(self._rng.choice(BROKEN)):
            self._contact()
        self._left = self._rng.randint(MOST // 3, MOST)
        self._later(AT_FIRST + self._rng.expovariate(1 / APART), self._one_more)

    def pass_time(self) -> None:
        """Start or end the next fault that is due, if any."""
        if self._due and self._due[0][0] <= self._now:
            _, _, happen = heappop(self._due)
            self.changed = self._now
            happen()

    def invented(self, action: Action) -> bool:
        """Return whether only a fault explains a move whose pawn is not at its destination."""
        move = on_board(action)
        at = None if move is None else self._simulated.hardware.where().get(move.pawn)
        if move is None or at == move.to:
            return False
        # If its own switch is dead, the next one may sense the pawn.
        return (
            self._lied(move.to, "stuck_closed", *_SHOWN)
            or (at is not None and self._lied(at, "stuck_open"))
            or self._another(move)
        )

    def _another(self, move: PawnMove) -> bool:
        """Return whether another pawn made this move, while a fault still shows that pawn at its old station."""
        where, held = self._simulated.hardware.where(), self._simulated.public.pawns
        others = [pawn for pawn, at in where.items() if at == move.to and pawn != move.pawn]
        return any(pawn in held and self._lied(held[pawn], "stuck_closed", *_SHOWN) for pawn in others)

    def hidden(self, action: Action) -> bool:
        """Return whether a fault made the table undo this move although its pawn is at the destination."""
        move = on_board(action)
        if move is None or self._simulated.hardware.where().get(move.pawn) != move.to:
            return False
        # Lifting a start's pawn undoes it (DI-10), even if only to set it down again where it was not sensed.
        kinds = {kind for (_, kind), end in self._lies.items() if self._now <= end}
        return bool(kinds) if move.ticket == START else not kinds.isdisjoint(_SEEMS_BACK)

    def _lied(self, station: int, *kinds: str) -> bool:
        """Return whether a fault of one of these kinds falsifies a station's switch now, or did so just now."""
        broken = [(device, kind) for device in (f"switch:{station}", "switches") for kind in kinds]
        return any(self._now <= self._lies.get(one, -1.0) for one in broken)

    @property
    def _now(self) -> float:
        return self._simulated.hardware.clock.now()

    def _later(self, seconds: float, happen: Callable[[], None]) -> None:
        heappush(self._due, (self._now + seconds, next(self._order), happen))

    def _fault(self, device: str, kind: str) -> None:
        hardware = self._simulated.hardware
        if device == "keys":
            (hardware.keys.unplug if kind == "unplug" else hardware.keys.replug)()
        else:
            hardware.fault(device, kind)

    def _one_more(self) -> None:
        rng = self._rng
        for _ in range(rng.choice((1, 1, 1, 2))):
            kind = rng.choice(
                (self._pull, self._pull, self._flap, self._noise, self._contact, self._contact, self._cut)
            )
            kind()
        self._left -= 1
        if self._left > 0:
            self._later(rng.expovariate(1 / APART), self._one_more)

    # ---- each kind ----

    def _pull(self) -> None:
        device = self._a_cable()
        self.happened[f"{device} unplugged"] += 1
        self._fault(device, "unplug")
        self._later(self._rng.choice((0.05, 0.5, 3.0, 12.0)) * self._rng.uniform(0.5, 1.5), self._in(device))

    def _flap(self) -> None:
        """Disconnect and reconnect a loose cable several times."""
        device, after = self._a_cable(), 0.0
        self.happened[f"{device} flapping"] += 1
        for _ in range(self._rng.randint(3, 8)):
            self._later(after, lambda: self._fault(device, "unplug"))
            after += self._rng.uniform(0.02, 1.5)
            self._later(after, self._in(device))
            after += self._rng.uniform(0.02, 1.5)

    def _noise(self) -> None:
        """Disturb the data line of the switches, or slow down an output."""
        kind = self._rng.choice((*_NOISE, "late"))
        if kind == "late":
            device = self._rng.choice(("lamps", "handset", "display"))
            self.happened[f"{device} slow"] += 1
            self._fault(device, "slow")
            return
        self.happened[f"switches {kind}"] += 1
        self._fault("switches", kind)
        lasts = self._rng.uniform(0.05, 3.0)
        self._lies["switches", kind] = self._now + lasts + ECHO
        self._later(lasts, self._in("switches"))

    def _contact(self) -> None:
        """Break one switch: any switch, or one where a pawn is or may go next."""
        simulated, rng = self._simulated, self._rng
        view = simulated.public
        likely = sorted({*view.pawns.values(), *(move.to for move in view.moves)})
        station = rng.choice(likely if likely and rng.random() < 0.6 else sorted(view.network.stations))
        device, kind = f"switch:{station}", rng.choice(_CONTACT)
        if device in simulated.hardware.broken():
            return
        self.happened[f"switch {kind.replace('_', ' ')}"] += 1
        self._fault(device, kind)
        self._lies[device, kind] = float("inf")
        if self._lasting < LASTING and rng.random() < 0.25:
            self._lasting += 1
        else:
            self._later(rng.choice((1.0, 10.0, 40.0)) * rng.uniform(0.5, 1.5), lambda: self._well(device, kind))

    def _well(self, device: str, kind: str) -> None:
        self._fault(device, "ok")
        self._lies[device, kind] = self._now + ECHO

    def _cut(self) -> None:
        """Cut the power for a while."""
        if self.dark:
            return
        self.happened["power cut"] += 1
        self.dark = True
        self._simulated.cut_power()
        lasts = self._rng.uniform(0.1, 4.0)
        for lie, until in self._lies.items():
            self._lies[lie] = until + lasts * (until >= self._now)
        self._later(lasts, self._power)

    def _power(self) -> None:
        self.dark = False
        self._simulated.restart()

    def _a_cable(self) -> str:
        return self._rng.choice(CABLES)

    def _in(self, device: str) -> Callable[[], None]:
        return lambda: self._fault(device, "replug")


def on_board(action: Action) -> PawnMove | None:
    """Return an action as a pawn's move on the board, even if Mister X is hidden. None if no pawn moves."""
    if isinstance(action, MrXMove):
        return PawnMove(MR_X, action.to.value, action.ticket)
    return action if isinstance(action, PawnMove) else None
