"""What the table tells the players to do next, in plain words. Public through and through."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.rules.views import PublicView
from firmware_host.scene import Ambiguous, InHand, Mismatch, Phase, Prompt, Reading, Returned, Scene
from firmware_host.words import pawn_name, reason, winner

CONFIRM, BACK = "table.confirm", "table.back"


def doubted(wrong: Mismatch) -> int:
    """The one station whose switch may be out of order: the first that should be empty, or else the first missing."""
    return min(wrong.extra) if wrong.extra else next(iter(wrong.missing.values()))


def prompt(scene: Scene, *, more: bool, late: bool, paused: str) -> Prompt:
    """The one thing to be done next.

    Args:
        scene: all that is shown; its own prompt is not looked at.
        more: whether the back key goes on to another station that may be meant.
        late: whether nothing has changed on the board for a while.
        paused: why the game cannot go on, or "".
    """
    phase, view, reading = scene.phase, scene.view, scene.reading
    if paused:
        return Prompt(f"Paused: {paused}")
    if view is None:
        return Prompt("Press CONFIRM for a new game", (CONFIRM,))
    if view.outcome is not None:
        return Prompt(f"{winner(view.outcome)}. {reason(view.outcome, view)} CONFIRM: new game", (CONFIRM,))
    if isinstance(reading, Mismatch) and (scene.wrong or phase is not Phase.PLAY):
        return _put_right(phase, reading, insist=scene.wrong > 1, set_down=scene.set_down)
    return _next(scene, view, more=more, late=late)


def _next(scene: Scene, view: PublicView, *, more: bool, late: bool) -> Prompt:
    """What to do next where nothing is wrong: answer a question, or move."""
    reading = scene.reading
    if scene.asked:
        return _ask(scene.asked, more=more, in_hand=isinstance(reading, InHand))
    hints = [f"Set Mister X's pawn on {scene.set_down}"] if scene.set_down is not None else []
    hints += [f"Take Mister X's pawn off {scene.take_off}"] if scene.take_off is not None else []
    return _turn(view, reading, hints, late=late, where=more)


def _put_right(phase: Phase, reading: Mismatch, *, insist: bool, set_down: int | None) -> Prompt:
    put = [f"{pawn_name(p)} on {s}" for p, s in reading.missing.items()]
    lines = [f"Put {_listed(_few(put))}"] if put else []
    lines += [f"Clear {_listed(_few(list(map(str, sorted(reading.extra)))))}"] if reading.extra else []
    lines += [f"Set Mister X's pawn on {set_down}"] if set_down is not None else []
    head = {Phase.SET_UP: "Set up: ", Phase.RESUME: "Going on: "}.get(phase, "")
    if not insist:
        return Prompt(head + ". ".join(lines))
    station = doubted(reading)
    pawn = next((pawn_name(p) for p, s in reading.missing.items() if s == station), None)
    asked = f"Is {station} empty" if pawn is None else f"Does {pawn} stand on {station}"
    return Prompt(f"{head}{'. '.join(lines)}. {asked}? CONFIRM: its switch is ignored", (CONFIRM,))


def _few(words: list[str]) -> list[str]:
    """The first three of more than four: more than that nobody reads at once, and no small screen holds."""
    return words if len(words) <= 4 else [*words[:3], f"{len(words) - 3} more"]


def _ask(asked: tuple[PawnMove, ...], *, more: bool, in_hand: bool) -> Prompt:
    pawn, to = pawn_name(asked[0].pawn), asked[0].to
    tickets = [move.ticket for move in asked]
    keys = tuple(f"table.{ticket}" for ticket in tickets) if len(asked) > 1 else (CONFIRM,)
    words = _listed((ticket.upper() for ticket in tickets), "or") if len(asked) > 1 else "CONFIRM"
    if not in_hand:
        return Prompt(f"{pawn} to {to}: {words}?", keys)
    elsewhere = ", BACK: elsewhere" if more else ""
    return Prompt(f"{pawn}: to a lit station. Already on {to}? Press {words}{elsewhere}", (*keys, *(BACK,) * more))


def _turn(view: PublicView, reading: Reading, hints: list[str], *, late: bool, where: bool) -> Prompt:
    skipped = [f"{pawn_name(s.pawn)} is {s.why} and stays" for s in view.skipped]
    if isinstance(reading, Returned) and reading.doubtful:
        pawn = pawn_name(reading.pawn)
        return Prompt(f"{pawn} back on {reading.to}? CONFIRM. Else: {pawn} on {view.pawns[reading.pawn]}", (CONFIRM,))
    if view.turn == (MR_X,):
        return Prompt(". ".join([_mr_x(view), *hints, *skipped]))
    pawns = _listed(map(pawn_name, view.turn), "or")
    if isinstance(reading, InHand) and where:
        return Prompt(f"Where does {pawn_name(reading.pawn)} stand? BACK: show the next station", (BACK,))
    if isinstance(reading, InHand):
        unfelt = ["Not felt there? CONFIRM"] if late else []
        return Prompt(". ".join([f"{pawn_name(reading.pawn)}: to a lit station", *unfelt, *hints]), (CONFIRM,))
    if isinstance(reading, Ambiguous):
        return Prompt("Which pawn is where? Put one back, then move the other")
    return Prompt(". ".join([f"{pawns} moves", *hints, *skipped]))


def _mr_x(view: PublicView) -> str:
    """What Mister X is about to do, as far as everyone may know."""
    if view.giving:
        return f"Mister X takes a ticket from {pawn_name(view.giving[0])}"
    return "Mister X moves" + {1: " (double move, 1st)", 2: " (double move, 2nd)"}.get(view.double, "")


def _listed(words: Iterable[str], last: str = "and") -> str:
    """Words as one would say them: "a, b and c"."""
    *head, tail = words
    return f"{', '.join(head)} {last} {tail}" if head else tail
