"""What `hardware.ports` promises, asked of every backend of every port, the simulator's among them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from PIL import Image

import hardware
from hardware.backend import Absent
from hardware.ports import BadDevice, DeviceLost, Keys, Lamps, Panel, Switches
from tests.hardware import output_benches, switch_benches
from tests.hardware.drivers.test_neopixel_pwm import blinka, writer
from tests.hardware.output_benches import LampBench, PanelBench
from tests.hardware.switch_benches import KeyBench, SwitchBench

__all__ = ["blinka", "writer"]  # fixtures

# Pillow's, for what luma does.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

B = TypeVar("B", SwitchBench, LampBench, PanelBench, KeyBench)
SCAN = 0.005


def every(table: Mapping[str, Callable[..., B]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("bench", table.values(), ids=table.keys(), indirect=True)


@pytest.fixture
def bench(request: pytest.FixtureRequest) -> Iterator[SwitchBench | LampBench | PanelBench | KeyBench]:
    make = request.param
    made = make(**{fixture: request.getfixturevalue(fixture) for fixture in inspect.signature(make).parameters})
    yield made
    made.device.close()
    if isinstance(made, SwitchBench):
        made.put_away()


def test_every_backend_that_there_is_stands_on_a_bench() -> None:
    said = r'^class (\w+)[^\n]*:\n    """[^"]*Implements (?:the )?`(?:Switches|Lamps|Panel|Keys)`'
    sources = [path.read_text(encoding="utf-8") for path in Path(hardware.__path__[0]).rglob("*.py")]
    backends = {name for source in sources for name in re.findall(said, source, re.MULTILINE)}
    assert {"SimSwitches", "SpiLamps", "OledPanel", "ButtonKeys"} <= backends
    benches = set(re.findall(r"\w+", inspect.getsource(switch_benches) + inspect.getsource(output_benches)))
    benches.add("PicoKeys")  # its bench runs the real program: tests/hardware/drivers/test_pico_handset.py
    benches.add("NoPanel")  # it has nothing to put on a bench
    assert backends - benches == set(), "put these on a bench in switch_benches.py or output_benches.py"


def used_once(bench: SwitchBench | LampBench | PanelBench | KeyBench) -> None:
    if isinstance(bench, SwitchBench | KeyBench):
        bench.device.read()
    else:
        shown(bench, frames(bench.device)[0] if isinstance(bench, LampBench) else noise(bench.device, 1))


DEVICES = [switch_benches.SWITCHES, output_benches.LAMPS, output_benches.PANELS, switch_benches.KEYS]


@pytest.mark.parametrize("bench", [make for benches in DEVICES for make in benches.values()], indirect=True)
def test_a_device_may_be_closed_twice(bench: SwitchBench | LampBench | PanelBench | KeyBench) -> None:
    used_once(bench)
    bench.device.close()
    bench.device.close()


def test_an_absent_device_stands_for_any_and_says_why_it_is_lost() -> None:
    absent = Absent("lamps: none were bought", count=5, names=("table.bus",), size=(10, 20))
    switches: Switches = absent
    lamps: Lamps = absent
    panel: Panel = absent
    keys: Keys = absent
    assert (switches.count, lamps.count, panel.size, keys.names) == (5, 5, (10, 20), ("table.bus",))
    assert lamps.ready()
    assert panel.ready()
    assert switches.place(3) == "input 3"
    for use in (switches.read, keys.read, lambda: lamps.show(bytes(15)), lambda: panel.show(Image.new("1", (10, 20)))):
        with pytest.raises(DeviceLost, match=r"^lamps: none were bought$"):
            use()
    absent.close()


# Switches


@every(switch_benches.SWITCHES)
def test_switches_have_inputs_and_open_ones_read_as_nothing(bench: SwitchBench) -> None:
    device = bench.device
    assert isinstance(device, Switches)
    assert device.count >= 1
    assert 0 <= min(bench.inputs) <= max(bench.inputs) < device.count
    assert device.read() == 0


@every(switch_benches.SWITCHES)
def test_a_closed_contact_sets_its_bit_and_no_other(bench: SwitchBench) -> None:
    for i in bench.inputs:
        bench.touch(1 << i)
        assert bench.device.read() == 1 << i
    bench.touch(0)
    assert bench.device.read() == 0


@every(switch_benches.SWITCHES)
def test_any_contacts_can_be_closed_at_once_and_are_read_the_same_each_time(bench: SwitchBench) -> None:
    rng = Random(7)
    all_closed = sum(1 << i for i in bench.inputs)
    for mask in (all_closed, *(rng.getrandbits(bench.device.count) & all_closed for _ in range(20))):
        bench.touch(mask)
        assert [bench.device.read() for _ in range(3)] == [mask] * 3


@every(switch_benches.SWITCHES)
def test_switches_without_their_cable_are_lost_and_read_the_truth_once_it_is_back(bench: SwitchBench) -> None:
    first, last = 1 << bench.inputs[0], 1 << bench.inputs[-1]
    bench.touch(first)
    assert bench.device.read() == first
    for _ in range(2):
        bench.unplug()
        for _ in range(3):
            with pytest.raises(DeviceLost, match=r"^switches: .{10,}"):
                bench.device.read()
        bench.touch(last)
        bench.replug()
        assert [bench.device.read() for _ in range(3)] == [last] * 3


@every(switch_benches.SWITCHES)
def test_every_input_has_a_place_of_its_own_and_others_have_none(bench: SwitchBench) -> None:
    places = [bench.device.place(i) for i in bench.inputs]
    assert all(place and place == place.strip() for place in places)
    assert len(set(places)) == len(places)
    for number in (-1, bench.device.count, bench.device.count + 1000):
        with pytest.raises(BadDevice, match=rf"^switches: there is no input {number}"):
            bench.device.place(number)


# Lamps


def frames(device: Lamps) -> list[bytes]:
    """Frames that no two lamps or colours can be mistaken in, a dark and a full one, and some of chance."""
    size, rng = 3 * device.count, Random(5)
    return [bytes(range(1, size + 1)), bytes(size), b"\xff" * size, *(rng.randbytes(size) for _ in range(10))]


def shown(bench: LampBench | PanelBench, what: bytes | Image.Image | None) -> str:
    """Shows something and lets it settle; what the device complains of while it is lost."""
    complaint = ""
    try:
        bench.device.show(what)  # type: ignore[arg-type]
    except DeviceLost as error:
        complaint = str(error)
    bench.settle()
    return complaint


def is_lost(bench: LampBench | PanelBench, *things: bytes | Image.Image | None) -> str:
    """What it complains of at every showing but the first, which may already be on its way when the cable goes."""
    _, *complaints = [shown(bench, thing) for thing in things]
    assert all(complaints)
    return complaints[-1]


def comes_back(bench: LampBench | PanelBench, what: bytes | Image.Image | None) -> None:
    """Shows something until it is taken without complaint: at the second showing at the latest."""
    if shown(bench, what):
        assert shown(bench, what) == ""


@every(output_benches.LAMPS)
def test_lamps_are_some_and_ready_for_a_frame(bench: LampBench) -> None:
    assert isinstance(bench.device, Lamps)
    assert bench.device.count >= 1
    assert bench.device.ready()
    bench.device.show(frames(bench.device)[0])
    bench.settle()
    assert bench.device.ready()


@every(output_benches.LAMPS)
def test_what_was_shown_is_what_shines(bench: LampBench) -> None:
    for frame in frames(bench.device):
        assert shown(bench, frame) == ""
        assert bench.shining() == frame


@every(output_benches.LAMPS)
def test_a_frame_of_another_length_is_refused_and_changes_nothing(bench: LampBench) -> None:
    good = frames(bench.device)[0]
    shown(bench, good)
    for wrong in (b"", good[:-1], good[:-3], good + b"\0", good + bytes(3)):
        with pytest.raises(BadDevice, match=rf"^lamps: .*\b{len(wrong)} bytes.*\b{len(good)}\b"):
            bench.device.show(wrong)
        bench.settle()
        assert bench.shining() == good
    assert bench.device.ready()


@every(output_benches.LAMPS)
def test_lamps_without_their_cable_are_lost_and_shine_once_it_is_back(bench: LampBench) -> None:
    one, two, three, *_ = frames(bench.device)
    shown(bench, one)
    for _ in range(2):
        bench.unplug()
        assert bench.device.ready()
        complaint = is_lost(bench, two, three, two)
        assert complaint.startswith("lamps: ")
        bench.replug()
        comes_back(bench, one)
        assert bench.shining() == one


# Panels


def noise(device: Panel, seed: int) -> Image.Image:
    width, height = device.size
    return Image.frombytes("1", device.size, Random(seed).randbytes((width + 7) // 8 * height))


def same(one: Image.Image, other: Image.Image) -> bool:
    return (one.mode, one.size, one.tobytes()) == (other.mode, other.size, other.tobytes())


@every(output_benches.PANELS)
def test_a_picture_is_seen_pixel_for_pixel(bench: PanelBench) -> None:
    device = bench.device
    assert isinstance(device, Panel)
    corners = Image.new("1", device.size)
    corners.putpixel((0, 0), 1)
    corners.putpixel((device.size[0] - 1, 2), 1)
    for picture in (corners, Image.new("1", device.size, 1), *(noise(device, seed) for seed in range(4))):
        assert device.ready()
        assert shown(bench, picture) == ""
        assert same(bench.seen(), picture)


@every(output_benches.PANELS)
def test_a_panel_is_dark_until_it_is_shown_something_and_again_for_none(bench: PanelBench) -> None:
    dark = Image.new("1", bench.device.size)
    assert same(bench.seen(), dark)
    for _ in range(2):
        assert shown(bench, noise(bench.device, 1)) == ""
        assert not same(bench.seen(), dark)
        assert shown(bench, None) == ""
        assert same(bench.seen(), dark)


@every(output_benches.PANELS)
def test_a_picture_of_another_mode_or_size_is_refused_and_changes_nothing(bench: PanelBench) -> None:
    good = noise(bench.device, 1)
    width, height = bench.device.size
    shown(bench, good)
    for mode, size in (("L", good.size), ("RGB", good.size), ("1", (height, width)), ("1", (width + 1, height))):
        with pytest.raises(BadDevice, match=rf'^{bench.word}: .*"{mode}", {size[0]}x{size[1]}.*{width}x{height}'):
            bench.device.show(Image.new(mode, size))
        bench.settle()
        assert same(bench.seen(), good)
    assert bench.device.ready()


@every(output_benches.PANELS)
def test_a_picture_that_is_drawn_on_afterwards_is_not_seen_so(bench: PanelBench) -> None:
    picture = noise(bench.device, 1)
    meant = picture.copy()
    bench.device.show(picture)
    picture.paste(1, (0, 0, *picture.size))
    bench.settle()
    assert same(bench.seen(), meant)


@every(output_benches.PANELS)
def test_a_panel_without_its_cable_is_lost_and_shows_once_it_is_back(bench: PanelBench) -> None:
    one, two, three = (noise(bench.device, seed) for seed in range(3))
    shown(bench, one)
    for _ in range(2):
        bench.unplug()
        assert bench.device.ready()
        assert is_lost(bench, two, three, None).startswith(f"{bench.word}: ")
        bench.replug()
        comes_back(bench, one)
        assert same(bench.seen(), one)


@every(output_benches.PANELS)
def test_the_same_picture_again_tells_that_a_panel_is_lost(bench: PanelBench) -> None:
    picture = noise(bench.device, 1)
    shown(bench, picture)
    bench.unplug()
    assert is_lost(bench, picture, picture)


# Keys


def samples(bench: KeyBench, seconds: float) -> list[int]:
    read = []
    for _ in range(round(seconds / SCAN)):
        read.append(bench.device.read())
        bench.clock.advance(SCAN)
    return read


def press(bench: KeyBench, name: str) -> list[int]:
    """What is read while a finger presses a key and for a while after."""
    bench.finger(name, True)
    read = samples(bench, bench.press(name))
    bench.finger(name, False)
    return read + samples(bench, 0.5)


@every(switch_benches.KEYS)
def test_keys_have_names_of_their_own_and_are_up_untouched(bench: KeyBench) -> None:
    assert isinstance(bench.device, Keys)
    names = bench.device.names
    assert isinstance(names, tuple)
    assert names
    assert all(names)
    assert len(set(names)) == len(names)
    assert set(samples(bench, 0.5)) == {0}


@every(switch_benches.KEYS)
def test_a_pressed_key_is_down_once_by_itself_and_then_up(bench: KeyBench) -> None:
    for bit, name in enumerate(bench.device.names):
        read = press(bench, name)
        changes = [held for before, held in zip([0, *read], read, strict=False) if held != before]
        assert changes == [1 << bit, 0]
        assert read.count(1 << bit) >= 10, "too short for the longest debounce"


@every({name: make for name, make in switch_benches.KEYS.items() if name not in switch_benches.UNNOTICED})
def test_keys_without_their_cable_are_lost_and_read_the_truth_once_it_is_back(bench: KeyBench) -> None:
    for _ in range(2):
        bench.unplug()
        for _ in range(3):
            with pytest.raises(DeviceLost, match=r"^keys: .{10,}"):
                bench.device.read()
        bench.replug()
        assert set(samples(bench, 0.1)) == {0}  # a key that is closed at the first sample counts as stuck
        name = bench.device.names[-1]
        assert set(press(bench, name)) == {0, 1 << bench.device.names.index(name)}
