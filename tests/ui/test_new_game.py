"""A new game is its engine, a file that words it, and their names in two lists: a game on a copy that has them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

BOX = """
game = "picnic"
title = "Red's picnic"
map = "london"
baskets = 3
"""

ENGINE = '''
"""Red fills a basket with each move and wins when all are full; Mister X walks about unseen."""

from dataclasses import dataclass, replace

from firmware_host.rules.actions import MR_X, MrXMove, PawnMove
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Box, Setup, owners_of
from firmware_host.rules.views import Happening, MrXView, Outcome, PublicView


@dataclass(frozen=True, slots=True, kw_only=True)
class PicnicBox(Box):
    baskets: int


def parse(name, data, source):
    seats = {2: (("red",),)}
    baskets = data["baskets"]
    return PicnicBox(name=name, title=data["title"], map=data["map"], seats=seats, order="fixed",
                     windows=baskets, options={}, baskets=baskets)


@dataclass(frozen=True, slots=True)
class BasketFilled(Happening):
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PicnicView(PublicView):
    full: int
    baskets: int

    def happened_since(self, before):
        return BasketFilled(self.full) if self.full > before.full else None


@dataclass(frozen=True)
class Standing:
    setup: Setup
    red: int
    x: int
    route: tuple
    full: int = 0
    hidden: bool = True


class Picnic:
    def __init__(self, box):
        self.box, self.name = box, box.name

    def check(self, options):
        pass

    def check_ground(self, ground, players):
        pass

    def deal(self, ground, wish, chance):
        network = ground.lay()
        red, x = chance.sample(sorted(network.stations), 2)
        return Setup(self.box, network, owners_of(self.box, players=wish.players), {"red": red}, Secret(x))

    def begin(self, setup):
        return Standing(setup, setup.start["red"], setup.mr_x.value, (setup.mr_x.value,))

    def over(self, state):
        return state.full == self.box.baskets

    def legal(self, state):
        at = state.x if state.hidden else state.red
        ways = [to for to in state.setup.network.around(at) if to not in (state.red, state.x)]
        if self.over(state):
            return ()
        return tuple(MrXMove(Secret(to), "taxi") if state.hidden else PawnMove("red", to, "taxi") for to in ways)

    def play(self, state, action):
        if action not in self.legal(state):
            raise IllegalAction("that is no way to a picnic")
        if state.hidden:
            to = action.to.value
            return replace(state, x=to, route=(*state.route, to), hidden=False)
        return replace(state, red=action.to, full=state.full + 1, hidden=True)

    def public(self, state):
        over = self.over(state)
        return PicnicView(
            rules=self.name, network=state.setup.network, round=state.full + 1,
            turn=() if over else (MR_X,) if state.hidden else ("red",),
            order=("red",), owners=state.setup.owners, pawns={"red": state.red}, stale=frozenset(), log=(), windows=0,
            surfacing=frozenset(), tickets={"red": {}, MR_X: {}}, moves=() if state.hidden else self.legal(state),
            double=0, skipped=(), outcome=Outcome("detectives", "all_full") if over else None,
            route=state.route if over else (), full=state.full, baskets=self.box.baskets,
        )

    def private(self, state):
        choices = self.legal(state) if state.hidden else ()
        return MrXView(self.public(state), Secret(state.x), Secret(state.route), Secret(choices))

    def roll(self, state, chance):
        return None
'''

WORDS = '''
"""Word the picnic."""

from firmware_host.rules.picnic.picnic_game import PicnicView
from firmware_host.ui.games.game_ui import GameUi
from firmware_host.ui.handset_page_kinds import Notice


class PicnicUi(GameUi[PicnicView]):
    view = PicnicView

    def mr_x_acts(self, view):
        return "Mister X sniffs about"

    def happened(self, what):
        return f"Basket {what.number} is full"

    def events(self, old, new):
        return [f"{new.full} of {new.baskets} baskets are full."] if new.full > old.full else []

    def tally(self, view):
        return {"detectives": (view.full, view.baskets)}

    def pages(self, view):
        return {"baskets": 1}

    def page(self, name, view, cursor):
        return Notice("Baskets", f"{view.full} full")

    def scene_values(self, view, entered):
        return {"baskets": {"full": view.full, "of": view.baskets}}


GAME = PicnicUi()
'''

LINES = (
    (
        "rules/engines.py",
        "from firmware_host.rules.pursuit import",
        "from firmware_host.rules.picnic import picnic_game\n",
    ),
    (
        "rules/engines.py",
        '    "dice": Engine',
        '    "picnic": Engine(picnic_game.PicnicBox, picnic_game.parse, picnic_game.Picnic, picnic_game.PicnicView),\n',
    ),
    ("ui/games/game_registry.py", "pursuit_ui\n", "picnic_ui, "),
    ("ui/games/game_registry.py", "pursuit_ui)", "picnic_ui, "),
)
"""What is written into files that are there: where, before what, and what."""

PROGRAM = """
import json, random
from firmware_host.config.loader import simulator, with_rules
from firmware_host.players.heuristic.heuristic import flee, pursue
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.simulator.snapshot import save
from firmware_host.ui import json_views
from firmware_host.ui import handset_pages
from firmware_host.ui.drawing import public_display
from firmware_host.ui.live_commentary import public_events
from firmware_host.ui.handset_menu import Menu, home_items
from pathlib import Path

chance = random.Random(5)
table = SimulatedTable(with_rules(simulator(), str(Path("picnic.toml").resolve())), seed=5)
table.new_game()
people = SimulatedPeople(table, chance)
people.set_up()
prompts, events = [table.prompt_text], []
while table.public.outcome is None:
    before = table.public
    people.play(flee(table.private, chance) if before.his_turn else pursue(before, chance))
    events += public_events(before, table.public)
    prompts.append(table.prompt_text)
    if table.public.full == 1 and table.public.his_turn:
        halfway = {
            "display": public_display.display_lines(table.table.scene()),
            "pages": home_items(table.private),
            "page": handset_pages.lines(handset_pages.page(Menu("baskets"), table.private)),
            "lamps": len(table.log_leds()),
        }
save(table, Path("picture.svg"))
scene = table.table.scene()
print(json.dumps({"prompts": prompts, "events": events, **halfway, "json": json_views.public(scene),
                  "private": json_views.private(scene, table.private), "picture": Path("picture.svg").read_text()}))
table.close()
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the program says of a game that it has not known."""
    house = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT / "firmware_host", house / "firmware_host", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("hardware", "config"):
        (house / folder).symlink_to(ROOT / folder)
    (house / "picnic.toml").write_text(BOX)
    engine = house / "firmware_host/rules/picnic"
    engine.mkdir()
    (engine / "__init__.py").touch()
    (engine / "picnic_game.py").write_text(ENGINE)
    (house / "firmware_host/ui/games/picnic_ui.py").write_text(WORDS)
    for file, before, words in LINES:
        registry = house / "firmware_host" / file
        text = registry.read_text()
        assert text.count(before) == 1, (file, before)
        registry.write_text(text.replace(before, words + before))
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, cwd=house, check=False)
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_the_table_asks_and_tells_in_its_words(told: dict[str, Any]) -> None:
    assert told["prompts"][:3] == ["Mister X sniffs about", "Red moves", "Basket 1 is full. Mister X sniffs about"]
    assert told["prompts"][-1] == "Detectives win. All full. CONFIRM: new game"
    assert [line for line in told["events"] if "basket" in line] == [f"{n} of 3 baskets are full." for n in (1, 2, 3)]


def test_its_tally_is_on_the_log_lamps_the_display_and_the_picture(told: dict[str, Any]) -> None:
    assert told["lamps"] == 3
    assert told["display"][-1] == "Detectives 1/3"
    assert 'id="chips-detectives"' in told["picture"]


def test_its_page_opens_on_the_handset(told: dict[str, Any]) -> None:
    assert "baskets" in told["pages"]
    assert told["page"] == ["Baskets", "1 full"]


def test_json_has_its_values_after_those_of_all_games(told: dict[str, Any]) -> None:
    assert told["json"]["baskets"] == {"full": 3, "of": 3}
    assert (told["json"]["dice"], told["json"]["chips"], told["json"]["giving"]) == (None, {}, [])
    assert list(told["json"])[-1] == "baskets"
    assert told["private"]["at"] == told["json"]["route"][-1]
