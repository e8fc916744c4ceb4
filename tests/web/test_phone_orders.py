"""What detectives' players do on phones at a simulated table: whole moves, each his own, by the table's rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import MR_X, PawnMove, to_record
from firmware_host.simulator.browser_session import BrowserSession
from firmware_host.web.feeds.page_orders import (
    AgainOrder,
    ChooseOrder,
    DragOrder,
    HandsOrder,
    KeyOrder,
    NewGameOrder,
    PowerOrder,
    SitOrder,
    UndoOrder,
    UserOrder,
)
from tests.table.cases import CASES, Case, shipped
from tests.web.page_table import ONE, OTHER, Room

PHONE, NOT_YOURS = "detective", "this pawn is not yours to move"


class Phones(Room):
    """A table with helping hands, a computer that hides, and a phone for each of two of the detectives' players.

    Args:
        case: what is played; Mister X has moved.
    """

    def __init__(self, case: Case) -> None:
        super().__init__(shipped(case.rules))
        players = {ONE: 1, OTHER: 2}
        self.browser = BrowserSession(
            self.simulated, self.requests, self.pages, real_hands=False, player_of=players.get
        )
        self.ask(NewGameOrder(case.rules, case.players, dict(case.options), {MR_X: "easy"}))
        self.let(lambda: self.phase is Phase.PLAY, "the pawns to be set up")

    @property
    def phase(self) -> Phase:
        return self.simulated.scene.phase

    def let(self, so: Callable[[], object], what: str) -> None:
        """Let table time go by until it is so."""
        for _ in range(1200):
            if so():
                return
            self.wait(50)
        raise AssertionError(f"{what}: {self.simulated.prompt_text}")

    def choose(self, move: PawnMove, by: int = ONE) -> None:
        self.ask(ChooseOrder(to_record(move)), by=by, page=PHONE)

    def await_people(self) -> None:
        """Wait until detectives may move."""
        self.let(lambda: self.phase is Phase.OVER or self.simulated.public.moves, "a detective's turn")


@pytest.fixture
def room() -> Phones:
    room = Phones(Case("classic", 4))
    room.await_people()
    return room


def roll(room: Phones, by: int) -> None:
    """Press what rolls the dice, or enters them all as X."""
    while room.simulated.public.to_roll is not None:
        for down in (True, False):
            room.ask(KeyOrder("table.confirm", down=down), by=by, page=PHONE)
        room.wait(500)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_move_of_a_game_can_be_made_on_a_phone_whatever_the_table_asks(case: Case) -> None:
    room = Phones(case)
    room.browser._player_of = lambda _: room.simulated.public.owners[room.simulated.public.turn[0]]
    for _ in range(12):
        room.let(lambda: room.phase is Phase.OVER or not room.simulated.public.mr_x_to_move, "Mister X's move")
        if room.phase is Phase.OVER:
            break
        if room.simulated.public.to_roll is not None:
            roll(room, ONE)
        room.await_people()
        view, done = room.simulated.public, len(room.simulated.actions)
        moves = [move for move in view.moves if view.owners[move.pawn] == view.owners[view.turn[0]]]
        room.choose(max(moves, key=lambda move: sum(other.to == move.to for other in moves)))
        assert room.refused == []
        room.let(lambda: len(room.simulated.actions) > done, "the move to be written down")  # noqa: B023


def test_the_ticket_that_was_chosen_is_the_one_that_is_paid(room: Phones) -> None:
    moves = room.simulated.public.moves
    several = next(move for move in reversed(moves) if sum(other.to == move.to for other in moves) > 1)
    room.choose(several)
    room.wait(2000)
    assert room.simulated.actions[-1] == several


@pytest.mark.parametrize("elsewhere", [True, False], ids=["elsewhere", "by that ticket"])
def test_a_phone_decides_on_a_move_that_the_table_asks_about(room: Phones, elsewhere: bool) -> None:
    moves, before = room.simulated.public.moves, len(room.simulated.actions)
    several = next(move for move in reversed(moves) if sum(other.to == move.to for other in moves) > 1)
    room.put(several.pawn, several.to)
    room.let(lambda: room.simulated.scene.asked, "the question")
    meant = next(move for move in moves if move.pawn == several.pawn and (move.to != several.to) is elsewhere)
    room.choose(meant)
    assert room.refused == []
    room.let(lambda: len(room.simulated.actions) > before, "the move to be written down")
    assert room.simulated.actions[before] == meant


def test_who_moves_what_is_not_his_or_where_it_may_not_go_is_told_so(room: Phones) -> None:
    at = room.simulated.public.pawns["red"]
    assert 199 not in {at, *(move.to for move in room.simulated.public.moves)}
    for by, why in ((OTHER, NOT_YOURS), (ONE, "Red cannot go there now"), (3, NOT_YOURS)):
        room.choose(PawnMove("red", 199, "taxi"), by=by)
        assert room.refusal() == why
        assert room.where["red"] == at


def test_nobody_moves_before_his_turn_or_while_a_pawn_is_on_its_way(room: Phones) -> None:
    yellow, red = PawnMove("yellow", 15, "taxi"), room.simulated.public.moves[0]
    room.choose(yellow, by=OTHER)
    assert room.refusal() == "it is not your turn"
    room.choose(red)
    room.choose(red)
    assert room.refusal().startswith("not now: ")
    room.wait(2000)
    assert room.simulated.actions[-1] == red


def test_only_the_phone_whose_pawn_moved_takes_it_back(room: Phones) -> None:
    before = len(room.simulated.actions)
    room.choose(room.simulated.public.moves[0])
    room.wait(1000)
    room.ask(UndoOrder(), by=OTHER, page=PHONE)
    assert room.refusal() == "this move is not yours to take back"
    room.ask(UndoOrder(), page=PHONE)
    room.wait(2000)
    assert len(room.simulated.actions) == before


AT_TABLE = "this is done at the table, and this page is not the table"
REFUSED: list[tuple[UserOrder, str]] = [
    (DragOrder("red", 0.5, 0.5), AT_TABLE),
    (PowerOrder(on=False), AT_TABLE),
    (NewGameOrder("classic"), AT_TABLE),
    (KeyOrder("handset.select", down=True), "handset.select is not a key of this page"),
    (AgainOrder(), "another game begins when this one is over"),
    (ChooseOrder({"kind": "move", "to": 75, "ticket": "taxi"}), NOT_YOURS),
    (ChooseOrder({"kind": "pawn", "pawn": "mr_x", "to": 75, "ticket": "taxi"}), NOT_YOURS),
]


def test_everything_else_is_refused(room: Phones) -> None:
    for order, why in REFUSED:
        room.ask(order, page=PHONE)
        assert room.refusal() == why


def test_the_tables_keys_are_for_whose_turn_it_is(room: Phones) -> None:
    room.ask(KeyOrder("table.confirm", down=True), by=OTHER, page=PHONE)
    assert room.refusal() == "it is not your turn"
    for down in (True, False):
        room.ask(KeyOrder("table.confirm", down=down), page=PHONE)
    assert room.refused == []


def test_a_phone_without_a_seat_presses_no_key_and_moves_no_pawn_not_even_when_no_player_is_on_turn() -> None:
    room = Room(shipped("classic"))
    room.browser = BrowserSession(room.simulated, room.requests, room.pages, player_of={}.get)
    room.simulated.set_up()
    assert room.simulated.public.turn == (MR_X,)
    room.ask(KeyOrder("table.confirm", down=True), page=PHONE)
    assert room.refusal() == "it is not your turn"
    room.ask(ChooseOrder({"kind": "pawn", "pawn": MR_X, "to": 75, "ticket": "taxi"}), page=PHONE)
    assert room.refusal() == NOT_YOURS


def test_with_real_hands_and_without_power_nothing_is_moved_from_afar(room: Phones) -> None:
    move = room.simulated.public.moves[0]
    room.ask(HandsOrder(real=True))
    room.choose(move)
    assert room.refusal() == "players move their pawns on the board now; move yours there"
    room.ask(HandsOrder(real=False), PowerOrder(on=False))
    room.choose(move)
    assert room.refusal() == "the power is off; switch it on, then choose"


@pytest.mark.parametrize("page", ["table", "handset"])
def test_other_pages_take_no_seat_and_move_no_pawn_by_a_word(room: Phones, page: str) -> None:
    room.ask(SitOrder(1), page=page)
    assert room.refusal() in (
        "this is done on a player's own page",
        "this is done at the table, and this page is not the table",
    )
    room.choose(room.simulated.public.moves[0])
    room.wait(1000)
    before = len(room.simulated.actions)
    room.ask(ChooseOrder(to_record(room.simulated.public.moves[0])), page=page)
    assert room.refusal()
    assert len(room.simulated.actions) == before


@pytest.mark.parametrize("page", ["table", "handset", PHONE])
def test_every_page_begins_the_same_game_again_with_everyone_in_the_same_seat(page: str) -> None:
    room = Phones(Case("classic", 4))
    start = {MR_X: 2, "red": 10, "yellow": 20}
    options, names = {"last_chance": True}, {"1": "Ada"}
    room.simulated.new_game(players=4, start=start, options=options, seats={MR_X: "easy"}, names=names)
    room.wait(2000)
    begun = room.simulated.table.journal.newest_begun
    room.ask(AgainOrder(), page=page, ms=3000)
    assert room.refused == []
    assert room.simulated.table.same_mr_x
    assert room.simulated.table.journal.newest_begun == begun + 1
    scene = room.simulated.scene
    assert (scene.phase, scene.seats, scene.names) == (Phase.PLAY, {MR_X: "easy"}, names)
    assert room.simulated.setup.options == options
