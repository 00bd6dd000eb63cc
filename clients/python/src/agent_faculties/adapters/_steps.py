"""What an adapter does, written once and driven with and without asyncio.

A generator yields the calls that it makes and is sent their answers, or has what they raised thrown in.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple, TypeVar

from .. import AsyncMemoryClient, MemoryClient
from .._answers import Response

T = TypeVar("T")


class Call(NamedTuple):
    """A method of the client, by its name, and what it is given."""

    method: str
    given: dict[str, Any]


Steps = Generator[Call, Response, T]


def run(client: MemoryClient, steps: Steps[T]) -> T:
    try:
        call = next(steps)
        while True:
            try:
                answer = client.with_response(call.method, **call.given)
            except Exception as error:  # noqa: BLE001 - the steps decide what it means
                call = steps.throw(error)
            else:
                call = steps.send(answer)
    except StopIteration as done:
        return done.value


async def run_async(client: AsyncMemoryClient, steps: Steps[T]) -> T:
    try:
        call = next(steps)
        while True:
            try:
                answer = await client.with_response(call.method, **call.given)
            except Exception as error:  # noqa: BLE001
                call = steps.throw(error)
            else:
                call = steps.send(answer)
    except StopIteration as done:
        return done.value
