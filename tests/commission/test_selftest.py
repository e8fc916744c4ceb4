"""The self-test on a simulated table: what shines, what the screens show, and what is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
from PIL import Image, ImageChops

from firmware_host.commission.power import power
from firmware_host.commission.selftest import PARTS, self_test
from firmware_host.commission.trials import BLAZE, LOW, STEP, test_picture
from firmware_host.commission.workbench import Workbench, namer
from firmware_host.config import Config, load
from firmware_host.outputs import limited
from firmware_host.sections import KEYS
from hardware.backend import Backend
from hardware.current import draw
from hardware.ports import DeviceLost
from hardware.sim.devices import SimLamps
from tests import goldens
from tests.commission.sittings import Bench, Board

test_picture.__test__ = False  # type: ignore[attr-defined]  # it is no test


class Trial(Bench):
    """A self-test on a board."""

    def __init__(self, board: Board, *parts: str, config: Config | None = None, backend: Backend | None = None) -> None:
        config = config or load(board.path)
        backend = backend or board.backend
        self._test = self_test(config, backend, namer(backend.switches), parts or PARTS)
        super().__init__(board, self._test, backend=backend)

    @property
    def bad(self) -> list[str]:
        return self._test.bad


@pytest.fixture
def board(tmp_path: Path) -> Board:
    board = Board(tmp_path, spare=0)
    lines = "".join(f"{station} = {number}\n" for station, number in board.inputs.items())
    text = board.path.read_text(encoding="utf-8").replace("# station = input\n", lines)
    board.path.write_text(text, encoding="utf-8")
    return board


# ---- lamps ----


def test_each_lamp_in_turn_shines_red_green_and_blue_and_is_named(board: Board) -> None:
    trial = Trial(board, "lamps")
    seen: list[tuple[int, tuple[int, int, int]]] = []
    while len(board.table.lamps.lit()) == 1:
        ((lamp, colour),) = board.table.lamps.lit().items()
        if (lamp, colour) not in seen:
            seen.append((lamp, colour))
        board.table.advance(5)
    dim = LOW * round(256 * 0.6) >> 8
    assert seen == [(k, c) for k in range(49) for c in ((dim, 0, 0), (0, dim, 0), (0, 0, dim))]
    stations, windows = list(board.stations), range(1, 14)
    named = [*(f"station {n}" for n in stations), *(f"window {n} of the log" for n in windows)]
    assert trial.said[1] == "Lamps: 49 lamps shine one after another, each red, then green, then blue: 22 s."
    assert trial.said[3:-1] == [f"  lamp {lamp}: {name}" for lamp, name in enumerate(named)]


def test_then_all_shine_at_the_limit_and_what_they_draw_is_told(board: Board) -> None:
    config = load(board.path)
    config = replace(config, lamps=replace(config.lamps, max_milliamps=600, gamma=2.2, brightness=0.9))
    backend = replace(board.backend, lamps=limited(config, board.table.lamps))
    trial = Trial(board, "lamps", config=config, backend=backend)
    board.table.advance(1000 * (49 * 3 * STEP) - 50)
    frame = board.table.lamps.frame
    assert len(board.table.lamps.lit()) == 49
    bright = SimLamps(49, board.table.clock)
    limited(replace(config, lamps=replace(config.lamps, max_milliamps=20000)), bright).show(b"\xff" * 147)
    assert draw(frame) <= 600 < draw(bright.frame) < draw(b"\xff" * 147)
    assert trial.said[-1] == (
        f"  all white: {49 * 61} mA at full power, {draw(bright.frame):.0f} mA with this brightness, "
        f"{draw(frame):.0f} mA behind the limit of 600 mA (estimated)"
    )
    assert not trial.done
    board.table.advance(1000 * BLAZE)
    assert trial.done
    assert trial.said[-2:] == ["Results:", "  lamps: all was sent; what could be seen only you know"]
    assert trial.bad == []
    assert board.table.lamps.lit() == {}


def test_dead_lamps_of_a_strip_draw_their_idle_current_in_the_estimate(board: Board) -> None:
    config = load(board.path)
    with_dead = replace(config, lamps=replace(config.lamps, dead=(5,), max_milliamps=600))
    assert power(with_dead, 49).full == 49 * 61 + 5
    assert 590 < power(with_dead, 49).limited <= 600


def test_enter_skips_the_lamps(board: Board) -> None:
    trial = Trial(board, "lamps")
    trial.type("")
    assert trial.done
    assert trial.said[-2:] == ["Results:", "  lamps: skipped after 1 of 49 lamps"]
    assert trial.bad == ["lamps"]
    assert board.table.lamps.lit() == {}


# ---- switches ----


def test_every_switch_that_closes_is_named_and_its_lamp_shines_green(board: Board) -> None:
    trial = Trial(board, "switches")
    assert trial.said[1].startswith("Switches: touch each of the 36 stations with a magnet")
    config = load(board.path)
    for count, station in enumerate(board.stations, 1):
        board.touch(station, ms=80)
        said = trial.said[-1] if count < 36 else trial.said[-4]
        assert said == f"  station {station}: input {board.inputs[station]}; {count} of 36"
        if count < 36:
            lit = board.table.lamps.lit()
            assert set(lit) == {config.sheet.lamp(n) for n in board.stations[:count]}
            assert all(red == blue == 0 < green for red, green, blue in lit.values())
    assert trial.said[-3:] == ["  all 36 stations were touched", "Results:", "  switches: good"]
    assert trial.done
    assert trial.bad == []


@pytest.mark.parametrize("end", ["key", "word"])
def test_switches_that_never_closed_are_told_and_those_closed_from_the_start(board: Board, end: str) -> None:
    dead, stuck = board.stations[5], board.stations[9]
    board.table.fault(f"switch:{dead}", "stuck_open")
    board.table.fault(f"switch:{stuck}", "stuck_closed")
    trial = Trial(board, "switches")
    assert trial.said[-1] == f"  input {board.inputs[stuck]} stays closed; it is not listened to until it opens"
    for station in board.stations:
        board.touch(station, ms=80)
    assert not trial.done
    if end == "key":
        board.table.press("table.confirm")
    else:
        trial.type("")
    board.table.advance(50)
    assert trial.done
    assert trial.said[-5:] == [
        f"  station {dead} never closed: input {board.inputs[dead]}",
        f"  station {stuck} never closed: input {board.inputs[stuck]}",
        "  touched: 34 of 36 stations",
        "Results:",
        f"  switches: not touched: {dead}, {stuck}",
    ]
    assert trial.bad == ["switches"]


def test_a_contact_that_was_stuck_counts_once_it_has_opened(board: Board) -> None:
    stuck = board.stations[9]
    board.table.fault(f"switch:{stuck}", "stuck_closed")
    trial = Trial(board, "switches")
    board.table.fault(f"switch:{stuck}", "ok")
    board.table.advance(50)
    board.touch(stuck, ms=80)
    assert trial.said[-1] == f"  station {stuck}: input {board.inputs[stuck]}; 1 of 36"


# ---- keys ----


def test_each_key_is_asked_for_and_what_is_pressed_is_named(board: Board) -> None:
    trial = Trial(board, "keys")
    assert trial.said[1:] == ["Keys: press each as it is named. Enter: skip it.", "1 of 10: press table.taxi"]
    board.table.press("table.bus")
    assert trial.said[-1] == "  that was table.bus"
    board.table.press("table.taxi", 1200)
    board.table.advance(50)
    assert trial.said[-3:] == [
        "  table.taxi: good",
        "2 of 10: press table.bus",
        "  table.taxi was held for 1.2 s: a long press",
    ]
    trial.type("")
    for name in KEYS[2:]:
        board.table.press(name)
        board.table.advance(50)
    assert trial.said[-2:] == ["Results:", "  keys: not pressed: table.bus"]
    assert trial.done
    assert trial.bad == ["keys"]


def test_a_key_that_is_another_held_long_says_so(board: Board) -> None:
    config = load(board.path)
    keys = replace(config.keys, long={"table.back": "table.taxi"}, encoder=(1, 2))
    trial = Trial(board, "keys", config=replace(config, keys=keys))
    assert trial.said[-1] == "1 of 10: press table.taxi (hold table.back)"
    for name in KEYS[:5]:
        board.table.press(name)
        board.table.advance(50)
    assert trial.said[-1] == "6 of 10: press handset.up (turn the knob)"


# ---- screens ----


@pytest.mark.parametrize("name", ["handset", "display"])
def test_the_test_picture_is_the_one_kept(name: str) -> None:
    picture = test_picture(name, 199)
    goldens.check(f"selftest-{name}", picture)
    for edge in ((0, 0, 128, 1), (0, 63, 128, 64), (0, 0, 1, 64), (127, 0, 128, 64)):
        assert picture.crop(edge).getextrema() == (255, 255)


def test_both_screens_show_their_picture_until_a_key_and_then_go_dark(board: Board) -> None:
    trial = Trial(board, "screens")
    table = board.table
    assert table.display is not None
    for panel, name in ((table.handset, "handset"), (table.display, "display")):
        assert same(panel.picture, test_picture(name, max(board.stations)))
    assert f"the number {max(board.stations)}, " in " ".join(trial.said)
    table.press("table.confirm")
    table.advance(3000)
    assert trial.done
    assert table.handset.picture is table.display.picture is None


def test_no_key_ends_it_before_a_screen_that_does_not_answer_is_known_to_be_lost(board: Board) -> None:
    trial = Trial(board, "screens")
    trial.type("")
    board.table.advance(1500)
    assert not trial.done
    board.table.fault("handset", "unplug")
    board.table.advance(1500)
    assert trial.done
    assert trial.bad == ["handset"]


def same(one: Image.Image | None, other: Image.Image) -> bool:
    return one is not None and ImageChops.logical_xor(one, other).getbbox() is None


def test_a_table_without_a_display_is_told_of_the_handset_alone(board: Board) -> None:
    trial = Trial(board, "screens", backend=replace(board.backend, display=None))
    assert trial.said[1].startswith("Screens: the handset shows a frame")


def test_a_screen_that_is_plugged_in_late_shows_its_picture(board: Board) -> None:
    board.table.fault("handset", "unplug")
    trial = Trial(board, "screens")
    assert trial.said[-1].startswith("handset: lost: ")
    board.table.fault("handset", "replug")
    board.table.advance(1000)
    assert board.table.handset.picture is not None
    assert trial.said[-1] == "handset: ok"


def test_a_screen_and_lamps_that_lost_their_power_unnoticed_are_sent_everything_again(board: Board) -> None:
    Trial(board, "switches", "screens")
    board.touch(board.stations[0], ms=80)
    board.table.fault("lamps", "unplug")
    board.table.fault("lamps", "replug")
    assert board.table.lamps.lit() == {}
    board.table.advance(1100)
    assert len(board.table.lamps.lit()) == 1
    board.table.press("table.confirm")
    board.table.advance(100)
    board.table.fault("handset", "unplug")
    board.table.fault("handset", "replug")
    assert board.table.handset.picture is None
    board.table.advance(1100)
    assert board.table.handset.picture is not None


# ---- all of it ----


def test_the_parts_follow_each_other_and_q_ends_them_all(board: Board) -> None:
    trial = Trial(board)
    trial.type("")
    trial.type("")
    trial.type("q")
    assert trial.done
    begun = [line.partition(":")[0] for line in trial.said if line.startswith(("Lamps", "Switches", "Keys", "Screens"))]
    assert begun == ["Lamps", "Switches", "Keys"]
    assert trial.said[-6:-2] == [
        "Results:",
        "  lamps: skipped after 1 of 49 lamps",
        f"  switches: not touched: {', '.join(map(str, board.stations[:12]))} and 24 more",
        f"  keys: not pressed: {', '.join(KEYS)}",
    ]
    assert trial.said[-2:] == ["  handset: not tried", "  display: not tried"]
    assert trial.bad == ["lamps", "switches", "keys", "handset", "display"]


@pytest.mark.parametrize("part", ["lamps", "switches", "keys"])
@pytest.mark.parametrize("end", ["Enter", "q", "back again"])
def test_a_part_waits_for_a_device_that_is_lost_and_says_so(board: Board, part: str, end: str) -> None:
    why = f"{part}: on a cable that is cut"
    broken = Broken(getattr(board.backend, part), why)
    backend = with_device(board, part, broken)
    trial = Trial(board, part, backend=backend)
    waits = f"  This waits for the {part}. Enter: skip; q and Enter: end."
    assert trial.said[-2:] == [f"{part}: lost: on a cable that is cut", waits]
    before = list(trial.said)
    board.table.advance(30_000)
    board.touch(board.stations[0])
    assert trial.said == before
    if end == "back again":
        broken.why = ""
        board.table.advance(700)
        assert f"{part}: ok" in trial.said[-2:]
        if part == "lamps":  # it goes on where it was
            assert trial.said[-1] == f"  lamp 0: station {board.stations[0]}"
        trial.type("q")
        result = trial.said[-1]
        assert result == f"  {part}: was lost for a while: on a cable that is cut"
    else:
        trial.type("" if end == "Enter" else "q")
        assert trial.said[-2:] == ["Results:", f"  {part}: lost: on a cable that is cut"]
    assert trial.done
    assert trial.bad == [part]


def test_lamps_that_are_lost_in_their_walk_go_on_where_they_were(board: Board) -> None:
    trial = Trial(board, "lamps")
    board.table.advance(1000 * 3 * STEP * 5)
    before = trial.said[-1]
    board.table.fault("lamps", "unplug")
    board.table.advance(20_000)
    assert trial.said[-3] == before
    board.table.fault("lamps", "replug")
    while trial.said[-1] != "lamps: ok":
        board.table.advance(5)
    board.table.advance(1000 * 3 * STEP)
    assert [line.split(":")[0] for line in (before, trial.said[-1])] == ["  lamp 5", "  lamp 6"]


def test_switches_are_tried_without_lamps_and_keys_without_switches(board: Board) -> None:
    def without(name: str) -> Backend:
        return with_device(board, name, Broken(getattr(board.backend, name), f"{name}: none"))

    trial = Trial(board, "switches", backend=without("lamps"))
    assert trial.said[1] == "Switches: touch each of the 36 stations with a magnet."
    for station in board.stations:
        board.touch(station, ms=80)
    assert trial.said[-1] == "  switches: good"
    trial = Trial(board, "keys", backend=without("switches"))
    for name in KEYS:
        board.table.press(name)
        board.table.advance(50)
    assert trial.said[-1] == "  keys: good"
    assert not any("lost" in line for line in trial.said)
    assert trial.bad == []


def test_screens_that_are_lost_are_in_the_results_each_for_itself(board: Board) -> None:
    board.table.fault("display", "unplug")
    trial = Trial(board, "screens")
    trial.type("")
    board.table.advance(3000)
    assert trial.said[-3:] == [
        "Results:",
        "  handset: all was sent; what could be seen only you know",
        "  display: lost: no answer; the cable is unplugged",
    ]
    assert trial.bad == ["display"]


def test_what_stays_closed_when_switches_come_back_was_not_touched(board: Board) -> None:
    board.table.fault("switches", "unplug")
    trial = Trial(board, "switches")
    board.table.put(board.stations[0], "a pawn")
    board.table.fault("switches", "replug")
    board.table.advance(1000)
    number = board.inputs[board.stations[0]]
    assert trial.said[-2:] == [
        "switches: ok",
        f"  input {number} stays closed; it is not listened to until it opens",
    ]


@pytest.mark.parametrize("part", PARTS)
def test_text_that_means_nothing_is_told_and_nothing_is_skipped(board: Board, part: str) -> None:
    trial = Trial(board, part)
    trial.type("hello ")
    assert trial.said[-1] == "  'hello' is no answer here. Enter: skip; q and Enter: end."
    assert not trial.done


def test_what_is_typed_before_it_begins_counts(board: Board) -> None:
    backend, config = board.backend, load(board.path)
    said: list[str] = []
    test = self_test(config, backend, namer(backend.switches))
    bench = Workbench(backend, test, said.extend)
    for line in ("", "", "q"):
        bench.typed(line)
    board.table.drive(bench.step)
    board.table.advance(200)
    assert bench.done
    assert [line for line in said if line.startswith(("Lamps", "Switches", "Keys", "Screens"))][-1].startswith("Keys")
    assert said[-1] == "  display: not tried"


def test_lamps_whose_loss_is_told_by_the_frame_after_it_are_known_to_be_lost_when_it_begins(board: Board) -> None:
    class Late:
        count = 49
        sent = 0

        def ready(self) -> bool:
            return True

        def show(self, _: bytes) -> None:
            self.sent += 1
            if self.sent > 1:
                raise DeviceLost("lamps: none")

        def close(self) -> None: ...

    config, backend = load(board.path), replace(board.backend, lamps=limited(load(board.path), Late()))
    said: list[str] = []
    bench = Workbench(backend, self_test(config, backend, namer(backend.switches), ["lamps"]), said.extend)
    bench.typed("q")
    board.table.drive(bench.step)
    board.table.advance(200)
    waits = "  This waits for the lamps. Enter: skip; q and Enter: end."
    assert said[3:] == ["lamps: lost: none", waits, "Results:", "  lamps: lost: none"]


class Broken:
    """A device that answers nothing while there is a reason for it."""

    def __init__(self, device: object, why: str) -> None:
        self._device = device
        self.why = why

    def __getattr__(self, name: str) -> object:
        if name in ("read", "show") and self.why:
            return self._refuse
        return getattr(self._device, name)

    def _refuse(self, *_: object) -> NoReturn:
        raise DeviceLost(self.why)


def test_whenever_it_is_broken_off_all_is_dark(board: Board) -> None:
    for part in PARTS:
        trial = Trial(board, part)
        board.touch(board.stations[0], ms=100)
        trial.bench.dark()
        board.table.drive(None)
        assert board.table.lamps.lit() == {}
        assert board.table.handset.picture is None
        assert board.table.display is not None
        assert board.table.display.picture is None


def test_no_frame_or_picture_is_sent_to_a_device_that_is_not_ready(board: Board) -> None:
    Trial(board, "lamps", "screens")
    for _ in range(30):
        board.table.fault("lamps", "slow")
        board.table.fault("handset", "slow")
        board.table.advance(1300)
    assert board.table.lamps.hurried == board.table.handset.hurried == 0
    assert board.table.handset.picture is not None


def with_device(board: Board, name: str, device: Any) -> Backend:
    return replace(board.backend, **{name: device})
