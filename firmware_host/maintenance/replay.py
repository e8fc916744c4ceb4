"""A session run through the present software: the same table in memory, on what its tape gives."""

from __future__ import annotations

import inspect
import json
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from firmware_host.config.board_layout import Sheet
from firmware_host.config.loader import Config
from firmware_host.daemon.run import begin
from firmware_host.journal.sqlite_store import JournalError
from firmware_host.maintenance.recorded_session import Session, facts, in_zone, table_for, told
from firmware_host.rules.errors import BadSetup
from firmware_host.table.device_factory import spare
from firmware_host.table.outputs import limited
from firmware_host.table.recording import NEW_GAME, PlayedJournal
from firmware_host.table.table import Daemon
from hardware.recording.tape import BadTape, TapeError
from hardware.recording.tape_file import Tape
from hardware.recording.tape_player import Chance, Difference, Facts, Over, Parted, Player, played

WISH = inspect.signature(Daemon.new_game).parameters.keys() - {"self", "chance"}
"""What may be wanted of a game that is begun by no device."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """How a replay went.

    Attributes:
        passes: how many were alike.
        seconds: of the session.
        counts: how many samples, frames and pictures were alike.
        passed_over: how many differences before the time from which they were looked for.
        difference: the first from then on, if there is one.
        failure: what the software failed with, if it did, and where.
        words: what it said then; who knows what of Mister X's is in that.
        ends_there: whether it failed where the tape ends: then it failed when that was recorded, too.
        sheet: which stations lay on which spots in the end.
        broken: how the tape breaks off, if it does.
    """

    passes: int
    seconds: float
    counts: Counter[str]
    passed_over: int
    difference: Difference | None
    failure: str
    words: str
    ends_there: bool
    sheet: Sheet
    broken: str


def replay(tape: Tape, name: str, *, since: float = 0.0, until: float = float("inf")) -> Replayed:
    """Run a session through the present software, until something is not as it was.

    Args:
        tape: the whole tape, from its beginning.
        name: its file's name, for messages.
        since: seconds before which something else that is shown is passed over.
        until: seconds after which no more is run.

    Raises:
        BadTape: it cannot be played.
        ConfigError: the present software cannot use the session's configuration.
    """
    session = told(tape, name)
    if session.public:
        raise BadTape(f"{name}: holds only what is public, which is no whole game; --show tells what happened")
    config, devices, player = session.config(), facts(tape, name), Player(tape.entries, since)
    difference, failure, words, sheet = None, "", "", config.sheet
    with table_for(tape, name, player) as journal, in_zone(session.zone):
        try:
            for sheet in _passes(session, config, player, devices, journal):  # noqa: B007 - wanted in the end
                if player.seconds > until:
                    break
        except Over:
            pass
        except Parted as parted:
            difference = parted.difference
        except TapeError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the software fails with is what is looked for
            failure, words = _place(error), str(error)
    return Replayed(
        passes=player.number,
        seconds=player.seconds,
        counts=player.counts,
        passed_over=player.passed_over,
        difference=difference,
        failure=failure,
        words=words,
        ends_there=bool(failure) and player.finished(),
        sheet=sheet,
        broken=tape.broken,
    )


def _passes(
    session: Session, config: Config, player: Player, devices: Facts, journal: PlayedJournal
) -> Iterator[Sheet]:
    """The same as `run.run_table` does with devices; after each pass the stations that lie on the board."""
    daemon = Daemon(
        config,
        played(player, devices, partial(limited, config, spare=spare(config))),
        journal,
        chance=Chance(player),
        wall=player.wall,
        resume=session.resume,
    )
    step: Callable[[], None] = daemon.step if session.by_page else partial(begin, daemon)
    while player.begin_pass():
        wanted = player.noted(NEW_GAME)
        if wanted is None:
            step()
        else:
            _new_game(daemon, wanted)
        step = daemon.step
        yield daemon.sheet


def _new_game(daemon: Daemon, wanted: str) -> None:
    """A game is begun by no device. If it was refused then, too, nothing has changed."""
    try:
        wish = json.loads(wanted)
    except ValueError:
        wish = None
    if not isinstance(wish, dict) or not wish.keys() <= WISH:
        raise BadTape("a game was begun in a way that this version does not know")
    with suppress(BadSetup, JournalError):
        daemon.new_game(**wish)


def _place(error: Exception) -> str:
    """What the software failed with, and where."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(where.filename).name}, line {where.lineno}"
