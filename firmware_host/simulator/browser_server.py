"""Run a simulated table that people play in the browser, with its journal, its board and its pages."""

from __future__ import annotations

import os
import random
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPException

from firmware_host.config.loader import Config, with_rules
from firmware_host.config.toml_file import ConfigError
from firmware_host.journal.journal import prepare_journal
from firmware_host.past_games.finished_games import Archive
from firmware_host.past_games.game_analysis import FOLDER, AnalysisFiles
from firmware_host.simulator.browser_session import BrowserSession
from firmware_host.simulator.demo import Pace
from firmware_host.simulator.simulated_table import SimulatedTable
from firmware_host.simulator.tutorial_tables import TutorialTables
from firmware_host.system.event_log import catch_up
from firmware_host.system.printable import printable
from firmware_host.system.process import whole_pass
from firmware_host.table.compose import RecordingHooks
from firmware_host.table.player_maker import ProcessMaker
from firmware_host.web.feeds.page_orders import PageOrderQueue
from firmware_host.web.printed_link import LinkPrompt, greeting
from firmware_host.web.seats.kept_seat import KeptSeat
from firmware_host.web.server import Server
from firmware_host.web.transport import host_names
from firmware_host.web.transport.listening_sockets import CannotServe

Say = Callable[[str], None]

ANSWERS_WITHIN = 2.0
"""Seconds within which a program at our port must show that it is a table."""

LONGEST_ANSWER = 4096
"""The most bytes that are read of the answer of such a program."""

OPENS_WITHIN = 5.0
"""Seconds to wait for the command that opens a browser; if it is the browser, it runs until its window is closed."""


def serve(
    config: Config,
    *,
    rules: str | None,
    seed: int | None,
    rough: bool,
    new: bool,
    show: bool,
    stamp: str,
    say: Say,
    taping: RecordingHooks | None = None,
) -> None:
    """Run a simulated table for the browser until the process is asked to stop.

    The table continues the newest game in the journal, on the board of that game; see `choose_table`. If there is no
    game, the first page asks which game to play, unless `rules` or `new` is given.

    Args:
        config: the table's configuration; its section `[web]` gives the address of the pages.
        rules: the rules to play instead of the configured ones; None for those of the last game.
        seed: the seed of all random choices; None for real randomness.
        rough: whether reeds and hands are imperfect.
        new: whether to begin a new game even if one is unfinished.
        show: whether to open the table in this machine's browser.
        stamp: the suffix in the name of a damaged journal that is set aside.
        say: takes the lines for the terminal, including the handset's token.
        taping: records the table, if given.

    Raises:
        CannotServe: the pages cannot be served at the address. Not raised if a table already runs there, `show` is
            set, and neither `rules` nor `new` is given: then that table is opened.
        ConfigError: there are no such `rules`, the configured wiring is a real board's, or there is no folder for the
            journal.
        JournalError: the journal cannot be used, or its unfinished game cannot be continued.
    """
    path = config.journal_file()
    requests, archive = PageOrderQueue(), Archive(config, files=AnalysisFiles(path.with_name(FOLDER)))
    web, practice = config.web, TutorialTables()
    try:
        # Before the journal is opened.
        server = Server(web.host, web.port, requests, archive, practice=practice, names=web.names)
    except CannotServe as error:
        running = find_table(web.host, web.port)
        if not running:
            raise CannotServe(f"{error} (--host and --port choose another address)") from None
        if not show or new or rules is not None:
            ways = "open that, or stop it first; a second one needs another --port and another [journal] path"
            raise CannotServe(f"A table runs at {running} already: {ways}") from None
        say(f"A table runs at {running} already.")
        _open_in_browser(running).join(OPENS_WITHIN)
        return
    with ExitStack() as ends:
        seat = KeptSeat(server.handset_token, path)
        ends.callback(seat.keep)  # after the server has stopped: until then another page may take the seat
        ends.callback(server.stop)
        played, resume = choose_table(config, rules, prepare_journal(path, stamp), new=new)
        rng = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 - repeatable
        simulated = SimulatedTable(
            played,
            seed=rng.randrange(1 << 30),
            rough=rough,
            journal=path,
            pace=Pace(),
            rng=rng,
            resume=resume,
            wall_clock=time.time,
            audience=server.spectators,
            taping=taping,
            players=ProcessMaker(config),
            patient=False,
            own=config,
        )
        ends.callback(simulated.close)
        _begin(simulated, say, new=new or rules is not None)
        _play(_session(simulated, requests, server, seat), server, archive, seat, show=show, say=say)


def _session(simulated: SimulatedTable, requests: PageOrderQueue, server: Server, seat: KeptSeat) -> BrowserSession:
    """Create the session that connects pages and table. Offer Mister X's seat unless a page still has it."""
    journal = simulated.table.journal
    kept = seat.follow_game(journal.newest_begun, journal.begun_at)
    if not kept:
        server.handset_token.end()
    return BrowserSession(
        simulated,
        requests,
        server,
        real_hands=False,
        offer_seat=server.handset_token.offer_seat,
        seat_kept=kept,
        player_of=server.detectives.player_of,
        has_seat=server.sessions.has_seat,
    )


def _play(browser: BrowserSession, server: Server, archive: Archive, seat: KeptSeat, *, show: bool, say: Say) -> None:
    server.start()
    alone = server.is_alone  # before anyone learns where to let phones in
    say(greeting(server))
    link = LinkPrompt(server, sys.stdin, sys.stdout)
    if not alone:
        say(link.text())
    if show:
        _open_in_browser(server.url)
    while True:
        with whole_pass:
            browser.turn()
            if alone and not server.is_alone:
                alone = False
                say(f"Phones are let in: {server.address}")
            journal = browser.simulated.table.journal
            seat.follow_game(journal.newest_begun, journal.begun_at)
            seat.keep()
            catch_up()
            if link.wanted():
                say(link.text())
            if archive.follow(journal):
                server.announce_games()


def _open_in_browser(url: str) -> threading.Thread:
    """Open a page in this machine's browser, if the machine has a screen.

    This runs on a thread, because some browsers return only when they are closed.

    Open no address with a token: other users could read it in a process's arguments.
    """
    opening = threading.Thread(target=webbrowser.open if has_screen(os.environ) else str, args=(url,), daemon=True)
    opening.start()
    return opening


def find_table(host: str, port: int) -> str:
    """Return the address of a table whose pages are already served on this machine, or ""."""
    here = host_names.here(host)
    line = HTTPConnection(here, port, timeout=ANSWERS_WITHIN)
    try:
        line.request("GET", "/offline")  # a page that every table has
        is_table = b"<title>Yardboard" in line.getresponse().read(LONGEST_ANSWER)
    except (OSError, HTTPException):
        return ""
    finally:
        line.close()
    return host_names.url(here, port) if is_table else ""


def _begin(simulated: SimulatedTable, say: Say, *, new: bool) -> None:
    """Continue the game that the table has resumed. If there is none, or it is over, and `new` is True, start one.

    If a game stays, put the pawns on their stations, because nobody has touched the board meanwhile.
    """
    journal = simulated.table.journal
    if simulated.table.game is not None:
        is_over = simulated.public.outcome is not None
        if not (is_over and new):
            for pawn, station in simulated.public.pawns.items():
                simulated.hardware.put(station, pawn)
            how = "is over" if is_over else "goes on"
            say(printable(f"The game of {journal.rules} in {journal.name} {how}; --new begins another."))
            return
    if not new:
        return
    unfinished = journal.rules if journal.in_play else None
    simulated.new_game()
    if unfinished is not None:
        say(f"The unfinished game of {unfinished} is given up.")


def choose_table(config: Config, rules: str | None, played: str | None, *, new: bool) -> tuple[Config, bool]:
    """Return the configuration to play with, and whether to continue the newest game in the journal.

    Args:
        config: the table's configuration.
        rules: the rules to play; None if not given.
        played: the rules of the newest game in the journal; None if there is none.
        new: whether to start a new game in any case.

    Raises:
        ConfigError: there are no such `rules`.
    """
    if rules is not None:
        return with_rules(config, rules), played == rules and not new
    if new or played is None or played in [box.name for box in config.boxes]:
        return config, not new
    try:
        return with_rules(config, played), True
    except ConfigError:  # only another configuration knows these rules: the table reports that if it matters
        return config, True


def has_screen(environ: Mapping[str, str]) -> bool:
    """Return whether a browser would open in a window, and not in the terminal over our messages."""
    return sys.platform == "darwin" or any(environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
