"""`yardboard make`, as a maker uses it."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest

from firmware_host.cli import main
from firmware_host.commissioning.wiring_file import with_wirings
from firmware_host.config.loader import load
from firmware_host.maker.make_command import Output, progress
from tests.maker.test_board_plan import CONFIGS


def make(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as end:
        main(["make", *map(str, arguments)])
    return int(end.value.code or 0)


def by_number(name: str) -> str:
    """The text of a shipped file, with the same inputs and lamps in the order of the stations' numbers."""
    layout = load(CONFIGS / f"{name}.toml").layout
    stations, lamps = layout.stations, layout.station_lamps
    rest = sorted({*range(layout.lamps)} - {*range(len(lamps))})
    wirings = {
        "switches": dict(zip(stations, sorted(layout.switch_inputs), strict=True)),
        "lamps": {station: lamp for lamp, station in enumerate(stations)},
        "log": dict(enumerate(rest, 1)),
    }
    return with_wirings((CONFIGS / f"{name}.toml").read_text(encoding="utf-8"), wirings)


def test_all_writes_every_file_and_says_what_to_do_with_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert make("all", CONFIGS / "junior-gpio.toml", "--out", tmp_path / "pack") == 0
    written = sorted(path.name for path in (tmp_path / "pack").iterdir())
    case = ["case-front.stl", "case-lid.stl", "case.svg"]
    drills = ["drill-A4.pdf", "drill-below-A4.pdf", "drill-below.dxf", "drill.dxf"]
    papers = ["map-A4.pdf", "map-sheet.pdf", "parts.csv", "parts.pdf", "section-A4.pdf", "wires-A4.pdf", "wires.csv"]
    assert written == [*case, *drills, "kicad", *papers]
    said, errors = capsys.readouterr()
    assert errors == "", "the bar is for terminals"
    assert f"Written to {tmp_path / 'pack'}: " in said
    for name in (*case, *drills, "kicad/head.kicad_pcb", "kicad/head.kicad_sch", *papers):
        assert re.search(rf"{re.escape(name)} +\w", said), name
    assert "Panel 461.3 × 385.0 mm. Reed 10 to 20 AT, magnet 4 × 10 mm, at most 10.2 mm apart." in said


def test_only_a_map_of_several_pages_is_glued_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, paper, words in (
        ("junior-a3", "A4", "print at 100 %, cut at the marks\n"),
        ("junior-gpio", "A4", "cut at the marks, and glue the 4 pages together\n"),
    ):
        assert make("print", CONFIGS / f"{name}.toml", "--paper", paper, "--out", tmp_path) == 0
        assert words in capsys.readouterr().out


def test_the_dice_game_gets_its_tiles(tmp_path: Path) -> None:
    assert make("print", CONFIGS / "dice-matrix.toml", "--out", tmp_path) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["tiles-A4.pdf"]


def test_a_board_with_hall_switches_gets_their_drawings_parts_and_wires(tmp_path: Path) -> None:
    file = CONFIGS / "junior-gpio.toml"
    assert make("all", file, "--out", tmp_path, "--switch", "hall", "--paper", "sheet") == 0
    assert "LAYER\n  8\nreed\n" not in (tmp_path / "drill.dxf").read_text(encoding="utf-8")
    parts = (tmp_path / "parts.csv").read_text(encoding="utf-8")
    assert "14,Hall switch DRV5032AJ," in parts
    assert "reed switch" not in parts
    assert "15,capacitor 100 nF," in parts
    wires = (tmp_path / "wires.csv").read_text(encoding="utf-8")
    for station in range(1, 15):
        assert sum(f",Hall switch {station}," in line for line in wires.splitlines()) == 3


def test_hall_switches_under_tiles_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make("section", CONFIGS / "dice-matrix.toml", "--out", tmp_path / "pack", "--switch", "hall") != 0
    assert "dice-matrix.toml: a Hall switch is below its lamp" in capsys.readouterr().err
    assert not (tmp_path / "pack").exists()


def test_a_board_without_artwork_gets_everything_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (CONFIGS / "junior-gpio.toml").read_text(encoding="utf-8")
    file = tmp_path / "changed.toml"
    file.write_text(f'{text}\n[map]\nremove = ["taxi 1-5"]\n', encoding="utf-8")
    assert make("all", file, "--out", tmp_path / "pack") == 0
    assert "Left out: print: " in capsys.readouterr().out
    assert (tmp_path / "pack" / "drill.dxf").exists()
    assert make("print", file, "--out", tmp_path / "print") != 0
    assert "there is no artwork for this map" in capsys.readouterr().err


def test_a_board_too_small_is_refused_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (CONFIGS / "london-spi.toml").read_text(encoding="utf-8").replace("width_mm = 680", "width_mm = 400")
    file = tmp_path / "small.toml"
    file.write_text(text, encoding="utf-8")
    assert make("all", file, "--out", tmp_path / "pack") != 0
    assert re.search(r"small.toml: .*stations 111 and 112 are 8.2 mm apart.* 182 mm wider", capsys.readouterr().err)
    assert not (tmp_path / "pack").exists()


def test_tiles_too_large_for_a_page_are_left_out_of_the_pack(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (CONFIGS / "dice-matrix.toml").read_text(encoding="utf-8")
    file = tmp_path / "wide.toml"
    file.write_text(re.sub(r"width_mm = \d+", "width_mm = 450", text), encoding="utf-8")
    assert make("print", file, "--out", tmp_path / "print") != 0
    assert not (tmp_path / "print").exists()
    capsys.readouterr()
    assert make("all", file, "--out", tmp_path / "pack") == 0
    assert "Left out: tiles-A4.pdf: [board] width_mm = 450: " in capsys.readouterr().out
    assert (tmp_path / "pack" / "drill.dxf").exists()


def test_the_guide_for_an_afternoon_is_for_reeds_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make("afternoon", CONFIGS / "junior-a3.toml", "--switch", "hall", "--out", tmp_path) != 0
    assert "the guide is for a printed map over reeds" in capsys.readouterr().err


def test_a_faulty_configuration_gets_its_own_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad.toml"
    file.write_text("[board]\nwidth_mm = 3\n", encoding="utf-8")
    assert make("wires", file) != 0
    assert "width_mm" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert make("wires", CONFIGS / "junior-gpio.toml", "--out", tmp_path / "file" / "pack") != 0
    assert (
        f"pack: {tmp_path / 'file'} is a file, not a folder; name another place with --out" in capsys.readouterr().err
    )


def test_a_copy_with_short_wires_is_a_board_of_the_same_parts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, copy = tmp_path / "by-number.toml", tmp_path / "short.toml"
    file.write_text(by_number("london-spi"), encoding="utf-8")
    assert make("short-wires", file, "--out", copy) == 0
    said = re.findall(r"(\d+\.\d) m instead of (\d+\.\d) m", capsys.readouterr().out)
    assert [(float(short) < 0.45 * float(long)) for short, long in said] == [True, True]
    before, after = load(file), load(copy)
    assert sorted(after.layout.switch_inputs) == sorted(before.layout.switch_inputs)
    assert sorted(after.layout.station_lamps + after.layout.log_lamps) == list(range(223))
    assert after.switches.wiring != before.switches.wiring
    assert copy.read_text(encoding="utf-8").count("#") == file.read_text(encoding="utf-8").count("#")
    assert make("short-wires", file, "--out", copy) != 0
    assert "exists already; name a new file with --out" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["dice-matrix", "junior-gpio"])
def test_reeds_without_chips_keep_their_pins(name: str, tmp_path: Path) -> None:
    file, copy = tmp_path / "by-number.toml", tmp_path / "short.toml"
    file.write_text(by_number(name), encoding="utf-8")
    assert make("short-wires", file, "--out", copy) == 0
    before, after = load(file), load(copy)
    assert after.layout.switch_inputs == before.layout.switch_inputs
    assert after.layout.station_lamps != before.layout.station_lamps


def test_no_copy_is_made_of_a_simulated_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make("short-wires", CONFIGS / "simulator.toml", "--out", tmp_path / "short.toml") != 0
    assert "simulates the whole board; write its drivers, such as" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


class Terminal(StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_simulated_board_gets_what_needs_no_electronics_and_the_rest_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = CONFIGS / "simulator.toml"
    assert make("all", file, "--out", tmp_path / "pack", "--paper", "sheet") == 0  # of London, page after page is long
    drills = ["drill-below-sheet.pdf", "drill-below.dxf", "drill-sheet.pdf", "drill.dxf"]
    written = sorted(path.name for path in (tmp_path / "pack").iterdir())
    assert written == [*drills, "map-sheet.pdf", "section-A4.pdf"]
    said = capsys.readouterr().out
    why = '[switches] driver = "sim" simulates the whole board; write its drivers, such as'
    for part in ("parts", "wires", "schematic", "pcb"):
        assert f"Left out: {part}: {why}" in said
        assert make(part, file, "--out", tmp_path / part) != 0
        assert why in capsys.readouterr().err
        assert not (tmp_path / part).exists()


def test_a_terminal_shows_a_bar_with_the_file_that_is_being_drawn() -> None:
    files = [Output(name, "", bytes) for name in ("drill.dxf", "wires.csv")]
    shown = Terminal()
    assert list(progress(files, shown)) == files
    assert all(word in shown.getvalue() for word in ("Drawing", "drill.dxf", "wires.csv"))
    silent = StringIO()
    assert list(progress(files, silent)) == files
    assert silent.getvalue() == ""


def test_no_large_board_is_for_an_afternoon_but_gets_everything_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert make("afternoon", CONFIGS / "junior-gpio.toml", "--out", tmp_path / "pack") != 0
    said = capsys.readouterr().err
    assert re.search(r"junior-gpio.toml: \[board\] width_mm = 400: the panel is 461 × 385 mm, and A3 shows 392", said)
    assert "config/junior-a3.toml is a board for an afternoon" in said
    assert not (tmp_path / "pack").exists()
    assert make("afternoon", CONFIGS / "junior-a3.toml", "--out", tmp_path / "pack") == 0
    assert [path.name for path in (tmp_path / "pack").iterdir()] == ["afternoon.pdf"]
