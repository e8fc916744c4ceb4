"""The simulated table in the browser, recorded: each of its starts makes a tape that can be run again."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.cli import main
from firmware_host.config.loader import Config, load, simulator
from firmware_host.config.toml_file import ConfigError
from firmware_host.recording.recorded_session import Tapes, recording
from firmware_host.recording.replay_recording import replay
from firmware_host.recording.tape import Note, TapeError
from firmware_host.recording.tape_file import Tape
from firmware_host.referee.referee import NotNow
from firmware_host.rules.actions import Pass
from firmware_host.rules.errors import BadSetup
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import InvitePhone
from firmware_host.ui.drawing.public_display import invitation
from firmware_host.web.seats.qr_modules import small_qr_modules
from tests.daemon.phone_room import WITHOUT_SCREEN
from tests.recording.recorded_tables import config_of, entries, play
from tests.table.cases import shipped
from tests.web.programs import Page, Program


def table(folder: Path, config: Config | None = None) -> SimulatedTable:
    tapes = Tapes(folder / "evening.tape", "20300101-120000", lambda _: None)
    return SimulatedTable(config or simulator(), seed=3, journal=folder / "journal.sqlite", taping=tapes, resume=False)


def assert_alike(tape: Path) -> int:
    """Run a tape again; gives its passes."""
    with tape.open("rb") as file:
        went = replay(Tape(file, tape.name), tape.name)
    assert (went.difference, went.failure, went.broken) == (None, "", "")
    return went.passes


def test_games_that_are_begun_from_the_page_one_after_another_are_on_one_tape(tmp_path: Path) -> None:
    simulated = table(tmp_path)
    simulated.new_game(players=4)
    play(simulated, moves=3)
    with pytest.raises(BadSetup):
        simulated.new_game(players=17)
    simulated.new_game("beginners", players=4)
    simulated.set_up()
    simulated.close()
    assert [path.name for path in tmp_path.glob("*.tape")] == ["evening.tape"]
    assert assert_alike(tmp_path / "evening.tape") > 1000


def test_what_mister_x_chooses_on_his_page_is_on_the_tape(tmp_path: Path) -> None:
    simulated = table(tmp_path)
    simulated.new_game(players=4)
    simulated.set_up()
    with pytest.raises(NotNow):
        simulated.choose_from_page(Pass())
    simulated.choose_from_page(simulated.private.choices.value[0])
    simulated.advance(2000)
    assert len(simulated.public.log) == 1
    simulated.close()
    assert assert_alike(tmp_path / "evening.tape") > 200


def test_the_code_for_mister_xs_phone_is_on_the_tape_and_on_the_screen_that_is_run_again(tmp_path: Path) -> None:
    simulated = table(tmp_path)
    simulated.new_game(players=4)
    simulated.set_up()
    simulated.do(InvitePhone(small_qr_modules("http://10.0.0.1:8080/seat#token")))
    for key in ("back", "up", "up", "select"):
        simulated.hardware.press(f"handset.{key}")
        simulated.advance(500)
    assert simulated.handset_lines()[0] == "My phone"
    simulated.close()
    assert assert_alike(tmp_path / "evening.tape") > 200


def test_where_he_has_no_screen_the_code_is_on_the_display_that_is_run_again(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(WITHOUT_SCREEN)
    simulated = table(tmp_path, load(tmp_path / "table.toml"))
    simulated.new_game(players=4)
    simulated.set_up()
    simulated.advance(1000)
    code = small_qr_modules("http://10.0.0.1:8080/seat#token")
    simulated.do(InvitePhone(code))
    simulated.advance(500)
    assert simulated.hardware.display is not None
    shown = simulated.hardware.display.picture
    assert shown is not None
    assert shown.tobytes() == invitation(code).tobytes()
    simulated.close()
    assert assert_alike(tmp_path / "evening.tape") > 200


def test_a_move_that_is_taken_back_past_a_computers_is_one_pass_of_the_tape(tmp_path: Path) -> None:
    simulated = table(tmp_path)
    simulated.new_game(detectives=3, start={"mr_x": 197, "red": 74, "yellow": 13, "green": 26}, seats={"2": "easy"})
    simulated.set_up()
    simulated.choose_from_page(simulated.private.choices.value[0])
    simulated.advance(2000)
    with pytest.raises(NotNow):
        simulated.take_back()
    simulated.hardware.slide([74, 46], 400, "red")
    for _ in range(200):
        simulated.advance(100)
        if len(simulated.actions) == 3:
            break
    taken_back_at = simulated.hardware.clock.now()
    simulated.take_back()
    assert simulated.hardware.clock.now() == taken_back_at
    assert len(simulated.actions) == 1
    simulated.advance(3000)
    simulated.close()
    assert assert_alike(tmp_path / "evening.tape") > 200
    notes = [entry.name for entry in entries(tmp_path / "evening.tape") if isinstance(entry, Note)]
    assert notes.count("take_back") == 2  # the first was refused


def test_hands_that_are_sure_of_the_switches_say_so_in_a_pass_of_the_tape(tmp_path: Path) -> None:
    simulated = table(tmp_path, shipped("dice"))
    simulated.new_game(players=3)
    simulated.advance(500)
    simulated.hardware.press("table.confirm")
    simulated.advance(5000)
    assert "CONFIRM" in simulated.prompt_text
    simulated.trust_switches(trusted=True)
    simulated.advance(5000)
    assert "CONFIRM" not in simulated.prompt_text
    simulated.trust_switches(trusted=True)  # as before
    simulated.trust_switches(trusted=False)
    simulated.advance(1000)
    simulated.close()
    assert assert_alike(tmp_path / "evening.tape") > 200
    notes = [entry for entry in entries(tmp_path / "evening.tape") if isinstance(entry, Note)]
    assert [note.text for note in notes if note.name == "trust"] == ["1", "0"]


def test_what_is_done_on_a_page_of_a_sleeping_table_is_in_a_pass_of_the_tape(tmp_path: Path) -> None:
    (tmp_path / "sleepy.toml").write_text("[display]\nblank_after_s = 5\n", encoding="utf-8")
    simulated = table(tmp_path, load(tmp_path / "sleepy.toml"))
    simulated.new_game()
    simulated.advance(6000)
    assert not simulated.hardware.lamps.lit()
    simulated.touch()
    simulated.touch()  # within the same second
    simulated.advance(500)
    assert simulated.hardware.lamps.lit()
    simulated.close()
    assert assert_alike(tmp_path / "evening.tape") > 100
    notes = [entry.name for entry in entries(tmp_path / "evening.tape") if isinstance(entry, Note)]
    assert notes.count("touch") == 1


def test_another_board_and_the_power_that_comes_back_begin_a_tape_each(tmp_path: Path) -> None:
    simulated = table(tmp_path)
    simulated.new_game()
    play(simulated, moves=2)
    simulated.new_game("dice", players=3, options={"experts": True})
    play(simulated, moves=3)
    simulated.cut_power()
    simulated.restart()
    simulated.advance(3000)
    simulated.close()
    tapes = sorted(path.name for path in tmp_path.glob("*.tape"))
    assert tapes == ["evening-2.tape", "evening-3.tape", "evening.tape"]
    assert all(assert_alike(tmp_path / tape) > 200 for tape in tapes)


def test_another_board_on_which_no_game_can_begin_leaves_no_tape_and_the_first_goes_on(tmp_path: Path) -> None:
    simulated = table(tmp_path)
    simulated.new_game()
    with pytest.raises(BadSetup):
        simulated.new_game("dice", players=17)
    play(simulated, moves=2)
    simulated.close()
    assert [path.name for path in tmp_path.glob("*.tape")] == ["evening.tape"]
    assert assert_alike(tmp_path / "evening.tape") > 500


def test_another_board_whose_tape_cannot_begin_changes_nothing_and_the_first_goes_on(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    simulated = table(tmp_path, config)
    simulated.new_game()
    Path(config.source).write_text("[nonsense]", encoding="utf-8")
    with pytest.raises(ConfigError, match="unknown section"):
        simulated.new_game("dice")
    assert simulated.config is config
    simulated.new_game("classic")
    play(simulated, moves=2)
    simulated.close()
    assert [path.name for path in tmp_path.glob("*.tape")] == ["evening.tape"]
    assert assert_alike(tmp_path / "evening.tape") > 500


def test_a_table_that_is_taken_up_again_is_recorded_from_there(tmp_path: Path) -> None:
    simulated = table(tmp_path)
    simulated.new_game()
    play(simulated, moves=4)
    simulated.close()
    tapes = Tapes(tmp_path / "next.tape", "20300101-120000", lambda _: None)
    simulated = SimulatedTable(simulator(), seed=3, journal=tmp_path / "journal.sqlite", taping=tapes)
    assert simulated.table.game is not None
    play(simulated, moves=2)
    simulated.close()
    assert assert_alike(tmp_path / "next.tape") > 500


def test_a_tape_that_is_there_is_not_recorded_over(tmp_path: Path) -> None:
    (tmp_path / "evening.tape").touch()
    with pytest.raises(TapeError, match="exists already and is not overwritten"):
        table(tmp_path)


def test_starts_at_the_same_time_by_a_clock_that_was_set_back_have_a_tape_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    stamp = "20300101-120000"
    for _ in range(3):
        Tapes(None, stamp, lambda _: None).begin(simulator(), resume=False)
    config = config_of(tmp_path)
    with recording(config, None, resume=False, stamp=stamp, say=lambda _: None):
        tapes = sorted(path.name for path in (tmp_path / "tapes").iterdir())
    assert tapes == [f"{stamp}{number}.tape" for number in ("-2", "-3", "-4", "")]


def test_without_a_configuration_the_simulator_is_recorded_with_its_page(tmp_path: Path) -> None:
    with Program("record", "--port", "0", "evening.tape", home=tmp_path) as program:
        assert "It holds Mister X's secrets" in program.line("^Recording to ").string
        with Page(program.url(), "table") as page:
            page.ask("new_game", rules="junior")
            page.message("scene", lambda scene: scene["rules"] == "junior")
        assert program.end() == 0
    assert assert_alike(tmp_path / "evening.tape") > 0
    assert assert_alike(tmp_path / "evening-2.tape") > 0


@pytest.mark.parametrize("words", [["--port", "0"], ["--host", "127.0.0.1"]])
def test_where_the_pages_of_a_configuration_are_stands_in_it(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["record", "--config", str(tmp_path / "table.toml"), *words])
    assert ended.value.code == 2
    assert "a configuration has [web] host and port" in capsys.readouterr().err
