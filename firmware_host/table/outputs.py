"""Drive the outputs of a table: lamps, handset and public display. Each gets only what has changed."""

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
from firmware_host.table import handset as handsets
from firmware_host.table.device_health import RETRY, Devices
from firmware_host.table.handset import Handset, Look
from firmware_host.ui.drawing import table_menu_screen
from firmware_host.ui.drawing.public_display import display, invitation
from firmware_host.ui.drawing.table_menu_screen import TableMenuScreen
from firmware_host.ui.lamp_plan import Glow, Plan, plan
from firmware_host.ui.lamp_rhythms import ANIMATED, LampFrame, frame
from hardware.backend import Backend
from hardware.current_limit import LimitedLamps
from hardware.ports import DeviceLost, Lamps, Panel

log = logging.getLogger("yardboard")

REFRESH_TICK = 1.0
"""Seconds after which everything is sent again even if unchanged, as a device may have lost its power."""


class Audience(Protocol):
    """A remote viewer of the table, such as a browser. It receives public information only."""

    def see(self, scene: Scene, layout: BoardLayout, frame: LampFrame) -> None:
        """Receive what the table shows. Runs for every frame of the lamps, so it must return at once.

        While the lamps are not ready for their next frame, it runs in each pass of the table's loop.

        Args:
            scene: what the table shows; the same object as before while nothing has changed.
            layout: the station of each lamp; the same object until tiles are laid.
            frame: the colours of the lamps.
        """

    def receive(self, lines: Lines) -> None:
        """Receive the lines that the table has just logged for players. Must return at once.

        Args:
            lines: a function that returns the lines in the language that is set when it is called, now or later.
        """

    def forget(self) -> None:
        """Drop the news of the previous game, because another game starts."""


class _Screen:
    """One screen, with the picture that it shows and the one that it should show.

    The picture is sent again at every `REFRESH_TICK` of the clock. Only then is the screen reported as lost or back. At
    other times, pictures follow Mister X's keys, and their times are secret.
    """

    def __init__(self, name: str, panel: Panel, devices: Devices) -> None:
        self._name, self._panel, self._devices = name, panel, devices
        self._wanted: Image.Image | None = None
        self._pixels = b""
        self._shown: bytes | None = None
        self._tick_at = self._retry_at = float("-inf")

    def want(self, picture: Image.Image | None) -> None:
        self._wanted = picture
        self._pixels = b"" if picture is None else picture.tobytes()

    def send(self, now: float) -> None:
        on_tick = now >= self._tick_at
        if not on_tick and (self._pixels == self._shown or now < self._retry_at):
            return
        if on_tick:
            self._tick_at = REFRESH_TICK * (now // REFRESH_TICK + 1)
        if self._panel.ready():
            self._try(now, report=on_tick)

    def _try(self, now: float, *, report: bool) -> None:
        try:
            self._panel.show(self._wanted)
        except DeviceLost as error:
            self._shown, self._retry_at = None, now + RETRY
            if report:
                self._devices.lost(self._name, error, now)
        else:
            self._shown = self._pixels
            if report:
                self._devices.ok(self._name, now)

    def dark(self) -> None:
        """Turn the screen off if it works."""
        self.want(None)
        self._try(self._tick_at, report=False)


def limit_lamps(config: Config, lamps: Lamps, spare: float = 0.0) -> LimitedLamps:
    """Wrap the lamps so that they keep the configured limit on current, brightness and gamma.

    Args:
        config: the table's configuration.
        lamps: the device; pass on only the returned wrapper.
        spare: current in mA of lamps in the chain that never shine.
    """
    wanted = config.lamps
    return LimitedLamps(lamps, wanted.max_milliamps, wanted.brightness, wanted.gamma, spare)


class Outputs:
    """The lamps and screens of one table. It also logs and publishes the table's events.

    Attributes:
        is_stale: whether the scene may have changed since it was last drawn. The table sets it.
        is_asleep: whether lamps and display are dark because nobody has touched the table for long. Read only.
    """

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
        self._menu: TableMenuScreen | None = None
        self._base = bytes(3 * backend.lamps.count)
        self._moving: tuple[tuple[int, Glow], ...] = ()
        self._frame = self._base
        self._frame_at = self._refresh_at = self._painted_at = 0.0
        self._painted: Scene | None = None
        self.is_stale = True
        self._ticked = False
        self._drawn: tuple[Look, PublicView | None] | None = None
        self._sleeps_after = config.display.blank_after_s or math.inf
        self._touched_at = backend.clock.now()
        self._stirred = self.is_asleep = False

    def set_layout(self, layout: BoardLayout) -> None:
        """Set which station is under which lamp."""
        self._layout, self._scene, self.is_stale = layout, None, True

    def publish(self, lines: Lines) -> None:
        """Log lines about the table in English, and send them to the audience."""
        with in_language(ENGLISH):  # the caller's page may have another language
            said = lines()
        for line in said:
            log.info(line, extra=log_fields("game"))
        if said and self._audience is not None:
            self._audience.receive(lines)

    def forget(self) -> None:
        """Make the audience drop the news of the previous game, because another game starts."""
        if self._audience is not None:
            self._audience.forget()

    def note_touch(self, now: float) -> None:
        """Record a touch of a pawn or of the table's keys. Sleeping outputs wake at the next frame.

        Never call this for Mister X's handset: it would reveal when he presses keys.
        """
        self._touched_at = now

    def show(self, referee: Referee, handset: Handset, now: float, menu: TableMenuScreen | None = None) -> None:
        """Draw what has changed and send it. Costs nearly nothing when nothing has changed.

        Args:
            referee: what lamps and screens show.
            handset: Mister X's handset.
            now: clock seconds.
            menu: the table menu, which the public display shows instead of the game.
        """
        if self._ticked:
            self._show_handset(referee, handset, now)
        self._ticked = False
        new = self.is_stale and self._follow_scene(referee.scene(now))
        self.is_stale = False
        if new:
            self._frame_at = now  # a change is shown at once; everything else waits for the lamps' next frame
        elif now < self._frame_at:
            return
        self._ticked = True
        new |= self._sleep_or_wake(now)
        self._shine(now)  # before any picture is drawn, because everyone looks at the lamps
        if self._display is not None:
            self._draw_display(self._display, handset.code if self._invites else (), menu, new=new)
            self._display.send(now)  # in step with the lamps, never at the time of Mister X's keys
        if self._audience is not None and self._scene is not None:
            painted = LampFrame(self._lamps.shining, self._painted, self._layout, self._painted_at, self._lamps.limited)
            self._audience.see(self._scene, self._layout, painted)

    def _follow_scene(self, scene: Scene) -> bool:
        """Set what lamps and display shall show. Return True if the scene differs from the one before.

        An edge of a switch or a key usually changes nothing visible.
        """
        if scene == self._scene:
            return False
        self._scene, self._stirred = scene, True
        self._set_plan(plan(scene, self._palette))
        return True

    def late(self, now: float) -> float:
        """Return how many seconds the lamps' next frame is overdue, or 0 for lost lamps."""
        return max(0.0, now - self._frame_at)

    def _sleep_or_wake(self, now: float) -> bool:
        """Let the outputs sleep after a long idle time, or wake them. Return whether they have just woken.

        This happens only on frames of the lamps. A change of the scene wakes the table as a touch does.
        """
        if self._stirred:
            self._stirred, self._touched_at = False, now
        before, self.is_asleep = self.is_asleep, now - self._touched_at >= self._sleeps_after
        return before and not self.is_asleep

    def _draw_display(self, screen: _Screen, code: tuple[str, ...], menu: TableMenuScreen | None, *, new: bool) -> None:
        """Draw the public display if its content has changed: the table menu, an invitation, or the scene.

        The invitation is the QR code for Mister X's phone, on his turn. At the table everyone sees who scans the code.
        The audience may be anywhere, so it never gets this code, nor the menu with the owner's code.
        """
        before, self._menu = self._menu, menu
        if menu is not None:
            if menu != before:
                with in_language(self._language):
                    screen.want(table_menu_screen.draw(menu))
            return
        new |= before is not None
        if self._scene is None:
            return
        if self.is_asleep:
            screen.want(None)
            return
        view = self._scene.view
        if code and (self._scene.phase is not Phase.PLAY or view is None or not view.mr_x_to_move):
            code = ()
        if not new and code == self._invitation:
            return
        self._invitation = code
        with in_language(self._language):
            screen.want(invitation(code) if code else display(self._scene))

    def _show_handset(self, referee: Referee, handset: Handset, now: float) -> None:
        """Draw Mister X's screen, but only in the pass after a frame of the lamps.

        Drawing takes a few ms. If it happened at each of his keys, it would delay lamps, display and audience, and so
        reveal the key to anyone who measures the delay.

        The screen is not drawn when something else changes, either, such as a key of the table. How long that takes
        depends on what is on his screen, and everyone on this machine may see the processor's load. Every action, his
        included, gives the game a new public view, and his own view changes only together with it.
        """
        look, game = handset.current_look(now), referee.public
        if self._drawn is None or look != self._drawn[0] or game is not self._drawn[1]:
            self._drawn = look, game
            with in_language(self._language):
                self._handset.want(handsets.picture(look, referee.private if look.kind == "menu" else None))
        self._handset.send(now)

    def _set_plan(self, glows: Plan) -> None:
        """Set which lamps glow: paint the steady ones once, and the others in every frame."""
        lamps = self._layout.by_lamp(glows.stations, glows.log)
        still = [(lamp, glow) for lamp, glow in lamps if glow.rhythm not in ANIMATED]
        self._base = frame(still, 0.0, bytes(len(self._base)))
        self._moving = tuple((lamp, glow) for lamp, glow in lamps if glow.rhythm in ANIMATED)

    def _shine(self, now: float) -> None:
        if not self._lamps.ready():
            return  # the previous frame is still being sent: this one stays due
        self._frame_at += self._period * max(1, int((now - self._frame_at) / self._period) + 1)
        if now >= self._refresh_at:
            self._refresh_at = now + REFRESH_TICK
            self._lamps.forget()
        self._frame = bytes(len(self._base)) if self.is_asleep else frame(self._moving, now, self._base)
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
        """Turn off all lamps and screens. A device that fails does not keep the others on."""
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
