"""The package is in no registry: what pages and messages tell people to install can be installed from a clone."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOLD = [
    path
    for folder in ("docs", "firmware_host", "hardware", "systemd", "README.md", "CONTRIBUTING.md")
    for path in ([ROOT / folder] if folder.endswith(".md") else sorted((ROOT / folder).rglob("*")))
    if path.suffix in (".md", ".py", ".conf", ".toml")
    and re.search(r"pip install|install_extra\(", path.read_text(encoding="utf-8"))
]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


@pytest.mark.parametrize("path", TOLD, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_people_are_told_to_install_is_there_to_be_installed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"pip install \W*yardboard\b", text), "it is in no registry"
    for named, asked_for in re.findall(r"pip install '\.\[([a-z,]+)\]'|install_extra\([\"']([a-z]+)[\"']\)", text):
        assert set((named or asked_for).split(",")) <= EXTRAS.keys()


def test_messages_that_tell_what_to_install_are_found() -> None:
    names = {path.name for path in TOLD}
    assert {"tournament_command.py", "levels.py", "cli.py", "players.md", "README.md"} <= names
