"""How requests are sent, by httpx with and without asyncio, and what becomes of the answers."""

from __future__ import annotations

import asyncio
import difflib
import inspect
import json
import time
import warnings
from collections.abc import AsyncIterable, AsyncIterator, Generator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Generic, NamedTuple, Self, TypeVar

import httpx

from ._errors import ConnectionError, UnexpectedAnswerError
from ._request import Attempt, CallOptions, Operation, Pause, Settings, attempts

__all__ = [
    "AsyncCaller",
    "AsyncPages",
    "CallOptions",
    "Caller",
    "Line",
    "Operation",
    "Pages",
    "Response",
    "ServerEvent",
]

#: A line of NDJSON, or what becomes one.
Line = str | Mapping[str, Any]

Given = Mapping[str, Any]
P = TypeVar("P")
I = TypeVar("I")

# Of one request: enough to be quick, few enough to be sent again.
_BATCH_LINES = 500
_BATCH_CHARS = 1_000_000
# Between a stream that ended and the next one, at most.
_RECONNECT = 1.0


class ServerEvent(NamedTuple):
    """A message of a stream of server-sent events."""

    event: str
    data: Any
    id: str


class Response(NamedTuple):
    """An answer with its headers, such as ETag."""

    data: Any
    headers: httpx.Headers


def _value(operation: Operation, response: httpx.Response) -> Any:
    if operation.answers == "text":
        return response.text
    try:
        return response.json()
    except ValueError:
        raise UnexpectedAnswerError(
            f"{response.url} answers, and not as the service does: check the address."
        ) from None


class _EventReader:
    """Server-sent events as the HTML standard has them, with data as JSON."""

    def __init__(self) -> None:
        self._clear()
        self.id = ""

    def _clear(self) -> None:
        self.event = "message"
        self.data: list[str] = []

    def feed(self, line: str) -> ServerEvent | None:
        line = line.rstrip("\r\n")
        if line == "":
            made = ServerEvent(self.event, json.loads("\n".join(self.data)), self.id) if self.data else None
            self._clear()
            return made
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self.event = value
        elif name == "data":
            self.data.append(value)
        elif name == "id":
            self.id = value
        return None


class _Batch:
    """Gathers lines until they are a batch."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.chars = 0
        self.has_sent = False

    def add(self, line: Line) -> str | None:
        """What to send before this line, where there is enough of it."""
        text = line.strip() if isinstance(line, str) else json.dumps(line, ensure_ascii=False)
        if text == "":
            return None
        is_full = len(self.lines) >= _BATCH_LINES or self.chars + len(text) > _BATCH_CHARS
        taken = self.take() if is_full and self.lines else None
        self.lines.append(f"{text}\n")
        self.chars += len(text)
        return taken

    def take(self) -> str:
        text = "".join(self.lines)
        self.lines, self.chars, self.has_sent = [], 0, True
        return text

    def rest(self) -> str | None:
        """At least one batch, so that there is a report."""
        return self.take() if self.lines or not self.has_sent else None


def _added(total: Any, report: Any, sent: int) -> Any:
    """Numbers are added, lists follow one another, and the place of a line moves by what was sent before."""
    if isinstance(report, dict):
        names = {**(total or {}), **report}
        return {name: _added((total or {}).get(name), report.get(name), sent) for name in names}
    if isinstance(report, list):
        moved = [
            {name: value + sent if name in ("line", "index") else value for name, value in item.items()}
            for item in report
        ]
        return [*(total or []), *moved]
    if isinstance(report, (int, float)) and not isinstance(report, bool) and total is not None:
        return total + report
    return total if report is None else report


class Pages(Generic[P, I]):
    """The first page as `page`; to iterate is to have each item of all pages."""

    def __init__(self, caller: Caller, operation: Operation, given: Given, options: CallOptions | None) -> None:
        self._call = (caller, operation, given, options)
        self.page: P = caller._value(operation, given, options)

    def __iter__(self) -> Iterator[I]:
        caller, operation, given, options = self._call
        page: Any = self.page
        while True:
            yield from page[operation.pages]
            if page["next_cursor"] is None:
                return
            page = caller._value(operation, {**given, "cursor": page["next_cursor"]}, options)


class AsyncPages(Generic[P, I]):
    """Awaited, the first page; `async for` gives each item of all pages."""

    def __init__(self, caller: AsyncCaller, operation: Operation, given: Given, options: CallOptions | None) -> None:
        self._call = (caller, operation, given, options)

    def __await__(self) -> Generator[Any, None, P]:
        caller, operation, given, options = self._call
        return caller._value(operation, given, options).__await__()

    async def __aiter__(self) -> AsyncIterator[I]:
        caller, operation, given, options = self._call
        page: Any = await self
        while True:
            for item in page[operation.pages]:
                yield item
            if page["next_cursor"] is None:
                return
            page = await caller._value(operation, {**given, "cursor": page["next_cursor"]}, options)


class _Base:
    _operations: Mapping[str, Operation] = {}

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def _operation(self, method: str) -> Operation:
        """Raises TypeError for a name that is no method, and for one whose answer has no value."""
        operation = self._operations.get(method)
        if operation is None:
            like = difflib.get_close_matches(method, self._operations, n=1) or sorted(self._operations)
            raise TypeError(f"There is no operation {method!r}: give the name of a method, such as {like[0]!r}.")
        if operation.answers in ("lines", "events"):
            raise TypeError(f"{method!r} has no answer with headers: it is read piece by piece, so call {method}().")
        return operation

    def _problem(self, error: BaseException) -> None:
        if self._settings.on_problem:
            self._settings.on_problem(error)
        else:
            warnings.warn(str(error), stacklevel=3)

    def _reconnect_pause(self) -> float:
        return _RECONNECT * (0.5 + self._settings.runtime.random() / 2)


def _broken(response: httpx.Response, error: httpx.HTTPError) -> ConnectionError:
    broken = ConnectionError(f"{response.url} broke off in the middle: what came is not all.")
    broken.__cause__ = error
    return broken


class Caller(_Base):
    """Sends requests and waits for them."""

    def __init__(self, settings: Settings, http: httpx.Client | None = None) -> None:
        super().__init__(settings)
        self._http = http or httpx.Client()

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def with_response(self, method: str, **given: Any) -> Response:
        """What the method of this name answers, with the headers of the answer."""
        options = given.pop("options", None)
        operation = self._operation(method)
        with self._open(operation, given, options) as response:
            response.read()
            return Response(_value(operation, response), response.headers)

    @contextmanager
    def _open(
        self, operation: Operation, given: Given, options: CallOptions | None, lines: str | None = None, read: bool = False
    ) -> Iterator[httpx.Response]:
        steps = attempts(self._settings, operation, given, options, lines)
        step = next(steps)
        response: httpx.Response | None = None
        try:
            while True:
                if isinstance(step, Pause):
                    (self._settings.runtime.sleep or time.sleep)(step.seconds)
                    step = steps.send(None)
                    continue
                response = None
                try:
                    response = self._http.send(self._request(step), stream=True)
                    if read or not response.is_success:
                        response.read()
                except httpx.HTTPError as error:
                    step = steps.send(error)
                else:
                    step = steps.send(response)
                    response.close()
        except StopIteration as done:
            try:
                yield done.value
            finally:
                done.value.close()
        finally:
            if response is not None:
                response.close()

    def _request(self, step: Attempt) -> httpx.Request:
        return self._http.build_request(
            step.method, step.url, headers=step.headers, content=step.content, timeout=step.timeout
        )

    def _value(self, operation: Operation, given: Given, options: CallOptions | None) -> Any:
        with self._open(operation, given, options, read=True) as response:
            return _value(operation, response)

    def _pages(self, operation: Operation, given: Given, options: CallOptions | None) -> Pages[Any, Any]:
        return Pages(self, operation, given, options)

    def _text_lines(self, response: httpx.Response) -> Iterator[str]:
        try:
            yield from response.iter_lines()
        except httpx.HTTPError as error:
            raise _broken(response, error) from error

    def _lines(self, operation: Operation, given: Given, options: CallOptions | None) -> Iterator[dict[str, Any]]:
        with self._open(operation, given, options) as response:
            for line in self._text_lines(response):
                if line.strip():
                    yield json.loads(line)

    def _events(self, operation: Operation, given: Given, options: CallOptions | None) -> Iterator[ServerEvent]:
        """Connects again where a stream breaks off, from the last event that came; ends when its reader stops."""
        last = given.get("last_event_id")
        while True:
            reader = _EventReader()
            try:
                with self._open(operation, {**given, "last_event_id": last}, options) as response:
                    for line in self._text_lines(response):
                        event = reader.feed(line)
                        if event:
                            last = event.id or last
                            yield event
            except ConnectionError:
                pass
            (self._settings.runtime.sleep or time.sleep)(self._reconnect_pause())

    def _send_lines(
        self, operation: Operation, lines: Iterable[Line], given: Given, options: CallOptions | None
    ) -> Any:
        batch, total, sent = _Batch(), None, 0
        plain = Operation(operation.method, operation.path, takes_lines=True, repeatable=operation.repeatable)

        def send(text: str) -> None:
            nonlocal total, sent
            with self._open(plain, given, options, lines=text, read=True) as response:
                total = _added(total, _value(plain, response), sent)
            sent += text.count("\n")

        for line in lines:
            text = batch.add(line)
            if text is not None:
                send(text)
        rest = batch.rest()
        if rest is not None:
            send(rest)
        return total


class AsyncCaller(_Base):
    """Sends requests under asyncio."""

    def __init__(self, settings: Settings, http: httpx.AsyncClient | None = None) -> None:
        super().__init__(settings)
        self._http = http or httpx.AsyncClient()

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def with_response(self, method: str, **given: Any) -> Response:
        """What the method of this name answers, with the headers of the answer."""
        options = given.pop("options", None)
        operation = self._operation(method)
        async with self._open(operation, given, options) as response:
            await response.aread()
            return Response(_value(operation, response), response.headers)

    @asynccontextmanager
    async def _open(
        self, operation: Operation, given: Given, options: CallOptions | None, lines: str | None = None, read: bool = False
    ) -> AsyncIterator[httpx.Response]:
        steps = attempts(self._settings, operation, given, options, lines)
        step = next(steps)
        response: httpx.Response | None = None
        try:
            while True:
                if isinstance(step, Pause):
                    await self._sleep(step.seconds)
                    step = steps.send(None)
                    continue
                response = None
                try:
                    response = await self._http.send(self._request(step), stream=True)
                    if read or not response.is_success:
                        await response.aread()
                except httpx.HTTPError as error:
                    step = steps.send(error)
                else:
                    step = steps.send(response)
                    await response.aclose()
        except StopIteration as done:
            try:
                yield done.value
            finally:
                await done.value.aclose()
        finally:
            if response is not None:
                await response.aclose()

    async def _sleep(self, seconds: float) -> None:
        if self._settings.runtime.sleep:
            self._settings.runtime.sleep(seconds)
        else:
            await asyncio.sleep(seconds)

    def _request(self, step: Attempt) -> httpx.Request:
        return self._http.build_request(
            step.method, step.url, headers=step.headers, content=step.content, timeout=step.timeout
        )

    async def _value(self, operation: Operation, given: Given, options: CallOptions | None) -> Any:
        async with self._open(operation, given, options, read=True) as response:
            return _value(operation, response)

    def _pages(self, operation: Operation, given: Given, options: CallOptions | None) -> AsyncPages[Any, Any]:
        return AsyncPages(self, operation, given, options)

    async def _text_lines(self, response: httpx.Response) -> AsyncIterator[str]:
        try:
            async for line in response.aiter_lines():
                yield line
        except httpx.HTTPError as error:
            raise _broken(response, error) from error

    async def _lines(
        self, operation: Operation, given: Given, options: CallOptions | None
    ) -> AsyncIterator[dict[str, Any]]:
        async with self._open(operation, given, options) as response:
            async for line in self._text_lines(response):
                if line.strip():
                    yield json.loads(line)

    async def _events(
        self, operation: Operation, given: Given, options: CallOptions | None
    ) -> AsyncIterator[ServerEvent]:
        """Connects again where a stream breaks off, from the last event that came; ends when its reader stops."""
        last = given.get("last_event_id")
        while True:
            reader = _EventReader()
            try:
                async with self._open(operation, {**given, "last_event_id": last}, options) as response:
                    async for line in self._text_lines(response):
                        event = reader.feed(line)
                        if event:
                            last = event.id or last
                            yield event
            except ConnectionError:
                pass
            await self._sleep(self._reconnect_pause())

    async def _send_lines(
        self, operation: Operation, lines: Iterable[Line] | AsyncIterable[Line], given: Given, options: CallOptions | None
    ) -> Any:
        batch, total, sent = _Batch(), None, 0
        plain = Operation(operation.method, operation.path, takes_lines=True, repeatable=operation.repeatable)

        async def send(text: str) -> None:
            nonlocal total, sent
            async with self._open(plain, given, options, lines=text, read=True) as response:
                total = _added(total, _value(plain, response), sent)
            sent += text.count("\n")

        async for line in _each(lines):
            text = batch.add(line)
            if text is not None:
                await send(text)
        rest = batch.rest()
        if rest is not None:
            await send(rest)
        return total


async def _each(lines: Iterable[Line] | AsyncIterable[Line]) -> AsyncIterator[Line]:
    if isinstance(lines, AsyncIterable):
        async for line in lines:
            yield line
    else:
        for line in lines:
            yield line


async def awaited(value: Any) -> Any:
    """What somebody handed in may be a coroutine or not."""
    return await value if inspect.isawaitable(value) else value
