"""The configuration: how a file becomes a `Config`, and its reference for people.

What may stand in a file is said in `sections`; here it is read, and checked against the rules, the map and the wiring.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from firmware_host import settings, sheet, shelf
from firmware_host.rules.actions import MR_X
from firmware_host.rules.edition import Edition, deal, owners_of
from firmware_host.rules.errors import BadEdition, BadMap, BadSetup
from firmware_host.rules.network import Network
from firmware_host.rules.position import Options
from firmware_host.sections import (
    SECTIONS,
    Board,
    Display,
    Game,
    Handset,
    Journal,
    Keys,
    Lamps,
    Log,
    Map,
    Switches,
    Timing,
)
from firmware_host.settings import ConfigError, Draft
from firmware_host.sheet import Sheet
from hardware.current import IDLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """A whole configuration, checked. `load` or `parse` makes one.

    Attributes:
        source: the file's name, for messages.
        folder: where paths in it start from.
        edition: the rules in play.
        network: the map in play, with links added and removed.
        sheet: which station lies on which spot, with its switch and lamps.
    """

    source: str
    folder: Path
    game: Game
    map: Map
    board: Board
    switches: Switches
    lamps: Lamps
    handset: Handset
    display: Display
    keys: Keys
    timing: Timing
    journal: Journal
    log: Log
    # Both follow from the sections above and the map's file, and networks are never equal: compare the rest.
    edition: Edition = field(repr=False, compare=False)
    network: Network = field(repr=False, compare=False)
    sheet: Sheet = field(repr=False, compare=False)

    def journal_file(self, environ: Mapping[str, str] = os.environ) -> Path:
        """Where the journal lies; nothing is created.

        Raises:
            ConfigError: no place is given and this user has no home folder.
        """
        if self.journal.path:
            return self.folder / self.journal.path
        return state_folder(environ) / "journal.sqlite"


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder for what must outlast a restart: systemd's $STATE_DIRECTORY, else the user's own.

    Raises:
        ConfigError: there is no $STATE_DIRECTORY and this user has no home folder.
    """
    given = environ.get("STATE_DIRECTORY", "").split(":")[0]  # systemd lists several with colons between
    if given:
        return Path(given)
    try:
        return Path("~/.local/state/yardboard").expanduser()
    except RuntimeError as error:
        what = "no $STATE_DIRECTORY and no home folder to keep the journal in; write the path of its file"
        raise ConfigError(f"[journal] path: {what}") from error


def load(path: str | Path) -> Config:
    """The configuration in a file.

    Raises:
        ConfigError: it cannot be read or used; every mistake is listed.
    """
    path = Path(path)
    return parse(settings.contents(path), str(path), folder=path.parent)


def parse(content: str, source: str, *, folder: Path | None = None) -> Config:
    """The configuration that a TOML text holds.

    Args:
        content: the text.
        source: its file's name, for messages.
        folder: where paths in it start from; the working folder if None.

    Raises:
        ConfigError: it cannot be used; every mistake is listed.
    """
    folder = folder or Path()
    draft = settings.read(SECTIONS, settings.toml(content, source), source)
    edition = _edition(draft, folder)
    _check_timing(draft)
    network = None if edition is None else _network(draft, edition, folder)
    if edition is not None and network is not None:
        _check_wiring(draft, edition, network)
        _check_cards(draft, edition, network)
    if draft.mistakes or edition is None or network is None:
        raise ConfigError(*draft.mistakes)
    laid = sheet.lay(network, edition.windows, **_wirings(draft))
    return Config(source=source, folder=folder, edition=edition, network=network, sheet=laid, **draft.sections)


def playing(config: Config, rules: str) -> Config:
    """The same table for other rules: with their map, and their own options at their defaults.

    Raises:
        ConfigError: there are no such rules, or they do not fit the configuration's players or wiring.
    """
    game = replace(config.game, rules=rules, options={}, owners=())
    edition = _known(rules, config)
    network = config.network if config.network.name == edition.map else shelf.load_map(edition.map)
    if edition == config.edition:
        return config
    laid = sheet.lay(network, edition.windows)
    return replace(config, game=game, edition=edition, network=network, sheet=laid)


def _known(rules: str, config: Config) -> Edition:
    try:
        return shelf.load_edition(rules, config.folder)
    except BadEdition as error:
        raise ConfigError(f"{config.source}: [game] rules: {error}") from None


def simulator() -> Config:
    """The shipped configuration of the simulator, with every key at its default.

    Raises:
        ConfigError: yardboard's own files are missing or damaged.
    """
    return load(shelf.folder() / "simulator.toml")


def summary(config: Config) -> str:
    """What there is to say about a good configuration, in one line."""
    drivers = {config.switches.driver, config.lamps.driver, config.handset.driver, config.keys.driver}
    parts = (
        config.game.rules,
        f"{config.game.players} players",
        f"{config.network.name} with {len(config.network.stations)} stations and {len(config.network.links)} links",
        f"{config.sheet.inputs} inputs",
        f"{config.sheet.lamps} lamps",
        f"driven by {', '.join(sorted(drivers))}",
    )
    return f"{config.source}: good: {', '.join(parts)}"


def _edition(draft: Draft, folder: Path) -> Edition | None:
    """The edition to be played, with who moves which pawn and the options checked against it."""
    game: Game = draft.sections["game"]
    if not draft.sound("game", "rules"):
        return None
    try:
        edition = shelf.load_edition(game.rules, folder)
    except BadEdition as error:
        for line in str(error).splitlines():
            draft.complain("game", "rules", line)
        return None
    if draft.sound("game", "owners", "players"):
        try:
            owners_of(edition, players=game.players, owners=game.owners)
        except BadSetup as error:
            draft.complain("game", "owners" if game.owners else "players", str(error).partition(": ")[2])
    if draft.sound("game", "options"):
        try:
            Options.of(edition, game.options)
        except BadSetup as error:
            draft.complain("game", "options", str(error).partition(": ")[2])
    return edition


def _check_cards(draft: Draft, edition: Edition, network: Network) -> None:
    """Everyone draws a start card (CL-04)."""
    game: Game = draft.sections["game"]
    if not draft.sound("game", "rules", "players") or game.players not in edition.seats:
        return
    lost = sorted({*edition.cards, *edition.mr_x_cards} - network.stations.keys())
    if lost:
        draft.complain("game", "rules", f"{edition.name}: cards: there is no station {lost[0]} on {network.name}")
        return
    try:
        pawns = (*edition.owners(game.players), MR_X)
        deal(edition, network, pawns, random.Random(0))  # noqa: S311 - only whether the cards suffice
    except BadSetup as error:
        draft.complain("map", "name", f"{network.name}: {error}")


def _check_timing(draft: Draft) -> None:
    timing: Timing = draft.sections["timing"]
    for shorter, longer in (("settle_ms", "slide_ms"), ("wrong_ms", "insist_ms")):
        least, value = getattr(timing, shorter), getattr(timing, longer)
        if draft.sound("timing", shorter, longer) and value < least:
            what = f"{value} ms is less than {shorter}, {least} ms; write at least {least}, or less there"
            draft.complain("timing", longer, what)


def _network(draft: Draft, edition: Edition, folder: Path) -> Network | None:
    """The map, with links added and removed; where these are wrong, the map without them, to check on with."""
    wanted: Map = draft.sections["map"]
    if not draft.sound("map", "name"):
        return None
    try:
        network = shelf.load_map(wanted.name or edition.map, folder)
    except (BadMap, ConfigError) as error:
        _complain_of_map(draft, "name", error)
        return None
    try:
        return network.changed(add=wanted.add, remove=wanted.remove)
    except BadMap as error:
        _complain_of_map(draft, "add, remove", error)
        return network


def _complain_of_map(draft: Draft, key: str, error: Exception) -> None:
    for line in str(error).splitlines():
        draft.complain("map", key, line)


_TABLES = {"inputs": "switches.wiring", "lamps": "lamps.wiring", "log": "lamps.log"}


def _wirings(draft: Draft) -> dict[str, Mapping[int, int]]:
    """The three wirings by the names that the sheet gives them."""
    switches: Switches = draft.sections["switches"]
    lamps: Lamps = draft.sections["lamps"]
    return {"inputs": switches.wiring, "lamps": lamps.wiring, "log": lamps.log}


def _check_wiring(draft: Draft, edition: Edition, network: Network) -> None:
    wirings = _wirings(draft)
    if not draft.sound("lamps", "wiring", "log"):
        wirings["log"] = {}  # it is judged by both of these, and one of them is not what it should be
    found = sheet.faults(network, edition.windows, **wirings)
    for fault in found:
        draft.complain(_TABLES[fault.wiring], fault.line, fault.what)
    if not found:
        _check_wires(draft, sheet.lay(network, edition.windows, **wirings))


def _check_wires(draft: Draft, laid: Sheet) -> None:
    """What the drivers and the power supply make of a wiring that is sound in itself."""
    dark = math.ceil(laid.lamps * IDLE)
    limit = draft.sections["lamps"].max_milliamps
    if draft.sound("lamps", "max_milliamps") and limit <= dark:
        what = f"{limit} mA; a chain of {laid.lamps} lamps draws {dark} mA when dark; write more than that"
        draft.complain("lamps", "max_milliamps", what)
    spots = len(laid.stations)
    if draft.sections["switches"].driver == "sim" and sorted(laid.switch_inputs) != list(range(spots)):
        draft.complain(
            "switches.wiring", "", f"a simulated board has the inputs 0 to {spots - 1}, one for each station"
        )


def reference() -> str:
    """Every section and key, explained for a terminal: what to write, unit, bounds, default and meaning."""
    return settings.explained(SECTIONS)


def reference_markdown() -> str:
    """The same as docs/configuration.md holds it."""
    return f"{_PREFACE}\n{settings.explained_in_markdown(SECTIONS)}"


_PREFACE = """\
# Configuration

<!-- Written by firmware_host.config.reference_markdown(): change sections.py and write it anew. -->

A configuration is a TOML file. Whatever is left out has its default, so an empty file is the simulator with
five players on London. `yardboard check-config FILE` lists everything that is wrong with a file. The complete
example with all defaults is `config/simulator.toml`.
"""
