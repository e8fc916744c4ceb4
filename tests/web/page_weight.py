"""Print how much script and style each page loads: python -m tests.web.page_weight."""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

import firmware_host.web
from firmware_host.web.pages.page_bundles import Bundle, bundle

STATIC = Path(firmware_host.web.__file__).parent / "static"


def bundles(page: Path) -> dict[str, Bundle]:
    """Return the scripts and sheets that a page loads, by their names in the folder of static files."""
    html = page.read_text(encoding="utf-8")
    names = re.findall(r'<(?:script|link rel="stylesheet") [^>]*(?:src|href)="/static/([^"]+)"', html)
    return {name: bundle(STATIC / name) for name in names}


def sent(one: Bundle) -> int:
    """Return the bytes of a bundle as it is sent."""
    return len(gzip.compress(one.text.encode(), mtime=0))


if __name__ == "__main__":
    for page in sorted(STATIC.glob("languages/en/*.html")):
        loaded = bundles(page)
        files = sum(len(one.sources) for one in loaded.values())
        kilobytes = sum(map(sent, loaded.values())) / 1000
        sys.stdout.write(f"{page.stem:16} {files:3} files in {len(loaded)} bundles, sent as {kilobytes:.0f} kB\n")
