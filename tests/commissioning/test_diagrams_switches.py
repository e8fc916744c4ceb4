"""The diagrams of chain, matrix and single pins show each station at its input."""

from __future__ import annotations

import ast
import random
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.commissioning.diagram_command import draw
from firmware_host.commissioning.diagrams import switch_sheets
from hardware.drivers.shift_register import ShiftRegisterSwitches
from hardware.raspberry_pi.pinout import PHYSICAL
from tests.amount import amount
from tests.commissioning.diagram_boards import build, corners, every, rewired, shown, stations
from tests.docs.pages import ROOT


class Nothing:
    """A bus and a load pin on which nothing hangs."""

    def transfer(self, data: bytes) -> bytes:
        return data

    def write(self, data: bytes) -> None:
        """Nothing to write to."""

    def pulse(self) -> None:
        """Nothing to load."""

    def close(self) -> None:
        """Nothing to close."""


# ---- the chain -------------------------------------------------------------------------------------------------------


@settings(max_examples=amount(5, 15), deadline=None)
@given(seed=st.integers(0, 10**6), name=st.sampled_from(("london-spi", "london-pico")), chips=st.integers(26, 64))
def test_each_station_is_at_one_pin_of_one_chip_as_the_driver_has_it(seed: int, name: str, chips: int) -> None:
    config = build(name)
    inputs = random.Random(seed).sample(range(1, 8 * (chips - 1)), 199)
    wiring = dict(zip(config.network.stations, inputs, strict=True))
    config = rewired(config, switches={"wiring": wiring, "chips": chips})
    texts = every(config, "chips")
    found = stations(texts, "chip-")
    nothing = Nothing()
    driver = ShiftRegisterSwitches(8 * (chips - 1), spi=nothing, load=nothing, chips=chips, sentinel=0x96, mode=2)
    places = {station: driver.place(number) for station, number in wiring.items()}
    assert {f"chip {name.split('-')[1]}, pin {name[-1]}": station for name, station in found.items()} == {
        place: station for station, place in places.items()
    }
    assert sum(text == "free" for text in texts.values()) == 8 * (chips - 1) - 199


@given(sentinel=st.integers(1, 254))
@settings(max_examples=20, deadline=None)
def test_the_last_chip_is_tied_as_the_sentinel_says(sentinel: int) -> None:
    texts = every(rewired(build("london-spi"), switches={"sentinel": sentinel}), "chips")
    high = sum(1 << "ABCDEFGH".index(pin) for pin in "ABCDEFGH" if texts[f"chip-26-{pin}"] == "3.3 V")
    low = sum(1 << "ABCDEFGH".index(pin) for pin in "ABCDEFGH" if texts[f"chip-26-{pin}"] == "GND")
    assert (high, low) == (sentinel, 255 - sentinel)


def test_serial_out_of_each_chip_goes_to_the_one_nearer_to_the_host() -> None:
    texts = every(build("london-spi"), "chips")
    assert texts["chip-1-QH"] == "to host"
    for number in range(2, 27):
        assert texts[f"chip-{number}-QH"] == f"SER {number - 1}"
        assert texts[f"chip-{number - 1}-SER"] == f"QH {number}"
    assert texts["chip-26-SER"] == "GND"


def test_the_chain_begins_at_the_pins_of_the_configuration() -> None:
    texts = shown(build("london-spi"), "chain")
    assert [texts[f"host-{wire}"] for wire in ("CLK", "QH", "SH/LD")] == ["GPIO 21", "GPIO 19", "GPIO 16"]
    moved = rewired(build("london-spi"), switches={"spi": "4.0", "load_pin": 14})
    texts = shown(moved, "chain")
    assert [texts[f"host-{wire}"] for wire in ("CLK", "QH", "SH/LD")] == ["GPIO 7", "GPIO 5", "GPIO 14"]


def test_the_pico_s_pins_are_those_of_its_program() -> None:
    program = ast.parse((ROOT / "hardware" / "firmware" / "main.py").read_text(encoding="utf-8"))
    values: dict[str, int] = {}
    for node in program.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Tuple)
            and isinstance(node.value, ast.Tuple)
        ):
            names = [ast.unparse(name) for name in node.targets[0].elts]
            values |= dict(zip(names, map(ast.literal_eval, node.value.elts), strict=True))
    texts = shown(build("london-pico"), "chain")
    assert texts["host-QH"] == f"GP{values['DATA']}"
    assert texts["host-SH/LD"] == f"GP{values['LOAD']}"
    assert texts["host-CLK"] == f"GP{values['CLOCK']}"
    on_the_board = {16: 21, 17: 22, 18: 24, 19: 25}  # Pico data sheet, pinout; pin 23 is a ground
    assert dict(switch_sheets.PICO.values()) == {
        f"GP{values[part]}": on_the_board[values[part]] for part in ("DATA", "LOAD", "CLOCK")
    }


def test_the_shortest_chain_has_one_chip_and_its_sentinel() -> None:
    config = rewired(build("london-pico"), switches={"chips": 2})
    assert "chip 2" in draw(config, "chain")
    assert "chips 3" not in draw(config, "chain")


@pytest.mark.parametrize(("name", "chips"), [("london-spi", 26), ("london-pico", 40)])
def test_every_chip_has_its_capacitor(name: str, chips: int) -> None:
    texts = shown(rewired(build(name), switches={"chips": chips}), "chain")
    assert texts["blocking"] == f"100 nF, close to the chip: {chips} in all"


# ---- matrix and single pins ------------------------------------------------------------------------------------------


@settings(max_examples=amount(5, 15), deadline=None)
@given(seed=st.integers(0, 10**6))
def test_each_station_is_at_its_crossing_of_the_matrix(seed: int) -> None:
    chance = random.Random(seed)
    config = build("dice-matrix")
    pins = chance.sample([*range(4, 28)], 16)
    rows = chance.randint(4, 9)
    columns = len(pins) - rows
    wiring = dict(zip(config.network.stations, chance.sample(range(rows * columns), 36), strict=True))
    config = rewired(config, switches={"rows": tuple(pins[:rows]), "columns": tuple(pins[rows:]), "wiring": wiring})
    found = stations(shown(config, "matrix"), "row-")
    assert found == {
        f"row-{number // columns + 1}-column-{number % columns + 1}": station for station, number in wiring.items()
    }
    text = draw(config, "matrix")
    for number, gpio in enumerate(pins[:rows], 1):
        assert f">row {number}: GPIO {gpio}, pin {PHYSICAL[gpio]}<" in text
    for number, gpio in enumerate(pins[rows:], 1):
        assert shown(config, "matrix")[f"column-{number}"] == str(gpio)


def test_the_ring_of_each_diode_is_on_the_side_of_the_row() -> None:
    """A triangle's point is where current flows to, and the ring is at the point."""
    root = ET.fromstring(draw(build("dice-matrix"), "matrix"))  # noqa: S314 - our own
    shapes = [node.get("points", "") for node in root.iter("{http://www.w3.org/2000/svg}polygon")]
    triangles = [points for points in (corners(shape) for shape in shapes) if len(points) == 3]
    lying = [corners(node.get("points", "")) for node in root.iter("{http://www.w3.org/2000/svg}polyline")]
    rows = sorted({line[0][1] for line in lying if line[-1][0] - line[0][0] > 500 and line[0][1] > 100})
    assert (len(triangles), len(rows)) == (36, 6)
    for left, right, point in triangles:
        assert left[1] == right[1] < point[1]
        below = min(row for row in rows if row > point[1])
        assert below - point[1] < 40
        assert any(line[0] == (left[0], point[1]) and line[-1] == (right[0], point[1]) for line in lying)


@settings(max_examples=amount(5, 10), deadline=None)
@given(seed=st.integers(0, 10**6))
def test_each_reed_is_on_its_gpio(seed: int) -> None:
    config = build("junior-gpio")
    wiring = dict(zip(config.network.stations, random.Random(seed).sample(range(4, 28), 14), strict=True))
    config = rewired(config, switches={"wiring": wiring})
    found = stations(shown(config, "reeds"), "reed-")
    assert found == {f"reed-{gpio}": station for station, gpio in wiring.items()}
    for gpio in wiring.values():
        assert f">GPIO {gpio}, pin {PHYSICAL[gpio]}<" in draw(config, "reeds")
