"""One pin a station."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.drivers.pin_contacts import GpioSwitches
from hardware.ports import BadDevice, DeviceLost, Switches
from tests.hardware.drivers.reed_model import GroundedContacts, RefusedPins

PINS = [4, 17, 27, 2, 3]


@given(pins=st.lists(st.integers(0, 27), min_size=1, unique=True), data=st.data())
@settings(deadline=None)
def test_any_set_of_contacts_is_seen_by_its_gpio_numbers(pins: list[int], data: st.DataObject) -> None:
    contacts = GroundedContacts()
    switches = GpioSwitches(pins, contacts.factory)
    assert switches.count == max(pins) + 1
    for _ in range(3):
        contacts.closed = data.draw(st.sets(st.integers(0, 27)))
        assert switches.read() == sum(1 << pin for pin in contacts.closed & set(pins))


def test_a_human_finds_the_pin() -> None:
    switches = GpioSwitches(PINS, GroundedContacts().factory)
    assert isinstance(switches, Switches)
    assert switches.place(17) == "GPIO 17"
    for wrong in (-1, 5, 28):
        with pytest.raises(BadDevice, match=f"no input {wrong}; inputs are the GPIOs 2, 3, 4, 17, 27"):
            switches.place(wrong)


@pytest.mark.parametrize(
    ("pins", "said"),
    [([], "no pins are named"), ([4, 17, 4], "GPIO 4 is named twice"), ([4, 28], "no GPIO 28 .* GPIO 0 to GPIO 27")],
)
def test_impossible_pins_are_refused_and_the_others_left_free(pins: Sequence[int], said: str) -> None:
    factory = GroundedContacts().factory
    with pytest.raises(BadDevice, match=f"switches: .*{said}"):
        GpioSwitches(pins, factory)
    GpioSwitches([4, 17], factory).close()


def test_a_pin_of_another_device_is_refused() -> None:
    factory = GroundedContacts().factory
    other = GpioSwitches([4], factory)
    with pytest.raises(BadDevice, match="GPIO 4 serves another device already"):
        GpioSwitches([17, 4], factory)
    other.close()
    GpioSwitches([17, 4], factory).close()


def test_pins_that_cannot_be_had_are_lost_until_they_can() -> None:
    contacts = GroundedContacts()
    stubborn = RefusedPins(contacts.factory, PINS)
    stubborn.error = RuntimeError("No access to /dev/mem")
    switches = GpioSwitches(PINS, contacts.factory)
    complaints = []
    for _ in range(3):
        with pytest.raises(DeviceLost, match="switches: GPIO 4 does not answer: No access to /dev/mem") as complaint:
            switches.read()
        complaints.append(complaint.value)  # a daemon may keep its last error: it must not keep the pin
    stubborn.error = None
    contacts.closed = {17}
    assert switches.read() == 1 << 17


def test_a_pin_that_another_device_has_taken_meanwhile_is_lost_and_comes_back() -> None:
    contacts = GroundedContacts()
    switches = GpioSwitches(PINS, contacts.factory)
    switches.close()
    other = GpioSwitches(PINS[:1], contacts.factory)
    with pytest.raises(DeviceLost, match="switches: GPIO 4 serves another device already"):
        switches.read()
    other.close()
    contacts.closed = {17}
    assert switches.read() == 1 << 17


def test_pins_that_fail_while_they_are_read_are_let_go_and_taken_anew() -> None:
    contacts = GroundedContacts()
    switches = GpioSwitches(PINS, contacts.factory)
    pin = contacts.factory.pin(27)
    works = pin._get_state

    def fails() -> bool:
        raise OSError("Connection timed out")

    pin._get_state = fails
    with pytest.raises(DeviceLost, match="switches: a pin does not answer: Connection timed out"):
        switches.read()
    pin._get_state = works
    GpioSwitches(PINS, contacts.factory).close()  # none of them is held meanwhile
    contacts.closed = {27}
    assert switches.read() == 1 << 27


def test_closing_lets_go_of_every_pin() -> None:
    contacts = GroundedContacts()
    switches = GpioSwitches(PINS, contacts.factory)
    switches.close()
    switches.close()
    GpioSwitches(PINS, contacts.factory).close()
