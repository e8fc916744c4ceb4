"""Shipped files are found in a checkout and in an installed package, and nowhere else."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import firmware_host
from firmware_host.config import shipped_files
from firmware_host.rules.dice.tiles import TileSet
from firmware_host.rules.errors import BadMap
from firmware_host.rules.network import Network
from tests.shipped_grounds import ground_names

PACKAGE = Path(firmware_host.__file__).parent

ASK = "from firmware_host.config.shipped_files import *; print(folder()); print(*configuration_names())"


@pytest.fixture
def installed(tmp_path):
    """A folder like site-packages, with this package and none of its data."""
    shutil.copytree(PACKAGE, tmp_path / "firmware_host", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(tmp_path / "firmware_host" / "data", ignore_errors=True)
    return tmp_path


def ask(folder):
    command = [sys.executable, "-B", "-c", ASK]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_an_installed_package_finds_its_data_beside_itself(installed):
    shutil.copytree(shipped_files.folder(), installed / "firmware_host" / "data")
    answer = ask(installed)
    assert answer.stdout.splitlines()[0] == str(installed / "firmware_host" / "data")
    assert answer.stdout.splitlines()[1].split() == list(shipped_files.configuration_names())


def test_a_checkout_finds_its_data_in_the_folder_config(installed):
    shutil.copytree(shipped_files.folder(), installed / "config")
    assert ask(installed).stdout.splitlines()[0] == str(installed / "config")


def test_a_folder_config_of_somebody_else_is_not_taken_for_ours(installed):
    (installed / "config").mkdir()
    answer = ask(installed)
    assert answer.returncode != 0
    assert str(installed / "firmware_host" / "data") in answer.stderr
    assert str(installed / "config") in answer.stderr
    assert "install yardboard again" in answer.stderr


def test_a_ground_is_a_shipped_map_or_a_shipped_tile_set():
    assert {"london", "london-us", "yardboard"} <= set(ground_names())
    assert isinstance(shipped_files.load_ground("london"), Network)
    tiles = shipped_files.load_ground("yardboard")
    assert isinstance(tiles, TileSet)
    assert (tiles.name, tiles.to_lay) == ("yardboard", "ABCDEFGHI")


def test_a_path_leads_to_a_map_or_a_tile_set_by_what_is_in_it(tmp_path):
    shutil.copy(shipped_files.folder() / "maps" / "london.toml", tmp_path / "city.toml")
    shutil.copy(shipped_files.folder() / "tiles" / "yardboard.toml", tmp_path / "box.toml")
    city = shipped_files.load_ground("city.toml", tmp_path)
    assert isinstance(city, Network)
    assert (city.name, city.links) == ("city", shipped_files.load_ground("london").links)
    tiles = shipped_files.load_ground("box.toml", tmp_path)
    assert isinstance(tiles, TileSet)
    assert tiles.name == tiles.lay_tiles("ABC DEF GHI").name == "box"
    assert isinstance(shipped_files.load_ground(tmp_path / "box.toml"), TileSet)


def test_an_unknown_ground_is_refused_with_the_shipped_maps_and_tiles():
    with pytest.raises(BadMap) as caught:
        shipped_files.load_ground("yardbord")
    assert str(caught.value) == 'unknown map "yardbord"; did you mean "yardboard"?'
    with pytest.raises(BadMap, match=f"write one of {', '.join(ground_names())}, or a path"):
        shipped_files.load_ground("moon")


def test_a_tile_set_that_contradicts_itself_is_refused_by_its_path(tmp_path):
    (tmp_path / "few.toml").write_text('title = "Few"\n[tiles.A]\n', encoding="utf-8")
    with pytest.raises(BadMap) as caught:
        shipped_files.load_ground("few.toml", tmp_path)
    assert f"{tmp_path / 'few.toml'}: tile A: stops: is missing" in str(caught.value)
