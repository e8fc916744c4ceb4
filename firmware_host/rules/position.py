"""A position of a pursuit game: a small immutable tuple, and the terms that stay the same through the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from firmware_host.rules.actions import MR_X
from firmware_host.rules.edition import Option, Setup
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.fares import PawnRides
from firmware_host.rules.network import Network
from firmware_host.rules.views import Outcome, Skipped

Hand = tuple[int, int, int]

CAPTURED = Outcome("detectives", "captured")  # CL-20
TRAPPED = Outcome("detectives", "trapped")  # CL-23
IMMOBILISED = Outcome(MR_X, "immobilised")  # CL-21
STALLED = Outcome(MR_X, "stalled")  # CL-21, last sentence
LOG_FULL = Outcome(MR_X, "log_full")  # CL-22


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """What stays the same through a whole game."""

    setup: Setup
    network: Network
    order: tuple[str, ...]
    rides: tuple[PawnRides, ...]
    unlimited: bool
    last_chance: bool
    windows: int
    surfacing: frozenset[int]


class Entry(NamedTuple):
    """One filled window: ticket, station, half of a double move (0 none), and whether a ticket was spent."""

    ticket: str
    station: int
    double: int
    paid: bool

    def __repr__(self) -> str:
        return f"Entry({self.ticket!r}, …)"


class State(NamedTuple):
    """A position. `turn` is the detective to move, or -1 for Mister X; `half` the half of a double he is in."""

    terms: Terms
    x: int
    at: tuple[int, ...]
    hands: tuple[Hand, ...]
    supply: Hand
    blacks: int
    doubles: int
    log: tuple[Entry, ...]
    round: int
    turn: int
    half: int
    moved: bool
    skipped: tuple[Skipped, ...]
    outcome: Outcome | None

    def __repr__(self) -> str:
        return f"State(round {self.round}, turn {self.turn}, …)"


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a pursuit game: CL-11 `x_fares`, CL-22 `last_chance` and `log_windows`."""

    x_fares: str = "unlimited"
    last_chance: bool = False
    log_windows: int = 24

    @classmethod
    def of(cls, given: Mapping[str, Option]) -> Options:
        """The options given, checked, with defaults for the rest.

        Raises:
            BadSetup: an unknown option, a wrong type, or a value out of range.
        """
        known = {"x_fares": str, "last_chance": bool, "log_windows": int}
        for name, value in given.items():
            if name not in known:
                raise BadSetup(f"options: unknown option {name!r}; known are {', '.join(known)}")
            if type(value) is not known[name]:
                raise BadSetup(f"options: {name}: {value!r} is not a {known[name].__name__}")
        options = cls(**given)  # type: ignore[arg-type]
        if options.x_fares not in ("unlimited", "counted"):
            raise BadSetup(f"options: x_fares: {options.x_fares!r} is neither 'unlimited' nor 'counted'")
        if not 3 <= options.log_windows <= 24:
            raise BadSetup(f"options: log_windows: {options.log_windows} is not from 3 to 24")
        return options
