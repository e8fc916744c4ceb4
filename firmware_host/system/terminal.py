"""Define the type of file arguments and safe output, for all commands.

This module is separate from `printable`, which is also used where click is not installed.
"""

from __future__ import annotations

from pathlib import Path

import click

from firmware_host.system.printable import printable

FILE = click.Path(path_type=Path, dir_okay=False)
"""The type of an argument or option that names a file."""


def echo(*lines: str, err: bool = False) -> None:
    """Print lines, with unsafe characters (such as in file names) escaped.

    Args:
        lines: the lines.
        err: whether to print on standard error.
    """
    for line in lines:
        click.echo(printable(line), err=err)
