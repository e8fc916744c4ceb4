"""Word the choices of a new game: options, their values, and seats. Everything here is public."""

from __future__ import annotations

from firmware_host.rules.actions import MR_X
from firmware_host.rules.setup import Option
from firmware_host.system.language import gettext, gettext_noop, pgettext
from firmware_host.ui.vocabulary import player_word, side_name

_SIDES = (MR_X, "detectives")
"""The seats that are chosen like options."""

_OPTIONS = {
    "x_fares": gettext_noop("Fares"),
    "last_chance": gettext_noop("Last chance"),
    "log_windows": gettext_noop("Log length"),
    "voluntary_surfacing": gettext_noop("Surface at will"),
    "cut_off": gettext_noop("Cut off"),
    "uncover_half": gettext_noop("Show hidden half"),
    "experts": gettext_noop("Experts"),
    "dice": gettext_noop("Dice"),
    "reveal_route": gettext_noop("Reveal route"),
    "x_colour": gettext_noop("Mister X is"),
    "layout": gettext_noop("Tiles"),
}


def option_name(option: str) -> str:
    """Return the name of an option or a seat, without its colon."""
    if option in _SIDES:
        return side_name(option)
    return gettext(_OPTIONS[option]) if option in _OPTIONS else _plain(option).capitalize()


def value_word(option: str, value: Option) -> str:
    """Return the word for an option's value, or for a seat's player, in few letters."""
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if option in _SIDES:
        return _plain(player_word(str(value)))
    return _word(option, str(value)) or _plain(str(value))


def tiles_word(*, own: bool) -> str:
    """Return the word for tiles that the players lay, or that are drawn."""
    return pgettext("Tiles", "own") if own else pgettext("Tiles", "drawn")


def _word(option: str, value: str) -> str:
    """Return the word for a value that has one, else ""."""
    match option, value:
        case "x_fares", "unlimited":
            return pgettext("Fares", "unlimited")
        case "x_fares", "counted":
            return pgettext("Fares", "counted")
        case "dice", "rolled":
            return pgettext("Dice", "rolled")
        case "dice", "entered":
            return pgettext("Dice", "entered")
        case "x_colour", "black":
            return pgettext("Mister X is", "black")
        case "x_colour", "blue":
            return pgettext("Mister X is", "blue")
    return ""


def _plain(word: str) -> str:
    return word.replace("_", " ")
