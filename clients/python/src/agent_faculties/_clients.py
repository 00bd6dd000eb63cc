from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Literal, NamedTuple, TypeVar

import httpx

from . import _memory_gen as memory_gen
from . import _timing_gen as timing_gen
from ._calls import Line, awaited
from ._request import CallOptions, Runtime, Settings

MEMORY_URL = "http://127.0.0.1:7832"
TIMING_URL = "http://127.0.0.1:8080"

R = TypeVar("R")
Message = Mapping[str, Any]

# Enough for a recall, and no more than a person notices.
_AROUND_LIMIT = 5.0
# Of what is said of a task: nobody waits longer for it.
_TASK_LIMIT = 2.0


class Recollection(NamedTuple):
    """What a call of a model gets beside its messages."""

    #: Ready to be put before a prompt, and put there already; empty where nothing is known.
    context: str
    memories: list[memory_gen.RecalledMemory]


class Task(NamedTuple):
    """A task that runs."""

    correlation_id: str


def _settings(url: str, options: Mapping[str, Any]) -> Settings:
    return Settings(url=url, **{name: value for name, value in options.items() if value is not None})


class MemoryClient(memory_gen.MemoryOperations):
    """A client of memory-service. Nothing is sent before the first call."""

    def __init__(
        self,
        url: str = MEMORY_URL,
        *,
        agent_id: str | None = None,
        session_id: str | None = None,
        project: str | None = None,
        key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        headers: Mapping[str, str] | None = None,
        traceparent: Callable[[], str | None] | None = None,
        on_problem: Callable[[BaseException], None] | None = None,
        runtime: Runtime | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        options = {**locals()}
        super().__init__(_settings(url, _known(options)), http)

    def merge_lines(
        self, lines: Iterable[Line], *, dry_run: bool = False, options: CallOptions | None = None
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
        """Recalls what the last message of the user is about, hands the messages with that context to `answer`, and stores
        both the message and what was answered. A memory-service that is away costs the context and nothing else:
        `on_problem` is told. What `answer` raises is raised on.
        """
        call: CallOptions = {"timeout": _AROUND_LIMIT, **(options or {})}
        asked, content, name = _asked(messages)
        recalled: Any = None
        if content.strip():
            try:
                recalled = self.ingest_and_recall(role="user", content=content, name=name, **(recall or {}), options=call)
            except Exception as error:  # noqa: BLE001 - no fault of the memory ends the call of a model
                self._problem(error)
        recollection = _recollection(recalled)
        result = answer(_with_context(messages, asked, place, recollection.context), recollection)
        reply = (text_of or _text_of_answer)(result)
        if reply and reply.strip():
            try:
                self.ingest(role="assistant", content=reply, options=call)
            except Exception as error:  # noqa: BLE001
                self._problem(error)
        return result


class AsyncMemoryClient(memory_gen.AsyncMemoryOperations):
    """A client of memory-service under asyncio. Nothing is sent before the first call."""

    def __init__(
        self,
        url: str = MEMORY_URL,
        *,
        agent_id: str | None = None,
        session_id: str | None = None,
        project: str | None = None,
        key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        headers: Mapping[str, str] | None = None,
        traceparent: Callable[[], str | None] | None = None,
        on_problem: Callable[[BaseException], None] | None = None,
        runtime: Runtime | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        options = {**locals()}
        super().__init__(_settings(url, _known(options)), http)

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
        """As `MemoryClient.around`; `answer` may be a coroutine function."""
        call: CallOptions = {"timeout": _AROUND_LIMIT, **(options or {})}
        asked, content, name = _asked(messages)
        recalled: Any = None
        if content.strip():
            try:
                recalled = await self.ingest_and_recall(
                    role="user", content=content, name=name, **(recall or {}), options=call
                )
            except Exception as error:  # noqa: BLE001
                self._problem(error)
        recollection = _recollection(recalled)
        result = await awaited(answer(_with_context(messages, asked, place, recollection.context), recollection))
        reply = (text_of or _text_of_answer)(result)
        if reply and reply.strip():
            try:
                await self.ingest(role="assistant", content=reply, options=call)
            except Exception as error:  # noqa: BLE001
                self._problem(error)
        return result


class TimingClient(timing_gen.TimingOperations):
    """A client of timing-service. Nothing is sent before the first call."""

    def __init__(
        self,
        url: str = TIMING_URL,
        *,
        agent_id: str | None = None,
        session_id: str | None = None,
        project: str | None = None,
        key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        headers: Mapping[str, str] | None = None,
        traceparent: Callable[[], str | None] | None = None,
        on_problem: Callable[[BaseException], None] | None = None,
        runtime: Runtime | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        options = {**locals()}
        super().__init__(_settings(url, _known(options)), http)

    @contextmanager
    def task(
        self, task_type: str, *, estimated_seconds: float | None = None, metadata: Any = None
    ) -> Iterator[Task]:
        """Times what stands within: `with timing.task("build"): ...`. What is raised there is raised on, and recorded: as
        `timeout`, as `cancelled` (a keyboard interrupt), else as `error`. A service that is away changes nothing.
        """
        call: CallOptions = {"timeout": _TASK_LIMIT}
        correlation_id = self._settings.runtime.new_key()
        is_started = True
        try:
            self.start_task(
                task_type=task_type,
                correlation_id=correlation_id,
                estimated_seconds=estimated_seconds,
                metadata=metadata,
                options=call,
            )
        except Exception as error:  # noqa: BLE001 - no fault of the service ends the work
            is_started = False
            self._problem(error)
        outcome: timing_gen.Outcome = "ok"
        try:
            yield Task(correlation_id)
        except BaseException as error:
            outcome = _outcome(error)
            raise
        finally:
            if is_started:
                try:
                    self.end_task(task_type=task_type, correlation_id=correlation_id, outcome=outcome, options=call)
                except Exception as error:  # noqa: BLE001
                    self._problem(error)

    def with_task(self, task_type: str, work: Callable[[Task], R], **settings: Any) -> R:
        """Runs `work` as a task of this type."""
        with self.task(task_type, **settings) as task:
            return work(task)


class AsyncTimingClient(timing_gen.AsyncTimingOperations):
    """A client of timing-service under asyncio. Nothing is sent before the first call."""

    def __init__(
        self,
        url: str = TIMING_URL,
        *,
        agent_id: str | None = None,
        session_id: str | None = None,
        project: str | None = None,
        key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        headers: Mapping[str, str] | None = None,
        traceparent: Callable[[], str | None] | None = None,
        on_problem: Callable[[BaseException], None] | None = None,
        runtime: Runtime | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        options = {**locals()}
        super().__init__(_settings(url, _known(options)), http)

    @asynccontextmanager
    async def task(
        self, task_type: str, *, estimated_seconds: float | None = None, metadata: Any = None
    ) -> AsyncIterator[Task]:
        """As `TimingClient.task`; what asyncio cancels is recorded as `cancelled`."""
        call: CallOptions = {"timeout": _TASK_LIMIT}
        correlation_id = self._settings.runtime.new_key()
        is_started = True
        try:
            await self.start_task(
                task_type=task_type,
                correlation_id=correlation_id,
                estimated_seconds=estimated_seconds,
                metadata=metadata,
                options=call,
            )
        except Exception as error:  # noqa: BLE001
            is_started = False
            self._problem(error)
        outcome: timing_gen.Outcome = "ok"
        try:
            yield Task(correlation_id)
        except BaseException as error:
            outcome = _outcome(error)
            raise
        finally:
            if is_started:
                try:
                    # A work that was cancelled has still ended.
                    await asyncio.shield(
                        self.end_task(task_type=task_type, correlation_id=correlation_id, outcome=outcome, options=call)
                    )
                except Exception as error:  # noqa: BLE001
                    self._problem(error)

    async def with_task(self, task_type: str, work: Callable[[Task], R | Awaitable[R]], **settings: Any) -> R:
        """Runs `work`, which may be a coroutine function, as a task of this type."""
        async with self.task(task_type, **settings) as task:
            return await awaited(work(task))


def _known(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a client out of the locals of its constructor."""
    return {name: value for name, value in options.items() if name in _SETTING_NAMES}


_SETTING_NAMES = frozenset(Settings.__dataclass_fields__) - {"url"}


def _outcome(error: BaseException) -> timing_gen.Outcome:
    # asyncio.TimeoutError and socket.timeout are the same class since Python 3.11.
    if isinstance(error, TimeoutError):
        return "timeout"
    return "cancelled" if isinstance(error, (asyncio.CancelledError, KeyboardInterrupt)) else "error"


def _asked(messages: Sequence[Message]) -> tuple[int, str, str | None]:
    """Where the last message of the user is, its text, and who spoke."""
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if message.get("role") == "user":
            return index, _text_of_content(message.get("content")), message.get("name")
    return -1, "", None


def _recollection(recalled: Any) -> Recollection:
    return Recollection(recalled["context"], recalled["memories"]) if recalled else Recollection("", [])


def _with_context(messages: Sequence[Message], asked: int, place: str, context: str) -> list[Message]:
    if context == "":
        return list(messages)
    if place == "system":
        return [*messages[:asked], {"role": "system", "content": context}, *messages[asked:]]
    message = messages[asked]
    content = message["content"]
    before = [{"type": "text", "text": context}, *content] if isinstance(content, list) else f"{context}\n\n{content}"
    return [*messages[:asked], {**message, "content": before}, *messages[asked + 1 :]]


def _text_of_content(content: Any) -> str:
    """Of parts, those that are text."""
    if isinstance(content, str):
        return content
    texts = [_field(part, "text") for part in content] if isinstance(content, list) else []
    return "\n".join(text for text in texts if isinstance(text, str))


def _text_of_answer(answer: Any) -> str | None:
    if isinstance(answer, str):
        return answer
    for name in ("output_text", "text"):
        text = _field(answer, name)
        if isinstance(text, str):
            return text
    return _text_of_content(_field(answer, "content")) or None


def _field(value: Any, name: str) -> Any:
    """Of a dict, or of an object of a library."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
