"""The self-test on a simulated table: what shines, what the screens show, and what is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from firmware_host.commissioning.exercise_devices import LOW, Workbench, namer
from firmware_host.commissioning.selftest import BLAZE, PARTS, STEP, SURE, self_test, test_picture
from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.config.loader import load
from firmware_host.table.outputs import limit_lamps
from hardware.current_limit import estimate_current
from hardware.sim.devices import SimLamps
from tests import goldens
from tests.commissioning.wiring_sittings import Board, Trial, soldered

test_picture.__test__ = False  # type: ignore[attr-defined]  # it is no test


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return soldered(tmp_path)


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
    backend = replace(board.backend, lamps=limit_lamps(config, board.table.lamps))
    trial = Trial(board, "lamps", config=config, backend=backend)
    board.table.advance(1000 * (49 * 3 * STEP) - 50)
    frame = board.table.lamps.frame
    assert len(board.table.lamps.lit()) == 49
    bright = SimLamps(49, board.table.clock)
    limit_lamps(replace(config, lamps=replace(config.lamps, max_milliamps=20000)), bright).show(b"\xff" * 147)
    assert estimate_current(frame) <= 600 < estimate_current(bright.frame) < estimate_current(b"\xff" * 147)
    assert trial.said[-1] == (
        f"  all white: {49 * 61} mA at full power, {estimate_current(bright.frame):.0f} mA with this brightness, "
        f"{estimate_current(frame):.0f} mA behind the limit of 600 mA (estimated)"
    )
    assert not trial.done
    board.table.advance(1000 * BLAZE)
    assert trial.done
    assert trial.said[-2:] == ["Results:", "  lamps: all was sent; only you saw whether it was right"]
    assert trial.bad == []
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
            assert set(lit) == {config.layout.lamp(n) for n in board.stations[:count]}
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
    assert trial.said[-1] == f"  input {board.inputs[stuck]} stays closed; it is ignored until it opens"
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


@pytest.mark.parametrize(
    ("written", "presses", "last"),
    [
        (4, 4, "4 clicks were 4 presses: good"),
        (4, 2, "4 clicks of the knob were 2 presses; write encoder_steps = 2 in [keys]"),
        (4, 1, "4 clicks of the knob were 1 presses; write encoder_steps = 1 in [keys]"),
        (2, 8, "4 clicks of the knob were 8 presses; write encoder_steps = 4 in [keys]"),
        (2, 2, "4 clicks of the knob were 2 presses; write encoder_steps = 1 in [keys]"),
        (1, 15, "4 clicks of the knob were 15 presses; write encoder_steps = 4 in [keys]"),
        (4, 3, "4 clicks of the knob were 3 presses; try again, slowly: yardboard selftest --keys"),
    ],
)
@pytest.mark.parametrize("ends", ["enter", "key"])
def test_a_knob_whose_clicks_are_not_one_press_each_names_the_right_steps(
    board: Board, written: int, presses: int, last: str, ends: str
) -> None:
    config = load(board.path)
    keys = replace(config.keys, encoder=(1, 2), encoder_steps=written)
    trial = Trial(board, "keys", config=replace(config, keys=keys))
    for name in KEYS:
        board.table.press(name)
        board.table.advance(50)
    assert trial.said[-1] == "Turn the knob by 4 clicks the same way, a second apart. Then Enter, or table.confirm."
    for _ in range(presses):
        board.table.press("handset.down")
        board.table.advance(50)
    assert not trial.done
    if ends == "enter":
        trial.type("")
    else:
        board.table.press("table.confirm")
        board.table.advance(50)
    assert trial.done
    assert f"  {last}" in trial.said
    assert trial.bad == ([] if last.endswith("good") else ["keys"])


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


def same(one: Image.Image | None, other: Image.Image) -> bool:
    return one is not None and ImageChops.logical_xor(one, other).getbbox() is None


def test_a_board_without_a_handset_is_asked_for_neither_its_screen_nor_its_keys(board: Board) -> None:
    board.path.write_text(board.path.read_text() + '\n[handset]\ndriver = "none"\n')
    screens = Trial(board, "screens")
    assert screens.said[1].startswith("Screens: the display shows a frame")
    keys = Trial(board, "keys")
    assert keys.said[-1] == "1 of 5: press table.taxi"
    for name in KEYS[:5]:
        board.table.press(name)
        board.table.advance(50)
    assert (keys.done, keys.bad) == (True, [])


def test_screens_that_nobody_has_looked_at_are_not_good(board: Board) -> None:
    trial = Trial(board, "screens")
    trial.type("q")  # so does the end of the input
    assert not trial.done, "whether they answer is not known yet"
    trial.type("")
    board.table.advance(1000 * SURE + 100)
    assert trial.done
    said = "not confirmed: nobody confirmed the picture"
    assert trial.said[-3:] == ["Results:", f"  handset: {said}", f"  display: {said}"]
    assert trial.bad == ["handset", "display"]


def test_a_screen_that_is_absent_is_lost_even_if_nobody_waits_for_it(board: Board) -> None:
    board.table.fault("display", "unplug")
    trial = Trial(board, "screens")
    trial.type("q")
    board.table.advance(1000 * SURE + 100)
    assert trial.said[-1] == "  display: lost: the cable is unplugged"
    assert trial.bad == ["handset", "display"]


def test_a_board_without_any_screen_is_asked_for_none(board: Board) -> None:
    board.path.write_text(board.path.read_text() + '\n[handset]\ndriver = "none"\n')
    trial = Trial(board, "screens", backend=replace(board.backend, display=None))
    board.table.advance(100)
    assert trial.said[1] == "Screens: this table has no screens."
    assert (trial.done, trial.bad) == (True, [])


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


@pytest.mark.parametrize("part", PARTS)
def test_text_that_means_nothing_is_told_and_nothing_is_skipped(board: Board, part: str) -> None:
    trial = Trial(board, part)
    trial.type("hello ")
    assert trial.said[-1] == "  'hello' is not an answer here. Enter: skip; q and Enter: end."
    assert not trial.done


def test_what_is_typed_before_it_begins_counts(board: Board) -> None:
    backend, config = board.backend, load(board.path)
    said: list[str] = []
    test = self_test(config, backend, namer(backend.switches))
    bench = Workbench(backend, test, said.extend)
    for line in ("", "", "q"):
        bench.line_typed(line)
    board.table.drive(bench.step)
    board.table.advance(200)
    assert bench.done
    assert [line for line in said if line.startswith(("Lamps", "Switches", "Keys", "Screens"))][-1].startswith("Keys")
    assert said[-1] == "  display: not tried"


def test_whenever_it_is_broken_off_all_is_dark(board: Board) -> None:
    for part in PARTS:
        trial = Trial(board, part)
        board.touch(board.stations[0], ms=100)
        trial.bench.turn_off()
        board.table.drive(None)
        assert board.table.lamps.lit() == {}
        assert board.table.handset.picture is None
        assert board.table.display is not None
        assert board.table.display.picture is None
