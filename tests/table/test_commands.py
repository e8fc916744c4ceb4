"""The door to a table: what each command does, and how its refusal comes back."""

from __future__ import annotations

from random import Random
from typing import get_args

import pytest

from firmware_host.journal.store_port import JournalError
from firmware_host.recording.tape_recording import note_of, read_command
from firmware_host.referee.scene import CoachMode, Phase
from firmware_host.rules.actions import Double, MrXMove
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.secret import Secret
from firmware_host.table.commands import (
    TOO_LATE,
    Choose,
    Command,
    GiveUpGame,
    InvitePhone,
    PressKey,
    Refusal,
    RollDice,
    SayPowerOffFailed,
    SetCoach,
    ShowAddress,
    ShowOwnerCode,
    StartGame,
    Touch,
    TrustSwitches,
    UndoMove,
)
from firmware_host.ui.drawing.table_menu_screen import TableAddress
from tests.table.played_table import begun, confirm, put, state, take, watched
from tests.table.slow_disk import COMMIT, slow_table

COMMANDS: tuple[Command, ...] = (
    StartGame("classic", players=4, start={"red": 13}, options={"x_fares": "counted"}, seats={"1": "easy"}),
    Choose(MrXMove(Secret(184), "taxi")), UndoMove(), RollDice(), GiveUpGame(), SetCoach(CoachMode.ADVICE),
    InvitePhone(("01", "10")), TrustSwitches(trusted=True), PressKey("table.back"), Touch(),
    SayPowerOffFailed(),
    ShowAddress(TableAddress("http://10.0.0.9/", "", ("01", "10"), has_owner=True)), ShowAddress(None),
    ShowOwnerCode("482913"),
)  # fmt: skip
TO_184 = Choose(MrXMove(Secret(184), "taxi"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_every_command_is_a_note_on_a_tape_and_is_read_again_from_it(command: Command) -> None:
    note = note_of(command)
    read = read_command(lambda name: note.text if name == note.name else None)
    assert note_of(read or Touch()) == note
    assert type(read) is type(command)


def test_no_command_is_left_out_here() -> None:
    assert {type(command) for command in COMMANDS} == {*get_args(Command)}


def test_the_result_of_a_refused_choice_says_why_and_the_handset_shows_nothing() -> None:
    p = watched(moved=False)
    take(p, 74, 200, "red")
    put(p, 75, "red", 3000)
    before = p.handset_lines()
    refusal = p.table.do(TO_184).refusal
    assert refusal is not None
    assert refusal.words == "Not now: wait until the pawns on the board are put right"
    assert p.handset_lines() == before
    assert p.actions == []


def test_a_refused_game_changes_nothing_and_the_result_raises_the_rules_error() -> None:
    p = begun(197, red=74, yellow=13, green=26)
    game, result = p.table.game, p.table.do(StartGame(players=17))
    assert p.table.game is game
    assert result.refusal is not None
    assert result.refusal.title == "No game"
    assert state(p, "journal") == "ok"  # which nobody has asked
    with pytest.raises(BadSetup, match="17"):
        result.check()


def test_a_choice_that_the_disk_refuses_in_the_end_is_refused_to_whoever_asked() -> None:
    p, heard = slow_table(), list[Refusal]()
    p.store.broken = True
    result = p.table.do(TO_184)
    result.on_refusal(heard.append)
    assert (result.refusal, p.table.journal.writing) == (None, True)
    p.advance(1000 * COMMIT + 50)
    assert [refusal.words for refusal in heard] == ["Not saved: The journal cannot be written: try again"]
    assert p.handset_lines()[0] != "Not saved"
    assert p.actions == []
    with pytest.raises(JournalError):
        result.check()


@pytest.mark.parametrize("command", [Choose(Double()), UndoMove(), GiveUpGame(), StartGame()], ids=repr)
def test_a_command_waits_while_an_entry_is_written_and_is_refused_if_that_changes_the_game(command: Command) -> None:
    p = slow_table()
    p.do(TO_184)
    result = p.table.do(command)
    assert result.refusal is None
    p.advance(1000 * COMMIT + 50)
    assert p.actions == [TO_184.action]
    assert p.table.scene().phase is Phase.PLAY
    assert result.refusal is not None
    assert result.refusal.text == TOO_LATE


@pytest.mark.parametrize("command", [TO_184, UndoMove(), GiveUpGame(), StartGame()], ids=repr)
def test_a_command_that_waits_while_a_game_is_begun_is_refused(command: Command) -> None:
    p = slow_table()
    p.table.do(StartGame())
    result = p.table.do(command)
    begun = p.table.journal.newest_begun
    p.advance(1000 * COMMIT + 50)
    assert result.refusal is not None
    assert result.refusal.text == TOO_LATE
    p.advance(2000 * COMMIT)
    assert p.table.journal.newest_begun == begun + 1
    assert p.table.scene().phase is Phase.SET_UP


def test_a_game_that_the_disk_refuses_in_the_end_is_not_the_one_that_confirm_begins() -> None:
    p = slow_table()
    p.do(GiveUpGame())
    p.advance(1000 * COMMIT + 50)
    p.store.broken = True
    result = p.table.do(StartGame(players=5, rng=Random(1)))
    p.advance(1000 * COMMIT + 50)
    assert result.refusal is not None
    p.store.broken = False
    p.advance(5000)
    confirm(p)
    p.advance(1000 * COMMIT + 50)
    assert p.table.scene().phase is Phase.SET_UP
    assert len(p.public.order) != 4


def test_a_refusal_at_once_reaches_a_listener_that_comes_later() -> None:
    p, heard = slow_table(0.0), list[Refusal]()
    p.do(GiveUpGame())
    p.table.do(GiveUpGame()).on_refusal(heard.append)
    assert [refusal.words for refusal in heard] == ["Not now: there is no game in play"]
