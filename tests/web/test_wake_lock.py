"""The screen stays on while a game is being played, and only then."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.test_moments import Told, first, table, told

__all__ = ["first", "table", "told"]

WATCH = """() => {
  window.held = new Set();
  const request = WakeLock.prototype.request;
  WakeLock.prototype.request = async function (kind) {
    const lock = await request.call(this, kind);
    held.add(lock);
    lock.addEventListener("release", () => held.delete(lock));
    return lock;
  };
}"""


def test_the_screen_stays_on_until_the_game_is_over(told: Callable[..., Told]) -> None:
    page = told("", calm=True)
    page.visitor.see("[data-owner='red']")
    page.page.context.grant_permissions(["screen-wake-lock"])
    page.page.add_init_script(f"({WATCH})()")
    page.page.reload()
    page.visitor.wait("() => held.size === 1")
    page.changed(pawns=page.scene["pawns"] | {"red": 46})
    page.changed(outcome={"winner": "detectives", "reason": "captured"}, phase="over")
    page.visitor.wait("() => held.size === 0")
