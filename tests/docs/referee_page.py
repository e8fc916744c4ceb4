"""docs/referee.md as the referee's table has it: the phases as a diagram, and every row."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from firmware_host.referee.events import Began, ComputerMoved, GivenUp, News, Resumed
from firmware_host.referee.scene import Phase
from firmware_host.referee.state import PHASES
from firmware_host.referee.transitions import ANY, RIGHT, TABLE, Result, Row, To
from tests.docs.pages import DOCS

PAGE = DOCS / "referee.md"
_DRAWN = re.compile(r"(<!-- drawn -->\n).*?(<!-- end -->)", re.DOTALL)
_TOLD: dict[type[News], dict[Phase, str]] = {
    Began: dict.fromkeys((Phase.NO_GAME, Phase.OVER), "a game is begun"),
    Resumed: {Phase.NO_GAME: "a game is taken up again"},
    ComputerMoved: {Phase.PLAY: "a computer moves a pawn"},
    GivenUp: dict.fromkeys((Phase.SET_UP, Phase.RESUME, Phase.CARRY_OUT, Phase.PLAY), "the game is given up"),
}
"""From which phases people come to those that begin when the referee is told so."""


def drawn_anew(text: str) -> str:
    """Return the page with its two drawn parts as they are today: the diagrams, then the rows."""
    parts = iter(
        (
            "\n".join(["", "```mermaid", *_diagram(), "```", "", "```mermaid", *_playing(), "```", ""]),
            "\n".join([*_rows(), ""]),
        )
    )
    return _DRAWN.sub(lambda found: f"{found[1]}{next(parts)}{found[2]}", text)


def _diagram() -> Iterator[str]:
    """Return the lines of a Mermaid state diagram: an arrow for each way between phases, with all that leads there."""
    yield "stateDiagram-v2"
    yield f"    [*] --> {Phase.NO_GAME}"
    for event, phase in PHASES.items():
        yield from (f"    {before} --> {phase}: {what}" for before, what in _TOLD[event].items())
    yield f"    {Phase.PLAY} --> {Phase.OVER}: the game has ended"
    for phase in (Phase.SET_UP, Phase.RESUME, Phase.CARRY_OUT):
        rows = [f"{row.on} / {_name(row.then)}" for row in TABLE if phase in row.phases and Phase.PLAY in row.to]
        yield f"    {phase} --> {Phase.PLAY}: {'<br/>'.join(rows)}"


def _playing() -> Iterator[str]:
    """Return the lines of a Mermaid flow chart: what comes of each reading while a game is played, and by what."""
    yield "flowchart LR"
    for row in (row for row in TABLE if Phase.PLAY in row.phases and row.to != (To.NOTHING,)):
        step, reading = row.then.__name__, _readings(row)
        yield f'    {_node(reading)}[{reading}] --> {step}["{row.on}: {_name(row.then)}"]'
        for result in (_result(result).strip("`") for result in row.to if result is not To.NOTHING):
            yield f"    {step} --> to_{_node(result)}([{result}])"


def _node(words: str) -> str:
    return words.replace(" ", "_")


def _rows() -> Iterator[str]:
    """Return the lines of a Markdown table with a line for each row."""
    yield "| phase | reading | event | if | what is done | what may come of it |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in TABLE:
        phases = ", ".join(row.phases)
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
    """Return the first sentence of a docstring, as it stands in a table."""
    first = (inspect.getdoc(function) or "").split("\n")[0].removesuffix(".")
    return first[:1].lower() + first[1:] if not first.startswith("Mister") else first


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
