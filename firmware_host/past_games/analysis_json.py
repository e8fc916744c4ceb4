"""What the coach found out of a finished game as plain JSON values; `docs/scripting.md` explains each. Pure."""

from __future__ import annotations

from typing import Any

from firmware_host.past_games.game_analysis import AnalysedStep, Analysis, Closest, Costly, Moment, Narrowed, Slipped
from firmware_host.system.language import ngettext
from firmware_host.system.translatable_text import say
from firmware_host.ui.vocabulary import pawn_name

_KINDS = {Narrowed: "narrowed", Closest: "closest", Slipped: "slipped", Costly: "costly"}


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """Return how far an analysis is, and all that it found once it is through."""
    return {
        "done": analysis.done,
        "total": analysis.total,
        "trouble": say(analysis.trouble),
        "steps": [_step(step) for step in analysis.steps],
        "moments": [_moment(moment) for moment in analysis.moments],
    }


def moment_words(moment: Moment) -> str:
    """Return what makes a moment a key moment, as a sentence."""
    match moment:
        case Narrowed(_, before, after):
            return ngettext(
                "Here the detectives learned most: {count} possible station before, {after} after.",
                "Here the detectives learned most: {count} possible stations before, {after} after.",
                before,
                after=after,
            )
        case Closest(_, pawn, moves):
            return ngettext(
                "A detective as near as ever: {pawn}, {count} move from Mister X.",
                "A detective as near as ever: {pawn}, {count} moves from Mister X.",
                moves,
                pawn=pawn_name(pawn),
            )
        case Slipped(_, before, after):
            return ngettext(
                "Mister X slipped away: {count} possible station became {after}.",
                "Mister X slipped away: {count} possible stations became {after}.",
                before,
                after=after,
            )
        case Costly(_, pawn, cost):
            return ngettext(
                "A costly move of {pawn}: it lowered the chance to win by {count} percentage point.",
                "A costly move of {pawn}: it lowered the chance to win by {count} percentage points.",
                round(100 * cost),
                pawn=pawn_name(pawn),
            )


def _step(step: AnalysedStep) -> dict[str, Any]:
    move = step.advice
    return {
        "possible": len(step.stations),
        "stations": {str(station): weight for station, weight in sorted(step.stations.items())},
        "advice": None if move is None else {"pawn": move.pawn, "to": move.to, "ticket": move.ticket},
        "followed": step.followed,
        "chance": step.chance,
        "cost": step.cost,
    }


def _moment(moment: Moment) -> dict[str, Any]:
    return {"step": moment.step, "kind": _KINDS[type(moment)], "words": moment_words(moment)}
