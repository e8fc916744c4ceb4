"""Create two games of any rule system that look alike to everyone but Mister X, with the rules alone."""

from __future__ import annotations

import random
from dataclasses import dataclass

from firmware_host.config.loader import Config
from firmware_host.referee.events import TakeBack
from firmware_host.rules.actions import BLACK, MR_X, START, Action, Commit, Double, MrXMove, Pass, PawnMove, RollAgain
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from tests.table.cases import Case
from tests.table.twins import Step, can_be_put_back, do, twins


@dataclass(frozen=True)
class Alike:
    """One public history, and two hidden ones that fit it.

    Attributes:
        case: the way to play.
        seed: the seed of cards, tiles and dice, in both games.
        start: where pawns begin, in each of both games; the seed decides the rest.
        script: the steps, in each of both games.
        apart: after how many steps the two Mister Xs differ in their stations, or in their picks.
    """

    case: Case
    seed: int
    start: tuple[dict[str, int], dict[str, int]]
    script: tuple[tuple[Step, Step], ...]
    apart: int


class _DeadEnd(Exception):
    """The error that these choices lead nowhere."""


def drawn(config: Config, case: Case, seed: int, *, windows: int = 9) -> Alike:
    """Return two games that look alike, from a seed."""
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
        except _DeadEnd:
            continue
        if found.apart >= (2 * windows if case.rules == "dice" else 2):
            return found
    raise AssertionError(f"no twins from seed {seed}")


class _Walk:
    """Two games played side by side, only by steps that by the rules leave everything public alike."""

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
            raise _DeadEnd
        return Alike(self.case, self.seed, ({}, {}), tuple(self.script), self.apart)

    def _differ(self) -> bool:
        one, two = (game._states[-1] for game in self.games)
        if self.case.rules == "junior":
            return bool(one.picks != two.picks)
        return bool(one.x != two.x)

    def _step(self) -> bool:
        """Do one step in each game that looks the same. Return False if there is none."""
        one, two = self.games
        if one.public.to_roll is not None:
            roll = one.roll(self.luck)
            assert roll is not None
            return self._do(roll, roll)
        if can_be_put_back(one) and can_be_put_back(two) and self.chance.random() < 0.1:
            return self._do(TakeBack(), TakeBack())
        return any(self._do(a, b) for a, b in self._pairs()[:30])

    def _do(self, a: Step, b: Step) -> bool:
        """Do a pair of steps, if by the rules it leaves everything public alike and ends neither game."""
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
        """Return whether everyone could then tell the two games apart."""
        view = self.games[0].public
        x, y = (game._states[-1].x for game in self.games)
        if not view.mr_x_to_move:
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
        """Return the pairs of actions to try, the best first."""
        one, two = self.games
        if not one.public.mr_x_to_move:
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
        """Return whether the two may separate now: in some games only in the last round, or in between."""
        view = self.games[0].public
        match self.case.rules:
            case "beginners":
                return view.double == 1 or len(view.log) + 1 >= self.parting
            case "junior":
                return view.round >= self.parting
        return True


def _face(action: Action) -> object:
    """Return what the table sees of an action."""
    match action:
        case MrXMove(_, ticket):
            return ticket
        case Commit(pawn, _):
            return pawn
    return action
