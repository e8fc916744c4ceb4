"""What a smart home is sent of a table: public facts, on ticks of the clock, in a form that Home Assistant takes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from firmware_host import __version__
from firmware_host.home.home_assistant import EVENTS, LONGEST, STATES, device_id, discovery, events, states
from firmware_host.home.mqtt_publisher import TICK, TablePublisher
from firmware_host.simulator import SimulatedTable
from firmware_host.system.language import LANGUAGES, in_language
from firmware_host.table.commands import GiveUpGame
from firmware_host.table.inputs import POWER_CALM, POWER_EVERY
from tests.table.played_table import begun, carry, confirm, fault, go, red_to_move, walk, watched

GOLDEN = Path(__file__).with_name("discovery.json")


class PublishedLog:
    """A link that remembers what was published, and when."""

    def __init__(self, p: SimulatedTable) -> None:
        self._now = p.hardware.clock.now
        self.published: list[tuple[float, dict[str, str], dict[str, str]]] = []
        publisher = TablePublisher(self, self._now, p.config.board.language)
        step = p.table.step
        p.hardware.drive(lambda: (step(), publisher.attend(p.table.scene)), hz=p.config.switches.scan_hz)

    def put(self, states: Mapping[str, str], events: Mapping[str, str]) -> None:
        self.published.append((self._now(), dict(states), dict(events)))

    def stop(self) -> None:
        """Nothing goes on."""

    @property
    def newest(self) -> dict[str, str]:
        return self.published[-1][1]

    def events(self, topic: str) -> list[dict[str, object]]:
        return [json.loads(sent[topic]) for _, _, sent in self.published if topic in sent]


def test_the_discovery_message_is_the_one_that_home_assistant_has_checked() -> None:
    # Home Assistant 2025.4.4 accepted it: DEVICE_DISCOVERY_SCHEMA of homeassistant.components.mqtt.discovery all of it,
    # and DISCOVERY_SCHEMA of each platform's module its components. docs/platforms.md says what else was checked.
    said = json.loads(discovery("yardboard").replace(__version__, "VERSION"))
    assert said == json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert len(said["components"]) == 9


def test_every_topic_of_the_discovery_message_is_published_and_each_name_is_translated() -> None:
    components = json.loads(discovery("house/table"))["components"]
    read = {one["state_topic"].removeprefix("house/table/") for one in components.values() if "state_topic" in one}
    assert read == {*STATES, *EVENTS, "status"} - {"game"}
    assert len({one["unique_id"] for one in components.values()}) == 9
    names = {name: one["name"] for name, one in components.items()}
    for language in LANGUAGES.keys() - {"en"}:
        with in_language(language):
            others = json.loads(discovery("yardboard"))["components"]
        assert {name: one["name"] for name, one in others.items()} != names, language


def test_tables_with_other_topics_are_other_devices() -> None:
    topics = [
        "house/a",
        "house_a",
        "house-a",
        "house a",
        "house",
        "House",
        "house/a/",
        "haus/ä",
        "haus/ö",
        "a/2f",
        "a//",
        "a/",
    ]
    devices = {device_id(topic) for topic in topics}
    assert len(devices) == len(topics)
    assert all(re.fullmatch("[A-Za-z0-9_-]+", device) for device in devices), "a part of a discovery topic"


def test_the_states_are_those_of_the_game() -> None:
    p = red_to_move(seen=True)
    log = PublishedLog(p)
    p.advance(1000)
    assert {*log.newest} == {*STATES}
    assert (log.newest["turn"], log.newest["round"], log.newest["last_ticket"]) == ("Red", "1", "taxi")
    assert "Red" in log.newest["prompt"]
    game = json.loads(log.newest["game"])
    assert game["turn"] == ["red"]
    assert game["log"] == [{"ticket": "taxi", "station": None}]
    assert "mr_x" not in game["pawns"]
    p.do(GiveUpGame())
    p.advance(1000)
    assert (log.newest["turn"], log.newest["round"], log.newest["last_ticket"]) == ("None", "None", "None")


def test_a_weak_supply_is_a_problem_until_it_is_mended() -> None:
    p = watched()
    log = PublishedLog(p)
    fault(p, "power", "under_voltage", 1000 * POWER_EVERY + 600)
    assert log.newest["power"] == "ON"
    fault(p, "power", "ok", 1000 * (POWER_CALM + POWER_EVERY) + 600)
    assert log.newest["power"] == "OFF"


def test_surfacing_and_capture_are_events_and_what_was_before_the_start_is_none() -> None:
    p = begun(45, red=75, yellow=13, green=26)
    log = PublishedLog(p)
    for mr_x, red, yellow, green in ((58, 94, 23, 15), (45, 75, 13, 26)):
        go(p, mr_x)
        for pawn, to in {"red": red, "yellow": yellow, "green": green}.items():
            walk(p, pawn, to)
    p.advance(1000)
    assert not [sent for *_, sent in log.published if sent]
    go(p, 58)
    p.advance(1000)
    assert log.events("surfacing") == [{"event_type": "surfaced", "station": 58, "move": 3, "round": 3}]
    joined = PublishedLog(p)
    carry(p, "red", 58, 2000)
    confirm(p)
    p.advance(1000)
    captured = {"event_type": "captured", "pawn": "red", "station": 58, "round": 3}
    assert joined.events("capture") == [captured]
    assert joined.events("surfacing") == []
    assert joined.newest["turn"] == "None"
    assert json.loads(joined.newest["game"])["winner"] == "detectives"


def test_nothing_is_published_between_ticks_nor_when_nothing_has_changed() -> None:
    p = watched(moved=False)
    log = PublishedLog(p)
    p.advance(1000)
    go(p, 184)
    p.advance(60_000)
    times = [at for at, *_ in log.published]
    assert all(at % TICK < 1 / p.config.switches.scan_hz + 1e-9 for at in times[1:])
    assert len(times) <= 4


def test_an_hour_at_the_table_costs_no_publication() -> None:
    p = watched()
    log = PublishedLog(p)
    p.advance(5000)
    before = len(log.published)
    p.advance(3_600_000)
    assert len(log.published) == before


def test_a_prompt_is_never_longer_than_a_state_may_be() -> None:
    p = watched()
    scene = p.table.scene()
    assert all(len(payload) <= LONGEST for topic, payload in states(scene).items() if topic != "game")
    assert events(scene, scene) == {}
