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
    # TimeoutError, subprocess.TimeoutExpired, httpx.ReadTimeout, APITimeoutError of OpenAI and Anthropic.
    if any("Timeout" in kind.__name__ for kind in type(error).__mro__):
        return "timeout"
    return "cancelled" if isinstance(error, _BROKEN_OFF) else "error"


# The last one where the reader of a generator stops.
_BROKEN_OFF = (asyncio.CancelledError, KeyboardInterrupt, GeneratorExit)
