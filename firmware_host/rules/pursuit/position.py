"""Define a position of a pursuit game, the game's unchanging settings, and every ride on a map.

A position never changes, and keeps its legal actions once they are found. Rides are prepared actions, from which legal
moves are picked: one object per ride serves all games on a map, and picking then only compares hands and positions. If
no tickets are paid, a destination is offered once, however many lines lead there (BE-03).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

from firmware_host.rules.actions import BLACK, BOAT, FREE, TICKETS, MrXMove, PawnMove
from firmware_host.rules.data.file_reader import KINDS
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.network import TRANSPORTS, Network, shorten
from firmware_host.rules.pursuit.edition import OPTIONS, Edition
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Option
from firmware_host.rules.views import Outcome, Skipped

M = TypeVar("M", PawnMove, MrXMove)


Hand = tuple[int, int, int]


# Not a named tuple, whose attributes take several times as long to read.
@dataclass(frozen=True, slots=True, eq=False)
class Rides(Generic[M]):
    """The rides from one station, prepared for quick lookups.

    Attributes:
        ends: the destinations.
        fares: (destination, ticket) -> the ticket's index in a hand, or `BLACK_PLACE`.
        actions: the actions that a hand or a black ticket can pay for, indexed by `tickets_left` of that hand.
    """

    ends: frozenset[int]
    fares: Mapping[tuple[int, str], int]
    actions: tuple[tuple[M, ...], ...]

    @classmethod
    def of(cls, fares: Mapping[tuple[int, str], int], action: Callable[[int, str], M]) -> Rides[M]:
        """Return a station's `Rides`. `action` creates the action for a destination and a ticket."""
        each = [(1 << place, action(to, ticket)) for (to, ticket), place in fares.items()]
        paid = [tuple([action for bit, action in each if bit & (left | BLACK_BIT)]) for left in range(ALL_LEFT + 1)]
        return cls(frozenset(to for to, _ in fares), fares, tuple(paid))


PawnRides = dict[int, Rides[PawnMove]]
"""Station -> a detective's rides without boats. All stations are prepared at once, so that memory stays constant."""

MrXRides = dict[int, Rides[MrXMove]]
"""Station -> Mister X's rides."""

BLACK_PLACE = TICKETS.index(BLACK)
"""The place that stands for a black ticket in rides. A `Hand` does not count black tickets."""

ALL_LEFT, BLACK_BIT = 0b111, 1 << BLACK_PLACE

KEPT = 32
"""The number of results in each cache: enough for several maps, and bounded for callers that load many maps."""


@lru_cache(maxsize=KEPT)
def without_closed(network: Network, closed: tuple[str, ...]) -> Network:
    """Return the network without closed transports (BE-03): the same object if none is closed."""
    if not closed:
        return network
    return replace(network, links=tuple(link for link in network.links if link.transport not in closed))


@lru_cache(maxsize=KEPT)
def pawn_rides(network: Network, pawn: str, paying: bool) -> PawnRides:
    """Return a detective's possible rides from each station. All games on one map share the result."""
    return {station: Rides.of(found, partial(PawnMove, pawn)) for station, found in _fares(network, paying).items()}


@lru_cache(maxsize=KEPT)
def mr_x_rides(network: Network, paying: bool) -> tuple[MrXRides, MrXRides]:
    """Return two tables of Mister X's rides from each station: without and with black tickets (CL-12)."""
    plain, with_black = MrXRides(), MrXRides()
    for station, found in _fares(network, paying).items():
        black = {(to, BLACK): BLACK_PLACE for to in network.around(station)}
        plain[station], with_black[station] = Rides.of(found, _secret_move), Rides.of(found | black, _secret_move)
    return plain, with_black


def _secret_move(to: int, ticket: str) -> MrXMove:
    return MrXMove(Secret(to), ticket)


@lru_cache(maxsize=KEPT)
def _fares(network: Network, paying: bool) -> dict[int, dict[tuple[int, str], int]]:
    """Return each station's fares without black tickets (see `Rides`). Pawns that pay nothing ride free."""
    found: dict[int, dict[tuple[int, str], int]] = {station: {} for station in network.stations}
    for station, fares in found.items():
        for to, transports in network.around(station).items():
            lines = [transport for transport in transports if transport != BOAT]
            if paying:
                fares |= {(to, transport): TRANSPORTS.index(transport) for transport in lines}
            elif lines:
                fares[to, FREE] = 0
    return found


T = TypeVar("T")

PASS: Hand = (1, 1, 1)
"""The hand of a pawn that pays no tickets (BE-03, ED-01): it pays for every ride and is never used up."""

PLACES: Mapping[str, int] = {ticket: place for place, ticket in enumerate(TICKETS[:3])}
"""Ticket -> its place in a hand."""


@dataclass(frozen=True, slots=True, eq=False)
class PursuitTerms:
    """The settings that never change while a game is played. All games with equal settings share them."""

    rules: str
    owners: Mapping[str, int]
    network: Network  # without closed transports
    order: tuple[str, ...]
    places: Mapping[str, int]  # pawn -> its place in the order
    rides: tuple[PawnRides, ...]  # by a pawn's place
    mr_x_rides: tuple[MrXRides, MrXRides]  # without black tickets, and with them
    pays: tuple[bool, ...]  # by a pawn's place: whether it pays tickets
    groups: tuple[tuple[int, ...], ...]  # the pawns that may move in any order among each other, group after group
    paying: bool
    common: bool  # whether Mister X pays from the common pile, uncounted (ED-01)
    unlimited: bool
    last_chance: bool
    windows: int
    rounds: int | None
    surfacing: frozenset[int]
    in_sight: bool
    voluntary: bool
    cut_off: bool
    uncover_half: bool


class PursuitEntry(NamedTuple):
    """A filled window: ticket, station, half of a double move (0: a single move), and whether Mister X was seen.

    `revealed` means that nobody saw him there, but the station became public later (BE-08).
    """

    ticket: str
    station: int
    double: int
    seen: bool
    revealed: bool = False

    def __repr__(self) -> str:
        return f"PursuitEntry({self.ticket!r}, …)"


# Creating a frozen one, or reading a tuple's fields, takes several times as long. Mypy forbids changes.
@dataclass(slots=True)
class PursuitState:
    """A position of a pursuit game.

    `start` and `x` are Mister X's start and station. `turn` is the group of detectives to move, or -1 for Mister X.
    `moved` has a bit for each pawn that has moved in this round. `half` is the half of a double move that Mister X is
    in, 1 or 2, or 0. `bare` means that he surfaces voluntarily after his next move. `taking` are the pawns from which
    he has yet to take a ticket after such a surfacing. `legal` caches the legal actions; it is None until they are
    computed.
    """

    terms: Final[PursuitTerms]
    start: Final[int]
    x: Final[int]
    at: Final[tuple[int, ...]]
    hands: Final[tuple[Hand, ...]]
    supply: Final[Hand]
    blacks: Final[int]
    doubles: Final[int]
    log: Final[tuple[PursuitEntry, ...]]
    round: Final[int]
    turn: Final[int]
    moved: Final[int] = 0
    skipped: Final[tuple[Skipped, ...]] = ()
    outcome: Final[Outcome | None] = None
    half: Final[int] = 0
    bare: Final[bool] = False
    taking: Final[tuple[int, ...]] = ()
    legal: tuple[Any, ...] | None = field(default=None, init=False, compare=False)

    def __iter__(self) -> Iterator[Any]:
        return iter(_values(self))

    def _replace(self, **changes: Any) -> PursuitState:
        """Return a copy with some fields changed. Its legal actions are not computed yet."""
        values = [*self]
        for name, value in changes.items():
            values[_FIELDS.index(name)] = value
        return PursuitState(*values)

    def __repr__(self) -> str:
        return f"PursuitState(round {self.round}, turn {self.turn}, …)"


_FIELDS = [one.name for one in fields(PursuitState) if one.init]
_values = attrgetter(*_FIELDS)


def tickets_left(hand: Hand) -> int:
    """Return which kinds of tickets a hand has left, as a number with a bit for each kind."""
    taxi, bus, underground = hand
    return (taxi > 0) + 2 * (bus > 0) + 4 * (underground > 0)


def replaced(row: tuple[T, ...], place: int, thing: T) -> tuple[T, ...]:
    """Return a copy of the row with one place replaced. Copying to a list takes half the time of slices."""
    changed = [*row]
    changed[place] = thing
    return tuple(changed)


def spend(hand: Hand, ticket: int) -> Hand:
    """Return the hand with one ticket fewer. `ticket` is the ticket's index in the hand."""
    a, b, c = hand
    return (a - 1, b, c) if ticket == 0 else (a, b - 1, c) if ticket == 1 else (a, b, c - 1)


def hand_over(hands: tuple[Hand, ...], pawn: int, taker: Hand, ticket: int) -> tuple[tuple[Hand, ...], Hand]:
    """Return the pawns' hands and the taker's hand after a pawn has given the taker a ticket."""
    changed = [*hands]
    a, b, c = changed[pawn]
    d, e, f = taker
    if ticket == 0:
        changed[pawn], taker = (a - 1, b, c), (d + 1, e, f)
    elif ticket == 1:
        changed[pawn], taker = (a, b - 1, c), (d, e + 1, f)
    else:
        changed[pawn], taker = (a, b, c - 1), (d, e, f + 1)
    return tuple(changed), taker


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a pursuit game (CL-11, CL-22, US-10, US-11, BE-08)."""

    x_fares: str = "unlimited"
    last_chance: bool = False
    log_windows: int = 24
    voluntary_surfacing: bool = False
    cut_off: bool = False
    uncover_half: bool = False

    @classmethod
    def of(cls, edition: Edition, given: Mapping[str, Option]) -> Options:
        """Check the given options and fill in the edition's defaults.

        Raises:
            BadSetup: the edition lacks an option, or its value has a wrong type or is not allowed.
        """
        for name, value in given.items():
            if name not in edition.options:
                known = ", ".join(edition.options)
                raise BadSetup(f"options: unknown option {name!r} of {edition.name}, which has {known or 'none'}")
            if type(value) is not OPTIONS[name] and name != "x_fares":  # its words are listed below
                raise BadSetup(f"options: {name}: {shorten(value)} is not {KINDS[OPTIONS[name]]}")
        box: dict[str, Option] = {"log_windows": edition.windows, "last_chance": edition.last_chance}
        options = cls(**{**box, **edition.options, **given})  # type: ignore[arg-type]
        if options.x_fares not in ("unlimited", "counted"):
            raise BadSetup(f"options: x_fares: {shorten(options.x_fares)} is neither 'unlimited' nor 'counted'")
        if options.x_fares == "counted" and edition.mr_x_hand is None:
            why = f"in {edition.name} Mister X pays from the common pile, and nothing is counted"
            raise BadSetup(f"options: x_fares: {why}; leave it out")
        if not 3 <= options.log_windows <= edition.windows:
            right = f"write a whole number from 3 to {edition.windows}"
            raise BadSetup(f"options: log_windows: {options.log_windows} is out of range; {right}")
        return options
