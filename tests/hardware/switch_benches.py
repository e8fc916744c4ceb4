"""Backends of switches and keys on benches: each device, with functions that act at the other end of its wires.

Those of lamps and panels are in `output_benches`. Put a new backend on a bench: `test_port_contracts`
then tests all that its port promises. The parameters of a bench's function are names of fixtures.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from hardware.contacts.debounce import LongPresses
from hardware.drivers.buttons import ButtonKeys, EncoderKeys, JoinedKeys
from hardware.drivers.pico import PicoSwitches
from hardware.drivers.pins import GpioSwitches, MatrixSwitches
from hardware.drivers.shift_register import SENTINEL, ShiftRegisterSwitches
from hardware.ports import DeviceLost, Keys, Switches
from hardware.sim.devices import SimKeys, SimSwitches
from hardware.sim.physics import Contacts, SimClock
from tests.hardware.drivers.loose_pins import LooseFactory
from tests.hardware.drivers.reed_model import Matrix
from tests.hardware.drivers.shift_register_model import DirectLoad, EdgeSpi, ShiftRegisterChain
from tests.hardware.firmware.rig import PicoRig
from tests.waiting import until


def nothing() -> None:
    """Do nothing, for a bench that does not need this action."""


@dataclass
class SwitchBench:
    """A device of switches.

    Attributes:
        device: the device.
        inputs: those of its inputs that have a contact.
        touch: closes the contacts of this mask and opens all others; returns once the device can read that.
        unplug: disconnects it.
        replug: connects it again; returns once it can be read.
        put_away: clears the bench.
    """

    device: Switches
    inputs: Sequence[int]
    touch: Callable[[int], None]
    unplug: Callable[[], None]
    replug: Callable[[], None]
    put_away: Callable[[], None] = nothing


@dataclass
class KeyBench:
    """Keys.

    Attributes:
        device: the device.
        finger: puts a finger on a key, or takes it off.
        clock: its clock.
        press: seconds for which a finger must stay for a press.
        unplug: disconnects it.
        replug: connects it again.
    """

    device: Keys
    finger: Callable[[str, bool], None]
    clock: SimClock
    press: Callable[[str], float] = lambda _: 0.2
    unplug: Callable[[], None] = nothing
    replug: Callable[[], None] = nothing


def set_to(thing: object, attribute: str, value: object) -> Callable[[], None]:
    """Return a function that sets an attribute."""
    return partial(setattr, thing, attribute, value)


# Switches


def sim_switches() -> SwitchBench:
    clock, count = SimClock(), 12
    contacts = Contacts(count, (0.0, 0.0), Random(1))
    device = SimSwitches(contacts, clock, Random(2))
    return SwitchBench(device, range(count), lambda mask: contacts.set(mask, clock.now()), device.unplug, device.replug)


def gpio_switches() -> SwitchBench:
    factory, pins = LooseFactory(), (4, 17, 22, 27)

    def touch(mask: int) -> None:
        for pin in pins:
            (factory.ground if mask >> pin & 1 else factory.let_go)(pin)

    return SwitchBench(
        GpioSwitches(pins, factory), pins, touch, set_to(factory, "gone", True), set_to(factory, "gone", False)
    )


def matrix_switches() -> SwitchBench:
    rows, columns = [5, 6, 13], [17, 22, 27, 23]
    matrix = Matrix(rows, columns, "right")
    device = MatrixSwitches(rows, columns, matrix.factory)
    inputs = range(len(rows) * len(columns))

    return SwitchBench(
        device,
        inputs,
        lambda mask: setattr(matrix, "closed", {divmod(i, len(columns)) for i in inputs if mask >> i & 1}),
        set_to(matrix.factory, "gone", True),
        set_to(matrix.factory, "gone", False),
    )


def shift_register_switches(mode: int) -> SwitchBench:
    chips = 4
    chain = ShiftRegisterChain(chips, sentinel=SENTINEL)
    count = 8 * (chips - 1)
    device = ShiftRegisterSwitches(
        count, spi=EdgeSpi(chain, mode), load=DirectLoad(chain), chips=chips, sentinel=SENTINEL, mode=mode
    )

    def power(on: bool) -> None:
        for chip in chain.chips:
            chip.powered = on

    # In mode 1 the first input has gone by when the Pi begins to look.
    inputs = range(1 if mode == 1 else 0, count)
    return SwitchBench(device, inputs, chain.touch, lambda: power(False), lambda: power(True))


class SlowClock:
    """A clock at a quarter of real time for a Pico on the bench, so that a busy machine does not look like silence."""

    def now(self) -> float:
        return time.monotonic() / 4


def pico_switches() -> SwitchBench:
    chips = 3
    rig = PicoRig(chips=chips, sentinel=SENTINEL)
    device = PicoSwitches(rig.port, 8 * (chips - 1), chips=chips, sentinel=SENTINEL, clock=SlowClock())
    contacts, plugged = 0, True

    def read() -> int | None:
        try:
            return device.read()
        except DeviceLost:
            return None

    def touch(mask: int) -> None:
        nonlocal contacts
        contacts = mask
        rig.set_contacts(mask)
        if plugged:
            until(lambda: read() == mask, f"a report of {mask:#b}")

    def plug(there: bool) -> None:
        nonlocal plugged
        plugged = there
        (rig.replug if there else rig.unplug)()
        until(lambda: read() == (contacts if there else None), "a change of the cable")

    def put_away() -> None:
        device.close()
        rig.close()

    until(lambda: read() == 0, "the first report")
    # The first input has gone by when the Pico begins to look.
    return SwitchBench(device, range(1, 8 * (chips - 1)), touch, partial(plug, False), partial(plug, True), put_away)


# Keys

NAMES = ("handset.up", "handset.down", "handset.select")


def sim_keys() -> KeyBench:
    clock = SimClock()
    device = SimKeys(NAMES, Contacts(len(NAMES), (0.0, 0.0), Random(1)), clock)

    def finger(name: str, down: bool) -> None:
        (device.hold if down else device.release)(name)

    return KeyBench(device, finger, clock, unplug=device.unplug, replug=device.replug)


def buttons() -> KeyBench:
    factory = LooseFactory()
    pins = dict(zip(NAMES, (4, 17, 27), strict=True))
    return KeyBench(
        ButtonKeys(pins, factory),
        lambda name, down: (factory.ground if down else factory.let_go)(pins[name]),
        SimClock(),
        unplug=set_to(factory, "gone", True),
        replug=set_to(factory, "gone", False),
    )


def encoder() -> KeyBench:
    factory, clock = LooseFactory(), SimClock()
    device = EncoderKeys(5, 6, factory, clock)

    def finger(name: str, down: bool) -> None:
        lead, follow = (6, 5) if name == "handset.up" else (5, 6)
        for pin in (lead, follow):
            (factory.ground if down else factory.let_go)(pin)

    return KeyBench(device, finger, clock)


def joined_keys() -> KeyBench:
    clock = SimClock()
    table, handset = (
        SimKeys(names, Contacts(len(names), (0.0, 0.0), Random(1)), clock) for names in (NAMES[:2], NAMES[1:])
    )

    def finger(name: str, down: bool) -> None:
        part = handset if name in handset.names else table
        (part.hold if down else part.release)(name)

    return KeyBench(JoinedKeys(table, handset), finger, clock, unplug=handset.unplug, replug=handset.replug)


def long_presses() -> KeyBench:
    bench = sim_keys()
    bench.device = LongPresses(bench.device, {"handset.select": "handset.back"}, bench.clock)
    finger = bench.finger
    bench.finger = lambda name, down: finger("handset.select" if name == "handset.back" else name, down)
    bench.press = lambda name: 1.0 if name == "handset.back" else 0.2
    return bench


SWITCHES: dict[str, Callable[[], SwitchBench]] = {
    "simulator": sim_switches,
    "gpio": gpio_switches,
    "matrix": matrix_switches,
    "shift-register, mode 1": partial(shift_register_switches, 1),
    "shift-register, mode 2": partial(shift_register_switches, 2),
    "pico": pico_switches,
}

UNNOTICED = {"encoder"}
"""Keys whose loss nobody can notice, because an encoder only sends edges."""

KEYS: dict[str, Callable[[], KeyBench]] = {
    "simulator": sim_keys,
    "buttons": buttons,
    "encoder": encoder,
    "joined": joined_keys,
    "long presses": long_presses,
}
