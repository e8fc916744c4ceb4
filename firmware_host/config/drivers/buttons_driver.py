"""Define the driver of push buttons and a rotary encoder: `driver = "gpio"` in the section `[keys]`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from firmware_host.config.allowed_values import adjustable, integers, number, pairs, pins
from firmware_host.config.drivers.driver import NONE, ConfiguredDevice, DeviceFault, Driver, Sections, UsedPin
from firmware_host.config.drivers.oled_driver import PICO, handset_line
from firmware_host.rules.network import Network
from hardware.drivers.buttons import TRANSITIONS, EncoderKeys
from hardware.drivers.pins import PiAccess
from hardware.ports import Clock
from hardware.ports import Keys as KeysPort
from hardware.raspberry_pi.pin_conflicts import Claim, PinUse
from hardware.raspberry_pi.pinout import LAST_GPIO

TICKETS = ("taxi", "bus", "underground")
TABLE_KEYS = (*TICKETS, "confirm", "back")
HANDSET_KEYS = ("up", "down", "select", "back", "peek")
KEYS = (*(f"table.{key}" for key in TABLE_KEYS), *(f"handset.{key}" for key in HANDSET_KEYS))
"""The keys of a table, in the order of their bits."""


@dataclass(frozen=True)
class ButtonSettings:
    """The configuration keys that say how buttons are wired."""

    encoder: tuple[int, ...] = integers(
        low=0, high=LAST_GPIO, doc="The two GPIOs of a rotary encoder instead of up and down; empty: none."
    )
    encoder_steps: int = adjustable(
        number(
            4,
            low=1,
            high=4,
            doc="How often the encoder's contacts change in one click of the knob: 4, or 2 or 1 on other makes. "
            "`yardboard selftest` finds the number.",
        )
    )
    hold_ms: int = adjustable(number(800, low=300, high=3000, unit="ms", doc="The length of a long press."))
    table: Mapping[str, int] = pins(
        TABLE_KEYS, high=LAST_GPIO, doc="The GPIO of each key at the table; the button connects it to ground."
    )
    handset: Mapping[str, int] = pins(HANDSET_KEYS, high=LAST_GPIO, doc="The GPIO of each key of the handset.")
    long: Mapping[str, str] = pairs(
        KEYS, doc="The second key of a button, by a long press, for boards with few buttons."
    )


def button_pins(wanted: ButtonSettings) -> dict[str, int]:
    """Return the GPIO of each key that has a button of its own."""
    buttons = {f"table.{key}": pin for key, pin in wanted.table.items()}
    return buttons | {f"handset.{key}": pin for key, pin in wanted.handset.items()}


def keys_on_pico(sections: Sections) -> tuple[str, ...]:
    """Return the keys that are on a handset's Pico instead of a pin of the Pi."""
    return tuple(f"handset.{key}" for key in HANDSET_KEYS) if sections["handset"].driver == PICO else ()


def _claims(device: ConfiguredDevice) -> Iterator[Claim]:
    wanted: ButtonSettings = device.settings
    for side, buttons in (("table", wanted.table), ("handset", wanted.handset)):
        yield from (PinUse(pin, f"[keys.{side}] {name}") for name, pin in buttons.items())
    yield from (PinUse(pin, "[keys] encoder") for pin in wanted.encoder)


def _faults(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    wanted: ButtonSettings = device.settings
    pi, hold = device.sections["pi"], device.sections["handset"].privacy == "hold"
    if pi.pin_factory == "rpigpio" and pi.model != "5" and wanted.encoder:  # the Pi 5's replacement for it has edges
        what = 'RPi.GPIO gets no edges from kernels since 6.6, and a rotary encoder needs them; write "lgpio"'
        yield DeviceFault("pi", "pin_factory", what)
    if wanted.encoder and len(wanted.encoder) != 2:
        yield DeviceFault("keys", "encoder", f"{len(wanted.encoder)} GPIOs; a rotary encoder has two; write [CLK, DT]")
    if wanted.encoder_steps not in TRANSITIONS:
        yield DeviceFault(
            "keys", "encoder_steps", f"no encoder has {wanted.encoder_steps} steps a click; write 4, 2 or 1"
        )
    brought = keys_on_pico(device.sections)
    if brought and wanted.encoder:
        yield DeviceFault("keys", "encoder", "the handset's Pico has keys for up and down; delete this line")
    if brought and wanted.handset:
        what = 'the handset\'s keys are on its Pico; delete this section, or write [handset] driver = "oled"'
        yield DeviceFault("keys.handset", "", what)
    have = button_pins(wanted).keys() | ({"handset.up", "handset.down"} if wanted.encoder else set()) | {*brought}
    for key in sorted(key for key, other in wanted.long.items() if key == other):
        yield DeviceFault("keys.long", f'"{key}"', "a long press cannot mean the same key; write another one")
    for key in sorted(wanted.long.keys() - have):
        yield DeviceFault(
            "keys.long",
            f'"{key}"',
            "has no button that could be held; write its GPIO in [keys.table] or [keys.handset], or delete this line",
        )
    have |= set(wanted.long.values())
    without = device.sections["handset"].driver == NONE
    missing = [key for key in _needed(device.layout.network, hold=hold, without=without) if key not in have]
    if missing:
        what = f"nothing is wired to {', '.join(missing)}; give each a GPIO, or a long press in [keys.long]"
        yield DeviceFault("keys", "", what)


def _needed(network: Network, *, hold: bool, without: bool) -> list[str]:
    """Return the keys that a table must have.

    Args:
        network: the map or tiles in play.
        hold: whether the handset is covered except while PEEK is held, so that it needs this key.
        without: whether the table has no handset.
    """
    needed = [f"table.{key}" for key in TABLE_KEYS if key not in TICKETS or _asks_for_tickets(network)]
    return needed if without else needed + [f"handset.{key}" for key in HANDSET_KEYS if key != "peek" or hold]


def _asks_for_tickets(network: Network) -> bool:
    """Return whether a game on this network may ask which ticket pays for a move.

    On tiles it always may, in the junior game never (JU-03).
    """
    joined = [(link.a, link.b) for link in network.links]
    return not joined or len(set(joined)) < len(joined)


def _make(device: ConfiguredDevice, pi: PiAccess, clock: Clock) -> KeysPort:
    """Create all keys as one device. If a key fails, release the pins of the keys created before it."""
    from hardware.contacts.debounce import LongPresses  # noqa: PLC0415 - only where it is used
    from hardware.drivers.buttons import ButtonKeys, JoinedKeys  # noqa: PLC0415

    wanted: ButtonSettings = device.settings
    with ExitStack() as made:
        parts: list[KeysPort] = [ButtonKeys(button_pins(wanted), pi.pins)]
        made.callback(parts[0].close)
        if wanted.encoder:
            clk, dt = wanted.encoder
            parts.append(EncoderKeys(clk, dt, pi.pins, clock, transitions=wanted.encoder_steps))
            made.callback(parts[-1].close)
        if keys_on_pico(device.sections):
            from hardware.drivers.pico_handset import PicoKeys  # noqa: PLC0415

            parts.append(PicoKeys(handset_line(device.sections, pi, clock)))
            made.callback(parts[-1].close)
        keys = JoinedKeys(*parts) if len(parts) > 1 else parts[0]
        if wanted.long:
            keys = LongPresses(keys, wanted.long, clock, wanted.hold_ms / 1000)
        made.pop_all()
    return keys


def _lead(device: ConfiguredDevice, pin: UsedPin) -> str:
    wanted: ButtonSettings = device.settings
    if pin.key == "encoder":
        return f"encoder: {'CLK' if pin.gpio == wanted.encoder[0] else 'DT'}"
    return f"key {pin.key.upper()}, {pin.section.partition('.')[2]}"


DRIVERS = (
    Driver(
        name="gpio",
        of=("keys",),
        settings=ButtonSettings,
        claims=_claims,
        faults=_faults,
        make=_make,
        lead=_lead,
        sheets="firmware_host.commissioning.diagrams.pi_header:panel_sheets",
    ),
)
