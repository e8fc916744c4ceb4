"""The examples in the pages hold: commands run and print what is shown, sessions get the replies shown."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import click
import pytest

from firmware_host.cli import cli
from firmware_host.simulator.scripting import ScriptSession
from tests.docs.pages import (
    MARKS,
    PAGES,
    ROOT,
    Block,
    blocks,
    furnished,
    run,
    running,
    said_and_answered,
    same,
    sessions,
)


@pytest.mark.parametrize(("block", "printed"), [pytest.param(*pair, id=pair[0].name) for pair in running()])
def test_an_example_runs_and_prints_what_is_shown(block: Block, printed: Block | None, tmp_path: Path) -> None:
    done = run(block, furnished(tmp_path))
    assert done.returncode == 0, done.stderr
    if printed is not None:
        assert done.stdout == printed.text


@pytest.mark.parametrize("block", [pytest.param(block, id=block.name) for block in sessions()])
def test_a_session_of_the_protocol_gives_exactly_the_replies_shown(block: Block) -> None:
    with ScriptSession() as table:
        for said, shown in said_and_answered(block):
            reply = json.loads(json.dumps(table.answer(said)))
            assert same(shown, reply), f"{said}\n{json.dumps(reply, ensure_ascii=False)}"


def test_every_kind_of_example_is_there_and_no_mark_is_misspelt() -> None:
    languages = {block.language for block, _ in running()}
    assert languages == {"sh", "python"}
    assert len(sessions()) >= 5
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        marked = [block for block in blocks(page) if block.mark]
        assert all(block.mark in MARKS for block in marked), page
        assert len(marked) == len(re.findall(rf"^<!-- (?:{'|'.join(MARKS)}) -->$", text, re.MULTILINE)), page


@pytest.mark.parametrize(
    "block", [b for page in PAGES for b in blocks(page) if b.language == "sh"], ids=lambda b: b.name
)
def test_a_command_that_is_not_run_here_exists_all_the_same(block: Block) -> None:
    for word in re.findall(r"^(?:\.venv/bin/)?yardboard ([\w-]+)", block.text, re.MULTILINE):
        assert cli.get_command(click.Context(cli), word) is not None, word
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for word in re.findall(r"^make ([\w-]+)", block.text, re.MULTILINE):
        assert word in targets


def test_python_examples_are_whole_programs() -> None:
    for block, _ in running():
        if block.language == "python":
            ast.parse(block.text)
            assert "import" in block.text
