"""Games of every rule system, drawn up beforehand and carried out by hands: for the tests of secrecy and of restarts.

A script is drawn up in the rules alone, and then every step of it is done at a simulated table: pawns are carried,
keys pressed, dice rolled or entered, moves taken back. `drawn` gives two games that look alike to everyone but Mister
X, `sample` a whole game with all that its system has.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from firmware_host import plain, shelf
from firmware_host.config import Config, parse, playing, simulator
from firmware_host.daemon import Daemon
from firmware_host.drawing.placard import display_lines
from firmware_host.events import TakeBack
from firmware_host.menu import keys_for
from firmware_host.news import news
from firmware_host.parlour import Parlour
from firmware_host.parlour.player import Players
from firmware_host.prompts import BACK, CONFIRM
from firmware_host.referee import Begin, NotNow, Play
from firmware_host.rules.actions import (
    BLACK,
    MR_X,
    START,
    STAY,
    Action,
    Commit,
    Double,
    MrXMove,
    Pass,
    PawnMove,
    Roll,
    RollAgain,
    Surface,
    Take,
)
from firmware_host.rules.errors import RulesError
from firmware_host.rules.game import Game, system
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Option, Wish
from firmware_host.rules.tile_reading import Tile
from firmware_host.rules.tiles import TileSet
from firmware_host.scene import RETURN, Phase, Settled
from hardware.sim import SimTable
from tests.table.house import Watched
from tests.table.twins import Step, do, twins

# ---- tables ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A way to play: the rules, by how many, with which options."""

    rules: str
    players: int
    options: tuple[tuple[str, Option], ...] = ()

    def __str__(self) -> str:
        return "-".join([self.rules, str(self.players), *(name for name, _ in self.options)])

    @property
    def wish(self) -> Wish:
        return Wish(players=self.players, options=dict(self.options))


US = Case("us", 4, (("voluntary_surfacing", True),))
CURRENT = Case("current", 5)
BEGINNERS = Case("beginners", 5)
ROLLED = Case("dice", 4)
ENTERED = Case("dice", 2, (("dice", "entered"), ("experts", True)))
JUNIOR = Case("junior", 2)
JUNIORS = Case("junior", 4)
CASES = (US, CURRENT, BEGINNERS, ROLLED, ENTERED, JUNIOR, JUNIORS)


@cache
def shipped(rules: str) -> Config:
    """The shipped simulator's table for some rules."""
    return playing(simulator(), rules)


CANARY = 7000


class _CanaryTile(Tile):
    @property
    def places(self) -> tuple[int, ...]:
        return tuple(CANARY + place for place in Tile.places.fget(self))  # type: ignore[attr-defined]


def canaries(rules: str, folder: Path) -> Config:
    """The same with numbers on the board that are found wherever they turn up."""
    if rules == "dice":
        config = shipped(rules)
        ground: Any = config.ground
        tiles = {name: _CanaryTile(**{f.name: getattr(tile, f.name) for f in fields(tile) if f.init})
                 for name, tile in ground.tiles.items()}  # fmt: skip
        return replace(config, ground=TileSet("canaries", "", tiles))
    box = _file("editions", rules)
    for rank in ("mr_x", "detective"):
        for deck in {"cards", "posts"} & box.get(rank, {}).keys():
            box[rank][deck] = [CANARY + card for card in box[rank][deck]]
    board = _file("maps", str(box["map"]))
    drawn = {
        "title": "canaries",
        "aspect": board["aspect"],
        "start_cards": [CANARY + card for card in board["start_cards"]],
        "starts": {colour: CANARY + start for colour, start in board.get("starts", {}).items()},
        "via": [{"link": re.sub(r"\d+", lambda end: str(CANARY + int(end[0])), row["link"]),
                 "over": [CANARY + over for over in row["over"]]} for row in board.get("via", [])],
        "stations": {
            str(CANARY + int(number)): {key: ends if key == "at" else [CANARY + end for end in ends]
                                        for key, ends in row.items()}
            for number, row in board["stations"].items()
        },
    }  # fmt: skip
    (folder / "canaries.toml").write_text(_toml({key: value for key, value in drawn.items() if value != {}}), "utf-8")
    (folder / f"{rules}.toml").write_text(_toml(box), "utf-8")
    return parse(f'[game]\nrules = "{rules}.toml"\n[map]\nname = "canaries.toml"', "canaries.toml", folder=folder)


def _file(rank: str, name: str) -> dict[str, Any]:
    return tomllib.loads((shelf.folder() / rank / f"{name}.toml").read_text(encoding="utf-8"))


def _toml(content: Mapping[str, Any]) -> str:
    return "\n".join(f"{key} = {_value(value)}" for key, value in content.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value)


# ---- two games that look alike ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Alike:
    """One public history, and two hidden ones that fit it.

    Attributes:
        case: what is played.
        seed: what the cards, the tiles and the dice come from, in both games.
        start: where pawns begin, in the one game and in the other; what is not told comes from the seed.
        script: what is done, in the one game and in the other.
        apart: after how many steps the two Mister Xs differ in where they are, or in what they have picked.
    """

    case: Case
    seed: int
    start: tuple[dict[str, int], dict[str, int]]
    script: tuple[tuple[Step, Step], ...]
    apart: int


class _NoTwins(Exception):
    """These choices lead nowhere."""


def drawn(config: Config, case: Case, seed: int, *, windows: int = 9) -> Alike:
    """Two games that look alike, to be had from a seed."""
    if case.rules in ("us", "current"):
        voluntary = random.Random(f"{seed}/shows").randrange(4, min(windows, 7)) if case.rules == "us" else 0
        pair = twins(config.network, seed, windows, edition=config.edition, players=case.players,
                     voluntary=voluntary, undone=0.1)  # fmt: skip
        start = tuple({MR_X: hidden, **pair.start} for hidden in pair.hidden)
        return Alike(case, seed, (start[0], start[1]), pair.script, pair.apart)
    for attempt in range(3000):
        walk = _Walk(config, case, random.Random(f"{seed}/{attempt}"))
        try:
            found = walk.play(windows)
        except _NoTwins:
            continue
        if found.apart >= (2 * windows if case.rules == "dice" else 2):
            return found
    raise AssertionError(f"no twins from seed {seed}")


class _Walk:
    """Two games played side by side by such steps alone as leave everything public alike, by what the rules say."""

    def __init__(self, config: Config, case: Case, chance: random.Random) -> None:
        self.case, self.chance = case, chance
        self.seed = chance.randrange(10**6)
        self.luck = random.Random(self.seed)
        setup = system(config.edition).deal(config.ground, case.wish, self.luck)
        self.games = (Game(setup), Game(setup))
        self.script: list[tuple[Step, Step]] = []
        self.apart = 0
        self.parting = chance.randrange(2, 6) if case.rules == "junior" else chance.choice((3, 8))

    def play(self, windows: int) -> Alike:
        one = self.games[0]
        while len(one.public.log) < windows and self._step():
            self.apart += self._differ()
        if self.case.rules == "dice" and len(one.public.log) < windows:
            raise _NoTwins
        return Alike(self.case, self.seed, ({}, {}), tuple(self.script), self.apart)

    def _differ(self) -> bool:
        one, two = (game._states[-1] for game in self.games)
        if self.case.rules == "junior":
            return bool(one.picks != two.picks)
        return bool(one.x != two.x)

    def _step(self) -> bool:
        """One thing for each game to do that looks the same; false if there is none."""
        one, two = self.games
        if one.public.dice is not None and one.public.dice.to_roll:
            roll = one.roll(self.luck)
            assert roll is not None
            return self._do(roll, roll)
        if _can_be_put_back(one) and _can_be_put_back(two) and self.chance.random() < 0.1:
            return self._do(TakeBack(), TakeBack())
        return any(self._do(a, b) for a, b in self._pairs()[:30])

    def _do(self, a: Step, b: Step) -> bool:
        """Do it, if by the rules it leaves everything public alike, and ends neither game."""
        if not isinstance(a, TakeBack) and not isinstance(b, TakeBack):
            if self._tells(a, b):
                return False
            after = [
                game.system.public(game.system.play(game._states[-1], step))
                for game, step in zip(self.games, (a, b), strict=True)
            ]
            if any(view.outcome is not None for view in after):
                return False
        for game, step in zip(self.games, (a, b), strict=True):
            do(game, step)
        assert self.games[0].public == self.games[1].public, f"{a}, {b}: the rules show what is hidden"
        self.script.append((a, b))
        return True

    def _tells(self, a: Action, b: Action) -> bool:
        """Whether everyone may then know which of the two games it is."""
        view = self.games[0].public
        x, y = (game._states[-1].x for game in self.games)
        if not view.his_turn:
            ends_the_part = len(view.turn) == 1 and isinstance(a, PawnMove)
            return ends_the_part and view.in_sight and self._differ()  # BE-06, JU-07
        if isinstance(a, MrXMove) and isinstance(b, MrXMove):
            x, y = a.to.value, b.to.value
            if a.ticket == START:
                letters = self.games[0].setup.network.letters  # type: ignore[attr-defined]
                return bool(letters[x] != letters[y])
        shows = isinstance(a, MrXMove | Pass) and len(view.log) + 1 in view.surfacing
        if view.in_sight and isinstance(a, MrXMove) and a.ticket == BLACK:
            shows = False  # BE-07
        return bool(shows and x != y)

    def _pairs(self) -> list[tuple[Action, Action]]:
        """What may be tried, the best first."""
        one, two = self.games
        if not one.public.his_turn:
            both = [action for action in one.legal if action in two.legal]
            again = [action for action in both if isinstance(action, RollAgain)]
            moves = [action for action in both if not isinstance(action, RollAgain)]
            self.chance.shuffle(moves)
            return [(a, a) for a in (again + moves if self.chance.random() < 0.15 else moves)]
        may_part = self._may_part()
        pairs = [(a, b) for a in one.legal for b in two.legal
                 if _face(a) == _face(b) and (a == b or may_part)]  # fmt: skip
        self.chance.shuffle(pairs)
        # What he announces comes first now and then, and then what is different in the two games.
        rare = self.chance.random() < (0.7 if self._double_parts() else 0.15)
        pairs.sort(key=lambda pair: (isinstance(pair[0], MrXMove | Commit) if rare else isinstance(pair[0], Double),
                                     pair[0] == pair[1]))  # fmt: skip
        return pairs

    def _double_parts(self) -> bool:
        return self.case.rules == "beginners" and len(self.games[0].public.log) + 1 == 3

    def _may_part(self) -> bool:
        """Where he is shown at the end of the round, he parts from his twin in the last round alone, or in between."""
        view = self.games[0].public
        match self.case.rules:
            case "beginners":
                return view.double == 1 or len(view.log) + 1 >= self.parting
            case "junior":
                return view.round >= self.parting
        return True


def _can_be_put_back(game: Game) -> bool:
    """Whether hands can take the last move back: who has stayed where he was cannot be put back there."""
    return game.returnable is not None and game.returnable.ticket != STAY


def _face(action: Action) -> object:
    """What the table sees of an action."""
    match action:
        case MrXMove(_, ticket):
            return ticket
        case Commit(pawn, _):
            return pawn
    return action


# ---- whole games -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    """A game to its end: from a seed, and what is done in it."""

    case: Case
    seed: int
    steps: tuple[Step, ...]


@cache
def sample(case: Case, *, least: int = 20, most: int = 45) -> Sample:
    """A short whole game in which everything happens that its rules have."""
    config, wanted = shipped(case.rules), _EVENTS[case.rules]
    for seed in range(5000):
        steps, seen = _random_game(config, case, seed, most)
        if len(steps) >= least and wanted <= seen:
            return Sample(case, seed, steps)
    raise AssertionError(f"no sample of {case}")


_EVENTS = {
    "us": {TakeBack, Double, Surface, Take, "shown"},
    "current": {TakeBack, Double, "shown", BLACK},
    "beginners": {TakeBack, Double, BLACK, "hidden"},
    "dice": {TakeBack, Double, RollAgain, Roll, BLACK, "shown"},
    "junior": {TakeBack, Commit, "stay"},
}


def _random_game(config: Config, case: Case, seed: int, most: int) -> tuple[tuple[Step, ...], set[object]]:
    luck, chance = random.Random(seed), random.Random(f"{seed}/moves")
    game = Game(system(config.edition).deal(config.ground, case.wish, luck))
    steps: list[Step] = []
    seen: set[object] = set()
    while game.public.outcome is None:
        if len(steps) >= most:
            return (), seen
        steps.append(_random_step(game, luck, chance))
        seen |= {type(steps[-1]), getattr(steps[-1], "ticket", None)}
        do(game, steps[-1])
        if game.public.outcome is None and game.public.log:
            seen.add("shown" if MR_X in game.public.pawns else "hidden")
    return tuple(steps), seen


def _random_step(game: Game, luck: random.Random, chance: random.Random) -> Step:
    roll = game.roll(luck)
    if roll is not None:
        return roll
    if _can_be_put_back(game) and chance.random() < 0.08:
        return TakeBack()
    rare = [a for a in game.legal if isinstance(a, Double | Surface | RollAgain)]
    if rare and chance.random() < 0.15:
        return chance.choice(rare)
    moves = [a for a in game.legal if a not in rare] or rare
    near = [a for a in moves if isinstance(a, PawnMove) and a.to == game.private.at.value]
    return chance.choice(near or moves) if chance.random() < 0.5 else chance.choice(moves)


# ---- hands -----------------------------------------------------------------------------------------------------------

Act = Callable[[Parlour, Action], None]


def by_itself(p: Parlour, action: Action) -> None:
    """Mister X's action comes to the table without a key."""
    p.daemon.play(action)
    p.advance(700)


def by_keys(p: Parlour, action: Action) -> None:
    """Chosen on the handset; however many keys that takes, the last one falls on the same instant."""
    p.table.press("handset.back", 60)  # light, and go home
    p.advance(60)
    if p.daemon.handset.hold:
        p.table.hold("handset.peek")
        p.advance(60)
    keys = keys_for(p.daemon.handset.menu, p.private, action)
    p.advance(4000 - 110 * len(keys))
    for key in keys:
        p.table.press(f"handset.{key}", 55)
        p.advance(55)
    if p.daemon.handset.hold:
        p.table.release("handset.peek")
    p.advance(200)
    assert p.daemon.game is not None
    assert p.daemon.game.actions[-1] == action


class AllHands(Players):
    """Hands that carry out a script, each step in the same time whatever is hidden."""

    def __init__(self, parlour: Parlour, seed: int, act: Act = by_itself) -> None:
        super().__init__(parlour, random.Random(f"{seed}/hands"))
        self.act = act

    def carry_out(self, step: Step, *, in_the_open: bool = True) -> None:
        """Do one step at the table; `in_the_open`: Mister X may move his pawn on the board."""
        self.parlour.advance(200)
        self._mind_mr_x()
        self.meant[:] = self._actions
        before = len(self.meant)
        match step:
            case TakeBack():
                self._take_back()
            case PawnMove():
                self._move(step)
            case Roll(faces):
                self._have_rolled(faces)
            case RollAgain():
                self._press_until_accepted(BACK)
            case MrXMove() if in_the_open and self._in_the_open(step) and self._chance.random() < 0.5:
                self._move(PawnMove(MR_X, step.to.value, step.ticket))
            case _:
                self.act(self.parlour, step)
        if not isinstance(step, TakeBack):
            assert self._actions[before:] == [step]

    def _have_rolled(self, faces: tuple[str, ...]) -> None:
        if self.parlour.public.dice.by_hand:  # type: ignore[union-attr]
            for face in faces:
                self.parlour.table.press(CONFIRM if face == "x" else f"table.{face}")
                self.parlour.advance(100)
        self._press_until_accepted(CONFIRM)

    def _take_back(self) -> None:
        game, before = self.parlour.daemon.game, len(self.meant)
        assert game is not None
        assert game.before is not None
        move = self.meant[-1]
        if isinstance(move, MrXMove):  # in the open (BE-05)
            move = PawnMove(MR_X, move.to.value, move.ticket)
        assert isinstance(move, PawnMove)
        origin = game.before.pawns.get(move.pawn)
        if origin is None:
            self.parlour.table.pick_up(move.pawn)
        else:
            self._hands.move(move.pawn, move.to, origin)
        self._until(lambda: self._taken_back(before - 1), f"{move.pawn} back from {move.to}")

    def _taken_back(self, before: int) -> bool:
        scene = self.parlour.daemon.scene()
        silent = scene.reading.silent if isinstance(scene.reading, Settled) else ()
        if not scene.asked and any(move.ticket == RETURN for move in silent):
            self.parlour.table.press(CONFIRM)
        return super()._taken_back(before)


class Onlooker(Watched):
    """A parlour all of whose outputs are remembered, over restarts too; five times a second somebody looks."""

    def __init__(self, config: Config, **told: Any) -> None:
        self.frames: list[tuple[float, bytes]] = []
        self.pictures: list[tuple[float, bytes | None]] = []
        self.private_pictures: list[tuple[float, bytes | None]] = []
        self.looks: list[tuple[float, str]] = []
        super().__init__(config, **told)

    def _lay(self) -> SimTable:
        """Keys that do not bounce: how long one does goes by how many were pressed before, the handset's among them."""
        table = super()._lay()
        table.keys._contacts._bounce = (0.0, 0.0)
        return table

    def _start(self) -> Daemon:
        daemon = super()._start()
        self.lamps.frames, self.display.pictures = self.frames, self.pictures
        self.handset.pictures = self.private_pictures
        self._lay_tiles(daemon)
        passes = 0

        def step() -> None:
            nonlocal passes
            daemon.step()
            passes += 1
            if passes % 40 == 0:
                look = json.dumps(plain.public(daemon.scene()))
                if not self.looks or self.looks[-1][1] != look:
                    self.looks.append((self.table.clock.now(), look))

        self.table.drive(step, hz=self.config.switches.scan_hz)
        return daemon


def begin(p: Parlour, case: Case, start: Mapping[str, int] | None = None) -> None:
    """A game begins, and its pawns are set up."""
    p.new_game(players=case.players, options=dict(case.options), start=start or {})
    p.set_up()
    assert p.daemon.scene().phase is Phase.PLAY


# ---- what there is to be seen ----------------------------------------------------------------------------------------


def seen_by_all(p: Parlour) -> dict[str, Any]:
    """Everything public about this moment, as plain values."""
    view, scene = p.public, p.daemon.scene()
    return {
        "time": p.table.clock.now(),
        "view": {f.name: repr(getattr(view, f.name)) for f in fields(view) if f.name != "network"},
        "scene": {f.name: repr(getattr(scene, f.name)) for f in fields(scene)},
        "json": plain.public(scene),
        "display": display_lines(scene),
        "stations": {str(n): c for n, c in p.station_leds().items()},
        "log": {str(n): c for n, c in p.log_leds().items()},
        "health": {name: dict(state) for name, state in p.daemon.health().items()},
    }


def everything_printed(p: Parlour) -> dict[str, str]:
    """Every object of the running game as a debugger, a log line or a traceback would print it."""
    daemon, game, now = p.daemon, p.daemon.game, p.table.clock.now()
    assert game is not None
    private = p.private
    state = game._states[-1]
    inside = {"daemon": daemon, "referee": daemon.referee, "handset": daemon.handset, "game": game}
    objects = {
        "journal": daemon.journal, "menu": daemon.handset.menu, "lobby": daemon.handset.lobby,
        "look": daemon.handset.look(now), "state": state, "setup": game.setup, "begin": Begin(game.setup),
        "actions": game.actions, "entries": [Play(a) for a in game.actions], "public": p.public, "private": private,
        "hidden": [private.at, private.route, private.choices], "scene": daemon.scene(), "before": game.before,
        "health": daemon.health(), "felt": daemon.referee._table, "display": display_lines(daemon.scene()),
        "news": news(None, p.public), "formatted": f"{private.at} {private.route!s:>20} {private.choices!r}",
        "entries of the log": getattr(state, "log", None), "dice": getattr(state, "tray", None), **inside,
    }  # fmt: skip
    for name, thing in inside.items():  # but for what stands in the map and in the box
        objects[f"in {name}"] = {k: v for k, v in vars(thing).items() if k not in ("near", "system")}
    return {name: re.sub(r"0x[0-9a-f]+", "0x", repr(thing)) for name, thing in objects.items()}


def hidden_stations(p: Parlour, met: set[int]) -> set[int]:
    """Where Mister X is, was, may go or is to go, as long as nobody could know it.

    Args:
        p: the table.
        met: stations that have been spoken of before, for a detective stood there, or he in the open; they are added.
    """
    view, secret, state = p.public, p.private, p.daemon.game._states[-1]  # type: ignore[union-attr]
    met |= {*view.pawns.values(), *view.stale, *view.route, *(e.station for e in view.log if e.station is not None)}
    near = {*secret.route.value, secret.at.value} - {0}
    near |= {c.to.value for c in secret.choices.value if isinstance(c, MrXMove)}
    if view.rules == "junior":
        rides = state.terms.rides
        near |= {rides[at][ticket] for at, ticket in zip(state.x, state.picks, strict=False)}
    before = p.daemon.game.before  # type: ignore[union-attr]
    moves = (*view.moves, *view.open_moves, *(before.moves if before is not None else ()))
    return near - met - {move.to for move in moves}


def wrong_actions(p: Parlour) -> Iterator[Action]:
    """Actions that are never legal, wherever Mister X may be."""
    somewhere = min(p.public.network.stations)
    yield from (MrXMove(Secret(somewhere), ticket) for ticket in ("x", "stay", "none"))
    yield from (PawnMove(pawn, somewhere, "none") for pawn in (*p.public.order, MR_X))
    yield from (Commit(pawn, Secret("none")) for pawn in p.public.fugitives)
    yield Take("nobody", "taxi")
    yield Roll(("none",))


def refused(p: Parlour, action: Action, refusals: Callable[[], str]) -> Iterator[str]:
    """What is said of an action that is refused, on every way by which it can come."""
    for act in (p.daemon.play, p.daemon.game.play, p.daemon.game.check, p.daemon.referee.check):  # type: ignore[union-attr]
        try:
            act(action)
        except (RulesError, NotNow):
            yield refusals()
        else:
            raise AssertionError("that was legal")
