"""The owner's page in a browser: the way in, the table, settings, health and care, large and small, day and night."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from firmware_host.config.loader import load
from firmware_host.daemon import owner_desk
from firmware_host.daemon.health_file import HealthFile
from firmware_host.simulator.demo import Pace
from firmware_host.system import owner_requests
from firmware_host.system.owner_requests import RequestOutcome, RequestState
from firmware_host.system.secret_texts import hash_password
from firmware_host.web.feeds import websocket_session
from firmware_host.web.feeds.page_orders import NewGameOrder
from tests.daemon.owned_table import OwnedTable
from tests.waiting import until
from tests.web.chromium import LIMIT
from tests.web.test_accessibility import AXE, KEEP, RUN

FILE = f"""\
[game]
names = {{ mr_x = "Ada" }}  # us

[lamps]
driver = "sim"
brightness = 0.4   # not too bright

[web]
serve = true
owner = true
owner_password = "{hash_password("correct horse")}"
"""
DESKTOP, PHONE, SIDEWAYS = (1280, 720), (390, 844), (844, 390)
PARTS = ("table", "setup", "condition", "care")
PATIENCE = 60.0
"""Seconds that a line of a busy test may answer late."""


class Running(OwnedTable):
    """A table with an owner's page that runs on a thread of its own, at table pace."""

    def __init__(self, home: Path) -> None:
        self.home, self.file = home, home / "table.toml"
        self.file.write_text(FILE)
        super().__init__(load(self.file), home)
        clock = self.simulated.hardware.clock
        self.health = HealthFile(self.config, clock, file=home / "health.json")
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="table")
        self.server.start()
        self.simulated.hardware._pace = Pace()
        self._thread.start()

    def _step(self) -> None:
        super()._step()
        self.health.attend(self.simulated.table)

    def _run(self) -> None:
        while not self._ends.is_set():
            self.simulated.advance(50)

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()
        super().__exit__()

    def answer(self, state: RequestState, text: str) -> Any:
        """Do as root does: answer the newest request, and return it."""
        folder = self.home / "requests"
        until(lambda: [*folder.glob("*.request")], "a request")
        (request,) = folder.glob("*.request")
        said = json.loads(request.read_text())["request"]
        request.unlink()
        outcome = owner_requests.encode_record(RequestOutcome(state, text))
        request.with_suffix(owner_requests.OUTCOME).write_bytes(outcome)
        return said


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setattr(websocket_session, "LATE", PATIENCE)
    with Running(tmp_path) as running:
        yield running


Open = Callable[..., Page]


@pytest.fixture
def owner(table: Running, browser: Browser) -> Iterator[Open]:
    """Opens owner's pages, logged in unless something else is asked for; what goes wrong at one fails the test."""
    faults: list[str] = []
    contexts = []

    def go(part: str = "", *, size: tuple[int, int] = DESKTOP, log_in: bool = True, **kind: Any) -> Page:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **kind)
        context.set_default_timeout(LIMIT)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if "status of" not in said.text else None)
        page.goto(f"{table.server.url}owner{part and f'#{part}'}")
        if log_in:
            page.fill("#code", table.desk.access.new_code())
            page.wait_for_selector("#parts:not([hidden])")
        return page

    yield go
    for context in contexts:
        context.close()
    assert [fault for fault in faults if "Error" in fault or "policy" in fault] == []


def test_the_code_at_the_table_opens_the_page_and_a_wrong_one_says_why(table: Running, owner: Open) -> None:
    page = owner(log_in=False)
    code = table.desk.access.new_code()
    page.fill("#code", f"{(int(code) + 1) % 10**6:06}")
    expect(page.locator("#access .warning")).to_contain_text("This code is wrong")
    expect(page.locator(".part-of-page:visible")).to_have_count(0)
    page.fill("#code", f"{code[:3]} {code[3:]}")
    expect(page.locator("#table")).to_be_visible()
    assert code not in page.url
    page.reload()
    expect(page.locator("#table")).to_be_visible()
    page.click("#leave")
    expect(page.locator("#code")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter(key => key.includes('owner'))") == []


def test_one_mistyped_code_is_one_try(owner: Open) -> None:
    page, sent = owner(log_in=False), []

    def pass_on(route: Route) -> None:
        sent.append(json.loads(route.request.post_data or "")["code"])
        route.abort() if len(sent) == 1 else route.continue_()

    page.route("**/owner/session", pass_on)
    opens, warning = page.get_by_role("button", name="Open"), page.locator("#access .warning")
    page.fill("#code", "123456")
    expect(warning).to_contain_text("The table does not answer")
    opens.click()
    expect(warning).to_contain_text("This code is wrong")
    opens.click()
    page.fill("#code", "123 456")
    opens.click()
    with page.expect_response("**/owner/session"):
        page.fill("#code", "123457")
    assert sent == ["123456", "123456", "123457"]


def test_the_password_opens_it_too(owner: Open) -> None:
    page = owner(log_in=False)
    page.get_by_text("Use the password instead").click()
    page.fill("#password", "correct horse")
    page.press("#password", "Enter")
    expect(page.locator("#table")).to_be_visible()


def test_a_table_that_does_not_say_whether_it_has_a_password_is_reported(table: Running, owner: Open) -> None:
    page = owner(log_in=False)
    page.route("**/owner/ways-in", lambda route: route.abort())
    page.reload()
    expect(page.locator("#access [role=alert]")).to_contain_text("The table does not answer.")
    page.fill("#code", table.desk.access.new_code())
    page.wait_for_selector("#parts:not([hidden])")


def test_a_page_whose_session_has_ended_uses_the_one_of_another_tab_that_has_logged_in_since(
    table: Running, owner: Open
) -> None:
    page = owner()
    before, access = page.evaluate("localStorage.getItem('yardboard-owner')"), table.desk.access
    newer = access.exchange(access.new_code(), "here")
    page.evaluate("newer => localStorage.setItem('yardboard-owner', newer)", newer)
    with page.expect_navigation():
        access.log_out(before)
    page.wait_for_selector("#parts:not([hidden])")
    assert page.evaluate("localStorage.getItem('yardboard-owner')") == newer


def test_a_session_that_the_table_no_longer_knows_asks_for_a_code(table: Running, owner: Open) -> None:
    page = owner()
    table.desk.access._sessions = {}
    expect(page.locator("#access")).to_contain_text("This page is logged out; log in again")
    expect(page.locator("#parts")).to_be_hidden()


def test_a_game_begins_with_names_and_is_given_up_from_the_page(table: Running, owner: Open) -> None:
    page = owner()
    page.get_by_role("button", name="New game").click()
    page.select_option("#new-players", "3")
    page.select_option("#new-seat-mr_x", "easy")
    page.fill("#new-name-1", "Ben")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#newgame")).to_be_hidden()
    expect(page.locator("#side")).to_contain_text("Ben")
    assert table.simulated.table.journal.newest_begun == 1
    page.get_by_role("button", name="Give this game up").click()
    page.get_by_role("button", name="Give it up").click()
    until(lambda: table.simulated.table.game is None, "the end of the game")
    page.locator("#keys [data-ticket=confirm]").click()
    until(lambda: table.simulated.table.game is not None, "a game that the page's CONFIRM has begun")


def test_a_game_that_begins_while_the_page_asks_about_another_is_not_given_up(table: Running, owner: Open) -> None:
    def begin(name: str) -> None:
        order = NewGameOrder("classic", names={"1": name})
        table.seat.orders.ask("owner", 99, order, table.refused.append)
        expect(page.locator("#side")).to_contain_text(name)

    page = owner()
    begin("Ben")
    page.get_by_role("button", name="Give this game up").click()
    begin("Zoe")
    page.get_by_role("button", name="Give it up").click()
    expect(page.locator("#refused")).to_contain_text("The table asks for something else by now")
    assert table.simulated.table.game is not None


def test_letters_press_no_key_while_another_part_is_open(table: Running, owner: Open) -> None:
    page = owner("setup")
    page.wait_for_selector("#first-game-rules")
    for letter in ("c", "z", "b"):
        page.locator("#parts a[aria-current]").press(letter)
    page.wait_for_timeout(500)
    assert table.simulated.table.journal.newest_begun == 0


def test_settings_are_saved_and_wrong_ones_marked(table: Running, owner: Open) -> None:
    page = owner("setup")
    page.fill("#first-game-names-5", "somebody with far too long a name"[:20])
    page.fill("#first-game-players", "3")
    page.fill("#first-display-blank_after_s", "100000")
    expect(page.locator(".save > span")).to_have_text("3 changes")
    save = page.get_by_role("button", name="Save and restart")
    save.click()
    expect(page.locator("[data-key='display.blank_after_s'] .complaint")).to_contain_text("100000 is out of range")
    expect(page.locator("[data-key='game.names'] .complaint")).to_contain_text("'5' is not a seat of this game")
    wrong = page.locator("#setup [aria-invalid=true]").evaluate_all("found => found.map(one => one.id)")
    assert wrong == ["first-game-names-5", "first-display-blank_after_s"]
    page.fill("#first-game-names-5", "")
    page.fill("#first-display-blank_after_s", "600")
    page.select_option("#first-board-language", "de")
    save.click()
    said = table.answer(RequestState.DONE, "the table runs with it")
    expect(page.locator("#setup [aria-invalid]")).to_have_count(0)
    assert said["kind"] == "apply-configuration"
    assert said["text"].startswith('[game]\nnames = { mr_x = "Ada" }  # us\nplayers = 3\n')
    assert 'language = "de"' in said["text"]
    expect(page.locator(".save .outcome")).to_contain_text("Done.")
    expect(page.locator(".save > span")).to_have_text("")
    expect(page.locator(".save .outcome")).to_be_in_viewport()
    page.locator("#parts a[href='#table']").click()
    page.locator("#parts a[href='#setup']").click()
    expect(page.locator(".save")).to_be_hidden()


def test_a_complaint_is_shown_though_the_settings_were_opened_twice(owner: Open) -> None:
    page, held = owner(), list[Route]()
    page.route("**/owner/settings", lambda route: held.append(route) if len(held) < 2 else route.continue_())
    for part in ("setup", "care", "setup"):
        page.locator(f"#parts a[href='#{part}']").click()
        page.wait_for_selector(f"#{part}:not([hidden])", state="attached")
    for number in range(2):
        with page.expect_response("**/owner/settings"):
            held[number].continue_()
    page.fill("#first-display-blank_after_s", "100000")
    page.get_by_role("button", name="Save and restart the table").click()
    expect(page.locator("[data-key='display.blank_after_s'] .complaint")).to_contain_text("100000 is out of range")


def test_settings_that_could_not_be_loaded_are_loaded_again_by_a_button(owner: Open) -> None:
    page, asked = owner(), []

    def pass_on(route: Route) -> None:
        asked.append(route)
        route.abort() if len(asked) == 1 else route.continue_()

    page.route("**/owner/settings", pass_on)
    page.click("#parts a[href='#setup']")
    expect(page.locator("#setup .warning")).to_contain_text("The table does not answer")
    page.get_by_role("button", name="Load again").click()
    page.wait_for_selector("#first-game-rules")
    expect(page.get_by_role("button", name="Load again")).to_be_hidden()


def test_settings_cannot_be_changed_while_they_are_saved(table: Running, owner: Open) -> None:
    page = owner("setup")
    page.locator("#first-lamps-brightness").fill("0.5")
    page.get_by_role("button", name="Save and restart the table").click()
    expect(page.locator(".settings")).to_have_js_property("inert", value=True)
    table.answer(RequestState.REFUSED, "a game is in play")
    expect(page.locator(".settings")).to_have_js_property("inert", value=False)


def test_what_root_refuses_is_shown(table: Running, owner: Open) -> None:
    page = owner("setup")
    page.locator("[data-section=log] summary").click()
    page.select_option("#all-log-level", "debug")
    page.get_by_role("button", name="Save and restart").click()
    table.answer(RequestState.REFUSED, "this table needs another drop-in")
    expect(page.locator(".save .outcome")).to_contain_text("this table needs another drop-in")
    expect(page.locator("#all-log-level")).to_have_value("debug")


def test_a_file_that_changed_meanwhile_is_reported(table: Running, owner: Open) -> None:
    page = owner("setup")
    page.select_option("#first-lamps-palette", "colour-blind")
    table.file.write_text(FILE + "\n[log]\n")
    page.get_by_role("button", name="Save and restart").click()
    expect(page.locator(".save .outcome")).to_contain_text("The file was changed meanwhile")
    page.get_by_role("button", name="Load again").click()
    expect(page.locator("#first-lamps-palette")).to_have_value("standard")


def test_secrets_of_the_file_are_on_no_part_of_the_page(owner: Open) -> None:
    page = owner("setup")
    page.wait_for_selector("[data-section=web]")
    assert "scrypt" not in page.content()
    expect(page.locator("[data-key='web.owner_password']")).to_contain_text("set; it is not shown")


def test_health_shows_devices_the_log_and_what_the_doctor_finds(owner: Open) -> None:
    page = owner("condition")
    expect(page.locator("#devices [data-device=switches]")).to_contain_text("ok")
    expect(page.locator(".facts")).to_contain_text("table.toml")
    page.get_by_role("button", name="Check the machine").click()
    expect(page.locator("#found")).to_contain_text("all its packages are installed")


def test_a_package_is_sent_and_its_update_asked_of_root(table: Running, owner: Open) -> None:
    page = owner("care")
    deb = {"name": "yardboard_0.2.0_arm64.deb", "mimeType": "application/x", "buffer": bytes(1_200_000)}
    page.set_input_files("#package", files=[deb])  # type: ignore[list-item]
    page.get_by_role("button", name="Install it").click()
    assert table.answer(RequestState.DONE, "0.2.0 is installed")["package"] == "yardboard_0.2.0_arm64.deb"
    expect(page.locator("#care")).to_contain_text("0.2.0 is installed")


def test_a_package_that_cannot_be_stored_says_why_and_a_piece_without_an_answer_is_sent_again(
    owner: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner_desk, "LARGEST_PACKAGE", 1_000_000)
    page, sent = owner("care"), []

    def lose_one(route: Route) -> None:
        sent.append(route.request.url)
        route.abort() if len(sent) == 2 else route.continue_()

    page.route("**/owner/package?*", lose_one)
    deb = {"name": "yardboard_0.2.0_arm64.deb", "mimeType": "application/x", "buffer": bytes(1_200_000)}
    page.set_input_files("#package", files=[deb])  # type: ignore[list-item]
    expect(page.locator("#care")).to_contain_text("a package has at most 1,000,000 bytes")
    assert [url.partition("offset=")[2] for url in sent] == ["0", "500000", "500000", "1000000"]
    deb["buffer"] = bytes(900_000)
    page.set_input_files("#package", files=[deb])  # type: ignore[list-item]
    expect(page.locator("#care")).to_contain_text("The table has it.")


def test_a_package_chosen_while_another_is_sent_replaces_it(table: Running, owner: Open) -> None:
    page, held = owner("care"), list[Route]()
    page.route("**/owner/package?*", lambda route: held.append(route))  # noqa: PLW0108 - it needs a function of its own
    deb = {"name": "yardboard_0.2.0_arm64.deb", "mimeType": "application/x", "buffer": bytes(900)}
    with page.expect_request("**/owner/package?*"):
        page.set_input_files("#package", files=[deb])  # type: ignore[list-item]
    deb["name"] = "yardboard_0.3.0_arm64.deb"
    page.set_input_files("#package", files=[deb])  # type: ignore[list-item]
    with page.expect_request("**/owner/package?*0.3.0*"):
        held[0].continue_()
    expect(page.get_by_role("button", name="Install it")).to_be_disabled()
    held[1].continue_()
    page.get_by_role("button", name="Install it").click()
    assert table.answer(RequestState.DONE, "0.3.0 is installed")["package"] == "yardboard_0.3.0_arm64.deb"


def test_a_package_that_was_refused_can_be_chosen_again(table: Running, owner: Open) -> None:
    page = owner("care")
    deb = {"name": "yardboard_0.2.0_arm64.deb", "mimeType": "application/x", "buffer": bytes(900)}
    page.set_input_files("#package", files=[deb])  # type: ignore[list-item]
    page.get_by_role("button", name="Install it").click()
    table.answer(RequestState.REFUSED, "a game is in play")
    expect(page.locator("#care")).to_contain_text("a game is in play")
    expect(page.locator("#package")).to_have_value("")


def test_restart_and_power_off_ask_first(table: Running, owner: Open) -> None:
    page = owner("care")
    outcome = page.locator("#care .asking + .outcome")
    page.get_by_role("button", name="Restart the table…").click()
    page.locator("dialog[open]").get_by_role("button", name="Restart", exact=True).click()
    assert table.answer(RequestState.DONE, "it runs again")["kind"] == "restart"
    expect(outcome).to_contain_text("it runs again")
    page.get_by_role("button", name="Power off…").click()
    page.locator("dialog[open]").get_by_role("button", name="Power off", exact=True).click()
    expect(outcome).to_contain_text("This table is simulated: nothing is switched off.")


def test_a_request_waits_while_root_is_busy_and_is_withdrawn_by_a_page_that_gives_up(
    table: Running, owner: Open
) -> None:
    page = owner("care")
    page.clock.install()
    other = table.home / "requests" / f"{12 * '0'}-{16 * '0'}{owner_requests.OUTCOME}"
    other.parent.mkdir()
    other.write_bytes(owner_requests.encode_record(RequestOutcome(RequestState.BEGUN)))
    outcome, requests = page.locator("#care .asking + .outcome"), lambda: [*other.parent.glob("*.request")]
    page.get_by_role("button", name="Restart the table…").click()
    page.locator("dialog[open]").get_by_role("button", name="Restart", exact=True).click()
    expect(outcome).to_contain_text("Asked…")
    looks(page, 20)
    expect(outcome).to_contain_text("Asked…")
    assert len(requests()) == 1
    other.unlink()
    looks(page, 15)
    expect(outcome).to_contain_text("Nobody carries requests out on this machine.")
    assert requests() == []


def test_a_page_that_is_logged_out_does_not_say_that_its_request_is_being_done(table: Running, owner: Open) -> None:
    page = owner("care")
    page.get_by_role("button", name="Restart the table…").click()
    page.locator("dialog[open]").get_by_role("button", name="Restart", exact=True).click()
    table.desk.access._sessions = {}
    expect(page.locator("#care .asking + .outcome")).to_have_text("This page is logged out; log in again")


def looks(page: Page, count: int) -> None:
    """Let a page look so many times at what became of its request."""
    for _ in range(count):
        with page.expect_response("**/owner/requests/*"):
            page.clock.run_for(1000)


def test_a_question_stands_apart_from_its_answer(owner: Open) -> None:
    page = owner("care")
    page.locator("#care").get_by_role("button", name="Power off…").click()
    question, answer = (page.locator(f"dialog[open] > {one}").bounding_box() for one in ("p", ".button"))
    assert question is not None
    assert answer is not None
    assert answer["y"] >= question["y"] + question["height"] + 12


def test_commands_in_the_explanations_of_sections_are_set_as_code(owner: Open) -> None:
    summary = owner("setup").locator("[data-section=mqtt] summary")
    expect(summary.locator("code")).to_have_text("yardboard run")
    expect(summary).not_to_contain_text("`")


def test_a_backup_is_saved_as_a_file(owner: Open) -> None:
    page = owner("care")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save a backup").click()
    assert saved.value.suggested_filename.startswith("yardboard-backup-")
    assert saved.value.path().read_bytes()[:2] == b"PK"


@pytest.mark.parametrize("look", ["day", "night"])
def test_axe_finds_nothing(owner: Open, look: str) -> None:
    page = owner(bypass_csp=True, reduced_motion="reduce")
    page.evaluate(KEEP, {"look": look})
    page.reload()
    page.wait_for_selector("#parts:not([hidden])")
    page.add_script_tag(path=AXE)
    for part in PARTS:
        page.locator(f"#parts a[href='#{part}']").click()
        page.wait_for_selector({"table": "#turn:not(:empty)", "setup": "#first-game-rules", "condition": ".facts dd",
                                "care": "#package"}[part])  # fmt: skip
        if part == "setup":
            page.locator("[data-section=lamps] summary").click()
        for width, height in (PHONE, DESKTOP):
            page.set_viewport_size({"width": width, "height": height})
            found = page.evaluate(RUN, [{}, True])
            faults = [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found]
            assert faults == [], (part, width)


def test_nothing_is_wider_than_a_phone(owner: Open) -> None:
    page = owner(size=PHONE)
    for part in PARTS:
        page.locator(f"#parts a[href='#{part}']").click()
        page.wait_for_timeout(800)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], part


def test_the_ways_to_the_parts_leave_a_phone_its_height(owner: Open) -> None:
    page = owner("setup", size=PHONE)
    page.fill("#first-game-players", "3")
    seen = "found => { const { x, y, width, height } = found.getBoundingClientRect(); return [x, y, width, height]; }"
    for size in (PHONE, SIDEWAYS, (667, 375)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_timeout(300)
        x, y, width, _ = page.locator("#parts").evaluate(seen)
        _, bar, _, _ = page.locator(".save").evaluate(seen)
        free = min(bar, y if x + width >= size[0] else size[1])
        assert free >= 2 / 3 * size[1], size


def test_the_keys_of_a_phone_have_room_for_their_names(owner: Open) -> None:
    inner = "found => found.map(one => [one.clientWidth - 8, ...Array.from(one.children, child => child.scrollWidth)])"
    for locale in ("de-DE", "en-GB", "es-ES", "fr-FR", "it-IT", "nl-NL"):
        keys = owner(size=PHONE, locale=locale).locator("#keys")
        expect(keys.locator("#undo .name")).to_be_visible()
        for room, *names in keys.locator("button:visible").evaluate_all(inner):
            assert sum(names) <= room, locale


def test_the_page_speaks_every_language(owner: Open) -> None:
    for locale, word in (("de-DE", "Pflege"), ("fr-FR", "Entretien"), ("nl-NL", "Onderhoud"), ("es-ES", "Cuidado")):
        page = owner("care", locale=locale)
        expect(page.locator("#parts")).to_contain_text(word)
