"""The header of the Raspberry Pi: the tables against two libraries' own, and who gets into whose way."""

from __future__ import annotations

import runpy
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero import pi_info
from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import BadDevice
from hardware.raspberry_pi.pin_conflicts import (
    Claim,
    I2cUse,
    PinUse,
    PwmUse,
    SpiUse,
    find_conflicts,
    free_gpios,
    i2c_setting,
    spi_setting,
    wires,
)
from hardware.raspberry_pi.pinout import GROUND, MODELS, PHYSICAL, VOLTS_3_3, VOLTS_5, functions, model_named

REVISIONS = {"zero2": "902120", "3": "a02082", "4": "c03111", "5": "c04170"}
"""Revision codes by which gpiozero knows the models."""

CHAIN = SpiUse("0.0", "[switches] spi", wants=("sclk", "miso"), mode=1, alone=True)
OLED = I2cUse(1, "[handset] i2c_bus", 0x3C)


def strand(device: str) -> SpiUse:
    return SpiUse(device, "[lamps] spi", wants=("mosi",), alone=True, steady=True)


def blinka_pins(chip: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Blinka's table of a chip's pins, its class of pins, which only a Pi can import, put aside for plain numbers."""
    stub: Any = ModuleType("raspberry_pi_pin")
    stub.Pin = int
    monkeypatch.setitem(sys.modules, "adafruit_blinka.microcontroller.generic_linux.raspberry_pi_pin", stub)
    spec = find_spec("adafruit_blinka")
    assert spec is not None
    assert spec.origin is not None
    return runpy.run_path(str(Path(spec.origin).parent / "microcontroller" / chip / "pin.py"))


# The tables


@pytest.mark.parametrize("model", MODELS)
def test_every_gpio_is_on_the_pin_where_gpiozero_has_it(model: str) -> None:
    header = pi_info(REVISIONS[model]).headers["J8"].pins
    assert {f"GPIO{gpio}": pin for gpio, pin in PHYSICAL.items()} == {
        pin.name: number for number, pin in header.items() if pin.name.startswith("GPIO")
    }
    for name, pins in (("3V3", VOLTS_3_3), ("5V", VOLTS_5), ("GND", GROUND)):
        assert tuple(number for number, pin in sorted(header.items()) if pin.name == name) == pins


@pytest.mark.parametrize("model", ["zero2", "3", "4"])
def test_gpiozero_knows_every_function_that_a_pin_is_said_to_have(model: str) -> None:
    header = pi_info(REVISIONS[model]).headers["J8"].pins
    for gpio, pin in PHYSICAL.items():
        kinds = {"".join(c for c in function.split()[0].lower() if c.isalpha()) for function in functions(gpio, model)}
        # gpiozero's letters for I2C and PCM, and without the number of the bus.
        kinds = {{"ic": "i2c"}.get(kind, kind) for kind in kinds}
        assert kinds <= set(header[pin].interfaces), gpio


# Blinka's table of the Pi 5 is a copy of the Pi 4's; the RP1 counts its buses otherwise (next test).
@pytest.mark.parametrize(("model", "chip"), [("3", "bcm283x"), ("4", "bcm2711")])
def test_spi_comes_out_where_blinka_has_it(model: str, chip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    blinka = blinka_pins(chip, monkeypatch)
    on_header = [port for port in blinka["spiPorts"] if port[1] in PHYSICAL]
    assert on_header
    for number, sclk, mosi, miso in on_header:
        bus = MODELS[model].spi[number]
        assert (bus.sclk, bus.mosi, bus.miso) == (sclk, mosi, miso), number


def test_the_pi_5_s_buses_come_out_where_its_device_tree_says() -> None:
    # rp1.dtsi: rp1_spi2_gpio1, rp1_spi3_gpio5, rp1_spi5_gpio13; spi2-2cs-pi5, spi3-2cs-pi5 and spi5-2cs-pi5 for the CEs
    groups = {2: ({1, 2, 3}, (0, 24)), 3: ({5, 6, 7}, (4, 25)), 5: ({13, 14, 15}, (12, 26))}
    for number, (pins, ce) in groups.items():
        bus = MODELS["5"].spi[number]
        assert ({bus.miso, bus.mosi, bus.sclk}, bus.ce) == (pins, ce)
        assert bus.miso < bus.mosi < bus.sclk
    assert {number: (bus.sda, bus.scl) for number, bus in MODELS["5"].i2c.items()} == {
        0: (0, 1), 1: (2, 3), 2: (4, 5), 3: (6, 7),
    }  # fmt: skip


def test_the_functions_of_a_pin_are_named() -> None:
    assert functions(19, "4") == ("SPI1 MISO", "SPI6 MISO", "PWM1", "PCM FS")
    assert functions(7, "5") == ("SPI0 CE1", "SPI3 SCLK", "I2C3 SCL")
    assert functions(2, "3") == ("I2C1 SDA",)
    assert functions(14, "3") == ("UART0 TXD",)
    with pytest.raises(BadDevice, match="no Raspberry Pi is called '2'; there are zero2, 3, 4, 5"):
        functions(2, "2")


# Claims


def test_the_claims_say_which_wires_they_take() -> None:
    assert [(w.pin, w.function) for w in wires(CHAIN, "4")] == [
        (11, "SPI0 SCLK"), (10, "SPI0 MOSI"), (9, "SPI0 MISO"), (8, "SPI0 CE0"), (7, "SPI0 CE1"),
    ]  # fmt: skip
    assert [w.pin for w in wires(SpiUse("0.1", "x", wants=()), "4")] == [11, 10, 9, 8, 7]
    # The second device of another bus comes only with the first.
    assert [w.pin for w in wires(SpiUse("6.1", "x", wants=()), "4")] == [21, 20, 19, 18, 27]
    assert [w.pin for w in wires(SpiUse("1.2", "x"), "5")] == [21, 20, 19, 18, 17, 16]
    assert [w.pin for w in wires(strand("6.0"), "4")] == [21, 20, 19, 18]
    # One number, another place: the RP1 counts its buses otherwise.
    assert [w.pin for w in wires(strand("3.0"), "4")] == [3, 2, 1, 0]
    assert [w.pin for w in wires(strand("3.0"), "5")] == [7, 6, 5, 4]
    assert [(w.pin, w.function) for w in wires(OLED, "5")] == [(2, "I2C1 SDA"), (3, "I2C1 SCL")]
    assert wires(PwmUse(12, "x"), "4")[0].function == "PWM0"
    assert wires(PwmUse(21, "x"), "4")[0].function == "PCM DOUT"
    assert wires(PwmUse(5, "x"), "5")[0].function == "PIO"


def test_a_whole_table_without_clashes_leaves_the_rest_free() -> None:
    claims: list[Claim] = [
        CHAIN,
        PinUse(25, "[switches] load_pin"),
        strand("6.0"),
        OLED,
        I2cUse(1, "[display] i2c_bus", 0x3D),
    ]
    assert find_conflicts(claims, "4") == []
    assert free_gpios(claims, "4") == (4, 5, 6, 12, 13, 14, 15, 16, 17, 22, 23, 24, 26, 27)


# Clashes


@pytest.mark.parametrize(
    ("claim", "model", "complaint"),
    [
        (PinUse(28, "[keys] back"), "4", "[keys] back: GPIO 28 is not on the header; GPIOs 0 to 27 are"),
        (PinUse(-1, "x"), "4", "x: GPIO -1 is not on the header"),
        (PinUse(1, "x"), "4", "x: GPIO 1 (pin 28) belongs to the EEPROM of HATs"),
        (PwmUse(28, "x"), "5", "x: GPIO 28 is not on the header"),
        (PwmUse(17, "x"), "4", "x: GPIO 17 has neither PWM nor PCM on the Raspberry Pi 4; use 12, 13, 18, 19, 21, or"),
        (SpiUse("3.0", "x"), "3", "x: the Raspberry Pi 3 has no SPI3 on its header; it has SPI 0, 1"),
        (SpiUse("4.0", "x"), "5", "x: the Raspberry Pi 5 has no SPI4 on its header; it has SPI 0, 1, 2, 3, 5"),
        (SpiUse("0.2", "x"), "4", "x: SPI0 has chip selects 0 to 1, none of number 2"),
        (SpiUse("spidev0.0", "x"), "4", "x: 'spidev0.0' is not an SPI device; write bus.chip-select, such as \"0.0\""),
        (SpiUse("0", "x"), "4", "x: '0' is not an SPI device"),
        (SpiUse("0.0", "x", wants=("clk",)), "4", "x: SPI has no clk; its wires are sclk, mosi, miso, ce"),
        (SpiUse("0.0", "x", mode=4), "4", "x: there is no SPI mode 4; modes are 0 to 3"),
        (I2cUse(3, "x", 0x3C), "3", "x: the Raspberry Pi 3 has no I2C bus 3; it has 0, 1"),
        (I2cUse(1, "x", 0x78), "3", "x: 0x78 is not an I2C address; addresses are 0x08 to 0x77"),
        (
            SpiUse("1.0", "[switches] spi", mode=1),
            "4",
            "[switches] spi: SPI1 of the Raspberry Pi 4 has only modes 0 and 2; use SPI6, which has the same data",
        ),
        (SpiUse("1.2", "x", mode=3), "4", "(dtoverlay=spi6-2cs, device 6.1), or mode 2"),
        (SpiUse("1.0", "x", mode=3), "zero2", "Raspberry Pi Zero 2 has only modes 0 and 2; use SPI0, or mode 2"),
        (strand("1.0"), "3", "SPI1 of the Raspberry Pi 3 pauses after every third byte, fatal to lamps; use SPI0"),
    ],
)  # fmt: skip
def test_a_claim_that_cannot_be_is_one_line(claim: Claim, model: str, complaint: str) -> None:
    (line,) = find_conflicts([claim], model)
    assert complaint in line
    assert "\n" not in line


def test_the_pins_of_hats_are_i2c0_s_to_take() -> None:
    assert find_conflicts([I2cUse(0, "x", 0x3C)], "4") == []
    assert free_gpios([I2cUse(0, "x", 0x3C)], "4") == tuple(range(2, 28))


def test_two_uses_of_a_pin_are_named_with_what_is_free() -> None:
    everything = [PinUse(pin, f"p{pin}") for pin in range(2, 26)]
    assert find_conflicts([*everything, PinUse(17, "[keys] up")], "4") == [
        "GPIO 17 (pin 11) is taken by p17 and [keys] up; free GPIOs: 26, 27"
    ]
    everything += [PinUse(26, "p26"), PinUse(27, "p27")]
    assert find_conflicts([*everything, PinUse(17, "[keys] up")], "4") == [
        "GPIO 17 (pin 11) is taken by p17 and [keys] up; no GPIO is free, so use a device with fewer wires"
    ]
    assert find_conflicts([PinUse(17, "row 1"), PinUse(17, "row 1")], "4")[0].startswith(
        "GPIO 17 (pin 11) is taken by row 1 twice;"
    )


def test_a_bus_takes_its_pins_from_everyone_else() -> None:
    (line,) = find_conflicts([CHAIN, PinUse(9, "[keys] table.back")], "4")
    assert line.startswith(
        "GPIO 9 (pin 21) is taken by [switches] spi (SPI0 MISO) and [keys] table.back; free GPIOs: 2, 3"
    )
    (line,) = find_conflicts([OLED, PinUse(3, "[switches] load_pin")], "4")
    assert "GPIO 3 (pin 5) is taken by [handset] i2c_bus (I2C1 SCL) and [switches] load_pin" in line
    # The same data pins, two controllers.
    lines = find_conflicts([SpiUse("1.0", "a"), SpiUse("6.0", "b")], "4")
    assert [line.split(";")[0] for line in lines] == [
        "GPIO 18 (pin 12) is taken by a (SPI1 CE0) and b (SPI6 CE0)",
        "GPIO 19 (pin 35) is taken by a (SPI1 MISO) and b (SPI6 MISO)",
        "GPIO 20 (pin 38) is taken by a (SPI1 MOSI) and b (SPI6 MOSI)",
        "GPIO 21 (pin 40) is taken by a (SPI1 SCLK) and b (SPI6 SCLK)",
    ]


@pytest.mark.parametrize("device", ["0.0", "0.1"])
@pytest.mark.parametrize("pin", [7, 8, 9, 10, 11])
def test_spi0_is_taken_whole_whatever_hangs_on_it(device: str, pin: int) -> None:
    claim = SpiUse(device, "[lamps] spi", wants=("mosi",))
    assert pin not in free_gpios([claim], "3")
    (line,) = find_conflicts([claim, PinUse(pin, "[keys] up")], "3")
    assert f"GPIO {pin} " in line


@pytest.mark.parametrize(
    "device", ["00.0", "0.00", "٠.0", "0.١", "²1.0", "0.0 ", "0.0\n", "0.", ".0", "0.0.0", "+0.0", "9" * 5000 + ".0"]
)
def test_a_device_has_two_plain_numbers(device: str) -> None:
    (line,) = find_conflicts([SpiUse(device, "x")], "4")
    assert "is not an SPI device; write bus.chip-select" in line


def test_a_chain_has_no_chip_select_and_wants_its_bus_to_itself() -> None:
    chain = SpiUse("6.0", "[switches] spi", ("sclk", "miso"), 1, alone=True)
    (line,) = find_conflicts([chain, SpiUse("6.1", "[handset] bus", ("sclk", "mosi", "ce"))], "4")
    assert line.startswith(
        "[switches] spi: must be alone on its bus, but [handset] bus is on SPI6, too; move one to SPI0 "
    )
    assert find_conflicts([chain, SpiUse("0.1", "[handset] bus")], "4") == []


def test_a_chain_bears_the_pauses_of_an_auxiliary_controller() -> None:
    chain = SpiUse("1.0", "[switches] spi", ("sclk", "miso"), 2, alone=True)
    assert find_conflicts([chain], "3") == []
    # So it, or a screen, may move there.
    (line,) = find_conflicts([replace(chain, device="0.0"), SpiUse("0.1", "[handset] bus")], "3")
    assert line.endswith("; move one to SPI1 (dtoverlay=spi1-1cs)")


def test_spi0_without_chip_selects_leaves_their_gpios_to_others() -> None:
    bare = replace(strand("0.0"), selects=False)
    assert find_conflicts([bare, PinUse(7, "a"), PinUse(8, "b")], "4") == []
    for pin in (9, 10, 11):
        (line,) = find_conflicts([bare, PinUse(pin, "a")], "4")
        assert f"GPIO {pin} " in line
    assert {7, 8} <= set(free_gpios([bare], "5"))
    # Linux has no such overlay for the other buses.
    assert find_conflicts([replace(strand("6.0"), selects=False), PinUse(18, "a")], "4") != []


def test_lamps_over_spi_want_their_bus_to_themselves() -> None:
    (line,) = find_conflicts([SpiUse("0.0", "[display] spi"), strand("0.1")], "4")
    assert line.startswith("[lamps] spi: must be alone on its bus, but [display] spi is on SPI0, too; move one to ")
    # SPI4's clock is SPI0's CE1.
    assert line.endswith("".join(f" or SPI{bus} (dtoverlay=spi{bus}-1cs)" for bus in (1, 3, 5, 6)).removeprefix(" or "))
    (line,) = find_conflicts([strand("0.0"), replace(strand("0.1"), what="[more] spi")], "4")
    # SPI1 is auxiliary.
    assert line.endswith("; move one to " + " or ".join(f"SPI{bus} (dtoverlay=spi{bus}-1cs)" for bus in (3, 5, 6)))
    assert find_conflicts([SpiUse("0.0", "[display] spi"), strand("3.0")], "4") == []


def test_what_lamps_could_move_to_has_all_its_pins_free() -> None:
    others: list[Claim] = [PinUse(17, "a"), PinUse(4, "b"), OLED]
    (line,) = find_conflicts([strand("0.0"), SpiUse("0.1", "[display] spi"), *others], "4")
    assert line.endswith(
        "move one to SPI1 (dtoverlay=spi1-1cs) or SPI5 (dtoverlay=spi5-1cs) or SPI6 (dtoverlay=spi6-1cs)"
    )
    (line,) = find_conflicts([SpiUse("1.0", "a"), SpiUse("1.0", "b"), PinUse(7, "c")], "3")
    assert line.endswith("no SPI bus has all its pins free, so free those of one first")  # SPI0 has no CE1
    (line,) = find_conflicts([SpiUse("1.0", "a"), SpiUse("1.0", "b")], "3")
    assert line.endswith("move one to SPI0 (dtparam=spi=on)")


def test_devices_share_spi_by_chip_select_only() -> None:
    assert find_conflicts([SpiUse("0.0", "a"), SpiUse("0.1", "b")], "3") == []
    (line,) = find_conflicts([SpiUse("0.0", "a"), SpiUse("0.0", "b")], "3")
    assert line.startswith("a and b are both SPI device 0.0; ")


def test_devices_share_i2c_by_address_only() -> None:
    assert find_conflicts([OLED, I2cUse(1, "[display] i2c_bus", 0x3D)], "4") == []
    assert find_conflicts([OLED, I2cUse(3, "[display] i2c_bus", 0x3C)], "4") == []
    (line,) = find_conflicts([OLED, I2cUse(1, "[display] i2c_bus", 0x3C)], "4")
    assert line.startswith("[handset] i2c_bus and [display] i2c_bus have the same address 0x3c on I2C bus 1; set the")


def test_two_chains_on_one_pwm_channel_would_show_the_same() -> None:
    (line,) = find_conflicts([PwmUse(12, "a"), PwmUse(18, "b")], "4")
    assert line.startswith("a and b: GPIO 12 and GPIO 18 are one channel (PWM0); ")
    assert find_conflicts([PwmUse(12, "a"), PwmUse(13, "b")], "4") == []
    assert find_conflicts([PwmUse(12, "a"), PwmUse(18, "b")], "5") == []
    (line,) = find_conflicts([PwmUse(18, "a"), SpiUse("1.0", "b")], "4")
    assert "is taken by a (PWM0) and b (SPI1 CE0)" in line


CLAIMS = st.one_of(
    st.builds(PinUse, st.integers(-1, 29), st.just("pin")),
    st.builds(
        SpiUse,
        st.sampled_from(["0.0", "0.1", "1.0", "3.1", "6.0", "9.9"]),
        st.just("spi"),
        st.sets(st.sampled_from(["sclk", "mosi", "miso", "ce"])).map(tuple),
        st.integers(0, 3),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(I2cUse, st.integers(0, 7), st.just("i2c"), st.sampled_from([0x3C, 0x3D, 0x80])),
    st.builds(PwmUse, st.integers(0, 28), st.just("pwm")),
)


@given(claims=st.lists(CLAIMS, max_size=8), model=st.sampled_from([*MODELS]), pin=st.integers(2, 27))
def test_a_free_pin_makes_no_clash_and_a_taken_one_does(claims: list[Claim], model: str, pin: int) -> None:
    before = find_conflicts(claims, model)
    after = find_conflicts([*claims, PinUse(pin, "new")], model)
    if pin in free_gpios(claims, model):
        assert len(after) == len(before)
        assert pin not in free_gpios([*claims, PinUse(pin, "new")], model)
    else:
        assert any("new" in line and f"GPIO {pin} " in line for line in after)


# config.txt


@pytest.mark.parametrize(
    ("claims", "bus", "line"),
    [
        ((CHAIN,), 0, "dtparam=spi=on"),
        ((strand("0.0"), PinUse(24, "x")), 0, "dtparam=spi=on"),
        ((SpiUse("0.1", "a"), SpiUse("0.0", "b")), 0, "dtparam=spi=on"),
        ((replace(strand("0.0"), selects=False), PinUse(7, "x"), PinUse(8, "x")), 0, "dtoverlay=spi0-0cs"),
        ((strand("6.0"),), 6, "dtoverlay=spi6-1cs"),
        ((strand("6.1"),), 6, "dtoverlay=spi6-2cs"),
        ((strand("3.1"), SpiUse("6.0", "x")), 6, "dtoverlay=spi6-1cs"),
    ],
)
def test_a_bus_is_switched_on_with_as_many_chip_selects_as_it_needs(
    claims: tuple[Claim, ...], bus: int, line: str
) -> None:
    assert find_conflicts(claims, "4") == []
    assert spi_setting(bus, claims, "4") == line


def test_i2c_is_switched_on_by_bus() -> None:
    assert [i2c_setting(bus) for bus in (0, 1, 3)] == ["dtparam=i2c_vc=on", "dtparam=i2c_arm=on", "dtoverlay=i2c3"]
    with pytest.raises(BadDevice, match="the Raspberry Pi 3 has no SPI6"):
        spi_setting(6, (), "3")
    assert model_named("4").name == "Raspberry Pi 4"
