"""What the doctor finds where the journal is kept: whose folder it is, and what it is on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from hardware.raspberry_pi.host_facts import HostFacts, User
from hardware.raspberry_pi.requirements import Finding
from tests.hardware.raspberry_pi.fake_pi import GROUPS, ME, MOUNTS, PLAN, FakePi


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
    assert finding.what == "journal: /var/lib/yardboard/file cannot be a folder, because a part of this path is a file"
    assert pi.complaint(replace(PLAN, journal=PurePosixPath("/var/lib/yardboard/file/a/b"))).what.endswith("is a file")


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
    assert finding.what == f"journal: /var/lib/yardboard is in memory ({kind} on /var/lib), so a power cut deletes it"
    assert "[journal]" in finding.advice


def test_a_disk_that_is_read_only(pi: FakePi) -> None:
    pi.write("/proc/mounts", "/dev/mmcblk0p2 / ext4 ro,noatime 0 0\n")
    assert pi.complaint() == Finding("error", "journal: / is mounted read-only", "sudo mount -o remount,rw /")


def test_mounts_are_found_whatever_their_names(pi: FakePi) -> None:
    pi.write("/proc/mounts", MOUNTS + "tmpfs /my\\040games tmpfs rw 0 0\n/dev/sda1 /my\\040games ext4 ro 0 0\nbroken\n")
    mount = HostFacts(pi.root, pi.user, ()).mount_of(PurePosixPath("/my games/yard"))
    assert mount is not None
    assert (str(mount.point), mount.type, mount.writable) == ("/my games", "ext4", False)
    pi.remove("/proc/mounts")
    assert pi.complaints() == []
