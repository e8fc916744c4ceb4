"""Read the pages: README.md, CONTRIBUTING.md, SECURITY.md, CHANGELOG.md and docs/*.md.

A comment on the line before a code block says what the block is:

`<!-- runs -->`: a shell or Python example that must run in an empty folder with the checkout's `config` in it.
`<!-- prints -->`: exactly what the example before it writes to standard output.
`<!-- stdio -->`: a session of the stdio protocol, "> " before an order and "< " before its reply; a text that
is only "…" stands for any text.
`<!-- player -->`: a computer player; tests/players plays it.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
PAGES = [
    *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY", "CHANGELOG")),
    *sorted(DOCS.glob("*.md")),
]
MARKS = ("runs", "prints", "stdio", "player")


@dataclass(frozen=True)
class Block:
    """A code block: its page, the line it begins in, its mark ("" for none), language and text."""

    page: Path
    line: int
    mark: str
    language: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.page.name}:{self.line}"


FENCE = re.compile(r"^(?:<!-- (?P<mark>\w+) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def text_of(page: str) -> str:
    """Return the text of a page of the docs."""
    return (DOCS / page).read_text(encoding="utf-8")


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, m.start("language")) + 1, m["mark"] or "", m["language"], m["text"])
        for m in FENCE.finditer(text)
    ]


def running() -> list[tuple[Block, Block | None]]:
    """Return every example that runs, with the block of its output, if the page shows it."""
    found: list[tuple[Block, Block | None]] = []
    for page in PAGES:
        following: Block | None = None
        for block in reversed(blocks(page)):
            if block.mark == "runs":
                found.append((block, following if following is not None and following.mark == "prints" else None))
            following = block
    return found


def sessions() -> list[Block]:
    return [block for page in PAGES for block in blocks(page) if block.mark == "stdio"]


def said_and_answered(block: Block) -> Iterator[tuple[str, Any]]:
    """Yield each order in a session, and its shown reply."""
    for part in re.split(r"^> ", block.text, flags=re.MULTILINE)[1:]:
        said, reply = part.split("\n< ")
        yield said, json.loads(reply.replace("\n   ", " "))


def same(shown: Any, real: Any) -> bool:
    """Return whether a reply equals the shown one, in which "…" stands for any text."""
    if shown == "…" and isinstance(real, str):
        return True
    if isinstance(shown, dict) and isinstance(real, dict):
        return list(shown) == list(real) and all(same(shown[key], real[key]) for key in shown)
    return bool(shown == real)


def rows(page: str) -> list[str]:
    """Return the lines of the tables of a page."""
    return [line for line in text_of(page).splitlines() if line.startswith("|")]


def anchors(page: Path) -> set[str]:
    """Return the anchors in a page."""
    prose = FENCE.sub("", page.read_text(encoding="utf-8"))
    heads = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


# ---- examples that run -----------------------------------------------------------------------------------------------


def furnished(folder: Path) -> Path:
    """Prepare a folder with the commands of the checkout's virtual environment and its example configuration."""
    bin_ = folder / ".venv" / "bin"
    bin_.mkdir(parents=True)
    for name, words in (("yardboard", "-m firmware_host "), ("python", "")):
        script = bin_ / name
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words}"$@"\n')
        script.chmod(0o755)
    (folder / "config").symlink_to(ROOT / "config")
    return folder


def run(block: Block, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-"] if block.language == "python" else ["sh", "-eu"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    return subprocess.run(
        command, input=block.text, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
