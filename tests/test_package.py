"""What is shipped: the wheel in an empty environment in another folder, and the service's unit."""

from __future__ import annotations

import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
UNIT = ROOT / "systemd" / "yardboard.service"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    return next(out.glob("*.whl"))


def test_the_wheel_carries_the_maps_the_configurations_and_nothing_of_the_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    wanted = [f"firmware_host/data/{p.relative_to(ROOT / 'config')}" for p in (ROOT / "config").rglob("*.toml")]
    assert len(wanted) >= 3
    assert set(wanted) <= set(names)
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"firmware_host", "hardware"}


def test_the_wheel_in_an_empty_environment_elsewhere_plays_a_game(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    command = [str(home / "bin" / "yardboard"), "demo", "--fast", "--seed", "4"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert "The board at the end" in done.stdout
    assert (tmp_path / "yardboard-demo.png").exists()
    listed = subprocess.run([str(python), "-m", "pip", "list"], check=True, capture_output=True, text=True).stdout
    assert {"RPi.GPIO", "lgpio", "gpiozero", "luma.oled"}.isdisjoint(listed.split())


@pytest.mark.parametrize("dropin", ["", "pwm.conf", "pio.conf"])
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


def test_the_unit_leaves_little_of_the_system_exposed() -> None:
    security = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(UNIT)]
    done = subprocess.run(security, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-400:]
