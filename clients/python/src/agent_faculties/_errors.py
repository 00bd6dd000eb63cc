from __future__ import annotations

import builtins
import json
from collections.abc import Mapping
from typing import Any


class FacultiesError(Exception):
    """Whatever a call of a client fails with."""


# As in the client for TypeScript. Each is an error of its name in Python too: nobody sees which of the two an `except` means.
class ConnectionError(FacultiesError, builtins.ConnectionError):  # noqa: A001
    """No answer came: refused, broken off, no such host."""


class TimeoutError(FacultiesError, builtins.TimeoutError):  # noqa: A001
    """No answer came in time. Whether the service did what was asked is not known."""


class UnexpectedAnswerError(FacultiesError):
    """Something answers there, and not as the service does."""


class ApiError(FacultiesError):
    """The service, or the gateway before it, answered with an error. There is a class for each status."""

    def __init__(self, problem: dict[str, Any], headers: Mapping[str, str], asked: str = "") -> None:
        # Method and address, where the address itself is wrong.
        place = f", {asked}" if problem["code"] == "not_found" and asked else ""
        super().__init__(f"{problem['detail']} ({problem['status']} {problem['code']}{place})")
        self.problem = problem
        self.headers = headers
        self.status: int = problem["status"]
        #: Stable, for programs: "unknown_memory".
        self.code: str = problem["code"]
        #: Under which the request is in the log of the service.
        self.request_id: str | None = problem.get("request_id") or headers.get("X-Request-ID")
        #: Every fault of the request and where it is; empty where the service names none.
        self.errors: list[dict[str, str]] = problem.get("errors") or []


class BadRequestError(ApiError):
    pass


class UnauthorizedError(ApiError):
    pass


class ForbiddenError(ApiError):
    pass


class NotFoundError(ApiError):
    pass


class ConflictError(ApiError):
    pass


class PreconditionFailedError(ApiError):
    pass


class PayloadTooLargeError(ApiError):
    pass


class MisdirectedRequestError(ApiError):
    pass


class InvalidRequestError(ApiError):
    pass


class RateLimitError(ApiError):
    pass


class InternalError(ApiError):
    pass


class UnavailableError(ApiError):
    pass


_BY_STATUS: dict[int, type[ApiError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    413: PayloadTooLargeError,
    421: MisdirectedRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
    500: InternalError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}


def error_of(status: int, headers: Mapping[str, str], text: str, asked: str) -> ApiError:
    """The error for an answer that is not 2xx."""
    problem = _problem_of(text) or {"code": "no_problem_document", "detail": text.strip()[:200] or "No text"}
    return _BY_STATUS.get(status, ApiError)({**problem, "status": status}, headers, asked)


def _problem_of(text: str) -> dict[str, Any] | None:
    """What stands between may answer with a page of its own."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    is_problem = isinstance(value, dict) and isinstance(value.get("code"), str) and isinstance(value.get("detail"), str)
    return value if is_problem else None
