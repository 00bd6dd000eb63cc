"""The messages of a conversation, and what a memory adds to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from . import _memory_gen as memory_gen

Message = Mapping[str, Any]

# Enough for a recall, and no more than a person notices.
AROUND_LIMIT = 5.0


class Recollection(NamedTuple):
    """What a call of a model gets beside its messages."""

    #: Ready to be put before a prompt, and put there already; empty where nothing is known.
    context: str
    memories: list[memory_gen.RecalledMemory]


def check_place(place: str) -> None:
    if place not in ("system", "user"):
        raise ValueError(f"place must be 'system' or 'user', and is {place!r}.")


def asked_in(messages: Sequence[Message]) -> tuple[int, str, str | None]:
    """Where the last message of the user is, its text, and who spoke."""
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if message.get("role") == "user":
            return index, _text_of_content(message.get("content")), message.get("name")
    return -1, "", None


def recollection_of(recalled: Any) -> Recollection:
    return Recollection(recalled["context"], recalled["memories"]) if recalled else Recollection("", [])


def with_context(messages: Sequence[Message], asked: int, place: str, context: str) -> list[Message]:
    if context == "":
        return list(messages)
    if place == "system":
        return [*messages[:asked], {"role": "system", "content": context}, *messages[asked:]]
    message = messages[asked]
    content = message["content"]
    before = [{"type": "text", "text": context}, *content] if isinstance(content, list) else f"{context}\n\n{content}"
    return [*messages[:asked], {**message, "content": before}, *messages[asked + 1 :]]


def _text_of_content(content: Any) -> str:
    """Of parts, those that are text."""
    if isinstance(content, str):
        return content
    texts = [_field(part, "text") for part in content] if isinstance(content, list) else []
    return "\n".join(text for text in texts if isinstance(text, str))


def text_of_answer(answer: Any) -> str | None:
    if isinstance(answer, str):
        return answer
    choices = _field(answer, "choices")
    if isinstance(choices, list) and choices:
        return _text_of_content(_field(_field(choices[0], "message"), "content")) or None
    for name in ("output_text", "text"):
        text = _field(answer, name)
        if isinstance(text, str):
            return text
    content = _field(answer, "content")
    return _text_of_content(_parts_of(answer) if content is None else content) or None


def _parts_of(answer: Any) -> list[Any]:
    """Of a bare answer over HTTP, without what the SDK makes of it: OpenAI responses beside their reasoning, or Gemini beside its
    thoughts."""
    output, candidates = _field(answer, "output"), _field(answer, "candidates")
    if isinstance(output, list):
        messages = [_field(item, "content") for item in output if _field(item, "type") == "message"]
        return [part for content in messages if isinstance(content, list) for part in content]
    first = candidates[0] if isinstance(candidates, list) and candidates else None
    parts = _field(_field(first, "content"), "parts")
    return [part for part in parts if not _field(part, "thought")] if isinstance(parts, list) else []


def _field(value: Any, name: str) -> Any:
    """Of a dict, or of an object of a library."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
