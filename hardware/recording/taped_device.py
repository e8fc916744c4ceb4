"""Describe the devices of a session, recorded or played back."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from PIL import Image

from hardware.backend import Backend
from hardware.ports import BadDevice
from hardware.recording.tape import DISPLAY, SWITCHES


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFacts:
    """The constant properties of a session's devices.

    Attributes:
        inputs: number of inputs of the switches.
        places: input -> its place for people, for the existing ones.
        lamps: number of lamps.
        keys: the names of the keys.
        handset: width and height of the private panel.
        display: width and height of the public panel; None without one.
        power: whether the power supply was reported.
    """

    inputs: int
    places: Mapping[int, str]
    lamps: int
    keys: tuple[str, ...]
    handset: tuple[int, int]
    display: tuple[int, int] | None
    power: bool = False

    @staticmethod
    def of(backend: Backend) -> DeviceFacts:
        """Return the properties of these devices."""
        places = {}
        for number in range(backend.switches.count):
            with suppress(BadDevice):  # not every GPIO number is an input
                places[number] = backend.switches.place(number)
        return DeviceFacts(
            inputs=backend.switches.count,
            places=places,
            lamps=backend.lamps.count,
            keys=backend.keys.names,
            handset=backend.handset.size,
            display=None if backend.display is None else backend.display.size,
            power=backend.power is not None,
        )


class TapedDevice:
    """The base of recorded and of played devices: their constant properties.

    Args:
        track: the device, one of `hardware.recording.tape.TRACKS`.
        facts: the constant properties of the session's devices.
    """

    def __init__(self, track: str, facts: DeviceFacts) -> None:
        self._track = track
        self._places = facts.places
        self.count = facts.inputs if track == SWITCHES else facts.lamps
        self.names = facts.keys
        self.size = (track == DISPLAY and facts.display) or facts.handset

    def place(self, number: int) -> str:
        """Return an input's place for people, as `Switches.place`."""
        try:
            return self._places[number]
        except KeyError:
            raise BadDevice(f"switches: there is no input {number}") from None


def content_of(shown: bytes | Image.Image | None) -> bytes | None:
    """Return the bytes of a frame or a picture; None for dark."""
    return shown.tobytes() if isinstance(shown, Image.Image) else shown
