"""Check for `yardboard doctor` whether this machine meets a configuration's requirements."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from firmware_host.config.drivers.neopixel_drivers import strips
from firmware_host.config.loader import Config
from firmware_host.config.section_conflicts import claims, longest_transfers, screen_chips
from hardware.raspberry_pi.host_facts import HostFacts
from hardware.raspberry_pi.machine_checks import examine
from hardware.raspberry_pi.requirements import Finding, Requirements

_MARKS = {"ok": "ok", "warning": "WARNING", "error": "ERROR"}


def plan_of(config: Config, environ: Mapping[str, str] = os.environ) -> Requirements:
    """Return a configuration's requirements, for a simulated board only a place for the journal.

    Raises:
        ConfigError: no place for the journal is given, and this user has no home folder.
    """
    journal = PurePosixPath(config.journal_file(environ).absolute().parent)
    if config.simulated:
        return Requirements(journal, pages=config.web.serve)
    sections, layout = config.sections, config.layout
    needs = [device.driver.needs(device) for device in config.devices.values()]
    return Requirements(
        journal,
        model=config.pi.model,
        pin_factory=config.pi.pin_factory,
        claims=tuple(claims(sections, layout)),
        transfers=longest_transfers(sections, layout),
        serial="".join(each.serial for each in needs),
        packages=tuple(name for each in needs for name in each.packages),
        lamps=layout.lamps,
        dead=sum(dead for _, dead in strips(sections["lamps"], layout)),
        max_milliamps=config.lamps.max_milliamps,
        panels=screen_chips(sections, layout),
        pages=config.web.serve,
        of_service=Path(config.source).absolute().is_relative_to("/etc"),
        given=config.pi.given,
    )


def check_machine(config: Config, root: Path = Path("/"), machine: HostFacts | None = None) -> list[Finding]:
    """Check this machine against a configuration and return every finding, good or bad."""
    return examine(plan_of(config), root, machine)


def describe_findings(findings: list[Finding]) -> Iterator[str]:
    """Yield the findings as lines for people: one line each, with the advice below it."""
    for finding in findings:
        yield f"{_MARKS[finding.level]:8} {finding.what}"
        if finding.advice:
            yield f"{'':8} {finding.advice}"
