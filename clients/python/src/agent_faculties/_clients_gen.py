"""Generated from _async_clients.py by tools/codegen/generate-sync-python.mjs. Do not change."""

from __future__ import annotations

from collections.abc import Iterator, Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeVar, Unpack

import httpx

from . import _memory_gen as memory_gen
from . import _timing_gen as timing_gen
from ._answers import Line
from ._around import AROUND_LIMIT, Message, Recollection, asked_in, check_place, recollection_of, text_of_answer, with_context
from ._errors import NotFoundError, TimeoutError
from ._request import MEMORY_URL, TIMING_URL, CallOptions, ClientOptions, limited, settings_of
from ._tasks import TASK_LIMIT, Task, outcome_of
from ._waiting import called, shielded

R = TypeVar("R")


class MemoryClient(memory_gen.MemoryOperations):
    """A client of memory-service. Nothing is sent before the first call."""

    def __init__(
        self,
        url: str = MEMORY_URL,
        *,
        http: httpx.Client | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        super().__init__(settings_of(url, options, http), http)

    def merge_lines(
        self,
        lines: Iterable[Line],
        *,
        dry_run: bool = False,
        options: CallOptions | None = None,
    ) -> memory_gen.MergeAnswer:
        """`merge` of lines, however many: what `export_memories` gives can be sent as it comes."""
        return self._send_lines(memory_gen.OPERATIONS["merge"], lines, {"dry_run": dry_run or None}, options)

    def around(
        self,
        messages: Sequence[Message],
        answer: Callable[[list[Message], Recollection], R],
        *,
        place: Literal["system", "user"] = "system",
        recall: Mapping[str, Any] | None = None,
        text_of: Callable[[Any], str | None] | None = None,
        options: CallOptions | None = None,
    ) -> R:
        """Recalls what the last message of the user is about, hands the messages with that context to `answer` (under asyncio it
        may be a coroutine function), and stores both the message and what was answered. A memory-service that is away costs the
        context and nothing else: `on_problem` is told. What `answer` raises is raised on.
        """
        check_place(place)
        call = limited(options, min(AROUND_LIMIT, self._settings.timeout))
        asked, content, name = asked_in(messages)
        recalled: Any = None
        if content.strip():
            try:
                further = {**(recall or {}), **({"name": name} if name is not None else {})}
                recalled = self.ingest_and_recall(role="user", content=content, **further, options=call)
            except Exception as error:  # noqa: BLE001 - no fault of the memory ends the call of a model
                self._problem(error)
        recollection = recollection_of(recalled)
        result = called(answer(with_context(messages, asked, place, recollection.context), recollection))
        reply = (text_of or text_of_answer)(result)
        if reply and reply.strip():
            try:
                self.ingest(role="assistant", content=reply, options=call)
            except Exception as error:  # noqa: BLE001
                self._problem(error)
        return result


class TimingClient(timing_gen.TimingOperations):
    """A client of timing-service. Nothing is sent before the first call."""

    def __init__(
        self,
        url: str = TIMING_URL,
        *,
        http: httpx.Client | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        super().__init__(settings_of(url, options, http), http)

    @contextmanager
    def task(
        self,
        task_type: str,
        *,
        estimated_seconds: float | None = None,
        metadata: Any = None,
        options: CallOptions | None = None,
    ) -> Iterator[Task]:
        """Times what stands within: `with timing.task("build"): ...`, under asyncio `with`. What is raised there is raised on,
        and recorded: as `timeout`, as `cancelled` (a keyboard interrupt, or what asyncio cancels), else as `error`. A service that
        is away changes nothing. The options are those of each report, its start and its end.
        """
        call = limited(options, min(TASK_LIMIT, self._settings.timeout))
        correlation_id = self._settings.runtime.new_key()
        # None: not known, where the work ends before the service has answered, or the service does not answer in time.
        is_started: bool | None = None
        outcome: timing_gen.Outcome = "ok"
        try:
            try:
                self.start_task(
                    task_type=task_type,
                    correlation_id=correlation_id,
                    estimated_seconds=estimated_seconds,
                    metadata=metadata,
                    options=call,
                )
                is_started = True
            except Exception as error:  # noqa: BLE001 - no fault of the service ends the work
                is_started = None if isinstance(error, TimeoutError) else False
                self._problem(error)
            yield Task(correlation_id)
        except BaseException as error:
            outcome = outcome_of(error)
            raise
        finally:
            if is_started is not False:
                try:
                    shielded(
                        self.end_task(task_type=task_type, correlation_id=correlation_id, outcome=outcome, options=call)
                    )
                except Exception as error:  # noqa: BLE001
                    if is_started or not isinstance(error, NotFoundError):
                        self._problem(error)

    def with_task(self, task_type: str, work: Callable[[Task], R], **settings: Any) -> R:
        """Runs `work` (under asyncio it may be a coroutine function) as a task of this type."""
        with self.task(task_type, **settings) as task:
            return called(work(task))
