"""Play games over the stdio protocol alone, and record every line: this creates the sessions in tests/data."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"

Reply = dict[str, Any]

FUGITIVES = ("mr_x", "mr_x_junior")


@dataclass(frozen=True)
class SessionPlan:
    """The requirements of a recorded session.

    Attributes:
        game: the fields of its new_game; the seed is added.
        winner: who wins.
        reason: how the game ends.
        acts: the special actions that must occur in it, in the words of `acts`.
        eager: in how many of ten turns detectives go where they see Mister X.
        daring: in how many of ten turns Mister X does something special, or stays where he is.
    """

    game: Mapping[str, Any]
    winner: str
    reason: str
    acts: frozenset[str] = frozenset()
    eager: int = 5
    daring: int = 2


_CLASSIC: Mapping[str, Any] = {"rules": "classic", "detectives": 4}
_US: Mapping[str, Any] = {"rules": "us", "options": {"voluntary_surfacing": True, "cut_off": True}}
_US_ACTS = frozenset({"surface", "take", "double", "black", "two of one owner"})
_BEGINNERS_ACTS = frozenset({"hidden move", "black", "double", "own pawn"})
_DICE_ACTS = frozenset({"start", "roll", "roll again", "helicopter", "black", "double"})
_JUNIOR_ACTS = frozenset({"stay", "pick stay", "shared station"})

SESSIONS: Mapping[str, SessionPlan] = {
    "capture": SessionPlan(_CLASSIC, "detectives", "captured"),
    "escape": SessionPlan(_CLASSIC, "mr_x", "log_full"),
    "current-capture": SessionPlan({"rules": "current"}, "detectives", "captured", frozenset({"double", "black"})),
    "current-escape": SessionPlan(
        {"rules": "current", "players": 4}, "mr_x", "rounds_over", frozenset({"double", "black"})
    ),
    "us-capture": SessionPlan({**_US, "players": 5}, "detectives", "captured", _US_ACTS),
    "us-escape": SessionPlan({**_US, "players": 3}, "mr_x", "immobilised", _US_ACTS, eager=1, daring=3),
    "beginners-capture": SessionPlan(
        {"rules": "beginners", "players": 4}, "detectives", "captured",
        _BEGINNERS_ACTS | {"caught in sight"}, eager=8, daring=3,
    ),
    "beginners-escape": SessionPlan({"rules": "beginners"}, "mr_x", "rounds_over", _BEGINNERS_ACTS, eager=0, daring=3),
    "dice-capture": SessionPlan({"rules": "dice", "players": 2}, "detectives", "captured", _DICE_ACTS, daring=6),
    "dice-escape": SessionPlan(
        {"rules": "dice", "options": {"dice": "entered", "experts": True, "layout": "aBC DeF GHi"}}, "mr_x", "escaped",
        _DICE_ACTS | {"entered"}, eager=0, daring=6,
    ),
    "dice-pass": SessionPlan({"rules": "dice", "players": 3}, "detectives", "captured", frozenset({"pass"}), daring=0),
    "junior-detectives": SessionPlan(
        {"rules": "junior", "players": 4}, "detectives", "chips", _JUNIOR_ACTS | {"x junior"}, eager=9, daring=3
    ),
    "junior-mr-x": SessionPlan({"rules": "junior", "players": 3}, "mr_x", "chips", _JUNIOR_ACTS, eager=1, daring=2),
}  # fmt: skip
"""The sessions to record. Each seed is the first with which a game ends as planned."""


@dataclass
class Client:
    """A program at the other end of the protocol. It stores its lines, the replies, and Mister X's pawns."""

    answer: Callable[[str], Reply]
    figures: dict[str, int] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)

    def __call__(self, **order: Any) -> Reply:
        line = json.dumps(order)
        reply = self.answer(line)
        self.lines.append(line)
        self.replies.append(reply)
        assert reply["ok"], (line, reply)
        if order.get("pawn") in FUGITIVES:
            self.figures.pop(order["pawn"], None)
            if order["do"] == "put":
                self.figures[order["pawn"]] = order["station"]
        return reply

    def do(self, word: str, **fields: Any) -> Reply:
        return self(do=word, **fields)


def play(client: Client, seed: int, plan: SessionPlan | None = None, *, most: int = 10_000) -> Reply:
    """Play a whole game, or its first turns. Return the last reply, which is the public view."""
    plan = plan or SESSIONS["capture"]
    chance = random.Random(seed)
    client.do("new_game", **plan.game, seed=seed)
    set_up(client)
    for _ in range(most):
        view = client(get="public")
        if view["outcome"] is not None:
            break
        turn(client, view, chance, plan)
    return client(get="public")


def set_up(client: Client) -> None:
    """Set up every pawn, and confirm the tiles."""
    view = client(get="public")
    for pawn, station in view["pawns"].items():
        client.do("put", station=station, pawn=pawn)
        client.do("wait", ms=300)
    client.do("wait", ms=700)
    if view["layout"]:
        client.do("press", key="table.confirm")
        client.do("wait", ms=400)


def turn(client: Client, view: Reply, chance: random.Random, plan: SessionPlan | None = None) -> None:
    """Do the next thing: correct Mister X's pawns, then roll, choose or move."""
    plan = plan or SESSIONS["capture"]
    _mind_figures(client, view)
    if view["dice"] is not None and view["dice"]["to_roll"]:
        _roll(client, view, chance)
    elif view["turn"][0] in FUGITIVES:
        _mr_x(client, view, chance, plan)
    elif view["extras"] and chance.random() < 0.2:
        client.do("press", key=next(iter(view["extras"])))
        client.do("wait", ms=100)
    else:
        move_pawn(client, view, _meant(view, chance, plan), chance)


def _mind_figures(client: Client, view: Reply) -> None:
    """Set Mister X's pawns down as the table asks, and take off those that it no longer wants."""
    wanted = view["set_down"]
    for pawn, station in list(client.figures.items()):
        if station in view["take_off"] or wanted.get(pawn, station) != station:
            client.do("lift", station=station, pawn=pawn)
            client.do("wait", ms=400)
    for pawn, station in wanted.items():
        if pawn not in client.figures:
            client.do("put", station=station, pawn=pawn)
            client.do("wait", ms=400)


def _roll(client: Client, view: Reply, chance: random.Random) -> None:
    if view["dice"]["by_hand"]:
        for _ in range(view["dice"]["to_roll"]):
            face = chance.choice(["taxi", "taxi", "taxi", "bus", "underground", "confirm"])
            client.do("press", key=f"table.{face}")
            client.do("wait", ms=100)
    client.do("press", key="table.confirm")
    client.do("wait", ms=100)


def _mr_x(client: Client, view: Reply, chance: random.Random, plan: SessionPlan) -> None:
    """Make Mister X's choice on the handset, or with his own pawn where that is possible."""
    choices = client(get="private")["choices"]
    special = [c for c in choices if c["kind"] != "move" and c.get("ticket") != "stay"]
    special = [c for c in special if c["kind"] not in ("commit", "take")]
    special += [c for c in choices if c.get("ticket") in ("black", "helicopter", "stay")]
    plain = [c for c in choices if c not in special]
    action = chance.choice(special if special and (not plain or chance.random() * 10 < plan.daring) else plain)
    stands = "mr_x" in client.figures and client.figures["mr_x"] == view["pawns"].get("mr_x")
    if "his pawn" in view["prompt"]["text"] and stands and action.get("ticket") == "free" and chance.random() < 0.5:
        client.do("lift", station=view["pawns"]["mr_x"], pawn="mr_x")
        client.do("wait", ms=400)
        client.do("put", station=action["to"], pawn="mr_x")
        _see_through(client, view, {"pawn": "mr_x", "to": action["to"], "ticket": "free"})
    else:
        client.do("mr_x", action=action)
        client.do("wait", ms=200)


def _meant(view: Reply, chance: random.Random, plan: SessionPlan) -> Reply:
    """Return a detective's move: to Mister X, if he is visible and in reach, or anywhere."""
    seen = {view["pawns"].get(fugitive) for fugitive in FUGITIVES}
    reaching = [move for move in view["moves"] if move["to"] in seen]
    if reaching and chance.random() * 10 < plan.eager:
        return chance.choice(reaching)
    moves: list[Reply] = view["moves"]
    return chance.choice(moves)


def move_pawn(client: Client, view: Reply, move: Reply, chance: random.Random) -> None:
    """Lift or slide a pawn to its station, or let it stay, and answer the table's questions."""
    start = view["pawns"].get(move["pawn"])
    ticket = chance.choice(move["tickets"])
    if ticket == "stay":
        client.do("wait", ms=400)
    elif start is not None and chance.random() < 0.2:
        client.do("slide", path=[start, move["to"]], ms=600, pawn=move["pawn"])
    else:
        if start is not None:
            client.do("lift", station=start, pawn=move["pawn"])
            client.do("wait", ms=400)
        client.do("put", station=move["to"], pawn=move["pawn"])
    _see_through(client, view, {"pawn": move["pawn"], "to": move["to"], "ticket": ticket})


def _see_through(client: Client, before: Reply, meant: Reply) -> None:
    """Wait until a move is accepted, and press the keys that it needs."""
    client.do("wait", ms=700)
    for _ in range(20):
        view = client(get="public")
        if _so_far(view) != _so_far(before):
            return
        asked = view["asked"]
        if meant in asked:
            key = f"table.{meant['ticket']}" if len(asked) > 1 else "table.confirm"
        else:
            key = "table.back" if "table.back" in view["prompt"]["keys"] else "table.confirm"
        client.do("press", key=key)
        client.do("wait", ms=100)
    raise AssertionError((meant, view["prompt"], asked))


def _so_far(view: Reply) -> Any:
    used = None if view["dice"] is None else (view["dice"]["used"], view["dice"]["to_roll"])
    return view["turn"], view["round"], view["outcome"], used, len(view["log"])


# ---- what occurs in a session ----


def acts(lines: Iterable[str], replies: Iterable[Reply]) -> set[str]:
    """Return the special actions in a session, from its lines and replies."""
    found: set[str] = set()
    seen: list[Reply] = []
    said: list[Reply] = []  # since the last look at the table
    for line, reply in zip(lines, replies, strict=True):
        order = json.loads(line)
        if order.get("get") == "public" and reply["rules"] is not None:
            found |= _in_a_view(reply)
            if seen:
                found |= _between(seen[-1], reply, said)
            seen.append(reply)
            said = []
        elif "do" in order:
            said.append(order)
            found |= _his(order.get("action", {}))
    return found


def _his(action: Reply) -> set[str]:
    """Return Mister X's choices on the handset."""
    kind, ticket = action.get("kind"), action.get("ticket")
    if kind in ("double", "surface", "take", "pass"):
        return {str(kind)}
    if kind == "commit":
        return {"x junior"} & {str(action["pawn"]).replace("mr_", "").replace("_", " ")} | (
            {"pick stay"} if ticket == "stay" else set()
        )
    return {str(ticket)} & {"black", "helicopter"}


def _in_a_view(view: Reply) -> set[str]:
    found = set()
    if view["in_sight"] and view["log"] and "mr_x" not in view["pawns"]:
        found.add("hidden move")
    if len(set(view["pawns"].values())) < len(view["pawns"]) and view["chips"] and view["round"] > 1:
        found.add("shared station")
    if len(view["turn"]) > 1 and len({view["owners"].get(pawn) for pawn in view["turn"]}) == 1:
        found.add("two of one owner")
    return found


def _between(old: Reply, new: Reply, said: list[Reply]) -> set[str]:
    """Return what was done between two views of the table."""
    found = set()
    pressed = {order["key"] for order in said if order["do"] == "press"}
    moved = {order.get("pawn") for order in said if order["do"] in ("put", "slide")}
    by_handset = any(order["do"] == "mr_x" for order in said)
    if len(new["log"]) > len(old["log"]) and "mr_x" in moved and not by_handset:
        found.add("own pawn")
    caught = old["outcome"] is None and new["outcome"] is not None and new["outcome"]["reason"] == "captured"
    if caught and "mr_x" in old["pawns"] and old["pawns"]["mr_x"] == new["pawns"]["mr_x"]:
        found.add("caught in sight")
    if old["dice"] is not None and new["dice"] is not None:
        if len(new["pawns"]) > len(old["pawns"]) and not new["round"]:
            found.add("start")
        if new["dice"]["rolled"] and old["dice"]["to_roll"]:
            found.add("entered" if pressed & {"table.taxi", "table.bus", "table.underground"} else "roll")
            found.add("roll")
        if new["dice"]["tokens"] < old["dice"]["tokens"] and "table.back" in pressed:
            found.add("roll again")
    both = new["chips"] and [p for p in old["turn"] if p not in new["turn"] and p not in FUGITIVES]
    if both and old["pawns"][both[0]] == new["pawns"][both[0]] and "table.confirm" in pressed and not moved:
        found.add("stay")
    return found


# ---- recording ----


def fits(plan: SessionPlan, client: Client) -> bool:
    """Return whether a session meets its requirements."""
    outcome = client.replies[-1]["outcome"]
    ends = outcome is not None and (outcome["winner"], outcome["reason"]) == (plan.winner, plan.reason)
    return ends and plan.acts <= acts(client.lines, client.replies)


def record(name: str) -> int:
    """Record a session again: its lines, and the views it must end with. Return its seed."""
    from firmware_host.simulator.scripting import ScriptSession  # noqa: PLC0415 - the tests that replay need no recorder

    plan = SESSIONS[name]
    for seed in count(1):
        with ScriptSession() as table:
            client = Client(table.answer)
            play(client, seed, plan)
            if not fits(plan, client):
                continue
            final = {word: client(get=word) for word in ("public", "private")}
        (DATA / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in client.lines))
        (DATA / f"{name}.final.json").write_text(json.dumps(final, separators=(",", ":")) + "\n")
        break
    return seed


if __name__ == "__main__":  # python -m tests.simulator.sessions, after the protocol or a rule has changed on purpose
    for session in SESSIONS:
        record(session)
