"""Define the commands for building a board: `doctor`, `wiring`, `selftest`, `measure` and `firmware`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath

import click

from firmware_host.commissioning.diagram_command import draw, sheets
from firmware_host.commissioning.exercise_devices import Exercise, Terminal, Workbench, namer
from firmware_host.commissioning.learn_command import LearnCommand
from firmware_host.commissioning.measure_reach import MeasureReach
from firmware_host.commissioning.selftest import PARTS, STATIONS, self_test
from firmware_host.commissioning.wiring_file import SECTIONS, rows
from firmware_host.config.board_layout import number_range
from firmware_host.config.drivers.neopixel_drivers import strips
from firmware_host.config.loader import Config, load, with_chips
from firmware_host.config.section_conflicts import claims, longest_transfers, screen_chips
from firmware_host.system.plain_faults import writing_fault
from firmware_host.system.printable import printable
from firmware_host.system.terminal import FILE, echo
from hardware.backend import Backend
from hardware.clock import SystemClock
from hardware.drivers.pico_install import PROGRAMS, check_picos, install
from hardware.ports import HardwareError
from hardware.raspberry_pi.machine_checks import examine
from hardware.raspberry_pi.requirements import Finding, Requirements

_MARKS = {"ok": "ok", "warning": "WARNING", "error": "ERROR"}


def plan_of(config: Config, environ: Mapping[str, str] = os.environ) -> Requirements:
    """Return what a configuration needs of its machine. For a simulated board: only the journal and network.

    Raises:
        ConfigError: no place for the journal is given, and this user has no home folder.
    """
    journal = PurePosixPath(config.journal_file(environ).absolute().parent)
    wanted = {"pages": config.web.serve, "mqtt": bool(config.mqtt.url)}
    outlets = tuple(name for name, is_wanted in wanted.items() if is_wanted)
    if config.simulated:
        return Requirements(journal, outlets=outlets)
    sections, layout = config.sections, config.layout
    needs = [device.driver.needs(device) for device in config.devices.values()]
    return Requirements(
        journal,
        model=config.pi.model,
        pin_factory=config.pi.pin_factory,
        claims=tuple(claims(sections, layout)),
        transfers=longest_transfers(sections, layout),
        serial={port: program for each in needs for port, program in each.serial.items()},
        packages=tuple(name for each in needs for name in each.packages),
        lamps=layout.lamps,
        dead=sum(dead for _, dead in strips(sections["lamps"], layout)),
        max_milliamps=config.lamps.max_milliamps,
        panels=screen_chips(sections, layout),
        outlets=outlets,
        of_service=Path(config.source).absolute().is_relative_to("/etc"),
        given=config.pi.given,
    )


def check_machine(config: Config, root: Path = Path("/")) -> list[Finding]:
    """Compare this machine with a configuration's needs, and return every finding, good or bad."""
    needs = plan_of(config)
    return [*examine(needs, root), *check_picos(needs.serial, root)]


def describe_findings(findings: list[Finding]) -> Iterator[str]:
    """Yield a line for each finding, and a second one with its advice if there is any."""
    for finding in findings:
        yield f"{_MARKS[finding.level]:8} {finding.what}"
        if finding.advice:
            yield f"{'':8} {finding.advice}"


@click.group()
def wiring() -> None:
    """Draw a board's wiring, and learn the actual one."""


@wiring.command("draw")
@click.argument("file", metavar="CONFIG", type=FILE)
@click.option("--what", metavar="SHEET", default="", help="One sheet, such as chain; all of them by default.")
@click.option(
    "--svg",
    metavar="PATH",
    type=click.Path(),
    help="The file of one sheet (-: standard output), or a folder for all.",
)
def draw_wires(file: Path, what: str, svg: str | None) -> None:
    """Draw the wires.

    The Pi's header, chips or matrix, lamps, screens and keys as CONFIG has them, each sheet a page of A4 as SVG.
    """
    if svg is not None and not what and (svg == "-" or svg.endswith(".svg")):
        message = f"--svg {svg}: that is one file; say with --what which sheet, or name a folder for all of them"
        raise click.UsageError(message, click.get_current_context())
    if svg is not None and what and (svg.endswith("/") or Path(svg).is_dir()):
        message = f"--svg: {svg} is a folder; name the sheet's file, such as {Path(svg, f'{what}.svg')}"
        raise click.UsageError(message, click.get_current_context())
    try:
        config = load(file)
        if what and svg == "-":
            click.echo(draw(config, what), nl=False)
        elif what:
            _write(Path(svg or f"{file.stem}-{what}.svg"), draw(config, what))
        else:
            folder = Path(svg or f"{file.stem}-wiring")
            names = sheets(config)
            folder.mkdir(exist_ok=True)
            for name in names:
                _write(folder / f"{name}.svg", draw(config, name))
    except BrokenPipeError:
        raise
    except OSError as error:
        why = writing_fault(error.filename, error, "name another place with --svg")
        raise click.ClickException(printable(why)) from None


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    echo(f"Written: {path}")


@wiring.command()
@click.argument("file", metavar="CONFIG", type=FILE)
@click.option("--what", type=click.Choice(list(SECTIONS)), default="switches", show_default=True, help="What to learn.")
@click.option("--only", metavar="NUMBERS", default="", help="Learn these stations (or windows) again, such as 58,74.")
@click.option("--again", is_flag=True, help="Start over, whatever is known.")
def learn(file: Path, what: str, only: str, again: bool) -> None:
    """Learn the wiring while you touch one station after another.

    Learns which input and which lamp belongs to which station, and writes it to CONFIG, with its comments kept. What is
    learned survives a power cut; run the same command again to continue.
    """
    try:
        config = load(file)
        wanted = _numbers(only, config, what)
        if wanted and again:
            raise click.UsageError("--only and --again: only one of them; leave one out", click.get_current_context())
        with closing(_devices(config, "switches" if what == "switches" else "lamps")) as backend:
            learning = LearnCommand(file, config, backend, what, only=wanted, again=again)
            echo(*learning.heading)
            if learning.lesson is not None:
                _carry_out(config, backend, learning.lesson, learning.save_then(lambda lines: echo(*lines)))
            echo(*learning.finish())
            _require_found(learning.lesson)
    except (BrokenPipeError, HardwareError):
        raise
    except OSError as error:
        right = "see that you may write this file and its folder, and run the same command again"
        raise click.ClickException(printable(writing_fault(error.filename, error, right))) from None


@click.command()
@click.argument("file", metavar="CONFIG", type=FILE)
@click.option("--lamps", is_flag=True, help="Each lamp in turn in red, green and blue, then all of them.")
@click.option("--switches", is_flag=True, help="Every switch touched once.")
@click.option("--keys", is_flag=True, help="Every key pressed once.")
@click.option("--screens", is_flag=True, help="A test picture on each screen.")
@click.option("--stations", is_flag=True, help="Magnet, reed and lamp of single stations, one after another.")
@click.option("--only", metavar="NUMBERS", default="", help="With --stations: these alone, such as 58,74.")
@click.option(
    "--chips",
    metavar="N",
    type=click.IntRange(1),
    help="Read only the first N chips, as many as are fitted yet. Tests their switches unless other parts are named.",
)
def selftest(file: Path, only: str, chips: int | None, **chosen: bool) -> None:
    """Test every device.

    Tests lamps, switches, keys and screens, or the named ones, one after another: says what to look for, and at the end
    reports each device. The status is 1 if any was lost, failed or was not tested.
    """
    config = load(file, partial=True)
    if chips is not None:
        config = with_chips(config, chips)  # raises if there is no chain of chips, or no chip of that number
    if only and not chosen[STATIONS]:
        raise click.UsageError(
            "--only: is for --stations; add --stations, or leave --only out", click.get_current_context()
        )
    stations = _numbers(only, config, "switches")
    with closing(_devices(config)) as backend:
        _check_read(stations, backend, config)
        parts = [part for part in (*PARTS, STATIONS) if chosen[part]] or (PARTS if chips is None else ["switches"])
        trial = self_test(config, backend, namer(backend.switches), parts, stations)
        _carry_out(config, backend, trial, lambda lines: echo(*lines))
    if trial.bad:
        raise click.ClickException(
            f"the self-test failed for {', '.join(trial.bad)}; the lines above say what to repair"
        )


@click.command()
@click.argument("file", metavar="CONFIG", type=FILE)
@click.option("--out", metavar="FILE", type=FILE, help="Where to write; a file beside CONFIG by default.")
def measure(file: Path, out: Path | None) -> None:
    """Measure where switches close and open.

    Shows the switch of a station while you move a pawn over millimetre paper, and notes the distances that you type.
    `yardboard make --measured` then checks the board by them. A station that is measured again gets more directions.
    """
    try:
        config = load(file)
        exercise = MeasureReach(config, out or file.with_suffix(".measured.toml"))
        with closing(_devices(config, "switches")) as backend:

            def save_then_say(lines: Sequence[str]) -> None:
                exercise.save()
                echo(*lines)

            _carry_out(config, backend, exercise, save_then_say)
        echo(*exercise.summary())
        _require_found(exercise)
    except (BrokenPipeError, HardwareError):
        raise
    except OSError as error:
        why = writing_fault(error.filename, error, "name another file with --out")
        raise click.ClickException(printable(why)) from None


def _devices(config: Config, *needed: str) -> Backend:
    """Create a board's devices. A device that fails and is not needed counts as lost."""
    from firmware_host.table.device_factory import make_devices  # noqa: PLC0415 - no other command needs the drivers

    return make_devices(config, SystemClock(), needed=needed)


def _require_found(exercise: Exercise | None) -> None:
    """Check that an exercise did not end while it waited for a lost device."""
    if exercise is not None and exercise.lacks_device:
        raise click.ClickException("ended while a device was lost; the line above names it: repair it and try again")


def _numbers(text: str, config: Config, what: str) -> tuple[int, ...]:
    known = {str(row): row for row in rows(config, what)}
    words = [word.strip() for word in text.split(",")] if text else []
    for word in words:
        if word not in known:
            kind = "window of the log" if what == "log" else "station"
            right = f"{kind.partition(' ')[0]}s are {number_range(known.values())}"
            right = right if word.isdecimal() else "write numbers with commas between: 58,74"
            message = f"--only: {word!r} is no {kind} of {config.source}; {right}"
            raise click.UsageError(message, click.get_current_context())
    return tuple(dict.fromkeys(known[word] for word in words))


def _check_read(stations: Sequence[int], backend: Backend, config: Config) -> None:
    """Check that the chips to be read have inputs for the stations chosen with --only."""
    inputs = zip(config.layout.stations, config.layout.switch_inputs, strict=True)
    there = [station for station, number in inputs if number < backend.switches.count]
    if missing := [station for station in stations if station not in there]:
        known = ", ".join(map(str, there))
        message = f"--only: station {missing[0]} is not on the chips that are read; stations there: {known}"
        raise click.UsageError(message, click.get_current_context())


def _carry_out(config: Config, backend: Backend, exercise: Exercise, show: Callable[[Sequence[str]], None]) -> None:
    """Run an exercise in real time. At its end, turn all lamps and screens off."""
    for end_signal in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(end_signal, lambda number, _: sys.exit(128 + number))
    bench = Workbench(backend, exercise, show, samples=config.switches.samples)
    terminal = Terminal()
    try:
        while not bench.done:
            bench.step()
            for line in terminal.lines(1 / config.switches.scan_hz):
                bench.line_typed(line)
    finally:
        bench.turn_off()


@click.command()
@click.argument("file", metavar="CONFIG", type=FILE)
def doctor(file: Path) -> None:
    """Check this machine.

    Compares it with a configuration: groups, device files, kernel settings, packages, power, the journal's place. The
    status is 1 if anything is found that cannot work.
    """
    config = load(file)
    config.require_devices()
    findings = check_machine(config)
    echo(*describe_findings(findings))
    errors = sum(finding.level == "error" for finding in findings)
    if errors:
        things = f"{errors} thing{'s' if errors > 1 else ''}"
        raise click.ClickException(f"{things} to repair before this board can work; see ERROR above")


@click.group()
def firmware() -> None:
    """Maintain the microcontrollers under the board and in the handset."""


@firmware.command("install")
@click.option("--port", help="Its serial port or its number; the only Pico there is by default.")
@click.option(
    "--for",
    "program",
    type=click.Choice(list(PROGRAMS)),
    default="switches",
    show_default=True,
    help="What the Pico serves: the switches under the board, or Mister X's handset.",
)
def install_firmware(port: str | None, program: str) -> None:
    """Write the program to a Pico.

    It must already run MicroPython: see docs/build.md. Every step is printed and checked.
    """
    install(port, click.echo, program=program)


COMMANDS: tuple[click.Command, ...] = (doctor, firmware, measure, selftest, wiring)
"""The commands of this module, for the command line."""
