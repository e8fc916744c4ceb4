"""Actions and set-ups written down and read back; a setup is played on by the same box and on the same ground alone."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from firmware_host.config import shipped_files
from firmware_host.rules.actions import Action, Double, MrXMove, PawnMove, from_record, to_record
from firmware_host.rules.engines import system
from firmware_host.rules.errors import BadRecord
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Box, Setup, Wish
from tests.rules.boards import CLASSIC, lanes, london, random_setup, setup_of, small

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)
every_action = (
    st.builds(PawnMove, st.text(), st.integers(), st.text())
    | st.builds(MrXMove, st.builds(Secret, st.integers()), st.text())
    | st.just(Double())
)
ACTION_FIELDS = st.sampled_from(["kind", "pawn", "to", "ticket", "half"])


@given(every_action)
def test_every_action_is_read_back_as_it_was_written(action: Action) -> None:
    assert from_record(to_record(action)) == action
    assert from_record(json.loads(json.dumps(to_record(action)))) == action


@given(every_action, ACTION_FIELDS, values)
def test_a_record_with_one_field_spoilt_is_read_whole_or_refused(action: Action, field: str, value: Any) -> None:
    record = to_record(action) | {field: value}
    try:
        read = from_record(record)
    except BadRecord:
        return
    assert to_record(read) == record


@given(every_action, ACTION_FIELDS)
def test_a_record_with_a_field_missing_is_refused(action: Action, field: str) -> None:
    record = to_record(action)
    assume(field in record)
    del record[field]
    with pytest.raises(BadRecord):
        from_record(record)


@given(st.dictionaries(st.sampled_from(["kind", "pawn", "to", "ticket"]) | st.text(max_size=5), values, max_size=5))
def test_any_other_record_is_refused_as_a_bad_record_and_by_nothing_else(record: dict[str, Any]) -> None:
    try:
        read = from_record(record)
    except BadRecord:
        return
    assert to_record(read) == record


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"kind": "fly"},
        {"kind": ["move"]},
        {"kind": "move", "to": "46", "ticket": "taxi"},
        {"kind": "move", "to": True, "ticket": "taxi"},
        {"kind": "move", "to": 46.0, "ticket": "taxi"},
        {"kind": "move", "to": 46},
        {"kind": "double", "to": 46},
        {"kind": "pawn", "to": 46, "ticket": "taxi"},
        {"kind": "pawn", "pawn": 1, "to": 46, "ticket": "taxi"},
        {"kind": "move", "to": 46, "ticket": "taxi", "half": 1},
    ],
)
def test_these_records_are_bad_and_the_complaint_never_tells_a_station(record: dict[str, Any]) -> None:
    with pytest.raises(BadRecord) as refused:
        from_record(record)
    assert "46" not in str(refused.value)


# ---- set-ups ----


@given(st.integers(0, 5_000))
def test_every_setup_is_read_back_as_it_was_written(seed: int) -> None:
    board = london() if seed % 2 else lanes(seed)
    setup = random_setup(board, random.Random(seed))
    again = Setup.from_record(json.loads(json.dumps(setup.to_record())), CLASSIC, board.network)
    assert again == setup
    assert again.pawns == setup.pawns
    assert Game(again).public == Game(setup).public
    assert Game(again).private == Game(setup).private


SETUP_FIELDS = ("rules", "map", "owners", "start", "mr_x", "options")


@given(st.sampled_from(SETUP_FIELDS), values)
def test_a_setup_with_one_field_spoilt_is_read_whole_or_refused(field: str, value: Any) -> None:
    network = london().network
    record = setup_of(london(), 197, 29, 26, 50, x_fares="counted").to_record() | {field: value}
    try:
        read = Setup.from_record(record, CLASSIC, network)
    except BadRecord:
        return
    assert read.to_record() == record


@given(st.sampled_from(("owners", "start", "options")), st.sampled_from(("red", "x_fares", "log_windows", "")), values)
def test_a_setup_with_a_spoilt_entry_inside_never_gets_further_than_a_complaint(
    field: str, key: str, value: Any
) -> None:
    record = setup_of(london(), 197, 29, 26, 50, x_fares="counted").to_record()
    record[field] = record[field] | {key: value}
    try:
        read = Setup.from_record(record, CLASSIC, london().network)
    except BadRecord:
        return
    kinds = (str, int, bool) if field == "options" else (int,)
    assert all(type(inner) in kinds for inner in record[field].values())
    assert read.to_record() == record


def test_a_setup_whose_layout_is_no_text_is_refused() -> None:
    record = setup_of(london(), 197, 29, 26, 50).to_record() | {"layout": 5}
    with pytest.raises(BadRecord, match="setup: layout must be a text"):
        Setup.from_record(record, CLASSIC, london().network)


def test_a_setup_of_another_map_is_refused_by_name_and_by_content() -> None:
    setup = setup_of(london(), 197, 29, 26, 50)
    with pytest.raises(BadRecord, match="london"):
        Setup.from_record(setup.to_record(), CLASSIC, small("taxi 1-2").network)
    renamed = setup.to_record() | {"map": ["london", "0" * 16]}
    with pytest.raises(BadRecord, match="not the 'london'"):
        Setup.from_record(renamed, CLASSIC, london().network)


def test_a_bad_setup_record_never_tells_mister_x_start() -> None:
    record = setup_of(london(), 197, 29, 26, 50).to_record()
    for field in SETUP_FIELDS:
        spoilt = record | {field: None if field != "mr_x" else "197"}
        with pytest.raises(BadRecord) as refused:
            Setup.from_record(spoilt, CLASSIC, london().network)
        assert "197" not in str(refused.value)


# ---- the box and the ground of a setup (ED-01) ----


BOXES = shipped_files.edition_names()


def settled(name: str, seed: int = 1) -> tuple[Box, Setup]:
    box = shipped_files.load_edition(name)
    return box, system(box).deal(shipped_files.load_ground(box.map), Wish(), random.Random(seed))


@pytest.mark.parametrize("name", BOXES)
def test_ed_01_a_game_does_not_go_on_once_its_boxs_file_says_something_else(name: str) -> None:
    box, setup = settled(name)
    other = replace(box, windows=box.windows - 1)
    with pytest.raises(BadRecord, match=f"an earlier file of the edition '{name}'"):
        Setup.from_record(setup.to_record(), other, shipped_files.load_ground(box.map))


@pytest.mark.parametrize("name", BOXES)
def test_a_box_that_has_only_got_another_title_goes_on(name: str) -> None:
    box, setup = settled(name)
    assert Setup.from_record(setup.to_record(), replace(box, title="?"), shipped_files.load_ground(box.map)).pawns


@pytest.mark.parametrize("missing", ["box", "layout"])
def test_a_record_from_before_tiles_and_boxes_were_written_down_is_read(missing: str) -> None:
    box, setup = settled("classic")
    record: dict[str, Any] = setup.to_record()
    del record[missing]
    assert Setup.from_record(record, box, shipped_files.load_ground(box.map)).start == setup.start


def test_boxes_that_play_differently_have_different_digests_and_every_key_counts() -> None:
    boxes = [shipped_files.load_edition(name) for name in BOXES]
    assert len({box.digest for box in boxes}) == len(boxes)
    classic = shipped_files.load_edition("classic")
    for changed in ({"windows": 23}, {"order": "free"}, {"hand": (1, 1, 1)}, {"options": {}}, {"doubles": 3}):
        assert replace(classic, **changed).digest != classic.digest, changed
    assert replace(classic, options=dict(reversed(classic.options.items()))).digest == classic.digest
