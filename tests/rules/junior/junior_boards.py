"""Maps, setups and a short notation for actions, for the tests of the junior game."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from firmware_host.config import shipped_files
from firmware_host.rules.actions import MR_X, MR_X_JUNIOR, Action, Commit, PawnMove
from firmware_host.rules.data.map_file import parse
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.junior.junior_box import JuniorBox
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Setup, Wish
from tests.rules.boards import LinkedMap
from tests.rules.junior.naive_junior import Move, NaiveJunior, raw_links
from tests.rules.small_maps import map_data

TICKETS = {"t": "taxi", "b": "bus", "u": "underground", "f": "boat", "-": "stay"}
PAWNS = {"x": MR_X, "j": MR_X_JUNIOR, "w": "white", "y": "yellow"}
_COLOURS = ("white", "yellow", "black", "blue")


@cache
def junior() -> JuniorBox:
    box = shipped_files.load_edition("junior")
    assert isinstance(box, JuniorBox)
    return box


def _board(name: str, data: Mapping[str, Any]) -> LinkedMap:
    return LinkedMap(parse(name, data, f"{name}.toml"), tuple(raw_links(data)))


def content(name: str, rank: str = "maps") -> dict[str, Any]:
    """Return the content of a shipped file."""
    return tomllib.loads((shipped_files.folder() / rank / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def london() -> LinkedMap:
    """Return the small London of the junior game."""
    return _board("junior", content("junior"))


@cache
def small(text: str, starts: tuple[int, ...] = ()) -> LinkedMap:
    """Return a small map, written as "taxi 1-2 3-4, boat 2-3"; `starts` are those of white, yellow, black and blue."""
    data = map_data(text, title="", start_cards=[])
    marks = dict(zip(_COLOURS, starts or sorted(map(int, data["stations"])), strict=False))
    return _board("small", data | {"starts": marks})


@cache
def lanes(seed: int) -> LinkedMap:
    """Return a random small map: some stations have one link, some four, and some pairs two."""
    chance = random.Random(seed)
    size = chance.randrange(4, 12)
    free = {number: set(TICKETS.values()) - {"stay"} for number in range(1, size + 1)}
    links = []

    def join(a: int, b: int) -> None:
        if common := sorted(free[a] & free[b]):
            transport = chance.choice(common)
            free[a].remove(transport)
            free[b].remove(transport)
            links.append((transport, a, b))

    for number in range(2, size + 1):
        join(chance.choice([n for n in range(1, number) if len(free[n]) > 0]), number)
    for _ in range(chance.randrange(2 * size)):
        join(*sorted(chance.sample(range(1, size + 1), 2)))
    starts = chance.sample(range(1, size + 1), 4)
    return small(", ".join(f"{t} {a}-{b}" for t, a, b in links), tuple(starts))


def setup_of(board: LinkedMap, players: int = 3, **start: int) -> Setup:
    """Return a setup with pawns on the marked stations, except those in `start`."""
    return system(junior()).deal(board.network, Wish(players=players, start=start), random.Random(0))


def game(board: LinkedMap, played: str = "", players: int = 3, **start: int) -> Game:
    return play(Game(setup_of(board, players, **start)), played)


def random_setup(board: LinkedMap, chance: random.Random) -> Setup:
    """Return a random setup of any players; some pawns start elsewhere, even two on one station."""
    players = chance.choice([2, 3, 4])
    names = list(PAWNS.values()) if players == 4 else [MR_X, "white", "yellow"]
    stations = list(board.network.stations)
    return setup_of(board, players, **{name: chance.choice(stations) for name in names if chance.random() < 0.5})


def naive_of(board: LinkedMap, setup: Setup) -> NaiveJunior:
    start = {**setup.start, MR_X: setup.mr_x.value}
    fled = (MR_X, MR_X_JUNIOR) if MR_X_JUNIOR in start else (MR_X,)
    return NaiveJunior(list(board.links), start, fled=fled)


def play(table: Game, text: str) -> Game:
    """Play actions: "xt" Mister X picks the taxi, "j-" his accomplice stays, "wb" white by bus; f is the boat."""
    for word in text.split():
        table.play(meant(table, word))
    return table


def meant(table: Game, word: str) -> Action:
    """Return the action of a word. For a pawn that cannot move like that, the destination is nowhere."""
    pawn, ticket = PAWNS[word[0]], TICKETS[word[1]]
    if word[0] in "xj":
        return Commit(pawn, Secret(ticket))
    at = table.public.pawns[pawn]
    around = table.public.network.around(at)
    return PawnMove(pawn, next((to for to, by in around.items() if ticket in by), at), ticket)


def short(action: Action) -> str:
    """Return an action in the notation of `play`."""
    assert isinstance(action, Commit | PawnMove)
    ticket = action.ticket.value if isinstance(action, Commit) else action.ticket
    letters = {name: letter for letter, name in (PAWNS | TICKETS).items()}
    return letters[action.pawn] + letters[ticket]


def shorts(found: Iterable[Action]) -> set[str]:
    return {short(action) for action in found}


def plain(action: Action) -> Move:
    """Return an action in the form of the naive referee."""
    match action:
        case Commit(pawn, ticket):
            return ("pick", pawn, ticket.value)
        case PawnMove(pawn, to, ticket):
            return ("go", pawn, to, ticket)
    raise TypeError(action)
