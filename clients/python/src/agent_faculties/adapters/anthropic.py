"""The files of Anthropic's memory tool (`memory_20250818`) in memory-service.

`MemoryFiles` and `AsyncMemoryFiles` go into `tools` of `client.beta.messages.tool_runner`. A file is a memory, which is recalled
like every other one, and which all agents share. One such object is for one conversation: it keeps in mind which version of a file
its model has seen.
"""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

from .. import AsyncMemoryClient, FacultiesError, MemoryClient
from ._collection import Scope
from ._memory_files import CommandError, MemoryFileCommands
from ._steps import Steps, run, run_async

__all__ = ["AsyncMemoryFiles", "MemoryFiles"]


class _Commands:
    """What a model may ask for. A subclass runs the steps: to a text, or to something that is awaited."""

    _commands: MemoryFileCommands

    def _run(self, steps: Steps[str]) -> Any:
        raise NotImplementedError

    def view(self, command: Any) -> Any:
        return self._run(self._commands.view(*_fields(command, "path", "view_range")))

    def create(self, command: Any) -> Any:
        return self._run(self._commands.create(*_fields(command, "path", "file_text")))

    def str_replace(self, command: Any) -> Any:
        return self._run(self._commands.str_replace(*_fields(command, "path", "old_str", "new_str")))

    def insert(self, command: Any) -> Any:
        return self._run(self._commands.insert(*_fields(command, "path", "insert_line", "insert_text")))

    def delete(self, command: Any) -> Any:
        return self._run(self._commands.delete(*_fields(command, "path")))

    def rename(self, command: Any) -> Any:
        return self._run(self._commands.rename(*_fields(command, "old_path", "new_path")))


class MemoryFiles(_Commands, BetaAbstractMemoryTool):
    """The memory tool over a `MemoryClient`."""

    def __init__(
        self,
        client: MemoryClient,
        *,
        collection: str = "memory-files",
        scope: Scope = "TEAM",
        project: str | None = None,
        cache_control: Any = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client = client
        self._commands = MemoryFileCommands(collection, scope, project)
        # A model may ask for several things at once; they are done in its order.
        self._turn = threading.Lock()

    def _run(self, steps: Steps[str]) -> str:
        try:
            with self._turn:
                return run(self._client, steps)
        except (CommandError, FacultiesError) as error:
            raise ToolError(str(error)) from error


class AsyncMemoryFiles(_Commands, BetaAsyncAbstractMemoryTool):
    """The memory tool over an `AsyncMemoryClient`."""

    def __init__(
        self,
        client: AsyncMemoryClient,
        *,
        collection: str = "memory-files",
        scope: Scope = "TEAM",
        project: str | None = None,
        cache_control: Any = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client = client
        self._commands = MemoryFileCommands(collection, scope, project)
        self._turn = asyncio.Lock()

    async def _run(self, steps: Steps[str]) -> str:
        try:
            async with self._turn:
                return await run_async(self._client, steps)
        except (CommandError, FacultiesError) as error:
            raise ToolError(str(error)) from error


def _fields(command: Any, *names: str) -> list[Any]:
    """A model may leave out what it should give."""
    return [getattr(command, name, None) for name in names]
