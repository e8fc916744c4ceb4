"""Tables of every box, and actions of hands and keys that work in any game."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware_host.config.loader import Config
from firmware_host.referee.readings import RETURN, Ambiguous, InHand, Moved, Settled
from firmware_host.rules.actions import FREE, MR_X, START, Action, Commit, MrXMove, PawnMove, Roll
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Option
from firmware_host.simulator import IN_MEMORY, SimulatedTable
from firmware_host.table.commands import Choose
from tests.table.cases import shipped
from tests.table.played_table import confirm, press, put, text, tidy

KEYS = {"u": "up", "d": "down", "s": "select", "b": "back"}
CLASSIC = ["> Classic", "  Beginners", "  Today's box"]
"""The boxes that the handset of a classic table offers."""


def table(
    rules: str,
    *,
    players: int | None = None,
    start: Mapping[str, int] | None = None,
    options: Mapping[str, Option] | None = None,
    journal: Path | str = IN_MEMORY,
    seed: int = 0,
) -> SimulatedTable:
    """Return a table with a game begun, and no pawn on it yet."""
    p = SimulatedTable(shipped(rules), journal=journal, seed=seed)
    p.new_game(players=players, start=start, options=options)
    return p


def empty(conf: Config | None = None, journal: Path | str = IN_MEMORY) -> SimulatedTable:
    """Return a table on which no game has begun."""
    p = SimulatedTable(conf or shipped("classic"), journal=journal)
    p.advance(200)
    assert p.table.game is None
    return p


def junior(
    white: int, yellow: int, mr_x: int = 13, *, picks: str = "stay", journal: Path | str = IN_MEMORY
) -> SimulatedTable:
    """Return a junior table at which Mister X has picked a ticket, and white and yellow have to move."""
    p = table("junior", players=3, start={"white": white, "yellow": yellow, MR_X: mr_x}, journal=journal)
    p.set_up()
    pick(p, picks)
    return p


def pick(p: SimulatedTable, ticket: str) -> None:
    """Pick a ticket in secret, as Mister X or his accomplice."""
    p.do(Choose(Commit(p.public.turn[0], Secret(ticket))))
    p.advance(100)


def done(p: SimulatedTable) -> list[Action]:
    """Return all accepted actions."""
    game = p.table.game
    return [] if game is None else list(game.actions)


def played(p: SimulatedTable) -> tuple[str, int]:
    """Return the rules of the game in play, and how many players have pawns."""
    return p.public.rules, len(set(p.public.owners.values())) + 1


def kinds(path: Path) -> list[str]:
    """Return the kind of each entry in the journal. The table locks the file, so a copy is read."""
    with TemporaryDirectory() as folder:
        for file in path.parent.glob(path.name + "*"):
            shutil.copy(file, folder)
        return _kinds(Path(folder) / path.name)


def _kinds(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [kind for (kind,) in connection.execute("SELECT kind FROM entries ORDER BY seq")]


def carried(p: SimulatedTable, pawn: str, to: int, ms: float = 1200) -> None:
    """Lift a pawn from anywhere, set it down on a station, and wait a while."""
    lift(p, pawn)
    p.advance(400)
    put(p, to, pawn, ms)


def lift(p: SimulatedTable, *pawns: str) -> None:
    """Lift pawns at once."""
    for pawn in pawns:
        if p.hardware.where().get(pawn) is not None:
            p.hardware.pick_up(pawn)


def stand(p: SimulatedTable, pawn: str, to: int) -> None:
    """Set Mister X's pawn or another down on a station, and wait a while."""
    carried(p, pawn, to, 700)


def key(p: SimulatedTable, *names: str) -> None:
    """Press table keys one after another: "taxi", "back"."""
    for name in names:
        press(p, f"table.{name}")


def handset(p: SimulatedTable, letters: str) -> None:
    """Press the handset's keys one after another: u, d, s, b."""
    for letter in letters:
        press(p, f"handset.{KEYS[letter]}", 60)


def answer(p: SimulatedTable, truth: Iterable[PawnMove], *, back: bool = False) -> None:
    """Answer the table's questions truthfully until it accepts the move; `back`: a move was taken back.

    A key is pressed only if the table's prompt names it.
    """
    wanted, most = list(truth), 60
    goal = len(done(p)) + (-1 if back else len(wanted))
    while len(done(p)) != goal:
        most -= 1
        assert most, f"still asking: {text(p)}"
        scene = p.table.scene()
        asked = scene.asked
        meant = [move for move in asked if move in wanted or (back and move.ticket == RETURN)]
        if meant:
            name = f"table.{meant[0].ticket}" if len(asked) > 1 else "table.confirm"
            assert name in scene.ask.keys, text(p)
            p.hardware.press(name)
        elif "table.back" in scene.ask.keys and (asked or isinstance(scene.reading, InHand)):
            p.hardware.press("table.back")
        elif isinstance(scene.reading, Settled | InHand) and not asked:
            confirm(p)
        else:
            assert isinstance(scene.reading, Moved | Ambiguous), text(p)
        p.advance(700)


GOALS = ({"red": 34, "yellow": 111, "green": 54}, {"red": 46, "yellow": 124, "green": 41})
"""Where the detectives walk back and forth, far from Mister X."""


def beginners(*, down: bool = True, take_back: bool = True, **start: int) -> SimulatedTable:
    """Return a table at which Mister X has to make his first move from 82; his pawn is there if it is `down`."""
    p = table("beginners", players=4, start={MR_X: 82, **(start or GOALS[1])})
    p.table.referee.state = replace(p.table.referee.state, take_back=take_back)
    p.set_up()
    if down:
        tidy(p)
        assert p.hardware.where()[MR_X] == 82
    return p


def move(to: int, ticket: str = FREE) -> MrXMove:
    return MrXMove(Secret(to), ticket)


def chase(p: SimulatedTable) -> None:
    """Play the detectives' part of a round, far away."""
    goals = GOALS[0] if p.public.pawns["red"] == 46 else GOALS[1]
    for pawn, to in goals.items():
        carried(p, pawn, to)
        assert p.public.pawns[pawn] == to, text(p)


def until_third() -> SimulatedTable:
    """Return a table after two open moves of Mister X: 82, 81, 100. His third is hidden."""
    p = beginners()
    for to in (81, 100):
        carried(p, MR_X, to)
        assert p.public.pawns[MR_X] == to, text(p)
        chase(p)
    assert len(p.public.log) == 2
    return p


NINE, SIX = "ABC DEF GHI", "ACE BDF"
STARTS = {"red": 1, "yellow": 6, "green": 36}
TAXI_ONLY = {1, 4, 6, 7, 8, 9, 12, 13, 16, 17, 22, 23, 26, 27, 28, 29, 31, 33, 36}


def begun(
    layout: str = NINE, *, players: int = 4, journal: Path | str = IN_MEMORY, **options: str | bool
) -> SimulatedTable:
    """Return a table at which the tiles still have to be laid."""
    return table("dice", players=players, options={"layout": layout, **options}, journal=journal)


def laid(layout: str = NINE, *, players: int = 4, **options: str | bool) -> SimulatedTable:
    """Return a table with laid tiles, at which the first start has to be chosen."""
    p = begun(layout, players=players, **options)
    p.advance(500)
    confirm(p)
    return p


def started(
    *, dice: str = "entered", mr_x: int = 22, players: int = 4, journal: Path | str = IN_MEMORY
) -> SimulatedTable:
    """Return a table at which everyone has a start, and red, or its player, has to roll."""
    p = begun(NINE if players > 2 else SIX, players=players, dice=dice, journal=journal)
    p.advance(500)
    confirm(p)
    for pawn in p.public.order:
        carried(p, pawn, STARTS[pawn])
    p.choose(MrXMove(Secret(mr_x), START))
    assert p.public.round == 1
    return p


def enter(p: SimulatedTable, *faces: str) -> None:
    """Enter faces of dice, and accept them."""
    key(p, *("confirm" if face == "x" else face for face in faces))
    confirm(p)


def rolls(p: SimulatedTable) -> list[Roll]:
    return [action for action in done(p) if isinstance(action, Roll)]
