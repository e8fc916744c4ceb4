"""What is shipped: the wheel in an empty environment in another folder, and the service's unit."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from contextlib import closing
from http.client import HTTPConnection
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import hatch_build
from firmware_host.ui.drawing.paper import artwork_name, tiles_artwork_name
from firmware_host.web.pages.page_bundles import is_bundled
from tests.shipped_grounds import load_map, load_tiles

ROOT = Path(__file__).parents[1]
STATICS = [str(p.relative_to(ROOT)) for p in (ROOT / "firmware_host/web/static").rglob("*") if p.is_file()]
UNIT = ROOT / "systemd" / "yardboard.service"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    return next(out.glob("*.whl"))


def test_the_wheel_carries_the_maps_the_configurations_the_pages_and_nothing_of_the_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    wanted = [f"firmware_host/data/{p.relative_to(ROOT / 'config')}" for p in (ROOT / "config").rglob("*.toml")]
    wanted += [f"firmware_host/data/systemd/{p.name}" for p in (ROOT / "systemd").iterdir() if p.is_file()]
    assert len(wanted) >= 10
    assert len(STATICS) >= 10
    assert {*wanted, *STATICS} <= set(names)
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"firmware_host", "hardware"}


def test_the_wheel_carries_artwork_that_is_no_file_of_the_repository(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    made = {name.rpartition("/")[2] for name in names if name.startswith("firmware_host/web/static/maps/")}
    maps = {artwork_name(load_map(name)) for name in ("london", "london-us", "junior")}
    assert made == maps | {tiles_artwork_name(load_tiles().digest)}
    assert "/firmware_host/web/static/maps/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_the_wheel_carries_the_icons_that_its_manifest_names(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        manifest = json.loads(archive.read("firmware_host/web/static/manifest.webmanifest"))
        assert {f"firmware_host/web{icon['src']}" for icon in manifest["icons"]} <= set(archive.namelist())
    assert "/firmware_host/web/static/icons/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


@pytest.mark.long
def test_without_shapely_the_package_is_built_and_says_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(hatch_build, "find_spec", lambda _: None)
    hook = hatch_build.ArtworkHook(str(tmp_path), {}, None, None, str(tmp_path), "wheel")  # type: ignore[arg-type]
    monkeypatch.setattr(type(hook), "app", SimpleNamespace(display_warning=said.append))
    hook.initialize("standard", {})
    assert len(said) == 1
    assert "shapely is not installed" in said[0]
    assert "wiring look" in said[0]


@pytest.mark.long
def test_the_source_archive_carries_the_pages_too(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        *STATICS,
        "systemd/mqtt.conf",
        "systemd/web.conf",
        "tests/test_package.py",
        "Makefile",
        "requirements-dev.txt",
        "hatch_build.py",
        "artwork/london.py",
    } <= names


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment into which the wheel alone was installed, with what it cannot do without."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home)
    install(home / "bin", str(wheel))
    return home / "bin"


def install(programs: Path, what: str) -> None:
    install = [*pip(programs), "install", "--quiet", "--only-binary", ":all:", what]
    subprocess.run(install, check=True, capture_output=True)


def pip(programs: Path) -> list[str]:
    """Our own pip, for another environment."""
    return [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(programs / "python")]


@pytest.mark.long
def test_the_wheel_in_an_empty_environment_elsewhere_plays_a_game(installed: Path, tmp_path: Path) -> None:
    command = [str(installed / "yardboard"), "demo", "--fast", "--seed", "4"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert "The board at the end" in done.stdout
    assert (tmp_path / "yardboard-demo.png").exists()
    listed = subprocess.run([*pip(installed), "list"], check=True, capture_output=True, text=True).stdout
    assert {"RPi.GPIO", "lgpio", "gpiozero", "luma.oled"}.isdisjoint(listed.split())


@pytest.mark.long
def test_the_wheel_serves_its_pages_as_soon_as_what_they_need_is_installed(
    installed: Path, wheel: Path, tmp_path: Path
) -> None:
    command = [str(installed / "yardboard"), "sim", "--port", "0"]
    places = {**os.environ, "STATE_DIRECTORY": str(tmp_path)}
    bare = subprocess.run(command, check=False, capture_output=True, text=True, env=places)
    told = rf"yardboard: the pages need starlette; install with: {installed}/python\S* -m pip install '\.\[web\]' .*\n"
    assert (bare.returncode, bare.stdout) == (1, "")
    assert re.fullmatch(told, bare.stderr)
    install(installed, f"{wheel}[web]")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=places) as table:
        try:
            assert table.stdout is not None
            host = urlsplit(table.stdout.readline().removeprefix("The table: ").strip()).netloc
            with zipfile.ZipFile(wheel) as archive, closing(HTTPConnection(host, timeout=60)) as browser:
                for name in STATICS:  # on one connection, as browsers do: new ones for all would be too many a second
                    browser.request("GET", name.removeprefix("firmware_host/web"))
                    got, bundled = (
                        browser.getresponse().read(),
                        is_bundled(name.removeprefix("firmware_host/web/static/")),
                    )
                    assert got if bundled else got == archive.read(name)
        finally:
            table.terminate()
    assert table.returncode == 0


A_PI = {"platform_machine": "aarch64", "sys_platform": "linux", "os_name": "posix", "extra": ""}
GLIBC = ("manylinux_2_34", "manylinux_2_28", "manylinux_2_17", "manylinux2014")
"""What Debian 12 can run (its C library is 2.36): the older of the two systems that a Pi may have."""


def wanted(extra: str, python: str, kernel: str, machine: str = "aarch64") -> list[str]:
    """The requirements of the package and of one of its extras that count on a Pi with such a kernel."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = map(Requirement, [*project["dependencies"], *project["optional-dependencies"][extra]])
    here = {
        **A_PI,
        "platform_machine": machine,
        "python_version": python,
        "python_full_version": f"{python}.2",
        "platform_release": kernel,
    }
    return [f"{line.name}{line.specifier}" for line in lines if line.marker is None or line.marker.evaluate(here)]


WITHOUT_HOLES = {
    "distributed": "2026.6",  # CVE-2026-23528; until then it brings urllib3, of any age
    "h11": "0.16",  # CVE-2025-43859
    "jinja2": "3.1.6",  # CVE-2025-27516
    "pillow": "12.1.1",  # CVE-2026-25990
    "playwright": "1.56",  # CVE-2025-59288
    "pytest": "9.0.3",  # CVE-2025-71176
    "starlette": "0.49.1",  # CVE-2025-54121, CVE-2025-62727
    "tornado": "6.5.5",  # CVE-2025-47287, CVE-2025-67724 to 67726, CVE-2026-31958
}
"""The first version of a library without holes that are known."""


def test_no_version_with_a_known_hole_is_let_in() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [*project["project"]["optional-dependencies"].values(), *project["dependency-groups"].values()]
    lines = [*project["project"]["dependencies"], *(line for group in groups for line in group)]
    asked = [Requirement(line) for line in lines]
    assert {one.name.lower() for one in asked} >= WITHOUT_HOLES.keys(), "what others bring is asked for, too"
    for one in asked:
        first = WITHOUT_HOLES.get(one.name.lower())
        if first is not None:
            lowest = max(Version(each.version) for each in one.specifier if each.operator == ">=")
            assert lowest >= Version(first), f"{one}: {first} is the first without holes that are known"
            assert one.specifier.contains(version(one.name)), f"{one}: the environment's own is let in"


def test_the_lock_pins_a_good_version_of_everything_that_a_developer_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    lines = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    lines += [line for extra in ("mqtt", "players", "tournament", "web") for line in extras[extra]]
    text = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")
    pins = [Requirement(line.partition("#")[0]) for line in text.splitlines() if not line.startswith("#")]
    pinned = {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in pins}
    assert all(str(pin.specifier).startswith("==") for pin in pins)
    for one in map(Requirement, lines):
        if one.name != "yardboard":
            assert one.specifier.contains(pinned[canonicalize_name(one.name)]), f"{one}: make lock pins it"


@pytest.mark.parametrize(("python", "abi"), [("3.11", "cp311"), ("3.13", "cp313"), ("3.14", "cp314")])
@pytest.mark.long
def test_what_a_board_needs_on_a_pi_of_64_bits_is_all_wheels_so_no_compiler(
    python: str, abi: str, tmp_path: Path
) -> None:
    v8, five = (wanted("pi", python, f"6.12.34+rpt-{kernel}") for kernel in ("rpi-v8", "rpi-2712"))
    assert v8 == five, "a Pi 3, 4, 5 or Zero 2 alike"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--dest", str(tmp_path)]
    pip += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", python]
    pip += [word for tag in (abi, "abi3", "none") for word in ("--abi", tag)]
    pip += [word for glibc in GLIBC for word in ("--platform", f"{glibc}_aarch64")]
    done = subprocess.run([*pip, *v8], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    files = [path.name.lower() for path in tmp_path.iterdir()]
    assert all(name.endswith(("_aarch64.whl", "-any.whl")) for name in files), files
    names = {name.partition("-")[0].replace(".", "_") for name in files}
    assert {"gpiozero", "luma_oled", "smbus2", "pyserial", "pillow"} <= names
    assert {"lgpio", "adafruit_lgpio"} & names == {"3.11": {"lgpio"}, "3.13": {"adafruit_lgpio"}, "3.14": set()}[python]
    assert not any(name.startswith(("rpi", "adafruit_circuitpython", "adafruit_blinka")) for name in names)


@pytest.mark.parametrize(
    ("python", "machine", "chosen"),
    [
        ("3.11", "aarch64", ["lgpio"]),
        ("3.12", "aarch64", ["lgpio"]),
        ("3.13", "aarch64", ["adafruit-lgpio"]),
        ("3.14", "aarch64", []),
        ("3.12", "armv7l", ["lgpio"]),
        ("3.13", "armv7l", []),
        ("3.13", "armv8l", []),  # a kernel of 64 bits under linux32
        ("3.14", "armv8l", []),
    ],
)
def test_lgpio_is_asked_for_where_it_has_a_wheel_alone(python: str, machine: str, chosen: list[str]) -> None:
    names = [re.split("[<>=]", line)[0] for line in wanted("pi", python, "6.12.96+rpt-rpi-v8", machine)]
    assert [name for name in names if "lgpio" in name] == chosen
    assert "gpiozero" in names


@pytest.mark.parametrize(
    ("python", "kernel", "chosen"),
    [
        ("3.11", "rpi-v8", ["RPi.GPIO"]),
        ("3.13", "rpi-v8", ["RPi.GPIO"]),
        ("3.11", "rpi-2712", ["rpi-lgpio"]),
        ("3.13", "rpi-2712", []),
        ("3.11", "arm64", []),
    ],
)
def test_rpi_gpio_has_an_extra_of_its_own(python: str, kernel: str, chosen: list[str]) -> None:
    names = [re.split("[<>=]", line)[0] for line in wanted("rpigpio", python, f"6.12.34+rpt-{kernel}")]
    assert [name for name in names if name.lower().startswith("rpi")] == chosen
    assert "yardboard" in names


@pytest.mark.parametrize(
    "dropin", ["", "pwm.conf", "pio.conf", "gpiomem.conf", "mqtt.conf", "players.conf", "programs.conf", "web.conf"]
)
def test_systemd_understands_every_line_of_the_unit_and_its_drop_ins(dropin: str, tmp_path: Path) -> None:
    here = tmp_path / UNIT.name
    here.write_text(re.sub(r"(?m)^(Exec\w+=-?)\S+", r"\1/bin/true", UNIT.read_text()))
    last = here
    if dropin:
        last = tmp_path / f"{UNIT.name}.d" / dropin
        last.parent.mkdir()
        last.write_text((UNIT.parent / dropin).read_text())
    verify = ["systemd-analyze", "verify", "--recursive-errors=one", "--man=no", str(here)]
    done = subprocess.run(verify, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    last.write_text(last.read_text().replace("[Service]", "[Service]\nProtectHouse=yes"))
    assert "ProtectHouse" in subprocess.run(verify, check=False, capture_output=True, text=True).stderr


OTHER_UNITS = (
    "yardboard-player.socket", "yardboard-player@.service", "yardboard-requests.path", "yardboard-requests.service",
)  # fmt: skip


@pytest.mark.parametrize("name", OTHER_UNITS)
def test_systemd_understands_every_line_of_the_other_units(name: str, tmp_path: Path) -> None:
    for each in OTHER_UNITS:
        text = (UNIT.parent / each).read_text()
        (tmp_path / each).write_text(re.sub(r"(?m)^(Exec\w+=-?)\S+", r"\1/bin/true", text))
    here = tmp_path / name
    verify = ["systemd-analyze", "verify", "--recursive-errors=one", "--man=no", str(here)]
    done = subprocess.run(verify, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    here.write_text(here.read_text() + "ProtectHouse=yes\n")
    assert "ProtectHouse" in subprocess.run(verify, check=False, capture_output=True, text=True).stderr


def test_roots_unit_for_requests_leaves_little_of_the_system_exposed() -> None:
    unit = UNIT.with_name("yardboard-requests.service")
    security = ["systemd-analyze", "security", "--offline=true", "--threshold=17", str(unit)]
    done = subprocess.run(security, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-400:]


def test_a_players_unit_leaves_less_exposed_than_the_table() -> None:
    unit = UNIT.with_name("yardboard-player@.service")
    security = ["systemd-analyze", "security", "--offline=true", "--threshold=5", str(unit)]
    done = subprocess.run(security, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-400:]
    unit_of_table = [*security[:3], "--threshold=8", str(UNIT)]
    assert subprocess.run(unit_of_table, check=False, capture_output=True).returncode == 0


@pytest.mark.parametrize(
    "dropin", ["", "pio.conf", "gpiomem.conf", "mqtt.conf", "players.conf", "programs.conf", "web.conf"]
)
def test_the_unit_leaves_little_of_the_system_exposed(dropin: str, tmp_path: Path) -> None:
    here = tmp_path / UNIT.name
    here.write_text(UNIT.read_text())
    if dropin:
        (tmp_path / f"{UNIT.name}.d").mkdir()
        (tmp_path / f"{UNIT.name}.d" / dropin).write_text((UNIT.parent / dropin).read_text())
    security = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(here)]
    done = subprocess.run(security, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-400:]


def test_the_artwork_and_the_catalogues_are_made_without_the_packages_that_only_play_needs() -> None:
    blocked = "import sys; sys.modules |= dict.fromkeys(('PIL', 'msgspec', 'click', 'tomlkit', 'starlette'))"
    program = f"{blocked}; import artwork.build, languages.compile_catalogues"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0
