"""Encode games and positions as messages of the player protocol. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from firmware_host.players.player_port import Appeared, NewGame, Position, SeenEvent
from firmware_host.players.protocol.protocol_messages import (
    Map,
    MrX,
    NewGameMessage,
    Pawn,
    PositionMessage,
    Record,
    Rules,
    Window,
)
from firmware_host.players.protocol.pursuit_replay import beginning
from firmware_host.rules.actions import BLACK, MR_X, TICKETS, Action, Double, MrXMove, PawnMove, to_record
from firmware_host.rules.dice.tiles import Tiling
from firmware_host.rules.engines import ENGINES
from firmware_host.rules.network import Network
from firmware_host.rules.pursuit.edition import Edition
from firmware_host.rules.pursuit.position import PursuitState
from firmware_host.rules.pursuit.pursuit_view import PursuitView
from firmware_host.rules.views import LogEntry, MrXView, PublicView


def new_game_line(game: NewGame) -> NewGameMessage:
    """Return the `new_game` message for a player.

    Raises:
        BadSetup: the box, the map and the starts contradict each other.
    """
    if isinstance(game.box, Edition):
        first = beginning(game)
        rules, network = _pursuit_rules(game, game.box, first), first.terms.network
    else:
        rules, network = _other_rules(game), game.network
    return NewGameMessage(
        role=game.role,
        seat=game.pawns,
        seed=game.seed,
        ms=game.ms,
        clock=game.clock,
        level=game.level,
        rules=rules,
        start=dict(game.start),
        cards=_all_cards(game),
        map=_map(network),
    )


def position_line(game: NewGame, position: Position) -> PositionMessage:
    """Return the `position` message for a player. It has only the facts that this player may know."""
    view, private = position.history.now, position.private
    pursuit = isinstance(view, PursuitView)
    return PositionMessage(
        role=game.role,
        round=view.round,
        turn=view.turn,
        start=dict(game.start),
        pawns={
            pawn: Pawn(view.pawns[pawn], *_tickets(view.tickets.get(pawn, {})))
            for pawn in view.order
            if pawn in view.pawns
        },
        mr_x=_mr_x(position),
        log=tuple(Window(entry.ticket, entry.station, entry.double) for entry in view.log),
        events=tuple(_event(event) for event in position.history.events),
        legal=tuple(record for record, _ in legal(game, position)),
        double=view.double,
        giving=view.giving if isinstance(view, PursuitView) else (),
        may_double=UNSET if private is None else pursuit and may_double(private),
        shows=UNSET if private is None else private.shows,
        actor=UNSET if private is None else private.actor,
        view=UNSET if pursuit else view_record(view),
    )


def legal(game: NewGame, position: Position) -> list[tuple[Record, Action]]:
    """Return the player's legal answers, each as a record of the protocol and as an action.

    In pursuit games the announcement of a double move is not among them; the protocol sends it as `may_double`.
    """
    view, private = position.history.now, position.private
    if private is not None:
        choices = private.choices.value
    else:
        choices = (*(move for move in view.moves if move.pawn in game.pawns), *view.extras.values())
    if not isinstance(view, PursuitView):
        return [(to_record(action), action) for action in choices]
    return [(short_record(action), action) for action in choices if not isinstance(action, Double)]


def may_double(private: MrXView) -> bool:
    """Return whether Mister X may answer with a whole double move: not if he takes tickets during it (US-10)."""
    public = private.public
    of_his_own_will = private.shows and len(public.log) + 1 not in public.surfacing
    return Double() in private.choices.value and not of_his_own_will


def view_record(view: PublicView) -> Record:
    """Encode a public view as JSON values. The network is not part of them."""
    names = [field.name for field in fields(view) if field.name not in ("network", "extras")]
    values = {name: getattr(view, name) for name in names}
    plain = {name: sorted(value) if isinstance(value, frozenset) else value for name, value in values.items()}
    extras = {key: to_record(action) for key, action in view.extras.items()}
    return msgspec.to_builtins(plain) | {"extras": extras}  # type: ignore[no-any-return]


def _pursuit_rules(game: NewGame, box: Edition, first: PursuitState) -> Rules:
    terms = first.terms
    groups = tuple(tuple(terms.order[pawn] for pawn in group) for group in terms.groups)
    return Rules(
        edition=box.name,
        detectives=len(terms.order),
        pawns=terms.order,
        order="fixed" if len(groups) == len(terms.order) else "free",
        groups=groups,
        owners=dict(game.owners),
        windows=terms.windows,
        surfacing=tuple(sorted(n for n in terms.surfacing if n <= terms.windows)),
        x_fares="unlimited" if terms.unlimited else "counted",
        last_chance=terms.last_chance,
        fares=box.fares,
        rounds=box.rounds,
        in_sight=box.in_sight,
        voluntary_surfacing=terms.voluntary,
        cut_off=terms.cut_off,
        uncover_half=terms.uncover_half,
        hand=box.hand,
        mr_x_hand=box.mr_x_hand,
        blacks=first.blacks,
        doubles=first.doubles,
        bobbies=box.bobbies_among(game.owners),
        mr_x_cards=tuple(sorted(game.cards)),
        options={**box.options, **game.options},
    )


def _other_rules(game: NewGame) -> Rules:
    box = game.box
    kind = next(name for name, engine in ENGINES.items() if isinstance(box, engine.box))
    return Rules(
        game=kind,
        edition=box.name,
        detectives=len(game.owners),
        pawns=tuple(game.owners),
        order="fixed" if box.order == "fixed" else "free",
        owners=dict(game.owners),
        windows=box.windows,
        options={**box.options, **game.options},
        box=msgspec.to_builtins(box, str_keys=True, order="deterministic"),
    )


def _all_cards(game: NewGame) -> tuple[int, ...]:
    """Return the start cards of detectives and Mister X in a game."""
    box = game.box
    theirs = (box.posts[: len(game.owners)] or box.cards) if isinstance(box, Edition) else ()
    return tuple(sorted({*game.cards, *theirs}))


def _map(network: Network) -> Map:
    links = network.links
    return Map(
        name=network.name,
        stations=tuple(network.stations),
        links=tuple((link.a, link.b, link.transport) for link in links),
        via=tuple((link.a, link.b, link.transport, link.via) for link in links if link.via),
        starts=dict(network.starts),
        tiles=_tiles(network) if isinstance(network, Tiling) else UNSET,
    )


def _tiles(network: Tiling) -> Record:
    return {
        "layout": network.layout,
        "rows": network.rows,
        "stops": {str(place): sorted(stops) for place, stops in network.stops.items()},
        "letters": {str(place): letter for place, letter in network.letters.items()},
        "barred": sorted(network.barred),
    }


def _mr_x(position: Position) -> MrX:
    """Encode Mister X's remaining tickets, and for his own player also his secrets."""
    view, private = position.history.now, position.private
    hand = view.tickets.get(MR_X, {})
    taxi, bus, underground = _tickets(hand)
    return MrX(
        taxi=taxi,
        bus=bus,
        underground=underground,
        black=hand.get(BLACK, 0),
        double=hand.get("double", 0),
        at=UNSET if private is None else private.at.value or None,
        route=UNSET if private is None else private.route.value,
    )


def _tickets(hand: Mapping[str, int]) -> tuple[int | UnsetType, ...]:
    return tuple(hand.get(ticket, UNSET) for ticket in TICKETS[:3])


def _event(event: SeenEvent) -> Record:
    match event:
        case LogEntry(_, ticket, station, double):
            return {"ticket": ticket, "station": station, "double": double}
        case Appeared(pawn, station):
            return {"pawn": pawn, "to": station}
        case PawnMove(pawn, to, ticket):
            return {"pawn": pawn, "to": to, "ticket": ticket}
    return to_record(event)


def short_record(action: Action) -> dict[str, Any]:
    """Encode an action of a pursuit game: a move has no `kind`."""
    record = to_record(action)
    if isinstance(action, PawnMove | MrXMove):
        del record["kind"]
    return record
