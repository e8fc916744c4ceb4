"""The sheet of what people look at and press: screens, keys and the rotary encoder."""

from __future__ import annotations

from firmware_host.commission.diagrams import paper
from firmware_host.commission.diagrams.leads import Lead, leads
from firmware_host.config.loader import Config
from firmware_host.ui.drawing.canvas import Canvas

_NOTES = (
    "Screens get 3.3 V, not 5 V, which their own pull-ups would carry to the Pi's pins.",
    "Only I2C1 has pull-ups on the Pi. Elsewhere the screen's must do, or add 2.2 kohm from SDA and SCL to 3.3 V.",
    "A key joins its GPIO to ground; the Pi pulls the pin up. So do both contacts of an encoder, CLK and DT;",
    "if it is on a board with a pin +, that goes to 3.3 V.",
)
_TOP = 110.0


def draw_panels(canvas: Canvas, config: Config, source: str) -> None:
    """On the left what is at the table, on the right Mister X's handset."""
    paper.head(canvas, "Screens and keys", source)
    every = leads(config)
    for left, title, panel, side in (
        (paper.EDGE, "At the table", "display", "table"),
        (paper.WIDTH / 2 + 20, "Mister X's handset", "handset", "handset"),
    ):
        canvas.text((left, 88), title, paper.LARGE, paper.INK, anchor="start")
        bottom = _TOP
        shown = [lead for lead in every if lead.owner == panel]
        if shown:
            bottom = _draw_screen(canvas, config, panel, shown, left)
        keys = [lead for lead in every if lead.key.startswith(f"[keys.{side}]")]
        encoder = [lead for lead in every if lead.key == "[keys] encoder"] if side == "handset" else []
        pitch = min(42.0, (paper.HEIGHT - 130 - bottom) / max(1, len(keys) + len(encoder) + bool(encoder)))
        for place, lead in enumerate(keys):
            _draw_key(canvas, config, lead, left, bottom + (place + 0.5) * pitch)
        if encoder:
            _draw_encoder(canvas, encoder, left, bottom + (len(keys) + 0.5) * pitch, pitch)
    paper.notes(canvas, _NOTES)


def _draw_screen(canvas: Canvas, config: Config, name: str, shown: list[Lead], left: float) -> float:
    """A screen and its wires. Gives where the next thing may begin."""
    panel = config.handset if name == "handset" else config.display
    ends = [("GND", "any ground pin", paper.GROUND, ""), ("VCC", "3.3 V, pin 1 or 17", paper.VOLTS_3_3, "")]
    colour = paper.OWNERS[name]
    ends += [(lead.end.partition(": ")[2], lead.place, colour, f"{name}-{lead.gpio}") for lead in shown if lead.end]
    high = 26.0 * len(ends) + 14
    paper.box(canvas, left, _TOP, 190, high, fill=paper.PALE)
    canvas.text((left + 12, _TOP + 22), f"OLED {panel.chip.upper()}", paper.NORMAL, paper.INK, anchor="start")
    where = f"I2C, {panel.address:#04x}" if panel.bus.startswith("i2c") else "SPI"
    canvas.text((left + 12, _TOP + 42), where, paper.SMALL, paper.GREY, anchor="start")
    for place, (pin, place_, ink, id_) in enumerate(ends):
        y = _TOP + 20 + 26 * place
        canvas.text((left + 182, y), pin, paper.NORMAL, paper.INK, anchor="end")
        paper.wire(canvas, [(left + 190, y), (left + 290, y)], ink)
        canvas.text((left + 298, y), place_, paper.NORMAL, ink, anchor="start", name=id_)
    return _TOP + high + 22


def _draw_key(canvas: Canvas, config: Config, lead: Lead, left: float, y: float) -> None:
    """A push button between its GPIO and ground."""
    side, key = lead.key.removeprefix("[keys.").split("] ")
    held = config.keys.long.get(f"{side}.{key}")
    words = f"{key.upper()}, held: {held.partition('.')[2].upper()}" if held else key.upper()
    canvas.text((left, y), words, paper.NORMAL, paper.INK, anchor="start")
    _draw_contact(canvas, lead, left, y)


def _draw_encoder(canvas: Canvas, pair: list[Lead], left: float, y: float, pitch: float) -> None:
    """A rotary encoder: two contacts with one ground."""
    canvas.text((left, y), "Rotary encoder, in place of UP and DOWN:", paper.NORMAL, paper.INK, anchor="start")
    for place, lead in enumerate(pair, 1):
        canvas.text((left, y + place * pitch), lead.end.partition(": ")[2], paper.NORMAL, paper.INK, anchor="start")
        _draw_contact(canvas, lead, left, y + place * pitch)


def _draw_contact(canvas: Canvas, lead: Lead, left: float, y: float) -> None:
    """A contact between ground and a GPIO."""
    paper.contact(canvas, (left + 190, y), (left + 290, y), reed=False)
    paper.wire(canvas, [(left + 190, y), (left + 190, y + 3)], paper.GROUND)
    paper.ground(canvas, (left + 190, y + 3))
    canvas.text(
        (left + 298, y), lead.place, paper.NORMAL, paper.OWNERS["keys"], anchor="start", name=f"key-{lead.gpio}"
    )
