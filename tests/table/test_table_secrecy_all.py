"""PB-07 for every system: nothing that is hidden can be seen, heard, timed or read."""

from __future__ import annotations

import random
import re
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.config.loader import Config
from firmware_host.rules.actions import Commit, Double, MrXMove, Pass, PawnMove, Surface
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.ui import json_views
from tests.amount import amount
from tests.table.alike import Alike, drawn
from tests.table.all_hands import Act, AllHands, begin, by_itself, by_keys
from tests.table.cases import BEGINNERS, CANARY, CASES, CURRENT, JUNIORS, ROLLED, SOME, US, Case, canaries, shipped
from tests.table.onlooker import WatchedOften, everything_printed, hidden_stations, refused, seen_by_all, wrong_actions
from tests.table.played_table import config as simulated
from tests.table.played_table import press
from tests.table.test_table_secrecy import Ears, listening

HANDSETS = {
    "open": simulated(handset={"privacy": "open", "blank_after_s": 5}).handset,
    "hold": simulated(handset={"privacy": "hold", "blank_after_s": 5}).handset,
}


class PerceivedSide:
    """All that can be perceived from without of one of two games that look alike, and what is printed of it."""

    def __init__(self, pair: Alike, side: int, act: Act, config: Config) -> None:
        p = WatchedOften(config, rng=random.Random(pair.seed))
        self.p = p
        self.moments: list[dict[str, Any]] = []
        self.printed: list[dict[str, str]] = []
        self.complaints: list[str] = []
        with listening(p.hardware.clock.now) as ears:
            begin(p, pair.case, pair.start[side])
            hands = AllHands(p, pair.seed, act)
            for number, steps in enumerate(pair.script):
                hands.carry_out(steps[side], in_the_open=steps[0] == steps[1])
                self.moments.append(seen_by_all(p))
                self.printed.append(everything_printed(p))
                if number % 4 and steps[0] == steps[1]:
                    continue
                for wrong in wrong_actions(p):
                    self.complaints += refused(p, wrong, traceback.format_exc)
        self.ears: Ears = ears


def assert_alike(pair: Alike, act: Act, config: Config) -> None:
    one, two = (PerceivedSide(pair, side, act, config) for side in (0, 1))
    assert len(one.p.frames) > 100
    assert len(one.p.pictures) > 10
    assert len(one.p.looks) > len(pair.script)
    assert len(one.ears.heard) > len(pair.script) / 3
    for number, (a, b) in enumerate(zip(one.moments, two.moments, strict=True)):
        for what in a:
            assert a[what] == b[what], f"step {number}, {pair.script[number]}: {what}"
    for number, (printed, other) in enumerate(zip(one.printed, two.printed, strict=True)):
        for what in printed:
            assert printed[what] == other[what], f"step {number}, {pair.script[number]}: {what}"
    assert one.p.looks == two.p.looks
    assert one.p.frames == two.p.frames
    assert one.p.pictures == two.p.pictures
    assert one.ears.heard == two.ears.heard
    assert one.complaints == two.complaints
    assert one.complaints
    if pair.case.rules == "junior" and act is by_itself:
        assert one.p.private_pictures == two.p.private_pictures


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.long_but_first
def test_pb_07_games_that_differ_only_in_what_is_hidden_look_alike(case: Case) -> None:
    pair = drawn(shipped(case.rules), case, 0, windows=amount(5, 8))
    assert_alike(pair, by_itself, shipped(case.rules))


@pytest.mark.parametrize(
    ("case", "privacy"),
    [(case, kind) for n, case in enumerate(SOME) for kind in amount([("open", "hold")[n % 2]], [*HANDSETS])],
    ids=str,
)
@pytest.mark.long_but_first
def test_pb_07_they_look_alike_by_the_handsets_keys_too(case: Case, privacy: str) -> None:
    pair = drawn(shipped(case.rules), case, 1 if privacy == "open" else 2, windows=5)
    assert_alike(pair, by_keys, replace(shipped(case.rules), handset=HANDSETS[privacy]))


def test_the_games_of_these_tests_are_no_copies() -> None:
    for case in CASES:
        for seed in range(amount(2, 4)):
            pair = drawn(shipped(case.rules), case, seed, windows=5)
            assert pair.apart >= 2, (case, seed)
            assert any(a != b for a, b in pair.script), (case, seed)


def test_ju_04_the_handset_forgets_what_was_picked_as_soon_as_it_is_picked() -> None:
    """Seen over his shoulder while the detectives move, it shows the same whatever he has picked."""
    for privacy, handset in HANDSETS.items():
        shown = []
        for ticket in ("taxi", "bus", "stay"):
            p = WatchedOften(replace(shipped("junior"), handset=handset), rng=random.Random(1))
            begin(p, JUNIORS)
            hands = AllHands(p, 1, by_keys)
            first = next(a for a in p.private.choices.value if isinstance(a, Commit) and a.ticket.value == ticket)
            hands.carry_out(first)
            p.private_pictures.clear()
            lines = [p.handset_lines()]
            second = next(a for a in p.private.choices.value if isinstance(a, Commit))
            hands.carry_out(second)
            p.hardware.press("handset.back")
            for page in range(6):
                for key in ("down",) * page + ("select", "back"):
                    press(p, f"handset.{key}", 60)
                    lines.append(p.handset_lines())
            hands.carry_out(p.public.moves[0])
            lines.append(p.handset_lines())
            shown.append((lines, p.private_pictures))
        assert shown[0] == shown[1] == shown[2]
        assert (len({tuple(lines) for lines in shown[0][0]}) > 4) == (privacy == "open")


# ---- canary ----


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.long_but_first
def test_no_output_whatever_names_a_hidden_station(case: Case, tmp_path: Path) -> None:
    config = canaries(case.rules, tmp_path)
    pair = drawn(config, case, 5, windows=5)
    p = WatchedOften(config, rng=random.Random(pair.seed))
    met: set[int] = set()
    searched = 0
    with listening(p.hardware.clock.now) as ears:
        begin(p, case, pair.start[0])
        hands = AllHands(p, pair.seed, by_keys)
        for steps in pair.script:
            hands.carry_out(steps[0])
            met |= {steps[0].to} if isinstance(steps[0], PawnMove) else set()
            hidden = hidden_stations(p, met)
            assert all(station > CANARY for station in hidden)
            tokens = set(map(str, hidden))
            searched += len(tokens)
            said = everything_printed(p)
            said |= {"json": str(json_views.public(p.table.scene())), "all": str(seen_by_all(p))}
            said |= {f"log {n}": text for n, (_, _, text) in enumerate(ears.heard)}
            said |= {f"refusal {n}": text for n, text in enumerate(_refusals(p))}
            if case.rules == "junior" and not p.public.mr_x_to_move:
                said["handset"] = str(p.handset_lines())
            for name, text in said.items():
                assert not tokens & _numbers(text), f"{steps[0]}: {name} names one of {tokens}"
    assert searched > (1 if case.rules == "junior" else 20)
    assert any(_numbers(text) & {str(station) for station in met} for _, _, text in ears.heard)


def _numbers(text: str) -> set[str]:
    """The whole numbers in a text."""
    return set(re.findall(r"(?<![\d.])\d+(?![\d.]*\d)", text))


def _refusals(p: SimulatedTable) -> list[str]:
    """What is said of actions that are refused, with the whole traceback."""
    legal = {*p.table.game.legal}  # type: ignore[union-attr]
    secret = p.private
    stations = {secret.at.value, secret.at.value + 1, *secret.route.value}
    tries = [MrXMove(Secret(to), ticket) for to in stations for ticket in ("taxi", "black", "free", "start")]
    tries += [*wrong_actions(p), Double(), Pass(), Surface()]  # type: ignore[list-item]
    tries += [Commit(pawn, Secret(t)) for pawn in p.public.fugitives for t in ("taxi", "boat")]  # type: ignore[misc]
    wrong = [action for action in tries if action not in legal]
    return [text for action in wrong for text in refused(p, action, traceback.format_exc)]


def test_the_canary_would_be_found(tmp_path: Path) -> None:
    for case in amount((BEGINNERS, ROLLED), (US, CURRENT, BEGINNERS, ROLLED)):
        (tmp_path / str(case)).mkdir()
        config = canaries(case.rules, tmp_path / str(case))
        pair = drawn(config, case, 5, windows=5)
        p = WatchedOften(config, rng=random.Random(pair.seed))
        begin(p, case, pair.start[0])
        hands = AllHands(p, pair.seed, by_keys)
        found = 0
        for steps in pair.script:
            hands.carry_out(steps[0])
            tokens = {str(station) for station in hidden_stations(p, set())}
            p.hardware.press("handset.back")
            found += any(tokens & _numbers(line) for line in p.handset_lines())
        assert found > 2, case
