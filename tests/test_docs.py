"""The documentation holds: its commands run, its examples say what they show, its pictures are what the program draws.

In README.md and docs/*.md a comment on the line before a code block tells what the block is:

`<!-- runs -->`: a shell or Python example that must run in an empty folder with the checkout's `config` in it.
`<!-- prints -->`: exactly what the example before it writes to standard output.
`<!-- stdio -->`: a session of the stdio protocol, "> " before what is said and "< " before the reply; a text that
is only "…" stands for any text.

`python -m tests.test_docs` draws the pictures and writes what is printed and replied anew: look at them then.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from firmware_host import lights, screens
from firmware_host.config import Game, Map, parse
from firmware_host.daemon import KEYS
from firmware_host.menu import Menu
from firmware_host.parlour import Parlour
from firmware_host.parlour.snapshot import save
from firmware_host.parlour.stdio import FIELDS, Stdio
from firmware_host.rules.actions import MR_X, Double, MrXMove, PawnMove
from firmware_host.rules.position import Options
from firmware_host.rules.secret import Secret
from hardware.current import draw
from hardware.sim import faults

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]
MARKS = ("runs", "prints", "stdio")


# ---- what is in the pages --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """A code block: its page, the line it begins in, its mark ("" for none), language and text."""

    page: Path
    line: int
    mark: str
    language: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.page.name}:{self.line}"


_FENCE = re.compile(r"^(?:<!-- (?P<mark>\w+) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, m.start("language")) + 1, m["mark"] or "", m["language"], m["text"])
        for m in _FENCE.finditer(text)
    ]


def running() -> list[tuple[Block, Block | None]]:
    """Every example that runs, with the block of what it prints, if it is shown."""
    found: list[tuple[Block, Block | None]] = []
    for page in PAGES:
        following: Block | None = None
        for block in reversed(blocks(page)):
            if block.mark == "runs":
                found.append((block, following if following is not None and following.mark == "prints" else None))
            following = block
    return found


def sessions() -> list[Block]:
    return [block for page in PAGES for block in blocks(page) if block.mark == "stdio"]


def said_and_answered(block: Block) -> Iterator[tuple[str, Any]]:
    """What is said in a session, and the reply that is shown."""
    for part in re.split(r"^> ", block.text, flags=re.MULTILINE)[1:]:
        said, reply = part.split("\n< ")
        yield said, json.loads(reply.replace("\n   ", " "))


def same(shown: Any, real: Any) -> bool:
    """Whether a reply is the one shown, in which "…" stands for any text."""
    if shown == "…" and isinstance(real, str):
        return True
    if isinstance(shown, dict) and isinstance(real, dict):
        return list(shown) == list(real) and all(same(shown[key], real[key]) for key in shown)
    return bool(shown == real)


# ---- pictures --------------------------------------------------------------------------------------------------------

START = {MR_X: 141, "red": 53, "yellow": 34, "green": 155, "blue": 198, "purple": 197}
ROUNDS = """
133 taxi        | 40 taxi  | 47 taxi        | 168 taxi | 199 taxi        | 196 taxi
127 taxi        | 41 taxi  | 34 taxi        | 184 taxi | 198 taxi        | 197 taxi
134 taxi        | 87 bus   | 22 taxi        | 185 taxi | 199 taxi        | 195 taxi
118 black       | 70 taxi  | 23 bus         | 187 bus  | 128 bus         | 194 taxi
116 taxi        | 71 taxi  | 13 taxi        | 185 bus  | 142 taxi        | 192 taxi
127 bus         | 89 taxi  | 52 bus         | 128 underground | 134 taxi | 194 taxi
133 bus         | 67 underground | 69 taxi  | 142 bus  | 141 taxi        | 193 taxi
140 taxi
"""
"""The game in the pictures: in each row Mister X's move, then those of red, yellow, green, blue and purple."""


def evening(*, shown: bool = True) -> Parlour:
    """A game of six in its eighth round: Mister X has just shown himself, and red may go to thirteen stations.

    Without `shown` it is a move earlier, and Mister X is about to make the move after which he shows himself.
    """
    table = Parlour(parse("[game]\nplayers = 6\n[lamps]\nbrightness = 1.0\n", "docs"))
    table.new_game(start=START)
    table.set_up()
    for row in ROUNDS.strip().split("\n")[: None if shown else -1]:
        for cell in row.split("|"):
            to, ticket = cell.split()
            (pawn,) = table.public.turn
            if pawn == MR_X:
                table.choose(MrXMove(Secret(int(to)), ticket))
            else:
                walk(table, PawnMove(pawn, int(to), ticket))
            mind_mr_x(table)
    seconds = table.table.clock.now()
    table.advance(1000 * (4 + (1 - seconds) % 2))  # the flashes are over, and the breathing lamp is at its brightest
    return table


def walk(table: Parlour, move: PawnMove) -> None:
    table.table.lift(table.public.pawns[move.pawn], move.pawn)
    table.advance(400)
    table.table.put(move.to, move.pawn)
    table.advance(900)
    if table.daemon.scene().asked:
        table.table.press(f"table.{move.ticket}")
        table.advance(100)


def mind_mr_x(table: Parlour) -> None:
    """His own pawn goes where the table asks for it to be."""
    scene = table.daemon.scene()
    if scene.set_down is not None:
        table.table.put(scene.set_down, MR_X)
    if scene.take_off is not None:
        table.table.lift(scene.take_off, MR_X)
    table.advance(400)


def handset_picture(table: Parlour) -> str:
    """Three screens of the handset, side by side, as SVG."""
    view = table.private
    shown = [screens.draw(menu, view) for menu in (Menu(), Menu("destinations", 1, "taxi"), Menu("log", 7))]
    wide, high, gap = 128, 64, 20
    width, height = len(shown) * (wide + gap) + gap, high + 2 * gap
    size = f'viewBox="0 0 {width} {height}" width="{2 * width}" height="{2 * height}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} shape-rendering="crispEdges">']
    for n, image in enumerate(shown):
        x, y = gap + n * (wide + gap), gap
        frame = f'x="{x - 7}" y="{y - 7}" width="{wide + 14}" height="{high + 14}"'
        parts.append(f'<rect {frame} rx="5" fill="#05070b" stroke="#39414f" stroke-width="1.5"/>')
        parts.append(f'<path transform="translate({x} {y})" fill="#cfe8ff" d="{_lit(image)}"/>')
    return "\n".join([*parts, "</svg>\n"])


def _lit(image: Image.Image) -> str:
    """The lit pixels as a path, one stroke of it for each run of them."""
    path = []
    for y in range(image.height):
        runs = re.finditer("1+", "".join("1" if image.getpixel((x, y)) else "0" for x in range(image.width)))
        path += [f"M{run.start()} {y}h{len(run[0])}v1h-{len(run[0])}z" for run in runs]
    return "".join(path)


PICTURES = ("board.svg", "handset.svg")


def draw_pictures(folder: Path) -> None:
    save(evening(), folder / "board.svg")
    (folder / "handset.svg").write_text(handset_picture(evening(shown=False)), encoding="utf-8")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    draw_pictures(folder)
    return folder


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_are_what_the_program_draws_today(name: str, drawn: Path) -> None:
    kept = (DOCS / name).read_text(encoding="utf-8")
    assert kept == (drawn / name).read_text(encoding="utf-8"), f"docs/{name} is old: python -m tests.test_docs"
    assert len(kept.encode()) < 200_000


def test_the_board_is_shown_in_play_with_mister_x_in_sight() -> None:
    view = evening().public
    assert view.outcome is None
    assert view.pawns[MR_X] == 140
    assert view.turn == ("red",)
    assert len({move.to for move in view.moves}) == 13


# ---- examples --------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return furnished(tmp_path)


def furnished(folder: Path) -> Path:
    """A folder with the commands of the checkout's virtual environment and its example configuration."""
    bin_ = folder / ".venv" / "bin"
    bin_.mkdir(parents=True)
    for name, words in (("yardboard", "-m firmware_host "), ("python", "")):
        script = bin_ / name
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words}"$@"\n')
        script.chmod(0o755)
    (folder / "config").symlink_to(ROOT / "config")
    return folder


def run(block: Block, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-"] if block.language == "python" else ["sh", "-eu"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    return subprocess.run(
        command, input=block.text, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize(("block", "printed"), [pytest.param(*pair, id=pair[0].name) for pair in running()])
def test_an_example_runs_and_prints_what_is_shown(block: Block, printed: Block | None, folder: Path) -> None:
    done = run(block, folder)
    assert done.returncode == 0, done.stderr
    if printed is not None:
        assert done.stdout == printed.text


@pytest.mark.parametrize("block", [pytest.param(block, id=block.name) for block in sessions()])
def test_a_session_of_the_protocol_gives_exactly_the_replies_shown(block: Block) -> None:
    with Stdio() as table:
        for said, shown in said_and_answered(block):
            reply = json.loads(json.dumps(table.answer(said)))
            assert same(shown, reply), f"{said}\n{json.dumps(reply, ensure_ascii=False)}"


def test_every_kind_of_example_is_there_and_no_mark_is_misspelt() -> None:
    languages = {block.language for block, _ in running()}
    assert languages == {"sh", "python"}
    assert len(sessions()) >= 2
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        marked = [block for block in blocks(page) if block.mark]
        assert all(block.mark in MARKS for block in marked), page
        assert len(marked) == len(re.findall(rf"^<!-- (?:{'|'.join(MARKS)}) -->$", text, re.MULTILINE)), page


@pytest.mark.parametrize(
    "block", [b for page in PAGES for b in blocks(page) if b.language == "sh"], ids=lambda b: b.name
)
def test_a_command_that_is_not_run_here_exists_all_the_same(block: Block) -> None:
    from firmware_host.cli import cli  # noqa: PLC0415 - only this test needs it

    for word in re.findall(r"^(?:\.venv/bin/)?yardboard ([\w-]+)", block.text, re.MULTILINE):
        assert word in cli.commands
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for word in re.findall(r"^make ([\w-]+)", block.text, re.MULTILINE):
        assert word in targets


# ---- what the table says -------------------------------------------------------------------------------------------


def sitting(mr_x: int, **start: int) -> Parlour:
    """A table at which the pawns stand and Mister X is to move."""
    table = Parlour()
    table.new_game(detectives=len(start), start={MR_X: mr_x, **start})
    table.set_up()
    return table


def set_up_by_light() -> Iterator[Parlour]:
    table = Parlour()
    table.new_game(start={MR_X: 45, "red": 74, "yellow": 117, "green": 138, "blue": 26})
    table.advance(100)
    yield table
    table.set_up()
    yield table


def an_ordinary_round() -> Iterator[Parlour]:
    table = sitting(45, red=74, yellow=117, green=138)
    yield table
    table.choose(Double())
    yield table
    for _ in range(2):
        table.choose(MrXMove(Secret(32 if table.private.at.value == 45 else 45), "taxi"))
    yield table
    hand_over(table, 74, 58, "red")
    yield table
    table.table.press("table.bus")
    table.advance(100)
    hand_over(table, 117, 1, "yellow", ms=1500)
    yield table
    hand_over(table, 1, 116, "yellow")
    table.table.fault("switch:100", "stuck_closed")
    table.advance(5000)
    yield table
    table.table.press("table.confirm")
    table.advance(1000)
    yield table


def his_pawn_to_be_taken_off() -> Iterator[Parlour]:
    table = sitting(45, red=58, yellow=13, green=26)
    for to, steps in ((46, (74, 23, 15)), (45, (58, 13, 26)), (46, (74, 23, 15))):
        table.choose(MrXMove(Secret(to), "taxi"))
        mind_mr_x(table)
        for pawn, step in zip(table.public.order, steps, strict=True):
            walk(table, PawnMove(pawn, step, "taxi"))
    table.choose(MrXMove(Secret(45), "taxi"))
    table.advance(100)
    yield table


def a_capture_beside_his_pawn() -> Iterator[Parlour]:
    table = sitting(45, red=74, yellow=13, green=26)
    for to, steps in ((46, (75, 23, 15)), (45, (74, 13, 26)), (46, ())):
        table.choose(MrXMove(Secret(to), "taxi"))
        for pawn, step in zip(table.public.order, steps, strict=False):
            walk(table, PawnMove(pawn, step, "taxi"))
    table.advance(100)
    yield table
    mind_mr_x(table)
    hand_over(table, 74, 46, "red")
    yield table
    table.table.press("table.confirm")
    table.advance(100)
    yield table


def trouble() -> Iterator[Parlour]:
    table = sitting(45, red=74, yellow=13, green=26)
    for device in ("switches", "handset"):
        table.table.fault(device, "unplug")
        table.advance(6000)  # a screen that has nothing new to show is tried every five seconds
        yield table
        table.table.fault(device, "replug")
        table.advance(1500)
    table.choose(MrXMove(Secret(58), "taxi"))
    table.table.fault("switch:75", "stuck_open")
    hand_over(table, 74, 75, "red")
    yield table
    table.advance(5000)
    yield table
    table.table.press("table.confirm")
    table.advance(100)
    yield table
    while [move.to for move in table.daemon.scene().asked[:1]] != [75]:
        table.table.press("table.back")
        table.advance(100)
        yield table
    table.table.press("table.confirm")
    table.advance(100)
    table.table.lift(75, "red")
    table.restart()
    table.advance(100)
    yield table


def hand_over(table: Parlour, start: int, to: int, pawn: str, ms: float = 900) -> None:
    """A pawn is carried from one station to another."""
    table.table.lift(start, pawn)
    table.advance(400)
    table.table.put(to, pawn)
    table.advance(ms)


def test_the_table_says_what_the_page_on_playing_quotes() -> None:
    said: set[str] = set()
    for story in (set_up_by_light, an_ordinary_round, his_pawn_to_be_taken_off, a_capture_beside_his_pawn, trouble):
        for table in story():
            said |= {table.daemon.scene().prompt.text, *screens.display_lines(table.daemon.scene())}
    text = _FENCE.sub("", (DOCS / "playing.md").read_text(encoding="utf-8"))
    quoted = re.findall(r"^> (.+)$", text, re.MULTILINE) + re.findall(r"[Tt]he display says\s+`([^`]+)`", text)
    quoted += re.findall(r"`((?:Paused|Take Mister X).+?)`", text)
    assert len(quoted) >= 14
    assert [quote for quote in quoted if not any(" ".join(quote.split()) in sentence for sentence in said)] == []


# ---- links -----------------------------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    prose = _FENCE.sub("", page.read_text(encoding="utf-8"))
    heads = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_the_pages_resolve(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        found = (page.parent / name).resolve() if name else page
        assert found.exists(), f"{page.name}: {target}"
        if anchor:
            assert anchor in anchors(found), f"{page.name}: {target}"


def test_every_page_can_be_reached_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in DOCS.glob("*.md"):
        assert f"(docs/{page.name})" in readme, f"README.md, Where to read on: docs/{page.name} is missing"


# ---- completeness ----------------------------------------------------------------------------------------------------


def rows(page: str) -> list[str]:
    """The lines of the tables of a page."""
    return [line for line in (DOCS / page).read_text(encoding="utf-8").splitlines() if line.startswith("|")]


def test_the_legend_has_every_rhythm() -> None:
    for rhythm in lights.Rhythm:
        assert any(f"| {rhythm.value} |" in row or f"| {rhythm.value}," in row for row in rows("lights.md")), rhythm


def test_the_legend_has_every_colour_of_every_palette() -> None:
    assert set(lights.PALETTES) == {"standard", "colour-blind"}
    for name in lights.PALETTES["standard"]:
        colours = ["#{:02x}{:02x}{:02x}".format(*palette[name]) for palette in lights.PALETTES.values()]
        assert any(row.startswith(f"| {name.replace('_', ' ')} |") and all(c in row for c in colours)
                   for row in rows("lights.md")), name  # fmt: skip


def test_the_arithmetic_of_the_lamps_current_is_right() -> None:
    text = (DOCS / "lights.md").read_text(encoding="utf-8")
    dark = bytes(3 * 223)
    white = bytes([255]) * (3 * 223)
    taxis = bytes([102, 76, 0] * 13) + bytes(3 * 210)
    for frame in (dark, white, taxis):
        assert f"{draw(frame):,.0f} mA".replace(",", " ") in text
    dimmed = bytes(byte * 154 >> 8 for byte in taxis)
    assert f"{draw(dimmed):.0f} mA" in text


def test_the_page_on_scripting_has_every_word_of_the_protocol() -> None:
    text = (DOCS / "scripting.md").read_text(encoding="utf-8")
    words = {*FIELDS, *(name for fields in FIELDS.values() for name in fields), *KEYS}
    words |= {*faults.SWITCH_FAULTS, *faults.LINE_FAULTS, *faults.OUTPUT_FAULTS}
    with Stdio() as table:
        words |= set(table._gets)
    assert [word for word in sorted(words) if f"`{word}`" not in text] == []


def test_the_page_on_the_rules_has_every_rule_and_every_option() -> None:
    text = (DOCS / "rules.md").read_text(encoding="utf-8")
    ids = [*(f"CL-{n:02}" for n in range(1, 25)), *(f"PB-{n:02}" for n in range(1, 8))]
    options = {*Options.__dataclass_fields__, *Game.__dataclass_fields__, *Map.__dataclass_fields__}
    assert [name for name in ids if name not in text] == []
    assert [name for name in sorted(options) if f"`{name}`" not in text] == []


def test_every_place_that_the_architecture_names_exists() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    places = re.findall(r"`((?:firmware_host|hardware)(?:\.\w+)+)`", text)
    assert len(places) > 20
    for place in places:
        assert _exists(place), place
    files = {path.name for folder in ("firmware_host", "hardware") for path in (ROOT / folder).rglob("*.py")}
    named = {Path(name).name for name in re.findall(r"`([\w/]+\.py)`", text)} - {"test_docs.py"}
    assert named <= files, named - files


def _exists(place: str) -> bool:
    """Whether a dotted name is a module, or something in one; an attribute set in a class's code counts."""
    parts = place.split(".")
    for n in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:n]))
        except ModuleNotFoundError:
            continue
        for name in parts[n:]:
            if not hasattr(found, name):
                return name in getattr(found, "__annotations__", {})
            found = getattr(found, name)
        return True
    return False


def test_no_page_tells_of_the_machine_it_was_written_on() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"/(?:work|home/\w+|root|tmp|Users)/", text), page.name


def test_python_examples_are_whole_programs() -> None:
    for block, _ in running():
        if block.language == "python":
            ast.parse(block.text)
            assert "import" in block.text


# ---- anew ------------------------------------------------------------------------------------------------------------


def write_anew(page: Path) -> None:
    """Write what a page's examples print and its sessions answer anew; long pictures become "…"."""
    text = page.read_text(encoding="utf-8")
    for block in blocks(page):
        if block.mark == "stdio":
            text = text.replace(block.text, "\n".join(_answered(block)) + "\n")
    for block, printed in running():
        if block.page == page and printed is not None:
            with tempfile.TemporaryDirectory() as folder:
                out = run(block, furnished(Path(folder))).stdout
            shown = f"<!-- prints -->\n```{printed.language}\n"
            text = text.replace(f"{block.text}```\n\n{shown}{printed.text}", f"{block.text}```\n\n{shown}{out}")
    page.write_text(text, encoding="utf-8")


def _answered(block: Block) -> Iterator[str]:
    """The lines of a session with the replies of today."""
    with Stdio() as table:
        for said in re.findall(r"^> (.*)$", block.text, re.MULTILINE):
            reply = table.answer(said)
            if reply.get("png"):
                reply["png"] = "…"
            yield from (f"> {said}", _folded(f"< {json.dumps(reply, ensure_ascii=False)}"))


def _folded(line: str) -> str:
    """A long line in several, broken after commas; the later ones are indented by three spaces."""
    lines = [""]
    for piece in re.split(r"(?<=,) ", line):
        if lines[-1] and len(lines[-1]) + len(piece) > 108:
            lines.append(f"   {piece}")
        else:
            lines[-1] += f" {piece}" if lines[-1] else piece
    return "\n".join(lines)


if __name__ == "__main__":
    draw_pictures(DOCS)
    for one in PAGES:
        write_anew(one)
