"""Let programs play at the simulated table by lines of JSON in UTF-8: an order in, a reply out.

Each order has a small record below and is read strictly; `docs/scripting.md` explains the orders. The clock only
advances in `wait` and during actions. An unknown order, a value of the wrong type or an impossible action gets `{"ok":
false, "error": "…"}` and leaves the game unchanged.

Stations have the numbers printed on the board. On tiles these are the numbers of the tiles, once `new_game` has laid
them. A value that does not exist yet is null, such as `at` in the private view while Mister X has no place (DI-10).
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Mapping
from typing import Annotated, Any, BinaryIO, Literal, Self, get_args

import msgspec
from msgspec import Meta, Struct
from PIL import Image

from firmware_host.config.loader import Config
from firmware_host.config.toml_file import ConfigError, complaint
from firmware_host.journal.store_port import JournalError
from firmware_host.referee.referee import RefereeError
from firmware_host.referee.scene import CoachMode
from firmware_host.rules.actions import MR_X_KINDS, Action, from_record
from firmware_host.rules.errors import BadRecord, IllegalAction, RulesError
from firmware_host.simulator.simulated_table import HIS_CHOICES, SimulatedTable, SimulatedTableError
from firmware_host.system import orders
from firmware_host.system.files import bounded_lines
from firmware_host.system.orders import BadOrder, FaultOrder, Order
from firmware_host.system.process import whole_pass
from firmware_host.table.player_maker import ProcessMaker
from firmware_host.ui import json_views
from firmware_host.ui.handset_menu import MenuError
from firmware_host.ui.lamp_plan import Colour
from hardware.ports import HardwareError

LONGEST_LINE = 65_536
"""The most bytes in a line, without its end."""

LONGEST_WAIT = 3_600_000
"""The most milliseconds that one line may let pass."""

LONGEST_SLIDE = 60_000
"""The most milliseconds for sliding a pawn."""

MOST_STOPS = 256
"""The most stations on the path of a slide, its ends included."""

LONGEST_REASON = 600
"""The most characters in a refusal; the rest is cut off."""

MOST_PAWNS = 64
"""The most pawn names at one table."""

REFUSALS = (
    BadOrder,
    ConfigError,
    HardwareError,
    JournalError,
    MenuError,
    SimulatedTableError,
    RefereeError,
    RulesError,
)
"""The errors that may refuse a line; none of their messages reveals a secret."""

Reply = dict[str, Any]

Wait = Annotated[float, Meta(gt=0, le=LONGEST_WAIT)]
"""A time to wait, in milliseconds."""


Asked = Literal["public", "private", "leds", "handset", "display", "coach", "health"]
"""The things that `get` can ask for."""


class Get(Struct, frozen=True, forbid_unknown_fields=True):
    """The order to send a part of the table's state as the reply."""

    get: Asked


class NewGameLine(Order, frozen=True, tag="new_game"):
    """The order to start a game, with the fields of `SimulatedTable.new_game`. `deal` is `start` there."""

    rules: str | None = None
    detectives: int | None = None
    players: int | None = None
    owners: tuple[int, ...] = ()
    deal: dict[str, int] | None = None
    options: dict[str, Any] | None = None
    seats: dict[str, str] | None = None
    names: dict[str, str] | None = None
    seed: int | None = None


class PutLine(Order, frozen=True, tag="put"):
    """The order to set a pawn down on a station."""

    station: int
    pawn: str


class LiftLine(Order, frozen=True, tag="lift"):
    """The order to lift a pawn from a station, by default the one put down there last."""

    station: int
    pawn: str | None = None


class SlideLine(Order, frozen=True, tag="slide"):
    """The order to slide a pawn along a path of stations, by default the last pawn put on the first one."""

    path: Annotated[list[int], Meta(min_length=2, max_length=MOST_STOPS)]
    ms: Annotated[float, Meta(gt=0, le=LONGEST_SLIDE)]
    pawn: str | None = None


class PressLine(Order, frozen=True, tag="press"):
    """The order to press a key for some milliseconds."""

    key: str
    ms: Wait = 60


class HoldLine(Order, frozen=True, tag="hold"):
    """The order to hold a key down until it is released."""

    key: str


class ReleaseLine(Order, frozen=True, tag="release"):
    """The order to release a key."""

    key: str


class MrXLine(Order, frozen=True, tag="mr_x"):
    """The order to make one of Mister X's choices, a record as in `firmware_host.rules.actions`."""

    action: dict[str, Any]


class TakeBackLine(Order, frozen=True, tag="take_back"):
    """The order to undo the last move by a person, and the computers' actions since."""


class WaitLine(Order, frozen=True, tag="wait"):
    """The order to let some of the table's time pass."""

    ms: Wait


class CoachLine(Order, frozen=True, tag="coach"):
    """The order to set what the coach shows: nothing, where Mister X may be, or advice as well."""

    tells: CoachMode


class RestartLine(Order, frozen=True, tag="restart"):
    """The order to stop the table as in a power cut and start it again with its journal."""


LineOrder = (
    NewGameLine | PutLine | LiftLine | SlideLine | PressLine | HoldLine | ReleaseLine | MrXLine | WaitLine
    | FaultOrder | RestartLine | CoachLine | TakeBackLine
)  # fmt: skip
"""The orders that act on the table."""


def line_order(line: str | bytes) -> Get | LineOrder:
    """Return the order in a line.

    Raises:
        BadOrder: the line is not an order; the message says what a valid one contains.
    """
    said = orders.parse(line, LONGEST_LINE)
    if "do" in said:
        order: LineOrder = orders.read(said, LineOrder)
        return order
    words = ", ".join(get_args(Asked))
    if "get" not in said:
        raise BadOrder(f'the order has neither "do" nor "get"; write a "do", or a "get" with one of {words}')
    asked = said["get"]
    if asked not in get_args(Asked):
        fault = f"unknown word {orders.quoted(asked)}" if isinstance(asked, str) else "must be a text"
        raise BadOrder(f'"get": {fault}; words are {words}')
    try:
        return msgspec.convert(said, Get)
    except msgspec.ValidationError as error:
        raise BadOrder(f"get: {orders.plain_fault(str(error))[1]}; it takes no other field") from None


def _read_action(record: dict[str, Any]) -> Action:
    """Restore an action of Mister X from an order.

    Raises:
        BadRecord: it is not one. The message repeats a text that must not be a text, because only its sender reads the
            reply.
    """
    try:
        return from_record(record, MR_X_KINDS)
    except BadRecord as error:
        given = record.get(str(error).partition(": ")[2].partition(" must be ")[0])
        if isinstance(given, str):
            raise BadRecord(orders.with_text(f"{error}, not a text", given)) from None
        raise


class ScriptSession:
    """A simulated table that a program controls by orders. Use it in a `with` statement.

    The journal is only in memory, so no file is left behind.
    """

    def __init__(self, config: Config | None = None, *, seed: int = 0, rough: bool = False) -> None:
        players = ProcessMaker(config) if config is not None and config.players else None
        self.simulated = SimulatedTable(config, seed=seed, rough=rough, players=players)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.simulated.close()

    def answer(self, line: str | bytes) -> Reply:
        """Carry out the order in one line, and return the reply.

        An invalid or impossible order raises no error and leaves the game unchanged.
        """
        word = ""
        try:
            order = line_order(line)
            word = order.get if isinstance(order, Get) else str(order.__struct_config__.tag)
            if isinstance(order, Get):
                return {"ok": True, **self._get(order.get)}
            self._do(order)
        except REFUSALS as error:
            return {"ok": False, "error": _reason(error, word)}
        return {"ok": True}

    def _get(self, what: Asked) -> Reply:
        simulated = self.simulated
        match what:
            case "public":
                return json_views.public(simulated.table.scene())
            case "private":
                return json_views.private(simulated.table.scene(), simulated.private)
            case "leds":
                return {"stations": _hex(simulated.station_leds()), "log": _hex(simulated.log_leds())}
            case "handset":
                return {"text": simulated.handset_lines()} | _png(simulated.hardware.handset.picture)
            case "display":
                return self._display()
            case "coach":
                return json_views.coach(simulated.table.scene().coach)
            case "health":
                return {"devices": dict(simulated.table.health()), "switches": simulated.table.switches()}

    def _do(self, order: LineOrder) -> None:
        hardware, simulated = self.simulated.hardware, self.simulated
        match order:
            case NewGameLine(rules, detectives, players, owners, deal, options, seats, names, seed):
                simulated.new_game(
                    rules,
                    detectives=detectives,
                    players=players,
                    owners=owners,
                    start=deal,
                    options=options,
                    seats=seats,
                    names=names,
                    seed=seed,
                )
            case PutLine(station, pawn):
                self._put(station, pawn)
            case LiftLine(station, pawn):
                hardware.lift(station, pawn)
            case SlideLine(path, ms, pawn):
                hardware.slide(path, ms, pawn)
            case PressLine() | HoldLine() | ReleaseLine():
                self._do_to_key(order)
            case MrXLine(action):
                self._choose(_read_action(action))
            case WaitLine(ms):
                simulated.advance(ms)
            case FaultOrder(device, kind):
                hardware.fault(device, kind)
            case CoachLine(mode):
                simulated.coach(mode)
            case TakeBackLine() | RestartLine():
                (simulated.take_back if isinstance(order, TakeBackLine) else simulated.restart)()

    def _choose(self, action: Action) -> None:
        """Make one of Mister X's choices.

        Raises:
            SimulatedTableError: Mister X does not have this choice. On his turn the message says where his choices are,
                and is the same wherever he is.
            NotNow: the table waits for something else, or the handset ignored the keys.
        """
        try:
            self.simulated.choose(action)
        except (IllegalAction, MenuError) as error:
            said = str(error).removeprefix("choose: ").replace(HIS_CHOICES, '{"get": "private"} lists his choices')
            raise SimulatedTableError(said) from None

    def _do_to_key(self, order: PressLine | HoldLine | ReleaseLine) -> None:
        hardware = self.simulated.hardware
        match order:
            case PressLine(key, ms):
                hardware.press(key, ms)
            case HoldLine(key):
                hardware.hold(key)
            case ReleaseLine(key):
                hardware.release(key)

    def _put(self, station: int, pawn: str) -> None:
        hardware = self.simulated.hardware
        if pawn not in hardware.where() and len(hardware.where()) >= MOST_PAWNS:
            raise SimulatedTableError(f"there are {MOST_PAWNS} pawns already, the most that fit; lift one first")
        hardware.put(station, pawn)

    def _display(self) -> Reply:
        panel = self.simulated.hardware.display
        if panel is None:
            raise SimulatedTableError("this table has no display; set driver under [display]")
        picture = panel.picture
        return {"text": [] if picture is None else self.simulated.display_lines()} | _png(picture)


def _reason(error: Exception, word: str) -> str:
    said = "; ".join(complaint(error).splitlines())
    if word == "new_game" and said.startswith("start: "):
        said = f"deal{said.removeprefix('start')}"  # the name of this field in an order
    said = f"{word}: {said}" if word else said
    return said if len(said) <= LONGEST_REASON else said[: LONGEST_REASON - 1] + "…"


def _hex(lit: Mapping[int, Colour]) -> dict[str, str]:
    return {str(number): f"#{red:02x}{green:02x}{blue:02x}" for number, (red, green, blue) in lit.items()}


def _png(picture: Image.Image | None) -> Reply:
    if picture is None:
        return {"png": None}
    out = io.BytesIO()
    picture.save(out, "PNG")
    return {"png": base64.b64encode(out.getvalue()).decode("ascii")}


def serve(session: ScriptSession, lines: BinaryIO, out: BinaryIO) -> None:
    """Answer every non-blank line of the input until the input ends."""
    for line in bounded_lines(lines, LONGEST_LINE):
        if line.strip() or len(line) > LONGEST_LINE:
            with whole_pass:
                # File names that are not valid text are written with JSON's escapes.
                reply = json.dumps(session.answer(line), ensure_ascii=False).encode(errors="backslashreplace")
                out.write(reply + b"\n")
                out.flush()
