"""Read the named colours that pages and artwork share."""

from __future__ import annotations

import re
from pathlib import Path

COLOURS = Path(__file__).resolve().parents[1] / "firmware_host" / "web" / "static" / "styles" / "city.css"
"""The style sheet with the colours."""

LOOKS = ("day", "night")


def read_tokens(sheet: Path = COLOURS) -> dict[str, dict[str, str]]:
    """Return look -> name -> colour.

    Raises:
        ValueError: a look is missing, or the looks do not name the same colours.
    """
    text = sheet.read_text(encoding="utf-8")
    found = {}
    for look in LOOKS:
        block = re.search(rf'\[data-look="{look}"\] \{{([^}}]*)\}}', text)
        if block is None:
            raise ValueError(f'{sheet}: there is no block [data-look="{look}"]')
        found[look] = dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", block[1]))
    differ = sorted(found["day"].keys() ^ found["night"].keys())
    if differ:
        raise ValueError(f"{sheet}: both looks must name the same colours; only one has {', '.join(differ)}")
    return found
