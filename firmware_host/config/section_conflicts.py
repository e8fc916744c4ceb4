"""Find the conflicts between sections of a configuration, the rules, the map, the wiring and the Pi."""

from __future__ import annotations

import random
from collections.abc import Mapping

from firmware_host.config import board_layout, device_checks, schema, wiring_faults
from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.drivers.no_driver import NONE
from firmware_host.config.drivers.registry import device
from firmware_host.config.section_reader import Draft
from firmware_host.players.person_names import BadNames, read_names
from firmware_host.players.seats import PERSON, BadSeats, read_seats
from firmware_host.rules.actions import MR_X
from firmware_host.rules.engines import system
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.network import Network
from firmware_host.rules.setup import Box, Ground, Wish, owners_of

_SECTION_OF = {"inputs": "switches.wiring", "lamps": "lamps.wiring", "log": "lamps.log"}


def check_game(draft: Draft, edition: Box | None) -> None:
    """Record conflicts that do not depend on the board; None: the edition could not be loaded."""
    if edition is not None:
        _check_owners(draft, edition)
        _check_people(draft, edition)
        _check_options(draft, edition)
    _check_timing(draft)
    _check_phone(draft)


def check_board(draft: Draft, edition: Box, ground: Ground) -> None:
    """Record conflicts of wiring, Pi and game with the map or the tiles."""
    _check_wiring(draft, edition, ground.board)
    _check_setup(draft, edition, ground)


def _check_owners(draft: Draft, edition: Box) -> None:
    """Check which player moves each pawn."""
    game: schema.GameSection = draft.sections["game"]
    if draft.sound("game", "owners", "players"):
        try:
            owners_of(edition, players=game.players or None, owners=game.owners)
        except BadSetup as error:
            draft.complain("game", "owners" if game.owners else "players", str(error).partition(": ")[2])


def _check_people(draft: Draft, edition: Box) -> None:
    """Check the seats and the names of people."""
    game: schema.GameSection = draft.sections["game"]
    if not draft.sound("game", "owners", "players"):
        return
    owners = owners_of(edition, players=game.players or None, owners=game.owners)
    if draft.sound("game", "seats"):
        try:
            read_seats(game.seats, owners, draft.sections["players"])
        except BadSeats as error:
            draft.complain("game", "seats", str(error).partition(": ")[2])
        _check_his_handset(draft)
    if draft.sound("game", "names"):
        try:
            read_names(game.names, owners)
        except BadNames as error:
            draft.complain("game", "names", str(error).partition(": ")[2])


def _check_his_handset(draft: Draft) -> None:
    """Check that Mister X has a screen if a person always plays Mister X."""
    game: schema.GameSection = draft.sections["game"]
    handset: schema.HandsetSection = draft.sections["handset"]
    if handset.driver == NONE and not handset.phone and game.seats.get(MR_X) == PERSON:
        what = (
            f'"{PERSON}" needs a handset, and [handset] driver = "{NONE}"; '
            'write a computer, such as "hard", or [handset] phone = true'
        )
        draft.complain("game", "seats", f"{MR_X}: {what}")


def _check_options(draft: Draft, edition: Box) -> None:
    game: schema.GameSection = draft.sections["game"]
    if draft.sound("game", "options"):
        try:
            system(edition).check(game.options)
        except BadSetup as error:
            draft.complain("game", "options", str(error).partition(": ")[2])


def _check_setup(draft: Draft, edition: Box, ground: Ground) -> None:
    """Check that a game can begin: a start for everyone (CL-04), a possible layout of tiles (DI-02)."""
    game: schema.GameSection = draft.sections["game"]
    if not draft.sound("game", "rules", "players", "owners", "options"):
        return
    wish = Wish(players=game.players or None, owners=game.owners, options=game.options)
    rules = system(edition)
    try:
        rules.check_ground(ground, game.players or edition.usual_players)
        rules.begin(rules.deal(ground, wish, random.Random(0)))  # noqa: S311 - only a test
    except BadSetup as error:
        for line in str(error).splitlines():
            if line.startswith("layout"):
                draft.complain("game", "options", line)
            else:
                draft.complain("map", "name", f"{ground.name}: {line.removeprefix(f'{ground.name}: ')}")


def _check_timing(draft: Draft) -> None:
    timing: schema.TimingSection = draft.sections["timing"]
    for shorter, longer in (("settle_ms", "slide_ms"), ("wrong_ms", "insist_ms")):
        least, value = getattr(timing, shorter), getattr(timing, longer)
        if draft.sound("timing", shorter, longer) and value < least:
            what = f"{value} ms is less than {shorter}, {least} ms; write at least {least}, or less there"
            draft.complain("timing", longer, what)


def _check_phone(draft: Draft) -> None:
    if draft.sections["handset"].phone and draft.sound("web", "serve") and not draft.sections["web"].serve:
        draft.complain(
            "handset", "phone", "a phone needs the table's pages; write serve = true in [web], or phone = false"
        )


def wirings(draft: Draft) -> dict[str, Mapping[int, int]]:
    """Return the three wirings by their names in `board_layout.lay`."""
    switches: schema.SwitchesSection = draft.sections["switches"]
    lamps: schema.LampsSection = draft.sections["lamps"]
    return {"inputs": switches.wiring, "lamps": lamps.wiring, "log": lamps.log}


def _check_wiring(draft: Draft, edition: Box, network: Network) -> None:
    given = wirings(draft)
    if not draft.sound("lamps", "wiring", "log"):
        given["log"] = {}  # judged by both others, one of which is faulty
    found = wiring_faults.faults(network, edition.windows, **given)
    for fault in found:
        draft.complain(_SECTION_OF[fault.wiring], fault.line, fault.what)
    if not found:
        _check_wires(draft, board_layout.lay(network, edition.windows, **given))


def _check_wires(draft: Draft, layout: BoardLayout) -> None:
    """Check a consistent wiring against the Pi, the drivers and the power supply."""
    dim = device_checks.current_fault(draft.sections, layout)
    if dim is not None and draft.sound("lamps", "max_milliamps"):
        draft.complain(*dim)
    spots = len(layout.stations)
    simulated = device("switches", draft.sections, layout).driver.simulated
    if simulated and draft.sound("switches", "driver") and sorted(layout.switch_inputs) != list(range(spots)):
        draft.complain(
            "switches.wiring", "", f"a simulated board has the inputs 0 to {spots - 1}, one for each station"
        )
    if draft.sound_in("pi", "switches", "lamps", "handset", "display", "keys"):
        for fault in device_checks.faults(draft.sections, layout):
            draft.complain(*fault)
