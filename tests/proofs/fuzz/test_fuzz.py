"""A small run of every target, each of which can fail."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace

import pytest

from hardware.firmware import frames
from tests.proofs.fuzz.target import Found, Target, tried
from tests.proofs.fuzz.targets import TARGETS

FEW = 200


@pytest.mark.parametrize("name", TARGETS)
def test_whatever_comes_in_is_taken_or_refused_and_changes_nothing_else(name: str) -> None:
    tally = tried(TARGETS[name], FEW, seed=2)
    assert tally.inputs == FEW
    assert 0 < tally.taken < FEW, "such inputs try nothing"


def test_an_input_that_breaks_a_promise_is_told_with_its_number_and_itself() -> None:
    def one(data: bytes) -> bool:
        return bool(1 / (data != b"good!"))

    @contextmanager
    def opened():  # type: ignore[no-untyped-def]
        yield one

    with pytest.raises(Found, match=r"(?s)mine: input 1: ZeroDivisionError.*b'good!'"):
        tried(Target("mine", [b"fine", b"good!"], [b"x"], opened), 10, seed=1)


def test_a_reader_that_takes_noise_for_a_report_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "crc32", lambda _: 0)
    with pytest.raises(Found):
        tried(replace(TARGETS["frames"], name="careless"), 3000, seed=1)
