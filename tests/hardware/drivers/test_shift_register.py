"""The chain of 74HC165: every contact where it was soldered, and every fault that its last chip can show."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from gpiozero import Device
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.drivers.shift_register import READINGS, SENTINEL, LoadPin, ShiftRegisterSwitches, is_weak
from hardware.ports import BadDevice, DeviceLost, Switches
from tests.amount import amount
from tests.hardware.drivers.shift_register_model import (
    LOAD,
    DirectLoad,
    EdgeSpi,
    RaceError,
    ShiftRegisterChain,
    SoftwareSpi,
    soldered,
)

CHIPS = 26
COUNT = 200
"""199 stations, and input 0 that mode 1 cannot read."""

CONTACTS = (1 << COUNT) - 1
MODES = pytest.mark.parametrize("mode", [1, 2])


class ChainBench:
    def __init__(
        self,
        mode: int,
        *,
        chips: int = CHIPS,
        told: int | None = None,
        serial_in: int = 0,
        sentinel: int | None = SENTINEL,
        partial: bool = False,
    ) -> None:
        self.chain = ShiftRegisterChain(chips, sentinel=sentinel, serial_in=serial_in)
        self.spi = EdgeSpi(self.chain, mode)
        self.load = DirectLoad(self.chain)
        told = chips if told is None else told
        self.switches = ShiftRegisterSwitches(
            8 * (told - 1 + partial),
            spi=self.spi,
            load=self.load,
            chips=told,
            sentinel=SENTINEL,
            mode=mode,
            partial=partial,
        )
        self.readable = (1 << self.switches.count) - (2 if mode == 1 else 1)

    def lost(self) -> str:
        """What it says of a chain that is lost."""
        with pytest.raises(DeviceLost) as complaint:
            self.switches.read()
        assert str(complaint.value).startswith("switches: ")
        return str(complaint.value)


@MODES
def test_every_contact_alone_is_seen_where_it_is(mode: int) -> None:
    bench = ChainBench(mode)
    for i in range(COUNT):
        bench.chain.touch(1 << i)
        assert bench.switches.read() == (1 << i) & bench.readable
    assert bench.spi.sizes == [CHIPS] * COUNT
    assert bench.chain.loads == COUNT


@MODES
@given(chips=st.integers(2, 5), data=st.data())
@settings(max_examples=30, deadline=None)
def test_chains_of_any_length_and_sentinel_are_read(mode: int, chips: int, data: st.DataObject) -> None:
    sentinel = data.draw(st.integers(1, 254))
    count = data.draw(st.integers(1, 8 * (chips - 1)))
    chain = ShiftRegisterChain(chips, sentinel=sentinel, serial_in=data.draw(st.integers(0, 1)))
    switches = ShiftRegisterSwitches(
        count, spi=EdgeSpi(chain, mode), load=DirectLoad(chain), chips=chips, sentinel=sentinel, mode=mode
    )
    mask = data.draw(st.integers(0, (1 << 8 * (chips - 1)) - 1))
    chain.touch(mask)
    assert switches.read() == mask & ((1 << count) - 1) & (-2 if mode == 1 else -1)


@MODES
def test_gpiozero_s_own_spi_reads_the_same_chain(mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = ShiftRegisterChain(CHIPS, sentinel=SENTINEL)
    factory = soldered(chain)
    monkeypatch.setattr(Device, "pin_factory", factory)  # its software SPI asks for the default one in one place
    switches = ShiftRegisterSwitches(
        COUNT, spi=SoftwareSpi(factory, mode), load=LoadPin(LOAD, factory), chips=CHIPS, sentinel=SENTINEL, mode=mode
    )
    for mask in (0, CONTACTS, 1, 2, 1 << 199, 0x5A5A << 60, int("01" * 100, 2)):
        chain.touch(mask)
        assert switches.read() == mask & (-2 if mode == 1 else -1)
    assert chain.loads == 7
    switches.close()
    switches.close()
    assert factory.pin(LOAD).function == "input"


@pytest.mark.parametrize("mode", [0, 3])
def test_the_other_modes_would_look_while_the_chips_move_on(mode: int) -> None:
    chain = ShiftRegisterChain(2, sentinel=SENTINEL)
    with pytest.raises(RaceError):
        EdgeSpi(chain, mode).transfer(b"\0")
    with pytest.raises(BadDevice, match=f"SPI mode {mode}"):
        ShiftRegisterSwitches(
            8, spi=EdgeSpi(chain, mode), load=DirectLoad(chain), chips=2, sentinel=SENTINEL, mode=mode
        )


# ---- the first chips of a board that is being built ----


first_chips = partial(ChainBench, partial=True)


@MODES
@pytest.mark.parametrize("chips", [1, 2, 3])
@pytest.mark.parametrize("sentinel", [SENTINEL, None])
def test_the_first_chips_of_a_board_are_read_with_a_sentinel_and_without(
    mode: int, chips: int, sentinel: int | None
) -> None:
    bench = first_chips(mode, chips=chips, sentinel=sentinel)
    lost = 1 if mode == 1 else 0  # input 0
    assert bench.switches.read() == 0
    assert bench.switches.has_sentinel is (sentinel is not None)
    for i in range(8 * chips):
        bench.chain.touch(1 << i)
        seen = i >= lost and i < bench.chain.contacts
        assert bench.switches.read() == (1 << i if seen else 0)
    assert bench.switches.has_sentinel is (sentinel is not None)


@MODES
def test_without_a_sentinel_a_chain_without_power_or_end_is_lost_all_the_same(mode: int) -> None:
    bench = first_chips(mode, chips=1, sentinel=None)
    bench.chain.chips[0].powered = False
    assert "every bit of the chain is 0" in bench.lost()
    assert "every bit of the chain is 1" in first_chips(mode, chips=1, sentinel=None, serial_in=1).lost()
    high = first_chips(mode, chips=2, sentinel=None, serial_in=1)
    high.chain.touch(1 << 3)
    assert "behind chip 2 the chain does not end in zeros; count the chips, and connect SER of the last" in high.lost()
    cut = first_chips(mode, chips=3, sentinel=None)
    cut.chain.chips[2].powered = False
    assert "from chip 3 on every bit is 0" in cut.lost()
    assert "one chip longer than 1" in first_chips(mode, chips=2, told=1).lost()
    assert "behind chip 1 the chain does not end in zeros" in first_chips(mode, chips=2, told=1, sentinel=None).lost()


def test_one_spoiled_reading_of_the_first_chips_is_no_loss_and_three_say_so() -> None:
    bench = first_chips(1, chips=1, sentinel=None)
    assert bench.switches.read() == 0
    bench.spi.noise = {1: b"\0\xff"}
    assert bench.switches.read() == 0
    bench.spi.noise = dict.fromkeys(range(3, 6), b"\0\xff")
    assert "3 readings in a row were spoiled, the next was good" in bench.lost()


def test_a_whole_chain_of_one_chip_is_refused() -> None:
    chain = ShiftRegisterChain(1, sentinel=None)
    for few, told in ((False, "1 chips; it needs at least 2"), (True, "9 inputs on 1 chips; there can be 1 to 8")):
        with pytest.raises(BadDevice, match=told):
            ShiftRegisterSwitches(
                9, spi=EdgeSpi(chain, 1), load=DirectLoad(chain), chips=1, sentinel=SENTINEL, mode=1, partial=few
            )


@MODES
def test_a_human_finds_the_very_pin(mode: int) -> None:
    bench = ChainBench(mode)
    for i in (1, 7, 8, 61, 62, 198, 199):
        chip, pin = bench.switches.place(i).removeprefix("chip ").split(", pin ")
        bench.chain.touch(0)
        bench.chain.chips[int(chip) - 1].inputs["ABCDEFGH".index(pin)] = 0
        assert bench.switches.read() == 1 << i
    assert bench.switches.place(0) == "chip 1, pin H"
    assert bench.switches.place(58) == "chip 8, pin F"
    for wrong in (-1, COUNT):
        with pytest.raises(BadDevice, match="inputs are 0 to 199"):
            bench.switches.place(wrong)


@MODES
def test_contacts_to_the_supply_close_high(mode: int) -> None:
    chain = ShiftRegisterChain(3, sentinel=SENTINEL)
    switches = ShiftRegisterSwitches(
        16, spi=EdgeSpi(chain, mode), load=DirectLoad(chain), chips=3, sentinel=SENTINEL, mode=mode, active_low=False
    )
    chain.touch(0xFFFF & ~0x0810)
    assert switches.read() == 0x0810


def test_all_contacts_are_taken_at_the_same_instant() -> None:
    bench = ChainBench(1)
    bench.chain.touch(0b110)
    shift, seen = bench.chain.set_clock, []

    def bumped(level: int) -> None:
        seen.append(level)
        bench.chain.touch(0)
        shift(level)

    bench.chain.set_clock = bumped  # type: ignore[method-assign]
    assert bench.switches.read() == 0b110
    assert seen


def broken_miso(level: int) -> Callable[[ShiftRegisterChain], None]:
    def spoil(chain: ShiftRegisterChain) -> None:
        chain.miso_stuck = level

    return spoil


def broken_load(level: int) -> Callable[[ShiftRegisterChain], None]:
    def spoil(chain: ShiftRegisterChain) -> None:
        chain.load_stuck = chain.load = level

    return spoil


def no_power(number: int) -> Callable[[ShiftRegisterChain], None]:
    def spoil(chain: ShiftRegisterChain) -> None:
        chain.chips[number - 1].powered = False

    return spoil


@MODES
@pytest.mark.parametrize("touched", [0, 0b10, 1 << 99, CONTACTS, int("0110" * 50, 2)])
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (broken_miso(0), "every bit of the chain is 0"),
        (broken_miso(1), "every bit of the chain is 1"),
        (no_power(1), "every bit of the chain is 0"),
        (broken_load(0), "every bit of the chain is"),
        (broken_load(1), "every bit of the chain is 0"),
    ],
    ids=["data low", "data high", "first chip without power", "load low", "load high"],
)
def test_a_dead_line_is_found(mode: int, touched: int, spoil: Callable[[ShiftRegisterChain], None], said: str) -> None:
    bench = ChainBench(mode)
    bench.switches.read()
    bench.chain.touch(touched)
    spoil(bench.chain)
    assert said in bench.lost()


@MODES
@pytest.mark.parametrize("number", [2, 8, 25])
def test_a_chip_without_power_is_found_and_named(mode: int, number: int) -> None:
    bench = ChainBench(mode)
    bench.chain.touch(0b1000_0001)
    no_power(number)(bench.chain)
    complaint = bench.lost()
    assert f"does not end in its sentinel {SENTINEL:08b}: from chip {number} on every bit is 0" in complaint


@MODES
@pytest.mark.parametrize("serial_in", [0, 1])
def test_a_sentinel_with_a_wrong_wire_is_shown_as_it_is(mode: int, serial_in: int) -> None:
    for stage in range(8):
        bench = ChainBench(mode, serial_in=serial_in)
        bench.chain.touch(0b110)
        bench.chain.chips[-1].inputs[stage] ^= 1
        assert f"the last chip shows {SENTINEL ^ 1 << stage:08b}, not its sentinel {SENTINEL:08b}" in bench.lost()


@MODES
def test_a_load_wire_broken_on_its_way_is_found(mode: int) -> None:
    for number in range(1, CHIPS + 1):
        bench = ChainBench(mode)
        bench.switches.read()
        for chip in bench.chain.chips[number - 1 :]:
            chip.load_wire = False
        bench.chain.touch(1 << 5)
        bench.lost()


@MODES
@pytest.mark.parametrize("serial_in", [0, 1])
def test_one_chip_s_own_load_pin_cannot_be_found_but_with_a_grounded_chain_it_shows_eight_contacts(
    mode: int, serial_in: int
) -> None:
    bench = ChainBench(mode, serial_in=serial_in)
    bench.chain.chips[4].load_wire = False
    bench.switches.read()
    assert bench.switches.read() == (0 if serial_in else 0xFF << 32)


@MODES
@pytest.mark.parametrize(
    ("chips", "said"),
    [
        (CHIPS - 2, "2 chips short of 26"),
        (CHIPS - 1, "one chip short of 26"),
        (CHIPS + 1, "one chip longer than 26"),
        (CHIPS + 2, "2 chips longer than 26"),
    ],
)
@given(serial_in=st.integers(0, 1), mask=st.integers(0, CONTACTS))
@settings(max_examples=amount(8, 16), deadline=None)
def test_a_chain_of_another_length_is_found_and_told(
    mode: int, serial_in: int, chips: int, said: str, mask: int
) -> None:
    bench = ChainBench(mode, chips=chips, told=CHIPS, serial_in=serial_in)
    bench.chain.touch(mask)
    assert said in bench.lost()


@MODES
@pytest.mark.parametrize("slips", [1, 2, 7])
@given(serial_in=st.integers(0, 1), mask=st.integers(0, CONTACTS), first=st.integers(0, 180))
@settings(max_examples=amount(8, 16), deadline=None)
def test_a_slip_is_found_and_measured(mode: int, serial_in: int, slips: int, mask: int, first: int) -> None:
    number = "1 bit" if slips == 1 else f"{slips} bits"
    for kind, said in (("spikes", "early"), ("deaf_edges", "late")):
        bench = ChainBench(mode, serial_in=serial_in)
        bench.chain.touch(mask)
        setattr(bench.chain, kind, set(range(first, first + slips)))
        assert f"the sentinel comes {number} {said}" in bench.lost()


@MODES
@pytest.mark.parametrize("spoiled", range(1, READINGS))
def test_a_spike_on_a_reading_or_two_is_no_loss(mode: int, spoiled: int) -> None:
    bench = ChainBench(mode)
    bench.chain.touch(0b1100)
    for number in range(spoiled):
        bench.spi.noise[number] = b"\xff" * CHIPS
    assert bench.switches.read() == 0b1100
    assert len(bench.spi.sizes) == spoiled + 1


@MODES
def test_readings_that_stay_spoiled_are_a_loss_and_the_chain_comes_back_by_itself(mode: int) -> None:
    bench = ChainBench(mode)
    bench.chain.touch(0b1100)
    for number in range(READINGS):
        bench.spi.noise[number] = b"\xff" * CHIPS
    assert f"{READINGS} readings in a row were spoiled" in bench.lost()
    assert bench.switches.read() == 0b1100


def test_a_lost_bus_is_told_as_it_is() -> None:
    bench = ChainBench(1)
    bench.spi.raised.append(DeviceLost("switches: /dev/spidev0.0 does not answer"))
    assert "spidev0.0" in bench.lost()
    assert bench.switches.read() == 0


@pytest.mark.parametrize("size", [0, 1, CHIPS - 1])
def test_an_answer_that_is_too_short_is_a_reading_that_failed(size: int) -> None:
    bench = ChainBench(1)
    whole, short = bench.spi.transfer, 0

    def cut(data: bytes) -> bytes:
        nonlocal short
        short -= 1
        return whole(data)[:size] if short >= 0 else whole(data)

    bench.spi.transfer = cut  # type: ignore[method-assign]
    bench.chain.touch(0b110)
    short = READINGS + 1
    assert f"{size} of {CHIPS + 2} bytes came back" in bench.lost()
    for short in (READINGS, READINGS - 1):
        if short == READINGS:
            assert "readings in a row were spoiled" in bench.lost()
        else:
            assert bench.switches.read() == 0b110


def test_the_bit_that_is_gone_does_not_complete_a_short_answer() -> None:
    chain = ShiftRegisterChain(2, sentinel=0x80)
    spi = EdgeSpi(chain, 1)
    spi.transfer = lambda _: b"\x01"  # type: ignore[method-assign]
    switches = ShiftRegisterSwitches(8, spi=spi, load=DirectLoad(chain), chips=2, sentinel=0x80, mode=1)
    with pytest.raises(DeviceLost, match="1 of 4 bytes came back"):
        switches.read()


def weak_by_hand(sentinel: int) -> bool:
    """Whether a slip by one to five bits may show the same eight bits, or there is but one bit of a kind."""
    slips = any(sentinel >> k == sentinel & (0xFF >> k) for k in range(1, 6))
    return slips or not 2 <= sentinel.bit_count() <= 6


def test_weak_sentinels_are_known() -> None:
    assert not is_weak(SENTINEL)
    assert [n for n in range(256) if is_weak(n)] == [n for n in range(256) if weak_by_hand(n)]
    for weak in (0x00, 0xFF, 0x01, 0x80, 0xFE, 0xAA, 0x55, 0x92, 0x6D):
        assert is_weak(weak), f"{weak:08b}"
    for good in (0x96, 0x69, 0xA6, 0x1D, 0xC3):
        assert not is_weak(good), f"{good:08b}"


def test_it_is_a_device_of_switches_and_closes_what_it_was_given() -> None:
    bench = ChainBench(1)
    assert isinstance(bench.switches, Switches)
    assert bench.switches.count == COUNT
    bench.switches.close()
    assert (bench.spi.closed, bench.load.closed) == (1, 1)
