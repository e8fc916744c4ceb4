"""Create the devices that a configuration describes, each driver with its pins, buses and numbers.

A device that does not answer is no error: it is lost until it answers. A device that can never work is an error, such
as one whose package is not installed or whose pin another program holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack, closing
from functools import partial
from typing import Any, Protocol, TypeVar, runtime_checkable

from PIL import Image

from firmware_host.config.drivers.buttons_driver import ButtonSettings, button_pins, keys_on_pico
from firmware_host.config.drivers.neopixel_drivers import dark_milliamps, strips
from firmware_host.config.drivers.registry import DEVICES, input_count
from firmware_host.config.loader import Config
from firmware_host.table.outputs import limit_lamps
from hardware.backend import Absent, Backend, NoPanel
from hardware.background_output import BackgroundLamps, BackgroundPanel
from hardware.drivers.pin_factory import pin_factory
from hardware.drivers.pins import PiAccess
from hardware.ports import BadDevice, Clock, Closeable, HardwareError
from hardware.raspberry_pi.kernel_devices import KernelDevices
from hardware.raspberry_pi.power_watch import watch_supply

_D = TypeVar("_D", bound=Closeable)


@runtime_checkable
class _Threaded(Protocol):
    def late(self) -> float:
        """Return how many seconds the driver's thread is overdue."""


OUTPUTS = ("handset", "display", "lamps")
"""The outputs that can be turned off, the secret one first."""


def turn_off_output(output: str, config: Config, clock: Clock) -> None:
    """Turn off one of the outputs of a real board and wait until it is off.

    Args:
        output: one of `OUTPUTS`; a display that the board does not have is accepted.
        config: the board's configuration.
        clock: the real clock, or a test's.

    Raises:
        DeviceLost: the device does not answer.
        BadDevice: the device can never work on this machine.
        NotInstalled: the driver's package is missing.
    """
    device = config.devices[output]
    if not device.driver.real:
        return
    with closing(device.driver.make(device, _this_pi(config), clock)) as made:
        made.show(bytes(3 * made.count) if output == "lamps" else None)


def show_last_picture(picture: Image.Image, config: Config, clock: Clock, pi: PiAccess | None = None) -> None:
    """Show a picture on a real board's public display, where it stays while the display has power.

    Args:
        picture: the picture.
        config: the board's configuration; a board without a display is accepted.
        clock: the real clock, or a test's.
        pi: access to the devices, as for `make_devices`.

    Raises:
        DeviceLost, BadDevice, NotInstalled: as for `turn_off_output`.
    """
    device = config.devices["display"]
    if device.driver.real:
        device.driver.make(device, pi or _this_pi(config), clock).show(picture)  # not closed: it would go dark


def _this_pi(config: Config) -> PiAccess:
    kernel = KernelDevices(given=config.pi.given)
    return PiAccess(partial(pin_factory, config.pi.pin_factory, kernel), kernel=kernel)


def make_devices(
    config: Config, clock: Clock, pi: PiAccess | None = None, *, needed: Collection[str] = DEVICES
) -> Backend:
    """Create all devices of a real board.

    Args:
        config: the board's configuration.
        clock: the real clock, or a test's.
        pi: access to the devices; by default this machine's, through the configuration's pin factory.
        needed: those of `DEVICES` that must work; any other that cannot be created is lost, with the reason.

    Raises:
        BadDevice: the configuration is that of a simulated board, or a device can never work on this machine.
        NotInstalled: a driver's package is missing.
    """
    if config.simulated:
        raise BadDevice(f"{config.source}: {config.simulation}")
    pi = pi or _this_pi(config)
    devices = config.devices
    threads: dict[str, Callable[[], float]] = {}
    with ExitStack() as made:

        def make(name: str) -> Any:
            return devices[name].driver.make(devices[name], pi, clock)

        def screen(name: str) -> BackgroundPanel:
            return BackgroundPanel(make(name), clock, what=name)

        def kept(name: str, create: Callable[[], _D], count: int = 0) -> _D | Absent:
            try:
                one = create()
            except HardwareError as error:
                if name in needed:
                    raise
                return Absent(str(error), count=count, names=_button_names(config))
            made.callback(one.close)
            if isinstance(one, _Threaded):
                threads[name] = one.late
            return one

        settings = config.sections["lamps"]
        count, dark = (sum(numbers) for numbers in zip(*strips(settings, config.layout), strict=True))
        backend = Backend(
            kept("switches", lambda: make("switches"), input_count(devices["switches"])),
            limit_lamps(
                config,
                kept("lamps", lambda: BackgroundLamps(make("lamps"), clock), count - dark),
                dark_milliamps(settings, config.layout),
            ),
            kept("handset", lambda: screen("handset")) if devices["handset"].driver.real else NoPanel(),
            kept("display", lambda: screen("display")) if devices["display"].driver.real else None,
            kept("keys", lambda: make("keys")),
            clock,
            threads | {name: one.late for name, one in pi.shared_devices.items() if isinstance(one, _Threaded)},
            watch_supply(pi.kernel.root),
        )
        made.pop_all()
    return backend


def _button_names(config: Config) -> tuple[str, ...]:
    wanted: ButtonSettings = config.sections["keys"]
    return (*button_pins(wanted), *keys_on_pico(config.sections))
