"""Why a device is lost is said in the language of whoever reads it, though its driver knows English alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.system.language import in_language, translatable
from firmware_host.ui.fault_wording import DEVICE_REASONS, reason_words

ROOT = Path(__file__).resolve().parents[2]

PLACE = translatable("{station} ({place})", station=58, place="chip 8, pin F")

SAID = {
    "the SSD1309 does not answer: [Errno 121]; check its cable, its power and its address": (
        "der SSD1309 antwortet nicht: [Errno 121]; prüf Kabel, Strom und Adresse"
    ),
    "/dev/spidev0.0 does not answer (Permission denied); see that the user is in the group spi": (
        "/dev/spidev0.0 antwortet nicht (Permission denied); sieh nach, dass der Benutzer in der Gruppe spi ist"
    ),
    "GPIO 18 cannot be written to: code -9; mend it and start yardboard again": (
        "auf GPIO 18 lässt sich nicht schreiben: code -9; behebe das und starte yardboard neu"
    ),
    "comes and goes: no answer from the Pico on /dev/ttyACM0: another program has the port open; end it": (
        "setzt immer wieder aus: kein Wort vom Pico an /dev/ttyACM0: "
        "ein anderes Programm hat den Anschluss offen; beende es"
    ),
    "SSD1309 (handset) needs luma.oled; install with: pip install '.[pi]' in yardboard's folder; or choose "
    "another driver": (
        "SSD1309 (handset) braucht luma.oled; installiere es im Ordner von yardboard mit: "
        "pip install '.[pi]'; oder nimm einen anderen Treiber"
    ),
    "neopixel-pwm on GPIO 18 needs /dev/mem: Permission denied; start yardboard as root, or use driver neopixel-spi": (
        "neopixel-pwm an GPIO 18 braucht /dev/mem: Permission denied; starte yardboard als root oder nimm den "
        "Treiber neopixel-spi"
    ),
    "GPIO 17 serves another device already; give each a pin of its own; mend it and start yardboard again": (
        "GPIO 17 dient schon einem anderen Gerät; gib jedem einen eigenen Pin; behebe das und starte yardboard neu"
    ),
    "journal /var/lib/yardboard/journal.db: cannot be written: the disk is full; free some space": (
        "Protokoll /var/lib/yardboard/journal.db: lässt sich nicht schreiben: der Speicher ist voll; schaffe Platz"
    ),
    "journal /media/usb/journal.db: cannot be opened: the file or its folder is not accessible": (
        "Protokoll /media/usb/journal.db: lässt sich nicht öffnen: Datei oder Ordner sind nicht zugänglich"
    ),
    "strip 1: GPIO 18 cannot be written to: code -9; strip 2: the cable is unplugged; strip 3: a riddle": (
        "Streifen 1: auf GPIO 18 lässt sich nicht schreiben: code -9; Streifen 2: das Kabel ist "
        "abgezogen; Streifen 3: a riddle"
    ),
    "/dev/spidev0.0 is another bus, the header's SPI0 is off; switch SPI on with raspi-config, or dtparam=spi=on in "
    "config.txt": (
        "/dev/spidev0.0 ist ein anderer Bus, der SPI0 des Headers ist aus; schalte SPI mit raspi-config ein, oder mit "
        "dtparam=spi=on in config.txt"
    ),
    "the sentinel comes 3 bits early: the chips count more edges of the clock than the Pi sends; see the clock's wire "
    "and its ground, and that the SPI mode is right": (
        "das Erkennungsmuster kommt 3 Bits zu früh: die Chips zählen mehr Taktflanken, als der Pi sendet; sieh nach "
        "der Taktleitung, ihrer Masse und dem SPI-Modus"
    ),
    "no answer from the Pico on /dev/ttyACM0: its program has failed: MemoryError; it starts again": (
        "kein Wort vom Pico an /dev/ttyACM0: sein Programm ist abgestürzt: MemoryError; es startet neu"
    ),
    translatable("chatter under {stations}", stations=PLACE): "Prellen bei 58 (Chip 8, Pin F)",
    "a reason that nobody knows; with {braces}": "a reason that nobody knows; with {braces}",
}
"""What drivers say -> the same in German."""


REPORTING = (
    *(ROOT / "hardware" / "drivers").glob("*.py"),
    ROOT / "hardware" / "background_output.py",
    ROOT / "hardware" / "contacts" / "plausibility.py",
    ROOT / "hardware" / "raspberry_pi" / "power_watch.py",
)
"""The sources that report how a device is while a table runs."""

FOR_THE_TERMINAL = {"pico_install.py", "pin_factory.py", "colour_order.py"}
"""Those of them that complain to a terminal alone, at a command or as the table starts."""

BEFORE_THE_TABLE_RUNS = {"BadDevice", "NotInstalled.needing"}
"""Errors that keep a table from starting, so that no page shows them."""


def text_of(node: ast.AST) -> str:
    """A text of a source, values within it as empty braces; "" for anything else."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ""


def sources() -> Iterator[str]:
    """Every text in the sources of what tells how devices are, values within it as empty braces."""
    rooms = (ROOT / "hardware", ROOT / "firmware_host" / "table", ROOT / "firmware_host" / "journal")
    for path in (path for room in rooms for path in room.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            yield re.sub(r"\{\w+\}", "{}", text_of(node))


def reports() -> Iterator[tuple[str, str]]:
    """Every sentence that a driver reports of its device, and where."""
    for path in (path for path in REPORTING if path.name not in FOR_THE_TERMINAL):
        tree = ast.parse(path.read_text("utf-8"))
        left: set[ast.AST] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr):
                left.add(node.value)  # docstrings
            elif isinstance(node, ast.JoinedStr):
                left.update(node.values)
            elif isinstance(node, ast.Call) and ast.unparse(node.func) in BEFORE_THE_TABLE_RUNS:
                left.update(ast.walk(node))
        for node in ast.walk(tree):
            said = re.sub(r"^(\w+|\{\}): ", "", text_of(node))
            if node not in left and len(re.findall(r"(?<!\S)[a-z]{2,}\b", said)) > 3:
                yield said, f"{path.name}:{getattr(node, 'lineno', 0)}"


@pytest.mark.parametrize("reason", SAID)
def test_a_drivers_reason_is_said_in_the_language_of_whoever_reads_it(reason: str) -> None:
    with in_language("de"):
        assert reason_words(reason) == SAID[reason]
    assert reason_words(reason) == reason


def test_reasons_are_worded_as_the_drivers_word_them() -> None:
    said = list(sources())
    for reason in DEVICE_REASONS:
        form = re.sub(r"\{\w+\}", "{}", reason)
        assert any(form in text for text in said), reason


def test_every_reason_that_a_driver_reports_can_be_said_in_every_language() -> None:
    worded = {re.sub(r"\{\w+\}", "{}", text) for text in DEVICE_REASONS}
    assert not [f"{where}: {said}" for said, where in reports() if said not in worded]
