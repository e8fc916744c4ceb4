"""A request for root is written whole or not at all, and read strictly; so is its outcome."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from firmware_host.system import boot_clock, owner_requests
from firmware_host.system.boot_clock import boot_seconds
from firmware_host.system.owner_requests import (
    MOST_BYTES,
    MOST_WAITING,
    OUTCOME,
    REQUEST,
    VALID_SECONDS,
    AnyRequest,
    ApplyConfiguration,
    BadRequest,
    PowerOff,
    RequestOutcome,
    RequestState,
    Restart,
    TooManyRequests,
    Update,
    encode_record,
    post_request,
    read_outcome,
    read_request,
)

SUM = "0123456789abcdef" * 4
KINDS: list[AnyRequest] = [
    ApplyConfiguration('[game]\nrules = "classic"\n# ä\n', SUM),
    Restart(),
    PowerOff(),
    Update("yardboard_1.2.0~rc1+b2_arm64.deb", SUM),
    Update("https://example.org/yardboard.deb?x=1", SUM),
]


@pytest.mark.parametrize("request_", KINDS, ids=lambda one: type(one).__name__)
def test_a_posted_request_is_read_as_it_was_given(tmp_path: Path, request_: AnyRequest) -> None:
    folder = tmp_path / "requests"
    name = post_request(folder, request_)
    (file,) = folder.iterdir()  # nothing is left beside it
    assert file.name == f"{name}{REQUEST}"
    assert [stat.S_IMODE(one.stat().st_mode) for one in (folder, file)] == [0o700, 0o600]
    posted = read_request(file.read_bytes())
    assert posted.request == request_
    assert posted.is_current()


def test_requests_sort_by_the_time_when_they_were_posted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = []
    for seconds in (0.5, 9.0, 10.25, 100_000_000.0):
        monkeypatch.setattr(owner_requests, "boot_seconds", lambda now=seconds: now)
        names.append(post_request(tmp_path, Restart()))
    assert names == sorted(names)


def test_a_request_counts_for_ten_minutes_and_for_this_start_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted = read_request((tmp_path / f"{post_request(tmp_path, PowerOff())}{REQUEST}").read_bytes())
    later = boot_clock.boot_seconds() + VALID_SECONDS + 1
    monkeypatch.setattr(owner_requests, "boot_seconds", lambda: later)
    assert not posted.is_current()
    monkeypatch.setattr(owner_requests, "boot_seconds", lambda: posted.posted - 60)  # before it was posted
    assert not posted.is_current()
    monkeypatch.setattr(owner_requests, "boot_seconds", lambda: posted.posted)
    assert posted.is_current()
    monkeypatch.setattr(owner_requests, "boot_id", lambda: "another")
    assert not posted.is_current()


GOOD: dict[str, Any] = {"request": {"kind": "restart"}, "boot": "b", "posted": 1.5}


def with_request(**fields: object) -> dict[str, Any]:
    return {**GOOD, "request": fields}


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        (with_request(kind="dance"), "request"),
        (with_request(), '"kind" is missing'),
        (with_request(kind="restart", now=True), 'unknown field "now"'),
        (with_request(kind="apply-configuration"), '"text" is missing'),
        (with_request(kind="apply-configuration", text=""), "at least 1 characters"),
        (with_request(kind="apply-configuration", text="x" * 400_001), "at most 400000 characters"),
        (with_request(kind="apply-configuration", text=7), "must be a text"),
        (with_request(kind="update", package="yardboard.deb"), '"sha256" is missing'),
        (with_request(kind="update", package="yardboard.deb", sha256=SUM.upper()), "sha256"),
        (with_request(kind="update", package="yardboard.deb", sha256=f"{SUM}\n"), "sha256"),
        *(
            (with_request(kind="update", package=package, sha256=SUM), "package")
            for package in (
                "../x.deb", "/x.deb", "a/b.deb", ".deb", "-x.deb", "x.deb\n", "x", "http://a/x.deb", "https://a/ b",
                "https://", f"https://{'a' * 401}", f"{'a' * 160}.deb", "file:///x.deb",
            )
        ),
        ({**GOOD, "posted": -1}, "posted"),
        ({**GOOD, "posted": "now"}, "posted"),
        ({**GOOD, "boot": "b" * 65}, "boot"),
        ({**GOOD, "root": True}, 'unknown field "root"'),
        ([GOOD], "must be an object"),
        ({}, "is missing"),
    ],
)  # fmt: skip
def test_a_request_out_of_its_bounds_is_refused_with_its_place(said: object, complaint: str) -> None:
    with pytest.raises(BadRequest, match=r"^a request: ") as refused:
        read_request(json.dumps(said).encode())
    assert complaint in str(refused.value)


WHOLE = json.dumps(GOOD).encode()


@pytest.mark.parametrize("length", range(len(WHOLE)))
def test_a_request_written_in_part_is_refused(length: int) -> None:
    with pytest.raises(BadRequest):
        read_request(WHOLE[:length])


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", b"[" * 100_000, b'{"posted": 1e999}', b" " * (MOST_BYTES + 1), WHOLE + b"x", b"\0" * 9]
)
def test_what_is_no_text_of_a_request_is_refused(content: bytes) -> None:
    with pytest.raises(BadRequest):
        read_request(content)


@pytest.mark.parametrize(
    "bad", [ApplyConfiguration("", SUM), ApplyConfiguration("\ud800", SUM), Update("../x.deb", SUM)]
)
def test_a_bad_request_is_not_posted(tmp_path: Path, bad: AnyRequest) -> None:
    folder = tmp_path / "requests"
    with pytest.raises(BadRequest):
        post_request(folder, bad)
    assert not folder.exists()


def test_requests_that_root_does_not_carry_out_do_not_fill_the_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {f"{post_request(tmp_path, Restart())}{REQUEST}" for _ in range(MOST_WAITING)}
    with pytest.raises(TooManyRequests):
        post_request(tmp_path, Restart())
    assert {file.name for file in tmp_path.iterdir()} == names
    later = boot_seconds() + VALID_SECONDS + 5
    monkeypatch.setattr(owner_requests, "boot_seconds", lambda: later)
    name = post_request(tmp_path, Restart())
    assert [file.name for file in tmp_path.iterdir()] == [f"{name}{REQUEST}"], "older ones no longer count"


def test_the_outcome_of_a_request_is_read_beside_it(tmp_path: Path) -> None:
    name = post_request(tmp_path, Restart())
    assert read_outcome(tmp_path, name) is None
    for outcome in (RequestOutcome(RequestState.BEGUN), RequestOutcome(RequestState.REFUSED, "line 3: no\nline 4: no")):
        (tmp_path / f"{name}{OUTCOME}").write_bytes(encode_record(outcome))
        assert read_outcome(tmp_path, name) == outcome
    (tmp_path / f"{name}{OUTCOME}").write_bytes(b'{"state": "maybe"}')
    with pytest.raises(BadRequest, match=r"^an outcome: state: "):
        read_outcome(tmp_path, name)


@pytest.mark.parametrize("name", ["", "../x", "0" * 12, f"{'0' * 12}-{'g' * 16}", f"{'0' * 12}-{'0' * 16}\n", "a/b"])
def test_a_page_can_ask_for_no_other_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadRequest, match="an id is"):
        read_outcome(tmp_path, name)
