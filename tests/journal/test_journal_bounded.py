"""A journal that keeps so many games and no more."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.config.loader import parse
from firmware_host.journal.journal import FEWEST, Journal, prepare_journal
from firmware_host.journal.sqlite_store import VERSION
from firmware_host.journal.store_port import DamagedJournal
from firmware_host.past_games.finished_games import Archive
from firmware_host.rules.views import Outcome
from firmware_host.simulator import SimulatedTable
from tests.journal.test_journal import NETWORK, found, killed, sample, written
from tests.journal.test_journal_refuses import edit
from tests.proofs.power.version_1 import version_1
from tests.rules.boards import CLASSIC

SETUP, PLAYED = sample()
DONE = Outcome("mr_x", "log_full")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "yard" / "journal.db"


def play_games(journal: Journal, games: int, actions: int = 3) -> None:
    """So many games are begun, each second one is finished, the others given up by the next."""
    for number in range(games):
        journal.begin(SETUP, float(number))
        for action in PLAYED[:actions]:
            journal.play(action, float(number))
        if number % 2:
            journal.finish(DONE, float(number))


def numbers(journal: Journal) -> list[int]:
    return [game.number for game in journal.finished(most=1000)]


def rows(path: Path) -> list[tuple[int, str, str]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT seq, kind, record FROM entries ORDER BY seq").fetchall()


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        (number,) = connection.execute("PRAGMA user_version").fetchone()
    return int(number)


# ---- the oldest go ----


def test_the_newest_game_keeps_its_number_and_time_when_the_oldest_go_and_after_a_restart(path: Path) -> None:
    with Journal.open(path, keep_games=FEWEST) as journal:
        assert (journal.newest_begun, journal.begun_at()) == (0, 0.0)
        play_games(journal, FEWEST + 5)
        assert (journal.newest_begun, journal.begun_at()) == (FEWEST + 5, FEWEST + 4.0)
    with Journal.open(path) as journal:
        assert (journal.newest_begun, journal.begun_at()) == (FEWEST + 5, FEWEST + 4.0)


def test_the_oldest_games_go_and_the_others_keep_their_numbers(path: Path) -> None:
    with Journal.open(path, keep_games=5) as journal:
        play_games(journal, 12)
        assert numbers(journal) == [8, 10, 12]
        assert journal.newest_finished == 12
    with Journal.open(path, keep_games=5) as journal:
        assert numbers(journal) == [8, 10, 12]
        play_games(journal, 2)
        assert numbers(journal) == [10, 12, 14]
    kinds = [kind for _, kind, _ in rows(path)]
    assert kinds[0] == "let_go"
    assert kinds.count("begin") == 5
    assert kinds.count("let_go") == 1


def test_games_go_only_when_another_begins(path: Path) -> None:
    with Journal.open(path) as journal:
        play_games(journal, 7)
    for _ in range(2):
        with Journal.open(path, keep_games=2) as journal:
            assert numbers(journal) == [2, 4, 6]
            assert journal.in_play
    assert found(path) == PLAYED[:3]
    with Journal.open(path, keep_games=2) as journal:
        journal.begin(SETUP, 9.0)
        journal.finish(DONE, 9.0)
        assert numbers(journal) == [8]
    assert [kind for _, kind, _ in rows(path)] == ["let_go", "begin", *["play"] * 3, "abandon", "begin", "finish"]


def test_the_game_in_play_is_never_let_go_of(path: Path) -> None:
    with pytest.raises(ValueError, match="keep_games: 1 must be at least 2"):
        Journal.open(path, keep_games=FEWEST - 1)
    assert not path.parent.exists()


def test_a_table_keeps_as_many_games_as_its_configuration_says(tmp_path: Path) -> None:
    config = parse("[journal]\nkeep_games = 10", "yard.toml")
    p = SimulatedTable(config, journal=tmp_path / "journal.sqlite")
    archive = Archive(config)
    for _ in range(15):
        p.new_game(detectives=3)
        p.table.journal.finish(DONE, 1.0)
    archive.follow(p.table.journal)
    assert archive.newest == 15
    assert len(archive.summaries()) == 10
    p.close()


# ---- the file ----


def test_neither_the_file_nor_its_log_grows_once_the_games_are_full(path: Path) -> None:
    sizes, log = [], Path(f"{path}-wal")
    with Journal.open(path, keep_games=20) as journal:
        for _ in range(12):
            play_games(journal, 20, actions=5)
            sizes.append(path.stat().st_size)
            assert log.stat().st_size < 40_000
    assert max(sizes[2:]) <= sizes[1] * 1.1
    assert sizes[0] > 20_000


def test_a_log_that_grew_because_many_games_went_at_once_shrinks_again(path: Path) -> None:
    log = Path(f"{path}-wal")
    with Journal.open(path) as journal:
        journal.store._connection.execute("PRAGMA synchronous = OFF")
        play_games(journal, 150, actions=100)
    with Journal.open(path, keep_games=2) as journal:
        journal.begin(SETUP, 1.0)
        assert log.stat().st_size > 1_100_000
        journal.play(PLAYED[0], 1.0)
        assert log.stat().st_size <= 1 << 20


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("DELETE FROM entries WHERE kind = 'let_go'", "entry 1 is missing"),
        (
            "UPDATE entries SET record = replace(record, '3', '4') WHERE kind = 'let_go'",
            "was changed after it was written",
        ),
        ("UPDATE entries SET seq = seq - 1 WHERE kind = 'let_go'", "was changed after it was written"),
        ("DELETE FROM entries WHERE seq = (SELECT min(seq) + 1 FROM entries)", r"entry \d+ is missing"),
        (
            "UPDATE entries SET at = 7 WHERE seq = (SELECT min(seq) + 1 FROM entries)",
            "was changed after it was written",
        ),
        ("DELETE FROM entries WHERE seq < (SELECT max(seq) FROM entries)", "entry 1 is missing"),
    ],
)
def test_a_journal_that_let_go_is_as_well_sealed_as_any(path: Path, statement: str, complaint: str) -> None:
    with Journal.open(path, keep_games=3) as journal:
        play_games(journal, 6)
    edit(path, statement)
    with pytest.raises(DamagedJournal, match=complaint):
        Journal.open(path)


# ---- journals of before ----


def test_a_journal_of_version_1_is_read_as_it_is_and_becomes_one_of_today_when_a_game_goes(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(version_1())
    before = rows(path)
    with Journal.open(path, keep_games=4) as journal:
        assert journal.in_play
        assert numbers(journal) == [1, 3]
        assert [len(game.entries) for game in journal.finished(most=9)] == [8, 5]
    assert version(path) == 1
    assert rows(path) == before
    with Journal.open(path, keep_games=4) as journal:
        journal.begin(SETUP, 1.0)
        journal.finish(DONE, 2.0)
        assert numbers(journal) == [3, 5]
    assert version(path) == VERSION == 2
    assert rows(path)[1:-3] == before[8:]
    with Journal.open(path) as journal:
        assert numbers(journal) == [3, 5]


def test_a_game_of_version_1_goes_on(path: Path) -> None:
    played = written(path)
    edit(path, "PRAGMA user_version = 1")
    with Journal.open(path, keep_games=2) as journal:
        game = journal.newest([CLASSIC], NETWORK)
        assert game is not None
        journal.play(PLAYED[len(played)], 3.0)
    assert found(path) == PLAYED[: len(played) + 1]
    assert version(path) == 1


def test_a_test_of_the_disk_leaves_version_1_as_it_is(path: Path) -> None:
    written(path)
    edit(path, "PRAGMA user_version = 1")
    with Journal.open(path) as journal:
        assert journal.probe()
    assert version(path) == 1


# ---- what cannot be used is kept, and the table goes on ----


def spoil(path: Path, how: str) -> None:
    """A journal, with a game in play, that cannot be used."""
    match how:
        case "newer":
            edit(path, "PRAGMA user_version = 9")
        case "torn":
            path.write_bytes(path.read_bytes()[:5000])
        case "damaged":
            edit(path, "UPDATE entries SET at = 7 WHERE seq = 4")
        case "foreign":
            path.write_text("Dear diary,\n" * 99)
        case "other":
            edit(path, "PRAGMA application_id = 7")
        case "empty":
            path.write_bytes(b"")


@pytest.mark.parametrize("how", ["newer", "torn", "damaged", "foreign", "other", "empty"])
def test_a_journal_that_cannot_be_used_is_named_and_kept_and_the_table_begins_anew(
    path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    written(path)
    spoil(path, how)
    content = path.read_bytes()
    with caplog.at_level(logging.ERROR, "yardboard"):
        assert prepare_journal(path, "20300101-120000") is None
    aside = path.with_name("journal.db.20300101-120000.aside")
    assert f"journal {path}: " in caplog.text
    assert str(aside) in caplog.text
    assert aside.read_bytes() == content
    assert aside.stat().st_mode & 0o777 == 0o600
    with Journal.open(path) as journal:
        journal.begin(SETUP, 1.0)
    assert prepare_journal(path, "later") == "classic"
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, aside.name]


def test_a_journal_that_was_killed_is_not_set_aside(path: Path) -> None:
    killed(path)
    assert prepare_journal(path, "now") == "classic"
    assert [file.name for file in path.parent.iterdir()] == [path.name]
