"""Packages come by their names, through the sources that the machine has: no file names a host to fetch from.

What Debian has to give the tests is installed where that may be done, and named in one command elsewhere.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.hardware.firmware.rig import find_micropython

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "tests" / "tools" / "install_debian_packages.sh"
BARE_MACHINE = ROOT / ".ci" / "bare-machine"

HOST = re.compile(r"(?:(?<=://)(?:\w[\w-]*\.)+[a-z]{2,}|\b(?:\w[\w-]*\.)+(?:org|com|net|io|dev))\b", re.IGNORECASE)
READ_BY_PEOPLE = {
    "attic.com", "distributed.dask.org", "json-schema.org", "keepachangelog.com", "micropython.org", "optuna.org",
    "raspberrypi.com", "rptl.io", "semver.org", "www.kicad.org", "www.w3.org",
}  # fmt: skip
"""Names of pages to read, of namespaces and of a stranger's page in a test: no program fetches anything there."""

RESERVED = re.compile(r"(?:.*\.)?(?:example(?:\.org|\.com|\.net)?|invalid|test|local|lan|box|localhost)")
FUNDING = re.compile(r'^ +"url": "[^"]*",?$', re.MULTILINE)
"""Where a package's authors take donations, as npm copies it into the lock file."""

TOOLS = ("sh", "env", "true")
THERE = (
    "gcc", "make", "python3", "xz", "firefox-esr", "systemd-analyze", "bwrap", "swig", "flex", "bison", "bc",
    "dpkg-deb", "mosquitto", "openssl",
)  # fmt: skip


class Machine:
    """A machine on which these programs are to be found, and no others.

    Args:
        folder: holds them.
        user: the number of the user.
        sudo: whether it lets everybody in.
        programs: what else is there.
        headers: whether Python's headers are.
        kernel: what `uname` prints for -s and -m.
        apt: whether it has apt.
    """

    def __init__(
        self, folder: Path, *, user: int, sudo: bool = False, programs: tuple[str, ...] = THERE, headers: bool = True,
        kernel: tuple[str, str] = ("Linux", "x86_64"), apt: bool = True,
    ) -> None:  # fmt: skip
        self._folder, self._done = folder / "bin", folder / "installed"
        self._folder.mkdir()
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self._folder / tool).symlink_to(found)
        self._add("id", f"echo {user}")
        self._add("sudo", f'[ "$1" = -n ] && shift && {"exec" if sudo else "exit 1 #"} "$@"')
        self._add("uname", f"[ $1 = -s ] && echo {kernel[0]} || echo {kernel[1]}")
        if apt:
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
    machine = Machine(tmp_path, user=user, sudo=sudo, programs=tuple(sorted(set(THERE) - {"gcc"})))
    status, said = machine.run()
    assert status == 0
    assert machine.installed() == ["chromium-headless-shell", "fonts-dejavu-core", "gcc"]
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
    machine = Machine(tmp_path, user=1000, programs=tuple(sorted(set(THERE) - {"systemd-analyze", "flex"})))
    assert " systemd\n" in machine.run("test")[1]
    assert machine.run("kernel")[1].endswith("recommends flex\n")
    status, said = machine.run("pages")
    assert (status, said) == (
        2,
        "install_debian_packages.sh: unknown part 'pages'; parts are test, kernel, kicad, prometheus\n",
    )


def test_micropython_is_debians_where_the_extra_has_no_wheel_of_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path, user=0, programs=(*THERE, "chromium"), kernel=("Linux", "aarch64"))
    assert machine.run()[0] == 0
    assert machine.installed() == ["micropython"]


def test_a_linux_without_apt_gets_a_list_of_things_and_no_command_of_debian(tmp_path: Path) -> None:
    programs = tuple(sorted(set(THERE) - {"gcc", "firefox-esr"}))
    machine = Machine(tmp_path, user=0, programs=programs, headers=False, apt=False)
    things = (
        "Chromium (any; CHROMIUM names it)",
        "Firefox (any; FIREFOX names it)",
        "gcc",
        "Python's headers (Python.h)",
    )
    listed = "".join(f"\n  {thing}" for thing in things)
    said = f"the tests need these, which this machine lacks; install them with its package manager:{listed}\n"
    assert machine.run() == (1, said)


def test_another_system_than_linux_is_named_and_nothing_else_is_asked_for(tmp_path: Path) -> None:
    machine = Machine(tmp_path, user=501, programs=(), kernel=("Darwin", "arm64"), apt=False)
    reason = "the tests run on Linux only, and this is Darwin: use a Linux in a virtual machine or a container\n"
    assert machine.run() == (1, reason)


def test_make_test_asks_before_the_first_test() -> None:
    make = shutil.which("make")
    assert make is not None
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    planned = subprocess.run(
        [make, "--always-make", "--dry-run", "test"], cwd=ROOT, env=environ, capture_output=True, text=True, check=True
    ).stdout
    assert 0 <= planned.index(str(SCRIPT.relative_to(ROOT))) < planned.index("pip install") < planned.index("pytest")


def named_hosts(name: str, text: str) -> list[str]:
    """The hosts that a file names and that are not only read by people, each with the file and line."""
    text = FUNDING.sub("", text) if name.endswith("package-lock.json") else text
    text = "" if name.endswith("/OFL.txt") else text  # a licence, which says who has made the font
    found = ((number, host) for number, line in enumerate(text.splitlines(), 1) for host in HOST.findall(line))
    return [
        f"{name}:{number}: {host}"
        for number, host in found
        if host.lower() not in READ_BY_PEOPLE and not RESERVED.fullmatch(host.lower())
    ]


def test_no_tracked_file_names_a_host_that_packages_come_from() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S607
    files = [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    assert len(files) > 500
    named = []
    for name in files:
        try:
            named += named_hosts(name, (ROOT / name).read_text(encoding="utf-8"))
        except UnicodeDecodeError:  # a picture or a spoiled input
            continue
    assert named == []


@pytest.mark.parametrize("ending", ["org", "com", "io"])
@pytest.mark.parametrize(
    "line",
    ["mirror=http://{}/debian", 'MIRROR="${{MIRROR:-{}}}"', '"resolved": "https://{}/a.tgz",', "git clone git@{}:a"],
)
def test_a_file_that_names_such_a_host_is_found(line: str, ending: str) -> None:
    host = f"packages.somewhere.{ending}"
    assert named_hosts("a/package-lock.json", f"one\n  {line.format(host)}\n") == [f"a/package-lock.json:2: {host}"]
    assert named_hosts("page.md", "see https://keepachangelog.com/ or http://attic.local:8199/ and 127.0.0.1\n") == []


class BareMachine(Machine):
    """A machine on which apt is configured with these sources, and `debootstrap` stops as soon as it is called."""

    def __init__(self, folder: Path, targets: str) -> None:
        super().__init__(folder, user=0, programs=())
        for tool in ("bash", "dirname", "head", "mktemp", "chmod", "rm", "sed", "cat"):
            found = shutil.which(tool)
            assert found is not None
            (self._folder / tool).symlink_to(found)
        self._add("apt-get", f"[ $1 != indextargets ] || printf '{targets}'")
        self._add("debootstrap", 'echo "debootstrap $3 $5"; exit 1')

    def begin(self) -> str:
        """Begin to set a bare Debian up; return what is printed until it ends."""
        command = [str(self._folder / "bash"), str(BARE_MACHINE), "trixie"]
        environ = {"PATH": str(self._folder), "TMPDIR": str(self._folder.parent)}
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stdout) == (1, "")
        return done.stderr


def test_a_bare_debian_comes_from_the_mirror_that_apt_has(tmp_path: Path) -> None:
    targets = "Debian-Security http://near.lan/security/\\nDebian http://near.lan/debian/\\nDebian http://far.lan/\\n"
    assert BareMachine(tmp_path, targets).begin() == "debootstrap trixie http://near.lan/debian/\n"


def test_where_apt_has_no_mirror_a_bare_debian_is_refused_with_the_file_to_write_it_into(tmp_path: Path) -> None:
    said = BareMachine(tmp_path, "other http://near.lan/else/\\n").begin()
    assert said == "bare_debian.sh: apt has no mirror of Debian: add one to /etc/apt/sources.list.d\n"


def test_micropython_is_the_one_of_this_environment_or_else_debians(tmp_path: Path) -> None:
    own, debian = tmp_path / "venv", tmp_path / "usr"
    for folder in (own, debian):
        folder.mkdir()
        (folder / "micropython").touch(0o755)
    assert find_micropython(own, str(debian)) == own / "micropython"
    (own / "micropython").unlink()
    assert find_micropython(own, str(debian)) == debian / "micropython"
    (debian / "micropython").unlink()
    with pytest.raises(RuntimeError, match="install Debian's package micropython, which Debian 13 has"):
        find_micropython(own, str(debian))
