"""Sessions that begin with something: a game in the journal, switches out of order, a time zone, a map of one's own."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

import pytest

from firmware_host.config import shipped_files
from firmware_host.config.loader import load, with_rules
from firmware_host.config.toml_file import ConfigError
from firmware_host.recording.recorded_session import SESSION, in_time_zone, read_session, session_of
from firmware_host.recording.replay_recording import replay
from firmware_host.recording.tape import BadTape, Note, ReadyAnswer, Written
from firmware_host.recording.tape_file import Tape, write_copy
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import StartGame
from firmware_host.table.inputs import STUCK_SWITCHES_FILE, StuckSwitchFile
from tests.recording.recorded_tables import BEGAN, alike, config_of, entries, play, recorded, replayed
from tests.table.slow_disk import COMMIT, SlowStore


def notes(tape: Path) -> dict[str, str]:
    with tape.open("rb") as file:
        return Tape(file, tape.name).notes


def without(tape: Path, *names: str, **others: str) -> Path:
    """The same tape with other notes."""
    kept = {name: text for name, text in notes(tape).items() if name not in names} | others
    changed = tape.with_name("changed.tape")
    with changed.open("wb") as file:
        write_copy([*(Note(*note) for note in kept.items()), *entries(tape)], file)
    return changed


def test_a_game_that_is_gone_on_with_is_on_the_tape(tmp_path: Path) -> None:
    journal, config = tmp_path / "journal.sqlite", config_of(tmp_path)
    for tape, moves in ((tmp_path / "a.tape", 4), (tmp_path / "b.tape", 3)):
        with recorded(config, tape, journal=journal) as simulated:
            play(simulated, moves=moves)
            done = len(simulated.table.journal.finished()) or len(simulated.actions)
        assert alike(replayed(tape)), tape
    assert done == 7
    assert json.loads(notes(tmp_path / "a.tape")["journal"]) == []
    kinds = [kind for _, kind, _ in json.loads(notes(tmp_path / "b.tape")["journal"])]
    assert kinds == ["begin", *["play"] * 4]
    another = without(tmp_path / "b.tape", journal="[]")
    assert replayed(another).difference is not None


def test_what_could_not_be_made_durable_cannot_when_it_is_played_again(tmp_path: Path) -> None:
    tape = tmp_path / "a.tape"
    with recorded(config_of(tmp_path), tape, journal=tmp_path / "journal.sqlite") as simulated:
        play(simulated, moves=1)
        disk = simulated.table.journal.store.store._connection
        disk.execute("PRAGMA query_only = ON")
        move = next(move for move in simulated.public.moves if move.to not in simulated.public.pawns.values())
        simulated.hardware.pick_up(move.pawn)
        simulated.advance(400)
        simulated.hardware.put(move.to, move.pawn)
        simulated.advance(700)
        if simulated.table.scene().asked:
            simulated.hardware.press(
                f"table.{move.ticket}" if len(simulated.table.scene().asked) > 1 else "table.confirm"
            )
        simulated.advance(3000)
        assert simulated.table.devices["journal"].state == "lost"
        disk.execute("PRAGMA query_only = OFF")
        simulated.advance(3000)
    troubles = [entry.trouble for entry in entries(tape) if isinstance(entry, Written)]
    assert any("read-only" in trouble for trouble in troubles)
    assert "" in troubles
    assert alike(replayed(tape)), replayed(tape)


def test_a_session_on_a_slow_disk_is_played_again_as_it_was(tmp_path: Path) -> None:
    tape = tmp_path / "a.tape"
    with recorded(config_of(tmp_path), tape) as simulated:
        store = simulated.table.journal.store
        store.store = slow = SlowStore(store.store, simulated.hardware.clock.now)
        slow.seconds = COMMIT
        play(simulated, moves=1)
        moves = [move for move in simulated.public.moves if move.to not in simulated.public.pawns.values()]
        simulated.hardware.pick_up(moves[0].pawn)
        simulated.advance(200)
        simulated.hardware.put(moves[0].to, moves[0].pawn)
        simulated.advance(800)
        simulated.hardware.press("table.taxi")
        simulated.advance(50)
        simulated.hardware.pick_up(moves[0].pawn)
        simulated.advance(3000)
    assert len(slow.waits) >= 2
    assert ReadyAnswer("store", yes=False) in list(entries(tape))
    assert alike(replayed(tape)), replayed(tape)


def test_switches_known_to_be_out_of_order_are_on_the_tape(tmp_path: Path) -> None:
    config, tape = config_of(tmp_path), tmp_path / "a.tape"
    board = f"{config.network.name}, sim, {len(config.layout.stations)} inputs"
    kept = StuckSwitchFile(tmp_path / STUCK_SWITCHES_FILE, board)
    kept.write(SwitchRegister.of({57: False}))
    with recorded(config, tape, journal=tmp_path / "journal.sqlite") as simulated:
        simulated.advance(2000)
        assert simulated.table.scene().ignored == {58}
    assert alike(replayed(tape))
    assert replayed(without(tape, "masks")).difference is not None


def test_the_time_on_the_display_is_that_of_where_it_was_recorded(tmp_path: Path) -> None:
    tape = tmp_path / "a.tape"
    with in_time_zone(-(3 * 3600 + 1800)), recorded(config_of(tmp_path), tape) as simulated:
        simulated.hardware.fault("lamps", "unplug")
        simulated.advance(3000)
    before = os.environ.get("TZ"), time.tzname
    assert alike(replayed(tape))
    assert (os.environ.get("TZ"), time.tzname) == before
    session = json.loads(notes(tape)[SESSION])
    assert session["zone"] == -12600
    session["zone"] = 7200
    went = replayed(without(tape, session=json.dumps(session)))
    assert went.difference is not None


def test_maps_and_rules_of_ones_own_go_along(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for rank, name in (("editions", "classic"), ("maps", "london")):
        text = (shipped_files.folder() / rank / f"{name}.toml").read_text(encoding="utf-8")
        (folder / f"my-{name}.toml").write_text(text, encoding="utf-8")
    path = tmp_path / "table.toml"
    path.write_text('[game] # mine\nrules = "mine/my-classic.toml"\n[map]\nname = "mine/my-london.toml"\n', "utf-8")
    config, tape = load(path), tmp_path / "a.tape"
    with recorded(config, tape) as simulated:
        play(simulated, moves=2)
    for file in (*folder.iterdir(), path):
        file.unlink()
    assert alike(replayed(tape))
    with tape.open("rb") as file:
        again = read_session(Tape(file, tape.name), tape.name).config()
    assert (again.edition.name, again.network.name) == ("my-classic", "my-london")


def test_a_tape_is_replayed_without_the_programs_that_played(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "bot").chmod(0o755)
    tape = tmp_path / "a.tape"
    with recorded(config_of(tmp_path, more='[players.bot]\ncommand = ["./bot"]\n'), tape):
        pass
    assert alike(replayed(tape))


@pytest.mark.parametrize("rules", ["beginners", "dice", "us"])
@pytest.mark.parametrize("name", ["london-spi", "own"])
def test_a_tape_of_other_rules_than_the_files_has_the_rest_of_the_configuration(
    name: str, rules: str, tmp_path: Path
) -> None:
    path = tmp_path / "table.toml"
    own = '[game]\ntake_back = false\ncoach = "advice"\nplayers = 4\nseats = { mr_x = "hard" }\n'
    path.write_text(own if name == "own" else shipped_files.configuration(name), encoding="utf-8")
    played = with_rules(load(path), rules)
    again = session_of(played, resume=True, now=BEGAN).config()
    assert (again.edition, again.layout, again.sections) == (played.edition, played.layout, played.sections)


def test_a_tape_cannot_reach_into_other_folders(tmp_path: Path) -> None:
    session = session_of(config_of(tmp_path), resume=True, now=BEGAN)
    for name in (
        "../sneaked.toml", "/tmp/sneaked.toml", "game/../../sneaked.toml", "game/a/b/c/sneaked.toml",  # noqa: S108 - is not written
        "sneaked.toml", "map/sneaked\0.toml", "map/sneaked\ud800.toml", f"map/{'ä' * 126}.toml", "game/.toml/",
    ):  # fmt: skip
        object.__setattr__(session, "files", {name: "nothing"})
        with pytest.raises(BadTape, match=r"names .*, which is not on the tape"):
            session.config()
    assert not list(tmp_path.rglob("sneaked*"))


@pytest.mark.parametrize("text", ['[game]\nrules = "{}"', '[map]\nname = "{}"', '[game]\nrules = "game/mine.toml"'])
def test_nothing_is_read_but_what_a_tape_brings_along(text: str, tmp_path: Path) -> None:
    """Of a tape from a stranger, a message would quote what stands in the file."""
    for name in ("/etc/secret.toml", "../secret.toml", "game/other.toml"):
        edition = (shipped_files.folder() / "editions" / "classic.toml").read_text(encoding="utf-8")
        edition = re.sub(r"(?m)^map = .*$", f'map = "{name}"', edition)
        session = session_of(config_of(tmp_path), resume=True, now=BEGAN)
        object.__setattr__(session, "files", {"game/mine.toml": edition})
        object.__setattr__(session, "text", text.format(name))
        with pytest.raises(BadTape, match=f"names {re.escape(repr(name))}, which is not on the tape"):
            session.config()
        session = session_of(config_of(tmp_path), resume=True, now=BEGAN)
        object.__setattr__(session, "rules", name)
        with pytest.raises(BadTape, match=f"names {re.escape(repr(name))}, which is not on the tape"):
            session.config()


@pytest.mark.parametrize(
    ("note", "text", "said"),
    [
        ("session", '{"zone": Infinity}', "lacks a description of its table"),
        ("session", '{"zone": 86401}', "lacks a description of its table"),
        ("session", '{"text": "\\ud800"}', "lacks a description of its table"),
        ("session", '{"files": {"game/x.toml": "\\ud800"}}', "lacks a description of its table"),
        ("devices", '{"inputs": Infinity}', "lacks a description of its table's devices"),
        ("devices", '{"lamps": -1}', "lacks a description of its table's devices"),
        ("devices", '{"handset": [1e9, 1e9]}', "lacks a description of its table's devices"),
        ("session", "[" * 100_000, "lacks a description of its table"),
        ("devices", "[" * 100_000, "lacks a description of its table's devices"),
        ("journal", "[" * 100_000, "lacks its table's game"),
        ("journal", '[[1.0, "begin", "' + "[" * 100_000 + '"]]', "its table's game cannot be replayed"),
        ("journal", "[[1" + "0" * 400 + ', "begin", "{}"]]', "lacks its table's game"),
        ("session", None, "lacks a description of its table"),
        ("session", '{"software": "9", "colour": "blue"}', "lacks a description of its table"),
        ("devices", '{"places": 7}', "lacks a description of its table's devices"),
        ("journal", "[[1, 2]]", "lacks its table's game"),
        ("journal", '[[1.0, "play", "no JSON"]]', "its table's game cannot be replayed"),
    ],
)
def test_a_tape_without_what_is_needed_is_refused(note: str, text: str | None, said: str, tmp_path: Path) -> None:
    tape = tmp_path / "a.tape"
    with recorded(config_of(tmp_path), tape):
        pass
    if text is not None and text.startswith("{") and note in notes(tape):
        text = json.dumps(json.loads(notes(tape)[note]) | json.loads(text))
    changed = without(tape, note) if text is None else without(tape, **{note: text})
    with pytest.raises(BadTape, match=said):
        replayed(changed)


def test_a_configuration_that_the_software_cannot_use_any_more_is_told(tmp_path: Path) -> None:
    tape = tmp_path / "a.tape"
    with recorded(config_of(tmp_path), tape):
        pass
    session = json.loads(notes(tape)[SESSION]) | {"text": "[lamps]\nbrightness = 7\n"}
    with pytest.raises(ConfigError, match="brightness"):
        replayed(without(tape, session=json.dumps(session)))


def test_recording_changes_nothing_at_the_table(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    plain = SimulatedTable(config, seed=3)
    plain.do(StartGame())
    play(plain, 3, moves=4)
    with recorded(config, tmp_path / "a.tape", seed=3) as taped:
        play(taped, 3, moves=4)
        assert taped.hardware.lamps.frame == plain.hardware.lamps.frame
        assert taped.hardware.handset.pixels == plain.hardware.handset.pixels
    assert taped.actions == plain.actions
    assert taped.hardware.clock.microseconds == plain.hardware.clock.microseconds


def test_a_replay_of_a_torn_tape_is_alike_up_to_there(tmp_path: Path) -> None:
    tape, torn = tmp_path / "a.tape", tmp_path / "torn.tape"
    with recorded(config_of(tmp_path), tape) as simulated:
        simulated.advance(5000)
    torn.write_bytes(tape.read_bytes()[:-30])
    with torn.open("rb") as file:
        went = replay(Tape(file, "torn.tape"), "torn.tape")
    assert went.difference is None
    assert went.broken.startswith("it breaks off within block ")
    assert 3.0 < went.seconds < 5.0
