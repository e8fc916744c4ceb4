"""Long presses on raw, bouncing samples, and the pulses that stand for short ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.contacts.debounce import PULSE, SETTLE, Debounce, LongPresses, Pulses
from hardware.ports import BadDevice, DeviceLost
from hardware.sim.physics import SimClock

SCAN = 0.005
NAMES = ("up", "select", "peek")
ALSO = {"select": "back"}
SELECT, BACK, PEEK = 0b0010, 0b1000, 0b0100

Closed = Sequence[tuple[float, float]]
"""When a contact is closed: from, to, in seconds."""


class Played:
    """Keys whose contacts close as a script says."""

    def __init__(self, clock: SimClock, script: Mapping[str, Closed], names: tuple[str, ...] = NAMES) -> None:
        self.names = names
        self.lost = False
        self.closed = 0
        self._clock = clock
        self._script = script

    def read(self) -> int:
        if self.lost:
            raise DeviceLost("keys: pulled")
        now = self._clock.now()
        return sum(
            1 << bit
            for bit, name in enumerate(self.names)
            if any(start <= now < end for start, end in self._script.get(name, ()))
        )

    def close(self) -> None:
        self.closed += 1


@dataclass(frozen=True)
class Held:
    """For how long keys were down: from the first sample that says so to the first that does not."""

    keys: int
    since: float
    until: float


def play(
    script: Mapping[str, Closed],
    also: Mapping[str, str] = ALSO,
    *,
    until: float = 10.0,
    samples: int = 1,
    hold: float = 0.8,
) -> list[Held]:
    """What is held down, sampled at 200 Hz and debounced over so many samples."""
    clock = SimClock()
    keys = LongPresses(Played(clock, script), also, clock, hold)
    debounce = Debounce(len(keys.names), samples)
    held, last, since = [], 0, 0.0
    for _ in range(round(until / SCAN)):
        now, mask = clock.now(), debounce.update(keys.read())
        if mask != last:
            if last:
                held.append(Held(last, since, now))
            last, since = mask, now
        clock.advance(SCAN)
    assert last == 0, "still down at the end of the script"
    return held


def rattling(start: float, end: float, bounce: Sequence[float]) -> list[tuple[float, float]]:
    """A press that opens and closes at its beginning, and closes and opens at its end, so many seconds after each."""
    flips = sorted([start, *(start + after for after in bounce), end, *(end + after for after in bounce)])
    return list(zip(flips[::2], flips[1::2], strict=True))


def test_a_short_press_is_the_key_itself_for_a_pulse_from_its_release() -> None:
    (press,) = play({"select": [(1.0, 1.3)]})
    assert press.keys == SELECT
    assert 1.3 + SETTLE <= press.since <= 1.3 + SETTLE + 2 * SCAN
    assert PULSE <= press.until - press.since <= PULSE + SCAN


def test_a_long_press_is_the_other_key_from_the_moment_it_is_long_until_the_release() -> None:
    (press,) = play({"select": [(1.0, 3.0)]})
    assert press.keys == BACK
    assert 1.8 <= press.since <= 1.8 + 2 * SCAN
    assert 3.0 + SETTLE <= press.until <= 3.0 + SETTLE + 2 * SCAN


def test_keys_without_a_second_meaning_pass_at_once_and_as_they_are() -> None:
    clock = SimClock()
    script = {"peek": rattling(0.1, 0.5, [0.001, 0.002, 0.006, 0.009]), "up": [(0.2, 0.205)]}
    played = Played(clock, script)
    keys = LongPresses(played, ALSO, clock)
    for _ in range(1000):
        assert keys.read() == played.read()
        clock.advance(0.001)


def test_two_keys_held_at_once_count_each_for_itself() -> None:
    presses = play({"select": [(1.0, 3.0)], "up": [(1.1, 1.3)]}, {"select": "back", "up": "menu"})
    assert [press.keys for press in presses] == [0b0001, BACK]


def test_a_contact_that_opens_for_a_moment_goes_on_being_held() -> None:
    (press,) = play({"select": [(1.0, 1.5), (1.51, 2.2), (2.215, 3.0)]})
    assert press.keys == BACK
    assert press.since <= 1.8 + 2 * SCAN
    assert press.until >= 3.0


def test_a_contact_that_closes_for_a_moment_is_no_press() -> None:
    assert play({"select": [(1.0, 1.004), (2.0, 2.014), (3.0, 3.004), (3.01, 3.014)]}) == []


def test_what_was_down_when_the_keys_were_lost_counts_as_let_go() -> None:
    clock = SimClock()
    played = Played(clock, {"select": [(1.0, 4.0), (5.0, 6.0)]})
    keys = LongPresses(played, ALSO, clock)

    def scanned(until: float) -> set[int]:
        seen = set()
        while clock.now() < until:
            seen.add(keys.read())
            clock.advance(SCAN)
        return seen

    assert scanned(2.0) == {0, BACK}
    played.lost = True
    with pytest.raises(DeviceLost, match="pulled"):
        keys.read()
    played.lost = False
    assert scanned(5.0) == {0}
    assert scanned(6.5) == {0, BACK}  # it counts again when it is pressed again


@pytest.mark.parametrize("until", [0.3, 30.0])
def test_a_contact_that_is_closed_from_the_first_is_stuck_until_it_opens(until: float) -> None:
    assert play({"select": [(0.0, until)]}, until=31.0) == []
    assert [held.keys for held in play({"select": [(0.0, until), (31.0, 32.0)]}, until=33.0)] == [BACK]


def test_a_press_is_over_when_the_keys_are_lost() -> None:
    clock = SimClock()
    played = Played(clock, {"select": [(0.1, 0.3)]})
    keys = LongPresses(played, ALSO, clock)
    while keys.read() == 0:
        clock.advance(SCAN)
    played.lost = True
    with pytest.raises(DeviceLost):
        keys.read()
    played.lost = False
    assert keys.read() == 0


def test_closing_closes_the_keys() -> None:
    played = Played(SimClock(), {})
    LongPresses(played, ALSO, SimClock()).close()
    assert played.closed == 1


@pytest.mark.parametrize(
    ("also", "hold", "complaint"),
    [
        ({"ok": "back"}, 0.8, "^keys: there is no key 'ok' to hold for 'back'; keys are up, select, peek"),
        ({"up": "up"}, 0.8, "^keys: a long press of up cannot mean up"),
        (ALSO, 0.1, r"^keys: a long press takes 0.1 s; it must be at least 0.12 s"),
        (ALSO, float("nan"), "^keys: a long press takes nan s"),
    ],
)
def test_meanings_that_cannot_be_are_refused(also: dict[str, str], hold: float, complaint: str) -> None:
    with pytest.raises(BadDevice, match=complaint):
        LongPresses(Played(SimClock(), {}), also, SimClock(), hold)


# A press: how long the finger rests before it, how long it presses, and how the contact bounces.
finger = st.tuples(
    st.floats(0.05, 1.0),
    st.one_of(st.floats(0.04, 0.77), st.floats(0.83, 2.0)),
    st.lists(st.floats(0.0005, 0.01), max_size=4, unique=True).filter(lambda flips: len(flips) % 2 == 0),
)


@settings(deadline=None)
@given(fingers=st.lists(finger, min_size=1, max_size=6), samples=st.integers(1, 10))
def test_no_press_is_lost_or_doubled_nor_ever_both_keys_at_once(
    fingers: list[tuple[float, float, list[float]]], samples: int
) -> None:
    script, meant, now = [], [], 0.0
    for rest, length, bounce in fingers:
        start = now + rest
        now = start + length
        script += rattling(start, now, bounce)
        meant.append(SELECT if length < 0.8 else BACK)
    presses = play({"select": script}, until=now + 2.0, samples=samples)
    assert [press.keys for press in presses] == meant


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from([0, 1, 2, 3]), st.floats(0, 0.2)), max_size=60))
def test_pulses_never_change_faster_than_a_debouncer_follows(steps: list[tuple[int, float]]) -> None:
    pulses, now, changed, last = Pulses(), -5.0, -10.0, 0
    for wanted, wait in steps:
        now += wait
        held = pulses.toward(wanted, now)
        assert held in {0, last, wanted}
        if held != last:
            assert not (held and last), "from one key to the next without letting go"
            assert now - changed >= PULSE - 1e-9
            changed, last = now, held
