"""The words and drawings that only the dice game needs, for its dice, tiles and questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from firmware_host.referee.scene import Ask, Kind
from firmware_host.rules.actions import Action, RollAgain
from firmware_host.rules.dice.dice_view import DiceView
from firmware_host.rules.dice.tiles import Tiling
from firmware_host.rules.views import PublicView
from firmware_host.system.language import gettext, ngettext
from firmware_host.ui.games.game_ui import DiceShown, GameUi
from firmware_host.ui.handset_page_kinds import Columns, Page
from firmware_host.ui.vocabulary import all_of, any_of, key_name, label, pawn_name, ticket_letter, ticket_name

DICE = "dice"
"""The handset's page of dice."""

_OTHER_ROWS = 2
"""The rows of that page below those of the used dice: dice left, and dice on the log."""


class DiceUi(GameUi[DiceView]):
    """The presentation of the dice game, where it differs from other games."""

    view = DiceView

    def mr_x_acts(self, view: DiceView) -> str:
        """Return a sentence which says that Mister X has to move, or has to choose his start (DI-10)."""
        if view.dice.tile:
            return super().mr_x_acts(view)
        return gettext("{pawn} chooses his start in secret", pawn=pawn_name(view.turn[0]))

    def extra_action(self, key: str, action: Action) -> str:
        """Return a text such as "BACK rolls again" for the key that spends a token (DI-15)."""
        return gettext("{key} rolls again", key=key) if action == RollAgain() else super().extra_action(key, action)

    def stuck(self, pawns: str) -> str:
        """Return a sentence which says that these pawns cannot use any die."""
        return gettext("{pawns} can use no die: CONFIRM stays", pawns=pawns)

    def nowhere(self) -> str:
        """Return a sentence which says that no die can move the held pawn."""
        return gettext("No die takes it anywhere")

    def events(self, old: DiceView, new: DiceView) -> list[str]:
        """Return lines of news about rolled dice, spent tokens, and the tile where Mister X began."""
        before, dice, lines = old.dice, new.dice, []
        if dice.rolled and not before.rolled and before.to_roll:
            who, faces = any_of(map(pawn_name, old.turn)), ", ".join(map(ticket_name, dice.rolled))
            lines.append(gettext("{pawns} rolls {faces}.", pawns=who, faces=faces))
        if dice.tokens < before.tokens:
            lines.append(gettext("The detectives roll again; tokens left: {count}.", count=dice.tokens))
        if dice.tile and not before.tile:
            lines.append(gettext("Mister X starts on tile {tile}.", tile=dice.tile))
        return lines

    def spent(self, view: DiceView, pawn: str) -> list[str]:
        """Return the face of the die that a pawn has used in its last move."""
        return [face for user, face in view.dice.used if user == pawn]

    def dice_shown(self, view: DiceView, entered: tuple[str, ...]) -> DiceShown | None:
        """Return the dice to show, from the first round to the end."""
        dice = view.dice
        if not view.round or view.outcome is not None:
            return None
        notes = [gettext("Again {count}", count=dice.tokens)]
        notes += [gettext("Tile {tile}", tile=dice.tile)] if dice.tile else []
        return DiceShown(
            faces=entered if dice.to_roll else dice.rolled,
            awaited=max(0, dice.to_roll - len(entered)),
            used=tuple((pawn_name(pawn), face) for pawn, face in dice.used),
            notes=tuple(notes),
        )

    def pages(self, view: DiceView) -> Mapping[str, int]:
        """Return the name of the handset's page about the dice, with its number of rows."""
        return {DICE: len(view.dice.used) + _OTHER_ROWS}

    def page(self, name: str, view: DiceView, cursor: int) -> Page:
        """Return the handset's page about the dice. It lists first the used dice, which Mister X may take."""
        if name != DICE:
            return super().page(name, view, cursor)
        dice = view.dice
        rows = [(pawn_name(pawn), label(face)) for pawn, face in dice.used]
        rows += [
            (gettext("Not used"), _letters(dice.rolled) or "–"),
            (gettext("On my log"), _letters(dice.covers) or "–"),
        ]
        title = gettext("Dice: supply {supply}, again {tokens}", supply=dice.supply, tokens=dice.tokens)
        return Columns(DICE, title, ("", ""), tuple(rows), cursor)

    def station_note(self, view: DiceView, station: int) -> str:
        """Return the name of the tile that a place is on."""
        network = view.network
        return gettext("tile {tile}", tile=network.letters[station]) if isinstance(network, Tiling) else ""

    def scene_values(self, view: DiceView, entered: tuple[str, ...]) -> dict[str, Any]:
        """Return the dice as JSON values for a scene."""
        dice = view.dice
        return {
            DICE: {
                "to_roll": dice.to_roll,
                "rolled": list(dice.rolled),
                "used": [{"pawn": pawn, "face": face} for pawn, face in dice.used],
                "taken": dice.taken,
                "supply": dice.supply,
                "covers": list(dice.covers),
                "tokens": dice.tokens,
                "tile": dice.tile,
                "start": dice.start,
                "by_hand": dice.by_hand,
                "entered": list(entered),
            }
        }

    def step_values(self, view: DiceView) -> dict[str, Any]:
        """Return the dice and the tokens left as JSON values for a step of a finished game."""
        dice = view.dice
        return {DICE: {"open": list(dice.rolled), "used": [face for _, face in dice.used]}, "tokens": dice.tokens}


GAME = DiceUi()


def _letters(faces: Sequence[str]) -> str:
    return " ".join(map(ticket_letter, faces))


def tiles_words(layout: str) -> str:
    """Return how to lay the tiles, in words (DI-01, DI-06)."""
    said = [gettext("Lay the tiles: {tiles}.", tiles=" / ".join(" ".join(row) for row in layout.split()))]
    said += [gettext("Small letters: light side up.")] if layout != layout.upper() else []
    return " ".join([*said, gettext("CONFIRM when they lie")])


def dice_words(ask: Ask, view: PublicView, entered: tuple[str, ...]) -> str:
    """Return the request to roll dice, or to enter rolled dice, plus the dice entered so far (DI-13)."""
    pawns = any_of(map(pawn_name, ask.pawns))
    if ask.kind is Kind.ENTERED:
        return gettext("{pawns} rolled {faces}? CONFIRM, or BACK to mend it", pawns=pawns, faces=_faces(entered))
    to_roll = 0 if view.to_roll is None else view.to_roll.count
    if ask.kind is Kind.ROLL:
        return ngettext(
            "{pawns}: CONFIRM rolls {count} die", "{pawns}: CONFIRM rolls {count} dice", max(1, to_roll), pawns=pawns
        )
    keys = any_of(map(key_name, ask.tickets))
    if not entered:
        return ngettext(
            "{pawns}: roll {count} die and enter each: {keys}, CONFIRM for X.",
            "{pawns}: roll {count} dice and enter each: {keys}, CONFIRM for X.",
            max(1, to_roll),
            pawns=pawns,
            keys=keys,
        )
    left = to_roll - len(entered)
    more = gettext("{pawns}: {count} more: {keys}, CONFIRM for X.", pawns=pawns, count=left, keys=keys)
    so_far = gettext("Entered: {faces}, BACK mends.", faces=_faces(entered))
    return f"{more} {so_far}"


def dice_left(ask: Ask, view: PublicView, entered: tuple[str, ...]) -> str:
    """Return in few words how many dice are still to be entered. "" before the first is entered."""
    if view.to_roll is None or not entered:
        return ""
    left, keys = view.to_roll.count - len(entered), any_of(map(key_name, ask.tickets))
    return gettext("{count} more: {keys}, CONFIRM for X, BACK mends.", count=left, keys=keys)


def _faces(faces: tuple[str, ...]) -> str:
    """Return the faces of dice in few words: "taxi and 2 bus"."""
    counts = Counter(faces).items()
    return all_of(
        gettext("{count} {face}", count=n, face=ticket_name(face)) if n > 1 else ticket_name(face) for face, n in counts
    )
