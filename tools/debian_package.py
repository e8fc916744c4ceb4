"""Build the Debian packages: `python -m tools.debian_package`, or `make deb`.

A package holds the program with everything that it imports, as wheels for one Python. So each Debian and each
architecture has a package of its own. Collecting wheels runs none of their code, so any machine can build every
package.

In `/usr/lib/yardboard` is a virtual environment, so that a process which the program starts finds the same modules.
Packages that an owner adds are in `/usr/local/lib/yardboard`, see systemd/README.md.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from firmware_host import __version__
from firmware_host.journal import sqlite_store
from firmware_host.maintenance.update import PRISTINE, READS, WRITES
from hardware.ports import ADDED, PACKAGED

CHECKOUT = Path(__file__).resolve().parents[1]
PARTS = CHECKOUT / "packaging"
SYSTEMD = CHECKOUT / "systemd"

EXTRAS = "mqtt,pi,pico,web"
"""The extras in a package, for a table on SPI or on pins, with pages and MQTT. Others need a compiler or much space."""

_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
_ELF_MACHINES = {"amd64": 62, "arm64": 183}  # e_machine of an ELF file's header


@dataclass(frozen=True, slots=True)
class Suite:
    """One release of Debian.

    Attributes:
        number: its number, which is part of the package's version.
        python: the version of its Python.
        wheels: the newest C library that wheels may need, as uv names it.
    """

    number: int
    python: str
    wheels: str


SUITES = {"bookworm": Suite(12, "3.11", "manylinux_2_36"), "trixie": Suite(13, "3.13", "manylinux_2_40")}
"""The releases of Debian that have packages."""


def build(suite: str, architecture: str, wheel: Path, out: Path) -> Path:
    """Build the package for one release and architecture. Return its path.

    Args:
        suite: the name of a release in `SUITES`.
        architecture: amd64 or arm64.
        wheel: the wheel of yardboard.
        out: the folder for the package.
    """
    with TemporaryDirectory(prefix="yardboard-deb-") as folder:
        tree = Path(folder) / "tree"
        _collect(SUITES[suite], architecture, wheel, tree)
        plan = Path(folder) / "nfpm.json"  # JSON is YAML
        plan.write_text(json.dumps(_plan(SUITES[suite], architecture, tree)))
        package = out / f"yardboard_{_version(SUITES[suite])}_{architecture}.deb"
        _run(_tool("nfpm"), "package", "--packager", "deb", "--config", plan, "--target", package)
    return package


def _version(suite: Suite) -> str:
    """Return the package's version. It is higher for a newer Debian, so that an upgrade of Debian installs it."""
    return f"{__version__}+deb{suite.number}"


def _collect(suite: Suite, architecture: str, wheel: Path, tree: Path) -> None:
    """Write the package's virtual environment, with all wheels at the versions of the tests."""
    modules = tree / f"lib/python{suite.python}/site-packages"
    overrides = tree.with_name("overrides.txt")
    overrides.write_text("setuptools; python_version < '3'\n")  # colorzero asks for it and uses nothing of it
    _run(
        _tool("uv"), "pip", "install", "--quiet", "--link-mode=copy", "--only-binary=:all:", "--target", modules,
        "--python-version", suite.python, "--python-platform", f"{_MACHINES[architecture]}-{suite.wheels}",
        "--constraints", CHECKOUT / "requirements-dev.txt", "--overrides", overrides,
        f"yardboard[{EXTRAS}] @ {wheel.as_uri()}",
    )  # fmt: skip
    for commands in ("bin", "share"):
        shutil.rmtree(modules / commands, ignore_errors=True)
    for notes in ("direct_url.json", "uv_cache.json", "RECORD"):  # these name folders of this machine
        for file in modules.glob(f"*.dist-info/{notes}"):
            file.unlink()
    (modules / ".lock").unlink(missing_ok=True)
    (modules / "yardboard-added.pth").write_text(f"{ADDED}\n")
    (tree / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {suite.python}\n"
    )
    if foreign := foreign_files(tree, architecture):
        sys.exit(f"{foreign[0].relative_to(tree)}: is not for {architecture}")
    for file in (tree, *tree.rglob("*")):
        file.chmod(0o755 if file.is_dir() else 0o644)


def foreign_files(tree: Path, architecture: str) -> list[Path]:
    """Return the programs and libraries below a folder that are not for this 64-bit architecture."""
    head = b"\x7fELF\x02\x01"
    found = []
    for file in sorted(tree.rglob("*")):
        if file.is_file() and not file.is_symlink():
            with file.open("rb") as content:
                start = content.read(20)
            machine = int.from_bytes(start[18:20], "little")
            if start.startswith(b"\x7fELF") and (start[:6], machine) != (head, _ELF_MACHINES[architecture]):
                found.append(file)
    return found


def _plan(suite: Suite, architecture: str, tree: Path) -> dict[str, Any]:
    """Return the description of a package for nfpm."""
    python = f"python{suite.python}"
    command = tree.with_name("yardboard")
    command.write_text(f"#!{PACKAGED}/bin/python -I\nfrom firmware_host.cli import main; main()\n")
    files = {
        "/usr/bin/yardboard": (command, 0o755),
        **{f"/usr/lib/systemd/system/{unit.name}": (unit, 0o644) for unit in _units()},
        "/usr/lib/sysusers.d/yardboard.conf": (SYSTEMD / "yardboard.sysusers.conf", 0o644),
        "/usr/lib/udev/rules.d/70-yardboard.rules": (SYSTEMD / "70-yardboard.rules", 0o644),
        "/usr/share/doc/yardboard/copyright": (CHECKOUT / "LICENSE", 0o644),
        "/usr/share/doc/yardboard/changelog.md": (CHECKOUT / "CHANGELOG.md", 0o644),
    }
    conffiles = {"/etc/yardboard/table.toml": PARTS / "table.toml"}
    return {
        "name": "yardboard",
        "arch": architecture,
        "platform": "linux",
        "version": _version(suite),
        "version_schema": "none",
        "section": "games",
        "priority": "optional",
        "maintainer": "The authors of yardboard <yardboard@localhost>",
        "description": "brain of an electronic Scotland Yard table\n"
        "Runs a table with reed switches, lamps, a private handset and pages for\n"
        "browsers, or a simulated table.",
        "recommends": ["avahi-daemon"],
        "scripts": {
            "postinstall": str(PARTS / "postinst"),
            "preremove": str(PARTS / "prerm"),
            "postremove": str(PARTS / "postrm"),
        },
        "deb": {
            "compression": "xz",
            # Without them the files are not even unpacked, and the previous version stays.
            "predepends": [python, "systemd", "udev"],
            "fields": {WRITES: str(sqlite_store.VERSION), READS: " ".join(map(str, sqlite_store.READABLE))},
        },
        "contents": [
            {"src": str(tree), "dst": PACKAGED, "type": "tree"},
            {"src": f"/usr/bin/{python}", "dst": f"{PACKAGED}/bin/python", "type": "symlink"},
            {"dst": "/etc/avahi/services", "type": "dir"},  # shared with Avahi, and removed with the last of both
            *({"src": str(src), "dst": dst, "type": "config"} for dst, src in conffiles.items()),
            *({"src": str(src), "dst": f"{PRISTINE}{dst}"} for dst, src in conffiles.items()),
            {
                "src": "../yardboard-update.service",
                "type": "symlink",
                "dst": "/usr/lib/systemd/system/multi-user.target.wants/yardboard-update.service",
            },
            *({"src": str(src), "dst": dst, "file_info": {"mode": mode}} for dst, (src, mode) in files.items()),
        ],
    }


def _units() -> Iterable[Path]:
    return (unit for unit in sorted(SYSTEMD.iterdir()) if unit.suffix in (".service", ".socket", ".path"))


def _tool(name: str) -> Path:
    return Path(sys.executable).with_name(name)


def _run(*words: str | Path) -> None:
    subprocess.run(words, check=True, cwd=CHECKOUT)  # noqa: S603 - our own words


def main() -> None:
    """Build the packages named on the command line, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m tools.debian_package", description=__doc__.splitlines()[0])
    parser.add_argument("--suite", choices=SUITES, help="a release of Debian; by default all")
    parser.add_argument("--architecture", choices=_MACHINES, help="a machine's architecture; by default all")
    parser.add_argument("--here", action="store_true", help="only the package for this machine")
    parser.add_argument("--out", type=Path, default=CHECKOUT / "dist", help="the folder for the packages")
    asked = parser.parse_args()
    if asked.here:
        asked.suite = platform.freedesktop_os_release().get("VERSION_CODENAME")
        asked.architecture = next((name for name, machine in _MACHINES.items() if machine == platform.machine()), None)
        if asked.suite not in SUITES or asked.architecture is None:
            parser.error(
                f"--here: packages are for {' and '.join(SUITES)} on {' and '.join(_MACHINES)}, not for this machine"
            )
    asked.out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="yardboard-wheel-") as folder:
        _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder)
        (wheel,) = Path(folder).glob("*.whl")
        for suite in [asked.suite] if asked.suite else SUITES:
            for architecture in [asked.architecture] if asked.architecture else _MACHINES:
                package = build(suite, architecture, wheel, asked.out)
                print(f"{package}: {package.stat().st_size / 1e6:.1f} MB")  # noqa: T201 - what it is for


if __name__ == "__main__":
    main()
