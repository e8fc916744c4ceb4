"""`python -m tests.proofs.package.new_owner`: the whole way of a new owner, on two virtual Pis with systemd.

The README is followed word by word on a bare Debian: the package, a board, the owner's page in Chromium with the code
from the public display, a setting, games begun there, an update, backups, power off. On a second, fresh system of the
other Debian the backup is restored, and the game goes on. Pictures of what is seen on the way go to a folder: look at
them.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from socket import AF_INET, IP_ADD_MEMBERSHIP, IPPROTO_IP, SOCK_DGRAM, inet_aton, socket

from PIL import Image, ImageChops
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from firmware_host.ui.drawing import table_menu_screen
from firmware_host.ui.drawing.screen_text import BAR_HEIGHT, DIGITS
from firmware_host.ui.drawing.table_menu_screen import OWNER, TableMenuScreen
from tests.proofs.package.virtual_pi import GUEST, HERE, HOST, NAME, SHARE, VirtualPi, lay_cable
from tests.web.chromium import launched

ADDRESS = f"http://{NAME}.local:8199/"
NEWER = "9.0"

LIKE_A_PI = "systemd-sysv,udev,dbus,avahi-daemon,python3,sudo,iproute2"
"""The packages of Raspberry Pi OS that these steps need."""

TAXI, CONFIRM, BACK = 17, 23, 24
"""Pins of the table's keys, in config/london-spi.toml."""

SELECT, PEEK = 25, 6
"""Pins of Mister X's keys."""

DISPLAY = (128, 64)
_WALK = range(-2, 3)
_FIGURES_TOP = BAR_HEIGHT + 2
_MDNS = ("224.0.0.251", 5353)


def say(what: str) -> None:
    """Report a step."""
    print(f"-- {what}", flush=True)  # noqa: T201 - what it is for


Saved = dict[str, list[str]]
"""Names of backups -> the entries of their journals; see `entries`."""


@dataclass(frozen=True, slots=True)
class Packages:
    """The packages of these steps: for the first system, a newer one for it, one for the second, and added wheels."""

    first: Path
    newer: Path
    second: Path
    added: tuple[Path, ...]


class Evening:
    """A Pi with its table, and a person with a browser in the same house.

    Args:
        pi: the machine.
        browser: a browser that finds the Pi by its name.
        pictures: the folder for pictures.
        prefix: the beginning of their names.
    """

    def __init__(self, pi: VirtualPi, browser: Browser, pictures: Path, prefix: str) -> None:
        self.pi, self._pictures, self._prefix = pi, pictures, prefix
        context = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-GB", accept_downloads=True)
        context.set_default_timeout(120_000)
        self.page: Page = context.new_page()

    def open(self, path: str = "") -> None:
        """Open a page of the table, which may still be starting."""
        for _ in range(60):
            try:
                self.page.goto(f"{ADDRESS}{path}")
            except Error:
                self.page.wait_for_timeout(1000)
            else:
                return
        raise AssertionError(f"the page {path} does not answer")

    def look(self, name: str) -> None:
        """Take a picture of the page."""
        self.page.wait_for_timeout(500)
        self.page.screenshot(path=self._pictures / f"{self._prefix}-{name}.png")

    def look_at_screens(self, name: str) -> None:
        """Take a picture of the public display and of the handset."""
        for screen in ("display", "handset"):
            picture = self._screen(screen)
            picture.resize((512, 256)).save(self._pictures / f"{self._prefix}-{name}-{screen}.png")

    def press(self, key: int, seconds: float = 0.3) -> None:
        """Press a key of the board."""
        self.pi.board("press", key, seconds)

    def code(self) -> str:
        """Read the code on the public display, figure by figure. Against burn-in the picture walks and is inverted."""
        seen = self._screen("display")
        for picture, right, down in product((seen, ImageChops.invert(seen)), _WALK, _WALK):
            moved = ImageChops.offset(picture, right, down)
            digits = [[d for d in "0123456789" if _figure(moved, place) == _figure(_owner_screen(d * 6), place)]
                      for place in range(6)]  # fmt: skip
            if all(digits):
                return "".join(digit for (digit,) in digits)
        raise AssertionError("the public display shows no code")

    def log_in(self) -> None:
        """Open the owner's page with the code from the table's menu."""
        self.press(BACK, 5.5)
        self.look_at_screens("menu")
        self.press(BACK)  # to the second row, the code for the owner
        self.press(CONFIRM)
        time.sleep(1.0)
        self.look_at_screens("code")
        self.open("owner")
        self.look("asked-for-code")
        self.page.fill("#code", self.code())
        expect(self.page.locator("#table")).to_be_visible()

    def wait_for_screen(self, condition: Callable[[Image.Image], bool], what: str) -> None:
        """Wait until the public display shows something."""
        for _ in range(60):
            if condition(self._screen("display")):
                return
            time.sleep(0.5)
        raise AssertionError(f"the public display does not show {what}")

    def process(self) -> int:
        """Return the process that runs the table; 0 for none."""
        return int(self.pi.run("systemctl show --value --property=MainPID yardboard"))

    def part(self, name: str) -> None:
        """Open a part of the owner's page."""
        expect(self.page.locator("#line")).to_have_text("")  # after a restart the page looks for the table
        self.page.locator(f"#parts a[href='#{name}']").click()

    def press_button(self, name: str) -> None:
        """Press a button of the owner's page, or of the question over it."""
        asked = self.page.locator("dialog[open]")
        (asked if asked.count() else self.page).get_by_role("button", name=name, exact=True).click()

    def _screen(self, name: str) -> Image.Image:
        return Image.frombytes("1", DISPLAY, bytes.fromhex(self.pi.board(name)))


def _figure(picture: Image.Image, place: int) -> bytes:
    """Return a figure of the code as a picture."""
    width = (DIGITS.width("0" * 6) + DIGITS.gap) // 6
    left = (DISPLAY[0] - DIGITS.width("0" * 6)) // 2 + place * width
    return picture.crop((left, _FIGURES_TOP, left + width - DIGITS.gap, _FIGURES_TOP + DIGITS.height)).tobytes()


def _is_sentence(screen: Image.Image) -> bool:
    """Return whether a screen has the bar over a prompt, across its whole width."""
    return any(bytes(screen.crop((0, y, *DISPLAY)).tobytes()[:14]) == b"\xff" * 14 for y in range(4))


def _owner_screen(code: str) -> Image.Image:
    return table_menu_screen.draw(TableMenuScreen(OWNER, (), 0, False, None, code))


def found_by_avahi(name: str, kind: int) -> bytes:
    """Ask the house by multicast DNS, as phones do, and return the Pi's answer."""
    question = b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"
    query = struct.pack("!6H", 0, 0, 1, 0, 0, 0) + question + struct.pack("!2H", kind, 1)
    with socket(AF_INET, SOCK_DGRAM) as line:
        line.bind((HOST, 0))
        line.setsockopt(IPPROTO_IP, IP_ADD_MEMBERSHIP, inet_aton(_MDNS[0]) + inet_aton(HOST))
        line.settimeout(5.0)
        for _ in range(10):
            line.sendto(query, _MDNS)
            try:
                answer, sender = line.recvfrom(9000)
            except TimeoutError:
                continue
            assert sender[0] == GUEST
            return answer
    raise AssertionError(f"nobody answers for {name}")


def install(pi: VirtualPi, package: Path, *added: Path) -> None:
    """Install the package as README.md says, and whatever else the owner adds."""
    shutil.copy(package, pi.share)
    said = pi.run(f"mkdir -p /home/pi && cd /home/pi && cp {SHARE}/*.deb . && DEBIAN_FRONTEND=noninteractive "
                  "sudo -E apt install -y ./yardboard_*_amd64.deb 2>&1")  # fmt: skip
    assert f"Once the table runs its page is at {ADDRESS}" in said, said
    for wheel in added:  # where pip installs, see systemd/README.md
        shutil.copy(wheel, pi.share)
        pi.run(f"python3 -m zipfile -e {SHARE}/{wheel.name} /usr/local/lib/yardboard")
    for name, kind in ((f"{NAME}.local", 1), ("_yardboard._tcp.local", 12)):
        assert NAME.encode() in found_by_avahi(name, kind)


def set_up_board(evening: Evening) -> None:
    """Give the service the file of a board, as README.md and docs/owner.md say."""
    pi = evening.pi
    evening.open()
    expect(evening.page.locator("#prompt")).to_contain_text("Set up")
    evening.look("simulated-table")
    pi.run("cd /home/pi && yardboard config new london-spi table.toml")
    pi.run(r"""printf '\n[web]\nserve = true\nhost = "0.0.0.0"\nowner = true\n' >>/home/pi/table.toml""")
    pi.start_board()
    said = pi.run("cd /home/pi && sudo yardboard setup --config table.toml 2>&1")
    assert f"Its page is at {ADDRESS}" in said, said
    evening.wait_for_screen(lambda screen: not _is_sentence(screen), "the address on the display")
    evening.look_at_screens("greeting")


def change_setting(evening: Evening) -> None:
    """Change two settings by the form; root's program restarts the table with them."""
    page, pi = evening.page, evening.pi
    before = evening.process()
    evening.part("setup")
    page.reload()
    page.wait_for_selector("#first-game-rules")
    page.fill("#first-game-players", "12")
    evening.press_button("Save and restart the table")
    expect(page.locator("[data-key='game.players'] .complaint")).not_to_be_empty()
    evening.look("wrong-setting")
    page.fill("#first-game-players", "5")
    page.fill("#first-game-names-1", "Ada")
    evening.press_button("Save and restart the table")
    expect(page.locator(".save .outcome")).to_contain_text("The table runs with the new configuration.")
    evening.look("settings-saved")
    assert evening.process() not in (0, before)
    config = tomllib.loads(pi.run("cat /etc/yardboard/table.toml"))
    assert (config["game"]["players"], config["game"]["names"]) == (5, {"1": "Ada"})
    changed = pi.run("diff /etc/yardboard/table.toml.1 /etc/yardboard/table.toml", may_fail=True)
    assert "#" not in "".join(line for line in changed.splitlines() if line.startswith("<")), changed


def begin_game(evening: Evening) -> None:
    """Begin a game on the owner's page, and put the pawns on the board until Mister X is to move."""
    page = evening.page
    evening.part("table")
    evening.press_button("New game…")
    page.select_option("#new-players", "4")
    page.fill("#new-name-2", "Ben")
    evening.look("new-game")
    evening.press_button("Begin")
    page.wait_for_timeout(1000)
    drop = page.get_by_role("button", name="Drop it and begin")
    if drop.is_visible():  # as the table starts, it resumes a game
        drop.click()
    expect(page.locator("#newgame")).to_be_hidden()
    expect(page.locator("#side")).to_contain_text("Ben")
    expect(page.locator("#prompt")).to_contain_text("Set up")
    evening.pi.board("stand", [])
    expect(page.locator("#prompt")).to_contain_text("Put Red", timeout=60_000)
    page.wait_for_timeout(2000)  # until the lamps show it
    evening.pi.board("place_pawns")
    expect(page.locator("#prompt")).to_contain_text("Mister X", timeout=60_000)
    evening.look("game-begun")
    evening.look_at_screens("game-begun")


def move_mister_x(evening: Evening) -> None:
    """Let Mister X make his first move on the handset."""
    evening.pi.board("hold_and_press", PEEK, [SELECT, SELECT])
    expect(evening.page.locator("#prompt")).not_to_contain_text("Mister X", timeout=60_000)
    evening.look("mister-x-has-moved")


def update(evening: Evening, package: Path) -> None:
    """Install a newer package from the page, first without root's permission."""
    page, pi = evening.page, evening.pi
    evening.part("care")
    page.set_input_files("#package", package)
    install_it = page.get_by_role("button", name="Install it")
    outcome = page.locator(".card", has=install_it).locator(".outcome")
    expect(install_it).to_be_enabled()
    install_it.click()
    expect(outcome).to_contain_text("allow-update-requests")
    evening.look("update-not-allowed")
    pi.run("sudo touch /etc/yardboard/allow-update-requests")
    page.reload()
    page.set_input_files("#package", package)
    expect(install_it).to_be_enabled()
    install_it.click()
    expect(outcome).to_contain_text(f"yardboard {NEWER} is installed", timeout=300_000)
    evening.look("updated")


def save_backup(evening: Evening, file: Path) -> None:
    """Save a backup from the page."""
    evening.part("care")
    with evening.page.expect_download() as saved:
        evening.press_button("Save a backup")
    saved.value.save_as(file)
    evening.look("backup")


def give_up(evening: Evening) -> None:
    """Give the game in play up, on the page."""
    evening.part("table")
    evening.press_button("Give this game up…")
    evening.press_button("Give it up")
    expect(evening.page.get_by_role("button", name="Give this game up…")).to_be_hidden()


def switch_off(evening: Evening) -> None:
    """Switch the Pi off on the page."""
    evening.part("care")
    evening.press_button("Power off…")
    evening.press_button("Power off")
    evening.pi.wait_until_off()


def entries(pi: VirtualPi) -> list[str]:
    """Return the seal of each entry in the journal, the oldest first: each contains all before it."""
    python = "import sqlite3; [print(seal) for (seal,) in sqlite3.connect('/run/copy/journal.sqlite').execute("
    python += "'SELECT seal FROM entries ORDER BY seq')]"
    copy = "rm -rf /run/copy && cp -r /var/lib/yardboard /run/copy"
    return pi.run(f'{copy} && /usr/lib/yardboard/bin/python -c "{python}"').split("\n")[:-1]


def first_system(evening: Evening, packages: Packages, folder: Path) -> Saved:
    """Go the way from the bare Debian 13 to a game in play, and save it. Return the backups with their entries."""
    pi = evening.pi
    say("apt install")
    install(pi, packages.first, *packages.added)
    set_up_board(evening)
    say("the owner's page, with the code from the display")
    evening.log_in()
    evening.look("table")
    say("a setting")
    change_setting(evening)
    say("a game, given up; a backup; an update")
    begin_game(evening)
    move_mister_x(evening)
    give_up(evening)
    between = entries(pi)
    save_backup(evening, folder / "between-games.zip")
    update(evening, packages.newer)
    assert entries(pi)[: len(between)] == between
    say("another game, saved while it is in play")
    begin_game(evening)
    move_mister_x(evening)
    evening.part("care")
    evening.press_button("Save a backup")
    evening.look("no-backup-in-play")
    in_play = entries(pi)
    pi.run(f"cd /home/pi && sudo yardboard backup {SHARE}/in-play.zip")
    shutil.copy(pi.share / "in-play.zip", folder)
    say("off, and on again: the game goes on")
    switch_off(evening)
    pi.boot()
    pi.start_board()
    evening.open("spectate")
    expect(evening.page.locator("#prompt")).to_contain_text("Going on", timeout=120_000)
    evening.look("on-again")
    assert entries(pi) == in_play
    return {"between-games.zip": between, "in-play.zip": in_play}


def second_system(evening: Evening, packages: Packages, folder: Path, saved: Saved) -> None:
    """Restore the game on a fresh system of another Debian, and play on."""
    pi, page = evening.pi, evening.page
    say("apt install on another Debian, and restore")
    install(pi, packages.second)
    pi.start_board()
    for name, expected in saved.items():
        shutil.copy(folder / name, pi.share)
        said = pi.run(f"sudo systemctl stop yardboard && sudo yardboard restore {SHARE}/{name}")
        assert "sudo yardboard setup" in said, said
        assert entries(pi) == expected
        pi.run("sudo yardboard setup")
    evening.open("spectate")
    expect(page.locator("#prompt")).to_contain_text("Going on", timeout=120_000)
    evening.look("going-on")
    evening.pi.board("place_pawns")
    expect(page.locator("#prompt")).not_to_contain_text("Going on", timeout=120_000)
    evening.look("plays-on")
    evening.look_at_screens("plays-on")


def main() -> None:
    """Go the whole way. Wants root, for the systems and for the network."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.proofs.package.new_owner", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--packages", type=Path, required=True, help="the folder with both packages for amd64")
    parser.add_argument(
        "--systems", type=Path, required=True, help="the folder with both bare systems, made if missing"
    )
    parser.add_argument("--pictures", type=Path, required=True, help="the folder for pictures")
    parser.add_argument("--wheel", type=Path, action="append", default=[], help="a wheel that the first system adds")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends the Pi, too
    lay_cable()
    asked.pictures.mkdir(parents=True, exist_ok=True)
    kernel = Path(_run(HERE.parent / "kernel/build.sh", HERE / "kernel.config"))
    with tempfile.TemporaryDirectory(prefix="yardboard-way-") as name, sync_playwright() as playwright:
        folder = Path(name)
        first, second = (next(asked.packages.glob(f"yardboard_*+deb{n}_amd64.deb")) for n in (13, 12))
        newer = Path(_run(HERE / "variant", first, folder, NEWER))
        packages = Packages(first, newer, second, tuple(asked.wheel))
        with launched(playwright.chromium, f"--host-resolver-rules=MAP {NAME}.local {GUEST}") as browser:
            saved: Saved = {}
            for suite in ("trixie", "bookworm"):
                system = asked.systems / suite
                if not system.exists():
                    asked.systems.mkdir(parents=True, exist_ok=True)
                    _run(HERE.parents[1] / "tools/bare_debian.sh", suite, system, LIKE_A_PI)
                pi = VirtualPi(system, kernel, folder / suite)
                try:
                    pi.boot()
                    evening = Evening(pi, browser, asked.pictures, suite)
                    try:
                        if suite == "trixie":
                            saved = first_system(evening, packages, folder)
                        else:
                            second_system(evening, packages, folder, saved)
                    except Exception:
                        evening.look("failed")
                        evening.look_at_screens("failed")
                        say(pi.run("journalctl --no-pager --lines=60 --unit='yardboard*'", may_fail=True))
                        raise
                finally:
                    pi.pull_the_plug()


def _run(*words: str | Path) -> str:
    """Run a command, and return the last line that it prints."""
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout.strip().rpartition("\n")[2]


if __name__ == "__main__":
    main()
