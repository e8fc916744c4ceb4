"""The daemon: durable before shown, started again anywhere, and devices that come and go."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from firmware_host.journal.entries import FINISH
from firmware_host.journal.store_port import JournalError
from firmware_host.referee.referee import NotNow
from firmware_host.referee.scene import Mismatch, Phase, Settled
from firmware_host.referee.transition_steps import LAST_LOOK
from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.ui.lamp_palette import PALETTES
from tests.amount import amount
from tests.table.played_table import (
    FIVE,
    Watched,
    begun,
    carry,
    config,
    confirm,
    fault,
    go,
    hold,
    play_on,
    press,
    release,
    state,
    text,
    tidy,
    walk,
)


def table(*, moved: bool = True, **sections: Any) -> Watched:
    p: Watched = begun(197, config(**sections), seen=True, **FIVE)
    if moved:
        go(p, 184)
    return p


# ---- durable before shown -------------------------------------------------------------------------------------------


def test_nothing_is_accepted_or_shown_before_it_is_written_down() -> None:
    p = table(moved=False, lamps={"brightness": 1.0})
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
    p = table()
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
    p = table()
    p.store.broken = True
    carry(p, "red", 75, 2000)
    press(p, "table.back", 3000)
    p.store.broken = False
    p.advance(3000)
    assert p.public.pawns["red"] == 75


def test_a_move_of_mister_xs_that_cannot_be_written_down_is_not_accepted_and_he_is_told() -> None:
    p = table(moved=False)
    was = p.private
    p.store.broken = True
    with pytest.raises(NotNow):
        p.choose(MrXMove(Secret(184), "taxi"))
    assert p.private == was
    assert p.handset_lines()[0] == "Not saved"
    with pytest.raises(JournalError):
        p.table.play(MrXMove(Secret(184), "taxi"))
    assert p.private == was
    p.store.broken = False
    press(p, "handset.select")
    p.choose(MrXMove(Secret(184), "taxi"))
    assert p.private.at == Secret(184)


def test_a_move_that_cannot_be_taken_back_in_the_journal_stands() -> None:
    p = table()
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


def test_a_finished_game_is_still_there_after_a_restart_until_a_new_one_is_asked_for(tmp_path: Path) -> None:
    p = SimulatedTable(journal=tmp_path / "journal.sqlite")
    p.table.new_game(detectives=3, start={MR_X: 45, "red": 75, "yellow": 13, "green": 26})
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
        p.table.play(MrXMove(Secret(45), "taxi"))
    confirm(p)
    assert p.table.scene().phase is Phase.SET_UP
    assert not p.public.log
    p.restart()
    assert p.table.scene().phase is Phase.RESUME


def test_mister_xs_last_move_is_played_even_if_its_end_cannot_be_noted() -> None:
    p = table(**{"game.options": {"log_windows": 3}})
    p.store.refused = frozenset({FINISH})
    chance = random.Random(1)
    play_on(p, chance)
    assert p.public.outcome is not None
    assert p.table.scene().phase is Phase.OVER


# ---- started again --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", amount([1], [1, 2]))
def test_started_again_after_any_action_the_game_goes_on_and_the_pawns_are_guided_home(
    seed: int, tmp_path: Path
) -> None:
    p, chance = SimulatedTable(journal=tmp_path / "journal.sqlite", seed=seed), random.Random(seed)
    p.table.new_game(detectives=4, start={MR_X: 197, **FIVE})
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
    p = table()
    walk(p, "red", 75)
    p.hardware.pick_up("red")
    p.hardware.put(74, "red")
    p.restart()
    p.advance(2000)
    assert text(p) == "Going on: Put Red on 75. Clear 74"
    carry(p, "red", 75)
    assert text(p) == "Yellow moves"


def test_started_again_without_a_game_the_table_offers_one() -> None:
    p = SimulatedTable()
    p.restart()
    p.advance(100)
    assert text(p) == "Press CONFIRM for a new game"
    confirm(p)
    assert p.table.scene().phase is Phase.SET_UP


def test_a_game_that_the_rules_do_not_allow_is_refused_and_the_old_one_goes_on() -> None:
    p = table()
    was = p.public
    for wrong in ({"start": {"pink": 5}}, {"detectives": 7}, {"start": {"red": 5, "yellow": 5}}):
        with pytest.raises(BadSetup):
            p.table.new_game(**wrong)
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


# ---- devices --------------------------------------------------------------------------------------------------------


def test_without_switches_the_game_pauses_and_goes_on_by_what_then_stands() -> None:
    p = table()
    fault(p, "switches", "unplug", 100)
    assert state(p, "switches") == "lost"
    assert text(p) == "Paused: the switches are lost"
    p.hardware.press("table.confirm")
    carry(p, "red", 75, 3000)
    assert p.public.pawns["red"] == 74
    fault(p, "switches", "replug", 2000)
    assert state(p, "switches") == "ok"
    assert p.public.pawns["red"] == 75


def test_switches_that_come_back_while_one_of_them_was_chattering_end_the_pause() -> None:
    p = table()
    fault(p, "switch:100", "chatter", 2000)
    fault(p, "switch:100", "ok", 100)
    fault(p, "switches", "unplug", 1000)
    fault(p, "switches", "replug", 1500)
    assert state(p, "switches") == "degraded"
    assert text(p) == "Red moves"
    p.advance(12_000)
    assert state(p, "switches") == "ok"


def test_without_lamps_the_game_goes_on_and_they_shine_again_when_they_are_back() -> None:
    p = table()
    fault(p, "lamps", "unplug", 500)
    assert state(p, "lamps") == "lost"
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75
    assert not p.station_leds()
    fault(p, "lamps", "replug", 1000)
    assert state(p, "lamps") == "ok"
    assert p.station_leds()


def test_without_a_handset_the_game_pauses_only_in_mister_xs_turn() -> None:
    p = table()
    p.hardware.press("handset.up")
    fault(p, "handset", "unplug", 6000)
    assert state(p, "handset") == "lost"
    assert text(p) == "Red moves"
    for pawn, to in (("red", 75), ("yellow", 23), ("green", 15), ("blue", 49)):
        walk(p, pawn, to)
    assert text(p) == "Paused: the handset is lost"
    with pytest.raises(NotNow, match="paused"):
        p.table.play(MrXMove(Secret(197), "taxi"))
    fault(p, "handset", "replug", 1000)
    assert text(p) == "Mister X moves"
    p.choose(MrXMove(Secret(197), "taxi"))
    assert p.public.turn == ("red",)


def test_without_a_display_the_game_goes_on() -> None:
    p = table()
    p.hardware.fault("display", "unplug")
    walk(p, "red", 75)
    p.advance(1000)
    assert state(p, "display") == "lost"
    assert p.public.pawns["red"] == 75
    fault(p, "display", "replug", 1000)
    assert state(p, "display") == "ok"
    assert p.hardware.display.picture is not None


def test_without_keys_pawns_still_move_and_no_key_is_invented_when_they_are_back() -> None:
    p = table()
    carry(p, "red", 58, 1500)
    p.hardware.hold("table.bus")
    p.hardware.keys.unplug()
    p.advance(500)
    assert state(p, "keys") == "lost"
    release(p, "table.bus", 500)
    p.hardware.keys.replug()
    p.advance(1000)
    assert state(p, "keys") == "ok"
    assert p.public.pawns["red"] == 74
    press(p, "table.taxi")
    assert p.public.pawns["red"] == 58


def test_keys_that_are_lost_while_peek_is_held_leave_no_secret_on_the_screen() -> None:
    p = table(moved=False, handset={"privacy": "hold"})
    hold(p, "handset.peek")
    assert any("197" in line for line in p.handset_lines())
    p.hardware.keys.unplug()
    release(p, "handset.peek")
    assert not any("197" in line for line in p.handset_lines())
    p.hardware.keys.replug()
    p.advance(1000)
    assert not any("197" in line for line in p.handset_lines())


@pytest.mark.parametrize("seed", range(5))
def test_noise_on_the_line_changes_nothing(seed: int) -> None:
    p = SimulatedTable(seed=seed)
    p.table.new_game(detectives=4, start={MR_X: 197, **FIVE})
    p.set_up()
    go(p, 184)
    was = p.table.scene()
    p.hardware.fault("switches", "garbage")
    for _ in range(30):
        p.advance(5)
        assert p.table.scene().reading == Settled()
        assert p.public == was.view
    p.advance(1000)
    assert p.table.scene() == was
    assert state(p, "switches") == "ok"
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75


def test_a_slow_device_holds_up_nothing() -> None:
    p = table()
    for device in ("lamps", "handset", "display"):
        p.hardware.fault(device, "slow")
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75
    assert p.hardware.lamps.hurried == p.hardware.handset.hurried == p.hardware.display.hurried == 0


def test_the_log_tells_once_of_each_device_whose_state_has_changed(caplog: pytest.LogCaptureFixture) -> None:
    def told() -> list[str]:
        lines = [r.getMessage() for r in caplog.records if r.about["event"] == "device"]  # type: ignore[attr-defined]
        caplog.clear()
        return lines

    p = table()
    caplog.set_level("INFO", "yardboard")
    assert not told()
    fault(p, "lamps", "unplug", 5000)
    lamps = told()
    assert len(lamps) == 1
    assert lamps[0].startswith("lamps: lost: ")
    fault(p, "display", "unplug", 5000)
    (display,) = told()
    assert display.startswith("display: lost: ")
    fault(p, "lamps", "replug", 3000)
    assert told() == ["lamps: ok"]
    fault(p, "display", "replug", 3000)
    assert told() == ["display: ok"]
    fault(p, "lamps", "unplug", 2000)
    assert told() == lamps  # and again when it goes again


def test_the_health_report_names_every_device_with_its_state_and_reason() -> None:
    p = table()
    assert set(p.table.health()) == {"switches", "keys", "lamps", "handset", "display", "power", "journal"}
    assert {tuple(sorted(h)) for h in p.table.health().values()} == {("reason", "since", "state")}
    assert {h["state"] for h in p.table.health().values()} == {"ok"}
    fault(p, "lamps", "unplug", 100)
    lamps = p.table.health()["lamps"]
    assert "unplugged" in str(lamps["reason"])
    assert 0 < float(lamps["since"]) <= p.hardware.clock.now()


def test_where_nothing_changes_nothing_is_sent_but_a_refresh_now_and_then() -> None:
    p = Watched()
    p.advance(1000)
    before = len(p.lamps.frames), len(p.display.pictures), len(p.handset.pictures)
    p.advance(60_000)
    after = len(p.lamps.frames), len(p.display.pictures), len(p.handset.pictures)
    frames, shown, private = (b - a for a, b in zip(before, after, strict=True))
    assert 59 <= frames <= 61
    assert 59 <= shown <= 61
    assert 59 <= private <= 61


def test_closing_leaves_everything_dark() -> None:
    p = table()
    press(p, "handset.up")
    assert p.station_leds()
    p.close()
    assert not p.hardware.lamps.lit()
    assert p.hardware.handset.picture is None
    assert p.hardware.display.picture is None
