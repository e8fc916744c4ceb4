"""The stdio protocol: whole recorded games, every word of it, and all that it must refuse."""

from __future__ import annotations

import base64
import io
import json

import pytest
from PIL import Image

from firmware_host.config import shipped_files
from firmware_host.config.loader import ConfigError, load
from firmware_host.simulator.scripting import ScriptSession
from tests.simulator.sessions import Client, play

DEAL = {"mr_x": 45, "red": 74, "yellow": 117, "green": 138, "blue": 26}


@pytest.fixture
def client(table: ScriptSession) -> Client:
    """A game has begun and the pawns stand."""
    client = Client(table.answer)
    client.do("new_game", rules="classic", detectives=4, deal=DEAL, seed=7)
    for pawn, station in DEAL.items():
        if pawn != "mr_x":
            client.do("put", station=station, pawn=pawn)
    client.do("wait", ms=1000)
    return client


def test_a_game_can_be_played_by_what_the_protocol_tells_alone(table: ScriptSession) -> None:
    assert play(Client(table.answer), seed=7)["outcome"]["reason"] == "captured"


def test_the_public_view_says_all_that_the_table_shows(client: Client) -> None:
    view = client(get="public")
    assert view["phase"] == "play"
    assert view["turn"] == ["mr_x"]
    assert view["pawns"] == {pawn: station for pawn, station in DEAL.items() if pawn != "mr_x"}
    assert view["tickets"]["mr_x"] == {"taxi": 4, "bus": 3, "underground": 3, "black": 4, "double": 2}
    assert view["prompt"]["text"] == "Mister X moves"
    assert view["mismatch"] == {"missing": {}, "extra": []}
    assert view["log"] == view["moves"] == view["route"] == []
    assert view["outcome"] is None
    assert "at" not in view
    assert "choices" not in view


def test_the_private_view_adds_where_he_is_and_what_he_may_do(client: Client) -> None:
    view = client(get="private")
    assert view["at"] == 45
    assert {"kind": "move", "to": 58, "ticket": "taxi"} in view["choices"]
    assert {"kind": "double"} in view["choices"]
    client.do("mr_x", action={"kind": "move", "to": 58, "ticket": "black"})
    assert client(get="private")["log"] == [{"window": 1, "ticket": "black", "station": 58, "double": 0}]
    assert client(get="public")["log"] == [{"window": 1, "ticket": "black", "station": None, "double": 0}]


def test_lamps_are_told_by_station_and_window_lit_ones_only(client: Client) -> None:
    client.do("mr_x", action={"kind": "move", "to": 46, "ticket": "taxi"})
    client.do("wait", ms=1000)
    leds = client(get="leds")
    assert set(leds["stations"]) == {"46", "58", "73", "74", "75", "92", "94"}
    assert set(leds["log"]) == {"1", "3", "8", "13", "18"}
    assert all(colour.startswith("#") and len(colour) == 7 and colour != "#000000" for colour in leds["log"].values())


def test_handset_and_display_come_as_text_and_as_pictures(client: Client) -> None:
    for word in ("handset", "display"):
        shown = client(get=word)
        picture = Image.open(io.BytesIO(base64.b64decode(shown["png"])))
        assert picture.size == (128, 64)
        assert picture.mode == "1"
        assert shown["text"]
    assert "45" in " ".join(client(get="handset")["text"])
    assert "45" not in " ".join(client(get="display")["text"])


def test_a_fault_is_found_and_told(client: Client) -> None:
    client.do("fault", device="switches", kind="unplug")
    client.do("wait", ms=100)
    assert client(get="health")["devices"]["switches"]["state"] == "lost"
    assert client(get="public")["prompt"]["text"].startswith("Paused")
    client.do("fault", device="switches", kind="replug")
    client.do("wait", ms=1500)
    assert client(get="health")["devices"]["switches"]["state"] == "ok"
    assert client(get="public")["prompt"]["text"] == "Mister X moves"


REFUSED = [
    "",
    "nonsense",
    "[1, 2]",
    '"get"',
    '{"get": "secrets"}',
    '{"get": ["public"]}',
    '{"get": "public", "and": "more"}',
    '{"do": "dance"}',
    '{"do": 7}',
    "{}",
    '{"do": "put"}',
    '{"do": "put", "station": "58", "pawn": "red"}',
    '{"do": "put", "station": 5800, "pawn": "red"}',
    '{"do": "put", "station": true, "pawn": "red"}',
    '{"do": "put", "station": 58, "pawn": "red", "colour": 1}',
    '{"do": "lift", "station": 58}',
    '{"do": "slide", "path": [74], "ms": 500}',
    '{"do": "slide", "path": [74, "58"], "ms": 500}',
    '{"do": "slide", "path": [74, 58], "ms": 0}',
    '{"do": "press", "key": "table.tram"}',
    '{"do": "press", "key": "table.taxi", "ms": -5}',
    '{"do": "wait", "ms": 1e12}',
    '{"do": "wait", "ms": NaN}',
    '{"do": "mr_x", "action": {"kind": "move", "to": 199, "ticket": "taxi"}}',
    '{"do": "mr_x", "action": {"kind": "move", "to": 46}}',
    '{"do": "mr_x", "action": {"kind": "pawn", "pawn": "red", "to": 75, "ticket": "taxi"}}',
    '{"do": "fault", "device": "switch:58", "kind": "unplug"}',
    '{"do": "fault", "device": "toaster", "kind": "unplug"}',
    '{"do": "new_game", "rules": "chess"}',
    '{"do": "new_game", "detectives": 7}',
    '{"do": "new_game", "deal": {"mr_x": 45, "red": 45}}',
    '{"do": "new_game", "deal": {"red": "13"}}',
    '{"do": "new_game", "deal": {"pink": 13}}',
    '{"do": "new_game", "options": {"x_fares": "some"}}',
    '{"do": "new_game", "options": {"speed": 3}}',
    '{"do": "new_game", "owners": ["red"]}',
]


def test_what_means_nothing_is_refused_in_words_and_changes_nothing(table: ScriptSession, client: Client) -> None:
    before = [client(get=word) for word in ("private", "leds", "health")]
    for line in REFUSED:
        reply = table.answer(line)
        assert reply["ok"] is False, line
        assert reply["error"]
        assert "\n" not in reply["error"]
        assert [client(get=word) for word in ("private", "leds", "health")] == before, line


def test_a_refused_move_of_his_does_not_tell_where_he_wanted_to_go(table: ScriptSession, client: Client) -> None:
    reply = table.answer('{"do": "mr_x", "action": {"kind": "move", "to": 187, "ticket": "taxi"}}')
    assert reply["ok"] is False
    assert "187" not in reply["error"]
    assert "45" not in reply["error"]
    assert client(get="private")["at"] == 45


def test_every_move_that_he_cannot_make_is_refused_alike_and_the_refusal_says_where_his_choices_are(
    table: ScriptSession, client: Client
) -> None:
    assert client(get="public")["turn"] == ["mr_x"]
    for to in (0, 44, 45, 74, 187, 199, 999):  # no neighbour, his own, a detective's, far away, or nowhere
        for ticket in ("taxi", "bus", "underground", "tram"):
            reply = table.answer(json.dumps({"do": "mr_x", "action": {"kind": "move", "to": to, "ticket": ticket}}))
            assert reply["error"] == ('mr_x: Mister X cannot make this move now; {"get": "private"} lists his choices')


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ({}, '"kind" is missing; write one of '),
        ({"kind": 5}, '"kind" must be a text in quotes, not 5; kinds are '),
        ({"kind": None}, '"kind" must be a text in quotes, not null; kinds are '),
        ({"kind": "fly"}, 'unknown kind "fly"; kinds are '),
        ({"kind": "pawn", "pawn": "red", "to": 75, "ticket": "taxi"}, 'unknown kind "pawn"; kinds are '),
    ],
)
def test_an_action_of_no_kind_of_his_is_refused_with_the_kinds_that_he_has(
    table: ScriptSession, action: dict[str, object], told: str
) -> None:
    reply = table.answer(json.dumps({"do": "mr_x", "action": action}))
    assert reply["error"] == f"mr_x: action: {told}move, double, surface, take, pass, commit"


def test_a_key_can_be_held_while_others_are_pressed(client: Client) -> None:
    client.do("hold", key="handset.peek")
    client.do("press", key="handset.down")
    client.do("release", key="handset.peek")
    client.do("wait", ms=100)
    assert "> Black" in "\n".join(client(get="handset")["text"])


def test_a_notice_on_the_handset_does_not_keep_mister_x_from_his_choice(table: ScriptSession) -> None:
    client = Client(table.answer)
    client.do("new_game", detectives=4, deal=DEAL)
    client.do("wait", ms=100)
    for _ in range(2):
        client.do("press", key="handset.select")
        client.do("wait", ms=100)
    assert "set up" in " ".join(client(get="handset")["text"])
    for pawn, station in DEAL.items():
        if pawn != "mr_x":
            client.do("put", station=station, pawn=pawn)
    client.do("wait", ms=1000)
    client.do("mr_x", action={"kind": "move", "to": 46, "ticket": "taxi"})


def test_a_real_boards_wiring_is_refused_with_what_to_do_instead() -> None:
    with pytest.raises(ConfigError, match=r"a real board's wiring, .* inputs 0 to 198; .*: --rules classic$"):
        ScriptSession(load(shipped_files.folder() / "london-spi.toml"))


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ({"do": "new_game", "deal": {"red": 1000}}, "new_game: deal: red: there is no station 1000 on london"),
        (
            {"do": "new_game", "deal": {"pink": 7}},
            "new_game: deal: there is no pawn 'pink' in this game; there are red",
        ),
        ({"do": "mr_x", "action": "46"}, 'mr_x: action: must be an object, not "46"'),
        ({"do": "coach", "tells": "all"}, 'coach: tells: must be one of off, stations, advice, not "all"'),
        (
            {"do": "mr_x", "action": {"kind": "move", "to": "46", "ticket": "taxi"}},
            "mr_x: action 'move': to must be a whole number without quotes, such as 46, not \"46\"",
        ),
        ({"do": 3}, '"do": must be a text; orders are new_game'),
    ],
)
def test_a_wrong_order_is_refused_with_its_own_field_and_value(
    table: ScriptSession, order: dict[str, object], told: str
) -> None:
    assert table.answer(json.dumps(order))["error"].startswith(told)
