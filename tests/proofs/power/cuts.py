"""Cut the power after every single step of a journal's writing, open what is left, and check it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import DamagedJournal
from tests.proofs.power.disk import Disk, DiskStep, Tree, plant, steps, watched
from tests.proofs.power.evening import NAME, SETUP, Row, rows_of
from tests.proofs.power.version_1 import version_1

ROOT = Path(__file__).parents[3]
FAST = Path("/dev/shm")  # noqa: S108 - a disk whose syncs cost nothing, where there is one


@dataclass(frozen=True, slots=True)
class Story:
    """A sequence of writes, on an existing content.

    Attributes:
        words: the words of an evening; see `tests.proofs.power.evening.Evening`.
        before: the files in the folder.
        keep_games: how many games the journal keeps; 0: all.
        torn: whether the journal there is torn, and must be kept whole under some name.
    """

    words: tuple[str, ...]
    before: Tree = field(default_factory=dict)
    keep_games: int = 0
    torn: bool = False


@dataclass(slots=True)
class CutFigures:
    """The number of trials: words written, steps before a cut, and different disks that could be left."""

    words: int = 0
    cuts: int = 0
    disks: int = 0
    in_flight: int = 0  # disks on which a word was found that nobody had been told of yet


class LostByCut(AssertionError):
    """The error that the content of the disk after a cut is wrong."""


def stories() -> dict[str, Story]:
    """Return all kinds of writes of a journal."""
    game = ("begin", "play", "play", "back", "play", "play", "finish")
    old: Tree = {"yard": None, NAME: version_1()}
    return {
        "a new journal": Story(("open", *game, "begin", "play", "give_up", "begin", "begin", "close")),
        "a long game": Story(("open", "begin", *["play"] * 40, "close")),
        "old games are let go of": Story(("open", *game * 3, "begin", "begin", "begin", "play"), keep_games=2),
        "an old journal goes on": Story(("open", "play", "play", "close", "tidy", "open", "play"), old),
        "an old journal lets go": Story(("tidy", "open", "begin", "play", "begin", "play", "close"), old, 3),
        "a torn journal": Story(("tidy", "open", "begin", "play"), {"yard": None, NAME: version_1()[:5000]}, torn=True),
    }


def after_a_cut(story: Story, *, seed: int = 0) -> list[Story]:
    """Return the rest of a story on disks that a cut left with entries only in the log, to be cut again."""
    found = []
    disk = Disk(story.before)
    for step in _tape(story):
        disk.do(step)
        for tree in disk.left(random.Random(seed), 0) if step.kind == "s" else ():
            log = tree.get(f"{NAME}-wal")
            if log and len(log) > 4000 and Story(("open", "play", "close"), tree) not in found:
                found.append(Story(("open", "begin", "play", "close"), tree))
    return found


def _tape(story: Story) -> list[DiskStep]:
    with tempfile.TemporaryDirectory(dir=FAST if FAST.is_dir() else None) as name:
        folder, tape = Path(name) / "disk", Path(name) / "tape"
        plant(story.before, folder)
        folder.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "tests.proofs.power.evening", str(folder), str(story.keep_games), *story.words]
        subprocess.run(command, cwd=ROOT, env=watched(folder, tape), check=True)
        return list(steps(tape))


def cut(story: Story, *, seed: int = 0, torn: int = 3) -> CutFigures:
    """Cut the power after every step.

    Args:
        story: the writes.
        seed: the seed of the torn writes.
        torn: how many examples of torn writes to try for each step.
    """
    tape, chance, figures = _tape(story), random.Random(seed), CutFigures()
    told = [json.loads(step.data) for step in tape if step.kind == "!"]
    disk, done, trying = Disk(story.before), 0, False
    with tempfile.TemporaryDirectory(dir=FAST if FAST.is_dir() else None) as name:
        known = [[] if story.torn else _found(story.before, Path(name) / "before")]
        for word in told:
            if "rows" in word:
                known.append(known[-1] if word["rows"] is None else [tuple(row) for row in word["rows"]])
        seen: set[tuple[int, int, bool]] = set()
        for number, step in enumerate(tape):
            disk.do(step)
            if step.kind == "!":
                trying = not trying
                done += not trying
                figures.words += trying
            allowed = known[done : done + 1 + trying]
            figures.cuts += 1
            for tree in disk.left(chance, torn):
                key = hash(frozenset(tree.items())), done, trying
                if key in seen:
                    continue
                seen.add(key)
                figures.disks += 1
                try:
                    rows = _judged(story, tree, allowed, Path(name) / str(figures.disks))
                except LostByCut as error:
                    word = story.words[min(done, len(story.words) - 1)]
                    raise LostByCut(
                        f"step {number} ({step.kind}), {'in' if trying else 'before'} {word}: {error}"
                    ) from error
                figures.in_flight += trying and rows == allowed[1] != allowed[0]
    return figures


def _judged(story: Story, tree: Tree, allowed: Sequence[list[Row]], folder: Path) -> list[Row]:
    if story.torn and story.before[NAME] not in tree.values():
        raise LostByCut("the torn journal is gone")
    try:
        rows = _found(tree, folder)
    except DamagedJournal as error:
        if story.torn and tree.get(NAME) == story.before[NAME]:
            return []
        raise LostByCut(str(error)) from error
    if rows not in allowed:
        raise LostByCut(
            f"{[len(known) for known in allowed]} entries were written, {len(rows)} are found: {sorted(tree)}"
        )
    return rows


def _found(tree: Tree, folder: Path) -> list[Row]:
    """Return the entries of the journal that was left, after checking that it can be used."""
    folder.mkdir(exist_ok=True)
    plant(tree, folder)
    with Journal.open(folder / NAME) as journal:
        rows = rows_of(journal)
        journal.begin(SETUP, 3e9)
    with Journal.open(folder / NAME) as journal:
        after = rows_of(journal)
        if after[: len(rows)] != rows or after[-1][1:3] != (3e9, "begin"):
            raise LostByCut("what is written on it is not kept")
    return rows
