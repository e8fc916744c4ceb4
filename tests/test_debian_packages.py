"""What Debian has to give the tests is installed where that may be done, and named in one command elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "tools" / "install_debian_packages.sh"
TOOLS = ("sh", "env", "true")
THERE = (
    "gcc", "make", "python3", "xz", "curl", "firefox-esr", "systemd-analyze", "flex", "bison", "bc", "dpkg-deb",
)  # fmt: skip


class Machine:
    """A machine on which these programs are to be found, and no others.

    Args:
        folder: holds them.
        user: the number of the user.
        sudo: whether it lets everybody in.
        programs: what else is there.
        headers: whether Python's headers are.
    """

    def __init__(
        self, folder: Path, *, user: int, sudo: bool = False, programs: tuple[str, ...] = THERE, headers: bool = True
    ) -> None:
        self._folder, self._done = folder / "bin", folder / "installed"
        self._folder.mkdir()
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self._folder / tool).symlink_to(found)
        self._add("id", f"echo {user}")
        self._add("sudo", f'[ "$1" = -n ] && shift && {"exec" if sudo else "exit 1 #"} "$@"')
        self._add("apt-get", f'echo "$@" >>{self._done}')
        for program in programs:
            self._add(program, "")
        if "python3" in programs:  # it is asked where its headers are
            self._add("python3", f"echo {folder}")
        if headers:
            (folder / "Python.h").touch()

    def _add(self, name: str, does: str) -> None:
        path = self._folder / name
        path.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        path.chmod(0o755)

    def run(self, *words: str, **environ: str) -> tuple[int, str]:
        """The script's status and what it says."""
        done = subprocess.run(
            [str(SCRIPT), *words],
            env={"PATH": str(self._folder), **environ},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.stdout == ""
        return done.returncode, done.stderr

    def installed(self) -> list[str]:
        """What apt was told to install."""
        if not self._done.exists():
            return []
        told = [line.split() for line in self._done.read_text(encoding="utf-8").splitlines()]
        assert [words[0] for words in told] == ["update", "install"]
        return [word for word in told[1][1:] if not word.startswith("-")]


def test_where_all_is_there_nothing_is_done(tmp_path: Path) -> None:
    machine = Machine(tmp_path, user=0, programs=(*THERE, "chromium"))
    assert machine.run() == (0, "")
    assert machine.installed() == []


@pytest.mark.parametrize(("user", "sudo"), [(0, False), (1000, True)])
def test_root_and_whoever_needs_no_password_gets_what_is_missing(tmp_path: Path, user: int, sudo: bool) -> None:
    machine = Machine(tmp_path, user=user, sudo=sudo, programs=tuple(sorted(set(THERE) - {"curl"})))
    status, said = machine.run()
    assert status == 0
    assert machine.installed() == ["chromium-headless-shell", "fonts-dejavu-core", "curl", "ca-certificates"]
    assert all(package in said for package in machine.installed())


def test_what_is_compiled_gets_the_headers_of_python(tmp_path: Path) -> None:
    machine = Machine(tmp_path, user=0, programs=(*THERE, "chromium"), headers=False)
    assert machine.run()[0] == 0
    assert machine.installed() == ["python3-dev"]


def test_everybody_else_is_told_the_one_command(tmp_path: Path) -> None:
    machine = Machine(tmp_path, user=1000)
    status, said = machine.run()
    assert (status, machine.installed()) == (1, [])
    command = "sudo apt install --no-install-recommends chromium-headless-shell fonts-dejavu-core"
    assert said == f"please install first what the tests need: {command}\n"


@pytest.mark.parametrize("name", ["CHROMIUM", "chromium-headless-shell", "chromium-browser"])
def test_a_chromium_of_another_place_or_name_will_do(tmp_path: Path, name: str) -> None:
    environ = {name: "/opt/chromium"} if name.isupper() else {}
    machine = Machine(tmp_path, user=1000, programs=THERE if environ else (*THERE, name))
    assert machine.run("test", **environ) == (0, "")


@pytest.mark.parametrize("name", ["FIREFOX", "firefox"])
def test_a_firefox_of_another_place_or_name_will_do(tmp_path: Path, name: str) -> None:
    environ = {name: "/opt/firefox"} if name.isupper() else {}
    there = (*sorted(set(THERE) - {"firefox-esr"}), "chromium", *([] if environ else [name]))
    machine = Machine(tmp_path, user=1000, programs=there)
    assert machine.run("test", **environ) == (0, "")
    (tmp_path / "bare").mkdir()
    bare = Machine(tmp_path / "bare", user=1000, programs=tuple(sorted({*THERE, "chromium"} - {"firefox-esr"})))
    assert bare.run()[1].endswith("recommends firefox-esr\n")


def test_each_part_asks_for_its_own_alone(tmp_path: Path) -> None:
    machine = Machine(tmp_path, user=1000, programs=tuple(sorted(set(THERE) - {"systemd-analyze", "curl", "flex"})))
    assert machine.run("micropython")[1].endswith("recommends curl ca-certificates\n")
    assert " flex" in machine.run("kernel")[1]
    status, said = machine.run("pages")
    assert status == 2
    assert "none of: test, micropython, kernel" in said


def test_make_test_asks_before_the_first_test() -> None:
    make = shutil.which("make")
    assert make is not None
    root = SCRIPT.parents[2]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    planned = subprocess.run(
        [make, "--always-make", "--dry-run", "test"], cwd=root, env=environ, capture_output=True, text=True, check=True
    ).stdout
    assert 0 <= planned.index(str(SCRIPT.relative_to(root))) < planned.index("pip install") < planned.index("pytest")
