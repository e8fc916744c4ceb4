"""Define the words and drawings that may differ from game to game. All of them are public."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from firmware_host.rules.actions import BOAT, MR_X, Action
from firmware_host.rules.views import Happening, Outcome, PublicView
from firmware_host.system.language import gettext, ngettext
from firmware_host.ui.handset_page_kinds import Page
from firmware_host.ui.vocabulary import ending, moving, pawn_name, winner

V = TypeVar("V", bound=PublicView)


@dataclass(frozen=True, slots=True)
class DiceShown:
    """The dice to show on the display.

    Attributes:
        faces: the faces of open, unused dice, or of the dice entered so far.
        awaited: how many dice are still to be rolled or entered.
        used: each pawn that has used a die, and the face.
        notes: other facts about the dice, in a few words each.
    """

    faces: tuple[str, ...]
    awaited: int
    used: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


class GameUi(Generic[V]):
    """The presentation of a game. This class is the default, and games override its methods.

    Attributes:
        view: the class of the game's public view.
        announces_hands: whether to announce players' tickets, which is pointless if all return every round.
    """

    view: ClassVar[type[PublicView]] = PublicView
    announces_hands: ClassVar[bool] = True

    # ---- words ----

    def mr_x_acts(self, view: V) -> str:
        """Return Mister X's next task, as far as it is public, as a sentence without full stop."""
        who = pawn_name(view.turn[0])
        if view.open_moves:
            return _moves_in_the_open(who, view.double)
        if view.in_sight and len(view.log) + 1 not in view.surfacing:
            return _moves_hidden(who, view.double)
        return _moves(who, view.double)

    def waiting(self, view: V) -> str:
        """Return who has to act while Mister X waits, as a short sentence."""
        return moving(view)

    def extra_action(self, key: str, action: Action) -> str:
        """Return what a key does for detectives other than move a pawn, such as "BACK rolls again"."""
        return gettext("{key} plays {action}", key=key, action=type(action).__name__)

    def stuck(self, pawns: str) -> str:
        """Return a sentence which says that these pawns can only stay. `pawns` are their names."""
        return gettext("{pawns} can only stay: CONFIRM stays", pawns=pawns)

    def nowhere(self) -> str:
        """Return why a held pawn cannot go anywhere, as a sentence without full stop. "" if that is obvious."""
        return ""

    def happened(self, what: Happening) -> str:
        """Describe in a few words an event that the board does not show, of a kind that only this game has."""
        return type(what).__name__

    def events(self, old: V, new: V) -> list[str]:
        """Return lines of news about events between two views, of the kinds that only this game has."""
        return []

    def spent(self, view: V, pawn: str) -> list[str]:
        """Return the things that a pawn's last move has used besides tickets, such as a die's face."""
        return []

    def reason(self, outcome: Outcome, view: V) -> str:
        """Return why the game is over, as a sentence.

        A sentence about a capture names the catcher and the station if they are public.
        """
        if outcome.reason == "rounds_over":
            return ngettext("{count} round is over.", "{count} rounds are over.", view.round)
        if outcome.reason not in ("captured", "walked_in") or not view.route:
            return ending(outcome)
        pawn, station = self.catch(outcome, view)
        there = pawn_name(pawn) if pawn else ""
        if outcome.reason == "captured":
            if not there:
                return gettext("A detective caught Mister X at {station}.", station=station)
            return gettext("{pawn} caught Mister X at {station}.", pawn=there, station=station)
        if not there:
            return gettext("Mister X had to go to a detective at {station}.", station=station)
        return gettext("Mister X had to go to {pawn} at {station}.", pawn=there, station=station)

    def headline(self, outcome: Outcome, view: V) -> str:
        """Return how the game ended as a title: round, station and catcher, without full stop."""
        pawn, station = self.catch(outcome, view)
        if not station:
            return winner(outcome)
        where: dict[str, int | str] = {"round": view.round, "station": station}
        if outcome.winner == MR_X:
            return gettext("Mister X got away, round {round}, at {station}", **where)
        if outcome.reason == "trapped":
            return gettext("Trapped in round {round} at {station}", **where)
        if not pawn:
            return gettext("Caught in round {round} at {station}", **where)
        if outcome.reason == "walked_in":
            return gettext("Ran into {pawn} in round {round} at {station}", pawn=pawn_name(pawn), **where)
        return gettext("Caught in round {round} by {pawn} at {station}", pawn=pawn_name(pawn), **where)

    def catch(self, outcome: Outcome, view: V) -> tuple[str, int]:
        """Return the detective who captured Mister X, and the station of the capture.

        The detective is "" if Mister X escaped or no detective is there. The station is the last one of his route
        unless X Junior was captured. While the route is secret, the result is "" and 0.
        """
        if not view.route:
            return "", 0
        last = view.route[-1]
        if outcome.winner == MR_X:
            return "", last
        ends = (last, *(view.pawns[pawn] for pawn in view.fugitives if pawn != MR_X and pawn in view.pawns))
        caught = ((pawn, end) for end in ends for pawn in view.order if view.pawns.get(pawn) == end)
        return next(caught, ("", last))

    # ---- the map ----

    def next_stations(self, view: V, pawn: str) -> frozenset[int]:
        """Return the stations that a detective can reach in one move with its tickets.

        In a game without tickets, all links but boats count.
        """
        if pawn not in view.pawns:
            return frozenset()
        hand = view.tickets.get(pawn) or {}
        around = view.network.around(view.pawns[pawn])
        return frozenset(
            to for to, ways in around.items() if any(hand.get(way, 0) if hand else way != BOAT for way in ways)
        )

    # ---- screens and pictures ----

    def tally(self, view: V) -> Mapping[str, tuple[int, int]]:
        """Return the tally that some games show instead of a log: side -> chips won, and chips needed.

        Empty in games with a log.
        """
        return {}

    def dice_shown(self, view: V, entered: tuple[str, ...]) -> DiceShown | None:
        """Return the dice to show, given the faces entered so far, or None in a game without dice."""
        return None

    def pages(self, view: V) -> Mapping[str, int]:
        """Return the handset pages that only this game has: name -> number of rows."""
        return {}

    def page(self, name: str, view: V, cursor: int) -> Page:
        """Return a handset page that only this game has.

        Raises:
            KeyError: there is no such page.
        """
        raise KeyError(name)

    def station_note(self, view: V, station: int) -> str:
        """Return a note about a station that Mister X may choose, or ""."""
        return ""

    # ---- JSON ----

    def scene_values(self, view: V, entered: tuple[str, ...]) -> dict[str, Any]:
        """Return the JSON values of a scene that only this game has. `entered` are the dice entered so far."""
        return {}

    def step_values(self, view: V) -> dict[str, Any]:
        """Return the JSON values of a finished game's step that only this game has."""
        return {}


def _moves_in_the_open(pawn: str, double: int) -> str:
    match double:
        case 1:
            return gettext("{pawn} moves (double move, 1st): his pawn on the board, or on the handset", pawn=pawn)
        case 2:
            return gettext("{pawn} moves (double move, 2nd): his pawn on the board, or on the handset", pawn=pawn)
    return gettext("{pawn} moves: his pawn on the board, or on the handset", pawn=pawn)


def _moves_hidden(pawn: str, double: int) -> str:
    match double:
        case 1:
            return gettext("{pawn}'s move is hidden (double move, 1st): he chooses on the handset", pawn=pawn)
        case 2:
            return gettext("{pawn}'s move is hidden (double move, 2nd): he chooses on the handset", pawn=pawn)
    return gettext("{pawn}'s move is hidden: he chooses on the handset", pawn=pawn)


def _moves(pawn: str, double: int) -> str:
    match double:
        case 1:
            return gettext("{pawn} moves (double move, 1st)", pawn=pawn)
        case 2:
            return gettext("{pawn} moves (double move, 2nd)", pawn=pawn)
    return gettext("{pawns} moves", pawns=pawn)
