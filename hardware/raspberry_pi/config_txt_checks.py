"""Check a Pi's config.txt and cmdline.txt: device files, pins, speeds, sound and console."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import PurePath, PurePosixPath

from hardware.ports import BadDevice
from hardware.raspberry_pi.host_facts import HostFacts
from hardware.raspberry_pi.overlay_pins import overlay_pins
from hardware.raspberry_pi.pin_conflicts import SpiUse, i2c_setting, possible_claims, spi_setting, wires
from hardware.raspberry_pi.pinout import MODELS, PCM, PHYSICAL, UART
from hardware.raspberry_pi.requirements import Finding, Requirements, error, is_pi5, model_of, ok, warning

SPI_BUFFER = 4096
"""The default limit of a transfer of /dev/spidev, in bytes."""

LGPIO = "lg"
"""The name under which lgpio claims lines, the table's among them (its lgGpio.c)."""

_SETTINGS = {"enable_uart": tuple(UART), "enable_jtag_gpio": range(22, 28), "enable_dpi_lcd": range(28)}
"""Settings of config.txt that use pins if they are 1 (Raspberry Pi documentation, "config.txt")."""

FAST_I2C = 400_000
"""Bits a second that suit an OLED: at 100,000 a picture takes 93 ms instead of 25."""


def check_device_files(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check that all devices for pins, SPI and I2C that the table will open exist.

    If a bus has no device file, name the line of config.txt that switches the bus on.
    """
    devices = machine.devices(needs.given)
    if needs.pin_factory == "rpigpio" and not is_pi5(needs, machine):
        yield _unnumbered(machine, "/dev/gpiomem*", "pins")
    elif needs.pin_factory in {"rpigpio", "lgpio"}:
        try:
            yield ok(f"pins: {devices.header_chip()} is the header's")
        except BadDevice as complaint:
            what, _, advice = str(complaint).partition("; ")
            yield error(what, advice)
    if needs.pwm and is_pi5(needs, machine):
        yield _unnumbered(machine, "/dev/pio0", "lamps")
    model = model_of(needs, machine)
    claims = possible_claims(needs.claims, model)
    for device in claims:
        if isinstance(device, SpiUse):
            number = device.device.partition(".")[0]
            wanted, line = f"/dev/spidev{device.device}", spi_setting(int(number), claims, model)
            yield _bus_file(machine, devices.spi_device(device.device), wanted, line, f"SPI{number}")
    for bus in needs.i2c:
        kernel_bus = devices.bus_number("i2c", bus)
        found = None if kernel_bus is None else PurePosixPath(f"/dev/i2c-{kernel_bus}")
        yield _bus_file(machine, found, f"/dev/i2c-{bus}", i2c_setting(bus), f"I2C{bus}")


def _unnumbered(machine: HostFacts, pattern: str, what: str) -> Finding:
    """Check a device file of which a machine has only one."""
    if machine.has_match(pattern):
        return ok(f"{what}: {pattern} is there")
    return error(f"{what}: there is no {pattern}", "sudo apt full-upgrade and sudo reboot")


def _bus_file(machine: HostFacts, found: PurePath | None, usual: str, line: str, bus: str) -> Finding:
    """Check the device file of one of the header's buses.

    Args:
        machine: the machine with the bus.
        found: the file that the table will open; None if the bus is off and another bus has its number.
        usual: the file's usual name.
        line: the line of config.txt that switches the bus on.
        bus: the bus's name on the header: "SPI0", "I2C1".
    """
    kind = bus.rstrip("0123456789")
    if found is not None and machine.exists(str(found)):
        named = "" if str(found) == usual else f", the header's {bus},"
        return ok(f"{kind}: {found}{named} is there")
    absent = f"{usual} is another bus, the header's {bus} is off" if found is None else f"there is no {found}"
    if not machine.settings.has(line):
        return error(f"{kind}: {absent}", _boot_line(machine, line))
    module = "i2c-dev" if kind == "I2C" else "spidev"
    return error(
        f"{kind}: {absent}, though {machine.boot}/config.txt says {line}",
        f"sudo modprobe {module}, and if that does not help: sudo reboot",
    )


def check_pins_of_kernel(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Find pins of the table's devices that config.txt uses for something else, or that a program holds."""
    model = model_of(needs, machine)
    plain = needs.pins + needs.pwm
    claims = possible_claims(needs.claims, model)
    wanted = [wire for claim in claims for wire in wires(claim, model)]
    held, shared = _pins_of_config_txt(machine, model)
    found = False
    for wire in wanted:
        line = held.get(wire.pin) or (shared.get(wire.pin) if wire.what in {claim.what for claim in plain} else None)
        if line:
            found = True
            right = spi_setting(0, claims, model)
            yield error(
                f"{wire.what}: {machine.boot}/config.txt says {line}, which takes GPIO {wire.pin}",
                _boot_line(machine, right)
                if line == "dtparam=spi=on" and line != right
                else f"in {machine.boot}/config.txt put a # before it; sudo reboot",
            )
    if not found and plain:
        yield ok(f"pins: {machine.boot}/config.txt gives none of them to anything else")
    if plain:
        yield from _held_lines(needs, machine, {**shared, **held})


def _held_lines(needs: Requirements, machine: HostFacts, explained: Collection[int]) -> Iterator[Finding]:
    """Find pins that the kernel or a program holds for reasons that config.txt does not explain."""
    plain = needs.pins + needs.pwm
    try:
        holders = machine.devices(needs.given).consumers(claim.pin for claim in plain if claim.pin in PHYSICAL)
    except BadDevice as complaint:
        if needs.pin_factory != "lgpio":  # there the missing chip is an error already
            what, _, advice = str(complaint).partition("; ")
            yield warning(f"pins: it is unknown whether they are free:  {what.removeprefix('pins: ')}", advice)
        return
    for claim in plain:
        holder = "" if claim.pin in explained else holders.get(claim.pin, "")
        if holder == LGPIO:
            yield warning(
                f"{claim.what}: a program holds GPIO {claim.pin} through lgpio",
                "if the table runs, it is the table; else end that program: sudo lsof /dev/gpiochip*",
            )
        elif holder:
            yield error(
                f'{claim.what}: GPIO {claim.pin} is held by "{holder}"',
                f"end that program, or put a # before its overlay in {machine.boot}/config.txt and sudo reboot; "
                "or wire this to a free GPIO",
            )
    if not any(pin not in explained for pin in holders):
        yield ok("pins: the kernel and other programs hold none of them")


def check_overlays(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """List overlays in config.txt or of a HAT whose pins are unknown."""
    if not needs.claims:
        return
    model = model_of(needs, machine)
    for load in machine.settings.loads:
        taken = overlay_pins(load.name, load.params, model)
        readme = f"read what it takes in {machine.boot}/overlays/README, and hold that against the header's sheet"
        if taken is None:
            what = f"pins: {machine.boot}/config.txt says {load.line}, an unknown overlay"
            yield warning(f"{what}; it may take pins of the table", readme)
        elif not taken.complete:
            pins = ", ".join(map(str, sorted(taken.exclusive | taken.bus)))
            what = f"pins: {machine.boot}/config.txt says {load.line}, which takes GPIO {pins} and perhaps others"
            yield warning(what, readme)
    hat = (machine.text("/proc/device-tree/hat/product") or "").rstrip("\0\n")
    if hat:
        yield warning(
            f'pins: a HAT is plugged on, "{hat}", whose EEPROM may take pins of the table',
            "look up its pins in its maker's documents, and compare them with the header's sheet",
        )


def _pins_of_config_txt(machine: HostFacts, model: str) -> tuple[dict[int, str], dict[int, str]]:
    """Return the line of config.txt that uses each GPIO: first exclusive uses, then shareable buses."""
    settings = machine.settings
    held, shared = dict[int, str](), dict[int, str]()
    pi = MODELS[model]
    if settings.is_on("spi") and not any(name.startswith("spi0-") for name in settings.overlays):
        shared |= dict.fromkeys((7, 8, 9, 10, 11), "dtparam=spi=on")
    for number in (0, 1):
        line = i2c_setting(number)
        if settings.has(line):
            shared |= dict.fromkeys((pi.i2c[number].sda, pi.i2c[number].scl), line)
    for load in settings.loads:
        if taken := overlay_pins(load.name, load.params, model):
            # Where Bluetooth leaves UART0, enable_uart alone decides whether it gets its pins.
            serial_off = load.name.endswith("-bt") and settings.values.get("enable_uart") == "0"
            held |= dict.fromkeys(() if serial_off else taken.exclusive, load.line)
            shared |= dict.fromkeys(taken.bus, load.line)
    for key, pins in _SETTINGS.items():
        if settings.values.get(key) == "1":
            held |= dict.fromkeys(pins, f"{key}=1")
    for param in ("act_led_gpio", "pwr_led_gpio"):
        if (pin := settings.params.get(param, "")).isdecimal():
            held[int(pin)] = f"dtparam={param}={pin}"
    if settings.is_on("i2s"):
        held |= dict.fromkeys(PCM, "dtparam=i2s=on")
    return held, shared


def check_console(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Find pins of the table's devices that the kernel's console may use."""
    words = (machine.text(f"{machine.boot}/cmdline.txt") or "").split()
    console = next((word for word in words if word.startswith("console=serial0")), "")
    for claim in needs.pins + needs.pwm:
        if console and claim.pin in UART:
            yield warning(
                f"{claim.what}: {machine.boot}/cmdline.txt says {console}: once the serial port is on, the kernel has "
                f"GPIO {claim.pin} for its console",
                f"remove {console} from the only line of {machine.boot}/cmdline.txt, then sudo reboot",
            )


def check_spi_buffer(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check that SPI's buffer is large enough for the longest transfer."""
    if not needs.transfers:
        return
    longest = max(needs.transfers.values())
    text = (machine.text("/sys/module/spidev/parameters/bufsiz") or "").strip()
    size = int(text) if text.isdecimal() else SPI_BUFFER
    if longest <= size:
        yield ok(f"SPI: a transfer takes up to {longest} bytes, the buffer has {size}")
    else:
        yield error(
            f"SPI: a transfer takes up to {longest} bytes, the buffer has only {size}: lamps would show torn pictures",
            f"add spidev.bufsiz=65536 to the one line of {machine.boot}/cmdline.txt, then sudo reboot",
        )


def check_core_clock(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check that the Pi's core clock is fixed, because the lamps' timing over SPI depends on it."""
    freq = MODELS[model_of(needs, machine)].core_freq
    if freq is None or not any(device.steady for device in needs.spi):
        return
    # Only the Pi 4's firmware slows the clock below core_freq automatically.
    wanted = [f"core_freq={freq}", *([f"core_freq_min={freq}"] if freq == 500 else [])]
    missing = [line for line in wanted if not machine.settings.has(line)]
    if missing:
        yield error(
            f"lamps: {machine.boot}/config.txt lacks {' and '.join(missing)}: the SPI clock would vary",
            _boot_line(machine, " and ".join(missing)),
        )
    else:
        yield ok(f"lamps: the clock of SPI stands still ({', '.join(wanted)})")


def check_i2c_speed(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check that the I2C bus is set to the right speed."""
    for bus in needs.i2c:
        param = {0: "i2c_vc_baudrate", 1: "i2c_arm_baudrate"}.get(bus)
        if param:
            line, text = f"dtparam={param}={FAST_I2C}", machine.settings.params.get(param, "")
        else:
            line, text = (
                f"dtoverlay=i2c{bus},baudrate={FAST_I2C}",
                machine.settings.overlays.get(f"i2c{bus}", {}).get("baudrate", ""),
            )
        baud = int(text) if text.isdecimal() else 100_000
        if baud >= FAST_I2C:
            yield ok(f"I2C: bus {bus} runs at {baud} bits a second")
        else:
            yield warning(
                f"I2C: bus {bus} runs at {baud} bits a second; a picture takes {9.3e6 / baud:.0f} ms",
                _boot_line(machine, line),
            )


def check_analog_sound(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check that analog sound is off where it would disturb lamps (rpi_ws281x, up to the Pi 4)."""
    model = model_of(needs, machine)
    on_pwm = [claim for claim in needs.pwm if claim.pin in MODELS[model].pwm]
    if not on_pwm or not MODELS[model].audio_on_pwm:
        return
    loaded = any(line.startswith("snd_bcm2835 ") for line in (machine.text("/proc/modules") or "").splitlines())
    if loaded or machine.settings.is_on("audio"):
        sign = "the module snd_bcm2835 is loaded" if loaded else f"{machine.boot}/config.txt says dtparam=audio=on"
        yield error(
            f"lamps: {on_pwm[0].what} uses the pulse-width modulator, and so does analog sound ({sign})",
            f"write dtparam=audio=off in {machine.boot}/config.txt, "
            "echo blacklist snd_bcm2835 | sudo tee /etc/modprobe.d/no-sound.conf, sudo reboot; "
            "or drive the lamps over SPI or on GPIO 21 (PCM)",
        )
    else:
        yield ok("lamps: analog sound is off, the pulse-width modulator is theirs")


def _boot_line(machine: HostFacts, line: str) -> str:
    return f"add {line} under [all] in {machine.boot}/config.txt, then sudo reboot"
