"""Hash the owner's password, and hide secrets in texts that others may read.

A password's hash is one line for a configuration: the name of the function, its costs, a salt and the result. Only the
hash is stored. The hash is secret, too: with it an attacker could test guesses on another machine.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

FEWEST_CHARACTERS, LONGEST_PASSWORD = 8, 200
"""The fewest and the most characters of a password."""

_COST, _BLOCK = 1 << 14, 8  # of scrypt: 16 MiB, and about a tenth of a second on a Pi 4
_HASH = re.compile(r"scrypt:16384:8:1:[A-Za-z0-9_-]{22}==:[A-Za-z0-9_-]{43}=")
_HASHES = re.compile(r"scrypt:[^\s\"']*")
_IN_ADDRESSES = re.compile(r"(?<=://)[^@\s\"']+(?=@)")
_IN_KEYS = re.compile(r"""(?i)(?<=password)(\s*=\s*)(?:(")(?:\\.|[^"\\\n])+"|(')[^'\n]+'|[^\s"',\]][^"',\]\n]*)""")


def hash_password(password: str) -> str:
    """Return a password's hash as a line to store. This takes a tenth of a second and 16 MiB."""
    salt = secrets.token_bytes(16)
    return ":".join(("scrypt", str(_COST), str(_BLOCK), "1", _text(salt), _text(_hash(password, salt))))


def is_password_hash(line: str) -> bool:
    """Return whether a line is a hash that `hash_password` has written. Pure."""
    return _HASH.fullmatch(line) is not None


def is_right_password(password: str, line: str) -> bool:
    """Return whether a password has this hash. A wrong password takes as long to check as a right one."""
    *_, salt, wanted = line.split(":")
    return hmac.compare_digest(_text(_hash(password, base64.urlsafe_b64decode(salt))), wanted)


def hide_secrets(text: str) -> str:
    """Return a text without password hashes and passwords, and without user names in addresses. Pure.

    This finds passwords in addresses, and as values of keys whose name ends in "password". A configuration without its
    passwords is still valid.
    """
    text = _IN_ADDRESSES.sub("…", _HASHES.sub("", text))
    return _IN_KEYS.sub(lambda found: f"{found[1]}{found[2] or found[3] or ''}…{found[2] or found[3] or ''}", text)


def _hash(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode("utf-8", "replace"), salt=salt, n=_COST, r=_BLOCK, p=1, dklen=32)


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode("ascii")
