"""What a configuration asks of the Pi is checked before anything is soldered."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from firmware_host.config import shipped_files
from firmware_host.config.drivers.neopixel_drivers import strips
from firmware_host.config.loader import Config, ConfigError, load, parse
from firmware_host.config.section_conflicts import claims, longest_transfers
from hardware.raspberry_pi.pin_conflicts import I2cUse, PinUse, PwmUse, SpiUse, find_conflicts
from hardware.raspberry_pi.pinout import PHYSICAL

BUILDS = ("london-spi", "london-pico", "dice-matrix", "junior-gpio")


def build(name: str) -> str:
    return (shipped_files.folder() / f"{name}.toml").read_text(encoding="utf-8")


def changed(name: str, *changes: tuple[str, str]) -> str:
    """A build with some of its text replaced; every replacement must have had something to replace."""
    text = build(name)
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def mistakes(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse(text, "yard.toml")
    return list(caught.value.mistakes)


@pytest.fixture(params=BUILDS)
def config(request: pytest.FixtureRequest) -> Config:
    return load(shipped_files.folder() / f"{request.param}.toml")


# ---- the shipped builds ----


def test_a_build_wires_every_station_and_every_window_by_name(config: Config) -> None:
    written = tomllib.loads(Path(config.source).read_text(encoding="utf-8"))
    stations = {str(station) for station in config.network.stations}
    assert set(written["switches"]["wiring"]) == set(written["lamps"]["wiring"]) == stations
    assert set(written["lamps"]["log"]) == {str(window) for window in range(1, config.edition.windows + 1)}


def test_a_build_takes_no_pin_twice(config: Config) -> None:
    assert find_conflicts(claims(config.sections, config.layout), config.pi.model) == []


def test_a_build_claims_what_its_comments_say(config: Config) -> None:
    told = claims(config.sections, config.layout)
    pins = [claim.pin for claim in told if isinstance(claim, PinUse)]
    assert len(pins) == len(set(pins))
    kinds = {
        "london-spi": [SpiUse("6.0", "[switches] spi", ("sclk", "miso"), 1, alone=True),
                       SpiUse("0.0", "[lamps] spi", ("mosi",), alone=True, steady=True),
                       I2cUse(1, "[handset] bus", 0x3C), I2cUse(3, "[display] bus", 0x3C)],
        "london-pico": [SpiUse("0.0", "[lamps] spi", ("mosi",), alone=True, steady=True),
                        SpiUse("1.0", "[display] bus", ("sclk", "mosi", "ce"))],
        "dice-matrix": [PwmUse(18, "[lamps] pins"), I2cUse(1, "[handset] bus", 0x3C), I2cUse(3, "[display] bus", 0x3C)],
        "junior-gpio": [SpiUse("0.0", "[lamps] spi", ("mosi",), alone=True, steady=True, selects=False),
                        I2cUse(1, "[handset] bus", 0x3C), I2cUse(3, "[display] bus", 0x3C)],
    }  # fmt: skip
    assert [claim for claim in told if not isinstance(claim, PinUse)] == kinds[Path(config.source).stem]
    count = {"london-spi": 1 + 1 + 10, "london-pico": 2 + 5, "dice-matrix": 12 + 5 + 1 + 2, "junior-gpio": 14 + 2 + 3}
    assert len(pins) == count[Path(config.source).stem]


def test_pins_named_in_a_build_s_comments_are_those_of_the_header(config: Config) -> None:
    """Comments such as "confirm = 23   # pin 16" are what people solder by."""
    told = [claim.pin for claim in claims(config.sections, config.layout) if isinstance(claim, PinUse)]
    for line in Path(config.source).read_text(encoding="utf-8").splitlines():
        key, _, comment = line.partition("#")
        value = key.partition("=")[2]
        if comment.strip().startswith("pin ") and value.strip().isdecimal():
            assert int(comment.split()[1].rstrip(":,")) == PHYSICAL[int(value)], line
            assert int(value) in told, line


def test_the_longest_transfers_are_a_frame_of_all_lamps_and_a_scan() -> None:
    config = load(shipped_files.folder() / "london-spi.toml")
    assert longest_transfers(config.sections, config.layout) == {"6.0": 28, "0.0": 240 + 12 * 223}


# ---- what cannot be ----


def test_a_board_is_simulated_as_a_whole_or_not_at_all() -> None:
    found = mistakes('[switches]\ndriver = "matrix"\nrows = [5]\ncolumns = [6]')
    assert [line.partition(":")[2].split(":")[0].strip() for line in found] == [
        "[lamps] driver", "[handset] driver", "[display] driver", "[keys] driver",
    ]  # fmt: skip
    assert 'yard.toml: [lamps] driver: is "sim" although [switches] is real; name a real driver here' in found[0]


PORT = 'port = "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_1'


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("london-spi", ("load_pin = 16", "load_pin = 23"), "[pi]: GPIO 23 (pin 16) is taken by [switches] load_pin a"),
        ("london-spi", ("load_pin = 16", "load_pin = 10"), "[pi]: GPIO 10 (pin 19) is taken by [switches] load_pin a"),
        ("london-spi", ("load_pin = 16", "load_pin = 0"), "[switches] load_pin: GPIO 0 (pin 27) belongs to the"),
        ("london-spi", ('spi = "6.0"', 'spi = "1.0"'), "[switches] spi: SPI1 of the Raspberry Pi 4 has only"),
        ("london-spi", ('spi = "6.0"', 'spi = "0.1"'), "[switches] spi: must be alone on its bus, but [lam"),
        ("london-spi", ('spi = "6.0"', 'spi = "9.0"'), "[switches] spi: the Raspberry Pi 4 has no SPI9"),
        ("london-spi", ('spi = "6.0"', 'spi = "six"'), "[switches] spi: 'six' is not an SPI device"),
        ("london-spi", ("\n199 = 199\n", "\n199 = 0\n"), "[switches.wiring]: station 199 on 0; this driver has the i"),
        ("london-spi", ("sentinel = 0x96", "sentinel = 0xAA"), "[switches] sentinel: 0xaa is the same when the chain"),
        ("london-pico", ("sentinel = 0x96", "sentinel = 0x7F"), "[switches] sentinel: 0x7f is the same when the chai"),
        ("london-spi", ('bus = "i2c-3"', 'bus = "i2c-1"'), "[display] bus: both screens on i2c-1: a spectator of the"),
        ("london-pico", ("reset_pin = 5 ", "# reset_pin "), "[display] reset_pin: is missing, but a screen on SPI"),
        ("london-spi", ("reset_pin = 15", "reset_pin = 16"), "[pi]: GPIO 16 (pin 36) is taken by [switches] load_pin"),
        ("london-spi", ('bus = "i2c-3"', 'bus = "usb"'), '[display] bus: "usb" is not a bus; write "i2c-1", or '),
        ("london-spi", ('spi = ["0.0"]', 'spi = ["0.0", "5.0"]'), "[lamps] spi: has 2 entries for 1 strip; write"),
        ("london-spi", ('spi = ["0.0"]', 'spi = ["0.0"]\nstrips = [222]'), "[lamps] strips: 222 lamps together; wri"),
        ("london-spi", ('spi = ["0.0"]', 'spi = ["0.0"]\ndead = [1, 1]'), "[lamps] dead: has 2 numbers for 1 strip; w"),
        ("london-spi", ("max_milliamps = 3000", "max_milliamps = 303\ndead = [80]"), "[lamps] max_milliamps: 303 mA;"),
        ("london-spi", ("confirm = 23", "# no confirm"), "[keys]: nothing is wired to table.confirm; give each a GPIO"),
        ("london-spi", ("taxi = 17", "# no taxi"), "[keys]: nothing is wired to table.taxi; give each a GPIO, or a l"),
        ("london-spi", ("peek = 6 ", "# no peek "), "[keys]: nothing is wired to handset.peek; give each a GPIO, or a"),
        ("london-spi", ("[keys.handset]", '[keys.long]\n"table.bus" = "table.bsu"\n[keys.handset]'), '[keys.long] "t'),
        ("dice-matrix", ('"handset.select" =', '"handset.peek" ='), '[keys.long] "handset.peek": has no button that'),
        ("dice-matrix", ("encoder = [26, 27]", "encoder = [26]"), "[keys] encoder: 1 GPIOs; a rotary encoder has two"),
        (
            "dice-matrix",
            ("encoder = [26, 27]", "encoder_steps = 3\nencoder = [26, 27]"),
            "[keys] encoder_steps: no encoder has 3 steps a click; write 4, 2 or 1",
        ),
        ("dice-matrix", ('factory = "lgpio"', 'factory = "rpigpio"'), "[pi] pin_factory: RPi.GPIO gets no edges from"),
        ("dice-matrix", ("rows = [6, 7, 8, 9, 10, 11] ", "rows = [6, 7, 8, 9, 10] "), "[switches.wiring]: station 31"),
        ("dice-matrix", ("rows = [6, 7, 8, 9, 10, 11] ", "rows = [] "), "[switches] rows, columns: a matrix has at l"),
        ("dice-matrix", ("pins = [18]", "pins = [17]"), "[lamps] pins: GPIO 17 has neither PWM nor PCM on the"),
        ("dice-matrix", ("pins = [18]", "pins = [18, 13]\nstrips = [40, 40]"), "[lamps] pins: 2 strips; up to the Pi"),
        ("dice-matrix", ("rows = [6, 7, 8, 9, 10, 11] ", "load_pin = 4 # "), '[switches] load_pin: the driver "mat'),
        ("london-spi", ('bus = "i2c-3"', 'bus = "i2c-01"'), '[display] bus: "i2c-01" is not a bus; write "i2c-1", or '),
        ("london-spi", ('spi = ["0.0"]', 'spi = ["0.0"]\nstrips = [2000]'), "[lamps] frames_per_second: a strip takes"),
        ("london-spi", ("max_milliamps = 3000", "max_milliamps = 303\nstrips = [304]"), "[lamps] max_milliamps: 303 m"),
        ("dice-matrix", ('= "handset.back"', '= "handset.select"'), '[keys.long] "handset.select": a long press'),
        ("london-pico", ('driver = "serial"\nport', 'driver = "serial"\n# '), "[switches] port: is empty; wr"),
        ("london-pico", (PORT, "# "), "[handset] port: is empty; write the path that `ls /dev/serial/by-id/*`"),
        ("london-pico", ("1111111111111111", "0000000000000000"), '[handset] port: "/dev/serial/by-id/usb-MicroPython'),
        ("london-pico", ("[keys.table]", "[keys.handset]\nup = 12\n[keys.table]"), "[keys.handset]: the handset's key"),
        ("london-pico", ("[keys.table]", "encoder = [12, 13]\n[keys.table]"), "[keys] encoder: the handset's Pico"),
        ("junior-gpio", ("\n14 = 27\n", "\n14 = 28\n"), "[switches.wiring]: station 14 on 28; this driver has the in"),
        ("junior-gpio", ("\n14 = 27\n", "\n14 = 23\n"), "[pi]: GPIO 23 (pin 16) is taken by [switches.wiring] 14 and "),
    ],
)  # fmt: skip
def test_what_cannot_work_is_told_before_anything_is_soldered(name: str, change: tuple[str, str], told: str) -> None:
    first = mistakes(changed(name, change))[0]
    assert first.startswith(f"yard.toml: {told}"), first


def test_a_guess_is_the_whole_advice() -> None:
    assert mistakes('[keys.long]\n"handset.peak" = "handset.up"\n') == [
        'yard.toml: [keys.long] "handset.peak": "handset.peak" is not a key; did you mean handset.peek?'
    ]


def test_stations_behind_the_last_chip_with_reeds_are_named() -> None:
    wiring = parse(build("london-spi"), "yard.toml").switches.wiring
    beyond = [(station, place) for station, place in wiring.items() if place >= 192]
    (first, place), (second, other) = beyond[:2]
    told = f"yard.toml: [switches.wiring]: station {first} on {place}, {second} on {other}, "
    assert mistakes(changed("london-spi", ("chips = 26", "chips = 25")))[0].startswith(told)
    past_all = changed("london-spi", (f"\n{first} = {place}\n", f"\n{first} = 200\n"))
    assert mistakes(past_all)[0].startswith(
        f"yard.toml: [switches.wiring]: station {first} on 200; this driver has the"
    )


def test_a_matrix_without_a_wiring_has_its_stations_in_order() -> None:
    text = build("dice-matrix")
    start, end = text.index("[switches.wiring]"), text.index("[lamps.wiring]")
    assert parse(text[:start] + text[end:], "yard.toml").layout.switch_inputs == tuple(range(36))


@pytest.mark.parametrize(("pin", "selects"), [(7, False), (8, False), (25, True)])
def test_lamps_alone_on_spi0_leave_its_chip_selects_to_whoever_wants_their_pins(pin: int, selects: bool) -> None:
    config = parse(changed("london-spi", ("select = 25 ", f"select = {pin} ")), "yard.toml")
    (lamps,) = (claim for claim in claims(config.sections, config.layout) if claim.what == "[lamps] spi")
    assert isinstance(lamps, SpiUse)
    assert lamps.selects == selects


@pytest.mark.parametrize("pin", [9, 10, 11])
def test_the_other_wires_of_spi0_are_taken_by_its_lamps_alone(pin: int) -> None:
    (line,) = mistakes(changed("london-spi", ("select = 25 ", f"select = {pin} ")))
    assert f"GPIO {pin} (pin {PHYSICAL[pin]}) is taken by [lamps] spi (SPI0 " in line


def test_lamps_at_the_second_chip_select_keep_both() -> None:
    changes = (('spi = ["0.0"]', 'spi = ["0.1"]'), ("select = 25 ", "select = 7 "))
    (line,) = mistakes(changed("london-spi", *changes))
    assert "GPIO 7 (pin 26) is taken by [lamps] spi (SPI0 CE1) and [keys.handset] select" in line


def test_pins_cannot_be_guessed() -> None:
    text = build("junior-gpio")
    start, end = text.index("[switches.wiring]"), text.index("[lamps.wiring]")
    assert (
        "yard.toml: [switches.wiring]: is empty; write for each station a line"
        in mistakes(text[:start] + text[end:])[0]
    )


def test_a_pi_5_has_its_second_bus_under_another_number() -> None:
    change = (("spi1-1cs, and here model", "spi1-1cs, and here"), ('model = "4"', 'model = "5"'))
    found = mistakes(changed("london-spi", *change))
    assert any("[switches] spi: the Raspberry Pi 5 has no SPI6" in line for line in found)


def test_dead_lamps_are_counted_on_top_of_the_others() -> None:
    config = parse(changed("london-spi", ('spi = ["0.0"]', 'spi = ["0.0"]\ndead = [2]')), "yard.toml")
    assert strips(config.lamps, config.layout) == ((225, 2),)


def test_a_misspelt_section_is_no_reason_to_complain_of_what_is_missing_in_it() -> None:
    (line,) = mistakes(changed("london-spi", ("[handset]", "[handste]")))
    assert line == "yard.toml: [handste]: unknown section; did you mean [handset]?"
