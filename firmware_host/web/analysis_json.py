"""What the coach found out of a finished game as plain JSON values; `docs/scripting.md` explains each. Pure."""

from __future__ import annotations

from typing import Any

from firmware_host.journal.game_analysis import CLOSEST, NARROWED, AnalysedStep, Analysis, Moment
from firmware_host.ui.vocabulary import pawn_name


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """Return how far an analysis is, and all that it found once it is through."""
    return {
        "done": analysis.done,
        "total": analysis.total,
        "trouble": analysis.trouble,
        "steps": [_step(step) for step in analysis.steps],
        "moments": [_moment(moment) for moment in analysis.moments],
    }


def moment_words(moment: Moment) -> str:
    """Return what makes a moment a key moment, as a sentence."""
    before = _stations(moment.before)
    if moment.kind == NARROWED:
        return f"Here the detectives learned most: {before} before, {moment.after} after."
    if moment.kind == CLOSEST:
        moves = "1 move" if moment.before == 1 else f"{moment.before} moves"
        return f"A detective as near as ever: {pawn_name(moment.pawn)}, {moves} from Mister X."
    return f"Mister X slipped away: {before} became {moment.after}."


def _stations(count: int) -> str:
    return "1 possible station" if count == 1 else f"{count} possible stations"


def _step(step: AnalysedStep) -> dict[str, Any]:
    move = step.advice
    return {
        "possible": len(step.stations),
        "stations": {str(station): weight for station, weight in sorted(step.stations.items())},
        "advice": None if move is None else {"pawn": move.pawn, "to": move.to, "ticket": move.ticket},
        "followed": step.followed,
    }


def _moment(moment: Moment) -> dict[str, Any]:
    return {"step": moment.step, "kind": moment.kind, "words": moment_words(moment)}
