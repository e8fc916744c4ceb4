"""The pages of a table that is run, as it ends."""

from __future__ import annotations

import json
import secrets
import threading
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from firmware_host.config.loader import load
from firmware_host.daemon.health_file import HealthFile
from firmware_host.daemon.page_server import PageServer
from firmware_host.simulator import SimulatedTable
from firmware_host.system.files import Background
from hardware.sim.physics import SimClock
from tests.waiting import until
from tests.web.served import PATIENCE

CONFIG = '[web]\nserve = true\nport = 0\n[handset]\ndriver = "sim"\nphone = true\n'


class Scan:
    """A phone that opens a link to Mister X's seat.

    Args:
        link: the link.
    """

    def __init__(self, link: str) -> None:
        page = urlsplit(link)
        self._body = json.dumps({"token": page.fragment, "nonce": secrets.token_urlsafe(16)}).encode()
        self._line = HTTPConnection("127.0.0.1", page.port or 80, timeout=PATIENCE)
        self._line.putrequest("POST", "/handset/session")
        self._line.putheader("origin", f"{page.scheme}://{page.netloc}")
        self._line.putheader("content-length", str(len(self._body)))
        self._line.endheaders()

    def session(self) -> str:
        """Send the rest of the request, and return the session that the table gives."""
        self._line.send(self._body)
        session: str = json.load(self._line.getresponse())["session"]
        self._line.close()
        return session


def test_a_phone_that_takes_the_seat_while_the_table_ends_has_it_after_a_restart_and_the_one_before_has_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("STATE_DIRECTORY", "RUNTIME_DIRECTORY"):
        monkeypatch.setenv(folder, str(tmp_path))
    file = tmp_path / "table.toml"
    file.write_text(CONFIG)
    config, writing = load(file), Background("files")
    pages = PageServer(config, writing, HealthFile(config, SimClock()))
    table = SimulatedTable(config, seed=3, journal=config.journal_file(), audience=pages)
    table.new_game(players=4)
    links = config.journal_file().with_name("handset-link")

    def link(*, but: str = "") -> str:
        pages.follow(table.table)
        return links.read_text().splitlines()[0] if links.exists() and (not but or but not in links.read_text()) else ""

    until(link, "a link")
    first = link()
    before = Scan(first).session()
    until(lambda: link(but=first), "another link")
    scan = Scan(link())
    ending = threading.Thread(target=pages.stop)
    ending.start()
    until(lambda: pages._server is not None and pages._server._server.should_exit, "the server to stop")
    after = scan.session()
    ending.join()
    writing.close()
    table.close()
    kept = config.journal_file().with_name("seat-session.json").read_text()
    assert after in kept
    assert before not in kept
    assert not links.exists()
