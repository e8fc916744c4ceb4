"""What the doctor finds on a machine that is a folder of files: once all right, and once for each thing that is not."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from hardware.doctor import Finding, Plan, examine
from hardware.header import I2cUse, PwmUse, SpiUse, Use
from hardware.machine import BootSettings, Machine, User
from hardware.ports import BadDevice

PI_4 = "Raspberry Pi 4 Model B Rev 1.4"
PI_5 = "Raspberry Pi 5 Model B Rev 1.0"
ME = os.geteuid() or 4711
"""Never root: the modes of folders are to count."""

GROUPS = {"gpio": 60001, "spi": 60002, "i2c": 60003, "dialout": 60004}

CONFIG = """\
# For more options see http://rptl.io/configtxt
dtparam=audio=off
dtparam=i2c_arm=on,i2c_arm_baudrate=400000
dtparam=spi=on

[pi4]
core_freq=500
core_freq_min=500

[all]
dtoverlay=spi6-1cs
"""

PACKAGES = ["gpiozero", "RPi.GPIO", "lgpio", "luma.oled", "smbus2", "adafruit-circuitpython-pixelbuf", "pyserial"]

MOUNTS = """\
/dev/mmcblk0p2 / ext4 rw,noatime 0 0
tmpfs /run tmpfs rw,nosuid 0 0
"""

PLAN = Plan(
    journal=PurePosixPath("/var/lib/yardboard"),
    model="4",
    pin_factory="rpigpio",
    claims=(
        SpiUse("0.0", "[switches] spi", wants=("sclk", "miso"), mode=1, alone=True),
        Use(25, "[switches] load_pin"),
        SpiUse("6.0", "[lamps] spi", wants=("mosi",), alone=True, steady=True),
        I2cUse(1, "[handset] i2c_bus", 0x3C),
    ),
    transfers={"0.0": 26, "6.0": 2676},
    serial="/dev/serial/by-id/usb-yardboard",
    lamps=223,
    max_milliamps=3000,
    panels=1,
)


POWER = (
    "power: at most 6029 mA (Raspberry Pi with USB devices 3000, dark lamps 223, light of the lamps 2777, "
    "1 × OLED 25, pull-ups of 12 closed reeds 4): a 5 V supply of 8 A or more, or one of 4 A or more "
    "for the lamps beside the Pi's own; fed into the chain at 9 points"
)


class FakePi:
    """A Raspberry Pi 4 on which everything is as `PLAN` wants it, until a test changes something.

    Args:
        root: an empty folder for its files.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.packages = list(PACKAGES)
        self.user = User("ada", ME, dict(GROUPS))
        self.write("/proc/device-tree/model", PI_4 + "\0")
        self.write("/proc/mounts", MOUNTS)
        self.write("/proc/modules", "spidev 20480 0 - Live 0x0\n")
        self.write("/boot/firmware/config.txt", CONFIG)
        for device in ("gpiomem", "gpiochip0", "spidev0.0", "spidev6.0", "i2c-1", "serial/by-id/usb-yardboard"):
            self.write(f"/dev/{device}")
        journal = root / "var/lib/yardboard"
        journal.mkdir(parents=True)
        journal.chmod(0o700)
        if os.geteuid() == 0:
            os.chown(journal, ME, -1)

    def write(self, path: str, text: str = "") -> None:
        """Makes a file."""
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def remove(self, path: str) -> None:
        """Removes a file."""
        (self.root / path.lstrip("/")).unlink()

    def configure(self, old: str, new: str) -> None:
        """Changes config.txt."""
        assert old in CONFIG
        self.write("/boot/firmware/config.txt", CONFIG.replace(old, new))

    def examine(self, plan: Plan = PLAN) -> list[Finding]:
        """What the doctor says."""
        return examine(plan, machine=Machine(self.root, self.user, self.packages))

    def complaints(self, plan: Plan = PLAN) -> list[Finding]:
        """What he has to complain of."""
        return [finding for finding in self.examine(plan) if finding.level != "ok"]

    def complaint(self, plan: Plan = PLAN) -> Finding:
        """The only thing he has to complain of."""
        (finding,) = self.complaints(plan)
        return finding


@pytest.fixture
def pi(tmp_path: Path) -> FakePi:
    return FakePi(tmp_path)


def test_a_pi_that_is_set_up_has_nothing_to_complain_of(pi: FakePi) -> None:
    assert [finding.what for finding in pi.examine()] == [
        "pins: none is taken twice; free GPIOs: 4, 5, 6, 12, 13, 14, 15, 16, 17, 22, 23, 24, 26, 27",
        "board: Raspberry Pi 4 Model B Rev 1.4",
        "user: ada is in gpio, spi, i2c",
        "pins: /dev/gpiomem* is there",
        "SPI: /dev/spidev0.0 is there",
        "SPI: /dev/spidev6.0 is there",
        "I2C: /dev/i2c-1 is there",
        "pins: /boot/firmware/config.txt gives none of them to anything else",
        "SPI: a transfer takes up to 2676 bytes, the buffer has 4096",
        "lamps: the clock of SPI stands still (core_freq=500, core_freq_min=500)",
        "I2C: bus 1 runs at 400000 bits a second",
        "user: ada is in dialout",
        "serial: /dev/serial/by-id/usb-yardboard is there",
        "packages: those that the devices need are installed",
        POWER,
        "journal: /var/lib/yardboard is there",
        "journal: it is on ext4",
    ]
    assert pi.complaints() == []


def test_a_laptop_is_told_plainly(pi: FakePi) -> None:
    pi.remove("/proc/device-tree/model")
    finding = pi.complaint()
    assert finding.level == "error"
    assert finding.what == (
        "this machine is no Raspberry Pi, the configuration is made for a Raspberry Pi 4; "
        "its device files and boot settings were not looked at"
    )
    assert 'set the drivers to "sim"' in finding.advice


def test_the_simulator_needs_only_its_journal(tmp_path: Path) -> None:
    user = User("ada", ME, {})
    tmp_path.chmod(0o777)
    findings = examine(Plan(journal=PurePosixPath("/games")), machine=Machine(tmp_path, user, ()))
    assert findings == [Finding("ok", "journal: /games can be made")]


def test_this_very_machine_can_be_examined(tmp_path: Path) -> None:
    assert all(finding.what for finding in examine(replace(PLAN, journal=PurePosixPath(tmp_path / "journal"))))
    assert Machine.here().has_package("pytest")


def test_a_model_that_does_not_exist_is_refused(pi: FakePi) -> None:
    with pytest.raises(BadDevice, match="no Raspberry Pi is called '9'"):
        pi.examine(replace(PLAN, model="9"))


# Pins and board


def test_a_pin_that_is_taken_twice(pi: FakePi) -> None:
    finding = pi.complaint(replace(PLAN, claims=(*PLAN.claims, Use(25, "[keys] table.back"))))
    assert finding.what.startswith("GPIO 25 (pin 22) is taken by [switches] load_pin and [keys] table.back; free GPIOs")


def test_another_model_than_configured(pi: FakePi) -> None:
    pi.write("/proc/device-tree/model", "Raspberry Pi 3 Model B Plus Rev 1.3\0")
    finding = next(finding for finding in pi.complaints() if finding.what.startswith("board"))
    assert finding.what == 'board: this is a Raspberry Pi 3 Model B Plus Rev 1.3, the configuration says model = "4"'
    assert finding.advice.startswith('set model = "3"')


def test_a_board_that_nobody_knows(pi: FakePi) -> None:
    pi.write("/proc/device-tree/model", "Raspberry Pi 9 Model B\0")
    pi.configure("[pi4]", "[all]")
    assert pi.complaint().what == (
        'board: Raspberry Pi 9 Model B is none that is known here; the configuration says model = "4"'
    )


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", "zero2"),
        ("Raspberry Pi 3 Model B Rev 1.2", "3"),
        ("Raspberry Pi 400 Rev 1.0", "4"),
        ("Raspberry Pi Compute Module 4 Rev 1.1", "4"),
        ("Raspberry Pi 500 Rev 1.0", "5"),
        ("Raspberry Pi Zero W Rev 1.1", None),
        ("Radxa ROCK 5B", None),
    ],
)
def test_boards_are_known_by_their_names(pi: FakePi, name: str, model: str | None) -> None:
    pi.write("/proc/device-tree/model", name + "\0")
    assert Machine(pi.root, pi.user, ()).model == model


# Groups


def test_groups_that_are_missing(pi: FakePi) -> None:
    pi.user = User("ada", ME, {"i2c": 1, "dialout": 2})
    assert pi.complaint() == Finding(
        "error",
        "user: ada is not in gpio and spi",
        "sudo usermod -aG gpio,spi ada, then log in again (the service has them from its unit)",
    )


def test_the_serial_port_s_group(pi: FakePi) -> None:
    pi.user = User("ada", ME, {name: gid for name, gid in GROUPS.items() if name != "dialout"})
    assert pi.complaint().what == "user: ada is not in dialout"


def test_root_needs_no_group(pi: FakePi) -> None:
    pi.user = User("root", 0, {})
    assert pi.complaints() == []


def test_root_is_told_whose_access_was_looked_at(pi: FakePi) -> None:
    pi.user = User("root", 0, {})
    assert [finding.what for finding in pi.examine() if finding.what.startswith("user")] == [
        "user: root, who needs no group; the service runs as a user of its own with the groups of its unit"
    ]
    lamps = Plan(journal=PLAN.journal, model="4", claims=(PwmUse(12, "[lamps] pin"),))
    said = "user: root, who needs no group, and may write everywhere"
    assert said in [finding.what for finding in pi.examine(lamps)]
    pi.write("/proc/device-tree/model", PI_5 + "\0")
    assert said not in [finding.what for finding in pi.examine(replace(lamps, model="5"))]


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
    assert finding.what.startswith("x: '00.0' is no SPI device")


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


def test_a_microcontroller_that_is_not_plugged_in(pi: FakePi) -> None:
    pi.remove("/dev/serial/by-id/usb-yardboard")
    finding = pi.complaint()
    assert finding.what == "serial: there is no /dev/serial/by-id/usb-yardboard"
    assert finding.advice.endswith("ls -l /dev/serial/by-id")


# Pins that the kernel holds


@pytest.mark.parametrize(
    ("pin", "extra", "line"),
    [
        (14, "enable_uart=1", "enable_uart=1"),
        (12, "dtoverlay=spi5-1cs", "dtoverlay=spi5-1cs"),
        (4, "dtoverlay=i2c3,baudrate=400000", "dtoverlay=i2c3"),
    ],
)
def test_a_pin_that_config_txt_gives_away(pi: FakePi, pin: int, extra: str, line: str) -> None:
    plan = replace(PLAN, claims=(*PLAN.claims, Use(pin, "[keys] table.back")))
    assert pi.complaints(plan) == []
    pi.write("/boot/firmware/config.txt", CONFIG + extra)
    finding = pi.complaint(plan)
    assert finding.what == f"[keys] table.back: /boot/firmware/config.txt says {line}, which takes GPIO {pin}"
    assert finding.advice == "in /boot/firmware/config.txt put a # before it; sudo reboot"


def test_sound_over_i2s_takes_its_pins(pi: FakePi) -> None:
    plan = Plan(journal=PLAN.journal, model="4", claims=(PwmUse(21, "[lamps] pin"),))
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
    plan = Plan(PLAN.journal, "4", "rpigpio", (Use(pin, "[keys] up"),))
    assert f"says dtparam=spi=on, which takes GPIO {pin}" in pi.complaint(plan).what
    pi.configure("dtparam=spi=on", "")
    assert pi.complaints(plan) == []
    pi.configure("dtparam=spi=on", "dtparam=spi=on\ndtoverlay=spi0-1cs")
    assert len(pi.complaints(plan)) == (pin != 7)


@pytest.mark.parametrize("claim", [Use(14, "[switches.wiring] 9"), PwmUse(15, "[lamps] pins")])
def test_a_console_on_a_pin_in_use(pi: FakePi, claim: Use | PwmUse) -> None:
    pi.write("/proc/device-tree/model", PI_5 + "\0")
    pi.write("/dev/pio0")
    pi.packages += ["adafruit-circuitpython-neopixel", "adafruit_blinka_raspberry_pi5_neopixel"]
    plan = Plan(PLAN.journal, "5", "lgpio", (claim,))
    pi.write("/boot/firmware/cmdline.txt", "console=tty1 root=PARTUUID=1-02 rootwait\n")
    assert pi.complaints(plan) == []
    pi.write("/boot/firmware/cmdline.txt", "console=serial0,115200 console=tty1 root=PARTUUID=1-02 rootwait\n")
    finding = pi.complaint(plan)
    assert finding.what == (
        f"{claim.what}: /boot/firmware/cmdline.txt says console=serial0,115200: once the serial port is on, the kernel "
        f"has GPIO {claim.pin} for its console"
    )
    assert finding.advice.startswith("take console=serial0,115200 out of")
    assert pi.complaints(Plan(PLAN.journal, "5", "lgpio", (Use(16, "x"),))) == []


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
    assert "lacks core_freq=250" in pi.complaint(Plan(PLAN.journal, "3", claims=claims)).what
    pi.write("/boot/firmware/config.txt", "[pi3]\ncore_freq=250\n")
    assert pi.complaints(Plan(PLAN.journal, "3", claims=claims)) == []
    pi.write("/proc/device-tree/model", PI_5 + "\0")
    assert pi.complaints(Plan(PLAN.journal, "5", claims=claims)) == []


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
    plan = Plan(journal=PLAN.journal, model="4", claims=(PwmUse(12, "[lamps] pin"),))
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
    plan = Plan(journal=PLAN.journal, model="4", claims=(PwmUse(12, "[lamps] pin"),))
    pi.packages += ["adafruit-circuitpython-neopixel", "rpi_ws281x", "Adafruit-Blinka-Raspberry-Pi5-Neopixel"]
    assert pi.complaint(plan).what.startswith("user: ada is not root, but lamps on a PWM or PCM pin are driven through")
    pi.write("/proc/device-tree/model", PI_5 + "\0")
    assert pi.complaint(replace(plan, model="5")).what == "lamps: there is no /dev/pio0"


# Packages


@pytest.mark.parametrize(("board", "model", "right"), [(PI_4, "4", "RPi.GPIO"), (PI_5, "5", "rpi-lgpio")])
def test_two_packages_of_one_module(pi: FakePi, board: str, model: str, right: str) -> None:
    pi.write("/proc/device-tree/model", board + "\0")
    pi.packages.append("rpi_lgpio")
    finding = pi.complaint(Plan(journal=PLAN.journal, model=model))
    assert finding.what == "packages: RPi.GPIO and rpi-lgpio are both installed; each overwrites the other's files"
    assert finding.advice == f"pip uninstall -y RPi.GPIO rpi-lgpio, then pip install {right}"


def test_a_pin_factory_that_cannot_drive_a_pi_5(pi: FakePi) -> None:
    pi.write("/proc/device-tree/model", PI_5 + "\0")
    plan = Plan(journal=PLAN.journal, model="5", pin_factory="rpigpio", claims=(Use(25, "x"),))
    assert pi.complaint(plan).what == "packages: RPi.GPIO cannot reach the pins of a Pi 5"
    pi.packages.remove("RPi.GPIO")
    pi.packages.append("rpi-lgpio")
    # The drop-in reaches the pins through the gpiochip.
    pi.remove("/dev/gpiomem")
    assert pi.complaints(plan) == []


@pytest.mark.parametrize(
    ("package", "missing"),
    [
        ("gpiozero", "gpiozero"),
        ("RPi.GPIO", "RPi.GPIO or rpi-lgpio"),
        ("luma.oled", "luma.oled"),
        ("smbus2", "smbus2"),
        ("adafruit-circuitpython-pixelbuf", "adafruit-circuitpython-pixelbuf"),
        ("pyserial", "pyserial"),
    ],
)
def test_a_package_that_is_missing(pi: FakePi, package: str, missing: str) -> None:
    pi.packages.remove(package)
    assert pi.complaint() == Finding(
        "error", f"packages: not installed: {missing}", "pip install '.[pi]' in yardboard's folder"
    )


def test_lgpio_is_missing_only_where_it_moves_the_pins(pi: FakePi) -> None:
    pi.packages.remove("lgpio")
    assert pi.complaints(PLAN) == []  # SPI is the kernel's, and needs no package
    (finding,) = pi.complaints(replace(PLAN, pin_factory="lgpio"))
    assert finding.what == "packages: not installed: lgpio or adafruit-lgpio"


def test_only_lamps_on_spi_need_pixelbuf(pi: FakePi) -> None:
    pi.packages.remove("adafruit-circuitpython-pixelbuf")
    assert pi.complaints(replace(PLAN, claims=PLAN.claims[:2])) == []


@pytest.mark.parametrize(
    ("board", "model", "backend"),
    [(PI_4, "4", "rpi-ws281x"), (PI_5, "5", "Adafruit-Blinka-Raspberry-Pi5-Neopixel")],
)
def test_the_lamps_backend_for_the_board(pi: FakePi, board: str, model: str, backend: str) -> None:
    pi.write("/proc/device-tree/model", board + "\0")
    pi.write("/dev/pio0")
    pi.user = User("root", 0, {})
    pi.packages = ["adafruit-circuitpython-neopixel", "rpi-ws281x", "Adafruit-Blinka-Raspberry-Pi5-Neopixel"]
    plan = Plan(journal=PLAN.journal, model=model, claims=(PwmUse(12, "[lamps] pin"),))
    assert pi.complaints(plan) == []
    pi.packages.remove(backend)
    finding = pi.complaint(plan)
    assert finding.what == f"packages: not installed: {backend}"
    assert finding.advice == "pip install '.[pi,pwm]' in yardboard's folder"


# Power


def test_only_a_chain_on_the_pi_has_pull_ups(pi: FakePi) -> None:
    line = next(
        finding.what for finding in pi.examine(replace(PLAN, claims=PLAN.claims[1:])) if "power" in finding.what
    )
    assert line.startswith("power: at most 6025 mA (")
    assert "pull-ups" not in line


def test_a_limit_that_does_not_cover_the_dark_lamps(pi: FakePi) -> None:
    finding = pi.complaint(replace(PLAN, max_milliamps=100))
    assert finding.what.startswith("power: a limit of 100 mA is below the 223 mA")
    assert "max_milliamps" in finding.advice


# The journal


def test_a_journal_that_others_may_look_into(pi: FakePi) -> None:
    (pi.root / "var/lib/yardboard").chmod(0o755)
    assert pi.complaint() == Finding(
        "warning",
        "journal: others may look into /var/lib/yardboard (mode 0755)",
        "chmod 700 /var/lib/yardboard",
    )


def test_a_journal_that_belongs_to_somebody_else(pi: FakePi) -> None:
    pi.user = User("bob", ME + 1, dict(GROUPS))
    finding = pi.complaint()
    assert finding.what == "journal: bob may not write in /var/lib/yardboard"
    assert finding.advice == "sudo install -d -m 700 -o bob /var/lib/yardboard"


def test_a_journal_that_is_still_to_be_made(pi: FakePi) -> None:
    plan = replace(PLAN, journal=PurePosixPath("/var/lib/yardboard/games/today"))
    assert "journal: /var/lib/yardboard/games/today can be made" in [finding.what for finding in pi.examine(plan)]
    pi.user = User("bob", ME + 1, dict(GROUPS))
    assert pi.complaint(plan).what == ("journal: bob may not write in the folder above /var/lib/yardboard/games/today")


def test_where_the_service_keeps_its_journal(pi: FakePi) -> None:
    home = replace(PLAN, journal=PurePosixPath("/var/lib/yardboard/home"), of_service=True)
    said = "journal: the service keeps it in /var/lib/yardboard, not in /var/lib/yardboard/home"
    assert Finding("ok", said) in pi.examine(home)
    assert said not in [finding.what for finding in pi.examine(replace(home, of_service=False))]
    assert not any("the service" in finding.what for finding in pi.examine(replace(PLAN, of_service=True)))


def test_a_file_in_the_journal_s_place(pi: FakePi) -> None:
    pi.write("/var/lib/yardboard/file")
    finding = pi.complaint(replace(PLAN, journal=PurePosixPath("/var/lib/yardboard/file")))
    assert finding.what == "journal: /var/lib/yardboard/file cannot be a folder, there is a file in the way"
    assert pi.complaint(replace(PLAN, journal=PurePosixPath("/var/lib/yardboard/file/a/b"))).what.endswith("in the way")


def test_a_group_may_write_where_its_modes_say_so(tmp_path: Path) -> None:
    owner, group = tmp_path.stat().st_uid, tmp_path.stat().st_gid
    member, stranger = User("bob", owner + 1, {"staff": group}), User("eve", owner + 1, {})
    tmp_path.chmod(0o770)
    assert member.may_write(tmp_path)
    assert not stranger.may_write(tmp_path)
    tmp_path.chmod(0o707)
    assert not member.may_write(tmp_path)
    assert stranger.may_write(tmp_path)
    assert User("root", 0, {}).may_write(tmp_path)


@pytest.mark.parametrize("kind", ["tmpfs", "overlay"])
def test_a_journal_in_memory(pi: FakePi, kind: str) -> None:
    pi.write("/proc/mounts", MOUNTS + f"none /var/lib {kind} rw 0 0\nnone /var/lib/yard ext4 rw 0 0\n")
    finding = pi.complaint()
    assert finding.what == f"journal: /var/lib/yardboard is in memory ({kind} on /var/lib) and gone with the power"
    assert "[journal]" in finding.advice


def test_a_disk_that_is_read_only(pi: FakePi) -> None:
    pi.write("/proc/mounts", "/dev/mmcblk0p2 / ext4 ro,noatime 0 0\n")
    assert pi.complaint() == Finding("error", "journal: / is mounted read-only", "sudo mount -o remount,rw /")


def test_mounts_are_found_whatever_their_names(pi: FakePi) -> None:
    pi.write("/proc/mounts", MOUNTS + "tmpfs /my\\040games tmpfs rw 0 0\n/dev/sda1 /my\\040games ext4 ro 0 0\nbroken\n")
    mount = Machine(pi.root, pi.user, ()).mount_of(PurePosixPath("/my games/yard"))
    assert mount is not None
    assert (str(mount.point), mount.type, mount.writable) == ("/my games", "ext4", False)
    pi.remove("/proc/mounts")
    assert pi.complaints() == []


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
