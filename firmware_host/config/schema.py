"""Define the sections of a configuration: each key's kind, bounds, default and explanation.

The reader, its errors, `yardboard config-reference` and docs/configuration.md all follow from these classes. Keys that
only one driver reads are in the file of that driver, in `firmware_host.config.drivers`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from firmware_host.config.allowed_values import (
    address,
    broker,
    choice,
    flag,
    free_rows,
    hosts,
    integers,
    links,
    mqtt_topic,
    number,
    password_hash,
    table,
    text,
    texts,
    wired,
    with_keys_of,
)
from firmware_host.config.drivers.neopixel_drivers import LAST_END
from firmware_host.config.drivers.registry import drivers_of
from firmware_host.referee.readings import Patience
from firmware_host.referee.scene import CoachMode
from firmware_host.rules.network import Link
from firmware_host.rules.setup import Option
from firmware_host.system.language import ENGLISH, LANGUAGES
from hardware.raspberry_pi.kernel_devices import GivenDevices

LAST_BUS = 999
"""The highest number of a bus, far beyond any that a kernel assigns."""

_S = TypeVar("_S")
_PATIENCE = Patience()


def _ms(seconds: float, *, low: int, high: int, doc: str) -> int:
    return number(round(1000 * seconds), low=low, high=high, unit="ms", doc=doc)


def _choices(section: str) -> tuple[str, ...]:
    return tuple(driver.name for driver in drivers_of(section))


def _with_drivers(section: str, after: str = "driver") -> Callable[[type[_S]], type[_S]]:
    """Add the keys of a section's drivers to the section's class, after one of its own keys."""
    return with_keys_of({one.name: (one.settings, one.without) for one in drivers_of(section)}, after)


@dataclass(frozen=True, slots=True)
class GameSection:
    """The game, its players and its options."""

    rules: str = text(
        "classic", doc="The rules: a shipped edition, or the path of a .toml file, starting from this file's folder."
    )
    players: int = number(
        0, low=0, high=6, doc="Number of players, Mister X among them; 0: five, or as many as possible."
    )
    owners: tuple[int, ...] = integers(
        low=1,
        high=5,
        doc="For each detective pawn, in playing order, the player (from 1) who moves it; "
        "empty: shared out by the number of players.",
    )
    take_back: bool = flag(True, doc="Whether putting a pawn back takes its move back.")
    coach: str = choice(
        CoachMode.OFF.value,
        of=tuple(mode.value for mode in CoachMode),
        doc='What the coach shows everyone: "off", nothing; "stations", where Mister X may be by his log; "advice", '
        "also what the detectives could do.",
    )
    seats: Mapping[str, Option] = free_rows(
        "seat = player",
        doc='Who plays each seat, such as mr_x = "hard". A seat is mr_x, a player\'s number in quotes, or detectives '
        'for all of them. Its value is "person", the default, or a computer: "easy", "medium", "skilled", '
        '"hard" or "expert".',
    )
    names: Mapping[str, Option] = free_rows(
        "seat = name",
        doc='The players\' names, such as mr_x = "Ada": at most 20 characters, seen by everybody. Seats are those of '
        "[game.seats]; a computer's name is not used. Default: no names.",
    )
    options: Mapping[str, Option] = free_rows(
        "option = value", doc="The options of the rules; each edition has its own. Default: the box's values."
    )


@dataclass(frozen=True, slots=True)
class MapSection:
    """The map of the game."""

    name: str = text(
        "",
        doc="A shipped map, or the path of a .toml file, starting from this file's folder; empty: the rules' own map.",
    )
    add: tuple[Link, ...] = links(doc="Links to add to the map, for other prints of the board.")
    remove: tuple[Link, ...] = links(doc="Links to remove from the map.")


@dataclass(frozen=True, slots=True)
class BoardSection:
    """The board on the table."""

    width_mm: int = number(680, low=200, high=2000, unit="mm", doc="The board's width; the map determines the height.")
    language: str = choice(
        ENGLISH, of=tuple(LANGUAGES), doc="The language of the table's screens; each page in a browser has its own."
    )


@dataclass(frozen=True, slots=True)
class PiSection:
    """The computer in the board. A simulated board needs none."""

    model: str = wired(choice("4", of=("zero2", "3", "4", "5"), doc="The model of the Raspberry Pi."))
    pin_factory: str = wired(
        choice(
            "lgpio",
            of=("lgpio", "rpigpio", "mock"),
            doc='The library for the pins: "lgpio" on any Pi, "rpigpio" (RPi.GPIO) up to the Pi 4; "mock": pins in '
            "memory.",
        )
    )
    gpio_chip: str = wired(
        text(
            "",
            doc='The GPIO chip of the header: its label, such as "pinctrl-rp1", or its file, such as '
            '"/dev/gpiochip11"; empty: found by its label.',
        )
    )
    spi: Mapping[int, int] = table(
        "bus",
        "number",
        first=0,
        high=LAST_BUS,
        doc="The kernel's numbers of the header's SPI buses, if they are not found automatically: "
        "0 = 10 if /dev/spidev10.0 is device 0.0.",
    )
    i2c: Mapping[int, int] = table(
        "bus",
        "number",
        first=0,
        high=LAST_BUS,
        doc="The kernel's numbers of the header's I2C buses, if they are not found automatically: "
        "1 = 13 if /dev/i2c-13 is i2c-1 of the header.",
    )

    @property
    def given(self) -> GivenDevices:
        """The kernel's devices for GPIO, SPI and I2C that the settings name."""
        return GivenDevices(self.gpio_chip, self.spi, self.i2c)


@_with_drivers("switches")
@dataclass(frozen=True)
class SwitchesSection:
    """The reed switches under the stations."""

    driver: str = wired(choice("sim", of=_choices("switches"), doc="The driver that reads the switches."))
    scan_hz: int = number(200, low=50, high=1000, unit="Hz", doc="How often all switches are read.")
    samples: int = number(3, low=1, high=10, doc="The number of equal readings in a row after which a change counts.")
    pick_up_mm: int = number(
        20,
        low=0,
        high=60,
        unit="mm",
        doc="Stations nearer than this may sense the same magnet; there the table asks. 0: none.",
    )
    wiring: Mapping[int, int] = table(
        "station",
        "input",
        high=LAST_END,
        doc="The input of each station's switch, from 0; empty: in the order of the map. For gpio it is "
        "the number of the GPIO.",
    )


@_with_drivers("lamps", after="max_milliamps")
@dataclass(frozen=True)
class LampsSection:
    """The lamps in the stations and of the public log."""

    driver: str = wired(choice("sim", of=_choices("lamps"), doc="The driver of the lamps."))
    max_milliamps: int = number(
        3000,
        low=300,
        high=20000,
        unit="mA",
        doc="The limit of current for all lamps together; a frame above it is dimmed.",
    )
    gamma: float = number(1.0, low=1.0, high=3.0, doc="The gamma correction of brightness; real lamps need about 2.2.")
    brightness: float = number(0.6, low=0.05, high=1.0, doc="The brightness, as a share of full brightness.")
    palette: str = choice("standard", of=("standard", "colour-blind"), doc="The set of colours.")
    frames_per_second: int = number(30, low=10, high=60, unit="Hz", doc="How often the lamps may change.")
    wiring: Mapping[int, int] = table(
        "station",
        "lamp",
        high=LAST_END,
        doc="Each station's lamp in the chain, from 0; empty: in the order of the map.",
    )
    log: Mapping[int, int] = table(
        "window",
        "lamp",
        high=LAST_END,
        doc="Each log window's lamp in the chain; empty: in order, after the last station's lamp.",
    )


@_with_drivers("handset")
@dataclass(frozen=True)
class HandsetSection:
    """Mister X's private screen."""

    driver: str = wired(
        choice(
            "sim",
            of=_choices("handset"),
            doc='The driver of the screen; "none": no screen, so Mister X is a computer or has a phone.',
        )
    )
    phone: bool = flag(
        False, doc="Whether Mister X may also play on a phone at a real board, which must serve its pages."
    )
    privacy: str = choice(
        "open", of=("open", "hold"), doc="Whether secrets show always, or only while the peek key is held."
    )
    blank_after_s: int = number(
        60, low=5, high=3600, unit="s", doc="The time after the last key until the screen goes dark."
    )


@_with_drivers("display")
@dataclass(frozen=True)
class DisplaySection:
    """The public screen, and when it and the lamps go to sleep."""

    driver: str = wired(choice("sim", of=_choices("display"), doc='The driver of the screen; "none": no screen.'))
    blank_after_s: int = number(
        0,
        low=0,
        high=86_400,
        unit="s",
        doc="The time until lamps and public screen go dark, after the last move or touch of a pawn or a key at the "
        "table; 0: never. The next touch wakes them; a key then does nothing else. Mister X's keys do not count.",
    )


@_with_drivers("keys")
@dataclass(frozen=True)
class KeysSection:
    """The push buttons of table and handset."""

    driver: str = wired(choice("sim", of=_choices("keys"), doc="The driver that reads the keys."))


@dataclass(frozen=True, slots=True)
class TimingSection:
    """The times that the table waits."""

    settle_ms: int = _ms(
        _PATIENCE.settle, low=100, high=2000, doc="How long the board must be quiet before a move counts."
    )
    slide_ms: int = _ms(
        _PATIENCE.slide,
        low=100,
        high=3000,
        doc="How long the board must be quiet if the pawn could legally slide on; at least settle_ms.",
    )
    wrong_ms: int = _ms(
        _PATIENCE.wrong,
        low=200,
        high=10000,
        doc="How long a pawn may stand on a wrong station before the table shows it.",
    )
    insist_ms: int = _ms(
        _PATIENCE.insist,
        low=500,
        high=60000,
        doc="How long a pawn may stand on a wrong station before the table asks about it; at least wrong_ms.",
    )


@dataclass(frozen=True, slots=True)
class JournalSection:
    """The file that keeps every accepted action."""

    path: str = text(
        "",
        doc="The journal's file, starting from this file's folder; empty: journal.sqlite in $STATE_DIRECTORY, "
        "or else yardboard/journal.sqlite in $XDG_STATE_HOME, which is ~/.local/state.",
    )
    keep_games: int = number(
        1000,
        low=10,
        high=100_000,
        doc="The number of games to keep, those given up among them; a new game deletes the oldest ones beyond it.",
    )


@dataclass(frozen=True, slots=True)
class WebSection:
    """The pages for browsers: to play on a simulated table, or to watch a real one."""

    serve: bool = flag(False, doc="Whether `yardboard run` serves the table's pages; `yardboard sim` always does.")
    host: str = address(
        "127.0.0.1", doc='The address of the server: "127.0.0.1" for this machine only, "0.0.0.0" for everyone.'
    )
    port: int = number(8199, low=0, high=65535, doc="The port of the server; 0: any free port.")
    owner: bool = flag(
        False,
        doc="Whether a real table's pages include the owner's page, for settings, care of the table and new games; "
        "the table's menu shows the code that opens it.",
    )
    owner_password: str = password_hash(
        doc="The hash of a password that also opens the owner's page. `yardboard owner-password` prints this hash. "
        "Empty: none."
    )
    names: tuple[str, ...] = hosts(
        doc="Further names of the pages, such as a router's or a proxy's; this machine's names need not be listed."
    )
    metrics: bool = flag(
        False,
        doc="Whether the server also offers /metrics for Prometheus; everyone who can open the pages can read it.",
    )


@dataclass(frozen=True, slots=True)
class MqttSection:
    """A broker of a smart home, such as Home Assistant's, to which `yardboard run` publishes what everyone sees."""

    url: str = broker(doc="The broker's address; mqtts:// is encrypted. Empty: nothing is published.")
    user: str = text("", doc="The user's name at the broker; empty: none.")
    password_file: str = text(
        "",
        doc="The file with that user's password alone, starting from this file's folder; empty: none. The password "
        "itself does not belong in the configuration, which others may read.",
    )
    ca_file: str = text(
        "",
        doc="The certificate that signed the broker's own, starting from this file's folder; empty: the system's "
        "authorities.",
    )
    topic: str = mqtt_topic(
        "yardboard", doc="The table's topic; all its messages are below it. Each table needs its own."
    )
    discovery: str = mqtt_topic(
        "homeassistant",
        doc="The topic below which Home Assistant looks for new devices; empty: the table is not announced.",
        empty=True,
    )


@dataclass(frozen=True, slots=True)
class LogSection:
    """The system's log."""

    level: str = choice(
        "info",
        of=("debug", "info", "warning", "error"),
        doc="The least important level of events that the log contains.",
    )
    form: str = choice("text", of=("text", "json"), doc='One line per event: "text" for people, "json" for programs.')


@dataclass(frozen=True, slots=True)
class PlayerSection:
    """A program that can play a seat, under a name of your own. See docs/players.md."""

    command: tuple[str, ...] = texts(
        (),
        such=("python3", "deep.py"),
        doc="The program and its arguments; a path in it starts from this file's folder. Required.",
    )
    ms: int = number(500, low=10, high=60_000, unit="ms", doc="The processor time for each of its moves.")
    memory_mb: int = number(1024, low=32, high=65_536, unit="MB", doc="The memory for data in each of its processes.")


NAMED: dict[str, type] = {"players": PlayerSection}
"""The sections that a file may have several of: [players.NAME] -> their class."""

SECTIONS: dict[str, type] = {
    section.__name__.removesuffix("Section").lower(): section
    for section in (
        GameSection,
        MapSection,
        BoardSection,
        PiSection,
        SwitchesSection,
        LampsSection,
        HandsetSection,
        DisplaySection,
        KeysSection,
        TimingSection,
        JournalSection,
        WebSection,
        MqttSection,
        LogSection,
    )
}
"""Section name -> its class, in the order of their explanation."""
