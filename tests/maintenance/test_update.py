"""An update ends with a version that runs: the new one, or else the one before, whatever fails and if power fails."""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
import shlex
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path

import pytest

from firmware_host.config import shipped_files
from firmware_host.journal import sqlite_store
from firmware_host.maintenance.service_setup import MaintenanceError, run
from firmware_host.maintenance.update import (
    BEFORE,
    FOLDER,
    READS,
    UNFINISHED,
    WRITES,
    DebianSystem,
    ServiceState,
    update,
)

OLD = "0.1.0+deb12"


class PowerCut(BaseException):
    """The machine is off."""


class Machine:
    """A machine with packages and a service, which can lose its power at any step.

    Attributes:
        version: the installed version; "" while its files are half written.
        steps: the steps until the power fails; None: never.
        clock: the seconds that were waited.
    """

    def __init__(self) -> None:
        self.version, self.works = OLD, True
        self.stopped = self.playing = self.locked = False
        self.steps: int | None = None
        self.clock = 0.0
        self._restarts, self._started = 0, 0.0

    def _step(self) -> None:
        if self.steps is not None:
            self.steps -= 1
            if self.steps < 0:
                raise PowerCut

    def architecture(self) -> str:
        return "arm64"

    def installed(self) -> str:
        return self.version

    def fields(self, package: Path) -> Mapping[str, str]:
        try:
            fields: dict[str, str] = json.loads(package.read_bytes())
        except ValueError:
            raise MaintenanceError("dpkg-deb: unexpected end of file") from None
        return fields

    def pack(self, out: Path) -> None:
        whole = deb(self.version, runs=self.works)
        self._step()
        out.write_text(whole[:20])
        self._step()
        out.write_text(whole)
        self._step()

    def install(self, package: Path) -> None:
        self._step()
        if self.locked:
            raise MaintenanceError("dpkg: the frontend is locked by another process")
        fields = self.fields(package)
        self.version = ""
        self._step()
        self.version, self.works = fields["Version"], fields["runs"] == "yes"
        self._started = -1.0  # the service manager will restart it, and still counts the failures from before
        self._step()

    def try_program(self) -> None:
        self._step()
        if not self.version:
            raise MaintenanceError("yardboard: half a program")

    def service(self) -> ServiceState:
        runs = not self.stopped and self.works and bool(self.version) and self._started >= 0
        return ServiceState(ready=runs, pid=len(self.version) if runs else 0, failures=self._restarts)

    def in_play(self) -> bool:
        return self.playing

    def last_words(self) -> str:
        return "Something broke."

    def wait(self, seconds: float) -> None:
        self._step()
        self.clock += seconds
        if self._started < 0:
            self._started = self.clock
        self._restarts = 0 if self.works else int((self.clock - self._started) / 6)

    def start(self, folder: Path) -> None:
        """Switch on: carry out what the unit says."""
        unit = (shipped_files.service_folder() / "yardboard-update.service").read_text()
        (condition,) = re.findall("ConditionPathExists=(.*)", unit)
        here = partial(re.sub, re.escape(str(FOLDER)), str(folder))
        if not Path(here(condition)).exists():
            return
        (line,) = re.findall("ExecStart=(.*)", unit)
        *locked, commands = shlex.split(here(line))
        assert locked == ["/usr/bin/flock", str(folder), "/bin/sh", "-ec"]
        for words in (command.split() for command in commands.split(";")):
            if words[0] == "dpkg":
                assert words[1:4] == ["--force-confold", "--force-downgrade", "--install"]
                self.install(Path(words[4]))
            else:
                assert words[0] == "rm"
                self._step()
                Path(words[1]).unlink()


def deb(version: str, *, runs: bool = True, **fields: str) -> str:
    """A package, as far as this machine looks into one."""
    journal = {WRITES: str(sqlite_store.VERSION), READS: " ".join(map(str, sqlite_store.READABLE))}
    usual = {"Package": "yardboard", "Architecture": "arm64", "Version": version, "runs": "yes" if runs else "no"}
    return json.dumps({**usual, **journal, **fields})


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "updates"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    file = tmp_path / "yardboard_0.2.0+deb12_arm64.deb"
    file.write_text(deb("0.2.0+deb12"))
    return file


def test_the_new_version_runs_and_the_one_before_is_kept(machine: Machine, folder: Path, package: Path) -> None:
    said = update(package, hashlib.sha256(package.read_bytes()).hexdigest().upper(), system=machine, folder=folder)
    assert "yardboard 0.2.0+deb12 is installed; before it was 0.1.0+deb12" in said
    assert machine.version == "0.2.0+deb12"
    assert [file.name for file in folder.iterdir()] == [BEFORE]
    assert folder.stat().st_mode & 0o777 == 0o700
    update(folder / BEFORE, None, system=machine, folder=folder)
    assert machine.version == OLD
    assert machine.fields(folder / BEFORE)["Version"] == "0.2.0+deb12"


@pytest.mark.parametrize("runs", [True, False], ids=["a good version", "a broken version"])
def test_after_a_power_cut_at_any_step_a_whole_version_starts(tmp_path: Path, package: Path, *, runs: bool) -> None:
    package.write_text(deb("0.2.0+deb12", runs=runs))
    versions = set()
    for steps in count():
        machine, folder = Machine(), tmp_path / f"{steps}"
        machine.steps = steps
        try:
            update(package, None, system=machine, folder=folder)
        except PowerCut:
            pass
        except MaintenanceError:
            break
        else:
            break
        for again in count():  # the power fails while the machine starts, too
            machine.steps = again
            try:
                machine.start(folder)
            except PowerCut:
                continue
            break
        assert (machine.works, not (folder / UNFINISHED).exists()) == (True, True), steps
        versions.add(machine.version)
        machine.steps = None
        assert "is installed" in update(package, None, system=machine, folder=folder) if runs else True
    assert steps > 10
    assert versions == {OLD}


def test_a_version_that_fails_is_replaced_by_the_one_before_within_a_minute(
    machine: Machine, folder: Path, package: Path
) -> None:
    package.write_text(deb("0.2.0+deb12", runs=False))
    with pytest.raises(
        MaintenanceError, match=r"not kept, and 0\.1\.0\+deb12 runs: the new version's table does not run:\nSome"
    ):
        update(package, None, system=machine, folder=folder)
    assert (machine.version, machine.works) == (OLD, True)
    assert machine.clock < 60.0
    assert not (folder / UNFINISHED).exists()


def test_a_table_that_did_not_run_before_is_not_waited_for(machine: Machine, folder: Path, package: Path) -> None:
    machine.stopped = True
    update(package, None, system=machine, folder=folder)
    assert (machine.version, machine.clock) == ("0.2.0+deb12", 0.0)


def test_a_second_update_is_refused_while_one_runs_and_disturbs_nothing(
    machine: Machine, folder: Path, package: Path
) -> None:
    second = package.with_name("second.deb")
    second.write_text(deb("0.3.0+deb12"))
    refused = []

    def begin_another(step: Callable[[Path], None], file: Path) -> None:
        with pytest.raises(MaintenanceError, match="another update is running") as error:
            update(second, None, system=Machine(), folder=folder)
        refused.append(error)
        step(file)

    machine.pack = partial(begin_another, machine.pack)  # type: ignore[method-assign]
    machine.install = partial(begin_another, machine.install)  # type: ignore[method-assign]
    update(package, None, system=machine, folder=folder)
    assert len(refused) == 2
    assert machine.version == "0.2.0+deb12"
    assert machine.fields(folder / BEFORE)["Version"] == OLD
    update(second, None, system=machine, folder=folder)


def test_if_dpkg_is_busy_nothing_has_changed(machine: Machine, folder: Path, package: Path) -> None:
    machine.locked = True
    with pytest.raises(MaintenanceError, match=r"0\.1\.0\+deb12 runs: dpkg: the frontend is locked"):
        update(package, None, system=machine, folder=folder)
    assert machine.version == OLD
    assert not (folder / UNFINISHED).exists()


def test_if_neither_version_runs_the_next_start_of_the_machine_tries_again(folder: Path, package: Path) -> None:
    package.write_text(deb("0.2.0+deb12", runs=False))

    class Worse(Machine):
        def install(self, package: Path) -> None:
            self.locked = not self.works
            super().install(package)

    worse = Worse()
    with pytest.raises(MaintenanceError, match=r"does not run either: dpkg: the frontend is locked[^$]*Restart this"):
        update(package, None, system=worse, folder=folder)
    assert (folder / UNFINISHED).exists()
    worse.works = True
    worse.start(folder)
    assert worse.version == OLD


def test_after_a_broken_update_the_version_before_it_is_still_kept(
    machine: Machine, folder: Path, package: Path
) -> None:
    machine.steps = 4  # the files are half written
    with pytest.raises(PowerCut):
        update(package, None, system=machine, folder=folder)
    assert machine.version == ""
    machine.steps = None
    assert "before it was 0.1.0+deb12" in update(package, None, system=machine, folder=folder)
    assert machine.fields(folder / BEFORE)["Version"] == OLD


NEWER = str(sqlite_store.VERSION + 1)


@pytest.mark.parametrize(
    ("content", "sha256", "why"),
    [
        (deb("0.2.0"), "ab" * 32, "is damaged or another file: its SHA-256 is"),
        (deb("0.2.0", Architecture="amd64"), None, "is for amd64; this machine needs one for arm64"),
        (deb("0.2.0", Package="hello"), None, "is the package 'hello'; name a package of yardboard"),
        ("torn", None, "is not a Debian package, or is incomplete"),
        (deb("0.2.0", **{WRITES: NEWER, READS: f"2 {NEWER}"}), None, f"writes journals of version {NEWER}"),
        (deb("0.0.1", **{WRITES: "1", READS: "1"}), None, "could not read each other's games"),
    ],
)
def test_a_wrong_package_is_refused_and_changes_nothing(
    machine: Machine, folder: Path, package: Path, content: str, sha256: str | None, why: str
) -> None:
    package.write_text(content)
    with pytest.raises(MaintenanceError, match=re.escape(why)):
        update(package, sha256, system=machine, folder=folder)
    assert machine.version == OLD
    assert [*folder.iterdir()] == []


def test_a_game_in_play_is_not_disturbed_unless_that_is_asked_for(
    machine: Machine, folder: Path, package: Path
) -> None:
    machine.playing = True
    with pytest.raises(MaintenanceError, match="a game is in play"):
        update(package, None, system=machine, folder=folder)
    assert machine.version == OLD
    assert not folder.exists()
    update(package, None, force=True, system=machine, folder=folder)
    assert machine.version == "0.2.0+deb12"


def test_a_game_that_begins_while_the_update_is_prepared_is_not_disturbed(
    machine: Machine, folder: Path, package: Path
) -> None:
    def pack_while_a_game_begins(out: Path) -> None:
        machine.playing = True
        Machine.pack(machine, out)

    machine.pack = pack_while_a_game_begins  # type: ignore[method-assign]
    with pytest.raises(MaintenanceError, match="a game is in play"):
        update(package, None, system=machine, folder=folder)
    assert machine.version == OLD
    assert not (folder / UNFINISHED).exists()
    update(package, None, force=True, system=machine, folder=folder)


def test_a_copy_that_does_not_fit_on_the_disk_leaves_nothing(machine: Machine, folder: Path, package: Path) -> None:
    def fill_the_disk(out: Path) -> None:
        out.write_text("half")
        raise OSError(28, "the disk is full; free some space on device", str(out))

    machine.pack = fill_the_disk  # type: ignore[method-assign]
    with pytest.raises(MaintenanceError, match="the disk is full; free some space"):
        update(package, None, system=machine, folder=folder)
    assert [*folder.iterdir()] == []


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_package_that_was_cut_off_is_none(tmp_path: Path, share: float) -> None:
    tree, whole = tmp_path / "tree", tmp_path / "whole.deb"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN/control").write_text(
        "Package: yardboard\nVersion: 1\nArchitecture: all\nMaintainer: nobody\nDescription: none\n"
    )
    (tree / "noise").write_bytes(random.Random(1).randbytes(100_000))
    run("dpkg-deb", "--build", str(tree), str(whole))
    assert DebianSystem().fields(whole)["Version"] == "1"
    cut = tmp_path / "cut.deb"
    cut.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * share)])
    with pytest.raises(MaintenanceError):
        DebianSystem().fields(cut)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as serving:
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()
        thread.join()


def test_a_package_is_fetched_from_an_address_with_its_digest_alone(
    machine: Machine, folder: Path, package: Path, server: str
) -> None:
    url = f"{server}/{package.name}"
    with pytest.raises(MaintenanceError, match=r"anybody on the way could change it"):
        update(url, None, system=machine, folder=folder)
    with pytest.raises(MaintenanceError, match=r"anybody on the way could change it"):
        update(url.replace("http", "HTTP", 1), None, system=machine, folder=folder)
    with pytest.raises(MaintenanceError, match=r"name a file, or an address with https:// or http://"):
        update(url.replace("http", "ftp", 1), "ab" * 32, system=machine, folder=folder)
    with pytest.raises(MaintenanceError, match=r"cannot be read: (HTTP Error 404|.*Not Found)"):
        update(f"{url}x", "ab" * 32, system=machine, folder=folder)
    for mistyped in (f"{url} x", "http://[::1/x.deb", "http://127.0.0.1:x/x.deb"):
        with pytest.raises(MaintenanceError, match=r"cannot be read: .*; check the name or the address"):
            update(mistyped, "ab" * 32, system=machine, folder=folder)
    capitals = url.replace("http", "HTTP", 1)
    update(capitals, hashlib.sha256(package.read_bytes()).hexdigest(), system=machine, folder=folder)
    assert machine.version == "0.2.0+deb12"


def test_a_package_is_not_fetched_by_a_detour_that_is_not_encrypted(
    machine: Machine, folder: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Answer(io.BytesIO):
        def geturl(self) -> str:
            return "http://elsewhere/yardboard.deb"

    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: Answer(package.read_bytes()))
    with pytest.raises(
        MaintenanceError, match=r"the server redirects to http://elsewhere/yardboard\.deb: anybody on the way"
    ):
        update("https://home/yardboard.deb", None, system=machine, folder=folder)
    assert machine.version == OLD
    update(
        "https://home/yardboard.deb", hashlib.sha256(package.read_bytes()).hexdigest(), system=machine, folder=folder
    )
