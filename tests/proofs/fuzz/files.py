"""Files that people write: configurations, maps, tile sets and boxes. Each is accepted, or all faults are reported."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from unittest.mock import patch

from firmware_host.config import loader, shipped_files, toml_file
from firmware_host.config.toml_file import ConfigError
from firmware_host.rules import engines
from firmware_host.rules.data import map_file
from firmware_host.rules.dice import tiles
from firmware_host.rules.engines import system
from firmware_host.rules.errors import BadEdition, BadMap, BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Ground, Wish
from tests.proofs.fuzz.target import BrokenPromise, Target, Try

_NAME = "x.toml"


def _seeds(*names: str) -> list[bytes]:
    return [(shipped_files.folder() / f"{name}.toml").read_bytes() for name in names]


def _words(seeds: list[bytes]) -> list[bytes]:
    """Return every name, text and number in the inputs."""
    found = {word for seed in seeds for word in re.findall(rb'[a-z_]+ = |"[^"\n]*"|\[[a-z._]+\]|\b\d+\b', seed)}
    return sorted(found)[:200]


def _target(
    name: str, seeds: list[bytes], read: Callable[[str], None], refusals: tuple[type[Exception], ...]
) -> Target:
    def one(data: bytes) -> bool:
        try:
            read(data.decode("utf-8", "replace"))
        except refusals as error:
            if _NAME not in str(error):
                raise BrokenPromise(f"the message does not say which file: {error}") from error
            return False
        return True

    @contextmanager
    def opened() -> Iterator[Try]:
        # What a file names beside itself is the same every time.
        with (
            patch.object(shipped_files, "load_ground", cache(shipped_files.load_ground)),
            patch.object(shipped_files, "load_edition", cache(shipped_files.load_edition)),
        ):
            yield one

    return Target(name, seeds, _words(seeds), opened)


def _config(text: str) -> None:
    loader.summary(loader.parse(text, _NAME, folder=shipped_files.folder()))


def _play(ground: Ground, rules: str) -> None:
    """Play a few moves on a ground, if it can be played on at all."""
    chance = random.Random(1)
    played = shipped_files.load_edition(rules)
    try:
        setup = system(played).deal(ground, Wish(), chance)
    except BadSetup:
        return
    game = Game(setup)
    for _ in range(8):
        if game.public.outcome is not None:
            break
        game.play(game.roll(chance) or chance.choice(game.legal))


def _map(text: str) -> None:
    _play(map_file.parse("x", toml_file.toml(text, _NAME), _NAME), "junior")


def _tiles(text: str) -> None:
    _play(tiles.parse("x", toml_file.toml(text, _NAME), _NAME), "dice")


def _box(text: str) -> None:
    engines.parse("x", toml_file.toml(text, _NAME), _NAME)


CONFIG = _target("config", _seeds("junior-gpio", "dice-matrix"), _config, (ConfigError,))
MAP = _target("map", _seeds("maps/junior"), _map, (ConfigError, BadMap))
TILES = _target("tiles", _seeds("tiles/yardboard"), _tiles, (ConfigError, BadMap))
BOX = _target(
    "box", _seeds(*(f"editions/{name}" for name in shipped_files.edition_names())), _box, (ConfigError, BadEdition)
)
