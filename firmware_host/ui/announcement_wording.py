"""Word the last events that the board itself does not show. Public and pure."""

from __future__ import annotations

from firmware_host.referee.scene import GameGivenUp, NotTakenBack, Scene, SwitchesIgnored, Why
from firmware_host.rules.views import Happening
from firmware_host.system.language import gettext
from firmware_host.ui.fault_wording import reason_words
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.vocabulary import all_of


def announcement_words(scene: Scene) -> str:
    """Return the last event as a sentence without its full stop; "" for none."""
    match scene.announcement:
        case GameGivenUp():
            return gettext("The game was given up")
        case Happening() as what if scene.view is not None:
            return game_ui(scene.view).happened(what)
        case NotTakenBack(why):
            return not_taken_back(why)
        case SwitchesIgnored((station,)):
            place = reason_words(scene.places[station])
            return gettext("The switch of {station} is broken: {place}", station=station, place=place)
        case SwitchesIgnored(stations):
            return gettext("The switches of {stations} are broken", stations=all_of(map(str, stations)))
    return ""


def not_taken_back(why: Why) -> str:
    """Return why a move cannot be taken back, as a sentence without its full stop."""
    match why:
        case Why.NOBODY:
            return gettext("Nothing to take back: no person has moved")
        case Why.MR_X:
            return gettext("Nothing is taken back: Mister X has moved")
        case Why.SHOWN:
            return gettext("Nothing is taken back: Mister X was seen")
        case Why.DICE:
            return gettext("Nothing is taken back: dice were rolled")
