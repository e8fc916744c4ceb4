"""Nothing in a report tells where Mister X is or was, nor what he pressed, nor what his screen showed."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.cli import main
from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.config.loader import Config, load
from firmware_host.maintenance.bug_report import gather, public_tape
from firmware_host.recording.recording_wording import TENTH, Timeline, public_part
from firmware_host.recording.tape import (
    Drawn,
    End,
    Entry,
    LoopPass,
    Lost,
    Now,
    ReadyAnswer,
    Sample,
    Shown,
    Wall,
    Written,
)
from firmware_host.recording.tape_file import Tape
from firmware_host.rules.actions import MrXMove, PawnMove
from tests.amount import amount
from tests.recording.recorded_tables import SteadyKeys, config_of, recorded
from tests.table.alike import Alike, drawn
from tests.table.all_hands import AllHands, begin, by_keys
from tests.table.cases import BEGINNERS, CASES, US, Case, canaries
from tests.table.onlooker import hidden_stations

HANDSET_BITS = sum(1 << bit for bit, name in enumerate(KEYS) if name.startswith("handset."))


def acted(pair: Alike, side: int, config: Config, tape: Path) -> set[str]:
    """One of two games that look alike, played by hand and recorded; gives the stations that nobody could know of."""
    met: set[int] = set()
    hidden: set[int] = set()
    with recorded(config, tape, seed=pair.seed, kind=SteadyKeys, begun=False) as simulated:
        begin(simulated, pair.case, pair.start[side])
        hands = AllHands(simulated, pair.seed, by_keys)
        for steps in pair.script:
            hands.carry_out(steps[side], in_the_open=steps[0] == steps[1])
            met |= {step.to for step in steps if isinstance(step, PawnMove)}
            hidden |= hidden_stations(simulated, met)
            met |= {move.to for move in (*simulated.public.moves, *simulated.public.open_moves)}
    return set(map(str, hidden - met))


def made_public(tape: Path) -> bytes:
    with tape.open("rb") as file:
        return public_tape(Tape(file, tape.name), tape.name)


def on(content: bytes) -> list[Entry]:
    return list(Tape(io.BytesIO(content), "public").entries)


@pytest.mark.parametrize("case", [case for case in CASES if case.players == 4 or case is BEGINNERS], ids=str)
@pytest.mark.long_but_first
def test_games_that_differ_only_in_what_is_hidden_make_the_same_public_tape_to_the_last_byte(
    case: Case, tmp_path: Path
) -> None:
    config = config_of(tmp_path, case.rules)
    pair = drawn(config, case, 1, windows=5 if case is US else 3)
    tapes = [tmp_path / f"{side}.tape" for side in (0, 1)]
    for side in (0, 1):
        acted(pair, side, config, tapes[side])
    one, two = (made_public(tape) for tape in tapes)
    assert one == two
    assert len(on(one)) > 200
    secret = [{entry.content for entry in _all(tape) if isinstance(entry, Shown) and entry.track == "handset"}
              for tape in tapes]  # fmt: skip
    assert secret[0] != secret[1] or case.rules == "junior"


def _all(tape: Path) -> list[Entry]:
    with tape.open("rb") as file:
        return list(Tape(file, tape.name).entries)


def test_only_what_everyone_sees_is_on_a_public_tape(tmp_path: Path) -> None:
    config = config_of(tmp_path, "us")
    acted(drawn(config, US, 3, windows=5), 0, config, tmp_path / "a.tape")
    tape = Tape(io.BytesIO(made_public(tmp_path / "a.tape")), "public")
    assert {*tape.notes} == {"session", "devices"}
    entries = list(tape.entries)
    assert {type(entry) for entry in entries} == {Now, Sample, Shown, End}
    assert {entry.track for entry in entries if isinstance(entry, Shown)} == {"lamps", "display"}
    assert not any(e.microseconds % TENTH for e in entries if isinstance(e, Now))
    for track in ("switches", "keys", "lamps", "display"):
        told = [entry for entry in entries if isinstance(entry, Sample | Shown) and entry.track == track]
        assert all(one != two for one, two in pairwise(told)), f"{track}: told again, though nothing has changed"
    pressed = 0
    for entry in entries:
        if isinstance(entry, Sample) and entry.track == "keys":
            pressed |= entry.mask
    assert pressed
    assert not pressed & HANDSET_BITS
    held = [entry.mask for entry in _all(tmp_path / "a.tape") if isinstance(entry, Sample) and entry.track == "keys"]
    assert any(mask & HANDSET_BITS for mask in held), "he did press"


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"(?<![\d.])\d+(?![\d.]*\d)", text))


def test_no_file_of_a_report_names_a_hidden_station(tmp_path: Path) -> None:
    parsed = canaries(US.rules, tmp_path)
    path = tmp_path / "canaries-table.toml"
    path.write_text(f'[game]\nrules = "{US.rules}.toml"\n[map]\nname = "canaries.toml"\n', encoding="utf-8")
    config = load(path)
    assert config.network.stations.keys() == parsed.network.stations.keys()
    tape = tmp_path / "a.tape"
    hidden = acted(drawn(config, US, 5, windows=5), 0, config, tape)
    assert len(hidden) > 5
    parts, *_ = gather(path, tape)
    assert {"versions.txt", "config.toml", "check.txt", "doctor.txt", "public.tape"} <= {*parts}
    told = {name: text.decode("utf-8", "replace") for name, text in parts.items() if not name.startswith("config/")}
    told["the tape in words"] = "\n".join(in_words(parts["public.tape"], config))
    told["its notes"] = str(Tape(io.BytesIO(parts["public.tape"]), "public").notes["devices"])
    for name, text in told.items():
        assert not hidden & _numbers(text), name
    assert len(_numbers(told["the tape in words"])) > 50


PASSWORDS = """
[mqtt]
url = "mqtt://ada:TIGER-lily:1@broker.local"
# url = 'mqtts://ada:TIGER/lily:2@broker.local'
password = "TIGER"
mqtt_PASSWORD='TIGER # 3'
# my password = TIGER
password_file = "secrets/mqtt"
user = "ada"
"""


@pytest.mark.parametrize("config", [PASSWORDS, PASSWORDS + "[", "[mqtt]\n# password=TIGER\nuser = 'ada'\n"])
def test_no_password_that_was_written_into_a_configuration_is_in_a_report(config: str, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(config, encoding="utf-8")
    parts, lacking, mistakes = gather(path, None)
    said = "\n".join([*(part.decode("utf-8", "replace") for part in parts.values()), *lacking, *mistakes])
    assert "TIGER" not in said
    assert "ada" in said
    assert ('password_file = "secrets/mqtt"' in said) == (config[:2] != "[m")


def in_words(content: bytes, config: Config) -> Iterator[str]:
    yield from Timeline(config.layout, KEYS).lines(iter(on(content)))


def test_the_journal_would_tell_and_is_left_out(tmp_path: Path) -> None:
    """A session that goes on with a game begins with all that was done in it: on the tape, and in no report."""
    config, journal = config_of(tmp_path), tmp_path / "journal.sqlite"
    for name in ("a", "b"):
        with recorded(config, tmp_path / f"{name}.tape", journal=journal) as simulated:
            simulated.set_up()
            if name == "a":
                simulated.choose(next(c for c in simulated.private.choices.value if isinstance(c, MrXMove)))
    with (tmp_path / "b.tape").open("rb") as file:
        kept = json.loads(Tape(file, "b").notes["journal"])
    assert f'"to":{json.loads(kept[1][2])["to"]}' in kept[1][2]
    assert "mr_x" in kept[0][2]
    content = made_public(tmp_path / "b.tape")
    assert "journal" not in Tape(io.BytesIO(content), "public").notes
    assert not any(isinstance(entry, Wall | Written | Drawn) for entry in on(content))


SECRETS: st.SearchStrategy[Entry] = st.one_of(
    st.builds(LoopPass),
    st.builds(Wall, st.floats(allow_nan=False)),
    st.builds(Drawn, st.integers(0, 9), st.integers(0, 9)),
    st.builds(Written, st.just("")),
    st.builds(Shown, st.just("handset"), st.none() | st.binary(max_size=3)),
    st.builds(ReadyAnswer, st.sampled_from(("handset", "lamps", "display")), st.booleans()),
    st.builds(Lost, st.just("handset"), st.text(max_size=5)),
)
PUBLIC: st.SearchStrategy[Entry] = st.one_of(
    st.builds(Sample, st.just("switches"), st.integers(0, 7)),
    st.builds(Sample, st.just("keys"), st.integers(0, 31)),
    st.builds(Shown, st.sampled_from(("lamps", "display")), st.binary(max_size=2)),
    st.builds(Lost, st.sampled_from(("switches", "lamps", "display", "keys")), st.just("why")),
)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.lists(PUBLIC, max_size=4)), max_size=6),
    st.data(),
)
@settings(max_examples=amount(20, 60), deadline=None)
def test_whatever_is_hidden_between_what_is_seen_leaves_no_trace(
    seen: list[tuple[int, list[Entry]]], data: st.DataObject
) -> None:
    """His keys, his screen, chance, and by how much a pass came late because of them."""

    def told(*, hidden: bool) -> list[Entry]:
        entries: list[Entry] = [Now(7)]
        time = 0
        for tenths, public in seen:
            time += tenths * TENTH
            entries.append(Now(7 + time + (data.draw(st.integers(0, TENTH - 1)) if hidden else 0)))
            for entry in public:
                if hidden and not isinstance(entry, Lost):  # the loss of a device is told right after it was tried
                    entries += data.draw(st.lists(SECRETS, max_size=3))
                if hidden and isinstance(entry, Sample) and entry.track == "keys":
                    entry = Sample("keys", entry.mask | data.draw(st.integers(0, 31)) << 5)  # noqa: PLW2901
                entries.append(entry)
        return list(public_part(iter(entries), KEYS))

    assert told(hidden=True) == told(hidden=False)


def test_a_report_is_one_file_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, tape, out = config_of(tmp_path), tmp_path / "a.tape", tmp_path / "out.zip"
    with recorded(config, tape) as simulated:
        simulated.advance(3000)
    words = ["report", "--config", config.source, "--tape", str(tape)]
    with pytest.raises(SystemExit) as ended:
        main([*words, str(out)])
    assert ended.value.code == 0
    assert out.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(out) as pack:
        assert pack.testzip() is None
        names = set(pack.namelist())
    assert {"versions.txt", "config.toml", "check.txt", "doctor.txt", "public.tape"} <= names
    said = capsys.readouterr().out
    assert all(name in said for name in names)
    assert "Check it before you send it" in said
