"""Put into words the events between two public views, and the hints of the coach. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from firmware_host.referee.scene import CoachHints
from firmware_host.rules.actions import FREE, MR_X, STAY, PawnMove
from firmware_host.rules.views import LogEntry, PublicView
from firmware_host.system.language import gettext, gettext_noop, ngettext, say
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.vocabulary import all_of, by_ticket, pawn_name, player_word, rules_name, skipped, winner

_PASSES = (
    gettext_noop("Mister X passes."),
    gettext_noop("Mister X passes (double move, 1st)."),
    gettext_noop("Mister X passes (double move, 2nd)."),
)
_MOVES = (
    gettext_noop("Mister X moves."),
    gettext_noop("Mister X moves (double move, 1st)."),
    gettext_noop("Mister X moves (double move, 2nd)."),
)
_MOVES_BY = (
    gettext_noop("Mister X moves {by_ticket}."),
    gettext_noop("Mister X moves {by_ticket} (double move, 1st)."),
    gettext_noop("Mister X moves {by_ticket} (double move, 2nd)."),
)
"""Mister X's action by the half of a double move: 0 none, 1 or 2."""


class NewsLine(str):
    """A line of news about a pawn, with the pawn and ticket that pages show beside it as symbols.

    Attributes:
        pawn: the pawn.
        ticket: the ticket or the die that paid for its move; "" if it has not moved, or if the ticket is secret.
        short: the line without the ticket.
    """

    __slots__ = ("pawn", "short", "ticket")

    pawn: str
    ticket: str
    short: str

    def __new__(cls, text: str, pawn: str, ticket: str = "", short: str = "") -> Self:
        """Create a line of news. If it has no ticket, its short form is the line itself."""
        line = super().__new__(cls, text)
        line.pawn, line.ticket, line.short = pawn, ticket, short or text
        return line


def public_events(old: PublicView | None, new: PublicView) -> list[str]:
    """Return a line for each public event since the old view, or about the start of the game."""
    if old is None:
        return [_beginning(new)]
    lines = _pawns(old, new) + game_ui(new).events(old, new) + _mr_x(old, new)
    lines += [NewsLine(f"{skipped(s)}.", s.pawn) for s in new.skipped if s not in old.skipped]
    if new.double == 1 and not old.double:
        lines.append(NewsLine(gettext("Mister X announces a double move."), MR_X))
    if new.outcome is not None and old.outcome is None:
        lines.append(f"{winner(new.outcome)}. {game_ui(new).reason(new.outcome, new)}")
        lines.append(gettext("His route: {stations}.", stations=" ".join(map(str, new.route))))
    return lines


def seat_lines(view: PublicView, seats: Mapping[str, str]) -> list[str]:
    """Return a line for each seat that a computer plays.

    `seats` maps "mr_x" or a player's number to the kind of player.
    """
    lines = []
    for seat, player in seats.items():
        pawns = [pawn for pawn, owner in view.owners.items() if str(owner) == seat] or view.fugitives
        names = all_of(map(pawn_name, pawns))
        lines.append(gettext("{pawns}: played by a computer ({player}).", pawns=names, player=player_word(player)))
    return lines


def _beginning(new: PublicView) -> str:
    """Return the line that announces a game: its rules, its map or tiles, and where each detective is."""
    title = new.network.title
    board = (title and gettext(title)).partition(",")[0]
    rules = rules_name(new.rules)
    on_board = gettext("A new game: {rules}, on {board}.", rules=rules, board=board)
    said = [on_board if board else gettext("A new game: {rules}.", rules=rules)]
    if new.layout:
        said.append(gettext("The tiles lie {tiles}.", tiles=new.layout))
    stand = [
        gettext("{pawn} on {station}", pawn=pawn_name(pawn), station=new.pawns[pawn])
        for pawn in new.order
        if pawn in new.pawns
    ]
    return " ".join([*said, ", ".join(stand) + "."] if stand else said)


def _pawns(old: PublicView, new: PublicView) -> list[str]:
    """Return lines about the detectives who moved, stayed or took a move back. A missing ticket paid for a move."""
    lines = list[str]()
    for pawn in new.order:
        here, there = old.pawns.get(pawn), new.pawns.get(pawn)
        held, holds = old.tickets.get(pawn, {}), new.tickets.get(pawn, {})
        paid = [t for t, n in holds.items() if n < held.get(t, 0)]
        if here == there and not _stayed(old, new, pawn):
            continue
        lines.append(_pawn_line(old, new, pawn, here, there, paid))
    return lines


def _pawn_line(
    old: PublicView, new: PublicView, pawn: str, here: int | None, there: int | None, paid: list[str]
) -> NewsLine:
    """Return a line about one detective, who was at station `here` and is at station `there` now."""
    name = pawn_name(pawn)
    if here == there:
        return NewsLine(gettext("{pawn} stays on {station}.", pawn=name, station=there or 0), pawn)
    if here is None:
        return NewsLine(gettext("{pawn} starts on {station}.", pawn=name, station=there or 0), pawn)
    if there is None:
        return NewsLine(gettext("{pawn} takes the move back.", pawn=name), pawn)
    if _taken_back(old, pawn, there):
        return NewsLine(gettext("{pawn} takes the move back to {station}.", pawn=name, station=there), pawn)
    short = gettext("{pawn}: {origin} to {station}.", pawn=name, origin=here, station=there)
    ticket = _paid_by(old, new, pawn, paid)
    if not ticket:
        return NewsLine(short, pawn)
    said = {"pawn": name, "origin": here, "station": there, "by_ticket": by_ticket(ticket)}
    return NewsLine(gettext("{pawn}: {origin} to {station} {by_ticket}.", **said), pawn, ticket, short)


def _stayed(old: PublicView, new: PublicView, pawn: str) -> bool:
    """Return whether a pawn that is where it was has used its turn to stay (JU-05, DI-14)."""
    could = any((move.pawn, move.ticket) == (pawn, STAY) for move in old.moves)
    return could and pawn in old.turn and pawn not in new.turn


def _taken_back(old: PublicView, pawn: str, there: int) -> bool:
    """Return whether a move was taken back, as the pawn cannot have reached its station by a move."""
    return not any(move.pawn == pawn and move.to == there for move in old.moves)


def _paid_by(old: PublicView, new: PublicView, pawn: str, paid: list[str]) -> str:
    """Return the ticket or die of a pawn's move if it is public, or ""."""
    paid = paid or game_ui(new).spent(new, pawn)
    ways = {move.ticket for move in old.moves if move.pawn == pawn and move.to == new.pawns[pawn]} - {FREE}
    ways = set(paid) or (ways if len(ways) == 1 else set())
    return ways.pop() if ways else ""


def _mr_x(old: PublicView, new: PublicView) -> list[str]:
    lines = list[str]()
    if len(new.log) < len(old.log):
        lines.append(NewsLine(gettext("Mister X takes his move back."), MR_X))
    if new.in_sight and MR_X in new.pawns and MR_X not in old.pawns and new.outcome is None:
        was = gettext("Mister X was on {station}.", station=new.pawns[MR_X])
        lines.append(NewsLine(was, MR_X))  # set down before he moves on (BE-06)
    for entry in new.log[len(old.log) :]:
        head = gettext("Round {round}, move {move}", round=old.round, move=entry.window)
        text = gettext("{when}: {what}", when=head, what=_window(entry))
        has_ticket = entry.ticket not in ("pass", FREE)
        lines.append(
            NewsLine(text, MR_X, entry.ticket, gettext(_MOVES[entry.double])) if has_ticket else NewsLine(text, MR_X)
        )
        if entry.station is not None and new.outcome is None:
            shown = (
                gettext("Mister X is on {station}!", station=entry.station)
                if new.in_sight
                else gettext("Mister X shows himself on {station}!", station=entry.station)
            )
            lines.append(NewsLine(shown, MR_X))
    return lines


def _window(entry: LogEntry) -> str:
    """Describe Mister X's action, given an entry of his log."""
    if entry.ticket == "pass":
        return gettext(_PASSES[entry.double])
    if entry.ticket == FREE:
        return gettext(_MOVES[entry.double])
    return gettext(_MOVES_BY[entry.double], by_ticket=by_ticket(entry.ticket))


def coach_line(hints: CoachHints) -> str:
    """Return where Mister X is likely to be, as a line for a small screen. "" if there is no hint."""
    count = len(hints.stations)
    if count == 1:
        return gettext("X is on {station}", station=next(iter(hints.stations)))
    return ngettext("X on {count} station", "X on {count} stations", count) if count else ""


def coach_sentences(hints: CoachHints) -> list[str]:
    """Return the coach's hints as sentences: where Mister X may be, and the advised move."""
    if hints.trouble:
        return [say(hints.trouble)]
    count = len(hints.stations)
    sentences = []
    if count == 1:
        sentences.append(gettext("Mister X is on {station}.", station=next(iter(hints.stations))))
    elif count:
        sentences.append(ngettext("Mister X may be on {count} station.", "Mister X may be on {count} stations.", count))
    if (move := hints.advice) is not None:
        sentences.append(_advice(move))
    return sentences


def _advice(move: PawnMove) -> str:
    pawn, by = pawn_name(move.pawn), by_ticket(move.ticket)
    if move.ticket == FREE:
        return gettext("{pawn} could best go to {station}.", pawn=pawn, station=move.to)
    return gettext("{pawn} could best go to {station} {by_ticket}.", pawn=pawn, station=move.to, by_ticket=by)
