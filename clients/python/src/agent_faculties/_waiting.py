"""Where waiting differs: each name with `async_` before it is for asyncio. `_calls_gen.py` and `_clients_gen.py` have the others."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, TypeVar

import httpx

T = TypeVar("T")

# Where a response comes a few bytes at a time; httpx bounds the wait for each part alone.
_TOO_SLOW = "The whole answer took too long"
# Seconds without a byte after which a stream counts as broken off, at least; one of events has a heartbeat each 15 s.
_SILENCE = 60.0

sleep = time.sleep
async_sleep = asyncio.sleep

#: A cancelled piece of work has still ended, and that is told all the same.
async_shielded = asyncio.shield


def shielded(value: T) -> T:
    return value


def each(items: Iterable[T]) -> Iterable[T]:
    return items


async def async_each(items: Iterable[T] | AsyncIterable[T]) -> AsyncIterator[T]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item


def called(value: T) -> T:
    return value


async def async_called(value: Any) -> Any:
    """What somebody handed in may be a coroutine function or not."""
    return await value if inspect.isawaitable(value) else value


def sent(http: httpx.Client, request: httpx.Request, read: bool, seconds: float) -> httpx.Response:
    """The response, its body read where `read` says so or it is an error. The time is for all of it; of a stream, until it begins."""
    ends_at = time.monotonic() + seconds
    response = http.send(request, stream=True)
    if read or not response.is_success:
        try:
            assert isinstance(response.stream, httpx.SyncByteStream)
            response.stream = _Bounded(response.stream, request, ends_at)
            response.read()
        except BaseException:
            response.close()
            raise
    else:
        _await_parts(request, seconds)
    return response


async def async_sent(http: httpx.AsyncClient, request: httpx.Request, read: bool, seconds: float) -> httpx.Response:
    try:
        async with asyncio.timeout(seconds):
            response = await http.send(request, stream=True)
            if read or not response.is_success:
                try:
                    await response.aread()
                except BaseException:
                    await response.aclose()
                    raise
            else:
                _await_parts(request, seconds)
            return response
    except TimeoutError as error:
        raise httpx.ReadTimeout(_TOO_SLOW, request=request) from error


def _await_parts(request: httpx.Request, seconds: float) -> None:
    """A stream may pause for longer than the call waits for its beginning; httpx looks here before each part."""
    request.extensions["timeout"]["read"] = max(seconds, _SILENCE)


class _Bounded(httpx.SyncByteStream):
    """A body that ends with an error once its time is over: without asyncio nothing looks at the clock between its parts."""

    def __init__(self, stream: httpx.SyncByteStream, request: httpx.Request, ends_at: float) -> None:
        self._stream, self._request, self._ends_at = stream, request, ends_at

    def __iter__(self) -> Iterator[bytes]:
        for part in self._stream:
            if time.monotonic() > self._ends_at:
                raise httpx.ReadTimeout(_TOO_SLOW, request=self._request)
            yield part

    def close(self) -> None:
        self._stream.close()
