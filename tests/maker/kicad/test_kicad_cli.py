"""KiCad 9 finds no fault in the schematics and boards of any build, finds those of spoiled ones, and plots boards."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.maker.kicad_netlists import BOTH, WrittenBoard
from tests.maker.test_board_plan import BUILDS
from tests.maker.test_circuits import files

pytestmark = pytest.mark.long


def kicad(*words: str | Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("kicad-cli")
    if program is None:
        pytest.fail("needs kicad-cli of KiCad 9; on Debian 13: sudo apt install --no-install-recommends kicad")
    return subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)


def project(name: str, folder: Path) -> Path:
    for path, text in files(name).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def findings(kind: str, file: Path) -> list[str]:
    """What the check of a schematic or a board reports: errors and warnings of every kind."""
    report = file.with_suffix(".json")
    checks = {"erc": ("sch", "erc"), "drc": ("pcb", "drc")}[kind]
    parity = ["--schematic-parity"] * (kind == "drc" and file.with_suffix(".kicad_sch").exists())
    done = kicad(*checks, *parity, "--severity-all", "--format", "json", "--output", report, file)
    assert done.returncode == 0, done.stderr
    found = json.loads(report.read_text(encoding="utf-8"))
    lists = [found.get(part, []) for part in ("violations", "unconnected_items", "schematic_parity")]
    lists += [sheet["violations"] for sheet in found.get("sheets", [])]
    return [one["type"] for part in lists for one in part]


@pytest.mark.parametrize("name", BUILDS)
def test_schematics_and_boards_are_without_a_finding(name: str, tmp_path: Path) -> None:
    folder = project(name, tmp_path)
    for file in (*folder.glob("*.kicad_sch"), *folder.glob("*.kicad_pcb")):
        kind = "erc" if file.suffix == ".kicad_sch" else "drc"
        assert findings(kind, file) == [], file.name


def test_a_wire_left_out_and_a_track_too_much_are_found(tmp_path: Path) -> None:
    folder = project("london-spi", tmp_path)
    sheet, board = folder / "module.kicad_sch", folder / "module.kicad_pcb"
    lines = sheet.read_text(encoding="utf-8").splitlines()
    wires = [line for line in lines if line.startswith("(wire ")]
    sheet.write_text("\n".join(line for line in lines if line != wires[0]), encoding="utf-8")
    assert findings("erc", sheet)
    text = board.read_text(encoding="utf-8").rstrip().removesuffix(")")
    short = '(segment (start 14.605 5.08) (end 17.145 5.08) (width 0.3) (layer "F.Cu") (net 1))'
    board.write_text(f"{text}{short}\n)", encoding="utf-8")
    assert "shorting_items" in findings("drc", board)


def test_gerbers_drill_file_and_places_are_those_of_the_board(tmp_path: Path) -> None:
    folder = project("london-spi", tmp_path)
    for name in ("panel", "head"):
        board, out = folder / f"{name}.kicad_pcb", folder / f"{name}-fab"
        layers = "F.Cu,B.Cu,F.Mask,B.Mask,F.SilkS,Edge.Cuts,Dwgs.User"
        assert kicad("pcb", "export", "gerbers", "--layers", layers, "--output", f"{out}/", board).returncode == 0
        assert kicad("pcb", "export", "drill", "--output", f"{out}/", board).returncode == 0
        places = out / "places.csv"
        words = ("pcb", "export", "pos", "--format", "csv", "--units", "mm", "--output", places)
        assert kicad(*words, board).returncode == 0
        written = WrittenBoard(board.read_text(encoding="utf-8"))
        assert len(list(out.glob("*.g*"))) >= 7
        holes = (out / f"{name}.drl").read_text(encoding="utf-8")
        drilled = sum(line.startswith("X") for line in holes.splitlines())
        through = [one for one in written.copper if one.start == one.end and one.layers == BOTH]
        assert drilled == len(through) + written.bare_holes
        rows = list(csv.DictReader(places.read_text(encoding="utf-8").splitlines()))
        assert {row["Ref"] for row in rows} == {ref for ref, _ in written.pads}


def test_schematic_and_board_can_be_seen(tmp_path: Path) -> None:
    folder = project("london-spi", tmp_path)
    assert kicad("sch", "export", "svg", "--output", folder, folder / "module.kicad_sch").returncode == 0
    assert "<svg" in (folder / "module.svg").read_text(encoding="utf-8")
    words = ("--width", "400", "--height", "300", "--output", folder / "module.png")
    assert kicad("pcb", "render", *words, folder / "module.kicad_pcb").returncode == 0
    assert (folder / "module.png").stat().st_size > 5000
