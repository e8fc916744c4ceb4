"""What is not legal is refused, and nothing has changed then."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.rules.actions import Action
from firmware_host.rules.engines import System
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.game import Game


def refusal(table: Game, action: Action) -> str:
    """The complaint about an action, after making sure that it is not offered and that nothing has changed."""
    before = table.public, table.private, list(table.actions)
    assert action not in table.legal
    with pytest.raises(IllegalAction) as refused:
        table.play(action)
    assert (table.public, table.private, list(table.actions)) == before
    return str(refused.value)


def refused_alike(one: Game, two: Game, action: Action) -> bool:
    """Whether both games refuse an action; they do so in the same words."""
    if action in one.legal or action in two.legal:
        return False
    assert refusal(one, action) == refusal(two, action)
    return True


def refused_if_not_legal(rules: System, state: Any, legal: tuple[Action, ...], tried: Action) -> bool:
    """Whether an action is refused: legal is what `legal` holds, and nothing else can be played."""
    before = type(state)(*state)
    if tried in legal:
        rules.play(state, tried)
    else:
        with pytest.raises(IllegalAction):
            rules.play(state, tried)
    assert state == before
    return tried not in legal
