"""Put into words the table's requests to players, and its announcements.

All texts are public, and all functions pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from firmware_host.referee.readings import RETURN, InHand, Mismatch, Reading, Settled
from firmware_host.referee.scene import (
    BACK,
    CONFIRM,
    Ask,
    GameGivenUp,
    Kind,
    NotTakenBack,
    Phase,
    Scene,
    SwitchesIgnored,
    Why,
    can_go,
)
from firmware_host.rules.actions import FREE, MR_X, START, STAY
from firmware_host.rules.views import Happening, PublicView
from firmware_host.system.language import gettext, ngettext, pgettext, say
from firmware_host.ui.fault_wording import reason_words
from firmware_host.ui.games.dice_ui import dice_left, dice_words, tiles_words
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.vocabulary import all_of, any_of, by_ticket, key_name, pawn_name, skipped, winner


def announcement_words(scene: Scene) -> str:
    """Return the last event as a sentence without full stop, or ""."""
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
    """Return why a move cannot be taken back, as a sentence without a full stop."""
    match why:
        case Why.NOBODY:
            return gettext("Nothing to take back: no person has moved")
        case Why.MR_X:
            return gettext("Nothing is taken back: Mister X has moved")
        case Why.SHOWN:
            return gettext("Nothing is taken back: Mister X was seen")
        case Why.DICE:
            return gettext("Nothing is taken back: dice were rolled")


_NOTHING_BEFORE = (Phase.SET_UP, Phase.RESUME, Phase.OVER)
"""The phases in which the last event is not mentioned."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The request to the players, in words, for their next action.

    `brief` says the essential part in fewer words if `text` does not fit; "" if there is no shorter text.
    """

    text: str
    brief: str = ""


def prompt(scene: Scene) -> Prompt:
    """Return a scene's prompt. Its text begins with the last event, unless something is wrong or unclear.

    In the phases `_NOTHING_BEFORE` it never does.
    """
    said, before = _asked(scene), announcement_words(scene)
    wrong = scene.wrong and scene.ask.kind is not Kind.CARRY_OUT  # a computer's pawn that has yet to move is no mistake
    if not before or scene.asked or wrong or scene.paused or scene.phase in _NOTHING_BEFORE:
        return said
    return Prompt(f"{before}. {said.text}", said.brief or said.text)


def _asked(scene: Scene) -> Prompt:
    """Return the prompt without the sentence about the last event."""
    ask, view = scene.ask, scene.view
    if ask.kind is Kind.PAUSED:
        return Prompt(gettext("Paused: {why}", why=say(scene.paused)))
    if view is None:
        return Prompt(gettext("Press CONFIRM for a new game"))
    if isinstance(scene.reading, Mismatch) and ask.kind in (Kind.PUT_RIGHT, Kind.ALL_RIGHT, Kind.SWITCH):
        return _put_right(scene, scene.reading)
    said = Prompt(_sentence(scene, view), dice_left(ask, view, scene.entered) if ask.kind is Kind.ENTER else "")
    return said if ask.besides is None else _with_stuck_switch(scene, said, ask.besides)


def _sentence(scene: Scene, view: PublicView) -> str:
    """Return the main sentence of the prompt, for a board without mistakes."""
    ask = scene.ask
    match ask.kind:
        case Kind.NEXT_GAME | Kind.LAY_TILES:
            return _between_games(view)
        case Kind.ROLL | Kind.ENTER | Kind.ENTERED:
            return _dice(scene, view)
        case Kind.TAKES_BACK | Kind.BACK_OR_NOT:
            return _returned(ask, view)
        case Kind.MR_X_MOVED:
            asked = gettext("Has he {moved}? CONFIRM", moved=_moved_unseen(scene.reading))
            return f"{game_ui(view).mr_x_acts(view)}. {asked}"
        case Kind.WHERE | Kind.PUT_BACK | Kind.CHOOSE_START | Kind.CARRY | Kind.CANCELLED:
            return _in_hand(scene, view)
        case Kind.CARRY_OUT:
            return ". ".join([_goes(ask) if scene.trusted else _carry_out(ask), *_mr_x_pawns(scene)])
        case Kind.THINKS | Kind.MR_X_MOVES | Kind.MOVE | Kind.MOVE_OR_CONFIRM | Kind.CAN_ONLY_STAY:
            return ". ".join([_to_move(scene, view), *_mr_x_pawns(scene), *_staying(view), *_unsensed_move(ask)])
    return _question(ask, view, scene.reading)


def _dice(scene: Scene, view: PublicView) -> str:
    """Return the request to roll or enter dice. It also names the pawns that stay, except between two dice."""
    kind = scene.ask.kind
    before = _staying(view) if kind is not Kind.ENTER or not scene.entered else []
    after = _mr_x_pawns(scene) if kind is Kind.ROLL else []
    return ". ".join([*before, dice_words(scene.ask, view, scene.entered), *after])


def _between_games(view: PublicView) -> str:
    """Return the result of the last game, or instructions for laying the tiles of the next."""
    if view.outcome is None:
        return tiles_words(view.layout)
    new_game = gettext("CONFIRM: new game")
    return f"{winner(view.outcome)}. {game_ui(view).reason(view.outcome, view)} {new_game}"


# ---- mistakes on the board ----


def _put_right(scene: Scene, wrong: Mismatch) -> Prompt:
    """Return the prompt to correct the board, perhaps with a question that a key answers."""
    ask = scene.ask
    if ask.kind is Kind.PUT_RIGHT and scene.trusted and scene.phase in (Phase.SET_UP, Phase.RESUME):
        return Prompt(gettext("The pawns are being set up"))
    put = [pgettext("Put …", "{pawn} on {station}", pawn=pawn_name(pawn), station=station)
           for pawn, station in wrong.missing.items()]  # fmt: skip
    lines = [gettext("Put {pawns}", pawns=all_of(_few(put)))] if put else []
    if wrong.extra:
        lines.append(gettext("Clear {stations}", stations=all_of(_few(list(map(str, sorted(wrong.extra)))))))
    # Ask for one thing at a time, because a small screen holds no more. Mister X's misplaced pawn is an exception.
    if ask.kind is Kind.PUT_RIGHT or (ask.kind is Kind.ALL_RIGHT and not wrong.several):
        lines += _mr_x_pawns(scene)
    if ask.kind is Kind.PUT_RIGHT:
        return Prompt(_headed(scene, ". ".join(lines)))
    asked = _stands_or_empty(ask, scene) if ask.kind is Kind.SWITCH else gettext("Done? CONFIRM")
    return Prompt(_headed(scene, ". ".join([*lines, asked])), _headed(scene, f"{_first(wrong)}. {asked}"))


def _headed(scene: Scene, todo: str) -> str:
    """Return the request to correct the board, perhaps with a heading such as "Set up:"."""
    match scene.phase:
        case Phase.SET_UP:
            return gettext("Set up: {todo}", todo=todo)
        case Phase.RESUME:
            return gettext("Going on: {todo}", todo=todo)
    return todo


def _stands_or_empty(ask: Ask, scene: Scene) -> str:
    """Return the question whether a station has a pawn or is empty, because its switch seems broken."""
    station, ignored = ask.station, ask.station in scene.ignored
    if not ask.pawns:
        if ignored:
            return gettext("Is {station} empty? CONFIRM", station=station)
        return gettext("Is {station} empty? CONFIRM: its switch is broken", station=station)
    pawn = _names(ask.pawns)
    if ignored:
        return gettext("Does {pawn} stand on {station}? CONFIRM", pawn=pawn, station=station)
    return gettext("Does {pawn} stand on {station}? CONFIRM: its switch is broken", pawn=pawn, station=station)


def _few(words: list[str]) -> list[str]:
    """Return up to four texts unchanged. Of more texts, return three and the number of the rest."""
    return words if len(words) <= 4 else [*words[:3], gettext("{count} more", count=len(words) - 3)]


def _first(wrong: Mismatch) -> str:
    """Return the first correction to make, as text, with the number of further ones."""
    put = [gettext("Put {pawn} on {station}", pawn=pawn_name(p), station=at) for p, at in wrong.missing.items()]
    clear = [gettext("Clear {stations}", stations=station) for station in sorted(wrong.extra)]
    first, *others = [*clear, *put]
    if not others:
        return first
    return ngettext("{first} and {count} more", "{first} and {count} more", len(others), first=first)


def _mr_x_pawns(scene: Scene) -> list[str]:
    """Return the requests to set Mister X's pawns on their stations, or to clear a station (PB-06)."""
    if scene.trusted:
        return []
    hints = [
        gettext("Set {pawn}'s pawn on {station}", pawn=pawn_name(pawn), station=station)
        for pawn, station in scene.set_down.items()
    ]
    return [*hints, _clear(scene)] if scene.to_clear else hints


def _clear(scene: Scene) -> str:
    """Return the request to clear a station of Mister X's pawn. No switch can say which pawn it is."""
    stations = all_of(map(str, sorted(scene.to_clear)))
    return gettext("Clear {stations}: Mister X has left", stations=stations)


def _with_stuck_switch(scene: Scene, said: Prompt, question: Ask) -> Prompt:
    """Return a prompt, plus the question whether Mister X's old station is empty and its switch stuck."""
    if question.kind is Kind.STILL_SENSED:
        asked = gettext("Still sensed on {station}? CONFIRM", station=question.station)
    elif BACK in question.keys:
        asked = gettext("Is {station} empty? CONFIRM: its switch is broken. No: BACK", station=question.station)
    else:
        asked = gettext("Is {station} empty? CONFIRM: its switch is broken", station=question.station)
    return Prompt(f"{said.text}. {asked}", f"{_clear(scene)}. {asked}")


# ---- moves ----


def _goes(ask: Ask) -> str:
    """Return a sentence about the move that simulated hands are making with a computer's pawn."""
    (pawn,), (ticket,), to = map(pawn_name, ask.pawns), ask.tickets, ask.station
    if ticket == START:
        return gettext("{pawn} (computer) starts on {station}", pawn=pawn, station=to)
    if ticket == FREE:
        return gettext("{pawn} (computer) goes to {station}", pawn=pawn, station=to)
    by = by_ticket(ticket)
    return gettext("{pawn} (computer) goes to {station} {by_ticket}", pawn=pawn, station=to, by_ticket=by)


def _carry_out(ask: Ask) -> str:
    """Return the request that people move a computer's pawn to a station."""
    (pawn,), (ticket,), to = map(pawn_name, ask.pawns), ask.tickets, ask.station
    if ticket == START:
        said = gettext("{pawn} (computer) starts on {station}: set it there", pawn=pawn, station=to)
    elif ticket == FREE:
        said = gettext("{pawn} (computer) goes to {station}: move it", pawn=pawn, station=to)
    else:
        by = by_ticket(ticket)
        said = gettext("{pawn} (computer) goes to {station} {by_ticket}: move it", pawn=pawn, station=to, by_ticket=by)
    return ". ".join([said, gettext("Done? CONFIRM")]) if ask.unsensed else said


def _question(ask: Ask, view: PublicView, reading: Reading) -> str:
    """Return the question about one pawn at one station."""
    pawn, to = _names(ask.pawns), ask.station
    match ask.kind:
        case Kind.STANDS:
            if ask.pawns == view.turn == (MR_X,):
                return ". ".join([game_ui(view).mr_x_acts(view), _still_on(to)])
            goes = can_go(view, ask.pawns)
            todo = gettext("{pawns}: to a lit station", pawns=pawn) if goes else gettext("Put {pawn} back", pawn=pawn)
            return ". ".join([todo, _still_on(to)])
        case Kind.EMPTY:
            return gettext("Is {station} empty? CONFIRM: its switch is broken. No: BACK", station=to)
        case Kind.MR_X_PAWN:
            return gettext("Is that Mister X's pawn on {station}? CONFIRM. No: BACK", station=to)
        case Kind.UNDO:
            return gettext("Take {pawn}'s move back, and what computers did since? CONFIRM. No: BACK", pawn=pawn)
    return _which(ask, view, reading)


def _still_on(station: int) -> str:
    """Return the question whether a pawn is still on its station."""
    return gettext("Does it stand on {station}? CONFIRM. No: BACK", station=station)


def _which(ask: Ask, view: PublicView, reading: Reading) -> str:
    """Return the question whether a pawn has moved, or which ticket paid for its move."""
    pawn, to = _names(ask.pawns), ask.station
    keys = any_of(map(key_name, ask.tickets)) if len(ask.tickets) > 1 else key_name(CONFIRM)
    if ask.kind is Kind.STAYS:
        return gettext("{pawn} stays on {station}? {keys}, BACK: no", pawn=pawn, station=to, keys=keys)
    if ask.kind is Kind.WENT and isinstance(reading, InHand):
        there = gettext("Already on {station}? Press {keys}, BACK: elsewhere", station=to, keys=keys)
        return ". ".join([gettext("{pawns}: to a lit station", pawns=pawn), there])
    return gettext("{what}? {keys}. No: BACK", what=_went(ask, view), keys=keys)


def _went(ask: Ask, view: PublicView) -> str:
    """Return the start of a question about a pawn's possible move."""
    pawn, to = _names(ask.pawns), ask.station
    if ask.kind is not Kind.WENT_BACK:
        return gettext("{pawn} to {station}", pawn=pawn, station=to)
    if view.pawns.get(ask.pawns[0]) == to:  # it came from off the board
        return gettext("Take {pawn}'s start on {station} back", pawn=pawn, station=to)
    return gettext("{pawn} back on {station}", pawn=pawn, station=to)


def _returned(ask: Ask, view: PublicView) -> str:
    """Return a sentence that a pawn is, or may be, back where it came from."""
    pawn, stands = _names(ask.pawns), view.pawns[ask.pawns[0]]
    if ask.kind is Kind.TAKES_BACK:
        return gettext("{pawn} takes the move back", pawn=pawn)
    asked = gettext("Take {pawn}'s start back? CONFIRM", pawn=pawn)
    if ask.station:
        asked = gettext("{pawn} back on {station}? CONFIRM", pawn=pawn, station=ask.station)
    return ". ".join([asked, gettext("It stands on {station}? BACK", station=stands)])


def _in_hand(scene: Scene, view: PublicView) -> str:
    """Return the request to set a pawn down that a player holds, or whose place is unknown."""
    ask = scene.ask
    pawns = _names(ask.pawns)
    unsensed = _unsensed_move(ask)
    unsensed_or = [_or_else(said, view) for said in unsensed]
    match ask.kind:
        case Kind.WHERE:
            return gettext("Where does {pawns} stand? BACK: show the next station", pawns=pawns)
        case Kind.CHOOSE_START:
            said = [gettext("{pawns}: choose a start and set the pawn there", pawns=pawns), *unsensed]
        case Kind.CARRY:
            said = [gettext("{pawns}: to a lit station", pawns=pawns), *unsensed_or, *_mr_x_pawns(scene)]
        case Kind.CANCELLED:
            said = [_elsewhere(ask, view), gettext("Does it stand elsewhere? CONFIRM") if ask.keys else ""]
        case _:
            said = [game_ui(view).nowhere(), gettext("Put {pawns}", pawns=all_of(_home(ask, view))), *unsensed_or]
    return ". ".join(filter(None, said))


def _elsewhere(ask: Ask, view: PublicView) -> str:
    """Return a request to put a pawn elsewhere, because it cannot move to the station where it is."""
    home = [*_home(ask, view)]
    if not home:  # it has yet to start
        return gettext("{pawns}: choose a start and set the pawn there", pawns=_names(ask.pawns))
    return gettext("Put {pawns}, or on another lit station", pawns=any_of(home))


def _home(ask: Ask, view: PublicView) -> Iterator[str]:
    """Yield requests such as "Red back on 12", for each pawn and its last station."""
    for pawn in ask.pawns:
        if pawn in view.pawns:
            yield pgettext("Put …", "{pawn} back on {station}", pawn=pawn_name(pawn), station=view.pawns[pawn])


def _to_move(scene: Scene, view: PublicView) -> str:
    """Return a sentence about who has to move, and about a key that offers an alternative."""
    ask, reading = scene.ask, scene.reading
    if ask.kind is Kind.MR_X_MOVES:
        return game_ui(view).mr_x_acts(view)
    pawns = _names(ask.pawns)
    if ask.kind is Kind.THINKS:
        return gettext("{pawns} (computer) thinks", pawns=pawns)
    if ask.kind is Kind.CAN_ONLY_STAY:
        return _or_else(game_ui(view).stuck(pawns), view)
    moves = gettext("{pawns} moves", pawns=pawns)
    if ask.kind is Kind.MOVE_OR_CONFIRM and isinstance(reading, Settled):
        return f"{moves}. {_or_else(_confirms(reading), view)}"
    return _or_else(moves, view)


def _unsensed_move(ask: Ask) -> list[str]:
    """Return a hint which key confirms a move that no switch has sensed, or nothing if switches work."""
    return [gettext("Not sensed there? CONFIRM")] if ask.unsensed else []


def _confirms(reading: Settled) -> str:
    """Return the meaning of the key CONFIRM for a move that changes nothing on the board."""
    first = reading.silent[0]
    if first.ticket == RETURN:
        return gettext("CONFIRM: {pawn} back on {station}", pawn=pawn_name(first.pawn), station=first.to)
    if any(move.ticket == STAY for move in reading.silent):
        return gettext("CONFIRM: one stays, or shares a station")
    return gettext("CONFIRM: already on {station}", station=first.to)


def _or_else(said: str, view: PublicView) -> str:
    """Return a text plus an alternative by key, such as spending a token to roll again."""
    return ", ".join([said, *(game_ui(view).extra_action(key_name(key), what) for key, what in view.extras.items())])


def _staying(view: PublicView) -> list[str]:
    """Return sentences about the pawns that stay in this round, one for each reason."""
    reasons = dict.fromkeys(skip.why for skip in view.skipped)
    return [skipped(*(skip for skip in view.skipped if skip.why == why)) for why in reasons]


def _moved_unseen(reading: Reading) -> str:
    """Return Mister X's possible visible moves that no switch can prove, as alternatives in one phrase."""
    moves = reading.silent if isinstance(reading, Settled) else ()
    return any_of(
        pgettext("Has he …", "back on {station}", station=move.to)
        if move.ticket == RETURN
        else pgettext("Has he …", "gone to {station}", station=move.to)
        for move in moves
    )


# ---- words ----


def _names(pawns: Iterable[str]) -> str:
    return any_of(map(pawn_name, pawns))
