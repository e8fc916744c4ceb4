"""Provide the raw prompt that mpremote expects of a Pico, on MicroPython's unix port, which lacks it.

See "Raw mode" and "Raw-paste mode" in MicroPython's documentation (reference/repl.rst); this one, as it may, declines
to paste.
"""

# ruff: noqa: S102, BLE001 - a prompt executes what it is told and prints what comes of it

import io
import sys

INTERRUPT, RAW, FRIENDLY, EXECUTE, PASTE = b"\x03", b"\x01", b"\x02", b"\x04", b"\x05"
BANNER = "raw REPL; CTRL-B to exit\r\n>"


def say(text: str) -> None:
    sys.stdout.buffer.write(text.encode())


def execute(code: bytes, names: dict) -> None:
    say("OK")
    trouble = io.StringIO()
    try:
        exec(code, names)
    except Exception as error:
        sys.print_exception(error, trouble)
    say("\x04" + trouble.getvalue() + "\x04>")


def serve() -> None:
    """Serve until a reset ends the program."""
    names = {}
    code = b""
    raw = False
    while True:
        byte = sys.stdin.buffer.read(1)
        if not byte:
            return
        if byte == RAW:
            raw, code = True, b""
            say(BANNER)
        elif not raw or byte == INTERRUPT:
            code = b""
        elif byte == FRIENDLY:
            raw = False
        elif byte == PASTE:
            sys.stdin.buffer.read(2)
            say("R\x00")
        elif byte == EXECUTE and code.strip():
            execute(code, names)
            code = b""
        elif byte == EXECUTE:
            names, code = {}, b""
            say("OK\r\nMPY: soft reboot\r\n" + BANNER)
        else:
            code += byte
