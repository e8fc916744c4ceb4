"""Choose the lesson for one run of `wiring learn`, and write the learned wiring at its end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from firmware_host.commissioning.exercise_devices import abbreviate, namer
from firmware_host.commissioning.wiring_file import WiringFile, find_shared, in_config, missing, rows
from firmware_host.commissioning.wiring_lesson import HELP, LampQuestion, SwitchQuestion, WiringLesson
from firmware_host.config.loader import Config
from firmware_host.config.toml_file import ConfigError
from hardware.backend import Backend

_TOGETHER = (("switches",), ("lamps", "log"))  # a station and a window must not share a lamp
_KINDS = {
    "switches": ("stations", "an input"),
    "lamps": ("stations", "a lamp"),
    "log": ("windows of the log", "a lamp"),
}


class LearnCommand:
    """One run of `yardboard wiring learn`.

    Args:
        path: the configuration's file.
        config: its content.
        backend: the table's devices.
        what: what to learn: "switches", "lamps" or "log".
        only: the stations or windows to learn again; none means all that are missing.
        again: whether to learn everything again, even known stations and windows.

    Attributes:
        heading: the lines to print before the lesson.
        lesson: the lesson, or None if there is nothing to learn.

    Raises:
        ConfigError: the file of the notes cannot be used.
        OSError: a file of the wiring cannot be written; nothing has been asked yet.
    """

    def __init__(
        self,
        path: Path,
        config: Config,
        backend: Backend,
        what: str,
        *,
        only: Collection[int] = (),
        again: bool = False,
    ) -> None:
        self._path = path
        self._config = config
        self._backend = backend
        self._what = what
        self._book = WiringFile(path, config, inputs=backend.switches.count, lamps=backend.lamps.count)
        self._name = namer(backend.switches)
        self.heading: list[str] = list(self._book.contradictions)
        self.lesson: WiringLesson | None = None
        lines, old = self._book.notes.of(what), in_config(config, what)
        if lines == old:  # the power failed after these were written to the configuration
            lines.clear()
        if old and not lines and not only and not again:
            self.heading.append(
                f"{path}: {_KINDS[what][0]}: all {len(old)} are wired. "
                "--again learns all of them again, --only 58,74 some of them."
            )
            return
        if again:
            lines.clear()
            if what != "switches":
                self._book.notes.log.clear()
                self._book.notes.nothing.clear()
        elif only:
            lines.update({} if lines else old)
        released = [lines.pop(row) for row in only if row in lines]
        wanted = only or rows(config, what)
        asked, lesson = (
            self._switch_lesson(wanted) if what == "switches" else self._lamp_lesson(wanted, released, again=again)
        )
        if asked:
            self._book.check()
            self.heading += [f"{'Stations' if what == 'switches' else 'Lamps'} to ask for: {asked}.", *HELP]
            if what == "switches" and not config.devices["switches"].driver.learns:
                pins = abbreviate(sorted(config.layout.switch_inputs))
                self.heading.append(f"Only the GPIOs in [switches.wiring] are read: {pins}.")
            self.lesson = lesson

    def save_then(self, say: Callable[[Sequence[str]], None]) -> Callable[[Sequence[str]], None]:
        """Return a function that saves everything learned and then prints its lines with `say`."""

        def kept(lines: Sequence[str]) -> None:
            self._book.save()
            say(lines)

        return kept

    def finish(self) -> list[str]:
        """Write complete wirings into the configuration. Return lines about the written and the incomplete ones.

        Raises:
            OSError: a file cannot be written; the notes keep the learned wiring.
        """
        self._book.save()
        lines = self._summarize()
        for group in _TOGETHER:
            whats = [what for what in group if self._complete(what)]
            if whats:
                lines += self._adopt(whats)
        unfinished = [what for what in _KINDS if self._book.notes.of(what) and not self._complete(what)]
        if unfinished:
            what = self._what if self._what in unfinished else unfinished[0]
            lines.append(f"Kept in {self._book.path}. Go on with: {self._command(what)}")
        return lines

    # ---- questions ----

    def _switch_lesson(self, wanted: Collection[int]) -> tuple[int, WiringLesson]:
        notes = self._book.notes
        asked = [station for station in wanted if station not in notes.switches]
        quiz = SwitchQuestion(notes, wanted, self._book.known(self._config, "lamps"), self._name)
        return len(asked), WiringLesson(quiz, asked, self._name)

    def _lamp_lesson(
        self, wanted: Collection[int], released: Sequence[int], *, again: bool
    ) -> tuple[int, WiringLesson]:
        config, notes = self._config, self._book.notes
        for_log = self._what == "log"
        if for_log:
            taken = {
                *(notes.lamps or dict(zip(config.layout.stations, config.layout.station_lamps, strict=True))).values()
            }
            quiz = LampQuestion(notes, (), config.edition.windows, [-window for window in wanted], {})
        else:
            log = {} if again else in_config(config, "log")
            taken = {*log.values(), *notes.lamps.values()}
            inputs = self._book.known(config, "switches")
            contacts = {contact: station for station, contact in inputs.items()}
            quiz = LampQuestion(notes, rows(config, "lamps"), 0 if log else config.edition.windows, wanted, contacts)
        taken |= {*notes.log.values()}
        free = [lamp for lamp in range(self._backend.lamps.count) if lamp not in taken]
        asked = [*released, *(lamp for lamp in free if lamp not in notes.nothing and lamp not in released)]
        asked = asked or free  # then a lamp that seemed dead must be the missing one
        return 0 if quiz.is_complete() else len(asked), WiringLesson(quiz, asked, self._name)

    # ---- results ----

    def _command(self, what: str) -> str:
        return f"yardboard wiring learn {self._path}" + ("" if what == "switches" else f" --what {what}")

    def _complete(self, what: str) -> bool:
        lines = self._book.notes.of(what)
        return bool(lines) and not missing(self._config, what, lines)

    def _summarize(self) -> list[str]:
        """Return lines that count what is wired, and list what is missing or used twice."""
        lines = []
        for what, (things, end) in _KINDS.items():
            if what == self._what or self._book.notes.of(what):
                noted = self._book.known(self._config, what)
                every, lacking = rows(self._config, what), missing(self._config, what, noted)
                lines.append(f"{len(every) - len(lacking)} of {len(every)} {things} have {end}.")
                if lacking:
                    lines.append(f"Missing: {abbreviate(lacking)}.")
        at = {f"station {n}": lamp for n, lamp in self._book.known(self._config, "lamps").items()}
        at |= {f"window {n}": lamp for n, lamp in self._book.known(self._config, "log").items()}
        return lines + [
            f"Doubled: lamp {lamp} is that of {' and '.join(two)}." for lamp, two in find_shared(at).items()
        ]

    def _adopt(self, whats: Sequence[str]) -> list[str]:
        try:
            self._book.adopt(whats)
        except ConfigError as error:
            lines = [f"Not written: {self._path} would not be good any more, and stays as it was.", *error.mistakes]
            if whats == ["lamps"]:
                option = " --again" if in_config(self._config, "log") and not self._book.notes.log else ""
                lines.append(f"Learn the lamps of the log, too: {self._command('log')}{option}")
            return lines
        return [f"Written to {self._path}: {' and '.join(whats)}."]
