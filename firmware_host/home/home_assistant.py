"""Describe a table to a smart home: the payload of each MQTT topic, and Home Assistant's discovery message.

All payloads are public, and all functions pure. Payloads for people are in the current language. The topic `game` has
the same facts in the words of the rules, for automations.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from firmware_host import __version__
from firmware_host.referee.scene import Scene
from firmware_host.system.language import gettext
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.prompt_wording import prompt
from firmware_host.ui.vocabulary import all_of, pawn_name, ticket_name

LONGEST = 255
"""The most characters of a state in Home Assistant."""

UNKNOWN = "None"
"""The payload that Home Assistant shows as an unknown state."""

STATES = ("turn", "prompt", "round", "last_ticket", "power", "game")
"""The topics with the table's present state; the broker retains their newest payload."""

EVENTS = ("surfacing", "capture")
"""The topics of moments; the broker does not retain their payloads."""

STATUS = "status"
"""The topic that says whether the table runs: "online" or "offline". The broker sends "offline" as the last will."""

ANNOUNCE = "announce"
"""The only one of the table's topics that it reads: any payload makes it publish all states again."""


def states(scene: Scene) -> dict[str, str]:
    """Return the payload for each topic in `STATES`."""
    view = scene.view
    text = prompt(scene).text
    return {
        "turn": all_of(map(pawn_name, view.turn)) if view is not None and view.turn else UNKNOWN,
        "prompt": text if len(text) <= LONGEST else text[: LONGEST - 1] + "…",
        "round": UNKNOWN if view is None else str(view.round),
        "last_ticket": ticket_name(view.log[-1].ticket) if view is not None and view.log else UNKNOWN,
        "power": "ON" if "power" in scene.ailing else "OFF",
        "game": _compact(_game(scene)),
    }


def _game(scene: Scene) -> dict[str, Any]:
    """Return the facts about the game for the topic `game`."""
    view = scene.view
    if view is None:
        return {"phase": scene.phase.value}
    outcome = view.outcome
    return {
        "phase": scene.phase.value,
        "rules": view.rules,
        "round": view.round,
        "turn": list(view.turn),
        "computer": bool(scene.thinking),
        "pawns": dict(view.pawns),
        "log": [{"ticket": entry.ticket, "station": entry.station} for entry in view.log],
        "windows": view.windows,
        "winner": None if outcome is None else outcome.winner,
    }


def events(old: Scene, new: Scene) -> dict[str, str]:
    """Return the payload for each topic in `EVENTS` that has news, given the scenes before and after."""
    before, view = old.view, new.view
    if before is None or view is None:
        return {}
    known = [entry.ticket for entry in before.log]  # not its stations, which the end reveals
    if [entry.ticket for entry in view.log[: len(known)]] != known:
        return {}  # another game, or a move taken back
    said = {}
    shown = [entry for entry in view.log[len(known) :] if entry.station is not None]
    if shown and view.outcome is None:
        fields = {"station": shown[-1].station, "move": shown[-1].window, "round": before.round}
        said["surfacing"] = _compact({"event_type": "surfaced", **fields})
    if view.outcome is not None and before.outcome is None:
        pawn, station = game_ui(view).catch(view.outcome, view)
        kind = "captured" if view.outcome.winner == "detectives" else "escaped"
        said["capture"] = _compact({"event_type": kind, "pawn": pawn, "station": station, "round": view.round})
    return said


def discovery(topic: str) -> str:
    """Return the message that describes the table to Home Assistant as one device with nine entities.

    Args:
        topic: the table's own topic; the topics of its entities are below it.
    """
    device = device_id(topic)

    def entity(platform: str, name: str, label: str, **options: object) -> dict[str, Any]:
        reads = {} if platform == "button" else {"state_topic": f"{topic}/{name}"}
        available = {} if name == STATUS else {"availability_topic": f"{topic}/{STATUS}"}
        own = {"platform": platform, "unique_id": f"{device}_{name}", "name": label}
        return {**own, **reads, **available, **options}

    facts = {"json_attributes_topic": f"{topic}/game"}
    ends = {"event_types": ["captured", "escaped"]}
    online = {"device_class": "connectivity", "payload_on": "online", "payload_off": "offline"}
    power = {"device_class": "problem", "entity_category": "diagnostic"}
    asks = {"command_topic": f"{topic}/{ANNOUNCE}", "entity_category": "diagnostic"}
    shown = {"event_types": ["surfaced"]}
    components = {
        "turn": entity("sensor", "turn", gettext("Turn"), icon="mdi:chess-pawn", **facts),
        "prompt": entity("sensor", "prompt", gettext("Prompt"), icon="mdi:message-text"),
        "round": entity("sensor", "round", gettext("Round"), icon="mdi:counter"),
        "last_ticket": entity("sensor", "last_ticket", gettext("Last ticket"), icon="mdi:ticket"),
        "surfacing": entity("event", "surfacing", gettext("Mister X surfaces"), icon="mdi:eye", **shown),
        "capture": entity("event", "capture", gettext("End of the chase"), icon="mdi:handcuffs", **ends),
        "connection": entity("binary_sensor", STATUS, gettext("Connection"), **online),
        "power": entity("binary_sensor", "power", gettext("Power supply"), **power),
        "announce": entity("button", ANNOUNCE, gettext("Announce again"), icon="mdi:refresh", **asks),
    }
    origin = {"name": "yardboard", "sw_version": __version__}
    about = {"identifiers": [device], "name": "Yardboard", "manufacturer": "yardboard", "sw_version": __version__}
    return _compact({"device": about, "origin": origin, "components": components})


def device_id(topic: str) -> str:
    """Return the unique name of the table with this topic, for the broker and Home Assistant."""
    plain = (sign if sign.isascii() and sign.isalnum() else f"_{ord(sign):x}_" for sign in topic)
    return f"yardboard_{''.join(plain)}"


def _compact(values: Mapping[str, object]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
