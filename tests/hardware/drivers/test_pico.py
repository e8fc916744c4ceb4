"""The driver for a Pico: what it understands, and what it makes of a spoiled line."""

from __future__ import annotations

import random
import threading
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from serial import Serial

from hardware.drivers.pico import ASK, STALE, PicoSwitches
from hardware.ports import BadDevice, Switches
from tests.hardware.drivers.pico_bench import (
    CHIPS,
    COUNT,
    SENTINEL,
    BenchClock,
    Open,
    Plug,
    Spoiler,
    StillClock,
    complaint,
    listens,
    opened_fixture,  # noqa: F401
    plugged_fixture,  # noqa: F401
    seen,
    wait_to_read,
)
from tests.hardware.firmware.rig import levels
from tests.waiting import until

# ---- through a sound line --------------------------------------------------------------------------------------------


def test_contacts_that_close_are_read(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    rig.set_contacts(1 << 58)
    switches = opened(rig.port)
    assert isinstance(switches, Switches)
    wait_to_read(switches, 1 << 58)
    for mask in (0, 1 << 1, 1 << 199, (1 << 200) - 2, random.Random(7).getrandbits(199) << 1):
        rig.set_contacts(mask)
        wait_to_read(switches, mask)
    counters = switches.counters
    assert counters.connects == 1
    assert (counters.crc_errors, counters.missed) == (0, 0)
    assert counters.frames >= 7


def test_input_0_has_gone_by_before_the_pico_looks(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    rig.set_contacts(0b11)
    switches = opened(rig.port)
    wait_to_read(switches, 0b10)


def test_inputs_beyond_the_count_are_left_out(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    rig.set_contacts((1 << 200) - 1)
    wait_to_read(opened(rig.port, count=9), 0x1FE)


def test_places_are_those_of_the_chain(opened: Open, tmp_path: Path) -> None:
    switches = opened(str(tmp_path / "none"))
    assert switches.count == COUNT
    assert switches.place(58) == "chip 8, pin F"
    with pytest.raises(BadDevice, match="no input 200"):
        switches.place(200)


def test_a_reading_never_waits_for_the_line(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    switches = opened(rig.port)
    wait_to_read(switches, 0)
    rig.freeze()
    frames = switches.counters.frames
    for _ in range(1000):
        switches.read()
    # A Pico that is out of time sends nothing, and still a thousand readings were answered from the few reports that it
    # had sent before, of which some may have been on their way.
    assert switches.counters.frames < frames + 100


def slipped(early: int) -> bytes:
    """What comes off a chain whose chips count so many edges more than there are, or fewer if negative."""
    whole = levels(0, CHIPS, SENTINEL).ljust(CHIPS + 2, b"\0")
    bits = int.from_bytes(whole, "big")
    bits = bits << early & (1 << 8 * len(whole)) - 1 if early > 0 else bits >> -early
    return bits.to_bytes(len(whole), "big")


# ---- a chain that is not whole ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (levels(0, CHIPS - 1, SENTINEL), "the chain is one chip short of 26"),
        (slipped(1), "the sentinel comes 1 bit early"),
        (slipped(3), "the sentinel comes 3 bits early"),
        (slipped(-1), "the sentinel comes 1 bit late"),
        (bytes(CHIPS + 2), "every bit of the chain is 0"),
        (b"\xff" * 60, "every bit of the chain is 1"),
        (b"\xff" * 10, "does not end in its sentinel"),
    ],
)
def test_a_broken_chain_is_diagnosed_as_on_the_pi_itself(opened: Open, plugged: Plug, broken: bytes, why: str) -> None:
    rig = plugged()
    switches = opened(rig.port)
    wait_to_read(switches, 0)
    rig.set_levels(broken.ljust(64, b"\0"))
    until(lambda: why in complaint(switches), why)
    rig.set_contacts(2)
    wait_to_read(switches, 2)


# ---- a line that is not sound ----------------------------------------------------------------------------------------


def test_noise_and_lost_bytes_delay_what_is_read_but_never_change_it(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    to_host, to_pico = Spoiler(1, 60), Spoiler(2, 20)
    rig.to_host, rig.to_pico = to_host, to_pico
    switches = opened(rig.port)
    chance = random.Random(3)
    old = 0
    for _ in range(12):
        new = chance.getrandbits(199) << 1
        rig.set_contacts(new)

        def settled(old: int = old, new: int = new) -> bool:
            mask = seen(switches)
            # A contact that has not moved reads as ever.
            assert mask is None or (mask ^ new) & ~(old ^ new) == 0
            return mask == new

        until(settled, f"{new:#x} through the noise")
        old = new
    until(lambda: switches.counters.resends, "a lost acknowledgement")
    assert to_host.spoiled
    assert to_pico.spoiled
    assert switches.counters.crc_errors


def test_a_pico_that_starts_anew_in_the_midst_of_a_frame_is_asked_again(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    cut = threading.Event()

    def half(data: bytes) -> bytes:
        if cut.is_set():
            return b""
        cut.set()
        return data[: len(data) // 2]

    switches = opened(rig.port)
    wait_to_read(switches, 0)
    rig.to_host = half
    until(cut.is_set, "half a frame")
    rig.reset()
    rig.set_contacts(1 << 77)
    rig.to_host = bytes
    wait_to_read(switches, 1 << 77)
    assert switches.counters.connects >= 2
    assert switches.counters.crc_errors


def test_a_pulled_cable_is_noticed_at_once_and_comes_back_by_itself(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    # No report grows old here: it is the port's going that is noticed.
    switches = opened(rig.port, clock=StillClock())
    wait_to_read(switches, 0)
    for _ in range(2):
        rig.unplug()
        until(lambda: "cable" in complaint(switches), "the loss")
        until(lambda: "there is no such port" in complaint(switches), "the reason")
        assert rig.port in complaint(switches)
        rig.set_contacts(1 << 5)
        rig.replug()
        wait_to_read(switches, 1 << 5)
    assert switches.counters.connects == 3


def test_a_pico_that_is_plugged_in_late_is_found(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    rig.unplug()
    switches = opened(rig.port)
    until(lambda: "there is no such port" in complaint(switches), "the reason")
    rig.replug()
    wait_to_read(switches, 0)


def test_a_pico_that_hangs_is_lost_after_half_a_second(opened: Open, plugged: Plug) -> None:
    rig, clock = plugged(), StillClock()
    switches = opened(rig.port, clock=clock)
    wait_to_read(switches, 0)
    rig.freeze()
    clock.time += STALE - 0.01
    assert complaint(switches) == ""

    def lost_later() -> bool:
        clock.time += 0.02  # more than once where a report that was on its way has come meanwhile
        return "its reports have stopped" in complaint(switches)

    until(lost_later, "the loss")
    rig.reset()
    clock.time += ASK
    wait_to_read(switches, 0)


def test_a_program_of_another_protocol_is_named(opened: Open, plugged: Plug) -> None:
    switches = opened(plugged(protocol=2).port)
    until(lambda: "speaks another protocol" in complaint(switches), "the reason")
    assert "(version 1.1.0)" in complaint(switches)
    assert "yardboard firmware install" in complaint(switches)


def test_a_program_for_fewer_inputs_is_named(opened: Open, plugged: Plug) -> None:
    switches = opened(plugged(longest=16).port)
    until(lambda: "reads 128 inputs, and 224 are asked for" in complaint(switches), "the reason")


def test_a_program_that_breaks_is_quoted(opened: Open, plugged: Plug) -> None:
    rig = plugged(fail=30)
    switches = opened(rig.port, clock=StillClock())
    until(lambda: "the bench was told to fail" in complaint(switches), "the reason")
    # A Pico that starts anew takes its port away, but not the reason.
    rig.unplug()
    until(lambda: "there is no such port" in complaint(switches), "the loss")
    assert "the bench was told to fail" in complaint(switches)
    rig.replug()
    until(lambda: switches.counters.connects == 2, "another answer")


def test_closing_lets_go_of_the_port_and_ends_the_thread(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    switches = opened(rig.port)
    wait_to_read(switches, 0)
    assert listens(rig.port)
    switches.close()
    switches.close()
    assert not listens(rig.port)
    with Serial(rig.port, exclusive=True):
        pass


@pytest.mark.parametrize("sentinel", [SENTINEL, 0])
def test_a_pico_reads_the_first_chips_of_a_board_that_is_being_built(plugged: Plug, sentinel: int) -> None:
    rig, chips = plugged(), 2 if sentinel else 1
    # Behind the last chip come the zeros of its grounded serial input.
    rig.set_levels(levels(0, 2, sentinel).ljust(CHIPS + 2, b"\0"))
    first = partial(PicoSwitches, rig.port, 8 * chips, chips=chips, sentinel=SENTINEL, partial=True)
    with closing(first(clock=BenchClock())) as switches:
        for mask in (0, 1 << 3, 1 << 7 | 1 << 1):
            rig.set_levels(levels(mask, 2, sentinel).ljust(CHIPS + 2, b"\0"))
            wait_to_read(switches, mask)
        assert switches.has_sentinel is bool(sentinel)
