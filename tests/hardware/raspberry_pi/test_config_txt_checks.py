"""What the doctor finds in a Pi's device files and boot settings: what is switched on, and what holds which pins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.raspberry_pi.host_facts import BootSettings, User
from hardware.raspberry_pi.kernel_devices import GivenDevices
from hardware.raspberry_pi.overlay_pins import OVERLAYS, overlay_pins
from hardware.raspberry_pi.pin_conflicts import I2cUse, PinUse, PwmUse, SpiUse
from hardware.raspberry_pi.pinout import MODELS, PHYSICAL
from hardware.raspberry_pi.requirements import Finding, Requirements
from tests.hardware.raspberry_pi.fake_pi import CONFIG, PI_4, PI_5, PLAN, FakePi

# Device files


@pytest.mark.parametrize(
    ("device", "line"),
    [("spidev0.0", "dtparam=spi=on"), ("spidev6.0", "dtoverlay=spi6-1cs"), ("i2c-1", "dtparam=i2c_arm=on")],
)
def test_a_device_file_that_is_missing_though_it_is_switched_on(pi: FakePi, device: str, line: str) -> None:
    pi.remove(f"/dev/{device}")
    finding = pi.complaint()
    assert finding.what.endswith(f"there is no /dev/{device}, though /boot/firmware/config.txt says {line}")
    assert finding.advice.startswith(f"sudo modprobe {'i2c-dev' if 'i2c' in device else 'spidev'}")
    assert finding.advice.endswith("sudo reboot")


@pytest.mark.parametrize(
    ("device", "old", "line"),
    [
        ("spidev0.0", "dtparam=spi=on", "dtparam=spi=on"),
        ("spidev6.0", "dtoverlay=spi6-1cs", "dtoverlay=spi6-1cs"),
        ("i2c-1", "dtparam=i2c_arm=on,", "dtparam=i2c_arm=on"),
    ],
)
def test_a_device_file_that_is_not_switched_on(pi: FakePi, device: str, old: str, line: str) -> None:
    pi.remove(f"/dev/{device}")
    pi.configure(old, "dtparam=" if old.endswith(",") else "#" + old)
    finding = pi.complaint()
    assert finding.what.endswith(f"there is no /dev/{device}")
    assert finding.advice == f"add {line} under [all] in /boot/firmware/config.txt, then sudo reboot"


def test_the_old_place_of_config_txt(pi: FakePi) -> None:
    pi.write("/boot/config.txt", CONFIG.replace("dtparam=spi=on", ""))
    pi.remove("/boot/firmware/config.txt")
    pi.remove("/dev/spidev0.0")
    assert pi.complaint().advice == "add dtparam=spi=on under [all] in /boot/config.txt, then sudo reboot"


def test_a_device_that_cannot_be_is_complained_of_once_and_has_no_file(pi: FakePi) -> None:
    finding = pi.complaint(replace(PLAN, claims=(SpiUse("00.0", "x"), *PLAN.claims)))
    assert finding.what.startswith("x: '00.0' is not an SPI device")


def test_pins_in_memory_on_a_real_pi(pi: FakePi) -> None:
    plan = replace(PLAN, pin_factory="mock")
    assert pi.complaint(plan) == Finding(
        "error",
        'pins: pin_factory = "mock" has pins in memory only; nothing happens on those of this ' + PI_4,
        'set pin_factory = "lgpio" in [pi]',
    )
    pi.remove("/proc/device-tree/model")
    assert "mock" not in pi.complaint(plan).what


def test_the_file_of_the_pins(pi: FakePi) -> None:
    pi.remove("/dev/gpiomem")
    assert pi.complaint().what == "pins: there is no /dev/gpiomem*"
    pi.remove("/dev/gpiochip0")
    assert pi.complaint(replace(PLAN, pin_factory="lgpio")).what == "pins: there is no /dev/gpiochip*"


def test_the_doctor_finds_the_chip_that_the_table_opens(pi: FakePi) -> None:
    plan = replace(PLAN, pin_factory="lgpio")
    assert Finding("ok", "pins: /dev/gpiochip0 (pinctrl-bcm2711) is the header's") in pi.examine(plan)
    pi.remove("/dev/gpiochip0")
    pi.kernel.add_chip(11, "pinctrl-rp1")
    pi.kernel.add_chip(12, "gpio-brcmstb@107d508500")
    assert Finding("ok", "pins: /dev/gpiochip11 (pinctrl-rp1) is the header's") in pi.examine(plan)
    pi.remove("/dev/gpiochip11")  # there are chips, but none of them is the header's
    finding = pi.complaint(plan)
    assert finding.what.endswith("there are /dev/gpiochip12 (gpio-brcmstb@107d508500)")
    assert finding.advice == 'write the right one in [pi], such as gpio_chip = "/dev/gpiochip0"'
    assert pi.complaints(replace(plan, given=GivenDevices("/dev/gpiochip12"))) == []


def test_the_doctor_finds_the_buses_that_the_table_opens(pi: FakePi) -> None:
    pi.kernel.add_bus("spi", 0, "soc/spi@7d004000")
    pi.kernel.add_bus("i2c", 1, "soc/i2c@7ef04500")
    said = "though /boot/firmware/config.txt says dtparam"
    assert [finding.what for finding in pi.complaints()] == [
        f"SPI: /dev/spidev0.0 is another bus, the header's SPI0 is off, {said}=spi=on",
        f"I2C: /dev/i2c-1 is another bus, the header's I2C1 is off, {said}=i2c_arm=on",
    ]
    pi.kernel.add_bus("spi", 7, "soc/spi@7e204000", "spidev7.0")
    pi.kernel.add_bus("i2c", 13, "soc/i2c@7e804000", "i2c-13")
    assert pi.complaints() == []
    found = [finding.what for finding in pi.examine()]
    assert "SPI: /dev/spidev7.0, the header's SPI0, is there" in found
    assert "I2C: /dev/i2c-13, the header's I2C1, is there" in found


def test_a_microcontroller_that_is_not_plugged_in(pi: FakePi) -> None:
    pi.remove("/dev/serial/by-id/usb-yardboard")
    finding = pi.complaint()
    assert finding.what == "serial: there is no /dev/serial/by-id/usb-yardboard for the switches"
    assert finding.advice.endswith("ls -l /dev/serial/by-id")


# Pins that the kernel holds


@pytest.mark.parametrize(
    ("pin", "extra", "line"),
    [
        (14, "enable_uart=1", "enable_uart=1"),
        (12, "dtoverlay=spi5-1cs", "dtoverlay=spi5-1cs"),
        (4, "dtoverlay=i2c3,baudrate=400000", "dtoverlay=i2c3,baudrate=400000"),
        (22, "dtoverlay=i2c6", "dtoverlay=i2c6"),
        (12, "dtoverlay=gpio-fan", "dtoverlay=gpio-fan"),
        (13, "dtoverlay=gpio-fan,gpiopin=13,temp=60000", "dtoverlay=gpio-fan,gpiopin=13,temp=60000"),
        (4, "dtoverlay=w1-gpio", "dtoverlay=w1-gpio"),
        (5, "dtoverlay=w1-gpio-pullup", "dtoverlay=w1-gpio-pullup"),
        (17, "dtoverlay=gpio-ir,gpio_pin=17", "dtoverlay=gpio-ir,gpio_pin=17"),
        (22, "dtoverlay=gpio-shutdown,gpio_pin=22", "dtoverlay=gpio-shutdown,gpio_pin=22"),
        (26, "dtoverlay=gpio-poweroff", "dtoverlay=gpio-poweroff"),
        (13, "dtoverlay=audremap", "dtoverlay=audremap"),
        (12, "dtoverlay=pwm,pin=12,func=4", "dtoverlay=pwm,pin=12,func=4"),
        (16, "dtoverlay=gpio-key,gpio=16\ndtoverlay=gpio-key,gpio=24", "dtoverlay=gpio-key,gpio=16"),
        (24, "dtoverlay=gpio-key,gpio=16\ndtoverlay=gpio-key,gpio=24", "dtoverlay=gpio-key,gpio=24"),
        (23, "dtoverlay=rpi-sense", "dtoverlay=rpi-sense"),
        (23, "dtoverlay=mipi-dbi-spi,spi0-0\ndtparam=reset-gpio=23,dc-gpio=24", "dtoverlay=mipi-dbi-spi,spi0-0"),
        (13, "dtoverlay=gpio-led:gpio=13", "dtoverlay=gpio-led:gpio=13"),
        (4, "dtparam=act_led_gpio=4", "dtparam=act_led_gpio=4"),
        (14, "dtoverlay=disable-bt", "dtoverlay=disable-bt"),
    ],
)
def test_a_pin_that_config_txt_gives_away(pi: FakePi, pin: int, extra: str, line: str) -> None:
    plan = replace(PLAN, claims=(*PLAN.claims, PinUse(pin, "[keys] table.back")))
    assert pi.complaints(plan) == []
    pi.write("/boot/firmware/config.txt", CONFIG + extra)
    finding = pi.complaint(plan)
    assert finding.what == f"[keys] table.back: /boot/firmware/config.txt says {line}, which takes GPIO {pin}"
    assert finding.advice == "in /boot/firmware/config.txt put a # before it; sudo reboot"


@pytest.mark.parametrize(
    ("name", "params", "model", "pins"),
    [
        ("gpio-fan", {"gpiopin": "40"}, "4", set()),
        ("uart2", {}, "4", {0, 1}),
        ("uart2", {"ctsrts": ""}, "4", {0, 1, 2, 3}),
        ("uart2", {"ctsrts": "off"}, "5", {4, 5}),
        ("disable-bt", {}, "5", set()),
        ("i2c-rtc", {"ds3231": ""}, "4", {2, 3}),
        ("i2c-rtc", {"ds3231": "", "i2c0": ""}, "4", {0, 1}),
        ("i2c-rtc", {"ds3231": "", "i2c_csi_dsi": ""}, "4", set()),
        ("i2c3", {"pins_2_3": ""}, "4", {2, 3}),
        ("spi0-1cs", {"cs0_pin": "24", "no_miso": ""}, "4", {10, 11, 24}),
        ("spi0-cs", {}, "3", {7, 8, 9, 10, 11}),
        ("spi6-1cs", {}, "3", set()),  # a Pi 3 has no SPI6 and does not load it
        ("mcp2515", {"spi1-0": "", "interrupt": "25"}, "4", {16, 17, 18, 19, 20, 21, 25}),
        ("sdio", {}, "4", {22, 23, 24, 25, 26, 27}),
        ("sdio", {"gpios_22_25": ""}, "4", {22, 23, 24, 25}),
        ("audremap", {"pins_18_19": ""}, "3", {18, 19}),
        ("vc4-kms-v3d", {}, "4", set()),
        ("pi3-disable-wifi", {}, "3", set()),
        ("hifiberry-dac", {}, "4", {18, 19, 20, 21}),
    ],
)
def test_an_overlay_takes_the_pins_of_its_parameters(
    name: str, params: dict[str, str], model: str, pins: set[int]
) -> None:
    taken = overlay_pins(name, params, model)
    assert taken is not None
    assert taken.exclusive | taken.bus == pins
    assert taken.complete


def test_every_line_of_the_table_of_overlays_can_be_read() -> None:
    for model in MODELS:
        for name in [*OVERLAYS, "spi1-3cs", "i2c6"]:
            taken = overlay_pins(name, {}, model)
            assert taken is not None, name
            assert (taken.exclusive | taken.bus) <= {*PHYSICAL}, name


def test_a_fan_on_a_wire_of_a_bus_is_found_and_a_clock_on_the_same_bus_is_welcome(pi: FakePi) -> None:
    pi.write("/boot/firmware/config.txt", CONFIG + "dtoverlay=gpio-fan,gpiopin=10\n")
    assert pi.complaint().what == (
        "[switches] spi: /boot/firmware/config.txt says dtoverlay=gpio-fan,gpiopin=10, which takes GPIO 10"
    )
    pi.write("/boot/firmware/config.txt", CONFIG + "dtoverlay=i2c-rtc,ds3231\n")
    assert pi.complaints() == []


@pytest.mark.parametrize(
    ("line", "wires"),
    [
        ("enable_jtag_gpio=1", ["[switches] load_pin: 25"]),
        ("dtoverlay=iqaudio-dacplus", ["[lamps] spi: 18", "[lamps] spi: 19", "[lamps] spi: 20", "[lamps] spi: 21"]),
    ],
)
def test_every_pin_that_a_line_takes_from_the_table_is_named(pi: FakePi, line: str, wires: list[str]) -> None:
    pi.write("/boot/firmware/config.txt", f"{CONFIG}{line}\n")
    found = [finding.what for finding in pi.complaints()]
    assert sorted(found) == [
        f"{owner}: /boot/firmware/config.txt says {line}, which takes GPIO {pin}"
        for owner, pin in (wire.split(": ") for wire in wires)
    ]


def test_without_bluetooth_the_serial_port_has_its_pins_unless_it_is_off(pi: FakePi) -> None:
    plan = replace(PLAN, claims=(*PLAN.claims, PinUse(15, "[keys] table.back")))
    pi.write("/boot/firmware/config.txt", CONFIG + "dtoverlay=disable-bt\n")
    assert "says dtoverlay=disable-bt, which takes GPIO 15" in pi.complaint(plan).what
    pi.write("/boot/firmware/config.txt", CONFIG + "dtoverlay=disable-bt\nenable_uart=0\n")
    assert pi.complaints(plan) == []


def test_an_overlay_that_is_not_known_is_named(pi: FakePi) -> None:
    pi.write("/boot/firmware/config.txt", CONFIG + "dtoverlay=argonone,x=4\ndtoverlay=vc4-kms-v3d\n")
    assert pi.complaint() == Finding(
        "warning",
        "pins: /boot/firmware/config.txt says dtoverlay=argonone,x=4, an unknown overlay; "
        "it may take pins of the table",
        "read what it takes in /boot/firmware/overlays/README, and hold that against the header's sheet",
    )
    pi.write("/boot/firmware/config.txt", CONFIG + "dtoverlay=papirus,panel=e2271cs021\n")
    finding = pi.complaint()
    assert finding.level == "warning"
    assert (
        "says dtoverlay=papirus,panel=e2271cs021, which takes GPIO 7, 8, 9, 10, 11 and perhaps others" in finding.what
    )
    assert pi.complaints(Requirements(PLAN.journal)) == []


def test_a_hat_is_named(pi: FakePi) -> None:
    pi.write("/proc/device-tree/hat/product", "Pi-Fan HAT\0")
    assert pi.complaint().what == 'pins: a HAT is plugged on, "Pi-Fan HAT", whose EEPROM may take pins of the table'


def test_a_line_that_the_kernel_holds_is_found_though_config_txt_does_not_tell(pi: FakePi) -> None:
    pi.kernel.holders = {25: "power_button", 8: "spi0 CS0", 17: "gpio-fan"}
    assert pi.complaint() == Finding(
        "error",
        '[switches] load_pin: GPIO 25 is held by "power_button"',
        "end that program, or put a # before its overlay in /boot/firmware/config.txt and sudo reboot; "
        "or wire this to a free GPIO",
    )
    pi.write("/boot/firmware/config.txt", CONFIG + "dtoverlay=gpio-key,gpio=25\n")
    assert "says dtoverlay=gpio-key,gpio=25, which takes GPIO 25" in pi.complaint().what  # said once, by its line


def test_the_table_s_own_lines_are_no_fault_while_it_runs(pi: FakePi) -> None:
    pi.kernel.holders = {25: "lg"}
    finding = pi.complaint()
    assert finding.level == "warning"
    assert finding.what == "[switches] load_pin: a program holds GPIO 25 through lgpio"
    assert finding.advice.startswith("if the table runs, it is the table")


def test_lines_that_cannot_be_asked_about_are_not_called_free(pi: FakePi) -> None:
    pi.kernel.locked = True
    finding = pi.complaint()
    assert finding.level == "warning"
    assert finding.what == (
        "pins: it is unknown whether they are free:  /dev/gpiochip0 cannot be opened: Permission denied"
    )
    assert pi.complaint(replace(PLAN, pin_factory="lgpio")).level == "error"


def test_sound_over_i2s_takes_its_pins(pi: FakePi) -> None:
    plan = Requirements(journal=PLAN.journal, model="4", claims=(PwmUse(21, "[lamps] pin"),))
    pi.user = User("root", 0, {})
    pi.packages += ["adafruit-circuitpython-neopixel", "rpi_ws281x"]
    assert [finding.what for finding in pi.complaints(plan)] == [
        "[lamps] pin: /boot/firmware/config.txt says dtoverlay=spi6-1cs, which takes GPIO 21"
    ]
    pi.configure("dtoverlay=spi6-1cs", "")
    assert pi.complaints(plan) == []
    pi.configure("dtoverlay=spi6-1cs", "dtparam=i2s=on")
    assert "says dtparam=i2s=on, which takes GPIO 21" in pi.complaint(plan).what


@pytest.mark.parametrize("pin", [7, 8, 9, 10, 11])
def test_spi0_takes_its_pins_from_keys_even_if_nothing_hangs_on_it(pi: FakePi, pin: int) -> None:
    plan = Requirements(PLAN.journal, "4", "rpigpio", (PinUse(pin, "[keys] up"),))
    assert f"says dtparam=spi=on, which takes GPIO {pin}" in pi.complaint(plan).what
    pi.configure("dtparam=spi=on", "")
    assert pi.complaints(plan) == []
    pi.configure("dtparam=spi=on", "dtparam=spi=on\ndtoverlay=spi0-1cs")
    assert len(pi.complaints(plan)) == (pin != 7)


def test_lamps_alone_on_spi0_are_told_the_line_that_leaves_the_pins_of_its_chip_selects_to_reeds(pi: FakePi) -> None:
    lamps = SpiUse("0.0", "[lamps] spi", ("mosi",), alone=True, steady=True, selects=False)
    plan = Requirements(PLAN.journal, "4", "rpigpio", (lamps, PinUse(7, "[switches.wiring] 2")))
    finding = pi.complaint(plan)
    assert finding.what == "[switches.wiring] 2: /boot/firmware/config.txt says dtparam=spi=on, which takes GPIO 7"
    advice = "add dtoverlay=spi0-0cs under [all] in /boot/firmware/config.txt, then sudo reboot"
    assert finding.advice == advice
    for lines in ("dtparam=spi=on\ndtoverlay=spi0-0cs", "dtoverlay=spi0-0cs"):
        pi.configure("dtparam=spi=on", lines)
        assert pi.complaints(plan) == []
    pi.configure("dtparam=spi=on", "")
    pi.remove("/dev/spidev0.0")
    assert pi.complaint(plan) == Finding("error", "SPI: there is no /dev/spidev0.0", advice)


@pytest.mark.parametrize("claim", [PinUse(14, "[switches.wiring] 9"), PwmUse(15, "[lamps] pins")])
def test_a_console_on_a_pin_in_use(pi: FakePi, claim: PinUse | PwmUse) -> None:
    pi.write("/proc/device-tree/model", PI_5 + "\0")
    pi.write("/dev/pio0")
    pi.packages += ["adafruit-circuitpython-neopixel", "adafruit_blinka_raspberry_pi5_neopixel"]
    plan = Requirements(PLAN.journal, "5", "lgpio", (claim,))
    pi.write("/boot/firmware/cmdline.txt", "console=tty1 root=PARTUUID=1-02 rootwait\n")
    assert pi.complaints(plan) == []
    pi.write("/boot/firmware/cmdline.txt", "console=serial0,115200 console=tty1 root=PARTUUID=1-02 rootwait\n")
    finding = pi.complaint(plan)
    assert finding.what == (
        f"{claim.what}: /boot/firmware/cmdline.txt says console=serial0,115200: once the serial port is on, the kernel "
        f"has GPIO {claim.pin} for its console"
    )
    assert finding.advice.startswith("remove console=serial0,115200 from")
    assert pi.complaints(Requirements(PLAN.journal, "5", "lgpio", (PinUse(16, "x"),))) == []


# SPI, I2C, sound


def test_a_buffer_that_is_too_small(pi: FakePi) -> None:
    plan = replace(PLAN, transfers={"6.0": 5480})
    finding = pi.complaint(plan)
    assert finding.what.startswith("SPI: a transfer takes up to 5480 bytes, the buffer has only 4096")
    assert finding.advice == "add spidev.bufsiz=65536 to the one line of /boot/firmware/cmdline.txt, then sudo reboot"
    pi.write("/sys/module/spidev/parameters/bufsiz", "65536\n")
    assert pi.complaints(plan) == []


def test_a_core_clock_that_wanders(pi: FakePi) -> None:
    pi.configure("core_freq_min=500", "#core_freq_min=500")
    finding = pi.complaint()
    assert finding.what.startswith("lamps: /boot/firmware/config.txt lacks core_freq_min=500:")
    assert finding.advice.startswith("add core_freq_min=500 under [all] in /boot/firmware/config.txt")
    pi.configure("[pi4]", "[pi3]")
    assert "lacks core_freq=500 and core_freq_min=500" in pi.complaint().what
    # Without lamps on SPI nobody cares.
    assert pi.complaints(replace(PLAN, claims=PLAN.claims[:2])) == []


def test_a_pi_3_wants_another_core_clock_and_a_pi_5_none(pi: FakePi) -> None:
    claims = (SpiUse("0.0", "[lamps] spi", wants=("mosi",), alone=True, steady=True),)
    pi.write("/proc/device-tree/model", "Raspberry Pi 3 Model B Rev 1.2\0")
    assert "lacks core_freq=250" in pi.complaint(Requirements(PLAN.journal, "3", claims=claims)).what
    pi.write("/boot/firmware/config.txt", "[pi3]\ncore_freq=250\n")
    assert pi.complaints(Requirements(PLAN.journal, "3", claims=claims)) == []
    pi.write("/proc/device-tree/model", PI_5 + "\0")
    assert pi.complaints(Requirements(PLAN.journal, "5", claims=claims)) == []


def test_a_slow_i2c(pi: FakePi) -> None:
    pi.configure(",i2c_arm_baudrate=400000", "")
    assert pi.complaint() == Finding(
        "warning",
        "I2C: bus 1 runs at 100000 bits a second; a picture takes 93 ms",
        "add dtparam=i2c_arm_baudrate=400000 under [all] in /boot/firmware/config.txt, then sudo reboot",
    )


def test_the_pace_of_another_i2c_bus_is_its_overlay_s(pi: FakePi) -> None:
    plan = replace(PLAN, claims=(I2cUse(3, "[display] i2c_bus", 0x3C),), transfers={})
    pi.write("/dev/i2c-3")
    pi.write("/boot/firmware/config.txt", CONFIG + "dtoverlay=i2c3\n")
    assert "add dtoverlay=i2c3,baudrate=400000 under" in pi.complaint(plan).advice
    pi.write("/boot/firmware/config.txt", CONFIG + "dtoverlay=i2c3,baudrate=400000\n")
    assert pi.complaints(plan) == []


def test_analog_sound_against_lamps_on_pwm(pi: FakePi) -> None:
    plan = Requirements(journal=PLAN.journal, model="4", claims=(PwmUse(12, "[lamps] pin"),))
    pi.user = User("root", 0, {})
    pi.packages += ["adafruit-circuitpython-neopixel", "rpi_ws281x"]
    assert pi.complaints(plan) == []
    pi.configure("audio=off", "audio=on")
    finding = pi.complaint(plan)
    assert finding.what == (
        "lamps: [lamps] pin uses the pulse-width modulator, and so does analog sound "
        "(/boot/firmware/config.txt says dtparam=audio=on)"
    )
    assert "write dtparam=audio=off in /boot/firmware/config.txt" in finding.advice
    pi.configure("audio=off", "audio=off")
    pi.write("/proc/modules", "snd_bcm2835 24576 2 - Live 0x0\n")
    assert "(the module snd_bcm2835 is loaded)" in pi.complaint(plan).what
    # PCM is not shared with it, nor is anything on a Pi 5.
    pi.configure("dtoverlay=spi6-1cs", "")
    assert pi.complaints(replace(plan, claims=(PwmUse(21, "[lamps] pin"),))) == []
    pi.write("/proc/device-tree/model", PI_5 + "\0")
    pi.packages.append("adafruit_blinka_raspberry_pi5_neopixel")
    pi.write("/dev/pio0")
    assert pi.complaints(replace(plan, model="5")) == []


def test_lamps_on_pwm_want_root_up_to_the_pi_4_and_pio_on_the_pi_5(pi: FakePi) -> None:
    plan = Requirements(journal=PLAN.journal, model="4", claims=(PwmUse(12, "[lamps] pin"),))
    pi.packages += ["adafruit-circuitpython-neopixel", "rpi_ws281x", "Adafruit-Blinka-Raspberry-Pi5-Neopixel"]
    assert pi.complaint(plan).what.startswith("user: ada is not root, but lamps on a PWM or PCM pin are driven through")
    pi.write("/proc/device-tree/model", PI_5 + "\0")
    assert pi.complaint(replace(plan, model="5")).what == "lamps: there is no /dev/pio0"


# config.txt


@pytest.mark.parametrize(
    ("text", "applies"),
    [
        ("core_freq=500", True),
        ("  core_freq = 500  ", True),
        ("#core_freq=500", False),
        ("[pi4]\ncore_freq=500", True),
        ("[pi3]\ncore_freq=500", False),
        ("[pi3]\n[pi4]\ncore_freq=500", True),
        ("[pi400]\ncore_freq=500", False),
        ("[cm4]\n[all]\ncore_freq=500", True),
        ("[none]\ncore_freq=500", False),
        ("[none]\n[all]\ncore_freq=500", True),
        ("[gpio4=1]\n[pi4]\ncore_freq=500", False),
        ("[EDID=VSC-TD2220]\ncore_freq=500\n[all]", False),
        ("core_freq=500\ncore_freq=250", False),
        ("core_freq=250\n[pi4]\ncore_freq=500", True),
    ],
)
def test_only_the_lines_for_this_board_count(text: str, applies: bool) -> None:
    assert BootSettings(text, {"pi4"}).has("core_freq=500") is applies


@pytest.mark.parametrize(
    ("text", "line", "there"),
    [
        ("dtparam=spi=on", "dtparam=spi=on", True),
        ("dtparam=i2s=on,spi", "dtparam=spi=on", True),
        ("dtparam=spi=on\ndtparam=spi=off", "dtparam=spi=on", False),
        ("dtparam=i2c=on", "dtparam=i2c_arm=on", True),
        ("dtparam=i2c1_baudrate=400000", "dtparam=i2c_arm_baudrate=400000", True),
        ("dtoverlay=spi0-0cs,no_miso", "dtoverlay=spi0-0cs", True),
        ("dtoverlay=spi0-0cs", "dtoverlay=spi0-0cs,no_miso", False),
        ("dtoverlay=spi2-1cs-pi5", "dtoverlay=spi2-1cs", True),
        ("dtoverlay=", "dtoverlay=spi2-1cs", False),
        ("", "core_freq=500", False),
    ],
)
def test_a_line_is_found_in_whatever_spelling(text: str, line: str, there: bool) -> None:
    assert BootSettings(text, ()).has(line) is there
