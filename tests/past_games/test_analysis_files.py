"""What the coach found of finished games is there after a restart, and nothing that lies in its place can do harm."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import MEMORY
from firmware_host.past_games import game_analysis
from firmware_host.past_games.finished_games import Archive
from firmware_host.past_games.game_analysis import AnalysedStep, Analysis, AnalysisFiles
from firmware_host.players.coach.coach_port import NextAction, Review
from firmware_host.players.player_port import NewGame, PublicHistory
from tests.journal.random_journals import config, play, write
from tests.waiting import until


class Knowing:
    """Says the same of every step at once."""

    def __init__(self, chance: float | None = 0.25) -> None:
        self.said = Review({7: 0.5, 8: 0.5}, chance=chance, cost=chance)

    def begin(self, game: NewGame) -> None: ...

    def review(self, history: PublicHistory, done: NextAction) -> None: ...

    def reviewed(self) -> Review:
        return self.said

    def close(self) -> None: ...


def absent() -> Knowing:
    raise AssertionError("this game has been looked at before")


def through(archive: Archive, number: int = 1) -> Analysis:
    """What is found of a game, once all of it was looked at."""
    archive.analyse(number)

    def complete() -> bool:
        found = archive.analysis(number)
        return found is not None and found.complete

    until(complete, "the analysis")
    archive.close()  # what is to be kept has been written then
    found = archive.analysis(number)
    assert found is not None
    return found


def archive_of(seed: int, files: AnalysisFiles, make: object = Knowing) -> Archive:
    """The finished games of a table at which one classic game was played."""
    archive = Archive(config(), make_reviewer=make, files=files)  # type: ignore[arg-type]
    with Journal.open(MEMORY) as journal:
        write(journal, *play("classic", seed))
        archive.follow(journal)
    return archive


def test_after_a_restart_a_game_that_was_looked_at_is_told_at_once_and_whole(tmp_path: Path) -> None:
    files = AnalysisFiles(tmp_path / "state" / "analyses")
    found = through(archive_of(1, files))
    again = archive_of(1, files, absent)
    assert again.analysis(1) is None
    assert again.analyse(1) == found
    assert again.analysis(1) == found
    assert found.moments
    again.close()


def test_another_game_of_the_same_number_is_looked_at_anew(tmp_path: Path) -> None:
    files = AnalysisFiles(tmp_path)
    first = through(archive_of(1, files))
    assert through(archive_of(2, files)).total != first.total
    assert len([*tmp_path.iterdir()]) == 2


@pytest.mark.parametrize("spoiled", [b"", b"[", b"[]", b"[1]", b'[{"stations": {"x": 1}}]', b"[" * 100_000, b"\xff"])
def test_a_file_that_makes_no_sense_is_none(tmp_path: Path, spoiled: bytes) -> None:
    files = AnalysisFiles(tmp_path)
    found = through(archive_of(1, files))
    (file,) = tmp_path.iterdir()
    file.write_bytes(spoiled)
    assert through(archive_of(1, files)) == found
    file.unlink()
    os.mkfifo(file)
    assert through(archive_of(1, files)) == found


def test_what_was_found_without_the_search_is_not_kept(tmp_path: Path) -> None:
    files = AnalysisFiles(tmp_path)
    through(archive_of(1, files, lambda: Knowing(None)))
    assert [*tmp_path.iterdir()] == []


def test_where_nothing_can_be_kept_it_is_told_all_the_same(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("in the way")
    with caplog.at_level(logging.WARNING, "yardboard"):
        assert through(archive_of(1, AnalysisFiles(tmp_path / "file" / "analyses"))).complete
    assert "an analysis cannot be stored" in caplog.text


def test_only_the_newest_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_analysis, "KEPT", 2)
    files, steps = AnalysisFiles(tmp_path), (AnalysedStep({1: 1.0}, chance=0.5),)
    for n, game in enumerate((b"one", b"two", b"three")):
        files.write(game, steps)
        for file in tmp_path.iterdir():
            if file.stat().st_mtime > 1000:
                os.utime(file, (n, n))
    assert files.read(b"one") is None
    assert files.read(b"two") == files.read(b"three") == steps


def test_after_the_clock_was_set_back_the_new_one_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_analysis, "KEPT", 2)
    files, steps = AnalysisFiles(tmp_path), (AnalysedStep({1: 1.0}, chance=0.5),)
    for game in (b"one", b"two", b"three"):
        files.write(game, steps)
        for file in tmp_path.iterdir():
            os.utime(file, (4e9, 4e9))  # written before the clock was set back
    assert files.read(b"three") == steps
    assert len([*tmp_path.iterdir()]) == 2


def test_a_file_is_its_owners_alone(tmp_path: Path) -> None:
    through(archive_of(1, AnalysisFiles(tmp_path / "analyses")))
    (file,) = (tmp_path / "analyses").iterdir()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
