"""A table's configuration and games, saved in one file and restored whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import stat
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.config import shipped_files
from firmware_host.config.loader import load
from firmware_host.journal.journal import Journal
from firmware_host.maintenance import backup
from firmware_host.maintenance.backup import CONFIG, JOURNAL, MANIFEST
from tests.journal.test_journal import found, sample

ANALYSIS = "0123456789abcdef0123456789abcdef.json"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A table's configuration with an edition of its own; its game is in play and has the journal open."""
    home = tmp_path / "old"
    (home / "boxes").mkdir(parents=True)
    edition = (shipped_files.folder() / "editions" / "classic.toml").read_text(encoding="utf-8")
    (home / "boxes" / "ours.toml").write_text(edition, encoding="utf-8")
    config = home / "table.toml"
    text = shipped_files.configuration("simulator").replace('rules = "classic"', 'rules = "boxes/ours.toml"')
    config.write_text(f"# our table\n{text}", encoding="utf-8")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "games"))
    with Journal.open(tmp_path / "games" / "journal.sqlite") as journal:
        setup, played = sample()
        journal.begin(setup, 1.0)
        for action in played[:40]:
            journal.play(action, 2.0)
        (tmp_path / "games" / "analyses").mkdir()
        (tmp_path / "games" / "analyses" / ANALYSIS).write_text("[]", encoding="utf-8")
        yield config


def run(*words: str | Path) -> Result:
    [command] = [each for each in backup.COMMANDS if each.name == words[0]]
    return CliRunner().invoke(command, [str(word) for word in words[1:]])


@pytest.fixture
def saved(table: Path, tmp_path: Path) -> Path:
    out = tmp_path / "backup.zip"
    made = run("backup", "--config", table, out)
    assert made.exit_code == 0, made.output
    return out


def everything(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The place of the configuration on another machine."""
    new = tmp_path / "new"
    monkeypatch.setenv("STATE_DIRECTORY", str(new / "games"))
    return new / "etc" / "table.toml"


def test_a_table_that_plays_is_saved_and_its_game_goes_on_on_another_machine(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = elsewhere(tmp_path, monkeypatch)
    done = run("restore", "--config", place, saved)
    assert done.exit_code == 0, done.output
    assert found(tmp_path / "new" / "games" / "journal.sqlite") == sample()[1][:40]
    assert (tmp_path / "new" / "games" / "analyses" / ANALYSIS).read_text(encoding="utf-8") == "[]"
    assert place.read_text(encoding="utf-8").startswith("# our table\n")
    checked = load(place)
    assert checked.edition.name == "ours"
    assert (place.parent / "game" / "ours.toml").exists()


def test_only_its_owner_may_read_a_backup_and_restored_games(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = elsewhere(tmp_path, monkeypatch)
    run("restore", "--config", place, saved)
    for secret in (saved, *(tmp_path / "new" / "games").rglob("*.*")):
        assert stat.S_IMODE(secret.stat().st_mode) & 0o077 == 0, secret
    assert stat.S_IMODE((tmp_path / "new" / "games").stat().st_mode) == 0o700


def test_a_backup_never_overwrites_a_file(saved: Path, table: Path) -> None:
    before = saved.read_bytes()
    again = run("backup", "--config", table, saved)
    assert again.exit_code == 1
    assert "exists already" in again.output
    assert saved.read_bytes() == before


def test_a_table_without_games_is_saved_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "games"))
    config = tmp_path / "table.toml"
    config.write_text(shipped_files.configuration("simulator"), encoding="utf-8")
    made = run("backup", "--config", config, tmp_path / "backup.zip")
    assert "none has begun yet" in made.output
    assert run("restore", "--config", elsewhere(tmp_path, monkeypatch), tmp_path / "backup.zip").exit_code == 0


@pytest.mark.parametrize("moved", [False, True])
def test_a_table_with_a_player_program_of_its_own_is_restored_and_a_missing_program_is_named(
    moved: bool, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = table.with_name("bot")
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    text = table.read_text(encoding="utf-8")
    table.write_text(f'{text}\n[players.bot]\ncommand = ["./bot"]\n', encoding="utf-8")
    assert run("backup", "--config", table, tmp_path / "backup.zip").exit_code == 0
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "new games"))
    place = tmp_path / "table.toml" if moved else table
    done = run("restore", "--config", place, tmp_path / "backup.zip")
    assert done.exit_code == 0, done.output
    assert (f"there is no program {tmp_path / 'bot'}" in done.output) is moved


def test_what_was_there_is_renamed_and_stays(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = elsewhere(tmp_path, monkeypatch)
    run("restore", "--config", place, saved)
    place.write_text("# changed\n", encoding="utf-8")
    again = run("restore", "--config", place, saved)
    assert again.exit_code == 0, again.output
    assert place.read_text(encoding="utf-8").startswith("# our table\n")
    assert [file.read_text(encoding="utf-8") for file in place.parent.glob("table.toml.*.aside")] == ["# changed\n"]
    assert len(list((tmp_path / "new" / "games").glob("journal.sqlite.*.aside"))) == 1


def test_a_table_that_uses_the_journal_is_left_alone(saved: Path, table: Path, tmp_path: Path) -> None:
    before = everything(tmp_path)
    refused = run("restore", "--config", table, saved)
    assert refused.exit_code == 1
    assert "in use by another table" in refused.output
    assert "systemctl stop" in refused.output
    assert everything(tmp_path) == before


def test_a_damaged_journal_is_replaced_and_stays_beside(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = elsewhere(tmp_path, monkeypatch)
    games = tmp_path / "new" / "games"
    games.mkdir(parents=True)
    (games / "journal.sqlite").write_bytes(b"torn")
    assert run("restore", "--config", place, saved).exit_code == 0
    assert [file.read_bytes() for file in games.glob("journal.sqlite.*.aside")] == [b"torn"]
    assert found(games / "journal.sqlite") == sample()[1][:40]


@pytest.mark.parametrize("share", [0, 0.01, 0.3, 0.6, 0.9, 0.999])
def test_a_torn_backup_is_refused_and_changes_nothing(
    share: float, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = elsewhere(tmp_path, monkeypatch)
    whole = saved.read_bytes()
    saved.write_bytes(whole[: int(len(whole) * share)])
    before = everything(tmp_path)
    refused = run("restore", "--config", place, saved)
    assert refused.exit_code == 1
    assert "backup" in refused.output
    assert everything(tmp_path) == before
    assert not place.parent.exists()


def test_a_backup_with_any_wrong_bit_is_refused_or_restored_unchanged(saved: Path) -> None:
    whole, parts = saved.read_bytes(), backup.read(saved)[0]
    chance = random.Random(1)
    for _ in range(300):
        spoiled = bytearray(whole)
        spoiled[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        saved.write_bytes(spoiled)
        try:
            assert backup.read(saved)[0] == parts
        except backup.BadBackup:
            continue


def rewritten(saved: Path, change: Callable[[dict[str, bytes], dict[str, object]], object]) -> None:
    """Change a backup's files and manifest, and list the files anew."""
    with zipfile.ZipFile(saved) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(parts.pop(MANIFEST))
    change(parts, manifest)
    listed: Mapping[str, object] = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()} for name, content in parts.items()
    }
    manifest["files"] = manifest.pop("lists", listed)
    with zipfile.ZipFile(saved, "w") as archive:
        archive.writestr(MANIFEST, json.dumps(manifest))
        for name, content in parts.items():
            archive.writestr(name, content)


@pytest.mark.parametrize(
    "name",
    [
        "../evil.toml",
        "/etc/evil.toml",
        "config/../../evil.toml",
        "config/game/../../../evil.toml",
        "config/game/.hidden.toml",
        "config/evil.sh",
        "state/analyses/../../evil.json",
        "state/kept-seat.json",
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(
    name: str, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = elsewhere(tmp_path, monkeypatch)
    rewritten(saved, lambda parts, _: parts.update({name: b"evil"}))
    refused = run("restore", "--config", place, saved)
    assert refused.exit_code == 1
    assert "other files than a backup" in refused.output
    assert not place.parent.exists()


def test_a_changed_file_is_refused_by_its_digest(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(parts: dict[str, bytes], manifest: dict[str, object]) -> None:
        listed = {name: {"bytes": len(old), "sha256": "0" * 64} for name, old in parts.items()}
        manifest["lists"] = listed

    rewritten(saved, change)
    refused = run("restore", "--config", elsewhere(tmp_path, monkeypatch), saved)
    assert "is damaged" in refused.output


def test_a_newer_format_names_the_version_that_reads_it(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewritten(saved, lambda _, manifest: manifest.update(format=2, yardboard="9.1"))
    refused = run("restore", "--config", elsewhere(tmp_path, monkeypatch), saved)
    assert "install version '9.1' or newer" in refused.output


@pytest.mark.parametrize(
    "change",
    [
        {"format": float("nan")},
        {"made": "\x1b[2J"},
        {"made": None},
        {"lists": {CONFIG: {"bytes": float("inf"), "sha256": ""}}},
        {"lists": {CONFIG: {"bytes": -2, "sha256": ""}}},
        {"lists": []},
    ],
)
def test_a_manifest_of_another_form_is_refused(
    change: dict[str, object], saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = elsewhere(tmp_path, monkeypatch)
    rewritten(saved, lambda _, manifest: manifest.update(change))
    refused = run("restore", "--config", place, saved)
    assert refused.exit_code == 1
    assert "backup" in refused.output
    assert not place.parent.exists()


@pytest.mark.parametrize("where", ["{}/victim", "../victim", "table.toml", "game/ours.toml"])
def test_a_backup_cannot_choose_where_its_games_go(
    where: str, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = elsewhere(tmp_path, monkeypatch)
    place.parent.mkdir(parents=True)
    (tmp_path / "victim").write_text("mine", encoding="utf-8")
    config = f'[journal]\npath = "{where.format(tmp_path)}"\n[switches]\ndriver = "sim"\n'.encode()
    rewritten(saved, lambda parts, _: parts.update({CONFIG: config}))
    before = everything(tmp_path)
    refused = run("restore", "--config", place, saved)
    assert refused.exit_code == 1
    assert "keeps its games in" in refused.output
    assert everything(tmp_path) == before


@pytest.mark.parametrize("program", ["", '[players.bot]\ncommand = ["./missing"]\n'], ids=["alone", "with a program"])
def test_games_are_restored_to_a_place_that_the_configuration_there_already_names(
    program: str, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = elsewhere(tmp_path, monkeypatch)
    place.parent.mkdir(parents=True)
    config = f'[journal]\npath = "mine.sqlite"\n[switches]\ndriver = "sim"\n{program}'
    place.write_text(config, encoding="utf-8")
    place.chmod(0o640)
    rewritten(saved, lambda parts, _: parts.update({CONFIG: config.encode()}))
    assert run("restore", "--config", place, saved).exit_code == 0
    assert found(place.with_name("mine.sqlite")) == sample()[1][:40]
    assert stat.S_IMODE(place.stat().st_mode) == 0o640


@pytest.mark.parametrize("name", [".ours", "o" * 101])
def test_a_file_whose_name_cannot_be_restored_is_not_saved(name: str, table: Path, tmp_path: Path) -> None:
    (table.parent / "boxes" / "ours.toml").rename(table.parent / "boxes" / f"{name}.toml")
    table.write_text(table.read_text(encoding="utf-8").replace("boxes/ours", f"boxes/{name}"), encoding="utf-8")
    refused = run("backup", "--config", table, tmp_path / "backup.zip")
    what = "a name that begins with a dot, has a backslash, or has more than 100 characters before .toml"
    assert f"{name}.toml: a backup cannot save {what}; rename this file" in refused.output
    assert not (tmp_path / "backup.zip").exists()


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [(CONFIG, b"[gme]\n", "gme"), (JOURNAL, b"SQLite format 3\x00", "is incomplete"), (CONFIG, b"\xff", "backup")],
)
def test_what_this_version_cannot_use_is_named_and_nothing_changes(
    name: str, content: bytes, why: str, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = elsewhere(tmp_path, monkeypatch)
    rewritten(saved, lambda parts, _: parts.update({name: content}))
    refused = run("restore", "--config", place, saved)
    assert refused.exit_code == 1
    assert why in refused.output
    assert not place.parent.exists()


@pytest.mark.parametrize("hindrance", ["table.toml", "game", "games"])
def test_if_one_file_cannot_be_written_all_others_are_as_before(
    hindrance: str, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = elsewhere(tmp_path, monkeypatch)
    place.parent.mkdir(parents=True)
    place.write_text("# ours\n", encoding="utf-8")
    monkeypatch.setattr(time, "strftime", lambda _: "today")
    {
        "table.toml": place.with_name("table.toml.today.aside"),
        "game": place.parent / "game",
        "games": tmp_path / "new" / "games",
    }[hindrance].write_text("in the way", encoding="utf-8")
    before = everything(tmp_path / "new")
    refused = run("restore", "--config", place, saved)
    assert refused.exit_code == 1
    assert "othing was changed" in refused.output
    assert everything(tmp_path / "new") == before


def test_a_link_in_the_way_is_renamed_and_not_followed(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = elsewhere(tmp_path, monkeypatch)
    place.parent.mkdir(parents=True)
    (tmp_path / "victim").write_text("mine", encoding="utf-8")
    place.symlink_to(tmp_path / "victim")
    assert run("restore", "--config", place, saved).exit_code == 0
    assert (tmp_path / "victim").read_text(encoding="utf-8") == "mine"
    assert not place.is_symlink()


def test_a_link_instead_of_the_folder_of_analyses_is_not_followed(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The folder of games is the table's user's, who could lead root elsewhere.
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / f"{'a' * 32}.json").write_text("secret")
    config = elsewhere(tmp_path, monkeypatch)
    games = Path(os.environ["STATE_DIRECTORY"])
    games.mkdir(parents=True, exist_ok=True)
    (games / "analyses").symlink_to(victim)
    before = everything(victim)
    done = run("restore", "--config", config, saved)
    assert done.exit_code == 1
    assert "analyses: is a link, and must be a folder; remove it. Nothing was changed" in done.output
    assert everything(victim) == before
    assert not config.exists()
    config.parent.mkdir()
    config.write_text('[switches]\ndriver = "sim"\n')
    out = tmp_path / "second.zip"
    assert run("backup", "--config", config, out).exit_code == 0
    assert not [name for name in zipfile.ZipFile(out).namelist() if "analyses" in name]


def test_a_journal_that_changes_while_it_is_copied_is_copied_again(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, copies = tmp_path / "games" / "journal.sqlite", list[Path]()
    copy = shutil.copyfile

    def interrupted(source: Path, target: Path) -> None:
        copy(source, target)
        copies.append(source)
        if len(copies) == 1:
            os.utime(journal, ns=(0, 1))

    monkeypatch.setattr(shutil, "copyfile", interrupted)
    backup.gather(load(table), journal)
    assert copies.count(journal) == 2


def test_a_journal_that_is_written_all_the_time_is_given_up(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter(range(10**6))
    monkeypatch.setattr(backup, "_mark", lambda _: next(ticks))
    refused = run("backup", "--config", table, tmp_path / "backup.zip")
    assert "the table keeps writing to it" in refused.output
    assert not (tmp_path / "backup.zip").exists()


def test_root_finds_the_games_of_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    assert backup.state_environment(Path("/etc/yardboard/table.toml"))["STATE_DIRECTORY"] == "/var/lib/yardboard"
    assert "STATE_DIRECTORY" not in backup.state_environment(Path("table.toml"))
