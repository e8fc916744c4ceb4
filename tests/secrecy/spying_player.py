"""A player that tries to read and harm what is not its own, and reports its success. It imports none of our packages.

Its argument says, in hexadecimal so that no path stands in its command, what there is to be found: a JSON object with
`canary` (a regular expression), `folders`, `table` (a process), `port`, `socket` and `abstract`. It also says whether
the spy may do `harm`, and its limits, `memory_mb` and `scratch`. The spy reports with its answer to `hello`, and later
does harm as its level says. Otherwise it plays the first legal move.
"""

import contextlib
import json
import mmap
import os
import re
import resource
import signal
import socket
import sys
import time
from pathlib import Path

HOUR = 3600


def found(told, content):
    """Return what a content reveals about Mister X."""
    return sorted({each.decode() for each in re.findall(told["canary"].encode(), content)})


def read_files(told):
    """Read every file of the table's folders but its own."""
    paths = [Path(here, name) for folder in told["folders"] for here, _, names in os.walk(folder) for name in names]
    read = [path.read_bytes() for path in paths if path.is_file() and path.name != Path(__file__).name]
    return sorted({each for content in read for each in found(told, content)})


def list_folders(told):
    """List the table's folders."""
    there = [each for folder in map(Path, told["folders"]) if folder.exists() for each in folder.iterdir()]
    return [str(each) for each in there if each.name != Path(__file__).name]


def list_processes(_):
    """Return the other visible processes, except the parents of this one."""
    line, pid = set(), os.getpid()
    while pid and Path(f"/proc/{pid}").exists():
        line.add(pid)
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return [each.name for each in Path("/proc").iterdir() if each.name.isdigit() and int(each.name) not in line]


def of_table(name):
    """Return an action that opens a file of the table's process."""

    def read(told):
        Path(f"/proc/{told['table']}/{name}").open("rb").close()
        return "open"

    return read


def list_open_files(told):
    """List the table's open files."""
    return [str(each.readlink()) for each in Path(f"/proc/{told['table']}/fd").iterdir()]


def own_files(_):
    """Return its own open files besides its three pipes."""
    return [each.name for each in [*Path("/proc/self/fd").iterdir()] if int(each.name) > 2 and each.exists()]


def environment(_):
    """Return its environment variables beyond those that every program gets."""
    plain = {"PATH", "HOME", "LANG", "PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE", "SYSTEMROOT", "TMPDIR"}
    return sorted(os.environ.keys() - plain)


def send_signal(told):
    """Send the table's process a signal that does nothing."""
    os.kill(told["table"], 0)
    return "reached"


def reach(family, address):
    """Return an action that connects to an address."""

    def connect(told):
        with socket.socket(family, socket.SOCK_STREAM) as caller:
            caller.settimeout(5)
            caller.connect(address(told))
            return "reached"

    return connect


def count_interrupts(_):
    """Return files that count interrupts of devices, such as the pins of a turned knob."""
    found = [name for name in ("interrupts", "stat", "softirqs") if opened(f"/proc/{name}")]
    for folder in ("/proc/irq", "/sys/kernel/irq", "/sys/class"):
        with contextlib.suppress(OSError):
            found += [str(each) for each in Path(folder).iterdir()]
    return found


def open_device(_):
    """Open a device that is not for everyone."""
    return [name for name in ("mem", "kmsg", "gpiochip0", "spidev0.0", "i2c-1", "vda", "sda") if opened(f"/dev/{name}")]


def opened(path):
    """Return whether a file can be opened."""
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError:
        return False
    return True


LOOKS = {
    "read the table's files": read_files,
    "list the table's folders": list_folders,
    "list other processes": list_processes,
    "read the table's environment": of_table("environ"),
    "read the table's arguments": of_table("cmdline"),
    "read the table's memory": of_table("mem"),
    "list the table's open files": list_open_files,
    "signal the table": send_signal,
    "open its pages": reach(socket.AF_INET, lambda told: ("127.0.0.1", told["port"])),
    "reach a socket": reach(socket.AF_UNIX, lambda told: told["socket"]),
    "reach an abstract socket": reach(socket.AF_UNIX, lambda told: "\0" + told["abstract"]),
}
"""What a program of the table's user can do where nothing confines it, by name."""

MORE = {
    "have other files open": own_files,
    "have more in its environment": environment,
    "open devices": open_device,
    "count interrupts": count_interrupts,
}
"""What is denied to every program that is not ours."""


def delete_files(told):
    """Delete the table's files, and its own program."""
    gone = []
    for path in [
        Path(here, name) for folder in told["folders"] for here, _, names in os.walk(folder) for name in names
    ]:
        try:
            path.unlink()
            gone.append(str(path))
        except OSError:
            continue
    return gone


def write_anywhere(told):
    """Write to folders of the table and of the system."""
    done = []
    for folder in (*told["folders"], ".", "/", "/usr", "/etc", "/var", "/home", "/root", "/run", "/dev", "/opt"):
        try:
            Path(folder, "spied").write_bytes(b"x")
            done.append(folder)
        except OSError:
            continue
    return done


def fill_disk(told):
    """Return the megabytes that it can write to scratch folders, if these are more than the folders have."""
    written = 0
    for folder in ("/tmp", "/dev/shm"):  # noqa: S108 - its own, where it is shut in
        for number in range(5):
            try:
                with Path(folder, f"filled{number}").open("wb", buffering=0) as file:
                    while written < 1 << 30:
                        written += file.write(bytes(1 << 20))
            except OSError:
                continue
        for file in Path(folder).glob("filled*"):
            file.unlink()
    return written >> 20 if written > 2 * told["scratch"] else []


def take_memory(told):
    """Return the megabytes that it can get, if these are at least twice its limit."""
    try:
        taken = mmap.mmap(-1, 2 * told["memory_mb"] << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError:
        return []
    return len(taken) >> 20


def fork(_):
    """Return the number of processes that it can have, if these are more than it may have."""
    children = []
    try:
        for _ in range(1000):
            child = os.fork()
            if not child:
                time.sleep(HOUR)
            children.append(child)
    except OSError:
        return []
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return len(children)


HARMS = {
    "delete files": delete_files,
    "write anywhere": write_anywhere,
    "fill the disk": fill_disk,
    "take memory": take_memory,
    "fork": fork,
}
"""Harmful actions, which only a confined program may try."""


def tried(deeds, told):
    """Try each action. Return those that succeeded, with their results."""
    done = {}
    for name, deed in deeds.items():
        try:
            done[name] = deed(told)
        except OSError:
            continue
    return {name: what for name, what in done.items() if what}


def bomb():
    """Fork for as long as the kernel lets it, in every process, then leave them all behind."""
    first = os.getpid()
    while True:
        try:
            os.fork()
        except OSError:
            if os.getpid() == first:
                raise
            time.sleep(HOUR)


def hog():
    """Take memory for as long as the kernel lets it."""
    taken = []
    while True:
        taken.append(bytearray(16 << 20))


MANNERS = {"bomb": bomb, "hog": hog}


def main():
    """Answer the table."""
    told = json.loads(bytes.fromhex(sys.argv[1]))
    level, position = "", {}
    for line in sys.stdin:
        said = json.loads(line)
        answer = {"ok": True, "name": "spy"}
        if said["cmd"] == "hello":
            answer["report"] = tried(LOOKS | MORE | (HARMS if told["harm"] else {}), told)
        if said["cmd"] == "new_game":
            level = said["level"]
        if said["cmd"] == "position":
            position = said
            continue
        if said["cmd"] == "go":
            MANNERS.get(level, lambda: None)()
            answer = {"move": position["legal"][0] if position["legal"] else {}}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
