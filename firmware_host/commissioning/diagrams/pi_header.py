"""Draw the sheets of the Pi's header, and of the screens and keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_host.commissioning.diagrams import svg_sheet
from firmware_host.config import section_conflicts
from firmware_host.config.drivers.buttons_driver import HANDSET_KEYS, ButtonSettings, keys_on_pico
from firmware_host.config.drivers.driver import UsedPin
from firmware_host.config.drivers.oled_driver import OledSettings
from firmware_host.config.loader import Config
from firmware_host.ui.drawing.canvas import Canvas, Colour, Point
from hardware.raspberry_pi.pin_conflicts import Claim, SpiUse, Wire, wires
from hardware.raspberry_pi.pinout import GROUND, HAT, MODELS, PHYSICAL, VOLTS_3_3, VOLTS_5


@dataclass(frozen=True, slots=True)
class Lead:
    """One GPIO of the header that a device uses.

    Attributes:
        gpio: its BCM number.
        function: the kernel's function of the pin: "SPI0 MOSI"; empty for a plain pin.
        key: section and key of the configuration that uses it: "[handset] bus".
        owner: the section, as in `svg_sheet.OWNERS`.
        end: the other end of its wire, such as "handset: SDA"; empty if the bus takes the pin but no wire is on it.
    """

    gpio: int
    function: str
    key: str
    owner: str
    end: str

    @property
    def pin(self) -> int:
        """The number of the pin on the header."""
        return PHYSICAL[self.gpio]

    @property
    def place(self) -> str:
        """The pin in words: "GPIO 21, pin 40"."""
        return f"GPIO {self.gpio}, pin {self.pin}"


def leads(config: Config) -> tuple[Lead, ...]:
    """Return every GPIO that a configuration's devices use, in the order of its sections."""
    devices, found = config.devices, []
    for claim in section_conflicts.claims(config.sections, config.layout):
        for wire in wires(claim, config.pi.model):
            section, _, key = wire.what.strip("[").partition("] ")
            pin = UsedPin(wire.pin, section, key, wire.function)
            owner = section.partition(".")[0]
            end = "" if _is_idle(claim, wire) else devices[owner].driver.lead(devices[owner], pin)
            found.append(Lead(wire.pin, wire.function, wire.what, owner, end))
    return tuple(found)


def _is_idle(claim: Claim, wire: Wire) -> bool:
    """Return whether the kernel uses a pin for a bus although no wire of the device is on it."""
    if not isinstance(claim, SpiUse):
        return False
    signal = wire.function.partition(" ")[2]
    other_chip = signal.startswith("CE") and signal[2:] != claim.device[-1]
    return other_chip or signal.rstrip("0123456789").lower() not in claim.wants


_TOP, _PITCH = 98.0, 32.5
_GPIOS = {pin: gpio for gpio, pin in PHYSICAL.items()}
_NOTES = (
    "Seen from above. Pin 1 is at the end with the microSD card; the even pins lie along the edge of the board.",
    "No GPIO bears more than 3.3 V. Their numbers are BCM numbers. In grey at the sides: section and key of the file.",
)


def draw_header(canvas: Canvas, config: Config, source: str) -> None:
    """Draw the header with everything that is connected to it."""
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


PICO_SCREEN = {"SDA": ("GP4", 6), "SCL": ("GP5", 7), "RES": ("GP6", 9)}
"""Pin of the handset's screen -> the Pico's GP, as in `hardware/firmware/handset_main.py`, and its pin on the board."""

PICO_KEYS = dict(zip(HANDSET_KEYS, (("GP10", 14), ("GP11", 15), ("GP12", 16), ("GP13", 17), ("GP14", 19)), strict=True))
"""Key of the handset -> the Pico's GP, and its pin on the board."""

_PICO_NOTES = (
    "A Pico in the handset: a USB cable of up to 2 m leads to the Pi and powers it. No other wire leaves the handset.",
    "RES only if the screen has that pin. The Pico pulls its keys' pins up; GND is on its pins 3, 8, 13, 18 and 38.",
)
_SCREEN_NOTES = (
    "Screens get 3.3 V, not 5 V, which their own pull-ups would carry to the Pi's pins.",
    "Only I2C1 has pull-ups on the Pi. Elsewhere the screen's must do, or add 2.2 kohm from SDA and SCL to 3.3 V.",
    "A key joins its GPIO to ground; the Pi pulls the pin up. So do both contacts of an encoder, CLK and DT;",
    "if it is on a board with a pin +, that goes to 3.3 V.",
)
_SCREEN_TOP = 110.0


def panel_sheets(_: Config) -> dict[str, Callable[..., None]]:
    """Return the drawing function of the sheet for screens and keys."""
    return {"panels": draw_panels}


def draw_panels(canvas: Canvas, config: Config, source: str) -> None:
    """Draw the table's screen and keys on the left, and Mister X's handset on the right."""
    svg_sheet.head(canvas, "Screens and keys", source)
    every = leads(config)
    on_pico = bool(keys_on_pico(config.sections))
    for left, title, panel, side in (
        (svg_sheet.EDGE, "At the table", "display", "table"),
        (svg_sheet.WIDTH / 2 + 20, f"Mister X's handset{', on its Pico' * on_pico}", "handset", "handset"),
    ):
        canvas.text((left, 88), title, svg_sheet.LARGE, svg_sheet.INK, anchor="start")
        bottom = _SCREEN_TOP
        shown = [lead for lead in every if lead.owner == panel and lead.end]
        ends: list[tuple[str, str, int | str]] = [
            (lead.end.partition(": ")[2], lead.place, lead.gpio) for lead in shown
        ]
        wired = [lead for lead in every if lead.key.startswith(f"[keys.{side}] ")]
        keys: dict[str, tuple[str, int | str]] = {
            lead.key.partition("] ")[2]: (lead.place, lead.gpio) for lead in wired
        }
        if side == "handset" and on_pico:
            ends = [(pin, f"{gp}, pin {number}", gp) for pin, (gp, number) in PICO_SCREEN.items()]
            keys = {key: (f"{gp}, pin {number}", gp) for key, (gp, number) in PICO_KEYS.items()}
        if ends:
            bottom = _draw_screen(canvas, config, panel, ends, left)
        encoder = [lead for lead in every if lead.key == "[keys] encoder"] if side == "handset" else []
        pitch = min(42.0, (svg_sheet.HEIGHT - 130 - bottom) / max(1, len(keys) + len(encoder) + bool(encoder)))
        for place, (key, wire) in enumerate(keys.items()):
            _draw_key(canvas, config, f"{side}.{key}", wire, (left, bottom + (place + 0.5) * pitch))
        if encoder:
            _draw_encoder(canvas, encoder, left, bottom + (len(keys) + 0.5) * pitch, pitch)
    svg_sheet.notes(canvas, (*_SCREEN_NOTES[:2], *_PICO_NOTES) if on_pico else _SCREEN_NOTES)


def _draw_screen(
    canvas: Canvas, config: Config, name: str, wired: list[tuple[str, str, int | str]], left: float
) -> float:
    """Draw a screen and its wires. Return where the free space below them begins."""
    panel: OledSettings = config.sections[name]
    on_pico = name == "handset" and keys_on_pico(config.sections)
    ground, volts = ("GND, pin 38", "3V3(OUT), pin 36") if on_pico else ("any ground pin", "3.3 V, pin 1 or 17")
    ends = [("GND", ground, svg_sheet.GROUND, ""), ("VCC", volts, svg_sheet.VOLTS_3_3, "")]
    ends += [(pin, place, svg_sheet.OWNERS[name], f"{name}-{wire}") for pin, place, wire in wired]
    high = 26.0 * len(ends) + 14
    svg_sheet.box(canvas, left, _SCREEN_TOP, 190, high, fill=svg_sheet.PALE)
    canvas.text(
        (left + 12, _SCREEN_TOP + 22), f"OLED {panel.chip.upper()}", svg_sheet.NORMAL, svg_sheet.INK, anchor="start"
    )
    where = "I2C of the Pico" if on_pico else "I2C" if panel.bus.startswith("i2c") else "SPI"
    where += "" if where == "SPI" else f", {panel.address:#04x}"
    canvas.text((left + 12, _SCREEN_TOP + 42), where, svg_sheet.SMALL, svg_sheet.GREY, anchor="start")
    for place, (pin, place_, ink, id_) in enumerate(ends):
        y = _SCREEN_TOP + 20 + 26 * place
        canvas.text((left + 182, y), pin, svg_sheet.NORMAL, svg_sheet.INK, anchor="end")
        svg_sheet.wire(canvas, [(left + 190, y), (left + 290, y)], ink)
        canvas.text((left + 298, y), place_, svg_sheet.NORMAL, ink, anchor="start", name=id_)
    return _SCREEN_TOP + high + 22


def _draw_key(canvas: Canvas, config: Config, key: str, wire: tuple[str, int | str], at: Point) -> None:
    wanted: ButtonSettings = config.sections["keys"]
    held = wanted.long.get(key)
    words = key.partition(".")[2].upper() + (f", held: {held.partition('.')[2].upper()}" if held else "")
    canvas.text(at, words, svg_sheet.NORMAL, svg_sheet.INK, anchor="start")
    _draw_contact(canvas, wire, *at)


def _draw_encoder(canvas: Canvas, pair: list[Lead], left: float, y: float, pitch: float) -> None:
    canvas.text((left, y), "Rotary encoder, in place of UP and DOWN:", svg_sheet.NORMAL, svg_sheet.INK, anchor="start")
    for place, lead in enumerate(pair, 1):
        canvas.text(
            (left, y + place * pitch), lead.end.partition(": ")[2], svg_sheet.NORMAL, svg_sheet.INK, anchor="start"
        )
        _draw_contact(canvas, (lead.place, lead.gpio), left, y + place * pitch)


def _draw_contact(canvas: Canvas, wire: tuple[str, int | str], left: float, y: float) -> None:
    place, number = wire
    svg_sheet.contact(canvas, (left + 190, y), (left + 290, y), reed=False)
    svg_sheet.wire(canvas, [(left + 190, y), (left + 190, y + 3)], svg_sheet.GROUND)
    svg_sheet.ground(canvas, (left + 190, y + 3))
    canvas.text(
        (left + 298, y), place, svg_sheet.NORMAL, svg_sheet.OWNERS["keys"], anchor="start", name=f"key-{number}"
    )
