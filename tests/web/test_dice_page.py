"""The games' own things on players' pages: dice that are rolled by pressing them, and what Mister X sees of a game."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.simulator import SimulatedTable
from tests.docs import evenings
from tests.table.cases import shipped
from tests.web.chromium import Visit
from tests.web.open_table import Lay

pytestmark = pytest.mark.long

NAMES = """async scene => {
  const { diceKeys, faceKeys } = await import("/static/wording/dice_words.js");
  return [Object.fromEntries(diceKeys(scene)), faceKeys(scene)];
}"""
"""What the keys do with the dice, and which faces are entered by which key."""

DICE = {"to_roll": 0, "by_hand": False, "tokens": 2, "rolled": ["underground", "x"], "entered": []}
SCENE: dict[str, Any] = {"rules": "dice", "phase": "play", "asked": [], "wrong": 0, "paused": False, "extras": {}}
AGAIN = {"table.back": {"kind": "roll_again"}}
STAYS = [{"pawn": "yellow", "to": 22, "tickets": ["stay"]}]
CONFIRM, BACK = "table.confirm", "table.back"
STUCK = {"moves": STAYS, "prompt": {"keys": [CONFIRM, BACK]}}


def at_roll(p: SimulatedTable) -> None:
    """A dice game in which red is to roll its first dice."""
    p.new_game("dice", seats={MR_X: "easy"})
    p.set_up()
    for _ in range(3):
        evenings.walk(p, p.public.moves[0])
    p.advance(5000)
    assert p.public.to_roll is not None


def test_the_dice_are_rolled_by_pressing_them_and_the_keys_say_what_they_do(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("dice"), seed=2, begin=at_roll, helped=True)
    page = visit(table.url)
    key = page.page.locator("#keys [data-key='table.confirm'] .name")
    key.get_by_text("Roll", exact=True).wait_for()
    page.wait("() => document.querySelector('#prompt').textContent.endsWith('roll 4 dice')")
    page.page.get_by_role("region", name="Dice").get_by_role("button", name="Roll", exact=True).click()
    table.until(lambda p: p.public.to_roll is None, "the dice to be rolled")
    page.page.locator("#keys [data-key='table.back']", has_text="Roll again (3 left)").click()
    table.until(lambda p: p.public.to_roll is not None, "a token to be spent")


NAMED = [
    ({**STUCK, "extras": AGAIN}, {CONFIRM: "Stay on 22", BACK: "Roll again (2 left)"}),
    ({"moves": STAYS * 2, "prompt": {"keys": [CONFIRM]}}, {CONFIRM: "Stay"}),
    ({"moves": [], "dice": {**DICE, "to_roll": 4}, "prompt": {"keys": [CONFIRM]}}, {CONFIRM: "Roll"}),
    ({"moves": STAYS, "wrong": 1, "prompt": {"keys": [CONFIRM]}}, {}),
    ({"moves": [], "asked": STAYS, "prompt": {"keys": [CONFIRM, BACK]}}, {}),
    ({"moves": STAYS, "dice": None, "prompt": {"keys": [CONFIRM]}}, {}),
]


def test_keys_are_named_by_what_they_do_with_the_dice_and_faces_that_were_rolled_by_hand_are_entered_by_pressing_them(
    lay: Lay, visit: Visit
) -> None:
    page = visit(lay(shipped("dice"), begin=lambda _: None).url, "spectate")
    for scene, names in NAMED:
        assert page.page.evaluate(NAMES, {**SCENE, "dice": DICE, **scene}) == [names, []]
    dice = {**DICE, "to_roll": 2, "by_hand": True}
    keys = [f"table.{name}" for name in ("taxi", "bus", "underground", "confirm")]
    by_hand = {**SCENE, "moves": [], "dice": dice, "prompt": {"keys": keys}}
    faces = [["taxi", keys[0]], ["bus", keys[1]], ["underground", keys[2]], ["x", CONFIRM]]
    assert page.page.evaluate(NAMES, by_hand)[1] == faces
    entered = {**by_hand, "dice": {**dice, "entered": ["taxi", "x"]}}
    assert page.page.evaluate(NAMES, entered) == [{CONFIRM: "These are the dice"}, []]


@pytest.mark.parametrize(
    ("rules", "shown"), [("dice", ("#dice .tile", "#dice .die", "#news li")), ("junior", ("#chips .chip", "#news li"))]
)
def test_mister_x_sees_the_things_of_his_game_and_what_happened(
    lay: Lay, visit: Visit, rules: str, shown: tuple[str, ...]
) -> None:
    def begin(p: SimulatedTable) -> None:
        p.new_game(rules, seats={"detectives": "easy"})
        p.set_up()

    table = lay(shipped(rules), seed=2, begin=begin, helped=True)
    page = visit(table.url, f"seat#{table.server.handset_token.new_token()}")
    page.page.locator("#choose .end").first.click()
    page.click("Go", exact=True)
    for part in shown:
        page.see(part)
