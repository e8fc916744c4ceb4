"""A person's move is taken back past computers' moves, as long as nobody has learned what cannot be unlearned."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware_host.config.loader import simulator, with_rules
from firmware_host.config.shipped_files import edition_names
from firmware_host.journal.store_port import JournalError, Row, Store
from firmware_host.referee.referee import NotNow, find_undo
from firmware_host.referee.scene import BACK, CONFIRM, Kind, Phase, Undo, Why
from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.simulator import IN_MEMORY, SimulatedTable
from firmware_host.simulator.scripting import ScriptSession
from firmware_host.table.commands import UndoMove
from tests.table.computers import Makers, Scripted, carry_out, done_by_computer, seated
from tests.table.played_table import Shaky, ask_kind, carry, go, text

RED = PawnMove("red", 46, "underground")
YELLOW = PawnMove("yellow", 23, "bus")


def yellow_has_answered(journal: str = IN_MEMORY) -> SimulatedTable:
    """A table at which red, a person, has moved from 74 to 46, and yellow, a computer, from 13 to 23."""
    p = seated({"2": "hard"}, Makers({"hard": lambda: Scripted([[YELLOW]] * 9)}), journal=journal)
    go(p, 184)
    carry(p, "red", 46)
    p.advance(900)
    assert p.actions[1:] == [RED]
    assert done_by_computer(p) == YELLOW
    return p


def undo(p: SimulatedTable) -> None:
    p.hardware.press(BACK)
    p.advance(400)
    p.hardware.press(CONFIRM)
    p.advance(400)


def put_home(p: SimulatedTable) -> None:
    for pawn, station in (("yellow", 13), ("red", 74)):
        carry(p, pawn, station)


def test_two_keys_take_back_a_computers_move_and_the_persons_before_it() -> None:
    p = yellow_has_answered()
    carry_out(p)
    p.hardware.press(BACK)
    p.advance(400)
    assert text(p) == "Take Red's move back, and what computers did since? CONFIRM. No: BACK"
    p.hardware.press(CONFIRM)
    p.advance(400)
    assert p.actions[1:] == []
    assert p.table.scene().phase is Phase.RESUME
    assert text(p) == "Going on: Put Red on 74 and Yellow on 13. Clear 23 and 46"
    put_home(p)
    assert p.table.scene().phase is Phase.PLAY
    assert p.actions[1:] == []
    assert ask_kind(p) is Kind.MOVE
    carry(p, "red", 46)
    p.advance(900)
    assert done_by_computer(p) == YELLOW


def test_a_pawn_that_is_still_where_it_went_makes_that_move_no_second_time() -> None:
    p = yellow_has_answered()
    carry_out(p)
    undo(p)
    carry(p, "yellow", 13)
    p.advance(3000)
    assert p.actions[1:] == []
    assert p.table.scene().phase is Phase.RESUME


def test_a_move_that_hands_have_yet_to_make_is_taken_back_as_well() -> None:
    p = yellow_has_answered()
    assert p.table.scene().phase is Phase.CARRY_OUT
    undo(p)
    assert p.actions[1:] == []
    assert text(p) == "Going on: Put Red on 74. Clear 46"
    carry(p, "red", 74)
    assert ask_kind(p) is Kind.MOVE


def test_a_pawn_that_goes_home_to_a_station_that_is_not_listened_to_is_confirmed_by_key() -> None:
    p = yellow_has_answered()
    carry_out(p)
    p.hardware.fault("switch:74", "stuck_closed")
    p.advance(6000)
    assert text(p).startswith("Clear 74. Is 74 empty? CONFIRM")
    p.hardware.press(CONFIRM)
    p.advance(1000)
    assert p.table.scene().ignored == {74}
    undo(p)
    assert text(p) == "Going on: Put Red on 74 and Yellow on 13. Clear 23 and 46"
    put_home(p)
    p.advance(9000)
    assert p.table.scene().phase is Phase.RESUME
    assert text(p) == "Going on: Put Red on 74. Does Red stand on 74? CONFIRM"
    p.hardware.press(CONFIRM)
    p.advance(1000)
    assert p.table.scene().phase is Phase.PLAY


def test_back_lets_all_stand() -> None:
    p = yellow_has_answered()
    carry_out(p)
    p.hardware.press(BACK)
    p.advance(400)
    p.hardware.press(BACK)
    p.advance(400)
    assert p.actions[1:] == [RED, YELLOW]
    assert ask_kind(p) is not Kind.UNDO


def test_past_mister_xs_move_nothing_is_taken_back_and_the_table_says_why() -> None:
    p = seated({MR_X: "hard"})
    done_by_computer(p)
    p.advance(500)
    before = list(p.actions)
    undo(p)
    assert p.actions == before
    assert text(p).startswith("Nothing is taken back: Mister X has moved. ")


def test_while_a_computers_pawn_has_to_be_moved_the_table_says_at_once_why_nothing_is_taken_back() -> None:
    p = seated({"1": "hard"})
    go(p, 184)
    done_by_computer(p)
    p.advance(1500)
    assert p.table.scene().phase is Phase.CARRY_OUT
    p.hardware.press(BACK)
    p.advance(400)
    assert text(p).startswith("Nothing is taken back: Mister X has moved. Red (computer) goes to ")


def test_a_program_takes_back_by_one_line_or_is_told_why_not() -> None:
    with ScriptSession(seed=1) as table:

        def ask(**line: object) -> str:
            said = table.answer(json.dumps(line))
            return str(said.get("error", "ok"))

        assert ask(do="take_back") == "take_back: there is no game; begin one first"
        assert (
            ask(do="new_game", detectives=3, seats={MR_X: "easy"}, deal={"red": 74, "yellow": 13, "green": 26}) == "ok"
        )
        table.simulated.set_up()
        assert ask(do="take_back") == "take_back: Nothing to take back: no person has moved"
        done_by_computer(table.simulated, 9000)
        assert ask(do="take_back") == "take_back: Nothing is taken back: Mister X has moved"
        carry(table.simulated, "red", 46)
        assert len(table.simulated.actions) == 2
        assert ask(do="take_back") == "ok"
        assert len(table.simulated.actions) == 1


def test_what_was_taken_back_stays_so_after_a_power_cut(tmp_path: Path) -> None:
    p = yellow_has_answered(str(tmp_path / "journal"))
    carry_out(p)
    undo(p)
    p.restart()
    assert p.actions[1:] == []
    put_home(p)
    assert ask_kind(p) is Kind.MOVE


def test_after_a_power_cut_right_after_it_no_move_is_made_again_by_itself(tmp_path: Path) -> None:
    p = yellow_has_answered(str(tmp_path / "journal"))
    carry_out(p)
    undo(p)
    p.restart()
    p.advance(900)
    assert text(p) == "Going on: Put Red on 74 and Yellow on 13. Clear 23 and 46"
    carry(p, "yellow", 13)  # as after red's move alone
    p.advance(9000)
    assert p.actions[1:] == []
    assert p.table.scene().phase is Phase.RESUME
    carry(p, "red", 74)
    assert ask_kind(p) is Kind.MOVE


def test_a_move_that_is_put_back_by_hand_can_be_made_while_the_table_is_off(tmp_path: Path) -> None:
    p = seated({"2": "hard"}, journal=str(tmp_path / "journal"))
    go(p, 184)
    carry(p, "red", 46)
    carry(p, "red", 74)
    p.advance(900)
    assert p.actions[1:] == []
    carry(p, "red", 46, ms=0)
    p.restart()
    p.advance(900)
    assert p.actions[1:] == [RED]


def test_the_table_takes_back_by_one_order_which_is_written_at_once() -> None:
    p = yellow_has_answered()
    store = Counted(p.table.journal.store)
    p.table.journal.store = store
    p.do(UndoMove())
    assert p.actions[1:] == []
    assert store.kinds == [["take_back", "take_back"]]
    assert text(p) == "Going on: Put Red on 74. Clear 46"
    with pytest.raises(NotNow, match="pawns"):
        p.do(UndoMove())


def test_the_order_is_refused_where_the_move_stands_or_cannot_be_written() -> None:
    p = seated({MR_X: "hard"})
    with pytest.raises(NotNow, match=r"^Nothing to take back: no person has moved$"):
        p.do(UndoMove())
    done_by_computer(p)
    with pytest.raises(NotNow, match=r"^Nothing is taken back: Mister X has moved$"):
        p.do(UndoMove())
    p = yellow_has_answered()
    p.table.journal.store = shaky = Shaky(p.table.journal.store)
    shaky.broken = True
    with pytest.raises(JournalError):
        p.do(UndoMove())
    assert p.actions[1:] == [RED, YELLOW]


class Counted(Shaky):
    """A store that remembers the kinds of entries of each thing that was submitted to it."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.kinds: list[list[str]] = []

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        self.kinds.append([kind for _, _, kind, _, _ in rows])
        super().submit(rows, instead)


@pytest.mark.parametrize("rules", edition_names())
def test_in_every_game_it_goes_back_to_before_a_persons_move_or_says_why_not(rules: str) -> None:
    config = with_rules(simulator(), rules)
    count = max(config.edition.seats)
    p = SimulatedTable(config, seed=1)
    p.new_game(players=count)
    game, found = p.table.game, set[Why | None]()
    assert game is not None
    owners = sorted({*game.setup.owners.values()})
    seats = {MR_X: "easy", str(owners[-1]): "easy"}
    chance = random.Random(1)
    for _ in range(60):
        undo_ = find_undo(game, seats)
        assert isinstance(undo_, Undo)
        found.add(undo_.why)
        if undo_.why is None:
            back = game.branch()
            for _ in range(undo_.count):
                back.take_back()
            person = game.actions[-undo_.count]
            assert isinstance(person, PawnMove)
            assert person.pawn == undo_.pawn
            assert back.public.log == game.public.log or game.public.in_sight  # all have seen where he went
        if game.public.outcome is not None:
            break
        game.play(game.roll(chance) or chance.choice(game.legal))
    assert {None, Why.MR_X} <= found
    p.close()
