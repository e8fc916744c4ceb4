"""The state machine between the table and the rules.

House rules:

1. No input or output here. Events come in with the time (`handle`), at most one `Entry` comes out: something that
   should be done. Whoever drives the referee makes it durable and then says `accept`. Only then is it true.
2. What happened is read from final presence (`tracker`); the referee adds patience (how long a reading has to
   last) and the table's keys (where presence cannot tell).
3. Everything shown follows from `scene()`, which holds nothing secret.

Phases: no_game -> set_up -> play -> over -> set_up …; a game that is taken up again starts in resume instead of
set_up. Set-up, surfacing, a knocked board and a restart are one mechanism: the view says where pawns must stand, the
tracker what differs, the lamps guide until they agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from firmware_host.referee import prompts
from firmware_host.referee.board_reading import back_unfelt, read, unproved
from firmware_host.referee.commentary import aside
from firmware_host.referee.dice_keys import keyed
from firmware_host.referee.events import Abandon, Ailing, Begin, Board, Entry, Event, Play, Pressed, TakeBack, WantGame
from firmware_host.referee.mr_x_pawns import Figures, stands
from firmware_host.referee.occupancy import Occupancy, mr_x_stations
from firmware_host.referee.questions import NO_QUESTIONS, about, about_left, about_wrong, entry, unasked, unprompted
from firmware_host.referee.scene import FELT, InHand, Mismatch, Moved, Phase, Prompt, Reading, Returned, Scene, Settled
from firmware_host.referee.state import Memory, Patience
from firmware_host.rules.actions import MR_X, Action
from firmware_host.rules.game import Game
from firmware_host.rules.views import MrXView, PublicView

LAST_LOOK = 3.0
"""Seconds after the end of a game in which the confirm key does not yet ask for the next one."""


_WAITS = {
    Phase.NO_GAME: "there is no game; begin one first",
    Phase.SET_UP: "wait until the pawns are set up",
    Phase.RESUME: "wait until the pawns are back on their stations",
    Phase.OVER: "the game is over",
}
"""Why Mister X cannot act in a phase."""


class RefereeError(Exception):
    """Something was asked of the referee that cannot be done now."""


class NotNow(RefereeError, ValueError):
    """An action came at the wrong moment; the message says what the table waits for. Nothing has changed."""


class Referee:
    """Watches one table.

    Args:
        patience: how long readings have to last.
        take_back: whether putting a pawn back where it came from takes its move back.
        near: stations so close together that one magnet may close the switches of both.
    """

    def __init__(
        self,
        patience: Patience | None = None,
        *,
        take_back: bool = True,
        near: Mapping[int, frozenset[int]] | None = None,
    ) -> None:
        self.patience = patience or Patience()
        self.take_back = take_back
        self.near = near or {}
        self.touching: Mapping[int, frozenset[int]] = {}  # the closest of these: see `tracker.Felt`
        self.place: Callable[[int], str] = str  # where a human finds the switch under a station
        self.phase = Phase.NO_GAME
        self.since = 0.0
        self.game: Game | None = None
        self._view: PublicView | None = None
        self._before: PublicView | None = None
        self._table = Memory()
        self._to_lay = False  # tiles, before a game that is played on them
        self._aside = ""  # what has just happened, in a few words
        self._reading: Reading = Settled()

    # ---- the game ----

    @property
    def public(self) -> PublicView | None:
        """What everyone may know of the game, or None while there is none."""
        return self._view

    @property
    def felt(self) -> frozenset[int]:
        """The stations whose switch is closed."""
        return self._table.occupied

    @property
    def stuck(self) -> Mapping[int, bool]:
        """The stations whose switch is out of order, and whether it is stuck closed."""
        return self._table.masks.stuck

    @property
    def times_stuck(self) -> Mapping[int, int]:
        """The stations whose switch was ever out of order, and how many times."""
        return self._table.masks.times

    def mask(self, stuck: Mapping[int, bool], times: Mapping[int, int]) -> None:
        """These switches, and no others, are out of order, or were: from before, or under other stations now."""
        self._table.masks.take_over(stuck, times)
        self._table.felt = False

    @property
    def private(self) -> MrXView | None:
        """What Mister X may know, or None while there is no game."""
        return None if self.game is None else self.game.private

    def accept(self, entry: Entry, now: float) -> None:
        """An entry has become durable: from now on it is true.

        Raises:
            RulesError: it is not legal; nothing has changed.
        """
        match entry:
            case Begin(setup):
                self._take_up(Game(setup), Phase.SET_UP, now)
            case Play(action):
                self._the_game().play(action)
                self._renew(now)
            case TakeBack():
                self._the_game().take_back()
                self._renew(now)
            case Abandon():
                self.game = self._view = self._before = None
                self.phase, self.since, self._reading = Phase.NO_GAME, now, Settled()
                self._to_lay, self._aside = False, "The game was given up"
                self._table.questions, self._table.wrong_since = NO_QUESTIONS, None

    def resume(self, game: Game, now: float) -> None:
        """Take up a game that was begun earlier: the pawns are guided to their stations first."""
        self._table.leapt = bool(mr_x_stations(game.public))  # what is felt may be his pawn, which has moved meanwhile
        self._take_up(game, Phase.RESUME, now)

    def check(self, action: Action) -> None:
        """Does nothing if Mister X may do this at this very moment.

        Raises:
            NotNow: the table waits for something else.
            RulesError: the rules do not allow it.
        """
        if self._table.paused:
            raise NotNow(f"the game is paused: {self._table.paused}")
        if self.phase is not Phase.PLAY:
            raise NotNow(_WAITS[self.phase])
        if isinstance(self._reading, Mismatch | Returned):
            raise NotNow("wait until the pawns on the board are put right")
        self._the_game().check(action)

    def _the_game(self) -> Game:
        if self.game is None:
            raise NotNow("there is no game; begin one first")
        return self.game

    def _take_up(self, game: Game, phase: Phase, now: float) -> None:
        self.game, self.phase = game, phase
        self._view = self._before = None
        self._table.figures, self._table.attested = Figures(), frozenset()
        self._table.wrong_since = None
        self._renew(now)
        self._to_lay = phase is Phase.SET_UP and self._view is not None and bool(self._view.layout)

    def _renew(self, now: float) -> None:
        """The game has changed: see it afresh."""
        game, old = self._the_game(), self._view
        self._view = view = game.public
        self._before = game.before if self.take_back else None
        self._aside = "" if old is None else aside(old, view)
        if self._table.blamed_at < now:
            self._table.blamed = frozenset()
        if old is None or len(old.log) != len(view.log) or view.outcome != old.outcome:
            self.since = now
        self._table.figures.follow(view, self._table.occupied)
        if view.outcome is not None:
            self.phase = Phase.OVER
        self._table.moved()
        self._look(now)
        if isinstance(self._reading, Settled) and now - self._table.quiet_since >= self.patience.settle:
            self._table.figures.watch(view, self._table.occupied)

    # ---- events ----

    def handle(self, event: Event, now: float) -> Entry | None:
        """What should be done now that this has happened; None for nothing. `now` never runs backwards."""
        match event:
            case Board():
                self._board(event, now)
            case Pressed(key):
                known = self._table.masks.stations
                wanted = self._pressed(key, now)
                self._table.blame(known, now)
                return wanted
            case Ailing(devices, paused):
                if paused != self._table.paused:  # what is felt from now on has to last
                    self._table.quiet_since = now
                self._table.ailing, self._table.paused = devices, paused
                return None
        if now >= self._table.masks.due:  # one has told the truth for long enough
            self._look(now)
        return self._due(now)

    def next_due(self, now: float) -> float:
        """When `Tick` is wanted next if nothing else happens; infinity if never."""
        table, patience = self._table, self.patience
        waits = (patience.settle, patience.slide, patience.insist)
        times = [table.masks.due, *(table.quiet_since + wait for wait in waits)]
        if table.wrong_since is not None:
            times += [table.wrong_since + patience.wrong, table.same_since + self._insist]
        return min((t for t in times if t > now), default=float("inf"))

    @property
    def _insist(self) -> float:
        """Setting up takes longer than putting one pawn right."""
        return self.patience.insist * (1 if self.phase is Phase.PLAY else 5)

    def _board(self, board: Board, now: float) -> None:
        self._table.feels(board, self._view, self._reading, now, shown=self._wrong(now) > 0)
        self._look(now)

    def _here(self, view: PublicView) -> Occupancy:
        table = self._table
        unsure = table.shadowed | table.figures.unsure(view, table.unheard)
        return Occupancy(
            view, table.occupied, table.unheard, unsure, self.near, table.figures.left, self.touching, table.his
        )

    def _look(self, now: float) -> None:
        """Read the board afresh."""
        if self._view is not None and self._table.felt:
            self._table.masks.heal(self._table.occupied, stands(self._view), now, self._table.unwell)
        before, self._reading = self._reading, self._read()
        table, view = self._table, self._view
        if view is not None and table.figures.put_back(view, table.occupied, self._reading):
            self._reading = self._read()
        if table.leapt or table.doubts(self._reading):
            self._reading = unproved(self._reading)
        if self._reading != before:
            table.withdraw(before, now)
            table.same_since = now
        if not isinstance(self._reading, Mismatch):
            self._table.wrong_since = None
        elif self._table.wrong_since is None:
            self._table.wrong_since = self._table.same_since = now

    def _read(self) -> Reading:
        if self._view is None or self.phase is Phase.OVER:
            return Settled()
        view, figures = self._view, self._table.figures
        here = self._here(view)
        still = replace(view, turn=(), moves=(), open_moves=())
        unseen = self._table.unattested(view) if self._begins else frozenset[int]()
        if unseen or self.phase is Phase.SET_UP:  # a pawn is never taken to stand where no switch is listened to
            heard = replace(here, view=still, occupied=here.occupied - unseen, masked=here.masked - unseen)
            return read(heard)
        his = view.pawns.get(MR_X, 0)
        seen = figures.seen(his) or his in here.masked
        if view.open_moves and not seen:
            view = replace(view, open_moves=())  # first his pawn is set down where he is (BE-06)
        before = self._before if self.phase is Phase.PLAY else None
        if before is not None and before.his_turn and not seen:
            before = None  # his pawn was never felt where he has gone: it cannot have come back from there
        reading = read(here.seen_as(view), before)
        cleared = isinstance(reading, InHand) and len(reading.pawns) > 1  # nobody holds so many: all are to be set up
        if (cleared or isinstance(reading, Mismatch)) and self.phase is not Phase.PLAY:  # every pawn is guided home
            return read(here.seen_as(still))
        return reading

    def _due(self, now: float) -> Entry | None:
        """What a reading that has lasted long enough brings about."""
        table, quiet = self._table, now - self._table.quiet_since
        if self._view is None or table.paused or quiet < self.patience.settle - 1e-9:
            return None
        if self.phase in (Phase.SET_UP, Phase.RESUME):
            if self._to_lay or isinstance(self._reading, Mismatch | Returned):
                return None
            self.phase, self.since = Phase.PLAY, now
            return self._due(now)  # a pawn may stand where it moves first
        if self.phase is not Phase.PLAY:
            return None
        table.ask_again(self._reading, now, self.patience.insist)
        match self._reading:
            case Settled():
                table.settled(self._view)
            case Moved(may_slide=True) if quiet < self.patience.slide - 1e-9:
                return None
            case Moved((move,)):
                table.moves_on(self._view, move.pawn)
                return entry(move)
            case Returned(pawn, doubtful=False):
                table.moves_on(self._view, pawn)
                return TakeBack()
        if not table.declined and (table.unheeded or not table.questions):
            wrong, late = self._wrong(now), self._late(now)
            table.ask(unprompted(self._reading, self._here(self._view), self._before, wrong=wrong, late=late), now)
        return None

    # ---- keys ----

    def _pressed(self, key: str, now: float) -> Entry | None:
        if self._table.paused:
            return None
        if self._to_lay:
            self._to_lay = key != prompts.CONFIRM
            return self._due(now)
        if isinstance(self._reading, Mismatch) and self._view is not None:
            return self._doubt(self._view, self._reading, key, now)
        match self.phase:
            case Phase.NO_GAME:
                return WantGame() if key == prompts.CONFIRM else None
            case Phase.OVER:
                return WantGame() if key == prompts.CONFIRM and now - self.since >= LAST_LOOK else None
            case Phase.PLAY:
                return self._answered(key, now)
        return None

    def _doubt(self, view: PublicView, wrong: Mismatch, key: str, now: float) -> Entry | None:
        """A key while something insistently stands wrong: a switch is out of order."""
        if self._table.questions:
            return self._chosen(view, key, now)
        if key != prompts.CONFIRM or self._wrong(now) < 2:
            return None
        if self._table.astray(view, wrong):
            self._table.ask(about_wrong(view, wrong), now)
            self._table.unheeded = False  # a key has asked for it
        else:
            self._table.attest(prompts.doubted(wrong))
            self._look_anew(now)
        return None

    def _look_anew(self, now: float) -> None:
        """Somebody has said what is felt: what is read now has to last, too."""
        self._table.quiet_since = self._table.same_since = now
        self._look(now)

    def _answered(self, key: str, now: float) -> Entry | None:
        """A key that answers what the table asks, makes it ask, or does what else the players may do."""
        table, view, reading = self._table, self._view, self._reading
        if view is None:
            return None
        if isinstance(reading, Returned):
            return self._back_or_not(view, reading, key, now) if reading.doubtful else None
        if table.questions:
            return self._chosen(view, key, now)
        if view.dice is not None and view.dice.to_roll and (key != prompts.BACK or table.entered):
            table.entered, wanted = keyed(view.dice, table.entered, key)
            return wanted
        if now - table.quiet_since < self.patience.settle - 1e-9:
            return None
        if key in view.extras and (isinstance(reading, Settled) or self._late(now)):
            return Play(view.extras[key])
        said = self.scene(now).prompt
        left = about_left(view, said.doubts)
        if said.doubts and key == prompts.CONFIRM and not (left and prompts.BACK in view.extras):
            table.mask(said.doubts)
            self._look_anew(now)
        elif said.doubts and key in said.keys:
            table.questions, table.unheeded = left, False
        elif key == prompts.BACK and isinstance(reading, Settled):
            table.questions, table.unheeded = about(back_unfelt(self._here(view), self._before)), False
        elif key == prompts.CONFIRM:
            table.unheeded = False
            table.questions = unasked(reading, self._here(view), self._before, denied=table.declined)
        return None

    def _back_or_not(self, view: PublicView, back: Returned, key: str, now: float) -> Entry | None:
        """A key says whether a pawn was put back to where it came from; if not, a switch is out of order."""
        if key == prompts.CONFIRM:
            self._table.never_there(view, back.pawn)
            return TakeBack()
        if key == prompts.BACK:
            self._table.not_back(view, back)
            self._look_anew(now)
        return None

    def _chosen(self, view: PublicView, key: str, now: float) -> Entry | None:
        """A key that answers what the table asks, or goes on to the next question."""
        table = self._table
        asked = table.questions.asked
        if key == prompts.BACK:
            if self._late(now) or not isinstance(self._reading, Moved):
                table.go_on(self._reading)
            return None
        guess = isinstance(self._reading, InHand | Mismatch | Settled)
        if guess and now - table.asked_at < self.patience.settle - 1e-9:
            return None  # nobody can have read it yet: the key was meant for what stood there before
        for move in asked:
            if key == prompts.CONFIRM and move.ticket in FELT:
                table.told(move, self._reading)
                self._look_anew(now)
                return None
            if key == f"table.{move.ticket}" or (key == prompts.CONFIRM and len(asked) == 1):
                table.vouched(view, move, self._reading)
                return entry(move)
        return None

    # ---- what is shown ----

    def _wrong(self, now: float) -> int:
        since = self._table.wrong_since
        if since is None:
            return 0
        if now - self._table.same_since + 1e-9 >= self._insist and not self._unlaid:
            return 2
        if self._unattested and now - self._table.quiet_since + 1e-9 >= self.patience.settle:
            return 2
        return 1 if now - since + 1e-9 >= self.patience.wrong or self.phase is not Phase.PLAY else 0

    @property
    def _unattested(self) -> bool:
        """Whether all is set up but for pawns on stations that are not listened to: there a key has to tell."""
        wrong, unheard = self._reading, self._table.unheard
        if not self._begins or not isinstance(wrong, Mismatch) or wrong.extra:
            return False
        return unheard.issuperset(wrong.missing.values())

    @property
    def _begins(self) -> bool:
        """Whether the pawns are set up for a game of which nothing has been played, be it after a restart."""
        resumed = self.phase is Phase.RESUME and self.game is not None and not self.game.actions
        return resumed or self.phase is Phase.SET_UP

    @property
    def _unlaid(self) -> bool:
        """Whether nobody has begun to set up: no switch is to blame for several pawns that are not there."""
        several = isinstance(self._reading, Mismatch) and len(self._reading.missing) > 1
        return self.phase is Phase.SET_UP and several and not self._table.occupied

    def scene(self, now: float) -> Scene:
        """What the table shows at this moment; nothing in it is secret."""
        table, view = self._table, self._view
        set_down: Mapping[str, int] = {}
        take_off = frozenset[int]()
        if view is not None and self.phase is not Phase.OVER:
            set_down, take_off = table.asked_for(view, self._reading)
        scene = Scene(
            phase=self.phase,
            view=view,
            reading=self._reading,
            wrong=self._wrong(now),
            asked=table.questions.asked,
            set_down=set_down,
            take_off=take_off,
            prompt=Prompt(""),
            masked=table.unheard,
            places={station: self.place(station) for station in sorted(table.unheard)},
            ailing=table.ailing,
            since=self.since,
            entered=table.entered,
        )
        told = table.blamed & table.masks.stations
        prompt = prompts.prompt(
            scene,
            more=table.questions.more,
            late=self._late(now),
            lay=self._to_lay,
            paused=table.paused,
            astray=view is not None and table.astray(view, self._reading),
            aside=self._aside or prompts.ignored({n: self.place(n) for n in sorted(told)}),
        )
        return replace(scene, prompt=prompt)

    def _late(self, now: float) -> bool:
        """Whether nothing has changed for so long, or so much was denied, that a switch may not feel what was done."""
        return self._table.declined or now - self._table.quiet_since + 1e-9 >= self.patience.insist
