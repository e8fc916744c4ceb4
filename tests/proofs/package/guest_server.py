"""Answer the host's calls on a virtual Pi, one JSON line each: `guest_server.py shell` or `guest_server.py board`.

Debian's Python runs the shell, in which the host types as root. The package's Python runs the far side of the board:
the eyes and hands of the people at the table.
"""

from __future__ import annotations

import json
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

CHECKOUT = "/opt/rig/checkout"
PORTS = {"shell": 9000, "board": 9001}

Calls = Mapping[str, Callable[..., Any]]


def serve(port: int, calls: Calls) -> None:
    """Answer calls until the machine ends: a name and its arguments, with what the call returns."""

    class Answer(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            name, *words = json.loads(self.rfile.readline())
            self.wfile.write(json.dumps(calls[name](*words)).encode() + b"\n")

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    Server(("0.0.0.0", port), Answer).serve_forever()  # noqa: S104 - in the network of this proof alone


def run(command: str) -> list[object]:
    """Run a command as root in bash. Return its status, and its output with its errors."""
    words = ["/bin/bash", "-c", command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return [done.returncode, done.stdout]


def board_calls() -> Calls:
    """Return what eyes and hands do at the board."""
    sys.path.append(CHECKOUT)  # after the package, whose program is the one that is proved
    from tests.proofs.kernel.guest.machine import ground, supply  # noqa: PLC0415 - not in the shell
    from tests.proofs.kernel.service.board import STATIONS, Board, stand  # noqa: PLC0415

    stand(())
    board, held = Board(), threading.Lock()

    def press(key: int, seconds: float) -> None:
        with held:
            ground(key)
            time.sleep(seconds)
            supply(key)
            time.sleep(0.3)

    def hold_and_press(held_key: int, keys: list[int]) -> None:
        ground(held_key)
        time.sleep(0.5)
        for key in keys:
            press(key, 0.3)
            time.sleep(0.5)
        supply(held_key)

    def place_pawns() -> list[int]:
        asked = board.shone(3.0) & STATIONS
        stand(asked)
        return sorted(asked)

    def screen(name: str) -> str:
        return bytes(getattr(board, name)).hex()

    return {
        "press": press,
        "hold_and_press": hold_and_press,
        "place_pawns": place_pawns,
        "stand": stand,
        "display": partial(screen, "display"),
        "handset": partial(screen, "handset"),
    }


if __name__ == "__main__":
    (kind,) = sys.argv[1:]
    serve(PORTS[kind], board_calls() if kind == "board" else {"run": run})
