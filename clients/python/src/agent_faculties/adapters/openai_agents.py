"""The tools of both services for an agent of the OpenAI Agents SDK: `Agent(tools=await faculty_tools(agent_id="planner"))`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx
from agents import FunctionTool, Tool

from .. import MEMORY_URL, TIMING_URL, FacultiesError

__all__ = ["faculty_tools"]

_ACCEPT = {b"Accept": b"application/json, text/event-stream"}


async def faculty_tools(
    *,
    memory_url: str | None = MEMORY_URL,
    timing_url: str | None = TIMING_URL,
    agent_id: str | None = None,
    session_id: str | None = None,
    project: str | None = None,
    space: str | None = None,
    key: str | None = None,
    only: Sequence[str] | None = None,
    timeout: float = 30.0,
) -> list[Tool]:
    """Reads which tools the services have: `memory_recall`, `timing_expect` ... An address of None leaves a service out.

    `only` are the names of those that are wanted, `timeout` is that of one call in seconds. Raises FacultiesError when a service is
    away; a call of a tool raises nothing, but tells the model what to do.
    """
    named = {
        "X-Agent-ID": agent_id,
        "X-Session-ID": session_id,
        "X-Project": project,
        "X-Space": space,
        "Authorization": f"Bearer {key}" if key else None,
    }
    headers = {name.encode(): value.encode() for name, value in named.items() if value is not None}
    tools: list[FunctionTool] = []
    for service, url in (("memory", memory_url), ("timing", timing_url)):
        if url is not None:
            server = _Server(f"{url.rstrip('/')}/mcp", headers, timeout)
            listed = (await server.ask("tools/list", {}))["tools"]
            tools += [_tool(server, service, tool) for tool in listed]
    names = [tool.name for tool in tools]
    unknown = [name for name in only or [] if name not in names]
    if unknown:
        raise FacultiesError(f"There is no tool {', '.join(unknown)}: there are {', '.join(names)}.")
    return [tool for tool in tools if only is None or tool.name in only]


class _Server:
    """A service over the Model Context Protocol, which keeps no session."""

    def __init__(self, url: str, headers: Mapping[bytes, bytes], timeout: float) -> None:
        self._url, self._headers, self._timeout = url, headers, timeout

    async def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {**_ACCEPT, **self._headers}
        try:
            async with httpx.AsyncClient(timeout=self._timeout) as http:
                response = await http.post(self._url, json=message, headers=headers)
        except httpx.HTTPError as error:
            # Only a program lists tools; a model calls them.
            advice = "check the address and whether the service runs" if method == "tools/list" else "go on without it"
            raise FacultiesError(f"{self._url} cannot be reached: {advice}.") from error
        answer = _message(response.text)
        if not response.is_success:
            raise FacultiesError(f"{self._url} answered {response.status_code}: {answer.get('detail', response.text[:200])}")
        if "error" in answer:
            raise FacultiesError(answer["error"]["message"])
        if "result" not in answer:
            raise FacultiesError(f"{self._url} does not answer as one of the services.")
        return answer["result"]


def _message(text: str) -> dict[str, Any]:
    """JSON, or one server-sent event."""
    data = next((line.removeprefix("data:") for line in text.split("\n") if line.startswith("data:")), text)
    try:
        answer = json.loads(data)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def _tool(server: _Server, service: str, tool: Mapping[str, Any]) -> FunctionTool:
    async def invoke(_context: Any, given: str) -> str:
        try:
            arguments = json.loads(given or "{}")
        except ValueError:
            arguments = None
        if not isinstance(arguments, dict):
            return f"The arguments of {tool['name']} must be a JSON object: call it again."
        try:
            result = await server.ask("tools/call", {"name": tool["name"], "arguments": arguments})
        except FacultiesError as error:
            return str(error)
        return "\n".join(part["text"] for part in result["content"] if "text" in part)

    return FunctionTool(
        # Beside the tools of a program, `start` and `get` would say too little.
        name=f"{service}_{tool['name']}",
        description=tool["description"],
        params_json_schema=_without_extensions(tool["inputSchema"]),
        on_invoke_tool=invoke,
        # Strict would ask for every field, and allow no default.
        strict_json_schema=False,
    )


def _without_extensions(schema: Any) -> Any:
    """Providers refuse keywords that they do not know."""
    if isinstance(schema, list):
        return [_without_extensions(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: value for name, value in schema.items() if not name.startswith("x-") and name != "$schema"}
    return {name: _without_extensions(value) for name, value in kept.items()}
