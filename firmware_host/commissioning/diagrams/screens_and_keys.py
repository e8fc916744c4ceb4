"""Draw the sheet of screens, keys and the rotary encoder."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.commissioning.diagrams import svg_sheet
from firmware_host.commissioning.diagrams.lead_labels import Lead, leads
from firmware_host.config.drivers.buttons_driver import ButtonSettings
from firmware_host.config.drivers.oled_driver import OledSettings
from firmware_host.config.loader import Config
from firmware_host.ui.drawing.canvas import Canvas

_NOTES = (
    "Screens get 3.3 V, not 5 V, which their own pull-ups would carry to the Pi's pins.",
    "Only I2C1 has pull-ups on the Pi. Elsewhere the screen's must do, or add 2.2 kohm from SDA and SCL to 3.3 V.",
    "A key joins its GPIO to ground; the Pi pulls the pin up. So do both contacts of an encoder, CLK and DT;",
    "if it is on a board with a pin +, that goes to 3.3 V.",
)
_TOP = 110.0


def panel_sheets(_: Config) -> dict[str, Callable[..., None]]:
    """Return the sheet that screens and keys share."""
    return {"panels": draw_panels}


def draw_panels(canvas: Canvas, config: Config, source: str) -> None:
    """Draw the table's devices on the left, and Mister X's handset on the right."""
    svg_sheet.head(canvas, "Screens and keys", source)
    every = leads(config)
    for left, title, panel, side in (
        (svg_sheet.EDGE, "At the table", "display", "table"),
        (svg_sheet.WIDTH / 2 + 20, "Mister X's handset", "handset", "handset"),
    ):
        canvas.text((left, 88), title, svg_sheet.LARGE, svg_sheet.INK, anchor="start")
        bottom = _TOP
        shown = [lead for lead in every if lead.owner == panel]
        if shown:
            bottom = _draw_screen(canvas, config, panel, shown, left)
        keys = [lead for lead in every if lead.key.startswith(f"[keys.{side}]")]
        encoder = [lead for lead in every if lead.key == "[keys] encoder"] if side == "handset" else []
        pitch = min(42.0, (svg_sheet.HEIGHT - 130 - bottom) / max(1, len(keys) + len(encoder) + bool(encoder)))
        for place, lead in enumerate(keys):
            _draw_key(canvas, config, lead, left, bottom + (place + 0.5) * pitch)
        if encoder:
            _draw_encoder(canvas, encoder, left, bottom + (len(keys) + 0.5) * pitch, pitch)
    svg_sheet.notes(canvas, _NOTES)


def _draw_screen(canvas: Canvas, config: Config, name: str, shown: list[Lead], left: float) -> float:
    """Draw a screen and its wires, and return the left edge of free space."""
    panel: OledSettings = config.sections[name]
    ends = [("GND", "any ground pin", svg_sheet.GROUND, ""), ("VCC", "3.3 V, pin 1 or 17", svg_sheet.VOLTS_3_3, "")]
    colour = svg_sheet.OWNERS[name]
    ends += [(lead.end.partition(": ")[2], lead.place, colour, f"{name}-{lead.gpio}") for lead in shown if lead.end]
    high = 26.0 * len(ends) + 14
    svg_sheet.box(canvas, left, _TOP, 190, high, fill=svg_sheet.PALE)
    canvas.text((left + 12, _TOP + 22), f"OLED {panel.chip.upper()}", svg_sheet.NORMAL, svg_sheet.INK, anchor="start")
    where = f"I2C, {panel.address:#04x}" if panel.bus.startswith("i2c") else "SPI"
    canvas.text((left + 12, _TOP + 42), where, svg_sheet.SMALL, svg_sheet.GREY, anchor="start")
    for place, (pin, place_, ink, id_) in enumerate(ends):
        y = _TOP + 20 + 26 * place
        canvas.text((left + 182, y), pin, svg_sheet.NORMAL, svg_sheet.INK, anchor="end")
        svg_sheet.wire(canvas, [(left + 190, y), (left + 290, y)], ink)
        canvas.text((left + 298, y), place_, svg_sheet.NORMAL, ink, anchor="start", name=id_)
    return _TOP + high + 22


def _draw_key(canvas: Canvas, config: Config, lead: Lead, left: float, y: float) -> None:
    side, key = lead.key.removeprefix("[keys.").split("] ")
    wanted: ButtonSettings = config.sections["keys"]
    held = wanted.long.get(f"{side}.{key}")
    words = f"{key.upper()}, held: {held.partition('.')[2].upper()}" if held else key.upper()
    canvas.text((left, y), words, svg_sheet.NORMAL, svg_sheet.INK, anchor="start")
    _draw_contact(canvas, lead, left, y)


def _draw_encoder(canvas: Canvas, pair: list[Lead], left: float, y: float, pitch: float) -> None:
    canvas.text((left, y), "Rotary encoder, in place of UP and DOWN:", svg_sheet.NORMAL, svg_sheet.INK, anchor="start")
    for place, lead in enumerate(pair, 1):
        canvas.text(
            (left, y + place * pitch), lead.end.partition(": ")[2], svg_sheet.NORMAL, svg_sheet.INK, anchor="start"
        )
        _draw_contact(canvas, lead, left, y + place * pitch)


def _draw_contact(canvas: Canvas, lead: Lead, left: float, y: float) -> None:
    svg_sheet.contact(canvas, (left + 190, y), (left + 290, y), reed=False)
    svg_sheet.wire(canvas, [(left + 190, y), (left + 190, y + 3)], svg_sheet.GROUND)
    svg_sheet.ground(canvas, (left + 190, y + 3))
    canvas.text(
        (left + 298, y), lead.place, svg_sheet.NORMAL, svg_sheet.OWNERS["keys"], anchor="start", name=f"key-{lead.gpio}"
    )
