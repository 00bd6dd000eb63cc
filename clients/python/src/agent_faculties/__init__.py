"""A client of timing-service and memory-service: a sense of time and a shared memory for AI agents."""

from ._answers import AsyncPages, Pages, Response, ServerEvent
from ._around import Recollection
from ._async_clients import AsyncMemoryClient, AsyncTimingClient
from ._clients_gen import MemoryClient, TimingClient
from ._errors import (
    ApiError,
    BadRequestError,
    ConflictError,
    ConnectionError,
    FacultiesError,
    ForbiddenError,
    InternalError,
    InvalidRequestError,
    MisdirectedRequestError,
    NotFoundError,
    PayloadTooLargeError,
    PreconditionFailedError,
    RateLimitError,
    TimeoutError,
    UnauthorizedError,
    UnavailableError,
    UnexpectedAnswerError,
)
from ._request import MEMORY_URL, NULL, TIMING_URL, CallOptions, Runtime
from ._tasks import Task

__all__ = [
    "MEMORY_URL",
    "NULL",
    "TIMING_URL",
    "ApiError",
    "AsyncMemoryClient",
    "AsyncPages",
    "AsyncTimingClient",
    "BadRequestError",
    "CallOptions",
    "ConflictError",
    "ConnectionError",
    "FacultiesError",
    "ForbiddenError",
    "InternalError",
    "InvalidRequestError",
    "MemoryClient",
    "MisdirectedRequestError",
    "NotFoundError",
    "Pages",
    "PayloadTooLargeError",
    "PreconditionFailedError",
    "RateLimitError",
    "Recollection",
    "Response",
    "Runtime",
    "ServerEvent",
    "Task",
    "TimeoutError",
    "TimingClient",
    "UnauthorizedError",
    "UnavailableError",
    "UnexpectedAnswerError",
]
