"""Where waiting differs: each name with `async_` before it is for asyncio. `_calls_gen.py` and `_clients_gen.py` have the others."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterable, AsyncIterator, Iterable
from typing import Any, TypeVar

T = TypeVar("T")

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
