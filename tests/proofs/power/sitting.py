"""Run a table in a process that may be killed at any moment; it reports each write before and after."""

from __future__ import annotations

import json
import logging
import os
import random
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from firmware_host.journal.entries import ABANDON, BEGIN, FINISH, PLAY, TAKE_BACK
from firmware_host.journal.journal import Journal
from firmware_host.journal.sqlite_store import SqliteStore
from firmware_host.journal.store_port import Row
from firmware_host.referee.readings import Mismatch
from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import FUGITIVES, from_record
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Setup
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from tests.table.cases import shipped

Entry = tuple[str, Mapping[str, Any]]
"""A written entry: its kind and its content."""

KEEP = 2
"""How many games the journal keeps; fewer than are played."""


class JsonLine:
    """A line to the test that may kill this process: one JSON value, sent at once."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def say(self, what: str, *more: Any) -> None:
        os.write(self._fd, json.dumps([what, *more]).encode() + b"\n")


class Telling(SqliteStore):
    """A store that reports each entry before and after it is written."""

    line: JsonLine

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        self.line.say("tries", [(kind, json.loads(text)) for _, _, kind, text, _ in rows])
        super().submit(rows, instead)
        self.line.say("wrote")


class TracedTable(SimulatedTable):
    """A simulated table on such a store."""

    line: JsonLine

    def _opened(self) -> Journal:
        Telling.line = self.line
        return Journal(Telling.open(self._path), self.own.journal.keep_games)


def sit(fd: int, rules: str, path: Path, seed: int, accepted: Sequence[Entry], trying: Sequence[Entry]) -> None:
    """Continue the game in the journal, and play game after game until killed.

    Args:
        fd: the file descriptor for reports.
        rules: the rules of the games.
        path: the journal's file.
        seed: the seed of all random events in this run.
        accepted: all entries that were reported as written so far.
        trying: the entries of the write during which the last run was killed.
    """
    line = JsonLine(fd)
    logging.disable()
    try:
        _live(line, rules, path, random.Random(seed), accepted, trying)
    except BaseException:  # noqa: BLE001 - whatever it was, it is told
        line.say("fault", traceback.format_exc())
    os._exit(1)


def _live(
    line: JsonLine, rules: str, path: Path, chance: random.Random, accepted: Sequence[Entry], trying: Sequence[Entry]
) -> None:
    config = shipped(rules)
    config = replace(config, journal=replace(config.journal, keep_games=KEEP))
    kept = [*accepted, *trying]
    if path.exists():
        with Journal.open(path) as journal:
            rows = [(seq, kind, text) for seq, _, kind, text, _ in journal.store.rows()]
        if not rows or rows[-1][0] != len(kept):
            kept = list(accepted)
        _compare(rows, kept)
    line.say("found" if len(kept) > len(accepted) else "gone")
    simulated = type("Here", (TracedTable,), {"line": line})(
        config, journal=path, seed=chance.randrange(1 << 30), rng=chance, rough=chance.random() < 0.3
    )
    _same_game(simulated, kept)
    players = SimulatedPeople(simulated, chance, rough=simulated._rough)
    if simulated.table.game is not None and simulated.public.outcome is None:
        _guided_home(simulated, players)
        players.meant[:] = simulated.table.game.actions
        line.say("guided home")
    while True:
        if simulated.table.game is None or simulated.public.outcome is not None:
            simulated.new_game(players=chance.choice(sorted(config.edition.seats)))
            players = SimulatedPeople(simulated, chance, rough=simulated._rough)
            players.set_up()
            line.say("set up")
        while simulated.public.outcome is None:
            players.play()


def _compare(rows: Sequence[tuple[int, str, str]], kept: Sequence[Entry]) -> None:
    """Check that the journal has the newest entries, down to the oldest game that it keeps."""
    begun = [number for number, (kind, _) in enumerate(kept) if kind == BEGIN]
    first = begun[-KEEP] if len(begun) > KEEP else 0
    if first:
        (seq, kind, text), *rows = rows
        assert (seq, kind, json.loads(text)["games"]) == (first, "let_go", len(begun) - KEEP)
    found = [[kind, json.loads(text)] for _, kind, text in rows]
    wanted = [[kind, record] for kind, record in kept[first:]]
    assert found == wanted, f"{len(wanted)} entries were accepted and are to be kept, {len(found)} are found"


def _same_game(simulated: SimulatedTable, kept: Sequence[Entry]) -> None:
    """Check that the table is where the rules lead by the reported entries."""
    game: Game | None = None
    for kind, record in kept:
        if kind == BEGIN:
            game = Game(Setup.from_record(record, simulated.config.edition, simulated.config.ground))
        elif kind == ABANDON:
            game = None
        elif kind == TAKE_BACK:
            assert game is not None
            game.take_back()
        elif kind == PLAY:
            assert game is not None
            game.play(from_record(record))
        assert kind in (BEGIN, ABANDON, TAKE_BACK, PLAY, FINISH)
    there = simulated.table.game
    if game is None or there is None:
        assert there is game is None
        return
    assert (simulated.public, simulated.private) == (game.public, game.private)
    assert (there.actions, there.legal) == (game.actions, game.legal)


def _guided_home(simulated: SimulatedTable, players: SimulatedPeople) -> None:
    """Check that the table asks for every pawn on an empty board, and then continues the same game.

    It asks for none on a switch that is known as dead: rough hands set a pawn down so that its switch stayed open.
    Before the first action of a dice game it asks for the tiles instead, for nobody knows whether they lie.
    """
    view = simulated.public
    before = simulated.private
    game = simulated.table.game
    if simulated.public.layout and game is not None and not game.actions:
        assert simulated.table.scene().phase is Phase.SET_UP
        players.set_up()
        assert (simulated.public, simulated.private) == (view, before)
        return
    assert simulated.table.scene().phase is Phase.RESUME
    lit = set()
    for _ in range(22):
        simulated.advance(100)
        lit |= set(simulated.station_leds())
    dead = simulated.table.referee.state.board.register.stations
    homes = {pawn: at for pawn, at in view.pawns.items() if pawn not in FUGITIVES and at not in dead}
    reading = simulated.table.scene().reading
    assert isinstance(reading, Mismatch) or not homes
    if isinstance(reading, Mismatch):
        assert homes.items() <= reading.missing.items() <= view.pawns.items(), (homes, reading, view.pawns)
        assert set(homes.values()) <= lit
    for pawn, at in view.pawns.items():
        simulated.hardware.put(at, pawn)
        simulated.advance(200)
    players._until(lambda: simulated.table.scene().phase is Phase.PLAY, "the way home")
    assert (simulated.public, simulated.private) == (view, before)
