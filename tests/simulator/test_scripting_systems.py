"""The stdio protocol with every rule system: what is offered, refused, kept and told."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from firmware_host.config.shipped_files import load_ground
from firmware_host.rules.actions import STAY
from firmware_host.simulator.scripting import ScriptSession
from tests.simulator.sessions import Client, set_up, turn

SYSTEMS = ("classic", "current", "us", "beginners", "dice", "junior")
TILES = load_ground("yardboard")


@pytest.fixture
def client(table: ScriptSession) -> Client:
    return Client(table.answer)


# ---- new games ----


def test_each_system_begins_with_the_players_asked_for(client: Client) -> None:
    wanted = {
        ("classic", 3): ["red", "yellow", "green", "blue"],
        ("current", 6): ["red", "yellow", "green", "blue", "purple"],
        ("us", 3): ["purple", "yellow", "blue", "red", "green"],
        ("beginners", 4): ["red", "yellow", "green"],
        ("beginners", 5): ["red", "yellow", "green", "blue"],
        ("dice", 2): ["red", "yellow"],
        ("dice", 4): ["red", "yellow", "green"],
        ("junior", 2): ["white", "yellow"],
        ("junior", 4): ["white", "yellow"],
    }
    for (rules, players), pawns in wanted.items():
        client.do("new_game", rules=rules, players=players, seed=1)
        view = client(get="public")
        assert (view["rules"], list(view["owners"])) == (rules, pawns)
        assert len(set(view["owners"].values())) == min(players - 1, 2 if rules == "junior" else 9)


def test_di_10_until_he_has_chosen_his_place_he_is_nowhere(client: Client) -> None:
    client.do("new_game", rules="dice", players=2, seed=4)
    view = client(get="private")
    assert (view["at"], view["start"], view["round"]) == (None, None, 0)
    set_up(client)
    chance = random.Random(1)
    while client(get="public")["turn"] != ["mr_x"]:
        turn(client, client(get="public"), chance)
    view = client(get="private")
    assert (view["at"], view["start"]) == (None, None)
    chosen = view["choices"][3]
    assert chosen == {"kind": "move", "to": chosen["to"], "ticket": "start"}
    client.do("mr_x", action=chosen)
    view = client(get="private")
    assert (view["at"], view["start"]) == (chosen["to"], chosen["to"])


def test_ju_03_a_junior_game_can_be_dealt_other_starts_and_the_rest_is_as_marked(client: Client) -> None:
    client.do("new_game", rules="junior", players=4, deal={"white": 7, "mr_x_junior": 7})
    assert client(get="public")["pawns"] == {"white": 7, "yellow": 4, "mr_x": 13, "mr_x_junior": 7}
    assert client(get="private")["actor"] == "mr_x"


# ---- what is refused ----

BAD: dict[str, list[dict[str, Any]]] = {
    "classic": [
        {"players": 2}, {"players": 7}, {"detectives": 6}, {"options": {"layout": "ABC DEF GHI"}},
        {"options": {"experts": True}}, {"deal": {"white": 1}}, {"deal": {"mr_x_junior": 1}},
    ],
    "us": [
        {"players": 2}, {"detectives": 4}, {"owners": [1, 2, 1, 2, 3], "players": 4}, {"options": {"log_windows": 20}},
        {"deal": {"mr_x": 108}}, {"options": {"voluntary_surfacing": "yes"}},
    ],
    "beginners": [
        {"players": 3}, {"players": 6}, {"detectives": 5}, {"options": {"x_fares": "counted"}}, {"deal": {"purple": 5}},
        {"deal": {"red": 46, "yellow": 46}}, {"deal": {"red": 200}},
    ],
    "dice": [
        {"players": 1}, {"players": 5}, {"detectives": 1}, {"detectives": 4}, {"options": {"layout": "ABC"}},
        {"options": {"layout": "ABC DEF GHJ"}}, {"options": {"layout": "ABC DEF GHH"}}, {"options": {"layout": 7}},
        {"options": {"layout": ["ABC"]}}, {"options": {"layout": None}}, {"options": {"experts": 1}},
        {"options": {"dice": "thrown"}}, {"options": {"faces": 6}},
        {"options": {"layout": "ABC DEF GHI"}, "players": 2},
        {"deal": {"mr_x": 5}}, {"deal": {"red": 1, "yellow": 4, "green": 13}}, {"deal": {"red": 1}},
        {"deal": {"red": 1, "yellow": 4, "green": 13, "mr_x": 13}, "options": {"layout": "ABC DEF GHI"}},
        {"deal": {"red": 3, "yellow": 4, "green": 13, "mr_x": 36}, "options": {"layout": "ABC DEF GHI"}},
        {"deal": {"red": 1, "yellow": 4, "green": 13, "mr_x": 36, "white": 2}},
    ],
    "junior": [
        {"players": 1}, {"players": 5}, {"detectives": 3}, {"options": {"layout": ""}}, {"options": {"chips": 3}},
        {"deal": {"red": 1}}, {"deal": {"mr_x": 15}}, {"deal": {"mr_x_junior": 3}, "players": 3},
        {"deal": {"white": 0}}, {"owners": [1, 1]},
    ],
}  # fmt: skip
EVERYTHING = ("private", "leds", "health", "handset", "display")


def state(client: Client) -> list[dict[str, Any]]:
    return [client(get=word) for word in EVERYTHING]


@pytest.mark.parametrize("playing", ["classic", "dice", "junior"])
def test_a_game_that_cannot_be_is_refused_in_words_and_changes_nothing(client: Client, playing: str) -> None:
    """Also where the game asked for would be on another board: the one in play goes on, restart and all."""
    client.do("new_game", rules=playing, seed=3)
    set_up(client)
    before = state(client)
    for rules, wishes in BAD.items():
        for wish in wishes:
            reply = client.answer(json.dumps({"do": "new_game", "rules": rules, **wish}))
            assert reply["ok"] is False, (rules, wish)
            assert len(reply["error"]) > 10, (rules, wish)
            assert state(client) == before, (rules, wish)
    chance = random.Random(1)
    for _ in range(2):
        turn(client, client(get="public"), chance)
    later = client(get="private")
    assert later != before[0]
    client.do("restart")
    client.do("wait", ms=1000)
    assert client(get="private") == later | {"asked": []}


NOT_HIS = [
    {"kind": "roll", "faces": ["taxi"]},
    {"kind": "roll_again"},
    {"kind": "pass"},
    {"kind": "surface"},
    {"kind": "take", "pawn": "red", "ticket": "taxi"},
    {"kind": "commit", "pawn": "mr_x_junior", "ticket": "taxi"},
    {"kind": "commit", "pawn": "mr_x", "ticket": "tram"},
    {"kind": "commit", "pawn": "mr_x", "ticket": 7},
    {"kind": "commit", "pawn": "mr_x"},
    {"kind": "pass", "really": True},
    {"kind": "move", "to": 1, "ticket": "helicopter"},
    {"kind": "move", "to": 1, "ticket": "start"},
    {"kind": "pawn", "pawn": "mr_x", "to": 1, "ticket": "free"},
    {"kind": "double"},
]


@pytest.mark.parametrize("rules", ["us", "beginners", "dice", "junior"])
def test_what_is_none_of_his_choices_is_refused_and_changes_nothing(client: Client, rules: str) -> None:
    client.do("new_game", rules=rules, seed=3)
    set_up(client)
    before = state(client)
    refused = 0
    for action in NOT_HIS:
        if action in before[0]["choices"]:
            continue
        reply = client.answer(json.dumps({"do": "mr_x", "action": action}))
        assert reply["ok"] is False, action
        assert state(client) == before, action
        refused += 1
    assert refused >= 13


# ---- whole games ----


@pytest.mark.parametrize("rules", SYSTEMS)
@pytest.mark.long_but_first
def test_a_game_restarted_again_and_again_loses_nothing_and_every_state_is_plain_json(
    table: ScriptSession, client: Client, rules: str
) -> None:
    chance = random.Random(5)
    client.do("new_game", rules=rules, seed=5)
    set_up(client)
    turns = restarts = 0
    while (view := client(get="public"))["outcome"] is None and turns < 70:
        turn(client, view, chance)
        turns += 1
        for word in ("public", "private", "leds"):
            reply = client(get=word)
            assert json.loads(json.dumps(reply, allow_nan=False)) == reply  # no tuples, no keys but texts
        if turns % 7 == 0:
            before = client(get="private")
            client.do("restart")
            client.do("wait", ms=1000)
            after = client(get="private")
            beside = {before["pawns"][pawn] for pawn in before["owners"] if pawn in before["pawns"]}
            for state in (before, after):  # beside a detective's no switch feels his pawn: it is asked for anew
                state["set_down"] = {p: s for p, s in state["set_down"].items() if s not in beside}
                state.pop("prompt")
            assert after == before
            restarts += 1
    assert restarts >= 2
    assert table.simulated.table.game is not None


def test_ju_04_a_pick_made_before_a_power_cut_still_counts(client: Client) -> None:
    client.do("new_game", rules="junior", players=2)
    set_up(client)
    client.do("mr_x", action={"kind": "commit", "pawn": "mr_x", "ticket": "bus"})
    client.do("restart")
    client.do("wait", ms=1000)
    view = client(get="private")
    assert view["turn"] == ["white", "yellow"]
    assert set(client(get="public")["tickets"]["mr_x"].values()) == {1}
    chance = random.Random(1)
    while client(get="public")["round"] == 1:
        turn(client, client(get="public"), chance)
    assert client(get="public")["pawns"]["mr_x"] == 14


def test_di_14_to_stay_is_one_of_the_moves_and_takes_a_key(client: Client) -> None:
    start = {"red": 1, "yellow": 4, "mr_x": 33}
    options = {"layout": "ABD GHI", "dice": "entered"}
    client.do("new_game", rules="dice", players=2, options=options, deal=start)
    set_up(client)
    for key in ("confirm", "confirm", "confirm", "confirm"):  # three dice that show X
        client.do("press", key=f"table.{key}")
        client.do("wait", ms=100)
    view = client(get="public")
    assert view["dice"]["rolled"] == ["x", "x", "x"]
    assert view["extras"] == {"table.back": {"kind": "roll_again"}}
    assert [move["tickets"] for move in view["moves"]] == [[STAY], [STAY]]
    pawn = view["moves"][1]["pawn"]  # one player's two pawns: he chooses which of them stays (DI-16)
    client.do("wait", ms=1000)
    for key in ("confirm", "back", "confirm"):
        client.do("press", key=f"table.{key}")
        client.do("wait", ms=100)
    after = client(get="public")
    assert [*after["turn"], pawn] == view["turn"]
    assert after["pawns"] == view["pawns"]


# ---- lamps and stations of tiles ----


@pytest.mark.parametrize(("players", "layout"), [(2, "IGb hEF"), (4, "FID EAc gHb")])
def test_di_01_lamps_and_stations_go_by_the_numbers_of_the_tiles_that_lie(
    client: Client, players: int, layout: str
) -> None:
    laid = TILES.lay_tiles(layout)
    client.do("new_game", rules="dice", players=players, options={"layout": layout, "experts": True})
    set_up(client)
    view = client(get="public")
    client.do("wait", ms=1000)
    lit = {int(number) for number in client(get="leds")["stations"]}
    assert lit == {move["to"] for move in view["moves"]}
    assert lit <= set(laid.stations)
    assert lit == {place for place, stops in laid.stops.items() if stops == {"taxi"}}
    to = max(lit)
    client.do("put", station=to, pawn="red")
    client.do("wait", ms=1000)
    assert client(get="public")["pawns"] == {"red": to}


def test_ju_08_the_logs_lamps_tell_the_chips(client: Client) -> None:
    client.do("new_game", rules="junior", seed=1)
    set_up(client)
    client.do("wait", ms=1000)
    assert set(client(get="leds")["log"]) == {str(n) for n in range(1, 13)}
    dim = client(get="leds")["log"]["1"]
    chance = random.Random(2)
    while client(get="public")["chips"]["mr_x"]["won"] < 2:
        turn(client, client(get="public"), chance)
    client.do("wait", ms=1000)
    lamps = client(get="leds")["log"]
    won = client(get="public")["chips"]
    assert [lamps[str(n)] != dim for n in range(1, 10)] == [n <= won["mr_x"]["won"] for n in range(1, 10)]
