"""Define what all commands share: file arguments, output without control characters, errors of a command line.

This module is separate from `printable`, which is also used where click is not installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from firmware_host.system.printable import printable


class _FilePath(click.Path):
    """The path of a file, which is refused if it ends in a slash like a folder's."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and value.endswith("/"):
            self.fail(f"File {value!r} is a directory.", param, ctx)
        return super().convert(value, param, ctx)


FILE = _FilePath(path_type=Path, dir_okay=False)
"""The type of an argument or option that names a file."""


def echo(*lines: str, err: bool = False) -> None:
    """Print lines, with unsafe characters (such as in file names) escaped.

    Args:
        lines: the lines.
        err: whether to print on standard error.
    """
    for line in lines:
        click.echo(printable(line), err=err)


def describe_usage_error(error: click.UsageError) -> str:
    """Return what is wrong with a command line and what would be right, in the words of all other errors."""
    said, command = error.format_message(), error.ctx.command if error.ctx else None
    if error.ctx and isinstance(command, click.Group) and (found := re.match(r"No such command '(.+?)'\.", said)):
        return f"{found[1]}: there is no such command; {_guess(found[1], command.list_commands(error.ctx))}"
    if isinstance(error, click.NoSuchOption) and command:
        options = [name for option in command.params for name in (*option.opts, *option.secondary_opts)]
        return f"{error.option_name}: there is no such option; {_guess(error.option_name, options, '-')}"
    if found := re.fullmatch(r"Got unexpected extra arguments? \((.+)\)", said):
        return f"{found[1]}: one argument too many; leave it out"
    if found := re.fullmatch(r"Option '(.+)' requires (?:an argument|(\d+) arguments)\.", said):
        return f"{found[1]}: its value is missing; write {f'{found[2]} numbers' if found[2] else 'it'} after {found[1]}"
    if found := re.fullmatch(r"Option '(.+)' does not take a value\.", said):
        return f"{found[1]}: takes no value; write {found[1]} alone"
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _describe_bad_parameter(error, error.param)
    return said


def _describe_bad_parameter(error: click.BadParameter, parameter: click.Parameter) -> str:
    context = error.ctx or click.Context(click.Command(None))
    name = parameter.opts[-1] if isinstance(parameter, click.Option) else parameter.human_readable_name
    if isinstance(error, click.MissingParameter):
        words = (context.command_path, *context.command.collect_usage_pieces(context))
        if isinstance(parameter, click.Option):
            words = (name, parameter.metavar or parameter.type.name.upper())
        return f"{name}: is missing; write {' '.join(words)}"
    if found := re.fullmatch(r"(?:File|Directory) (.+) is a (directory|file)\.", error.message):
        return f"{name}: {found[1]} is a {'folder; name a file' if found[2] == 'directory' else 'file; name a folder'}"
    value, kind = error.message.partition(" is not ")[0], parameter.type
    if found := re.search(r" is not (?:a valid (integer|float)|in the range)", error.message):
        whole = found[1] == "integer" or isinstance(kind, click.types.IntParamType)
        right = "a whole number" if whole else "a number"
        low, high = getattr(kind, "min", None), getattr(kind, "max", None)
        if low is not None:
            right += f" from {low:g}" + (f" to {high:g}" if high is not None else " up")
        return f"{name}: {value} is not {right}"
    return f"{name}: {error.message.rstrip('.')}"


def _guess(word: str, known: Iterable[str], begins: str = "") -> str:
    """Suggest which known name was meant, or list them. Only names that start with `begins` count."""
    names = [name for name in known if name.startswith(begins)]
    near = get_close_matches(word, names, 1)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"
