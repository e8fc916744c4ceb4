"""Serve the pages and their files: pages in the language that they are asked for in, files compressed.

Each file is compressed once, for whoever takes that, beside the loop that serves.
"""

from __future__ import annotations

import asyncio
import gzip
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

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
        self._kept: dict[str, _Compressed] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer a request for a file: compressed, or that it is as it was, or as it lies there."""
        asked = Headers(scope=scope)
        compressed = _takes_gzip(asked.get("accept-encoding", "")) and "range" not in asked
        kept = self._kept.get(path)
        if kept is not None and compressed and scope["method"] == "GET" and kept.is_current():
            return kept.answer(asked)  # at once: a page asks for nearly a hundred files
        found = await super().get_response(path, scope)
        if not isinstance(found, FileResponse) or found.status_code != 200 or not _worth(found.path):
            return found
        found.headers["vary"] = "accept-encoding"
        if not compressed:
            return found
        self._kept[path] = kept = await asyncio.to_thread(_compress, found)
        return kept.answer(asked)


class _Compressed(NamedTuple):
    """A file as it is sent, and when it was written (nanoseconds)."""

    path: Path
    written: int
    media_type: str | None
    headers: dict[str, str]
    body: bytes

    def is_current(self) -> bool:
        """Return whether the file is still the same."""
        try:
            return self.path.stat().st_mtime_ns == self.written
        except FileNotFoundError:
            return False

    def answer(self, asked: Headers) -> Response:
        """Return the file, or that whoever asked has it already."""
        if self.headers["etag"] in asked.get("if-none-match", ""):
            return NotModifiedResponse(Headers(self.headers))
        return Response(self.body, media_type=self.media_type, headers=self.headers)


def _compress(found: FileResponse) -> _Compressed:
    path = Path(found.path)
    written = found.stat_result.st_mtime_ns if found.stat_result else 0
    headers = {name: found.headers[name] for name in ("last-modified", "vary")}
    headers |= {"etag": found.headers["etag"].rstrip('"') + '-gzip"', "content-encoding": "gzip"}
    return _Compressed(path, written, found.media_type, headers, gzip.compress(path.read_bytes(), mtime=0))


def _worth(path: str | os.PathLike[str]) -> bool:
    return Path(path).suffix in KINDS and Path(path).stat().st_size >= WORTH


def _takes_gzip(accepted: str) -> bool:
    """Return whether a header "accept-encoding" names gzip, and not to refuse it."""
    for part in accepted.lower().split(","):
        name, _, weight = part.strip().partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
