"""Pages that came by plain http from another machine: a browser keeps clipboard, wake lock and workers from them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay, OpenTable

SHUT = """
for (const name of ["clipboard", "wakeLock", "serviceWorker", "share", "canShare"]) {
  Object.defineProperty(Navigator.prototype, name, { get: () => undefined });
}
delete window.Notification;
delete window.ClipboardItem;
Object.defineProperty(window, "isSecureContext", { get: () => false });
"""
"""Take away what a browser gives to pages of this machine and of https alone."""


LINK: dict[str, Any] = {
    "link": "http://192.0.2.7:8199/detective",
    "code": ["101", "010", "101"],
    "here": False,
    "opens": False,
}
"""The address of a table that phones can reach."""


def insecure(page: Visitor) -> Visitor:
    """Load a page again as if it had come by plain http from another machine."""
    page.page.add_init_script(SHUT)
    page.page.reload()
    return page


@pytest.mark.parametrize("path", ["", "spectate", "detective", "seat", "handset", "tutorial", "install"])
def test_no_page_complains_where_the_browser_keeps_something_from_it(lay: Lay, visit: Visit, path: str) -> None:
    page = insecure(visit(lay(shipped("classic")).url, path))
    page.see("main, #board, #screen")
    page.page.wait_for_load_state("networkidle")
    assert page.page.evaluate("navigator.clipboard") is None
    assert page.faults() == []


def test_the_address_for_phones_can_be_copied_without_a_clipboard(lay: Lay, visit: Visit) -> None:
    table: OpenTable = lay(shipped("classic"), begin=lambda _: None)
    page = visit(table.url)
    page.page.route("**/detective/link", lambda route: route.fulfill(json=LINK))
    insecure(page)
    page.page.locator("#open-welcome").click()
    page.see("#welcome[open] .way")
    page.page.keyboard.press("4")
    page.page.get_by_role("button", name="Copy").click()
    page.wait("() => /Copied|Marked/.test(document.querySelector('.address').textContent)")
    assert page.page.evaluate("String(getSelection())").strip() == LINK["link"]
