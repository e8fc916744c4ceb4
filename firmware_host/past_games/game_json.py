"""Describe a finished game and the coach's analysis of it in JSON values and in words. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from firmware_host.past_games.game_analysis import (
    AnalysedStep,
    Analysis,
    Closest,
    Costly,
    GameRecord,
    Moment,
    Narrowed,
    ReplayedStep,
    Slipped,
    Summary,
)
from firmware_host.past_games.game_statistics import Statistics, Tally
from firmware_host.rules.actions import FREE, MR_X, SIDES, START, STAY, Action, Commit, MrXMove, Surface
from firmware_host.rules.views import LogEntry, PublicView
from firmware_host.system.language import gettext, ngettext, say
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.live_commentary import public_events
from firmware_host.ui.vocabulary import by_ticket, ending, pawn_name, ticket_name, winner


def start_words(view: PublicView, stand: Mapping[str, int]) -> list[str]:
    """Return lines about the start of a game: first what is public, then Mister X's station.

    Args:
        view: the public view.
        stand: each pawn's station, Mister X's own included.
    """
    hidden = [gettext("Mister X starts on {station}.", station=stand[MR_X])] if MR_X in stand else []
    return [gettext("The game begins."), *public_events(None, view), *hidden]


def step_words(
    action: Action, before: PublicView, after: PublicView, here: Mapping[str, int], there: Mapping[str, int]
) -> list[str]:
    """Return lines about an action: first one about what it hid, if anything, then those that were public.

    Args:
        action: the action.
        before: the public view before it.
        after: the public view after it.
        here: each pawn's station before it, Mister X's own included.
        there: each pawn's station after it, Mister X's own included.
    """
    return [*_hidden_part(action, here, there), *public_events(before, after)]


def _hidden_part(action: Action, here: Mapping[str, int], there: Mapping[str, int]) -> list[str]:
    """Return a list with a line about what an action hid, or an empty list if it hid nothing."""
    match action:
        case MrXMove(to, ticket) if ticket == START or MR_X not in here:
            return [gettext("Mister X starts on {station}.", station=to.value)]
        case MrXMove(to, ticket) if ticket == FREE:
            return [gettext("Mister X: {origin} to {station}.", origin=here[MR_X], station=to.value)]
        case MrXMove(to, ticket):
            by, origin = by_ticket(ticket), here[MR_X]
            return [
                gettext("Mister X: {origin} to {station} {by_ticket}.", origin=origin, station=to.value, by_ticket=by)
            ]
        case Commit(pawn, ticket):
            who, at = pawn_name(pawn), there[pawn]
            if ticket.value == STAY:
                return [gettext("{pawn}, on {station}, decides to stay in secret.", pawn=who, station=at)]
            picked = ticket_name(ticket.value)
            return [gettext("{pawn}, on {station}, picks {ticket} in secret.", pawn=who, station=at, ticket=picked)]
        case Surface():
            return [gettext("Mister X announces that he will show himself.")]
    return []


VERSION = 2
"""The version of the fields in `record_json`. It grows when a field changes its meaning."""


def summary_json(summary: Summary) -> dict[str, Any]:
    """Return the JSON values of a finished game in a list."""
    outcome = summary.outcome
    return {
        "number": summary.number,
        "rules": summary.rules,
        "title": say(summary.title),
        "map": summary.map,
        "began": _time(summary.began),
        "ended": _time(summary.ended),
        "players": summary.players,
        "seats": dict(summary.seats),
        "names": dict(summary.names),
        "pawns": list(summary.pawns),
        "outcome": None if outcome is None else {"winner": outcome.winner, "reason": outcome.reason},
        "ending": [] if outcome is None else [winner(outcome), ending(outcome)],
        "moves": summary.moves,
        "trouble": say(summary.trouble),
    }


def statistics_json(statistics: Statistics) -> dict[str, Any]:
    """Return the JSON values of a table's statistics."""
    return {
        "games": statistics.games,
        "people": [_tally(one) for one in statistics.people],
        "computers": [_tally(one) for one in statistics.computers],
        "boxes": [{"rules": rules, **_tally(one)} for rules, one in statistics.boxes.items()],
    }


def _tally(tally: Tally) -> dict[str, Any]:
    sides = {side: {"played": tally.played[side], "won": tally.won[side]} for side in SIDES}
    lengths = {"shortest": tally.shortest, "longest": tally.longest}
    said = {name: {"moves": length.moves, "number": length.number} for name, length in lengths.items()}
    return {"label": tally.label, "games": tally.games, **sides, **said}


def record_json(record: GameRecord) -> dict[str, Any]:
    """Return the JSON values of a whole finished game, Mister X's secrets included."""
    first, end = record.steps[0], record.end
    return {
        "yardboard": "game",
        "version": VERSION,
        **summary_json(record.summary),
        "ending": ending_words(record),
        "layout": end.layout,
        "owners": dict(end.owners),
        "fugitives": list(end.fugitives),
        "options": dict(record.options),
        "routes": {pawn: list(route) for pawn, route in record.routes.items()},
        "log": [_window(entry, record.shown) for entry in end.log],
        "windows": end.windows,
        "marked": sorted(end.marked),
        "in_sight": end.in_sight,
        "chips": {side: needed for side, (_, needed) in game_ui(end).tally(end).items()},
        "steps": [
            _step(first, first.view.round, start_words(first.view, first.pawns)),
            *(_step(step, before.view.round, words(before, step)) for before, step in pairwise(record.steps)),
        ],
    }


def words(before: ReplayedStep, step: ReplayedStep) -> list[str]:
    """Return lines about a step. `before` is the step before it."""
    if step.action is None:
        return []
    return step_words(step.action, before.view, step.view, before.pawns, step.pawns)


def ending_words(record: GameRecord) -> list[str]:
    """Return a headline for the end of a game, and a sentence about how it ended."""
    view = record.end
    return [] if view.outcome is None else [winner(view.outcome), game_ui(view).reason(view.outcome, view)]


def _window(entry: LogEntry, shown: frozenset[int]) -> dict[str, Any]:
    return {
        "window": entry.window,
        "ticket": entry.ticket,
        "station": entry.station,
        "double": entry.double,
        "shown": entry.window in shown,
    }


def _step(step: ReplayedStep, number: int, lines: list[str]) -> dict[str, Any]:
    view = step.view
    return {
        "after": round(step.after, 1),
        "round": number,
        "who": step.who,
        "words": lines,
        "pawns": dict(step.pawns),
        "seen": step.seen,
        "walked": step.walked,
        "filled": len(view.log),
        "tickets": {owner: dict(hand) for owner, hand in view.tickets.items()},
        "dice": {"open": [], "used": []},
        "tokens": None,
        "chips": {},
        **game_ui(view).step_values(view),
    }


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


_KINDS = {Narrowed: "narrowed", Closest: "closest", Slipped: "slipped", Costly: "costly"}


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """Return the JSON values of an analysis: how far it is, and once it is complete, its results."""
    return {
        "done": analysis.done,
        "total": analysis.total,
        "trouble": say(analysis.trouble),
        "steps": [_analysed_step(step) for step in analysis.steps],
        "moments": [
            {"step": moment.step, "kind": _KINDS[type(moment)], "words": moment_words(moment)}
            for moment in analysis.moments
        ],
    }


def moment_words(moment: Moment) -> str:
    """Return a sentence about why a moment of the game was important."""
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


def _analysed_step(step: AnalysedStep) -> dict[str, Any]:
    move = step.advice
    return {
        "possible": len(step.stations),
        "stations": {str(station): weight for station, weight in sorted(step.stations.items())},
        "advice": None if move is None else {"pawn": move.pawn, "to": move.to, "ticket": move.ticket},
        "followed": step.followed,
        "chance": step.chance,
        "cost": step.cost,
    }
