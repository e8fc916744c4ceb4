"""Journals whose seals are right and whose entries are nonsense: refused with place and reason, or good."""

from __future__ import annotations

import json
import math
import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_host.journal.entries import seal_entry
from firmware_host.journal.journal import Journal, prepare_journal
from firmware_host.journal.sqlite_store import SqliteStore, connect, create_tables
from firmware_host.journal.store_port import MEMORY, DamagedJournal, JournalError, UnplayableGame
from firmware_host.past_games.finished_games import Archive
from firmware_host.past_games.game_analysis import CannotReplay
from firmware_host.past_games.game_json import record_json, summary_json
from firmware_host.rules.actions import to_record
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Wish
from tests.amount import amount
from tests.journal.random_journals import RULES, config

SECRET = 73519
"""A number that stands in nothing but these entries."""

Row = tuple[float, str, str]
"""Time, kind and record of an entry."""


@cache
def good(rules: str, seed: int = 1) -> tuple[Row, ...]:
    """A whole game that was finished, as it is written down."""
    table, chance = config(rules), random.Random(seed)
    game = Game(system(table.edition).deal(table.ground, Wish(), chance))
    rows = [("begin", game.setup.to_record())]
    while game.public.outcome is None and len(rows) < 60:
        action = game.roll(chance) or chance.choice(game.legal)
        game.play(action)
        rows.append(("play", to_record(action)))
    outcome = game.public.outcome
    end = ("mr_x", "log_full") if outcome is None else (outcome.winner, outcome.reason)
    rows.append(("finish", dict(zip(("winner", "reason"), end, strict=True))))
    return tuple((100.0 + n, kind, json.dumps(record)) for n, (kind, record) in enumerate(rows))


def fill(connection: sqlite3.Connection, rows: Sequence[Row], first: int = 1) -> None:
    """Write rows into a journal with the seals that they should have."""
    seal = ""
    for seq, (at, kind, text) in enumerate(rows, first):
        seal = seal_entry(seal, seq, at, kind, text)
        connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", (seq, at, kind, text, seal))
        if kind == "let_go" and seq == first:
            with suppress(ValueError, RecursionError, KeyError, TypeError, AttributeError):
                seal = json.loads(text)["seal"].encode().decode()


def looked_at(rows: Sequence[Row], rules: str, first: int = 1) -> list[str]:
    """All that is said of a journal, by whatever looks at it: at its start, at its end, and in the list of games."""
    table, said = config(rules), []
    with closing(connect(MEMORY)) as connection:
        create_tables(connection)
        fill(connection, rows, first)
        try:
            journal = Journal(SqliteStore("journal.db", connection), 50)
        except JournalError as error:
            return [str(error)]
        played = journal.rules
        assert played is None or isinstance(played, str)
        try:
            game = journal.newest(table.boxes, table.ground)
            assert game is None or game.public.order
        except UnplayableGame as error:
            said.append(str(error))
        archive = Archive(table)
        archive.follow(journal)
        for summary in archive.summaries():
            said.append(summary.trouble)
            _sent(summary_json(summary))
            try:
                _sent(record_json(archive.record(summary.number)))
            except CannotReplay as error:
                said.append(str(error))
        fresh = system(table.edition).deal(table.ground, Wish(), random.Random(3))
        journal.begin(fresh, 1_000.0)  # whatever stands in it, it can be gone on with
        again = journal.newest(table.boxes, table.ground)
        assert again is not None
        assert again.setup == fresh
    return said


def _sent(record: dict[str, Any]) -> None:
    """What a page gets."""
    json.dumps(record, ensure_ascii=False, allow_nan=False).encode("utf-8")


texts = st.sampled_from(
    ["", "red", "mr_x", "taxi", "move", "pawn", "london", "classic", f"x{SECRET}", "\ud800", "\0", "\n", *RULES]
)
numbers = st.sampled_from([0, 1, -1, 13, SECRET, 10**18, 10**4000, 1.5, math.inf, math.nan, True])
names = texts | st.sampled_from(["kind", "to", "ticket", "faces", "rules", "map", "owners", "start", "options",
                                 "layout", "box", "winner", "reason", "games", "seal"])  # fmt: skip
values = st.recursive(
    texts | numbers | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4),
    max_leaves=6,
)
times = st.sampled_from([0.0, 100.0, -1.0, 1e12, 1e18, 1e300, math.inf, -math.inf, 253402300800.0])
kinds = st.sampled_from(["begin", "play", "take_back", "finish", "abandon", "let_go", "", f"dance{SECRET}"])
torn = st.sampled_from(["", "{", "[]", "null", "7", "[" * 5000, '{"a":' * 400, '{"a":' + "9" * 5000 + "}"])


@st.composite
def spoiled(draw: st.DrawFn) -> tuple[list[Row], str]:
    """A good game, some entries of which are no longer what they were, and rules to look at it by."""
    rules = draw(st.sampled_from(RULES))
    rows = list(good(rules))
    if draw(st.booleans()):
        rows = rows[: draw(st.integers(1, len(rows)))]
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(rows) - 1) | st.just(0) | st.just(len(rows) - 1))
        at, kind, text = rows[place]
        match draw(st.sampled_from(["time", "kind", "record", "torn", "field", "field", "inside", "foreign", "gone"])):
            case "time":
                at = draw(times)
            case "kind":
                kind = draw(kinds)
            case "record":
                text = json.dumps(draw(values))
            case "torn":
                text = draw(torn)
            case "field" | "inside" as where:
                with suppress(ValueError):
                    text = json.dumps(_with(json.loads(text), draw, deep=where == "inside"))
            case "foreign":
                text = draw(st.sampled_from(good(draw(st.sampled_from(RULES)))))[2]
            case "gone":
                rows.insert(place, rows[place])
        rows[place] = (at, kind, text)
    return rows, rules


def _with(record: Any, draw: st.DrawFn, *, deep: bool) -> Any:
    """A record in which one thing is another."""
    if not isinstance(record, dict) or not record:
        return draw(values)
    name = draw(st.sampled_from(sorted(record)))
    if deep and isinstance(record[name], dict | list) and record[name]:
        inner = record[name]
        if isinstance(inner, dict):
            key = draw(st.sampled_from(sorted(inner)) | names)
            return {**record, name: {**inner, key: draw(values)}}
        return {**record, name: [draw(values), *inner[1:]]}
    if draw(st.booleans()):
        return {**record, name: draw(values)}
    return {**{key: value for key, value in record.items() if key != name}, draw(names): draw(values)}


@given(case=spoiled())
@settings(
    deadline=None,
    max_examples=amount(40, 150),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_entries_that_are_sealed_nonsense_are_refused_in_words_that_quote_nothing(case: tuple[list[Row], str]) -> None:
    for said in looked_at(*case):
        assert str(SECRET) not in said
        assert "000000000000" not in said
        said.encode("utf-8")
        assert "\n" not in said


@pytest.mark.parametrize("rules", RULES)
def test_a_good_journal_is_looked_at_without_a_word(rules: str) -> None:
    said = looked_at(good(rules)[:-1], rules)
    assert said == []


@pytest.mark.parametrize("at", [-1.0, 253_402_300_800.0, 1e18, 1e300, math.inf, -math.inf])
@pytest.mark.parametrize("place", [0, 5, -1])
def test_a_time_of_which_there_is_no_date_is_refused_by_its_entry(at: float, place: int) -> None:
    rows = list(good("junior"))
    rows[place] = (at, *rows[place][1:])
    number = place + 1 if place >= 0 else len(rows)
    (said,) = looked_at(rows, "junior")
    assert said == (
        f"journal journal.db: is damaged: entry {number} has a time that is not between the years 1970 and 9999"
    )


@pytest.mark.parametrize("at", [math.nan, math.inf, -1.0, 1e18])
def test_a_time_of_which_there_is_no_date_is_never_written(at: float) -> None:
    table = config("junior")
    with Journal.open(MEMORY) as journal:
        journal.begin(system(table.edition).deal(table.ground, Wish(), random.Random(1)), 1.0)
        with pytest.raises(JournalError, match="the entry to be written has a time that is not"):
            journal.abandon(at)
        assert journal.in_play
        journal.abandon(2.0)


@pytest.mark.parametrize("record", ['{"home":[1]}', '{"home":false}', '{"away":true}', '{"home":true,"count":2}'])
def test_what_says_more_than_that_a_move_is_taken_back_is_refused_by_its_entry(record: str) -> None:
    rows = [*good("classic")[:4], (110.0, "take_back", record)]
    (said,) = looked_at(rows, "classic")
    assert said == (
        'journal journal.db: entry 5 cannot be replayed: the record of a move taken back must be {} or {"home": true}'
    )


@pytest.mark.parametrize(
    "gone",
    [
        "[]",
        "{}",
        '{"games":-1,"seal":""}',
        '{"games":8,"seal":""}',
        '{"games":true,"seal":""}',
        '{"games":1.5,"seal":""}',
        '{"games":1}',
        '{"games":1,"seal":7}',
        '{"games":1,"seal":"\\ud800"}',
        "[" * 5000,
    ],
)
def test_what_games_that_are_here_no_more_have_left_behind_is_read_as_strictly(gone: str) -> None:
    (said,) = looked_at([(1.0, "let_go", gone), *good("junior")], "junior", first=7)
    assert said.startswith("journal journal.db: is damaged: entry 7 ")


def test_after_games_that_are_here_no_more_the_others_are_told() -> None:
    assert looked_at([(1.0, "let_go", '{"games":3,"seal":"x"}'), *good("junior")], "junior", first=7) == [""]


def test_a_table_that_finds_such_a_journal_sets_it_aside_and_says_where_and_why(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "journal.db"
    Journal.open(path).close()
    rows = [*good("junior")[:4], (1e18, "play", "{}")]
    with closing(connect(path.as_uri())) as connection:
        fill(connection, rows)
    with pytest.raises(DamagedJournal, match="entry 5 has a time"):
        Journal.open(path)
    assert prepare_journal(path, "today") is None
    assert "entry 5 has a time that is not between the years 1970 and 9999" in caplog.text
    assert (tmp_path / "journal.db.today.aside").exists()


def test_one_game_of_nonsense_leaves_the_others_in_the_list_of_past_games() -> None:
    nonsense = [*good("classic")]
    nonsense[0] = (100.0, "begin", json.dumps({**json.loads(nonsense[0][2]), "owners": {"red": [SECRET]}}))
    said = looked_at([*good("junior"), *nonsense, *good("us")], "us")
    assert said == [
        "",
        "game 2 cannot be shown: the entry of its start is damaged",
        "game 2 cannot be shown: the entry of its start is damaged",
        "",
    ]
