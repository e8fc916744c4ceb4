"""What the owner's pages ask for besides the game, over HTTP: settings, health, log, files and requests to root."""

from __future__ import annotations

import hashlib
import http.client
import io
import json
import logging
import os
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from firmware_host.config.loader import Config, load
from firmware_host.config.toml_file import digest
from firmware_host.daemon import owner_desk
from firmware_host.daemon.health_file import HealthFile
from firmware_host.daemon.page_server import PageServer
from firmware_host.referee.scene import CONFIRM
from firmware_host.simulator import SimulatedTable
from firmware_host.system import owner_requests
from firmware_host.system.files import at_once
from firmware_host.system.owner_requests import (
    MOST_WAITING,
    ApplyConfiguration,
    PostedRequest,
    PowerOff,
    RequestOutcome,
    RequestState,
    Restart,
    Update,
)
from firmware_host.system.secret_texts import hash_password
from hardware.sim.physics import SimClock
from tests.daemon.owned_table import OwnedTable
from tests.web.served import Served

HASH = hash_password("correct horse")
FILE = f"""\
# Our table
[lamps]
driver = "sim"
brightness = 0.4   # not too bright

[web]
serve = true
owner = true
owner_password = "{HASH}"
"""


class Office(OwnedTable):
    """A table whose owner's page asks over HTTP."""

    def __init__(self, home: Path) -> None:
        self.home, self.file = home, home / "table.toml"
        self.file.write_text(FILE)
        super().__init__(load(self.file), home)
        self.server.start()
        self.pages = Served(self.server, None)
        session = self.desk.access.exchange(self.desk.access.new_code(), "127.0.0.1")
        self.headers = {"origin": self.pages.home, "authorization": f"Bearer {session}"}

    def get(self, path: str) -> tuple[int, Any]:
        """The answer to a page that asks, without an origin, as browsers do."""
        status, _, said = self.pages.fetch(path, authorization=self.headers["authorization"])
        return status, json.loads(said)

    def post(self, path: str, body: Any = None, **headers: str | None) -> tuple[int, Any]:
        """The answer to a page that wants something done."""
        text = body if isinstance(body, str) else json.dumps(body)
        status, _, said = self.pages.fetch(path, "POST", text, **{**self.headers, **headers})
        return status, json.loads(said)

    def save(self, *changes: tuple[str, str, Any], digest: str = "") -> tuple[int, Any]:
        """The answer to changed settings."""
        listed = [{"section": section, "key": key, "value": value} for section, key, value in changes]
        digest = digest or self.get("/owner/settings")[1]["digest"]
        return self.post("/owner/settings", {"digest": digest, "changes": listed})

    def raw(self, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """The answer to a page that sends or gets bytes."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.pages.port, timeout=60)) as connection:
            connection.request("POST", path, body, self.headers)
            answer = connection.getresponse()
            assert answer.headers["cache-control"] == "no-store"
            return answer.status, answer.read()

    def requests(self) -> list[owner_requests.AnyRequest]:
        """What root is asked for, the oldest first."""
        files = sorted((self.home / "requests").glob("*.request"))
        assert [file.stat().st_mode & 0o777 for file in files] == len(files) * [0o600]
        return [msgspec.json.decode(file.read_bytes(), type=PostedRequest).request for file in files]


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with Office(tmp_path) as opened:
        opened.simulated.advance(500)
        yield opened


PATHS = [
    ("GET", "/owner/settings"), ("POST", "/owner/settings"), ("GET", "/owner/health"), ("GET", "/owner/log"),
    ("POST", "/owner/check"), ("POST", "/owner/report"), ("POST", "/owner/backup"), ("POST", "/owner/requests"),
    ("POST", "/owner/package?name=a.deb&offset=0"),
    ("GET", "/owner/requests/000000000000-0000000000000000"), ("POST", "/owner/leave"),
    ("POST", "/owner/requests/000000000000-0000000000000000/withdraw"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_nobody_else_is_answered(office: Office, method: str, path: str) -> None:
    home = office.pages.home
    bare = office.headers["authorization"].removeprefix("Bearer ")
    for session in (None, "", "Bearer", "Bearer made-up", "Basic x", bare):
        status, _, said = office.pages.fetch(path, method, "{}", origin=home, authorization=session)
        assert (status, json.loads(said)) == (401, {"error": "This page is logged out; log in again"}), session
    for origin in ("http://evil.example", "null", f"https://{office.pages.host}"):
        status, _, _ = office.pages.fetch(path, method, "{}", **{**office.headers, "origin": origin})
        assert status == 403
    if method == "POST":
        assert office.pages.fetch(path, method, "{}", authorization=office.headers["authorization"])[0] == 403
    assert office.requests() == []


def test_a_session_in_the_address_is_none(office: Office) -> None:
    session = office.headers["authorization"].removeprefix("Bearer ")
    assert office.pages.fetch(f"/owner/settings?session={session}&authorization={session}")[0] == 401


# ---- settings ----


def test_the_form_is_made_from_the_file_and_has_no_secret(office: Office) -> None:
    status, form = office.get("/owner/settings")
    assert (status, form["applied"], form["complaints"], form["games"][0]) == (200, True, [], "classic")
    assert HASH not in json.dumps(form)
    (lamps,) = (one for one in form["sections"] if one["name"] == "lamps")
    (brightness,) = (one for one in lamps["fields"] if one["key"] == "brightness")
    assert (brightness["value"], brightness["schema"]) == (0.4, {"type": "number", "minimum": 0.05, "maximum": 1.0})


def test_changes_go_to_root_as_the_whole_file_with_its_comments(office: Office) -> None:
    status, said = office.save(("lamps", "brightness", 0.8))
    assert status == 202
    assert office.requests() == [ApplyConfiguration(FILE.replace("0.4", "0.8"), digest(FILE))]
    assert office.file.read_text() == FILE, "nothing but root writes it"
    assert office.get(f"/owner/requests/{said['request']}") == (200, {"state": None, "text": ""})
    outcome = owner_requests.encode_record(RequestOutcome(RequestState.REFUSED, "no drop-in for that"))
    (office.home / "requests" / f"{said['request']}.outcome").write_bytes(outcome)
    assert office.get(f"/owner/requests/{said['request']}")[1] == {"state": "refused", "text": "no drop-in for that"}


def test_wrong_values_come_back_beside_their_fields_and_nothing_is_asked(office: Office) -> None:
    status, said = office.save(("lamps", "brightness", 8), ("game", "rules", "../../etc/passwd"))
    assert status == 422
    assert {(section, key) for section, key, _ in said["complaints"]} == {("lamps", "brightness"), ("game", "rules")}
    assert office.requests() == []


def test_a_file_that_was_changed_meanwhile_is_reported_and_not_overwritten(office: Office) -> None:
    digest = office.get("/owner/settings")[1]["digest"]
    office.file.write_text(FILE + '[log]\nlevel = "debug"\n')
    status, said = office.save(("lamps", "brightness", 0.8), digest=digest)
    assert (status, said["error"]) == (409, owner_desk.CHANGED_MEANWHILE)
    assert office.requests() == []
    assert office.get("/owner/settings")[1]["applied"] is False


def test_of_two_owners_who_save_at_the_same_time_both_are_asked_of_root_in_turn(office: Office) -> None:
    digest = office.get("/owner/settings")[1]["digest"]
    assert office.save(("lamps", "brightness", 0.8), digest=digest)[0] == 202
    assert office.save(("lamps", "brightness", 0.9), digest=digest)[0] == 202
    texts = [request.text for request in office.requests() if isinstance(request, ApplyConfiguration)]
    assert ["0.9" in text for text in texts] == [False, True]


FORBIDDEN = [
    ("web", "owner_password", ""), ("journal", "path", "/etc/passwd"), ("players", "bob", {"command": "sh"}),
    ("lamps", "wiring", {"1": 2}),
]  # fmt: skip


@pytest.mark.parametrize("change", FORBIDDEN)
def test_what_no_form_changes_is_refused(office: Office, change: tuple[str, str, Any]) -> None:
    status, said = office.save(change)
    assert (status, "forms cannot change this" in said["error"]) == (400, True)
    assert office.requests() == []


BODIES = [
    "", "[]", '{"digest": "x"}', '{"digest": "x", "changes": []}', '{"digest": "x", "changes": [5]}',
    '{"digest": "x", "changes": [{"section": "web", "key": "port", "value": {"a": []}}]}',
    json.dumps({"digest": "x", "changes": 201 * [{"section": "web", "key": "port", "value": 1}]}),
    *(
        json.dumps({"digest": "x", "changes": [{"section": "game", "key": "seats", "value": value}]})
        for value in (201 * ["x"], dict.fromkeys(range(201), 1))
    ),
    '{"digest": "x", "changes": [' + 5000 * "[",
]  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_a_form_of_another_kind_is_refused(office: Office, body: str) -> None:
    assert office.post("/owner/settings", body)[0] == 400


def test_a_huge_form_is_refused_before_it_is_read(office: Office) -> None:
    assert office.post("/owner/settings", 200_000 * "x")[0] == 413


def test_a_file_that_is_gone_or_broken_is_reported(office: Office) -> None:
    office.file.write_text("[lamps\n")
    assert "line 1" in office.get("/owner/settings")[1]["error"]
    office.file.unlink()
    status, said = office.get("/owner/settings")
    assert (status, "there is no such file" in said["error"]) == (409, True)


# ---- health and log ----


def test_the_health_is_that_of_the_health_file(office: Office) -> None:
    assert office.get("/owner/health")[0] == 503
    clock = office.simulated.hardware.clock
    HealthFile(office.config, clock, file=office.home / "health.json").attend(office.simulated.table)
    status, said = office.get("/owner/health")
    assert status == 200
    assert said["devices"]["lamps"]["state"] == "ok"


def test_the_log_has_the_newest_lines_and_no_secret(office: Office) -> None:
    log = logging.getLogger("yardboard")
    for number in range(owner_desk.LINES + 1):
        log.warning("line %d of %s for mqtt://ada:horse@broker", number, HASH)
    _, said = office.get("/owner/log")
    assert len(said["lines"]) == owner_desk.LINES
    assert said["lines"][-1].endswith(f"WARNING line {owner_desk.LINES} of  for mqtt://…@broker")
    assert "horse" not in json.dumps(said)


# ---- files ----


def zipped(office: Office, path: str) -> zipfile.ZipFile:
    """The archive that a page gets."""
    status, content = office.raw(path)
    assert status == 200, content
    return zipfile.ZipFile(io.BytesIO(content))


def test_a_bug_report_has_no_secret_of_the_configuration(office: Office) -> None:
    with zipped(office, "/owner/report") as report:
        assert {"versions.txt", "config.toml"} <= {*report.namelist()}
        assert all(HASH[10:] not in report.read(name).decode() for name in report.namelist())
        assert tomllib.loads(report.read("config.toml").decode())["web"]["owner_password"] == ""


def test_a_backup_is_made_between_games_and_refused_during_one(office: Office) -> None:
    with zipped(office, "/owner/backup") as backup:
        assert backup.read("config/table.toml").decode() == FILE
    office.press(CONFIRM)
    office.simulated.advance(500)
    assert office.seat.in_play
    assert office.post("/owner/backup") == (409, {"error": owner_desk.IN_PLAY})


SCREENS_AND_KEYS = [
    ("handset", "privacy", "hold"), ("handset", "phone", True), ("handset", "driver", "none"),
    ("display", "driver", "none"), ("display", "blank_after_s", 60), ("keys", "driver", "sim"),
    ("switches", "driver", "sim"),
]  # fmt: skip


@pytest.mark.parametrize("change", SCREENS_AND_KEYS)
def test_screens_and_keys_are_changed_between_games_alone(office: Office, change: tuple[str, str, Any]) -> None:
    # Exchanging two addresses would put Mister X's screen on the public display.
    office.press(CONFIRM)
    office.simulated.advance(500)
    assert office.save(change) == (409, {"error": owner_desk.SCREENS_IN_PLAY})
    assert office.save(("lamps", "brightness", 0.8), change) == (409, {"error": owner_desk.SCREENS_IN_PLAY})
    assert office.requests() == []
    assert office.save(("lamps", "brightness", 0.8))[0] == 202


def test_a_backup_is_thrown_away_if_a_game_has_begun_meanwhile(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    made = office.desk._file_of

    def begin_meanwhile(*words: str) -> bytes:
        office.seat.begun += 1  # begun, and given up again
        return made(*words)

    monkeypatch.setattr(office.desk, "_file_of", begin_meanwhile)
    assert office.post("/owner/backup")[0] == 409


def test_the_doctor_says_what_it_finds(office: Office) -> None:
    status, said = office.post("/owner/check")
    assert (status, bool(said["text"].strip())) == (200, True)


# ---- requests ----


def test_restart_and_power_off_are_asked_of_root(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Config, "simulated", False)
    for what in ("restart", "power-off"):
        assert office.post("/owner/requests", {"do": what})[0] == 202
    assert office.requests() == [Restart(), PowerOff()]


def test_a_simulated_table_is_not_powered_off(office: Office) -> None:
    status, said = office.post("/owner/requests", {"do": "power-off"})
    assert (status, said["error"]) == (409, "This table is simulated: nothing is switched off.")
    assert office.requests() == []


def test_nothing_else_is_asked_of_root(office: Office) -> None:
    for body in ({"do": "sh"}, {"do": "update"}, {"do": "apply-configuration"}, {}, {"do": "restart", "more": 1}):
        assert office.post("/owner/requests", body)[0] == 400
    for name in ("x", "..", "000000000000-000000000000000g"):
        assert office.get(f"/owner/requests/{name}")[0] == 404
    said = office.post("/owner/requests", {"do": "rm"})[1]["error"]
    assert (
        said == 'the request must be JSON as in {do: …} with "restart", "power-off" or "update", without other fields'
    )
    assert office.requests() == []


def test_an_owner_cannot_fill_the_card_with_requests_that_root_does_not_carry_out(office: Office) -> None:
    said = [office.post("/owner/requests", {"do": "restart"}) for _ in range(MOST_WAITING + 1)]
    assert [status for status, _ in said] == [202] * MOST_WAITING + [503]
    assert said[-1][1]["error"] == "Too many requests wait already; try again in ten minutes"


def test_a_request_behind_one_that_root_carries_out_waits_and_can_be_withdrawn(office: Office) -> None:
    name = office.post("/owner/requests", {"do": "restart"})[1]["request"]
    other = office.home / "requests" / "000000000000-0000000000000000.outcome"
    for state, shown in ((RequestState.BEGUN, "busy"), (RequestState.DONE, None)):
        other.write_bytes(owner_requests.encode_record(RequestOutcome(state)))
        assert office.get(f"/owner/requests/{name}") == (200, {"state": shown, "text": ""})
    assert office.post("/owner/requests/x/withdraw", {})[0] == 404
    assert office.requests() == [Restart()]
    for _ in range(2):
        assert office.post(f"/owner/requests/{name}/withdraw", {}) == (200, {})
        assert office.requests() == []


def test_a_request_that_cannot_be_written_is_reported(office: Office) -> None:
    (office.home / "requests").write_text("not a folder")
    status, said = office.post("/owner/requests", {"do": "restart"})
    assert (status, said["error"]) == (507, "It cannot be stored: File exists")


# ---- packages ----

DEB = os.urandom(700_000)


def send(office: Office, name: str, offset: int, content: bytes) -> tuple[int, Any]:
    """The answer to a piece of a package."""
    status, said = office.raw(f"/owner/package?name={name}&offset={offset}", content)
    return status, json.loads(said)


def test_a_package_comes_in_pieces_and_is_asked_to_be_installed_with_its_digest(office: Office) -> None:
    name, sha256 = "yardboard_0.2.0_arm64.deb", hashlib.sha256(DEB).hexdigest()
    assert send(office, name, 0, DEB[:300_000])[1]["size"] == 300_000
    assert send(office, name, 0, DEB[:300_000])[1]["size"] == 300_000, "its answer was lost, and it was sent again"
    assert send(office, name, 500_000, DEB[500_000:])[1]["size"] == 300_000, "a piece is missing"
    assert send(office, name, 300_000, DEB[300_000:]) == (200, {"size": 700_000, "sha256": sha256})
    assert office.post("/owner/requests", {"do": "update"})[0] == 202
    assert office.requests() == [Update(name, sha256)]
    (file,) = (office.home / "requests" / "packages").iterdir()
    assert (file.name, file.read_bytes(), file.stat().st_mode & 0o777) == (name, DEB, 0o600)


def test_another_package_replaces_the_last_one(office: Office) -> None:
    for name in ("a.deb", "b.deb"):
        send(office, name, 0, b"whole")
        assert office.post("/owner/requests", {"do": "update"})[0] == 202
    assert [file.name for file in (office.home / "requests" / "packages").iterdir()] == ["b.deb"]
    assert send(office, "a.deb", 5, b"more")[0] == 409


NAMES = ["", "x", "../x.deb", "%2e%2e%2fx.deb", "/etc/x.deb", ".x.deb", "x.deb%00", "-x.deb%0a", "x.deb/y.deb"]


@pytest.mark.parametrize("name", [*NAMES, 200 * "x" + ".deb"])
def test_a_name_that_is_no_packages_is_refused(office: Office, name: str) -> None:
    assert send(office, name, 0, b"content")[0] == 400
    assert not (office.home / "requests").exists()


@pytest.mark.parametrize("offset", ["", "-1", "1e3", "٣", "9" * 20])
def test_an_offset_that_is_none_is_refused(office: Office, offset: str) -> None:
    assert office.post(f"/owner/package?name=a.deb&offset={quote(offset)}", "x")[0] == 400


def test_a_package_has_a_limit_in_each_piece_and_in_all(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    assert send(office, "a.deb", 0, bytes(1_000_001))[0] == 413
    monkeypatch.setattr(owner_desk, "LARGEST_PACKAGE", 1_000_000)
    assert send(office, "a.deb", 0, bytes(900_000))[0] == 200
    assert send(office, "a.deb", 900_000, bytes(900_000))[0] == 507
    assert office.post("/owner/requests", {"do": "update"})[0] == 400, "what has come of it is forgotten"
    assert [*(office.home / "requests" / "packages").iterdir()] == [], "a full disk has its room again"


def packages(office: Office) -> list[str]:
    """The names of the packages in the folder of requests."""
    return [file.name for file in (office.home / "requests" / "packages").iterdir()]


def test_a_package_replaces_no_file_elsewhere_through_a_link(office: Office) -> None:
    folder = office.home / "requests" / "packages"
    folder.mkdir(parents=True)
    (folder / "a.deb").symlink_to(office.file)
    assert send(office, "a.deb", 0, b"content")[0] == 200
    assert office.file.read_text() == FILE


def test_a_package_that_nobody_goes_on_with_is_removed_after_a_while(office: Office) -> None:
    send(office, "a.deb", 0, b"begun")
    office.simulated.hardware.clock.advance(owner_desk.KEPT - 60)
    send(office, "a.deb", 5, b"more")
    office.desk.attend()
    office.simulated.hardware.clock.advance(owner_desk.KEPT - 60)
    office.desk.attend()
    assert packages(office) == ["a.deb"]
    assert office.post("/owner/requests", {"do": "update"})[0] == 202
    office.simulated.hardware.clock.advance(owner_desk.KEPT - 60)
    office.desk.attend()
    assert packages(office) == ["a.deb"], "root may not have seen the request yet"
    office.simulated.hardware.clock.advance(60)
    office.desk.attend()
    assert packages(office) == []
    assert send(office, "a.deb", 9, b"more")[0] == 409, "its sender begins again"


def test_a_package_of_an_earlier_run_is_removed_at_the_start_unless_root_is_asked_to_install_it(tmp_path: Path) -> None:
    folder = tmp_path / "requests" / "packages"
    folder.mkdir(parents=True)
    (folder / "a.deb").write_bytes(b"torn")
    waiting = tmp_path / "requests" / "000000000000-0000000000000000.request"
    waiting.touch()
    with Office(tmp_path) as office:
        assert packages(office) == ["a.deb"]
        office.simulated.hardware.clock.advance(owner_desk.KEPT)
        office.desk.attend()
        assert packages(office) == [], "a request that waits so long is no longer valid"
    (folder / "a.deb").write_bytes(b"torn")
    waiting.unlink()
    with Office(tmp_path) as office:
        assert packages(office) == []


# ---- a whole daemon's pages ----


def test_sessions_survive_a_restart_of_the_program_and_not_another_password(tmp_path: Path) -> None:
    with Office(tmp_path) as office:
        session = office.headers["authorization"].removeprefix("Bearer ")
        sessions = tmp_path / "owner-sessions.json"
        assert session not in sessions.read_text()
        assert sessions.stat().st_mode & 0o777 == 0o600
        again = owner_desk.TableDesk(office.config, office.seat, now=office._now)
        assert again.access.is_owner(session)
        other = owner_desk.OwnerAccess(office._now, hash_password("another one"), sessions)
        assert not other.is_owner(session)
        for text in ("", "{}", "[]", '{"valid_for": 1, "sessions": [1]}', "\0", '{"sessions": {}}'):
            sessions.write_text(text)
            assert not owner_desk.OwnerAccess(office._now, HASH, sessions).is_owner(session)
        again.close()


def test_the_daemons_pages_have_a_code_for_the_owner_where_there_is_a_page_for_him(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    for owner in (True, False):
        file = tmp_path / "table.toml"
        file.write_text(f"[web]\nserve = true\nport = 0\nowner = {str(owner).lower()}\n")
        pages = PageServer(config := load(file), at_once, HealthFile(config, SimClock()))
        try:
            code = pages.new_owner_code()
            assert (code is not None) is owner
            assert code is None or len(code) == 6
        finally:
            pages.stop()


def test_the_daemons_pages_look_after_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    file = tmp_path / "table.toml"
    file.write_text("[web]\nserve = true\nport = 0\nowner = true\n")
    pages, table = PageServer(config := load(file), at_once, HealthFile(config, SimClock())), SimulatedTable(config)
    try:
        package = tmp_path / "requests" / "packages" / "a.deb"
        package.parent.mkdir(parents=True)
        package.touch()
        assert pages._desk is not None
        pages._desk._package._used_at -= owner_desk.KEPT
        pages.follow(table.table)
        assert not package.exists()
    finally:
        pages.stop()
        table.close()
