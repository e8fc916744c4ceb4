"""Read the contacts of a chain of 74HC165 shift registers, over SPI.

One pulse on the chips' load pin (SH/LD) samples all contacts at the same instant. At each rising edge of the clock the
next contact's bit then appears on QH of the chip next to the Pi, that chip's pin H first (SN74HC165 data sheet,
function table). The inputs of the last chip are wired to a fixed pattern, the sentinel. A chain that is cut, without
power, too short or out of step does not end in this pattern.

The sentinel cannot reveal one fault: a chip whose own load pin has come loose still passes the other chips' bits on.
Its own eight bits are then all equal to the level at the serial input (SER) of the last chip. So tie that input to
ground: then the eight stations of the faulty chip seem occupied, and people notice. Otherwise they would seem empty for
ever, and nobody might notice.

A board under construction has only its first chips, and its last one may hold contacts instead of the sentinel. Such a
chain is `partial`. Only two checks remain: beyond its end a partial chain must give zeros, because SER is grounded, and
its last chip must not be all zeros.
"""

from __future__ import annotations

from typing import Any, Protocol

from hardware.drivers.pins import PinGroup, output
from hardware.drivers.spi import Spi
from hardware.ports import BadDevice, DeviceLost, check_input

SENTINEL = 0b1001_0110
"""A good pattern for the last chip: its pins H, E, C, B to the supply and G, F, D, A to ground.

Shifted by one to seven bits either way, filled with zeros or ones, it equals neither itself nor any other of those
shifts, so the pattern reveals a slip's size and direction.
"""

READINGS = 3
"""Failed readings in a row after which the chain counts as lost: a spike on one of them is no loss."""

FURTHER = 2
"""Bytes read beyond the chain's end, once it is lost, to find a late sentinel."""

_PINS = "HGFEDCBA"

_MIRROR = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
"""Byte -> the same bits in reverse order: on SPI the first bit is the highest, in a mask the lowest."""


def is_weak(sentinel: int) -> bool:
    """Return whether a broken or slipping chain is likely to send this pattern by mistake.

    There are two kinds of weak patterns. A pattern with fewer than two ones or two zeros looks like a stuck line after
    a single wrong bit. A pattern may also begin and end with the same three or more bits, such as 101010 in 10101010.
    If the chain slips by the rest of the bits, these bits match themselves, and only few other bits show the slip.

    Args:
        sentinel: levels on the inputs of the last chip, pin H the highest bit, 0 to 255.
    """
    text = f"{sentinel:08b}"
    return min(text.count("0"), text.count("1")) < 2 or any(text[:size] == text[-size:] for size in range(3, 8))


class Load(Protocol):
    """The interface of the wire to the load pins of all chips."""

    def pulse(self) -> None:
        """Make the chips sample their inputs now.

        Raises:
            DeviceLost: the wire cannot be changed now.
        """

    def close(self) -> None:
        """Release the wire. This may be called twice."""


class LoadPin:
    """The wire to the SH/LD pins on a pin of the Pi. It is high, except during a pulse. Implements `Load`.

    A pulse by gpiozero lasts microseconds; the data sheet requires 0.1 µs at 2 V, less above.

    Args:
        pin: BCM GPIO number.
        factory: the gpiozero pin factory.

    Raises:
        BadDevice: the pin does not exist or serves another device.
    """

    def __init__(self, pin: int, factory: Any) -> None:
        self._group = PinGroup("switches", [(pin, output(pin, factory, active_high=False))])

    def pulse(self) -> None:
        """Make the chips sample their inputs now."""
        with self._group as (pin,):
            pin.on()
            pin.off()

    def close(self) -> None:
        """Release the pin. This may be called twice."""
        self._group.close()


class ShiftRegisterSwitches:
    """The contacts of a chain of 74HC165 chips. Implements `Switches`.

    Input *i* is on chip `i // 8`, counted from the Pi, at its pin `"HGFEDCBA"[i % 8]`.

    In SPI mode 2 the Pi reads before each rising edge, and so reads every input. In mode 1 it reads after the edge:
    input 0 has passed by then and always reads open. Mode 1 is still better, because its clock is low while the chips
    load, as the data sheet requires. The auxiliary SPI (SPI1) of Pis up to the 4 has no mode 1. In modes 0 and 3 the
    Pi would read at the very moment of the edge.

    Args:
        count: number of inputs. The least is 1, the most are all inputs without the last chip's, or with them if the
            chain is partial. In mode 1 input 0 is one of them.
        spi: the chain's clock and data, in `mode`. Closed with this device, as is `load`.
        load: the wire to the load pins.
        chips: number of chips, the one with the sentinel among them.
        sentinel: levels on the inputs of the last chip, pin H the highest bit; `SENTINEL` is a good one.
        mode: SPI mode, 1 or 2.
        active_low: whether a closed contact pulls its input to ground, as it does with pull-up resistors.
        partial: whether these are only the first chips of a board, the last one with or without the sentinel.

    Attributes:
        chips: number of chips.
        partial: as above.
        has_sentinel: whether the last chip showed the sentinel at the last good reading; always, unless `partial`.

    Raises:
        BadDevice: a value out of its range.
    """

    def __init__(
        self,
        count: int,
        *,
        spi: Spi,
        load: Load,
        chips: int,
        sentinel: int,
        mode: int,
        active_low: bool = True,
        partial: bool = False,
    ) -> None:
        if chips < 2 - partial:
            raise BadDevice(f"switches: {chips} chips; it needs at least 2, one for contacts and one for the sentinel")
        most = 8 * (chips - 1 + partial)
        if not 1 <= count <= most:
            raise BadDevice(
                f"switches: {count} inputs on {chips} chips; "
                f"{'' if partial else 'the last one holds the sentinel, so '}there can be 1 to {most}"
            )
        if not 0 < sentinel < 0xFF:
            raise BadDevice(
                f"switches: a sentinel of {sentinel:#04x}; a line that is stuck reads 0x00 or 0xff, "
                f"choose one between, such as {SENTINEL:#04x}"
            )
        if mode not in {1, 2}:
            raise BadDevice(f"switches: SPI mode {mode}; a 74HC165 is read in mode 1, or in mode 2 on SPI1 of a Pi 4")
        self.count = count
        self.chips = chips
        self.partial = partial
        self.has_sentinel = not partial
        self._spi = spi
        self._load = load
        self._sentinel = sentinel
        self._missing_bits = 1 if mode == 1 else 0
        # All are ints whose bit i is input i of the chain.
        self._end = 8 * (chips - 1)
        self._size = chips + partial  # bytes of a reading
        self._whole = (1 << 8 * self._size) - 1
        self._good_end = _MIRROR[sentinel] & ~(self._missing_bits if chips == 1 else 0)
        self._inputs = (1 << count) - 1 & ~self._missing_bits
        self._open = self._inputs if active_low else 0
        self._last_data: bytes | None = None
        self._closed = 0

    def read(self) -> int:
        """Return one raw sample of all contacts. See `Switches.read`.

        Raises:
            DeviceLost: the bus cannot be reached, or the chain does not end in its sentinel (a partial one: in zeros);
                the message says how.
        """
        for _ in range(READINGS):
            data = self._scan(self._size)
            if data == self._last_data:
                return self._closed
            if len(data) != self._size:
                continue
            chain = self._in_order(data) & self._whole
            if self._is_sound(chain):
                self._last_data = data
                self.has_sentinel = self._last_chip(chain) == self._good_end
                shown = self._inputs & (1 << self._end) - 1 if self.has_sentinel else self._inputs
                self._closed = (chain ^ self._open) & shown
                return self._closed
        raise DeviceLost(f"switches: {self._diagnosis()}")

    def place(self, number: int) -> str:
        """Return where a person finds an input: "chip 8, pin F", counted from 1. See `Switches.place`."""
        check_input(number, self.count)
        return f"chip {number // 8 + 1}, pin {_PINS[number % 8]}"

    def close(self) -> None:
        """Release the bus and the load pin. This may be called twice."""
        self._spi.close()
        self._load.close()

    def _last_chip(self, chain: int) -> int:
        return chain >> self._end & 0xFF

    def _is_sound(self, chain: int) -> bool:
        """Return whether a reading ends as it must: with the sentinel, or with the zeros after a partial chain."""
        if self.partial:
            return chain >> 8 * self.chips == 0 and self._last_chip(chain) != 0
        return self._last_chip(chain) == self._good_end

    def _scan(self, size: int) -> bytes:
        self._load.pulse()
        return self._spi.transfer(bytes(size))

    def _in_order(self, data: bytes) -> int:
        """Return a reading as an int in which bit *i* is input *i*."""
        return int.from_bytes(data.translate(_MIRROR), "little") << self._missing_bits

    def _diagnosis(self) -> str:
        """Return what is wrong with the chain, after reading beyond its end.

        Beyond its end a chain repeats the level of its serial input. So the last bits are all equal, and the search for
        the sentinel is just before them.
        """
        size = self.chips + FURTHER
        data = self._scan(size)
        if len(data) != size:
            return f"{len(data)} of {size} bytes came back; see the cable to what reads the chain"
        bits = f"{self._in_order(data):0{8 * size}b}"[::-1]
        # A lost first bit is assumed to equal its neighbour, so that places in `bits` are those in the chain.
        bits = bits[1] * self._missing_bits + bits[self._missing_bits : 8 * size]
        tail = len(bits.rstrip(bits[-1]))
        if tail == 0:
            return (
                f"every bit of the chain is {bits[0]}; see that the first chip has power, that its QH reaches "
                "the Pi, and that clock and load reach the chips"
            )
        wanted = f"{self._sentinel:08b}"
        for start in range(max(0, tail - 8), tail):
            if bits.startswith(wanted, start):
                return self._slipped(self._end - start)
        if self.partial and (tail > self._end or bits[-1] == "1"):
            if self._is_sound(self._in_order(data[: self._size]) & self._whole):
                return self._slipped(0)
            return (
                f"behind chip {self.chips} the chain does not end in zeros; count the chips, and connect SER of the "
                "last one to ground"
            )
        if tail > self._end:
            last = bits[self._end : self._end + 8]
            return f"the last chip shows {last}, not its sentinel {wanted}; see the wires of its inputs, H to A"
        return (
            f"the chain does not end in its sentinel {wanted}: from chip {-(-tail // 8) + 1} on every bit is "
            f"{bits[-1]}; look there and further for power, clock and load, and the wire from the chip before"
        )

    def _slipped(self, early: int) -> str:
        """Return the fault, in words, that makes the sentinel come `early` bits too early (too late if negative)."""
        if early == 0:
            return (
                f"{READINGS} readings in a row were spoiled, the next was good; look for a loose wire, "
                "or lower the speed of the bus"
            )
        if early % 8 == 0:
            chips = abs(early) // 8
            number = "one chip" if chips == 1 else f"{chips} chips"
            if early > 0:
                return f"the chain is {number} short of {self.chips}; count them, and see that none is bridged"
            return f"the chain is {number} longer than {self.chips}; count them, and see that none is bridged"
        number = "1 bit" if abs(early) == 1 else f"{abs(early)} bits"
        if early > 0:
            return (
                f"the sentinel comes {number} early: the chips count more edges of the clock than the Pi sends; "
                "see the clock's wire and its ground, and that the SPI mode is right"
            )
        return (
            f"the sentinel comes {number} late: the chips count fewer edges of the clock than the Pi sends; "
            "see the clock's wire and its ground, and that the SPI mode is right"
        )
