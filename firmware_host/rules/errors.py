"""What the rules complain of. No message ever holds a station of Mister X's."""

from __future__ import annotations


class RulesError(Exception):
    """Anything the rules refuse."""


class IllegalAction(RulesError, ValueError):
    """An action that is not legal now; the message says what was asked and what would be legal."""


class BadSetup(RulesError, ValueError):
    """A game that cannot begin like this: wrong number of pawns, option, start station."""


class BadMap(RulesError, ValueError):
    """A map that contradicts itself; the message names file, entry and reason."""


class BadRecord(RulesError, ValueError):
    """A written action or setup that cannot be read back."""


class BadEdition(RulesError, ValueError):
    """An edition's file that contradicts itself; the message names file, entry and reason."""
