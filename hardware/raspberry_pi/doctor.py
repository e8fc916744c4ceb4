"""Whether this machine is set up for the devices that a table wants: groups, device files, settings, packages, power.

`examine` only reads. Whoever knows the configuration says with `Requirements` what it needs; each check is a function
that gives a `Finding` for what is right as well as for what is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from hardware.ports import BadDevice
from hardware.raspberry_pi import power_budget
from hardware.raspberry_pi.checks import ON_A_PI, Check
from hardware.raspberry_pi.host_facts import HostFacts
from hardware.raspberry_pi.pin_conflicts import clashes, free
from hardware.raspberry_pi.pinout import MODELS, model_named
from hardware.raspberry_pi.power_supply import SupplyFiles
from hardware.raspberry_pi.requirements import Finding, Requirements, in_groups, is_pi5, model_of

__all__ = ["Finding", "Requirements", "examine"]

SERVICE_JOURNAL = PurePosixPath("/var/lib/yardboard")
"""Where the service keeps the game: the StateDirectory of its unit."""


def examine(plan: Requirements, root: Path = Path("/"), machine: HostFacts | None = None) -> list[Finding]:
    """All findings about a machine, those of the Pi first.

    Args:
        plan: what the table needs.
        root: where the machine's files are; "/" for this one.
        machine: the machine, if it is not this one's user and packages under `root`.

    Raises:
        BadDevice: the plan's model does not exist.
    """
    machine = machine or HostFacts.here(root)
    checks: tuple[Check, ...] = _ANYWHERE
    findings: list[Finding] = []
    if plan.model:
        model_named(plan.model)
        findings += _header(plan)
        if machine.board:
            checks = (*ON_A_PI, *_ANYWHERE)
        else:
            findings.append(
                Finding(
                    "error",
                    f"this machine is no Raspberry Pi, the configuration is made for a {MODELS[plan.model].name}; "
                    "its device files and boot settings were not looked at",
                    'run this on the Pi, or set the drivers to "sim" to play here',
                )
            )
    return [*findings, *(finding for check in checks for finding in check(plan, machine))]


def _header(plan: Requirements) -> Iterator[Finding]:
    """The pins: clashes, and what is left."""
    lines = clashes(plan.claims, plan.model)
    for line in lines:
        yield Finding("error", line, "change the configuration and the wire")
    if not lines:
        left = ", ".join(str(pin) for pin in free(plan.claims, plan.model))
        yield Finding("ok", f"pins: none is taken twice; free GPIOs: {left or 'none'}")


def _root(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Whose access is looked at, where that is not the service's."""
    if machine.user.uid == 0:
        yield Finding(
            "ok",
            "user: root, who needs no group, and may write everywhere"
            if plan.pwm and not is_pi5(plan, machine)
            else "user: root, who needs no group; the service runs as a user of its own with the groups of its unit",
        )


def _dialout(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """The serial port and its group."""
    if not plan.serial:
        return
    yield from in_groups(["dialout"], machine)
    if machine.exists(plan.serial):
        yield Finding("ok", f"serial: {plan.serial} is there")
    else:
        yield Finding(
            "error",
            f"serial: there is no {plan.serial}",
            "plug the microcontroller in, and see what it is called: ls -l /dev/serial/by-id",
        )


def _packages(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """The Python packages that the devices need, and those that get into each other's way."""
    classic, drop_in = machine.has_package("RPi.GPIO"), machine.has_package("rpi-lgpio")
    if classic and drop_in:
        right = "rpi-lgpio" if is_pi5(plan, machine) else "RPi.GPIO"
        yield Finding(
            "error",
            "packages: RPi.GPIO and rpi-lgpio are both installed; each overwrites the other's files",
            f"pip uninstall -y RPi.GPIO rpi-lgpio, then pip install {right}",
        )
    elif plan.pin_factory == "rpigpio" and classic and is_pi5(plan, machine):
        yield Finding(
            "error",
            "packages: RPi.GPIO cannot reach the pins of a Pi 5",
            'set pin_factory = "lgpio"; or pip uninstall RPi.GPIO, then pip install rpi-lgpio',
        )
    missing = [
        " or ".join(names) for names in _needed(plan, machine) if not any(machine.has_package(name) for name in names)
    ]
    if missing:
        extras = ["pi", *(["rpigpio"] if plan.pin_factory == "rpigpio" else []), *(["pwm"] if plan.pwm else [])]
        yield Finding(
            "error",
            f"packages: not installed: {', '.join(missing)}",
            f"pip install '.[{','.join(extras)}]' in yardboard's folder",
        )
    elif plan.claims or plan.serial:
        yield Finding("ok", "packages: those that the devices need are installed")


_OF_PAGES = ("msgspec", "segno", "starlette", "uvicorn", "websockets")


_DROP_IN = "/etc/systemd/system/yardboard.service.d/10-web.conf"


def _pages(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """What it takes to show the table in browsers; without it the table is played all the same."""
    if not plan.pages:
        return
    missing = [name for name in _OF_PAGES if not machine.has_package(name)]
    if missing:
        yield Finding(
            "warning",
            f"pages: not installed: {', '.join(missing)}; the table is played without its pages",
            "pip install '.[web]' in yardboard's folder",
        )
    else:
        yield Finding("ok", "pages: the packages that they need are installed")
    if plan.of_service and not machine.exists(_DROP_IN):
        yield Finding(
            "warning",
            "pages: the service is shut off from the network; the table is played without its pages",
            "sudo /opt/yardboard/bin/yardboard install",
        )


def _needed(plan: Requirements, machine: HostFacts) -> Iterator[tuple[str, ...]]:
    """The packages of the plan's devices; of each group one will do."""
    lgpio = ("lgpio", "adafruit-lgpio")
    if plan.pin_factory:
        yield ("gpiozero",)
    if plan.pin_factory == "rpigpio":
        yield ("RPi.GPIO", "rpi-lgpio")
    if plan.pin_factory == "lgpio":
        yield lgpio
    if plan.panels:
        yield ("luma.oled",)
    if plan.i2c:
        yield ("smbus2",)
    if plan.pwm:
        yield ("adafruit-circuitpython-neopixel",)
        yield ("Adafruit-Blinka-Raspberry-Pi5-Neopixel",) if is_pi5(plan, machine) else ("rpi-ws281x",)
    yield from ((name,) for name in plan.packages)


def _power(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """The current that everything draws."""
    if not plan.lamps or not plan.model:
        return
    try:
        sums = power_budget.budget(
            plan.lamps, plan.max_milliamps, model_of(plan, machine), plan.panels, plan.dead, pull_ups=plan.chain
        )
        parts = ", ".join(f"{what} {milliamps:.0f}" for what, milliamps in sums.lines)
        feeds = "one point" if sums.feeds == 1 else f"{sums.feeds} points"
        yield Finding(
            "ok",
            f"power: at most {sums.total:.0f} mA ({parts}): a 5 V supply of {sums.supply:g} A or more, or one of "
            f"{sums.lamp_supply:g} A or more for the lamps beside the Pi's own; fed into the chain at {feeds}",
        )
    except BadDevice as complaint:
        yield Finding("error", str(complaint), "set max_milliamps in [lamps] to what the supply gives")


def _supply(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Whether the machine tells how its power is, and how it is now."""
    if not plan.model:
        return
    files = SupplyFiles.find(machine.path("/"))
    if files is None:
        yield Finding("ok", "supply: this machine tells nothing of under-voltage or heat; the table does without it")
    elif trouble := files.trouble():
        what, _, remedy = trouble.partition("; ")
        yield Finding("warning", f"supply: {what}", remedy or "look at it with: vcgencmd get_throttled")
    else:
        yield Finding("ok", "supply: enough power, and not too hot; the table watches both")


def _journal(plan: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """The folder in which the game is kept."""
    if plan.of_service and plan.journal != SERVICE_JOURNAL:
        yield Finding("ok", f"journal: the service keeps it in {SERVICE_JOURNAL}, not in {plan.journal}")
    folder = machine.path(plan.journal)
    # A parent that cannot be looked into hides the folder: it is then the last that can be asked.
    there = next(parent for parent in (folder, *folder.parents) if _is_there(parent))
    if not there.is_dir():
        yield Finding(
            "error",
            f"journal: {plan.journal} cannot be a folder, there is a file in the way",
            "set another path in [journal]",
        )
        return
    name = plan.journal if there == folder else "the folder above " + str(plan.journal)
    user = machine.user
    made = f"sudo install -d -m 700 -o {user.name} {plan.journal}"
    if not user.may_write(there):
        yield Finding("error", f"journal: {user.name} may not write in {name}", made)
    elif there == folder and folder.stat().st_mode & 0o077:
        mode = folder.stat().st_mode & 0o777
        yield Finding("warning", f"journal: others may look into {name} (mode {mode:04o})", f"chmod 700 {plan.journal}")
    else:
        yield Finding("ok", f"journal: {plan.journal} {'is there' if there == folder else 'can be made'}")
    yield from _disk(plan.journal, machine)


def _is_there(path: Path) -> bool:
    """Whether something can be found at a path."""
    try:
        path.stat()
    except OSError:
        return False
    return True


def _disk(path: PurePosixPath, machine: HostFacts) -> Iterator[Finding]:
    """Whether a folder is on a disk that keeps it."""
    mount = machine.mount_of(path)
    if mount is None:
        return
    if mount.type in {"tmpfs", "ramfs", "overlay"}:
        yield Finding(
            "error",
            f"journal: {path} is in memory ({mount.type} on {mount.point}) and gone with the power",
            "set a path on the SD card in [journal]; sudo raspi-config switches an overlay file system off",
        )
    elif not mount.writable:
        yield Finding(
            "error", f"journal: {mount.point} is mounted read-only", f"sudo mount -o remount,rw {mount.point}"
        )
    else:
        yield Finding("ok", f"journal: it is on {mount.type}")


_ANYWHERE: tuple[Check, ...] = (_root, _dialout, _packages, _pages, _power, _supply, _journal)
"""What every machine can be asked."""
