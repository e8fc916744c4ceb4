"""The power cut after every step of every write; `python -m tests.proofs.power --cuts` looks at more torn writes."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import DamagedJournal
from tests.proofs.power.cuts import LostByCut, Story, after_a_cut, cut, stories
from tests.proofs.power.disk import Disk, DiskStep, Tree, plant
from tests.proofs.power.evening import NAME, rows_of

STORIES = stories()


@pytest.mark.parametrize("name", STORIES)
@pytest.mark.long_but_first
def test_a_power_cut_after_any_step_loses_nothing_and_invents_nothing(name: str) -> None:
    figures = cut(STORIES[name], torn=1)
    assert figures.words == len(STORIES[name].words)
    assert figures.cuts > 50
    assert figures.disks > 50
    assert figures.in_flight > 10  # some cuts come between the writing and the telling


@cache
def half_written() -> list[Story]:
    """Disks on which the power cut has left something in the log alone."""
    return after_a_cut(STORIES["a new journal"])


def test_a_power_cut_while_the_journal_recovers_from_one_loses_nothing() -> None:
    for story in half_written()[:2]:
        assert cut(story, torn=1).disks > 20


@pytest.mark.parametrize("words", [("open", "carelessly", "begin", "play"), ("carelessly_made", "open", "begin")])
def test_a_journal_that_syncs_too_little_is_found_out(words: tuple[str, ...]) -> None:
    with pytest.raises(LostByCut, match=r"entries were written|incomplete|damaged|not a journal"):
        cut(Story(words))


# ---- the first page ----


@cache
def first_page_torn() -> Tree:
    """The power failed while the file's first page was written; the log has it whole."""
    page = b"SQLite format 3\0"
    for story in after_a_cut(STORIES["a long game"]):
        log, file = story.before[f"{NAME}-wal"], story.before[NAME]
        if log is not None and file is not None and page in log:
            return {**story.before, NAME: random.Random(1).randbytes(512) + file[512:]}
    raise AssertionError("no log has the first page")


def test_a_first_page_that_was_torn_comes_back_from_the_log(tmp_path: Path) -> None:
    plant(first_page_torn(), tmp_path)
    with Journal.open(tmp_path / NAME) as journal:
        assert len(rows_of(journal)) > 10
    assert [path.name for path in (tmp_path / NAME).parent.iterdir()] == ["journal.db"]


def test_another_power_cut_while_it_comes_back_does_no_harm() -> None:
    assert cut(Story(("open", "begin", "play"), first_page_torn()), torn=1).disks > 20


@pytest.mark.parametrize("content", [b"Dear diary,\n" * 1000, b"x", bytes(8192)])
def test_a_foreign_file_is_not_touched_though_a_log_of_ours_lies_beside_it(tmp_path: Path, content: bytes) -> None:
    log = half_written()[0].before[f"{NAME}-wal"]
    plant({"yard": None, NAME: content, f"{NAME}-wal": log}, tmp_path)
    with pytest.raises(DamagedJournal, match="is not a journal"):
        Journal.open(tmp_path / NAME)
    assert (tmp_path / NAME).read_bytes() == content
    assert (tmp_path / f"{NAME}-wal").read_bytes() == log


def test_what_a_power_cut_left_unfinished_is_cleared_away(tmp_path: Path) -> None:
    left = tmp_path / "yard" / ".journal.db.unfinished-abcd"
    left.mkdir(parents=True)
    (left / "new").touch()
    other = tmp_path / "yard" / ".journal.db.swp"
    other.touch()
    Journal.open(tmp_path / NAME).close()
    assert not left.exists()
    assert other.exists()


# ---- the disk itself ----


def step(kind: str, fd: int = 3, number: int = 0, data: bytes = b"") -> DiskStep:
    return DiskStep(kind, (fd, number, 0), data)


def left_by(*done: DiskStep, before: Tree | None = None) -> list[Tree]:
    disk = Disk(before or {})
    for one in done:
        disk.do(one)
    return list(disk.left(random.Random(1), 20))


MADE = step("o", number=0o100, data=b"file")


def test_what_was_not_synced_may_be_there_or_not_or_torn() -> None:
    left = left_by(step("o", data=b"file"), step("w", data=b"n" * 1024), before={"file": b"o" * 1024})
    halves = {tree["file"][:1] + tree["file"][-1:] for tree in left if tree["file"] is not None}
    assert halves >= {b"oo", b"nn", b"on", b"no"}
    assert len(halves) > 4  # rubbish


def test_what_was_synced_is_there_but_its_name_only_once_the_folder_is_synced() -> None:
    made = (MADE, step("w", data=b"new"), step("s"))
    assert {str(tree) for tree in left_by(*made)} == {"{}", str({"file": b"new"})}
    folder = (step("o", 4, data=b"."), step("s", 4))
    assert all(tree == {"file": b"new"} for tree in left_by(*made, *folder))


def test_a_file_that_got_another_name_may_have_either_or_none() -> None:
    both = b"file" + b"other"
    left = left_by(DiskStep("l", (4, 0, 0), both), step("u", 4, data=b"file"), before={"file": b"x"})
    assert {" ".join(sorted(tree)) for tree in left} == {"file", "other", "file other", ""}
    renamed = left_by(DiskStep("r", (4, 0, 0), both), before={"file": b"x"})
    assert {" ".join(sorted(tree)) for tree in renamed} == {"file", "other"}
