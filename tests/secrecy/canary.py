"""A board whose stations a search finds wherever they occur, a game on it, and a place to watch a program."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from firmware_host.config import shipped_files
from firmware_host.config.loader import load
from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import Choose, StartGame
from tests.table.onlooker import hidden_stations
from tests.table.played_table import step
from tests.table.twins import sides, twins

CANARY = 70_000
"""The number that is added to every station of London."""

_NUMBER = re.compile(rb"(?<![\d.])7\d{4}(?!\d)")


def write_map(folder: Path) -> str:
    """Write London with numbers that a search finds. Return the lines of the configuration for it."""
    drawn = tomllib.loads((shipped_files.folder() / "maps" / "london.toml").read_text(encoding="utf-8"))
    lines = [f"title = 'canaries'\naspect = {drawn['aspect']}"]
    lines.append(f"start_cards = {[CANARY + card for card in drawn['start_cards']]}")
    for number, row in drawn["stations"].items():
        lines += [f"[stations.{CANARY + int(number)}]", f"at = {row['at']}"]
        lines += [f"{by} = {[CANARY + to for to in ends]}" for by, ends in row.items() if by != "at"]
    (folder / "canaries.toml").write_text("\n".join(lines), encoding="utf-8")
    return '[map]\nname = "canaries.toml"'


class Place:
    """An empty folder that is all the home, state, run-time and scratch space of a program.

    Attributes:
        config: a configuration in it, of a table with canaries.
        journal: where that table's journal is.
        hidden: Mister X's stations in the game in the journal.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "etc").mkdir()
        self.config = folder / "etc" / "table.toml"
        text = f'{write_map(self.config.parent)}\n[switches]\ndriver = "sim"\n[web]\nport = 0\n'
        self.config.write_text(text, encoding="utf-8")
        self.journal = folder / "state" / "yardboard" / "journal.sqlite"
        for name in ("home", "tmp", "run", "work"):
            (folder / name).mkdir(mode=0o700)
        self.hidden: set[int] = set()

    @property
    def environ(self) -> dict[str, str]:
        """Return the environment of a program that has no other place."""
        names = {"HOME": "home", "TMPDIR": "tmp", "RUNTIME_DIRECTORY": "run", "XDG_STATE_HOME": "state",
                 "XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "own", "XDG_DATA_HOME": "data"}  # fmt: skip
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "LANG")}
        return kept | {name: str(self.folder / place) for name, place in names.items()}

    def play(self, windows: int = 5, side: int = 0) -> None:
        """Leave a game in the journal on Mister X's turn, while nobody knows where he is.

        Args:
            windows: how many windows of his log are filled.
            side: which of two games to play that differ only in hidden facts.
        """
        config = load(self.config)
        pair = twins(config.network, 1, windows=9)
        hidden, actions = list(sides(pair))[side]
        p = SimulatedTable(config, journal=self.journal)
        met: set[int] = set()
        try:
            p.do(StartGame(detectives=len(pair.start), start={MR_X: hidden, **pair.start}))
            p.set_up()
            for action in actions:
                if len(p.public.log) == windows and p.public.mr_x_to_move:
                    break
                if isinstance(action, PawnMove):
                    step(p, action)
                    met.add(action.to)
                else:
                    p.do(Choose(action))  # type: ignore[arg-type]
                    p.advance(500)
                self.hidden |= hidden_stations(p, met)
            assert p.public.mr_x_to_move
            self.hidden = (self.hidden | hidden_stations(p, met)) - met - {*p.public.pawns.values()}
        finally:
            p.close()
        assert len(self.hidden) > 10

    def told(self, content: bytes) -> set[int]:
        """Return the hidden stations that a content names."""
        return {int(number) for number in _NUMBER.findall(content)} & self.hidden

    def files(self) -> Iterator[tuple[str, Path, int]]:
        """Yield all files and folders in the place but the configuration: name, path and mode."""
        for path in sorted(self.folder.rglob("*")):
            name = str(path.relative_to(self.folder))
            if not name.startswith("etc"):
                with suppress(FileNotFoundError):  # a running program has just given it its last name
                    yield name, path, stat.S_IMODE(path.lstat().st_mode)
