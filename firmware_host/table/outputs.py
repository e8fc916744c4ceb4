"""What a table shows: lamps, handset and public display, each sent only when it differs and the device is free."""

from __future__ import annotations

import logging
import math
from contextlib import ExitStack
from typing import Protocol

from PIL import Image

from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.loader import Config
from firmware_host.referee.referee import Referee
from firmware_host.referee.scene import Phase, Scene
from firmware_host.rules.views import PublicView
from firmware_host.system.event_log import log_fields
from firmware_host.system.language import ENGLISH, Lines, in_language
from firmware_host.table.lost_devices import RETRY, Devices
from firmware_host.ui import handset_peek_and_sleep as handsets
from firmware_host.ui.drawing.public_display import display, invitation
from firmware_host.ui.handset_peek_and_sleep import Handset, Look
from firmware_host.ui.lamp_plan import Glow, Plan, plan
from firmware_host.ui.lamp_rhythms import ANIMATED, LampFrame, frame
from hardware.backend import Backend
from hardware.current_limit import LimitedLamps
from hardware.ports import DeviceLost, Lamps, Panel

log = logging.getLogger("yardboard")

BEAT = 1.0
"""Seconds after which everything is sent again even if nothing changed: a device may have lost its power."""


class Audience(Protocol):
    """Who looks at the table from afar, such as a browser. It gets what everyone at the table may know, and no more."""

    def see(self, scene: Scene, layout: BoardLayout, frame: LampFrame) -> None:
        """Take how the table looks at this beat of its lamps; return at once.

        Args:
            scene: what the table shows; the same object as at the last beat while nothing has changed.
            layout: which station lies on which lamp; the same object while nothing is laid anew.
            frame: what shines.
        """

    def hear(self, lines: Lines) -> None:
        """Take what has happened at the table, the lines that go to the log; return at once.

        Args:
            lines: gives them in the language that it is called in, now or later.
        """

    def forget(self) -> None:
        """Forget the news of the last game: another one begins."""


class _Screen:
    """One panel: what it shows, and what it should show.

    It is sent anew at every `BEAT` of the clock. That it is lost or back is told on a beat only: between beats
    pictures go out when keys are pressed, and when a key makes a new picture is Mister X's secret.
    """

    def __init__(self, name: str, panel: Panel, devices: Devices) -> None:
        self._name, self._panel, self._devices = name, panel, devices
        self._wanted: Image.Image | None = None
        self._pixels = b""
        self._shown: bytes | None = None
        self._beat_at = self._retry_at = float("-inf")

    def want(self, picture: Image.Image | None) -> None:
        self._wanted = picture
        self._pixels = b"" if picture is None else picture.tobytes()

    def send(self, now: float) -> None:
        on_beat = now >= self._beat_at
        if not on_beat and (self._pixels == self._shown or now < self._retry_at):
            return
        if on_beat:
            self._beat_at = BEAT * (now // BEAT + 1)
        if self._panel.ready():
            self._try(now, tell=on_beat)

    def _try(self, now: float, *, tell: bool) -> None:
        try:
            self._panel.show(self._wanted)
        except DeviceLost as error:
            self._shown, self._retry_at = None, now + RETRY
            if tell:
                self._devices.lost(self._name, error, now)
        else:
            self._shown = self._pixels
            if tell:
                self._devices.ok(self._name, now)

    def dark(self) -> None:
        """Off, if it can be reached."""
        self.want(None)
        self._try(self._beat_at, tell=False)


def limit_lamps(config: Config, lamps: Lamps, spare: float = 0.0) -> LimitedLamps:
    """Put lamps behind the configuration's limit on current, with its brightness and gamma.

    Args:
        config: the table's configuration.
        lamps: the device itself; only what comes back is to be handed on.
        spare: milliamps of lamps in the chain that never shine.
    """
    wanted = config.lamps
    return LimitedLamps(lamps, wanted.max_milliamps, wanted.brightness, wanted.gamma, spare)


class Outputs:
    """Drive the lamps and screens of one table, and tell what happens there."""

    def __init__(self, config: Config, backend: Backend, devices: Devices, audience: Audience | None = None) -> None:
        self._audience = audience
        self._scene: Scene | None = None
        self._layout = config.layout
        self._language = config.board.language
        self._palette = config.lamps.palette
        self._period = 1 / config.lamps.frames_per_second
        self._devices = devices
        self._lamps = backend.lamps
        self._handset = _Screen("handset", backend.handset, devices)
        self._display = None if backend.display is None else _Screen("display", backend.display, devices)
        self._invites = config.handset.phone and config.devices["handset"].driver.absent
        self._invitation: tuple[str, ...] = ()
        self._base = bytes(3 * backend.lamps.count)
        self._moving: tuple[tuple[int, Glow], ...] = ()
        self._frame = self._base
        self._frame_at = self._refresh_at = self._painted_at = 0.0
        self._painted: Scene | None = None
        self._dirty = True
        self._beaten = False
        self._drawn: tuple[Look, PublicView | None] | None = None
        self._sleeps_after = config.display.blank_after_s or math.inf
        self._touched_at = backend.clock.now()
        self._stirred = self._asleep = False

    def lay_out(self, layout: BoardLayout) -> None:
        """Take another layout of stations on the board."""
        self._layout, self._scene, self._dirty = layout, None, True

    def scene_changed(self) -> None:
        """Note that the table has something new to show."""
        self._dirty = True

    def tell(self, lines: Lines) -> None:
        """Log what has happened at the table, in English, and let the audience hear it."""
        with in_language(ENGLISH):  # whatever language the page has from which this was asked for
            said = lines()
        for line in said:
            log.info(line, extra=log_fields("game"))
        if said and self._audience is not None:
            self._audience.hear(lines)

    def forget(self) -> None:
        """Have the audience forget the news of the last game, for another one begins."""
        if self._audience is not None:
            self._audience.forget()

    def rouse(self, now: float) -> bool:
        """Note that somebody has touched a pawn or a key of the table, and return whether lamps and display are asleep.

        They wake at the next beat. What Mister X does at his handset must never come here: he might be timed by it.
        """
        self._touched_at = now
        return self._asleep

    def show(self, referee: Referee, handset: Handset, now: float) -> None:
        """Draw what changed and send what differs. Costs nearly nothing when there is nothing to do."""
        if self._beaten:
            self._show_handset(referee, handset, now)
        self._beaten = False
        if not self._dirty and now < self._frame_at:
            return
        new = False
        if self._dirty:
            self._dirty = False
            before, self._scene = self._scene, referee.scene(now)
            new = self._scene != before  # more often than not an edge or a key has changed nothing to be seen
            if new:
                self._stirred = True
                self._lay(plan(self._scene, self._palette))
            self._frame_at = now
        beat = self._beaten = now >= self._frame_at
        if beat:
            new |= self._sleep_or_wake(now)
            self._shine(now)  # before any picture is drawn: it is the lamps that everyone is looking at
        if self._display is not None:
            self._draw_display(self._display, handset.code if self._invites else (), new=new)
            if beat:  # in step with the lamps: never when a key of Mister X's happens to fall
                self._display.send(now)
        if beat and self._audience is not None and self._scene is not None:
            painted = LampFrame(self._lamps.shining, self._painted, self._layout, self._painted_at, self._lamps.limited)
            self._audience.see(self._scene, self._layout, painted)

    def late(self, now: float) -> float:
        """Return for how many seconds a frame has been due that the lamps do not take; lost lamps take all."""
        return max(0.0, now - self._frame_at)

    def _sleep_or_wake(self, now: float) -> bool:
        """Fall asleep if the table has been idle for long, wake if it is no more, and return whether it has woken.

        This is done at beats alone, and what is shown wakes it as a touch does, so that its time is that of the scene.
        """
        if self._stirred:
            self._stirred, self._touched_at = False, now
        before, self._asleep = self._asleep, now - self._touched_at >= self._sleeps_after
        return before and not self._asleep

    def _draw_display(self, screen: _Screen, code: tuple[str, ...], *, new: bool) -> None:
        """Draw the public display if its scene is new: in his turn with the code for Mister X's phone, if there is one.

        At the table all see who scans it; the audience, which may be anywhere, is told nothing of it.
        """
        if self._scene is None:
            return
        if self._asleep:
            screen.want(None)
            return
        view = self._scene.view
        if code and (self._scene.phase is not Phase.PLAY or view is None or not view.his_turn):
            code = ()
        if not new and code == self._invitation:
            return
        self._invitation = code
        with in_language(self._language):
            screen.want(invitation(code) if code else display(self._scene))

    def _show_handset(self, referee: Referee, handset: Handset, now: float) -> None:
        """Show Mister X's screen: in the pass after a beat and in no other.

        Drawing takes a few milliseconds. Done whenever he presses a key it would hold up what the lamps, the display
        and the audience get just then, and so tell of the key to anybody who measures when that comes.

        Nor is it done when something else changes at the table, such as a key that is pressed there: how dear it is
        goes by what is on his screen, and everyone on this machine may see how much the processor does. The game has a
        public view of its own after each action, his among them; with it alone his own view changes.
        """
        look, game = handset.look(now), referee.public
        if self._drawn is None or look != self._drawn[0] or game is not self._drawn[1]:
            self._drawn = look, game
            with in_language(self._language):
                self._handset.want(handsets.picture(look, referee.private if look.kind == "menu" else None))
        self._handset.send(now)

    def _lay(self, glows: Plan) -> None:
        """Take a new plan: paint the lamps that stay as they are once, the others with every frame."""
        lamps = self._layout.by_lamp(glows.stations, glows.log)
        still = [(lamp, glow) for lamp, glow in lamps if glow.rhythm not in ANIMATED]
        self._base = frame(still, 0.0, bytes(len(self._base)))
        self._moving = tuple((lamp, glow) for lamp, glow in lamps if glow.rhythm in ANIMATED)

    def _shine(self, now: float) -> None:
        if not self._lamps.ready():
            return  # the frame before is still on the wire: this one stays due
        self._frame_at += self._period * max(1, int((now - self._frame_at) / self._period) + 1)
        if now >= self._refresh_at:
            self._refresh_at = now + BEAT
            self._lamps.forget()
        self._frame = bytes(len(self._base)) if self._asleep else frame(self._moving, now, self._base)
        self._painted, self._painted_at = self._scene, now
        if not self._devices.usable("lamps", now):
            return
        try:
            self._lamps.show(self._frame)
        except DeviceLost as error:
            self._devices.lost("lamps", error, now)
        else:
            self._devices.ok("lamps", now)

    def dark(self) -> None:
        """All lamps and screens off, as far as they can be reached: whatever goes wrong with one, all are tried."""
        with ExitStack() as last_first:
            last_first.callback(self._lamps_dark)
            for screen in (self._display, self._handset):
                if screen is not None:
                    last_first.callback(screen.dark)

    def _lamps_dark(self) -> None:
        self._lamps.forget()
        try:
            self._lamps.show(bytes(len(self._base)))
        except DeviceLost as error:
            self._devices.lost("lamps", error, self._frame_at)
