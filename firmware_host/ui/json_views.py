"""Convert scenes and views to JSON values for scripts and web pages. Pure."""

from __future__ import annotations

from typing import Any

from firmware_host.referee.readings import Mismatch
from firmware_host.referee.scene import CoachHints, Scene
from firmware_host.rules.actions import to_record
from firmware_host.rules.views import DoubleMoves, LogEntry, MrXView
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.live_commentary import coach_sentences
from firmware_host.ui.prompt_wording import prompt


def public(scene: Scene) -> dict[str, Any]:
    """Return the public view of a game as JSON values. Fields that only other games use are empty."""
    view, reading = scene.view, scene.reading
    wrong = reading if isinstance(reading, Mismatch) else Mismatch({}, frozenset())
    table = {
        "phase": scene.phase.value,
        "prompt": {"text": prompt(scene).text, "keys": list(scene.ask.keys)},
        "mismatch": {"missing": dict(wrong.missing), "extra": sorted(wrong.extra)},
        "masked": sorted(scene.ignored),
        "asked": [{"pawn": m.pawn, "to": m.to, "ticket": m.ticket} for m in scene.questions],
        "set_down": dict(scene.set_down),
        "take_off": sorted(scene.take_off),
        "seats": dict(scene.seats),
    }
    if view is None:
        return {"rules": None, **table}
    return {
        "rules": view.rules,
        "map": view.network.name,
        "layout": view.layout,
        **table,
        "round": view.round,
        "turn": list(view.turn),
        "owners": dict(view.owners),
        "pawns": dict(view.pawns),
        "log": [_entry(entry) for entry in view.log],
        "windows": view.windows,
        "last_window": view.last_window,
        "rounds": view.rounds,
        "surfacing": sorted(view.surfacing),
        "tickets": {owner: dict(hand) for owner, hand in view.tickets.items()},
        "moves": _moves(scene),
        "double": view.double,
        "giving": [],
        "skipped": [{"pawn": s.pawn, "why": s.why} for s in view.skipped],
        "outcome": None if view.outcome is None else {"winner": view.outcome.winner, "reason": view.outcome.reason},
        "route": list(view.route),
        "in_sight": view.in_sight,
        "extras": {key: to_record(action) for key, action in view.extras.items()},
        "dice": None,
        "chips": {},
        **game_ui(view).scene_values(view, scene.entered),
    }


def private(scene: Scene, view: MrXView) -> dict[str, Any]:
    """Return Mister X's view as JSON values: the public values and his secrets.

    Before he has chosen his start, `at` and `start` are null (DI-10).
    """
    stations = view.route.value
    log = [_entry(entry) | {"station": stations[entry.window]} for entry in view.public.log]
    choices = [to_record(action) for action in view.choices.value]
    return public(scene) | {
        "at": view.at.value or None,
        "start": stations[0] if stations else None,
        "log": log,
        "choices": choices,
        "shows": view.shows,
        "actor": view.actor,
    }


def seat(view: MrXView, double_moves: DoubleMoves) -> dict[str, Any]:
    """Return the JSON values that Mister X's page needs in addition to the public ones.

    Args:
        view: what he may know.
        double_moves: each first half of a double move that he may announce now -> its possible second halves.
    """
    public, wording = view.public, game_ui(view.public)
    return {
        "at": view.at.value or None,
        "actor": view.actor,
        "stations": list(view.route.value),
        "choices": [to_record(action) for action in view.choices.value],
        "doubles": [
            {"first": to_record(first), "second": [to_record(action) for action in second]}
            for first, second in double_moves.items()
        ],
        "shows": view.shows,
        "threats": {pawn: sorted(wording.next_stations(public, pawn)) for pawn in public.order},
    }


def _entry(entry: LogEntry) -> dict[str, Any]:
    return {"window": entry.window, "ticket": entry.ticket, "station": entry.station, "double": entry.double}


def coach(hints: CoachHints) -> dict[str, Any]:
    """Return the coach's hints, which are public, as JSON values."""
    move = hints.advice
    return {
        "tells": hints.tells,
        "stations": {str(station): weight for station, weight in hints.stations.items()},
        "advice": None if move is None else {"pawn": move.pawn, "to": move.to, "ticket": move.ticket},
        "words": coach_sentences(hints),
    }


def _moves(scene: Scene) -> list[dict[str, Any]]:
    """Return the legal moves of detectives that people play: each destination once, with all its tickets."""
    tickets: dict[tuple[str, int], list[str]] = {}
    for move in scene.view.moves if scene.view is not None else ():
        if move.pawn in scene.computers:
            continue
        tickets.setdefault((move.pawn, move.to), []).append(move.ticket)
    return [{"pawn": pawn, "to": to, "tickets": ways} for (pawn, to), ways in tickets.items()]
