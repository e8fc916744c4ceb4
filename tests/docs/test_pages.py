"""The pages say all there is to say: rules, options, lamps, words of the protocol, modules; and their links resolve."""

from __future__ import annotations

import importlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

from firmware_host import __version__
from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.config.schema import GameSection, MapSection
from firmware_host.config.shipped_files import edition_names, load_edition
from firmware_host.players.protocol.protocol_messages import NewGameMessage, Rules
from firmware_host.rules import actions
from firmware_host.simulator.scripting import Asked, LineOrder, ScriptSession
from firmware_host.system.orders import fields
from firmware_host.ui.lamp_plan import PALETTES, Rhythm
from hardware.current_limit import estimate_current
from hardware.sim import faults
from tests.docs.module_index import index
from tests.docs.pages import DOCS, PAGES, ROOT, anchors, rows, text_of
from tests.shipped_grounds import ground_names

# ---- links -----------------------------------------------------------------------------------------------------------


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


def test_the_changelog_says_what_is_in_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[{re.escape(__version__)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE)


def test_no_page_tells_of_the_machine_it_was_written_on() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"/(?:work|home/\w+|root|tmp|Users)/", text), page.name


def test_every_file_and_folder_that_a_page_names_is_there() -> None:
    named = r"`((?:artwork|config|firmware_host|hardware|languages|systemd|tests)/[\w/.-]+)`"
    for page in PAGES:
        for place in re.findall(named, page.read_text(encoding="utf-8")):
            assert (ROOT / place).exists(), f"{page.name}: {place}"


# ---- rules -----------------------------------------------------------------------------------------------------------

POINTS = {"CL": 24, "US": 11, "ED": 2, "BE": 12, "DI": 26, "JU": 10, "PB": 7}
"""How many points each part of the rules has."""


@pytest.mark.parametrize("part", POINTS)
def test_the_page_on_the_rules_has_every_point_once(part: str) -> None:
    told = re.findall(rf"^- \*\*({part}-\d\d)\*\* \S", text_of("rules.md"), re.MULTILINE)
    assert sorted(told) == [f"{part}-{n:02}" for n in range(1, POINTS[part] + 1)]


def test_no_rule_has_a_number_that_the_page_does_not_know() -> None:
    pages = [text_of(page.name) for page in DOCS.glob("*.md")]
    code = [path.read_text(encoding="utf-8") for path in (ROOT / "firmware_host").rglob("*.py")]
    # A chip's case, such as TO-92, is no rule.
    named = {
        (part, int(n)) for text in (*pages, *code) for part, n in re.findall(r"\b(?!TO-)([A-Z]{2})-(\d\d)\b", text)
    }
    assert {part for part, _ in named} == set(POINTS)
    assert [(part, n) for part, n in sorted(named) if n > POINTS[part]] == []


def options_table() -> dict[tuple[str, str], set[str]]:
    """For each option in the table of options, with the first of its values: the boxes that are said to have it."""
    table = {}
    for row in rows("rules.md"):
        cells = row.strip("| ").split(" | ")
        if len(cells) == 4 and cells[0].startswith("`"):
            table[cells[0].strip("`"), cells[2].split(",")[0].strip("`")] = set(cells[1].split(", "))
    return table


@pytest.mark.parametrize("name", edition_names())
def test_every_box_is_in_the_table_with_its_players_and_its_board(name: str) -> None:
    box = load_edition(name)
    least, most = min(box.seats), max(box.seats)
    players = f"{least} or {most}" if most == least + 1 else f"{least} to {most}"
    row = next(row for row in rows("rules.md") if row.startswith(f'| `"{name}"` |'))
    assert f"| {players} | `{box.map}`" in row


def test_every_option_is_in_the_table_with_its_default_and_the_boxes_that_have_it() -> None:
    has: dict[tuple[str, str], set[str]] = {}
    for name in edition_names():
        for option, default in load_edition(name).options.items():
            has.setdefault((option, json.dumps(default)), set()).add(name)
    assert options_table() == has


def test_the_page_on_the_rules_has_every_key_of_the_game_and_the_map() -> None:
    keys = {*GameSection.__dataclass_fields__, *MapSection.__dataclass_fields__}
    assert [key for key in sorted(keys) if not any(row.startswith(f"| `{key}` |") for row in rows("rules.md"))] == []
    assert [name for name in ground_names() if f"| `{name}`" not in text_of("rules.md")] == []


# ---- lamps -----------------------------------------------------------------------------------------------------------


def test_the_page_on_the_rules_has_every_key_of_a_pursuit_box() -> None:
    told = set(re.findall(r"(?:^|`)\[?(\w+)", text_of("rules.md"), re.MULTILINE))
    boxes = [tomllib.loads(path.read_text()) for path in (ROOT / "config/editions").glob("*.toml")]
    assert {key for box in boxes if "game" not in box for key in box} <= told


def test_the_page_on_players_has_every_key_of_a_new_game() -> None:
    told = set(re.findall(r"`(\w+)`", text_of("players.md")))
    assert {field for kind in (NewGameMessage, Rules) for field in kind.__struct_fields__} <= told


def test_the_legend_has_every_rhythm() -> None:
    for rhythm in Rhythm:
        assert any(f"| {rhythm.value} |" in row or f"| {rhythm.value}," in row for row in rows("lights.md")), rhythm


def test_the_legend_has_every_colour_of_every_palette() -> None:
    assert set(PALETTES) == {"standard", "colour-blind"}
    for name in PALETTES["standard"]:
        colours = ["#{:02x}{:02x}{:02x}".format(*palette[name]) for palette in PALETTES.values()]
        assert any(row.startswith(f"| {name.replace('_', ' ')} |") and all(c in row for c in colours)
                   for row in rows("lights.md")), name  # fmt: skip


def test_the_arithmetic_of_the_lamps_current_is_right() -> None:
    text = text_of("lights.md")
    dark = bytes(3 * 223)
    white = bytes([255]) * (3 * 223)
    taxis = bytes([102, 76, 0] * 13) + bytes(3 * 210)
    for frame in (dark, white, taxis):
        assert f"{estimate_current(frame):,.0f} mA".replace(",", " ") in text
    dimmed = bytes(byte * 154 >> 8 for byte in taxis)
    assert f"{estimate_current(dimmed):.0f} mA" in text


# ---- the protocol ----------------------------------------------------------------------------------------------------


def test_the_page_on_scripting_has_every_word_of_the_protocol() -> None:
    text = text_of("scripting.md")
    known = fields(LineOrder)
    words = {*known, *(name for names in known.values() for name in names), *get_args(Asked), *KEYS}
    words |= {*faults.SWITCH_FAULTS, *faults.LINE_FAULTS, *faults.KEYS_FAULTS, *faults.OUTPUT_FAULTS}
    assert [word for word in sorted(words) if f"`{word}`" not in text] == []


@pytest.mark.parametrize("rules", edition_names())
def test_the_page_on_scripting_has_every_field_of_the_views(rules: str) -> None:
    text = text_of("scripting.md")
    with ScriptSession() as table:
        assert table.answer(json.dumps({"do": "new_game", "rules": rules}))["ok"]
        view = table.answer('{"get": "private"}')
    names = set(view) - {"ok"} | set(view["dice"] or {}) | set(next(iter(view["chips"].values()), {}))
    assert [name for name in sorted(names) if f"`{name}`" not in text] == []


def test_the_page_on_scripting_has_every_kind_of_choice() -> None:
    his = set(actions._FIELDS) - {"pawn", "roll", "roll_again"}  # those are the detectives'
    told = [row for row in rows("scripting.md") if row.startswith('| `{"kind"')]
    assert [kind for kind in sorted(his) if not any(f'{{"kind": "{kind}"' in row for row in told)] == []


# ---- modules ---------------------------------------------------------------------------------------------------------


def test_every_place_that_the_architecture_names_exists() -> None:
    places = re.findall(r"`((?:firmware_host|hardware)(?:\.\w+)+)`", text_of("architecture.md"))
    assert len(places) > 20
    for place in places:
        assert _exists(place), place


def test_the_architecture_names_every_room() -> None:
    text = text_of("architecture.md")
    rooms = [
        path.parent.name for package in ("firmware_host", "hardware") for path in (ROOT / package).glob("*/__init__.py")
    ]
    assert [room for room in sorted(rooms) if f"`{room}/`" not in text] == []


def test_the_index_of_modules_has_a_line_with_a_purpose_for_each() -> None:
    lines = list(index(("hardware/firmware",)))
    assert [line.split()[0] for line in lines] == [
        f"hardware/firmware/{name}.py"
        for name in ("__init__", "chain_debounce", "frames", "handset_main", "host_link", "main", "pico_program")
    ]
    assert all(len(line.split()) > 2 for line in index())


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
