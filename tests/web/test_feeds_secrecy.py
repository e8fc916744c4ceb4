"""What goes to everyone's pages depends on nothing that is hidden: in what it says, and in when."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host import web
from firmware_host.referee.events import TakeBack
from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import MrXMove, PawnMove
from firmware_host.table.commands import GiveUpGame
from firmware_host.ui.lamp_rhythms import LampFrame
from firmware_host.web.feeds.page_orders import AgainOrder
from tests.table.alike import Alike, drawn
from tests.table.cases import CANARY, CASES, SOME, US, Case, canaries
from tests.table.onlooker import hidden_stations
from tests.web.at_once import AtOnce, Steady, kinds, texts
from tests.web.hidden_stations import numbers, told
from tests.web.page_table import Room
from tests.web.twins import twins


def played(pair: Alike, side: int, room: AtOnce) -> None:
    """One of two games that look alike, played by the orders of pages."""
    case, coin = pair.case, random.Random(f"{pair.seed}/open")
    room.simulated.new_game(players=case.players, options=dict(case.options), start=pair.start[side])
    people = Steady(room)
    people.set_up()
    for steps in pair.script:
        step = steps[side]
        if isinstance(step, TakeBack):
            people.take_back()
        elif (
            steps[0] == steps[1]
            and isinstance(step, MrXMove)
            and people.stands_in_the_open(step)
            and coin.random() < 0.5
        ):
            people.do_in_the_open(step)
        else:
            people.do(step)
        room.wait(500)
    assert not room.refused


@pytest.mark.parametrize("case", SOME, ids=str)
@pytest.mark.long_but_first
def test_pb_07_games_that_differ_only_in_what_is_hidden_send_the_same_to_everyones_pages(case: Case) -> None:
    with twins(case, played) as (one, two):
        assert {"board", "scene", "lamps", "news", "pawns", "display"} <= kinds(one.public.heard).keys()
        assert kinds(one.public.heard)["lamps"] > 100
        if case.rules != "junior":  # there the handset forgets at once what was picked (JU-04)
            assert texts(one.private.heard) != texts(two.private.heard)


def canary_game(
    case: Case, folder: Path, each: Callable[[AtOnce, int, set[int]], None] = lambda *_: None
) -> tuple[AtOnce, set[int]]:
    """A table at which a game was played on numbers that are found, and the stations that are hidden then.

    Args:
        case: what is played.
        folder: for the map.
        each: after each step is given the table, how much everyone had been sent before it, and what is hidden.
    """
    config = canaries(case.rules, folder)
    pair = drawn(config, case, 5, windows=5)
    room = AtOnce(config, seed=pair.seed)
    room.simulated.new_game(players=case.players, options=dict(case.options), start=pair.start[0])
    people = Steady(room)
    people.set_up()
    met: set[int] = set()
    for step, _ in pair.script:
        heard = len(room.public.heard)
        people.take_back() if isinstance(step, TakeBack) else people.do(step)
        met |= {step.to} if isinstance(step, PawnMove) else set()
        hidden = hidden_stations(room.simulated, met)
        assert all(station > CANARY for station in hidden)
        each(room, heard, hidden)
    return room, (hidden | {room.simulated.private.at.value}) - met


def assert_unnamed(room: AtOnce, since: int, hidden: set[int]) -> None:
    """Nothing that everyone was sent since then names a hidden station."""
    for message in told(texts(room.public.heard[since:])):
        assert not hidden & numbers(message), message


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.long_but_first
def test_no_message_to_everyones_pages_names_a_hidden_station_also_once_the_game_is_given_up(
    case: Case, tmp_path: Path
) -> None:
    searched = 0

    def search(room: AtOnce, since: int, hidden: set[int]) -> None:
        nonlocal searched
        searched += len(hidden)
        assert_unnamed(room, since, hidden)

    room, hidden = canary_game(case, tmp_path, search)
    with room:
        assert searched > (1 if case.rules == "junior" else 20)
        heard = len(room.public.heard)
        room.simulated.do(GiveUpGame())
        room.wait(3000)
        assert room.simulated.scene.phase is Phase.NO_GAME
        room.ask("table", AgainOrder())
        assert len(room.refused) == 1, "a game that was given up is not played again"
        assert {"scene", "news"} <= kinds(room.public.heard[heard:]).keys()
        if case.rules != "junior":  # on its few stations all have been named by then
            assert hidden
            assert_unnamed(room, heard, hidden)


def test_the_canary_would_be_found(tmp_path: Path) -> None:
    read, found = 0, 0

    def look(room: AtOnce, _: int, __: set[int]) -> None:
        nonlocal read, found
        room.press("handset.back")
        hidden = hidden_stations(room.simulated, set())
        found += any(hidden & numbers(message) for message in told(texts(room.private.heard[read:])))
        read = len(room.private.heard)

    room, _ = canary_game(US, tmp_path, look)
    with room:
        assert found > 2


OF_HIS_VIEW = {"MrXView", "DoubleMoves"}
"""What the feed of Mister X's own page takes, and no other module."""

OF_VIEWS = {"PublicView", "LogEntry", "Outcome"}
"""What the modules of the pages may know of views: nothing that is Mister X's."""


def named(module: Path) -> list[tuple[str, str]]:
    """All that a module takes from others: the other one, and the name there."""
    names = []
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names += [(str(node.module), alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            names += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names.append((node.value.id, node.attr))
    return names


def test_a_scene_that_was_made_again_and_says_the_same_is_not_sent_again() -> None:
    room, seen = Room(), dict[str, int]()
    spectators, layout = room.pages.spectators, room.simulated.config.layout
    lamps = LampFrame(None, None, layout, 0.0, bytes)

    def sent() -> set[str]:
        kinds = set()
        while (due := room.pages.public.next(seen)) is not None:
            seen[due[0]] = due[1]
            kinds.add(due[0])
        return kinds

    assert "scene" in sent()
    scene = spectators.scene
    assert scene is not None
    spectators.see(replace(scene), layout, lamps)
    assert "scene" not in sent()
    spectators.see(replace(scene, wrong=scene.wrong + 1), layout, lamps)
    assert "scene" in sent()


def test_no_module_of_the_pages_takes_more_than_everybodys_view() -> None:
    modules = list(Path(web.__file__).parent.rglob("*.py"))
    assert len(modules) > 15
    taken = [(path.name, *name) for path in modules for name in named(path)]
    assert ("spectator_feed.py", "firmware_host.rules.views", "PublicView") in taken
    assert ("spectator_feed.py", "json_views", "public") in taken
    for path, module, name in taken:
        if module.startswith("firmware_host.rules"):
            assert (module, name) == ("firmware_host.rules.views", name), path
            assert name in OF_VIEWS | (OF_HIS_VIEW if path == "seat_feed.py" else set()), path
        if module.rpartition(".")[2] == "json_views":
            own = {"seat"} if path == "seat_feed.py" else set()
            assert name in {"public", "coach"} | own, path  # what the coach tells, it tells everyone
