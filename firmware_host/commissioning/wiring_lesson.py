"""Run one lesson about a board's wiring: ask, accept a magnet or a word as the answer, and record it.

A lesson does no input or output: it gets the closed contacts, the typed lines and the time, and returns the lamps to
light and the lines to print. A `SwitchQuestion` or `LampQuestion` decides the wording and the meaning of a touch.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from firmware_host.commissioning.exercise_devices import Colour, Exercise, Lost, health_changes, held_closed, set_bits
from firmware_host.commissioning.wiring_file import Notes

NOTHING = 0
"""The answer that a lamp is dead, or at no station and no window."""


class SwitchQuestion:
    """The questions of a lesson about switches: each names a station, and its answer is the input under it.

    Args:
        notes: the notes of the answers.
        wanted: the stations to learn.
        lamps: station -> lamp, if known.
        name: returns an input's description: "input 12 (chip 2, pin E)".

    Attributes:
        uses: the devices that the lesson needs; it waits while the first of them is lost.
    """

    uses: tuple[str, ...] = ("switches", "lamps")

    def __init__(
        self, notes: Notes, wanted: Collection[int], lamps: Mapping[int, int], name: Callable[[int], str]
    ) -> None:
        self._lines = notes.switches
        self._wanted = wanted
        self._lamps = lamps
        self._name = name

    def is_complete(self) -> bool:
        """Return whether every wanted station has an input by now."""
        return all(station in self._lines for station in self._wanted)

    def prompt(self, asked: int, *, dark: bool) -> str:
        """Return the text that asks the person to touch a station."""
        shines = ", which shines," if asked in self._lamps and not dark else ""
        return f"touch station {asked}{shines} with a magnet"

    def lamp(self, asked: int) -> int | None:
        """Return the lamp to light for a question: the station's, or None if it is unknown."""
        return self._lamps.get(asked)

    def describe(self, answer: int) -> str:
        """Return the input that is the answer, with its place, in words."""
        return self._name(answer)

    def answer_from_contact(self, contact: int) -> int | None:
        """Return the closed input, which is itself the answer."""
        return contact

    def answer_from_word(self, word: str) -> int | None:  # noqa: ARG002 - only magnets answer
        """Return None: no typed word is an answer."""
        return None

    def owner(self, answer: int) -> int | None:
        """Return the station that already has this input, or None."""
        return next((station for station, contact in self._lines.items() if contact == answer), None)

    def describe_conflict(self, answer: int, owner: int) -> str:
        """Return a sentence that another station already has this input."""
        return f"{self._name(answer)} is station {owner} already"

    def note_answer(self, asked: int, answer: int) -> str:
        """Record a station's input."""
        self._lines[asked] = answer
        return f"station {asked} is {self._name(answer)}"

    def remove_answer(self, asked: int) -> list[str]:
        """Remove a station's recorded input."""
        contact = self._lines.pop(asked, None)
        return [] if contact is None else [f"  station {asked} is not {self._name(contact)} any more"]


class LampQuestion:
    """The questions of a lesson about lamps: each names a lamp of the chain, and its answer is the lamp's place.

    The place is a station, as a positive number, or a window of the log, as a negative number.

    Args:
        notes: the notes of the answers.
        stations: the possible stations; if there are none, only the windows are learned.
        windows: how many windows the log has; 0 if windows cannot be answers.
        wanted: the stations to learn; or the windows, as negative numbers.
        contacts: input -> station, as far as known; at these stations the person can answer with a magnet.

    Attributes:
        uses: the devices that the lesson needs; it waits while the first of them is lost.
    """

    def __init__(
        self,
        notes: Notes,
        stations: Collection[int],
        windows: int,
        wanted: Collection[int],
        contacts: Mapping[int, int],
    ) -> None:
        self._notes = notes
        self._stations = stations
        self._windows = windows
        self._wanted = wanted
        self._contacts = contacts
        self.uses: tuple[str, ...] = ("lamps", "switches") if contacts else ("lamps",)

    def is_complete(self) -> bool:
        """Return whether every wanted station or window has a lamp by now."""
        return all(self.owner(answer) is not None for answer in self._wanted)

    def prompt(self, asked: int, *, dark: bool) -> str:  # noqa: ARG002 - needs working lamps
        """Return the text that asks the person for the place of a lamp."""
        if not self._stations:
            return f"lamp {asked} shines: type the number of its window in the log, or none"
        magnet = "touch its station with a magnet, or type its number"
        way = magnet if self._contacts else "type the number of its station"
        window = ", w3 for window 3 of the log" if self._windows else ""
        return f"lamp {asked} shines: {way}{window}, or none"

    def lamp(self, asked: int) -> int | None:
        """Return the lamp to light for a question, which is the lamp `asked` itself."""
        return asked

    def describe(self, answer: int) -> str:
        """Return the station or window that is the answer, in words."""
        return f"station {answer}" if answer > 0 else f"window {-answer}" if answer else "nothing"

    def answer_from_contact(self, contact: int) -> int | None:
        """Return the station whose switch is this input."""
        return self._contacts.get(contact)

    def answer_from_word(self, word: str) -> int | None:
        """Return the answer in a typed word: a station's number, "w" and a window's number, or "none"."""
        if word in {"n", "none"}:
            return NOTHING
        number = word.removeprefix("w")
        if not (number.isascii() and number.isdecimal() and len(number) < 6):
            return None
        if word.startswith("w") or not self._stations:
            return -int(number) if 1 <= int(number) <= self._windows else None
        return int(number) if int(number) in self._stations else None

    def owner(self, answer: int) -> int | None:
        """Return the lamp that is already at this station or window, or None."""
        return self._notes.lamps.get(answer) if answer > 0 else self._notes.log.get(-answer)

    def describe_conflict(self, answer: int, owner: int) -> str:
        """Return a sentence that another lamp is already there."""
        return f"{self.describe(answer)} has lamp {owner} already"

    def note_answer(self, asked: int, answer: int) -> str:
        """Record where a lamp is."""
        if answer == NOTHING:
            self._notes.nothing.add(asked)
            return f"lamp {asked} stays dark"
        self._notes.nothing.discard(asked)
        lines = self._notes.lamps if answer > 0 else self._notes.log
        lines[abs(answer)] = asked
        return f"{self.describe(answer)} has lamp {asked}"

    def remove_answer(self, asked: int) -> list[str]:
        """Remove the recorded place of a lamp."""
        self._notes.nothing.discard(asked)
        struck = []
        for lines, sign in ((self._notes.lamps, 1), (self._notes.log, -1)):
            for row in [row for row, lamp in lines.items() if lamp == asked]:
                del lines[row]
                struck.append(f"  {self.describe(sign * row)} has not lamp {asked} any more")
        return struck


SETTLE = 0.3
"""Seconds that the same contacts must stay closed to count as an answer; a passing magnet does not."""

PATIENCE = 3.0
"""Seconds after an answer until a contact that is still closed counts as stuck."""

BLINK = 0.4
"""Seconds of green light on a lamp after it or its switch is learned."""

ASKED: Colour = (255, 255, 255)
LEARNED: Colour = (0, 255, 0)

HELP = (
    "Enter: skip. b: back to the previous one. q: end; what is learned is kept.",
    "At the table: confirm skips, back goes back.",
)
"""The input that is accepted at any question, for people. "t" (take over) is explained when needed."""

KEYS = {"table.confirm": "", "table.back": "b", "table.taxi": "t"}
"""The table's keys -> the typed input that they replace."""


class WiringLesson(Exercise):
    """An exercise that learns a board's wiring by asking one question after another.

    Args:
        quiz: the questions.
        asked: the stations or lamps to ask about, in this order.
        name: returns an input's description: "input 12 (chip 2, pin E)".

    Attributes:
        done: whether the lesson is over and the last lamp has blinked.
    """

    def __init__(self, quiz: SwitchQuestion | LampQuestion, asked: Sequence[int], name: Callable[[int], str]) -> None:
        self._quiz = quiz
        self._name = name
        self._queue = list(asked)
        self._count = len(self._queue)  # everything after these in the queue is asked once more
        self._reassigned: set[int] = set()  # questions whose answer was given to another
        self._at = 0
        self._past: list[int] = []  # places in the queue asked so far
        self._lost: Lost = {}
        self._ended = not self._queue
        self._closed = 0
        self._stuck = 0  # closed contacts that are ignored until they open
        self._touched = 0  # contacts closed since the question, or since the last magnet was lifted
        self._lifting = False  # whether an answer was given and its magnet is still there
        self._since = 0.0  # when `_touched` changed or `_lifting` began
        self._contested: int | None = None  # an answer that could be taken over
        self._blink: tuple[int | None, float] = (None, 0.0)

    # ---- events ----

    @property
    def lacks_device(self) -> bool:
        """Whether the device under test is lost."""
        return self._quiz.uses[0] in self._lost

    @property
    def waiting(self) -> bool:
        """Whether a question waits for the device under test."""
        return not self._ended and self.lacks_device

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:
        """Start the lesson with these inputs closed."""
        self._closed = self._stuck = closed
        self._lost = lost
        return [*health_changes({}, lost, self._quiz.uses), *held_closed(closed, self._name), *self._ask(now)]

    def devices_changed(self, closed: int, lost: Lost, now: float) -> list[str]:
        """Store the lost devices. The question waits while its device is lost.

        Switches that are closed when they come back are not an answer.
        """
        before, self._lost = self._lost, lost
        lines = health_changes(before, lost, self._quiz.uses)
        if not lines:
            return []
        if "switches" in before and "switches" not in lost:
            self._closed = self._stuck = closed
            lines += held_closed(closed, self._name)
        return [*lines, *self._ask(now)]

    def contacts_changed(self, closed: int, now: float) -> list[str]:
        """Store the closed inputs. If one stays closed, `tick` accepts it as an answer."""
        self._closed = closed
        self._stuck &= closed
        closed_now = closed & ~self._stuck
        self._lifting = self._lifting and closed_now != 0
        if not self._lifting and closed_now != self._touched:
            self._touched, self._since = closed_now, now
        return []

    def key_changed(self, name: str, down: bool, now: float) -> list[str]:
        """React to a key that was pressed (`down`) or released."""
        return self.line_typed(KEYS[name], now) if down and name in KEYS else []

    def line_typed(self, line: str, now: float) -> list[str]:
        """React to a typed line."""
        word = line.strip().lower()
        self._ended = self._ended or word == "q"
        if self._ended or self.waiting:
            return self._ask(now)
        match word:
            case "":
                return self._next(now)
            case "b":
                return self._back(now)
            case "t":
                return self._take_over(now)
        answer = self._quiz.answer_from_word(word)
        if answer is None:
            return [f"  {line.strip()!r} is not an answer here", *self._ask(now)]
        return self._answer(answer, now)

    def tick(self, now: float) -> list[str]:
        """Accept inputs that have been closed for long enough as an answer."""
        if self._ended:
            self.done = now >= self._blink[1]
        elif self._lifting and now - self._since >= PATIENCE:
            stays = self._closed & ~self._stuck
            self._stuck, self._lifting = self._closed, False
            return held_closed(stays, self._name)
        elif self._touched and now - self._since >= SETTLE:
            return self._judge(now)
        return []

    # ---- output ----

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:
        """Return the lamps that are lit."""
        lit: dict[int, Colour] = {}
        lamp, until = self._blink
        if lamp is not None and now < until:
            lit[lamp] = LEARNED
        asked = None if self._ended else self._quiz.lamp(self._queue[self._at])
        if asked is not None:
            lit[asked] = ASKED
        return lit

    # ---- questions and answers ----

    def _ask(self, now: float) -> list[str]:
        """Ask the present question. From now on, contacts that close may answer it."""
        self._contested = None
        self._reset_contacts(now)
        if self._ended:
            return []
        if self.waiting:
            return [f"  The question waits for the {self._quiz.uses[0]}. q and Enter: end."]
        number = f"{self._at + 1} of {self._count}" if self._at < self._count else "once more"
        return [f"{number}: {self._quiz.prompt(self._queue[self._at], dark='lamps' in self._lost)}"]

    def _reset_contacts(self, now: float) -> None:
        self._touched = 0
        self._lifting = self._closed & ~self._stuck != 0
        self._since = now

    def _next(self, now: float) -> list[str]:
        self._past.append(self._at)
        self._at += 1
        while (
            self._at < len(self._queue) and self._queue[self._at] not in self._reassigned and self._quiz.is_complete()
        ):
            self._at += 1
        self._ended = self._at == len(self._queue)
        return self._ask(now)

    def _back(self, now: float) -> list[str]:
        if not self._past:
            return ["  this is the first one", *self._ask(now)]
        self._at = self._past.pop()
        return [*self._quiz.remove_answer(self._queue[self._at]), *self._ask(now)]

    def _judge(self, now: float) -> list[str]:
        """Accept contacts that stayed closed for `SETTLE` seconds as an answer, or report why they are not one."""
        contacts = set_bits(self._touched)
        self._reset_contacts(now)
        if len(contacts) > 1:
            return self._several_contacts(contacts)
        answer = self._quiz.answer_from_contact(contacts[0])
        if answer is None:
            return [f"  {self._name(contacts[0])} belongs to no known station; type the number"]
        return self._answer(answer, now)

    def _several_contacts(self, contacts: Sequence[int]) -> list[str]:
        lines = [f"  {len(contacts)} contacts closed at once: {', '.join(map(self._name, contacts))}"]
        answers = [answer for contact in contacts if (answer := self._quiz.answer_from_contact(contact)) is not None]
        free = [answer for answer in answers if self._quiz.owner(answer) is None]
        self._contested = free[0] if len(free) == 1 else None
        again = "  touch it again, a little off to the side; Enter: skip"
        if self._contested is not None:
            again += f"; t: take {self._quiz.describe(free[0])}, the only one that is free"
        return [*lines, again]

    def _answer(self, answer: int, now: float) -> list[str]:
        owner = self._quiz.owner(answer)
        if owner is None:
            return self._learn(answer, now)
        self._contested = answer
        return [f"  {self._quiz.describe_conflict(answer, owner)}", "  answer again; Enter: skip; t: take it over"]

    def _take_over(self, now: float) -> list[str]:
        if self._contested is None:
            return ["  there is nothing to take over", *self._ask(now)]
        lines: list[str] = []
        owner = self._quiz.owner(self._contested)
        if owner is not None:
            lines = self._quiz.remove_answer(owner)
            self._reassigned.add(owner)
            if owner not in self._queue[self._at + 1 :]:
                self._queue.append(owner)
        return [*lines, *self._learn(self._contested, now)]

    def _learn(self, answer: int, now: float) -> list[str]:
        asked = self._queue[self._at]
        line = self._quiz.note_answer(asked, answer)
        self._blink = (self._quiz.lamp(asked), now + BLINK)
        return [f"  {line}", *self._next(now)]
