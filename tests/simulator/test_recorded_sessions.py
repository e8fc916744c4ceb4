"""Recorded sessions of every rule system over the stdio protocol: each replays to the same end."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from firmware_host.config.shipped_files import edition_names
from firmware_host.simulator.scripting import ScriptSession, serve
from tests.simulator.sessions import DATA, SESSIONS, acts
from tests.simulator.test_scripting_systems import SYSTEMS


class Replayed:
    """A recorded session, and the replies to it as a program on the other side reads them."""

    def __init__(self, name: str) -> None:
        self.name, self.plan = name, SESSIONS[name]
        self.lines = (DATA / f"{name}.jsonl").read_text().splitlines()
        out = io.BytesIO()
        with ScriptSession() as session:
            serve(session, io.BytesIO("\n".join(self.lines).encode()), out)
        self.replies: list[dict[str, Any]] = [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.fixture(scope="module", params=SESSIONS)
def replayed(request: pytest.FixtureRequest) -> Replayed:
    """Each session by turns: it is played once for all tests that look at it."""
    return Replayed(request.param)


def sessions(*beginnings: str) -> pytest.MarkDecorator:
    """Only the sessions whose names begin like this."""
    names = [name for name in SESSIONS if name.startswith(beginnings)]
    return pytest.mark.parametrize("replayed", names, indirect=True)


@pytest.mark.long_but_first
def test_a_recorded_session_replays_to_the_same_final_state(replayed: Replayed) -> None:
    assert len(replayed.replies) == len(replayed.lines)
    assert [reply for reply in replayed.replies if not reply["ok"]] == []
    final = json.loads((DATA / f"{replayed.name}.final.json").read_text())
    assert {"public": replayed.replies[-2], "private": replayed.replies[-1]} == final


def test_each_session_ends_as_its_name_says_and_holds_what_it_was_recorded_for(replayed: Replayed) -> None:
    name, plan, view = replayed.name, replayed.plan, replayed.replies[-2]
    assert view["rules"] == plan.game["rules"]
    assert view["outcome"] == {"winner": plan.winner, "reason": plan.reason}
    assert acts(replayed.lines, replayed.replies) >= plan.acts
    assert ("escape" in name or name == "junior-mr-x") == (plan.winner == "mr_x")


def test_there_is_a_session_of_either_end_of_every_system() -> None:
    ends = {(plan.game["rules"], plan.winner) for plan in SESSIONS.values()}
    assert ends == {(rules, winner) for rules in SYSTEMS for winner in ("mr_x", "detectives")}
    assert set(SYSTEMS) == set(edition_names())


@sessions("beginners-escape", "junior", "dice-escape")
def test_be_09_and_ju_10_the_ends_by_number_are_reached_to_the_number(replayed: Replayed) -> None:
    view = replayed.replies[-2]
    match replayed.name:
        case "beginners-escape":
            assert (view["round"], len(view["log"])) == (13, 14)
        case "junior-detectives":
            assert view["chips"]["detectives"] == {"won": 3, "needed": 3}
        case "junior-mr-x":
            assert view["chips"]["mr_x"] == {"won": 9, "needed": 9}
        case "dice-escape":
            assert len(view["log"]) == 13
        case other:
            pytest.fail(f"what number ends {other}?")


@sessions("capture", "escape", "curr", "dice")
def test_pb_07_he_is_told_of_in_public_only_while_his_last_window_is_one_to_surface_at(replayed: Replayed) -> None:
    hidden = 0
    for line, reply in zip(replayed.lines, replayed.replies, strict=True):
        if json.loads(line) != {"get": "public"} or not reply["rules"] or reply["outcome"]:
            continue
        surfacing = reply["surfacing"]
        assert [entry["window"] for entry in reply["log"] if entry["station"] is not None] == [
            window for window in surfacing if window <= len(reply["log"])
        ]
        assert ("mr_x" in reply["pawns"]) == (len(reply["log"]) in surfacing)
        assert {"at", "start", "choices", "actor"}.isdisjoint(reply)
        assert reply["route"] == []
        hidden += "mr_x" not in reply["pawns"]
    assert hidden > 10
