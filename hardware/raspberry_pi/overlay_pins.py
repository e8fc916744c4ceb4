"""List which pins of the header each device tree overlay of config.txt uses.

Sources: arch/arm/boot/dts/overlays/README of raspberrypi/linux (2026). For HATs whose pins are fixed, the overlays in
the same folder. A Pi has the README of its own overlays in /boot/firmware/overlays.

A table lists a few words for each overlay. A word names a bus ("i2c", "spi0"), pins ("14-15"), a parameter with its
default pin ("gpiopin=4"), or pins that are used only with a parameter ("i2c0:0-1").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hardware.raspberry_pi.pinout import LAST_GPIO, MODELS, PCM

_PINS = """
apds9960 i2c gpiopin=4
act-led gpio=
adafruit-st7735r spi0 dc_pin=24 reset_pin=25 led_pin=18
adafruit18 spi0 dc_pin=24 reset_pin=25 led_pin=18
ads7846 spi0 penirq=
at86rf233 spi0 interrupt=23 reset=24 sleep=25
audremap pins_12_13
cap1106 i2c int_pin=23
cm-swap-i2c0 i2c0-gpio0:0-1 i2c10-gpio0:0-1
dht11 gpiopin=4
disable-bt 14-15
dpi18 0-21
dpi18cpadhi 0-9 12-17 20-25
dpi24 0-27
edt-ft5406 i2c0:0-1 i2c1:2-3
enc28j60 spi0 int_pin=25
exc3000 i2c interrupt=4
fbtft spi* reset_pin= dc_pin= led_pin=
fsm-demo 7 8 25
gc9a01 spi0 18 25 27
goodix i2c interrupt=4 reset=17
googlevoicehat-soundcard i2s 16
gpio-charger gpio=4
gpio-fan gpiopin=12
gpio-hog gpio=26
gpio-ir gpio_pin=18
gpio-ir-tx gpio_pin=18
gpio-key gpio=3
gpio-led gpio=19
gpio-poweroff gpiopin=26
gpio-shutdown gpio_pin=3
hd44780-lcd pin_d4=6 pin_d5=13 pin_d6=19 pin_d7=26 pin_en=21 pin_rs=20 pin_bl=
hdmi-backlight-hwhack-gpio gpio_pin=17
hifiberry-amp100 i2s i2c 4 17
hifiberry-amp3 i2s i2c 4
i2c-gpio i2c_gpio_sda=23 i2c_gpio_scl=24
i2c-rtc-gpio i2c_gpio_sda=23 i2c_gpio_scl=24
i2c-sensor i2c int_pin= reset_pin=
ilitek251x i2c interrupt=4
interludeaudio-analog i2s i2c gpiopin= ?
iqaudio-dacplus i2s i2c auto_mute_amp_gpio=22
iqs550 i2c interrupt=4 reset=
max98357a i2s sdmode-pin=4
mcp23017 i2c gpiopin=4
mcp251xfd spi* interrupt= rx_interrupt= xceiver_enable=
mcp2515 spi* interrupt=
mcp2515-can0 spi0 interrupt=25
mcp2515-can1 spi0 interrupt=25
mipi-dbi-spi spi* reset-gpio= dc-gpio= backlight-gpio= backlight-pwm:18 backlight-pwm-gpio=
miniuart-bt 14-15
pisound i2s spi0 12 13 16 17 24-26
pps-gpio gpiopin=18
pwm pin=18
pwm-2chan pin=18 pin2=19
pwm-ir-tx gpio_pin=18
qca7000 spi0 int_pin=23
qca7000-uart0 14-15
rotary-encoder pin_a=4 pin_b=17
rpi-digiampplus i2s i2c auto_mute_amp_gpio=22
rpi-poe i2c:2-3
rpi-poe-plus i2c:2-3
rpi-sense i2c 23
rpi-sense-v2 i2c 23
sainsmart18 spi0 dc_pin=24 reset_pin=25
sc16is750-i2c i2c int_pin=24
sc16is752-i2c i2c int_pin=24
sc16is752-spi0 spi0 int_pin=24
sc16is752-spi1 spi1 int_pin=24
sdio gpios_22_27
sh1106-spi spi0 dc_pin=24 reset_pin=25
si446x-spi0 spi0 int_pin=17 reset_pin=27
smi 2-25
smi-nand 2-25
ssd1306-spi spi0 dc_pin=24 reset_pin=25
ssd1327-spi spi0 dc_pin=24 reset_pin=25
ssd1331-spi spi0 dc_pin=24 reset_pin=25
ssd1351-spi spi0 dc_pin=24 reset_pin=25
superaudioboard i2s i2c gpiopin= ?
uart0 txd0_pin=14 rxd0_pin=15
uart1 txd1_pin=14 rxd1_pin=15
uart2 0-1 ctsrts:2-3
uart3 4-5 ctsrts:6-7
uart4 8-9 ctsrts:10-11
uart5 12-13 ctsrts:14-15
vc4-kms-dpi-generic 0-27
vc4-kms-dpi-hyperpixel2r 0-27
vc4-kms-dpi-hyperpixel4 0-27
vc4-kms-dpi-hyperpixel4sq 0-27
vc4-kms-dpi-panel 0-27
vc4-kms-dsi-lt070me05000 reset=17 enable=4 dcdc-en=5
vc4-kms-dsi-waveshare-panel i2c1:2-3
vc4-kms-vga666 2-21 ddc:0-1
vga666 2-21
w1-gpio gpiopin=4
w1-gpio-pullup gpiopin=4 extpullup=5
w5500 spi0 int_pin=25
wittypi i2c led_gpio=17
"""
"""The pins of each overlay, in words.

"7", "2-21": these pins. "gpiopin=4", "reset=": the pin that a parameter names, and its default. "ctsrts:2-3": pins that
a parameter adds. "pins_12_13": these, unless a parameter names another group. "i2s". "i2c": I2C1, unless a parameter
names another bus. "spi0"; "spi*": the bus that a parameter names. "?": other, unknown pins.
"""

_PINS_OF_PI_5 = """
disable-bt
miniuart-bt
uart0 14-15 ctsrts:16-17
uart1 0-1 ctsrts:2-3
uart2 4-5 ctsrts:6-7
uart3 8-9 ctsrts:10-11
uart4 12-13 ctsrts:14-15
"""
"""The overlays that use other pins on a Pi 5."""

_ALIKE = {
    "": """
        adv7282m adv728x-m arducam-64mp arducam-pivariety bcm2712d0 camera-mux-2port camera-mux-4port cma
        disable-emmc2 disable-wifi dwc-otg dwc2 gpio-no-bank0-irq gpio-no-irq highperi i2s-gpio28-31 imx219
        imx258 imx290 imx296 imx327 imx378 imx462 imx477 imx519 imx708 irs1125 midi-uart0 midi-uart1
        midi-uart2 midi-uart3 midi-uart4 midi-uart5 mmc ov2311 ov5647 ov64a40 ov7251 ov9281 pcie-32bit-dma
        pwm1 ramoops ramoops-pi4 rpi-backlight rpi-ft5406 sdhost smi-dev spi-gpio35-39 spi-gpio40-45 spi2-3cs
        tc358743 upstream upstream-pi4 vc4-fkms-v3d vc4-fkms-v3d-pi4 vc4-kms-dsi-7inch vc4-kms-dsi-generic
        vc4-kms-v3d vc4-kms-v3d-pi4 vl805
        """,
    "i2c": """
        ads1015 ads1115 i2c-bcm2708 i2c-fan i2c-mux i2c-pwm-pca9685a i2c-rtc ltc294x mcp342x mlx90640 pca953x
        pcf857x piglow ssd1306 tpm-slb9673
        """,
    "i2s": "adau7002-simple hifiberry-dac i2s-dac tc358743-audio ugreen-dabboard",
    "i2s i2c": """
        hifiberry-dacplus iqaudio-dac justboom-both justboom-dac justboom-digi rpi-codeczero rpi-dacplus
        rpi-dacpro
        """,
    "i2s i2c ?": """
        adau1977-adc akkordion-iqdacplus allo-boss-dac-pcm512x-audio allo-boss2-dac-audio allo-digione
        allo-katana-dac-audio allo-piano-dac-pcm512x-audio allo-piano-dac-plus-pcm512x-audio applepi-dac
        audioinjector-addons audioinjector-bare-i2s audioinjector-isolated-soundcard audioinjector-ultra
        audioinjector-wm8731-audio audiosense-pi chipdip-dac dacberry400 dionaudio-kiwi dionaudio-loco
        dionaudio-loco-v2 draws fe-pi-audio ghost-amp hifiberry-amp hifiberry-amp4pro hifiberry-dacplusadc
        hifiberry-dacplusadcpro hifiberry-dacplusdsp hifiberry-dacplushd hifiberry-digi hifiberry-digi-pro
        i-sabre-q2m interludeaudio-digital iqaudio-codec iqaudio-digi-wm8804-audio mbed-dac merus-amp pibell
        pifi-40 pifi-dac-hd pifi-dac-zero pifi-mini-210 proto-codec rra-digidac1-wm8741-audio udrc
        wm8960-soundcard
        """,
    "i2s i2c spi0 ?": "cirrus-wm5102",
    "spi0 ?": """
        hy28a hy28b hy28b-2017 media-center minipitft13 mz61581 papirus pifacedigital piscreen piscreen2r
        pitft22 pitft28-capacitive pitft28-resistive pitft35-resistive rpi-tv seeed-can-fd-hat-v1
        seeed-can-fd-hat-v2 tinylcd35 tpm-slb9670 watterott-display waveshare-can-fd-hat-mode-a
        waveshare-can-fd-hat-mode-b
        """,
    "spi*": "anyspi jedec-spi-nor maxtherm mcp3008 mcp3202 spi-rtc",
    "spi* ?": "mcp23s17",
}
"""Overlays that use the same pins."""


def _table(lines: str) -> dict[str, tuple[str, ...]]:
    rows = (line.split() for line in lines.strip().splitlines())
    return {name: tuple(words) for name, *words in rows}


OVERLAYS = _table(_PINS) | {name: tuple(words.split()) for words, names in _ALIKE.items() for name in names.split()}
"""The known overlays and their pins, without those that switch a bus on."""

_OVERLAYS_OF_PI_5 = OVERLAYS | _table(_PINS_OF_PI_5)

_ALIASES = {
    "pi3-act-led": "act-led", "pi3-disable-bt": "disable-bt", "pi3-disable-wifi": "disable-wifi",
    "pi3-miniuart-bt": "miniuart-bt", "rpi-dac": "i2s-dac", "rpi-proto": "proto-codec",
    "rpi-cirrus-wm5102": "cirrus-wm5102", "rpi-display": "watterott-display", "spi0-cs": "spi0-2cs",
}  # fmt: skip
"""Earlier names of overlays."""


@dataclass(frozen=True, slots=True)
class OverlayPins:
    """The pins of the header that one overlay uses.

    Attributes:
        exclusive: the GPIOs that it uses exclusively.
        bus: the GPIOs of its I2C and SPI buses, which other devices may share.
        complete: whether these are all pins that it uses.
    """

    exclusive: frozenset[int]
    bus: frozenset[int]
    complete: bool


def overlay_pins(name: str, params: Mapping[str, str], model: str) -> OverlayPins | None:
    """Return the pins that an overlay with these parameters uses on a model, or None if it is unknown."""
    name = _ALIASES.get(name, name)
    words = (_OVERLAYS_OF_PI_5 if model == "5" else OVERLAYS).get(name)
    exclusive = set[int]()
    if words is None:
        bus = _pins_of_bus_overlay(name, params, model)
        if bus is None:
            return None
        words = ()
    else:
        bus = set()
    for word in words:
        taken = _pins_of_bus(word, params, model)
        if taken is None:
            exclusive.update(_pins_of_word(word, params))
        else:
            bus.update(taken)
    header = range(LAST_GPIO + 1)
    return OverlayPins(frozenset(exclusive.intersection(header)), frozenset(bus.intersection(header)), "?" not in words)


def _pins_of_bus_overlay(name: str, params: Mapping[str, str], model: str) -> set[int] | None:
    """Return the pins of an overlay that switches on a bus, such as "spi1-2cs". None for other overlays.

    If the model has no such bus, it does not load the overlay, and there are no pins.
    """
    pi = MODELS[model]
    if found := re.fullmatch(r"spi(\d)-([0-3])cs", name):
        number, count = map(int, found.groups())
        if number not in pi.spi:
            return set()
        bus = pi.spi[number]
        selects = (params.get(f"cs{n}_pin", str(ce)) for n, ce in enumerate(bus.ce[:count]))
        data = {bus.sclk, bus.mosi} if "no_miso" in params else {bus.sclk, bus.mosi, bus.miso}
        return data | {int(pin) for pin in selects if pin.isdecimal()}
    if found := re.fullmatch(r"i2c(\d)", name):
        chosen = [re.findall(r"\d+", group) for group in params if re.fullmatch(r"pins_\d+_\d+", group)]
        if chosen:
            return set(map(int, chosen[-1]))
        return {pi.i2c[int(found[1])].sda, pi.i2c[int(found[1])].scl} if int(found[1]) in pi.i2c else set()
    return None


def _pins_of_bus(word: str, params: Mapping[str, str], model: str) -> set[int] | None:
    """Return the pins of the bus that a word of the overlay's list names, or None if the word names no bus."""
    pi = MODELS[model]
    if word == "i2c":
        others = [int(found[1]) for name in params if (found := re.fullmatch(r"i2c(\d)", name))]
        numbers = others or ([] if any(name.startswith("i2c_csi_dsi") for name in params) else [1])
        return {pin for n in numbers if n in pi.i2c for pin in (pi.i2c[n].sda, pi.i2c[n].scl)}
    if word == "spi*":
        chosen = {int(found[1]) for name in params if (found := re.search(r"spi(\d)[-_]\d", name))}
    elif found := re.fullmatch(r"spi(\d)", word):
        chosen = {int(found[1])}
    else:
        return None
    buses = [pi.spi[n] for n in chosen if n in pi.spi]
    return {pin for bus in buses for pin in (bus.sclk, bus.mosi, bus.miso, *bus.ce)}


def _pins_of_word(word: str, params: Mapping[str, str]) -> Iterator[int]:
    """Yield the pins that a word of the overlay's list names, given the overlay's parameters."""
    if word == "i2s":
        yield from PCM
    elif found := re.fullmatch(r"(pins|gpios)((?:_\d+)+)", word):
        groups = [name for name in params if re.fullmatch(rf"{found[1]}(?:_\d+)+", name)]
        first, last = (int(number) for number in (groups[-1] if groups else word).split("_")[1:3])
        yield from (first, last) if found[1] == "pins" else range(first, last + 1)
    elif "=" in word:
        name, _, default = word.partition("=")
        value = params.get(name, default)
        if value.isdecimal():
            yield int(value)
    elif ":" in word:
        name, _, pins = word.partition(":")
        if params.get(name, "off") not in {"off", "0", "no", "false"}:
            yield from _range(pins)
    elif word != "?":
        yield from _range(word)


def _range(pins: str) -> range:
    first, _, last = pins.partition("-")
    return range(int(first), int(last or first) + 1)
