"""Whoever looks at a real board from afar sees its lamps as they shine, and what was felt."""

from __future__ import annotations

from itertools import groupby

from firmware_host.config.board_layout import BoardLayout
from firmware_host.referee.scene import Scene
from firmware_host.system.language import Lines
from firmware_host.ui.lamp_rhythms import LampFrame
from firmware_host.ui.prompt_wording import prompt
from hardware.ports import DeviceLost
from tests.wired.wired_tables import Wired, build, seated


class Eye:
    """Somebody who looks on. Implements `outputs.Audience`."""

    def __init__(self) -> None:
        self.frames: list[bytes | None] = []
        self.prompts: list[str] = []
        self.news: list[str] = []

    def see(self, scene: Scene, layout: BoardLayout, frame: LampFrame) -> None:
        assert layout.lamps == 223
        self.frames.append(frame.shining)
        self.prompts.append(prompt(scene).text)

    def receive(self, lines: Lines) -> None:
        self.news += lines()

    def forget(self) -> None:
        pass


def test_spectators_see_every_frame_that_shines_on_the_wires_and_no_other() -> None:
    eye = Eye()
    with seated(Wired, build("london-spi"), 20, audience=eye) as (simulated, players):
        players.set_up()
        for _ in range(6):
            players.play()
        simulated.advance(1000)
        shone = [frame for frame, _ in groupby(frame for _, frame in simulated.board.lamps.frames)]
        seen = [frame for frame, _ in groupby(eye.frames)]
    assert len(shone) > 100
    assert seen == shone
    assert "Red: 50 to 38 by taxi." in eye.news
    assert "Mister X moves" in eye.prompts


def test_lamps_that_do_not_answer_are_dark_for_those_who_look_on_and_come_back() -> None:
    eye = Eye()
    with seated(Wired, build("london-spi"), 20, audience=eye) as (simulated, _):
        simulated.advance(500)
        assert eye.frames[-1]
        line, send = simulated.real.lamps._lamps, simulated.real.lamps._lamps.show

        def silent(_: bytes) -> None:
            raise DeviceLost("lamps: the cable is pulled")

        line.show = silent
        simulated.advance(1100)  # until everything is sent again, for nothing may have changed
        assert eye.frames[-1] is None
        line.show = send
        simulated.advance(1500)
        assert eye.frames[-1]
