"""Run a recorded session through the current software: the same table in memory, fed from its tape."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.drivers.neopixel_drivers import dark_milliamps
from firmware_host.config.loader import Config
from firmware_host.daemon.run import begin
from firmware_host.journal.journal import Journal
from firmware_host.recording.recorded_session import Session, device_facts, in_time_zone, journal_for, read_session
from firmware_host.recording.tape import BadTape, TapeError
from firmware_host.recording.tape_file import Tape
from firmware_host.recording.tape_player import Difference, Diverged, PlayedRng, TapeEnded, TapePlayer, playback_devices
from firmware_host.recording.tape_recorder import DeviceFacts
from firmware_host.recording.tape_recording import read_command
from firmware_host.recording.taped_players import PLAYERS, PlayedPlayers
from firmware_host.table.compose import compose
from firmware_host.table.outputs import limit_lamps
from firmware_host.table.player_maker import PlayerMaker
from firmware_host.table.process_player_maker import ProcessMaker


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """The result of a replay.

    The result of a replay.
        passes: the number of passes without a difference.
        seconds: how much of the session was replayed.
        counts: the numbers of samples, frames and pictures without a difference.
        passed_over: the number of differences before the time `since`.
        difference: the first one from then on, if any.
        failure: the exception's name and place, if the software failed.
        words: the exception's text; it may hold secrets of Mister X's.
        ends_there: whether it failed where the tape ends: then it failed in the recorded session too.
        layout: the board layout at the end.
        broken: how the tape is cut off, if it is.
    """

    passes: int
    seconds: float
    counts: Counter[str]
    passed_over: int
    difference: Difference | None
    failure: str
    words: str
    ends_there: bool
    layout: BoardLayout
    broken: str


def replay(tape: Tape, name: str, *, since: float = 0.0, until: float = float("inf")) -> ReplayResult:
    """Run a session through the current software until something differs.

    Args:
        tape: the whole tape, from its beginning.
        name: the tape's file name, for messages.
        since: seconds before which differing pictures are ignored.
        until: seconds after which the replay ends.

    Raises:
        BadTape: the tape cannot be played.
        ConfigError: the current software cannot use the session's configuration.
    """
    session = read_session(tape, name)
    if session.public:
        raise BadTape(f"{name}: holds only the public part, which cannot be replayed; --show lists what happened")
    config, devices, player = session.config(), device_facts(tape, name), TapePlayer(tape.entries, since)
    players = None  # older tapes hold no answers: our own players answer again
    if PLAYERS in tape.notes:
        players = PlayedPlayers(ProcessMaker(config), player.read_note)
    difference, failure, words, layout = None, "", "", config.layout
    with journal_for(tape, name, player) as journal, in_time_zone(session.zone):
        try:
            for layout in _run_passes(session, config, player, devices, journal, players):  # noqa: B007 - needed after the loop
                if player.seconds > until:
                    break
        except TapeEnded:
            pass
        except Diverged as parted:
            difference = parted.difference
        except TapeError:
            raise
        except Exception as error:  # noqa: BLE001 - any failure is a finding
            failure, words = _error_place(error), str(error)
    return ReplayResult(
        passes=player.number,
        seconds=player.seconds,
        counts=player.counts,
        passed_over=player.passed_over,
        difference=difference,
        failure=failure,
        words=words,
        ends_there=bool(failure) and player.finished(),
        layout=layout,
        broken=tape.broken,
    )


def _run_passes(
    session: Session,
    config: Config,
    player: TapePlayer,
    devices: DeviceFacts,
    journal: Journal,
    players: PlayerMaker | None,
) -> Iterator[BoardLayout]:
    """Run the passes as `run.run_table` does. After each, yield the board layout."""
    table = compose(
        config,
        playback_devices(
            player, devices, partial(limit_lamps, config, spare=dark_milliamps(config.sections["lamps"], config.layout))
        ),
        journal,
        rng=PlayedRng(player),
        wall=player.wall,
        resume=session.resume,
        players=players,
    )
    step: Callable[[], None] = table.step if session.by_page else partial(begin, table)
    while player.begin_pass():
        command = read_command(player.read_note)
        if command is None:
            step()
        else:
            table.do(command)  # one that was refused then is refused again
        step = table.step
        yield table.layout


def _error_place(error: Exception) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(where.filename).name}, line {where.lineno}"
