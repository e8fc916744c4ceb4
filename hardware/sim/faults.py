"""Break and repair parts of the simulated table, by the names that tests and protocols use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from hardware.sim.devices import POWER_TROUBLES, SPOILT, SimKeys, SimLamps, SimPanel, SimSupply, SimSwitches
from hardware.sim.physics import ContactFault, Contacts, SimError

SWITCH_FAULTS = ("stuck_open", "stuck_closed", "chatter", "worn", "ok")
"""The faults of one switch, "switch:N"; "ok" repairs it."""

LINE_FAULTS = ("unplug", "replug", "garbage", "slow", *SPOILT, "ok")
"""The faults of the switches' line, "switches" or "serial"; "ok" is "replug"."""

OUTPUT_FAULTS = ("unplug", "replug", "slow", "ok")
"""The faults of "lamps", "handset" and "display"; "ok" is "replug"."""

KEYS_FAULTS = ("unplug", "replug", "ok")
"""The faults of "keys", those of table and handset together; "ok" is "replug"."""

POWER_FAULTS = (*POWER_TROUBLES, "ok")
"""The faults of "power": the supply is too weak, or the processor too hot."""

HANDSET_KEYS = "handset."
"""The prefix of the names of the keys on the handset's cable."""


@dataclass
class Faults:
    """The faults that can occur at one simulated table.

    Attributes:
        spots: printed number of each station -> spot.
        contacts: the contacts under the board.
        line: the line that reads them.
        outputs: name -> device, None where the table has no such device.
        keys: the push buttons.
        supply: the power supply.
    """

    spots: Mapping[int, int]
    contacts: Contacts
    line: SimSwitches
    outputs: Mapping[str, SimLamps | SimPanel | None]
    keys: SimKeys
    supply: SimSupply
    _stuck: dict[int, str] = field(default_factory=dict)

    def broken(self) -> dict[str, str]:
        """Return the present faults, lasting ones and unplugged cables: device -> fault."""
        numbers = {spot: number for number, spot in self.spots.items()}
        broken = {f"switch:{numbers[spot]}": kind for spot, kind in self._stuck.items()}
        broken |= {self.line.name: self.line.spoilt} if self.line.spoilt else {}
        broken |= {self.supply.name: self.supply.kind} if self.supply.kind else {}
        cables = {self.line.name: self.line, self.keys.name: self.keys, **self.outputs}
        return broken | {name: "unplug" for name, device in cables.items() if device is not None and not device.plugged}

    def apply(self, device: str, kind: str) -> None:
        """Break or repair one part of the table.

        Args:
            device: "switch:N" (N the printed number), "switches", "serial", "keys", "power", or the name of an output.
            kind: one of SWITCH_FAULTS, LINE_FAULTS, KEYS_FAULTS, POWER_FAULTS or OUTPUT_FAULTS, depending on the
                device.

        Raises:
            SimError: the device does not exist, or cannot have this fault; nothing has changed.
        """
        family, _, number = device.partition(":")
        if family == "switch":
            self._apply_to_switch(device, number, kind)
        elif device in {"switches", "serial"}:
            self._apply_to_line(device, kind)
        elif device == "keys":
            _must_take(device, kind, KEYS_FAULTS)
            (self.keys.unplug if kind == "unplug" else self.keys.replug)()
        elif device == self.supply.name:
            _must_take(device, kind, POWER_FAULTS)
            self.supply.kind = "" if kind == "ok" else kind
        else:
            self._apply_to_output(device, kind)

    def _apply_to_switch(self, device: str, number: str, kind: str) -> None:
        spot = next((spot for named, spot in self.spots.items() if str(named) == number), None)
        if spot is None:
            raise SimError(
                f"there is no device {device!r}; switches are switch:N with N one of {list_numbers(self.spots)}"
            )
        _must_take(device, kind, SWITCH_FAULTS)
        self.contacts.fault(spot, cast("ContactFault", kind))
        self._stuck.pop(spot, None)
        if kind != "ok":
            self._stuck[spot] = kind

    def _apply_to_line(self, device: str, kind: str) -> None:
        _must_take(device, kind, LINE_FAULTS)
        line = self.line
        if kind in SPOILT:
            line.spoil(kind)
            return
        acts = {"unplug": line.unplug, "slow": line.slow, "garbage": line.garbage}
        acts.get(kind, line.replug)()

    def _apply_to_output(self, device: str, kind: str) -> None:
        if device not in self.outputs:
            names = ", ".join(self.outputs)
            raise SimError(
                f"there is no device {device!r}; devices are switch:N, switches, serial, keys, power, {names}"
            )
        output = self.outputs[device]
        if output is None:
            raise SimError(f'this table has no {device}; set [{device}] driver to "sim", or name another device')
        _must_take(device, kind, OUTPUT_FAULTS)
        acts = {"unplug": output.unplug, "slow": output.slow}
        acts.get(kind, output.replug)()
        if device == "handset" and kind != "slow":
            (self.keys.cut if kind == "unplug" else self.keys.mend)(HANDSET_KEYS)


def list_numbers(numbers: Iterable[int]) -> str:
    """Return numbers as text for a message: "1 to 199" for three or more without a gap, else all of them. Pure."""
    rising = sorted(numbers)
    if len(rising) > 2 and rising[-1] - rising[0] == len(rising) - 1:
        return f"{rising[0]} to {rising[-1]}"
    return ", ".join(map(str, rising))


def _must_take(device: str, kind: str, kinds: tuple[str, ...]) -> None:
    if kind not in kinds:
        raise SimError(f"{device} has no fault {kind!r}; its faults are {', '.join(kinds)}")
