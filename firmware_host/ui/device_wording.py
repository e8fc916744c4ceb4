"""Put in words how the devices are: which are lost or degraded, since when, and why. Public and pure."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping

from firmware_host.referee.device_health import Health
from firmware_host.system.language import gettext, gettext_noop, pgettext
from firmware_host.system.translatable_text import say

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


_PLACES: Mapping[str, Callable[[dict[str, str]], str]] = {
    r"chip (?P<chip>\d+), pin (?P<pin>\w+)": lambda at: gettext("chip {chip}, pin {pin}", **at),
    r"row (?P<row>\d+), column (?P<column>\d+) \((?P<pins>.+)\)": lambda at: gettext(
        "row {row}, column {column} ({pins})", **at
    ),
    r"input (?P<input>\d+)": lambda at: gettext("input {input}", **at),
}
"""How drivers say where a switch is found on the electronics -> the same in the language of now."""


TOLD_BY_DEVICES = (
    gettext_noop("no answer; the cable is unplugged"),
    gettext_noop("slowed down, too hot; give the Pi air or a heat sink"),
    gettext_noop("under-voltage; use a supply of 5.1 V 3 A (Pi 5: 5 A) and a short cable"),
)
"""Reasons that devices give word for word, of which `say` knows the translation."""


def switch_place(place: str) -> str:
    """Return where a switch is found, as its driver tells it: "chip 8, pin F"; what has no words, "GPIO 17", stays."""
    said = (words(found.groupdict()) for form, words in _PLACES.items() if (found := re.fullmatch(form, place)))
    return next(said, place)


def device_name(device: str) -> str:
    """Return what a device is called, within a sentence: "switches"."""
    return _DEVICES[device]() if device in _DEVICES else device


def day_and_time(health: Health) -> tuple[str, str]:
    """Return since when a device is so, for people: "Sat" and "20:14", in this machine's time zone."""
    since = time.localtime(health.at)
    return _DAYS[since.tm_wday](), time.strftime("%H:%M", since)


def health_words(health: Health) -> str:
    """Return how a device is, in a line that stays as it is while that lasts: "lost since Sat 20:14: no answer"."""
    day, clock = day_and_time(health)
    why = say(health.reason)
    match health.state:
        case "lost":
            return gettext("lost since {day} {time}: {why}", day=day, time=clock, why=why)
        case "degraded":
            return gettext("degraded since {day} {time}: {why}", day=day, time=clock, why=why)
    return gettext("ok since {day} {time}: {why}", day=day, time=clock, why=why)
