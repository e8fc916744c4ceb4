"""The power fails: `python -m tests.proofs.power --kills 300 --seed 1`, `--cuts`, `--faults`.

It prints figures. The status is 1 if anything was lost.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.proofs.power import cuts, faults
from tests.proofs.power.kills import BrokenByKill, Killed

SYSTEMS = ("classic", "current", "us", "beginners", "dice", "junior")


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.proofs.power", description="The power fails, and is back.")
    asked.add_argument("--kills", type=int, default=0, help="so many kills, over all systems")
    asked.add_argument("--cuts", action="store_true", help="cut after every step of every write")
    asked.add_argument("--faults", action="store_true", help="fail every step of every write")
    asked.add_argument("--torn", type=int, default=3, help="examples of torn writes for each cut")
    asked.add_argument("--seed", type=int, default=1)
    wanted = asked.parse_args()
    try:
        if wanted.kills:
            _kill(wanted.kills, wanted.seed)
        if wanted.cuts:
            _cut(wanted.seed, wanted.torn)
        if wanted.faults:
            _fail()
    except (BrokenByKill, cuts.LostByCut) as error:
        print(error)  # noqa: T201
        return 1
    return 0


def _kill(kills: int, seed: int) -> None:
    columns = [field.name for field in dataclasses.fields(Killed("", Path(), random.Random()).figures)]
    _row("rules", *columns)
    total = Counter[str]()
    for number, rules in enumerate(SYSTEMS):
        with tempfile.TemporaryDirectory() as folder:
            table = Killed(rules, Path(folder), random.Random(f"{seed}/{rules}"))
            for _ in range(kills * (number + 1) // len(SYSTEMS) - kills * number // len(SYSTEMS)):
                table.once()
        figures = dataclasses.asdict(table.figures)
        total.update(figures)
        _row(rules, *(figures[column] for column in columns))
    _row("all", *(total[column] for column in columns))


def _cut(seed: int, torn: int) -> None:
    told = cuts.stories()
    again = [(f"{name}, cut and cut again", later) for name, story in told.items() for later in cuts.after_a_cut(story)]
    columns = [field.name for field in dataclasses.fields(cuts.CutFigures)]
    _row("what is written", *columns)
    total = Counter[str]()
    for name, story in [*told.items(), *again]:
        figures = dataclasses.asdict(cuts.cut(story, seed=seed, torn=torn))
        total.update(figures)
        _row(name, *(figures[column] for column in columns))
    _row("all", *(total[column] for column in columns))


def _fail() -> None:
    total = Counter[str]()
    for name in cuts.stories():
        total.update(faults.told(name))
    for what, count in sorted(total.items()):
        _row(what, count)


def _row(name: str, *cells: object) -> None:
    print(f"{name:32}", *(f"{cell:>9}" for cell in cells), flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
