"""The service is set up in an image and taken out of it again by the commands themselves; what cannot be is refused."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.config import shipped_files
from firmware_host.maintenance import install_command, install_target
from firmware_host.maintenance.install_plan import PROGRAM, TABLE, UNIT, WANTED, Service, Write
from firmware_host.maintenance.install_target import CommandFailed, Machine
from tests.maintenance.machine_images import LONDON, files, image, said

__all__ = ["image"]


@pytest.fixture
def shut_off() -> Iterator[Path]:
    """A folder that the service does not see (PrivateTmp=yes), wherever tests write otherwise."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


def test_what_is_shown_is_what_is_done_once(image: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("install", "--config", LONDON, "--root", image)
    before = files(image)
    shown = said(capsys, *words, "--dry-run")
    assert files(image) == before
    assert shown.endswith("Nothing of this has been done.\n")
    assert said(capsys, *words).splitlines() == [*shown.splitlines()[:-1], "The image is ready."]
    assert said(capsys, *words) == "Nothing needs to be done.\nThe image is ready.\n"
    assert (image / TABLE.lstrip("/")).read_text() == LONDON.read_text()
    assert (image / UNIT.lstrip("/")).stat().st_mode & 0o777 == 0o644
    assert (image / WANTED.lstrip("/")).is_symlink()


def test_uninstalling_leaves_what_was_there_before_but_for_what_people_have_made(
    image: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (image / "var/lib/yardboard/journal.sqlite").write_text("games")
    (image / "etc/systemd/system/yardboard.service.d").mkdir(parents=True)
    (image / "etc/systemd/system/yardboard.service.d/override.conf").write_text("[Service]\nNice=5\n")
    before = files(image)
    said(capsys, "install", "--config", shipped_files.folder() / "dice-matrix.toml", "--root", image)
    assert said(capsys, "uninstall", "--root", image).splitlines()[-2:] == [
        f"The configuration ({TABLE}) stays; --purge removes it.",
        "The games (/var/lib/yardboard) stay; --purge removes them.",
    ]
    assert set(files(image)) - set(before) - {"etc/passwd", "etc/group", "etc/shadow", "etc/gshadow"} == {TABLE[1:]}
    assert "journal.sqlite" in "".join(files(image))
    assert "(all games that were played" in said(capsys, "uninstall", "--purge", "--root", image)
    assert set(files(image)) & {TABLE[1:], "var/lib/yardboard/journal.sqlite"} == set()
    assert "yardboard" not in (image / "etc/passwd").read_text() + (image / "etc/group").read_text()
    assert said(capsys, "uninstall", "--purge", "--root", image) == "Nothing needs to be done.\n"
    assert "etc/systemd/system/yardboard.service.d/override.conf" in files(image)


def test_a_file_of_somebody_else_is_named_and_nothing_is_done(image: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unit = image / UNIT.lstrip("/")
    unit.parent.mkdir(parents=True)
    unit.write_text("[Unit]\n")
    before = files(image)
    words = ("install", "--config", LONDON, "--root", image)
    assert f"{UNIT}: exists already, and differs" in said(capsys, *words, status=1)
    assert files(image) == before
    assert "[Unit]\n" not in said(capsys, *words, "--replace")
    assert "[Unit]\n" in files(image).values()
    assert f"{UNIT} stays" not in said(capsys, "uninstall", "--root", image)


def test_writing_that_breaks_off_leaves_the_file_as_it_was(image: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (image / "etc/thing").write_text("old")

    def power_cut(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", power_cut)
    with pytest.raises(KeyboardInterrupt):
        Machine(image).carry_out(Write("/etc/thing", "new"))
    assert (image / "etc/thing").read_text() == "old"


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ('[switches]\ndriver = "sim"\n', "its board is simulated: play on it with yardboard sim"),
        ('[journal]\npath = "here.sqlite"\n', "[journal] path: the service can only write below /var/lib/yardboard"),
        ('[map]\nname = "mine.toml"\n', "put its map and its edition in the same folder"),
        ('[map]\nname = "HERE/mine.toml"\n', "HERE/mine.toml: the service cannot see it; put it beside"),
        ("[switches]\nsamples = 0\n", "[switches] samples"),
    ],
)
def test_a_configuration_that_the_service_could_not_run_is_refused(
    lines: str, complaint: str, image: Path, shut_off: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shut_off / "mine.toml").write_text((shipped_files.folder() / "maps" / "london.toml").read_text())
    lines, complaint = (each.replace("HERE", str(shut_off)) for each in (lines, complaint))
    text = LONDON.read_text()
    head = lines.partition("\n")[0]
    path = shut_off / "table.toml"
    path.write_text(text.replace(head + "\n", lines) if head + "\n" in text else lines + text)
    if "sim" in lines:
        path.write_text(lines)
    assert complaint in said(capsys, "install", "--config", path, "--root", image, status=1)
    assert not (image / "etc/yardboard").exists()


def test_a_configuration_that_is_not_there_or_not_said_is_told(image: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "use --config FILE" in said(capsys, "install", "--root", image, status=1)
    missing = image / "missing.toml"
    assert str(missing) in said(capsys, "install", "--config", missing, "--root", image, status=1)


def test_an_image_without_the_program_is_refused(image: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (image / str(PROGRAM).lstrip("/")).unlink()
    told = said(capsys, "install", "--config", LONDON, "--root", image, status=1)
    assert f"{PROGRAM}: there is no such file; install yardboard into /opt/yardboard: see" in told


def test_a_program_that_the_service_could_not_see_is_refused(shut_off: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(shut_off / "python"))
    with pytest.raises(install_command.CannotInstall, match="there is no such file"):
        install_command.program(Machine(Path("/")))
    (shut_off / "yardboard").touch()
    with pytest.raises(
        install_command.CannotInstall, match="the service cannot see it; install yardboard into /opt/yardboard"
    ):
        install_command.program(Machine(Path("/")))


@pytest.mark.parametrize("name", ["my table", "100%", "a$b", 'a"b', "a'b", "a\\b"])
def test_a_program_that_no_unit_can_name_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "yardboard").touch()
    monkeypatch.setattr(sys, "executable", str(tmp_path / name / "python"))
    monkeypatch.setattr(install_command, "HIDDEN", ())
    with pytest.raises(
        install_command.CannotInstall, match=r"a unit cannot start a program with .* in its path; install yardboard"
    ):
        install_command.program(Machine(Path("/")))


def test_without_root_only_looking_is_allowed_and_likewise_without_systemd(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here = Machine(Path("/"))
    monkeypatch.setattr(install_target, "BOOTED", tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    here.check(only_look=True)
    with pytest.raises(install_target.WrongMachine, match="only root may do that: use sudo"):
        here.check(only_look=False)
    monkeypatch.setattr(install_target, "BOOTED", tmp_path / "missing")
    with pytest.raises(install_target.WrongMachine, match="does not run systemd"):
        here.check(only_look=False)
    here.check(only_look=True)
    assert here.state().service == Service()
    Machine(tmp_path).check(only_look=False)


SHOWN = """\
LoadState=loaded
NeedDaemonReload=yes
ActiveState=activating
ExecMainStartTimestamp=@1700000000
"""


def test_what_systemctl_shows_is_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "systemctl"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{SHOWN}END\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert install_target._service_state() == Service(loaded=True, stale=True, active=True, since=1.7e9)
    program.write_text("#!/bin/sh\necho 'LoadState=not-found\nActiveState=inactive\nExecMainStartTimestamp='\n")
    assert install_target._service_state() == Service()
    program.write_text("#!/bin/sh\necho no bus >&2\nexit 1\n")
    with pytest.raises(CommandFailed, match="no bus"):
        install_target._service_state()
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(CommandFailed, match="systemctl: there is no such command"):
        install_target._service_state()
