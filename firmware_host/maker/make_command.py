"""Define the command `yardboard make`, which writes the drawings and lists for building a board."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import click

from firmware_host.commissioning.measure_reach import read_reach
from firmware_host.commissioning.wiring_file import with_wirings, write_in_place
from firmware_host.config.loader import Config, load, parse
from firmware_host.maker import parts_list
from firmware_host.maker.board_fit import read_fit
from firmware_host.maker.board_plan import BoardPlan, Cut, plan_board
from firmware_host.maker.chip_module import PANEL_COLUMNS, chip_module, panel_rows
from firmware_host.maker.circuit import Circuit
from firmware_host.maker.cross_section import MEASURE_FIRST, check_layout, needs_measuring
from firmware_host.maker.head_board import head_board
from firmware_host.maker.kicad_files import write_board, write_project, write_schematic
from firmware_host.maker.maker_errors import MakerError, NoElectronics, NotForAnAfternoon, PartLeftOut
from firmware_host.maker.switch_reach import Reach, Switch
from firmware_host.maker.track_router import route
from firmware_host.maker.wire_list import as_csv, on_chips, reed_and_lamp_metres, short_wiring, totals, wire_list
from firmware_host.system.plain_faults import writing_fault
from firmware_host.system.printable import printable
from firmware_host.system.terminal import FILE, echo
from hardware.ports import install_extra

PAPER_NAMES = ("A4", "A3", "Letter", "sheet")
"""The keys of `paper_pages.PAPERS`, repeated here because that module needs the extra `make`."""


class Output(NamedTuple):
    """One file of the pack: its name, its use ("" if only another file uses it), and its drawing function."""

    name: str
    use: str
    draw: Callable[[], bytes]


def _drill(_config: Config, plan: BoardPlan, paper: str) -> Sequence[Output]:
    from firmware_host.maker import drill_template  # noqa: PLC0415 - needs the extra

    def pdf(below: bool) -> bytes:
        return drill_template.draw_pdf(plan, paper, below=below)

    def dxf(below: bool) -> bytes:
        return drill_template.draw_dxf(plan, below=below).encode()

    print_it = "print at 100 %, glue it on the panel"
    pockets = ", mill pockets" if plan.of(Cut.LAMP) else ""
    return (
        Output(f"drill-{paper}.pdf", f"{print_it}, and drill from above", lambda: pdf(below=False)),
        Output(f"drill-below-{paper}.pdf", f"{print_it}'s back: drill from below{pockets}", lambda: pdf(below=True)),
        Output("drill.dxf", "for a mill or a laser; a layer for each tool, in millimetres", lambda: dxf(below=False)),
        Output("drill-below.dxf", "the same as seen from below", lambda: dxf(below=True)),
    )


def _print(config: Config, plan: BoardPlan, paper: str) -> Sequence[Output]:
    from firmware_host.maker import printed_map, printed_tiles  # noqa: PLC0415 - needs the extra
    from firmware_host.maker.paper_pages import divide_sheet  # noqa: PLC0415 - needs the extra

    if printed_tiles.has_tiles(config):
        use = "print at 100 %, glue both sides of each tile on 1.5 mm, and punch the holes for the light"
        return [Output("tiles-A4.pdf", use, lambda: printed_tiles.draw_tiles_pdf(config, plan))]
    printed_map.artwork_of(config.layout.network)  # so that a map without artwork is reported before anything is drawn
    pages = len(divide_sheet(plan.print_width, plan.print_height, paper).parts)
    sheets = {
        paper: "print at 100 %, cut at the marks" + (f", and glue the {pages} pages together" if pages > 1 else ""),
        "sheet": f"for a print shop: {plan.print_width:.1f} × {plan.print_height:.1f} mm at 100 %, with 3 mm of bleed",
    }
    return [
        Output(f"map-{name}.pdf", use, lambda name=name: printed_map.draw_map_pdf(config, plan, name))  # type: ignore[misc]
        for name, use in sheets.items()
    ]


def _section(_config: Config, plan: BoardPlan, paper: str) -> Sequence[Output]:
    from firmware_host.maker import section_drawing  # noqa: PLC0415 - needs the extra

    name = "A4" if paper == "sheet" else paper
    use = "a station cut open and enlarged, with every measure; keep it beside you while you drill"
    return (Output(f"section-{name}.pdf", use, lambda: section_drawing.draw_section_pdf(plan, paper)),)


def _parts(config: Config, plan: BoardPlan, _paper: str) -> Sequence[Output]:
    parts = parts_list.parts_list(config, plan)
    low, high = parts_list.cost(parts)
    use = f"what to buy: {low:.0f} to {high:.0f} euros; about {parts_list.hours(config, plan):g} hours of work"
    return (
        Output("parts.pdf", use, lambda: parts_list.draw_parts_pdf(config, plan)),
        Output("parts.csv", "the same for a spreadsheet", lambda: parts_list.as_csv(parts).encode()),
    )


def _wires(config: Config, plan: BoardPlan, paper: str) -> Sequence[Output]:
    from firmware_host.maker import wire_pages  # noqa: PLC0415 - needs the extra

    wires = wire_list(config, plan)
    metres = sum(totals(wires).values())
    return (
        Output(
            "wires.csv",
            f"{len(wires)} wires to cut, {metres:.0f} m, in the order of assembly",
            lambda: as_csv(wires).encode(),
        ),
        Output(
            f"wires-{paper}.pdf",
            "pictures of where they run, and the same list to tick off",
            lambda: wire_pages.draw_wires_pdf(plan, wires, paper),
        ),
    )


def _circuits(config: Config) -> list[Circuit]:
    """Return a board's circuits: the module of a chain of chips, if it has one, then the board at the Pi.

    Raises:
        NoElectronics: the board is simulated.
    """
    if config.simulated:
        raise NoElectronics(config.simulation)
    return [chip_module(config), head_board(config)] if on_chips(config) else [head_board(config)]


def _project(circuits: Sequence[Circuit], names: Iterable[str]) -> Iterator[Output]:
    for name, text in write_project(circuits, names).items():
        yield Output(f"kicad/{name}", "", text.encode)


def _schematic(config: Config, _plan: BoardPlan, _paper: str) -> Sequence[Output]:
    circuits = _circuits(config)
    sheets = [
        Output(f"kicad/{one.name}.kicad_sch", f"schematic for KiCad 9: {one.title}", write_schematic(one).encode)
        for one in circuits
    ]
    return [*_project(circuits, [one.name for one in circuits]), *sheets]


def _pcb(config: Config, _plan: BoardPlan, _paper: str) -> Sequence[Output]:
    circuits = _circuits(config)
    boards = {}
    for circuit in circuits:
        tracks = route(circuit)
        wide, high = circuit.size
        boards[circuit.name] = f"{circuit.title}, {wide:.1f} × {high:.1f} mm", write_board(circuit, tracks)
        if circuit.name == "module":
            columns, rows = PANEL_COLUMNS, panel_rows(config)
            words = (
                f"{columns * rows} of them as a panel to order, {columns * wide:.1f} × {rows * high:.1f} mm with v-cuts"
            )
            boards["panel"] = words, write_board(circuit, tracks, columns=columns, rows=rows)
    outputs = [Output(f"kicad/{name}.kicad_pcb", words, text.encode) for name, (words, text) in boards.items()]
    return [*_project(circuits, boards), *outputs]


def _afternoon(config: Config, plan: BoardPlan, _paper: str) -> Sequence[Output]:
    from firmware_host.maker import afternoon_guide  # noqa: PLC0415 - needs the extra

    if why := afternoon_guide.why_not(config, plan):
        raise NotForAnAfternoon(f"{why}; config/junior-a3.toml is a board for an afternoon")
    use = "read it first: from the order to the first game; print its last two pages on A3 at 100 %"
    return (Output("afternoon.pdf", use, lambda: afternoon_guide.draw_guide_pdf(config, plan)),)


def _case(
    config: Config,
    _plan: BoardPlan,
    _paper: str,
    board: tuple[float, float] | None = None,
    holes: tuple[float, float] | None = None,
) -> Sequence[Output]:
    from firmware_host.maker import case_drawing, handset_case  # noqa: PLC0415 - needs the extra

    case = handset_case.plan_case(config, board, holes)

    def stl(build: Callable[[handset_case.CasePlan], Any]) -> bytes:
        return handset_case.as_stl(handset_case.printed(build(case)))

    use = "the handset's case at 1:1 with its measures: check your screen's board against it"
    close = "print it as it lies; four screws of 3 × 10 mm close the case"
    return (
        Output("case.svg", use, lambda: case_drawing.draw_case(case).encode()),
        Output("case-front.stl", "print it as it lies, without supports", lambda: stl(handset_case.front)),
        Output("case-lid.stl", close, lambda: stl(handset_case.lid)),
    )


Part = Callable[[Config, BoardPlan, str], Sequence[Output]]
"""Returns a part's files, from the configuration, the board's plan and the paper's name."""

PARTS: dict[str, Part] = {
    "afternoon": _afternoon,
    "parts": _parts,
    "drill": _drill,
    "print": _print,
    "section": _section,
    "wires": _wires,
    "schematic": _schematic,
    "pcb": _pcb,
    "case": _case,
}
"""The parts of the pack by name, in the order of their use."""


@click.group()
def make() -> None:
    """Write what you need to build a board.

    Drawings at true size, files for machines, and lists, all from the board's own configuration.
    """


class BoardChoices(NamedTuple):
    """The options of `make` that change a board's plan: the kind of switch, and measurements.

    Attributes:
        switch: the kind of switch under a station.
        fit: the file of stations measured on a board that the maker owns; None for a printed map.
        measured: the file that `yardboard measure` has written; None for the data sheets' distances.
    """

    switch: str
    fit: Path | None
    measured: Path | None

    def plan(self, config: Config) -> tuple[BoardPlan, list[str]]:
        """Return the plan of a board, and lines about its fit, its measurements and what to measure first.

        Raises:
            ConfigError: a file cannot be used.
            MakerError: the board cannot be built.
        """
        fit = None if self.fit is None else read_fit(self.fit, config.layout.positions_mm(config.board.width_mm))
        reach = None if self.measured is None else Reach(*read_reach(self.measured, config.layout.stations))
        lines = [] if fit is None else [fit.describe()]
        if reach is not None:
            lines.append(f"Measured: switches close up to {reach.closes:g} mm and have opened at {reach.opens:g} mm.")
        plan = plan_board(config, Switch(self.switch), fit, reach)
        check_layout(plan)
        if needs_measuring(plan):
            lines.append(MEASURE_FIRST)
        return plan, lines


def _board_options(command: Callable[..., None]) -> Callable[..., None]:
    kinds = click.Choice([kind.value for kind in Switch])
    for option in (
        click.option("--measured", metavar="FILE", type=FILE, help="What `yardboard measure` has written."),
        click.option("--fit", metavar="FILE", type=FILE, help="Stations measured on a board that you own."),
        click.option("--switch", type=kinds, default="reed", show_default=True, help="The switch under a station."),
    ):
        command = option(command)
    return command


def _part(name: str, words: str) -> None:
    @make.command(name, help=words)
    @click.argument("file", metavar="CONFIG", type=FILE)
    @click.option("--out", metavar="FOLDER", type=click.Path(path_type=Path, file_okay=False), help="Where to write.")
    @click.option("--paper", type=click.Choice(PAPER_NAMES), default="A4", show_default=True, help="What to print on.")
    @_board_options
    def command(file: Path, out: Path | None, paper: str, **chosen: Any) -> None:
        parts = PARTS if name == "all" else {name: PARTS[name]}
        _write(file, out or Path(f"{file.stem}-make"), paper, parts, BoardChoices(**chosen))


_part("all", "Write everything below.")
_part("afternoon", "Write the guide to a small board, from the order to the first game.")
_part("parts", "Write the list of parts to buy.")
_part("drill", "Write the drill template, as pages and for machines.")
_part("print", "Write the printed map at true size.")
_part("section", "Write the cross-section of a station.")
_part("wires", "Write the list of wires to cut.")
_part("schematic", "Write the circuits of the chips' modules and of the board at the Pi, for KiCad.")
_part("pcb", "Write these circuits as boards with their tracks, and a panel of modules, for KiCad and fabs.")


@make.command("case")
@click.argument("file", metavar="CONFIG", type=FILE)
@click.option("--out", metavar="FOLDER", type=click.Path(path_type=Path, file_okay=False), help="Where to write.")
@click.option("--screen-board", type=(float, float), metavar="W H", help="Your screen's board in mm, as measured.")
@click.option("--screen-holes", type=(float, float), metavar="W H", help="The distances of its holes in mm.")
@_board_options
def case_command(
    file: Path,
    out: Path | None,
    screen_board: tuple[float, float] | None,
    screen_holes: tuple[float, float] | None,
    **chosen: Any,
) -> None:
    """Write the handset's case for a 3-D printer."""
    case = partial(_case, board=screen_board, holes=screen_holes)
    _write(file, out or Path(f"{file.stem}-make"), "", {"case": case}, BoardChoices(**chosen))


@make.command("short-wires")
@click.argument("file", metavar="CONFIG", type=FILE)
@click.option("--out", metavar="FILE", type=FILE, help="Where to write; a new file beside CONFIG by default.")
@_board_options
def short_wires(file: Path, out: Path | None, **chosen: Any) -> None:
    """Write a copy of CONFIG that takes less wire.

    For a board that is not soldered yet: reeds that are near each other share a chip, and the lamps' chain goes on to a
    near lamp. CONFIG itself stays as it is.
    """
    target = out or file.with_name(f"{file.stem}-short.toml")
    with _complaining(file):
        config = load(file)
        plan, _ = BoardChoices(**chosen).plan(config)
        before = reed_and_lamp_metres(config, plan)
        text = with_wirings(file.read_bytes().decode(), short_wiring(config, plan))
        after = reed_and_lamp_metres(parse(text, str(target), folder=file.parent), plan)
        if target.exists():
            raise click.ClickException(printable(f"{target}: exists already; name a new file with --out"))
        write_in_place(target, text)
    for what, long, short in zip(("From chips to reeds", "From lamp to lamp"), before, after, strict=True):
        if long:
            click.echo(f"{what}: {short:.1f} m instead of {long:.1f} m")
    echo(f"Written: {target}")


@contextmanager
def _complaining(file: Path) -> Iterator[None]:
    """Report errors about a board or a file within the `with` as one message of the command."""
    try:
        yield
    except MakerError as error:
        raise click.ClickException(printable(f"{file}: {error}")) from None
    except OSError as error:
        why = writing_fault(error.filename, error, "name another place with --out")
        raise click.ClickException(printable(why)) from None


def progress(outputs: Sequence[Output], stream: TextIO) -> Iterator[Output]:
    """Yield the files one after another. In a terminal, show a bar with the file that is being drawn."""
    if not stream.isatty():
        yield from outputs
        return
    with click.progressbar(outputs, label="Drawing", file=stream, item_show_func=lambda one: one and one.name) as shown:
        yield from shown


def _write(file: Path, folder: Path, paper: str, parts: Mapping[str, Part], choices: BoardChoices) -> None:
    missing = [name for name in ("reportlab", "ezdxf", "svglib", "manifold3d") if find_spec(name) is None]
    if missing and not {*parts} <= {"schematic", "pcb"}:
        raise click.ClickException(f"make needs {missing[0]}; install with: {install_extra('make')}")
    with _complaining(file):
        config = load(file)
        plan, notes = choices.plan(config)
        found: dict[str, Output] = {}
        left_out = []
        for part, draw in parts.items():
            try:
                found |= {output.name: output for output in draw(config, plan, paper)}
            except PartLeftOut as error:
                if len(parts) == 1:
                    raise
                left_out.append(f"Left out: {part}: {error}")
        drawn: dict[str, bytes] = {}
        for output in progress(list(found.values()), sys.stderr):
            try:
                drawn[output.name] = output.draw()
            except PartLeftOut as error:
                if len(parts) == 1:
                    raise
                left_out.append(f"Left out: {output.name}: {error}")
        for name, content in drawn.items():  # once all are drawn: a board that cannot be built leaves no files
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    echo(f"Written to {folder}: {len(drawn)} {'file' if len(drawn) == 1 else 'files'}.")
    outputs = [output for name, output in found.items() if output.use and name in drawn]
    width = max(len(output.name) for output in outputs)
    for output in outputs:
        echo(f"{folder / output.name.ljust(width)}  {output.use}")
    echo(*left_out, *notes)
    click.echo(printable(f"Panel {plan.width:.1f} × {plan.height:.1f} mm. {plan.limit}"))


COMMANDS: tuple[click.Command, ...] = (make,)
"""The commands of this module, for the command line."""
