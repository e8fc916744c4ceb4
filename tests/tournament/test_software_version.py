"""Two yardboards are the same if they play the same, whatever else lies in their folders."""

from __future__ import annotations

from pathlib import Path

import pytest

import firmware_host
from firmware_host.tournament.one_game import software_version


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the package's."""
    for name in ("__init__.py", "players/search/weights.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1", encoding="utf-8")
    monkeypatch.setattr(firmware_host, "__file__", str(tmp_path / "__init__.py"))
    return tmp_path


@pytest.mark.parametrize("name", ["players/search/__pycache__/compiled-py311.json", "__pycache__/left.py"])
def test_what_a_machine_has_compiled_makes_no_other_yardboard(name: str, package: Path) -> None:
    before = software_version.__wrapped__()
    (package / name).parent.mkdir()
    (package / name).write_text("{}", encoding="utf-8")
    assert software_version.__wrapped__() == before


@pytest.mark.parametrize("name", ["__init__.py", "players/search/weights.json", "players/new.py"])
def test_other_code_or_weights_make_another_yardboard(name: str, package: Path) -> None:
    before = software_version.__wrapped__()
    (package / name).write_text("2", encoding="utf-8")
    assert software_version.__wrapped__() != before
