"""Programs that can sit at the table: each has a name of its own, and is there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from firmware_host.config.loader import parse
from firmware_host.config.player_programs import full_command
from firmware_host.config.toml_file import ConfigError
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.protocol.player_process import PlayerProcess
from firmware_host.players.seats import PlayerName
from firmware_host.table.player_maker import FIRST, LATE, ProcessMaker


def mistakes(text: str, folder: Path | None = None) -> str:
    with pytest.raises(ConfigError) as refused:
        parse(text, "table.toml", folder=folder)
    return str(refused.value)


def test_programs_stand_under_names_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "bot").chmod(0o755)
    config = parse(
        '[game]\nseats = {mr_x = "deep/strong", 1 = "Quick_2"}\n'
        '[players.deep]\ncommand = ["./bot", "--fast"]\nms = 200\nmemory_mb = 64\n'
        '[players.Quick_2]\ncommand = ["sh"]\n',
        "table.toml",
        folder=tmp_path,
    )
    deep = config.players["deep"]
    assert (deep.command, deep.ms, deep.memory_mb) == (("./bot", "--fast"), 200, 64)
    assert full_command(deep, tmp_path) == (str(tmp_path / "bot"), "--fast")
    assert config.players["Quick_2"].ms == 500
    assert full_command(config.players["Quick_2"], tmp_path)[0].endswith("/sh")


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("[players.deep]", "[players.deep] command", "is missing"),
        (
            '[players.deep]\ncommand = "python3 deep.py"',
            "[players.deep] command",
            'is not a list; write a list of texts in quotes, such as ["python3", "deep.py"]',
        ),
        ("[players.deep]\ncommand = []", "[players.deep] command", "is missing"),
        (
            '[players.deep]\ncommand = ["nowhere-at-all"]',
            "[players.deep] command",
            "no such program on this machine",
        ),
        (
            '[players.deep]\ncommand = ["./nowhere"]',
            "[players.deep] command",
            "/nowhere; put it there, or correct the path",
        ),
        (
            '[players.deep]\ncommand = ["/etc/passwd"]',
            "[players.deep] command",
            "may not be run; allow it with: chmod +x /etc/passwd",
        ),
        ('[players.deep]\ncommand = "sh"', "[players.deep] command", "is not a list"),
        ('[players.deep]\ncommand = ["sh", 3]', "[players.deep] command", "3 is not a text"),
        ('[players.deep]\ncommand = ["sh"]\nms = 5', "[players.deep] ms", "out of range"),
        ('[players.deep]\ncommand = ["sh"]\nmemory_mb = true', "[players.deep] memory_mb", "is not a whole number"),
        ('[players.deep]\ncommand = ["sh"]\nmemory = 3', "[players.deep] memory", "did you mean memory_mb?"),
        ('[players.easy]\ncommand = ["sh"]', "[players] easy", "is a reserved name"),
        ('[players.mr_x]\ncommand = ["sh"]', "[players] mr_x", "is a reserved name"),
        ('[players."a b"]\ncommand = ["sh"]', '[players] "a b"', "is not a name; write a letter"),
        ('[players]\ncommand = ["sh"]', "[players] command", "write [players.command]"),
        ("players = 3", "players", "is outside all sections; it belongs below [game]"),
        ('[player.deep]\ncommand = ["sh"]', "[player]", "did you mean [players]?"),
        ('[game]\nseats = {mr_x = "deep"}', "[game] seats", "'deep' is not a player"),
        ('[game]\nnames = {mr_x = "Ada\\tL"}', "[game] names", "mr_x: a name has no control characters"),
        ('[game]\nnames = {9 = "Ada"}', "[game] names", "'9' is not a seat of this game"),
    ],
)
def test_what_is_wrong_is_told_with_section_and_key(text: str, where: str, what: str) -> None:
    told = mistakes(text)
    assert f"{where}:" in told or f"{where} " in told, told
    assert what in told


@pytest.mark.parametrize("first", ["#!/nowhere/python", "#!/usr/bin/env -S no-such-python -u", "#! no-such-python"])
def test_a_script_whose_interpreter_is_missing_is_refused_with_its_name(tmp_path: Path, first: str) -> None:
    script = tmp_path / "deep"
    script.write_text(f"{first}\n")
    script.chmod(0o755)
    name = next(word for word in first[2:].split() if not word.startswith("-") and not word.endswith("env"))
    told = mistakes('[players.deep]\ncommand = ["./deep"]', tmp_path)
    assert f"{script}: its first line names {name}, which is not on this machine; install it" in told
    script.write_text("#!/usr/bin/env -S sh -e\n")
    parse('[players.deep]\ncommand = ["./deep"]', "table.toml", folder=tmp_path)


def test_a_slow_program_has_not_failed_when_it_misses_its_tick(tmp_path: Path) -> None:
    config = parse(f'[players.mine]\ncommand = ["{sys.executable}"]\nms = 60000', "table.toml", folder=tmp_path)
    pace = ProcessMaker(config).pace(PlayerName("mine", ""))
    assert (pace.first_s - pace.think_s, pace.late_s - pace.think_s) == (FIRST, LATE)


def test_own_players_and_programs_are_processes_alike(tmp_path: Path) -> None:
    config = parse(f'[players.mine]\ncommand = ["{sys.executable}", "-c", ""]\nms = 700', "table.toml", folder=tmp_path)
    maker = ProcessMaker(config)
    assert [*maker.programs] == ["mine"]
    assert maker.pace(PlayerName("mine", "")).ms == 700
    assert maker.pace(PlayerName("mine", "")).think_s > 0.7
    own = maker.make(PlayerName("", "easy"))
    assert isinstance(own, PlayerProcess)
    assert own._command.words == (sys.executable, "-m", "firmware_host", "player", "--level", "easy")
    theirs = maker.make(PlayerName("mine", "hard"))
    assert isinstance(theirs, PlayerProcess)
    assert (theirs._command.words, theirs._command.folder) == ((sys.executable, "-c", ""), tmp_path)
    with pytest.raises(PlayerFailed, match="no longer in the configuration"):
        maker.make(PlayerName("gone", ""))
