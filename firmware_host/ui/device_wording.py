"""Put in words what devices are called and how they are: ok, lost or degraded, since when. Public and pure."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping

from firmware_host.referee.device_health import Health
from firmware_host.system.language import gettext, pgettext
from firmware_host.ui.device_fault_reasons import reason_words

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
    why = reason_words(health.reason)
    match health.state:
        case "lost":
            return gettext("lost since {day} {time}: {why}", day=day, time=clock, why=why)
        case "degraded":
            return gettext("degraded since {day} {time}: {why}", day=day, time=clock, why=why)
    return gettext("ok since {day} {time}: {why}", day=day, time=clock, why=why)
