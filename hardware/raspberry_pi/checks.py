"""The checks of a Raspberry Pi: its board, groups, device files, the lines of config.txt, SPI, I2C and sound."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hardware.ports import BadDevice
from hardware.raspberry_pi.host_facts import HostFacts
from hardware.raspberry_pi.pin_conflicts import Claim, SpiUse, i2c_setting, spi_setting, wires
from hardware.raspberry_pi.pinout import MODELS, PCM, UART
from hardware.raspberry_pi.requirements import Finding, Requirements, in_groups, is_pi5, model_of

SPI_BUFFER = 4096
"""Bytes that /dev/spidev takes in one transfer unless told otherwise."""

FAST_I2C = 400_000
"""Bits a second that an OLED wants: at 100,000 a picture takes 93 ms instead of 25."""


def _model(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """The board against the configured model."""
    if machine.model == plan.model:
        yield Finding("ok", f"board: {machine.board}")
    elif machine.model is None:
        yield Finding(
            "warning",
            f'board: {machine.board} is none that is known here; the configuration says model = "{plan.model}"',
            f"known are {', '.join(model.name for model in MODELS.values())}",
        )
    else:
        yield Finding(
            "error",
            f'board: this is a {machine.board}, the configuration says model = "{plan.model}"',
            f'set model = "{machine.model}" in the configuration, then let check-config look at the pins',
        )


def _groups(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """The groups that own the device files."""
    user = machine.user
    if plan.pwm and MODELS[model_of(plan, machine)].core_freq is not None and user.uid != 0:
        yield Finding(
            "error",
            f"user: {user.name} is not root, but lamps on a PWM or PCM pin are driven through /dev/mem",
            'run as root, or drive the lamps over SPI (driver "neopixel-spi")',
        )
    needed = {
        "gpio": bool(plan.pin_factory or plan.pins or plan.pwm),
        "spi": bool(plan.spi),
        "i2c": bool(plan.i2c),
    }
    yield from in_groups([group for group, wanted in needed.items() if wanted], machine)


def _device_files(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """The device files of pins, SPI and I2C; where one is missing, the line that makes it."""
    if plan.pin_factory:
        pattern = "/dev/gpiomem*" if plan.pin_factory == "rpigpio" and not is_pi5(plan, machine) else "/dev/gpiochip*"
        yield from _device_file(machine, pattern, "", "pins")
    if plan.pwm and is_pi5(plan, machine):
        yield from _device_file(machine, "/dev/pio0", "", "lamps")
    model = model_of(plan, machine)
    sound = _sound(plan, model)
    for device in sound:
        if isinstance(device, SpiUse):
            line = spi_setting(int(device.device.partition(".")[0]), sound, model)
            yield from _device_file(machine, f"/dev/spidev{device.device}", line, "SPI")
    for bus in plan.i2c:
        yield from _device_file(machine, f"/dev/i2c-{bus}", i2c_setting(bus), "I2C")


def _device_file(machine: HostFacts, pattern: str, line: str, what: str) -> Iterator[Finding]:
    if machine.any(pattern):
        yield Finding("ok", f"{what}: {pattern} is there")
    elif not line:
        yield Finding("error", f"{what}: there is no {pattern}", "sudo apt full-upgrade and sudo reboot")
    elif machine.settings.has(line):
        module = "i2c-dev" if what == "I2C" else "spidev"
        yield Finding(
            "error",
            f"{what}: there is no {pattern}, though {machine.boot}/config.txt says {line}",
            f"sudo modprobe {module}, and if that does not help: sudo reboot",
        )
    else:
        yield Finding("error", f"{what}: there is no {pattern}", _boot_line(machine, line))


def _kernel_s_pins(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Plain pins and pins of lamps that a line of config.txt gives to a bus."""
    model = model_of(plan, machine)
    held = _held(machine, model)
    found = False
    for claim in plan.pins + plan.pwm:
        if claim.pin in held:
            found = True
            line, wanted = held[claim.pin], spi_setting(0, _sound(plan, model), model)
            yield Finding(
                "error",
                f"{claim.what}: {machine.boot}/config.txt says {line}, which takes GPIO {claim.pin}",
                _boot_line(machine, wanted)
                if line == "dtparam=spi=on" and line != wanted
                else f"in {machine.boot}/config.txt put a # before it; sudo reboot",
            )
    if not found and (plan.pins or plan.pwm):
        yield Finding("ok", f"pins: {machine.boot}/config.txt gives none of them to anything else")


def _held(machine: HostFacts, model: str) -> dict[int, str]:
    """GPIO -> the line of config.txt that gives it to the kernel."""
    settings, held = machine.settings, dict[int, str]()
    buses = MODELS[model]
    if settings.on("spi") and not any(name.startswith("spi0-") for name in settings.overlays):
        held |= dict.fromkeys((7, 8, 9, 10, 11), "dtparam=spi=on")
    for number, bus in buses.spi.items():
        for count in range(len(bus.ce) + 1):
            name = f"spi{number}-{count}cs"
            if name in settings.overlays:
                held |= dict.fromkeys((bus.sclk, bus.mosi, bus.miso, *bus.ce[:count]), f"dtoverlay={name}")
    for number, i2c in buses.i2c.items():
        line = i2c_setting(number)
        if settings.has(line):
            held |= dict.fromkeys((i2c.sda, i2c.scl), line)
    if settings.values.get("enable_uart") == "1":
        held |= dict.fromkeys(UART, "enable_uart=1")
    if settings.on("i2s"):
        held |= dict.fromkeys(PCM, "dtparam=i2s=on")
    return held


def _console(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Plain pins and pins of lamps on which the kernel's console may be."""
    words = (machine.text(f"{machine.boot}/cmdline.txt") or "").split()
    console = next((word for word in words if word.startswith("console=serial0")), "")
    for claim in plan.pins + plan.pwm:
        if console and claim.pin in UART:
            yield Finding(
                "warning",
                f"{claim.what}: {machine.boot}/cmdline.txt says {console}: once the serial port is on, the kernel has "
                f"GPIO {claim.pin} for its console",
                f"take {console} out of the one line of {machine.boot}/cmdline.txt, then sudo reboot",
            )


def _mock(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Pins in memory on a machine that has real ones."""
    if plan.pin_factory == "mock":
        yield Finding(
            "error",
            f'pins: pin_factory = "mock" has pins in memory only; nothing happens on those of this {machine.board}',
            'set pin_factory = "lgpio" in [pi]',
        )


def _buffer(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """SPI's buffer against the longest transfer."""
    if not plan.transfers:
        return
    longest = max(plan.transfers.values())
    text = (machine.text("/sys/module/spidev/parameters/bufsiz") or "").strip()
    size = int(text) if text.isdecimal() else SPI_BUFFER
    if longest <= size:
        yield Finding("ok", f"SPI: a transfer takes up to {longest} bytes, the buffer has {size}")
    else:
        yield Finding(
            "error",
            f"SPI: a transfer takes up to {longest} bytes, the buffer has only {size}: lamps would show torn pictures",
            f"add spidev.bufsiz=65536 to the one line of {machine.boot}/cmdline.txt, then sudo reboot",
        )


def _core_clock(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """The core clock, from which SPI takes the time of the lamps."""
    freq = MODELS[model_of(plan, machine)].core_freq
    if freq is None or not any(device.steady for device in plan.spi):
        return
    # Only the Pi 4's firmware would slow the clock down below core_freq by itself.
    wanted = [f"core_freq={freq}", *([f"core_freq_min={freq}"] if freq == 500 else [])]
    missing = [line for line in wanted if not machine.settings.has(line)]
    if missing:
        yield Finding(
            "error",
            f"lamps: {machine.boot}/config.txt lacks {' and '.join(missing)}: the clock of SPI would change its pace",
            _boot_line(machine, " and ".join(missing)),
        )
    else:
        yield Finding("ok", f"lamps: the clock of SPI stands still ({', '.join(wanted)})")


def _i2c_speed(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """The pace of I2C."""
    for bus in plan.i2c:
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
            yield Finding("ok", f"I2C: bus {bus} runs at {baud} bits a second")
        else:
            yield Finding(
                "warning",
                f"I2C: bus {bus} runs at {baud} bits a second; a picture takes {9.3e6 / baud:.0f} ms",
                _boot_line(machine, line),
            )


def _audio(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Analog sound, which shares the pulse-width modulator with lamps up to the Pi 4 (rpi_ws281x, README)."""
    model = model_of(plan, machine)
    on_pwm = [claim for claim in plan.pwm if claim.pin in MODELS[model].pwm]
    if not on_pwm or not MODELS[model].audio_on_pwm:
        return
    loaded = any(line.startswith("snd_bcm2835 ") for line in (machine.text("/proc/modules") or "").splitlines())
    if loaded or machine.settings.on("audio"):
        sign = "the module snd_bcm2835 is loaded" if loaded else f"{machine.boot}/config.txt says dtparam=audio=on"
        yield Finding(
            "error",
            f"lamps: {on_pwm[0].what} uses the pulse-width modulator, and so does analog sound ({sign})",
            f"write dtparam=audio=off in {machine.boot}/config.txt, "
            "echo blacklist snd_bcm2835 | sudo tee /etc/modprobe.d/no-sound.conf, sudo reboot; "
            "or drive the lamps over SPI or on GPIO 21 (PCM)",
        )
    else:
        yield Finding("ok", "lamps: analog sound is off, the pulse-width modulator is theirs")


def _sound(plan: Requirements, model: str) -> list[Claim]:
    """The plan's claims without those that cannot be."""
    sound = []
    for claim in plan.claims:
        try:
            wires(claim, model)
        except BadDevice:
            continue
        sound.append(claim)
    return sound


def _boot_line(machine: HostFacts, line: str) -> str:
    return f"add {line} under [all] in {machine.boot}/config.txt, then sudo reboot"


Check = Callable[[Requirements, HostFacts], Iterator[Finding]]
"""Looks at one thing."""

ON_A_PI: tuple[Check, ...] = (
    _model,
    _mock,
    _groups,
    _device_files,
    _kernel_s_pins,
    _console,
    _buffer,
    _core_clock,
    _i2c_speed,
    _audio,
)
"""What can only be looked at on a Raspberry Pi."""
