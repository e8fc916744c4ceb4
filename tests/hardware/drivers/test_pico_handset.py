"""The handset on a Pico: the real program and the real drivers, from a key to a picture, and every way to go dark."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from serial import Serial

from hardware.drivers.oled import Chip
from hardware.drivers.pico import PicoSwitches
from hardware.drivers.pico_handset import PicoKeys, handset_line
from hardware.drivers.pico_install import check_picos
from hardware.firmware.frames import ACK, HELLO, PROTOCOL, REPORT, TROUBLE, WRITE, FrameReader, encode
from hardware.ports import BadDevice, Keys
from tests.hardware.drivers.handset_bench import ADDRESS, HandsetRig, HostOfHandset, pages
from tests.hardware.drivers.panel_bench import CHIPS, DARK
from tests.hardware.drivers.pico_bench import BenchClock, Spoiler, complaint, wait_to_read
from tests.hardware.firmware.rig import PicoRig
from tests.waiting import until

ROOT = Path(__file__).parents[3]
PICTURE = Image.linear_gradient("L").resize((128, 64)).convert("1")
OTHER = PICTURE.rotate(180)

Plug = Callable[..., tuple[HandsetRig, HostOfHandset]]


@pytest.fixture(name="handset")
def handset_fixture() -> Iterator[Plug]:
    """Creates a handset and its drivers, and puts both away in the end."""
    made: list[tuple[HandsetRig, HostOfHandset]] = []

    def make(chip: Chip = "ssd1306", **settings: int) -> tuple[HandsetRig, HostOfHandset]:
        rig = HandsetRig(chip, **settings)
        made.append((rig, HostOfHandset(rig.port, BenchClock(), chip)))
        return made[-1]

    yield make
    for rig, host in made:
        host.close()
        rig.close()


def show(rig: HandsetRig, host: HostOfHandset, picture: Image.Image | None) -> None:
    """Show a picture until it is seen. A machine that stalls may have made the Pico restart."""

    def seen() -> bool:
        rig.revive()
        return host.shown(picture) == "" and rig.pixels() == (picture or DARK).tobytes()

    until(seen, "the picture")


def is_dark(rig: HandsetRig) -> bool:
    """Return whether the screen is off and nothing is left in its memory."""
    return not rig.glass.on and not any(rig.glass.memory)


# ---- a sound cable ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chip", CHIPS)
def test_a_picture_and_a_key_travel_over_one_cable(handset: Plug, chip: Chip) -> None:
    rig, host = handset(chip)
    assert isinstance(host.keys, Keys)
    show(rig, host, PICTURE)
    rig.hold("select", "peek")
    until(lambda: host.held() == {"select", "peek"}, "the keys")
    show(rig, host, OTHER)
    rig.hold()
    until(lambda: not host.held(), "the keys' release")
    show(rig, host, None)
    assert is_dark(rig)
    for seen in rig.lit:  # page by page, and never the noise that was in the memory
        for each in zip(pages(seen), *(pages(one.tobytes()) for one in (DARK, PICTURE, OTHER)), strict=True):
            assert each[0] in each[1:]


def test_the_line_lasts_as_long_as_its_last_user(handset: Plug) -> None:
    rig, host = handset()
    show(rig, host, PICTURE)
    host.keys.close()
    host.keys.close()
    show(rig, host, OTHER)
    assert host.line.late() < 30
    host.panel.close()
    assert is_dark(rig)
    assert host.line.late() == 0
    with Serial(rig.port, exclusive=True):
        pass
    host.keys = PicoKeys(host.line)
    rig.hold("up")
    until(lambda: host.held() == {"up"}, "the key, over the reopened line")


def test_a_handset_without_a_port_is_refused() -> None:
    with pytest.raises(BadDevice, match="handset: no port is named"):
        handset_line("", BenchClock())


# ---- every way to go dark --------------------------------------------------------------------------------------------


def test_a_pico_starts_with_a_dark_and_empty_screen(handset: Plug) -> None:
    rig, _ = handset("sh1106")
    rig.glass.on = True
    rig.reset()
    until(lambda: is_dark(rig), "the dark screen")


@pytest.mark.parametrize("chip", CHIPS)
def test_a_killed_host_leaves_a_dark_and_empty_screen(handset: Plug, chip: Chip) -> None:
    rig, host = handset(chip, silence=1000)
    show(rig, host, PICTURE)
    kept = {path: path.read_bytes() for path in rig.flash.rglob("*") if path.is_file()}
    host.kill()
    until(lambda: "reset" in rig.said, "the restart")
    assert is_dark(rig)
    assert {path: path.read_bytes() for path in rig.flash.rglob("*") if path.is_file()} == kept


def test_sigkill_leaves_a_dark_screen() -> None:
    rig = HandsetRig(silence=1000)
    program = (
        "import sys; from PIL import Image; from tests.hardware.drivers.handset_bench import HostOfHandset\n"
        "from tests.hardware.drivers.pico_bench import BenchClock\n"
        "host = HostOfHandset(sys.argv[1], BenchClock()); picture = Image.new('1', (128, 64), 1)\n"
        "while True: host.shown(picture)"
    )

    def is_white() -> bool:
        rig.revive()
        return rig.glass.on and all(rig.glass.memory)

    with subprocess.Popen([sys.executable, "-c", program, rig.port], cwd=ROOT) as killed:
        try:
            until(is_white, "the picture")
        finally:
            os.kill(killed.pid, signal.SIGKILL)
    until(lambda: is_dark(rig), "the dark screen")
    rig.close()


def test_garbage_from_another_program_does_not_keep_the_picture(handset: Plug) -> None:
    rig, host = handset(silence=1000)
    show(rig, host, PICTURE)
    host.kill()
    with Serial(rig.port, write_timeout=5) as port:

        def goes_dark() -> bool:
            port.write(b"\0AT+GCAP\r\n\0")
            return is_dark(rig)

        until(goes_dark, "the dark screen")


@pytest.mark.parametrize(
    "frame",
    [
        encode(REPORT, 7, b"\0"),
        encode(HELLO, 0, bytes((PROTOCOL, 28))),
        encode(HELLO, 0, bytes((PROTOCOL + 8, 1))),
        encode(HELLO, 1, bytes((PROTOCOL, 1))),
        encode(TROUBLE, 0, b"OSError(5)"),
        encode(ACK, 0xFFFF, b""),
        encode(WRITE, 0xFFFF, bytes((ADDRESS, 0, 0xAF))),
    ],
    ids=["report", "hello of the switches", "hello of protocol 9", "repeated hello", "trouble", "old report", "write"],
)
def test_frames_that_show_no_living_host_do_not_keep_the_picture(handset: Plug, frame: bytes) -> None:
    rig, host = handset(silence=1000)
    show(rig, host, PICTURE)
    host.kill()
    with Serial(rig.port, write_timeout=5) as port:

        def goes_dark() -> bool:
            port.write(frame)
            port.reset_input_buffer()
            return is_dark(rig)

        until(goes_dark, "the dark screen")


def test_a_program_that_echoes_does_not_keep_the_picture(handset: Plug) -> None:
    rig, host = handset(silence=1000)
    show(rig, host, PICTURE)
    host.kill()
    with Serial(rig.port, timeout=0, write_timeout=5) as port:

        def goes_dark() -> bool:
            port.write(port.read(4096))
            return is_dark(rig)

        until(goes_dark, "the dark screen")


def test_the_switches_driver_on_an_exchanged_port_does_not_keep_the_picture(handset: Plug) -> None:
    rig, host = handset(silence=4500)  # the driver's longest pause is 4 s
    show(rig, host, PICTURE)
    host.kill()
    switches = PicoSwitches(rig.port, 16, chips=3, sentinel=0b10010110, clock=BenchClock())
    until(lambda: is_dark(rig), "the dark screen")
    switches.close()


def test_a_new_host_that_has_drawn_nothing_shows_no_old_picture(handset: Plug) -> None:
    rig, host = handset()
    show(rig, host, PICTURE)
    host.kill()
    line = handset_line(rig.port, BenchClock())
    keys = PicoKeys(line)
    until(lambda: is_dark(rig), "the dark screen")

    def selects() -> bool:
        rig.revive()
        rig.hold("select")
        return keys.read() == 1 << 2

    until(selects, "the key, over the new connection")
    keys.close()


def test_the_driver_draws_again_on_a_new_connection(handset: Plug) -> None:
    rig, host = handset(silence=60_000)
    show(rig, host, PICTURE)
    rig.to_host = lambda _: b""
    until(lambda: is_dark(rig), "the new connection, as no report arrives")
    rig.to_host = bytes
    show(rig, host, PICTURE)


def test_a_program_that_fails_leaves_a_dark_screen_and_restarts(handset: Plug) -> None:
    rig, host = handset()
    show(rig, host, PICTURE)
    rig.hold(fails=1)
    until(lambda: "the bench was told to fail" in host.shown(PICTURE), "the reason")
    until(lambda: "reset" in rig.said, "the restart")
    assert is_dark(rig)
    rig.revive()
    show(rig, host, OTHER)


def test_a_program_that_fails_restarts_even_if_it_cannot_reach_the_screen(handset: Plug) -> None:
    rig, host = handset()
    show(rig, host, PICTURE)
    rig.hold(fails=2)
    until(lambda: "the bench was told to fail" in host.shown(PICTURE), "the reason")
    until(lambda: "reset" in rig.said, "the restart")
    rig.revive()
    show(rig, host, OTHER)


# ---- cables that are pulled, and noise -------------------------------------------------------------------------------


def test_all_comes_back_with_the_cable(handset: Plug) -> None:
    rig, host = handset()
    show(rig, host, PICTURE)
    rig.hold("peek")
    until(lambda: host.held() == {"peek"}, "the key")
    for _ in range(2):
        rig.unplug()
        until(lambda: not host.held(), "no key, as its cable is out")
        until(lambda: "there is no such port" in host.shown(PICTURE), "the reason")
        assert host.shown(PICTURE).startswith(f"handset: no answer from the Pico on {rig.port}: ")
        rig.replug()
        show(rig, host, PICTURE)
        rig.hold("peek")
        until(lambda: host.held() == {"peek"}, "the key")


def test_a_silent_pico_lets_go_of_peek_alone_so_that_no_held_key_counts_twice(handset: Plug) -> None:
    rig, host = handset()
    rig.hold("select", "peek")
    until(lambda: host.held() == {"select", "peek"}, "the keys")
    rig.to_host = lambda _: b""
    seen = set[frozenset[str]]()

    def hears(held: set[str]) -> bool:
        seen.add(frozenset(host.held()))
        return held in seen

    until(lambda: hears({"select"}), "peek let go")
    rig.to_host = bytes
    seen.discard(frozenset({"select", "peek"}))
    until(lambda: hears({"select", "peek"}), "the keys again")
    assert all("select" in held for held in seen)
    rig.unplug()
    until(lambda: hears({"select"}), "peek let go")
    rig.replug()
    rig.hold()
    until(lambda: not host.held(), "the release")


def test_a_pico_that_restarts_behind_the_port_is_drawn_on_again(handset: Plug) -> None:
    rig, host = handset()
    show(rig, host, PICTURE)
    rig.reset()
    until(lambda: is_dark(rig), "the start")
    until(lambda: host.shown(PICTURE) == "" and rig.pixels() == PICTURE.tobytes(), "the picture")


def test_a_screen_without_its_wire_is_named_and_the_keys_go_on(handset: Plug) -> None:
    rig, host = handset()
    show(rig, host, PICTURE)
    rig.hold(screen=0)
    until(lambda: "the ssd1306 does not answer: Input/output error; check its cable" in host.shown(OTHER), "the reason")
    rig.hold("up", screen=0)
    until(lambda: host.held() == {"up"}, "the key")
    rig.hold()
    show(rig, host, OTHER)


def test_a_write_that_is_never_answered_is_named_and_the_keys_go_on(handset: Plug) -> None:
    rig, host = handset()
    reader = FrameReader()
    rig.to_host = lambda data: b"".join(encode(*frame) for frame in reader.take(data) if frame[0] != ACK)
    until(lambda: "it has not answered a write to its screen for 1 s" in host.shown(PICTURE), "the reason")
    rig.hold("down")
    until(lambda: host.held() == {"down"}, "the key")
    rig.to_host = bytes
    show(rig, host, PICTURE)


def test_noise_delays_pictures_and_keys_but_never_changes_them(handset: Plug) -> None:
    rig, host = handset()
    to_host, to_pico = Spoiler(1, 150), Spoiler(2, 300)
    rig.to_host, rig.to_pico = to_host, to_pico
    for number, key in enumerate(("up", "down", "select", "back", "peek", "up")):
        picture = PICTURE.rotate(60 * number)
        rig.hold(key)

        def settled(picture: Image.Image = picture, key: str = key) -> bool:
            assert len(host.held()) <= 1
            return host.shown(picture) == "" and host.held() == {key}

        until(settled, f"{key} through the noise")
        assert rig.pixels() == picture.tobytes()
    assert to_host.spoiled
    assert to_pico.spoiled


# ---- the wrong Pico --------------------------------------------------------------------------------------------------


def kinds_to(rig: PicoRig) -> set[int]:
    """Record the kinds of the frames that a Pico gets."""
    seen: set[int] = set()
    reader = FrameReader()

    def record(data: bytes) -> bytes:
        seen.update(kind for kind, _, _ in reader.take(data))
        return data

    rig.to_pico = record
    return seen


def test_pictures_go_to_the_handsets_pico_alone(handset: Plug) -> None:
    rig, host = handset()
    board = PicoRig(chips=3)
    switches = PicoSwitches(board.port, 16, chips=3, sentinel=0b10010110, clock=BenchClock())
    secret, public = kinds_to(rig), kinds_to(board)
    wait_to_read(switches, 0)
    show(rig, host, PICTURE)
    show(rig, host, OTHER)
    wait_to_read(switches, 0)
    assert WRITE in secret
    assert public <= {HELLO, ACK}
    switches.close()
    board.close()


def test_the_doctor_names_the_program_on_each_port_and_starts_none() -> None:
    board, rig = PicoRig(chips=3), HandsetRig()
    (right, other) = check_picos({board.port: "switches", rig.port: "handset"})
    assert (right.level, other.level) == ("ok", "ok")
    assert other.what == f"serial: the Pico on {rig.port} runs the program for the handset"
    (wrong, other) = check_picos({rig.port: "switches", board.port: "handset", f"{board.port}1": "switches"})
    assert (wrong.level, other.level) == ("error", "error")
    assert wrong.what == f"serial: the Pico on {rig.port}, for the switches: it is the handset's Pico"
    assert other.advice == (
        "exchange the ports in the configuration, or write the program to it with: "
        "yardboard firmware install --for handset"
    )
    with Serial(rig.port, exclusive=True):
        (busy,) = check_picos({rig.port: "handset"})
    assert busy.level == "ok"
    assert "its Pico was not asked" in busy.what
    assert not [line for line in board.said + rig.said if line.startswith("watchdog")]
    board.close()
    rig.close()


def test_exchanged_ports_are_named_and_no_picture_is_sent() -> None:
    board, rig = PicoRig(chips=3), HandsetRig()
    sent = kinds_to(board)
    host = HostOfHandset(board.port, BenchClock())
    switches = PicoSwitches(rig.port, 16, chips=3, sentinel=0b10010110, clock=BenchClock())
    wrong = "it is the switches' Pico; exchange the ports in the configuration, or write the program to it with: "
    until(lambda: f"{wrong}yardboard firmware install --for handset" in host.shown(PICTURE), "the wrong Pico")
    other = "it is the handset's Pico; exchange the ports in the configuration, or write the program to it with: "
    until(lambda: complaint(switches).endswith(f"{other}yardboard firmware install"), "the other one")
    assert not host.held()
    assert sent == {HELLO}
    for one in (host, switches, board, rig):
        one.close()
