"""Tasks, and how what ends them is recorded."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from . import _timing_gen as timing_gen

# Of what is said of a task: nobody waits longer for it.
TASK_LIMIT = 2.0


class Task(NamedTuple):
    """A task that runs."""

    correlation_id: str


def outcome_of(error: BaseException) -> timing_gen.Outcome:
    # asyncio.TimeoutError and socket.timeout are the same class since Python 3.11.
    if isinstance(error, TimeoutError):
        return "timeout"
    return "cancelled" if isinstance(error, (asyncio.CancelledError, KeyboardInterrupt)) else "error"
