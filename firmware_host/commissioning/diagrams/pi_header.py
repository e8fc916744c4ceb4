"""Draw the sheet of the Pi's 40-pin header: the wire on each pin, and the free pins."""

from __future__ import annotations

from firmware_host.commissioning.diagrams import svg_sheet
from firmware_host.commissioning.diagrams.lead_labels import Lead, leads
from firmware_host.config.loader import Config
from firmware_host.ui.drawing.canvas import Canvas, Colour
from hardware.raspberry_pi.pinout import GROUND, HAT, MODELS, PHYSICAL, VOLTS_3_3, VOLTS_5

_TOP, _PITCH = 98.0, 32.5
_GPIOS = {pin: gpio for gpio, pin in PHYSICAL.items()}
_NOTES = (
    "Seen from above. Pin 1 is at the end with the microSD card; the even pins lie along the edge of the board.",
    "No GPIO bears more than 3.3 V. Their numbers are BCM numbers. In grey at the sides: section and key of the file.",
)


def draw_header(canvas: Canvas, config: Config, source: str) -> None:
    """Draw the header with everything on it."""
    svg_sheet.head(canvas, f"Header of the {MODELS[config.pi.model].name}", source)
    used = {lead.pin: lead for lead in leads(config)}
    for pin in range(1, 41):
        _draw_pin(canvas, pin, used.get(pin))
    svg_sheet.notes(canvas, _NOTES)


def _draw_pin(canvas: Canvas, pin: int, lead: Lead | None) -> None:
    side = -1 if pin % 2 else 1
    y = _TOP + (pin - 1) // 2 * _PITCH
    pad, middle = svg_sheet.WIDTH / 2 + side * 17, svg_sheet.WIDTH / 2
    colour, words = _said(pin, lead)
    gpio = _GPIOS.get(pin)
    fill = svg_sheet.PAPER if gpio is not None and lead is None else colour
    canvas.disc((pad, y), 13, fill, edge=colour, edge_width=1.6)
    canvas.text((pad, y), str(pin), svg_sheet.NORMAL, svg_sheet.PAPER if fill == colour else colour)

    def at(distance: float, text: str, size: float, ink: Colour, name: str = "") -> None:
        canvas.text((middle + side * distance, y), text, size, ink, anchor="start" if side > 0 else "end", name=name)

    if gpio is None:
        at(44, words, svg_sheet.LARGE, colour, f"pin-{pin}")
        return
    at(44, f"GPIO {gpio}", svg_sheet.NORMAL, svg_sheet.INK if lead else svg_sheet.GREY)
    if lead is not None and lead.function:
        at(108, lead.function, svg_sheet.SMALL, svg_sheet.GREY)
    at(184, words, svg_sheet.LARGE if lead and lead.end else svg_sheet.NORMAL, colour, f"gpio-{gpio}")
    if lead is not None:
        at(424, lead.key, svg_sheet.SMALL, svg_sheet.GREY)


def _said(pin: int, lead: Lead | None) -> tuple[Colour, str]:
    if lead is not None:
        if lead.end:
            return svg_sheet.OWNERS[lead.owner], lead.end
        return svg_sheet.GREY, "taken by the bus: leave it open"
    for pins, colour, words in (
        (VOLTS_5, svg_sheet.VOLTS_5, "5 V"),
        (VOLTS_3_3, svg_sheet.VOLTS_3_3, "3.3 V"),
        (GROUND, svg_sheet.GROUND, "ground"),
    ):
        if pin in pins:
            return colour, words
    return svg_sheet.GREY, "for a HAT: leave it open" if _GPIOS[pin] in HAT else "free"
