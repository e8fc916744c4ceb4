"""A table: durable before shown, started again anywhere, and well again when its journal can be written again."""

from __future__ import annotations

import json
import logging
import random
from pathlib import Path

import pytest

from firmware_host.journal.entries import FINISH
from firmware_host.journal.store_port import JournalError
from firmware_host.referee.readings import LAST_LOOK, Mismatch, Settled
from firmware_host.referee.referee import NotNow
from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import Choose, GiveUpGame, StartGame
from firmware_host.ui.lamp_plan import PALETTES
from tests.amount import amount
from tests.table.played_table import (
    FIVE,
    Watched,
    begun,
    carry,
    confirm,
    go,
    play_on,
    press,
    state,
    text,
    tidy,
    walk,
    watched,
)

# ---- durable before shown -------------------------------------------------------------------------------------------


def test_nothing_is_accepted_or_shown_before_it_is_written_down() -> None:
    p = watched(moved=False, lamps={"brightness": 1.0})
    was, at_the_time = p.public, []
    p.store.before = lambda: at_the_time.append((p.public, p.private.at, len(p.lamps.frames), p.handset_lines()))
    go(p, 184)
    ((view, at, frames, lines),) = at_the_time
    assert (view, at) == (was, Secret(197))
    assert not any("184" in line for line in lines)
    lamp = 3 * p.config.layout.log_lamp(1)
    paid = bytes(round(0.4 * c) for c in PALETTES["standard"]["taxi"])
    assert all(sent[lamp : lamp + 3] != paid for _, sent in p.lamps.frames[:frames])
    assert p.lamps.frames[-1][1][lamp : lamp + 3] == paid


def test_a_pawns_move_that_cannot_be_written_down_is_not_accepted_until_it_can() -> None:
    p = watched()
    was, actions = p.public, len(p.table.game.actions)
    p.store.broken = True
    carry(p, "red", 75, 5000)
    assert p.public == was
    assert len(p.table.game.actions) == actions
    assert p.table.health()["journal"]["state"] == "lost"
    assert "journal" in p.table.scene().ailing
    assert 2 <= p.store.tried - actions <= 10  # asked again by and by, not with every pass
    p.store.broken = False
    p.advance(1500)
    assert p.public.pawns["red"] == 75
    assert p.table.health()["journal"]["state"] == "ok"
    assert not p.table.scene().ailing


def test_a_key_in_between_does_not_make_the_table_forget_what_it_could_not_write_down() -> None:
    p = watched()
    p.store.broken = True
    carry(p, "red", 75, 2000)
    press(p, "table.back", 3000)
    p.store.broken = False
    p.advance(3000)
    assert p.public.pawns["red"] == 75


def test_a_move_of_mister_xs_that_cannot_be_written_down_is_not_accepted_and_he_is_told() -> None:
    p = watched(moved=False)
    was = p.private
    p.store.broken = True
    with pytest.raises(NotNow):
        p.choose(MrXMove(Secret(184), "taxi"))
    assert p.private == was
    assert p.handset_lines()[0] == "Not saved"
    with pytest.raises(JournalError):
        p.do(Choose(MrXMove(Secret(184), "taxi")))
    assert p.private == was
    p.store.broken = False
    press(p, "handset.select")
    p.choose(MrXMove(Secret(184), "taxi"))
    assert p.private.at == Secret(184)


def test_a_move_that_cannot_be_taken_back_in_the_journal_stands() -> None:
    p = watched()
    walk(p, "red", 75)
    p.store.broken = True
    carry(p, "red", 74, 2000)
    assert p.public.pawns["red"] == 75
    p.store.broken = False
    p.advance(2000)
    assert p.public.pawns["red"] == 74


def test_an_end_that_cannot_be_noted_is_an_end_all_the_same_and_noted_at_the_next_start() -> None:
    p: Watched = begun(45, seen=True, red=75, yellow=13, green=26)
    p.store.refused = frozenset({FINISH})
    go(p, 58)
    carry(p, "red", 58)
    assert p.table.scene().phase is Phase.OVER
    assert p.table.health()["journal"]["state"] == "lost"
    p.restart()
    assert p.table.scene().phase is Phase.OVER
    assert p.table.journal.in_play
    p.store.refused = frozenset()
    p.restart()
    assert not p.table.journal.in_play
    assert p.table.scene().phase is Phase.OVER
    assert p.table.health()["journal"]["state"] == "ok"


def test_the_log_says_whether_a_restart_goes_on_with_a_game_or_shows_its_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    p = SimulatedTable(journal=tmp_path / "journal.sqlite")
    p.do(StartGame(detectives=3, start={MR_X: 45, "red": 75, "yellow": 13, "green": 26}))
    p.set_up()
    p.restart()
    p.set_up()
    assert "Going on with a game of classic, round 1." in caplog.messages
    go(p, 58)
    carry(p, "red", 58)
    p.restart()
    assert "Still showing the end of a game of classic, round 1." in caplog.messages


def test_a_finished_game_is_still_there_after_a_restart_until_a_new_one_is_asked_for(tmp_path: Path) -> None:
    p = SimulatedTable(journal=tmp_path / "journal.sqlite")
    p.do(StartGame(detectives=3, start={MR_X: 45, "red": 75, "yellow": 13, "green": 26}))
    p.set_up()
    go(p, 58)
    carry(p, "red", 58)
    end, said = p.public, text(p)
    assert end.route == (45, 58)
    for _ in range(2):
        p.restart()
        p.advance(1000)
        assert p.public == end
        assert p.table.scene().phase is Phase.OVER
        assert text(p) == said
        seen = set()
        for _ in range(100):
            p.advance(100)
            seen |= p.station_leds().keys()
        assert {45, 58} <= seen
    with pytest.raises(NotNow, match="over"):
        p.do(Choose(MrXMove(Secret(45), "taxi")))
    confirm(p)
    assert p.table.scene().phase is Phase.SET_UP
    assert not p.public.log
    p.restart()
    assert p.table.scene().phase is Phase.RESUME


# ---- started again --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", amount([1], [1, 2]))
def test_started_again_after_any_action_the_game_goes_on_and_the_pawns_are_guided_home(
    seed: int, tmp_path: Path
) -> None:
    p, chance = SimulatedTable(journal=tmp_path / "journal.sqlite", seed=seed), random.Random(seed)
    p.do(StartGame(detectives=4, start={MR_X: 197, **FIVE}))
    p.set_up()
    for _ in range(amount(25, 60)):
        tidy(p)
        play_on(p, chance, most=1)
        view, secret = p.public, p.private
        if view.outcome is not None:
            break
        for pawn in FIVE:
            p.hardware.pick_up(pawn)
        p.restart()
        p.advance(chance.choice((0, 100, 1000)))
        assert (p.public, p.private) == (view, secret)
        assert p.table.scene().phase is Phase.RESUME
        assert p.table.scene().reading == Mismatch({pawn: view.pawns[pawn] for pawn in FIVE}, frozenset())
        assert text(p).startswith("Going on: Put Red on ")
        p.advance(100)
        assert {view.pawns[pawn] for pawn in FIVE} & p.station_leds().keys() or p.advance(200) is None
        p.set_up()
        assert p.table.scene().phase is Phase.PLAY
        assert p.table.scene().reading == Settled()
    assert p.public.round >= amount(4, 8)


def test_started_again_with_the_last_pawn_where_it_came_from_the_game_is_not_stuck() -> None:
    p = watched()
    walk(p, "red", 75)
    p.hardware.pick_up("red")
    p.hardware.put(74, "red")
    p.restart()
    p.advance(2000)
    assert text(p) == "Going on: Put Red on 75. Clear 74"
    carry(p, "red", 75)
    assert text(p) == "Yellow moves"


def test_a_game_that_the_rules_do_not_allow_is_refused_and_the_old_one_goes_on() -> None:
    p = watched()
    was = p.public
    for wrong in ({"start": {"pink": 5}}, {"detectives": 7}, {"start": {"red": 5, "yellow": 5}}):
        with pytest.raises(BadSetup):
            p.do(StartGame(**wrong))
    assert p.public == was


def test_after_the_end_the_confirm_key_begins_another_game() -> None:
    p = begun(45, red=75, yellow=13, green=26)
    go(p, 58)
    carry(p, "red", 58)
    confirm(p)
    assert p.table.scene().phase is Phase.OVER
    p.advance(1000 * LAST_LOOK)
    confirm(p)
    assert p.table.scene().phase is Phase.SET_UP
    assert not p.public.log


# ---- what it does as soon as its journal can be written again ----


@pytest.fixture
def won() -> Watched:
    """A table at which the detectives have just won, and that could not be noted."""
    p: Watched = begun(45, seen=True, red=75, yellow=13, green=26)
    p.store.refused = frozenset({FINISH})
    go(p, 58)
    carry(p, "red", 58)
    assert p.public.outcome is not None
    assert p.table.journal.in_play
    return p


def test_a_journal_that_was_refused_is_well_again_though_nobody_does_anything() -> None:
    p: Watched = begun(197, seen=True, red=74, yellow=13, green=26)
    p.store.broken = True
    with pytest.raises(NotNow):
        p.choose(MrXMove(Secret(184), "taxi"))
    p.advance(60_000)
    assert state(p, "journal") == "lost"
    p.store.broken = False
    p.advance(1100)
    assert state(p, "journal") == "ok"
    assert p.private.at == Secret(197)


def test_a_journal_that_was_refused_as_the_table_started_is_tried_again_at_the_next_tick() -> None:
    p = Watched()
    p.store.broken = True
    with pytest.raises(JournalError):
        p.do(StartGame())
    assert state(p, "journal") == "lost"
    p.store.broken = False
    p.advance(100)
    assert state(p, "journal") == "ok"


def test_an_end_that_could_not_be_noted_is_noted_as_soon_as_it_can(won: Watched) -> None:
    assert state(won, "journal") == "lost"
    won.store.refused = frozenset()
    won.advance(1100)
    assert (won.table.journal.in_play, won.table.journal.newest_finished) == (False, 1)
    assert state(won, "journal") == "ok"


def test_a_game_that_is_over_cannot_be_given_up_though_its_end_was_never_noted(won: Watched) -> None:
    won.store.refused = frozenset()
    with pytest.raises(NotNow, match="there is no game in play"):
        won.do(GiveUpGame())
    won.advance(1100)
    assert won.table.journal.newest_finished == 1


def test_a_game_that_is_over_is_not_given_up_by_the_next_one_though_its_end_was_never_noted(won: Watched) -> None:
    outcome = won.public.outcome
    won.do(StartGame())
    (over,) = won.table.journal.finished()
    _, kind, told = over.entries[-1]
    assert outcome is not None
    assert (kind, json.loads(told)) == ("finish", {"winner": outcome.winner, "reason": outcome.reason})
    assert outcome.winner != MR_X
