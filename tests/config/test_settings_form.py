"""A configuration as a form: what it shows, and how its changes come into the file."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from firmware_host.commissioning.config_command import as_json_schema
from firmware_host.config import shipped_files
from firmware_host.config.allowed_values import keys
from firmware_host.config.loader import parse
from firmware_host.config.schema import SECTIONS
from firmware_host.config.settings_form import BadChange, SettingChange, apply_changes, complaints, form_sections
from firmware_host.config.toml_file import ConfigError
from firmware_host.system.secret_texts import hash_password

FILE = """\
# Our table
[game]
rules = "classic"  # what we play
names = { mr_x = "Ada" } # us

# lamps are bright
[lamps]
driver = "sim"
brightness = 0.4   # not too bright

[game.options]
x_fares = "counted"

[web] # pages
serve = true
"""
SHIPPED = [path.stem for path in sorted(shipped_files.folder().glob("*.toml"))]


def changed(*changes: tuple[str, str, Any], text: str = FILE) -> str:
    """The file after changes."""
    return apply_changes(text, [SettingChange(*change) for change in changes], "table.toml")


def fields(text: str) -> dict[tuple[str, str], dict[str, Any]]:
    """The fields of a file's form, by section and key."""
    return {(one["name"], each["key"]): each for one in form_sections(text, "table.toml") for each in one["fields"]}


# ---- the form ----


def test_a_form_has_every_key_with_what_the_file_says_and_the_default_otherwise() -> None:
    found = fields(FILE)
    assert found.keys() == {(name, key) for name, kind in SECTIONS.items() for key in keys(kind)}
    brightness, gamma = found["lamps", "brightness"], found["lamps", "gamma"]
    assert (brightness["value"], brightness["given"], brightness["default"]) == (0.4, True, 0.6)
    assert (gamma["value"], gamma["given"], gamma["default"]) == (None, False, 1.0)
    json.dumps(form_sections(FILE, "table.toml"))


def test_wirings_secrets_and_what_root_keeps_are_shown_and_not_changed() -> None:
    fixed = {place for place, field in fields(FILE).items() if not field["editable"]}
    assert {("switches", "wiring"), ("lamps", "wiring"), ("lamps", "log"), ("keys", "table"), ("web", "owner_password"),
            ("journal", "path"), ("mqtt", "password_file"), ("handset", "bus"), ("handset", "driver"),
            ("display", "address"), ("keys", "encoder"), ("pi", "model")} <= fixed  # fmt: skip
    assert fixed.isdisjoint({("game", "names"), ("handset", "contrast"), ("keys", "hold_ms"), ("lamps", "order")})
    for section, key in fixed:
        with pytest.raises(BadChange):
            changed((section, key, "x"))


def test_no_secret_of_a_file_is_in_its_form() -> None:
    line = hash_password("correct horse")
    form = json.dumps(form_sections(f'[web]\nowner_password = "{line}"\n[log]\nlevel = "x://ada:horse@y"\n', "t"))
    assert line[20:40] not in form
    assert "horse" not in form
    assert fields(f'[web]\nowner_password = "{line}"\n')["web", "owner_password"]["given"] is True


def test_a_file_that_is_no_toml_has_no_form() -> None:
    with pytest.raises(ConfigError, match="line 1"):
        form_sections("[game\n", "table.toml")


# ---- changes ----


def test_comments_and_order_stay_and_only_what_was_changed_changes() -> None:
    new = changed(("lamps", "brightness", 0.8), ("game", "names", {"1": "Ben"}), ("game", "take_back", False),
                  ("web", "port", 80), ("log", "level", "debug"))  # fmt: skip
    assert (
        new
        == FILE.replace("0.4", "0.8")
        .replace('names = { mr_x = "Ada" } # us\n', 'names = {1 = "Ben"} # us\ntake_back = false\n')
        .replace("serve = true\n", "serve = true\nport = 80\n")
        + '\n[log]\nlevel = "debug"\n'
    )


def test_a_removed_key_has_its_default_again_and_rows_may_all_go() -> None:
    new = changed(("lamps", "brightness", None), ("game", "options", {}), ("timing", "settle_ms", None))
    assert tomllib.loads(new) == {
        "game": {"rules": "classic", "names": {"mr_x": "Ada"}, "options": {}}, "lamps": {"driver": "sim"},
        "web": {"serve": True},
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "",
        "web = {serve = true}\n",
        "web.serve = true\n",
        "[web]\nserve = true",
        "[game]\n[game.names]\nmr_x = 'A'\n[web]\n",
    ],
)
def test_a_file_may_be_written_in_any_form(text: str) -> None:
    new = changed(("web", "port", 80), ("game", "names", {"mr_x": 'Ä"\n'}), ("game", "owners", [3, 4]), text=text)
    read = tomllib.loads(new)
    assert read["web"]["port"] == 80
    assert read["game"]["names"] == {"mr_x": 'Ä"\n'}
    assert read["game"]["owners"] == [3, 4]


@pytest.mark.parametrize(
    "change",
    [("nothing", "key", 1), ("web", "nothing", 1), ("__class__", "x", 1), ("players", "bob", {"command": ["sh"]})],
)
def test_a_change_that_no_form_offers_is_refused(change: tuple[str, str, Any]) -> None:
    with pytest.raises(BadChange, match="forms cannot change this; edit the file itself"):
        changed(change)


def test_a_section_that_is_none_is_refused() -> None:
    with pytest.raises(BadChange, match="is not a section"):
        changed(("web", "port", 80), text="web = 5\n")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_file_keeps_all_else_when_every_key_is_set_to_what_it_is(name: str) -> None:
    text = (shipped_files.folder() / f"{name}.toml").read_text()
    same = [
        (section, key, field["value"])
        for (section, key), field in fields(text).items()
        if field["given"] and field["editable"]
    ]
    assert tomllib.loads(changed(*same, text=text)) == tomllib.loads(text)
    assert (
        parse(changed(("log", "level", "debug"), text=text), name, folder=shipped_files.folder()).log.level == "debug"
    )


# ---- complaints ----


def test_each_complaint_is_beside_its_field(tmp_path: Path) -> None:
    new = changed(
        ("lamps", "brightness", 8), ("game", "names", {"7": "Ben"}), ("timing", "insist_ms", 600),
        ("web", "host", "table"), ("game", "coach", True),
    )  # fmt: skip
    assert {(section, key): text for section, key, text in complaints(new, tmp_path / "table.toml")} == {
        ("lamps", "brightness"): "8 is out of range; write a number from 0.05 to 1.0 (default 0.6)",
        ("game", "names"): "'7' is not a seat of this game; seats are mr_x, detectives, 1, 2, 3, 4",
        (
            "timing",
            "insist_ms",
        ): "600 ms is less than wrong_ms, 1000 ms; write insist_ms = 1000 or more, or wrong_ms = 600 or less",
        ("web", "host"): '"table" is not an IP address; write an IP address in quotes, '
        'such as "0.0.0.0" for all networks (default "127.0.0.1")',
        ("game", "coach"): 'true is not a known word; write one of "off", "stations", "advice" (default "off")',
    }


def test_a_complaint_about_no_field_is_kept(tmp_path: Path) -> None:
    found = complaints("[lampx]\n[lamps]\nx = 1\n", tmp_path / "table.toml")
    assert [one[:2] for one in found] == [("", ""), ("lamps", "")]
    assert found[1][2].startswith("[lamps] x: unknown key")


def test_a_good_file_has_none(tmp_path: Path) -> None:
    assert complaints(FILE, tmp_path / "table.toml") == []


# ---- the schema for editors ----


def wrong(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value is not as a schema says; of JSON Schema only what ours has."""
    kinds = {"integer": int, "number": (int, float), "string": str, "boolean": bool, "array": list, "object": dict}
    types = schema.get("type", [])
    named = [types] if isinstance(types, str) else types
    if named and not any(
        isinstance(value, kinds[one]) and (one == "boolean") == isinstance(value, bool) for one in named
    ):
        return True
    if "enum" in schema and value not in schema["enum"]:
        return True
    if isinstance(value, int | float) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return True
    if isinstance(value, list):
        return any(wrong(item, schema["items"]) for item in value)
    if not isinstance(value, dict):
        return False
    rest = schema.get("additionalProperties", {})
    patterns = list(schema.get("patternProperties", {}).values()) if all(key.isdecimal() for key in value) else []
    inner = {key: schema.get("properties", {}).get(key, patterns[0] if patterns else rest) for key in value}
    return any(one is False or wrong(value[key], one) for key, one in inner.items())


@pytest.mark.parametrize("name", SHIPPED)
def test_the_schema_accepts_every_shipped_file(name: str) -> None:
    assert not wrong(tomllib.loads((shipped_files.folder() / f"{name}.toml").read_text()), as_json_schema())


def test_the_schema_accepts_every_default_and_describes_every_key() -> None:
    for name, section in as_json_schema()["properties"].items():
        for key, schema in section.get("properties", {}).items():
            assert not wrong(schema["default"], schema), (name, key)
            assert schema["description"]
            assert schema.keys() & {"type", "enum"}


@pytest.mark.parametrize(
    "text",
    ["[lamps]\nbrightness = 3\n", "[lamp]\n",
     "[lamps]\nx = 1\n", "[switches.wiring]\nx = 1\n", "[game]\nplayers = 2.5\n",
     "[players.bob]\nms = 'x'\n", "[web]\nserve = 1\n", "[game]\nowners = ['x']\n", "[game]\ncoach = 'x'\n"],
)  # fmt: skip
def test_the_schema_finds_what_the_reader_finds(text: str) -> None:
    assert wrong(tomllib.loads(text), as_json_schema())
    with pytest.raises(ConfigError):
        parse(text, "table.toml")
