"""Draw the pictures in the pages: boards in play, and screens of the handset."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from firmware_host.commissioning.diagram_command import draw
from firmware_host.config.loader import load
from firmware_host.maker.case_drawing import draw_case
from firmware_host.maker.handset_case import plan_case
from firmware_host.rules.views import MrXView
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.snapshot import save
from firmware_host.ui import new_game_menu
from firmware_host.ui.drawing import handset_screen
from firmware_host.ui.handset_menu import PHONE, Menu, home_items
from firmware_host.ui.handset_pages import new_game_page, page
from firmware_host.web.seats.qr_modules import small_qr_modules
from tests.docs.evenings import breathe_in, classic, dice, junior, pick
from tests.docs.pages import ROOT

WIRING = {
    "london-spi": ("header", "chain", "chips", "lamps", "order", "panels"),
    "london-pico": ("header", "chain", "panels"),
    "dice-matrix": ("header", "matrix", "lamps", "order", "panels"),
    "junior-gpio": ("header", "reeds", "lamps", "order", "panels"),
}
"""The builds whose wiring diagrams are shown -> the shown sheets."""

PICTURES = (
    "board.svg", "dice.svg", "junior.svg", "handset.svg", "handset-games.svg", "handset-phone.svg", "case.svg",
    *(f"wiring/{build}-{sheet}.svg" for build, names in WIRING.items() for sheet in names),
)  # fmt: skip


def draw_pictures(folder: Path) -> None:
    save(classic(), folder / "board.svg")
    save(dice(), folder / "dice.svg")
    table = junior()
    pick(table, "taxi", "taxi")
    breathe_in(table)
    save(table, folder / "junior.svg")
    (folder / "handset.svg").write_text(strip(three_pages()), encoding="utf-8")
    (folder / "handset-games.svg").write_text(strip(three_games()), encoding="utf-8")
    (folder / "handset-phone.svg").write_text(strip(two_for_a_phone()), encoding="utf-8")
    case = plan_case(load(ROOT / "config" / "london-spi.toml"))
    (folder / "case.svg").write_text(draw_case(case), encoding="utf-8")
    (folder / "wiring").mkdir(exist_ok=True)
    for build, names in WIRING.items():
        config = load(ROOT / "config" / f"{build}.toml")
        for name in names:
            (folder / "wiring" / f"{build}-{name}.svg").write_text(draw(config, name), encoding="utf-8")


def _page(menu: Menu, view: MrXView) -> Image.Image:
    return handset_screen.draw(page(menu, view))


def three_pages() -> list[Image.Image]:
    """Return the handset's first page, the destinations by taxi, and the log."""
    view = classic(shown=False).private
    return [_page(menu, view) for menu in (Menu(), Menu("destinations", 1, "taxi"), Menu("log", 7))]


def three_games() -> list[Image.Image]:
    """Return the handset in the dice game, in the junior game, and while a new game is chosen."""
    offers = SimulatedTable().table.handset.offers
    return [
        _page(Menu(), dice(till="mr_x 7").private),
        _page(Menu("home", 1), junior().private),
        handset_screen.draw(new_game_page(new_game_menu.open_menu(offers, playing=False), offers)),
    ]


def two_for_a_phone() -> list[Image.Image]:
    """Return the handset where a phone can be invited: the first page, and the code of an invalid link."""
    view, code = (
        classic(shown=False).private,
        small_qr_modules("http://192.168.178.20:8199/seat#no-link-just-a-picture"),
    )
    home = Menu(cursor=home_items(view, phone=True).index(PHONE), phone=True)
    return [_page(home, view), handset_screen.draw(page(home.to(PHONE), view, code))]


def strip(shown: Sequence[Image.Image]) -> str:
    """Return screens of the handset side by side, as SVG."""
    wide, high, gap = 128, 64, 20
    width, height = len(shown) * (wide + gap) + gap, high + 2 * gap
    size = f'viewBox="0 0 {width} {height}" width="{2 * width}" height="{2 * height}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} shape-rendering="crispEdges">']
    for n, image in enumerate(shown):
        x, y = gap + n * (wide + gap), gap
        frame = f'x="{x - 7}" y="{y - 7}" width="{wide + 14}" height="{high + 14}"'
        parts.append(f'<rect {frame} rx="5" fill="#05070b" stroke="#39414f" stroke-width="1.5"/>')
        parts.append(f'<path transform="translate({x} {y})" fill="#cfe8ff" d="{_lit(image)}"/>')
    return "\n".join([*parts, "</svg>\n"])


def _lit(image: Image.Image) -> str:
    """Return the lit pixels as a path, with one stroke for each run of pixels."""
    path = []
    for y in range(image.height):
        runs = re.finditer("1+", "".join("1" if image.getpixel((x, y)) else "0" for x in range(image.width)))
        path += [f"M{run.start()} {y}h{len(run[0])}v1h-{len(run[0])}z" for run in runs]
    return "".join(path)
