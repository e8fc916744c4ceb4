"""Measure the time from the release of a pawn to the answering lamp: `python -m tests.web.latency [MOVES]`.

A real Chromium at a table at real pace. The time runs in the page, from the end of the drag to the first lamp that only
the next turn lights; what the table waits by design, `settle_ms` or `slide_ms`, is taken off. Left in are the way of
the order, the moment that the simulated hand takes to set the pawn down, the switch's bounce and its debouncing, and
the way of the lamps. Moves between which the table asks by key are dragged, too, but not counted.
"""

from __future__ import annotations

import math
import random
import sys
from contextlib import ExitStack
from dataclasses import dataclass

from firmware_host.bench.measurements import percentile
from firmware_host.bench.report import machine
from firmware_host.referee.readings import Moved
from firmware_host.rules.actions import MR_X, MrXMove, PawnMove
from firmware_host.rules.game import Game
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import Choose
from tests.table.cases import Case, shipped
from tests.web.chromium import Visitor, chromium
from tests.web.open_table import OpenTable, Seated, begins
from tests.web.played_evening import Evening, actions

MOVES = 500

GOAL_MS = 50
"""The largest allowed 99th percentile, in milliseconds."""

SHORT_MM = 15
"""Millimetres from its station at which a pawn waits, out of reach of the switch."""

SHORTEST_MM = 3 * SHORT_MM
"""Least millimetres of a move. On a shorter way a pawn cannot wait, and its carrying would be timed."""

CASE = Case("classic", 6)

TIMER = """() => {
  window.timer = { wanted: [], up: null, lit: null };
  addEventListener("pointerup", () => (timer.up = performance.now()), true);
  const look = () => {
    if (timer.up === null || timer.lit !== null) return;
    const lit = n => document.querySelector(`[data-lamp="${n}"]`)?.dataset.colour;
    if (timer.wanted.some(lit)) timer.lit = performance.now();
  };
  const changes = { subtree: true, childList: true, attributes: true, attributeFilter: ["data-colour"] };
  new MutationObserver(look).observe(document.querySelector("#paper"), changes);
}"""
SET = "wanted => Object.assign(timer, { wanted, up: null, lit: null })"
READ = "() => timer.lit - timer.up"


@dataclass(frozen=True, slots=True)
class Move:
    """A move that can be timed: the move, and the stations that only the next turn lights."""

    move: PawnMove
    lights: tuple[int, ...]


def timed_move(p: SimulatedTable, chance: random.Random) -> Move | None:
    """Return a move by one ticket, not too short, after which a dark lamp lights; None if there is none."""
    game, view = p.table.game, p.public
    assert game is not None
    targets = [move.to for move in view.moves]
    away = [move for move in view.moves if move.to != p.private.at.value and length(p, move) > SHORTEST_MM]
    plain = [move for move in away if targets.count(move.to) == 1]
    chance.shuffle(plain)
    lit = {*targets, *view.pawns.values()}
    for move in plain:
        after = Game(game.setup, [*game.actions, move]).public
        lights = {other.to for other in after.moves} - lit
        if lights and after.outcome is None:
            return Move(move, tuple(lights))
    return None


def length(p: SimulatedTable, move: PawnMove) -> float:
    """Return the length of a move over the board, in millimetres."""
    return math.dist(p.hardware.places[p.public.pawns[move.pawn]], p.hardware.places[move.to])


def any_move(p: SimulatedTable, chance: random.Random) -> PawnMove:
    """Return a move that is not timed and does not end the game, if there is one."""
    moves = p.public.moves
    return chance.choice([move for move in moves if move.to != p.private.at.value] or list(moves))


def waits_ms(p: SimulatedTable) -> int:
    """Return the milliseconds that the table waits before it accepts the sensed move; 0 if it senses none."""
    reading, timing = p.table.scene().reading, p.config.timing
    if not isinstance(reading, Moved):
        return 0
    return timing.slide_ms if reading.may_slide else timing.settle_ms


def carry(table: OpenTable, board: Visitor, move: PawnMove) -> None:
    """Drag a pawn as a person does. It waits near its station, so that it only has to be set down there."""
    at, places = table.look(lambda p: p.hardware.where()[move.pawn]), table.look(lambda p: dict(p.hardware.places))
    assert at is not None
    far = math.dist(places[at], places[move.to])
    share = 1 - SHORT_MM / far
    near = tuple(a + share * (b - a) for a, b in zip(places[at], places[move.to], strict=True))
    start, end = board.centre(f'[data-station="{at}"]'), board.centre(f'[data-station="{move.to}"]')
    mouse = board.page.mouse
    mouse.move(*board.centre(f'[data-pawn="{move.pawn}"]'))
    mouse.down()
    if far > SHORTEST_MM:  # else the pawn is hardly off its station
        mouse.move(*(a + share * (b - a) for a, b in zip(start, end, strict=True)))
        table.until(
            lambda p: math.dist(p.hardware.points()[move.pawn], near) < 4, f"{move.pawn} to come near {move.to}"
        )
    mouse.move(*end)
    mouse.up()


def timed(table: OpenTable, board: Visitor, one: Move) -> float | None:
    """Return the milliseconds beyond the designed wait; None if the table asked meanwhile, or no lamp answered."""
    before = len(table.look(actions))
    waits: list[int] = []

    def done(p: SimulatedTable) -> bool:
        waits.append(waits_ms(p))
        return len(actions(p)) > before or bool(p.table.scene().asked)

    board.page.evaluate(SET, list(one.lights))
    carry(table, board, one.move)
    table.until(done, f"{one.move} to be accepted")
    if table.look(lambda p: p.table.scene().asked):
        return None
    board.wait("() => timer.lit !== null")
    return float(board.page.evaluate(READ)) - max(waits)


def measured(moves: int) -> list[float]:
    """Return the times of `moves` moves."""
    chance, found = random.Random(1), list[float]()
    with ExitStack() as stack:
        table = stack.enter_context(OpenTable(shipped("classic"), seed=1, begin=begins(CASE), speed=1.0))
        board = Visitor(stack.enter_context(chromium()), table.url)
        board.page.evaluate(TIMER)
        people = Evening(Seated(table, board, board))
        people.set_up()
        while len(found) < moves:
            found += turn(table, board, people, chance)
            sys.stderr.write(f"\r{len(found)} of {moves}")
        sys.stderr.write("\n")
    return found


def turn(table: OpenTable, board: Visitor, people: Evening, chance: random.Random) -> list[float]:
    """Make the next player's moves, and return their times."""
    view = table.look(lambda p: p.public)
    if view.outcome is not None:
        table.look(begins(CASE))
        people.set_up()
    elif view.mr_x_to_move:
        table.look(lambda p: his_move(p, chance))
        people.mind_mr_x()
    else:
        one = table.look(lambda p: timed_move(p, chance))
        if one is None:
            people.do(table.look(lambda p: any_move(p, chance)))
        else:
            took = timed(table, board, one)
            if took is None:
                people.tell(one.move)
            else:
                return [took]
    return []


def his_move(p: SimulatedTable, chance: random.Random) -> None:
    """Make Mister X's move, which is not timed."""
    taken = {at for pawn, at in p.public.pawns.items() if pawn != MR_X}
    moves = [move for move in p.private.choices.value if isinstance(move, MrXMove) and move.to.value not in taken]
    p.do(Choose(chance.choice(moves or list(p.private.choices.value))))


def main() -> None:
    """Measure, and print the figures."""
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else MOVES
    found = measured(moves)
    p50, p99 = percentile(found, 50), percentile(found, 99)
    verdict = "met" if p99 <= GOAL_MS else "missed"
    sys.stdout.write(f"{machine()}\n")
    sys.stdout.write(f"drag to glow, above the settle time, {len(found)} moves: p50 {p50:.1f} ms, p99 {p99:.1f} ms, ")
    sys.stdout.write(f"most {max(found):.1f} ms; goal p99 ≤ {GOAL_MS} ms: {verdict}\n")


if __name__ == "__main__":
    main()
