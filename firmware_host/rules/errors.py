"""Define the errors of the rules. No message ever contains a station of Mister X's."""

from __future__ import annotations


class RulesError(Exception):
    """Base of all errors of the rules."""


class IllegalAction(RulesError, ValueError):
    """An action is not legal now. The message names the action and what would be legal."""


class BadSetup(RulesError, ValueError):
    """A game cannot begin like this: wrong number of pawns, option, start station."""


class BadMap(RulesError, ValueError):
    """A map contradicts itself. The message names file, entry and reason."""


class BadRecord(RulesError, ValueError):
    """A recorded action or setup cannot be read."""


class BadEdition(RulesError, ValueError):
    """An edition's file contradicts itself. The message names file, entry and reason."""
