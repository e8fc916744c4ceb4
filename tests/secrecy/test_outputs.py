"""Every way out of the program is in a table, with who gets it and what holds the secret back there.

A way that the code has and the table has not fails a test, and so does one that is in the table only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

import firmware_host
import hardware
from firmware_host.cli import cli
from firmware_host.home import home_assistant
from firmware_host.home.metrics import TableMetrics
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.scripting import Asked, LineOrder
from firmware_host.system.orders import fields
from firmware_host.system.systemd_notify import ServiceManager
from firmware_host.table.outputs import Audience
from firmware_host.table.table import Table
from hardware import ports
from tests.secrecy.perceived import PRIVATE_WORDS

PUBLIC, HIS, OWNER, NOTHING = "everyone", "Mister X alone", "this user alone", "says nothing of a game in play"

AUDIENCE = {"see": PUBLIC, "receive": PUBLIC, "forget": PUBLIC}

STDIO = {
    "public": PUBLIC, "leds": PUBLIC, "display": PUBLIC, "coach": PUBLIC, "health": PUBLIC,
    "private": HIS, "handset": HIS,
}  # fmt: skip
"""What can be got over standard input and output."""

SHOWN = {"Lamps": PUBLIC, "Panel": "everyone, or Mister X alone: the display and the handset are two of them"}
"""The ports through which something is shown."""

MANAGER = {"ready": PUBLIC, "status": PUBLIC, "keep_alive": PUBLIC, "stopping": PUBLIC, "of": NOTHING}

EVENTS = {
    "analysis": "everyone; of finished games alone (tests/past_games/test_game_analyst.py)",
    "crash": "everyone; the exception's text is left out (tests/system/test_event_log.py)",
    "coach": PUBLIC,
    "device": PUBLIC,
    "game": PUBLIC,
    "hang": "everyone; told at beats of a clock (tests/daemon/test_watchdog_hangs.py)",
    "health": NOTHING,
    "journal": "everyone; before a game is gone on with (tests/journal/test_journal_refuses.py)",
    "masks": NOTHING,
    "mqtt": NOTHING,
    "mistake": "everyone; the exception's text is left out (tests/system/test_event_log.py)",
    "own-memory": NOTHING,
    "pages": NOTHING,
    "past-games": NOTHING,
    "pins": NOTHING,
    "player": "everyone; of Mister X's player no reason is told (tests/table/test_failing_players.py)",
    "files": NOTHING,
    "programs": NOTHING,
    "ready": PUBLIC,
    "request": "everyone; that root was asked for something, never its text",
    "refused": "everyone; why a table cannot be run at all, as on the terminal (tests/system/test_file_names.py)",
    "resume": PUBLIC,
    "seat": NOTHING,
    "tape": NOTHING,
}
"""What the log tells of."""

FEEDS = {
    "board": PUBLIC, "scene": PUBLIC, "lamps": PUBLIC, "lamps for the colour-blind": PUBLIC, "news": PUBLIC,
    "table": "everyone; what kind of table it is", "pawns": "everyone; where hands hold them",
    "seat": "Mister X alone (tests/secrecy/test_seat.py)",
    "phones": "everyone; which detectives' players have a phone (tests/secrecy/test_detectives_phones.py)",
    "games": "everyone; finished games alone (tests/past_games/test_finished_games.py)",
    "name": "of `display`, for everyone, or `handset`, for Mister X alone (tests/web/test_feeds_secrecy.py)",
}  # fmt: skip
"""What is put into the pages' feeds."""

TOPICS = {
    "turn": PUBLIC, "prompt": PUBLIC, "round": PUBLIC, "last_ticket": PUBLIC, "power": PUBLIC, "game": PUBLIC,
    "surfacing": PUBLIC, "capture": PUBLIC, "status": NOTHING,
}  # fmt: skip
"""What a broker is sent, at ticks of the clock alone (tests/secrecy/test_mishaps.py)."""

METRICS = {
    "yardboard_info": NOTHING, "yardboard_up_seconds": NOTHING, "yardboard_late_seconds": NOTHING,
    "yardboard_passes_total": "everyone; in thousands: how long a pass takes would tell of his keys",
    "yardboard_journal_entries_total": PUBLIC, "yardboard_device_state": PUBLIC, "yardboard_faulty_switches": PUBLIC,
    "yardboard_switch_closures_total": PUBLIC, "yardboard_switch_bounces_total": PUBLIC,
    "yardboard_switch_longest_bounce_seconds": PUBLIC, "yardboard_games_total": PUBLIC,
    "yardboard_thinking_seconds_total": "everyone; who is on turn at each tick, as the display shows",
}  # fmt: skip
"""What a monitoring system reads, of ticks of the clock alone (tests/secrecy/test_mishaps.py)."""

TABLE, SIMULATED, PROGRAM = "runs a table for people", "runs a simulated table", "runs none"

WORDS = {
    "backup": "this user alone (tests/maintenance/test_backup.py)",
    "restore": "this user alone (tests/maintenance/test_backup.py)",
    "bench": SIMULATED, "carry-out-requests": PROGRAM,
    "check-config": PROGRAM, "config": PROGRAM, "config-reference": PROGRAM, "dark": PROGRAM,
    "demo": SIMULATED, "doctor": PROGRAM, "firmware": PROGRAM,
    "handset-link": "this user alone, and root (tests/maintenance/test_handset_link_command.py)",
    "health": PROGRAM, "owner-password": PROGRAM, "make": PROGRAM, "measure": PROGRAM,
    "player": "the table that has started it, and told it what it knows, by a pipe; its memory is its own "
    "(tests/players/test_player_command.py)",
    "record": TABLE,
    "replay": "this user alone, who has the tape; its memory is its own "
    "(tests/recording/test_recordings_of_strangers.py)",
    "report": "everyone (tests/maintenance/test_bug_report_secrecy.py); so is its memory", "run": TABLE,
    "seat-program": PROGRAM, "selftest": PROGRAM, "setup": PROGRAM, "sim": TABLE,
    "tournament": PROGRAM, "update": PROGRAM, "wiring": PROGRAM,
}  # fmt: skip

OUTLETS = {
    "firmware_host/daemon/health_file.py": "health.json, for everyone",
    "firmware_host/daemon/run.py": OWNER,
    "firmware_host/daemon/owner_desk.py": "root, by requests; the owner's pages, of a game in play what everyone knows "
    "(tests/daemon/test_owner_desk.py)",
    "firmware_host/cli.py": "the terminal of whoever gave the command",
    "firmware_host/commissioning": "a board's own configuration; no game is played",
    "firmware_host/maker": "drawings and lists of a board; no game is played",
    "firmware_host/home/mqtt_publisher.py": "the house's broker, public facts; each topic is listed here",
    "firmware_host/ui/drawing/subprocess_renderer.py": "a picture for all pages, through a pipe to our own process",
    "firmware_host/players/protocol/limited_process.py": "a player's own pipe, or the socket of its unit; detectives' "
    "players are sent what everyone knows",
    "firmware_host/players/protocol/program_sandbox.py": "nobody: `true`, run once to try bubblewrap out",
    "firmware_host/daemon/seat_program.py": "the program that the service's configuration seats; no game is known here",
    "firmware_host/players/protocol/player_session.py": "its table; our own program, which compiles",
    "firmware_host/players/search/search_player.py": "nobody: a lock file without a word in it",
    "firmware_host/past_games/game_analysis.py": "this user alone; finished games "
    "(tests/past_games/test_analysis_files.py)",
    "firmware_host/journal/journal.py": OWNER,
    "firmware_host/journal/sqlite_store.py": OWNER,
    "firmware_host/system/files.py": "whoever those write for that call it; each of them is listed here",
    "firmware_host/system/owner_requests.py": "root's program, through a folder of this user's alone",
    "firmware_host/system/event_log.py": "the log, for everyone",
    "firmware_host/system/terminal.py": "the terminal of whoever gave the command; each that calls it is listed here",
    "firmware_host/web/seats/kept_seat.py": "the session of Mister X's page, for this user alone "
    "(tests/daemon/test_mr_x_phone_seat.py)",
    "firmware_host/table/inputs.py": "switches.json, for everyone: which switches are out of order",
    "firmware_host/bench": "the terminal of whoever measures a machine",
    "firmware_host/simulator": "the terminal of whoever plays a simulated table, and what he asked to be written",
    "firmware_host/system/systemd_notify.py": "the service manager, and how often the service failed, for everyone",
    "firmware_host/recording/tape_recording.py": OWNER,
    "firmware_host/maintenance": "the terminal of whoever gave the command; tapes and backups, for this user alone",
    "firmware_host/players/search/compiling.py": "the folder of compiled code; no game is in it",
    "firmware_host/tournament": "the terminal of whoever gave the command, and the files that he named",
    "firmware_host/web": "the pages, through feeds; the link to Mister X's page, for this user alone "
    "(tests/daemon/test_mr_x_phone_seat.py); digests of the owner's sessions, for this user alone",
    "hardware/drivers": "wires: lamps, screens and keys",
    "hardware/raspberry_pi/kernel_devices.py": "nobody: the kernel is asked for the names of its chips and lines",
    "firmware_host/recording": "the terminal of whoever gave the command; tapes, for this user alone",
}
"""The modules that write, draw or send anything, and who gets that."""

_WAY_OUT = re.compile(
    r"print|echo|open|replace_file|click\.echo|os\.(open|fdopen|write|mkfifo|system|exec\w*|spawn\w*)|sqlite3\.connect|shutil\.copy\w*"
    r"|subprocess\.\w+|socket\.(socket|create_\w+|socketpair)|(tempfile\.)?(TemporaryDirectory|NamedTemporaryFile|mk\w+)"
    r"|.*\.(write_text|write_bytes|open|save|touch|symlink_to|hardlink_to)|syslog\.\w+|warnings\.warn"
    r"|client\.publish"
)
_HOMES = [Path(package.__file__ or "").parent for package in (firmware_host, hardware)]


@cache
def nodes() -> list[tuple[str, ast.Call | ast.Attribute]]:
    """Every call and every attribute in the program, with its module; what runs on the microcontroller is not of it."""
    found: list[tuple[str, ast.Call | ast.Attribute]] = []
    for home in _HOMES:
        for path in sorted(home.rglob("*.py")):
            name = str(path.relative_to(home.parent))
            if not name.startswith("hardware/firmware/"):
                tree = ast.parse(path.read_text(encoding="utf-8"))
                found += [(name, node) for node in ast.walk(tree) if isinstance(node, ast.Call | ast.Attribute)]
    return found


@cache
def named() -> list[tuple[str, str, ast.Call]]:
    """Every call with its module and the name of what is called."""
    return [(module, dotted(node.func), node) for module, node in nodes() if isinstance(node, ast.Call)]


def dotted(node: ast.expr) -> str:
    """What an expression reads like; nearly all of them are names with dots, which need no writer of all of Python."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id if isinstance(node, ast.Name) else ast.unparse(node), *reversed(names)])


def calls(is_one: Callable[[str], object]) -> Iterator[tuple[str, ast.Call]]:
    """All calls of some kind, each with its module."""
    return ((module, node) for module, name, node in named() if is_one(name))


def attributes(*names: str) -> Iterator[str]:
    """The modules that use an attribute of something, once for each time."""
    for module, node in nodes():
        if isinstance(node, ast.Attribute) and any(
            name.endswith(node.attr) and dotted(node).endswith(name) for name in names
        ):
            yield module


def own(kind: type) -> set[str]:
    """The public names that a class defines."""
    return {name for name, value in vars(kind).items() if not name.startswith("_") and callable(value)}


def test_an_audience_gets_nothing_else() -> None:
    assert own(Audience) == AUDIENCE.keys()


def test_the_json_lines_tell_nothing_else() -> None:
    assert set(get_args(Asked)) == STDIO.keys()
    assert set(PRIVATE_WORDS) == {word for word, who in STDIO.items() if who == HIS}
    assert "get" not in fields(LineOrder)


def test_nothing_else_is_shown_through_the_ports() -> None:
    showing = {name for name, port in vars(ports).items() if isinstance(port, type) and "show" in vars(port)}
    assert showing == SHOWN.keys()


def test_the_service_manager_is_told_nothing_else() -> None:
    told = {name for name in vars(ServiceManager) if not name.startswith("_")} - {"address", "patience"}
    assert told == MANAGER.keys()


def test_the_log_tells_of_nothing_else() -> None:
    said = [call.args[0] for _, call in calls(lambda name: name == "log_fields")]
    assert {one.value for one in said if isinstance(one, ast.Constant)} == EVENTS.keys()


def test_the_feeds_carry_nothing_else() -> None:
    put = list(calls(lambda name: name.endswith(("feed.put", "_public.put", "public.put", "_private.put"))))
    assert {call.args[0].value if isinstance(call.args[0], ast.Constant) else ast.unparse(call.args[0])
            for _, call in put} == FEEDS.keys()  # fmt: skip


def test_a_broker_is_sent_nothing_else() -> None:
    topics = {*home_assistant.STATES, *home_assistant.EVENTS, home_assistant.STATUS}
    assert topics == TOPICS.keys()
    scene = SimulatedTable().table.scene()
    assert home_assistant.states(scene).keys() == {*home_assistant.STATES}
    put = calls(lambda name: name.endswith("_publish"))
    said = {ast.unparse(call.args[1]) for module, call in put if module == "firmware_host/home/mqtt_publisher.py"}
    assert said == {"STATUS", "topic"}


def test_no_other_metric_is_served() -> None:
    table, metrics = SimulatedTable(), TableMetrics()
    health = {
        "yardboard": "", "python": "", "up_s": 0.0, "passes": 0, "beat_s": 5.0, "devices": {}, "switches": {},
    }  # fmt: skip
    metrics.add(health, table.table.scene(), {}, entries=1)
    served = re.findall(r"(?m)^# TYPE (\S+) ", metrics.text().decode())
    assert set(served) == METRICS.keys()


def test_there_are_no_other_commands() -> None:
    assert set(cli.list_commands(None)) == WORDS.keys()  # type: ignore[arg-type]


def test_no_other_module_writes_or_sends_anything() -> None:
    ways = {name for name, _ in calls(_WAY_OUT.fullmatch)}
    ways |= {*attributes("sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__")}
    for module in ways:
        assert any(module == known or module.startswith(f"{known}/") for known in OUTLETS), module
    for known in OUTLETS:
        assert any(module == known or module.startswith(f"{known}/") for module in ways), known


def test_what_attends_to_a_table_can_ask_it_for_nothing_that_is_secret_but_by_name() -> None:
    public = {"devices", "scene", "layout", "health", "switches", "late", "now", "menu", "take_wish"}
    acts = {"do", "wait", "step", "close", "let_players_go"}
    secret = {"game"}  # a whole state: for the journal and for tests
    assert {name for name in vars(Table) if not name.startswith("_")} | {"devices"} == public | acts | secret


@pytest.mark.parametrize("secret", ["table.game", "referee.private", "referee.secrets", "referee.game", "handset.menu"])
def test_only_these_modules_take_what_is_his(secret: str) -> None:
    taking = {
        "table.game": {"firmware_host/simulator", "firmware_host/daemon/run.py"},
        "referee.secrets": {"firmware_host/daemon/mr_x_phone_seat.py"},
    }
    tables = {f"firmware_host/table/{name}.py" for name in ("table", "outputs")}
    known = tables | {"firmware_host/simulator"} | taking.get(secret, set())
    for name in attributes(secret):
        assert any(name == one or name.startswith(f"{one}/") for one in known), name
