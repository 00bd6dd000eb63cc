"""How requests are sent, by httpx. `_calls_gen.py` is made of this file, without asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Self

import httpx

from ._answers import AsyncPages, Batch, CallerBase, EventReader, Given, Line, Response, ServerEvent, added, broken, object_in, unexpected, value_of
from ._errors import ConnectionError, RateLimitError, TimeoutError, UnavailableError
from ._request import Attempt, CallOptions, Operation, Pause, Settings, attempts
from ._waiting import async_each, async_sent, async_sleep


class AsyncCaller(CallerBase):
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
        async with self._open(operation, given, options, read=True) as response:
            return Response(value_of(operation, response), response.headers)

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
                    response = await async_sent(self._http, self._request(step), read, step.timeout)
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
            await async_sleep(seconds)

    def _request(self, step: Attempt) -> httpx.Request:
        return self._http.build_request(
            step.method, step.url, headers=step.headers, content=step.content, timeout=step.timeout
        )

    async def _value(self, operation: Operation, given: Given, options: CallOptions | None) -> Any:
        async with self._open(operation, given, options, read=True) as response:
            return value_of(operation, response)

    def _pages(self, operation: Operation, given: Given, options: CallOptions | None) -> AsyncPages[Any, Any]:
        return AsyncPages(self, operation, given, options)

    async def _text_lines(self, response: httpx.Response) -> AsyncIterator[str]:
        """Each line, without its line feed. The lines of httpx end at U+2028 and U+0085 too, which JSON does not escape."""
        if response.status_code == 204:
            raise unexpected(response)
        rest = ""
        try:
            async for part in response.aiter_text():
                *lines, rest = (rest + part).split("\n")
                for line in lines:
                    yield line
        except httpx.HTTPError as error:
            raise broken(response, error) from error
        # A blank end is no line: it would end an event that broke off.
        if rest:
            yield rest

    async def _lines(
        self, operation: Operation, given: Given, options: CallOptions | None
    ) -> AsyncIterator[dict[str, Any]]:
        async with self._open(operation, given, options) as response:
            async for line in self._text_lines(response):
                if line.strip():
                    yield object_in(line, response)

    async def _events(
        self, operation: Operation, given: Given, options: CallOptions | None
    ) -> AsyncIterator[ServerEvent]:
        """Connects again where a stream breaks off, from the last event that came; ends when its reader stops."""
        last = given.get("last_event_id")
        has_begun = False
        while True:
            try:
                async with self._open(operation, {**given, "last_event_id": last}, options) as response:
                    reader = EventReader(response)
                    has_begun = True
                    async for line in self._text_lines(response):
                        event = reader.feed(line)
                        last = reader.last_id or last
                        if event:
                            yield event
            except ConnectionError:
                pass
            # As while a service starts anew behind a gateway, which answers in its place.
            except (UnavailableError, RateLimitError, TimeoutError):
                if not has_begun:
                    raise
            await self._sleep(self._reconnect_pause())

    async def _send_lines(
        self, operation: Operation, lines: Iterable[Line] | AsyncIterable[Line], given: Given, options: CallOptions | None
    ) -> Any:
        batch, total, sent = Batch(), None, 0
        plain = Operation(operation.method, operation.path, takes_lines=True, repeatable=operation.repeatable)

        async def send(text: str) -> None:
            nonlocal total, sent
            async with self._open(plain, given, options, lines=text, read=True) as response:
                total = added(total, value_of(plain, response), sent)
            sent += text.count("\n")

        async for line in async_each(lines):
            text = batch.add(line)
            if text is not None:
                await send(text)
        rest = batch.rest()
        if rest is not None:
            await send(rest)
        return total
