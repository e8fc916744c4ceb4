"""Record computer players' answers as they arrive, and play them back without players.

On the tape an answer, or that a player has failed, is a note in the pass in which the table heard of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import TypeVar

from firmware_host.players.coach.coach_port import Coach
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Player, Position
from firmware_host.players.seats import PlayerName
from firmware_host.rules.actions import Action, from_record, to_record
from firmware_host.rules.errors import BadRecord
from firmware_host.table.player_maker import PlayerMaker, ThinkingTime
from firmware_host.table.taped_coach import INSIGHT, PlayedCoach, RecordedCoach

PLAYERS = "players"
"""The note of a tape that has the answers of its computer players; older ones have not."""

ANSWER = "answer"
"""The note that tells what a player has answered, or why it has failed."""

T = TypeVar("T")


class RecordedPlayers:
    """Makes the same players, recorded. Implements `PlayerMaker`.

    Args:
        maker: makes them.
        put: records a note: its name and its text.
    """

    def __init__(self, maker: PlayerMaker, put: Callable[[str, str], None]) -> None:
        self._maker, self._put = maker, put

    @property
    def programs(self) -> Collection[str]:
        """The names of the players that the configuration adds to our own."""
        return self._maker.programs

    def pace(self, name: PlayerName) -> ThinkingTime:
        """Return how long a player takes."""
        return self._maker.pace(name)

    def make(self, name: PlayerName) -> Player:
        """Make a player; see `PlayerMaker`."""
        return _RecordedPlayer(self._heard(lambda: self._maker.make(name)), self._put, self._heard)

    def coach(self) -> Coach:
        """Make a coach, recorded as well."""
        return RecordedCoach(self._maker.coach(), self._put)

    def _heard(self, act: Callable[[], T]) -> T:
        """Do something with a player, and record it if it fails."""
        try:
            return act()
        except PlayerFailed as error:
            self._put(ANSWER, json.dumps({"failed": str(error)}))
            raise


class _RecordedPlayer:
    """A player whose answers are recorded. Implements `Player`."""

    def __init__(self, player: Player, put: Callable[[str, str], None], heard: Callable[..., object]) -> None:
        self._player, self._put, self._heard = player, put, heard

    def begin(self, game: NewGame) -> None:
        self._heard(lambda: self._player.begin(game))

    def ask(self, position: Position) -> None:
        self._heard(lambda: self._player.ask(position))

    def answer(self) -> tuple[Action, ...] | None:
        found: list[tuple[Action, ...] | None] = []
        self._heard(lambda: found.append(self._player.answer()))
        if found[0] is not None:
            self._put(ANSWER, json.dumps({"actions": [to_record(action) for action in found[0]]}))
        return found[0]

    def over(self, winner: str, reason: str) -> None:
        self._player.over(winner, reason)

    def close(self) -> None:
        self._player.close()


class PlayedPlayers:
    """Plays back the players of a recorded session. Implements `PlayerMaker`.

    Args:
        maker: says how long each takes; it makes none.
        read_note: returns the text of the next note if it is one of that name, else None.
    """

    def __init__(self, maker: PlayerMaker, read_note: Callable[[str], str | None]) -> None:
        self._maker, self._read_note = maker, read_note

    @property
    def programs(self) -> Collection[str]:
        """The names of the players that the configuration adds to our own."""
        return self._maker.programs

    def pace(self, name: PlayerName) -> ThinkingTime:
        """Return how long a player takes."""
        return self._maker.pace(name)

    def make(self, name: PlayerName) -> Player:  # noqa: ARG002 - who it is makes no difference: its answers are known
        """Return a player as it was then.

        Raises:
            PlayerFailed: it could not be had.
        """
        _read(self._heard())
        return _PlayedPlayer(self._heard)

    def coach(self) -> Coach:
        """Return the coach as it was then."""
        return PlayedCoach(lambda: self._read_note(INSIGHT))

    def _heard(self) -> str | None:
        return self._read_note(ANSWER)


class _PlayedPlayer:
    """A player whose answers are played back. Implements `Player`."""

    def __init__(self, heard: Callable[[], str | None]) -> None:
        self._heard = heard

    def begin(self, game: NewGame) -> None:  # noqa: ARG002 - it need not know
        _read(self._heard())

    def ask(self, position: Position) -> None:  # noqa: ARG002 - it need not know
        _read(self._heard())

    def answer(self) -> tuple[Action, ...] | None:
        return _read(self._heard())

    def over(self, winner: str, reason: str) -> None: ...

    def close(self) -> None: ...


def _read(text: str | None) -> tuple[Action, ...] | None:
    """Return what a note says.

    Raises:
        PlayerFailed: that a player has failed; or it says what this version does not know.
    """
    if text is None:
        return None
    try:
        said = json.loads(text)
        if "failed" in said:
            raise PlayerFailed(str(said["failed"]))
        return tuple(from_record(record) for record in said["actions"])
    except (BadRecord, KeyError, TypeError, ValueError):
        raise PlayerFailed("its recorded answer cannot be read") from None
