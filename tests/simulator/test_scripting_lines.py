"""What comes over the line to a scripted table: whatever it is, each line is answered, soon, in UTF-8."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_host.simulator.scripting import (
    LONGEST_LINE,
    LONGEST_REASON,
    MOST_PAWNS,
    MOST_STOPS,
    LineOrder,
    ScriptSession,
    serve,
)
from firmware_host.system.orders import fields
from tests.amount import amount

LIMIT = 60
"""Seconds after which a program that does not end is given up."""

LONE = [
    r'{"do": "new_game", "deal": {"\ud800": "x"}}',
    r'{"do": "new_game", "rules": "\ud800"}',
    r'{"do": "new_game", "rules": "\udcff.toml"}',
    r'{"do": "new_game", "options": {"layout": "\udfff"}}',
    r'{"do": "put", "station": 13, "pawn": "\ud800"}',
    r'{"do": "put", "station": 13, "pawn": "red", "\ud800": 1}',
    r'{"do": "mr_x", "action": {"kind": "roll", "faces": ["\ud800"]}}',
    r'{"get": "\ud800"}',
]
"""Lines with half of a pair of surrogates in them, which is no character."""


@pytest.fixture(scope="module")
def table() -> Iterator[ScriptSession]:
    with ScriptSession() as session:
        yield session


def answers(table: ScriptSession, said: bytes) -> list[dict[str, Any]]:
    """What is answered to the bytes that come over the line; each line of it is one JSON object in UTF-8."""
    out = io.BytesIO()
    serve(table, io.BytesIO(said), out)
    replies = [json.loads(line.decode("utf-8")) for line in out.getvalue().splitlines()]
    assert out.getvalue().count(b"\n") == len(replies)
    return replies


@pytest.mark.parametrize("line", LONE)
def test_half_a_pair_of_surrogates_is_refused_and_the_session_goes_on(table: ScriptSession, line: str) -> None:
    refused, after = answers(table, f'{line}\n{{"get": "health"}}\n'.encode())
    assert refused == {
        "ok": False,
        "error": "the order is not valid JSON: an escape such as \\ud800 alone is not a character",
    }
    assert after["ok"]


def test_what_has_no_end_is_no_file_of_rules(table: ScriptSession, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    (tmp_path / "huge.toml").write_bytes(b"#" * 5_000_000)
    for name, why in (
        ("pipe", "it is not a regular file"),
        ("zero", "it is not a regular file"),
        ("huge", "bytes; at most 4,000,000 are allowed"),
    ):
        said = json.dumps({"do": "new_game", "rules": str(tmp_path / f"{name}.toml")})
        (refused,) = answers(table, said.encode())
        assert not refused["ok"]
        assert f"{name}.toml: cannot be read: it " in refused["error"]
        assert why in refused["error"]
        assert refused["error"].count("cannot be read") == 1


@pytest.mark.parametrize("line", [b"\xff", b'{"do": "new_game", "rules": "\xff"}', b'{"get": "\xed\xa0\x80"}', b"\xc3"])
def test_what_is_no_utf_8_is_refused_in_utf_8(table: ScriptSession, line: bytes) -> None:
    refused, after = answers(table, line + b'\n{"get": "health"}\n')
    assert refused == {"ok": False, "error": "the order is not text in UTF-8; encode it as such"}
    assert after["ok"]


@pytest.mark.parametrize("start", [b'{"do": "put", "station": 13, "pawn": "', b" " * 2 * LONGEST_LINE])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_a_line_that_is_too_long_is_refused_as_a_whole_and_once(table: ScriptSession, start: bytes, end: bytes) -> None:
    line = start + b"x" * 5 * LONGEST_LINE + b'"}'
    replies = answers(table, b'{"get": "health"}\n' + line + end)
    assert [reply["ok"] for reply in replies] == [True, False]
    assert replies[1]["error"] == f"the order is too long; at most {LONGEST_LINE:,} bytes are allowed"


def test_what_stands_between_two_line_feeds_is_one_line_whatever_else_breaks_lines_elsewhere(
    table: ScriptSession,
) -> None:
    said = '{"get":\r"health"}\n\u2028\n\x85\n\u00a0\n \t\r\n'.encode()
    assert [reply["ok"] for reply in answers(table, said)] == [True, False, False, False]


def test_a_pawn_is_pushed_over_so_many_stations_and_no_more(table: ScriptSession) -> None:
    assert table.answer('{"do": "put", "station": 13, "pawn": "red"}')["ok"]
    path = [13, 23] * (MOST_STOPS // 2)
    assert table.answer(json.dumps({"do": "slide", "path": path, "ms": 50}))["ok"]
    reply = table.answer(json.dumps({"do": "slide", "path": [23, *path], "ms": 50}))
    told = f"slide: path: must be a list of at most {MOST_STOPS} entries"
    assert reply == {"ok": False, "error": told}


def test_a_number_in_quotes_is_shown_with_the_number_to_write(table: ScriptSession) -> None:
    assert table.answer('{"do": "wait", "ms": "1000"}')["error"] == (
        'wait: ms: must be a number without quotes, such as 1000, not "1000"'
    )
    assert table.answer('{"do": "new_game", "deal": {"red": "13"}}')["error"] == (
        'new_game: deal.red: must be a whole number without quotes, such as 13, not "13"'
    )


def test_so_many_pawns_can_be_put_on_the_board_and_no_more() -> None:
    with ScriptSession() as table:
        for number in range(MOST_PAWNS):
            assert table.answer(json.dumps({"do": "put", "station": 1 + number, "pawn": f"p{number}"}))["ok"]
        assert table.answer('{"do": "lift", "station": 1}')["ok"]
        refused = table.answer('{"do": "put", "station": 1, "pawn": "another"}')
        assert refused == {
            "ok": False,
            "error": f"put: there are {MOST_PAWNS} pawns already, the most that fit; lift one first",
        }
        assert table.answer('{"do": "put", "station": 1, "pawn": "p0"}')["ok"]


@pytest.mark.parametrize(
    "line",
    [
        {"do": "put", "station": int("9" * 4000), "pawn": "red"},
        {"do": "put", "station": [[[0]]] * 2000, "pawn": "red"},
        {"do": "wait", "ms": int("9" * 4000)},
        {"do": "new_game", "players": int("9" * 4000)},
        {"do": "new_game", "rules": "x" * 9000},
        {"do": "new_game", "rules": "x" * 9000 + ".toml"},
        {"do": "new_game", "options": {"x" * 9000: 1}},
        {"do": "fault", "device": "x" * 9000, "kind": "ok"},
        {"do": "x", "get": 1},
    ],
)
def test_a_refusal_is_short_however_long_the_line_was(table: ScriptSession, line: Mapping[str, Any]) -> None:
    reply = table.answer(json.dumps(line))
    assert reply["ok"] is False
    assert len(reply["error"]) <= LONGEST_REASON


characters = st.characters(categories=["Cs", "Cc", "Zl", "Lu", "So"])
texts = st.text(characters, max_size=6)
values = st.recursive(
    texts | st.integers() | st.floats() | st.sampled_from([10**4200, -(10**4200), "\udcff.toml", "\0.toml"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
words = st.sampled_from(sorted(set(fields(LineOrder)) - {"wait", "slide", "press"}))
names = st.sampled_from(sorted({name for known in fields(LineOrder).values() for name in known} - {"ms"})) | texts
orders = st.builds(lambda word, rest: {"do": word, **rest}, words | texts, st.dictionaries(names, values, max_size=3))
lines = orders.map(json.dumps).map(str.encode) | st.binary(max_size=12) | orders.map(str).map(
    lambda text: text.encode("utf-8", "surrogatepass")
)  # fmt: skip


@given(said=st.lists(lines.map(lambda line: line.replace(b"\n", b" ")), max_size=8))
@settings(deadline=None, max_examples=amount(20, 100), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_line_that_is_not_blank_is_answered_in_utf_8(table: ScriptSession, said: list[bytes]) -> None:
    replies = answers(table, b"".join(line + b"\n" for line in said))
    assert len(replies) == sum(bool(line.strip()) for line in said)
    assert all(isinstance(reply["ok"], bool) for reply in replies)


@contextmanager
def program(folder: Path, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A table behind the line in a process of its own, whose temporary files would be in a folder."""
    process = subprocess.Popen(
        [sys.executable, "-m", "firmware_host", "sim", "--stdio"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(folder), **environment},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=LIMIT)


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "latin-1"}]
)
def test_what_is_said_and_answered_is_utf_8_whatever_the_locale(tmp_path: Path, locale: dict[str, str]) -> None:
    with program(tmp_path, **locale) as process:
        out, _ = process.communicate('{"do": "press", "key": "Ünal·€"}\n'.encode(), timeout=LIMIT)
    assert process.returncode == 0
    assert "Ünal·€" in json.loads(out.decode("utf-8"))["error"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_session_that_is_killed_leaves_nothing_in_the_temporary_folder(
    tmp_path: Path, number: signal.Signals
) -> None:
    with program(tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"do": "new_game", "seed": 1}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == {"ok": True}
        process.send_signal(number)
        process.wait(LIMIT)
    assert list(tmp_path.iterdir()) == []
