"""The two minutes of a stranger: the first page, three actions, and a detective's move that Mister X answers.

`make test-all` begins with `make run` in a bare clone, too, which sets everything up by itself.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from firmware_host.system.language import gettext, in_language, pgettext
from tests.amount import amount
from tests.web.chromium import GONE, Visit, Visitor
from tests.web.programs import COMMAND, Program

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
SETS_UP = 600.0
"""Real seconds in which a clone sets itself up."""


@pytest.fixture(scope="module", params=amount(["installed"], ["installed", "in a bare clone"]))
def command(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """What starts a table that is played from its first page; arguments come behind it."""
    if request.param == "installed":
        return (*COMMAND, "sim")
    clone = tmp_path_factory.mktemp("anywhere") / "yardboard"
    git = shutil.which("git") or pytest.fail("there is no git")
    subprocess.run([git, "clone", "--quiet", ROOT, clone], check=True, timeout=SETS_UP)
    return ("sh", "-c", f'exec make --no-print-directory -C "{clone}" run ARGS="$*"', "make")


@pytest.fixture
def home(command: tuple[str, ...], tmp_path: Path) -> Iterator[str]:
    """The address of a table that somebody has just started."""
    quiet = {"MAKEFLAGS": "", "MAKELEVEL": "", "BROWSER": "true"}
    with Program("--port", "0", "--seed", "3", home=tmp_path, command=command, environ=quiet) as table:
        yield table.url(patience=SETS_UP)


class Stranger:
    """Somebody who has opened the page, and every action of theirs: a click, or a pawn that is dragged."""

    def __init__(self, page: Visitor) -> None:
        self.page = page
        self.actions = 0
        page.excuse(GONE)  # the table is gone first

    def click(self, name: str) -> None:
        """Click the button of that name."""
        button = self.page.page.get_by_role("button", name=re.compile(f"^{name}"))
        button.wait_for()
        self.actions += 1
        button.click()

    def be_mister_x(self) -> None:
        """Hide from the computer in the classic game: that leads to his own map."""
        self.click("Be Mister X")
        self.click("Classic")
        self.page.page.wait_for_url("**/seat")

    def drag(self, pawn: str, to: int) -> None:
        """Drag a pawn to a station."""
        self.actions += 1
        self.page.drag(pawn, to)

    def go_at_once(self) -> None:
        """Double-click the first station on the map that Mister X can go to."""
        self.actions += 1
        station = self.page.page.locator(".end").first.inner_text()
        self.page.page.mouse.dblclick(*self.page.centre(f'[data-station="{station}"]'))

    def scene(self, so: Callable[[dict[str, Any]], object], what: str) -> dict[str, Any]:
        """The newest scene, as soon as it is so."""
        return self._newest("scene", so, what)

    def seat(self, so: Callable[[dict[str, Any]], object], what: str) -> dict[str, Any]:
        """The newest that Mister X's page was told, as soon as it is so."""
        return self._newest("seat", so, what)

    def _newest(self, kind: str, so: Callable[[dict[str, Any]], object], what: str) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for _ in range(300):
            self.page.hear()
            newest = (json.loads(frame) for frame in reversed(self.page.frames) if isinstance(frame, str))
            told = next(one for one in newest if one["kind"] == kind)
            if so(told):
                return told
            self.page.page.wait_for_timeout(100)
        raise AssertionError(f"waited for {what}; the table says: {told}")

    def chase(self) -> dict[str, Any]:
        """Move Red, as the third action, and the other pawns after it, until Mister X answers; the first scene."""
        first = scene = self.scene(lambda scene: scene.get("turn") == ["red"], "Mister X's first move")
        for pawn, then in (("red", "yellow"), ("yellow", "green"), ("green", "blue"), ("blue", "")):
            self.move(scene)
            assert self.actions == 3 or pawn != "red"
            if then:
                scene = self.scene(lambda scene, then=then: scene["turn"] == [then], f"{then} to be on turn")
        self.scene(lambda scene: len(scene["log"]) >= 2, "Mister X to answer")
        self.page.see('#log [data-window="2"] [data-ticket]')
        return first

    def move(self, scene: dict[str, Any]) -> None:
        """Move the pawn that is on turn along a line that one ticket alone pays for."""
        (pawn,) = scene["turn"]
        to = next(move["to"] for move in scene["moves"] if move["pawn"] == pawn and len(move["tickets"]) == 1)
        self.drag(pawn, to)


def test_three_actions_after_the_page_has_opened_a_detective_has_moved_and_mister_x_answers(
    visit: Visit, home: str
) -> None:
    stranger = Stranger(visit(home))
    stranger.click("Chase Mister X")
    stranger.click("Classic")
    assert len(stranger.chase()["log"]) == 1
    orders = {json.loads(frame)["do"] for frame in stranger.page.sent}
    assert orders <= {"hello", "heard", "new_game", "put"}


class KeyboardStranger(Stranger):
    """A stranger who has a keyboard alone."""

    def click(self, name: str) -> None:
        """Go on with the tab key to the button of that name, and press it."""
        self.page.page.get_by_role("button", name=re.compile(f"^{name}")).wait_for()
        self.actions += 1
        self._tab_to(f"element => element.localName === 'button' && element.textContent.startsWith({name!r})")
        self.page.page.keyboard.press("Enter")

    def drag(self, pawn: str, to: int) -> None:
        """Go to the board, type the station of the pawn and where it goes."""
        self.actions += 1
        at = self.page.page.locator(f'[data-pawn="{pawn}"]').get_attribute("data-at")
        self._tab_to("element => element.hasAttribute('data-station')")
        for station in (at, to):
            self.page.type_station(station)
            self.page.page.keyboard.press("Enter")

    def _tab_to(self, so: str) -> None:
        for _ in range(200):
            if self.page.page.evaluate(f"({so})(document.activeElement)"):
                return
            self.page.page.keyboard.press("Tab")
        raise AssertionError(f"the tab key never comes to {so}")


def test_the_same_on_a_phone_in_german_by_keyboard_alone(visit: Visit, home: str) -> None:
    page = visit(home, size=(390, 844), touch=True, locale="de-DE")
    stranger = KeyboardStranger(page)
    with in_language("de"):
        stranger.click(gettext("Chase Mister X"))
        stranger.click(pgettext("rules", "Classic"))
    page.wait("() => document.activeElement.hasAttribute('data-station')")
    scene = stranger.chase()
    with in_language("de"):
        assert gettext("{pawns} moves", pawns=pgettext("pawn", "Red")) in scene["prompt"]["text"]
    assert page.page.evaluate("document.documentElement.lang") == "de"


def move_on_his_map(page: Page) -> None:
    """Mister X takes the first place that he can go to, and goes."""
    page.locator(".end").first.click()
    page.get_by_role("button", name="Go", exact=True).click()
    page.wait_for_function("() => document.querySelectorAll('#log [data-window=\"1\"] .station').length === 1")


def hunted(scene: dict[str, Any]) -> bool:
    """Whether Mister X has moved, and the detectives after him, and their pawns stand where they should."""
    return scene["turn"] == ["mr_x"] and bool(scene["log"]) and not scene["wrong"]


def test_mister_x_alone_has_moved_after_three_actions_and_the_computer_hunts_him(visit: Visit, tmp_path: Path) -> None:
    with Program("sim", "--port", "0", "--seed", "3", home=tmp_path) as table:
        stranger = Stranger(visit(table.url()))
        stranger.be_mister_x()
        stranger.page.see("body[data-open]")  # nobody else is there to look away
        stranger.go_at_once()
        seat = stranger.seat(lambda seat: hunted(seat["scene"]), "hands to move the computer's pawns after it")
        assert stranger.actions == 3
        assert len(seat["scene"]["log"]) == 1
        stranger.page.see('#log [data-window="1"] .station')
        stranger.page.page.reload()
        stranger.page.see("body[data-open]")


def test_from_the_table_mister_x_alone_opens_his_screen_beside_it(visit: Visit, tmp_path: Path) -> None:
    with Program("sim", "--port", "0", "--seed", "3", home=tmp_path) as table:
        stranger = Stranger(visit(table.url()))
        stranger.be_mister_x()
        stranger.page.page.get_by_role("link", name="Back to the table").click()
        before = stranger.scene(lambda scene: scene["phase"] == "play", "the game to begin")["pawns"]
        stranger.page.excuse("409")  # the seat is this tab's already
        with stranger.page.page.expect_popup() as opened:
            stranger.click("Open your screen")
        move_on_his_map(opened.value)
        moved = stranger.scene(
            lambda scene: all(scene["pawns"][pawn] != at for pawn, at in before.items()) and scene["turn"] == ["mr_x"],
            "hands to move the computer's pawns after it",
        )
        for pawn in before:
            stranger.page.see(f'[data-pawn="{pawn}"][data-at="{moved["pawns"][pawn]}"]')


def test_around_one_screen_mister_x_looks_behind_a_cover_and_comes_back_to_the_table(
    visit: Visit, tmp_path: Path
) -> None:
    with Program("sim", "--port", "0", "--seed", "3", home=tmp_path) as table:
        stranger = Stranger(visit(table.url()))
        page = stranger.page.page
        stranger.click("Around this table")
        stranger.click("Classic")
        stranger.click("Mister X's screen")
        page.wait_for_url("**/seat")
        assert "Everybody else turns away" in stranger.page.read("#cover")
        page.click("#look[aria-disabled='false']")
        move_on_his_map(page)
        stranger.page.wait("() => !document.body.hasAttribute('data-open')")  # by itself: others look next
        page.get_by_role("link", name="Back to the table").click()
        stranger.page.see('#log [data-window="1"] [data-ticket]')
        assert page.locator("#secret").count() == 0
