"""PB-07: nothing that the public can see, hear, time or read depends on where Mister X hides."""

from __future__ import annotations

import json
import logging
import os
import random
import stat
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware_host.config.loader import Config, parse
from firmware_host.referee.referee import NotNow
from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, PawnMove
from firmware_host.rules.errors import IllegalAction, RulesError
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import Choose, StartGame
from tests.amount import amount
from tests.rules.boards import london
from tests.secrecy.canary import write_map
from tests.table.all_hands import choose_by_keys
from tests.table.onlooker import everything_printed, hidden_stations, seen_by_all
from tests.table.played_table import FAR, Watched, begun, carry, config, go, step, tidy
from tests.table.twins import Twins, sides, twins

LONDON = london().network
SEEDS = range(amount(1, 6))


class Ears(logging.Handler):
    """Hears what the table on this thread logs, and when; another test's may still be at work on another."""

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__()
        self._now = now
        self._thread = threading.get_ident()
        self.heard: list[tuple[float, str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread == self._thread:
            self.heard.append((self._now(), record.levelname, record.getMessage()))


@contextmanager
def listening(now: Callable[[], float]) -> Iterator[Ears]:
    logger = logging.getLogger("yardboard")
    ears, level = Ears(now), logger.level
    logger.addHandler(ears)
    logger.setLevel(logging.DEBUG)
    try:
        yield ears
    finally:
        logger.removeHandler(ears)
        logger.setLevel(level)


Hand = Callable[[Watched, Action, Action], None]


def outwardly(pair: Twins, side: int, act: Hand, **sections: Any) -> tuple[Any, ...]:
    """All that can be perceived of one of the two games from without."""
    hidden, actions = list(sides(pair))[side]
    other = list(sides(pair))[1 - side][1]
    p: Watched = Watched(config(**sections))
    with listening(p.hardware.clock.now) as ears:
        p.do(StartGame(detectives=len(pair.start), start={MR_X: hidden, **pair.start}))
        p.set_up()
        moments = []
        for action, twin in zip(actions, other, strict=True):
            tidy(p)
            if isinstance(action, PawnMove):
                step(p, action)
            else:
                act(p, action, twin)
            moments.append(json.dumps(seen_by_all(p)))
    return p.lamps.frames, p.display.pictures, moments, ears.heard


def by_itself(p: Watched, action: Action, _: Action) -> None:
    p.do(Choose(action))
    p.advance(700)


def by_keys(p: Watched, action: Action, _: Action) -> None:
    """Chosen on the handset."""
    if p.table.handset.asleep(p.hardware.clock.now()):
        p.hardware.press("handset.back", 60)
    choose_by_keys(p, action)


def assert_alike(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    for what, a, b in zip(("lamps", "display", "moments", "log"), one, other, strict=True):
        assert a == b, f"{what}: {next((x, y) for x, y in zip(a, b, strict=False) if x != y)}"


@pytest.mark.parametrize("seed", SEEDS)
def test_pb_07_games_that_differ_only_in_what_is_hidden_look_alike(seed: int) -> None:
    pair = twins(LONDON, seed)
    assert pair.apart >= 4
    one, other = outwardly(pair, 0, by_itself), outwardly(pair, 1, by_itself)
    assert len(one[0]) > 500
    assert len(one[3]) > len(pair.script) / 2
    assert_alike(one, other)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("privacy", ["open", "hold"])
@pytest.mark.long_but_first
def test_pb_07_they_look_alike_by_the_handsets_keys_too(seed: int, privacy: str) -> None:
    pair = twins(LONDON, seed, windows=9)
    sections = {"handset": {"privacy": privacy, "blank_after_s": 5}}
    assert_alike(outwardly(pair, 0, by_keys, **sections), outwardly(pair, 1, by_keys, **sections))


def test_pb_07_what_he_looks_up_on_his_handset_shows_nowhere_else() -> None:
    def watched(*, curious: bool) -> tuple[Any, ...]:
        p: Watched = begun(197, seen=True, red=74, yellow=13, green=26)
        chance = random.Random(3)
        for _ in range(100):
            before = p.hardware.clock.now()
            if curious:
                for _ in range(5):
                    p.advance(chance.choice((20, 25)))
                    p.hardware.press(f"handset.{chance.choice(('up', 'down', 'back', 'peek'))}", 20)
            p.advance(1000 * (before - p.hardware.clock.now()) + 250)
        assert not p.table.game.actions
        return p.lamps.frames, p.display.pictures, seen_by_all(p)

    assert watched(curious=True) == watched(curious=False)


def test_the_twins_of_these_tests_are_no_copies() -> None:
    pairs = [twins(LONDON, seed) for seed in SEEDS]
    assert all(pair.hidden[0] != pair.hidden[1] for pair in pairs)
    assert any(Double() in both for pair in pairs for both in pair.script)
    assert any(getattr(a, "ticket", "") == "black" for pair in pairs for a, _ in pair.script)


# ---- canary ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def canaries(tmp_path_factory: pytest.TempPathFactory) -> Config:
    """London with numbers that are found wherever they turn up."""
    folder = tmp_path_factory.mktemp("map")
    return parse(write_map(folder), "test.toml", folder=folder)


def refusals(p: SimulatedTable) -> Iterator[str]:
    """What is said of actions that are refused, with the whole traceback."""
    secret = p.private
    at = secret.at.value
    tries: list[Action] = [MrXMove(Secret(to), t) for to in (at, at + 1, *secret.route.value) for t in ("taxi", "x")]
    tries += [PawnMove("red", at, "taxi"), Double()]
    for action in tries:
        for act in (lambda action: p.do(Choose(action)), p.table.game.play, p.table.referee.check):
            if action in p.private.choices.value or action in p.table.game.legal:
                continue
            try:
                act(action)
            except (RulesError, NotNow):
                text = traceback.format_exc()
                yield text if not isinstance(action, PawnMove) else ""
            else:
                raise AssertionError("that was legal")


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.long_but_first
def test_no_output_whatever_names_a_hidden_station(canaries: Config, seed: int) -> None:
    pair = twins(canaries.network, seed)
    hidden, actions = next(sides(pair))
    p = Watched(canaries)
    searched, met = 0, set[int]()
    with listening(p.hardware.clock.now) as ears:
        p.do(StartGame(detectives=len(pair.start), start={MR_X: hidden, **pair.start}))
        p.set_up()
        for action in actions:
            tidy(p)
            if isinstance(action, PawnMove):
                step(p, action)
            else:
                by_keys(p, action, action)
            tokens = {str(station) for station in hidden_stations(p, met)}
            searched += len(tokens)
            for name, said in everything_printed(p).items():
                assert not [t for t in tokens if t in said], f"{name} names {tokens}"
            heard = [text for _, _, text in ears.heard]
            assert not [t for t in tokens for text in heard if t in text]
            for said in refusals(p):
                assert not [t for t in tokens if t in said], said
    assert searched > 100


def test_the_canary_would_be_found(canaries: Config) -> None:
    p = SimulatedTable(canaries)
    p.do(StartGame(detectives=3, start={MR_X: 70197, "red": 70074, "yellow": 70013, "green": 70026}))
    p.set_up()
    assert {70197, 70184} <= hidden_stations(p, set())
    assert any("70197" in line for line in p.handset_lines())


def test_actions_and_secrets_print_without_their_stations() -> None:
    assert repr(MrXMove(Secret(70184), "taxi")) == "MrXMove(to=Secret(…), ticket='taxi')"
    assert f"{Secret(70184)} {Secret(70184):>30}".count("70184") == 0


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_the_journal_can_be_read_by_its_owner_alone(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        p = SimulatedTable(journal=tmp_path / "state" / "journal.sqlite")
        p.do(StartGame(detectives=3, start={MR_X: 197, "red": 74, **{q: way[0] for q, way in FAR.items()}}))
        p.set_up()
        go(p, 184)
        carry(p, "red", 75)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "state").iterdir()}
        assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700
        assert set(modes.values()) == {0o600}
        assert "journal.sqlite" in modes
    finally:
        os.umask(before)


def test_he_is_told_of_a_refusal_without_his_station_in_it() -> None:
    p = begun(197, red=74, yellow=13, green=26)
    with pytest.raises(IllegalAction) as refused:
        p.do(Choose(MrXMove(Secret(1), "taxi")))
    assert "197" not in str(refused.value)
