"""Define the words on screens for pawns, tickets, turns and endings. All of it is public.

Each dictionary maps a word of the rules, such as "mr_x", to a function that returns the word on screens. It is a
function because the language may change. A word that a dictionary lacks is shown almost as the rules spell it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from firmware_host.rules.actions import (
    BLACK,
    BOAT,
    BUS,
    DETECTIVES,
    FREE,
    HELICOPTER,
    MR_X,
    MR_X_JUNIOR,
    START,
    STAY,
    TAXI,
    UNDERGROUND,
)
from firmware_host.rules.views import Outcome, PublicView, Skipped
from firmware_host.system.language import gettext, gettext_noop, ngettext, pgettext

_Words = Mapping[str, Callable[[], str]]

_PAWNS: _Words = {
    MR_X: lambda: gettext("Mister X"),
    MR_X_JUNIOR: lambda: gettext("X Junior"),
    "red": lambda: pgettext("pawn", "Red"),
    "yellow": lambda: pgettext("pawn", "Yellow"),
    "green": lambda: pgettext("pawn", "Green"),
    "blue": lambda: pgettext("pawn", "Blue"),
    "purple": lambda: pgettext("pawn", "Purple"),
    "white": lambda: pgettext("pawn", "White"),
    "black": lambda: pgettext("pawn", "Black"),
}

_TICKETS: _Words = {
    TAXI: lambda: pgettext("ticket", "taxi"),
    BUS: lambda: pgettext("ticket", "bus"),
    UNDERGROUND: lambda: pgettext("ticket", "underground"),
    BLACK: lambda: pgettext("ticket", "black"),
    BOAT: lambda: pgettext("ticket", "boat"),
    HELICOPTER: lambda: pgettext("ticket", "helicopter"),
    START: lambda: pgettext("ticket", "start"),
    "double": lambda: pgettext("ticket", "double"),
    FREE: lambda: gettext("no ticket"),
    STAY: lambda: gettext("no move"),
    "pass": lambda: gettext("no die"),
    "x": lambda: pgettext("die", "X"),
}

_WAYS: _Words = {
    TAXI: lambda: gettext("by taxi"),
    BUS: lambda: gettext("by bus"),
    UNDERGROUND: lambda: gettext("by underground"),
    BLACK: lambda: gettext("by black"),
    BOAT: lambda: gettext("by boat"),
    HELICOPTER: lambda: gettext("by helicopter"),
}

_LETTERS: _Words = {
    TAXI: lambda: pgettext("letter of a taxi ticket", "T"),
    BUS: lambda: pgettext("letter of a bus ticket", "B"),
    UNDERGROUND: lambda: pgettext("letter of an underground ticket", "U"),
    BLACK: lambda: "?",
    BOAT: lambda: pgettext("letter of a boat ticket", "B"),
    HELICOPTER: lambda: pgettext("letter of the helicopter", "H"),
    START: lambda: pgettext("letter of the start", "S"),
    STAY: lambda: pgettext("letter of staying", "S"),
    "pass": lambda: pgettext("letter of passing", "P"),
    FREE: lambda: "·",
}

_KEYS: _Words = {
    "confirm": lambda: pgettext("key", "CONFIRM"),
    "back": lambda: pgettext("key", "BACK"),
    TAXI: lambda: pgettext("key", "TAXI"),
    BUS: lambda: pgettext("key", "BUS"),
    UNDERGROUND: lambda: pgettext("key", "UNDERGROUND"),
}

_LABELS: _Words = {
    TAXI: lambda: pgettext("handset", "Taxi"),
    BUS: lambda: pgettext("handset", "Bus"),
    UNDERGROUND: lambda: pgettext("handset", "Undergr"),  # as much as fits beside a huge station number
    BLACK: lambda: pgettext("handset", "Black"),
    BOAT: lambda: pgettext("handset", "Boat"),
    HELICOPTER: lambda: pgettext("handset", "Helicopter"),
    START: lambda: pgettext("handset", "Start"),
    STAY: lambda: pgettext("handset", "Stay"),
    FREE: lambda: pgettext("handset", "Move"),
    "pass": lambda: pgettext("handset", "Pass"),
    "double": lambda: pgettext("handset", "2× move"),
    "surface": lambda: pgettext("handset", "Surface"),
    "log": lambda: pgettext("handset", "Log"),
    "detectives": lambda: pgettext("handset", "Detectives"),
    "supply": lambda: pgettext("handset", "My tickets"),
    "dice": lambda: pgettext("handset", "Dice"),
    "chips": lambda: pgettext("handset", "Chips"),
    "phone": lambda: pgettext("handset", "My phone"),
    "new": lambda: pgettext("handset", "New game"),
}

_SIDES: _Words = {MR_X: lambda: gettext("Mister X"), DETECTIVES: lambda: gettext("Detectives")}

_RULES: _Words = {
    "classic": lambda: pgettext("rules", "Classic"),
    "current": lambda: pgettext("rules", "Today's box"),
    "us": lambda: pgettext("rules", "American"),
    "beginners": lambda: pgettext("rules", "Beginners"),
    "dice": lambda: pgettext("rules", "Dice"),
    "junior": lambda: pgettext("rules", "Junior"),
}

_REASONS: _Words = {
    "captured": lambda: gettext("Mister X was caught."),
    "immobilised": lambda: gettext("No detective can move any more."),
    "stalled": lambda: gettext("The detectives block each other for good."),
    "log_full": lambda: gettext("The log is full."),
    "trapped": lambda: gettext("Mister X had nowhere to go."),
    "escaped": lambda: gettext("Mister X got away."),
    "walked_in": lambda: gettext("Mister X had to go to a detective."),
    "chips": lambda: gettext("Enough success chips are won."),
    "rounds_over": lambda: gettext("The rounds are over."),
}

_PLAYERS = {
    "person": gettext_noop("person"),
    "easy": gettext_noop("easy"),
    "medium": gettext_noop("medium"),
    "skilled": gettext_noop("skilled"),
    "hard": gettext_noop("hard"),
    "expert": gettext_noop("expert"),
}


def pawn_name(pawn: str) -> str:
    """Return the name of a pawn, as shown to people: "Mister X", "X Junior", "Red"."""
    return _PAWNS[pawn]() if pawn in _PAWNS else plain_word(pawn).capitalize()


def ticket_name(ticket: str) -> str:
    """Return the name of a ticket or a die's face, for use within a sentence: "taxi", "no ticket"."""
    return _TICKETS[ticket]() if ticket in _TICKETS else plain_word(ticket)


def by_ticket(ticket: str) -> str:
    """Return the phrase for a move with a ticket, for use within a sentence: "by taxi"."""
    return _WAYS[ticket]() if ticket in _WAYS else gettext("by {ticket}", ticket=ticket_name(ticket))


def ticket_letter(ticket: str) -> str:
    """Return the letter or sign for a ticket: "T", "·"."""
    return _LETTERS[ticket]() if ticket in _LETTERS else ticket[:1].upper() or "?"


def key_name(key: str) -> str:
    """Return the label of a key of the table: "TAXI" for "table.taxi"."""
    word = key.removeprefix("table.")
    return _KEYS[word]() if word in _KEYS else word.upper()


def label(word: str) -> str:
    """Return the handset's short word for a ticket, a die's face or a page: "Undergr", "2× move"."""
    return _LABELS[word]() if word in _LABELS else word.capitalize()


def side_name(side: str) -> str:
    """Return the name of a side, as shown to people. A side is "mr_x" or "detectives"."""
    return _SIDES[side]() if side in _SIDES else side


def player_word(player: str) -> str:
    """Return the word for the player of a seat: "person", a level such as "expert", or a program."""
    return gettext(_PLAYERS[player]) if player in _PLAYERS else player


def rules_name(rules: str) -> str:
    """Return the name of a rule system, as shown to people: "Classic", "American"."""
    if rules in _RULES:
        return _RULES[rules]()
    name = plain_word(rules)
    return name.upper() if len(name) <= 2 else name.capitalize()


def all_of(words: Iterable[str]) -> str:
    """Return words as one phrase: "a, b and c"."""
    *first, last = words
    return gettext("{first} and {last}", first=", ".join(first), last=last) if first else last


def any_of(words: Iterable[str]) -> str:
    """Return alternatives as one phrase: "a, b or c"."""
    *first, last = words
    return gettext("{first} or {last}", first=", ".join(first), last=last) if first else last


def skipped(*skips: Skipped) -> str:
    """Return why some pawns do not move in this round, as a sentence without full stop."""
    pawns, count, why = all_of(pawn_name(skip.pawn) for skip in skips), len(skips), skips[0].why
    match why:
        case "no_die":
            return ngettext("{pawns} has no die and stays", "{pawns} have no die and stay", count, pawns=pawns)
        case "blocked":
            return ngettext("{pawns} is blocked and stays", "{pawns} are blocked and stay", count, pawns=pawns)
        case "immobilised":
            return ngettext("{pawns} lacks a ticket and stays", "{pawns} lack a ticket and stay", count, pawns=pawns)
    why = plain_word(why)
    return ngettext("{pawns} is {why} and stays", "{pawns} are {why} and stay", count, pawns=pawns, why=why)


def moving(public: PublicView) -> str:
    """Return a short sentence which says who has to move now."""
    if not public.turn:
        return gettext("Please wait…")
    if len(public.turn) > 2:
        return gettext("Detectives move…")
    pawns = any_of(map(pawn_name, public.turn))
    return gettext("{pawns} moves…", pawns=pawns) if public.to_roll is None else gettext("{pawns} rolls…", pawns=pawns)


def winner(outcome: Outcome) -> str:
    """Return who has won, as a headline."""
    return gettext("Mister X wins") if outcome.winner == MR_X else gettext("Detectives win")


def ending(outcome: Outcome) -> str:
    """Return why a game is over, as a sentence without names and stations."""
    reason = outcome.reason
    return _REASONS[reason]() if reason in _REASONS else plain_word(reason).capitalize() + "."


def plain_word(word: str) -> str:
    """Return a word of the rules as people write it: "x wins" for "x_wins"."""
    return word.replace("_", " ")
