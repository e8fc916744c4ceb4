"""A player that misbehaves as its arguments say: `python fake_player.py WHEN WHAT`.

It plays the first legal move, but at the message WHEN (hello, new_game, go, over; start: at once) it does WHAT. It does
not import the package, so that it starts fast.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

HUGE = b"x" * 300_000


def say(text: bytes) -> None:
    """Write some bytes, as they are."""
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


def complain(text: str) -> None:
    """Write to standard error, and exit."""
    sys.stderr.write(text)
    sys.stderr.flush()
    os._exit(1)


def again_and_again(text: bytes) -> None:
    """Write without end."""
    while True:
        say(text)


def close(pipe: int) -> None:
    """Close a pipe, and hang."""
    os.close(pipe)
    hang()


def hang() -> None:
    """Do nothing for longer than any test."""
    time.sleep(600)


def be_stubborn() -> None:
    """Ignore requests to end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    say(b"ready to be killed\n")
    hang()


def have_a_child() -> None:
    """Start another program, and report its process number."""
    child = subprocess.Popen(["/bin/sleep", "600"])
    say(b'{"child": %d}\n' % child.pid)
    hang()


def be_huge() -> None:
    """Write a line that is too long and never ends."""
    say(HUGE)
    hang()


def be_hungry() -> None:
    """Take a lot of memory."""
    say(b'{"ok": %s}\n' % (b"true" if len(bytearray(600 * 1024 * 1024)) < 0 else b"false"))


def tell() -> None:
    """Report facts about this environment."""
    found = {"arguments": sys.argv, "environment": dict(os.environ), "here": str(Path.cwd())}
    found |= {"files": sorted(path.name for path in Path("/proc/self/fd").iterdir())}
    complain(json.dumps(found | {"nice": os.nice(0), "session": os.getsid(0) == os.getpid()}))


MANNERS = {
    "huge": be_huge,
    "flood": lambda: again_and_again(b'{"ok": true}\n' * 1000),
    "newlines": lambda: again_and_again(b"\n" * 10000),
    "die": lambda: os._exit(3),
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "hang": hang,
    "deaf": lambda: close(0),
    "mute": lambda: close(1),
    "stubborn": be_stubborn,
    "family": have_a_child,
    "hungry": be_hungry,
    "complain": lambda: complain("x" * 200_000 + "the last words of Mister X at 107"),
    "tell": tell,
}


def misbehave(what: str) -> None:
    """Do the forbidden thing of this name."""
    if what.startswith("say:"):
        say(bytes.fromhex(what.removeprefix("say:")))
    else:
        MANNERS[what]()


def main(when: str, what: str) -> None:
    """Answer the table."""
    if when == "start":
        misbehave(what)
    position = {}
    for line in sys.stdin.buffer:
        told = json.loads(line)
        if told["cmd"] == when:
            misbehave(what)
            if what.startswith("say:") or what == "hungry":
                continue
        if told["cmd"] == "position":
            position = told
        elif told["cmd"] == "go":
            move = position["legal"][0] if position["legal"] else {}
            say(json.dumps({"move": move, "nodes": 1}).encode() + b"\n")
        elif told["cmd"] != "quit":
            say(b'{"ok": true, "name": "fake", "roles": ["mr_x", "detectives"], "value": 1}\n')


if __name__ == "__main__":
    main(*sys.argv[1:])
