"""The simulated devices and their faults: what the ports give, and what happens when cables are pulled."""

from __future__ import annotations

import pytest
from PIL import Image

from hardware.contacts.debounce import Debounce
from hardware.ports import DeviceLost
from hardware.sim import SimError, SimulatedHardware
from hardware.sim.devices import GARBAGE, LAMPS_BUSY, PANEL_BUSY, SLOW
from tests.hardware.simulator_boards import KEYS, closed_stations, table_of

PICTURE = Image.new("1", (128, 64), 1)


@pytest.fixture
def table() -> SimulatedHardware:
    return table_of()


def test_lit_lamps_are_told_by_the_number_of_their_station_and_the_others_by_their_place(
    table: SimulatedHardware,
) -> None:
    frame = bytearray(24)
    frame[3:6] = b"\x01\x02\x03"
    frame[20] = 9
    table.backend.lamps.show(bytes(frame))
    assert table.leds() == {12: (1, 2, 3)}
    assert table.lamps.lit()[6] == (0, 0, 9)


def test_an_output_is_busy_for_as_long_as_its_wire_takes(table: SimulatedHardware) -> None:
    table.lamps.show(bytes(24))
    table.handset.show(PICTURE)
    assert (table.lamps.ready(), table.handset.ready()) == (False, False)
    table.advance(1000 * LAMPS_BUSY)
    assert (table.lamps.ready(), table.handset.ready()) == (True, False)
    table.advance(1000 * (PANEL_BUSY - LAMPS_BUSY))
    assert table.handset.ready()


def test_frames_that_came_too_early_are_counted(table: SimulatedHardware) -> None:
    table.lamps.show(bytes(24))
    table.lamps.show(bytes(24))
    assert (table.lamps.shows, table.lamps.hurried) == (2, 1)
    table.advance(1000 * LAMPS_BUSY)
    assert not table.lamps.ready()
    table.advance(1000 * LAMPS_BUSY)
    table.lamps.show(bytes(24))
    assert (table.lamps.shows, table.lamps.hurried) == (3, 1)


def test_a_pressed_key_is_seen_while_it_is_held_and_not_after(table: SimulatedHardware) -> None:
    samples: list[int] = []
    debounce = Debounce(len(KEYS))
    table.drive(lambda: samples.append(debounce.update(table.keys.read())))
    table.press("table.back", 60)
    table.advance(30)
    assert set(samples) == {0b00, 0b10}
    assert 8 <= samples.count(0b10) <= 14
    assert samples[-1] == 0


def test_the_switch_of_a_station_sticks_and_is_mended_by_the_printed_number(table: SimulatedHardware) -> None:
    table.fault("switch:13", "stuck_closed")
    assert closed_stations(table) == {13}
    table.fault("switch:13", "stuck_open")
    table.put(13, "red")
    assert closed_stations(table) == set()
    table.fault("switch:13", "ok")
    assert closed_stations(table) == {13}


def test_a_slow_line_repeats_its_last_sample_for_a_while(table: SimulatedHardware) -> None:
    table.put(12, "red")
    table.advance(10)
    table.fault("switches", "slow")
    table.lift(12)
    assert closed_stations(table) == {12}
    table.fault("switches", "slow")
    table.advance(1000 * SLOW - 1)
    assert table.switches.read() == 0b10
    table.advance(1)
    assert table.switches.read() == 0


def test_garbage_is_a_burst_that_passes(table: SimulatedHardware) -> None:
    table.put(12, "red")
    table.advance(10)
    table.fault("serial", "garbage")
    samples: list[int] = []
    table.drive(lambda: samples.append(table.switches.read()), hz=1000)
    table.advance(1000 * GARBAGE + 10)
    assert len(set(samples[:38])) > 10
    assert all(sample < 1 << 6 for sample in samples)
    assert samples[-10:] == [0b10] * 10


@pytest.mark.parametrize("mend", ["ok", "replug"])
def test_a_mended_line_reads_the_truth_at_once(mend: str) -> None:
    table = table_of()
    table.fault("serial", "garbage")
    table.fault("serial", "slow")
    table.put(12, "red")
    table.advance(5)
    table.fault("serial", mend)
    table.fault("serial", "slow")
    assert [table.switches.read() for _ in range(20)] == [0b10] * 20


def test_unplugged_lamps_go_dark_and_wait_for_a_new_frame(table: SimulatedHardware) -> None:
    table.lamps.show(b"\x07" * 24)
    table.fault("lamps", "unplug")
    assert table.leds() == {}
    assert table.lamps.ready()
    with pytest.raises(DeviceLost, match="lamps: the cable is unplugged"):
        table.lamps.show(b"\x07" * 24)
    table.fault("lamps", "replug")
    assert table.leds() == {}
    table.lamps.show(b"\x07" * 24)
    assert len(table.leds()) == 6


@pytest.mark.parametrize("name", ["handset", "display"])
def test_an_unplugged_panel_goes_dark_and_waits_for_a_new_picture(name: str) -> None:
    table = table_of()
    panel = table.handset if name == "handset" else table.display
    assert panel is not None
    panel.show(PICTURE)
    table.fault(name, "unplug")
    assert panel.picture is None
    with pytest.raises(DeviceLost, match=name):
        panel.show(PICTURE)
    table.fault(name, "replug")
    assert panel.picture is None
    panel.show(PICTURE)
    assert panel.picture is not None


def test_an_unplugged_handset_takes_its_keys_with_it_and_leaves_those_of_the_table(table: SimulatedHardware) -> None:
    table.hold("handset.peek")
    table.hold("table.back")
    table.advance(5)
    assert table.keys.read() == 0b1010
    table.fault("handset", "unplug")
    assert table.keys.read() == 0b0010
    table.fault("handset", "replug")
    assert table.keys.read() == 0b1010


@pytest.mark.parametrize("mend", ["ok", "replug"])
def test_a_slow_output_is_not_ready_for_a_while_or_until_it_is_mended(mend: str) -> None:
    table = table_of()
    table.fault("display", "slow")
    assert table.display is not None
    assert not table.display.ready()
    table.advance(1000 * SLOW)
    assert table.display.ready()
    table.fault("display", "slow")
    table.fault("display", mend)
    assert table.display.ready()


@pytest.mark.parametrize(
    ("device", "kind", "complaint"),
    [
        (
            "switch:12",
            "unplug",
            "switch:12 has no fault 'unplug'; its faults are stuck_open, stuck_closed, chatter, worn, ok",
        ),
        ("switch:99", "chatter", "no device 'switch:99'; switches are switch:N with N one of 11 to 16"),
        ("switch:", "chatter", "no device 'switch:'"),
        ("switch:-1", "chatter", "no device 'switch:-1'"),
        (
            "switches",
            "chatter",
            "switches has no fault 'chatter'; its faults are unplug, replug, garbage, slow, ones, zeros, shift_early",
        ),
        ("serial", "stuck_open", "serial has no fault"),
        ("lamps", "garbage", "lamps has no fault 'garbage'; its faults are unplug, replug, slow, ok"),
        ("handset", "", "handset has no fault"),
        (
            "toaster",
            "slow",
            "no device 'toaster'; devices are switch:N, switches, serial, keys, power, lamps, handset, display",
        ),
        ("lamps:3", "slow", "no device 'lamps:3'"),
    ],
)
def test_an_unknown_fault_is_refused_with_what_there_is(device: str, kind: str, complaint: str) -> None:
    table = table_of()
    with pytest.raises(SimError, match=complaint):
        table.fault(device, kind)
    assert closed_stations(table) == set()
    assert table.lamps.ready()
    assert table.lamps.plugged
    assert table.handset.plugged


def test_a_fault_of_a_display_that_is_not_there_is_refused() -> None:
    with pytest.raises(SimError, match="this table has no display"):
        table_of(display=False).fault("display", "unplug")
