"""Try many faulty inputs, and print a table of the results.

python -m tests.proofs.fuzz [TARGET ...] [--inputs N] [--seed N]
"""

from __future__ import annotations

import click

from tests.proofs.fuzz.target import Found, tried
from tests.proofs.fuzz.targets import TARGETS


@click.command()
@click.argument("names", metavar="[TARGET]...", nargs=-1, type=click.Choice(list(TARGETS)))
@click.option("--inputs", "count", type=click.IntRange(1), default=100_000, show_default=True, help="Of each target.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of all chance.")
def main(names: tuple[str, ...], count: int, seed: int) -> None:
    """Damage good inputs at random, and try them."""
    click.echo(f"{'target':10} {'inputs':>8} {'taken':>8} {'refused':>8} {'slowest':>10} {'CPU':>8}")
    for name in names or TARGETS:
        try:
            tally = tried(TARGETS[name], count, seed)
        except Found as found:
            raise click.ClickException(str(found)) from found
        click.echo(
            f"{name:10} {tally.inputs:8} {tally.taken:8} {tally.inputs - tally.taken:8} "
            f"{1000 * tally.slowest:7.0f} ms {tally.seconds:6.0f} s"
        )


if __name__ == "__main__":
    main()
