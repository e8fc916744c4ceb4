"""What may wait for a disk is done beside the loop, in order, and nothing of it is lost."""

from __future__ import annotations

from pathlib import Path
from threading import Event, current_thread

import pytest

from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.system.files import Background
from firmware_host.table.inputs import STUCK_SWITCHES_FILE, StuckSwitchFile

LONG = 60.0
"""Seconds after which something that never comes is given up."""


def test_tasks_are_carried_out_in_order_on_a_thread_of_their_own_and_all_before_the_end() -> None:
    let, done = Event(), list[object]()
    background = Background("files")
    background(lambda: let.wait(LONG))
    background(lambda: done.append(current_thread().name))
    background(lambda: done.append(2))
    assert done == []
    let.set()
    background.close()
    assert done == ["files", 2]


def test_the_failure_of_a_task_is_raised_by_a_check_and_the_other_tasks_run() -> None:
    failed, done = Event(), list[int]()
    background = Background("files")
    background(lambda: 1 // 0)
    background(failed.set)
    assert failed.wait(LONG)
    background(lambda: done.append(1))  # another caller, who is not to blame
    with pytest.raises(ZeroDivisionError):
        background.check()
    background.check()
    background.close()
    assert done == [1]


def test_no_failure_is_lost_when_several_tasks_fail() -> None:
    background = Background("files")
    background(lambda: 1 // 0)
    background(lambda: {}["missing"])
    with pytest.raises(ExceptionGroup, match="2 tasks of the thread 'files' failed") as caught:
        background.close()
    assert [type(error) for error in caught.value.exceptions] == [ZeroDivisionError, KeyError]


def test_switches_out_of_order_are_kept_when_the_disk_gets_round_to_it(tmp_path: Path) -> None:
    tasks = list[object]()
    file = StuckSwitchFile(tmp_path / STUCK_SWITCHES_FILE, "london", tasks.append)
    file.write(SwitchRegister.of({57: True}, {57: 1}))
    file.write(SwitchRegister.of({57: True, 3: False}, {57: 1, 3: 2}))
    assert file.read(199) == SwitchRegister()
    for task in tasks:
        assert callable(task)
        task()
    assert file.read(199) == SwitchRegister.of({57: True, 3: False}, {57: 1, 3: 2})
