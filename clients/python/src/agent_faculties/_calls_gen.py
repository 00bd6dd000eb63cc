"""Generated from _async_calls.py by tools/codegen/generate-sync-python.mjs. Do not change."""

from __future__ import annotations

from collections.abc import Iterator, Iterable
from contextlib import contextmanager
from typing import Any, Self

import httpx

from ._answers import Pages, Batch, CallerBase, EventReader, Given, Line, Response, ServerEvent, added, broken, object_in, unexpected, value_of
from ._errors import ConnectionError, RateLimitError, TimeoutError, UnavailableError
from ._request import Attempt, CallOptions, Operation, Pause, Settings, attempts
from ._waiting import each, sent, sleep


class Caller(CallerBase):
    """Sends requests under asyncio."""

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
        with self._open(operation, given, options, read=True) as response:
            return Response(value_of(operation, response), response.headers)

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
                    self._sleep(step.seconds)
                    step = steps.send(None)
                    continue
                response = None
                try:
                    response = sent(self._http, self._request(step), read, step.timeout)
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

    def _sleep(self, seconds: float) -> None:
        if self._settings.runtime.sleep:
            self._settings.runtime.sleep(seconds)
        else:
            sleep(seconds)

    def _request(self, step: Attempt) -> httpx.Request:
        return self._http.build_request(
            step.method, step.url, headers=step.headers, content=step.content, timeout=step.timeout
        )

    def _value(self, operation: Operation, given: Given, options: CallOptions | None) -> Any:
        with self._open(operation, given, options, read=True) as response:
            return value_of(operation, response)

    def _pages(self, operation: Operation, given: Given, options: CallOptions | None) -> Pages[Any, Any]:
        return Pages(self, operation, given, options)

    def _text_lines(self, response: httpx.Response) -> Iterator[str]:
        """Each line, without its line feed. The lines of httpx end at U+2028 and U+0085 too, which JSON does not escape."""
        if response.status_code == 204:
            raise unexpected(response)
        rest = ""
        try:
            for part in response.iter_text():
                *lines, rest = (rest + part).split("\n")
                for line in lines:
                    yield line
        except httpx.HTTPError as error:
            raise broken(response, error) from error
        # A blank end is no line: it would end an event that broke off.
        if rest:
            yield rest

    def _lines(
        self, operation: Operation, given: Given, options: CallOptions | None
    ) -> Iterator[dict[str, Any]]:
        with self._open(operation, given, options) as response:
            for line in self._text_lines(response):
                if line.strip():
                    yield object_in(line, response)

    def _events(
        self, operation: Operation, given: Given, options: CallOptions | None
    ) -> Iterator[ServerEvent]:
        """Connects again where a stream breaks off, from the last event that came; ends when its reader stops."""
        last = given.get("last_event_id")
        has_begun = False
        while True:
            try:
                with self._open(operation, {**given, "last_event_id": last}, options) as response:
                    reader = EventReader(response)
                    has_begun = True
                    for line in self._text_lines(response):
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
            self._sleep(self._reconnect_pause())

    def _send_lines(
        self, operation: Operation, lines: Iterable[Line], given: Given, options: CallOptions | None
    ) -> Any:
        batch, total, sent = Batch(), None, 0
        plain = Operation(operation.method, operation.path, takes_lines=True, repeatable=operation.repeatable)

        def send(text: str) -> None:
            nonlocal total, sent
            with self._open(plain, given, options, lines=text, read=True) as response:
                total = added(total, value_of(plain, response), sent)
            sent += text.count("\n")

        for line in each(lines):
            text = batch.add(line)
            if text is not None:
                send(text)
        rest = batch.rest()
        if rest is not None:
            send(rest)
        return total
