"""The first chips of a board on the bench, and the test of single stations: magnet, reed and lamp."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import cli
from firmware_host.commissioning import board_commands
from firmware_host.commissioning.exercise_devices import Exercise, namer
from firmware_host.commissioning.selftest import STATIONS
from firmware_host.commissioning.switch_checks import CALM, SHOW
from firmware_host.config import shipped_files
from firmware_host.config.drivers import switch_drivers
from firmware_host.config.loader import Config, load, with_chips
from firmware_host.config.toml_file import ConfigError
from firmware_host.table import device_factory
from hardware.backend import Backend
from hardware.drivers.shift_register import ShiftRegisterSwitches
from hardware.ports import DeviceLost
from hardware.sim.physics import Physics
from tests.commissioning.first_chips import FirstChips
from tests.commissioning.wiring_sittings import Board, Trial, soldered

# ---- the first chips ----


@pytest.mark.parametrize(
    ("chips", "sentinel", "count", "said"),
    [
        (1, False, 7, "1 chip is read, without a sentinel. Stations there: "),
        (2, True, 7, "2 chips are read, the last one with the sentinel. Stations there: "),
        (2, False, 15, "2 chips are read, without a sentinel. Stations there: "),
    ],
)
def test_the_switches_of_the_first_chips_light_their_lamps(
    tmp_path: Path, chips: int, sentinel: bool, count: int, said: str
) -> None:
    board = FirstChips(tmp_path, chips, sentinel=sentinel)
    trial = board.trial("switches")
    stations = board.stations[:count]
    assert trial.said[1] == f"{said}{', '.join(map(str, sorted(stations)))}."
    assert trial.said[2].startswith(f"Switches: touch each of the {count} stations with a magnet")
    for number, station in enumerate(stations, 1):  # input 0 has no station
        board.touch(station, ms=80)
        pin = "HGFEDCBA"[number % 8]
        assert (
            f"  station {station}: input {number} (chip {number // 8 + 1}, pin {pin}); {number} of {count}"
            in trial.said
        )
        if number < count:
            assert set(board.lit()) == set(stations[:number])
    assert trial.said[-2:] == ["Results:", "  switches: good"]
    assert trial.bad == []


def test_a_single_chip_that_is_the_sentinel_has_no_station_to_test(tmp_path: Path) -> None:
    trial = FirstChips(tmp_path, 1, sentinel=True).trial("switches")
    assert trial.said[1] == "1 chip is read, the last one with the sentinel. Stations there: none."
    trial.type("")
    assert trial.said[-1] == "  switches: no station is on the fitted chips"
    assert trial.bad == ["switches"]


def test_the_first_chips_are_tested_without_any_lamp(tmp_path: Path) -> None:
    board = FirstChips(tmp_path, 1)
    board.table.fault("lamps", "unplug")
    trial = board.trial("switches")
    board.touch(board.stations[4])
    assert trial.said[-1] == f"  station {board.stations[4]}: input 5 (chip 1, pin C); 1 of 7"
    assert trial.bad == []


def test_a_chip_without_power_makes_the_test_wait(tmp_path: Path) -> None:
    board = FirstChips(tmp_path, 1)
    board.switches.chain.chips[0].powered = False
    trial = board.trial("switches")
    assert trial.said[-2].startswith("switches: lost: every bit of the chain is 0; see that the first chip has power")
    board.switches.chain.chips[0].powered = True
    board.table.advance(1000)
    board.touch(board.stations[0])
    assert trial.said[-1] == f"  station {board.stations[0]}: input 1 (chip 1, pin G); 1 of 7"


@pytest.mark.parametrize("build", ["london-spi", "london-pico"])
def test_a_board_of_few_chips_loads_for_a_test_alone(tmp_path: Path, build: str) -> None:
    whole = (shipped_files.folder() / f"{build}.toml").read_text(encoding="utf-8")
    file = tmp_path / "table.toml"
    for chips in (1, 2):
        file.write_text(whole.replace("chips = 26", f"chips = {chips}"), encoding="utf-8")
        with pytest.raises(ConfigError, match="test only the fitted ones: yardboard selftest FILE --chips N"):
            load(file)
        assert load(file, partial=True).switches.chips == chips
    file.write_text(whole.replace("\n199 = 199\n", "\n199 = 0\n"), encoding="utf-8")
    for partial in (False, True):
        with pytest.raises(
            ConfigError, match=r"\[switches.wiring\]: station 199 on 0; this driver has the inputs 1 to"
        ):
            load(file, partial=partial)
    file.write_text(whole, encoding="utf-8")
    assert with_chips(load(file), 2).switches.chips == 2


def test_the_driver_of_a_board_of_few_chips_reads_them_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    config = with_chips(load(shipped_files.folder() / "london-spi.toml"), 1)
    wires: list[object] = []

    class Header:
        pins = None

        def open_spi(self, *_: object) -> Header:
            return self

        def transfer(self, data: bytes) -> bytes:
            wires.append(len(data))
            raise DeviceLost("switches: nothing is connected")

    device = config.devices["switches"]
    monkeypatch.setattr(switch_drivers, "LoadPin", lambda *_: Pulse())
    switches = device.driver.make(device, Header(), None)  # type: ignore[arg-type]
    assert isinstance(switches, ShiftRegisterSwitches)
    assert (switches.count, switches.chips, switches.partial) == (8, 1, True)
    with pytest.raises(DeviceLost):
        switches.read()
    assert wires == [2], "one chip, and the zeros behind it"


class Pulse:
    def pulse(self) -> None: ...
    def close(self) -> None: ...


class Called(Exception):
    """The command has come to the devices."""


@pytest.mark.parametrize(
    ("words", "chips", "parts"),
    [
        (["--chips", "1"], 1, ["SwitchCheck"]),
        (["--chips", "2", "--lamps", "--switches"], 2, ["LampWalk", "SwitchCheck"]),
        (["--stations", "--only", "58,74"], 26, ["StationCheck"]),
        ([], 26, ["LampWalk", "SwitchCheck", "KeyCheck", "ScreenCheck"]),
    ],
)
def test_the_command_reads_as_many_chips_as_it_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str], chips: int, parts: list[str]
) -> None:
    ran: list[tuple[int, list[str]]] = []

    def run(config: Config, _backend: Backend, exercise: Exercise, _say: object) -> None:
        ran.append((config.switches.chips, [type(part).__name__ for part in exercise._parts]))  # type: ignore[attr-defined]

    monkeypatch.setattr(device_factory, "make_devices", lambda *_, **__: FirstChips(tmp_path, chips).backend)
    monkeypatch.setattr(board_commands, "_carry_out", run)
    done = CliRunner().invoke(cli, ["selftest", str(shipped_files.folder() / "london-spi.toml"), *words])
    assert done.exit_code == 0, done.output
    assert ran == [(chips, parts)]


@pytest.mark.parametrize(
    ("build", "words", "told"),
    [
        ("dice-matrix", ["--chips", "1"], 'driver = "matrix" reads no chain of chips'),
        ("london-spi", ["--chips", "0"], "0 is not in the range x>=1"),
        ("london-spi", ["--chips", "27"], "[switches] chips = 26, so 27 cannot be read; write --chips 1 to 26"),
        ("london-spi", ["--only", "58"], "--only: is for --stations; add --stations, or leave --only out"),
        ("london-spi", ["--stations", "--only", "200"], "'200' is no station of"),
    ],
)
def test_chips_and_stations_that_cannot_be_tested_are_refused(build: str, words: list[str], told: str) -> None:
    done = CliRunner().invoke(cli, ["selftest", str(shipped_files.folder() / f"{build}.toml"), *words])
    assert done.exit_code != 0
    assert told in re.sub(r"[\s│]+", " ", done.output)


@pytest.mark.parametrize(("build", "chips", "count"), [("london-spi", 2, 15), ("london-pico", 1, 7)])
def test_a_test_of_some_chips_names_their_stations_alone_even_while_they_are_lost(
    build: str, chips: int, count: int
) -> None:
    file = str(shipped_files.folder() / f"{build}.toml")
    command = [sys.executable, "-m", "firmware_host", "selftest", file, "--chips", str(chips)]
    done = subprocess.run(command, input="q\n", text=True, capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
    assert f"Switches: touch each of the {count} stations with a magnet" in done.stdout


# ---- single stations ----


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return soldered(tmp_path)


def check(board: Board, *stations: int) -> Trial:
    return Trial(board, STATIONS, stations=stations)


def touch(board: Board, station: int) -> None:
    """Holds the magnet to a station, takes it away and waits until the reed is known to be calm."""
    board.touch(station)
    board.table.advance(1000 * CALM)


def test_a_good_station_shows_where_it_is_that_it_closes_and_its_colours(board: Board) -> None:
    first = board.stations[0]
    trial = check(board, first)
    where = namer(board.backend.switches)(board.inputs[first])
    assert trial.said[-1] == f"1 of 1: station {first}, {where}: put the magnet on it"
    lamp, lamps = load(board.path).layout.lamp(first), board.table.lamps
    ((red, green, blue),) = lamps.lit().values()
    assert red == green == blue > 0
    board.table.put(first, "magnet")
    board.table.advance(100)
    assert trial.said[-1] == "  closed; take the magnet away"
    assert lamps.lit().keys() == {lamp}
    ((red, green, blue),) = lamps.lit().values()
    assert red == blue == 0 < green
    board.table.pick_up("magnet")
    board.table.advance(1000 * CALM + 60)
    assert "  reed: good" in trial.said
    seen = []
    for _ in range(8):
        seen.append(["RGB"[colour.index(max(colour))] for colour in lamps.lit().values()])
        board.table.advance(1000 * SHOW)
    assert seen == [[], ["R"], ["G"], ["B"]] * 2
    trial.type("")
    assert trial.said[-4:] == ["  lamp: good", "Results:", "  switches: good", "  lamps: good"]
    assert (trial.done, trial.bad) == (True, [])


@pytest.mark.parametrize(
    ("fault", "said", "result"),
    [
        ("stuck_open", "never closes; no other reed has: try the magnet on one that works", "never closes"),
        (
            "stuck_closed",
            "never opens; look for a short circuit, a magnet nearby, or glass that is stuck",
            "never opens",
        ),
        ("chatter", "chatters: it closes and opens without end; solder its joints again", "chatters: it closes and"),
        ("worn", "bounces for", "bounces for"),
    ],
)
def test_what_is_wrong_with_a_reed_is_said(board: Board, fault: str, said: str, result: str) -> None:
    bad = board.stations[3]
    board.table.fault(f"switch:{bad}", fault)
    trial = check(board, bad)
    if fault == "chatter":
        board.table.advance(1500)
    else:
        touch(board, bad)
    if fault.startswith("stuck"):
        trial.type("")
    line = next(line for line in trial.said if line.startswith("  reed: "))
    assert line.startswith(f"  reed: {said}"), trial.said
    if fault == "worn":
        found = re.search(r"bounces for (\d+) ms; debouncing hides 15 ms; replace the reed", line)
        assert found
        assert 20 <= int(found[1]) <= 45
    trial.type("")
    assert trial.said[-2].startswith(f"  switches: {bad} {result}")
    assert trial.said[-1] == "  lamps: good"
    assert trial.bad == ["switches"]


def test_a_magnet_that_has_closed_another_reed_is_not_blamed(board: Board) -> None:
    good, bad = board.stations[:2]
    board.table.fault(f"switch:{bad}", "stuck_open")
    trial = check(board, good, bad)
    touch(board, good)
    trial.type("")
    touch(board, bad)
    trial.type("")
    assert "  reed: never closes; the magnet is good, so look at the reed, its joints and its wire" in trial.said


def test_a_reed_that_closes_its_neighbour_and_one_whose_wires_are_exchanged_are_named(tmp_path: Path) -> None:
    board = soldered(tmp_path)
    one, other = board.stations[:2]
    text = board.path.read_text(encoding="utf-8")
    for station, number in ((one, board.inputs[other]), (other, board.inputs[one])):
        text = text.replace(f"\n{station} = {board.inputs[station]}\n", f"\n{station} = {number}\n", 1)
    board.path.write_text(text, encoding="utf-8")
    trial = check(board, one)
    touch(board, one)
    trial.type("")
    where = f"input {board.inputs[one]}, station {other}, closed instead; learn the wires: yardboard wiring learn"
    assert f"  reed: never closes; {where}" in trial.said


def test_a_magnet_that_reaches_the_next_station_is_too_strong(tmp_path: Path) -> None:
    board = FirstChips(tmp_path, 26, physics=Physics(reach=17.0, release=17.5, error=(0.0, 1.0)))
    trial = board.trial(STATIONS, stations=(111,))
    touch(board, 111)
    (line,) = [line for line in trial.said if line.startswith("  reed: ")]
    where = namer(board.switches)(board.inputs[112])
    assert line.startswith(f"  reed: closes with its neighbour: {where}, station 112, closed, too;")
    trial.type("")
    assert trial.bad == ["switches"]


@pytest.mark.parametrize(
    ("seen", "order"), [("grb", "RGB"), ("GBR", "BGR"), ("bgr", "GBR"), ("rbg", "BRG"), ("brg", "RBG"), ("rgb", "")]
)
def test_a_lamp_of_another_colour_order_names_the_right_one(board: Board, seen: str, order: str) -> None:
    first = board.stations[0]
    trial = check(board, first)
    touch(board, first)
    trial.type(seen)
    line = next(line for line in trial.said if line.startswith("  lamp: "))
    if not order:
        assert line == "  lamp: good"
        return
    names = {"r": "red", "g": "green", "b": "blue"}
    shown = ", ".join(names[letter] for letter in seen.lower())
    assert line == (
        f'  lamp: shows {shown} instead of red, green, blue; if all do, write order = "{order}" in [lamps], '
        "else replace it"
    )
    # With that order, the lamp shows what is sent: it takes the first byte on the wire for its own first colour.
    own = {"GRB"["GRB".index(sent)]: seen.upper()["RGB".index(sent)] for sent in "RGB"}
    assert [own[sent] for sent in "GRB"] == list(order)
    assert trial.bad == ["lamps"]


def test_a_dark_lamp_a_skipped_station_and_one_tested_again(board: Board) -> None:
    first, second, third = board.stations[:3]
    trial = check(board, first, second, third)
    touch(board, first)
    trial.type("what?")
    assert trial.said[-1] == "  'what?' is not an answer here. Enter: skip; q and Enter: end."
    trial.type("0")
    assert "  lamp: stays dark; look at its joints, and at those of the lamp before it" in trial.said
    trial.type("")
    assert trial.said[-3].startswith("  reed: never closes; the magnet is good")
    trial.type("a")
    touch(board, second)
    trial.type("")
    trial.type("s")
    assert trial.said[-3:] == [
        "Results:",
        f"  switches: not tried: {third}",
        f"  lamps: {first} stays dark; not tried: {third}",
    ]
    assert trial.bad == ["switches", "lamps"]


def test_ending_early_names_the_stations_that_were_not_tested(board: Board) -> None:
    trial = check(board)
    touch(board, board.stations[0])
    trial.type("")
    trial.type("q")
    rest = ", ".join(map(str, sorted(board.stations[1:])[:12]))
    assert trial.said[-2] == f"  switches: not tried: {rest} and {len(board.stations) - 13} more"


def test_stations_are_tested_without_lamps_and_only_those_that_are_fitted(tmp_path: Path) -> None:
    board = FirstChips(tmp_path, 2, sentinel=True)
    board.table.fault("lamps", "unplug")
    first, second, third = board.stations[0], board.stations[1], board.stations[20]
    trial = board.trial(STATIONS, stations=(first, second, third))
    assert "Stations: test 2 of them one by one: magnet, reed and lamp." in trial.said
    for station in (first, second):
        touch(board, station)
    assert trial.said[-2] == f"  switches: {third} is not on the fitted chips"
    assert trial.said[-1].startswith("  lamps: lost: ")


def test_a_board_without_fitted_stations_ends_the_test(tmp_path: Path) -> None:
    board = FirstChips(tmp_path, 1, sentinel=True)
    trial = board.trial(STATIONS)
    board.table.advance(100)
    assert trial.done
    assert trial.bad == ["switches", "lamps"]
