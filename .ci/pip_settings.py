"""Print the settings by which this machine reaches packages, as NAME=VALUE with a zero byte after each.

These are the environment's PIP_*, npm_config_*, proxies and certificates, and the settings in pip's files, written as
PIP_*. Node trusts additional certificates only if a variable names them; by default this is pip's certificate file.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys

NODE = "NODE_EXTRA_CA_CERTS"
HANDED_ON = re.compile(rf"PIP_\w+|UV_\w+|npm_config_\w+|SSL_CERT_FILE|{NODE}|(https?|ftp|all|no)_proxy", re.IGNORECASE)


def pip_settings() -> dict[str, str]:
    """Return the settings in pip's files, such as 'PIP_CERT' for `global.cert`; none if there is no pip."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603 - our own pip
    found: dict[str, str] = {}
    for line in listed.splitlines():
        name, _, value = line.partition("=")
        section, _, option = name.partition(".")
        if section != ":env:" and option:
            found[f"PIP_{option.upper().replace('-', '_')}"] = " ".join(ast.literal_eval(value).split())
    return found


def settings_of_uv(settings: dict[str, str]) -> dict[str, str]:
    """What pip is told, for uv, which collects the wheels of the Debian package and looks at none of it."""
    names = {"PIP_INDEX_URL": "UV_DEFAULT_INDEX", "PIP_EXTRA_INDEX_URL": "UV_INDEX", "PIP_FIND_LINKS": "UV_FIND_LINKS"}
    told = {name: settings[of_pip] for of_pip, name in names.items() if of_pip in settings}
    return told | ({"UV_INDEX_STRATEGY": "unsafe-best-match"} if told else {})  # as pip does


if __name__ == "__main__":
    environment = {name: value for name, value in os.environ.items() if HANDED_ON.fullmatch(name)}
    settings = {**pip_settings(), **environment}
    certificates = settings.get("SSL_CERT_FILE") or settings.get("PIP_CERT")
    if certificates:
        settings.setdefault(NODE, certificates)
    settings = {**settings_of_uv(settings), **settings}
    if certificates:
        settings.setdefault("SSL_CERT_FILE", certificates)
    for name, value in settings.items():
        sys.stdout.write(f"{name}={value}\0")
