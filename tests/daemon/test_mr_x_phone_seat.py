"""Mister X's seat on a phone: who gets it, for how long, and what a table that is run does with what it chooses."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from firmware_host.daemon.mr_x_phone_seat import WAITING, PhoneSeat
from firmware_host.journal.store_port import Row, UnwritableJournal
from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import MR_X, MrXMove, to_record
from firmware_host.system.files import at_once
from firmware_host.system.language import in_language
from firmware_host.table.commands import GiveUpGame
from firmware_host.web.feeds import websocket_session
from firmware_host.web.feeds.page_orders import ChooseOrder, KeyOrder, LiftOrder, NewGameOrder, PowerOrder, UserOrder
from firmware_host.web.seats.sessions import OUTSIDE
from tests.daemon.phone_room import HIS, START, PhoneRoom, without_screen
from tests.table.cases import shipped
from tests.table.slow_disk import COMMIT, SlowStore
from tests.web.page_table import all_of
from tests.web.served import PATIENCE, Idle, Served, farewell, hear


@pytest.fixture
def room(tmp_path: Path) -> Iterator[PhoneRoom]:
    """A classic game at his first move."""
    with PhoneRoom(shipped("classic"), tmp_path, seed=4) as opened:
        opened.begin()
        yield opened


def told(room: PhoneRoom) -> dict[str, Any]:
    """What a page of his that comes now is told of his seat; empty if nothing is."""
    said = all_of(room.private).get("seat")
    return {} if said is None else dict(json.loads(said))


def choice(room: PhoneRoom) -> ChooseOrder:
    """One of the moves that his page was told."""
    return ChooseOrder(next(dict(one) for one in told(room)["mr_x"]["choices"] if one["kind"] == "move"))


def mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


# ---- what he chooses ----


def test_what_he_chooses_is_done_in_the_next_pass_and_written_down(room: PhoneRoom) -> None:
    wanted = choice(room)
    room.ask("handset", wanted)
    room.wait(100)
    assert room.refused == []
    assert [to_record(action) for action in room.simulated.actions] == [wanted.action]
    newest = room.simulated.table.journal.newest_entries()
    assert json.loads(newest[-1][2]) == wanted.action


def test_phone_and_screen_are_one_handset_and_either_may_act(room: PhoneRoom) -> None:
    room.ask("handset", choice(room))
    move_detectives(room)
    second = next(action for action in room.simulated.private.choices.value if isinstance(action, MrXMove))
    room.simulated.choose(second)
    room.wait(200)
    assert [type(action) for action in room.simulated.actions].count(MrXMove) == 2
    assert told(room)["mr_x"]["at"] == second.to.value
    assert f"{second.to.value}" in " ".join(room.simulated.handset_lines())


def move_detectives(room: PhoneRoom) -> None:
    p = room.simulated
    while p.public.turn != (MR_X,):
        move = p.public.moves[0]
        p.hardware.lift(p.public.pawns[move.pawn], move.pawn)
        p.hardware.put(move.to, move.pawn)
        room.wait(1500)
        if p.scene.ask.keys and len(p.public.turn):
            for key in p.scene.ask.keys[:1]:
                p.hardware.press(key)
                room.wait(1000)


def test_the_screen_beside_a_phone_stays_dark_in_his_turn_until_somebody_presses_its_key(room: PhoneRoom) -> None:
    assert room.simulated.public.mr_x_to_move
    assert room.simulated.handset_lines() == []
    room.simulated.hardware.press("handset.back")
    room.wait(200)
    assert "94" in " ".join(room.simulated.handset_lines())


def test_a_screen_that_is_lost_is_told_and_does_not_hold_him_up(room: PhoneRoom) -> None:
    room.simulated.hardware.fault("handset", "unplug")
    room.simulated.hardware.fault("keys", "unplug")
    room.wait(3000)
    scene = room.simulated.scene
    assert {"handset", "keys"} <= scene.ailing.keys()
    assert (scene.phase, scene.paused) == (Phase.PLAY, "")
    room.ask("handset", choice(room))
    assert [type(action) for action in room.simulated.actions] == [MrXMove]


def test_without_any_screen_a_person_is_mister_x(tmp_path: Path) -> None:
    with PhoneRoom(without_screen(), tmp_path, seed=4) as room:
        room.simulated.new_game(players=4, start=START)
        assert MR_X not in room.simulated.scene.seats
        room.simulated.set_up()
        room.wait(2000)
        room.ask("handset", choice(room))
        assert [type(action) for action in room.simulated.actions] == [MrXMove]


@pytest.mark.parametrize(
    "order",
    [
        KeyOrder("handset.select", down=True), KeyOrder("table.confirm", down=True), LiftOrder("red"),
        PowerOrder(on=False), NewGameOrder("classic"),
    ],
    ids=lambda order: type(order).__name__,
)  # fmt: skip
def test_whatever_is_done_by_hand_is_refused_to_his_page(room: PhoneRoom, order: UserOrder) -> None:
    room.phone.orders.ask("handset", HIS, order, room.refused.append)
    assert room.refused == ["this is done at the table itself"]
    room.wait(500)
    assert room.simulated.scene.phase is Phase.PLAY


def test_a_spectator_chooses_nothing(room: PhoneRoom) -> None:
    room.phone.orders.ask("spectator", HIS, choice(room), room.refused.append)
    room.wait(100)
    assert room.refused == ["a spectator looks on"]
    assert room.simulated.actions == []


def test_more_than_the_table_can_do_is_refused(room: PhoneRoom) -> None:
    for _ in range(WAITING + 3):
        room.phone.orders.ask("handset", HIS, ChooseOrder({"kind": "double"}), room.refused.append)
    assert room.refused == ["the table cannot keep up; slow down"] * 3


def test_a_choice_that_the_table_is_not_ready_for_is_refused_in_words(room: PhoneRoom) -> None:
    wanted = choice(room)
    room.simulated.hardware.lift(13, "red")
    room.simulated.hardware.put(46, "red")
    room.wait(3000)
    room.ask("handset", wanted)
    room.wait(100)
    assert room.refused == ["Not now: wait until the pawns on the board are put right"]
    assert room.simulated.actions == []


def test_he_is_refused_in_the_language_of_his_page_though_the_tables_is_another(room: PhoneRoom) -> None:
    wanted = choice(room)
    room.simulated.hardware.lift(13, "red")
    room.simulated.hardware.put(46, "red")
    room.wait(3000)
    with in_language("de"):
        room.phone.orders.ask("handset", HIS, wanted, room.refused.append)
    room.wait(100)
    assert room.refused == ["Jetzt nicht: warte, bis die Figuren auf dem Plan richtig stehen"]


def test_a_choice_that_cannot_be_written_down_is_told_on_his_page(
    room: PhoneRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_rows: Sequence[Row], _instead: Row | None = None) -> None:
        raise UnwritableJournal("the disk is full")

    wanted = choice(room)
    with monkeypatch.context() as patch:
        patch.setattr(room.simulated.table.journal.store, "submit", full)
        room.ask("handset", wanted)
        room.wait(100)
    assert room.refused == ["Not saved: The journal cannot be written: try again"]
    assert room.simulated.actions == []
    room.wait(6000)
    room.ask("handset", wanted)
    assert len(room.simulated.actions) == 1


def test_a_slow_disk_makes_a_move_once_however_often_he_taps(room: PhoneRoom) -> None:
    journal, wanted = room.simulated.table.journal, choice(room)
    journal.store = slow = SlowStore(journal.store, room.simulated.hardware.clock.now)
    slow.seconds = COMMIT
    for _ in range(2):
        room.ask("handset", wanted)
    room.wait(200)
    assert (room.simulated.actions, room.refused) == ([], [])
    room.wait(1500)
    assert [to_record(action) for action in room.simulated.actions] == [wanted.action]
    assert room.refused == ["this cannot be chosen now; choose what is shown"]
    assert told(room)["mr_x"]["at"] == wanted.action["to"]


def test_a_waiting_choice_is_refused_if_another_phone_has_taken_the_seat_meanwhile(
    room: PhoneRoom, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_session, "LATE", PATIENCE)  # this page answers no tick
    del room.server.sessions.has_seat  # here pages have WebSockets
    _, _, body = served.knock(room.link.partition("#")[2])
    with served.page("handset", json.loads(body)["session"]) as line:
        line.send(json.dumps({"do": "choose", "action": choice(room).action}))
        line.send(json.dumps({"do": "shake"}))
        assert hear(line, "refused")["text"] == "this is done at the table itself"  # so the choice is in the queue
        assert room.phone.token.exchange(room.phone.token.new_token(), "made up on another one")
        room.wait(100)
        assert room.simulated.actions == []


# ---- for how long the seat is his ----


def test_link_and_session_are_for_their_owner_alone(room: PhoneRoom) -> None:
    assert room.seat_by(room.link)
    room.wait(1100)
    for name in ("handset-link", "seat-session.json"):
        assert mode(room.home / name) == 0o600, name


def test_a_link_works_once_and_another_takes_its_place(room: PhoneRoom) -> None:
    first = room.link
    his = room.seat_by(first)
    assert room.seat_by(first, "made up on another one") is None
    room.wait(1100)
    second = room.link
    assert second != first
    assert room.phone.token.holds_handset(his)
    theirs = room.seat_by(second, "made up on another one")
    assert room.phone.token.holds_handset(theirs)
    assert not room.phone.token.holds_handset(his)


def test_with_the_next_game_link_seat_and_what_was_told_are_void(room: PhoneRoom) -> None:
    his, unused = room.seat_by(room.link), ""
    room.wait(1100)
    unused = room.link
    late = choice(room)
    room.simulated.do(GiveUpGame())
    room.wait(200)
    assert room.phone.token.holds_handset(his), "nobody else is invited before the next game"
    room.phone.orders.ask("handset", HIS, late, room.refused.append)
    room.simulated.new_game(players=4, start={**START, MR_X: 146})
    room.phone.attend(room.simulated.table)  # before anything of the new game was shown
    assert told(room) == {}
    assert not room.phone.token.holds_handset(his)
    assert room.seat_by(unused) is None
    room.simulated.set_up()
    room.wait(2000)
    assert room.simulated.actions == []
    assert told(room)["mr_x"]["at"] == 146
    assert room.phone.token.holds_handset(room.seat_by(room.link))


def again(room: PhoneRoom) -> PhoneSeat:
    """The seat as another start of the program finds it."""
    return PhoneSeat(room.simulated.config, writing=at_once)


@pytest.mark.parametrize("how", ["in good order", "by a power cut"])
def test_after_a_restart_the_same_page_has_the_seat(room: PhoneRoom, how: str) -> None:
    his = room.seat_by(room.link)
    room.wait(1100 if how == "by a power cut" else 5)
    if how == "in good order":
        room.phone.close()
        assert not (room.home / "handset-link").exists()
    anew = again(room)
    anew.attend(room.simulated.table)
    assert anew.token.holds_handset(his)


def test_after_a_restart_with_another_game_nobody_has_it(room: PhoneRoom) -> None:
    his = room.seat_by(room.link)
    room.phone.close()
    anew = again(room)
    assert anew.token.holds_handset(his), "so that its page waits instead of giving up"
    room.simulated.new_game(players=4)
    anew.attend(room.simulated.table)
    assert not anew.token.holds_handset(his)
    anew.close()
    assert not (room.home / "seat-session.json").exists()


def test_a_seat_of_another_journal_is_nobody_s(room: PhoneRoom) -> None:
    his = room.seat_by(room.link)
    room.phone.close()
    kept = json.loads((room.home / "seat-session.json").read_text())
    kept["game"]["begun"] += 60.0  # as many games stand in it, begun at another time
    (room.home / "seat-session.json").write_text(json.dumps(kept))
    anew = again(room)
    anew.attend(room.simulated.table)
    assert not anew.token.holds_handset(his)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"game": 1}', '{"game": {"number": "1", "begun": 1.0}, "session": ""}']
)
def test_a_file_that_makes_no_sense_seats_nobody_and_stops_nobody(room: PhoneRoom, content: str) -> None:
    (room.home / "seat-session.json").write_text(content)
    anew = again(room)
    anew.attend(room.simulated.table)
    assert anew.token.session is None


def test_a_folder_that_takes_no_file_is_told_once_and_the_game_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "handset-link").mkdir()
    (tmp_path / "handset-link" / "taken").touch()
    with PhoneRoom(shipped("classic"), tmp_path, seed=4) as room:
        room.begin()
        room.phone.token.exchange(room.phone.token.waiting or "", "made up on his phone!")
        room.wait(3000)
        (said,) = [one.getMessage() for one in caplog.records if "handset-link" in one.getMessage()]
        assert said.endswith("no phone can be invited")
        assert room.simulated.scene.phase is Phase.PLAY


# ---- who gets it ----


@pytest.fixture
def served(room: PhoneRoom) -> Served:
    room.server.start()
    return Served(room.server, Idle())


def test_the_page_is_served_and_what_is_the_simulators_alone_is_not(served: Served) -> None:
    assert served.fetch("/seat")[0] == 200
    assert served.fetch("/")[0] == served.fetch("/handset")[0] == 307
    said = json.dumps({"nonce": secrets.token_urlsafe(16)})
    assert served.fetch("/handset/seat", "POST", said, origin=served.home)[0] == 404


def test_the_link_opens_the_line_to_his_seat_once(room: PhoneRoom, served: Served) -> None:
    token = room.link.partition("#")[2]
    status, _, body = served.knock(token)
    assert status == 200
    session = json.loads(body)["session"]
    with served.page("handset", session) as line:
        assert hear(line, "seat")["mr_x"]["at"] == 94
        status, _, body = served.knock(token)
        assert status == 403
        assert json.loads(body)["error"] == (
            "This code is wrong, was used already, or is of an earlier game; "
            "“My phone” on his handset shows a new one, or yardboard handset-link"
        )
        room.wait(1100)
        assert served.knock(room.link.partition("#")[2])[0] == 200
        code, why = farewell(line)
        assert (code, "yardboard handset-link" in why) == (4401, True)


@pytest.mark.parametrize("session", [None, "", "made up here", "x" * 64])
def test_nobody_without_its_session_hears_anything(served: Served, session: str | None) -> None:
    with served.page("handset", session) as line:
        assert farewell(line)[0] == 4401


def test_a_foreign_page_or_name_is_refused_and_the_link_stays_good(room: PhoneRoom, served: Served) -> None:
    token = room.link.partition("#")[2]
    for origin in (None, "null", "http://elsewhere.example", "http://127.0.0.1:1"):
        assert served.knock(token, origin=origin)[0] == 403
    assert served.knock(token, host="elsewhere.example")[0] == 421
    with served.line(origin="http://elsewhere.example") as line:
        assert farewell(line)[0] == 4403
    assert served.knock(token)[0] == 200


def test_from_outside_the_house_neither_link_nor_session_is_good(
    room: PhoneRoom, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = room.link.partition("#")[2]
    with monkeypatch.context() as patch:
        patch.setattr("firmware_host.web.transport.host_names.is_at_home", lambda *_: False)
        status, _, body = served.knock(token)
        assert (status, json.loads(body)["error"]) == (403, OUTSIDE)
    status, _, body = served.knock(token)
    assert status == 200
    with monkeypatch.context() as patch:
        patch.setattr("firmware_host.web.transport.host_names.is_at_home", lambda *_: False)
        with served.page("handset", json.loads(body)["session"]) as line:
            assert farewell(line) == (4401, OUTSIDE)
