"""The table on a device: what is kept there is the page that says that the table is away, and nothing else."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path

import pytest
from playwright.sync_api import Error

from firmware_host.system.language import ENGLISH, LANGUAGES, gettext, in_language
from firmware_host.web.pages.page_bundles import bundle, is_bundled
from firmware_host.web.transport.security_headers import HEADERS, INSTALL_POLICY, POLICY
from tests.table.cases import shipped
from tests.web.chromium import Visit
from tests.web.open_table import Lay
from tests.web.served import served

STATIC = Path(__file__).parents[2] / "firmware_host" / "web" / "static"
READY = "() => document.querySelector('#kept').textContent.startsWith('This device now shows')"
CACHED = """async () => (await Promise.all((await caches.keys()).map(async name =>
  (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat().sort()"""
WORKER = (STATIC / "service_worker.js").read_text(encoding="utf-8")
PAGE = "/offline"
MANIFEST = "application/manifest+json"
FILES = sorted([PAGE, *re.findall(r'"(/static/[^"]+)"', WORKER)])


def test_what_is_kept_is_all_that_the_page_of_a_table_away_needs() -> None:
    needed, waiting = set[str](), ["/static/languages/en/offline.html"]
    while waiting:
        file = waiting.pop()
        if file in needed:
            continue
        needed.add(file)
        name = file.removeprefix("/static/")
        if name.endswith(".woff2"):
            continue
        text = bundle(STATIC / name).text if is_bundled(name) else (STATIC / name).read_text(encoding="utf-8")
        waiting += re.findall(r'(?:src=|href=|url\()"(/static/[^"]+)"', text)
    assert sorted({PAGE, *needed} - {"/static/languages/en/offline.html"}) == FILES


@pytest.mark.long
def test_whoever_has_the_table_on_a_device_is_told_that_it_is_away_until_it_is_back(visit: Visit) -> None:
    with served() as table:
        port = table.port
        page = visit(f"{table.home}/", "install")
        page.wait(READY)
    page.excuse("ERR_CONNECTION|Failed to load resource")
    page.page.goto(f"{page.home}spectate")
    page.see("h1:text('The table is away')")
    assert page.page.url == f"{page.home}spectate"
    assert page.page.locator("img").evaluate("img => img.decode().then(() => img.naturalWidth > 0)")
    with served(port=port):
        page.see("body[data-page='spectator']")
        page.page.goto("about:blank")


@pytest.mark.long
def test_a_table_that_takes_a_line_and_never_answers_is_away_too_but_no_file_of_its_is_a_page(visit: Visit) -> None:
    with served() as table:
        port = table.port
        page = visit(f"{table.home}/", "install")
        page.wait(READY)
    page.excuse("Failed to load resource|ERR_")
    (worker,) = page.context.service_workers
    worker.evaluate("() => { const later = setTimeout; self.setTimeout = call => later(call, 0); }")  # 8 s are over
    with socket.create_server(("127.0.0.1", port)):
        page.page.goto(f"{page.home}spectate")
        page.see("h1:text('The table is away')")
    other = page.context.new_page()
    with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
        other.goto(f"{page.home}games/1.json")
    other.close()
    page.page.goto("about:blank")


@pytest.mark.long
def test_nothing_that_a_table_tells_is_kept_on_a_device(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"))
    page = visit(table.url, "install")
    page.wait(READY)
    for path in ("", "spectate", f"seat#{table.server.handset_token.new_token()}", "handset", "boards/none.svg"):
        page.excuse("404")
        page.page.goto(f"{table.url}{path}")
        page.page.wait_for_load_state("load")
    assert page.page.evaluate(CACHED) == FILES
    assert page.page.evaluate("() => Boolean(navigator.serviceWorker.controller)")


def test_no_page_but_the_one_for_it_can_start_a_service_worker(lay: Lay, visit: Visit) -> None:
    page = visit(lay(shipped("classic")).url, "spectate")
    page.excuse("TrustedScriptURL|trusted-types")
    for path in ("spectate", "", "seat", "handset"):
        page.page.goto(page.home + path)
        said = page.page.evaluate("navigator.serviceWorker.register('/service_worker.js').then(() => 'yes', String)")
        assert "TrustedScriptURL" in said


def test_only_that_page_has_another_policy_and_it_differs_in_two_words() -> None:
    with served() as table:
        _, headers, _ = table.fetch("/install")
        assert headers["content-security-policy"] == INSTALL_POLICY
        _, headers, body = table.fetch("/service_worker.js")
        assert headers["content-security-policy"] == HEADERS["content-security-policy"] == POLICY
        assert body == WORKER
    changed = set(INSTALL_POLICY.split("; ")) ^ set(POLICY.split("; "))
    assert changed == {"trusted-types 'none'", "trusted-types service-worker", "manifest-src 'self'"}


def test_the_manifest_names_icons_that_are_there_and_of_their_size() -> None:
    with served() as table:
        _, headers, body = table.fetch("/static/manifest.webmanifest")
        assert headers["content-type"] == MANIFEST
    manifest = json.loads(body)
    assert manifest["start_url"] == manifest["scope"] == "/"
    for icon in manifest["icons"]:
        file = STATIC / icon["src"].removeprefix("/static/")
        assert file.exists(), f"{file}: python -m artwork.app_icons makes it"
        if icon["type"] == "image/png":
            wide, high = (int.from_bytes(file.read_bytes()[at : at + 4], "big") for at in (16, 20))
            assert icon["sizes"] == f"{wide}x{high}"


def test_who_installs_the_pages_reads_what_they_are_in_the_language_of_the_page() -> None:
    with served() as table:
        for code in LANGUAGES:
            _, _, page = table.fetch("/install", **{"accept-language": code})
            (address,) = re.findall(r'<link rel="manifest" href="([^"]+)"', page)
            status, headers, body = table.fetch(address)
            manifest = json.loads(body)
            assert (status, manifest["lang"], headers["content-type"]) == (200, code, MANIFEST)
            with in_language(code):
                said = gettext("A Scotland Yard table: its board, its log, and Mister X's seat.")
            assert manifest["description"] == said
            assert (code == ENGLISH) == said.startswith("A Scotland Yard table")
