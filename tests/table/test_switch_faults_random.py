"""Random faults of switches and their line at random moments: never a move that nobody made, and no table stuck.

Three things no board of reeds can tell. A contact that sticks closed where a pawn that is in a hand may go looks like
that pawn: its move may be accepted and not be meant, and it can be taken back. On a line without a sentinel that goes
dead, a single pawn on the board looks as if it had been lifted. And where such a line slips and stays so, a pawn that
is set down meanwhile is felt in another place: that, too, may be accepted, and can be taken back.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.config import shipped_files
from firmware_host.config.loader import simulator, with_rules
from firmware_host.rules.actions import START, Action, MrXMove, PawnMove
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from hardware.sim.devices import SPOILT

MOVES = 8
"""Moves of one game: enough for a pawn to stand on a station whose switch has failed, and to leave it again."""


class Failing:
    """Switches and their line fail at given moments: (when, device or where, kind, for how long), in seconds."""

    def __init__(self, faults: list[tuple[float, str, str, float]], chance: random.Random) -> None:
        self.changed, self.dark = 0.0, False
        self.faults = sorted(faults)
        self.mends: list[tuple[float, str]] = []
        self.lies: dict[str, float] = {}
        self.stood: dict[str, int | None] = {}  # where each pawn stood when the line failed
        self.drawn = chance
        self.happened = Counter(where for _, where, _, _ in faults)

    def begin(self, simulated: SimulatedTable) -> None:
        self.simulated = simulated
        self.start = simulated.hardware.clock.now()

    def pass_time(self, _seconds: float) -> None:
        if not hasattr(self, "simulated"):
            return
        now = self.simulated.hardware.clock.now()
        while self.faults and self.faults[0][0] <= now - self.start:
            _, where, kind, lasts = self.faults.pop(0)
            device = where if where == "switches" else f"switch:{self.station(where)}"
            referee, masked = self.simulated.table.referee, self.simulated.table.scene().ignored
            alone = where == "switches" and len(referee.state.board.occupied - masked) < 2
            lifted = kind == "stuck_open" and self.started(device)
            if alone or lifted or device in self.simulated.hardware.broken():
                continue
            self.simulated.hardware.fault(device, kind)
            self.lies[device] = float("inf") if kind == "stuck_closed" or where == "switches" else 0.0
            self.mends = sorted([*self.mends, (now + lasts, device)])
            self.changed = now
            if where == "switches":
                self.stood = self.simulated.hardware.where()
        while self.mends and self.mends[0][0] <= now:
            _, device = self.mends.pop(0)
            self.simulated.hardware.fault(device, "ok")
            self.lies[device] = min(self.lies[device], now + 3)
            self.changed = now

    def station(self, where: str) -> int:
        """Draw a station at random: where a pawn stands ("pawn"), where a pawn may go ("way"), or any."""
        view = self.simulated.public
        some = {"pawn": sorted(view.pawns.values()), "way": sorted({move.to for move in view.moves})}
        return self.drawn.choice(some.get(where) or sorted(view.network.stations))

    def started(self, device: str) -> bool:
        """Whether a pawn has started there while others have yet to: a start that opens is taken back (DI-10)."""
        view = self.simulated.public
        starting = any(move.ticket == START for move in view.moves)
        return starting and device in {f"switch:{view.pawns[pawn]}" for pawn in view.order if pawn in view.pawns}

    def invented(self, action: Action) -> bool:
        """Whether the switch where a pawn is said to have gone is stuck closed, or was a moment ago.

        Or whether that pawn was set down while the line told what was somewhere else.
        """
        if not isinstance(action, PawnMove | MrXMove):
            return False
        to = action.to.value if isinstance(action, MrXMove) else action.to
        now, where = self.simulated.hardware.clock.now(), self.simulated.hardware.where()
        if isinstance(action, PawnMove) and where.get(action.pawn) not in (to, self.stood.get(action.pawn)):
            return now <= max(self.lies.get(device, -1.0) for device in (f"switch:{to}", "switches"))
        return now <= self.lies.get(f"switch:{to}", -1.0)

    def hidden(self, action: Action) -> bool:
        """Whether a pawn that has just come onto the board is not felt there any more, or was set down there anew.

        A start that is lifted counts as taken back (DI-10), also if it was lifted because of what the line said.
        """
        if not isinstance(action, PawnMove) or action.ticket != START:
            return False
        spoilt = self.simulated.hardware.clock.now() <= self.lies.get("switches", -1.0)
        return spoilt or f"switch:{action.to}" in self.simulated.hardware.broken()


@st.composite
def failures(draw: Callable[[Any], Any]) -> list[tuple[float, str, str, float]]:
    moments, lasting = st.floats(0.0, 12.0), st.sampled_from([0.03, 0.4, 3.0, 15.0, 1e9])
    contact = st.tuples(
        moments,
        st.sampled_from(["pawn", "way", "way", "any"]),
        st.sampled_from(["stuck_open", "stuck_closed", "chatter", "worn"]),
        lasting,
    )
    line = st.tuples(
        moments,
        st.just("switches"),
        st.sampled_from([*SPOILT, "garbage"]),
        st.sampled_from([0.004, 0.03, 0.4, 3.0, 15.0]),
    )
    return draw(st.lists(contact, max_size=3)) + draw(st.lists(line, max_size=2))


def play(rules: str, faults: list[tuple[float, str, str, float]], seed: int) -> SimulatedPeople:
    chance = random.Random(seed)
    failing = Failing(faults, random.Random(f"{seed}/where"))
    simulated = SimulatedTable(with_rules(simulator(), rules), seed=seed, pace=failing.pass_time)
    simulated.new_game(players=chance.choice(tuple(simulated.config.edition.seats)))
    players = SimulatedPeople(simulated, chance, mishaps=failing)  # type: ignore[arg-type]
    players.set_up()
    failing.begin(simulated)
    while len(players.meant) < MOVES and simulated.public.outcome is None:
        players.play()
    return players


@pytest.mark.parametrize("rules", shipped_files.edition_names())
@given(faults=failures(), seed=st.integers(0, 2**32))
@settings(max_examples=4, deadline=None)
@pytest.mark.long_but_first
def test_whatever_fails_the_table_accepts_what_the_hands_mean(
    rules: str, faults: list[tuple[float, str, str, float]], seed: int
) -> None:
    players = play(rules, faults, seed)
    assert players.gestures["false move kept"] == 0


FOUND: list[tuple[str, int, list[tuple[float, str, str, float]]]] = [
    ("dice", 612, [(4.629, "way", "worn", 1e9), (4.298, "switches", "shift_late", 3.0)]),
    ("dice", 638, [(1.9587, "any", "stuck_closed", 15.0), (10.652, "pawn", "chatter", 0.03)]),
    ("dice", 2007, [(7.2616, "pawn", "stuck_open", 1e9)]),
    ("junior", 2026, [(3.2049, "any", "stuck_open", 1e9), (8.2444, "switches", "ones", 15.0)]),
    ("dice", 7001, [(6.599740906173457, "way", "chatter", 1e9), (7.638902062302979, "pawn", "chatter", 1e9),
                    (0.16711157119209474, "way", "chatter", 15.0), (11.177143566077639, "switches", "zeros", 0.004),
                    (0.855530984405585, "switches", "ones", 3.0)]),
    ("current", 7112896, [(4.0, "way", "stuck_closed", 1e9)]),
    ("dice", 9369, [(0.0, "pawn", "stuck_closed", 1e9)]),
    ("beginners", 6002, [(11.8699, "pawn", "stuck_open", 0.4), (8.118, "pawn", "chatter", 15.0)]),
]  # fmt: skip
"""Games that went wrong once: a wrong move, or a table that was stuck."""


@pytest.mark.parametrize(("rules", "seed", "faults"), FOUND)
def test_what_went_wrong_once_does_not_again(
    rules: str, seed: int, faults: list[tuple[float, str, str, float]]
) -> None:
    assert play(rules, faults, seed).gestures["false move kept"] == 0
