"""Define what a game may word and draw in its own way. Public through and through: it is made from public views."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from firmware_host.rules.actions import BOAT, Action
from firmware_host.rules.network import Network
from firmware_host.rules.views import Happening, Outcome, PublicView
from firmware_host.ui.drawing.board_style import BoardStyle
from firmware_host.ui.page_kinds import Page
from firmware_host.ui.vocabulary import ending, moving, pawn_name

V = TypeVar("V", bound=PublicView)


@dataclass(frozen=True, slots=True)
class DiceShown:
    """The dice on the table, as the display shows them.

    Attributes:
        faces: the open, unused faces, or those entered so far.
        awaited: how many are still to be rolled or entered.
        used: each pawn that has used a die, and the face.
        notes: what else is to be told of them, in a few words each.
    """

    faces: tuple[str, ...]
    awaited: int
    used: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


class GameUi(Generic[V]):
    """How a game is told and drawn: what this class says holds for a game that overrides nothing.

    Attributes:
        view: the public view by which the game is known.
        network: what it is played on.
        board: how that is drawn, if it is no printed map.
        tells_hands: whether it is told who holds what; pointless where everything comes back every round.
        stuck: what is told of a pawn that can only stay.
        nowhere: why a pawn in a hand has nowhere to go, as a sentence without its full stop; "" if that is plain.
    """

    view: ClassVar[type[PublicView]] = PublicView
    network: ClassVar[type[Network]] = Network
    board: ClassVar[BoardStyle[Any]] = BoardStyle()
    tells_hands: ClassVar[bool] = True
    stuck: ClassVar[str] = "can only stay"
    nowhere: ClassVar[str] = ""

    # ---- words ----

    def mr_x_acts(self, view: V) -> str:
        """Return what Mister X is about to do, as far as everyone may know; a sentence without its full stop."""
        who = pawn_name(view.turn[0])
        half = {1: " (double move, 1st)", 2: " (double move, 2nd)"}.get(view.double, "")
        if view.open_moves:
            return f"{who} moves{half}: his pawn on the board, or on the handset"
        hides = view.in_sight and len(view.log) + 1 not in view.surfacing
        return f"{who}'s move is hidden{half}: he chooses on the handset" if hides else f"{who} moves{half}"

    def waiting(self, view: V) -> str:
        """Return who acts while Mister X waits, as a short sentence."""
        return moving(view)

    def extra_action(self, action: Action) -> str:
        """Return what a key does that plays another action for the detectives: "rolls again"."""
        return f"plays {type(action).__name__}"

    def happened(self, what: Happening) -> str:
        """Return in a few words what has just happened and the board does not show."""
        return type(what).__name__

    def events(self, old: V, new: V) -> list[str]:
        """Return a line for each thing that has happened between two views and only this game has."""
        return []

    def spent(self, view: V, pawn: str) -> list[str]:
        """Return by what a pawn has made its last move, if not by a ticket that it held."""
        return []

    def reason(self, outcome: Outcome, view: V) -> str:
        """Return why the game is over, as a sentence; of a capture it tells who and where, once the route is open."""
        if outcome.reason == "rounds_over":
            return f"{view.round} rounds are over."
        if outcome.reason not in ("captured", "walked_in") or not view.route:
            return ending(outcome)
        station = view.route[-1]
        there = next((pawn_name(pawn) for pawn in view.order if view.pawns.get(pawn) == station), "")
        if outcome.reason == "captured":
            return f"{there or 'A detective'} caught Mister X at {station}."
        return f"Mister X had to go to {there or 'a detective'} at {station}."

    # ---- the map ----

    def next_stations(self, view: V, pawn: str) -> frozenset[int]:
        """Return where a detective's pawn may go with its next move, by its tickets; by no boat where none is paid."""
        if pawn not in view.pawns:
            return frozenset()
        hand = view.tickets.get(pawn) or {}
        around = view.network.around(view.pawns[pawn])
        return frozenset(
            to for to, ways in around.items() if any(hand.get(way, 0) if hand else way != BOAT for way in ways)
        )

    # ---- screens and pictures ----

    def tally(self, view: V) -> Mapping[str, tuple[int, int]]:
        """Return what each side has won and what it needs, shown instead of a log; empty where there is a log."""
        return {}

    def dice_shown(self, view: V, entered: tuple[str, ...]) -> DiceShown | None:
        """Return the dice that lie on the table, given the faces entered so far; None for none."""
        return None

    def pages(self, view: V) -> Mapping[str, int]:
        """Return the pages of its own that the handset can open: name -> how many rows the cursor can stand on."""
        return {}

    def page(self, name: str, view: V, cursor: int) -> Page:
        """Return one of these pages.

        Raises:
            KeyError: there is no such page.
        """
        raise KeyError(name)

    def station_note(self, view: V, station: int) -> str:
        """Return what is told of a station that Mister X may choose; "" for where he comes from."""
        return ""

    # ---- JSON ----

    def scene_values(self, view: V, entered: tuple[str, ...]) -> dict[str, Any]:
        """Return what `json_views` tells of this game alone, given the faces entered so far."""
        return {}

    def step_values(self, view: V) -> dict[str, Any]:
        """Return what is told of a step of a finished game, of this game alone."""
        return {}
