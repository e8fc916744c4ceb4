"""The dice game's box and tiles, and a short notation for its actions, for its tests."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from firmware_host.config import shipped_files
from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, Pass, PawnMove, Roll, RollAgain
from firmware_host.rules.dice import tiles
from firmware_host.rules.dice.dice_box import DiceBox, parse
from firmware_host.rules.dice.tiles import TileSet, Tiling
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Option, Setup, Wish
from tests.rules import refusals
from tests.rules.dice.naive_dice import Move, NaiveDice

NINE = "ABC DEF GHI"
SIX = "ACE BDF"
_WORDS = {"t": "taxi", "b": "bus", "u": "underground", "x": "x", "k": "black", "h": "helicopter", "s": "start",
          "-": "stay"}  # fmt: skip
_SHORTS = {word: letter for letter, word in _WORDS.items()}
_PAWNS = {name[0]: name for name in ("red", "yellow", "green")}
_PLAIN: dict[str, Action] = {"D": Double(), "P": Pass(), "R": RollAgain()}
_STARTS = {2: {"red": 1, "yellow": 22}, 3: {"red": 1, "yellow": 22}, 4: {"red": 1, "yellow": 16, "green": 36}}


@cache
def file() -> dict[str, Any]:
    """Return the content of the box's file."""
    with (shipped_files.folder() / "editions" / "dice.toml").open("rb") as opened:
        return tomllib.load(opened)


def other_box(**changed: Any) -> DiceBox:
    """Return a box whose file differs from the printed one's. A section needs only its changes; None removes."""
    told = {key: value for key, value in file().items() if key != "game"}
    for key, value in changed.items():
        both = {**told[key], **value} if isinstance(value, dict) else value
        told[key] = {k: v for k, v in both.items() if v is not None} if isinstance(value, dict) else both
    if "windows" in changed and "options" not in changed:
        told["options"] = {**told["options"], "log_windows": changed["windows"]}
    return parse("dice", {key: value for key, value in told.items() if value is not None}, "dice.toml")


@cache
def box() -> DiceBox:
    return other_box()


@cache
def yard() -> TileSet:
    with (shipped_files.folder() / "tiles" / "yardboard.toml").open("rb") as opened:
        return tiles.parse("yardboard", tomllib.load(opened), "yardboard.toml")


def laid(layout: str) -> Tiling:
    return yard().lay_tiles(layout)


def deal(
    players: int, seed: int = 0, *, start: Mapping[str, int] | None = None, of: DiceBox | None = None, **options: Option
) -> Setup:
    wish = Wish(players=players, start=start or {}, options=options)
    return system(of or box()).deal(yard(), wish, random.Random(seed))


def game(
    mr_x: int, played: str = "", *, players: int = 4, layout: str = "", of: DiceBox | None = None, **start: int
) -> Game:
    """Return a game in its first round, with tiles in alphabetical order; pawns start on 1, 16 (or 22) and 36."""
    layout = layout or (NINE if players == 4 else SIX)
    starts = {**_STARTS[players], **start, MR_X: mr_x}
    return play(Game(deal(players, start=starts, of=of, layout=layout, experts=not layout.isupper())), played)


def unset(players: int = 4, played: str = "") -> Game:
    """Return a game in which the starts are still to be chosen."""
    return play(Game(deal(players, layout=NINE if players == 4 else SIX)), played)


def idle(table: Game) -> Game:
    """Play the detectives' part: all dice show X, and every pawn stays."""
    while table.public.turn and not table.public.mr_x_to_move:
        table.play(Roll(("x",) * dice(table).to_roll) if dice(table).to_roll else table.public.moves[0])
    return table


def idle_and(table: Game, *his: str) -> Game:
    """Play a round for each of Mister X's turns, in which the detectives stay."""
    for turn in his:
        play(idle(table), turn)
    return table


def random_setup(chance: random.Random, draws: int = 5) -> Setup:
    """Return a random setup: any players and tiles, half of them experts' tiles, with or without chosen starts.

    Tiles lie in one of so many ways for each number of players, with experts' tiles or without.
    """
    players = chance.choice([2, 3, 4])
    setup = deal(players, chance.randrange(draws), experts=chance.random() < 0.5)
    if chance.random() < 0.5:
        return setup
    stops = laid(setup.layout).stops
    starts = chance.sample(sorted(place for place in stops if stops[place] == {"taxi"}), len(setup.pawns))
    mr_x = chance.choice([place for place in stops if place not in starts])
    return Setup(setup.edition, setup.network, setup.owners, dict(zip(setup.pawns, starts, strict=True)),
                 Secret(mr_x), setup.options, setup.layout)  # fmt: skip


def naive_of(setup: Setup) -> NaiveDice:
    """Return the naive referee's game of the same setup."""
    tiling = laid(setup.layout)
    places = list(tiling.stations)
    naive = NaiveDice(
        [(a, b, transport) for a in places for b, by in tiling.around(a).items() for transport in by],
        [(a, b) for a in places for b in tiling.against(a)],
        [(a, b) for a in places for b in tiling.opposite(a)],
        tiling.stops,
        setup.owners,
    )
    for pawn, place in setup.start.items():
        naive.do(("pawn", pawn, place, "start"))
    if setup.mr_x.value:
        naive.do(("x", setup.mr_x.value, "start"))
    return naive


def actions(text: str) -> list[Action]:
    """Actions in short: "!tbux" a roll, "r5b" red to 5 by bus (t, b, u; s a start, - staying), "12k" Mister X (k black,
    h helicopter, s his start), "D" a double move, "P" passing, "R" rolling again."""
    return [_action(word) for word in text.split()]


def _action(word: str) -> Action:
    if word in _PLAIN:
        return _PLAIN[word]
    if word[0] == "!":
        return Roll(tuple(_WORDS[letter] for letter in word[1:]))
    ticket = _WORDS[word[-1]]
    if word[0].isdecimal():
        return MrXMove(Secret(int(word[:-1])), ticket)
    return PawnMove(_PAWNS[word[0]], int(word[1:-1]), ticket)


def short(action: Action) -> str:
    """Return an action in the notation of `actions`."""
    match action:
        case Roll(faces):
            return "!" + "".join(_SHORTS[face] for face in faces)
        case MrXMove(to, ticket):
            return f"{to.value}{_SHORTS[ticket]}"
        case PawnMove(pawn, to, ticket):
            return f"{pawn[0]}{to}{_SHORTS[ticket]}"
    return next(letter for letter, plain in _PLAIN.items() if plain == action)


def plain(action: Action) -> Move:
    """Return an action in the form of the naive referee."""
    match action:
        case Roll(faces):
            return ("roll", *faces)
        case MrXMove(to, ticket):
            return ("x", to.value, ticket)
        case PawnMove(pawn, to, ticket):
            return ("pawn", pawn, to, ticket)
    return {"D": ("double",), "P": ("pass",), "R": ("again",)}[short(action)]


def shorts(found: Iterable[Action]) -> set[str]:
    return {short(action) for action in found}


def legal(table: Game) -> set[str]:
    return shorts(table.legal)


def play(table: Game, text: str) -> Game:
    for action in actions(text):
        table.play(action)
    return table


def dice(table: Game) -> Any:
    """Return the dice on the table."""
    return table.public.dice


def refusal(table: Game, word: str) -> str:
    return refusals.refusal(table, actions(word)[0])
