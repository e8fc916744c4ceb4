"""gpiozero's mock pins, on a chip of pins that can go away and come back."""

from __future__ import annotations

from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin


class LoosePin(MockPin):  # type: ignore[misc]
    """A mock pin that answers nothing while its factory's chip is gone."""

    def __init__(self, factory: Any, info: Any) -> None:
        if factory.gone:
            raise OSError("GPIO not allocated")
        super().__init__(factory, info)

    def _get_state(self) -> Any:
        self._need_chip()
        return super()._get_state()

    def _set_function(self, value: str) -> None:
        self._need_chip()
        super()._set_function(value)

    def _enable_event_detect(self) -> None:
        if not self.factory.edges:
            raise RuntimeError("Failed to add edge detection")
        super()._enable_event_detect()

    def close(self) -> None:
        # What goes wrong here is gpiozero's to tell, and it tells it to nobody who could listen.
        if not self.factory.gone:
            super().close()

    def _set_pull(self, value: str) -> None:
        # A finger on the button is stronger than the pull-up.
        held = self.info in self.factory.grounded
        super()._set_pull(value)
        if held:
            self.drive_low()

    def _need_chip(self) -> None:
        if self.factory.gone:
            raise OSError("GPIO not allocated")


class LooseFactory(MockFactory):  # type: ignore[misc]
    """A factory of loose pins.

    Attributes:
        gone: whether the chip is away.
        edges: whether the kernel gives edges.
        grounded: the pins that something pulls to ground.
    """

    def __init__(self) -> None:
        super().__init__(pin_class=LoosePin)
        self.gone = False
        self.edges = True
        self.grounded: set[Any] = set()

    def ground(self, number: int) -> None:
        """Joins a pin to ground, by a button or an encoder's contact."""
        pin = self.pin(number)
        self.grounded.add(pin.info)
        pin.drive_low()

    def let_go(self, number: int) -> None:
        """Takes the pin off ground again: its pull-up has it."""
        pin = self.pin(number)
        self.grounded.discard(pin.info)
        pin.drive_high()
