"""Mister X's phone at a table that is run: nobody else sees, hears or times anything of what he does on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware_host.daemon.health_file import HealthFile
from firmware_host.referee.events import TakeBack
from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.rules.views import MrXView
from firmware_host.ui import json_views
from firmware_host.web.feeds import seat_feed
from firmware_host.web.feeds.page_orders import ChooseOrder
from tests.daemon.phone_room import PhoneRoom
from tests.secrecy.test_seat import ByPage, assert_private_alike
from tests.table.alike import Alike
from tests.table.cases import SOME, US, Case, shipped
from tests.web.at_once import AtOnce, texts
from tests.web.twins import by, twins


class Watched(PhoneRoom):
    """A room at which everything that leaves the table is noted with its time."""

    def __init__(self, case: Case, home: Path, seed: int) -> None:
        home.mkdir()
        super().__init__(shipped(case.rules), home, seed=seed)
        clock = self.simulated.hardware.clock
        self.shown: list[tuple[float, object]] = []
        self._seen: object = None
        self._status = HealthFile(self._with_phone, clock, wall_clock=clock.now, file=home / "health.json")

    def _step(self) -> None:
        super()._step()
        self._status.attend(self.simulated.table)
        hardware, status = self.simulated.hardware, self._status.file
        assert hardware.display is not None
        told = json.loads(status.read_text()) if status.exists() else {}
        told.pop("config", None)
        # The link is another in each game; that there is one, and when, is what a listing of its folder shows.
        seen = hardware.display.pixels, dict(hardware.lamps.lit()), (self.home / "handset-link").exists(), str(told)
        if seen != self._seen:
            self._seen = seen
            self.shown.append((hardware.clock.now(), seen))


def watched(folder: Path) -> Callable[[Alike, int], Watched]:
    """Lays the tables of two games, each with a folder of its own."""
    return lambda pair, side: Watched(pair.case, folder / f"{side}", pair.seed)


@pytest.mark.parametrize("case", SOME, ids=str)
@pytest.mark.long
def test_games_played_on_a_phone_send_and_show_the_same_to_everyone_at_the_same_times(
    case: Case, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    logs: list[list[str]] = []
    play = by(ByPage)

    def logged(pair: Alike, side: int, room: AtOnce) -> None:
        caplog.clear()
        play(pair, side, room)
        logs.append([record.getMessage() for record in caplog.records if record.name == "yardboard"])

    with twins(case, logged, lay=watched(tmp_path)) as (one, two):
        assert_private_alike(case, one, two)
        assert_shown_alike(one, two)
        assert logs[0] == logs[1]
        assert len(logs[0]) > 5
        lengths = [[len(m) for _, kind, m in room.private.heard if kind == "seat"] for room in (one, two)]
        assert lengths[0] == lengths[1], "who sees traffic, and not what, learns nothing by its size"


def assert_shown_alike(one: AtOnce, two: AtOnce) -> None:
    """Lamps, the display and the files are the same at the same times."""
    for a, b in zip(one.shown, two.shown, strict=True):  # type: ignore[attr-defined]
        assert a == b


def troubled(pair: Alike, side: int, room: Watched) -> None:
    """One of two games that look alike, while cables come out and the phone's part is started anew.

    In one of them he has opened his page, loads it again and again, and tries what he may not do.
    """
    room.simulated.new_game(players=pair.case.players, options=dict(pair.case.options), start=pair.start[side])
    people = ByPage(room, side == 1)
    people.set_up()
    for number, steps in enumerate(pair.script):
        device, kind = MISHAPS[number % len(MISHAPS)]
        room.simulated.hardware.fault(device, kind)
        if side == 1:
            room.seat_by(room.link, f"loaded for the {number}th time")
        if number % 7 == 6:
            room.start_phone_anew()
        people.take_back() if isinstance(steps[side], TakeBack) else people.do(steps[side])
        room.wait(1500)


MISHAPS = [(device, kind) for device in ("handset", "lamps", "display", "keys") for kind in ("unplug", "replug")]
"""What happens to cables, one after each step."""


@pytest.mark.long
def test_pb_07_nor_do_they_differ_while_cables_come_out_and_his_page_comes_and_goes(tmp_path: Path) -> None:
    with twins(US, troubled, seed=12, windows=5, lay=watched(tmp_path)) as (one, two):
        assert two.refused
        scenes = [json.loads(text) for text in texts(one.public.heard) if text.startswith('{"kind":"scene"')]
        assert {"handset", "lamps", "display", "keys"} <= {device for scene in scenes for device in scene["ailing"]}
        assert_shown_alike(one, two)


def test_a_pawn_that_is_lifted_and_put_back_has_nothing_of_his_worked_out_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_out: list[object] = []

    def seat(view: MrXView, doubles: Mapping[MrXMove, tuple[MrXMove, ...]]) -> dict[str, object]:
        worked_out.append(view)
        return json_views.seat(view, doubles)

    monkeypatch.setattr(seat_feed, "json_views", SimpleNamespace(seat=seat))
    with PhoneRoom(shipped("us"), tmp_path, seed=4) as room:
        room.simulated.new_game(players=4)
        room.simulated.set_up()
        room.wait(3000)
        at, before, heard = room.simulated.public.pawns["red"], len(worked_out), len(room.private.heard)
        for _ in range(5):
            room.drag("red", at)  # whoever sits at the table may do this, and hold a watch beside it
            room.wait(1000)
        assert len(room.private.heard) >= heard + 10
        assert len(worked_out) == before > 0


def test_where_a_computer_plays_him_his_page_is_told_nothing_and_nobody_is_invited(tmp_path: Path) -> None:
    with PhoneRoom(shipped("classic"), tmp_path, seed=4) as room:
        room.simulated.new_game(players=4, seats={MR_X: "easy"})
        room.simulated.set_up()
        room.wait(3000)
        assert all(json.loads(m)["mr_x"] is None for _, kind, m in room.private.heard if kind == "seat")
        assert not (tmp_path / "handset-link").exists()


def test_what_is_none_of_his_choices_is_refused_and_the_refusal_names_no_station(tmp_path: Path) -> None:
    wrong: list[dict[str, str | int]] = [
        {"kind": "move", "to": 9999, "ticket": "taxi"},
        {"kind": "nonsense"},
        {"to": 75},
    ]
    with PhoneRoom(shipped("classic"), tmp_path, seed=4) as room:
        room.simulated.new_game(players=4, start={MR_X: 94, "red": 13, "yellow": 26, "green": 174})
        room.simulated.set_up()
        for action in wrong:
            room.ask("handset", ChooseOrder(action))
        assert len(room.refused) == len(wrong)
        assert not any(digit in why for why in room.refused for digit in "0123456789")
        assert not room.simulated.actions
