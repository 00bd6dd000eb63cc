"""`around` and `task`, beyond the operations. `_clients_gen.py` is made of this file, without asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal, TypeVar, Unpack

import httpx

from . import _memory_gen as memory_gen
from . import _timing_gen as timing_gen
from ._answers import Line
from ._around import AROUND_LIMIT, Message, Recollection, asked_in, check_place, recollection_of, text_of_answer, with_context
from ._errors import NotFoundError, TimeoutError
from ._request import MEMORY_URL, TIMING_URL, CallOptions, ClientOptions, limited, settings_of
from ._tasks import TASK_LIMIT, Task, outcome_of
from ._waiting import async_called, async_shielded

R = TypeVar("R")


class AsyncMemoryClient(memory_gen.AsyncMemoryOperations):
    """A client of memory-service under asyncio. Nothing is sent before the first call."""

    def __init__(
        self,
        url: str = MEMORY_URL,
        *,
        http: httpx.AsyncClient | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        super().__init__(settings_of(url, options, http), http)

    async def merge_lines(
        self,
        lines: Iterable[Line] | AsyncIterable[Line],
        *,
        dry_run: bool = False,
        options: CallOptions | None = None,
    ) -> memory_gen.MergeAnswer:
        """`merge` of lines, however many: what `export_memories` gives can be sent as it comes."""
        return await self._send_lines(memory_gen.OPERATIONS["merge"], lines, {"dry_run": dry_run or None}, options)

    async def around(
        self,
        messages: Sequence[Message],
        answer: Callable[[list[Message], Recollection], R | Awaitable[R]],
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
                recalled = await self.ingest_and_recall(role="user", content=content, **further, options=call)
            except Exception as error:  # noqa: BLE001 - no fault of the memory ends the call of a model
                self._problem(error)
        recollection = recollection_of(recalled)
        result = await async_called(answer(with_context(messages, asked, place, recollection.context), recollection))
        reply = (text_of or text_of_answer)(result)
        if reply and reply.strip():
            try:
                await self.ingest(role="assistant", content=reply, options=call)
            except Exception as error:  # noqa: BLE001
                self._problem(error)
        return result


class AsyncTimingClient(timing_gen.AsyncTimingOperations):
    """A client of timing-service under asyncio. Nothing is sent before the first call."""

    def __init__(
        self,
        url: str = TIMING_URL,
        *,
        http: httpx.AsyncClient | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        super().__init__(settings_of(url, options, http), http)

    @asynccontextmanager
    async def task(
        self,
        task_type: str,
        *,
        estimated_seconds: float | None = None,
        metadata: Any = None,
        options: CallOptions | None = None,
    ) -> AsyncIterator[Task]:
        """Times what stands within: `with timing.task("build"): ...`, under asyncio `async with`. What is raised there is raised on,
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
                await self.start_task(
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
                    await async_shielded(
                        self.end_task(task_type=task_type, correlation_id=correlation_id, outcome=outcome, options=call)
                    )
                except Exception as error:  # noqa: BLE001
                    if is_started or not isinstance(error, NotFoundError):
                        self._problem(error)

    async def with_task(self, task_type: str, work: Callable[[Task], R | Awaitable[R]], **settings: Any) -> R:
        """Runs `work` (under asyncio it may be a coroutine function) as a task of this type."""
        async with self.task(task_type, **settings) as task:
            return await async_called(work(task))
