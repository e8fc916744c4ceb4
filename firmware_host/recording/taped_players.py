"""Record the answers of computer players and the coach, and replay the answers without their programs.

An answer or a failure is a note on the tape, in the pass in which the table got it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from firmware_host.players.coach.coach_port import Coach, Insight
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Player, Position, PublicHistory
from firmware_host.players.seats import PlayerName
from firmware_host.rules.actions import Action, PawnMove, from_record, to_record
from firmware_host.rules.errors import BadRecord
from firmware_host.table.player_maker import PlayerMaker, ThinkingTime

PLAYERS = "players"
"""The note that marks a tape with computer players' answers. Older tapes have none."""

ANSWER = "answer"
"""The name of the note with a player's answer, or with the reason for its failure."""

INSIGHT = "insight"
"""The name of the note with the coach's hints, or with the reason for its failure."""

Put = Callable[[str, str], None]
"""A function that records a note, given its name and its text."""


@contextmanager
def _failures_recorded(put: Put, name: str) -> Iterator[None]:
    """Record a failure of a player or the coach during the `with` block."""
    try:
        yield
    except PlayerFailed as error:
        put(name, json.dumps({"failed": str(error)}))
        raise


class _OfferOf:
    """The base class of a source of players that offers the same players as another source."""

    def __init__(self, maker: PlayerMaker) -> None:
        self._maker = maker

    @property
    def programs(self) -> Collection[str]:
        """The names of the players that the configuration adds to the built-in ones."""
        return self._maker.programs

    def pace(self, name: PlayerName) -> ThinkingTime:
        """Return how long the player with that name thinks."""
        return self._maker.pace(name)


class RecordedPlayers(_OfferOf):
    """A source of players whose answers are recorded. Implements `PlayerMaker`.

    Args:
        maker: creates the players.
        put: records a note.
    """

    def __init__(self, maker: PlayerMaker, put: Put) -> None:
        super().__init__(maker)
        self._put = put

    def make(self, name: PlayerName) -> Player:
        """Create a player whose answers are recorded."""
        with _failures_recorded(self._put, ANSWER):
            return _RecordedPlayer(self._maker.make(name), self._put)

    def coach(self) -> Coach:
        """Create a coach whose hints are recorded."""
        return RecordedCoach(self._maker.coach(), self._put)


class _RecordedPlayer:
    """A player whose answers are recorded. Implements `Player`."""

    def __init__(self, player: Player, put: Put) -> None:
        self._player, self._put = player, put

    def begin(self, game: NewGame) -> None:
        with _failures_recorded(self._put, ANSWER):
            self._player.begin(game)

    def ask(self, position: Position) -> None:
        with _failures_recorded(self._put, ANSWER):
            self._player.ask(position)

    def answer(self) -> tuple[Action, ...] | None:
        with _failures_recorded(self._put, ANSWER):
            found = self._player.answer()
        if found is not None:
            self._put(ANSWER, json.dumps({"actions": [to_record(action) for action in found]}))
        return found

    def over(self, winner: str, reason: str) -> None:
        self._player.over(winner, reason)

    def close(self) -> None:
        self._player.close()


class PlayedPlayers(_OfferOf):
    """A source of players that repeat their recorded answers. Implements `PlayerMaker`.

    Args:
        maker: says how long each player takes; it creates none.
        read_note: returns the text of the next note if it has this name, else None.
    """

    def __init__(self, maker: PlayerMaker, read_note: Callable[[str], str | None]) -> None:
        super().__init__(maker)
        self._read_note = read_note

    def make(self, name: PlayerName) -> Player:  # noqa: ARG002 - its name makes no difference: the answers are known
        """Return a player that repeats its recorded answers.

        Raises:
            PlayerFailed: the player was not available in the recording.
        """
        _read(self._next_answer())
        return _PlayedPlayer(self._next_answer)

    def coach(self) -> Coach:
        """Return a coach that repeats its recorded hints."""
        return PlayedCoach(lambda: self._read_note(INSIGHT))

    def _next_answer(self) -> str | None:
        return self._read_note(ANSWER)


class _PlayedPlayer:
    """A player that repeats its recorded answers. Implements `Player`."""

    def __init__(self, next_note: Callable[[], str | None]) -> None:
        self._next_note = next_note

    def begin(self, game: NewGame) -> None:  # noqa: ARG002 - it need not know
        _read(self._next_note())

    def ask(self, position: Position) -> None:  # noqa: ARG002 - it need not know
        _read(self._next_note())

    def answer(self) -> tuple[Action, ...] | None:
        return _read(self._next_note())

    def over(self, winner: str, reason: str) -> None: ...

    def close(self) -> None: ...


def _read(text: str | None) -> tuple[Action, ...] | None:
    """Return the answer in the pass's note, or None if there is no such note.

    Raises:
        PlayerFailed: the note reports a failure, or an action that this version does not know.
    """
    if text is None:
        return None
    try:
        said = json.loads(text)
        if "failed" in said:
            raise PlayerFailed(str(said["failed"]))
        return tuple(from_record(record) for record in said["actions"])
    except (BadRecord, KeyError, TypeError, ValueError):
        why = "its answer on the tape cannot be read; replay it with the yardboard that recorded it"
        raise PlayerFailed(why) from None


# ---- the coach ----


class RecordedCoach:
    """A coach whose hints are recorded. Implements `Coach`.

    Args:
        coach: the coach.
        put: records a note.
    """

    def __init__(self, coach: Coach, put: Put) -> None:
        self._coach, self._put = coach, put

    def begin(self, game: NewGame) -> None:
        """Let the coach follow a game."""
        with _failures_recorded(self._put, INSIGHT):
            self._coach.begin(game)

    def ask(self, history: PublicHistory, *, advice: bool) -> None:
        """Ask the coach about the public history."""
        with _failures_recorded(self._put, INSIGHT):
            self._coach.ask(history, advice=advice)

    def insight(self) -> Insight | None:
        """Return the coach's hints, or None while it is thinking."""
        with _failures_recorded(self._put, INSIGHT):
            insight = self._coach.insight()
        if insight is not None:
            advice = None if insight.advice is None else to_record(insight.advice)
            self._put(INSIGHT, json.dumps({"stations": [*insight.stations.items()], "advice": advice}))
        return insight

    def close(self) -> None:
        """Close the coach."""
        self._coach.close()


class PlayedCoach:
    """A coach that repeats its recorded hints. Implements `Coach`.

    Args:
        next_note: returns the text of the next note if it is an `INSIGHT`, else None.
    """

    def __init__(self, next_note: Callable[[], str | None]) -> None:
        self._next_note = next_note

    def begin(self, game: NewGame) -> None:  # noqa: ARG002 - it need not know
        """Raise an error if the recorded coach failed here, else do nothing."""
        _read_insight(self._next_note())

    def ask(self, history: PublicHistory, *, advice: bool) -> None:  # noqa: ARG002 - it need not know
        """Raise an error if the recorded coach failed here, else do nothing."""
        _read_insight(self._next_note())

    def insight(self) -> Insight | None:
        """Return the hints that the recorded coach gave at this point."""
        return _read_insight(self._next_note())

    def close(self) -> None:
        """Do nothing, because no coach is running."""


def _read_insight(text: str | None) -> Insight | None:
    """Return the hints in the pass's note, or None if there is no such note.

    Raises:
        PlayerFailed: the note reports a failure, or hints that this version does not know.
    """
    if text is None:
        return None
    try:
        said = json.loads(text)
        if "failed" in said:
            raise PlayerFailed(str(said["failed"]))
        advice = None if said["advice"] is None else from_record(said["advice"])
        stations = {int(station): float(share) for station, share in said["stations"]}
    except (BadRecord, KeyError, TypeError, ValueError):
        raise PlayerFailed("its recorded hints cannot be read") from None
    return Insight(stations, advice if isinstance(advice, PawnMove) else None)
