"""Put in words how the devices are: which are lost or degraded, since when, and why. Public and pure."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from firmware_host.referee.device_health import Health
from firmware_host.system.language import gettext, pgettext
from firmware_host.system.said_later import say

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
