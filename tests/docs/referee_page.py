"""Draw docs/referee.md from the referee's table: the phases as a diagram, and every row."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from firmware_host.referee.scene import Phase
from firmware_host.referee.transitions import ANY, EVERY, GAME, NEWS, NOTHING, RIGHT, TABLE, Result, Row, To
from tests.docs.pages import DOCS

PAGE = DOCS / "referee.md"
_DRAWN = re.compile(r"(<!-- drawn -->\n).*?(<!-- end -->)", re.DOTALL)

_GROUPS = {EVERY: ("any",), GAME: ("game",)}
"""The sets of phases that the diagram draws as one."""


def drawn_anew(text: str) -> str:
    """Return the page with its two generated parts updated: the diagrams, then the rows."""
    parts = iter(
        (
            "\n".join(["", "```mermaid", *_diagram(), "```", "", "```mermaid", *_playing(), "```", ""]),
            "\n".join([*_rows(), ""]),
        )
    )
    return _DRAWN.sub(lambda found: f"{found[1]}{next(parts)}{found[2]}", text)


def _diagram() -> Iterator[str]:
    """Yield the lines of a Mermaid state diagram: an arrow for each change of phase, with its causes."""
    yield "stateDiagram-v2"
    yield f"    [*] --> {Phase.NO_GAME}"
    yield '    state "any phase" as any'
    yield f'    state "{", ".join(GAME)}" as game'
    ways: dict[tuple[str, Phase], list[str]] = {}
    for row in TABLE:
        for to in (to for to in row.to if isinstance(to, Phase)):
            for phase in _GROUPS.get(row.phases, row.phases):
                if phase is not to:
                    ways.setdefault((phase, to), []).append(f"{row.on} / {_name(row.then)}")
    yield from (f"    {phase} --> {to}: {'<br/>'.join(rows)}" for (phase, to), rows in ways.items())


def _playing() -> Iterator[str]:
    """Yield the lines of a Mermaid flow chart: the results of each reading during a game, and their causes."""
    yield "flowchart LR"
    for row in (row for row in TABLE if Phase.PLAY in row.phases and row.on not in NEWS and row.to != NOTHING):
        step, reading = row.then.__name__, _readings(row)
        yield f'    {_node(reading)}[{reading}] --> {step}["{row.on}: {_name(row.then)}"]'
        for result in (_result(result).strip("`") for result in row.to if result is not To.NOTHING):
            yield f"    {step} --> to_{_node(result)}([{result}])"


def _node(words: str) -> str:
    return words.replace(" ", "_")


def _rows() -> Iterator[str]:
    """Yield the lines of a Markdown table with a line for each row."""
    yield "| phase | reading | event | if | action | possible results |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in TABLE:
        phases = "any" if row.phases == EVERY else ", ".join(row.phases)
        results = ", ".join(map(_result, row.to))
        yield f"| {phases} | {_readings(row)} | {row.on} | {_said(row.when)} | {_said(row.then)} | {results} |"


def _readings(row: Row) -> str:
    known = {ANY: "any", RIGHT: "nothing wrong"}
    return known.get(row.readings) or ", ".join(_spaced(reading.__name__) for reading in row.readings)


def _result(result: Result) -> str:
    return f"`{result.__name__}`" if isinstance(result, type) else str(result)


def _name(function: Callable[..., Any]) -> str:
    return function.__name__.replace("_", " ")


def _said(function: Callable[..., Any]) -> str:
    """Return the first line of a docstring as a cell of the table."""
    first = re.sub("^Return (whether|True) ", "", (inspect.getdoc(function) or "").split("\n")[0].removesuffix("."))
    return first[:1].lower() + first[1:] if not first.startswith("Mister") else first


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
