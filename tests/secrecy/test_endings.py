"""However a table ends, and wherever Mister X is just then, it ends alike: by what it says, and with what status."""

from __future__ import annotations

import json
import re
import signal
import socket
from pathlib import Path

import pytest

from tests.secrecy.canary import Place
from tests.waiting import until
from tests.web.programs import PATIENCE, Program

pytestmark = pytest.mark.long

_CHANGES = re.compile(r'"(written|since|up_s|passes)": [\d.]+|since \w+ \d\d:\d\d')
"""What tells of the time of day, and nothing else."""


def ended(folder: Path, side: int, how: signal.Signals, *words: str) -> tuple[object, ...]:
    """All that one of two games that look alike says when its table is told to end in Mister X's turn."""
    folder.mkdir()
    place = Place(folder)
    place.play(side=side)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("")
        manager.settimeout(PATIENCE)
        address = "@" + manager.getsockname()[1:].decode()
        environ = place.environ | {"STATE_DIRECTORY": "", "NOTIFY_SOCKET": address}
        with Program(*words, "--config", str(place.config), home=folder / "work", environ=environ) as table:
            table.line("Going on with a game")
            table.line("Ready: ")
            heard = messages(manager, "WATCHDOG=1")
            bulletin = health(folder)
            status = table.end(how)
        heard += messages(manager, "STOPPING=1")
    said = [line.replace(str(folder), "") for line in table.told]
    assert not place.told("\n".join(said + heard).encode())
    once = list(dict.fromkeys(heard))  # how often it says the same is a matter of time
    return status, said, once, bulletin, [(name, mode) for name, _, mode in place.files()]


def messages(manager: socket.socket, last: str) -> list[str]:
    """All that comes, up to a word."""
    heard = []
    while last not in heard:
        heard.append(manager.recv(4096).decode())
    return heard


def health(folder: Path) -> object:
    """What the table tells whoever asks how it is, but for the time of day."""
    file = folder / "run" / "health.json"
    until(file.exists, "the file that tells how it is")
    return json.loads(_CHANGES.sub('"\\1": 0', file.read_text(encoding="utf-8").replace(str(folder), "")))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_told_to_end_in_his_turn_it_ends_alike_wherever_he_is(tmp_path: Path, how: signal.Signals) -> None:
    one, two = (ended(tmp_path / f"{side}", side, how, "run") for side in (0, 1))
    assert one == two
    assert one[0] == (130 if how is signal.SIGINT else 0)


def test_a_game_that_cannot_be_gone_on_with_is_refused_alike_wherever_he_is(tmp_path: Path) -> None:
    said = []
    for side in (0, 1):
        folder = tmp_path / f"{side}"
        folder.mkdir()
        place = Place(folder)
        place.play(side=side)
        # Another board: none of its stations is known there.
        place.config.write_text('[switches]\ndriver = "sim"\n', encoding="utf-8")
        with Program("run", "--config", str(place.config), home=folder / "work",
                     environ=place.environ | {"STATE_DIRECTORY": ""}) as table:  # fmt: skip
            table.line("^yardboard: ")
            assert table.process.wait(30) == 1
        assert not place.told("\n".join(table.told).encode())
        said.append([line.replace(str(folder), "") for line in table.told])
    assert said[0] == said[1]
    assert "cannot be replayed" in said[0][-1]
