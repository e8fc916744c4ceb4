"""The sections of a configuration: each key's kind, bounds, default and explanation, once and for all.

The reader, its complaints, `yardboard config-reference` and docs/configuration.md all follow from these classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.rules.network import Link
from firmware_host.rules.setup import Option
from firmware_host.settings import choice, flag, freely, integers, links, number, table, text

SWITCH_DRIVERS = ("sim",)
LAMP_DRIVERS = ("sim",)
HANDSET_DRIVERS = ("sim",)
DISPLAY_DRIVERS = ("sim", "none")
KEY_DRIVERS = ("sim",)
"""What can stand under `driver` in each section: a new driver is named here and nowhere else in this file."""

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
class Switches:
    """The reed switches under the stations."""

    driver: str = choice("sim", of=SWITCH_DRIVERS, doc="What they are read through.")
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
        doc="The input that each station's switch is wired to, from 0; empty: in the order of the map.",
    )


@dataclass(frozen=True, slots=True)
class Lamps:
    """The lamps in the stations and of the public log."""

    driver: str = choice("sim", of=LAMP_DRIVERS, doc="What they are driven through.")
    max_milliamps: int = number(
        3000, low=300, high=20000, unit="mA", doc="What all lamps together may draw; frames beyond it are dimmed."
    )
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
class Handset:
    """Mister X's private screen and keys."""

    driver: str = choice("sim", of=HANDSET_DRIVERS, doc="What it is connected through.")
    privacy: str = choice(
        "open", of=("open", "hold"), doc="Whether secrets show always, or only while the peek key is held."
    )
    blank_after_s: int = number(60, low=5, high=3600, unit="s", doc="How long after the last key the screen goes dark.")


@dataclass(frozen=True, slots=True)
class Display:
    """The public screen."""

    driver: str = choice("sim", of=DISPLAY_DRIVERS, doc='What it is connected through; "none": there is none.')


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys at the table."""

    driver: str = choice("sim", of=KEY_DRIVERS, doc="What they are read through.")


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
        "or else in ~/.local/state/yardboard.",
    )


@dataclass(frozen=True, slots=True)
class Log:
    """What is written to the system's log."""

    level: str = choice("info", of=("debug", "info", "warning", "error"), doc="The least important to be kept.")


SECTIONS: dict[str, type] = {
    "game": Game,
    "map": Map,
    "board": Board,
    "switches": Switches,
    "lamps": Lamps,
    "handset": Handset,
    "display": Display,
    "keys": Keys,
    "timing": Timing,
    "journal": Journal,
    "log": Log,
}
"""Every section of a configuration, in the order in which it is explained."""
