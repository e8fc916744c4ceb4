"""What a configuration asks of the Raspberry Pi and of its drivers, and all of it that cannot be.

A board is either simulated as a whole or not at all. For a real one, `claims` is what its devices take of the Pi's
header, and `faults` is everything that is wrong with it, so that a clash is found before anything is soldered. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from firmware_host.config.board_layout import Sheet
from firmware_host.config.schema import HANDSET_KEYS, NO_PIN, TABLE_KEYS, TICKETS, Keys, Lamps, Oled, Pi, Switches
from firmware_host.rules.network import Network
from hardware.drivers.neopixel_spi import encode
from hardware.drivers.shift_register import FURTHER, SENTINEL, is_weak
from hardware.raspberry_pi.pin_conflicts import Claim, I2cUse, PwmUse, SpiUse, Use, clashes
from hardware.raspberry_pi.pinout import SPI0_SELECTS

Sections = Mapping[str, Any]
"""Section name -> its object."""


class Misfit(NamedTuple):
    """One thing wrong with what a configuration asks for.

    Attributes:
        section: the section it stands in.
        key: the key; empty for the section as a whole.
        what: what is wrong, and what would be right.
    """

    section: str
    key: str
    what: str


def is_real(sections: Sections) -> bool:
    """Whether any device of the board is more than a simulated one."""
    return any(driver not in ("sim", "none") for driver in _drivers(sections).values())


def claims(sections: Sections, laid: Sheet) -> list[Claim]:
    """What the devices take of the header, in the order of the sections."""
    switches = list(_of_switches(sections["switches"], laid))
    rest = [
        *_of_panel("handset", sections["handset"]),
        *_of_panel("display", sections["display"]),
        *_of_keys(sections["keys"]),
    ]
    plain = {claim.pin for claim in (*switches, *rest) if isinstance(claim, Use)}
    return [*switches, *_of_lamps(sections["lamps"], plain), *rest]


def strips(lamps: Lamps, laid: Sheet) -> tuple[tuple[int, int], ...]:
    """For each strip how many lamps it has, dead ones among them, and how many of these are dead."""
    wanted = lamps.strips or (laid.lamps,)
    dead = lamps.dead or (0,) * len(wanted)
    return tuple((count + unused, unused) for count, unused in zip(wanted, dead, strict=True))


def screen_chips(sections: Sections) -> tuple[str, ...]:
    """The chip of each OLED, the handset's first."""
    panels = (sections["handset"], sections["display"])
    return tuple(panel.chip for panel in panels if panel.driver == "oled")


def longest_transfers(sections: Sections, laid: Sheet) -> dict[str, int]:
    """SPI device of the lamps or the switches -> bytes of its longest transfer."""
    switches, lamps = sections["switches"], sections["lamps"]
    found = {}
    if switches.driver == "shift-register":
        found[switches.spi] = switches.chips + FURTHER
    if lamps.driver == "neopixel-spi":
        for device, (count, _) in zip(lamps.spi, strips(lamps, laid), strict=True):
            found[device] = len(encode(bytes(3 * count)))
    return found


def faults(sections: Sections, laid: Sheet) -> list[Misfit]:
    """Everything that is wrong with the devices of a board."""
    found = list(_mixed(_drivers(sections)))
    if found or not is_real(sections):
        return found
    found = [
        *_wrong_pi(sections["pi"], sections["keys"]),
        *_wrong_switches(sections["switches"], laid),
        *_wrong_lamps(sections["lamps"], sections["pi"], laid),
        *_wrong_panels(sections["handset"], sections["display"]),
        *_wrong_keys(sections["keys"], laid.network, hold=sections["handset"].privacy == "hold"),
    ]
    if not found:
        found = [Misfit("pi", "", line) for line in clashes(claims(sections, laid), sections["pi"].model)]
    return found


def _drivers(sections: Sections) -> dict[str, str]:
    return {name: sections[name].driver for name in ("switches", "lamps", "handset", "display", "keys")}


def _mixed(drivers: Mapping[str, str]) -> Iterator[Misfit]:
    """Simulated devices beside real ones: nobody could reach them."""
    real = [name for name, driver in drivers.items() if driver not in ("sim", "none")]
    for name, driver in drivers.items():
        if real and driver == "sim":
            yield Misfit(
                name, "driver", f'"sim" beside a real [{real[0]}]; a board is simulated as a whole or not at all'
            )


# ---- what each section takes of the header ----


def _of_switches(switches: Switches, laid: Sheet) -> Iterator[Claim]:
    match switches.driver:
        case "shift-register":
            yield SpiUse(switches.spi, "[switches] spi", ("sclk", "miso"), switches.spi_mode, alone=True)
            yield Use(switches.load_pin, "[switches] load_pin")
        case "matrix":
            yield from (Use(pin, "[switches] rows") for pin in switches.rows)
            yield from (Use(pin, "[switches] columns") for pin in switches.columns)
        case "gpio":
            for station, pin in zip(laid.stations, laid.switch_inputs, strict=True):
                yield Use(pin, f"[switches.wiring] {station}")


def _of_lamps(lamps: Lamps, plain: set[int]) -> Iterator[Claim]:
    """What the lamps take beside the plain pins of others: of SPI0 its chip selects only if no one else does."""
    match lamps.driver:
        case "neopixel-spi":
            for device in lamps.spi:
                selects = device != "0.0" or plain.isdisjoint(SPI0_SELECTS)
                yield SpiUse(device, "[lamps] spi", ("mosi",), alone=True, steady=True, selects=selects)
        case "neopixel-pwm":
            yield from (PwmUse(pin, "[lamps] pins") for pin in lamps.pins)


def _of_panel(name: str, panel: Oled) -> Iterator[Claim]:
    if panel.driver != "oled":
        return
    kind, _, device = panel.bus.partition("-")
    if kind == "i2c":
        yield I2cUse(int(device), f"[{name}] bus", panel.address)
    else:
        yield SpiUse(device, f"[{name}] bus", ("sclk", "mosi", "ce"))
        yield Use(panel.dc_pin, f"[{name}] dc_pin")
    if panel.reset_pin != NO_PIN:
        yield Use(panel.reset_pin, f"[{name}] reset_pin")


def _of_keys(keys: Keys) -> Iterator[Claim]:
    for side, pins in (("table", keys.table), ("handset", keys.handset)):
        yield from (Use(pin, f"[keys.{side}] {name}") for name, pin in pins.items())
    yield from (Use(pin, "[keys] encoder") for pin in keys.encoder)


# ---- what is wrong with each of them ----


def _wrong_pi(pi: Pi, keys: Keys) -> Iterator[Misfit]:
    if pi.pin_factory == "rpigpio" and pi.model != "5" and keys.encoder:  # the Pi 5's drop-in for it gets edges
        what = 'RPi.GPIO gets no edges from kernels since 6.6, and a rotary encoder needs them; write "lgpio"'
        yield Misfit("pi", "pin_factory", what)


def _wrong_switches(switches: Switches, laid: Sheet) -> Iterator[Misfit]:
    first, count = 0, 0
    match switches.driver:
        case "shift-register":
            first, count = (switches.spi_mode == 1), 8 * (switches.chips - 1)
            yield from _weak_sentinel(switches)
        case "serial":
            first, count = 1, 8 * (switches.chips - 1)
            yield from _weak_sentinel(switches)
            if not switches.port:
                what = "none is named; write the path that `ls /dev/serial/by-id/*` shows"
                yield Misfit("switches", "port", what)
        case "matrix":
            count = len(switches.rows) * len(switches.columns)
            if not count:
                yield Misfit("switches", "rows, columns", "a matrix has at least one of each; write their GPIOs")
                return
        case "gpio":
            count = 28
            if not switches.wiring:
                yield Misfit("switches.wiring", "", "one GPIO a station cannot be guessed; list each station's")
                return
    beyond = [
        f"{station} on {number}"
        for station, number in zip(laid.stations, laid.switch_inputs, strict=True)
        if not first <= number < count
    ]
    if beyond:
        shown = ", ".join(beyond[:5]) + (f" and {len(beyond) - 5} more" if len(beyond) > 5 else "")
        what = f"station {shown}; this driver has the inputs {first:d} to {count - 1}"
        yield Misfit("switches.wiring", "", what)


def _weak_sentinel(switches: Switches) -> Iterator[Misfit]:
    if is_weak(switches.sentinel):
        what = f"{switches.sentinel:#04x} looks like itself when the chain slips; write {SENTINEL:#04x} or another"
        yield Misfit("switches", "sentinel", what)


def _wrong_lamps(lamps: Lamps, pi: Pi, laid: Sheet) -> Iterator[Misfit]:
    key, ends = ("spi", lamps.spi) if lamps.driver == "neopixel-spi" else ("pins", lamps.pins)
    number = len(lamps.strips) or 1
    if len(ends) != number:
        yield Misfit("lamps", key, f"{len(ends)} for {number} strips; write one for each, and in strips their lengths")
    if lamps.dead and len(lamps.dead) != number:
        yield Misfit("lamps", "dead", f"{len(lamps.dead)} numbers for {number} strips; write one for each")
    if lamps.strips and sum(lamps.strips) < laid.lamps:
        what = f"{sum(lamps.strips)} lamps together; the board needs {laid.lamps}"
        yield Misfit("lamps", "strips", what)
    slow = max(lamps.strips or (laid.lamps,)) * 0.03  # 30 µs a lamp, WS2812B data sheet
    if slow * lamps.frames_per_second > 1000:
        most = int(1000 / slow)
        what = f"a strip takes {slow:.0f} ms a frame, too long for {lamps.frames_per_second} a second; write {most}"
        yield Misfit("lamps", "frames_per_second", f"{what} or less, or use several strips")
    if lamps.driver == "neopixel-pwm" and number > 1 and pi.model != "5":
        yield Misfit("lamps", "pins", f"{number} strips; up to the Pi 4 one process drives one: use neopixel-spi")


def _wrong_panels(handset: Oled, display: Oled) -> Iterator[Misfit]:
    for name, panel in (("handset", handset), ("display", display)):
        if panel.driver == "oled" and not re.fullmatch(r"i2c-(0|[1-9]\d*)|spi-\d+\.\d+", panel.bus, re.ASCII):
            yield Misfit(name, "bus", f'"{panel.bus}" is no bus; write "i2c-1", or "spi-1.0" for /dev/spidev1.0')
        elif panel.driver == "oled" and panel.bus.startswith("spi") and panel.reset_pin == NO_PIN:
            what = "none is named; write the GPIO that is wired to RES (23 where nothing was written until now)"
            yield Misfit(name, "reset_pin", what)
    if handset.driver == display.driver == "oled" and _bus(handset) == _bus(display):
        what = (
            f"both screens on {_bus(display)}: whoever watches the display would see when Mister X's screen is drawn; "
            "give each a bus of its own"
        )
        yield Misfit("display", "bus", what)


def _bus(panel: Oled) -> str:
    """The bus without the device on it."""
    return panel.bus.partition(".")[0]


def _wrong_keys(keys: Keys, network: Network, *, hold: bool) -> Iterator[Misfit]:
    if keys.encoder and len(keys.encoder) != 2:
        yield Misfit("keys", "encoder", f"{len(keys.encoder)} GPIOs; a rotary encoder has two")
    have = {f"table.{key}" for key in keys.table} | {f"handset.{key}" for key in keys.handset}
    have |= {"handset.up", "handset.down"} if keys.encoder else set()
    for key in sorted(key for key, other in keys.long.items() if key == other):
        yield Misfit("keys.long", f'"{key}"', "is the key itself; name another one")
    for key in sorted(keys.long.keys() - have):
        yield Misfit("keys.long", f'"{key}"', "has no button that could be held; wire it, or take the line away")
    have |= set(keys.long.values())
    needed = [f"table.{key}" for key in TABLE_KEYS if key not in TICKETS or _asks_for_tickets(network)]
    needed += [f"handset.{key}" for key in HANDSET_KEYS if key != "peek" or hold]
    missing = [key for key in needed if key not in have]
    if missing:
        what = f"nothing is wired to {', '.join(missing)}; give each a GPIO, or a long press in [keys.long]"
        yield Misfit("keys", "", what)


def _asks_for_tickets(network: Network) -> bool:
    """Whether several tickets may lead from one station to another: on tiles, but not in the junior game (JU-03)."""
    joined = [(link.a, link.b) for link in network.links]
    return not joined or len(set(joined)) < len(joined)
