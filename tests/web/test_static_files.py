"""The pages' files are sent compressed to whoever takes that, and not again while they are what they were."""

from __future__ import annotations

import asyncio
import gzip
import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException

import firmware_host.web
from firmware_host.web.pages.page_bundles import BundleError
from firmware_host.web.pages.static_files import CompressedFiles
from firmware_host.web.server import Server
from tests.web.served import PATIENCE, Idle, served

STATIC = Path(firmware_host.web.__file__).parent / "static"
SCRIPT = "/static/board/board.js"
LATER = b"Fri, 01 Jan 2100 00:00:00 GMT"

Answer = tuple[int, dict[str, str], bytes]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    server = Server("127.0.0.1", 0, Idle())
    server.start()
    yield server.port
    server.stop()


def fetch(port: int, path: str = SCRIPT, **asked: str) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in asked.items()})
        said = connection.getresponse()
        return said.status, {name.lower(): value for name, value in said.getheaders()}, said.read()
    finally:
        connection.close()


def test_a_script_is_sent_compressed_and_is_the_same(port: int) -> None:
    for _ in range(2):
        status, headers, body = fetch(port, accept_encoding="gzip, br")
        assert (status, headers["content-encoding"], headers["vary"]) == (200, "gzip", "accept-encoding")
        assert headers["content-type"].startswith("text/javascript")
        assert headers["x-content-type-options"] == "nosniff"
        assert gzip.decompress(body) == (STATIC / "board" / "board.js").read_bytes()


def test_a_drawing_is_sent_compressed_to_a_client_that_takes_it_so() -> None:
    drawing = f"<svg xmlns='http://www.w3.org/2000/svg'>{'<circle/>' * 100}</svg>"
    with served() as table:
        table.server.boards._drawn["drawn"] = drawing
        _, headers, body = fetch(table.port, "/boards/drawn.svg", accept_encoding="gzip")
        assert (headers["content-encoding"], headers["vary"]) == ("gzip", "accept-encoding")
        assert gzip.decompress(body).decode() == drawing
        _, headers, body = fetch(table.port, "/boards/drawn.svg", accept_encoding="identity")
        assert ("content-encoding" in headers, headers["vary"], body.decode()) == (False, "accept-encoding", drawing)


@pytest.mark.parametrize("accepted", ["identity", "br", "gzip;q=0", "gzip; q=0.0"])
def test_whoever_does_not_take_gzip_gets_the_file_itself(port: int, accepted: str) -> None:
    status, headers, body = fetch(port, accept_encoding=accepted)
    assert (status, headers["vary"], body) == (200, "accept-encoding", (STATIC / "board" / "board.js").read_bytes())
    assert "content-encoding" not in headers


@pytest.mark.parametrize("accepted", ["identity", "gzip"])
def test_a_file_that_is_as_it_was_is_not_sent_again(port: int, accepted: str) -> None:
    _, headers, _ = fetch(port, accept_encoding=accepted)
    status, _, body = fetch(port, accept_encoding=accepted, if_none_match=headers["etag"])
    assert (status, body) == (304, b"")


@pytest.mark.parametrize("changed", ["below/a.js", "page.js"])
def test_a_file_that_changes_is_sent_again(tmp_path: Path, changed: str) -> None:
    """So is a page's own script, with what it imports, if one of those changes."""
    files, script = CompressedFiles(tmp_path), tmp_path / "below" / "a.js"
    script.parent.mkdir()
    (tmp_path / "page.js").write_bytes(b'import "./below/a.js";\n')
    headers = [(b"accept-encoding", b"gzip")] + [(b"if-modified-since", LATER)] * (changed == "page.js")
    scope = {"type": "http", "method": "GET", "headers": headers}

    def body() -> bytes:
        answer = asyncio.run(files.get_response(changed, scope))
        return gzip.decompress(bytes(answer.body))

    for words in (b"a" * 600, b"b" * 600):
        script.write_bytes(words)
        assert [words in body(), words in body()] == [True, True]
    script.unlink()
    with pytest.raises((HTTPException, BundleError)):
        asyncio.run(files.get_response(changed, scope))
