"""Tell in plain words what happened from one public view to the next, for logs and a running commentary. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.rules.actions import FREE, MR_X, STAY
from firmware_host.rules.views import PublicView
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.vocabulary import pawn_name, rules_name, skipped, winner


def public_events(old: PublicView | None, new: PublicView) -> list[str]:
    """Return a line for each thing that everyone may know has happened since the old view, or of its start."""
    if old is None:
        stand = ", ".join(f"{pawn_name(pawn)} on {new.pawns[pawn]}" for pawn in new.order if pawn in new.pawns)
        tiles = f" The tiles lie {new.layout}." if new.layout else ""
        board = new.network.title.partition(",")[0]
        return [f"A new game: {rules_name(new.rules)}, on {board}.{tiles}" + (f" {stand}." if stand else "")]
    lines = _pawns(old, new) + game_ui(new).events(old, new) + _mr_x(old, new)
    lines += [f"{skipped(s)}." for s in new.skipped if s not in old.skipped]
    if new.double == 1 and not old.double:
        lines.append("Mister X announces a double move.")
    if new.outcome is not None and old.outcome is None:
        lines.append(f"{winner(new.outcome)}. {game_ui(new).reason(new.outcome, new)}")
        lines.append(f"His route: {' '.join(map(str, new.route))}.")
    return lines


def seat_lines(view: PublicView, seats: Mapping[str, str]) -> list[str]:
    """Return a line for each seat that a computer plays, "mr_x" or a player's number -> who plays there."""
    lines = []
    for seat, player in seats.items():
        pawns = [pawn for pawn, owner in view.owners.items() if str(owner) == seat] or view.fugitives
        lines.append(f"{' and '.join(map(pawn_name, pawns))}: played by a computer ({player}).")
    return lines


def _pawns(old: PublicView, new: PublicView) -> list[str]:
    """What became of the detectives: a ticket fewer is a move, a ticket more a move taken back."""
    lines = []
    for pawn in new.order:
        here, there = old.pawns.get(pawn), new.pawns.get(pawn)
        held, holds = old.tickets.get(pawn, {}), new.tickets.get(pawn, {})
        paid = [t for t, n in holds.items() if n < held.get(t, 0)]
        name = pawn_name(pawn)
        if here == there:
            lines += [f"{name} stays on {there}."] * _stayed(old, new, pawn)
        elif here is None:
            lines.append(f"{name} starts on {there}.")
        elif there is None or _taken_back(old, pawn, there):
            lines.append(f"{name} takes the move back{'' if there is None else f' to {there}'}.")
        else:
            lines.append(f"{name}: {here} to {there}{_by(old, new, pawn, paid)}.")
    return lines


def _stayed(old: PublicView, new: PublicView, pawn: str) -> bool:
    """Whether a pawn was on turn, is no more, and could choose to stay (JU-05, DI-14)."""
    could = any((move.pawn, move.ticket) == (pawn, STAY) for move in old.moves)
    return could and pawn in old.turn and pawn not in new.turn


def _taken_back(old: PublicView, pawn: str, there: int) -> bool:
    """Whether a pawn has gone where no move of its could take it."""
    return not any(move.pawn == pawn and move.to == there for move in old.moves)


def _by(old: PublicView, new: PublicView, pawn: str, paid: list[str]) -> str:
    """By what a pawn has moved, as far as that is to be seen: its ticket, or its die."""
    paid = paid or game_ui(new).spent(new, pawn)
    ways = {move.ticket for move in old.moves if move.pawn == pawn and move.to == new.pawns[pawn]} - {FREE}
    ways = set(paid) or (ways if len(ways) == 1 else set())
    return f" by {ways.pop()}" if ways else ""


def _mr_x(old: PublicView, new: PublicView) -> list[str]:
    lines = ["Mister X takes his move back."] * (len(new.log) < len(old.log))
    if new.in_sight and MR_X in new.pawns and MR_X not in old.pawns and new.outcome is None:
        lines.append(f"Mister X was on {new.pawns[MR_X]}.")  # set down before he moves on (BE-06)
    for entry in new.log[len(old.log) :]:
        half = {1: " (double move, 1st)", 2: " (double move, 2nd)"}.get(entry.double, "")
        by = "" if entry.ticket == FREE else f" by {entry.ticket}"
        what = "passes" if entry.ticket == "pass" else f"moves{by}"
        lines.append(f"Round {old.round}, window {entry.window}: Mister X {what}{half}.")
        if entry.station is not None and new.outcome is None:
            lines.append(f"Mister X {'is' if new.in_sight else 'shows himself'} on {entry.station}!")
    return lines
