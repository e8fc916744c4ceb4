"""The commands on a configuration: a shipped one becomes a file of one's own, is checked, and is explained."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from firmware_host.config import shipped_files
from firmware_host.config.loader import load
from firmware_host.players.protocol.program_sandbox import SERVICE_SOCKET, sandbox_here
from tests.commissioning.test_command_line import status
from tests.docs.pages import DOCS


@pytest.mark.parametrize("build", shipped_files.configuration_names())
def test_a_shipped_configuration_is_copied_and_is_good_where_it_lies(
    build: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status("config", "new", build) == 0
    assert capsys.readouterr().out.startswith(f"Written: {build}.toml. ")
    assert Path(f"{build}.toml").read_bytes() == (shipped_files.folder() / f"{build}.toml").read_bytes()
    load(Path(f"{build}.toml"))


def test_it_goes_where_one_says_and_to_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("config", "new", "simulator", str(tmp_path / "table.toml")) == 0
    capsys.readouterr()
    assert status("config", "new", "simulator", "-") == 0
    assert capsys.readouterr().out == (tmp_path / "table.toml").read_text(encoding="utf-8")


def test_a_file_that_is_there_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("[game]\n")
    assert status("config", "new", "simulator", str(mine)) == 1
    assert capsys.readouterr().err == f"yardboard: {mine}: exists already; name another file\n"
    assert mine.read_text() == "[game]\n"


@pytest.mark.parametrize(
    ("build", "file", "told"),
    [
        (
            "london",
            "x.toml",
            'BUILD: there is no configuration "london"; write one of dice-matrix, junior-a3, junior-gpio',
        ),
        ("../pyproject", "x.toml", 'BUILD: there is no configuration "../pyproject"; write one of'),
        ("simulator", "none/x.toml", "none/x.toml: there is no folder none; create it"),
    ],
)
def test_what_cannot_be_copied_is_told_in_one_line_and_nothing_is_made(
    build: str,
    file: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status("config", "new", build, file) == 1
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_it_is_good_or_everything_that_is_wrong_with_it_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text("[game]\nplayers = 4\n")
    bad.write_text('[game]\nplayers = 9\nrule = "classic"\n[lamps]\nbrightness = "high"\n')
    assert status("check-config", str(good)) == 0
    assert "good: classic, 4 players" in capsys.readouterr().out
    assert status("check-config", str(bad)) == 1
    told = capsys.readouterr().err
    wrong = ("[game] players", "[game] rule", "[lamps] brightness")
    assert [f"{bad}: {key}" in told for key in wrong] == [True] * 3


def test_a_journal_that_is_a_folder_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f'[journal]\npath = "{tmp_path}"\n')
    assert status("check-config", str(file)) == 1
    right = f"name a file in it, such as {tmp_path}/journal.sqlite"
    assert capsys.readouterr().err == f"{file}: [journal] path: {tmp_path} is a folder; {right}\n"


def test_of_each_program_it_is_said_whether_this_machine_shuts_it_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f'[players.deep]\ncommand = ["{sys.executable}"]\n')
    monkeypatch.setenv("PATH", str(tmp_path))
    for socket, told in (
        ("", "is trusted with everything: nothing confines it here"),
        ("/s", "is confined by"),
    ):
        monkeypatch.setenv(SERVICE_SOCKET, socket)
        sandbox_here.cache_clear()
        assert status("check-config", str(file)) == 0
        assert f"[players.deep]: {told}" in capsys.readouterr().out
    sandbox_here.cache_clear()


def test_a_folder_that_is_missing_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("config", "new", "simulator", str(tmp_path / "none" / "x.toml")) == 1
    assert f"there is no folder {tmp_path}/none; create it" in capsys.readouterr().err


def test_a_map_cannot_be_imported_from_a_toml_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "map.toml").write_text("[stations]\n")
    assert status("config", "map", "--from", str(tmp_path / "map.toml"), str(tmp_path / "new.toml")) == 1
    assert "map.toml: is a TOML file; " in capsys.readouterr().err


FILES = """\
[mqtt]
url = "mqtts://10.0.0.2"
user = "table"
password_file = "mqtt.password"
ca_file = "certificates/ca.pem"
[players.deep]
command = ["python3", "bots/deep.py"]
[players.other]
command = ["python3", "-u", "-m", "json.tool", "none.py"]
[players.third]
command = ["sh", "-c", "exec third.py"]
"""


def test_files_that_are_missing_on_this_machine_are_reported_with_their_absolute_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(FILES)
    assert status("check-config", str(file)) == 1
    out, err = capsys.readouterr()
    assert out == ""
    told = (
        f"[mqtt] password_file: there is no file {tmp_path}/mqtt.password; create it with the password alone, or",
        f"[mqtt] ca_file: there is no file {tmp_path}/certificates/ca.pem; copy the broker's certificate there, or",
        f"[players.deep] command: there is no file {tmp_path}/bots/deep.py; put the program there, or",
    )
    assert err.splitlines() == [f"{file}: {line} correct the path" for line in told]


def test_a_configuration_is_good_once_its_files_are_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.toml"
    file.write_text(FILES)
    for name in ("mqtt.password", "certificates/ca.pem", "bots/deep.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert status("check-config", str(file)) == 0
    assert "good: classic" in capsys.readouterr().out


def test_the_reference_names_every_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert status("config-reference") == 0
    told = capsys.readouterr().out
    assert all(f"[{section}]" in told for section in ("game", "map", "switches", "lamps", "handset", "timing"))
    assert status("config-reference", "--markdown") == 0
    assert capsys.readouterr().out == (DOCS / "configuration.md").read_text(encoding="utf-8")
