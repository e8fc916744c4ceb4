"""What goes wrong at a table while people play on it: cables, contacts, noise on the line, power.

A mishap begins at any moment, in the midst of a gesture as likely as between two, and is over after a while; some
switches stay broken. Several may last at once.
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
"""What hangs on a cable that can be pulled."""

AT_FIRST = 5.0
"""Seconds of table time, at least, before anything goes wrong."""

APART = 10.0
"""Seconds between two mishaps on the average; every fourth brings another one with it."""

MOST = 10
"""Mishaps of one game, at the most, those that come together counted once."""

BROKEN = (0, 0, 0, 0, 1, 2)
"""Switches that are broken when a game begins: one of these numbers, each as likely."""

LASTING = 2
"""Switches that stay broken for the rest of a game, at the most."""

ECHO = 3.0
"""Seconds for which something that was broken may still be the reason for what the table has made of it."""

_SOUND = ("ok", "replug", "unplug")
_NOISE = tuple(kind for kind in LINE_FAULTS if kind not in _SOUND)
_SHOWN = tuple(kind for kind in _NOISE if kind == "slow" or kind.startswith("shift"))
"""Noise that may look like pawns: the port has no sentinel by which drivers know a shifted sample."""
_FELT = ("stuck_open", "stuck_closed", *_SHOWN)
"""What may make it seem that a pawn is back where it came from."""
_CONTACT = tuple(kind for kind in SWITCH_FAULTS if kind not in _SOUND)


class FaultInjection:
    """Cause the mishaps of one game. Call `pass_time` from the table's `pace`; nothing happens before `strike`.

    Args:
        simulated: the table.
        chance: what goes wrong, and when.

    Attributes:
        happened: how often each kind of mishap has begun.
        changed: table time at which something last broke or came back.
        dark: whether the power is off.
    """

    def __init__(self, simulated: SimulatedTable, chance: random.Random) -> None:
        self._simulated = simulated
        self.happened: Counter[str] = Counter()
        self.changed = 0.0
        self.dark = False
        self._chance = chance
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._left = 0
        self._lasting = 0
        self._lies: dict[tuple[str, str], float] = {}  # device and fault -> until when what is felt may be a lie

    def strike(self) -> None:
        """Let things go wrong at this table from now on; some switches may be broken already."""
        for _ in range(self._chance.choice(BROKEN)):
            self._contact()
        self._left = self._chance.randint(MOST // 3, MOST)
        self._later(AT_FIRST + self._chance.expovariate(1 / APART), self._one_more)

    def pass_time(self) -> None:
        """Let happen what is due."""
        if self._due and self._due[0][0] <= self._now:
            _, _, happen = heappop(self._due)
            self.changed = self._now
            happen()

    def invented(self, action: Action) -> bool:
        """Return whether a fault made the table feel a pawn where it never came, and take that for this move."""
        move = on_board(action)
        at = None if move is None else self._simulated.hardware.where().get(move.pawn)
        if move is None or at == move.to:
            return False
        # Where its own switch is dead a pawn may be felt by the next one.
        return (
            self._lied(move.to, "stuck_closed", *_SHOWN)
            or (at is not None and self._lied(at, "stuck_open"))
            or self._another(move)
        )

    def _another(self, move: PawnMove) -> bool:
        """Return whether another pawn has made this move, and is still felt where it came from."""
        where, held = self._simulated.hardware.where(), self._simulated.public.pawns
        others = [pawn for pawn, at in where.items() if at == move.to and pawn != move.pawn]
        return any(pawn in held and self._lied(held[pawn], "stuck_closed", *_SHOWN) for pawn in others)

    def hidden(self, action: Action) -> bool:
        """Return whether a fault made the table take this move back, though the pawn stands where it went."""
        move = on_board(action)
        if move is None or self._simulated.hardware.where().get(move.pawn) != move.to:
            return False
        # A start is taken back by lifting its pawn (DI-10), be it only to set it down anew where it was not felt.
        kinds = {kind for (_, kind), end in self._lies.items() if self._now <= end}
        return bool(kinds) if move.ticket == START else not kinds.isdisjoint(_FELT)

    def _lied(self, station: int, *kinds: str) -> bool:
        """Return whether what is felt on a station, or was just now, may come of a fault of one of these kinds."""
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
        chance = self._chance
        for _ in range(chance.choice((1, 1, 1, 2))):
            kind = chance.choice(
                (self._pull, self._pull, self._flap, self._noise, self._contact, self._contact, self._cut)
            )
            kind()
        self._left -= 1
        if self._left > 0:
            self._later(chance.expovariate(1 / APART), self._one_more)

    # ---- each kind ----

    def _pull(self) -> None:
        device = self._a_cable()
        self.happened[f"{device} unplugged"] += 1
        self._fault(device, "unplug")
        self._later(self._chance.choice((0.05, 0.5, 3.0, 12.0)) * self._chance.uniform(0.5, 1.5), self._in(device))

    def _flap(self) -> None:
        """Pull a loose cable out and in again, several times."""
        device, after = self._a_cable(), 0.0
        self.happened[f"{device} flapping"] += 1
        for _ in range(self._chance.randint(3, 8)):
            self._later(after, lambda: self._fault(device, "unplug"))
            after += self._chance.uniform(0.02, 1.5)
            self._later(after, self._in(device))
            after += self._chance.uniform(0.02, 1.5)

    def _noise(self) -> None:
        """Disturb what is read through the switches' line, or slow an output down."""
        kind = self._chance.choice((*_NOISE, "late"))
        if kind == "late":
            device = self._chance.choice(("lamps", "handset", "display"))
            self.happened[f"{device} slow"] += 1
            self._fault(device, "slow")
            return
        self.happened[f"switches {kind}"] += 1
        self._fault("switches", kind)
        lasts = self._chance.uniform(0.05, 3.0)
        self._lies["switches", kind] = self._now + lasts + ECHO
        self._later(lasts, self._in("switches"))

    def _contact(self) -> None:
        """Break one switch: any, or one where a pawn is or may go next."""
        simulated, chance = self._simulated, self._chance
        view = simulated.public
        likely = sorted({*view.pawns.values(), *(move.to for move in view.moves)})
        station = chance.choice(likely if likely and chance.random() < 0.6 else sorted(view.network.stations))
        device, kind = f"switch:{station}", chance.choice(_CONTACT)
        if device in simulated.hardware.broken():
            return
        self.happened[f"switch {kind.replace('_', ' ')}"] += 1
        self._fault(device, kind)
        self._lies[device, kind] = float("inf")
        if self._lasting < LASTING and chance.random() < 0.25:
            self._lasting += 1
        else:
            self._later(chance.choice((1.0, 10.0, 40.0)) * chance.uniform(0.5, 1.5), lambda: self._well(device, kind))

    def _well(self, device: str, kind: str) -> None:
        self._fault(device, "ok")
        self._lies[device, kind] = self._now + ECHO

    def _cut(self) -> None:
        """Cut the power for a while; nobody hears meanwhile what the table has made of anything."""
        if self.dark:
            return
        self.happened["power cut"] += 1
        self.dark = True
        self._simulated.cut_power()
        lasts = self._chance.uniform(0.1, 4.0)
        for lie, until in self._lies.items():
            self._lies[lie] = until + lasts * (until >= self._now)
        self._later(lasts, self._power)

    def _power(self) -> None:
        self.dark = False
        self._simulated.restart()

    def _a_cable(self) -> str:
        return self._chance.choice(CABLES)

    def _in(self, device: str) -> Callable[[], None]:
        return lambda: self._fault(device, "replug")


def on_board(action: Action) -> PawnMove | None:
    """Return the move that an action is on the board, Mister X's own in the open too; None for what no pawn does."""
    if isinstance(action, MrXMove):
        return PawnMove(MR_X, action.to.value, action.ticket)
    return action if isinstance(action, PawnMove) else None
