"""The content of the golden pictures: every page of the handset and every kind of scene, by the picture's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import (
    BLACK,
    BOAT,
    FREE,
    HELICOPTER,
    MR_X_JUNIOR,
    START,
    STAY,
    TICKETS,
    Double,
    Pass,
    Surface,
    Take,
)
from firmware_host.rules.views import MrXView, Outcome
from firmware_host.ui.drawing.public_display import DisplayContent
from firmware_host.ui.drawing.table_menu_screen import TABLE_MENU_PAGES, TableAddress, TableMenuScreen
from firmware_host.ui.handset_menu import DESTINATIONS, Menu
from firmware_host.ui.new_game_menu import NewGameMenu
from firmware_host.web.seats.qr_modules import small_qr_modules
from tests.ui.handmade_views import (
    ANY_TICKET,
    DICE,
    DICE_OFFER,
    PAWNS,
    TILES,
    US_OFFER,
    beginners,
    choices,
    choosing_start,
    content_of,
    dice_game,
    ill,
    junior,
    log,
    mr_x,
    public,
)
from tests.ui.handmade_views import moves as by

CODE = small_qr_modules("http://192.168.178.123:8380/seat#abcdefghijklmnopqrstuv")
"""The code of the longest possible link for Mister X's phone."""

ADDRESS = TableAddress(
    "http://192.168.178.123:8199/",
    "http://raspberrypi.local:8199/",
    small_qr_modules("http://192.168.178.123:8199/"),
    has_owner=True,
)
ROWS = ("address", "owner", "ask_off", "close")
TABLE_MENU: dict[str, TableMenuScreen] = {
    **{page: TableMenuScreen(page, ROWS, 2, False, ADDRESS, "482913") for page in TABLE_MENU_PAGES},
    "held": TableMenuScreen("list", ROWS, 0, True, ADDRESS, ""),
    "no-pages": TableMenuScreen("list", ROWS[2:], 1, False, None, ""),
    "no-code": TableMenuScreen("address", ROWS, 0, False, replace(ADDRESS, code=()), ""),
}
"""Every page of the table menu."""

FULL = log("TTBU?TB+TUTT?BT+UTTBUTTBUT", {3: 67, 8: 111, 13: 157, 18: 89})
ROUTE = (103, *range(101, 124), 118)


OVER = mr_x(
    118,
    turn=(),
    log=FULL[:7],
    outcome=Outcome("detectives", "captured"),
    pawns={"red": 118, "yellow": 34, "green": 26, "blue": 1, "mr_x": 118},
    route=(103, 101, 102, 67, 104, 105, 106, 118),
)

HANDSET: dict[str, tuple[Menu, MrXView]] = {
    "home": (Menu(), mr_x(7)),
    "home-three-figures-scrolled": (Menu(cursor=6), mr_x(185, log=FULL[:16])),
    "home-surfacing": (Menu(cursor=1), mr_x(67, log=FULL[:7])),
    "home-first-of-double": (Menu(), mr_x(140, choices(140, double=False), log=FULL[:7], double=1)),
    "home-second-of-double": (Menu(), mr_x(140, choices(140, double=False), log=FULL[:8], double=2)),
    "home-in-sight": (Menu(cursor=2), mr_x(153, log=FULL[:3], pawns={"red": 5, "mr_x": 153})),
    "home-many-tickets": (
        Menu(cursor=2),
        mr_x(199, choices(67), tickets={"mr_x": dict.fromkeys((*TICKETS, "double"), 54)}),
    ),
    "destinations": (Menu(DESTINATIONS, 1, "underground"), mr_x(67)),
    "destinations-surfacing": (Menu(DESTINATIONS, 4, "taxi"), mr_x(67, log=FULL[:2])),
    "destinations-thirteen-first": (Menu(DESTINATIONS, 0, BLACK), mr_x(67, log=FULL[:4])),
    "destinations-thirteen-last": (Menu(DESTINATIONS, 12, BLACK), mr_x(67, log=FULL[:4])),
    "destinations-thirteen-three-figures": (Menu(DESTINATIONS, 6, BLACK), mr_x(140, by(BLACK, *range(187, 200)))),
    "destinations-one": (Menu(DESTINATIONS, 0, "taxi"), mr_x(8, by("taxi", 19))),
    "waiting": (Menu(), mr_x(174, turn=("red",), log=FULL[:5])),
    "waiting-for-yellow-in-sight": (
        Menu(cursor=2),
        mr_x(9, turn=("yellow",), log=FULL[:3], pawns={"yellow": 6, "mr_x": 9}),
    ),
    "waiting-for-two-pawns": (Menu(cursor=1), mr_x(45, turn=("purple", "yellow"), detectives=5)),
    "waiting-for-anyone": (Menu(), mr_x(45, turn=PAWNS[:4], log=FULL)),
    "log-empty": (Menu("log", 0), mr_x(45)),
    "log-middle": (Menu("log", 8), mr_x(120, log=FULL[:14])),
    "log-full": (Menu("log", 24), mr_x(123, log=FULL)),
    "detectives-four": (Menu("detectives"), mr_x(45)),
    "detectives-five": (
        Menu("detectives"),
        mr_x(45, detectives=5, pawns=dict(zip(PAWNS, (188, 199, 100, 144, 128), strict=True))),
    ),
    "supply": (Menu("supply"), mr_x(128, log=FULL[:9])),
    "end-captured": (Menu(), OVER),
    "end-log-full": (Menu(cursor=2), mr_x(118, turn=(), log=FULL, outcome=Outcome("mr_x", "log_full"), route=ROUTE)),
    "end-stalled": (Menu(cursor=1), mr_x(118, turn=(), log=FULL[:9], outcome=Outcome("mr_x", "stalled"))),
    "end-log-open": (Menu("log", 4), OVER),
}

DICE_LOG = log("TP?HB+U", {3: 22})
ROUND = (*by("taxi", 18, 14), *by("underground", 5, 30), *by(BLACK, 14, 16, 18), *by(HELICOPTER, 13, 16))
OPEN = log("FFFFF", {1: 51, 2: 68, 4: 102, 5: 67})  # hidden at 3
ROLLED = replace(DICE, used=(("red", "taxi"),), rolled=("taxi", "bus", "x"))
ROLLING = public(
    rules="dice",
    network=TILES,
    turn=("yellow",),
    order=("red", "yellow", "green"),
    pawns={"red": 3, "yellow": 12, "green": 31},
    round=5,
    windows=13,
    log=DICE_LOG[:4],
    dice=ROLLED,
)
AWAITED = replace(DICE, used=(), rolled=(), to_roll=4, by_hand=True)
JUNIOR_OVER = junior(
    12,
    turn=(),
    round=9,
    chips={"mr_x": (6, 9), "detectives": (3, 3)},
    outcome=Outcome("detectives", "chips"),
)

HANDSET |= {
    "home-own-surfacing": (Menu(), mr_x(67, (*by("taxi", 51, 68), Surface()), rules="us")),
    "home-take": (Menu(cursor=1), mr_x(67, tuple(Take("yellow", t) for t in TICKETS[:3]), giving=("yellow", "red"))),
    "beginners-open": (Menu(), beginners(67, log=OPEN)),
    "beginners-hidden": (Menu(), beginners(67, log=OPEN[:2])),
    "beginners-out-of-sight": (Menu(), beginners(67, log=OPEN[:3], pawns={"red": 41})),
    "beginners-destinations-hidden": (Menu(DESTINATIONS, 1, FREE), beginners(67, log=OPEN[:2])),
    "beginners-black": (Menu(DESTINATIONS, 2, BLACK), beginners(67, log=OPEN)),
    "beginners-waiting": (Menu(), beginners(67, log=OPEN, turn=("red", "green", "blue"))),
    "beginners-log": (Menu("log", 5), beginners(67, log=OPEN)),
    "beginners-detectives": (Menu("detectives"), beginners(67)),
    "beginners-supply": (Menu("supply"), beginners(67)),
    "dice-start": (Menu(), choosing_start(2, 7, 18, 33)),
    "dice-start-places": (Menu(DESTINATIONS, 20, START), choosing_start(*set(range(1, 37)) - {3, 12, 31})),
    "dice-waiting-for-starts": (Menu(), dice_game(0, turn=("yellow",), round=0, pawns={"red": 3})),
    "dice-round": (Menu(), dice_game(17, (*ROUND, Double()), log=DICE_LOG[:1])),
    "dice-round-scrolled": (Menu(cursor=4), dice_game(17, (*ROUND, Double()), log=DICE_LOG[:1])),
    "dice-destinations": (Menu(DESTINATIONS, 1, "taxi"), dice_game(17, ROUND, log=DICE_LOG[:1])),
    "dice-destinations-surfacing": (Menu(DESTINATIONS, 0, "underground"), dice_game(17, ROUND, log=DICE_LOG[:2])),
    "dice-helicopter": (Menu(DESTINATIONS, 1, HELICOPTER), dice_game(13, ROUND, log=DICE_LOG[:1])),
    "dice-pass": (Menu(), dice_game(17, (Pass(),), log=DICE_LOG[:4])),
    "dice-second-of-double": (
        Menu(),
        dice_game(17, (*ROUND[:2], *by(BLACK, 18)), log=DICE_LOG[:5], double=2, dice=replace(DICE, taken=1)),
    ),
    "dice-waiting": (Menu(), dice_game(17, turn=("red",), log=DICE_LOG, dice=AWAITED)),
    "dice-log": (Menu("log", 6), dice_game(17, log=DICE_LOG)),
    "dice-supply": (Menu("supply"), dice_game(17)),
    "dice-detectives": (Menu("detectives"), dice_game(17)),
    "dice-dice": (Menu("dice"), dice_game(17, ROUND)),
    "dice-dice-before-the-roll": (Menu("dice"), dice_game(17, turn=("red",), dice=replace(AWAITED, covers=()))),
    "junior-commit": (Menu(), junior(9, ANY_TICKET)),
    "junior-commit-of-two": (Menu(cursor=2), junior(9, ANY_TICKET, two=True)),
    "junior-commit-x-junior": (Menu(), junior(5, ("taxi", BOAT, STAY), two=True, actor=MR_X_JUNIOR)),
    "junior-committed": (Menu(), junior(9, turn=("white", "yellow"))),
    "junior-chips": (Menu("chips"), junior(9, turn=("white", "yellow"))),
    "junior-detectives": (Menu("detectives"), junior(9, ANY_TICKET)),
    "end-chips": (Menu(cursor=2), JUNIOR_OVER),
    "end-dice": (
        Menu(cursor=4),
        dice_game(17, turn=(), log=DICE_LOG, outcome=Outcome("mr_x", "escaped"), route=(9, 8, 8, 22, 13, 16, 17)),
    ),
}

NEW_GAME: dict[str, NewGameMenu] = {
    "give-up": NewGameMenu("give_up"),
    "sure": NewGameMenu("sure", 1),
    "rules": NewGameMenu("rules", 0),
    "rules-scrolled": NewGameMenu("rules", 4),
    "players": NewGameMenu("players", 1, offer=DICE_OFFER, values=(0, 0, 0)),
    "options": NewGameMenu("options", 0, offer=US_OFFER, players=6, values=(1, 0, 1)),
    "options-own-tiles": NewGameMenu("options", 3, offer=DICE_OFFER, players=3, values=(0, 1, 0), tiles="AbCDeF"),
    "tiles-first": NewGameMenu("tiles", 10, offer=DICE_OFFER, players=4, values=(0, 0, 0)),
    "tiles-last": NewGameMenu("tiles", 1, offer=DICE_OFFER, players=4, values=(0, 0, 0), tiles="IbCDeFGa"),
}

LONG = (
    "Put Red on 103, Yellow on 154, Green on 112, Blue on 197 and Purple on 138. Clear 5 and 7. "
    "Already so? Press CONFIRM"
)
BROKEN = {"lamps": ill("degraded", "comes and goes: no answer"), "switches": ill("lost", "chain broken after chip 8")}
ALL_ILL = {name: ill("lost", "no answer") for name in ("display", "handset", "journal", "keys", "lamps", "switches")}
PLAYING = public(turn=("red",), round=7, log=FULL[:8])

DISPLAY: dict[str, Callable[[], DisplayContent]] = {
    "no-game": partial(content_of, None, "Press CONFIRM for a new game", phase=Phase.NO_GAME),
    "set-up": partial(content_of, public(), "Set up: " + LONG, phase=Phase.SET_UP),
    "mister-x-moves": partial(content_of, public(), "Mister X moves"),
    "red-moves": partial(content_of, PLAYING, "Red moves. Set Mister X's pawn on 111"),
    "which-ticket": partial(content_of, PLAYING, "Red to 58? TAXI or BUS. No: BACK"),
    "long-prompt": partial(content_of, public(turn=PAWNS[:4], round=22, log=FULL, detectives=5), LONG),
    "full-log": partial(content_of, public(turn=("blue",), round=22, log=FULL), "Blue moves"),
    "trouble": partial(
        content_of, PLAYING, "Red moves", ailing={"handset": ill("lost", "does not answer; check its cable")}
    ),
    "troubles-long": partial(
        content_of,
        public(turn=("yellow",), round=12, log=FULL[:17]),
        "Yellow: to a lit station. Already on 112? Press TAXI, BUS or UNDERGROUND, BACK: elsewhere",
        ailing=BROKEN,
        ignored=frozenset({58, 74}),
    ),
    "troubles-two": partial(content_of, PLAYING, "Red moves", ailing=BROKEN),
    "troubles-three": partial(
        content_of, PLAYING, "Paused: the switches are lost", ailing=BROKEN, ignored=frozenset({58, 74})
    ),
    "troubles-many": partial(
        content_of, PLAYING, "Yellow: to a lit station. Set Mister X's pawn on 111", ailing=ALL_ILL
    ),
    "troubles-set-up": partial(content_of, public(), "Set up: Put Red on 103", phase=Phase.SET_UP, ailing=ALL_ILL),
    "switch-named": partial(
        content_of,
        PLAYING,
        "The switch of 58 is broken: chip 8, pin F. Red and Yellow lack a ticket and stay. "
        "Green, Blue or Purple moves. Set Mister X's pawn on 111. CONFIRM: one stays, or shares a station",
        "Green, Blue or Purple moves. CONFIRM: one stays, or shares a station",
        ailing={"switches": ill("degraded", "broken under 58 (chip 8, pin F)")},
        ignored=frozenset({58}),
        places={58: "chip 8, pin F"},
    ),
    "resume": partial(content_of, PLAYING, "Going on: Put Red on 103", phase=Phase.RESUME),
    "over": partial(content_of, OVER.public, "Red caught Mister X at 118.", phase=Phase.OVER),
    "beginners-log": partial(
        content_of, beginners(67, log=OPEN, turn=PAWNS[:4]).public, "Red, Yellow, Green or Blue moves"
    ),
    "beginners-log-double": partial(
        content_of,
        beginners(67, log=log("FFFF?F+FFF", {1: 51, 2: 68, 4: 102, 6: 103, 7: 86, 9: 116}), double=1).public,
        "Mister X moves (double move, 1st)",
    ),
    "beginners-his-turn": partial(
        content_of, beginners(67, log=OPEN).public, "Mister X moves his pawn, or chooses on the handset"
    ),
    "dice-starts": partial(
        content_of,
        dice_game(0, turn=("yellow",), round=0, pawns={"red": 3}, dice=replace(AWAITED, to_roll=0, tile="")).public,
        "Yellow: choose a start and set the pawn there",
    ),
    "dice-to-roll": partial(
        content_of, replace(ROLLING, dice=replace(AWAITED, by_hand=False)), "Yellow: CONFIRM rolls 4 dice"
    ),
    "dice-entered": partial(
        content_of,
        replace(ROLLING, dice=AWAITED),
        "Yellow: roll 4 dice and enter each: TAXI, BUS or UNDERGROUND, CONFIRM for X. Entered: taxi and X, BACK mends.",
        entered=("taxi", "x"),
    ),
    "dice-entered-all": partial(
        content_of,
        replace(ROLLING, dice=replace(AWAITED, to_roll=3, used=ROLLED.used)),
        "Yellow rolled taxi, X and bus? CONFIRM, or BACK to mend it",
        entered=("taxi", "x", "bus"),
    ),
    "dice-rolled": partial(content_of, ROLLING, "Yellow moves, BACK rolls again"),
    "dice-used": partial(
        content_of,
        dice_game(17, log=DICE_LOG, round=7).public,
        "Mister X moves. Clear 22: Mister X has left",
        take_off=frozenset({22}),
    ),
    "dice-long-prompt": partial(content_of, ROLLING, LONG),
    "junior-chips": partial(content_of, junior(9, turn=("white", "yellow")).public, "White or Yellow moves"),
    "junior-two": partial(
        content_of, junior(5, two=True, turn=("mr_x_junior",)).public, "X Junior picks a ticket in secret"
    ),
    "junior-over": partial(content_of, JUNIOR_OVER.public, "They have 3 success chips.", phase=Phase.OVER),
}
