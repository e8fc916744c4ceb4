"""Tell how much script the table's page loads: python -m tests.web.page_weight."""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

import firmware_host.web

WEB = Path(firmware_host.web.__file__).parent


def scripts() -> list[Path]:
    """All scripts of the table's page."""
    html = (WEB / "static" / "table.html").read_text(encoding="utf-8")
    return [WEB / path for path in dict.fromkeys(re.findall(r'(?:href|src)="/([^"]+\.js)"', html))]


if __name__ == "__main__":
    contents = [script.read_bytes() for script in scripts()]
    whole, sent = sum(map(len, contents)), sum(len(gzip.compress(content, mtime=0)) for content in contents)
    sys.stdout.write(f"{len(contents)} scripts: {whole / 1000:.0f} kB, sent as {sent / 1000:.0f} kB\n")
