"""Check the journal's folder: who may write there, and whether its disk survives a power cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from hardware.raspberry_pi.findings import Finding, error, ok, warning
from hardware.raspberry_pi.host_facts import HostFacts
from hardware.raspberry_pi.requirements import Requirements

SERVICE_JOURNAL = PurePosixPath("/var/lib/yardboard")
"""The journal's folder under the service: the StateDirectory of its unit."""


def check_journal(needs: Requirements, machine: HostFacts) -> Iterator[Finding]:
    """Check the journal's folder."""
    if needs.of_service and needs.journal != SERVICE_JOURNAL:
        yield ok(f"journal: the service keeps it in {SERVICE_JOURNAL}, not in {needs.journal}")
    folder = machine.path(needs.journal)
    # A parent that is not accessible hides the folder: then the parent is checked.
    there = next(parent for parent in (folder, *folder.parents) if _is_there(parent))
    if not there.is_dir():
        yield error(
            f"journal: {needs.journal} cannot be a folder, there is a file in the way", "set another path in [journal]"
        )
        return
    name = needs.journal if there == folder else "the folder above " + str(needs.journal)
    user = machine.user
    made = f"sudo install -d -m 700 -o {user.name} {needs.journal}"
    if not user.may_write(there):
        yield error(f"journal: {user.name} may not write in {name}", made)
    elif there == folder and folder.stat().st_mode & 0o077:
        mode = folder.stat().st_mode & 0o777
        yield warning(f"journal: others may look into {name} (mode {mode:04o})", f"chmod 700 {needs.journal}")
    else:
        yield ok(f"journal: {needs.journal} {'is there' if there == folder else 'can be made'}")
    yield from _disk(needs.journal, machine)


def _is_there(path: Path) -> bool:
    try:
        path.stat()
    except OSError:
        return False
    return True


def _disk(path: PurePosixPath, machine: HostFacts) -> Iterator[Finding]:
    """Check whether a folder is on a permanent disk."""
    mount = machine.mount_of(path)
    if mount is None:
        return
    if mount.type in {"tmpfs", "ramfs", "overlay"}:
        yield error(
            f"journal: {path} is in memory ({mount.type} on {mount.point}) and gone with the power",
            "set a path on the SD card in [journal]; sudo raspi-config switches an overlay file system off",
        )
    elif not mount.writable:
        yield error(f"journal: {mount.point} is mounted read-only", f"sudo mount -o remount,rw {mount.point}")
    else:
        yield ok(f"journal: it is on {mount.type}")
