"""gpiozero's mock pins, on a chip that can disappear and come back."""

from __future__ import annotations

from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin


class LoosePin(MockPin):  # type: ignore[misc]
    """A mock pin that fails while its factory's chip is gone, or another program holds the pin."""

    def __init__(self, factory: Any, info: Any) -> None:
        self._check_chip(factory, info)
        super().__init__(factory, info)

    def _get_state(self) -> Any:
        self._check_chip(self.factory, self.info)
        return super()._get_state()

    def _set_state(self, value: float) -> None:
        self._check_chip(self.factory, self.info)
        super()._set_state(value)

    def _set_function(self, value: str) -> None:
        self._check_chip(self.factory, self.info)
        super()._set_function(value)

    def _enable_event_detect(self) -> None:
        if not self.factory.edges:
            raise RuntimeError("Failed to add edge detection")
        super()._enable_event_detect()

    def close(self) -> None:
        # What goes wrong here is gpiozero's to tell, and it tells it to nobody who could listen.
        if not self.factory.lacks(self.info):
            super().close()

    def _set_pull(self, value: str) -> None:
        # A finger on the button is stronger than the pull-up.
        held = self.info in self.factory.grounded
        super()._set_pull(value)
        if held:
            self.drive_low()

    @staticmethod
    def _check_chip(factory: Any, info: Any) -> None:
        if factory.lacks(info):
            raise OSError("GPIO busy")


class LooseFactory(MockFactory):  # type: ignore[misc]
    """A factory of loose pins.

    Attributes:
        gone: whether the chip has disappeared.
        held: the numbers of the pins that another program holds.
        edges: whether the kernel reports edges.
        grounded: the pins that something pulls to ground.
    """

    def __init__(self, pin_class: type[LoosePin] = LoosePin) -> None:
        super().__init__(pin_class=pin_class)
        self.gone = False
        self.held: set[int] = set()
        self.edges = True
        self.grounded: set[Any] = set()

    def lacks(self, info: Any) -> bool:
        """Return whether a pin is not available."""
        return self.gone or info.name in {f"GPIO{number}" for number in self.held}

    def ground(self, number: int) -> None:
        """Connect a pin to ground, as a button or an encoder's contact does."""
        pin = self.pin(number)
        self.grounded.add(pin.info)
        pin.drive_low()

    def let_go(self, number: int) -> None:
        """Disconnect a pin from ground, so that its pull-up raises it."""
        pin = self.pin(number)
        self.grounded.discard(pin.info)
        pin.drive_high()
