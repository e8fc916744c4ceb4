"""Serve the simulated table to programs in any language: one JSON object a line in, one out, in order, in UTF-8.

Time stands still except in `wait` and in what an action takes. An unknown word, a value of the wrong type or an
impossible action gets `{"ok": false, "error": "…"}` and changes nothing. See `docs/scripting.md`.

Stations have the numbers printed on the board: where tiles are laid, those of the tiles, from `new_game` on. What does
not exist yet is null, such as `at` in the private view while Mister X has no place (DI-10).
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO, Self

from PIL import Image

from firmware_host.config.loader import Config
from firmware_host.config.toml_reader import ConfigError, complaint
from firmware_host.journal.store import JournalError
from firmware_host.referee.referee import RefereeError
from firmware_host.rules.actions import from_record
from firmware_host.rules.errors import RulesError
from firmware_host.simulator.simulated_table import SimulatedTable, SimulatedTableError
from firmware_host.ui import json_views
from firmware_host.ui.handset_menu import MenuError
from firmware_host.ui.handset_screen import display_lines
from firmware_host.ui.lamp_plan import Colour
from hardware.ports import HardwareError

Reply = dict[str, Any]

FIELDS: Mapping[str, Mapping[str, tuple[type, bool]]] = {
    "new_game": {
        "rules": (str, False),
        "detectives": (int, False),
        "players": (int, False),
        "owners": (list, False),
        "deal": (dict, False),
        "options": (dict, False),
        "seed": (int, False),
    },
    "put": {"station": (int, True), "pawn": (str, True)},
    "lift": {"station": (int, True), "pawn": (str, False)},
    "slide": {"path": (list, True), "ms": (float, True), "pawn": (str, False)},
    "press": {"key": (str, True), "ms": (float, False)},
    "hold": {"key": (str, True)},
    "release": {"key": (str, True)},
    "mr_x": {"action": (dict, True)},
    "wait": {"ms": (float, True)},
    "fault": {"device": (str, True), "kind": (str, True)},
    "restart": {},
}
"""The actions: each word's fields, their types, and whether they are required."""

LONGEST_WAIT = 3_600_000
"""Milliseconds that one line may let pass."""

LONGEST_SLIDE = 60_000
"""Milliseconds that a slide of a pawn may take."""

LONGEST_LINE = 65_536
"""Bytes that a line may have, without its end."""

LONGEST_REASON = 600
"""Characters that a refusal may have; the rest is cut off."""

MOST_STOPS = 256
"""Stations that one slide of a pawn may pass."""

MOST_PAWNS = 64
"""Names that pawns may have at one table."""


class BadLine(Exception):
    """A line that means nothing here; the message says what would."""


REFUSALS = (
    BadLine,
    ConfigError,
    HardwareError,
    JournalError,
    MenuError,
    SimulatedTableError,
    RefereeError,
    RulesError,
)
"""The errors with which a line may be refused; none of their messages tells a secret."""


class Stdio:
    """Serves one simulated table through the protocol; a context manager.

    The journal is in memory: no file is left behind.
    """

    def __init__(self, config: Config | None = None, *, seed: int = 0, rough: bool = False) -> None:
        self.simulated = SimulatedTable(config, seed=seed, rough=rough)
        self._gets: Mapping[str, Callable[[], Reply]] = {
            "public": lambda: json_views.public(self.simulated.daemon.scene()),
            "private": lambda: json_views.private(self.simulated.daemon.scene(), self.simulated.private),
            "leds": self._leds,
            "handset": lambda: {"text": self.simulated.handset_lines()} | _png(self.simulated.table.handset.picture),
            "display": self._display,
            "health": lambda: {
                "devices": dict(self.simulated.daemon.health()),
                "switches": self.simulated.daemon.switches(),
            },
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.simulated.close()

    def answer(self, line: str | bytes) -> Reply:
        """Return the reply to one line. Raises nothing, whatever the line; a bad one changes nothing."""
        try:
            return {"ok": True, **self._answer(_parsed(line))}
        except REFUSALS as error:
            return {"ok": False, "error": _reason(error)}

    def _answer(self, order: Mapping[str, Any]) -> Reply:
        if set(order) == {"get"} and isinstance(order["get"], str) and order["get"] in self._gets:
            return self._gets[order["get"]]()
        if "get" in order:
            raise BadLine(f"get: one of {', '.join(self._gets)}, and no other field")
        word = order.get("do")
        if not isinstance(word, str) or word not in FIELDS:
            raise BadLine(f'neither "get" nor a known "do": known are {", ".join(FIELDS)}')
        self._do(word, _checked(word, order))
        return {}

    def _do(self, word: str, given: Mapping[str, Any]) -> None:
        table, simulated = self.simulated.table, self.simulated
        match word:
            case "new_game":
                self._new_game(given)
            case "put":
                self._put(given["station"], given["pawn"])
            case "lift":
                table.lift(given["station"], given.get("pawn"))
            case "slide":
                table.slide(given["path"], _duration("slide", given["ms"], LONGEST_SLIDE), given.get("pawn"))
            case "press":
                table.press(given["key"], _duration("press", given.get("ms", 60), LONGEST_WAIT))
            case "hold":
                table.hold(given["key"])
            case "release":
                table.release(given["key"])
            case "mr_x":
                simulated.choose(from_record(given["action"]))
            case "wait":
                simulated.advance(_duration("wait", given["ms"], LONGEST_WAIT))
            case "fault":
                table.fault(given["device"], given["kind"])
            case "restart":
                simulated.restart()

    def _put(self, station: int, pawn: str) -> None:
        table = self.simulated.table
        if pawn not in table.where() and len(table.where()) >= MOST_PAWNS:
            raise BadLine(f"put: pawn: there are {MOST_PAWNS} pawns already")
        table.put(station, pawn)

    def _new_game(self, given: Mapping[str, Any]) -> None:
        for pawn, station in given.get("deal", {}).items():
            if type(station) is not int:
                raise BadLine(f"new_game: deal: {pawn}: a station is a whole number")
        if any(type(player) is not int for player in given.get("owners", [])):
            raise BadLine("new_game: owners: a list of players' numbers, one for each pawn")
        self.simulated.new_game(
            given.get("rules"),
            detectives=given.get("detectives"),
            players=given.get("players"),
            owners=given.get("owners", ()),
            start=given.get("deal"),
            options=given.get("options"),
            seed=given.get("seed"),
        )

    def _leds(self) -> Reply:
        return {"stations": _hex(self.simulated.station_leds()), "log": _hex(self.simulated.log_leds())}

    def _display(self) -> Reply:
        panel = self.simulated.table.display
        if panel is None:
            raise BadLine("display: this table has none; set driver under [display]")
        picture = panel.picture
        return {"text": [] if picture is None else display_lines(self.simulated.daemon.scene())} | _png(picture)


def _reason(error: Exception) -> str:
    """Return an error's message as one short line."""
    said = "; ".join(complaint(error).splitlines())
    return said if len(said) <= LONGEST_REASON else said[: LONGEST_REASON - 1] + "…"


def _parsed(line: str | bytes) -> Mapping[str, Any]:
    if len(line) > LONGEST_LINE:
        raise BadLine(f"a line has at most {LONGEST_LINE} bytes")
    try:
        order = json.loads(line if isinstance(line, str) else line.decode())
        json.dumps(order, ensure_ascii=False).encode()  # raises for an escape such as \ud800, which is no text
    except json.JSONDecodeError as error:
        raise BadLine(f"no JSON: {error}") from None
    except UnicodeDecodeError:
        raise BadLine("a line is text in UTF-8") from None
    except UnicodeEncodeError:
        raise BadLine("no JSON that can be read: half of a pair of surrogates is no character") from None
    except (ValueError, RecursionError):
        raise BadLine("no JSON that can be read: a number is too long, or it is nested too deep") from None
    if not isinstance(order, dict):
        raise BadLine('a line is one JSON object, such as {"get": "public"}')
    return order


def _checked(word: str, order: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of an order if all are known, all required ones are there, and all have the right types."""
    fields = FIELDS[word]
    for name in order:
        if name != "do" and name not in fields:
            raise BadLine(f"{word}: unknown field {name!r}; known are {', '.join(fields) or 'none'}")
    for name, (kind, needed) in fields.items():
        if name not in order:
            if needed:
                raise BadLine(f"{word}: {name} is missing; it takes {', '.join(fields)}")
            continue
        kinds = (int, float) if kind is float else (kind,)
        if type(order[name]) not in kinds:
            raise BadLine(f"{word}: {name}: {order[name]!r} is not {_KINDS[kind]}")
    if word == "slide":
        _check_path(order["path"])
    return order


def _check_path(path: list[Any]) -> None:
    if any(type(station) is not int for station in path):
        raise BadLine("slide: path: a list of stations")
    if not 2 <= len(path) <= MOST_STOPS:
        raise BadLine(f"slide: path: {len(path)} stations; it takes 2 to {MOST_STOPS}")


_KINDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object",
}


def _duration(word: str, ms: float, longest: int) -> float:
    if not 0 < ms <= longest:
        raise BadLine(f"{word}: ms: {ms} is not above 0 and up to {longest}")
    return ms


def _hex(lit: Mapping[int, Colour]) -> dict[str, str]:
    return {str(number): f"#{red:02x}{green:02x}{blue:02x}" for number, (red, green, blue) in lit.items()}


def _png(picture: Image.Image | None) -> Reply:
    if picture is None:
        return {"png": None}
    out = io.BytesIO()
    picture.save(out, "PNG")
    return {"png": base64.b64encode(out.getvalue()).decode("ascii")}


def serve(session: Stdio, lines: BinaryIO, out: BinaryIO) -> None:
    """Answer every line that is not blank until there are no more. Input and output are UTF-8."""
    for line in _read(lines):
        if line.strip() or len(line) > LONGEST_LINE:
            # File names that are no text are written with JSON's escapes.
            reply = json.dumps(session.answer(line), ensure_ascii=False).encode(errors="backslashreplace")
            out.write(reply + b"\n")
            out.flush()


def _read(lines: BinaryIO) -> Iterator[bytes]:
    """Yield each line without its end; of one that is too long only enough to show that."""
    while line := lines.readline(LONGEST_LINE + 2):
        end = line
        while len(end) > LONGEST_LINE and not end.endswith(b"\n"):
            end = lines.readline(LONGEST_LINE + 2)
        yield line.rstrip(b"\r\n")
