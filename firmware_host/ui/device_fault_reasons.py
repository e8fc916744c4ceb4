"""Why a device is lost or degraded, as it says so itself, in the language of now. Public and pure."""

from __future__ import annotations

import re
from functools import cache

from firmware_host.system.language import gettext, gettext_noop
from firmware_host.system.translatable_text import say

TOLD_BY_DEVICES = (
    gettext_noop("comes and goes: {why}"),
    gettext_noop("strip {number}: {why}"),
    gettext_noop("the cable is unplugged"),
    gettext_noop("slowed down, too hot; give the Pi air or a heat sink"),
    gettext_noop("under-voltage; use a supply of 5.1 V 3 A (Pi 5: 5 A) and a short cable"),
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
    gettext_noop("there is no such device: switch SPI on with raspi-config, or {setting} in config.txt"),
    gettext_noop("GPIO {pin} cannot be taken: {error}"),
    gettext_noop("{why}; mend it and start yardboard again"),
    gettext_noop("GPIO {pin} cannot be written to: {error}"),
    gettext_noop("neopixel-pwm on GPIO {pin} needs {file}: {error}; {advice}"),
    gettext_noop("update the Pi's kernel and firmware, and put the user into the file's group"),
    gettext_noop("start yardboard as root, or use driver neopixel-spi"),
    gettext_noop("turn SPI on in config.txt, and put the user into group spi"),
    gettext_noop("{what} needs {package}; install with: {command} in yardboard's folder; or choose another driver"),
    gettext_noop(
        "{why}; the encoder needs edges too, which RPi.GPIO has not on kernels from 6.6 on: there set {setting}"
    ),
    gettext_noop("no word from the Pico on {port}: {why}"),
    gettext_noop("the port is being opened"),
    gettext_noop("another program has the port open; end it"),
    gettext_noop("the connection broke ({error}); see that its cable is in"),
    gettext_noop("there is no such port; see that its cable is in; ports in {folder}: {there}"),
    gettext_noop("permission denied; add the user to the group dialout: sudo usermod -aG dialout USER"),
    gettext_noop("it is silent; if yardboard's program is not on it, {install}"),
    gettext_noop("it sends something else than yardboard's program does; {install}"),
    gettext_noop("its program (version {version}) speaks another protocol than this yardboard; {install}"),
    gettext_noop("its program (version {version}) reads {inputs} inputs, and {wanted} are asked for; {install}"),
    gettext_noop("write the program to it with: yardboard firmware install"),
    gettext_noop("its reports have stopped; it may have lost its power, or its program hangs"),
    gettext_noop(
        "every bit of the chain is {bit}; see that the first chip has power, that its QH reaches the Pi, and that "
        "clock and load reach the chips"
    ),
    gettext_noop("the last chip shows {last}, not its sentinel {wanted}; see the wires of its inputs, H to A"),
    gettext_noop(
        "{count} readings in a row were spoiled, the next was good; look for a loose wire, or lower the speed of the "
        "bus"
    ),
    gettext_noop("journal {file}: {why}"),
    gettext_noop("is in use by another process; is yardboard running twice?"),
    gettext_noop("cannot be written: the disk is full"),
    gettext_noop("cannot be written: the disk is read-only"),
    gettext_noop("cannot be written: the file or its folder is read-only"),
    gettext_noop("cannot be opened: no permission"),
    gettext_noop("cannot be read or written: the disk reports an error, or has no room"),
    gettext_noop("cannot be read: not enough memory"),
    gettext_noop("cannot be opened: {why}"),
    gettext_noop("nothing can be made beside it: {error}"),
    gettext_noop("the file or its folder is not accessible"),
)
"""Reasons as devices, their drivers and the journal give them; what is in braces is another one, or stays as it is."""


_NEXT_STRIP = re.compile(r"; (?=strip \d+: )")
"""Where strips of lamps are told one after the other: what goes on with the next."""


def reason_words(reason: str) -> str:
    """Return why a device is as it is, in the language of now; a reason that has no words there stays as it is."""
    first, *further = _NEXT_STRIP.split(reason, maxsplit=1)
    if further:
        return gettext("{why}; {further}", why=reason_words(first), further=reason_words(further[0]))
    for text, form in _reasons():
        if found := form.fullmatch(reason):
            return gettext(text, **{place: reason_words(value) for place, value in found.groupdict().items()})
    return say(reason)


@cache
def _reasons() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (text, re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(text)))) for text in TOLD_BY_DEVICES
    )
