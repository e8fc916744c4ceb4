"""Plays a game over the stdio protocol alone, and writes down every line: how the sessions in tests/data were made."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
SESSIONS = {"capture": 3, "escape": 9}
"""Recorded session -> the seed of its game."""

Reply = dict[str, Any]


class Client:
    """A program at the other end of the protocol. It keeps what it says."""

    def __init__(self, answer: Callable[[str], Reply]) -> None:
        self._answer = answer
        self.lines: list[str] = []

    def __call__(self, **order: Any) -> Reply:
        line = json.dumps(order)
        self.lines.append(line)
        reply = self._answer(line)
        assert reply["ok"], (line, reply)
        return reply

    def do(self, word: str, **fields: Any) -> Reply:
        return self(do=word, **fields)


def play(client: Client, seed: int) -> Reply:
    """A whole classic game from start cards to its end; the last reply is the public view."""
    chance = random.Random(seed)
    client.do("new_game", rules="classic", detectives=4, seed=seed)
    view = client(get="public")
    for pawn, station in view["pawns"].items():
        client.do("put", station=station, pawn=pawn)
        client.do("wait", ms=300)
    client.do("wait", ms=700)
    while (view := client(get="public"))["outcome"] is None:
        if view["turn"] == ["mr_x"]:
            choices = client(get="private")["choices"]
            client.do("mr_x", action=chance.choice(choices))
            client.do("wait", ms=200)
        else:
            move_pawn(client, view, chance.choice(view["moves"]), chance)
    return view


def move_pawn(client: Client, view: Reply, move: Reply, chance: random.Random) -> None:
    """Lift or slide a pawn to its station, and answer if the table asks for the ticket."""
    start = view["pawns"][move["pawn"]]
    if chance.random() < 0.2:
        client.do("slide", path=[start, move["to"]], ms=600, pawn=move["pawn"])
    else:
        client.do("lift", station=start, pawn=move["pawn"])
        client.do("wait", ms=400)
        client.do("put", station=move["to"], pawn=move["pawn"])
    client.do("wait", ms=700)
    asked = client(get="public")["asked"]
    if asked:
        key = f"table.{chance.choice(asked)['ticket']}" if len(asked) > 1 else "table.confirm"
        client.do("press", key=key)
        client.do("wait", ms=100)


def record(name: str) -> None:
    """Write a session anew: its lines, and the public and private views it must end with."""
    from firmware_host.parlour.stdio import Stdio  # noqa: PLC0415 - the tests that replay need no recorder

    with Stdio() as table:
        client = Client(table.answer)
        play(client, SESSIONS[name])
        final = {word: client(get=word) for word in ("public", "private")}
    (DATA / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in client.lines))
    (DATA / f"{name}.final.json").write_text(json.dumps(final, indent=1) + "\n")


if __name__ == "__main__":  # python -m tests.sessions, after the protocol or a rule has changed on purpose
    for session in SESSIONS:
        record(session)
