"""A power cut after any action, in every system: nothing accepted is lost, changed or done twice."""

from __future__ import annotations

import random
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from firmware_host.journal.journal import Journal
from firmware_host.referee.events import TakeBack
from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import STAY, Action, Commit, Roll
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Setup
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import GiveUpGame, RollDice
from firmware_host.ui.lamp_plan import PALETTES, Colour
from tests.amount import amount
from tests.table.all_hands import AllHands, begin
from tests.table.cases import BEGINNERS, CURRENT, ENTERED, JUNIOR, JUNIORS, ROLLED, SOME, US, Case, shipped
from tests.table.played_table import press, put
from tests.table.samples import SampleGame, sample
from tests.table.twins import do


def table(game: SampleGame, journal: Path) -> tuple[SimulatedTable, AllHands]:
    """A table at which the game has begun and the pawns are set up."""
    p = SimulatedTable(shipped(game.case.rules), journal=journal, rng=random.Random(game.seed))
    begin(p, game.case)
    return p, AllHands(p, game.seed, choose)


def choose(p: SimulatedTable, action: Action) -> None:
    p.choose(action)


def known(p: SimulatedTable) -> tuple[Any, ...]:
    """All that the table knows of the game."""
    game = p.table.game
    assert game is not None
    return p.public, p.private, game.legal, game.actions, game.before, game.setup.to_record()


def engine(game: SampleGame) -> Game:
    """The same game in the rules alone, as it begins."""
    config = shipped(game.case.rules)
    return Game(system(config.edition).deal(config.ground, game.case.wish, random.Random(game.seed)))


@pytest.mark.parametrize("case", SOME, ids=str)
def test_a_game_goes_on_to_the_same_end_though_the_power_fails_after_any_action(case: Case, tmp_path: Path) -> None:
    game, alone = sample(case), engine(sample(case))
    p, hands = table(game, tmp_path / "yard" / "journal.sqlite")
    for number, step in enumerate(game.steps):
        hands.carry_out(step)
        do(alone, step)
        if number % amount(4, 1) and p.public.outcome is None:
            continue
        before = known(p)
        assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "yard").iterdir()} == {0o600}
        p.restart()
        assert known(p) == before
        assert p.table.scene().phase is (Phase.RESUME if p.public.outcome is None else Phase.OVER)
        p.advance(700)
        assert known(p) == before
        assert p.table.scene().phase is (Phase.PLAY if p.public.outcome is None else Phase.OVER), step
        assert p.table.game.actions == alone.actions  # type: ignore[union-attr]
        assert (p.public, p.private) == (alone.public, alone.private)
    assert p.public.outcome == alone.public.outcome is not None
    p.close()
    with Journal.open(tmp_path / "yard" / "journal.sqlite") as journal:
        assert not journal.in_play


# ---- another table, and nothing on it ----


def elsewhere(p: SimulatedTable, copy: Path) -> SimulatedTable:
    """A table with an empty board, on a copy of the journal."""
    shutil.copy(p.table.journal.name, copy)
    chance = random.Random()
    chance.setstate(p._rng.getstate())
    return SimulatedTable(p.config, journal=copy, rng=chance)


def set_up_by_lamps(p: SimulatedTable) -> None:
    """The pawns are set down where the lamps shine in their colours, and so is Mister X's if he is in sight."""
    view, bright = p.public, dict[int, Colour]()
    for _ in range(22):
        p.advance(100)
        for station, colour in p.station_leds().items():
            bright[station] = max(colour, bright.get(station, colour), key=sum)
    assert bright.keys() == set(view.pawns.values())
    for station, colour in bright.items():
        pawn = min(view.pawns, key=lambda pawn: _unlike(colour, PALETTES["standard"][pawn]))
        assert view.pawns[pawn] == station, f"{station} shines in {pawn}'s colour"
    for pawn, station in view.pawns.items():
        put(p, station, pawn, 200)
    p.advance(700)


def _unlike(one: Colour, other: Colour) -> float:
    return sum(abs(a / max(one) - b / max(other)) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("case", SOME, ids=str)
@pytest.mark.long_but_first
def test_a_journal_is_taken_up_on_an_empty_board_after_every_action(case: Case, tmp_path: Path) -> None:
    game = sample(case)
    p, hands = table(game, tmp_path / "journal.sqlite")
    half = len(game.steps) // 2
    for number, step in enumerate(game.steps):
        hands.carry_out(step)
        new = elsewhere(p, tmp_path / f"{number}.sqlite")
        assert known(new) == known(p)
        if p.public.outcome is None and number % 3 == half % 3:
            set_up_by_lamps(new)
            assert new.table.scene().phase is Phase.PLAY
            assert known(new) == known(p)
        if number == half:
            theirs = AllHands(new, game.seed, choose)
            for later in game.steps[number + 1 :]:
                theirs.carry_out(later)
            end = new
        else:
            new.close()
    assert known(end) == known(p)
    assert p.public.outcome is not None
    end.close()
    p.close()


# ---- what must not be done twice, or lost ----


@pytest.mark.parametrize("case", [ROLLED, ENTERED], ids=str)
def test_di_13_an_accepted_roll_is_never_rolled_again(case: Case, tmp_path: Path) -> None:
    game, rolls = sample(case), 0
    p, hands = table(game, tmp_path / "journal.sqlite")
    for step in game.steps[:24]:
        hands.carry_out(step)
        if not isinstance(step, Roll):
            continue
        dice, done = p.public.dice, list(p.table.game.actions)  # type: ignore[attr-defined]
        p.restart()
        press(p, "table.confirm", 700)  # while the pawns are looked for
        p.do(RollDice())
        for key in ("confirm", "taxi", "bus", "confirm"):
            if not any(move.ticket == STAY for move in p.public.moves):  # to which CONFIRM says yes
                press(p, f"table.{key}", 200)
        assert p.public.dice == dice
        assert p.table.game.actions == done  # type: ignore[union-attr]
        p.restart()  # nothing is asked any more
        p.advance(700)
        rolls += 1
    assert rolls > 4
    p.close()


def test_di_13_faces_that_were_entered_but_not_confirmed_are_entered_anew(tmp_path: Path) -> None:
    game = sample(ENTERED)
    p, hands = table(game, tmp_path / "journal.sqlite")
    first = next(number for number, step in enumerate(game.steps) if isinstance(step, Roll))
    for step in game.steps[:first]:
        hands.carry_out(step)
    dice = p.public.dice
    press(p, "table.taxi")
    assert p.table.scene().entered == ("taxi",)
    p.restart()
    p.advance(700)
    assert p.table.scene().entered == ()
    assert p.public.dice == dice
    hands.carry_out(game.steps[first])
    p.close()


@pytest.mark.parametrize("case", [JUNIOR, JUNIORS], ids=str)
def test_ju_04_what_was_picked_is_neither_lost_nor_changed(case: Case, tmp_path: Path) -> None:
    game, picked = sample(case), 0
    p, hands = table(game, tmp_path / "journal.sqlite")
    for step in game.steps:
        hands.carry_out(step)
        if isinstance(step, Commit):
            turn = p.public.turn
            for _ in range(2):
                p.restart()
                p.advance(700)
                assert p.public.turn == turn
                for key in ("select", "back", "select", "select"):  # he finds nothing more to pick for this pawn
                    if not p.public.mr_x_to_move:
                        press(p, f"handset.{key}")
            assert p.table.game.actions[-1] == step  # type: ignore[union-attr]
            picked += 1
    assert picked > 4
    assert p.public.outcome is not None
    p.close()


# ---- games that are not taken up ----


@pytest.mark.parametrize("case", SOME, ids=str)
def test_a_game_that_was_given_up_is_not_taken_up_again(case: Case, tmp_path: Path) -> None:
    game = sample(case)
    p, hands = table(game, tmp_path / "journal.sqlite")
    for step in game.steps[:4]:
        hands.carry_out(step)
    p.do(GiveUpGame())
    for _ in range(2):
        p.restart()
        p.advance(700)
        assert p.table.scene().phase is Phase.NO_GAME
        assert p.table.game is None
        assert not p.table.journal.in_play
    new = elsewhere(p, tmp_path / "copy.sqlite")
    assert new.table.scene().phase is Phase.NO_GAME
    begin(p, case)
    p.restart()
    assert p.public.round == p.table.game.public.round  # type: ignore[union-attr]
    assert not p.table.game.actions  # type: ignore[union-attr]
    p.close()


class BeforeTiles(Setup):
    """A setup as it was written down before there were tiles."""

    def to_record(self) -> dict[str, Any]:
        record = Setup.to_record(self)
        del record["layout"]
        return record


@pytest.mark.parametrize("case", [US, CURRENT, BEGINNERS], ids=str)
def test_a_journal_that_is_older_than_tiles_is_taken_up(case: Case, tmp_path: Path) -> None:
    game, alone = sample(case), engine(sample(case))
    written = {name: getattr(alone.setup, name) for name in Setup.__dataclass_fields__}
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        journal.begin(BeforeTiles(**written), 0.0)
        for number, step in enumerate(game.steps[:-1], 1):
            do(alone, step)
            if isinstance(step, TakeBack):
                journal.take_back(float(number))
            else:
                journal.play(step, float(number))
    p = SimulatedTable(shipped(case.rules), journal=tmp_path / "journal.sqlite")
    assert b'"layout"' not in (tmp_path / "journal.sqlite").read_bytes()
    assert (p.public, p.private, p.table.game.actions) == (  # type: ignore[union-attr]
        alone.public, alone.private, alone.actions)  # fmt: skip
    set_up_by_lamps(p)
    AllHands(p, game.seed, choose).carry_out(game.steps[-1])
    assert p.public.outcome is not None
    p.close()
