"""`python -m tests.docs` redraws the pictures, and rewrites printed examples and replies: look at them then."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from firmware_host.simulator.scripting import ScriptSession
from tests.docs import referee_page
from tests.docs.pages import DOCS, PAGES, Block, blocks, furnished, run, running
from tests.docs.pictures import draw_pictures


def write_anew(page: Path) -> None:
    """Rewrite what a page's examples print and its sessions reply; long pictures become "…"."""
    text = page.read_text(encoding="utf-8")
    for block in blocks(page):
        if block.mark == "stdio":
            text = text.replace(block.text, "\n".join(_answered(block)) + "\n")
    for block, printed in running():
        if block.page == page and printed is not None:
            with tempfile.TemporaryDirectory() as folder:
                out = run(block, furnished(Path(folder))).stdout
            shown = f"<!-- prints -->\n```{printed.language}\n"
            text = text.replace(f"{block.text}```\n\n{shown}{printed.text}", f"{block.text}```\n\n{shown}{out}")
    page.write_text(text, encoding="utf-8")


def _answered(block: Block) -> Iterator[str]:
    """Yield the lines of a session with the present replies."""
    with ScriptSession() as table:
        for said in re.findall(r"^> (.*)$", block.text, re.MULTILINE):
            reply = table.answer(said)
            if reply.get("png"):
                reply["png"] = "…"
            yield from (f"> {said}", _folded(f"< {json.dumps(reply, ensure_ascii=False)}"))


def _folded(line: str) -> str:
    """Return a long line as several, broken after commas; later ones are indented by three spaces."""
    lines = [""]
    for piece in re.split(r"(?<=,) ", line):
        if lines[-1] and len(lines[-1]) + len(piece) > 108:
            lines.append(f"   {piece}")
        else:
            lines[-1] += f" {piece}" if lines[-1] else piece
    return "\n".join(lines)


if __name__ == "__main__":
    draw_pictures(DOCS)
    referee_page.PAGE.write_text(referee_page.drawn_anew(referee_page.PAGE.read_text("utf-8")), encoding="utf-8")
    for one in PAGES:
        write_anew(one)
