"""Images of machines that a service is set up in, and the words said to them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_host.cli import main
from firmware_host.config import shipped_files
from firmware_host.maintenance.install_plan import PROGRAM

LONDON = shipped_files.folder() / "london-spi.toml"


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """The files of a machine that is not booted, with yardboard in it."""
    for folder in ("etc", "opt/yardboard/bin", "usr/lib/systemd/system", "var/lib/yardboard"):
        (tmp_path / "image" / folder).mkdir(parents=True)
    (tmp_path / "image" / str(PROGRAM).lstrip("/")).touch()
    return tmp_path / "image"


def said(capsys: pytest.CaptureFixture[str], *words: str | Path, status: int = 0) -> str:
    """What a command says; it has to end with that status."""
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    out, err = capsys.readouterr()
    assert ended.value.code == status, err
    return err if status else out


def files(image: Path) -> dict[str, str]:
    """All files of the image, but for what the system's own tools keep beside theirs."""
    passing = re.compile(r"-$|/\.pwd\.lock$")
    return {
        str(path.relative_to(image)): "" if path.is_symlink() else path.read_text()
        for path in image.rglob("*")
        if (path.is_file() or path.is_symlink()) and not passing.search(str(path))
    }
