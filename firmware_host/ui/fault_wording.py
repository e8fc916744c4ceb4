"""Put the faults of a table into words: faults of devices, and ignored switches.

All texts are public, and all functions pure.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from firmware_host.referee.scene import Health, Scene
from firmware_host.system.language import TranslatableText, gettext, gettext_noop, pgettext

DEVICE_REASONS = (
    gettext_noop("comes and goes: {why}"),
    gettext_noop("strip {number}: {why}"),
    gettext_noop("the cable is unplugged"),
    gettext_noop("slowed down, too hot; give the Pi air or a heat sink"),
    gettext_noop("under-voltage; use a supply of 5.1 V 3 A (Pi 5: 5 A) and a short cable"),
    gettext_noop("the Pi's firmware does not answer: {error}"),
    gettext_noop("the Pi's firmware answers nothing that is known here"),
    gettext_noop("has not finished what it was to show for {seconds} s"),
    gettext_noop("the {chip} does not answer: {error}; check its cable, its power and its address"),
    gettext_noop(
        "{where} does not answer: {error}; see that no other program, overlay or bus holds it, and that the user is in "
        "the group gpio"
    ),
    gettext_noop("there is no {where} on the header; pins are GPIO 0 to GPIO 27"),
    gettext_noop("{where} serves another device already; give each a pin of its own"),
    gettext_noop("{where} cannot serve here: {error}"),
    gettext_noop("{file} does not answer ({error}); {advice}"),
    gettext_noop("see that the user is in the group spi"),
    gettext_noop(
        "/dev/spidev{device} is another bus, the header's SPI{bus} is off; switch SPI on with raspi-config, or "
        "{setting} in config.txt"
    ),
    gettext_noop("/dev/i2c-{device} is another bus, the header's I2C{bus} is off; switch it on in config.txt"),
    gettext_noop("there is no such device: switch SPI on with raspi-config, or {setting} in config.txt"),
    gettext_noop("GPIO {pin} cannot be taken: {error}"),
    gettext_noop("{why}; mend it and start yardboard again"),
    gettext_noop("GPIO {pin} cannot be written to: {error}"),
    gettext_noop("neopixel-pwm on GPIO {pin} needs {file}: {error}; {advice}"),
    gettext_noop("update the Pi's kernel and firmware, and put the user into the file's group"),
    gettext_noop("start yardboard as root, or use driver neopixel-spi"),
    gettext_noop("turn SPI on in config.txt, and put the user into group spi"),
    gettext_noop("{what} needs {package}; install with: {command} in yardboard's folder; or choose another driver"),
    gettext_noop("{why}; the encoder needs pin edges, which RPi.GPIO lacks on kernels from 6.6 on; set {setting}"),
    gettext_noop("no answer from the Pico on {port}: {why}"),
    gettext_noop("the port is being opened"),
    gettext_noop("several ports have the serial number {serial}; give the path of one: {paths}"),
    gettext_noop("a fault of yardboard's own: {error}; it opens the port again"),
    gettext_noop("its program has failed: {error}; it starts again"),
    gettext_noop("its program has failed: {error}; {further}"),
    gettext_noop("another program has the port open; end it"),
    gettext_noop("the connection broke ({error}); see that its cable is in"),
    gettext_noop("there is no such port; see that its cable is in; ports in {folder}: {there}"),
    gettext_noop("permission denied; add the user to the group dialout: sudo usermod -aG dialout USER"),
    gettext_noop("it is silent; if yardboard's program is not on it, {install}"),
    gettext_noop("it sends something else than yardboard's program does; {install}"),
    gettext_noop("its program (version {version}) speaks another protocol than this yardboard; {install}"),
    gettext_noop("its program (version {version}) reads {inputs} inputs, and {wanted} are asked for; {install}"),
    gettext_noop("it is the handset's Pico; exchange the ports in the configuration, or {install}"),
    gettext_noop("it is the switches' Pico; exchange the ports in the configuration, or {install}"),
    gettext_noop("write the program to it with: {command}"),
    gettext_noop("it has not answered a write to its screen for {seconds} s"),
    gettext_noop("its reports have stopped; it may have lost its power, or its program hangs"),
    gettext_noop(
        "every bit of the chain is {bit}; see that the first chip has power, that its QH reaches the Pi, and that "
        "clock and load reach the chips"
    ),
    gettext_noop(
        "behind chip {chip} the chain does not end in zeros; count the chips, and connect SER of the last one to ground"
    ),
    gettext_noop("the last chip shows {last}, not its sentinel {wanted}; see the wires of its inputs, H to A"),
    gettext_noop(
        "the chain does not end in its sentinel {wanted}: from chip {chip} on every bit is {bit}; look there and "
        "further for power, clock and load, and the wire from the chip before"
    ),
    gettext_noop("the chain is {number} short of {chips}; count them, and see that none is bridged"),
    gettext_noop("the chain is {number} longer than {chips}; count them, and see that none is bridged"),
    gettext_noop("one chip"),
    gettext_noop("{count} chips"),
    gettext_noop(
        "the sentinel comes {number} early: the chips count more edges of the clock than the Pi sends; see the clock's "
        "wire and its ground, and that the SPI mode is right"
    ),
    gettext_noop(
        "the sentinel comes {number} late: the chips count fewer edges of the clock than the Pi sends; see the clock's "
        "wire and its ground, and that the SPI mode is right"
    ),
    gettext_noop("1 bit"),
    gettext_noop("{count} bits"),
    gettext_noop("{count} of {size} bytes came back; see the cable to what reads the chain"),
    gettext_noop("noise on the line"),
    gettext_noop("noise on the line for {seconds} s; see its cable and its ground"),
    gettext_noop("{opened} contacts opened and {closed} closed at once"),
    gettext_noop("all {count} closed contacts opened at once"),
    gettext_noop("{count} contacts are closed at once, more than pawns can; see its wires"),
    gettext_noop(
        "{count} readings in a row were spoiled, the next was good; look for a loose wire, or lower the speed of the "
        "bus"
    ),
    gettext_noop("journal {file}: {why}"),
    gettext_noop(
        "is in use by another table: stop that one, or give this one another journal path in its configuration"
    ),
    gettext_noop("cannot be written: the disk is full; free some space"),
    gettext_noop("cannot be written: the disk is read-only; make it writable"),
    gettext_noop("cannot be written: the file or its folder is read-only; make both writable"),
    gettext_noop("cannot be opened: no permission"),
    gettext_noop("cannot be read or written: the disk reports an error, or has no room"),
    gettext_noop("cannot be read: not enough memory"),
    gettext_noop("cannot be opened: {why}"),
    gettext_noop("there is no write-ahead log"),
    gettext_noop("nothing can be made beside it: {error}"),
    gettext_noop("the file or its folder is not accessible"),
    gettext_noop("chip {chip}, pin {pin}"),
    gettext_noop("row {row}, column {column} (GPIO {wire}, GPIO {other})"),
    gettext_noop("input {input}"),
)
"""Reasons and switches' places from devices and the journal; braces hold a reason or a verbatim part."""


_NEXT_STRIP = re.compile(r"; (?=strip \d+: )")
"""Separates the reasons of several strips of lamps."""


def reason_words(reason: str) -> str:
    """Translate the reason for a device's state, or the place of a switch.

    A text without a translation is returned unchanged.
    """
    if isinstance(reason, TranslatableText):
        parts = {place: reason_words(part) if isinstance(part, str) else part for place, part in reason.values.items()}
        return gettext(reason.text, **parts)
    first, *further = _NEXT_STRIP.split(reason, maxsplit=1)
    if further:
        return gettext("{why}; {further}", why=reason_words(first), further=reason_words(further[0]))
    for text, form in _reasons():
        if found := form.fullmatch(reason):
            return gettext(text, **{place: reason_words(value) for place, value in found.groupdict().items()})
    return gettext(reason)


@cache
def _reasons() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((text, re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(text)))) for text in DEVICE_REASONS)


_DEVICES: Mapping[str, Callable[[], str]] = {
    "switches": lambda: pgettext("device", "switches"),
    "lamps": lambda: pgettext("device", "lamps"),
    "display": lambda: pgettext("device", "display"),
    "handset": lambda: pgettext("device", "handset"),
    "keys": lambda: pgettext("device", "keys"),
    "journal": lambda: pgettext("device", "journal"),
    "power": lambda: pgettext("device", "power"),
}

_DAYS: tuple[Callable[[], str], ...] = (
    lambda: pgettext("weekday", "Mon"),
    lambda: pgettext("weekday", "Tue"),
    lambda: pgettext("weekday", "Wed"),
    lambda: pgettext("weekday", "Thu"),
    lambda: pgettext("weekday", "Fri"),
    lambda: pgettext("weekday", "Sat"),
    lambda: pgettext("weekday", "Sun"),
)


def device_name(device: str) -> str:
    """Return a device's name for use within a sentence: "switches"."""
    return _DEVICES[device]() if device in _DEVICES else device


def day_and_time(health: Health) -> tuple[str, str]:
    """Return when a device's state began, such as "Sat" and "20:14", in this machine's time zone."""
    since = time.localtime(health.at)
    return _DAYS[since.tm_wday](), time.strftime("%H:%M", since)


def health_words(health: Health) -> str:
    """Return a device's health in one line, such as "lost since Sat 20:14: no answer"."""
    day, clock = day_and_time(health)
    why = reason_words(health.reason)
    match health.state:
        case "lost":
            return gettext("lost since {day} {time}: {why}", day=day, time=clock, why=why)
        case "degraded":
            return gettext("degraded since {day} {time}: {why}", day=day, time=clock, why=why)
    return gettext("ok since {day} {time}: {why}", day=day, time=clock, why=why)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A fault of a device or of some switches, as the display shows it.

    Attributes:
        what: the name of the device, or a description of the switches.
        state: "lost" or "degraded", for a device; "" for switches.
        since: day and time, "Sat" and "20:14", if known.
        why: the reason for the fault.
    """

    what: str
    state: str = ""
    since: tuple[str, str] = ("", "")
    why: str = ""


def troubles_of(scene: Scene) -> tuple[Trouble, ...]:
    """Return the faults of the table in a scene, lost devices first."""
    ill = sorted(scene.ailing.items(), key=lambda item: (item[1].state != "lost", item[0]))
    places = [f"{station}: {reason_words(scene.places[station])}" for station in sorted(scene.places)]
    if len(places) != 1:  # several places do not fit
        stations = ", ".join(map(str, sorted(scene.ignored)))
        places = [gettext("No switch at {stations}", stations=stations)] if stations else []
    covered = {"switches"} if places else set()  # their degraded state need not be repeated
    devices = [
        Trouble(device_name(name), health.state, day_and_time(health), reason_words(health.reason))
        for name, health in ill
        if name not in covered or health.state == "lost"
    ]
    return (*devices, *map(Trouble, places))


def trouble_line(trouble: Trouble) -> str:
    """Return a fault in one line."""
    if not trouble.state:
        return f"! {trouble.what}"
    device, since, why = trouble.what, " ".join(trouble.since), trouble.why
    if trouble.state == "lost":
        return "! " + gettext("{device} lost since {since}: {why}", device=device, since=since, why=why)
    return "! " + gettext("{device} degraded since {since}: {why}", device=device, since=since, why=why)


def full_words(trouble: Trouble) -> tuple[tuple[str, str], ...]:
    """Return a fault in one or two lines, each with a text for its right end: the time, or ""."""
    if not trouble.state:
        return ((trouble.what, ""),)
    if trouble.state == "lost":
        first = gettext("{device} lost", device=trouble.what)
    else:
        first = gettext("{device} degraded", device=trouble.what)
    return (first, " ".join(trouble.since)), (trouble.why, "")


def short_words(trouble: Trouble) -> tuple[str, str]:
    """Return a fault in one short line, and the time for its right end."""
    if not trouble.state:
        return trouble.what, ""
    if trouble.state == "lost":  # all others are degraded
        return gettext("{device} lost: {why}", device=trouble.what, why=trouble.why), trouble.since[1]
    return gettext("{device}: {why}", device=trouble.what, why=trouble.why), trouble.since[1]
