"""The table in a browser as a program: it goes on where it was left, says what is wrong, and ends when told to."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import sys
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed

from firmware_host.config import shipped_files
from firmware_host.config.loader import load, parse, simulator, with_rules
from firmware_host.journal.journal import Journal
from firmware_host.rules.game import Game
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.browser_server import choose_table, has_screen
from firmware_host.system.process import STATUSES
from firmware_host.web.transport.host_names import is_loopback, reachable
from tests.amount import amount
from tests.journal.test_journal import sample
from tests.waiting import until
from tests.web.programs import COMMAND, PATIENCE, Page, Program

SIM = ("sim", "--port", "0")


def begun(journal: Path, rules: str) -> None:
    """A game begins in a journal, and the table is left."""
    simulated = SimulatedTable(with_rules(simulator(), rules), journal=journal, resume=False)
    simulated.new_game()
    simulated.close()


def played_on(home: Path, *words: str) -> str:
    """By which rules the program plays when it is started on a journal."""
    with Program(*SIM, *words, home=home) as table, Page(table.url(), "spectator") as page:
        rules: str = page.message("scene")["rules"]
        return rules


# ---- going on ----


@pytest.mark.long
def test_a_game_begun_from_the_page_is_gone_on_with_after_the_program_was_ended(tmp_path: Path) -> None:
    with Program(*SIM, home=tmp_path) as table:
        with Page(table.url(), "table") as page:
            page.ask("new_game", rules="dice")
            page.message("scene", lambda scene: scene["rules"] == "dice")
        assert table.end() == 0
    assert played_on(tmp_path) == "dice"


@pytest.mark.parametrize(
    ("words", "rules"), [((), "dice"), (("--rules", "current"), "current"), (("--new",), "classic")], ids=str
)
@pytest.mark.long_but_first
def test_whoever_names_rules_or_wants_a_new_game_gets_it_and_the_one_that_is_given_up_is_named(
    words: tuple[str, ...], rules: str, tmp_path: Path
) -> None:
    begun(tmp_path / "journal.sqlite", "dice")
    with Program(*SIM, *words, home=tmp_path) as table:
        with Page(table.url(), "spectator") as page:
            assert page.message("scene")["rules"] == rules
        assert table.end() == 0
    assert table.told.count("The unfinished game of dice is given up.") == bool(words)


@pytest.mark.parametrize(("rules", "named"), [("dice", False), ("dice", True), ("beginners", True)])
@pytest.mark.long
def test_after_a_game_by_other_rules_the_files_own_box_and_map_can_still_be_chosen(
    rules: str, named: bool, tmp_path: Path
) -> None:
    house = (shipped_files.folder() / "editions" / "classic.toml").read_text(encoding="utf-8")
    (tmp_path / "house.toml").write_text(house, encoding="utf-8")
    own = '[game]\nrules = "house.toml"\nplayers = 4\n[map]\nadd = ["taxi 13-14"]\n[switches]\ndriver = "sim"\n'
    (tmp_path / "table.toml").write_text(own, encoding="utf-8")
    begun(tmp_path / "journal.sqlite", "dice")
    words = ("--config", "table.toml", *(("--rules", rules) if named else ()))
    with Program(*SIM, *words, home=tmp_path) as table:
        url = table.url()
        with Page(url, "spectator") as page:
            assert page.message("scene")["rules"] == rules
        with Page(url, "table") as page:
            assert "house" in [box["rules"] for box in page.message("table")["boxes"]]
            page.ask("new_game", rules="house")
            page.message("scene", lambda scene: scene["rules"] == "house" and len(scene["pawns"]) == 3)
    journal = Journal.open(tmp_path / "journal.sqlite")
    board = load(tmp_path / "table.toml")
    assert journal.newest(board.boxes, board.ground) is not None
    journal.close()


def test_a_game_by_the_rules_of_a_real_boards_file_is_played_without_its_wiring() -> None:
    own = load(shipped_files.folder() / "london-spi.toml")
    simulated = SimulatedTable(with_rules(own, "dice"), own=own)
    simulated.new_game("classic")
    assert simulated.config.layout.switch_inputs == simulator().layout.switch_inputs
    simulated.close()


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.long
def test_a_game_that_is_over_does_not_go_on_and_whoever_names_its_rules_gets_another(
    named: bool, tmp_path: Path
) -> None:
    setup, played = sample()
    game = Game(setup)
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        journal.begin(setup, 1.0)
        for action in played:
            game.play(action)
            journal.play(action, 2.0)
        assert game.public.outcome is not None
        journal.finish(game.public.outcome, 3.0)
    words = ("--rules", "classic") if named else ()
    with Program(*SIM, *words, home=tmp_path) as table:
        with Page(table.url(), "spectator") as page:
            assert (page.message("scene")["outcome"] is None) is named
        assert table.end() == 0
    over = f"The game of classic in {tmp_path / 'journal.sqlite'} is over; --new begins another."
    assert table.told.count(over) == (not named)


def taken(url: str, nonce: str) -> str | None:
    """The session of a page of this machine that wants Mister X's seat; None if it is not to be had."""
    home = url.rstrip("/")
    line = http.client.HTTPConnection(urlsplit(home).netloc, timeout=PATIENCE)
    try:
        line.request("POST", "/handset/seat", json.dumps({"nonce": nonce}), {"origin": home})
        answer = line.getresponse()
        said = json.load(answer)
    finally:
        line.close()
    assert answer.status in (200, 409), said
    return said.get("session")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["in good order", "by a power cut"])
@pytest.mark.long
def test_after_a_restart_the_seat_stays_with_its_open_page_and_is_offered_to_no_other(
    tmp_path: Path, how: signal.Signals
) -> None:
    begun(tmp_path / "journal.sqlite", "classic")
    kept = tmp_path / "seat-session.json"
    with Program(*SIM, home=tmp_path) as table:
        url = table.url()
        until(lambda: taken(url, "made up on a first page"), "the seat")
        his = taken(url, "made up on a first page")
        until(lambda: kept.exists() and his in kept.read_text(), "it to be written down")
        assert kept.stat().st_mode & 0o777 == 0o600
        table.end(how)
    with Program(*SIM, home=tmp_path) as table:
        url = table.url()
        with Page(url, "handset", his) as page:
            assert page.message("seat")["mr_x"]["at"]
            assert taken(url, "made up on another page") is None
        assert table.end() == 0
    with Program(*SIM, "--new", home=tmp_path) as table:
        url = table.url()
        with Page(url, "handset", his) as page, pytest.raises(ConnectionClosed, match="no longer, Mister X"):
            page.message("seat")
        until(lambda: taken(url, "made up on another page"), "the seat of the new game")
        assert table.end() == 0


def test_the_table_is_laid_for_the_rules_that_are_wanted_or_else_for_those_played_last() -> None:
    config = simulator()
    for rules, played, new, wanted in (
        (None, None, False, ("classic", True)),
        (None, "dice", False, ("dice", True)),
        (None, "dice", True, ("classic", False)),
        (None, "current", False, ("classic", True)),  # played on the same board: it is among its boxes
        ("dice", "dice", False, ("dice", True)),
        ("dice", "dice", True, ("dice", False)),
        ("dice", "classic", False, ("dice", False)),
        ("current", "classic", False, ("current", False)),
        (None, "a box of my own", False, ("classic", True)),  # the table judges that
    ):
        table, resume = choose_table(config, rules, played, new=new)
        assert (table.game.rules, resume) == wanted, (rules, played, new)


@pytest.mark.long
def test_a_game_that_cannot_be_played_on_is_told_with_the_way_out(tmp_path: Path) -> None:
    simulated = SimulatedTable(parse('[map]\nadd = ["taxi 13-14"]\n', "other"), journal=tmp_path / "journal.sqlite")
    simulated.new_game()
    simulated.close()
    (tmp_path / "table.toml").write_text('[switches]\ndriver = "sim"\n')
    for words in (SIM, ("run", "--config", "table.toml")):
        with Program(*words, home=tmp_path) as table:
            told = table.line("^yardboard: ")[0]
            assert table.process.wait(30) == 1
        told = table.told[-1]
        assert "cannot be replayed" in told
        assert told.endswith("; --new begins another game")
    assert played_on(tmp_path, "--new") == "classic"


def test_a_damaged_journal_is_set_aside_and_a_new_game_begun(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_text("my diary")
    with Program(*SIM, home=tmp_path) as table:
        told = table.line("^ERROR ")
        assert "is not a journal" in told.string
        table.url()
    assert [path.read_text() for path in tmp_path.glob("*.aside")] == ["my diary"]


# ---- beginning and ending ----


def test_the_greeting_is_one_line_with_the_address_and_how_to_stop(tmp_path: Path) -> None:
    with Program(*SIM, home=tmp_path) as table:
        url = table.url()
        assert table.end() == 0
    assert table.told == [f"The table: {url} (press Ctrl-C to stop; the next start resumes the game)"]


@pytest.mark.parametrize("words", [["--open"], [], ["--open", "--new"], ["--open", "--rules", "us"]], ids=str)
@pytest.mark.long_but_first
def test_a_second_table_is_led_to_the_first_and_opens_it(tmp_path: Path, words: list[str]) -> None:
    opened, elsewhere = tmp_path / "opened", tmp_path / "elsewhere"
    elsewhere.mkdir()
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >{opened}\n')
    browser.chmod(0o755)
    with Program(*SIM, home=tmp_path) as table:
        url = table.url()
        port, environ = str(urlsplit(url).port), {"BROWSER": str(browser)}
        with Program("sim", "--port", port, *words, home=elsewhere, environ=environ) as second:
            said = second.line("A table runs at ").string
            status = second.process.wait(PATIENCE)
        assert second.told == [said]
    assert list(elsewhere.iterdir()) == []
    if words == ["--open"]:
        assert (said, status) == (f"A table runs at {url} already.", 0)
        assert opened.read_text() == f"{url}\n"
    else:
        ways = "open that, or stop it first; a second one needs another --port and another [journal] path"
        assert (said, status) == (f"yardboard: A table runs at {url} already: {ways}", 1)
        assert not opened.exists()


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.0 200 OK\r\n\r\n<title>My diary</title>"])
def test_a_port_that_another_program_has_taken_is_named_with_the_ways_out(tmp_path: Path, answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with Program("sim", "--open", "--port", str(port), home=tmp_path) as table:
            line, _ = other.accept()
            with line:
                line.sendall(answer)
                line.shutdown(socket.SHUT_WR)
                assert table.process.wait(PATIENCE) == 1
            said = table.line("^yardboard: ").string
    where = f"web: cannot listen on 127.0.0.1, port {port}: another program has taken it"
    assert said == f"yardboard: {where} (--host and --port choose another address)"
    assert table.told == [said]
    assert list(tmp_path.iterdir()) == []


def test_a_journal_that_another_table_has_open_is_named_with_the_ways_out(tmp_path: Path) -> None:
    with Program(*SIM, home=tmp_path) as table:
        table.url()
        with Program(*SIM, home=tmp_path) as second:
            said = second.line("^yardboard: ").string
            assert second.process.wait(PATIENCE) == 1
    ways = "stop that one, or give this one another journal path in its configuration"
    assert said == f"yardboard: journal {tmp_path}/journal.sqlite: is in use by another table: {ways}"


@pytest.mark.parametrize(("how", "status"), amount([(signal.SIGTERM, 0)], list(STATUSES.items())))
def test_it_ends_at_once_and_quietly_with_pages_open(how: signal.Signals, status: int, tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text('[log]\nlevel = "debug"\n')
    with Program(*SIM, "--config", "table.toml", home=tmp_path) as table:
        url = table.url()
        with Page(url, "table") as page, Page(url, "spectator") as other:
            page.message("scene")
            other.message("scene")
            assert table.end(how) == status
    text = "\n".join(table.told)
    for word in ("Traceback", "Uvicorn", "uvicorn", "GET /", "WebSocket", "connection open"):
        assert word not in text


@pytest.mark.long
def test_a_table_that_was_started_to_outlast_its_terminal_does(tmp_path: Path) -> None:
    nohup = ("sh", "-c", 'trap "" HUP QUIT; exec "$@"', "sh", *COMMAND)
    with Program(*SIM, home=tmp_path, command=nohup) as table:
        url = table.url()
        for lost in (signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
            table.process.send_signal(lost)
        with Page(url, "spectator") as page:
            page.message("scene")
        assert table.end() == 0


def test_the_terminal_tells_where_the_table_is_found_once_phones_are_let_in(tmp_path: Path) -> None:
    """On a machine that is in no network, nobody is let in."""
    own = reachable("0.0.0.0")  # noqa: S104 - other machines are what is asked about
    with Program(*SIM, home=tmp_path) as table:
        url = table.url()
        asked = urllib.request.Request(f"{url}network", method="POST", headers={"Origin": url.rstrip("/")})  # noqa: S310
        if is_loopback(own):
            with pytest.raises(urllib.error.HTTPError, match="409") as refused:
                urllib.request.urlopen(asked, timeout=60)  # noqa: S310 - our own
            refused.value.close()
        else:
            urllib.request.urlopen(asked, timeout=60).close()  # noqa: S310 - our own
            assert table.url(r"Phones are let in: (\S+)") == url.replace("127.0.0.1", own)
        assert table.end() == 0


@pytest.mark.long
def test_the_browser_is_opened_when_pages_can_be_fetched_and_gets_no_token(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    fetch = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1]); open('opened', 'w').write(sys.argv[1])"
    browser.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{fetch}" "$@"\n')
    browser.chmod(0o755)
    with Program(*SIM, "--open", home=tmp_path, environ={"BROWSER": str(browser)}) as table:
        url = table.url()
        opened = tmp_path / "opened"
        until(lambda: opened.exists() and opened.read_text(), "the browser")
        assert opened.read_text() == url


@pytest.mark.long
def test_without_a_screen_no_browser_is_opened(tmp_path: Path) -> None:
    assert not has_screen({"TERM": "xterm", "DISPLAY": ""}) or sys.platform == "darwin"
    assert all(has_screen({name: "x"}) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    bare = {name: "" for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER") if name in os.environ}
    with Program(*SIM, "--open", home=tmp_path, environ=bare) as table:
        with urllib.request.urlopen(table.url(), timeout=60) as page:  # noqa: S310 - our own
            assert page.status == 200
        assert table.end() == 0
