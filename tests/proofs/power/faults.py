"""Model a disk that refuses: each single step of a journal's writing fails, once or until there is room again.

As a program it runs under disk.c. A refused word has changed nothing, and is accepted as soon as the disk is ok. An
accepted word is on the disk, even if the process is killed at that moment.
"""

from __future__ import annotations

import errno
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import JournalError
from tests.proofs.power.cuts import FAST, ROOT, Story, stories
from tests.proofs.power.disk import plant, tree_of, watched
from tests.proofs.power.evening import NAME, JournalEvening, Row, library, rows_of

FULL, BAD, READ_ONLY = errno.ENOSPC, errno.EIO, errno.EROFS
KINDS = {
    "full": (FULL, 1, 0),
    "full once": (FULL, 0, 0),
    "bad": (BAD, 1, 0),
    "bad once": (BAD, 0, 0),
    "read-only": (READ_ONLY, 1, 0),
    "unreadable": (BAD, 1, 1),
    "unreadable once": (BAD, 0, 1),
}
"""The possible faults of a disk: the system's error, whether it lasts, and whether reading fails."""


def told(name: str, every: int = 1) -> Counter[str]:
    """Run a story in its own process. Return how often each trial had each result.

    Args:
        name: the name of a story.
        every: the steps from one failing write to the next; 1: each step fails once.
    """
    with tempfile.TemporaryDirectory(dir=FAST if FAST.is_dir() else None) as folder:
        command = [sys.executable, "-m", "tests.proofs.power.faults", folder, name, str(every)]
        answer = subprocess.run(
            command, cwd=ROOT, env=watched(Path(folder)), check=True, capture_output=True, text=True
        )
    return Counter({line.split("\t")[0]: int(line.split("\t")[1]) for line in answer.stdout.splitlines()})


def main(folder: str, name: str, every: str) -> None:
    """Run a story once for each step in it that may fail, and for each kind of failure."""
    story, figures = stories()[name], Counter[str]()
    known: list[list[Row] | None] = []
    _Trial(story, Path(folder) / "well", figures).go(known)
    steps = [library().power_steps(reading) for reading in range(2)]
    for kind, (error, lasts, reading) in KINDS.items():
        for number in range(1, steps[reading] + 1, 1 if reading else int(every)):
            trial = _Trial(story, Path(folder) / f"{kind} {number}", figures)
            library().power_fail(number, error, lasts, reading)
            trial.go(known)
            figures[f"{kind}: tried"] += 1
            figures[f"{kind}: refused"] += trial.refused
    for what, count in figures.items():
        print(what, count, sep="\t")  # noqa: T201


class _Trial:
    """One evening on one disk."""

    def __init__(self, story: Story, root: Path, figures: Counter[str]) -> None:
        root.mkdir()
        plant(story.before, root)
        self.root, self.story, self.figures = root, story, figures
        self.refused = 0
        self._evening = JournalEvening(root, story.keep_games or None)

    def go(self, known: list[list[Row] | None]) -> None:
        """Do all words, and check the journal after each against `known`; fill `known` where it is empty."""
        reference = not known
        for place, word in enumerate(self.story.words):
            before = self._evening.rows
            try:
                self._evening.do(word)
            except JournalError:
                library().power_fail(0, 0, 0, 0)
                self.refused = 1
                self._unchanged(before)
                if not reference:
                    self._killed_now([before, known[place]])
                self._evening.do(word)
            self._look()
            if reference:
                known.append(self._evening.rows)
            assert self._evening.rows == known[place], word
        library().power_fail(0, 0, 0, 0)
        if not reference:
            self._killed_now([known[-1]])

    def _look(self) -> None:
        library().power_pause(1)
        self._evening.look()
        library().power_pause(0)

    def _unchanged(self, before: list[Row] | None) -> None:
        journal = self._evening.journal
        if journal is not None:
            assert rows_of(journal) == before

    def _killed_now(self, allowed: list[list[Row] | None]) -> None:
        """Check what a start on the files as they are now would find."""
        if None in allowed:  # the journal has not been opened yet
            return
        with tempfile.TemporaryDirectory(dir=self.root.parent.parent) as name:
            plant(tree_of(self.root), Path(name))
            with Journal.open(Path(name) / NAME) as journal:
                found = rows_of(journal)
        assert found in allowed
        self.figures["started again"] += 1
        self.figures["what was refused was there"] += len(allowed) > 1 and found == allowed[1]


if __name__ == "__main__":
    main(*sys.argv[1:])
