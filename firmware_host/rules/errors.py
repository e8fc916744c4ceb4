"""Define the errors of the rules. No message contains a station of Mister X's."""

from __future__ import annotations


class RulesError(Exception):
    """Base of all errors of the rules."""


class IllegalAction(RulesError, ValueError):
    """An action that is illegal now. The message says why, or what would be legal."""


class BadSetup(RulesError, ValueError):
    """A setup with which no game can begin, for example with a wrong number of pawns, option or start station."""


class BadMap(RulesError, ValueError):
    """A map, tile set or link that is wrong. The message names the entry and the reason, and the file if it has one."""


class BadRecord(RulesError, ValueError):
    """A recorded action or setup that cannot be read, or was recorded with other rules or another map."""


class BadEdition(RulesError, ValueError):
    """An edition's file that is wrong. The message names file, entry and reason."""
