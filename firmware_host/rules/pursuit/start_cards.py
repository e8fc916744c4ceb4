"""Draw a pursuit game's start cards, and check their number (CL-04, BE-01). Pure but for `chance`."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from firmware_host.rules.actions import MR_X
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.network import Network
from firmware_host.rules.pursuit.edition import Edition


def deal(
    edition: Edition,
    network: Network,
    pawns: Sequence[str],
    chance: random.Random,
    start: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Draw start stations for all pawns, Mister X's among them, from the edition's decks (CL-04, BE-01).

    Pawns with a station in `start` keep it; the others draw without replacement. Pure but for `chance`, which is
    advanced.

    Raises:
        BadSetup: there are too few start cards.
    """
    stations = dict(start or {})
    theirs, his = _decks(edition, network, len(pawns) - (MR_X in pawns))
    decks: dict[tuple[int, ...], list[str]] = {}
    for pawn in pawns:
        if pawn not in stations:
            decks.setdefault(his if pawn == MR_X else theirs, []).append(pawn)
    for deck, names in decks.items():
        taken = {*stations.values()}
        cards = [card for card in deck if card not in taken]
        if len(cards) < len(names):
            raise BadSetup(_too_few(edition, len(cards), len(names)))
        stations |= dict(zip(names, chance.sample(cards, len(names)), strict=True))
    return {pawn: stations[pawn] for pawn in pawns}


def check_decks(edition: Edition, network: Network, pawns: int) -> None:
    """Check that there are enough start cards, all for stations of the map (CL-04, BE-01).

    Raises:
        BadSetup: they may run out, or name no station of the map.
    """
    theirs, his = _decks(edition, network, pawns)
    lost = [card for card in (*theirs, *his) if card not in network.stations]
    if lost:
        raise BadSetup(f"{edition.name}: start card {lost[0]}: there is no such station on {network.name}")
    drawn = pawns + (theirs == his)
    if len(theirs) < drawn:
        raise BadSetup(_too_few(edition, len(theirs), drawn))
    if theirs != his and len(his) <= min(pawns, len(set(his).intersection(theirs))):
        what = f"{pawns} detectives may draw all {len(his)} start cards of {MR_X}; write more of them"
        raise BadSetup(f"{edition.name}: {what}")


def _too_few(edition: Edition, cards: int, pawns: int) -> str:
    what = f"{cards} start cards do not suffice for {pawns} pawns"
    return f"{edition.name}: {what}; write {pawns} or more, or play with fewer players"


def _decks(edition: Edition, network: Network, pawns: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the detectives' start cards for these pawns, and Mister X's; both may be the same deck."""
    return edition.posts[:pawns] or edition.cards or network.start_cards, edition.mr_x_starts(network)
