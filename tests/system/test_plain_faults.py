"""A file that cannot be read or written is named with the reason in plain words."""

import os
from pathlib import Path

import pytest

from firmware_host.system.plain_faults import reading_fault, writing_fault


def error_of(path: Path, mode: str) -> OSError:
    with pytest.raises(OSError, match=path.name) as caught, path.open(mode):
        pass
    return caught.value


def test_a_file_that_cannot_be_read_is_named_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")
    for path, said in (
        (tmp_path / "link", "is a link to nowhere, which is not there; correct the link"),
        (tmp_path / "gone", "there is no such file; check its name and its folder"),
        (tmp_path, "is a folder; name a file"),
        (tmp_path / "file" / "below", f"{tmp_path / 'file'} is a file, not a folder; correct the path"),
        (tmp_path / ("x" * 300), "there is no such file: the name is too long; check it"),
    ):
        assert reading_fault(path, error_of(path, "r")) == f"{path}: {said}"


def test_a_file_that_cannot_be_written_is_named_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path, said in (
        (tmp_path / "no" / "a", f"there is no folder {tmp_path / 'no'}; create it, or name another file"),
        (tmp_path, "is a folder; name another file"),
        (tmp_path / "file" / "below", f"{tmp_path / 'file'} is a file, not a folder; name another file"),
        (tmp_path / ("x" * 300), "the name is too long; name another file"),
    ):
        assert writing_fault(path, error_of(path, "w")) == f"{path}: {said}"


def test_a_full_disk_asks_for_space_and_an_unknown_reason_is_quoted() -> None:
    assert writing_fault("a", FileExistsError(17, "")) == "a: is a file, not a folder; name another file"
    full = OSError(28, os.strerror(28))
    assert writing_fault("a.svg", full) == "a.svg: cannot be written: the disk is full; free some space"
    assert writing_fault("a.svg", OSError(9999, "odd")) == "a.svg: cannot be written: odd; name another file"
    assert reading_fault("a.svg", OSError(9999, "odd")) == "a.svg: cannot be read: odd"
