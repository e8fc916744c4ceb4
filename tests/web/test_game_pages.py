"""The pages of finished games over real HTTP: the list, each game and what can be taken home; never a game in play."""

from __future__ import annotations

import http.client
import io
import json
import random
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from websockets.sync.client import connect
from websockets.typing import Origin

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import MEMORY
from firmware_host.past_games.finished_games import Archive
from firmware_host.past_games.game_json import record_json, summary_json
from firmware_host.players.coach import coach as coaches
from firmware_host.players.coach.coach_port import KNOWS, NextAction
from firmware_host.players.player_port import PublicHistory
from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.ui.drawing import subprocess_renderer
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.vocabulary import rules_name
from firmware_host.web.feeds.page_orders import AT_REAL_BOARD, PageOrderQueue
from firmware_host.web.pages import game_pages, render_queue
from firmware_host.web.server import Server
from tests.journal.random_journals import RULES, Entry, config, play, write
from tests.past_games.own_reviewer import OwnReviewer
from tests.web.message_types import differences

KINDS = ("json", "svg", "png")
NONE = tuple(f"/games/{'9' * digits}{part}" for digits in (10, 5000) for part in ("", ".json", "/board.svg"))
PARTS = (*(f".{kind}" for kind in KINDS), "/board.json", "/board.svg", "/analysis.json", "/analysed.json")


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class SilentReviewer(OwnReviewer):
    """Never gets done, so that answers do not depend on how far it is."""

    def review(self, history: PublicHistory, done: NextAction) -> None:
        del history, done


class House:
    """A table's pages, its archive and its journal."""

    def __init__(self, reviewer: type[OwnReviewer] = SilentReviewer) -> None:
        self.journal = Journal.open(MEMORY)
        self.archive = Archive(config(), make_reviewer=reviewer)
        self.server = Server("127.0.0.1", 0, PageOrderQueue(AT_REAL_BOARD), self.archive)
        self.server.start()

    def write(self, played: tuple[Game, list[Entry]], *, finish: bool = True) -> Game:
        """Another game at the table; gives it."""
        write(self.journal, *played, finish=finish)
        if self.archive.follow(self.journal):
            self.server.announce_games()
        return played[0]

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)

    def ask(self, method: str, path: str, **headers: str) -> Answer:
        line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        try:
            line.request(method, path, headers=headers)
            answer = line.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            line.close()

    def close(self) -> None:
        self.server.stop()
        self.journal.close()


Open = Callable[..., House]


@pytest.fixture
def house() -> Iterator[Open]:
    with ExitStack() as open_houses:

        def opened(reviewer: type[OwnReviewer] = SilentReviewer) -> House:
            new = House(reviewer)
            open_houses.callback(new.close)
            return new

        yield opened


# ---- the list -----------------------------------------------------------------------------------------------------


def test_where_nothing_has_been_played_the_list_is_empty_and_its_page_is_there(house: Open) -> None:
    table = house()
    assert table.get("/games.json").json == {"games": []}
    assert table.get("/games/statistics.json").json == {"games": 0, "people": [], "computers": [], "boxes": []}
    assert table.get("/games").status == 200


def test_the_list_tells_of_every_finished_game_the_newest_first(house: Open) -> None:
    table = house()
    for rules in RULES:
        table.write(play(rules, 2))
    said = table.get("/games.json").json["games"]
    assert differences({"games": said}, "GamesList") == []
    assert [game["number"] for game in said] == [6, 5, 4, 3, 2, 1]
    assert [game["rules"] for game in said] == list(reversed(RULES))
    assert said == [summary_json(summary) for summary in table.archive.summaries()]


def test_a_game_that_cannot_be_told_is_listed_and_says_why_everywhere(house: Open) -> None:
    table = house()
    board = config().network
    other = board.changed(remove=board.links[:1])
    game, entries = play("classic", 1)
    elsewhere = type(game.setup)(**{**_fields(game.setup), "network": other})
    table.journal.begin(elsewhere, 1.0)
    for entry in entries:
        if entry is not None:
            table.journal.play(entry, 2.0)
    assert game.public.outcome is not None
    table.journal.finish(game.public.outcome, 3.0)
    table.archive.follow(table.journal)
    (said,) = table.get("/games.json").json["games"]
    assert "has changed since" in said["trouble"]
    for part in PARTS:
        answer = table.get(f"/games/1{part}")
        assert (answer.status, answer.json) == (410, {"error": said["trouble"]})


def _fields(setup: Any) -> dict[str, Any]:
    return {name: getattr(setup, name) for name in setup.__dataclass_fields__}


# ---- a game ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.long_but_first
def test_a_game_of_every_system_can_be_looked_at_and_taken_home(house: Open, rules: str) -> None:
    table = house()
    game = table.write(play(rules, 3))
    said = table.get("/games/1.json")
    assert said.json == json.loads(json.dumps(record_json(table.archive.record(1))))
    assert tuple(said.json["routes"][MR_X]) == game.public.route
    board = table.get("/games/1/board.json").json
    assert differences(said.json, "GameRecord") + differences(board, "ReplayBoard") == []
    assert {station["n"] for station in board["stations"]} == set(game.setup.network.stations)
    links = {(link.a, link.b, link.transport) for link in game.setup.network.links}
    assert {tuple(line) for line in board["lines"]} == links
    assert len(board["bends"]) == len(board["lines"])
    assert {at for step in said.json["steps"] for at in step["pawns"].values()} <= set(game.setup.network.stations)
    assert ET.fromstring(table.get(board["drawing"]).body).tag.endswith("svg")  # noqa: S314 - our own
    drawn = table.get("/games/1.svg").body.decode()
    ways = {frozenset(way) for way in pairwise(game.public.route)}
    found = {frozenset(map(int, way)) for way in re.findall(r'id="route-(\d+)-(\d+)"', drawn)}
    assert found == {way for way in ways if len(way) == 2}
    outcome = game.public.outcome
    assert outcome is not None
    caption = f"{rules_name(rules)}. {game_ui(game.public).headline(outcome, game.public)}."
    assert f">{caption}</text>" in drawn
    image = Image.open(io.BytesIO(table.get("/games/1.png").body))
    assert (image.format, image.width) == ("PNG", 1600)


@pytest.mark.parametrize("rules", ["classic", "dice", "junior"])
def test_a_list_has_a_small_picture_of_a_games_route_which_browsers_keep(house: Open, rules: str) -> None:
    table = house()
    game = table.write(play(rules, 3))
    answer = table.get("/games/1/route.svg")
    assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert "immutable" in answer.headers["cache-control"]
    drawn = ET.fromstring(answer.body)  # noqa: S314 - our own
    ways = {frozenset(way) for way in pairwise(game.public.route)}
    found = [one.get("id", "") for one in drawn.iter() if one.get("id", "").startswith("route-")]
    assert len([name for name in found if "mr_x" not in name]) == len([way for way in ways if len(way) == 2])
    numbers = {one.text for one in drawn.iter() if one.tag.endswith("text")}
    assert {str(game.public.route[0]), str(game.public.route[-1])} <= numbers


def test_a_files_name_tells_the_games_number_alone_and_a_drawing_may_only_be_looked_at(
    house: Open,
) -> None:
    table = house()
    table.write(play("dice", 1))
    for kind in KINDS:
        headers = table.get(f"/games/1.{kind}").headers
        assert headers["content-disposition"] == f'attachment; filename="yardboard-game-1.{kind}"'
        assert headers["x-content-type-options"] == "nosniff"
    for part in (".svg", ".png", "/board.svg", "/artwork.svg"):
        assert "sandbox" in table.get(f"/games/1{part}").headers["content-security-policy"]
    assert table.get("/games/1/board.json").json["artwork"] == "/games/1/artwork.svg"
    answer = table.get("/games/1/artwork.svg")
    assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert answer.body.count(b'"#ground-') in (6, 9)


@pytest.mark.parametrize(("part", "encoding"), [("/board.json", "gzip"), (".json", "gzip"), (".png", None)])
def test_a_game_is_sent_compressed_but_pictures_are_already(house: Open, part: str, encoding: str | None) -> None:
    table = house()
    table.write(play("junior", 1))
    answer = table.ask("GET", f"/games/1{part}", **{"accept-encoding": "gzip"})
    assert (answer.status, answer.headers.get("content-encoding")) == (200, encoding)


def test_what_is_not_there_is_refused_in_words(house: Open) -> None:
    table = house()
    table.write(play("junior", 1))
    for number in ("0", "2", "99", "999999999"):
        for part in PARTS:
            answer = table.get(f"/games/{number}{part}")
            said = {"error": f"There is no finished game {number} at this table."}
            assert (answer.status, answer.json) == (404, said)
        german = table.ask("GET", f"/games/{number}.json", **{"accept-language": "de"})
        assert german.json == {"error": f"An diesem Tisch gibt es keine beendete Partie {number}."}
    for path in ("/games/x", "/games/-1.json", *NONE, "/games/1.txt", "/games/1/", "/games/1.5.json"):
        assert table.get(path).status in (307, 404), path[:24]


# ---- its analysis -----------------------------------------------------------------------------------------------


def test_an_analysis_is_told_once_it_is_through_and_can_be_taken_home(
    house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coaches, "can_search", lambda: False)
    table = house(OwnReviewer)
    table.write(play("classic", 3))
    unknown = table.get("/games/1/analysed.json")
    right = "Open /games/1 and start it there."
    told = f"This game has not been analysed, or its analysis has been deleted. {right}"
    assert (unknown.status, unknown.json) == (410, {"error": told})
    said = table.ask("POST", "/games/1/analysis.json").json
    while not said["steps"]:
        assert differences(said, "GameAnalysis") == []
        assert (said["moments"], said["trouble"]) == ([], "")
        assert said["done"] <= said["total"]
        said = table.get("/games/1/analysis.json").json
    assert differences(said, "GameAnalysis") == []
    record = table.archive.record(1)
    assert said["done"] == said["total"] == len(said["steps"]) == len(record.steps) - 1
    for step, analysed in zip(record.steps, said["steps"], strict=False):
        assert str(step.pawns[MR_X]) in analysed["stations"]
        assert analysed["possible"] == len(analysed["stations"])
    saved = table.get("/games/1/analysed.json")
    assert saved.json == {**table.get("/games/1.json").json, "analysis": said}
    assert saved.headers["content-disposition"] == 'attachment; filename="yardboard-game-1.analysed.json"'


def test_only_a_request_of_the_tables_own_pages_or_of_a_program_begins_an_analysis(house: Open) -> None:
    table = house()
    table.write(play("classic", 3))
    for _ in range(2):  # whoever reads has nothing begin
        unknown = table.get("/games/1/analysis.json")
        assert (unknown.status, unknown.json) == (410, {"error": game_pages.NOT_ANALYSED.format(page="/games/1")})
    foreign = table.ask("POST", "/games/1/analysis.json", origin="http://example.org")
    assert (foreign.status, table.archive.analysis(1)) == (403, None)
    own = table.ask("POST", "/games/1/analysis.json", origin=f"http://127.0.0.1:{table.server.port}")
    assert (own.status, own.json["done"], own.headers["cache-control"]) == (200, 0, "no-store")
    assert table.get("/games/1/analysis.json").json["total"] == own.json["total"]
    assert table.ask("POST", "/games/9/analysis.json").status == 404
    assert table.ask("PUT", "/games/1/analysis.json").status == 405


@pytest.mark.parametrize("rules", ["dice", "junior"])
def test_of_a_game_that_the_coach_does_not_know_a_sentence_says_so(house: Open, rules: str) -> None:
    table = house()
    table.write(play(rules, 1))
    said = table.ask("POST", "/games/1/analysis.json").json
    assert said == {"done": 0, "total": 0, "trouble": KNOWS, "steps": [], "moments": []}


# ---- secrecy --------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_whatever_is_hidden_in_a_game_in_play_all_pages_are_the_same(house: Open) -> None:
    """Two tables with the same finished games, and others in play: no answer differs, and none knows of these."""
    answers = []
    for seed in (11, 12):
        table = house()
        table.write(play("junior", 1))
        table.write(play("classic", 2))
        table.write(play("us", seed), finish=False)
        table.journal.abandon(9.0)
        table.write(play("classic", seed), finish=False)
        paths = [
            "/games",
            "/games.json",
            "/games/statistics.json",
            *(f"/games/{n}{part}" for n in range(7) for part in ("", *PARTS)),
        ]
        found = {path: table.get(path) for path in paths}
        answers.append({path: (answer.status, answer.body) for path, answer in found.items()})
        assert [game["number"] for game in found["/games.json"].json["games"]] == [2, 1]
        for number in (3, 4, 5):
            assert {found[f"/games/{number}{part}"].status for part in PARTS} == {404}
    assert answers[0] == answers[1]


def test_a_game_at_a_real_table_is_shown_with_its_end_and_pages_are_told(house: Open) -> None:
    table = house()
    simulated = SimulatedTable(config("junior"), seed=5, audience=table.server.spectators)
    simulated.new_game(players=2)
    players = SimulatedPeople(simulated, random.Random(5), rough=False)
    players.set_up()
    home = f"127.0.0.1:{table.server.port}"
    with connect(f"ws://{home}/ws", origin=Origin(f"http://{home}"), open_timeout=60) as line:
        line.send(json.dumps({"do": "hello", "page": "spectator"}))
        while simulated.public.outcome is None:
            assert not simulated.table.journal.newest_finished
            if table.archive.follow(simulated.table.journal):
                table.server.announce_games()
            players.play()
        assert table.get("/games.json").json == {"games": []}
        assert table.archive.follow(simulated.table.journal)
        table.server.announce_games()
        messages = (json.loads(said) for said in iter(line.recv, None) if isinstance(said, str))
        told_of = next(said for said in messages if said["kind"] == "games" and said["newest"] is not None)
    assert told_of == {"kind": "games", "newest": 1}
    to_mr_x = table.server.private._slots["games"].make()
    assert json.loads(to_mr_x) == told_of
    assert tuple(table.get("/games/1.json").json["routes"][MR_X]) == simulated.public.route
    simulated.close()


# ---- the table keeps its pace ---------------------------------------------------------------------------------------


def test_many_who_ask_for_the_same_wait_for_one_drawing(house: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    png = subprocess_renderer.png

    def counted(*told_: Any) -> bytes:
        drawn.append(1)
        return png(*told_)

    monkeypatch.setattr(subprocess_renderer, "png", counted)
    table = house()
    table.write(play("junior", 1))
    with ThreadPoolExecutor(render_queue.MOST) as crowd:
        answers = list(crowd.map(table.get, ["/games/1.png"] * render_queue.MOST))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == len(drawn) == 1


def test_a_picture_that_cannot_be_drawn_says_so(house: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nowhere"))
    table = house()
    table.write(play("junior", 1))
    answer = table.get("/games/1.png")
    assert (answer.status, answer.json) == (500, {"error": "The picture could not be drawn: FileNotFoundError."})
    assert table.get("/games/1.svg").status == 200
