from __future__ import annotations

import os
import random
import resource
import sqlite3
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from firmware_host.journal.journal import Journal, set_aside
from firmware_host.journal.store_port import MEMORY, DamagedJournal, JournalError, UnplayableGame, UnwritableJournal
from firmware_host.rules.actions import Action, MrXMove
from firmware_host.rules.secret import Secret
from tests.amount import amount
from tests.journal.test_journal import NETWORK, child, found, killed, sample, written
from tests.rules.boards import CLASSIC, lanes


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "yard" / "journal.db"


# ---- torn, foreign, damaged ------------------------------------------------------------------------------------


def test_a_journal_cut_short_at_any_length_is_refused(path: Path) -> None:
    written(path)
    whole = path.read_bytes()
    for length in [*range(0, 120, 9), *range(120, len(whole), 499), *range(4096, len(whole), 4096), len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(DamagedJournal, match=r"journal\.db: is (incomplete|damaged)"):
            Journal.open(path)


def test_a_wrong_byte_anywhere_is_refused_or_changes_nothing(path: Path) -> None:
    played, chance = written(path), random.Random(2)
    whole, refused = path.read_bytes(), 0
    for place in [*range(100), *(chance.randrange(100, len(whole)) for _ in range(amount(300, 900)))]:
        flipped = bytearray(whole)
        flipped[place] ^= chance.randrange(1, 256)
        path.write_bytes(flipped)
        try:
            assert found(path) == played
        except DamagedJournal:
            refused += 1
    assert refused > 100


def test_a_byte_that_is_no_text_in_the_schema_is_refused(path: Path) -> None:
    written(path)
    whole = path.read_bytes()
    start = whole.index(b"CREATE TABLE")
    end = whole.index(b"STRICT", start)
    for place in range(start, end):  # SQLite quotes some of them, and its message is then no text either
        path.write_bytes(whole[:place] + b"\xb8" + whole[place + 1 :])
        with pytest.raises(DamagedJournal, match="is damaged"):
            Journal.open(path)


def edit(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("DELETE FROM entries WHERE seq = 20", "entry 20 is missing"),
        ("DELETE FROM entries WHERE seq < 20", "entry 1 is missing"),
        ("UPDATE entries SET at = at + 1 WHERE seq = 20", "entry 20 was changed after it was written"),
        ("UPDATE entries SET kind = 'finish' WHERE seq = 41", "entry 41 was changed after it was written"),
        ("UPDATE entries SET record = CAST(x'7bff' AS TEXT) WHERE seq = 3", "is damaged"),
        ("DROP TABLE entries", "it lacks the table of a journal"),
        ("CREATE TABLE more (a)", "it lacks the table of a journal"),
        ("PRAGMA user_version = 3", "has the newer version 3; this yardboard reads up to 2"),
        ("PRAGMA user_version = 0", "has the unknown version 0; this yardboard reads up to 2"),
        ("PRAGMA application_id = 7", "is not a journal: yardboard did not write this SQLite file"),
        ("PRAGMA journal_mode = DELETE", "lacks the mark of a write-ahead log"),
    ],
)
def test_a_journal_that_others_have_changed_is_refused(path: Path, statement: str, complaint: str) -> None:
    written(path)
    edit(path, statement)
    content = path.read_bytes()
    with pytest.raises(DamagedJournal, match=complaint) as caught:
        Journal.open(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"Dear diary,\n" * 50, b"x", b"SQLite format 2\0" + bytes(200)])
def test_a_file_that_is_no_sqlite_file_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(DamagedJournal, match=r"journal\.db: is not a journal: it is not an SQLite file"):
        Journal.open(path)
    assert path.read_bytes() == content


def test_a_folder_in_place_of_the_file_is_refused(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(UnwritableJournal, match="is not a regular file"):  # a device or folder is never set aside
        Journal.open(path)


def test_no_traceback_of_a_damaged_record_quotes_it(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.begin(sample()[0], 0.0)
        journal.play(MrXMove(Secret(987654321), "taxi"), 0.0)
    whole = path.read_bytes()
    for place in range(whole.index(b'{"kind":"move"'), whole.index(b"987654321")):
        path.write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        with pytest.raises(DamagedJournal) as caught:
            Journal.open(path)
        assert "987654321" not in "".join(traceback.format_exception(caught.value))


# ---- what does not replay --------------------------------------------------------------------------------------


def test_a_game_that_does_not_replay_is_refused_by_entry_without_telling_where_mister_x_was(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.begin(sample()[0], 0.0)
        journal.play(MrXMove(Secret(987654321), "taxi"), 0.0)
    with Journal.open(path) as journal:
        with pytest.raises(UnplayableGame, match=r"journal\.db: entry 2 cannot be replayed") as caught:
            journal.newest([CLASSIC], NETWORK)
        assert "987654321" not in "".join(traceback.format_exception(caught.value))
        setup, played = sample(7)
        journal.begin(setup, 1.0)  # the journal itself is sound
        journal.play(played[0], 1.0)
    assert found(path) == played[:1]


def test_a_take_back_with_nothing_to_take_back_does_not_replay() -> None:
    with Journal.open(MEMORY) as journal:
        journal.begin(sample()[0], 0.0)
        journal.take_back(0.0)
        with pytest.raises(UnplayableGame, match="entry 2 cannot be replayed: nothing can be taken back"):
            journal.newest([CLASSIC], NETWORK)


def test_a_game_on_another_map_is_not_resumed_on_this_one() -> None:
    with Journal.open(MEMORY) as journal:
        journal.begin(sample()[0], 0.0)
        with pytest.raises(UnplayableGame, match=r"entry 1 cannot be replayed: .*played on the map 'london'"):
            journal.newest([CLASSIC], lanes(1).network)


# ---- set aside -------------------------------------------------------------------------------------------------


def test_set_aside_keeps_the_file_and_makes_room_for_a_new_one(path: Path) -> None:
    written(path)
    content = path.read_bytes()[:5000]
    path.write_bytes(content)
    aside = set_aside(path, "2024-05-01T20.15.00")
    assert aside.name == "journal.db.2024-05-01T20.15.00.aside"
    assert aside.read_bytes() == content
    assert found(path) is None


def test_set_aside_takes_the_write_ahead_log_along(path: Path) -> None:
    played = killed(path)
    aside = set_aside(path, "a")
    assert {file.name for file in path.parent.iterdir()} == {"journal.db.a.aside", "journal.db.a.aside-wal"}
    actions = found(aside)
    assert actions is not None
    assert actions == played[: len(actions)]


@pytest.mark.parametrize("taken", ["journal.db.a.aside-wal", "journal.db.a.aside"])
@pytest.mark.long_but_first
def test_set_aside_overwrites_nothing(path: Path, taken: str) -> None:
    killed(path)
    (path.parent / taken).write_text("mine")
    before = sorted(file.name for file in path.parent.iterdir())
    with pytest.raises(UnwritableJournal, match=r"aside(-wal)? exists already"):
        set_aside(path, "a")
    assert sorted(file.name for file in path.parent.iterdir()) == before
    assert (path.parent / taken).read_text() == "mine"


# ---- a system that refuses -------------------------------------------------------------------------------------


@contextmanager
def without_privileges() -> Iterator[None]:
    """Root may write anywhere; for a while we are nobody."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.fixture
def read_only() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield folder
        folder.chmod(0o700)


def test_a_new_journal_in_a_read_only_folder_is_an_os_error_that_names_it(read_only: Path) -> None:
    read_only.chmod(0o555)
    with (
        without_privileges(),
        pytest.raises(UnwritableJournal, match=r"journal\.db: this user may not write there") as caught,
    ):
        Journal.open(read_only / "journal.db")
    assert isinstance(caught.value, OSError)
    assert list(read_only.iterdir()) == []


def test_an_old_journal_in_a_read_only_folder_is_an_os_error_and_unharmed(read_only: Path) -> None:
    path = read_only / "journal.db"
    played = written(path)
    if os.geteuid() == 0:
        os.chown(path, 65534, 65534)
    read_only.chmod(0o555)
    with without_privileges(), pytest.raises(UnwritableJournal, match=r"journal\.db: cannot be"):
        Journal.open(path)
    read_only.chmod(0o700)
    assert found(path) == played


def test_a_write_ahead_log_that_cannot_be_opened_is_called_by_its_name(path: Path) -> None:
    played = written(path)
    in_the_way = path.with_name("journal.db-wal")
    in_the_way.mkdir()
    with pytest.raises(UnwritableJournal, match=r"journal\.db: cannot be opened: journal\.db-wal: Is a directory$"):
        Journal.open(path)
    in_the_way.rmdir()
    assert found(path) == played


def test_a_folder_that_cannot_be_made_is_an_os_error(path: Path) -> None:
    path.parent.parent.joinpath("yard").write_text("a file in the way")
    with pytest.raises(UnwritableJournal, match=r"journal\.db: .*/yard is a file, not a folder; choose"):
        Journal.open(path)


def test_a_read_only_disk_is_called_by_its_name(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(path)
    real = os.statvfs

    def read_only(place: Path) -> os.statvfs_result:
        return os.statvfs_result((*tuple(real(place))[:8], os.ST_RDONLY, *tuple(real(place))[9:]))

    monkeypatch.setattr(os, "statvfs", read_only)
    for journal in (path, path.with_name("new.db"), path.parent / "no" / "folder.db"):
        with pytest.raises(UnwritableJournal, match=rf"{journal.name}: cannot be written: the disk is read-only"):
            Journal.open(journal)


def open_in_little_memory(path: str) -> None:
    """Run in a child process: SQLite gets less and less memory. Tells how often it was refused, and how."""
    refused = set()
    with closing(sqlite3.connect(":memory:")) as any_connection, suppress(MemoryError):  # until it cannot do even that
        for size in range(400_000, 20_000, -1000):
            any_connection.execute(f"PRAGMA hard_heap_limit = {size}").close()
            try:
                Journal.open(path).close()
            except JournalError as error:
                refused.add(f"{type(error).__name__}: {error}")
    print(*refused, sep="\n")  # noqa: T201


def test_a_sound_journal_is_not_called_damaged_because_memory_is_short(path: Path) -> None:
    played = written(path)
    with child(f"test_journal_refuses.open_in_little_memory({str(path)!r})") as process:
        assert process.stdout is not None
        answer = process.stdout.read()
    assert process.returncode == 0
    assert answer == f"UnwritableJournal: journal {path}: cannot be read: not enough memory\n"
    assert found(path) == played


def play_all(journal: Journal, played: list[Action]) -> None:
    for action in played:
        journal.play(action, 0.0)


def test_a_journal_that_may_not_grow_refuses_and_goes_on_once_there_is_room(path: Path) -> None:
    setup, played = sample()
    with Journal.open(path) as journal:
        journal.begin(setup, 0.0)
        journal.store._connection.execute("PRAGMA max_page_count = 3").close()
        with pytest.raises(UnwritableJournal, match=r"journal\.db: cannot be written: the disk is full"):
            play_all(journal, played)
        game = journal.newest([CLASSIC], NETWORK)
        assert game is not None
        accepted = len(game.actions)
        assert 0 < accepted < len(played)
        assert game.actions == played[:accepted]
        journal.store._connection.execute("PRAGMA max_page_count = 1000").close()
        journal.play(played[accepted], 0.0)
    assert found(path) == played[: accepted + 1]


def play_in_little_room(path: str, size: int) -> None:
    """Run in a child process: no file may grow beyond `size` bytes. Tells how many actions were accepted."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    setup, played = sample()
    accepted = -1
    try:
        with Journal.open(path) as journal:
            journal.begin(setup, 0.0)
            accepted = 0
            for action in played:
                journal.play(action, 0.0)
                accepted += 1
    except UnwritableJournal:
        print(accepted)  # noqa: T201


@pytest.mark.parametrize("size", [9000, 0, 3000, 13000, 17000])
@pytest.mark.long_but_first
def test_a_full_disk_is_an_error_and_loses_nothing_accepted(path: Path, size: int) -> None:
    with child(f"test_journal_refuses.play_in_little_room({str(path)!r}, {size})") as process:
        assert process.stdout is not None
        answer = process.stdout.read()
    assert process.returncode == 0
    accepted = int(answer)  # the child met the error, and no other
    actions = found(path)
    assert actions == (None if accepted < 0 else sample()[1][:accepted])
