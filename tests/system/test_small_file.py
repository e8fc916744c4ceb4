"""A small file is read without waiting, whatever is in its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_host.system.files import read_small_file


def test_the_content_of_a_file_is_returned_and_of_a_pipe_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    os.mkfifo(tmp_path / "pipe")
    assert read_small_file(tmp_path / "file") == b"content"
    assert read_small_file(tmp_path / "pipe") == b""


def test_a_folder_in_its_place_is_named_and_costs_no_open_file(tmp_path: Path) -> None:
    before = len([*Path("/dev/fd").iterdir()])
    for _ in range(3):
        with pytest.raises(IsADirectoryError) as error:
            read_small_file(tmp_path)
        assert Path(error.value.filename) == tmp_path
    assert len([*Path("/dev/fd").iterdir()]) == before
