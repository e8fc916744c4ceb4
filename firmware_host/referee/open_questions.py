"""What the table asks at this moment, and what it has asked or been denied of readings before."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from firmware_host.referee.scene import Ambiguous, Moved, Reading
from firmware_host.rules.actions import PawnMove


@dataclass(frozen=True, slots=True)
class Questions:
    """A round of questions. `at` is the one being asked; -1: none before the back key has gone to one."""

    each: tuple[tuple[PawnMove, ...], ...] = ()
    at: int = 0

    def __bool__(self) -> bool:
        return bool(self.each)

    @property
    def asked(self) -> tuple[PawnMove, ...]:
        """The moves between which the table asks now."""
        return self.each[self.at] if self.each and self.at >= 0 else ()

    @property
    def more(self) -> bool:
        """Whether the back key goes on to another question."""
        return len(self.each) > 1 or self.at < 0

    @property
    def last(self) -> bool:
        """Whether the one being asked is the last of the round."""
        return self.at == len(self.each) - 1

    def next(self) -> Questions:
        """The next question, round and round."""
        return replace(self, at=(self.at + 1) % len(self.each)) if self.each and self.more else self


NO_QUESTIONS = Questions()


@dataclass(frozen=True, slots=True)
class PutBy:
    """What was asked or denied of a reading that has changed, and may come back at once."""

    reading: Reading = field(hash=False)
    at: float
    questions: Questions
    declined: bool


@dataclass(frozen=True, slots=True)
class Asking:
    """What the table asks. Every method returns what it asks then.

    Attributes:
        questions: the round of questions, or none.
        asked_at: when (clock seconds) the table last began to ask by itself.
        unheeded: whether it asks by itself, and nobody has pressed a key since.
        declined: whether all that was likely was denied, for this very reading.
        put_by: what was asked or denied of readings before: the last two.
    """

    questions: Questions = NO_QUESTIONS
    asked_at: float = 0.0
    unheeded: bool = False
    declined: bool = False
    put_by: tuple[PutBy, ...] = ()

    def withdraw(self, reading: Reading, now: float) -> Asking:
        """The board has changed: what was asked about a reading, or denied, is put by."""
        if not self.questions and not self.declined:
            return self
        others = [one for one in self.put_by if one.reading != reading]
        last = PutBy(reading, now, self.questions, self.declined)
        return replace(self, questions=NO_QUESTIONS, declined=False, put_by=(*others[-1:], last))

    def forget(self) -> Asking:
        """The game has changed, or somebody has said what is felt: what was asked before is no more."""
        return replace(self, questions=NO_QUESTIONS, put_by=())

    def go_on(self, reading: Reading) -> Asking:
        """The back key: the next question; past the last one none is asked, unless something has moved for sure."""
        declined = self.questions.last and not isinstance(reading, Moved | Ambiguous)
        return replace(self.by_key(NO_QUESTIONS if declined else self.questions.next()), declined=declined)

    def by_key(self, questions: Questions) -> Asking:
        """A key has made the table ask this."""
        return replace(self, questions=questions, unheeded=False)

    def by_itself(self, questions: Questions, now: float) -> Asking:
        """The table asks by itself, or has nothing to ask."""
        if self.unheeded and questions == self.questions:
            return self
        anew = questions and questions != self.questions
        return replace(self, questions=questions, unheeded=True, asked_at=now if anew else self.asked_at)

    def heeded(self) -> Asking:
        """A key has been pressed for it."""
        return replace(self, unheeded=False)

    def ask_again(self, reading: Reading, now: float, within: float) -> Asking:
        """What was put by `within` these seconds is asked again, or stays denied, if the board is read as then."""
        asking = self
        if not self.questions and not self.declined:
            for one in self.put_by:
                if one.reading == reading and one.at >= now - within:
                    asking = replace(asking.by_itself(one.questions, now), declined=one.declined).heeded()
        return asking
