"""Devices that cannot be made, on boards of which something else is to be tried or learned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from gpiozero import InputDevice

from firmware_host.cli import main
from firmware_host.config.drivers import registry
from firmware_host.config.loader import Config
from firmware_host.table import device_factory
from firmware_host.table.device_factory import DEVICES, make_devices
from hardware.backend import Absent, Backend
from hardware.drivers.pins import PiAccess
from hardware.ports import BadDevice, Clock, DeviceLost, NotInstalled
from hardware.sim.physics import SimClock
from tests.hardware.drivers.blinka_lamps import blinka, writer
from tests.table.test_device_factory import BUILDS, CONFIGS, Header, build, header, inner
from tests.uninstalled import uninstall

__all__ = ["blinka", "header", "uninstall", "writer"]  # fixtures


def made(header: Header, config: Config, *needed: str) -> Backend:
    return make_devices(config, SimClock(), PiAccess(lambda: header.factory, header.open_spi), needed=needed)


@pytest.mark.usefixtures("writer")
def test_a_device_that_is_not_needed_and_cannot_be_made_is_lost_with_the_reason(
    header: Header, uninstall: Callable[[str], None]
) -> None:
    uninstall("neopixel")
    backend = made(header, build("dice-matrix"), "switches")
    assert backend.lamps.count == 49
    with pytest.raises(DeviceLost, match=r"^lamps: neopixel-pwm needs .*pip install"):
        backend.lamps.show(bytes(3 * 49))
    assert backend.switches.read() == 0
    backend.close()
    with pytest.raises(NotInstalled):
        made(header, build("dice-matrix"), "lamps")


def test_a_key_that_another_program_holds_stops_nobody_who_needs_no_keys(header: Header) -> None:
    config = build("london-spi")
    with InputDevice(17, pull_up=True, pin_factory=header.factory):
        backend = made(header, config, *(name for name in DEVICES if name != "keys"))
        assert set(backend.keys.names) == {f"table.{key}" for key in config.keys.table} | {
            f"handset.{key}" for key in config.keys.handset
        }
        with pytest.raises(DeviceLost, match="GPIO 17"):
            backend.keys.read()
        backend.close()
        with pytest.raises(BadDevice):
            made(header, config, *DEVICES)


@pytest.mark.parametrize("name", BUILDS)
@pytest.mark.usefixtures("writer")
def test_devices_that_cannot_be_made_have_as_many_inputs_and_lamps_as_the_real_ones(
    header: Header, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    real = made(header, build(name), *DEVICES)
    counts = real.switches.count, real.lamps.count
    real.close()

    def refused(*_: object) -> None:
        raise BadDevice("no")

    monkeypatch.setattr(registry, "DRIVERS", tuple(replace(driver, make=refused) for driver in registry.DRIVERS))
    none = made(header, build(name))
    assert isinstance(none.switches, Absent)
    assert isinstance(inner(none.lamps), Absent)
    assert (none.switches.count, none.lamps.count) == counts
    none.close()


@pytest.mark.parametrize(
    ("words", "needed"),
    [
        (["wiring", "learn", "FILE"], ("switches",)),
        (["wiring", "learn", "FILE", "--what", "lamps"], ("lamps",)),
        (["wiring", "learn", "FILE", "--what", "log"], ("lamps",)),
        (["selftest", "FILE", "--keys"], ()),
    ],
)
def test_each_word_says_what_it_needs(monkeypatch: pytest.MonkeyPatch, words: list[str], needed: tuple[str]) -> None:
    asked: list[tuple[str, ...]] = []

    def noted(config: Config, clock: Clock, *, needed: tuple[str, ...]) -> Backend:  # noqa: ARG001
        asked.append(needed)
        raise BadDevice("that is enough")

    monkeypatch.setattr(device_factory, "make_devices", noted)
    file = str(CONFIGS / "junior-gpio.toml")
    with pytest.raises(SystemExit):
        main([file if word == "FILE" else word for word in words])
    assert asked == [needed]
