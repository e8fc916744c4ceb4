"""Record the coach's answers as the table hears them, and play them back without a coach."""

from __future__ import annotations

import json
from collections.abc import Callable

from firmware_host.players.coach.coach_port import Coach, Insight
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame
from firmware_host.players.public_history import PublicHistory
from firmware_host.rules.actions import PawnMove, from_record, to_record
from firmware_host.rules.errors import BadRecord

INSIGHT = "insight"
"""The note that tells what the coach has found out, or why it has failed."""


class RecordedCoach:
    """A coach whose insights are recorded. Implements `Coach`.

    Args:
        coach: the coach.
        put: records a note: its name and its text.
    """

    def __init__(self, coach: Coach, put: Callable[[str, str], None]) -> None:
        self._coach, self._put = coach, put

    def begin(self, game: NewGame) -> None:
        """Begin to look at a game."""
        self._heard(lambda: self._coach.begin(game))

    def ask(self, history: PublicHistory, *, advice: bool) -> None:
        """Have it look at what everyone has seen."""
        self._heard(lambda: self._coach.ask(history, advice=advice))

    def insight(self) -> Insight | None:
        """Return what it has found out; None while it thinks."""
        found: list[Insight | None] = []
        self._heard(lambda: found.append(self._coach.insight()))
        insight = found[0]
        if insight is not None:
            advice = None if insight.advice is None else to_record(insight.advice)
            self._put(INSIGHT, json.dumps({"stations": [*insight.stations.items()], "advice": advice}))
        return insight

    def close(self) -> None:
        """Let it go."""
        self._coach.close()

    def _heard(self, act: Callable[[], object]) -> None:
        """Do something with the coach, and record it if it fails."""
        try:
            act()
        except PlayerFailed as error:
            self._put(INSIGHT, json.dumps({"failed": str(error)}))
            raise


class PlayedCoach:
    """A coach whose insights are played back. Implements `Coach`.

    Args:
        heard: returns the text of the next note if it is an `INSIGHT`, else None.
    """

    def __init__(self, heard: Callable[[], str | None]) -> None:
        self._heard = heard

    def begin(self, game: NewGame) -> None:  # noqa: ARG002 - it need not know
        """Fail where the recorded one failed."""
        _read(self._heard())

    def ask(self, history: PublicHistory, *, advice: bool) -> None:  # noqa: ARG002 - it need not know
        """Fail where the recorded one failed."""
        _read(self._heard())

    def insight(self) -> Insight | None:
        """Return what the recorded one had found out by now."""
        return _read(self._heard())

    def close(self) -> None:
        """Let it go."""


def _read(text: str | None) -> Insight | None:
    """Return what a note says.

    Raises:
        PlayerFailed: that the coach has failed; or it says what this version does not know.
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
        raise PlayerFailed("its recorded insight cannot be read") from None
    return Insight(stations, advice if isinstance(advice, PawnMove) else None)
