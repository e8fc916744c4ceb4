"""The speed of a cluster is told for each count of workers."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tests.tournament.cluster_speed import main


@pytest.mark.long
def test_each_count_of_workers_has_its_games_a_second() -> None:
    words = ["easy", "medium", "--games", "4", "--workers", "1", "--workers", "2", "--rules", "beginners"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert [line.split(":")[0] for line in lines] == ["1 workers", "2 workers"]
    assert all(float(line.split()[2]) > 0 for line in lines)
