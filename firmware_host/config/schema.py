"""The sections of a configuration: each key's kind, bounds, default and explanation, once and for all.

The reader, its complaints, `yardboard config-reference` and docs/configuration.md all follow from these classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.config.fields import (
    address,
    choice,
    flag,
    freely,
    integers,
    links,
    number,
    pairs,
    pins,
    table,
    text,
    texts,
)
from firmware_host.rules.network import Link
from firmware_host.rules.setup import Option
from hardware.drivers.shift_register import SENTINEL

SWITCH_DRIVERS = ("sim", "shift-register", "matrix", "gpio", "serial")
LAMP_DRIVERS = ("sim", "neopixel-spi", "neopixel-pwm")
HANDSET_DRIVERS = ("sim", "oled")
DISPLAY_DRIVERS = ("sim", "oled", "none")
KEY_DRIVERS = ("sim", "gpio")
"""What can stand under `driver` in each section: a new driver is named here and nowhere else in this file."""

TICKETS = ("taxi", "bus", "underground")
TABLE_KEYS = (*TICKETS, "confirm", "back")
HANDSET_KEYS = ("up", "down", "select", "back", "peek")
KEYS = (*(f"table.{key}" for key in TABLE_KEYS), *(f"handset.{key}" for key in HANDSET_KEYS))
"""The keys of a table, in the order of their bits."""

NO_PIN = -1
"""In place of a GPIO: no wire is there."""

_CHAIN, _PICO, _MATRIX = ("shift-register",), ("serial",), ("matrix",)
_SPI, _PWM, _PIXELS = ("neopixel-spi",), ("neopixel-pwm",), ("neopixel-spi", "neopixel-pwm")
_OLED, _GPIO = ("oled",), ("gpio",)
_LAST_PIN = 27  # the last GPIO on the 40-pin header
_LAST_END = 4095  # far beyond any chain of switches or lamps a table could carry


@dataclass(frozen=True, slots=True)
class Game:
    """What is played, and by how many."""

    rules: str = text("classic", doc="A shipped edition, or the path of a .toml file, from this file's folder on.")
    players: int = number(0, low=0, high=6, doc="How many play, Mister X among them; 0: five, or as many as can.")
    owners: tuple[int, ...] = integers(
        low=1,
        high=5,
        doc="For each detective pawn, in playing order, the player (from 1) who moves it; "
        "empty: shared out by the number of players.",
    )
    take_back: bool = flag(True, doc="Whether putting a pawn back takes its move back.")
    options: Mapping[str, Option] = freely(
        "option", doc="What the rules leave to the players; each edition has its own. Left out: as the box says."
    )


@dataclass(frozen=True, slots=True)
class Map:
    """Which map is played on."""

    name: str = text(
        "",
        doc="A shipped map, or the path of a .toml file, from this file's folder on; empty: the one of the rules.",
    )
    add: tuple[Link, ...] = links(doc="Links to add to the map, as other prints of the board draw them.")
    remove: tuple[Link, ...] = links(doc="Links to take off the map.")


@dataclass(frozen=True, slots=True)
class Board:
    """The board on the table."""

    width_mm: int = number(680, low=200, high=2000, unit="mm", doc="Its width; the map gives the height.")


@dataclass(frozen=True, slots=True)
class Pi:
    """The computer in the board; a simulated one needs none."""

    model: str = choice("4", of=("zero2", "3", "4", "5"), doc="Which Raspberry Pi it is.")
    pin_factory: str = choice(
        "lgpio",
        of=("lgpio", "rpigpio", "mock"),
        doc='What gpiozero reaches the pins through: "lgpio" on any Pi, "rpigpio" (RPi.GPIO) up to the Pi 4; '
        '"mock": pins in memory.',
    )


@dataclass(frozen=True, slots=True)
class Switches:
    """The reed switches under the stations."""

    driver: str = choice("sim", of=SWITCH_DRIVERS, doc="What they are read through.")
    spi: str = text("0.0", doc='The SPI device of the chain, "6.0" for /dev/spidev6.0.', only=_CHAIN)
    spi_hz: int = number(1_000_000, low=100_000, high=8_000_000, unit="Hz", doc="How fast it is clocked.", only=_CHAIN)
    spi_mode: int = number(
        1,
        low=1,
        high=2,
        doc="1: input 0 of the chain is given up, and the clock idles low as the chips like it; 2: all inputs can be "
        "used, and on a Pi 3 the second SPI bus knows no other.",
        only=_CHAIN,
    )
    load_pin: int = number(25, low=0, high=_LAST_PIN, doc="The GPIO that is wired to SH/LD of all chips.", only=_CHAIN)
    chips: int = number(26, low=2, high=64, doc="How many 74HC165 are in the chain.", only=_CHAIN + _PICO)
    sentinel: int = number(
        SENTINEL,
        low=1,
        high=254,
        doc="What the inputs of the last chip are tied to, A the lowest bit: 1 for 3.3 V, 0 for ground.",
        only=_CHAIN + _PICO,
    )
    rows: tuple[int, ...] = integers(low=0, high=_LAST_PIN, doc="The GPIOs of the rows.", only=_MATRIX)
    columns: tuple[int, ...] = integers(
        low=0,
        high=_LAST_PIN,
        doc="The GPIOs of the columns. Input 0 is row 1, column 1; the next is column 2.",
        only=_MATRIX,
    )
    port: str = text(
        "", doc="The microcontroller's port, best by its number: /dev/serial/by-id/usb-MicroPython_....", only=_PICO
    )
    scan_hz: int = number(200, low=50, high=1000, unit="Hz", doc="How often all of them are read.")
    samples: int = number(3, low=1, high=10, doc="How many equal readings in a row make a change count.")
    pick_up_mm: int = number(
        20,
        low=0,
        high=60,
        unit="mm",
        doc="Stations nearer than this may feel one magnet; there the table asks. 0: none.",
    )
    wiring: Mapping[int, int] = table(
        "station",
        "input",
        high=_LAST_END,
        doc="The input that each station's switch is wired to, from 0; empty: in the order of the map. For gpio it is "
        "the number of the GPIO.",
    )


@dataclass(frozen=True, slots=True)
class Lamps:
    """The lamps in the stations and of the public log."""

    driver: str = choice("sim", of=LAMP_DRIVERS, doc="What they are driven through.")
    max_milliamps: int = number(
        3000, low=300, high=20000, unit="mA", doc="What all lamps together may draw; frames beyond it are dimmed."
    )
    spi: tuple[str, ...] = texts(
        ("0.0",), doc="The SPI device of each strip; nothing else may be on its bus.", only=_SPI
    )
    pins: tuple[int, ...] = integers(
        (18,), low=0, high=_LAST_PIN, doc="The GPIO of each strip: 12, 13, 18 or 19 (PWM), or 21 (PCM).", only=_PWM
    )
    strips: tuple[int, ...] = integers(
        low=1, high=_LAST_END, doc="How many lamps each strip has; empty: all lamps are on one.", only=_PIXELS
    )
    dead: tuple[int, ...] = integers(
        low=0,
        high=100,
        doc="How many lamps at the start of each strip serve nothing and stay dark, on top of those; empty: none.",
        only=_PIXELS,
    )
    order: str = choice(
        "GRB", of=("GRB", "RGB", "RBG", "GBR", "BRG", "BGR"), doc="The order of the colours on the wire.", only=_PIXELS
    )
    gamma: float = number(1.0, low=1.0, high=3.0, doc="What bends brightness to the eye; real lamps want about 2.2.")
    brightness: float = number(0.6, low=0.05, high=1.0, doc="How bright, as a share of full brightness.")
    palette: str = choice("standard", of=("standard", "colour-blind"), doc="Which colours stand for what.")
    frames_per_second: int = number(30, low=10, high=60, unit="Hz", doc="How often the lamps may change.")
    wiring: Mapping[int, int] = table(
        "station",
        "lamp",
        high=_LAST_END,
        doc="Each station's lamp in the chain, from 0; empty: in the order of the map.",
    )
    log: Mapping[int, int] = table(
        "window",
        "lamp",
        high=_LAST_END,
        doc="Each log window's lamp in the chain; empty: in order, after the last station's lamp.",
    )


@dataclass(frozen=True, slots=True)
class Oled:
    """A screen of 128 by 64 pixels."""

    driver: str = choice("sim", of=HANDSET_DRIVERS, doc="What it is connected through.")
    chip: str = choice("ssd1306", of=("ssd1306", "ssd1309", "sh1106"), doc="The screen's controller.", only=_OLED)
    bus: str = text("i2c-1", doc='What it hangs on: "i2c-1", or "spi-1.0" for /dev/spidev1.0.', only=_OLED)
    address: int = number(0x3C, low=0x08, high=0x77, doc="Its address on I2C, most often 0x3C or 0x3D.", only=_OLED)
    dc_pin: int = number(24, low=0, high=_LAST_PIN, doc="On SPI: the GPIO wired to D/C.", only=_OLED)
    reset_pin: int = number(
        NO_PIN,
        low=NO_PIN,
        high=_LAST_PIN,
        doc="The GPIO wired to RES; -1: none. On SPI one is needed, and on I2C by most screens of an SSD1309.",
        only=_OLED,
    )
    upside_down: bool = flag(False, doc="Whether it is mounted upside down.", only=_OLED)
    contrast: int = number(127, low=0, high=255, doc="How bright it shines.", only=_OLED)
    shift_s: int = number(
        60,
        low=0,
        high=3600,
        unit="s",
        doc="How often the picture moves by a pixel, against burn-in; 0: never.",
        only=_OLED,
    )


@dataclass(frozen=True, slots=True)
class Handset(Oled):
    """Mister X's private screen."""

    driver: str = choice("sim", of=HANDSET_DRIVERS, doc="What it is connected through.")
    privacy: str = choice(
        "open", of=("open", "hold"), doc="Whether secrets show always, or only while the peek key is held."
    )
    blank_after_s: int = number(60, low=5, high=3600, unit="s", doc="How long after the last key the screen goes dark.")


@dataclass(frozen=True, slots=True)
class Display(Oled):
    """The public screen."""

    driver: str = choice("sim", of=DISPLAY_DRIVERS, doc='What it is connected through; "none": there is none.')


@dataclass(frozen=True, slots=True)
class Keys:
    """The push buttons of table and handset."""

    driver: str = choice("sim", of=KEY_DRIVERS, doc="What they are read through.")
    encoder: tuple[int, ...] = integers(
        low=0, high=_LAST_PIN, doc="The two GPIOs of a rotary encoder in place of up and down; empty: none.", only=_GPIO
    )
    hold_ms: int = number(800, low=300, high=3000, unit="ms", doc="How long a long press is.", only=_GPIO)
    table: Mapping[str, int] = pins(
        TABLE_KEYS,
        high=_LAST_PIN,
        doc="The GPIO of each key at the table; the button connects it to ground.",
        only=_GPIO,
    )
    handset: Mapping[str, int] = pins(
        HANDSET_KEYS, high=_LAST_PIN, doc="The GPIO of each key of the handset.", only=_GPIO
    )
    long: Mapping[str, str] = pairs(
        KEYS, doc="What else a key is when it is held long, where buttons are few.", only=_GPIO
    )


@dataclass(frozen=True, slots=True)
class Timing:
    """How long the table waits."""

    settle_ms: int = number(
        300, low=100, high=2000, unit="ms", doc="How long the board must be quiet before a move counts."
    )
    slide_ms: int = number(
        600,
        low=100,
        high=3000,
        unit="ms",
        doc="The same where the pawn could legally slide on; at least settle_ms.",
    )
    wrong_ms: int = number(
        1000, low=200, high=10000, unit="ms", doc="How long something may stand wrong before it is shown."
    )
    insist_ms: int = number(
        4000, low=500, high=60000, unit="ms", doc="When it is shown insistently; at least wrong_ms."
    )


@dataclass(frozen=True, slots=True)
class Journal:
    """Where every accepted action is kept."""

    path: str = text(
        "",
        doc="The journal's file, from this file's folder on; empty: journal.sqlite in $STATE_DIRECTORY, "
        "or else yardboard/journal.sqlite in $XDG_STATE_HOME, which is ~/.local/state.",
    )
    keep_games: int = number(
        1000,
        low=10,
        high=100_000,
        doc="How many games are kept, those given up among them; when a game begins, the oldest beyond that go.",
    )


@dataclass(frozen=True, slots=True)
class Web:
    """The table in browsers: the simulated one to play on, a real one to look at."""

    serve: bool = flag(
        False, doc="Whether `yardboard run` shows the table to whoever opens its page; `yardboard sim` always does."
    )
    host: str = address(
        "127.0.0.1", doc='The address that is listened on: "127.0.0.1" for this machine alone, "0.0.0.0" for all.'
    )
    port: int = number(8199, low=0, high=65535, doc="The port that is listened on; 0: any that is free.")


@dataclass(frozen=True, slots=True)
class Log:
    """What is written to the system's log."""

    level: str = choice("info", of=("debug", "info", "warning", "error"), doc="The least important to be kept.")
    form: str = choice(
        "text", of=("text", "json"), doc='One line an event: "text" for people first, "json" for programs.'
    )


SECTIONS: dict[str, type] = {
    "game": Game,
    "map": Map,
    "board": Board,
    "pi": Pi,
    "switches": Switches,
    "lamps": Lamps,
    "handset": Handset,
    "display": Display,
    "keys": Keys,
    "timing": Timing,
    "journal": Journal,
    "web": Web,
    "log": Log,
}
"""Every section of a configuration, in the order in which it is explained."""
