"""Find contradictions between a configuration's sections and the rules, map, wiring or Pi.

All functions are pure, but some record mistakes in a draft.

A board must be simulated as a whole or not at all. `device_faults` finds a conflict before anything is soldered. Each
driver (`firmware_host.config.drivers`) knows what its device uses.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlsplit

from firmware_host.config import board_layout, schema
from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.drivers.driver import NONE, ConfiguredDevice, DeviceFault, Sections
from firmware_host.config.drivers.registry import DEVICES, device, devices
from firmware_host.config.person_names import BadNames, read_names
from firmware_host.config.section_reader import Draft
from firmware_host.players.seats import PERSON, BadSeats, read_seats
from firmware_host.rules.actions import MR_X
from firmware_host.rules.engines import system
from firmware_host.rules.errors import BadMap, BadSetup
from firmware_host.rules.network import Network
from firmware_host.rules.setup import Box, Ground, Wish, owners_of
from hardware.current_limit import IDLE
from hardware.raspberry_pi.pin_conflicts import Claim, PinUse, SpiUse, find_conflicts
from hardware.raspberry_pi.pinout import SPI0_SELECTS

_ORDER = ("pi", *DEVICES)


def claims(sections: Sections, layout: BoardLayout) -> list[Claim]:
    """Return the pins and buses of the header that each device uses, in the order of the sections."""
    found = [claim for device in devices(sections, layout) for claim in device.driver.claims(device)]
    plain = {claim.pin for claim in found if isinstance(claim, PinUse)}
    return [_without_selects(claim, plain) for claim in found]


def _without_selects(claim: Claim, plain: Collection[int]) -> Claim:
    """Return a device's pins, for lamps on SPI0 without the chip selects if other devices use those."""
    lamps = isinstance(claim, SpiUse) and claim.steady and claim.device == "0.0"
    if lamps and isinstance(claim, SpiUse) and not set(SPI0_SELECTS).isdisjoint(plain):
        return replace(claim, selects=False)
    return claim


def longest_transfers(sections: Sections, layout: BoardLayout) -> dict[str, int]:
    """Return the longest transfer on each SPI device, in bytes."""
    needs = [device.driver.needs(device) for device in devices(sections, layout)]
    return {spi: size for each in needs for spi, size in each.transfers.items()}


def screen_chips(sections: Sections, layout: BoardLayout) -> tuple[str, ...]:
    """Return the driver chip of each screen, the handset's first."""
    needs = [device.driver.needs(device) for device in devices(sections, layout)]
    return tuple(each.screen for each in needs if each.screen)


def device_faults(sections: Sections, layout: BoardLayout, *, partial: bool = False) -> list[DeviceFault]:
    """Return the faults of a board's devices.

    Conflicts on the header are reported only if there is no other fault, and a mix of real and simulated devices is
    reported alone. If `partial`, the last chips of the chain may be missing.
    """
    every = devices(sections, layout)
    real = [device for device in every if device.driver.real]
    mixed = [device for device in every if device.driver.simulated] if real else []
    if mixed:
        what = f'is "sim" although [{real[0].name}] is real; name a real driver here, or "sim" in every section'
        return [DeviceFault(device.name, "driver", what) for device in mixed]
    found = [fault for device in real for fault in _faults_of(device, partial=partial)]
    if real and not found:
        found = [_as_device_fault(line) for line in find_conflicts(claims(sections, layout), sections["pi"].model)]
    return sorted(found, key=lambda fault: _ORDER.index(fault.section.partition(".")[0]))


def _as_device_fault(line: str) -> DeviceFault:
    """Return a conflict on the header as a fault of the key with which its line begins, else of [pi]."""
    named = re.match(r"\[([\w.]+)\] (\w+): ", line)
    return DeviceFault(named[1], named[2], line[named.end() :]) if named else DeviceFault("pi", "", line)


def current_fault(sections: Sections, layout: BoardLayout) -> DeviceFault | None:
    """Return a fault if dark lamps alone use up the limit on current, else None."""
    lamps = sections["lamps"]
    count = max(layout.lamps, sum(lamps.strips)) + sum(lamps.dead)
    limit, dark = lamps.max_milliamps, math.ceil(count * IDLE)
    if limit > dark:
        return None
    what = f"{limit} mA; a chain of {count} lamps draws {dark} mA when dark; write more than that"
    return DeviceFault("lamps", "max_milliamps", what)


def _faults_of(device: ConfiguredDevice, *, partial: bool) -> Iterator[DeviceFault]:
    """Yield a device's faults, among them stations on inputs that its switches do not have."""
    found = list(device.driver.faults(device))
    yield from found
    inputs = device.driver.inputs(device)
    if device.name != "switches" or (found and not inputs) or any(one.section == "switches.wiring" for one in found):
        return
    wired = zip(device.layout.stations, device.layout.switch_inputs, strict=True)
    lacking = {station: number for station, number in wired if number not in inputs}
    end = max(inputs.start, inputs.stop)
    if partial and device.driver.with_chips:
        lacking = {station: number for station, number in lacking.items() if number < end}
    if lacking:
        beyond = [f"{station} on {number}" for station, number in lacking.items()]
        shown = ", ".join(beyond[:5]) + (f" and {len(beyond) - 5} more" if len(beyond) > 5 else "")
        has = f"the inputs {inputs.start} to {inputs.stop - 1}" if inputs else "no input for a reed"
        few = device.driver.few_inputs if max(lacking.values()) >= end else ""
        what = f"station {shown}; this driver has {has}" + (f"; {few}" if few else "; write one of these")
        yield DeviceFault("switches.wiring", "", what)


_SECTION_OF = {"inputs": "switches.wiring", "lamps": "lamps.wiring", "log": "lamps.log"}


def check_game(draft: Draft, edition: Box | None) -> None:
    """Record conflicts that do not depend on the board. `edition` is None if it could not be loaded."""
    if edition is not None:
        _check_owners(draft, edition)
        _check_people(draft, edition)
        _check_options(draft, edition)
    timing: schema.TimingSection = draft.sections["timing"]
    for shorter, longer in (("settle_ms", "slide_ms"), ("wrong_ms", "insist_ms")):
        least, value = getattr(timing, shorter), getattr(timing, longer)
        if draft.sound("timing", shorter, longer) and value < least:
            right = f"write {longer} = {least} or more, or {shorter} = {value} or less"
            what = f"{value} ms is less than {shorter}, {least} ms; {right}"
            draft.complain("timing", longer, what)
    if draft.sections["handset"].phone and draft.sound("web", "serve") and not draft.sections["web"].serve:
        draft.complain(
            "handset", "phone", "a phone needs the table's pages; write serve = true in [web], or phone = false"
        )
    if draft.sections["web"].owner and draft.sound("web", "serve") and not draft.sections["web"].serve:
        draft.complain("web", "owner", "the owner's page needs the table's pages; write serve = true, or owner = false")
    mqtt: schema.MqttSection = draft.sections["mqtt"]
    if mqtt.ca_file and urlsplit(mqtt.url).scheme == "mqtt":
        what = f'has no effect with url = "{mqtt.url}"; write mqtts:// there, or leave this key out'
        draft.complain("mqtt", "ca_file", what)
    if mqtt.password_file and not mqtt.user:
        draft.complain(
            "mqtt",
            "password_file",
            'a password needs a user, and user is empty; write user = "NAME", or delete password_file',
        )
    if draft.sections["web"].metrics and draft.sound("web", "serve") and not draft.sections["web"].serve:
        draft.complain("web", "metrics", "metrics need the table's pages; write serve = true, or metrics = false")


def check_board(draft: Draft, edition: Box, ground: Ground, *, partial: bool = False) -> None:
    """Record conflicts between the ground (a map or tiles) and the wiring, the Pi or the game.

    `partial` means the same as in `device_faults`.
    """
    layout = _wired_layout(draft, edition, ground.board)
    if layout is not None:
        _check_wires(draft, layout, partial=partial)
    _check_setup(draft, edition, ground)


def _check_owners(draft: Draft, edition: Box) -> None:
    """Check the assignment of pawns to players."""
    game: schema.GameSection = draft.sections["game"]
    if draft.sound("game", "owners", "players"):
        try:
            owners_of(edition, players=game.players or None, owners=game.owners)
        except BadSetup as error:
            draft.complain("game", "owners" if game.owners else "players", str(error).partition(": ")[2])


def _check_people(draft: Draft, edition: Box) -> None:
    """Check the configured seats, and the configured names of people."""
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
    """Check that Mister X has a screen if a person may play Mister X."""
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
    """Check that a game can begin: a start for each pawn (CL-04), or a possible layout of tiles (DI-02)."""
    game: schema.GameSection = draft.sections["game"]
    if not (draft.sound("game", "rules", "players", "owners", "options") and draft.sound("map", "name")):
        return
    added = draft.sections["map"].add
    faults = without_added = _setup_faults(game, edition, ground)
    if faults and added and isinstance(ground, Network) and draft.sound("map", "add", "remove"):
        with suppress(BadMap):
            without_added = _setup_faults(game, edition, ground.changed(remove=added))
    for line in faults:
        if line.startswith("layout"):
            draft.complain("game", "options", line)
        else:
            what = f"{ground.name}: {line.removeprefix(f'{ground.name}: ')}"
            draft.complain("map", "name" if line in without_added else "add", what)


def _setup_faults(game: schema.GameSection, edition: Box, ground: Ground) -> list[str]:
    """Return why no game can begin on a board, a line for each reason."""
    wish = Wish(players=game.players or None, owners=game.owners, options=game.options)
    rules = system(edition)
    try:
        rules.check_ground(ground, game.players or edition.usual_players)
        rules.begin(rules.deal(ground, wish, random.Random(0)))  # noqa: S311 - only a test
    except BadSetup as error:
        return str(error).splitlines()
    return []


def wirings(draft: Draft) -> dict[str, Mapping[int, int]]:
    """Return the three wirings as keyword arguments for `board_layout.lay_out_board`."""
    switches: schema.SwitchesSection = draft.sections["switches"]
    lamps: schema.LampsSection = draft.sections["lamps"]
    return {"inputs": switches.wiring, "lamps": lamps.wiring, "log": lamps.log}


def _wired_layout(draft: Draft, edition: Box, network: Network) -> BoardLayout | None:
    """Return the layout of a wiring. If the wiring has faults, record them and return None."""
    given = wirings(draft)
    if not draft.sound("lamps", "wiring", "log"):
        given["log"] = {}  # its faults would follow from those of the other two
    on_gpios = draft.sections["switches"].driver == "gpio"
    found = board_layout.faults(network, edition.windows, **given, on_gpios=on_gpios)
    for fault in found:
        draft.complain(_SECTION_OF[fault.wiring], fault.line, fault.what)
    return None if found else board_layout.lay_out_board(network, edition.windows, **given)


def _check_wires(draft: Draft, layout: BoardLayout, *, partial: bool) -> None:
    """Check a valid wiring against the Pi, the drivers and the power supply."""
    dim = current_fault(draft.sections, layout)
    if dim is not None and draft.sound("lamps", "max_milliamps"):
        draft.complain(*dim)
    spots = len(layout.stations)
    simulated = device("switches", draft.sections, layout).driver.simulated
    beyond = [(row, wired) for row, wired in zip(layout.stations, layout.switch_inputs, strict=True) if wired >= spots]
    if simulated and draft.sound("switches", "driver") and beyond:
        what = f"a simulated board has no input {beyond[0][1]}; write 0 to {spots - 1}, one for each station"
        draft.complain("switches.wiring", str(beyond[0][0]), what)
    if draft.sound_in("pi", "switches", "lamps", "handset", "display", "keys"):
        for fault in device_faults(draft.sections, layout, partial=partial):
            draft.complain(*fault)
