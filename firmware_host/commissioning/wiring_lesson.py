"""Run one lesson on a board's wiring: ask, take a magnet or a word as the answer, and learn a line.

A lesson does no input or output: it gets the closed contacts, the typed lines and the time, and returns the lamps to
light and the lines to say. What to ask, and what a touch means as an answer, is up to a `WiringQuestion`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from PIL import Image

from firmware_host.commissioning.exercise_devices import Colour, Lost, health_changes, held_closed, set_bits

SETTLE = 0.3
"""Seconds for which the same contacts must stay closed to count as an answer; a magnet in passing does not."""

PATIENCE = 3.0
"""Seconds after an answer until a contact that is still closed counts as stuck."""

BLINK = 0.4
"""Seconds for which a lamp shines green after it or its switch is learned."""

ASKED: Colour = (255, 255, 255)
LEARNED: Colour = (0, 255, 0)

HELP = (
    "Enter: skip. b: back to the one before. q: end; what is learned is kept.",
    "At the table: confirm skips, back goes back.",
)
"""The input that is accepted at any question, for people. "a" (ask again) and "t" (take over) are explained when
needed."""

KEYS = {"table.confirm": "", "table.back": "b", "table.taxi": "t"}
"""The keys at the table, with the typed input that they stand for."""


class WiringQuestion(Protocol):
    """What a lesson asks for, and what counts as an answer. Both are plain numbers.

    Switches are learned by asking for stations and answering with inputs. Lamps are learned the other way round: a lamp
    is asked for, and the answer is a station or a window of the log.

    Attributes:
        uses: the devices involved; without the first of them nothing can be asked.
    """

    uses: tuple[str, ...]

    def is_complete(self) -> bool:
        """Return whether everything is learned that the lesson is for."""

    def prompt(self, asked: int, *, dark: bool) -> str:
        """Return what the person should do; `dark` means that the lamps do not shine."""

    def lamp(self, asked: int) -> int | None:
        """Return the lamp to light while asking, if it is known."""

    def describe(self, answer: int) -> str:
        """Describe an answer in words: "input 12 (chip 2, pin E)"."""

    def answer_from_contact(self, contact: int) -> int | None:
        """Return the answer that a closed input gives, or None if it gives none."""

    def answer_from_word(self, word: str) -> int | None:
        """Return the answer that a typed word gives, or None if it gives none."""

    def owner(self, answer: int) -> int | None:
        """Return what has this answer already, if anything."""

    def describe_conflict(self, answer: int, owner: int) -> str:
        """Say in words that `owner` has this answer already."""

    def note_answer(self, asked: int, answer: int) -> str:
        """Note an answer, and return a line that says so."""

    def remove_answer(self, asked: int) -> list[str]:
        """Remove what is noted for something, and return lines that say so; none if nothing was noted."""


class WiringLesson:
    """Runs a lesson from its first question to its last. An `Exercise` for the workbench.

    Args:
        quiz: what to learn.
        asked: what to ask for, in this order.
        name: says where an input is found: "input 12 (chip 2, pin E)".

    Attributes:
        done: whether the lesson is over and the last lamp has blinked.
    """

    def __init__(self, quiz: WiringQuestion, asked: Sequence[int], name: Callable[[int], str]) -> None:
        self.done = False
        self._quiz = quiz
        self._name = name
        self._queue = list(asked)
        self._count = len(self._queue)  # everything after these in the queue is asked once more
        self._reassigned: set[int] = set()  # their answer was given to another
        self._at = 0
        self._past: list[int] = []  # places in the queue asked so far
        self._lost: Lost = {}
        self._ended = not self._queue
        self._closed = 0
        self._stuck = 0  # closed contacts that are ignored until they open
        self._touched = 0  # contacts closed since the question was asked, or since the last magnet was lifted
        self._lifting = False  # whether an answer was given and its magnet is still there
        self._since = 0.0  # when `_touched` changed or `_lifting` began
        self._contested: int | None = None  # an answer that could be taken over
        self._blink: tuple[int | None, float] = (None, 0.0)

    # ---- what happens ----

    @property
    def waiting(self) -> bool:
        """Return whether the device to be learned is lost."""
        return not self._ended and self._quiz.uses[0] in self._lost

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:
        """Begin the lesson, with these inputs closed."""
        self._closed = self._stuck = closed
        self._lost = lost
        return [*health_changes({}, lost, self._quiz.uses), *held_closed(closed, self._name), *self._ask(now)]

    def devices_changed(self, closed: int, lost: Lost, now: float) -> list[str]:
        """Update the lost devices. The question waits while the learned device is lost.

        Switches that are closed when they come back are no answer.
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
        """Take the inputs that are closed from now on."""
        self._closed = closed
        self._stuck &= closed
        heard = closed & ~self._stuck
        self._lifting = self._lifting and heard != 0
        if not self._lifting and heard != self._touched:
            self._touched, self._since = heard, now
        return []

    def key_changed(self, name: str, down: bool, now: float) -> list[str]:
        """Take a key that went down or up."""
        return self.line_typed(KEYS[name], now) if down and name in KEYS else []

    def line_typed(self, line: str, now: float) -> list[str]:
        """Take a typed line."""
        word = line.strip().lower()
        self._ended = self._ended or word == "q"
        if self._ended or self.waiting:
            return self._ask(now)
        match word:
            case "":
                return self._next(now)
            case "a":
                return self._ask(now)
            case "b":
                return self._back(now)
            case "t":
                return self._take_over(now)
        answer = self._quiz.answer_from_word(word)
        if answer is None:
            return [f"  {line.strip()!r} is no answer here", *self._ask(now)]
        return self._answer(answer, now)

    def tick(self, now: float) -> list[str]:
        """Judge what has been closed for long enough."""
        if self._ended:
            self.done = now >= self._blink[1]
        elif self._lifting and now - self._since >= PATIENCE:
            stays = self._closed & ~self._stuck
            self._stuck, self._lifting = self._closed, False
            return held_closed(stays, self._name)
        elif self._touched and now - self._since >= SETTLE:
            return self._judge(now)
        return []

    # ---- what shows ----

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:
        """Return the lamps that shine."""
        lit: dict[int, Colour] = {}
        lamp, until = self._blink
        if lamp is not None and now < until:
            lit[lamp] = LEARNED
        asked = None if self._ended else self._quiz.lamp(self._queue[self._at])
        if asked is not None:
            lit[asked] = ASKED
        return lit

    def pictures(self, now: float) -> tuple[Image.Image | None, Image.Image | None]:  # noqa: ARG002
        """Return no pictures: the screens stay dark."""
        return None, None

    # ---- questions and answers ----

    def _ask(self, now: float) -> list[str]:
        """Ask, and listen to what closes from now on."""
        self._contested = None
        self._listen_anew(now)
        if self._ended:
            return []
        if self.waiting:
            return [f"  The question waits for the {self._quiz.uses[0]}. q and Enter: end."]
        number = f"{self._at + 1} of {self._count}" if self._at < self._count else "once more"
        return [f"{number}: {self._quiz.prompt(self._queue[self._at], dark='lamps' in self._lost)}"]

    def _listen_anew(self, now: float) -> None:
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
        """Take contacts that stayed closed for `SETTLE` seconds as an answer."""
        contacts = set_bits(self._touched)
        self._listen_anew(now)
        if len(contacts) > 1:
            return self._several_contacts(contacts)
        answer = self._quiz.answer_from_contact(contacts[0])
        if answer is None:
            return [f"  {self._name(contacts[0])} belongs to no station that is known; type the number"]
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
