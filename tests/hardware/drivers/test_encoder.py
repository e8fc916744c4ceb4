"""A rotary encoder on gpiozero's mock pins, turned by hand and bouncing."""

from __future__ import annotations

from threading import Event, Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.contacts.debounce import PULSE, Debounce, Pulses
from hardware.drivers.buttons import MOST_WAITING, EncoderKeys
from hardware.ports import DeviceLost
from hardware.sim.physics import SimClock
from tests.hardware.drivers.loose_pins import LooseFactory

CLK, DT = 5, 6
SCAN = 0.005
UP, DOWN = 0b01, 0b10
CYCLE = ((False, False), (True, False), (True, True), (False, True))
"""Whether CLK and DT are closed, one transition after another clockwise."""


class Knob:
    """An encoder and a hand on it."""

    def __init__(self, transitions: int = 4, stands_at: int = 0) -> None:
        self.factory = LooseFactory()
        self.clock = SimClock()
        self._transitions, self._place = transitions, stands_at
        for pin, closed in zip((CLK, DT), CYCLE[stands_at % 4], strict=True):
            self._move(pin, closed=closed)
        self.keys = EncoderKeys(CLK, DT, self.factory, self.clock, transitions=transitions)

    def click(self, *, clockwise: bool, bounces: int = 0) -> None:
        """One click: the leading contact closes, the other too, then they open in that order, or a part of that."""
        for _ in range(self._transitions):
            before = CYCLE[self._place % 4]
            self._place += 1 if clockwise else -1
            for pin, was, closes in zip((CLK, DT), before, CYCLE[self._place % 4], strict=True):
                for _ in range(bounces if was != closes else 0):
                    self._move(pin, closed=closes)
                    self._move(pin, closed=was)
                self._move(pin, closed=closes)

    def _move(self, pin: int, *, closed: bool) -> None:
        (self.factory.ground if closed else self.factory.let_go)(pin)

    def presses(self, seconds: float, samples: int = 10) -> list[int]:
        """The keys that went down, scanned at 200 Hz and debounced over so many samples."""
        debounce, down, last = Debounce(2, samples), [], 0
        for _ in range(round(seconds / SCAN)):
            held = debounce.update(self.keys.read())
            assert held in {0, UP, DOWN}
            if held and not last:
                down.append(held)
            assert not (held and last and held != last)
            last = held
            self.clock.advance(SCAN)
        return down


@pytest.mark.parametrize(("clockwise", "key"), [(True, DOWN), (False, UP)])
def test_each_click_is_one_press_of_the_key_of_its_direction(clockwise: bool, key: int) -> None:
    knob = Knob()
    assert knob.keys.names == ("handset.up", "handset.down")
    for _ in range(3):
        knob.click(clockwise=clockwise)
        assert knob.presses(0.3) == [key]
    assert knob.presses(1.0) == []


@pytest.mark.parametrize("transitions", [4, 2, 1])
@pytest.mark.parametrize("stands_at", range(4))
def test_each_click_is_one_press_however_many_transitions_it_has_and_wherever_the_knob_stands(
    transitions: int, stands_at: int
) -> None:
    knob = Knob(transitions, stands_at)
    for clockwise in (True, True, False, True, False, False, False, True):
        knob.click(clockwise=clockwise, bounces=3 if transitions > 1 else 0)
        assert knob.presses(0.3) == [DOWN if clockwise else UP]
    assert knob.presses(1.0) == []


def test_a_press_is_as_long_as_its_pulse_and_so_is_the_pause_after_it() -> None:
    knob = Knob()
    knob.click(clockwise=True)
    knob.click(clockwise=True)
    raw = []
    for _ in range(60):
        raw.append(knob.keys.read())
        knob.clock.advance(SCAN)
    pulse = round(PULSE / SCAN)
    down, pause = [DOWN] * pulse, [0] * pulse
    assert raw == down + pause + down + [0] * (60 - 3 * pulse)


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=12), st.integers(1, 10), st.sampled_from([2, 4]))
def test_clicks_that_are_not_too_fast_are_all_pressed_however_they_bounce(
    clicks: list[tuple[bool, int]], samples: int, transitions: int
) -> None:
    knob = Knob(transitions)
    pressed = []
    for clockwise, bounces in clicks:
        knob.click(clockwise=clockwise, bounces=bounces)
        pressed += knob.presses(2 * PULSE + 0.06, samples)
    assert pressed == [DOWN if clockwise else UP for clockwise, _ in clicks]


def test_a_knob_that_trembles_without_clicking_presses_nothing() -> None:
    knob = Knob()
    for _ in range(5):
        for pin in (CLK, DT):
            knob.factory.ground(pin)
            knob.factory.let_go(pin)
    assert knob.presses(0.5) == []


@pytest.mark.parametrize(("clockwise", "key"), [(True, DOWN), (False, UP)])
def test_a_fast_spin_does_not_go_on_scrolling_for_long(clockwise: bool, key: int) -> None:
    knob = Knob()
    for _ in range(20):
        knob.click(clockwise=clockwise)
    assert knob.presses(2 * PULSE * MOST_WAITING + SCAN) == [key] * MOST_WAITING
    assert 2 * PULSE * MOST_WAITING <= 0.5
    assert knob.presses(3.0) == []


def test_clicks_back_cancel_those_that_still_wait() -> None:
    knob = Knob()
    for _ in range(3):
        knob.click(clockwise=True)
    for _ in range(2):
        knob.click(clockwise=False)
    assert knob.presses(1.0) == [DOWN]
    for _ in range(20):
        knob.click(clockwise=True)
    for _ in range(MOST_WAITING + 1):
        knob.click(clockwise=False)
    assert knob.presses(1.0) == [UP]


def test_a_click_that_comes_on_another_thread_while_the_keys_are_read_waits_for_its_turn() -> None:
    knob = Knob()
    clicked = Event()

    def click() -> None:
        knob.click(clockwise=True)
        clicked.set()

    hand = Thread(target=click)

    class Interrupted(Pulses):
        def toward(self, wanted: int, now: float) -> int:
            if not hand.ident:
                hand.start()
                assert not clicked.wait(0.1), "it did not wait"
            return super().toward(wanted, now)

    knob.keys._pulses = Interrupted()
    knob.click(clockwise=True)
    assert knob.keys.read() == DOWN
    hand.join()
    knob.clock.advance(PULSE + SCAN)
    assert knob.keys.read() == 0
    knob.clock.advance(PULSE + SCAN)
    assert knob.presses(1.0) == [DOWN]


def test_where_edges_cannot_be_had_the_message_says_what_would_help() -> None:
    factory = LooseFactory()
    factory.edges = False
    keys = EncoderKeys(CLK, DT, factory, SimClock())
    for _ in range(3):
        with pytest.raises(
            DeviceLost, match=r'^keys: .* Failed to add edge detection; .* set \[pi\] pin_factory = "lgpio"$'
        ):
            keys.read()
    factory.edges = True
    assert keys.read() == 0


def test_clicks_that_wait_are_forgotten_when_it_is_closed() -> None:
    knob = Knob()
    for _ in range(3):
        knob.click(clockwise=True)
    knob.keys.close()
    assert knob.presses(1.0) == []
