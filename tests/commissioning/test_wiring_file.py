"""Writing what was learned: nothing else in a file changes, and no moment of a power cut leaves half of one."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.commissioning import wiring_file
from firmware_host.commissioning.wiring_file import Notes, WiringFile, with_wirings, write_in_place
from firmware_host.config.loader import load, parse
from firmware_host.config.toml_file import ConfigError

DICE = '[game]\nrules = "dice"\n'
STATIONS = tuple(parse(DICE, "dice.toml").network.stations)
LINES = {station: len(STATIONS) - 1 - place for place, station in enumerate(STATIONS)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "dice.toml"
    path.write_text(DICE, encoding="utf-8")
    return path


def book_of(path: Path, *, lamps: int = 49) -> WiringFile:
    return WiringFile(path, load(path), inputs=len(STATIONS), lamps=lamps)


# ---- the text ----


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "\n[switches.wiring]\n1 = 9\n2 = 8\n"),
        ("# mine", "# mine\n\n[switches.wiring]\n1 = 9\n2 = 8\n"),
        (
            "[switches.wiring]\n# s = i\n\n# of the lamps\n[lamps]  # x\n",
            "[switches.wiring]\n# s = i\n1 = 9\n2 = 8\n\n# of the lamps\n[lamps]  # x\n",
        ),
        ("[switches.wiring]\n\n# lamps\n[lamps]\n", "[switches.wiring]\n1 = 9\n2 = 8\n\n# lamps\n[lamps]\n"),
        ("[lamps]\n[switches.wiring] # y", "[lamps]\n[switches.wiring] # y\n1 = 9\n2 = 8\n"),
        (
            "[switches.wiring]\n2=0x1 # a\n# b\n1 =  2\n\n[game]\nplayers=4",
            "[switches.wiring]\n2=8 # a\n# b\n1 =  9\n\n[game]\nplayers=4\n",
        ),
        ("[switches]\nwiring = {1 = 1, 2 = 2} # c\n", "[switches]\nwiring = {1 = 9, 2 = 8} # c\n"),
        ("[switches]\nwiring.1 = 1\nwiring.2 = 2\n# d\n", "[switches]\nwiring.1 = 9\nwiring.2 = 8\n# d\n"),
        ("[switches]\nwiring = {}\n[lamps]\n", "[switches]\n[lamps]\n\n[switches.wiring]\n1 = 9\n2 = 8\n"),
        (
            "[switches]\n[lamps]\n[switches.wiring]\n# e\n\n[game]\n",
            "[switches]\n[lamps]\n[switches.wiring]\n# e\n1 = 9\n2 = 8\n\n[game]\n",
        ),
        ("[lamps]\r\n# f\r\n", "[lamps]\r\n# f\r\n\r\n[switches.wiring]\r\n1 = 9\r\n2 = 8\r\n"),
        ("[switches.wiring]\r\n# g\r\n\r\n[game]\r\n", "[switches.wiring]\r\n# g\r\n1 = 9\r\n2 = 8\r\n\r\n[game]\r\n"),
    ],
)
def test_lines_are_put_into_a_section_and_all_else_stays(before: str, after: str) -> None:
    assert with_wirings(before, {"switches": {2: 8, 1: 9}}) == after


SECTIONS = ["[switches]", "[lamps]", "[lamps.wiring]", "[lamps.log]", "[switches.wiring]", "[game]"]
NOISE = st.sampled_from(["", "# a comment", "   # with blanks", "#"])


@given(
    order=st.permutations(SECTIONS).flatmap(lambda s: st.integers(0, len(s)).map(lambda n: s[:n])),
    noise=st.lists(st.lists(NOISE, max_size=3), min_size=7, max_size=7),
    what=st.lists(st.sampled_from(["switches", "lamps", "log"]), min_size=1, unique=True),
)
def test_whatever_the_file_is_the_lines_are_in_it_and_without_them_it_is_the_same(
    order: list[str], noise: list[list[str]], what: list[str]
) -> None:
    text = "".join(
        "".join(f"{line}\n" for line in (*([head] if head else []), *lines))
        for head, lines in zip(["", *order], noise, strict=False)
    )
    lines = {1: 1001, 2: 1002}
    after = with_wirings(text, dict.fromkeys(what, lines))
    expected = tomllib.loads(text)
    for name in what:
        section, key = {"switches": ("switches", "wiring"), "lamps": ("lamps", "wiring"), "log": ("lamps", "log")}[name]
        expected.setdefault(section, {})[key] = {"1": 1001, "2": 1002}
    assert tomllib.loads(after) == expected
    rest = [line for line in after.splitlines() if line not in ("1 = 1001", "2 = 1002")]
    assert rest[: len(text.splitlines())] == text.splitlines()
    assert all(not line or line in SECTIONS for line in rest[len(text.splitlines()) :])


# ---- the files ----


def test_a_file_is_replaced_in_one_step_and_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    kept, link = tmp_path / "kept", tmp_path / "link"
    kept.write_text("old")
    kept.chmod(0o640)
    link.symlink_to(kept)
    with kept.open() as reader:
        write_in_place(link, "new")
        assert reader.read() == "old"
    assert (kept.read_text(), link.is_symlink(), stat.S_IMODE(kept.stat().st_mode)) == ("new", True, 0o640)
    assert sorted(tmp_path.iterdir()) == [kept, link]


@pytest.mark.parametrize("broken", ["fsync", "fchmod", "replace"])
def test_a_file_that_cannot_be_written_stays_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def no_space(*_: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    book = book_of(path)
    book.notes.switches.update(LINES)
    book.save()
    files = {file: file.read_bytes() for file in path.parent.iterdir()}
    assert len(files) == 2
    with monkeypatch.context() as patch:
        patch.setattr(Path if broken == "replace" else os, broken, no_space)
        with pytest.raises(OSError, match="No space"):
            book.adopt(["switches"])
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == files
    assert book_of(path).notes.switches == LINES


def test_a_byte_order_mark_of_the_configuration_stays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(f"\ufeff{text}", encoding="utf-8")
    book = book_of(path)
    book.notes.switches.update(LINES)
    book.adopt(["switches"])
    assert path.read_text(encoding="utf-8") == f"\ufeff{with_wirings(text, {'switches': LINES})}"
    assert load(path).switches.wiring == LINES


def test_notes_are_read_as_they_were_written_and_leave_no_file_when_there_are_none(path: Path) -> None:
    book = book_of(path)
    assert book.path.name == "dice.learning.toml"
    assert not book.path.exists()
    book.notes.switches.update({7: 3, 2: 5})
    book.notes.log.update({1: 48})
    book.notes.nothing.update({4, 0})
    book.save()
    again = book_of(path)
    assert (again.notes, again.contradictions) == (Notes({2: 5, 7: 3}, {}, {1: 48}, {0, 4}), [])
    assert book.path.read_text(encoding="utf-8").endswith(
        "\n[lamps]\nnothing = [0, 4]  # dead, or behind no station and no window\n"
        "\n[switches.wiring]\n2 = 5\n7 = 3\n\n[lamps.log]\n1 = 48\n"
    )
    assert load(path).switches.wiring == {}  # a configuration that is being learned can be used
    for lines in (book.notes.switches, book.notes.log, book.notes.nothing):
        lines.clear()
    book.save()
    assert not book.path.exists()


def test_what_two_stations_are_said_to_have_is_struck_out_and_told(path: Path) -> None:
    book_of(path).path.write_text("[switches.wiring]\n1 = 3\n2 = 4\n5 = 3\n[lamps.wiring]\n1 = 7\n[lamps.log]\n2 = 7\n")
    book = book_of(path)
    assert book.notes == Notes(switches={2: 4})
    assert book.contradictions == [
        "input 3 is noted for station 1 and station 5: they are asked for again",
        "lamp 7 is noted for station 1 and window 2: they are asked for again",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "[switches.wiring]\n1 = 36\n",
            "[switches.wiring] 1 = 36: must be a row of this board and a number from 0 to 35",
        ),
        (
            "[switches.wiring]\n99 = 0\n",
            "[switches.wiring] 99 = 0: must be a row of this board and a number from 0 to ",
        ),
        (
            "[switches.wiring]\none = 0\n",
            "[switches.wiring] one = 0: must be a row of this board and a number from 0 to ",
        ),
        ("[lamps.log]\n1 = true\n", "[lamps.log] 1 = true: must be a row of this board and a number from 0 to "),
        ("[lamps]\nwiring = 3\n", "[lamps.wiring]: must be a section"),
        ("[lamps]\nnothing = [49]\n", "[lamps] nothing: must be a list of lamps, 0 to 48"),
        ("lamps = 3\n", "[lamps]: does not belong in this file"),
        ("[game]\nrules = 3\n", "[game] rules: does not belong in this file"),
        ("[game\n", "the heading does not end with"),
    ],
)
def test_notes_that_nobody_could_have_written_are_refused_with_their_place(path: Path, text: str, told: str) -> None:
    notes = path.with_suffix(".learning.toml")
    notes.write_text(text)
    with pytest.raises(ConfigError, match=r"dice\.learning\.toml") as caught:
        book_of(path)
    assert told in str(caught.value)
    assert notes.read_text() == text


@pytest.mark.parametrize(
    ("config", "what", "lines", "told"),
    [
        (DICE, "switches", {**LINES, 1: 40}, "input"),  # a simulated board has no input 40
        (DICE, "lamps", {**LINES, 1: 60}, "with this wiring lamp 73 would be used; there are lamps 0 to 48"),
        (
            DICE + "[lamps.log]\n" + "".join(f"{w} = {w}\n" for w in range(1, 14)),
            "lamps",
            LINES,
            "give the window another lamp",
        ),
        (DICE + '[switches]\ndriver = "hat"\n', "switches", LINES, "hat"),  # somebody else edited it meanwhile
        (DICE + "lamps = 3\n", "lamps", LINES, ""),
    ],
)
def test_what_would_make_a_bad_configuration_is_not_written(
    path: Path, config: str, what: str, lines: dict[int, int], told: str
) -> None:
    book = book_of(path)
    book.notes.of(what).update(lines)
    book.save()
    path.write_text(config, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        book.adopt([what])
    assert told in str(caught.value)
    assert path.read_text(encoding="utf-8") == config
    assert book.notes.of(what) == lines
    assert book.path.exists()


def test_lines_that_did_not_get_into_the_configuration_stay_in_the_notes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = book_of(path)
    book.notes.switches.update(LINES)
    monkeypatch.setattr(wiring_file, "with_wirings", lambda content, _: content)
    with pytest.raises(ConfigError, match="cannot be written into it"):
        book.adopt(["switches"])
    assert book.notes.switches == LINES
