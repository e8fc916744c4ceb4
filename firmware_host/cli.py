"""Define the command `yardboard`, with the subcommands that run a table and the list of all others."""

from __future__ import annotations

import logging
import math
import os
import random
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pwd import getpwuid
from shlex import join
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.core import ParameterSource

from firmware_host import __version__
from firmware_host.config.loader import Config, load, simulator, state_folder, with_rules
from firmware_host.config.shipped_files import edition_names
from firmware_host.config.toml_file import ConfigError, complaint
from firmware_host.journal.store_port import JournalError, UnplayableGame
from firmware_host.system.event_log import complain, log_fields, log_to_stderr
from firmware_host.system.plain_faults import writing_fault
from firmware_host.system.printable import printable, printable_lines
from firmware_host.system.process import (
    WITHIN,
    WITHIN_SIMULATED,
    end_in_order,
    keep_memory_to_itself,
    take_control_c_back,
)
from firmware_host.system.terminal import FILE, describe_usage_error, echo
from firmware_host.web import missing_package
from hardware.ports import HardwareError, install_extra

if TYPE_CHECKING:
    from firmware_host.table.compose import RecordingHooks

log = logging.getLogger("yardboard")

HOST = click.option("--host", help="The address of the pages; 0.0.0.0 for phones. By default [web] host: 127.0.0.1.")
PORT = click.option("--port", type=click.IntRange(0, 65535), help="Their port; 0: any. By default [web] port: 8199.")

RULES = click.Choice(edition_names())
ELSEWHERE = {
    "backup": "firmware_host.maintenance.backup",
    "bench": "firmware_host.bench.bench_command",
    "carry-out-requests": "firmware_host.maintenance.carry_out_requests",
    "check-config": "firmware_host.commissioning.config_command",
    "config": "firmware_host.commissioning.config_command",
    "config-reference": "firmware_host.commissioning.config_command",
    "doctor": "firmware_host.commissioning.board_commands",
    "firmware": "firmware_host.commissioning.board_commands",
    "handset-link": "firmware_host.maintenance.running_table_commands",
    "health": "firmware_host.maintenance.running_table_commands",
    "owner-password": "firmware_host.maintenance.running_table_commands",
    "make": "firmware_host.maker.make_command",
    "measure": "firmware_host.commissioning.board_commands",
    "player": "firmware_host.players.protocol.player_session",
    "replay": "firmware_host.recording.replay_recording",
    "report": "firmware_host.maintenance.bug_report",
    "restore": "firmware_host.maintenance.backup",
    "seat-program": "firmware_host.daemon.seat_program",
    "selftest": "firmware_host.commissioning.board_commands",
    "setup": "firmware_host.maintenance.service_setup",
    "tournament": "firmware_host.tournament.tournament_command",
    "update": "firmware_host.maintenance.update",
    "wiring": "firmware_host.commissioning.board_commands",
}
"""Subcommands imported on demand -> the module whose `COMMANDS` has them."""

HELP_SECTIONS = {
    "Play": ("sim", "demo"),
    "Set up a board": (
        "config", "check-config", "config-reference", "make", "wiring", "firmware", "doctor", "selftest", "measure",
        "setup",
    ),
    "Look after a table": (
        "run", "handset-link", "health", "owner-password", "dark", "record", "replay", "report", "backup", "restore",
        "update", "seat-program", "carry-out-requests",
    ),
    "Develop": ("player", "tournament", "bench"),
}  # fmt: skip
"""The sections of the help -> their subcommands, in the order of their use."""


class Words(click.Group):
    """The group of subcommands of `yardboard`. Those of other modules are imported only when used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted((*super().list_commands(ctx), *ELSEWHERE))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the subcommand with this name, and import its module if it is defined elsewhere."""
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        words: Iterable[click.Command] = import_module(ELSEWHERE[cmd_name]).COMMANDS
        return {word.name: word for word in words}[cmd_name]

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand. Report a bad configuration or a failing device as an error of the command."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            name = ctx.invoked_subcommand
            command = None if error.ctx or name is None else self.get_command(ctx, name)
            if command is not None:  # a missing value does not say which command it is for
                error.ctx = click.Context(command, parent=ctx, info_name=name)
            raise
        except (ConfigError, HardwareError) as error:
            raise click.ClickException(complaint(error)) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of subcommands for the help text, under the headings of `HELP_SECTIONS`."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        width = max(map(len, commands))
        for heading, names in HELP_SECTIONS.items():
            rows = [
                (name.ljust(width), command.get_short_help_str(60)) for name in names if (command := commands[name])
            ]
            with formatter.section(heading):
                formatter.write_dl(rows)


@click.group(cls=Words, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="yardboard")
def cli() -> None:
    """The brain of an electronic Scotland Yard table, and a simulator to play on without one."""


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command. A user's mistake prints one clear line to standard error and sets the exit status."""
    take_control_c_back(at_terminal=sys.stdin is not None and sys.stdin.isatty())
    try:
        status = cli.main(arguments, prog_name="yardboard", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        status = 2
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx is not None else "yardboard"
        complain(printable(f"{where}: {describe_usage_error(error)} (see {where} --help)"))
        status = 2
    except click.ClickException as error:
        complain("\n".join(f"yardboard: {line}" for line in printable_lines(error.format_message()).splitlines()))
        status = 1
    except (click.Abort, KeyboardInterrupt):
        click.echo("yardboard: stopped", err=True)
        status = 130
    except BrokenPipeError:  # nobody reads our output any more: end quietly, as other commands do
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 141
    sys.exit(status if isinstance(status, int) else 0)


def _config(path: Path | None) -> Config:
    try:
        return simulator() if path is None else load(path)
    except ConfigError as error:
        complain(complaint(error))
        sys.exit(1)


def _stamp() -> str:
    """Return the present time as a suffix for the name of a journal file that is set aside."""
    return time.strftime("%Y%m%d-%H%M%S")


def _another_game(config: Config) -> str:
    """Return advice on how to start a new game when the program cannot continue the saved one."""
    state = os.environ.get("STATE_DIRECTORY", "")
    if not state or "INVOCATION_ID" not in os.environ:  # not started by systemd
        return "--new begins another game"
    user = getpwuid(os.geteuid()).pw_name
    words = ["sudo", "-u", user, "env", f"STATE_DIRECTORY={state}", sys.argv[0], "run", "--new", "--config"]
    return (
        f"to begin another stop the service, run until it is ready, and start it again: {join([*words, config.source])}"
    )


@contextmanager
def _complaints(config: Config) -> Iterator[None]:
    """End the program with a one-line error if the code within the `with` finds that a table cannot run."""
    try:
        yield
    except UnplayableGame as error:
        said = str(error).removesuffix(" or begin another game")
        _refuse(printable(f"{said}; {_another_game(config)}"), error, config.log.form)
    except (ConfigError, JournalError, HardwareError, OSError) as error:
        _refuse(complaint(error), error, config.log.form)


def _refuse(message: str, error: Exception, form: str) -> NoReturn:
    """End the program with an error: as one line of JSON if the log's form is JSON, else as plain text."""
    if form == "json":
        log.critical("%s", "; ".join(message.splitlines()), extra=log_fields("refused", kind=type(error).__name__))
        sys.exit(1)
    raise click.ClickException(message) from None


@contextmanager
def at_a_table(config: Config, level: str = "") -> Iterator[None]:
    """Set up logging, keep the program's memory from other programs, and report errors in one line."""
    with log_to_stderr(level or config.log.level, config.log.form), _complaints(config):
        keep_memory_to_itself()
        yield


@contextmanager
def _at_a_board(config: Config) -> Iterator[None]:
    """Do the same as `at_a_table`, but report an error if the configuration names no devices."""
    with at_a_table(config):
        config.require_devices()
        yield


@contextmanager
def _counted() -> Iterator[None]:
    """Count the start of the service as failed if the code within the `with` ends with an error."""
    from firmware_host.system.systemd_notify import ServiceManager, count_failures  # noqa: PLC0415 - services only

    with count_failures(ServiceManager.of(), os.environ.get("RUNTIME_DIRECTORY", "")):
        yield


@cli.command()
@click.option("--config", "path", type=FILE, required=True, help="The table's configuration.")
@click.option("--new", is_flag=True, help="Begin a new game even if one could be resumed.")
def run(path: Path, new: bool) -> None:
    """Run a table.

    This is the daemon. It continues the game in its journal, or begins one.
    """
    end_in_order(WITHIN)
    with _counted():
        _run(path, new=new)


def _run(path: Path, *, new: bool) -> None:
    from firmware_host.daemon.run import run_table  # noqa: PLC0415 - only this command needs it

    config = _config(path)
    with _at_a_board(config):
        run_table(config, rng=random.SystemRandom(), new=new, stamp=_stamp())


@cli.command()
@click.option("--config", "path", type=FILE, help="The table's configuration; by default a simulated table's.")
@HOST
@PORT
@click.option("--new", is_flag=True, help="Begin a new game even if one could be resumed.")
@click.argument("tape", type=FILE, required=False)
def record(path: Path | None, host: str | None, port: int | None, new: bool, tape: Path | None) -> None:
    """Run a table and record it.

    All contacts, keys, random numbers and output go to TAPE, a new file that only you may read; by default its name is
    the day and time. `yardboard replay` runs it again. Without --config it is the simulated table in the browser.
    """
    if path is None:
        _record_in_browser(tape, host, port, new=new)
        return
    if (host, port) != (None, None):
        where = "--host and --port are for the simulated table; a configuration has [web] host and port"
        raise click.UsageError(where, click.get_current_context())
    from firmware_host.daemon.run import run_table  # noqa: PLC0415 - only this command needs it
    from firmware_host.recording.recorded_session import recording  # noqa: PLC0415 - only this command needs it

    end_in_order(WITHIN)
    with _counted():
        config, stamp = _config(path), _stamp()
        with _at_a_board(config), recording(config, tape, resume=not new, stamp=stamp, say=echo) as taping:
            run_table(config, rng=random.SystemRandom(), new=new, stamp=stamp, taping=taping)


def _record_in_browser(tape: Path | None, host: str | None, port: int | None, *, new: bool) -> None:
    """Run the simulator for the browser, and record a tape for each start of its table."""
    from firmware_host.recording.recorded_session import Tapes  # noqa: PLC0415 - only this command needs it

    end_in_order(WITHIN_SIMULATED)
    config, tapes = _at(_config(None), host, port), Tapes(tape, _stamp(), echo)
    _sim_in_browser(config, rules=None, new=new, show=False, seed=None, rough=False, taping=tapes)


@cli.command()
@click.option("--config", "path", type=FILE, required=True, help="The table's configuration.")
def dark(path: Path) -> None:
    """Turn off lamps and screens.

    For a board whose daemon was killed: Mister X's screen would keep its last picture. The service does this whenever
    it has stopped. While the machine is being shut down from the table, the public display says when to pull the plug.
    """
    from firmware_host.daemon.run import go_dark  # noqa: PLC0415 - only this command needs it
    from firmware_host.system.owner_requests import FOLDER, is_powering_off  # noqa: PLC0415 - the same

    config = _config(path)
    with _complaints(config):
        config.require_devices()
    powers_off = False
    with suppress(ConfigError):  # this user has no folder for requests
        powers_off = is_powering_off(state_folder() / FOLDER)
    complaints = [] if config.simulated else go_dark(config, powers_off=powers_off)
    for why in complaints:
        complain(printable(why))
    if complaints:
        raise click.ClickException("some lamps or screens could not be turned off; the lines above say which, and why")


@cli.command()
@click.option("--stdio", is_flag=True, help="Talk JSON lines on standard input and output, instead.")
@click.option("--config", "path", type=FILE, help="A configuration; the shipped simulator's by default.")
@click.option("--rules", type=RULES, help="The rule system, in the place of the configuration's.")
@HOST
@PORT
@click.option("--new", is_flag=True, help="Begin a new game even if one is unfinished.")
@click.option("--open", "show", is_flag=True, help="Open the table in this machine's browser.")
@click.option(
    "--seed", type=int, help="Of cards, bounces and hands; with --stdio 0 by default, else another each time."
)
@click.option("--rough", is_flag=True, help="Simulate a cheap board and careless hands.")
def sim(
    stdio: bool, path: Path | None, rules: str | None, host: str | None, port: int | None, new: bool, show: bool,
    seed: int | None, rough: bool,
) -> None:  # fmt: skip
    """A simulated table to play on.

    Either in the browser, where it continues the game in its journal, or from any program, over standard input and
    output: see docs/scripting.md.
    """
    if stdio:
        of_browser = {"--host": host is not None, "--port": port is not None, "--open": show, "--new": new}
        if given := next((option for option, is_given in of_browser.items() if is_given), ""):
            what = f"{given}: is for the table in the browser; leave {given} or --stdio out"
            raise click.UsageError(what, click.get_current_context())
    config = _config(path)
    end_in_order(WITHIN_SIMULATED)
    if stdio:
        from firmware_host.simulator.scripting import ScriptSession, serve  # noqa: PLC0415 - only this command needs it

        config = config if rules is None else with_rules(config, rules)
        with at_a_table(config, "warning"), ScriptSession(config, seed=seed or 0, rough=rough) as session:
            serve(session, sys.stdin.buffer, sys.stdout.buffer)
        return
    _sim_in_browser(_at(config, host, port), rules=rules, new=new, show=show, seed=seed, rough=rough)


def _at(config: Config, host: str | None, port: int | None) -> Config:
    web = config.web
    return replace(config, web=replace(web, host=host or web.host, port=web.port if port is None else port))


def _sim_in_browser(
    config: Config, *, rules: str | None, new: bool, show: bool, seed: int | None, rough: bool,
    taping: RecordingHooks | None = None,
) -> None:  # fmt: skip
    try:
        from firmware_host.simulator import browser_server  # noqa: PLC0415 - only this command needs it
    except ModuleNotFoundError as error:
        raise click.ClickException(missing_package(error)) from None
    with at_a_table(config):
        browser_server.serve(
            config, rules=rules, seed=seed, rough=rough, new=new, show=show, stamp=_stamp(), say=click.echo,
            taping=taping,
        )  # fmt: skip


@cli.command()
@click.option("--config", "path", type=FILE, help="A configuration; the shipped simulator's by default.")
@click.option("--rules", type=RULES, help="The rule system, in the place of the configuration's.")
@click.option("--seed", type=int, help="Of the whole game; another each time by default.")
@click.option("--rough", is_flag=True, help="Simulate a cheap board and careless hands.")
@click.option("--fast", is_flag=True, help="As fast as it goes instead of at table pace.")
@click.option("--speed", type=click.FloatRange(0.1, 100), default=1.0, show_default=True, help="Times table pace.")
@click.option("--expert", is_flag=True, help="Players that search; for classic, current, us and beginners.")
@click.option("--picture", type=FILE, default="yardboard-demo.png", show_default=True, help="A .png or .svg file.")
def demo(
    path: Path | None, rules: str | None, seed: int | None, rough: bool, fast: bool, speed: float, expert: bool,
    picture: Path,
) -> None:  # fmt: skip
    """Watch a whole game.

    Simulated players play it through the raw switches.
    """
    from firmware_host.players.levels.levels import is_pursuit  # noqa: PLC0415 - only this command needs it
    from firmware_host.simulator import demo as demos  # noqa: PLC0415 - only this command needs it
    from firmware_host.simulator.snapshot import save  # noqa: PLC0415 - only this command needs it

    if picture.suffix.lower() not in (".png", ".svg"):
        raise click.UsageError(f"--picture: {picture}: must end in .png or .svg", click.get_current_context())
    if not picture.absolute().parent.is_dir():
        what = f"--picture: {picture}: there is no folder {picture.parent}; create it, or name another file"
        raise click.ClickException(printable(what))
    if not math.isfinite(speed):
        raise click.UsageError(f"--speed: {speed} is not a number from 0.1 to 100", click.get_current_context())
    if fast and click.get_current_context().get_parameter_source("speed") is not ParameterSource.DEFAULT:
        raise click.UsageError("--fast and --speed: only one of them; leave one out", click.get_current_context())
    config = _config(path) if rules is None else with_rules(_config(path), rules)
    if expert and not is_pursuit(config.edition):
        raise click.UsageError(
            f"--expert: cannot play {config.game.rules}; it plays classic, current, us and beginners"
        )
    if expert and (lacking := next((name for name in ("numba", "numpy") if find_spec(name) is None), None)):
        raise click.ClickException(f"--expert needs {lacking}; install with: {install_extra('players')}")
    seed = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    which = "" if path is None else f" --config {path}"
    which += f" --rules {config.game.rules}" if path is None or rules is not None else ""
    echo(f"yardboard demo{which} --seed {seed}{' --rough' * rough}{' --expert' * expert}")
    simulated = demos.watch(
        config, seed=seed, rough=rough, speed=None if fast else speed, say=click.echo,
        thinker=demos.expert if expert else None,
    )  # fmt: skip
    try:
        save(simulated, picture)
    except OSError as error:
        why = writing_fault(picture, error, "name another file with --picture")
        raise click.ClickException(printable(why)) from None
    simulated.close()
    echo(f"The board at the end: {picture}")
