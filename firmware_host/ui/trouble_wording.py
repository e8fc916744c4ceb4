"""Word what is out of order at the table: devices, and switches that are taken for none. Public through and through."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.referee.scene import Scene
from firmware_host.system.language import gettext
from firmware_host.ui.device_fault_reasons import reason_words
from firmware_host.ui.device_wording import day_and_time, device_name, switch_place


@dataclass(frozen=True, slots=True)
class Trouble:
    """A device or some switches out of order, as the display shows them.

    Attributes:
        what: the device, or which switches, in words.
        state: "lost" or "degraded", if it is a device.
        since: day and time, "Sat" and "20:14", if known.
        why: the reason.
    """

    what: str
    state: str = ""
    since: tuple[str, str] = ("", "")
    why: str = ""


def troubles_of(scene: Scene) -> tuple[Trouble, ...]:
    """Return what is out of order at a scene's table, lost devices first."""
    ill = sorted(scene.ailing.items(), key=lambda item: (item[1].state != "lost", item[0]))
    places = [f"{station}: {switch_place(scene.places[station])}" for station in sorted(scene.places)]
    if len(places) != 1:  # several places do not fit
        stations = ", ".join(map(str, sorted(scene.masked)))
        places = [gettext("No switch at {stations}", stations=stations)] if stations else []
    covered = {"switches"} if places else set()  # their degraded state need not be repeated
    devices = [
        Trouble(device_name(name), health.state, day_and_time(health), reason_words(health.reason))
        for name, health in ill
        if name not in covered or health.state == "lost"
    ]
    return (*devices, *map(Trouble, places))


def trouble_line(trouble: Trouble) -> str:
    """Return all of a trouble in a line."""
    if not trouble.state:
        return f"! {trouble.what}"
    device, since, why = trouble.what, " ".join(trouble.since), trouble.why
    if trouble.state == "lost":
        return "! " + gettext("{device} lost since {since}: {why}", device=device, since=since, why=why)
    return "! " + gettext("{device} degraded since {since}: {why}", device=device, since=since, why=why)


def full_words(trouble: Trouble) -> tuple[tuple[str, str], ...]:
    """Return a trouble in a line or two: words, and the time that stands at the line's end."""
    if not trouble.state:
        return ((trouble.what, ""),)
    if trouble.state == "lost":
        first = gettext("{device} lost", device=trouble.what)
    else:
        first = gettext("{device} degraded", device=trouble.what)
    return (first, " ".join(trouble.since)), (trouble.why, "")


def short_words(trouble: Trouble) -> tuple[str, str]:
    """Return a trouble in one line: words, and the time that stands at its end."""
    if not trouble.state:
        return trouble.what, ""
    if trouble.state == "lost":  # all others are degraded
        return gettext("{device} lost: {why}", device=trouble.what, why=trouble.why), trouble.since[1]
    return gettext("{device}: {why}", device=trouble.what, why=trouble.why), trouble.since[1]
