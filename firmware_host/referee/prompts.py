"""What the table tells the players to do next, in plain words. Public through and through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from firmware_host.referee.scene import (
    EMPTY,
    HERE,
    HIS,
    RETURN,
    Ambiguous,
    InHand,
    Mismatch,
    Moved,
    Phase,
    Prompt,
    Reading,
    Returned,
    Scene,
    Settled,
)
from firmware_host.referee.wording import pawn_name, reason, skipped, winner
from firmware_host.rules.actions import START, STAY, PawnMove, RollAgain
from firmware_host.rules.views import Dice, PublicView

CONFIRM, BACK = "table.confirm", "table.back"

DONE = "Done? CONFIRM"
"""What is asked where so much is wrong that hands have done it: whoever says that all is as asked is asked of each."""


def doubted(wrong: Mismatch) -> int:
    """The one station whose switch may be out of order: the first that should be empty, or else the first missing."""
    return min(wrong.extra) if wrong.extra else next(iter(wrong.missing.values()))


def prompt(
    scene: Scene, *, more: bool, late: bool, lay: bool, paused: str, aside: str = "", astray: bool = False
) -> Prompt:
    """The one thing to be done next.

    Args:
        scene: all that is shown; its own prompt is not looked at.
        more: whether the back key goes on to another station that may be meant.
        late: whether nothing has changed on the board for a while.
        lay: whether tiles have to be laid before the game begins.
        paused: why the game cannot go on, or "".
        aside: what has just happened, in a few words, or "".
        astray: whether something that stands wrong may be a pawn of Mister X's.
    """
    said = _said(scene, more=more, late=late, lay=lay, paused=paused, astray=astray)
    if not aside or scene.asked or scene.wrong or paused or scene.phase in (Phase.SET_UP, Phase.RESUME, Phase.OVER):
        return said
    return replace(said, text=f"{aside}. {said.text}", brief=said.brief or said.text)


def unnamed(said: Prompt) -> tuple[str, ...]:
    """The keys for which a sentence waits and that it does not name; there should be none."""
    return tuple(key for key in said.keys if key.removeprefix("table.").upper() not in said.text)


def ignored(places: Mapping[int, str]) -> str:
    """That switches are not listened to from now on, in a few words; "" for none. `places`: station -> where it is."""
    if len(places) > 1:
        return f"The switches of {_listed(map(str, places))} are ignored"
    return "".join(f"The switch of {station} is ignored: {place}" for station, place in places.items())


def _said(scene: Scene, *, more: bool, late: bool, lay: bool, paused: str, astray: bool) -> Prompt:
    """The one thing to be done next, whatever has just happened."""
    phase, view, reading = scene.phase, scene.view, scene.reading
    if paused:
        return Prompt(f"Paused: {paused}")
    if view is None:
        return Prompt("Press CONFIRM for a new game", (CONFIRM,))
    if view.outcome is not None:
        return Prompt(f"{winner(view.outcome)}. {reason(view.outcome, view)} CONFIRM: new game", (CONFIRM,))
    if lay:
        return Prompt(_tiles(view.layout), (CONFIRM,))
    if isinstance(reading, Mismatch) and (scene.wrong or phase is not Phase.PLAY) and not scene.asked:
        return _put_right(scene, reading, insist=scene.wrong > 1, astray=astray)
    return _next(scene, view, more=more, late=late)


def _next(scene: Scene, view: PublicView, *, more: bool, late: bool) -> Prompt:
    """What to do next where nothing is wrong: answer a question, roll, or move."""
    reading = scene.reading
    if scene.asked:
        asks = more and (late or not isinstance(reading, Moved))  # by which ticket, most likely
        return _ask(scene.asked, view, more=asks, reading=reading)
    if isinstance(reading, Returned):
        return _back(view, reading)
    if view.dice is not None and view.dice.to_roll:
        return _roll(view, view.dice, scene.entered, _figures(scene))
    blind = any(view.pawns.get(pawn) in scene.masked for pawn in view.turn) or (late and bool(scene.masked))
    said = _turn(view, reading, _figures(scene), late=late, where=more, blind=blind)
    return _lingering(scene, said) if late and isinstance(reading, Settled) and CONFIRM not in said.keys else said


def _lingering(scene: Scene, said: Prompt) -> Prompt:
    """Nobody takes Mister X's pawn off: the switch may be stuck."""
    hint = _take_off(scene)
    if not hint:
        return said
    station = min(scene.take_off)
    asked, keys = f"Is {station} empty? CONFIRM: its switch is ignored", (CONFIRM, *said.keys)
    entered = scene.view is not None and any(move.to == station for move in scene.view.moves)
    if entered and BACK in said.keys:  # it may be a detective's pawn, and the switch it has left may be stuck
        asked = f"Still felt on {station}? CONFIRM"
    elif entered:
        asked, keys = f"{asked}. No: BACK", (*keys, BACK)
    return Prompt(f"{said.text}. {asked}", keys, f"{hint}. {asked}", station)


def _figures(scene: Scene) -> list[str]:
    """Where Mister X's pawns have to be set down or taken off (PB-06)."""
    hints = [f"Set {pawn_name(pawn)}'s pawn on {station}" for pawn, station in scene.set_down.items()]
    return [*hints, *filter(None, [_take_off(scene)])]


def _take_off(scene: Scene) -> str:
    """Where a pawn of Mister X's has to be taken off; "" for nowhere, or while it is to be set down first.

    Whose pawn it is no switch can tell, so none is named.
    """
    if not scene.take_off or scene.view is None or scene.set_down.keys() & scene.view.pawns.keys():
        return ""
    return f"Clear {_listed(map(str, sorted(scene.take_off)))}: Mister X has left"


def _tiles(layout: str) -> str:
    """How the tiles have to be laid (DI-01, DI-06)."""
    light = " Small letters: light side up." if layout != layout.upper() else ""
    return f"Lay the tiles: {' / '.join(' '.join(row) for row in layout.split())}.{light} CONFIRM when they lie"


def _roll(view: PublicView, dice: Dice, entered: tuple[str, ...], hints: list[str]) -> Prompt:
    """Dice are to be rolled, by the table or by hand (DI-13)."""
    pawns = _listed(map(pawn_name, view.turn), "or")
    head = ". ".join([*_staying(view), pawns])
    count = f"{dice.to_roll} dice" if dice.to_roll > 1 else "1 die"
    if not dice.by_hand:
        return Prompt(". ".join([f"{head}: CONFIRM rolls {count}", *hints]), (CONFIRM,))
    keys = tuple(f"table.{face}" for face in dice.faces if face != "x")
    if len(entered) < dice.to_roll:
        what = f"{dice.to_roll - len(entered)} more" if entered else f"roll {count} and enter each"
        so_far = f" Entered: {_faces(entered)}, BACK mends." if entered else ""
        faces = _listed((k.removeprefix("table.").upper() for k in keys), "or")
        who = pawns if entered else head  # who stays was told before
        return Prompt(f"{who}: {what}: {faces}, CONFIRM for X.{so_far}", (*keys, CONFIRM, *(BACK,) * bool(entered)))
    return Prompt(f"{head} rolled {_faces(entered)}? CONFIRM, or BACK to mend it", (CONFIRM, BACK))


def _faces(faces: tuple[str, ...]) -> str:
    """Dice in few words: "taxi and 2 bus"."""
    return _listed(f"{count} {face}" if count > 1 else face for face, count in Counter(faces).items())


def _put_right(scene: Scene, reading: Mismatch, *, insist: bool, astray: bool) -> Prompt:
    figures = _figures(scene)
    put = [f"{pawn_name(p)} on {s}" for p, s in reading.missing.items()]
    lines = [f"Put {_listed(_few(put))}"] if put else []
    lines += [f"Clear {_listed(_few(list(map(str, sorted(reading.extra)))))}"] if reading.extra else []
    # One thing at a time, and a small screen holds no more; but a pawn of his that stands wrong belongs somewhere.
    lines += figures if not insist or (astray and not reading.several) else []
    head = {Phase.SET_UP: "Set up: ", Phase.RESUME: "Going on: "}.get(scene.phase, "")
    if not insist:
        return Prompt(head + ". ".join(lines))
    if astray or reading.several:
        return Prompt(f"{head}{'. '.join(lines)}. {DONE}", (CONFIRM,), f"{head}{_first(reading)}. {DONE}")
    station = doubted(reading)
    pawn = next((pawn_name(p) for p, s in reading.missing.items() if s == station), None)
    asked = f"Is {station} empty" if pawn is None else f"Does {pawn} stand on {station}"
    asked += "? CONFIRM" if station in scene.masked else "? CONFIRM: its switch is ignored"
    return Prompt(f"{head}{'. '.join(lines)}. {asked}", (CONFIRM,), f"{head}{_first(reading)}. {asked}")


def _few(words: list[str]) -> list[str]:
    """The first three of more than four: more than that nobody reads at once, and no small screen holds."""
    return words if len(words) <= 4 else [*words[:3], f"{len(words) - 3} more"]


def _first(wrong: Mismatch) -> str:
    """What is to be put right first, and how much there is besides."""
    put = [f"Put {pawn_name(p)} on {s}" for p, s in wrong.missing.items()]
    clear = [f"Clear {station}" for station in sorted(wrong.extra)]
    first, *others = [*clear, *put]
    return f"{first} and {len(others)} more" if others else first


def _ask(asked: tuple[PawnMove, ...], view: PublicView, *, more: bool, reading: Reading) -> Prompt:
    pawn, to = pawn_name(asked[0].pawn), asked[0].to
    tickets = [move.ticket for move in asked]
    keys = tuple(f"table.{ticket}" for ticket in tickets) if len(asked) > 1 else (CONFIRM,)
    words = _listed((ticket.upper() for ticket in tickets), "or") if len(asked) > 1 else "CONFIRM"
    more = more or not isinstance(reading, Moved | Ambiguous)  # asked for by key, or nothing but a guess
    elsewhere = ", BACK: elsewhere" if more else ""
    if tickets == [HERE]:
        todo = f"{pawn}: to a lit station" if _goes(view, (asked[0].pawn,)) else f"Put {pawn} back"
        return Prompt(f"{todo}. Does it stand on {to}? CONFIRM. No: BACK", (CONFIRM, BACK))
    if tickets == [EMPTY]:
        return Prompt(f"Is {to} empty? CONFIRM: its switch is ignored. No: BACK", (CONFIRM, BACK))
    if tickets == [HIS]:
        return Prompt(f"Is that Mister X's pawn on {to}? CONFIRM. No: BACK", (CONFIRM, BACK))
    if tickets == [STAY]:
        return Prompt(f"{pawn} stays on {to}? {words}{', BACK: no' if more else ''}", (*keys, *(BACK,) * more))
    if isinstance(reading, InHand) and tickets != [RETURN]:
        return Prompt(f"{pawn}: to a lit station. Already on {to}? Press {words}{elsewhere}", (*keys, *(BACK,) * more))
    what = f"{pawn} back on {to}" if tickets == [RETURN] else f"{pawn} to {to}"
    if tickets == [RETURN] and view.pawns.get(asked[0].pawn) == to:  # it came from nowhere
        what = f"Take {pawn}'s start on {to} back"
    if not more:
        return Prompt(f"{what}: {words}?", keys)
    return Prompt(f"{what}? {words}. No: BACK", (*keys, BACK))


def _back(view: PublicView, reading: Returned) -> Prompt:
    """A pawn may have been put back to where it came from."""
    pawn = pawn_name(reading.pawn)
    if not reading.doubtful:
        return Prompt(f"{pawn} takes the move back")
    stands = view.pawns[reading.pawn]
    return Prompt(f"{pawn} back on {reading.to}? CONFIRM. It stands on {stands}? BACK", (CONFIRM, BACK))


def _staying(view: PublicView) -> list[str]:
    """The pawns that stay in this round, a sentence for each reason."""
    lines = []
    for why in dict.fromkeys(skip.why for skip in view.skipped):
        theirs = [skip for skip in view.skipped if skip.why == why]
        what = "have no die" if why == "no_die" else f"are {why}"
        pawns = _listed(pawn_name(skip.pawn) for skip in theirs)
        lines.append(skipped(theirs[0]) if len(theirs) == 1 else f"{pawns} {what} and stay")
    return lines


def _turn(view: PublicView, reading: Reading, hints: list[str], *, late: bool, where: bool, blind: bool) -> Prompt:
    staying = _staying(view)
    if view.his_turn:
        silent = reading.silent if isinstance(reading, Settled) else ()
        if silent:
            where_to = _listed((f"back on {m.to}" if m.ticket == RETURN else f"gone to {m.to}" for m in silent), "or")
            return Prompt(f"{_mr_x(view)}. Has he {where_to}? CONFIRM", (CONFIRM,))
        return Prompt(". ".join([_mr_x(view), *hints, *staying]))
    starts = {move.ticket for move in view.moves} == {START}
    if where:
        pawns = reading.pawns if isinstance(reading, InHand) else view.turn
        return Prompt(f"Where does {_names(pawns)} stand? BACK: show the next station", (BACK,))
    tokens, again = _again(view) if late else ("", ())
    if isinstance(reading, InHand) and not _goes(view, reading.pawns):
        put = f"Put {_listed(f'{pawn_name(pawn)} back on {view.pawns[pawn]}' for pawn in reading.pawns)}"
        missed = f". Not felt there? CONFIRM{tokens}" if late else ""
        return Prompt((f"No die takes it anywhere. {put}" if view.dice else put) + missed, (CONFIRM,) * late + again)
    if starts:
        missed = ". Not felt there? CONFIRM" if late else ""
        return Prompt(f"{_names(view.turn)}: choose a start and set the pawn there{missed}", (CONFIRM,) * late)
    if isinstance(reading, InHand):
        unfelt = [f"Not felt there? CONFIRM{tokens}"] if late else []
        said = ". ".join([f"{_names(reading.pawns)}: to a lit station", *unfelt, *hints])
        return Prompt(said, (CONFIRM,) * late + again)
    head, keys = _to_move(view, reading)
    if blind and CONFIRM not in keys and isinstance(reading, Settled):  # neither its leaving nor its arrival is felt
        head, keys = f"{head}. Not felt there? CONFIRM", (CONFIRM, *keys)
    return Prompt(". ".join([head, *hints, *staying]), keys)


def _goes(view: PublicView, pawns: Iterable[str]) -> bool:
    """Whether one of some pawns may go anywhere."""
    return any(move.pawn in pawns and move.ticket != STAY for move in view.moves)


def _to_move(view: PublicView, reading: Reading) -> tuple[str, tuple[str, ...]]:
    """Whose move it is, and what else may be done by key instead."""
    pawns, (tokens, again) = _names(view.turn), _again(view)
    if {move.ticket for move in view.moves} == {STAY}:
        return f"{pawns} can use no die: CONFIRM stays{tokens}", (CONFIRM, *again)
    if isinstance(reading, Settled) and reading.silent:
        first = reading.silent[0]
        stays = any(move.ticket == STAY for move in reading.silent)
        what = "one stays, or shares a station" if stays else f"already on {first.to}"
        what = f"{pawn_name(first.pawn)} back on {first.to}" if first.ticket == RETURN else what
        return f"{pawns} moves. CONFIRM: {what}{tokens}", (CONFIRM, *again)
    return f"{pawns} moves{tokens}", again


def _again(view: PublicView) -> tuple[str, tuple[str, ...]]:
    """That a token may be spent to roll again, and by which key."""
    keys = tuple(key for key, action in view.extras.items() if action == RollAgain())
    return (f", {keys[0].removeprefix('table.').upper()} rolls again" if keys else "", keys)


def _names(pawns: Iterable[str]) -> str:
    return _listed(map(pawn_name, pawns), "or")


def _mr_x(view: PublicView) -> str:
    """What Mister X is about to do, as far as everyone may know."""
    if view.giving:
        return f"Mister X takes a ticket from {pawn_name(view.giving[0])}"
    who = pawn_name(view.turn[0])
    if view.dice is not None and not view.dice.tile:
        return f"{who} chooses his start in secret"
    if view.chips:
        return f"{who} picks a ticket in secret"
    half = {1: " (double move, 1st)", 2: " (double move, 2nd)"}.get(view.double, "")
    if view.open_moves:
        return f"{who} moves{half}: his pawn on the board, or on the handset"
    hides = view.in_sight and len(view.log) + 1 not in view.surfacing
    return f"{who}'s move is hidden{half}: he chooses on the handset" if hides else f"{who} moves{half}"


def _listed(words: Iterable[str], last: str = "and") -> str:
    """Words as one would say them: "a, b and c"."""
    *head, tail = words
    return f"{', '.join(head)} {last} {tail}" if head else tail
