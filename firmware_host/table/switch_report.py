"""Report the switches of one table: which are out of order and where, and how each has worked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from firmware_host.config.board_layout import BoardLayout, InputMapping
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.system.language import gettext_noop, translatable
from hardware.contacts.plausibility import PlausibilityFilter
from hardware.ports import Switches

Worked = dict[str, str | int | float | None]
"""How one switch has worked, as JSON values."""

_CHATTER = gettext_noop("chatter under {stations}")
_BROKEN = gettext_noop("broken under {stations}")
_WEAK = gettext_noop("weak under {stations}")
_AT = gettext_noop("{station} ({place})")
_LISTED = gettext_noop("{first}, {second}")
_TWO = gettext_noop("{first}; {second}")


class SwitchReport:
    """Report on the switches of one table.

    Args:
        switches: the device; knows the place of each input.
        line: knows the wear of each input's contact.
        order: the input of each spot.
    """

    def __init__(self, switches: Switches, line: PlausibilityFilter, order: InputMapping) -> None:
        self._switches, self._line, self._order = switches, line, order

    def place(self, layout: BoardLayout, station: int) -> str:
        """Return where a person finds the switch under a station: "chip 8, pin F"."""
        return self._switches.place(_input(layout, station))

    def trouble(self, layout: BoardLayout, register: SwitchRegister) -> str:
        """Return the faults of the line and of single switches, with their places, or "" if there are none."""
        line = self._line
        chatter, stuck = line.unreliable, mask_of(register.trials)
        weak = line.wear.weak & ~chatter & ~stuck
        found = [line.trouble] if line.trouble else []
        for what, mask in ((_CHATTER, chatter & ~stuck), (_BROKEN, stuck), (_WEAK, weak)):
            if stations := sorted(self._order.stations(layout, mask)):
                places = [translatable(_AT, station=station, place=self.place(layout, station)) for station in stations]
                found.append(translatable(what, stations=_joined(_LISTED, places)))
        return _joined(_TWO, found) if found else ""

    def worked(self, layout: BoardLayout, register: SwitchRegister, now: float) -> dict[str, Worked]:
        """Return how each station's switch has worked, without the switches that never did anything.

        By station: its number and the switch's place, the state ("ok", "weak", "chattering" or "masked"), how often it
        closed, its bounces, the longest of them in ms, when it last closed (clock seconds, or None), and for how many
        seconds it has been ignored.
        """
        wear = self._line.wear
        found: dict[str, Worked] = {}
        for station in sorted(filter(None, layout.stations)):
            number = _input(layout, station)
            state, ignored_s = self._state(register, number), wear.seconds_ignored(number, now)
            closed = wear.closed[number]
            if state == "ok" and not (wear.closures[number] or wear.bounces[number] or ignored_s):
                continue
            found[str(station)] = {
                "station": station,
                "input": number,
                "place": self._switches.place(number),
                "state": state,
                "closures": wear.closures[number],
                "bounces": wear.bounces[number],
                "longest_ms": round(1000 * wear.longest[number], 1),
                "last_closed": None if closed is None else round(closed, 1),
                "masked_s": round(ignored_s, 1),
            }
        return found

    def _state(self, register: SwitchRegister, number: int) -> str:
        if number in register.trials:
            return "masked"
        if self._line.unreliable >> number & 1:
            return "chattering"
        return "weak" if self._line.wear.weak >> number & 1 else "ok"


def mask_of(numbers: Iterable[int]) -> int:
    """Return a mask with a bit for each input."""
    return sum(1 << number for number in numbers)


def _input(layout: BoardLayout, station: int) -> int:
    return layout.input_of(layout.spot(station))


def _joined(text: str, parts: Sequence[str]) -> str:
    """Join parts with a text that has two placeholders. Each part can be translated later."""
    return reduce(lambda first, second: translatable(text, first=first, second=second), parts)
