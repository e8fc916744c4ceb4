"""A real board is shown to spectators, and played at the table whatever becomes of its pages."""

from __future__ import annotations

import signal
import socket
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from firmware_host.config import shipped_files
from firmware_host.journal.journal import Journal
from tests.journal.random_journals import play, write
from tests.web.programs import Page, Program

SHOWN = r"INFO The table is shown at (\S+)"


def configured(folder: Path, build: str = "london-spi", web: str = "serve = true\nport = 0") -> str:
    """A build's configuration with a section `[web]`, and pins in memory instead of a Pi's."""
    text = (shipped_files.folder() / f"{build}.toml").read_text(encoding="utf-8").replace('"lgpio"', '"mock"')
    (folder / "table.toml").write_text(f"{text.partition('[web]')[0]}\n[web]\n{web}\n", encoding="utf-8")
    return "table.toml"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a board that is run, at which a game was finished once."""
    home = tmp_path_factory.mktemp("board")
    with Journal.open(home / "journal.sqlite") as journal:
        write(journal, *play("classic", 1))
    with Program("run", "--config", configured(home), home=home) as table:
        yield table.url(SHOWN)


def test_a_board_that_is_run_is_shown_to_whoever_opens_its_page(board: str) -> None:
    with urllib.request.urlopen(board, timeout=60) as page:  # noqa: S310 - our own
        assert page.url == f"{board}spectate"
    with Page(board, "spectator") as spectator:
        said = spectator.message("table")
        assert (said["simulated"], "handset" in said["devices"]) == (False, True)
        assert spectator.message("board")["name"] == "london"
        assert spectator.message("scene")["rules"] == "classic"


def test_nobody_plays_at_a_real_board_from_afar(board: str) -> None:
    for page in ("table", "handset"):
        with Page(board, page) as stranger, pytest.raises(ConnectionClosed, match="no such page at this table"):
            stranger.message("scene")
    with Page(board, "spectator") as spectator:
        spectator.ask("key", key="table.confirm", down=True)
        assert spectator.message("refused")["text"]


def test_the_games_that_were_finished_at_a_board_can_be_looked_at(board: str) -> None:
    with Page(board, "spectator") as spectator:
        newest = spectator.message("games", lambda said: said["newest"] is not None)["newest"]
    with urllib.request.urlopen(f"{board}games/{newest}.json", timeout=60) as game:  # noqa: S310 - our own
        assert game.status == 200


@pytest.mark.long
def test_a_board_that_is_told_to_end_does_not_wait_for_its_spectators(tmp_path: Path) -> None:
    with Program("run", "--config", configured(tmp_path, "simulator"), home=tmp_path) as table:
        with Page(table.url(SHOWN), "spectator") as spectator:
            assert spectator.message("scene")["rules"] == "classic"
            assert table.end(signal.SIGTERM) == 0
        assert "Traceback" not in "\n".join(table.told)


@pytest.mark.long
def test_a_taken_port_costs_the_pages_and_not_the_game(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        config = configured(tmp_path, "simulator", f"serve = true\nport = {port}")
        with Program("run", "--config", config, home=tmp_path) as table:
            told = table.line(r"^ERROR (.*)\t")[1]
            assert told == (
                f"The table is played without its pages: web: cannot listen on 127.0.0.1, port {port}: "
                "another program has taken it; it is tried again; [web] host and port choose another address"
            )
            table.line("^INFO Ready: Set up: ")


@pytest.mark.long
def test_pages_whose_address_is_there_later_than_the_table_come_then(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with Program(
            "run", "--config", configured(tmp_path, web=f"serve = true\nport = {port}"), home=tmp_path
        ) as table:
            table.line("^ERROR The table is played without its pages: ")
            table.line("^INFO Ready: Set up: ")
            other.close()
            with Page(table.url(SHOWN), "spectator") as spectator:
                assert spectator.message("scene")["rules"] == "classic"
            assert table.end(signal.SIGTERM) == 0


@pytest.mark.long
def test_a_missing_package_costs_the_pages_and_not_the_game(tmp_path: Path) -> None:
    without = "import sys; sys.modules['uvicorn'] = None; from firmware_host.cli import main; main()"
    config = configured(tmp_path, "simulator")
    with Program("run", "--config", config, home=tmp_path, command=(sys.executable, "-c", without)) as table:
        told = table.line(r"^ERROR (.*)\t")[1]
        assert told == (
            "The table is played without its pages: web: the pages need uvicorn; "
            f"install with: {sys.executable} -m pip install '.[web]' in yardboard's folder"
        )
        table.line("^INFO Ready: Set up: ")
