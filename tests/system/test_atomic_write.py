"""A file is replaced as a whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from firmware_host.system.files import replace_file


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for content in (b"old", b"new"):
        replace_file(file, content)
        assert file.read_bytes() == content
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [*tmp_path.iterdir()] == [file]


def test_a_link_in_its_place_or_beside_it_is_not_followed(tmp_path: Path) -> None:
    other, file = tmp_path / "other", tmp_path / "file"
    other.write_bytes(b"other")
    for link in (file, tmp_path / ".file.new"):
        link.symlink_to(other)
    replace_file(file, b"new", durable=False)
    assert (file.read_bytes(), other.read_bytes()) == (b"new", b"other")
    assert not file.is_symlink()


@pytest.mark.parametrize("broken", ["fsync", "finish", "rename"])
def test_what_goes_wrong_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "full")

    file = tmp_path / "file"
    file.write_bytes(b"old")
    if broken == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    if broken == "rename":
        monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="full"):
        replace_file(file, b"new", finish=fail if broken == "finish" else None)
    assert file.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [file]
