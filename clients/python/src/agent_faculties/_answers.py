"""What becomes of answers: values, lines, events, pages; the same with and without asyncio."""

from __future__ import annotations

import difflib
import json
import warnings
from collections.abc import AsyncIterator, Generator, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

import httpx

from ._errors import ConnectionError, UnexpectedAnswerError
from ._request import CallOptions, Operation, Settings, json_of

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


def value_of(operation: Operation, response: httpx.Response) -> Any:
    if operation.answers == "text":
        return response.text
    value = object_in(response.content, response)
    if operation.pages is not None and not isinstance(value.get(operation.pages), list):
        raise unexpected(response)
    return value


def object_in(text: str | bytes, response: httpx.Response) -> dict[str, Any]:
    """Raises UnexpectedAnswerError for what is no JSON object."""
    value = parsed(text, response)
    if not isinstance(value, dict):
        raise unexpected(response)
    return value


def parsed(text: str | bytes, response: httpx.Response) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise unexpected(response) from None


def unexpected(response: httpx.Response) -> UnexpectedAnswerError:
    return UnexpectedAnswerError(f"{response.url} answers, and not as the service does: check the address.")


class EventReader:
    """Server-sent events as the HTML standard has them, with data as JSON.

    Raises UnexpectedAnswerError where the answer is no such stream: to connect again would bring the same.
    """

    def __init__(self, response: httpx.Response) -> None:
        if response.headers.get("Content-Type", "").partition(";")[0].strip().lower() != "text/event-stream":
            raise unexpected(response)
        self._response = response
        self._clear()
        self.id = ""
        # Where to go on from: also that of a message that is no event.
        self.last_id: str | None = None

    def _clear(self) -> None:
        self.event = "message"
        self.data: list[str] = []

    def feed(self, line: str) -> ServerEvent | None:
        line = line.rstrip("\r\n")
        if line == "":
            self.last_id = self.id or None
            data = parsed("\n".join(self.data), self._response) if self.data else None
            made = ServerEvent(self.event, data, self.id) if self.data else None
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


class Batch:
    """Gathers lines until they are a batch."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.chars = 0
        self.has_sent = False

    def add(self, line: Line) -> str | None:
        """What to send before this line, where there is enough of it."""
        text = line.strip() if isinstance(line, str) else json_of(line)
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


def added(total: Any, report: Any, sent: int) -> Any:
    """Numbers are added, lists follow one another, and the place of a line moves by what was sent before."""
    if isinstance(report, dict):
        names = {**(total or {}), **report}
        return {name: added((total or {}).get(name), report.get(name), sent) for name in names}
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

    def __init__(self, caller: Any, operation: Operation, given: Given, options: CallOptions | None) -> None:
        self._call = (caller, operation, given, options)
        self.page: P = caller._value(operation, given, options)

    def __iter__(self) -> Iterator[I]:
        caller, operation, given, options = self._call
        page: Any = self.page
        while True:
            yield from page[operation.pages]
            if page.get("next_cursor") is None:
                return
            page = caller._value(operation, {**given, "cursor": page["next_cursor"]}, options)


class AsyncPages(Generic[P, I]):
    """Awaited, the first page; `async for` gives each item of all pages."""

    def __init__(self, caller: Any, operation: Operation, given: Given, options: CallOptions | None) -> None:
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
            if page.get("next_cursor") is None:
                return
            page = await caller._value(operation, {**given, "cursor": page["next_cursor"]}, options)


class CallerBase:
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


def broken(response: httpx.Response, error: httpx.HTTPError) -> ConnectionError:
    broken = ConnectionError(f"{response.url} broke off in the middle: what came is not all.")
    broken.__cause__ = error
    return broken
