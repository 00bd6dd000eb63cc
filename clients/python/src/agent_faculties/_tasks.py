"""Tasks, and how what ends them is recorded."""

from __future__ import annotations

import asyncio
import subprocess
from typing import NamedTuple

import httpx

from . import _timing_gen as timing_gen

# Of what is said of a task: nobody waits longer for it.
TASK_LIMIT = 2.0


class Task(NamedTuple):
    """A task that runs."""

    correlation_id: str


def outcome_of(error: BaseException) -> timing_gen.Outcome:
    if isinstance(error, _TIMED_OUT):
        return "timeout"
    return "cancelled" if isinstance(error, _BROKEN_OFF) else "error"


# asyncio.TimeoutError, socket.timeout and that of concurrent.futures are the first one since Python 3.11.
_TIMED_OUT = (TimeoutError, subprocess.TimeoutExpired, httpx.TimeoutException)
# The last one where the reader of a generator stops.
_BROKEN_OFF = (asyncio.CancelledError, KeyboardInterrupt, GeneratorExit)
