"""Begin a game of the installed package at a simulated table, and leave it in its third round."""

from __future__ import annotations

import random
import sys
from contextlib import closing
from pathlib import Path

from firmware_host.config.loader import load
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.simulator.simulated_table import SimulatedTable

config = load(Path("/etc/yardboard/table.toml"))
with closing(SimulatedTable(config, seed=4, journal=Path(sys.argv[1]))) as table:
    table.new_game(detectives=4)
    people = SimulatedPeople(table, random.Random(4))
    people.set_up()
    while table.public.round < 3:
        people.play()
