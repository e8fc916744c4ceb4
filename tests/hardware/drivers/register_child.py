"""Drive RPi.GPIO on a simulated Pi for `registers`: create drivers, read them, and answer line by line."""

from __future__ import annotations

import json
import sys
from typing import Any

from hardware.drivers import pins
from hardware.drivers.buttons import ButtonKeys
from hardware.drivers.pin_factory import pin_factory
from hardware.drivers.pins import GpioSwitches
from hardware.ports import HardwareError


class Child:
    """The drivers that the parent has asked for."""

    def __init__(self) -> None:
        self.factory: Any = None
        self.device: Any = None

    def start(self) -> list[object]:
        self.factory = pin_factory("rpigpio")
        compiled = getattr(sys.modules.get("RPi._GPIO"), "__file__", None)
        return [type(self.factory).__name__, self.factory.board_info.model, compiled]

    def switches(self, pins: list[int]) -> None:
        self.device = GpioSwitches(pins, self.factory)

    def keys(self, pins: dict[str, int]) -> None:
        self.device = ButtonKeys(pins, self.factory)

    def matrix(self, rows: list[int], columns: list[int]) -> None:
        self.device = pins.MatrixSwitches(rows, columns, self.factory)

    def read(self) -> Any:
        return self.device.read()

    def close(self) -> None:
        self.device.close()


def say(words: object) -> None:
    print(json.dumps(words), flush=True)  # noqa: T201


def settle() -> None:
    """Replace the matrix's wait: the process that holds the registers now sets the columns."""
    say("settling")
    sys.stdin.readline()


def main() -> None:
    child = Child()
    pins._settle = settle
    for line in sys.stdin:
        what, *arguments = json.loads(line)
        try:
            say(getattr(child, what)(*arguments))
        except HardwareError as error:
            say({type(error).__name__: str(error)})


if __name__ == "__main__":
    main()
