"""Define the command `bench`, which measures how fast this machine runs the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

from firmware_host.web import missing_package


@click.command()
@click.option("--quick", is_flag=True, help="Fewer rounds: rough figures in a few seconds.")
@click.option("--drivers", is_flag=True, help="What the drivers of real boards cost, instead.")
@click.option("--web", is_flag=True, help="What people who look on in browsers cost the table, instead.")
def bench(quick: bool, drivers: bool, web: bool) -> None:
    """Measure how fast this machine runs the table.

    Games a second, microseconds a pass, memory, and the rest of the tables in docs/performance.md.
    """
    from firmware_host.bench import driver_bench  # noqa: PLC0415 - not for the help
    from firmware_host.bench import report as table_bench  # noqa: PLC0415

    if drivers and web:
        raise click.UsageError("--drivers and --web: only one of them; leave one out", click.get_current_context())
    table: Callable[..., Iterable[str]] = driver_bench.table if drivers else table_bench.table
    if web:
        try:
            from firmware_host.bench import web_bench  # noqa: PLC0415 - needs the web's packages
        except ModuleNotFoundError as error:
            raise click.ClickException(missing_package(error)) from None
        table = web_bench.table
    for line in table(quick=quick):
        click.echo(line)


COMMANDS = (bench,)
