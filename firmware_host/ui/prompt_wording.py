"""Put what the table asks into plain words. Public through and through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from firmware_host.referee.ask import BACK, Ask, Kind
from firmware_host.referee.just_happened import GameGivenUp, NotTakenBack, SwitchesIgnored
from firmware_host.referee.next_ask import can_go
from firmware_host.referee.scene import RETURN, InHand, Mismatch, Phase, Reading, Scene, Settled
from firmware_host.referee.undo import Why
from firmware_host.rules.actions import FREE, START, STAY
from firmware_host.rules.views import Happening, PublicView
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.vocabulary import pawn_name, skipped, winner

_HEADS = {Phase.SET_UP: "Set up: ", Phase.RESUME: "Going on: "}

_NOTHING_BEFORE = (Phase.SET_UP, Phase.RESUME, Phase.OVER)
"""The phases in which what has just happened is not told."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the players should do next, in plain words.

    `brief` says what has to be known in fewer words, for where `text` finds no room; "" where there are none fewer.
    """

    text: str
    brief: str = ""


def prompt(scene: Scene) -> Prompt:
    """Return what a scene asks, in words; first what has just happened, unless something is wrong or in question."""
    said, before = _asked(scene), _just_happened(scene)
    if not before or scene.asked or scene.wrong or scene.paused or scene.phase in _NOTHING_BEFORE:
        return said
    return Prompt(f"{before}. {said.text}", said.brief or said.text)


def _just_happened(scene: Scene) -> str:
    """What has just happened, in a few words; "" for nothing."""
    match scene.just_happened:
        case GameGivenUp():
            return "The game was given up"
        case Happening() as what if scene.view is not None:
            return game_ui(scene.view).happened(what)
        case NotTakenBack(why):
            return not_taken_back(why)
        case SwitchesIgnored((station,)):
            return f"The switch of {station} is ignored: {scene.places[station]}"
        case SwitchesIgnored(stations):
            return f"The switches of {_listed(map(str, stations))} are ignored"
    return ""


def not_taken_back(why: Why) -> str:
    """Return why no move is taken back, as a sentence without its full stop."""
    match why:
        case Why.NOBODY:
            return "Nothing to take back: no person has moved"
        case Why.MR_X:
            return "Nothing is taken back: Mister X has moved"
        case Why.SHOWN:
            return "Nothing is taken back: Mister X was seen"
        case Why.DICE:
            return "Nothing is taken back: dice were rolled"


def _asked(scene: Scene) -> Prompt:
    """What is asked, whatever has just happened."""
    ask, view = scene.ask, scene.view
    if ask.kind is Kind.PAUSED:
        return Prompt(f"Paused: {scene.paused}")
    if view is None:
        return Prompt("Press CONFIRM for a new game")
    if isinstance(scene.reading, Mismatch) and ask.kind in (Kind.PUT_RIGHT, Kind.ALL_RIGHT, Kind.SWITCH):
        return _put_right(scene, scene.reading)
    said = Prompt(_sentence(scene, view))
    return said if ask.besides is None else _doubted(scene, said, ask.besides)


def _sentence(scene: Scene, view: PublicView) -> str:
    """What is asked where all stands right."""
    ask = scene.ask
    match ask.kind:
        case Kind.NEXT_GAME | Kind.LAY_TILES:
            return _between_games(view)
        case Kind.ROLL | Kind.ENTER | Kind.ENTERED:
            return _dice(scene, view)
        case Kind.TAKES_BACK | Kind.BACK_OR_NOT:
            return _returned(ask, view)
        case Kind.MR_X_MOVED:
            return f"{game_ui(view).mr_x_acts(view)}. Has he {_moved_unseen(scene.reading)}? CONFIRM"
        case Kind.WHERE | Kind.PUT_BACK | Kind.CHOOSE_START | Kind.CARRY:
            return _in_hand(scene, view)
        case Kind.CARRY_OUT:
            return ". ".join([_carry_out(ask), *_his_pawns(scene)])
        case Kind.THINKS | Kind.MR_X_MOVES | Kind.MOVE | Kind.MOVE_OR_CONFIRM | Kind.CAN_ONLY_STAY:
            return ". ".join([_to_move(scene, view), *_his_pawns(scene), *_staying(view)])
    return _question(ask, view, scene.reading)


def _between_games(view: PublicView) -> str:
    """How the game has ended; or, before it begins, how the tiles have to be laid."""
    if view.outcome is None:
        return _tiles(view.layout)
    return f"{winner(view.outcome)}. {game_ui(view).reason(view.outcome, view)} CONFIRM: new game"


# ---- what stands wrong ----


def _put_right(scene: Scene, wrong: Mismatch) -> Prompt:
    """What stands wrong, and what a key would say of it."""
    ask = scene.ask
    put = [f"{pawn_name(pawn)} on {station}" for pawn, station in wrong.missing.items()]
    lines = [f"Put {_listed(_few(put))}"] if put else []
    lines += [f"Clear {_listed(_few(list(map(str, sorted(wrong.extra)))))}"] if wrong.extra else []
    # One thing at a time, and a small screen holds no more; but a pawn of his that stands wrong belongs somewhere.
    if ask.kind is Kind.PUT_RIGHT or (ask.kind is Kind.ALL_RIGHT and not wrong.several):
        lines += _his_pawns(scene)
    head = _HEADS.get(scene.phase, "")
    if ask.kind is Kind.PUT_RIGHT:
        return Prompt(head + ". ".join(lines))
    asked = "Done? CONFIRM"
    if ask.kind is Kind.SWITCH:
        asked = f"Does {_names(ask.pawns)} stand on {ask.station}" if ask.pawns else f"Is {ask.station} empty"
        asked += "? CONFIRM" if ask.station in scene.masked else "? CONFIRM: its switch is ignored"
    return Prompt(f"{head}{'. '.join(lines)}. {asked}", f"{head}{_first(wrong)}. {asked}")


def _few(words: list[str]) -> list[str]:
    """The first three of more than four: more than that nobody reads at once, and no small screen holds."""
    return words if len(words) <= 4 else [*words[:3], f"{len(words) - 3} more"]


def _first(wrong: Mismatch) -> str:
    """What is to be put right first, and how much there is besides."""
    put = [f"Put {pawn_name(pawn)} on {station}" for pawn, station in wrong.missing.items()]
    clear = [f"Clear {station}" for station in sorted(wrong.extra)]
    first, *others = [*clear, *put]
    return f"{first} and {len(others)} more" if others else first


def _his_pawns(scene: Scene) -> list[str]:
    """Where Mister X's pawns have to be set down or taken off (PB-06)."""
    hints = [f"Set {pawn_name(pawn)}'s pawn on {station}" for pawn, station in scene.set_down.items()]
    return [*hints, _clear(scene)] if scene.to_clear else hints


def _clear(scene: Scene) -> str:
    """Where a pawn of Mister X's has to be taken off. Whose pawn it is no switch can tell, so none is named."""
    return f"Clear {_listed(map(str, sorted(scene.to_clear)))}: Mister X has left"


def _doubted(scene: Scene, said: Prompt, doubt: Ask) -> Prompt:
    """What is asked, and whether a switch sticks that nobody takes Mister X's pawn off."""
    asked = f"Is {doubt.station} empty? CONFIRM: its switch is ignored"
    asked += ". No: BACK" if BACK in doubt.keys else ""
    if doubt.kind is Kind.STILL_FELT:
        asked = f"Still felt on {doubt.station}? CONFIRM"
    return Prompt(f"{said.text}. {asked}", f"{_clear(scene)}. {asked}")


# ---- tiles and dice ----


def _tiles(layout: str) -> str:
    """How the tiles have to be laid (DI-01, DI-06)."""
    light = " Small letters: light side up." if layout != layout.upper() else ""
    return f"Lay the tiles: {' / '.join(' '.join(row) for row in layout.split())}.{light} CONFIRM when they lie"


def _dice(scene: Scene, view: PublicView) -> str:
    """Dice are to be rolled, by the table or by hand (DI-13)."""
    ask, entered = scene.ask, scene.entered
    pawns = _names(ask.pawns)
    head = ". ".join([*_staying(view), pawns])
    if ask.kind is Kind.ENTERED:
        return f"{head} rolled {_faces(entered)}? CONFIRM, or BACK to mend it"
    to_roll = 0 if view.to_roll is None else view.to_roll.count
    count = f"{to_roll} dice" if to_roll > 1 else "1 die"
    if ask.kind is Kind.ROLL:
        return ". ".join([f"{head}: CONFIRM rolls {count}", *_his_pawns(scene)])
    what = f"{to_roll - len(entered)} more" if entered else f"roll {count} and enter each"
    so_far = f" Entered: {_faces(entered)}, BACK mends." if entered else ""
    who = pawns if entered else head  # who stays was told before
    return f"{who}: {what}: {_keys(ask.tickets)}, CONFIRM for X.{so_far}"


def _faces(faces: tuple[str, ...]) -> str:
    """Dice in few words: "taxi and 2 bus"."""
    return _listed(f"{count} {face}" if count > 1 else face for face, count in Counter(faces).items())


# ---- moves ----


def _carry_out(ask: Ask) -> str:
    """Where a computer's pawn goes, which hands move after it."""
    (pawn,), (ticket,) = ask.pawns, ask.tickets
    done = ". Done? CONFIRM" if ask.unfelt else ""
    if ticket == START:
        return f"{pawn_name(pawn)} (computer) starts on {ask.station}: set it there{done}"
    by = "" if ticket == FREE else f" by {ticket}"
    return f"{pawn_name(pawn)} (computer) goes to {ask.station}{by}: move it{done}"


def _question(ask: Ask, view: PublicView, reading: Reading) -> str:
    """What is asked of one pawn and one station."""
    pawn, to, more = _names(ask.pawns), ask.station, BACK in ask.keys
    words = _keys(ask.tickets) if len(ask.tickets) > 1 else "CONFIRM"
    match ask.kind:
        case Kind.STANDS:
            todo = f"{pawn}: to a lit station" if can_go(view, ask.pawns) else f"Put {pawn} back"
            return f"{todo}. Does it stand on {to}? CONFIRM. No: BACK"
        case Kind.EMPTY:
            return f"Is {to} empty? CONFIRM: its switch is ignored. No: BACK"
        case Kind.HIS:
            return f"Is that Mister X's pawn on {to}? CONFIRM. No: BACK"
        case Kind.UNDO:
            return f"Take {pawn}'s move back, and what computers did since? CONFIRM. No: BACK"
        case Kind.STAYS:
            return f"{pawn} stays on {to}? {words}{', BACK: no' if more else ''}"
        case Kind.WENT if isinstance(reading, InHand):
            return f"{pawn}: to a lit station. Already on {to}? Press {words}{', BACK: elsewhere' if more else ''}"
    what = f"{pawn} back on {to}" if ask.kind is Kind.WENT_BACK else f"{pawn} to {to}"
    if ask.kind is Kind.WENT_BACK and view.pawns.get(ask.pawns[0]) == to:  # it came from nowhere
        what = f"Take {pawn}'s start on {to} back"
    return f"{what}? {words}. No: BACK" if more else f"{what}: {words}?"


def _returned(ask: Ask, view: PublicView) -> str:
    """A pawn is, or may be, back where it came from."""
    pawn, stands = _names(ask.pawns), view.pawns[ask.pawns[0]]
    if ask.kind is Kind.TAKES_BACK:
        return f"{pawn} takes the move back"
    back = f"{pawn} back on {ask.station}" if ask.station else f"Take {pawn}'s start back"
    return f"{back}? CONFIRM. It stands on {stands}? BACK"


def _in_hand(scene: Scene, view: PublicView) -> str:
    """Where a pawn that is in a hand, or may be anywhere, has to go."""
    ask = scene.ask
    pawns = _names(ask.pawns)
    unfelt = "Not felt there? CONFIRM" if ask.unfelt else ""
    others = _or_else(view) if ask.unfelt else ""
    match ask.kind:
        case Kind.WHERE:
            return f"Where does {pawns} stand? BACK: show the next station"
        case Kind.CHOOSE_START:
            said = [f"{pawns}: choose a start and set the pawn there", unfelt]
        case Kind.CARRY:
            said = [f"{pawns}: to a lit station", unfelt + others, *_his_pawns(scene)]
        case _:
            put = _listed(f"{pawn_name(pawn)} back on {view.pawns[pawn]}" for pawn in ask.pawns)
            said = [game_ui(view).nowhere, f"Put {put}", unfelt + others]
    return ". ".join(filter(None, said))


def _to_move(scene: Scene, view: PublicView) -> str:
    """Whose move it is, and what else may be done by key instead."""
    ask, reading = scene.ask, scene.reading
    if ask.kind is Kind.THINKS:
        return f"{_names(ask.pawns)} (computer) thinks"
    if ask.kind is Kind.MR_X_MOVES:
        return game_ui(view).mr_x_acts(view)
    pawns, others = _names(ask.pawns), _or_else(view)
    if ask.kind is Kind.CAN_ONLY_STAY:
        return f"{pawns} {game_ui(view).stuck}: CONFIRM stays{others}"
    if ask.kind is Kind.MOVE_OR_CONFIRM and isinstance(reading, Settled):
        first = reading.silent[0]
        stays = any(move.ticket == STAY for move in reading.silent)
        what = "one stays, or shares a station" if stays else f"already on {first.to}"
        what = f"{pawn_name(first.pawn)} back on {first.to}" if first.ticket == RETURN else what
        return f"{pawns} moves. CONFIRM: {what}{others}"
    return f"{pawns} moves{others}{'. Not felt there? CONFIRM' if ask.unfelt else ''}"


def _or_else(view: PublicView) -> str:
    """What a key would do instead, such as to spend a token and roll again."""
    return "".join(f", {_key(key)} {game_ui(view).extra_action(action)}" for key, action in view.extras.items())


def _staying(view: PublicView) -> list[str]:
    """The pawns that stay in this round, a sentence for each reason."""
    lines = []
    for why in dict.fromkeys(skip.why for skip in view.skipped):
        theirs = [skip for skip in view.skipped if skip.why == why]
        what = "have no die" if why == "no_die" else f"are {why}"
        pawns = _listed(pawn_name(skip.pawn) for skip in theirs)
        lines.append(skipped(theirs[0]) if len(theirs) == 1 else f"{pawns} {what} and stay")
    return lines


def _moved_unseen(reading: Reading) -> str:
    """Where Mister X may have gone in the open with no switch to tell."""
    moves = reading.silent if isinstance(reading, Settled) else ()
    return _listed((f"back on {move.to}" if move.ticket == RETURN else f"gone to {move.to}" for move in moves), "or")


# ---- words ----


def _names(pawns: Iterable[str]) -> str:
    return _listed(map(pawn_name, pawns), "or")


def _key(key: str) -> str:
    """What is printed on a key of the table."""
    return key.removeprefix("table.").upper()


def _keys(tickets: Iterable[str]) -> str:
    return _listed(map(_key, tickets), "or")


def _listed(words: Iterable[str], last: str = "and") -> str:
    """Words as one would say them: "a, b and c"."""
    *head, tail = words
    return f"{', '.join(head)} {last} {tail}" if head else tail
