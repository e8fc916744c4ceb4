"""Write the guide to a small board that is built in an afternoon, from the order to the first game.

Its readers have never soldered. `afternoon.md` is its text, with gaps in braces and drawings and tables in brackets.
Here the configuration and its plan fill both: parts, prices, pins, the order of the lamps. The last two pages are the
drill template and the map, on A3.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import groupby, zip_longest
from pathlib import Path

from firmware_host.commissioning.diagrams.pi_header import leads
from firmware_host.config.loader import Config
from firmware_host.maker import afternoon_drawings as drawings
from firmware_host.maker import drill_template, printed_map
from firmware_host.maker.board_plan import A3_ROOM, FROM_BELOW, PRINTED, BoardPlan, Cut
from firmware_host.maker.paper_pages import divide_sheet
from firmware_host.maker.parts_list import PRICES_OF, cost, hours, parts_list
from firmware_host.maker.reading_pages import ReadingPages
from firmware_host.maker.switch_reach import MeasuredPair, Switch
from firmware_host.maker.wire_list import CutWire, fits_string, wire_list

GROUNDS = {"GROUND": drawings.GROUND_OF_REEDS, "KEYS GROUND": 20, "screen: GND": 9, "POWER GROUND": 6}
"""What is plugged on a ground pin of the header -> the number of this pin."""
SCREEN_POWER = 1
"""The pin of 3.3 V for the screen."""
SUITE, DEBIAN, OTHER_DEBIAN = "trixie", 13, 12
"""Name and number of the Debian in the Raspberry Pi OS that Imager offers; number of the other Debian with packages."""
TEST_PARTS = (
    ("lamps", "One after another shines red, green, blue; then all are white for two seconds.", "automatically"),
    (
        "switches",
        "Set a pawn on each 3 mm hole. The lamp above it turns green and stays so.",
        "after the last, or Enter",
    ),
    ("keys", "Press each key that the terminal names: table.confirm, table.back.", "after both; Enter skips one"),
    ("screens", "The screen shows a frame, its name, a number and two chequered fields.", "Enter, or CONFIRM"),
)
"""The parts of the self-test, what happens in each, and what ends it."""

_MEASUREMENTS = (
    ("red connector", "black connector 1", "silent (a short beep at first is right: the capacitor fills)"),
    ("red connector", "pin 1 of the Pi", "silent"),
    ("red connector", "pin 2 of the Pi", "silent"),
    ("pin 1 of the Pi", "black connector 1", "silent"),
    ("black connector 2", "pin 39 of the Pi", "beeps"),
    ("pin 39 of the Pi", "lower wire of each reed", "beeps"),
    ("pin 39 of the Pi", "each pin named reed in the drawing of section 6", "silent: no pawn is on the board"),
    ("pin 39 of the Pi", "pin 16 of the Pi", "beeps only while CONFIRM is pressed"),
    ("pin 39 of the Pi", "pin 18 of the Pi", "beeps only while BACK is pressed"),
)
_IMAGER = (
    ("Hostname", "General: Set hostname", "yardboard"),
    ("User", "General: Set username and password", "pi, and a password of your own"),
    ("Wi-Fi", "General: Configure wireless LAN", "name and password of your network, of 2.4 GHz"),
    ("Remote access (SSH)", "Services: Enable SSH", "on, with a password (password authentication)"),
)
_NO_LOGIN = (
    (
        "Could not resolve hostname",
        (
            "Open your router's page, look for yardboard, and type its number, such as 192.168.1.7, instead of "
            "yardboard.local. If it is not there: the network's name or password on the card is wrong, or its 2.4 GHz "
            "are off. Write the card again."
        ),
    ),
    ("Connection timed out, or refused", "The Pi is still starting. Wait five more minutes; then as above."),
    ("Permission denied", "The password or the name pi is wrong. If you do not know them, write the card again."),
    ("REMOTE HOST IDENTIFICATION HAS CHANGED", "You wrote the card again. Type ssh-keygen -R yardboard.local first."),
)
_FAULTS = (
    ("all lamps stay dark", "The fuse, a loose screw of the jack, or the data: pin 19, a4, c5, c11, a11, DIN."),
    ("the fuse has blown", "A red and a black wire touch: measure again as in section 7, then put in a new fuse."),
    ("lamps are dark from one on", "The wires between that lamp and the one before it."),
    ("lamps flicker", "Ground: POWER GROUND on pin 6, black connectors 1 and 2, j1 and g1 of the breadboard."),
    (
        "red and green are exchanged",
        'Type nano table.toml, change order = "GRB" to order = "RGB", then Ctrl-O, Enter, Ctrl-X.',
    ),
    ("a reed never closes", "Its joints, its socket on the Pi, or the magnet: repeat the test of section 4."),
    ("a reed is always closed", "Its jumper wire touches a lower wire, or a magnet is near it."),
    ("another station answers", "Two sockets on the Pi are exchanged: exchange them."),
    ("two stations answer one pawn", "Their jumper wires or joints touch each other: push them apart, or use tape."),
    ("a key does nothing", "Its two joints, and KEYS GROUND."),
    ("the screen stays dark", "Its four wires: screens have their pins in different orders, so go by the names."),
    (
        "the picture is upside down",
        "Type nano table.toml, change true to false at upside_down, then Ctrl-O, Enter, Ctrl-X.",
    ),
    ("an error with the word Permission", "Type sudo reboot, log in after a minute, and repeat the test."),
)


def why_not(config: Config, plan: BoardPlan) -> str:
    """Return why a board cannot be built in an afternoon, or "" if it can."""
    if config.simulated:
        return config.simulation
    if plan.switch is Switch.HALL or plan.cover is not PRINTED:
        return "the guide is for a printed map over reeds"
    where = f"[board] width_mm = {config.board.width_mm}"
    if not plan.on_one_a3:
        (wide, high), needed = A3_ROOM, f"{plan.width:.0f} × {plan.height:.0f} mm"
        over = " and ".join(
            f"{more:.0f} mm {what}"
            for more, what in ((plan.width - wide, "wider"), (plan.height - high, "higher"))
            if more > 0
        )
        return f"{where}: the panel is {needed}, and A3 shows {wide:g} × {high:g} mm: it is {over}"
    if left_out := _not_described(config, plan):
        return left_out
    overlap = drawings.find_overlap(plan)
    return f"{where}: under the panel {overlap}; widen the board" if overlap else ""


def _not_described(config: Config, plan: BoardPlan) -> str:
    """Return why the guide does not suit a board, or "" if it does."""
    if isinstance(plan.pair, MeasuredPair):
        return "--measured: the guide is for the reed and the magnet that it lists; leave it out"
    if config.switches.driver != "gpio":
        return f'[switches] driver = "{config.switches.driver}": only "gpio" needs nothing between reed and Pi'
    if not fits_string(config, plan):
        return "[lamps.wiring]: a string of lamps is too short for this order; yardboard make short-wires may help"
    if config.display.driver != "oled" or config.sections["display"].bus != "i2c-1":
        return '[display]: the guide describes driver = "oled" on bus = "i2c-1"'
    return ""


def draw_guide_pdf(config: Config, plan: BoardPlan) -> bytes:
    """Draw the guide as a PDF: pages of A4 to read, then the template and the map on A3.

    Args:
        config: a board for which `why_not` is empty.
        plan: its plan.

    Raises:
        NoArtwork: the map has no artwork.
    """
    gaps, inserts = _gaps(config, plan), _inserts(config, plan)
    title, _, text = _text().format_map(gaps).partition("\n")
    pages = ReadingPages(title.removeprefix("# "))
    for block in re.split(r"\n{2,}", text.strip()):
        if block.startswith("["):
            inserts[block.strip("[]")](pages)
        elif block.startswith("## "):
            pages.head(block[3:])
        elif block.startswith("```"):
            pages.code(*block.splitlines()[1:-1])
        elif re.match(r"\d+\. ", block):
            for line in block.splitlines():
                number, _, step = line.partition(". ")
                pages.step(int(number), _marked(step))
        else:
            pages.say(_marked(block))
    _add_sheets(pages, config, plan)
    return pages.finish()


def _text() -> str:
    return files("firmware_host.maker").joinpath("afternoon.md").read_text(encoding="utf-8")


def _marked(text: str) -> str:
    """Return a text with ReportLab's markup in place of Markdown's."""
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    text = re.sub(r"`(.+?)`", r'<font name="Courier">\1</font>', text)
    return re.sub(r"\*(.+?)\*", r"“\1”", text)


def _gaps(config: Config, plan: BoardPlan) -> dict[str, object]:
    """Return the values that fill the braces in `afternoon.md`: name -> value."""
    low, high = cost(parts_list(config, plan))
    names = drawings.lamp_names(config)
    (screen,) = plan.of(Cut.SCREEN)
    wide, tall = math.ceil(plan.width), math.ceil(plan.height)
    stations, keys = len(config.layout.stations), len(config.sections["keys"].table)
    return {
        "stations": stations, "lamps": len(names), "joints": 2 * (stations + keys),
        "low": f"{low:.0f}", "high": f"{high:.0f}", "price": math.ceil(high / 10) * 10, "prices_of": PRICES_OF,
        "hours": f"{hours(config, plan):g}", "wide": wide, "tall": tall, "short_strip": tall - 20,
        "reeds": len(plan.of(Cut.REED)), "lights": len(plan.of(Cut.LIGHT)), "first": names[0],
        "screen": f"{screen.width:g} × {screen.height:g}", "print": _print_size(plan),
        "notch": _notch(plan), "magnet_hole": f"{plan.pair.magnet[0] + 0.2:g}",
        "first_ground": _ground_wires(config, plan)[0].end.removeprefix("reed "), "links": len(drawings.LINKS),
        "way": "; ".join(_way(names)), "build": Path(config.source).stem,
        "suite": SUITE, "debian": DEBIAN, "other_debian": OTHER_DEBIAN, **config.network.starts,
    }  # fmt: skip


def _print_size(plan: BoardPlan) -> str:
    """Return the width and height of the printed map in mm, such as "250 × 180"."""
    return f"{plan.print_width:.0f} × {plan.print_height:.0f}"


def _notch(plan: BoardPlan) -> int:
    """Return how many mm the frame's notch for the cables is from the left end, seen from below.

    The distance is to the notch's middle.
    """
    left, _, width, _ = drawings.spots(plan)["notch"]
    return round(plan.width - left - width / 2)


def _way(names: list[str]) -> Iterator[str]:
    """Yield a text for each lamp of the string, in order, about the place that it lights.

    Neighbouring lamps of the top row share a text.
    """
    numbered = enumerate(names, 1)
    for in_row, group in groupby(numbered, lambda lamp: lamp[1].startswith("log ")):
        lamps = list(group)
        (first, window), (last, end) = lamps[0], lamps[-1]
        if in_row:
            begin, end = window.removeprefix("log "), end.removeprefix("log ")
            yield f"lamps {first} to {last} are {begin} to {end} of the row at the top"
        else:
            yield from (f"lamp {number} is station {name}" for number, name in lamps)


def _inserts(config: Config, plan: BoardPlan) -> Mapping[str, Callable[[ReadingPages], None]]:
    """Return the functions that add drawings and tables to the pages, by the names in `afternoon.md`."""

    def from_below(pages: ReadingPages) -> None:
        words = (
            "The underside at scale, with the keys at your side. Orange: the string of lamps, numbered from its "
            "beginning. Black: the wire that joins the lower wires of all reeds, and leads to pin 39. Blue: each "
            "reed's own wire, on to its pin of the Pi. Grey: the cables of both supplies, through the notch."
        )
        pages.drawing(*drawings.below_size(plan), lambda canvas: drawings.draw_from_below(canvas, config, plan), words)

    def links(pages: ReadingPages) -> None:
        rows = [
            (str(number), what, f"{one[0]}{one[1]}", f"{other[0]}{other[1]}", joins)
            for number, (what, one, other, joins) in enumerate(drawings.LINKS, 1)
        ]
        pages.table(("", "carries", "from", "to", "joins"), rows, (8, 24, 20, 20, 80))

    return {
        "from above": lambda pages: pages.drawing(
            drawings.ABOVE,
            drawings.panel_height(plan, drawings.ABOVE),
            lambda canvas: drawings.draw_from_above(canvas, config, plan),
            "The finished board, from above.",
        ),
        "holes": lambda pages: pages.drawing(
            *drawings.HOLES,
            lambda canvas: drawings.draw_holes(canvas, plan),
            "The holes, not at true size. Bold: the numbers of the stations.",
        ),
        "parts": lambda pages: _add_parts(pages, config, plan),
        "from below": from_below,
        "station": lambda pages: pages.drawing(
            *drawings.STATION, drawings.draw_station, "A station, cut through and three times as large as it is."
        ),
        "ground wires": lambda pages: _add_ground_wires(pages, _ground_wires(config, plan)[1:]),
        "breadboard": lambda pages: pages.drawing(*drawings.BREADBOARD, drawings.draw_breadboard),
        "links": links,
        "power": lambda pages: pages.drawing(
            *drawings.SUPPLY, lambda canvas: drawings.draw_supply(canvas, config), "The way of the power."
        ),
        "header": lambda pages: pages.drawing(
            *drawings.HEADER,
            lambda canvas: drawings.draw_header(canvas, dict(wired_pins(config))),
            "The Pi's pins as you see them: the panel's underside up, the Pi's flat side on the wood, keys at "
            "your side. The lower row is at the frame.",
        ),
        "screen": lambda pages: pages.drawing(
            *drawings.SCREEN,
            lambda canvas: drawings.draw_screen(canvas, plan),
            "The screen, from below. Boards differ by 1 or 2 mm, so go by the picture that the screen shows.",
        ),
        "new page": lambda pages: pages.new_page(),
        "boot lines": lambda pages: pages.code(
            *(f"echo '{line}' | sudo tee -a /boot/firmware/config.txt" for line in ("[all]", *boot_lines(config))),
            "echo i2c-dev | sudo tee /etc/modules-load.d/i2c-dev.conf",
            "sudo reboot",
        ),
        "measurements": lambda pages: pages.table(("one tip", "other tip", "right"), _MEASUREMENTS, (40, 45, 90)),
        "imager": lambda pages: pages.table(("Imager 2", "Imager 1.8 and 1.9", "what to set"), _IMAGER, (40, 58, 77)),
        "no login": lambda pages: pages.table(("what the terminal says", "what to do"), _NO_LOGIN, (55, 120)),
        "test parts": lambda pages: pages.table(("part", "what happens", "it ends"), TEST_PARTS, (20, 105, 50)),
        "faults": lambda pages: pages.table(("what you see", "what to look at"), _FAULTS, (50, 125)),
    }


def _add_parts(pages: ReadingPages, config: Config, plan: BoardPlan) -> None:
    parts = parts_list(config, plan)
    low, high = cost(parts)
    rows = [(str(part.count), part.name, part.package, part.makers, part.avoid, part.each) for part in parts]
    rows.append(("", "all together", "", "", "", f"{low:.0f}–{high:.0f}"))
    pages.table(("", "part", "form", "for example", "do not buy", "€ each"), rows, (7, 43, 46, 33, 32, 17))


def _ground_wires(config: Config, plan: BoardPlan) -> list[CutWire]:
    return [wire for wire in wire_list(config, plan) if wire.module == "reeds, ground"]


def _add_ground_wires(pages: ReadingPages, wires: list[CutWire]) -> None:
    rows = [(wire.start.removeprefix("reed "), wire.end.removeprefix("reed "), f"{wire.length} mm") for wire in wires]
    _add_two_columns(pages, ("from reed", "to reed", "length"), rows, (25, 25, 35))


def _add_two_columns(
    pages: ReadingPages, head: tuple[str, ...], rows: Sequence[tuple[str, ...]], widths: tuple[float, ...]
) -> None:
    """Add a table in two columns: its second half is beside the first."""
    half = math.ceil(len(rows) / 2)
    both = zip_longest(rows[:half], rows[half:], fillvalue=("",) * len(head))
    pages.table(head * 2, [(*one, *other) for one, other in both], widths * 2)


def wired_pins(config: Config) -> Iterator[tuple[int, str]]:
    """Yield each used pin of the header, and the wire on it."""
    for station, pin in drawings.reed_pins(config).items():
        yield pin, f"reed {station}"
    for lead in leads(config):
        if not lead.end:
            continue
        if lead.owner == "keys":
            yield lead.pin, f"key {lead.key.rpartition(' ')[2].upper()}"
        elif lead.owner == "display":
            yield lead.pin, f"screen: {lead.end.rpartition(' ')[2]}"
        elif lead.owner == "lamps":
            yield lead.pin, "breadboard a4"
    yield SCREEN_POWER, "screen: VCC"
    yield from ((pin, what) for what, pin in GROUNDS.items())


def boot_lines(config: Config) -> list[str]:
    """Return the lines for /boot/firmware/config.txt, from the comment at the top of a configuration."""
    head = Path(config.source).read_text(encoding="utf-8").partition("\n[")[0]
    return re.findall(r"^#   ((?:dt\w+|core_freq\w*)=\S+)", head, re.MULTILINE)


def _add_sheets(pages: ReadingPages, config: Config, plan: BoardPlan) -> None:
    """Add the template and the map, each on a page of A3."""
    panel, paper = divide_sheet(plan.width, plan.height, "A3"), divide_sheet(plan.print_width, plan.print_height, "A3")
    (part,), (whole,) = panel.parts, paper.parts
    pages.sheet(
        *panel.page, lambda canvas: drill_template.draw_part(canvas, plan, panel, part, "seen from above", FROM_BELOW)
    )
    pages.sheet(*paper.page, lambda canvas: printed_map.draw_part(canvas, config, plan, paper, whole))
