"""Decide what each lamp shows in a scene: its colours and its rhythm. Pure.

Every meaning has its own colour *and* rhythm, so that colour-blind people, and people who see a lamp only out of the
corner of an eye, can distinguish it. Palettes give tickets and pawns other colours for colour-blind people.
`docs/lights.md` is the legend.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from firmware_host.referee.readings import Ambiguous, InHand, Mismatch, Moved, Returned
from firmware_host.referee.scene import Kind, Phase, Scene
from firmware_host.rules.actions import FUGITIVES, MR_X, MR_X_JUNIOR, START, STAY
from firmware_host.rules.views import PublicView
from firmware_host.ui.games.game_registry import game_ui

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

WHITE: Colour = (255, 255, 255)

OUT_OF_ORDER: Colour = (255, 0, 160)
"""The pink of stations with a broken switch, in all palettes."""

HUNCHES: tuple[Colour, ...] = ((89, 89, 89), (153, 153, 153), WHITE)
"""The coach's lamp brightnesses: unlikely stations, likelier ones, the likeliest."""

PALETTES: dict[str, dict[str, Colour]] = {
    "standard": {
        "taxi": (255, 190, 0),
        "bus": (0, 190, 110),
        "underground": (255, 20, 10),
        "black": (130, 40, 255),
        "boat": (0, 120, 255),
        "free": (160, 220, 255),
        "helicopter": (255, 90, 160),
        "pass": (90, 90, 90),
        "red": (255, 0, 40),
        "yellow": (255, 215, 40),
        "green": (40, 255, 0),
        "blue": (0, 60, 255),
        "purple": (190, 0, 255),
        "white": (255, 225, 180),
        MR_X: WHITE,
        MR_X_JUNIOR: (150, 190, 255),
    },
    # After Okabe and Ito, except black and helicopter tickets, so that tickets differ under any colour blindness.
    "colour-blind": {
        "taxi": (240, 228, 66),
        "bus": (86, 180, 233),
        "underground": (213, 70, 0),
        "black": (60, 0, 210),
        "boat": (0, 90, 178),
        "free": (190, 215, 235),
        "helicopter": (210, 120, 160),
        "pass": (90, 90, 90),
        "red": (213, 70, 0),
        "yellow": (240, 228, 66),
        "green": (0, 158, 115),
        "blue": (0, 90, 178),
        "purple": (204, 121, 167),
        "white": (255, 235, 205),
        MR_X: WHITE,
        MR_X_JUNIOR: (170, 190, 255),
    },
}
"""The colours of tickets and pawns, by the configuration's `palette`."""


class Rhythm(StrEnum):
    """The rhythm in which a lamp's brightness changes. The values are the words in the lamps' legend."""

    STEADY = "steady"
    DIM = "dim"
    BREATHE = "breathing"
    THINK = "swelling every four seconds"
    ALTERNATE = "changing colour every second"
    ASK = "changing colour four times a second"
    FAST = "blinking fast"
    FRANTIC = "blinking very fast"
    SLOW = "blinking slowly"
    ARRIVED = "breathing fast"
    SURFACE = "double flash, then steady"
    BLIP = "one short blip every four seconds"
    HUNCH = "swelling faintly every eight seconds"
    ADVICE = "three short flashes every four seconds"
    ROUTE = "one after another"
    CAUGHT = "one after another, the last brightest"
    CONE = "faint around the last"


@dataclass(frozen=True, slots=True)
class Glow:
    """The look of one lamp: its colours, its rhythm, and when the rhythm began.

    Three rhythms replay Mister X's route at the end of a game, step by step. `length` is the number of steps, and
    `steps` are the steps that end at this lamp:

    - ROUTE shows the first colour during a step at this lamp, and after each such step the next colour.
    - CAUGHT is like ROUTE, but shows its last colour once the replay is over.
    - CONE is dark during the replay, and lit after it.
    """

    colours: tuple[Colour, ...]
    rhythm: Rhythm
    since: float = 0.0
    steps: tuple[int, ...] = ()
    length: int = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """The look of each lit lamp, by station and by window of the public log."""

    stations: Mapping[int, Glow]
    log: Mapping[int, Glow]


def plan(scene: Scene, palette: str = "standard") -> Plan:
    """Return the look of every lit lamp in a scene.

    Raises:
        KeyError: there is no such palette.
    """
    view, colours = scene.view, PALETTES[palette]
    if view is None:
        return Plan({}, {})
    stations: dict[int, Glow] = {}
    if scene.phase is Phase.OVER:
        stations |= _ending(scene, view, colours)
    elif scene.phase in (Phase.SET_UP, Phase.RESUME, Phase.CARRY_OUT):
        stations |= {s: Glow((colours[p],), Rhythm.DIM) for p, s in view.pawns.items() if p not in FUGITIVES}
        stations |= {s: Glow((colours[p],), Rhythm.SLOW) for p, s in scene.set_down.items()}
    else:
        stations |= _play(scene, view, colours)
        stations |= _advice(scene, view, stations)
    stations |= {s: Glow((OUT_OF_ORDER,), Rhythm.BLIP) for s in sorted(scene.ignored - stations.keys())}
    stations |= {s: glow for s, glow in _hunches(scene).items() if s not in stations}
    stations |= _misplaced(scene, colours)
    return Plan(stations, _log(scene, view, colours))


def _play(scene: Scene, view: PublicView, colours: Mapping[str, Colour]) -> dict[int, Glow]:
    """Return the glows of pawns on turn, their destinations, Mister X's pawn, and the table's question."""
    stations: dict[int, Glow] = {}
    shown = {view.pawns[pawn]: colours[pawn] for pawn in view.fugitives if pawn in view.pawns}
    stations |= {at: Glow((colour,), Rhythm.SURFACE, scene.since) for at, colour in shown.items()}
    stations |= {at: Glow((WHITE,), Rhythm.SLOW) for at in sorted(scene.take_off)}
    for to, tickets in _destinations(scene, view, colours).items():
        if to in shown:  # keep his colour visible among the destinations
            stations[to] = Glow((shown[to], *tickets), Rhythm.SURFACE, scene.since)
        else:
            stations[to] = Glow(tuple(tickets), Rhythm.ALTERNATE if len(tickets) > 1 else Rhythm.STEADY)
    for pawn in scene.thinking or [pawn for pawn in view.turn if pawn not in scene.computers]:
        if pawn in view.pawns and pawn not in FUGITIVES:
            there = [colours[other] for other in view.turn if view.pawns.get(other) == view.pawns[pawn]]
            alone = Rhythm.THINK if scene.thinking else Rhythm.BREATHE
            stations[view.pawns[pawn]] = Glow(tuple(there), alone if len(there) == 1 else Rhythm.ALTERNATE)
    if isinstance(scene.reading, Moved | Ambiguous) and scene.ask.kind is not Kind.CANCELLED:
        for move in scene.reading.moves:
            theirs = dict.fromkeys(colours[other.pawn] for other in scene.reading.moves if other.to == move.to)
            stations[move.to] = Glow(tuple(theirs), Rhythm.ARRIVED if len(theirs) == 1 else Rhythm.ASK)
    return stations | _questions(scene, view, colours)


def _advice(scene: Scene, view: PublicView, stations: Mapping[int, Glow]) -> dict[int, Glow]:
    """Return the glow of the advised destination, unless its lamp shows something more urgent."""
    move = scene.coach.advice
    if move is None or move.to not in stations or move.pawn in scene.computers or move not in view.moves:
        return {}
    glow = stations[move.to]
    held = isinstance(scene.reading, InHand) and move.pawn not in scene.reading.pawns
    if held or glow.rhythm not in (Rhythm.STEADY, Rhythm.ALTERNATE) or move.to in view.pawns.values():
        return {}
    return {move.to: replace(glow, rhythm=Rhythm.ADVICE)}


def _hunches(scene: Scene) -> dict[int, Glow]:
    """Return the glows of stations where Mister X may be, likely ones brighter.

    Every other light takes precedence.
    """
    likely = {station: weight for station, weight in scene.coach.stations.items() if weight > 0}
    most = max(likely.values(), default=1.0)
    return {
        station: Glow((HUNCHES[min(int(3 * weight / most), 2)],), Rhythm.HUNCH)
        for station, weight in sorted(likely.items())
    }


def _questions(scene: Scene, view: PublicView, colours: Mapping[str, Colour]) -> dict[int, Glow]:
    """Return the glows for the table's question: about a pawn that may be back, or about possible moves."""
    stations: dict[int, Glow] = {}
    if isinstance(scene.reading, Returned) and scene.reading.ambiguous:
        colour = colours[scene.reading.pawn]
        if scene.reading.to is not None:
            stations[scene.reading.to] = Glow((WHITE,), Rhythm.ARRIVED)
        stations[view.pawns[scene.reading.pawn]] = Glow((colour,), Rhythm.FAST)
    if scene.asked:
        pawn = colours[scene.asked[0].pawn]
        tickets = [colours.get(move.ticket, pawn) for move in scene.asked]
        which = [pawn] if isinstance(scene.reading, Ambiguous) else []  # it may have been another pawn
        shown = (*which, *tickets) if len(tickets) > 1 else (*(which or tickets), WHITE)
        stations[scene.asked[0].to] = Glow(shown, Rhythm.ASK)
    return stations


def _destinations(scene: Scene, view: PublicView, colours: Mapping[str, Colour]) -> dict[int, list[Colour]]:
    """Return the colours of the destinations of pawns on turn, or only of held pawns or of a cancelled move's."""
    in_hand = scene.reading.pawns if isinstance(scene.reading, InHand) else ()
    if scene.ask.kind is Kind.CANCELLED:
        in_hand = scene.ask.pawns
    ways: dict[int, list[Colour]] = {}
    for move in view.moves:
        if move.ticket != STAY and move.pawn not in scene.computers and (not in_hand or move.pawn in in_hand):
            colour = colours[move.pawn if move.ticket == START else move.ticket]
            if colour not in ways.setdefault(move.to, []):
                ways[move.to].append(colour)
    return ways


def _misplaced(scene: Scene, colours: Mapping[str, Colour]) -> dict[int, Glow]:
    """Return the glows of stations that lack a pawn, or that have to be cleared."""
    if not isinstance(scene.reading, Mismatch) or not scene.wrong:
        return {}
    rhythm = Rhythm.FRANTIC if scene.wrong > 1 else Rhythm.FAST
    extra = {s: Glow((WHITE,), rhythm) for s in sorted(scene.reading.extra)}
    return extra | {s: Glow((colours[p],), rhythm) for p, s in scene.reading.missing.items()}


def _log(scene: Scene, view: PublicView, colours: Mapping[str, Colour]) -> dict[int, Glow]:
    """Return the glows of the log's filled windows, empty marked windows and next window, or of the tally."""
    if tally := game_ui(view).tally(view):
        return _tally(tally, colours)
    lamps = dict.fromkeys(sorted(view.marked), Glow((WHITE,), Rhythm.DIM))
    lamps |= {entry.window: Glow((colours[entry.ticket],), Rhythm.STEADY) for entry in view.log}
    if view.mr_x_to_move and scene.phase is Phase.PLAY and len(view.log) < view.windows:
        lamps[len(view.log) + 1] = Glow((WHITE,), Rhythm.THINK if scene.thinking else Rhythm.SLOW)
    return lamps


def _tally(tally: Mapping[str, tuple[int, int]], colours: Mapping[str, Colour]) -> dict[int, Glow]:
    """Return the glows of the chips that each side has won, side by side. Empty places are dim (JU-08)."""
    lamps: dict[int, Glow] = {}
    for side, (won, needed) in tally.items():
        colour, first = WHITE if side == MR_X else colours["bus"], len(lamps) + 1
        lamps |= {first + n: Glow((colour,), Rhythm.STEADY if n < won else Rhythm.DIM) for n in range(needed)}
    return lamps


def _ending(scene: Scene, view: PublicView, colours: Mapping[str, Colour]) -> dict[int, Glow]:
    """Return the glows after a game: the detectives, and the replay of Mister X's route (CL-24)."""
    catcher, end = ("", 0) if view.outcome is None else game_ui(view).catch(view.outcome, view)
    near = view.network.around(end) if end else ()
    stations = {at: Glow((WHITE,), Rhythm.CONE, scene.since, (), len(view.route)) for at in near}
    stations |= {view.pawns[p]: Glow((colours[p],), Rhythm.DIM) for p in view.order if p in view.pawns}
    paid = [WHITE, *(colours[entry.ticket] for entry in view.log)]
    paid += [WHITE] * (len(view.route) - len(paid))  # without a log (JU), his own colour
    for station in dict.fromkeys((*view.route, end)):
        steps = tuple(step for step, at in enumerate(view.route) if at == station)
        shown = (WHITE, *(paid[step] for step in steps))
        last = (colours[catcher] if catcher else WHITE,) if station == end else ()
        rhythm = Rhythm.CAUGHT if last else Rhythm.ROUTE
        stations[station] = Glow((*shown, *last), rhythm, scene.since, steps, len(view.route))
    return stations
