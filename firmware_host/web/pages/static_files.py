"""Serve pages in the reader's language, and their files, joined and compressed.

A page's own script and sheet are one bundle each, so that a slow line waits for two files and not for a hundred.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from firmware_host.system.language import language
from firmware_host.web.pages.page_bundles import bundle, is_bundled
from firmware_host.web.transport.security_headers import POLICY

STATIC = Path(__file__).resolve().parents[1] / "static"
"""The folder of the files. The build writes each page in each language below its `languages`."""

WORTH = 500
"""The size in bytes from which a file is compressed."""

KINDS = {".js", ".css", ".svg", ".html", ".json"}
"""The kinds of files that compression makes smaller."""


def page_answer(name: str, policy: str = POLICY) -> Response:
    """Return the HTTP response with a page in the reader's language, which browsers must not store."""
    code = language()
    headers = {
        "content-language": code,
        "vary": "accept-language, cookie",
        "cache-control": "no-store",
        "content-security-policy": policy,
    }
    return FileResponse(STATIC / "languages" / code / name, headers=headers)


def page_route(path: str, name: str, policy: str = POLICY) -> Route:
    """Return the route of a page. See `page_answer`."""

    async def show(_: Request) -> Response:
        return page_answer(name, policy)

    return Route(path, show)


async def text_answer(request: Request, text: bytes, media_type: str, headers: Mapping[str, str]) -> Response:
    """Return the HTTP response with a text, compressed if that helps and the browser accepts it."""
    headers = {"vary": "accept-encoding", **headers}
    if len(text) >= WORTH and _takes_gzip(request.headers.get("accept-encoding", "")):
        text, headers = await asyncio.to_thread(_packed, text), {"content-encoding": "gzip", **headers}
    return Response(text, media_type=media_type, headers=headers)


class CompressedFiles(StaticFiles):
    """A folder of files to serve. A page's script and style sheet are served joined with their imports.

    Bundles and compressed files stay in memory until a source changes, so that a small machine does the work once.
    """

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory)
        self._kept: dict[tuple[str, bool], _Kept] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the answer to a request for a file: joined, compressed, plain or "not modified"."""
        asked = Headers(scope=scope)
        compressed = _takes_gzip(asked.get("accept-encoding", "")) and "range" not in asked
        kept = self._kept.get((path, compressed))
        if kept is not None and scope["method"] == "GET" and kept.is_current():
            return kept.answer(asked)  # without another thread
        bundled = is_bundled(path)
        found = await super().get_response(path, _unconditional(scope) if bundled else scope)
        if not isinstance(found, FileResponse) or found.status_code != 200:
            return found
        if bundled:
            kept = await asyncio.to_thread(_keep_bundle, found, compressed=compressed)
        elif not _worth(found.path):
            return found
        else:
            found.headers["vary"] = "accept-encoding"
            if not compressed:
                return found
            kept = await asyncio.to_thread(_keep_file, found)
        self._kept[path, compressed] = kept
        return kept.answer(asked)


class _Kept(NamedTuple):
    """A file as it is sent, and when each of its sources was last written (ns)."""

    sources: Mapping[Path, int]
    media_type: str | None
    headers: dict[str, str]
    body: bytes

    def is_current(self) -> bool:
        """Return whether the cached file is up to date: none of its sources has been written since."""
        try:
            return all(path.stat().st_mtime_ns == written for path, written in self.sources.items())
        except FileNotFoundError:
            return False

    def answer(self, asked: Headers) -> Response:
        """Return the answer with the file, or "not modified" if the browser has it already."""
        if self.headers["etag"] in asked.get("if-none-match", ""):
            return NotModifiedResponse(Headers(self.headers))
        return Response(self.body, media_type=self.media_type, headers=self.headers)


def _keep_file(found: FileResponse) -> _Kept:
    path = Path(found.path)
    written = found.stat_result.st_mtime_ns if found.stat_result else 0
    headers = {name: found.headers[name] for name in ("last-modified", "vary")}
    headers |= {"etag": found.headers["etag"].rstrip('"') + '-gzip"', "content-encoding": "gzip"}
    return _Kept({path: written}, found.media_type, headers, gzip.compress(path.read_bytes(), mtime=0))


def _keep_bundle(found: FileResponse, *, compressed: bool) -> _Kept:
    sources, text = bundle(Path(found.path))
    written = {path: path.stat().st_mtime_ns for path in sources}
    body, tag = text.encode(), hashlib.sha256(text.encode()).hexdigest()[:32]
    headers = {"vary": "accept-encoding", "etag": f'"{tag}"'}
    if compressed:
        headers = {"vary": "accept-encoding", "etag": f'"{tag}-gzip"', "content-encoding": "gzip"}
        body = gzip.compress(body, mtime=0)
    return _Kept(written, found.media_type, headers, body)


@lru_cache(maxsize=8)
def _packed(text: bytes) -> bytes:
    return gzip.compress(text, mtime=0)


def _unconditional(scope: Scope) -> Scope:
    """Return a request without its conditional and range headers, which a bundle cannot answer."""
    left = [(name, value) for name, value in scope["headers"] if not name.startswith(b"if-") and name != b"range"]
    return {**scope, "headers": left}


def _worth(path: str | os.PathLike[str]) -> bool:
    return Path(path).suffix in KINDS and Path(path).stat().st_size >= WORTH


def _takes_gzip(accepted: str) -> bool:
    """Return whether a header "accept-encoding" allows gzip."""
    for part in accepted.lower().split(","):
        name, _, weight = part.strip().partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
