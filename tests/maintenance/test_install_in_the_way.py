"""Whatever is in the way when a service is set up: it is told, nothing is lost by it, and nothing stays half done."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import firmware_host
from firmware_host.config import shipped_files
from firmware_host.config.loader import load
from firmware_host.maintenance import install_command
from firmware_host.maintenance.install_plan import DROP_INS, GAMES, TABLE, UNIT, WANTED, MachineState, Write
from firmware_host.maintenance.install_target import Machine
from tests.maintenance.machine_images import LONDON, files, image, said

__all__ = ["image"]

YARDBOARD = str(Path(sys.executable).with_name("yardboard"))


def put(image: Path, path: str, text: str) -> Path:
    """A file of the image."""
    place = image / path.lstrip("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    return place


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def test_a_full_disk_leaves_everything_as_it_was_and_the_file_is_named(image: Path) -> None:
    put(image, TABLE, "# mine\n")
    put(image, UNIT, "[Unit]\n")
    before = files(image)
    words = f"{YARDBOARD} install --replace --config {LONDON} --root {image}"
    full = ["sh", "-c", f"ulimit -f 1; exec {words}"]  # no file may have more than a block
    done = subprocess.run(full, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, f"yardboard: {image}{TABLE}: File too large\n")
    assert files(image) == before


def test_what_is_replaced_is_there_under_another_name_before_it_goes(image: Path) -> None:
    place = put(image, "/etc/thing", "old")
    Machine(image).carry_out(Write("/etc/thing", "new", "thing.old"))
    assert (place.read_text(), place.with_name("thing.old").read_text()) == ("new", "old")
    with pytest.raises(FileExistsError):
        Machine(image).carry_out(Write("/etc/thing", "newer", "thing.old"))
    assert {each.name for each in place.parent.iterdir()} == {"thing", "thing.old"}
    assert (place.read_text(), place.with_name("thing.old").read_text()) == ("new", "old")


def test_whoever_reads_along_may_go_and_it_is_done_all_the_same(image: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    for words, is_there in ((["install", "--config", str(LONDON)], True), (["uninstall", "--purge"], False)):
        done = subprocess.run(
            [YARDBOARD, *words, "--root", str(image)], check=False, stdout=writing, stderr=subprocess.PIPE, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert (image / WANTED.lstrip("/")).is_symlink() == is_there
        assert ("yardboard" in (image / "etc/passwd").read_text()) == is_there
    os.close(writing)


def test_everybody_can_read_what_is_written_whatever_the_umask_is(
    image: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with umask(0o077):
        said(capsys, "install", "--config", LONDON, "--root", image)
    for path in ("/etc/yardboard", TABLE, "/etc/systemd/system", UNIT):
        assert (image / path.lstrip("/")).stat().st_mode & 0o055 in {0o044, 0o055}, path


@pytest.mark.parametrize("shut", ["etc/yardboard", TABLE[1:], "opt/yardboard"])
def test_what_the_service_cannot_read_is_refused(shut: str, image: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(image, TABLE, LONDON.read_text())
    place = image / shut
    mode = place.stat().st_mode & 0o777
    place.chmod(mode & 0o700)
    told = said(capsys, "install", "--root", image, status=1)
    assert told.endswith(f": the service's user cannot read it; run: sudo chmod a+rX {place}\n")
    assert not (image / UNIT.lstrip("/")).exists()
    place.chmod(mode)
    said(capsys, "install", "--root", image)


def test_a_file_of_the_group_of_the_service_can_be_read_by_it(image: Path) -> None:
    place = put(image, TABLE, "")
    place.chmod(0o640)
    assert Machine(image).unreadable_part(TABLE) == place
    put(image, "/etc/group", f"yardboard:x:{place.stat().st_gid}:\n")
    assert Machine(image).unreadable_part(TABLE) is None


def test_a_folder_that_this_user_must_not_look_into_counts_as_not_there() -> None:
    with tempfile.TemporaryDirectory() as folder:  # not in one of root's alone, as those of tests are
        root = Path(folder)
        root.chmod(0o755)
        private = root / "var/lib/private"
        (private / "yardboard").mkdir(parents=True)
        assert Machine(root)._has_folder(GAMES[1])
        private.chmod(0o000)
        was = os.geteuid()
        os.seteuid(65534 if was == 0 else was)
        try:
            assert not Machine(root)._has_folder(GAMES[1])
        finally:
            os.seteuid(was)
            private.chmod(0o700)


@pytest.mark.parametrize("target", ["/dev/null", "/nowhere"])
@pytest.mark.parametrize("path", [UNIT, f"{DROP_INS}/10-web.conf", TABLE])
def test_a_mask_or_a_link_that_leads_nowhere_is_somebody_else_s(
    path: str, target: str, image: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = put(image, path, "")
    place.unlink()
    place.symlink_to(target)
    words = ("install", "--config", LONDON, "--root", image)
    assert f"{path}: exists already, and differs" in said(capsys, *words, status=1)
    assert str(place.readlink()) == target
    said(capsys, *words, "--replace")
    (kept,) = place.parent.glob(f"{place.name}.*.old")
    assert str(kept.readlink()) == target


def test_a_configuration_that_is_a_link_to_where_the_service_cannot_see_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install_command, "TABLE", str(tmp_path / "table.toml"))
    monkeypatch.setattr(install_command, "HIDDEN", (str(tmp_path / "home"),))
    real = put(tmp_path, "/home/table.toml", LONDON.read_text())
    (tmp_path / "table.toml").symlink_to(real)
    with pytest.raises(
        install_command.CannotInstall, match=r"home/table\.toml: the service cannot see it; put a file there"
    ):
        install_command.load_for_service(tmp_path / "table.toml", Machine(Path("/")))


def test_the_map_of_an_image_is_the_one_in_the_image(
    image: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    london = (shipped_files.folder() / "maps/london.toml").read_text()
    mine, own = put(image, "/etc/yardboard/mine.toml", london), tmp_path / "table.toml"
    own.write_text(f'[map]\nname = "mine.toml"\n{LONDON.read_text()}')
    said(capsys, "install", "--config", own, "--root", image)
    mine.write_text("")
    assert "mine.toml" in said(capsys, "install", "--root", image, status=1)
    monkeypatch.setattr(install_command, "HIDDEN", ())
    here = put(tmp_path, "mine.toml", london)
    own.write_text(f'[map]\nname = "{here}"\n{LONDON.read_text()}')
    told = said(capsys, "install", "--config", own, "--root", image, status=1)
    assert f"[map] name: for an image put it beside {TABLE}, and write its path from there on" in told


def test_a_program_a_map_or_a_configuration_that_came_later_than_the_service_is_seen(
    image: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the service is started anew when it was started before that; cp -p and mv leave a file's own times."""
    own = tmp_path / "table.toml"
    own.write_text(f'[map]\nname = "mine.toml"\n{LONDON.read_text()}')
    (tmp_path / "mine.toml").write_text((shipped_files.folder() / "maps/london.toml").read_text())
    assert {Path(firmware_host.__file__).parent, Path("/etc/yardboard/mine.toml")} <= set(
        install_command.files_read(load(own))
    )
    found = Machine.state
    looked_at: list[Path] = []

    def look(machine: Machine, runs: Iterable[Path] = ()) -> MachineState:
        looked_at.extend(runs)
        return found(machine, runs)

    monkeypatch.setattr(Machine, "state", look)
    said(capsys, "install", "--config", LONDON, "--root", image, "--dry-run")
    assert looked_at == install_command.files_read(load(LONDON))
    begun = int(time.time())
    new = tmp_path / "package"
    for path in (put(image, TABLE, ""), put(new, "/data/unit.toml", "")):
        os.utime(path, (0, 0))
    assert Machine(image).state().written >= begun
    (image / TABLE.lstrip("/")).unlink()
    assert Machine(image).state([tmp_path / "nothing"]).written == 0
    assert Machine(image).state([new]).written >= begun
    cache = new / "data/__pycache__"
    cache.mkdir()
    (new / "data/unit.toml").rename(cache / "unit.cpython-311.pyc")  # a run of Python writes such
    for name in (
        "kernel.nbi",
        "kernel.nbi.tmp.4fe0",
        "kernel.1.nbc",
    ):  # and numba these, each by a file that goes again
        (cache / name).touch()
    assert Machine(image).state([new]).written == 0


def test_a_user_who_is_not_in_every_group_is_there_all_the_same(image: Path) -> None:
    put(image, "/etc/passwd", "yardboard:x:990:990::/:/bin/false\n")
    outside = put(image, "/etc/group", "".join(f"{name}:x:1:yardboard\n" for name in ("gpio", "spi", "i2c")))
    found = Machine(image).state()
    assert (found.user, found.group, found.member) == (True, False, False)
    outside.write_text(f"{outside.read_text()}dialout:x:2:pi,yardboard\nyardboard:x:990:\n")
    found = Machine(image).state()
    assert (found.user, found.group, found.member) == (True, True, True)


@pytest.mark.parametrize(
    "way",
    [
        *("etc", "etc/yardboard", "etc/systemd", "etc/systemd/system/multi-user.target.wants", "etc/sysusers.d"),
        *("etc/systemd/system/yardboard.service.d", "etc/udev", "var", "var/lib", "var/lib/private"),
        *("etc/passwd", "etc/group", "etc/shadow", "etc/gshadow"),
    ],
)
def test_an_image_with_a_link_that_leads_out_of_it_is_refused_and_nothing_is_touched(
    way: str, image: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = shipped_files.folder() / "dice-matrix.toml"
    said(capsys, "install", "--config", dice, "--root", image)
    for games in GAMES:
        put(image, f"{games}/journal.sqlite", "games")
    here, there = image / way, tmp_path / "host"
    here.rename(there)
    here.symlink_to(there)
    before = files(tmp_path)
    assert any(name.startswith("host") for name in before)
    for words in (["install", "--replace", "--config", LONDON], ["uninstall", "--purge"], ["uninstall"]):
        told = said(capsys, *words, "--root", image, status=1)
        assert f": {here} leads to {there}, out of the image {image}; have it in the image itself, or as a" in told
        assert files(tmp_path) == before


def test_a_link_that_leads_nowhere_outside_the_image_makes_no_folder_there(
    image: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (image / "etc/yardboard").symlink_to(tmp_path / "host")
    told = said(capsys, "install", "--config", LONDON, "--root", image, status=1)
    assert told.startswith(f"yardboard: {TABLE}: {image}/etc/yardboard leads to {tmp_path}/host, out of the image")
    assert not (tmp_path / "host").exists()


def test_an_image_with_links_that_stay_in_it_is_as_good_as_any(image: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (image / "var/lib").rename(image / "data")
    (image / "var/lib").symlink_to("../data")
    (image / "var/rest").symlink_to("/nowhere/that/matters")
    games = put(image, "/data/yardboard/journal.sqlite", "games")
    said(capsys, "install", "--config", LONDON, "--root", image)
    assert games.exists()
    said(capsys, "uninstall", "--purge", "--root", image)
    assert not games.parent.exists()


def test_only_what_is_there_is_said_to_stay(image: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (image / "etc/yardboard").mkdir()
    (image / "var/lib/yardboard").rmdir()
    assert said(capsys, "uninstall", "--root", image) == "Nothing needs to be done.\n"
