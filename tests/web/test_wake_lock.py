"""The screen stays on while a game is being played, and only then."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.test_moments import Told, first, table, told

pytestmark = pytest.mark.long

__all__ = ["first", "table", "told"]

WATCH = """() => {
  window.held = new Set();
  window.waits = Promise.resolve();
  const request = WakeLock.prototype.request;
  WakeLock.prototype.request = async function (kind) {
    const lock = await request.call(this, kind);
    held.add(lock);
    lock.addEventListener("release", () => held.delete(lock));
    await waits;
    return lock;
  };
}"""

AWAY = """away => {
  const { prototype } = WebSocket;
  prototype.sends ??= prototype.send;
  prototype.send = away ? function () { this.close(); } : prototype.sends;
}"""
"""The line is lost as soon as the page answers to the table, and each after it; or no longer."""


@pytest.fixture
def watched(told: Callable[..., Told]) -> Told:
    """The table's page, with all that it does to keep the screen on."""
    page = told("", calm=True)
    page.visitor.see("[data-owner='red']")
    page.page.context.grant_permissions(["screen-wake-lock"])
    page.page.add_init_script(f"({WATCH})()")
    page.page.reload()
    page.visitor.wait("() => held.size === 1")
    return page


def test_the_screen_stays_on_until_the_game_is_over(watched: Told) -> None:
    watched.changed(pawns=watched.scene["pawns"] | {"red": 46})
    watched.changed(outcome={"winner": "detectives", "reason": "captured"}, phase="over")
    watched.visitor.wait("() => held.size === 0")


def test_the_screen_may_go_dark_while_the_table_is_away_even_if_it_left_before_the_device_answered(
    watched: Told,
) -> None:
    page = watched.page
    page.evaluate(AWAY, True)
    watched.visitor.wait("() => held.size === 0")
    page.evaluate("() => { waits = new Promise(done => { window.answer = done; }); }")
    page.evaluate(AWAY, False)
    watched.visitor.wait("() => held.size === 1")
    page.evaluate(AWAY, True)
    watched.visitor.says("#line", "does not answer")
    assert page.evaluate("held.size") == 1
    page.evaluate("answer()")
    watched.visitor.wait("() => held.size === 0")
