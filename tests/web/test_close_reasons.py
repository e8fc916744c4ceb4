"""Why a WebSocket is closed a page is told in few bytes, in every language; and pages are refused in their own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest

import firmware_host.web
from firmware_host.system.language import ENGLISH, LANGUAGES
from firmware_host.web.feeds.websocket_session import LONGEST_REASON
from firmware_host.web.pages import tutorial
from firmware_host.web.seats import sessions
from firmware_host.web.seats.handset_token import AT_BOARD, AT_TERMINAL, BY_COMMAND
from firmware_host.web.transport.connection_limits import RATE

WEB = Path(firmware_host.web.__file__).parent
CATALOGUES = Path(__file__).resolve().parents[2] / "languages"
ELSEWHERE_SAID = {
    "OUTSIDE": [sessions.OUTSIDE],
    "OWNER_OUTSIDE": [sessions.OWNER_OUTSIDE],
    "LOGGED_OUT": [sessions.LOGGED_OUT],
    "ELSEWHERE": [sessions.ELSEWHERE],
    "CROWDED": [tutorial.CROWDED],
    "ENDED": [tutorial.ENDED],
    "self._token.terms.no_session": [AT_TERMINAL.no_session, AT_BOARD.no_session, BY_COMMAND.no_session],
}
"""How the sources call a reason that they do not say in place -> what it is."""


def said(node: ast.expr) -> list[str]:
    """The texts of a call of gettext, whatever it is given."""
    assert isinstance(node, ast.Call), ast.unparse(node)
    assert ast.unparse(node.func) == "gettext"
    text = node.args[0]
    return [str(text.value)] if isinstance(text, ast.Constant) else ELSEWHERE_SAID[ast.unparse(text)]


def reasons() -> Iterator[str]:
    """All texts with which the sources end a session."""
    for file in sorted(WEB.rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        why = {
            target.id: node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "SessionEnded":
                reason = node.args[1]
                yield from said(why[reason.id] if isinstance(reason, ast.Name) else reason)


def too_long(text: str) -> bool:
    return len(text.format(rate=f"{RATE:.0f}").encode()) > LONGEST_REASON


def test_the_reasons_are_found() -> None:
    found = set(reasons())
    assert {"this table takes no orders from foreign pages", tutorial.CROWDED, AT_BOARD.no_session} <= found
    assert len(found) >= 13


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_reason_is_short_enough_for_a_websocket(code: str) -> None:
    catalogue = [] if code == ENGLISH else polib.pofile(str(CATALOGUES / f"{code}.po"))
    texts = {entry.msgid: entry.msgstr for entry in catalogue if entry.msgctxt is None}
    assert [text for reason in reasons() if too_long(text := texts.get(reason) or reason)] == []
