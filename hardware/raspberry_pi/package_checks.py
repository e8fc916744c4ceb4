"""Check that the Python packages for the devices and the pages are installed."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.ports import install_extra, pip
from hardware.raspberry_pi.findings import Finding, error, ok, warning
from hardware.raspberry_pi.host_facts import HostFacts, PythonBuild
from hardware.raspberry_pi.requirements import Requirements, is_pi5

_LGPIO = ("lgpio", "adafruit-lgpio")
_PAGE_PACKAGES = ("segno", "starlette", "uvicorn", "websockets")
_DROP_IN = "/etc/systemd/system/yardboard.service.d/10-web.conf"


def lgpio_of_system(python: PythonBuild) -> str:
    """Return the remedy if there is no wheel of lgpio for this Python; "" if there is one."""
    if not python.lacks_lgpio():
        return ""
    return (
        f"PyPI has no wheel of lgpio for {python}; take the system's: sudo apt install python3-lgpio python3-gpiozero, "
        "and make the environment with /usr/bin/python3 -m venv --system-site-packages"
    )


def check_packages(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check the Python packages that the devices need, and those that overwrite each other."""
    classic, drop_in = machine.has_package("RPi.GPIO"), machine.has_package("rpi-lgpio")
    if classic and drop_in:
        right = "rpi-lgpio" if is_pi5(needs, machine) else "RPi.GPIO"
        yield error(
            "packages: RPi.GPIO and rpi-lgpio are both installed; each overwrites the other's files",
            f"{pip('uninstall -y RPi.GPIO rpi-lgpio')}, then {pip('install', right)}",
        )
    elif needs.pin_factory == "rpigpio" and classic and is_pi5(needs, machine):
        yield error(
            "packages: RPi.GPIO cannot reach the pins of a Pi 5",
            f'set pin_factory = "lgpio"; or {pip("uninstall RPi.GPIO")}, then {pip("install rpi-lgpio")}',
        )
    missing = [
        " or ".join(names) for names in _needed(needs, machine) if not any(machine.has_package(name) for name in names)
    ]
    if missing:
        extras = ["pi", *(["rpigpio"] if needs.pin_factory == "rpigpio" else []), *(["pwm"] if needs.pwm else [])]
        wheels = install_extra(",".join(extras))
        system = lgpio_of_system(machine.python) if " or ".join(_LGPIO) in missing else ""
        yield error(f"packages: not installed: {', '.join(missing)}", f"{system}; then {wheels}" if system else wheels)
    elif needs.claims or needs.serial:
        yield ok("packages: those that the devices need are installed")


def _needed(needs: Requirements, machine: HostFacts) -> Iterator[tuple[str, ...]]:
    if needs.pin_factory:
        yield ("gpiozero",)
    if needs.pin_factory == "rpigpio":
        yield ("RPi.GPIO", "rpi-lgpio")
    if needs.pin_factory == "lgpio":
        yield _LGPIO
    if needs.panels:
        yield ("luma.oled",)
    if needs.i2c:
        yield ("smbus2",)
    if needs.pwm:
        yield ("adafruit-circuitpython-neopixel",)
        yield ("Adafruit-Blinka-Raspberry-Pi5-Neopixel",) if is_pi5(needs, machine) else ("rpi-ws281x",)
    yield from ((name,) for name in needs.packages)


def check_page_packages(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check the packages for showing the table in browsers; without them the table still works."""
    if not needs.pages:
        return
    missing = [name for name in _PAGE_PACKAGES if not machine.has_package(name)]
    if missing:
        yield warning(
            f"pages: not installed: {', '.join(missing)}; the table is played without its pages",
            install_extra("web"),
        )
    else:
        yield ok("pages: the packages that they need are installed")
    if needs.of_service and not machine.exists(_DROP_IN):
        yield warning(
            "pages: the service is shut off from the network; the table is played without its pages",
            "sudo /opt/yardboard/bin/yardboard install",
        )
