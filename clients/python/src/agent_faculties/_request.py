"""One request without its sending: address, headers, body, and when it is sent again."""

from __future__ import annotations

import datetime
import email.utils
import json
import random as random_module
import re
import secrets
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, TypedDict
from urllib.parse import quote, urlencode

import httpx

from ._errors import ApiError, ConnectionError, FacultiesError, RateLimitError, TimeoutError, error_of


@dataclass(frozen=True)
class Operation:
    """What the generated tables say of an operation."""

    method: str
    #: With {names} of what the input has.
    path: str
    #: Whether the input goes into a JSON body and not into the query.
    body: bool = False
    takes_lines: bool = False
    #: Fields of the input that are headers, with their names.
    headers: Mapping[str, str] = field(default_factory=dict)
    answers: Literal["json", "text", "lines", "events"] = "json"
    #: The field with the items of a page.
    pages: str | None = None
    #: Whether the same request again does no harm: True, or the field with which it does none. GET does none.
    repeatable: bool | str = False
    #: The field with which it does no harm, and for which the client makes a value where it is absent.
    key: str | None = None


MEMORY_URL = "http://127.0.0.1:7832"
TIMING_URL = "http://127.0.0.1:8080"


class Null(Enum):
    """The type of NULL."""

    NULL = "null"


NULL = Null.NULL
"""Sends null, where None leaves a field out: `memory.update_memory(id=id, valid_until=NULL)` takes an end back."""


class CallOptions(TypedDict, total=False):
    """Of one call; what is None or absent is as the client has it."""

    timeout: float | None
    max_retries: int | None
    agent_id: str | None
    session_id: str | None
    project: str | None
    space: str | None
    traceparent: str | None
    headers: Mapping[str, str] | None


def limited(options: CallOptions | None, seconds: float) -> CallOptions:
    """The options, with this timeout where they name none."""
    options = options or {}
    timeout = options.get("timeout")
    return {**options, "timeout": seconds if timeout is None else timeout}


@dataclass(frozen=True)
class Runtime:
    """What a client has of the world beside HTTP; tests hand in another one."""

    #: 0 to 1, without 1.
    random: Callable[[], float] = random_module.random
    #: Seconds, never backwards.
    monotonic: Callable[[], float] = time.monotonic
    #: Seconds since 1970.
    now: Callable[[], float] = time.time
    #: A fresh key: 32 hexadecimal digits.
    new_key: Callable[[], str] = lambda: secrets.token_hex(16)
    #: In place of time.sleep and asyncio.sleep.
    sleep: Callable[[float], Any] | None = None


@dataclass
class Presence:
    """What the calls of a client know of the service together."""

    #: Whether it has answered since a call has waited for it in vain. Nobody waits for a service that was never there.
    was_there: bool = False


@dataclass(frozen=True)
class Settings:
    url: str
    agent_id: str | None = None
    session_id: str | None = None
    #: Of what is written and asked; none unless given.
    project: str | None = None
    #: The tenant, which no request looks beyond; `default`, or that of the key, unless given.
    space: str | None = None
    key: str | None = None
    timeout: float = 60.0
    max_retries: int = 2
    headers: Mapping[str, str] = field(default_factory=dict)
    traceparent: Callable[[], str | None] | None = None
    on_problem: Callable[[BaseException], None] | None = None
    runtime: Runtime = Runtime()
    presence: Presence = field(default_factory=Presence)


class ClientOptions(TypedDict, total=False):
    """How a client speaks to its service; what is None or absent is as in `Settings`."""

    agent_id: str | None
    session_id: str | None
    project: str | None
    space: str | None
    key: str | None
    timeout: float | None
    max_retries: int | None
    headers: Mapping[str, str] | None
    traceparent: Callable[[], str | None] | None
    on_problem: Callable[[BaseException], None] | None
    runtime: Runtime | None


def settings_of(url: str, options: ClientOptions, http: httpx.Client | httpx.AsyncClient | None) -> Settings:
    """Raises TypeError for an option that there is not, and ValueError for an address that is none."""
    for name in options.keys() - ClientOptions.__annotations__.keys():
        raise TypeError(f"There is no option {name!r}: there are {', '.join(ClientOptions.__annotations__)}.")
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    return Settings(url=_checked_address(url, http.base_url if http else None), **given)


def _checked_address(url: str, base_url: httpx.URL | None) -> str:
    """One without a host is below base_url, that of the httpx client."""
    if not isinstance(url, str) or not re.match(r"/|$|https?://", url, re.IGNORECASE):
        raise ValueError(f"The address must begin with http:// or https://, and is {url!r}.")
    try:
        whole = base_url if url[:1] in ("", "/") else httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError(f"The address {url!r} is none: {error}.") from error
    if not (whole and whole.is_absolute_url):
        raise ValueError(f"The address {url!r} names no host: write one such as {MEMORY_URL}.")
    return url


# Before the first retry, doubled for each further one.
_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 8.0
# How long the pauses of a call are together while a service that has answered before refuses connections: it is being started anew.
_RESTART = 8.0
# So that a service which is back does not wait for long.
_LONGEST_RESTART_PAUSE = 1.0
# Another attempt may be answered otherwise: the body came too slowly, too many at once, a server that is away for now.
_WORTH_ANOTHER_TRY = frozenset({408, 429, 502, 503, 504})


@dataclass(frozen=True)
class Attempt:
    """Send this; the driver answers with a response, its body read where it is an error, or with an exception of httpx."""

    method: str
    url: str
    headers: list[tuple[bytes, bytes]]
    content: bytes | None
    timeout: float


@dataclass(frozen=True)
class Pause:
    """Wait for so many seconds."""

    seconds: float


Outcome = httpx.Response | httpx.HTTPError | None


def attempts(
    settings: Settings,
    operation: Operation,
    given: Mapping[str, Any],
    options: CallOptions | None,
    lines: str | None = None,
) -> Generator[Attempt | Pause, Outcome, httpx.Response]:
    """Says what to do until there is an answer that is 2xx, which it returns. Raises a FacultiesError where there is none."""
    options = options or {}
    for name in options.keys() - CallOptions.__annotations__.keys():
        raise TypeError(f"options has no {name!r}: there are {', '.join(CallOptions.__annotations__)}.")
    call: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    runtime = settings.runtime
    fields = {name: None if value is NULL else value for name, value in given.items() if value is not None}
    if operation.key is not None:
        # One key a call: the same in all its attempts.
        fields.setdefault(operation.key, runtime.new_key())
    url = settings.url.rstrip("/") + _path(operation, fields) + _query(operation, fields)
    content = _content(operation, fields, lines)
    headers = _headers(settings, operation, fields, call, lines)
    timeout = call.get("timeout", settings.timeout)
    retries = call.get("max_retries", settings.max_retries)
    ends_at = runtime.monotonic() + timeout
    attempt = 0
    waited = 0.0
    presence = settings.presence
    while True:
        left = max(ends_at - runtime.monotonic(), 0.001)
        outcome = yield Attempt(operation.method, url, headers, content, left)
        presence.was_there = presence.was_there or isinstance(outcome, httpx.Response)
        if isinstance(outcome, httpx.Response) and outcome.is_success:
            return outcome
        failure, retry_after = _failure(outcome, operation.method, url, timeout, runtime)
        is_refused = isinstance(outcome, httpx.ConnectError)
        awaits_restart = is_refused and presence.was_there and retries > 0
        longest = _LONGEST_RESTART_PAUSE if awaits_restart else _LONGEST_PAUSE
        pause = max(retry_after, _pause_before(attempt, runtime.random(), longest))
        waited += pause
        # A refusal for too many at once, and one to connect, say that nothing was done.
        may_repeat = _is_repeatable(operation, fields) or isinstance(failure, RateLimitError) or is_refused
        is_worth_it = not (isinstance(failure, ApiError) and failure.status not in _WORTH_ANOTHER_TRY)
        is_in_time = not isinstance(failure, TimeoutError) and runtime.monotonic() + pause < ends_at
        is_enough = waited > _RESTART if awaits_restart else attempt >= retries
        if is_enough or not (may_repeat and is_worth_it and is_in_time):
            presence.was_there = presence.was_there and not awaits_restart
            raise failure
        attempt += 1
        yield Pause(pause)


def _failure(
    outcome: Outcome, method: str, url: str, timeout: float, runtime: Runtime
) -> tuple[FacultiesError, float]:
    if isinstance(outcome, httpx.Response):
        error = error_of(outcome.status_code, outcome.headers, outcome.text, f"{method} {url}")
        return error, _retry_after(outcome.headers.get("Retry-After", ""), runtime.now())
    if isinstance(outcome, httpx.TimeoutException):
        failure: FacultiesError = TimeoutError(f"{method} {url} was not answered within {timeout:g} s.")
    else:
        failure = ConnectionError(f"{url} cannot be reached ({outcome}): check the address and whether the service runs.")
    failure.__cause__ = outcome
    return failure, 0.0


def _pause_before(attempt: int, random: float, longest: float) -> float:
    """Equal jitter: half of it is certain, so that a retry never follows at once."""
    return min(longest, _FIRST_PAUSE * 2**attempt) * (0.5 + random / 2)


def _retry_after(value: str, now: float) -> float:
    """Seconds or a date (RFC 9110, 10.2.3)."""
    if re.fullmatch(r"\d+", value):
        return float(value)
    try:
        return max(email.utils.parsedate_to_datetime(value).timestamp() - now, 0.0)
    except ValueError:
        return 0.0


def _is_repeatable(operation: Operation, fields: Mapping[str, Any]) -> bool:
    repeatable = operation.repeatable
    by_field = isinstance(repeatable, str) and repeatable in fields
    return operation.method == "GET" or repeatable is True or operation.key is not None or by_field


_PLACE = re.compile(r"\{(\w+)\}")


def _path(operation: Operation, fields: Mapping[str, Any]) -> str:
    def fill(place: re.Match[str]) -> str:
        value = str(fields.get(place[1], ""))
        if value == "":
            raise ValueError(f"{place[1]} is missing.")
        # An address with such a part is another address.
        if value in (".", ".."):
            raise ValueError(f"{place[1]} must not be {value!r}.")
        return quote(_utf8(value), safe="")

    return _PLACE.sub(fill, operation.path)


def _beside(operation: Operation, fields: Mapping[str, Any]) -> dict[str, Any]:
    in_path = _PLACE.findall(operation.path)
    return {name: value for name, value in fields.items() if name not in in_path and name not in operation.headers}


def _query(operation: Operation, fields: Mapping[str, Any]) -> str:
    if operation.body:
        return ""
    given = {name: _word(name, value) for name, value in _beside(operation, fields).items()}
    return f"?{urlencode(given)}" if given else ""


def _word(name: str, value: Any) -> bytes:
    if isinstance(value, datetime.date):
        return _utf8(json.loads(_field(name, value)))
    return _utf8(str(value).lower() if isinstance(value, bool) else str(value))


def _content(operation: Operation, fields: Mapping[str, Any], lines: str | None) -> bytes | None:
    if lines is not None:
        return _utf8(lines)
    if not operation.body:
        return None
    return _utf8(json_of(_beside(operation, fields)))


def json_of(value: Mapping[str, Any]) -> str:
    """Raises ValueError or TypeError for what JSON cannot say, with the name of its field."""
    return f"{{{', '.join(f'{_dumped(str(name))}: {_field(name, one)}' for name, one in value.items())}}}"


def _field(name: str, value: Any) -> str:
    try:
        return _dumped(value)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def _dumped(value: Any) -> str:
    # NaN and infinity are no JSON: the service would say that the whole body is none.
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_instant)


def _instant(value: Any) -> str:
    """ISO 8601 of a datetime or a date."""
    if isinstance(value, datetime.datetime) and value.tzinfo is None:
        # Python takes it for local time, the services for UTC.
        raise ValueError("a datetime without a time zone; datetime.now(timezone.utc) has one.")
    if isinstance(value, datetime.date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON.")


def _utf8(text: str) -> bytes:
    """Half of a surrogate pair, such as the rest of a cut emoji, is no character: it becomes U+FFFD, as in the services."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _headers(
    settings: Settings, operation: Operation, fields: Mapping[str, Any], call: Mapping[str, Any], lines: str | None
) -> list[tuple[bytes, bytes]]:
    trace = settings.traceparent() if settings.traceparent else None
    named = {
        **settings.headers,
        **call.get("headers", {}),
        "X-Agent-ID": call.get("agent_id", settings.agent_id),
        "X-Session-ID": call.get("session_id", settings.session_id),
        "X-Project": call.get("project", settings.project),
        "X-Space": call.get("space", settings.space),
        "Authorization": f"Bearer {settings.key}" if settings.key else None,
        "traceparent": call.get("traceparent", trace),
        "Content-Type": "application/x-ndjson" if lines is not None else "application/json" if operation.body else None,
        **{header: fields.get(name) for name, header in operation.headers.items()},
    }
    return [(name.encode(), _line(name, str(value))) for name, value in named.items() if value is not None]


def _line(name: str, value: str) -> bytes:
    """As a header holds it."""
    if re.search(r"[\x00\n\v\f\r]", value):
        raise ValueError(f"{name} must be one line, and is {value!r}.")
    return _utf8(value.strip())
