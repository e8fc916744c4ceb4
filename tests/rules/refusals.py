"""Check that illegal actions are refused, and change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.rules.actions import Action
from firmware_host.rules.engines import System
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.game import Game


def refusal(table: Game, action: Action) -> str:
    """Return the complaint about an action, after checking that it is not offered and changes nothing."""
    before = table.public, table.private, list(table.actions)
    assert action not in table.legal
    with pytest.raises(IllegalAction) as refused:
        table.play(action)
    assert (table.public, table.private, list(table.actions)) == before
    return str(refused.value)


def refused_alike(one: Game, two: Game, action: Action) -> bool:
    """Return whether both games refuse an action. They must do so in the same words."""
    if action in one.legal or action in two.legal:
        return False
    assert refusal(one, action) == refusal(two, action)
    return True


def refused_if_not_legal(rules: System, state: Any, legal: tuple[Action, ...], tried: Action) -> bool:
    """Return whether an action is refused, after checking that exactly the actions in `legal` can be played."""
    before = type(state)(*state)
    if tried in legal:
        rules.play(state, tried)
    else:
        with pytest.raises(IllegalAction):
            rules.play(state, tried)
    assert state == before
    return tried not in legal
