"""A setup as it is written down: played on by the same box and on the same ground alone (ED-01)."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.config import shipped_files
from firmware_host.rules.engines import system
from firmware_host.rules.errors import BadRecord
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Box, Setup, Wish

BOXES = shipped_files.edition_names()


def settled(name: str, seed: int = 1) -> tuple[Box, Setup]:
    box = shipped_files.load_edition(name)
    return box, system(box).deal(shipped_files.load_ground(box.map), Wish(), random.Random(seed))


@pytest.mark.parametrize("name", BOXES)
def test_a_setup_of_every_box_is_read_back_as_it_was_written(name: str) -> None:
    box, setup = settled(name)
    again = Setup.from_record(setup.to_record(), box, shipped_files.load_ground(box.map))
    assert again.to_record() == setup.to_record()
    assert Game(again).public.pawns == Game(setup).public.pawns


@pytest.mark.parametrize("name", BOXES)
def test_ed_01_a_game_does_not_go_on_once_its_boxs_file_says_something_else(name: str) -> None:
    box, setup = settled(name)
    other = replace(box, windows=box.windows - 1)
    with pytest.raises(BadRecord, match=f"edition '{name}' that said something else"):
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
