"""Load a configuration: read its file and check it against the rules, the map and the wiring.

`schema` defines the sections and keys of a file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from firmware_host.config import (
    board_layout,
    player_programs,
    schema,
    section_conflicts,
    section_reader,
    shipped_files,
    toml_file,
)
from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.drivers.driver import SIMULATED, ConfiguredDevice
from firmware_host.config.drivers.registry import DEVICES, devices
from firmware_host.config.schema import NAMED, SECTIONS
from firmware_host.config.section_reader import Draft
from firmware_host.config.toml_file import ConfigError
from firmware_host.rules.engines import player_counts
from firmware_host.rules.errors import BadEdition, BadMap
from firmware_host.rules.network import Network
from firmware_host.rules.setup import Box, Ground

DRIVERS = 'write its drivers, such as [switches] driver = "shift-register" (`yardboard config new` has whole boards)'
"""How to describe a real board, for errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """A whole, checked configuration. `load` or `parse` creates it.

    Attributes:
        source: the file's name, for messages.
        folder: the folder from which relative paths start.
        players: the programs that can play at the table, by name.
        ground: the map in play, with links added and removed, or the tiles.
        boxes: the rules that can be played on this ground, the configured ones first.
        layout: the station on each spot, with its switch and lamps.
        says_simulated: whether the file itself says `driver = "sim"`, instead of only omitting all drivers.
    """

    source: str
    folder: Path
    game: schema.GameSection
    map: schema.MapSection
    board: schema.BoardSection
    pi: schema.PiSection
    switches: schema.SwitchesSection
    lamps: schema.LampsSection
    handset: schema.HandsetSection
    display: schema.DisplaySection
    keys: schema.KeysSection
    timing: schema.TimingSection
    journal: schema.JournalSection
    web: schema.WebSection
    mqtt: schema.MqttSection
    log: schema.LogSection
    players: Mapping[str, schema.PlayerSection]
    # These follow from the sections above and the map's file, and networks are never equal: compare the rest.
    ground: Ground = field(repr=False, compare=False)
    boxes: tuple[Box, ...] = field(repr=False, compare=False)
    layout: BoardLayout = field(repr=False, compare=False)
    says_simulated: bool = field(repr=False, compare=False)

    @property
    def sections(self) -> dict[str, Any]:
        """The sections of the configuration by name."""
        return {name: getattr(self, name) for name in SECTIONS}

    @property
    def devices(self) -> dict[str, ConfiguredDevice]:
        """The board's devices by section, each with its driver."""
        return {device.name: device for device in devices(self.sections, self.layout)}

    @property
    def simulated(self) -> bool:
        """Whether the board is simulated and needs no hardware."""
        return self.devices["switches"].driver.simulated

    @property
    def simulation(self) -> str:
        """Why the board is simulated, with advice for a real one. "" for a real board."""
        if not self.simulated:
            return ""
        why = '[switches] driver = "sim" simulates the whole board'
        if not self.says_simulated:
            why = "names no device, so the whole board would be simulated"
        return f"{why}; {DRIVERS}"

    def require_devices(self) -> None:
        """Check that a configuration for a real table names a device or says that the board is simulated.

        Raises:
            ConfigError: the configuration does neither, like a file that a power cut has emptied.
        """
        if self.simulated and not self.says_simulated:
            right = ', or driver = "sim" under [switches] for a simulated table'
            raise ConfigError(f"{self.source}: {self.simulation}{right}")

    @property
    def edition(self) -> Box:
        """The rules of the configured game."""
        return self.boxes[0]

    @property
    def network(self) -> Network:
        """The network of the wired board: a printed map, or the spots of a board for tiles."""
        return self.ground.board

    def journal_file(self, environ: Mapping[str, str] = os.environ) -> Path:
        """Return the path of the journal. This creates nothing.

        Raises:
            ConfigError: the configuration gives no path and this user has no home folder.
        """
        if self.journal.path:
            return self.folder / self.journal.path
        return state_folder(environ) / "journal.sqlite"

    def private_folders(self) -> tuple[Path, ...]:
        """Return the folders that are always hidden from players' programs, with all their content.

        They are the folders of the configuration, the games, the tapes and the links to Mister X's page, the table's
        working folder, and the user's home.
        """
        folders = [self.folder.absolute(), Path.cwd()]
        with suppress(ConfigError):  # this user has no folder for them
            folders += [self.journal_file().absolute().parent, state_folder().absolute()]
        with suppress(RuntimeError):  # or no home
            folders.append(Path.home())
        return (*folders, *(Path(each) for each in os.environ.get("RUNTIME_DIRECTORY", "").split(":") if each))


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder for files that survive a restart: systemd's $STATE_DIRECTORY, else the user's.

    Raises:
        ConfigError: there is no $STATE_DIRECTORY and this user has no home folder.
    """
    given = environ.get("STATE_DIRECTORY", "").split(":")[0]  # systemd separates several by colons
    if given:
        return Path(given)
    own = environ.get("XDG_STATE_HOME", "")
    try:
        return Path(own if own.startswith("/") else "~/.local/state").expanduser() / "yardboard"
    except RuntimeError as error:
        what = "no $STATE_DIRECTORY and no home folder to keep the journal in; write the path of its file"
        raise ConfigError(f"[journal] path: {what}") from error


def load(path: str | Path, *, partial: bool = False) -> Config:
    """Load a configuration from a file.

    Args:
        path: the file.
        partial: as for `parse`.

    Raises:
        ConfigError: the file cannot be read or used; every mistake is listed.
    """
    path = Path(path)
    return parse(toml_file.contents(path), str(path), folder=path.parent, partial=partial)


def parse(
    content: str, source: str, *, folder: Path | None = None, partial: bool = False, find_programs: bool = True
) -> Config:
    """Load a configuration from a text in TOML.

    Args:
        content: the text.
        source: the name of the file, for messages.
        folder: the folder from which relative paths start; None for the working folder.
        partial: whether to accept a board that has only its first chips, too few for all stations.
        find_programs: whether the programs of players must be on this machine.

    Raises:
        ConfigError: the configuration cannot be used; every mistake is listed.
    """
    folder = folder or Path()
    data = toml_file.toml(content, source)
    draft = section_reader.read(SECTIONS, data, source, NAMED)
    player_programs.check_programs(draft, folder if find_programs else None)
    edition = _edition(draft, folder)
    section_conflicts.check_game(draft, edition)
    ground = None if edition is None else _ground(draft, edition, folder)
    if edition is not None and ground is not None:
        section_conflicts.check_board(draft, edition, ground, partial=partial)
    if draft.mistakes or edition is None or ground is None:
        raise ConfigError(*draft.mistakes)
    layout = board_layout.lay_out_board(ground.board, edition.windows, **section_conflicts.wirings(draft))
    boxes = _boxes(edition, ground)
    simulated = any(data.get(name, {}).get("driver") == SIMULATED for name in DEVICES)
    return Config(
        source=source,
        folder=folder,
        ground=ground,
        boxes=boxes,
        layout=layout,
        says_simulated=simulated,
        **draft.sections,
    )


def with_chips(config: Config, chips: int) -> Config:
    """Return the configuration as if only the first chips of its chain were fitted.

    Raises:
        ConfigError: its switches are not on a chain of chips, or the chain has fewer.
    """
    shorten = config.devices["switches"].driver.with_chips
    if shorten is None:
        raise ConfigError(
            f'{config.source}: [switches] driver = "{config.switches.driver}" reads no chain of chips; '
            "leave --chips out"
        )
    known = config.devices["switches"].settings.chips
    if chips > known:
        raise ConfigError(
            f"{config.source}: [switches] chips = {known}, so {chips} cannot be read; write --chips 1 to {known}"
        )
    return replace(config, switches=shorten(config.switches, chips))


def with_rules(config: Config, rules: str) -> Config:
    """Return the configuration for other rules, with their board and default options.

    Raises:
        ConfigError: no edition has this name, or its map cannot be loaded.
    """
    box = next((box for box in config.boxes if box.name == rules), None)
    try:
        box = box or shipped_files.load_edition(rules, config.folder)
        same = box.map == config.edition.map
        ground = config.ground if same else shipped_files.load_ground(box.map, config.folder)
    except (BadEdition, BadMap) as error:
        raise ConfigError(f"rules: {error}") from None
    if box == config.edition:
        return config
    seats = {seat: player for seat, player in config.game.seats.items() if not seat.isdecimal()}
    names = {seat: name for seat, name in config.game.names.items() if not seat.isdecimal()}
    game = replace(config.game, rules=rules, players=0, options={}, owners=(), seats=seats, names=names)
    layout = _other_log(config, box) if same else board_layout.lay_out_board(ground.board, box.windows)
    return replace(config, game=game, ground=ground, boxes=_boxes(box, ground), layout=layout)


def _other_log(config: Config, box: Box) -> BoardLayout:
    """Return the board's layout for a box with another number of log windows.

    If too few windows are wired for this box, return the configured layout.
    """
    log = {window: lamp for window, lamp in config.lamps.log.items() if window <= box.windows}
    if log and len(log) < box.windows:
        return config.layout
    wiring = {"inputs": config.switches.wiring, "lamps": config.lamps.wiring, "log": log}
    return board_layout.lay_out_board(config.ground.board, box.windows, **wiring)


def _boxes(own: Box, ground: Ground) -> tuple[Box, ...]:
    """Return the rules that can be played on a board: the configured ones, and shipped ones that fit."""
    shipped = (shipped_files.load_edition(name) for name in shipped_files.edition_names())
    others = (box for box in shipped if box.map == own.map and box.name != own.name)
    return (own, *(box for box in others if player_counts(box, ground)))


def simulator() -> Config:
    """Return the shipped configuration of the simulator, with every key at its default."""
    return load(shipped_files.folder() / "simulator.toml")


def summary(config: Config) -> str:
    """Describe a valid configuration in one line."""
    stations, links = len(config.network.stations), len(config.network.links)
    drivers = {config.switches.driver, config.lamps.driver, config.handset.driver, config.keys.driver}
    parts = (
        config.game.rules,
        f"{config.game.players or config.edition.usual_players} players",
        f"{config.network.name} with " + (f"{stations} stations and {links} links" if links else f"{stations} places"),
        f"{len(config.layout.switch_inputs)} inputs",
        f"{config.layout.lamps} lamps",
        f"driven by {', '.join(sorted(drivers))}",
        *([f"shown on {config.web.host}, port {config.web.port}"] if config.web.serve else []),
        *(["a phone for Mister X"] if config.handset.phone else []),
    )
    return f"{config.source}: good: {', '.join(parts)}"


def _edition(draft: Draft, folder: Path) -> Box | None:
    """Return the configured edition, or None after recording why it cannot be loaded."""
    game: schema.GameSection = draft.sections["game"]
    if not draft.sound("game", "rules"):
        return None
    try:
        return shipped_files.load_edition(game.rules, folder)
    except BadEdition as error:
        _complain_lines(draft, "game", "rules", error)
        return None


def _ground(draft: Draft, edition: Box, folder: Path) -> Ground | None:
    """Return the tiles, or the map with its changed links. If the changes are wrong, return the map alone.

    Return None after recording why neither can be loaded.
    """
    wanted: schema.MapSection = draft.sections["map"]
    if not draft.sound("map", "name"):
        return None
    try:
        ground = shipped_files.load_ground(wanted.name or edition.map, folder)
    except (BadMap, ConfigError) as error:
        if wanted.name:
            _complain_lines(draft, "map", "name", error)
        else:
            draft.complain("game", "rules", f"{draft.sections['game'].rules}: map: {error}")
        return None
    if wanted.name in shipped_files.ground_names() and not player_counts(edition, ground):
        fitting = [name for name in shipped_files.ground_names() if _fits(edition, name)]
        if fitting:
            what = f"{wanted.name} is not a map for {edition.name}; write {' or '.join(fitting)}, or delete name"
            draft.complain("map", "name", what)
    if not wanted.add and not wanted.remove:
        return ground
    if not isinstance(ground, Network):
        for key in ("add", "remove"):
            if getattr(wanted, key):
                what = f"{ground.name} are tiles, and only a printed map's links can be changed; delete {key}"
                draft.complain("map", key, what)
        return ground
    try:
        return ground.changed(add=wanted.add, remove=wanted.remove)
    except BadMap as error:
        for line in str(error).splitlines():
            added = line.removeprefix(f"{ground.name}: ").startswith(("cannot add ", *map(str, wanted.add)))
            draft.complain("map", "add" if added else "remove", line)
        return ground


def _fits(edition: Box, name: str) -> bool:
    """Return whether these rules can be played on a shipped map or tile set."""
    return bool(player_counts(edition, shipped_files.load_ground(name)))


def _complain_lines(draft: Draft, section: str, key: str, error: Exception) -> None:
    for line in str(error).splitlines():
        draft.complain(section, key, line)
