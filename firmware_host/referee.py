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

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from firmware_host import prompts
from firmware_host.events import Ailing, Begin, Board, Entry, Event, Play, Pressed, TakeBack, Tick, WantGame
from firmware_host.rules.actions import MR_X, Action, PawnMove
from firmware_host.rules.game import Game
from firmware_host.rules.views import MrXView, PublicView
from firmware_host.scene import InHand, Mismatch, Moved, Phase, Prompt, Reading, Returned, Scene, Settled
from firmware_host.tracker import Felt, mr_x_stations, read

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


@dataclass(frozen=True, slots=True)
class Patience:
    """How long things have to last, in seconds.

    Attributes:
        settle: a reading, before it counts.
        slide: the same where the pawn could legally be on its way to the next station (PB-03).
        wrong: a mismatch, before it is shown.
        insist: a mismatch, before it is shown insistently and a switch may be declared out of order.
    """

    settle: float = 0.3
    slide: float = 0.6
    wrong: float = 1.0
    insist: float = 4.0


class Figure(Enum):
    """Where Mister X's own pawn is, as far as the switch under the station he was last seen on can tell (PB-05)."""

    UNSEEN = "never felt there"
    DOWN = "felt there"
    LIFTED = "felt, and lifted again: in a hand, and may be put back"
    GONE = "lifted, he has moved on, and so has the game: in its box"


@dataclass(slots=True)
class _Table:
    """What the referee remembers of the board beyond the game itself."""

    occupied: frozenset[int] = frozenset()
    unwell: frozenset[int] = frozenset()
    masked: frozenset[int] = frozenset()
    stirred: frozenset[int] = frozenset()  # masked ones that have moved since
    quiet_since: float = 0.0
    wrong_since: float | None = None  # some mismatch
    same_since: float = 0.0  # this very mismatch
    mr_x: Figure = Figure.UNSEEN
    spots: tuple[int, ...] = ()
    spot: int = 0
    ailing: Mapping[str, str] = field(default_factory=dict)
    paused: str = ""


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
        self.phase = Phase.NO_GAME
        self.since = 0.0
        self.game: Game | None = None
        self._view: PublicView | None = None
        self._before: PublicView | None = None
        self._table = _Table()
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
            case WantGame():
                pass

    def resume(self, game: Game, now: float) -> None:
        """Take up a game that was begun earlier: the pawns are guided to their stations first."""
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
        self._table.mr_x = Figure.UNSEEN
        self._table.wrong_since = None
        self._renew(now)

    def _renew(self, now: float) -> None:
        """The game has changed: see it afresh."""
        game, old = self._the_game(), self._view
        self._view = view = game.public
        self._before = game.before if self.take_back else None
        if old is None or len(old.log) != len(view.log) or view.outcome != old.outcome:
            self.since = now
        if old is None or mr_x_stations(old) != mr_x_stations(view):
            self._table.mr_x = Figure.UNSEEN
        elif self._table.mr_x is Figure.LIFTED and view.stale is not None:
            self._table.mr_x = Figure.GONE
        if view.outcome is not None:
            self.phase = Phase.OVER
        self._table.spots = ()
        self._look(now)

    # ---- events ----

    def handle(self, event: Event, now: float) -> Entry | None:
        """What should be done now that this has happened; None for nothing. `now` never runs backwards."""
        match event:
            case Board(occupied, unwell):
                self._board(occupied, unwell, now)
            case Pressed(key):
                return self._pressed(key, now)
            case Ailing(devices, paused):
                self._table.ailing, self._table.paused = devices, paused
                self._table.quiet_since = now
            case Tick():
                pass
        return self._due(now)

    def next_due(self, now: float) -> float:
        """When `Tick` is wanted next if nothing else happens; infinity if never."""
        table, patience = self._table, self.patience
        waits = (patience.settle, patience.slide, patience.insist)
        times = [table.quiet_since + wait for wait in waits]
        if table.wrong_since is not None:
            times += [table.wrong_since + patience.wrong, table.same_since + self._insist]
        return min((t for t in times if t > now), default=float("inf"))

    @property
    def _insist(self) -> float:
        """Setting up takes longer than putting one pawn right."""
        return self.patience.insist * (1 if self.phase is Phase.PLAY else 5)

    def _board(self, occupied: frozenset[int], unwell: frozenset[int], now: float) -> None:
        table = self._table
        changed = occupied ^ table.occupied
        if changed - table.masked or unwell != table.unwell:
            table.quiet_since, table.spots = now, ()
        table.occupied, table.unwell = occupied, unwell
        table.stirred |= changed & table.masked
        self._look(now)

    def _heal(self, view: PublicView) -> None:
        """A masked switch that moves again and tells the truth is well again."""
        table = self._table
        stand = {view.pawns[pawn] for pawn in view.order}
        table.masked -= {s for s in table.stirred if (s in table.occupied) == (s in stand)}
        table.stirred &= table.masked

    def _felt(self) -> Felt:
        table = self._table
        stations = mr_x_stations(self._view) if self._view is not None else frozenset[int]()
        unsure = frozenset[int]() if table.mr_x is Figure.GONE else stations
        return Felt(table.occupied, table.masked | table.unwell, unsure, self.near)

    def _look(self, now: float) -> None:
        """Read the board afresh."""
        if self._view is not None:
            self._heal(self._view)
        before, self._reading = self._reading, self._read()
        if self._table.mr_x is Figure.GONE and self._mr_x_is_back():
            self._table.mr_x = Figure.DOWN
            self._reading = self._read()
        if self._reading != before:
            self._table.same_since = now
        if not isinstance(self._reading, Mismatch):
            self._table.wrong_since = None
        elif self._table.wrong_since is None:
            self._table.wrong_since = self._table.same_since = now

    def _mr_x_is_back(self) -> bool:
        """Whether Mister X's own pawn, known to be off the board, must have been put back: nothing else explains it."""
        view, reading = self._view, self._reading
        if view is None:
            return False
        there = mr_x_stations(view) & self._table.occupied - {view.pawns[pawn] for pawn in view.order}
        return bool(there) and not (isinstance(reading, Moved) and reading.moves[0].to in there)

    def _read(self) -> Reading:
        if self._view is None or self.phase is Phase.OVER:
            return Settled()
        reading = read(self._view, self._felt(), self._before if self.phase is Phase.PLAY else None)
        if isinstance(reading, Mismatch) and self.phase is not Phase.PLAY:  # every pawn is guided home
            return read(replace(self._view, turn=(), moves=()), self._felt())
        return reading

    def _due(self, now: float) -> Entry | None:
        """What a reading that has lasted long enough brings about."""
        table, quiet = self._table, now - self._table.quiet_since
        if self._view is None or table.paused or quiet < self.patience.settle - 1e-9:
            return None
        if self.phase in (Phase.SET_UP, Phase.RESUME):
            if not isinstance(self._reading, Mismatch | Returned):
                self.phase, self.since = Phase.PLAY, now
            return None
        if self.phase is not Phase.PLAY:
            return None
        match self._reading:
            case Settled():
                self._watch_mr_x()
            case InHand(_, silent) if silent and not table.spots:
                table.spots, table.spot = self._spots(silent), 0
            case Moved(moves, may_slide):
                return self._moved(moves, quiet, may_slide=may_slide)
            case Returned(doubtful=False):
                return TakeBack()
        return None

    def _moved(self, moves: tuple[PawnMove, ...], quiet: float, *, may_slide: bool) -> Entry | None:
        """A pawn has arrived: play its move once that has lasted, or ask for the ticket."""
        if quiet < (self.patience.slide if may_slide else self.patience.settle) - 1e-9:
            return None
        if len(moves) == 1:
            return Play(moves[0])
        self._table.spots, self._table.spot = (moves[0].to,), 0
        return None

    def _watch_mr_x(self) -> None:
        """Keep in mind whether Mister X's own pawn stands on the board, while all else is settled (PB-05)."""
        table, view = self._table, self._view
        if view is None:
            return
        stations, stand = mr_x_stations(view), {view.pawns[pawn] for pawn in view.order}
        if stations & (table.occupied - stand):
            table.mr_x = Figure.DOWN
        elif table.mr_x is Figure.DOWN and not stations & stand:
            table.mr_x = Figure.LIFTED

    # ---- keys ----

    def _pressed(self, key: str, now: float) -> Entry | None:
        if self._table.paused:
            return None
        if self.phase is Phase.NO_GAME or (self.phase is Phase.OVER and now - self.since >= LAST_LOOK):
            return WantGame() if key == prompts.CONFIRM else None
        if isinstance(self._reading, Mismatch):
            if key == prompts.CONFIRM and self._wrong(now) > 1:
                self._table.masked |= {prompts.doubted(self._reading)}
                self._table.quiet_since = self._table.same_since = now  # what is read now has to last, too
                self._look(now)
            return None
        if self.phase is not Phase.PLAY:
            return None
        if isinstance(self._reading, Returned):
            return TakeBack() if key == prompts.CONFIRM and self._reading.doubtful else None
        return self._answered(key, now)

    def _answered(self, key: str, now: float) -> Entry | None:
        """A key that answers what the table asks, or makes it ask."""
        table, asked = self._table, self._asked()
        if key == prompts.BACK and table.spots and (len(table.spots) > 1 or table.spot < 0):
            table.spot = (table.spot + 1) % len(table.spots)
        elif key == prompts.CONFIRM and not asked and not table.spots:
            self._ask_where(now)
        for move in asked:
            if key == f"table.{move.ticket}" or (key == prompts.CONFIRM and len(asked) == 1):
                return self._confirmed(move)
        return None

    def _ask_where(self, now: float) -> None:
        """A pawn in hand that is felt nowhere: its player says that it stands, and the table asks where.

        No station is meant until the back key has gone to one: none has been felt.
        """
        view, reading = self._view, self._reading
        if view is None or not isinstance(reading, InHand) or now - self._table.quiet_since < self.patience.settle:
            return
        self._table.spots, self._table.spot = self._spots(()), -1

    def _spots(self, first: tuple[PawnMove, ...]) -> tuple[int, ...]:
        """Where the pawn in hand may stand unfelt: the likeliest stations first, then all its others."""
        view, reading = self._view, self._reading
        if view is None or not isinstance(reading, InHand):
            return ()
        others = sorted(move.to for move in view.moves if move.pawn == reading.pawn)
        return tuple(dict.fromkeys([*(move.to for move in first), *others]))

    def _confirmed(self, move: PawnMove) -> Entry:
        """A key has said what no switch can: if that is because a switch is silent, it is out of order."""
        if move.to not in self._table.occupied:
            self._table.masked |= {move.to}
        return Play(move)

    def _asked(self) -> tuple[PawnMove, ...]:
        table, view = self._table, self._view
        if view is None or not table.spots or table.spot < 0:
            return ()
        reading, to = self._reading, table.spots[table.spot]
        if isinstance(reading, Moved):
            return reading.moves
        return tuple(m for m in view.moves if isinstance(reading, InHand) and (m.pawn, m.to) == (reading.pawn, to))

    # ---- what is shown ----

    def _wrong(self, now: float) -> int:
        since = self._table.wrong_since
        if since is None:
            return 0
        if now - self._table.same_since + 1e-9 >= self._insist:
            return 2
        return 1 if now - since + 1e-9 >= self.patience.wrong or self.phase is not Phase.PLAY else 0

    def scene(self, now: float) -> Scene:
        """What the table shows at this moment; nothing in it is secret."""
        table, view = self._table, self._view
        set_down, take_off = self._mr_x_pawn()
        scene = Scene(
            phase=self.phase,
            view=view,
            reading=self._reading,
            wrong=self._wrong(now),
            asked=self._asked(),
            set_down=set_down,
            take_off=take_off,
            prompt=Prompt(""),
            masked=table.masked | table.unwell,
            ailing=table.ailing,
            since=self.since,
        )
        late = now - table.quiet_since + 1e-9 >= self.patience.insist
        prompt = prompts.prompt(scene, more=len(table.spots) > 1 or table.spot < 0, late=late, paused=table.paused)
        return replace(scene, prompt=prompt)

    def _mr_x_pawn(self) -> tuple[int | None, int | None]:
        """Where Mister X's pawn has to be set down, and where it has to be taken off (PB-06)."""
        table, view = self._table, self._view
        if view is None or self.phase is not Phase.PLAY:
            return None, None
        if MR_X in view.pawns:
            station = view.pawns[MR_X]
            return (station if table.mr_x is Figure.UNSEEN and station not in table.occupied else None), None
        stand = {view.pawns[pawn] for pawn in view.order}
        stays = view.stale is not None and view.stale in table.occupied - stand
        return None, view.stale if stays else None
