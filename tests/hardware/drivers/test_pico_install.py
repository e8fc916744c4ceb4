"""Writing the program on a Pico: whom it calls, how often, and what it says when it cannot."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hardware.drivers import pico, pico_install
from hardware.drivers.pico_install import install
from hardware.ports import DeviceLost
from tests.hardware.drivers.pico_bench import (
    denied,
    ends_fixture,  # noqa: F401
)


class Remote:
    """In the place of `subprocess.run`: an mpremote that fails as often as told.

    Attributes:
        words: the commands.
        patience: seconds that each was given.
    """

    def __init__(self, failures: int = 0, sums: str = "", *, hangs: bool = False) -> None:
        self.failures = failures
        self.sums = sums
        self.hangs = hangs
        self.words: list[list[str]] = []
        self.patience: list[float] = []

    def __call__(self, command: list[str], *, timeout: float, **_: Any) -> Any:
        self.words.append(command)
        self.patience.append(timeout)
        if self.failures and self.hangs:
            raise subprocess.TimeoutExpired(command, timeout)
        if self.failures:
            self.failures -= 1
            raise subprocess.CalledProcessError(
                1, command, "", "Traceback:\nTransportError: could not enter raw repl\n"
            )
        return subprocess.CompletedProcess(command, 0, f"{self.sums}\n", "")


def test_a_pico_that_is_just_starting_is_called_again(ends: tuple[int, str]) -> None:
    remote, said, pauses = Remote(failures=2, sums="1"), [], []
    with pytest.raises(DeviceLost, match="differs from the copied file"):
        install(ends[1], said.append, run=remote, pause=pauses.append)
    assert said[:3] == [
        f"Calling the Pico on {ends[1]}: at most 3 attempts, 5 seconds each",
        "No answer to call 1 of 3; trying again in 2 seconds",
        "No answer to call 2 of 3; trying again in 2 seconds",
    ]
    assert pauses == [2.0, 2.0]
    assert remote.words[0][1:5] == ["-m", "mpremote", "connect", ends[1]]


def test_a_pico_that_never_answers_is_lost(ends: tuple[int, str]) -> None:
    with pytest.raises(DeviceLost, match=rf"on {ends[1]} .*could not enter raw repl.*end yardboard"):
        install(ends[1], str, run=Remote(failures=99), pause=abs)


def test_what_never_says_anything_is_given_up_in_less_than_20_seconds(ends: tuple[int, str]) -> None:
    remote, pauses = Remote(failures=1, hangs=True), []
    with pytest.raises(DeviceLost, match=rf"on {ends[1]} .*no answer for 5 seconds"):
        install(ends[1], str, run=remote, pause=pauses.append)
    assert len(remote.patience) == 3
    assert sum(remote.patience) + sum(pauses) < 20


def test_what_is_no_serial_port_is_not_called(
    tmp_path: Path, ends: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "fifo")
    remote = Remote()
    for name in ("", "file", "fifo"):
        with pytest.raises(
            DeviceLost, match=rf"^pico: {tmp_path / name} is not a serial port; a Pico's is in /dev/serial"
        ):
            install(str(tmp_path / name), str, run=remote)
    with pytest.raises(DeviceLost, match=rf"^pico: {tmp_path / 'none'}: there is no such port; .*ports in"):
        install(str(tmp_path / "none"), str, run=remote)
    monkeypatch.setattr(pico_install.os, "open", denied)
    with pytest.raises(DeviceLost, match=rf"^pico: {ends[1]}: permission denied; .*dialout"):
        install(ends[1], str, run=remote)
    assert remote.words == []


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ([], "hold BOOTSEL"),
        (["usb-FTDI_cable-if00"], "hold BOOTSEL"),
        (["usb-MicroPython_Board_1", "usb-MicroPython_Board_2"], "there are several Picos"),
    ],
)
def test_a_pico_is_taken_unasked_only_if_there_is_one(
    names: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pico_install, "BY_ID", tmp_path)
    for name in names:
        (tmp_path / name).touch()
    with pytest.raises(DeviceLost, match=why):
        install(None, str, run=Remote())
    (tmp_path / "usb-MicroPython_Board_1").touch()
    (tmp_path / "usb-MicroPython_Board_2").unlink(missing_ok=True)
    remote = Remote(sums="1")
    with pytest.raises(DeviceLost, match="differs from the copied file"):
        install(None, str, run=remote)
    assert remote.words[0][4] == str(tmp_path / "usb-MicroPython_Board_1")


def test_an_unknown_serial_number_is_lost_and_of_one_that_several_have_all_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DeviceLost, match=r"^pico: e661: there is no such port"):
        install("e661", str, run=Remote())
    monkeypatch.setattr(pico, "BY_ID", tmp_path)
    for name in ("usb-Pico_e661-if00", "usb-Pico_e661-if02"):
        (tmp_path / name).touch()
    with pytest.raises(DeviceLost, match=r"^pico: e661: several ports .*e661-if00, .*e661-if02$"):
        install("e661", str, run=Remote())
