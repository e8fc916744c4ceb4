"""Draw the dice game's tiles as a PDF at their true size: nine pages with both sides of a tile each.

A tile may be flipped on the tray, but is never rotated. So each of its stations is always over one of four reeds and
beside one of four lamps. A hole at each lamp lets the light through; both sides have it at the same place, because the
lamps lie straight above the reeds. A tile is a card with a print on both sides, so thin that it needs no light guide.
Nothing else covers the tray's panel, because the magnets would then be too far from the reeds.

A tile shows its streets, but no bus lines, because those depend on the layout: a bus goes straight on along streets to
the next bus stop, which may be on another tile (DI-05).
"""

from __future__ import annotations

import math
import re
from importlib.resources import files
from io import BytesIO

from reportlab.graphics import renderPDF
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from svglib.svglib import svg2rlg

from firmware_host.config.loader import Config
from firmware_host.maker.board_plan import DIAMETERS, PITCH, TILE, BoardPlan, Cut
from firmware_host.maker.maker_errors import NoArtwork, TilesTooLarge
from firmware_host.maker.paper_pages import MARGIN, draw_bar, write
from firmware_host.maker.printed_map import plain_svg
from firmware_host.rules.data.tile_file import INNER, LANES, Side, Street
from firmware_host.rules.dice.tiles import TRAY, TileSet
from firmware_host.ui.drawing.paper import tiles_artwork_name

_UNIT = 72.0
"""Distance from a tile's edge to its first place, in units of the artwork."""
_PLACES = [(x * _UNIT, y * _UNIT) for y in (1, 3) for x in (1, 3)]
_SIDE = 4 * _UNIT
_OUT = {"top": (0, -1), "bottom": (0, 1), "left": (-1, 0), "right": (1, 0)}
_EDGE_PLACES = {"top": (0, 1), "bottom": (2, 3), "left": (0, 2), "right": (1, 3)}
_LINES = (("case", 6.4), ("line", 4.2))
_STYLE = (
    ".case{fill:none;stroke:var(--taxi-case)}.line{fill:none;stroke:var(--taxi-line)}"
    ".one-way{fill:var(--taxi-line);stroke:var(--taxi-case);stroke-width:1}"
)


def has_tiles(config: Config) -> bool:
    """Return whether a game is played on tiles (DI-01)."""
    return isinstance(config.ground, TileSet)


def draw_tiles_pdf(config: Config, plan: BoardPlan) -> bytes:
    """Return all tiles as a PDF on A4 at their true size, the dark side of each at the left.

    Raises:
        NoArtwork: the configuration's game has no tiles, or they are not the shipped ones.
        TilesTooLarge: two sides of a tile do not fit on a page beside each other; the message says by how much.
    """
    tiles = config.ground
    if not isinstance(tiles, TileSet):
        raise NoArtwork(f"{config.source}: this game has no tiles; its map is printed instead")
    file = files("firmware_host.web").joinpath("static", "maps", tiles_artwork_name(tiles.digest))
    if not file.is_file():
        raise NoArtwork(f"{tiles.title}: there is no artwork for these tiles; only yardboard's own have one")
    artwork = file.read_text(encoding="utf-8")
    wide = config.board.width_mm * 2 / TRAY
    page, gap = landscape(A4), 2.0
    over = 2 * wide + gap + 2 * MARGIN - page[0] / mm
    widest = math.floor((page[0] / mm - 2 * MARGIN - gap) / 2 * TRAY / 2)
    if config.board.width_mm > widest:
        raise TilesTooLarge(
            f"[board] width_mm = {config.board.width_mm}: the two sides of a tile, next to each other, are "
            f"{over:.0f} mm wider than a page of A4; set width_mm to {widest} at most"
        )
    out = BytesIO()
    canvas = Canvas(out, pagesize=page, invariant=1)
    canvas.setTitle(f"Tiles: {tiles.title}")
    lights = _lights(plan, wide)
    for letter, tile in sorted(tiles.tiles.items()):
        left, foot = (page[0] / mm - 2 * wide - gap) / 2, (page[1] / mm - wide) / 2
        for name, side in ((letter, tile.dark), (letter.lower(), tile.light)):
            _draw_side(canvas, artwork, name, side, (left, foot), wide)
            for x, y in lights:
                canvas.setLineWidth(0.3)
                canvas.circle((left + x) * mm, (foot + wide - y) * mm, DIAMETERS[Cut.LIGHT] / 2 * mm)
            left += wide + gap
        words = f"Tile {letter}: dark side and light side, {wide:.1f} mm. Glue both on {TILE:g} mm, back to back."
        write(canvas, page[0] / mm / 2, page[1] / mm - MARGIN, words, 10, centred=True)
        words = f"Punch the four circles, {DIAMETERS[Cut.LIGHT]:g} mm, for the light of the lamps."
        write(canvas, page[0] / mm / 2, page[1] / mm - MARGIN - 6, words, 9, centred=True)
        draw_bar(canvas, page[0] / mm)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _lights(plan: BoardPlan, wide: float) -> list[tuple[float, float]]:
    """Return where the light of the four lamps comes through a tile, in mm from its left and top edges.

    Raises:
        TilesTooLarge: a lamp is not above its reed, because it has no room there.
    """
    reeds, lights = plan.places(Cut.REED), plan.places(Cut.LIGHT)
    for station, (x, y) in reeds.items():
        if math.dist(lights[station], (x, y - PITCH)) > 1e-6:
            raise TilesTooLarge(f"the lamp of place {station} has no room above its reed; raise [board] width_mm")
    return [(wide * x / _SIDE, wide * y / _SIDE - PITCH) for x, y in _PLACES]


def _draw_side(canvas: Canvas, artwork: str, name: str, side: Side, at: tuple[float, float], wide: float) -> None:
    """Draw one side of a tile. `at` is its lower left corner in mm."""
    drawing = svg2rlg(BytesIO(side_svg(artwork, name, side).encode()))
    if drawing is None:
        raise NoArtwork(f"tile {name}: svglib cannot read its artwork; install yardboard again")
    canvas.saveState()
    canvas.translate(at[0] * mm, at[1] * mm)
    edge = canvas.beginPath()
    edge.rect(0, 0, wide * mm, wide * mm)
    canvas.clipPath(edge, stroke=0, fill=0)
    canvas.scale(wide * mm / drawing.width, wide * mm / drawing.height)
    renderPDF.draw(drawing, canvas, 0, 0)
    canvas.restoreState()
    canvas.setLineWidth(0.3)
    canvas.rect(at[0] * mm, at[1] * mm, wide * mm, wide * mm)


def side_svg(artwork: str, name: str, side: Side) -> str:
    """Return one side of a tile as an SVG without variables: its ground, streets and stations.

    Args:
        artwork: the document with all tiles.
        name: the tile's letter, upper-case for the dark side.
        side: the streets and stations of this side.
    """
    others = re.compile(rf'^<g id="(?:ground|stops)-(?!{name}")\w">.*\n', re.MULTILINE)
    layers = f'<use href="#ground-{name}"/>{_streets(side)}<use href="#stops-{name}"/>'
    whole = others.sub("", artwork).replace('<g id="board"/>', layers).replace("</style>", f"{_STYLE}</style>")
    return plain_svg(re.sub(r'viewBox="[^"]*"', f'viewBox="0 0 {_SIDE:g} {_SIDE:g}"', whole, count=1))


def _streets(side: Side) -> str:
    """Draw the streets of a side on which taxis drive, with an arrow in each one-way street (DI-04, DI-06)."""
    ways: list[tuple[tuple[float, float], tuple[float, float], Street]] = []
    both = Street(forth=True, back=True)
    for key, street in side.streets.items():
        if street is not None:
            a, b = INNER[key]
            ways.append((_PLACES[a], _PLACES[b], street))
    for lane in side.lanes:
        a, b = LANES[lane]
        ways.append((_PLACES[a], _PLACES[b], both))
    for edge, halves in side.exits.items():
        dx, dy = _OUT[edge]
        for place, street in zip(_EDGE_PLACES[edge], halves, strict=True):
            if street is None:
                continue
            x, y = _PLACES[place]
            ends = ((x, y), (x + dx * _UNIT, y + dy * _UNIT))
            ways.append((*(ends if dx + dy > 0 else ends[::-1]), street))
    path = "".join(f"M{x1:g} {y1:g}L{x2:g} {y2:g}" for (x1, y1), (x2, y2), _ in ways)
    drawn = "".join(f'<path class="{kind}" stroke-width="{wide}" d="{path}"/>' for kind, wide in _LINES)
    for (x1, y1), (x2, y2), street in ways:
        if street.forth != street.back:
            angle = math.degrees(math.atan2(y2 - y1, x2 - x1)) + (0 if street.forth else 180)
            at = f"translate({(x1 + x2) / 2:g} {(y1 + y2) / 2:g})rotate({angle:g})"
            drawn += f'<path class="one-way" transform="{at}" d="M9 0L-7 -7L-3 0L-7 7Z"/>'
    return drawn
