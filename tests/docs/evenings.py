"""Games that the docs describe, played by hands at the simulated table."""

from __future__ import annotations

from firmware_host.config.loader import parse, with_rules
from firmware_host.rules.actions import MR_X, MR_X_JUNIOR, STAY, Action, Commit, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable


def press(simulated: SimulatedTable, *keys: str, ms: float = 100) -> None:
    """Press keys at the table or on the handset one after the other, such as "table.confirm"."""
    for key in keys:
        simulated.hardware.press(key)
        simulated.advance(ms)


def hand_over(simulated: SimulatedTable, start: int | None, to: int, pawn: str, ms: float = 900) -> None:
    """Carry a pawn from one station to another, or onto the board."""
    if start is not None:
        simulated.hardware.lift(start, pawn)
        simulated.advance(400)
    simulated.hardware.put(to, pawn)
    simulated.advance(ms)


def walk(simulated: SimulatedTable, move: PawnMove) -> None:
    """Make a move with a detective's pawn, and answer the table's questions."""
    if move.ticket == STAY:
        press(simulated, "table.confirm")
    else:
        hand_over(simulated, simulated.public.pawns.get(move.pawn), move.to, move.pawn)
    for _ in range(20):
        asked = simulated.table.scene().asked
        if not asked:
            return
        answer = "confirm" if len(asked) == 1 else move.ticket
        press(simulated, f"table.{answer if move in asked else 'back'}")


def roll(simulated: SimulatedTable, faces: str) -> None:
    """Enter rolled dice, such as "taxi bus x". The last key confirms them."""
    press(simulated, *("table.confirm" if face == "x" else f"table.{face}" for face in faces.split()), "table.confirm")


def mind_mr_x(simulated: SimulatedTable) -> None:
    """Put Mister X's own pawns where the table asks for them."""
    scene = simulated.table.scene()
    for pawn, station in scene.set_down.items():
        stands = simulated.hardware.where().get(pawn)
        if stands is not None:
            simulated.hardware.lift(stands, pawn)
        simulated.hardware.put(station, pawn)
    for station in scene.take_off:
        if MR_X in simulated.hardware.standing(station):
            simulated.hardware.lift(station, MR_X)
    simulated.advance(400)


def breathe_in(simulated: SimulatedTable) -> None:
    """Wait until the flashes are over and a breathing lamp is at its brightest."""
    seconds = simulated.hardware.clock.now()
    simulated.advance(1000 * (4 + (1 - seconds) % 2))


# ---- the game in the large picture -----------------------------------------------------------------------------------

CLASSIC_START = {MR_X: 141, "red": 53, "yellow": 34, "green": 155, "blue": 198, "purple": 197}
CLASSIC = """
133 taxi        | 40 taxi  | 47 taxi        | 168 taxi | 199 taxi        | 196 taxi
127 taxi        | 41 taxi  | 34 taxi        | 184 taxi | 198 taxi        | 197 taxi
134 taxi        | 87 bus   | 22 taxi        | 185 taxi | 199 taxi        | 195 taxi
118 black       | 70 taxi  | 23 bus         | 187 bus  | 128 bus         | 194 taxi
116 taxi        | 71 taxi  | 13 taxi        | 185 bus  | 142 taxi        | 192 taxi
127 bus         | 89 taxi  | 52 bus         | 128 underground | 134 taxi | 194 taxi
133 bus         | 67 underground | 69 taxi  | 142 bus  | 141 taxi        | 193 taxi
140 taxi
"""
"""In each row Mister X's move, then those of red, yellow, green, blue and purple."""


def classic(*, shown: bool = True) -> SimulatedTable:
    """Return a game of six in its eighth round: Mister X has just surfaced, and red may go to thirteen stations.

    Without `shown` it is a move earlier, and Mister X's next move will make him surface.
    """
    simulated = SimulatedTable(parse("[game]\nplayers = 6\n[lamps]\nbrightness = 1.0\n", "docs"))
    simulated.new_game(start=CLASSIC_START)
    simulated.set_up()
    for row in CLASSIC.strip().split("\n")[: None if shown else -1]:
        for cell in row.split("|"):
            to, ticket = cell.split()
            (pawn,) = simulated.public.turn
            if pawn == MR_X:
                simulated.choose(MrXMove(Secret(int(to)), ticket))
            else:
                walk(simulated, PawnMove(pawn, int(to), ticket))
            mind_mr_x(simulated)
    breathe_in(simulated)
    return simulated


# ---- the dice game ---------------------------------------------------------------------------------------------------

DICE = """
red 23 start, yellow 12 start, green 13 start, mr_x 22 start
roll x underground x taxi, red 24 taxi, roll underground taxi underground, yellow 10 taxi, roll taxi taxi, green 14 taxi
mr_x 28 black
roll taxi bus x bus, yellow 12 taxi, roll taxi taxi underground, green 13 taxi, roll bus x, red 35 bus
mr_x 7 helicopter
roll taxi taxi taxi taxi, green 18 taxi, roll x x bus, red 32 bus, roll x bus, yellow 12 stay
mr_x 5 taxi
roll taxi bus underground bus
"""


def dice(*, till: str = "") -> SimulatedTable:
    """Return a dice game in its fourth round: Mister X is visible on 5, and red may go to eight places.

    `till` ends it earlier: before the line that begins with this text.
    """
    simulated = SimulatedTable(with_rules(parse("[lamps]\nbrightness = 1.0\n", "docs"), "dice"))
    simulated.new_game(players=4, options={"layout": "BCG HIF AED", "dice": "entered"})
    simulated.set_up()
    for line in DICE.strip().split("\n"):
        if till and line.startswith(till):
            break
        for step in line.split(", "):
            who, _, what = step.partition(" ")
            if who == "roll":
                roll(simulated, what)
                continue
            to, ticket = what.split()
            if who == MR_X:
                simulated.choose(MrXMove(Secret(int(to)), ticket))
            else:
                walk(simulated, PawnMove(who, int(to), ticket))
            mind_mr_x(simulated)
    breathe_in(simulated)
    return simulated


# ---- the junior game -------------------------------------------------------------------------------------------------

JUNIOR = """
taxi        boat | white 2 bus   | yellow 11 underground
boat        stay | white 6 taxi  | yellow 7 taxi
underground bus  | white 10 boat | yellow 7 stay
"""
"""In each row the tickets that Mister X and his accomplice pick, then the detectives' moves."""


def junior() -> SimulatedTable:
    """Return a junior game of four in its fourth round, with two chips for Mister X and one for the detectives."""
    simulated = SimulatedTable(with_rules(parse("[lamps]\nbrightness = 1.0\n", "docs"), "junior"))
    simulated.new_game(players=4)
    simulated.set_up()
    mind_mr_x(simulated)
    for row in JUNIOR.strip().split("\n"):
        picks, *moves = row.split("|")
        pick(simulated, *picks.split())
        for move in moves:
            pawn, to, ticket = move.split()
            walk(simulated, PawnMove(pawn, int(to), ticket))
        simulated.advance(400)
        mind_mr_x(simulated)
        simulated.advance(1000)
    return simulated


def pick(simulated: SimulatedTable, *tickets: str) -> None:
    """Pick tickets, as Mister X and his accomplice, if he has one."""
    for pawn, ticket in zip((MR_X, MR_X_JUNIOR), tickets, strict=False):
        chosen: Action = Commit(pawn, Secret(ticket))
        simulated.choose(chosen)
