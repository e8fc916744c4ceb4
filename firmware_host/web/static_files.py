"""Serve the pages and their files: pages in the language that they are asked for in, files compressed.

Each file is compressed once, for whoever takes that, beside the loop that serves.
"""

from __future__ import annotations

import asyncio
import gzip
import os
from collections.abc import Mapping
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from firmware_host.system.language import ENGLISH, language

STATIC = Path(__file__).resolve().parent / "static"
"""Where the files lie; pages in other languages than English lie in a folder for each."""

WORTH = 500
"""Bytes from which a file is worth compressing."""

KINDS = {".js", ".css", ".svg", ".html", ".json"}
"""The files that get smaller."""


def page_answer(name: str, headers: Mapping[str, str]) -> Response:
    """Return a page in the language of whoever asks, with headers of its own."""
    code = language()
    path = STATIC / name if code == ENGLISH else STATIC / "languages" / code / name
    return FileResponse(path, headers={"content-language": code, "vary": "accept-language, cookie", **headers})


class CompressedFiles(StaticFiles):
    """A folder of files. Compressed ones are kept, so that a table of small means does it once."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory)
        self._kept: dict[str, tuple[str, bytes]] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer a request for a file: compressed, or that it is as it was, or as it lies there."""
        found = await super().get_response(path, scope)
        if not isinstance(found, FileResponse) or found.status_code != 200 or not _worth(found.path):
            return found
        found.headers["vary"] = "accept-encoding"
        asked = Headers(scope=scope)
        if not _takes_gzip(asked.get("accept-encoding", "")) or "range" in asked:
            return found
        tag = found.headers["etag"].rstrip('"') + '-gzip"'
        headers = {name: found.headers[name] for name in ("last-modified", "vary")} | {"etag": tag}
        if tag in asked.get("if-none-match", ""):
            return NotModifiedResponse(Headers(headers))
        body = await self._compressed(str(found.path), tag)
        return Response(body, media_type=found.media_type, headers=headers | {"content-encoding": "gzip"})

    async def _compressed(self, path: str, tag: str) -> bytes:
        known = self._kept.get(path)
        if known is not None and known[0] == tag:
            return known[1]
        body = await asyncio.to_thread(lambda: gzip.compress(Path(path).read_bytes(), mtime=0))
        self._kept[path] = tag, body
        return body


def _worth(path: str | os.PathLike[str]) -> bool:
    return Path(path).suffix in KINDS and Path(path).stat().st_size >= WORTH


def _takes_gzip(accepted: str) -> bool:
    """Return whether a header "accept-encoding" names gzip, and not to refuse it."""
    for part in accepted.lower().split(","):
        name, _, weight = part.strip().partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
