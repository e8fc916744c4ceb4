"""Find the GPIO chip and the buses of the header among the kernel's devices, whose numbers vary.

The numbers in /dev follow the order in which drivers start, and change with the kernel: the header of a Pi 5 was
gpiochip4, then gpiochip0, then gpiochip11 (raspberrypi/linux#6144 and #7341). A chip is identified by its label, a bus
by its controller's node in the device tree.

Sources: include/uapi/linux/gpio.h; the labels in drivers/pinctrl/bcm/pinctrl-bcm2835.c and pinctrl-rp1.c; the nodes in
bcm283x.dtsi, bcm2711.dtsi and rp1.dtsi.
"""

from __future__ import annotations

import fcntl
import os
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from hardware.ports import BadDevice

HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The labels of the chips that drive the header: of the Pi 5, the Pi 4, and those before."""

Bus = Literal["spi", "i2c"]

_BCM: Mapping[Bus, tuple[int, ...]] = {
    "spi": (0x7E204000, 0x7E215080, 0x7E2150C0, 0x7E204600, 0x7E204800, 0x7E204A00, 0x7E204C00),
    "i2c": (0x7E205000, 0x7E804000, 0x7E805000, 0x7E205600, 0x7E205800, 0x7E205A00, 0x7E205C00),
}
"""Addresses of the BCM2835's to BCM2711's controllers, that of bus 0 first."""

_RP1: Mapping[Bus, tuple[int, ...]] = {
    "spi": (0x50000, 0x54000, 0x58000, 0x5C000, 0x60000, 0x64000),
    "i2c": (0x70000, 0x74000, 0x78000, 0x7C000),
}
"""Addresses of the RP1's controllers within it; Linux's own device trees add `_RP1_BASE`."""

_RP1_BASE = 0x40000000
_MUX = "i2c0mux"  # up to the Pi 4, one controller is switched between the header (i2c@0) and the camera (i2c@1)
_FOLDERS: Mapping[Bus, str] = {"spi": "sys/class/spi_master", "i2c": "sys/bus/i2c/devices"}

_CHIP_INFO, _GET_CHIP_INFO = struct.Struct("=32s32sI"), 0x8044B401
_LINE_INFO, _GET_LINE_INFO = struct.Struct("=32s32sIIQ176x"), 0xC100B405
_USED = 1


class GpioReader(Protocol):
    """The interface of a reader of GPIO chips. Each method raises OSError if the chip cannot be read."""

    def label(self, chip: Path) -> str:
        """Return the label of the chip behind a device file."""

    def consumer(self, chip: Path, line: int) -> str:
        """Return who holds a line of a chip, or "" if it is free."""


class KernelGpio:
    """A reader of GPIO chips through their device files, which claims no line. Implements `GpioReader`."""

    def label(self, chip: Path) -> str:
        """Return the label of a chip."""
        _, label, _ = _CHIP_INFO.unpack(_ask(chip, _GET_CHIP_INFO, bytes(_CHIP_INFO.size)))
        return _text(label)

    def consumer(self, chip: Path, line: int) -> str:
        """Return the name under which a line was claimed, "?" if that is empty, or "" for a free line."""
        answer = _ask(chip, _GET_LINE_INFO, _LINE_INFO.pack(b"", b"", line, 0, 0))
        _, consumer, _, _, flags = _LINE_INFO.unpack(answer)
        return (_text(consumer) or "?") if flags & _USED else ""


@dataclass(frozen=True, slots=True)
class GivenDevices:
    """The kernel devices that the configuration names, so that the program need not find them.

    Attributes:
        chip: the label of the header's GPIO chip, or its device file; empty: found by its label.
        spi: SPI bus of the header -> the kernel's number of it.
        i2c: I2C bus of the header -> the kernel's number of it.
    """

    chip: str = ""
    spi: Mapping[int, int] = field(default_factory=dict)
    i2c: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GpioChip:
    """One GPIO chip of the kernel: its number as in /dev/gpiochip11, and its label."""

    number: int
    label: str

    def __str__(self) -> str:
        return f"/dev/gpiochip{self.number} ({self.label})"


class KernelDevices:
    """The kernel's devices on one machine, for both the table and the doctor.

    Args:
        root: the folder with the machine's files; "/" for this one.
        given: the configured settings; none by default.
        gpio: reads GPIO chips; by default through their device files.
    """

    def __init__(
        self, root: Path = Path("/"), given: GivenDevices | None = None, gpio: GpioReader | None = None
    ) -> None:
        self.root = root
        self._given = given or GivenDevices()
        self._gpio = gpio or KernelGpio()

    def header_chip(self) -> GpioChip:
        """Return the GPIO chip to which the header's pins belong.

        Raises:
            BadDevice: there is no chip, none can be read, or no chip or several have the label; then the message lists
                the chips. Or the configured path is no chip that can be read.
        """
        if self._given.chip.startswith("/"):
            return self._given_chip()
        chips, unread = self._chips()
        labels = (self._given.chip,) if self._given.chip else HEADER_LABELS
        found = [chip for chip in chips if chip.label in labels]
        if len(found) == 1:
            return found[0]
        there = ", ".join(map(str, chips))
        if found or (chips and not unread):
            what = "several chips have" if found else "no chip has"
            where = f'[pi] gpio_chip = "{self._given.chip}"' if self._given.chip else " or ".join(HEADER_LABELS)
            raise BadDevice(
                f"pins: {what} the header's label ({where}): there are {there}; "
                'write the right one in [pi], such as gpio_chip = "/dev/gpiochip0"'
            )
        if unread:
            raise BadDevice(
                f"pins: {'; '.join(unread)}; see that the user is in the group gpio: sudo usermod -aG gpio NAME"
            )
        raise BadDevice("pins: there is no /dev/gpiochip*; run: sudo apt full-upgrade && sudo reboot")

    def consumers(self, pins: Iterable[int]) -> dict[int, str]:
        """Return who holds pins of the header: GPIO -> the holder's name. Free pins are omitted.

        Raises:
            BadDevice: the header's chip is not found, or does not answer.
        """
        chip = self.header_chip()
        path = self.root / f"dev/gpiochip{chip.number}"
        try:
            held = {pin: self._gpio.consumer(path, pin) for pin in pins}
        except OSError as error:
            raise BadDevice(
                f"pins: {chip} does not say who holds the pins: {error.strerror}; see `gpioinfo`"
            ) from error
        return {pin: holder for pin, holder in held.items() if holder}

    def bus_number(self, bus: Bus, number: int) -> int | None:
        """Return the kernel's number for one of the header's buses, or None if another bus has that number.

        If the kernel names no controllers, this is the bus's number on the header.
        """
        given = self._given.spi if bus == "spi" else self._given.i2c
        if number in given:
            return given[number]
        nodes = dict(self._nodes(bus))
        for kernel_number, node in sorted(nodes.items()):
            if node in _nodes_of(bus, number, muxed=any(_MUX in other for other in nodes.values())):
                return kernel_number
        # A node without an address is a bus that an overlay made of plain pins, with a number of the user's choice.
        taken = re.fullmatch(rf"{_MUX}/i2c@1|(?:spi|i2c)@[0-9a-f]{{5,}}", nodes.get(number, ""))
        return None if taken else number

    def spi_device(self, device: str) -> Path | None:
        """Return the device file for an SPI device of the header such as "0.1", or None without its bus."""
        bus, _, select = device.partition(".")
        number = self.bus_number("spi", int(bus))
        return None if number is None else Path(f"/dev/spidev{number}.{select}")

    def _given_chip(self) -> GpioChip:
        path = self._real(self.root / self._given.chip.lstrip("/"))
        name = re.fullmatch(r"gpiochip(\d+)", path.name)
        where = f'[pi] gpio_chip = "{self._given.chip}"'
        if name is None:
            raise BadDevice(f"pins: {where} is not a GPIO chip; write /dev/gpiochip and its number, or its label")
        try:
            return GpioChip(int(name[1]), self._gpio.label(path))
        except OSError as error:
            raise BadDevice(
                f"pins: {where} cannot be read: {error.strerror}; `gpiodetect` lists the existing chips"
            ) from error

    def _chips(self) -> tuple[list[GpioChip], list[str]]:
        """Return the chips that can be read, and the reasons why others cannot. Links to chips are omitted."""
        paths = {self._real(path) for path in self.root.glob("dev/gpiochip*")}
        chips, unread = [], []
        for path in paths:
            if (name := re.fullmatch(r"gpiochip(\d+)", path.name)) is None:
                continue
            try:
                chips.append(GpioChip(int(name[1]), self._gpio.label(path)))
            except OSError as error:
                unread.append(f"/dev/{path.name} cannot be opened: {error.strerror}")
        return sorted(chips, key=lambda chip: chip.number), sorted(unread)

    def _real(self, path: Path) -> Path:
        """Return the target of a link such as /dev/gpiochip4 -> gpiochip0, within the root folder."""
        return path.parent / path.readlink().name if path.is_symlink() else path

    def _nodes(self, bus: Bus) -> Iterator[tuple[int, str]]:
        """Yield the kernel's number of each bus of a kind, and the node of its controller: "i2c@7e804000"."""
        for folder in self.root.glob(f"{_FOLDERS[bus]}/{bus}*"):
            name = re.fullmatch(rf"{bus}-?(\d+)", folder.name)
            if name is not None and (folder / "of_node").is_symlink():
                node = (folder / "of_node").readlink()
                yield int(name[1]), f"{_MUX}/{node.name}" if node.parent.name == _MUX else node.name


def _nodes_of(bus: Bus, number: int, *, muxed: bool) -> tuple[str, ...]:
    """Return the nodes that one of the header's buses may have.

    `muxed` means that I2C bus 0 is behind a switch.
    """
    if muxed and (bus, number) == ("i2c", 0):
        return (f"{_MUX}/i2c@0",)
    addresses = [_BCM[bus][number]] if number < len(_BCM[bus]) else []
    if number < len(_RP1[bus]):
        addresses += [_RP1[bus][number], _RP1[bus][number] + _RP1_BASE]
    return tuple(f"{bus}@{address:x}" for address in addresses)


def _ask(chip: Path, code: int, question: bytes) -> bytes:
    file = os.open(chip, os.O_RDWR | os.O_CLOEXEC)
    try:
        return fcntl.ioctl(file, code, question)
    finally:
        os.close(file)


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode("utf-8", "replace")
