"""Memories at places, as files are. Tags, marks and metadata are those of the adapters for TypeScript, so that both share them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .. import NotFoundError
from .._request import Null
from ._steps import Call, Steps

#: The names of the folders from the outermost on, then its own.
Place = tuple[str, ...]
Scope = Literal["TEAM", "SHARED", "PRIVATE"]

# Above what consolidation ever prunes by default (0.2): what is put at a place is meant to stay.
_IMPORTANCE = 0.6
_MOST_TAG_CHARACTERS = 128
# A memory has at most 64 tags: that of the collection, one a folder, its own.
_MOST_FOLDERS = 60
# Memories in a page of a list.
_FEW = 10
_MANY = 1_000
# What JavaScript calls blank, which the service takes off the ends of a text.
_BLANKS = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_PLAIN = re.compile(r"/?[a-z][a-z0-9_]*(?:[-./][a-z0-9_]+)*")
_OWN = ("collection", "place", "ending")


@dataclass(frozen=True)
class Kept:
    """A memory that is kept at a place."""

    place: Place
    text: str
    #: What the adapter keeps beside the text, as JSON.
    extra: Mapping[str, Any]
    memory: Mapping[str, Any]
    #: Names the version for a change; None where it was not read for one.
    etag: str | None = None
    #: Secrets and private parts that the service left out when it was written.
    redacted: int = field(default=0, compare=False)
    #: Whether the service left out what repeats a recalled context when it was written.
    is_shortened: bool = field(default=False, compare=False)

    @property
    def version(self) -> tuple[str, str]:
        return self.memory["id"], self.memory["updated_at"]


class Collection:
    """At one place there is one memory, which is found by its tag; its text begins with its place."""

    def __init__(self, name: str, scope: Scope, root: Literal["/", ""], project: str | None = None) -> None:
        if not re.fullmatch("[a-zA-Z0-9-]{1,32}", name):
            raise ValueError(f"The collection {name!r} must have 1 to 32 letters, digits and dashes.")
        self._name, self._scope, self._root, self._project = name, scope, root, project

    def _call(self, method: str, given: Mapping[str, Any]) -> Call:
        return Call(method, {**given, **({"options": {"project": self._project}} if self._project else {})})

    def find(self, place: Place) -> Steps[Kept | None]:
        """What is kept at a place; None where nothing is. Of two that agents are just adding, the one that is going to stay."""
        found = [kept for kept in (yield from self._tagged(self._tag(place), _FEW)) if kept.place == place]
        return min(found, key=lambda kept: kept.memory["id"], default=None)

    def read(self, place: Place) -> Steps[Kept | None]:
        """As `find`, with the version for a change."""
        found = yield from self.find(place)
        if found is None:
            return None
        try:
            answer = yield self._call("get_memory", {"id": found.memory["id"]})
        except NotFoundError:
            return None
        kept = self._kept(answer.data["memory"])
        return replace(kept, etag=answer.headers.get("ETag")) if kept and kept.place == place else None

    def has_folder(self, folder: Place) -> Steps[bool]:
        """Whether there is a folder, which is as long as something is kept in it."""
        return bool((yield from self.under(folder, page=_FEW, enough=bool)))

    def under(
        self, folder: Place, *, page: int = _MANY, enough: Callable[[list[Kept]], bool] = lambda _: False
    ) -> Steps[list[Kept]]:
        """All that is kept in a folder and in those within it, the newest first; pages are read until there is enough."""

        def within(found: list[Kept]) -> list[Kept]:
            return list({kept.place: kept for kept in found if _is_within(kept.place, folder)}.values())

        limit = max(1, min(page, _MANY))
        found = yield from self._tagged(self._tag(folder, is_folder=True), limit, lambda found: enough(within(found)))
        return within(found)

    def recall(self, query: str, folder: Place, most: int) -> Steps[list[tuple[Kept, float]]]:
        """What is kept in a folder and answers a question, best first; at most 100."""
        given = {"query": query, "tags": [self._tag(folder, is_folder=True)], "kinds": ["episodic"]}
        answer = yield self._call("recall", {**given, "top_k": min(100, max(1, most)), "max_context_chars": 0})
        found = [(self._kept(memory), memory["score"]) for memory in answer.data["memories"]]
        return [(kept, score) for kept, score in found if kept and _is_within(kept.place, folder)]

    def add(
        self, place: Place, text: str, extra: Mapping[str, Any] | None = None, *, expires_at: str | None = None
    ) -> Steps[Kept | None]:
        """Keeps a text at a place where nothing is, for ever or until a time; None when something is there by now."""
        memory, redacted = yield from self._ingest(place, text, extra or {}, expires_at)
        kept = self._kept(memory)
        if kept is None or kept.place != place:
            raise RuntimeError(f"memory-service keeps nothing at {self._path(place)}.")
        # Two agents may have added at once: the older memory stays.
        oldest = yield from self.find(place)
        if oldest and oldest.memory["id"] != memory["id"]:
            yield self._call("delete_memory", {"id": memory["id"]})
            return None
        if memory["gist"] != memory["content"]:
            # A long text was summed up: whatever is changed of the memory later, its gist is the text.
            answer = yield self._call("update_memory", {"id": memory["id"], "gist": memory["content"]})
            kept = self._kept(answer.data["memory"]) or kept
        return replace(kept, redacted=redacted, is_shortened=_is_shortened(kept, text))

    def replace(
        self,
        before: Kept,
        *,
        place: Place | None = None,
        text: str | None = None,
        extra: Mapping[str, Any] | None = None,
        expires_at: str | Null | None = None,
    ) -> Steps[Kept]:
        """Changes the text, the place, what stands beside the text, and until when it is kept.

        With an ETag only if it is still the version that was read.
        """
        to = place or before.place
        written = before.text if text is None else text
        body, metadata = self._written(to, written, before.extra if extra is None else extra)
        tags = {"tags": self._tags(to)} if to != before.place else {}
        given = {"id": before.memory["id"], "gist": body, "metadata": metadata, "expires_at": expires_at}
        answer = yield self._call("update_memory", {**given, **tags, "if_match": before.etag})
        kept = self._kept(answer.data["memory"]) or before
        return replace(
            kept,
            etag=answer.headers.get("ETag"),
            redacted=_count(answer.data.get("redacted")),
            is_shortened=_is_shortened(kept, written),
        )

    def keep_until(self, kept: Kept, expires_at: str) -> Steps[None]:
        try:
            yield self._call("update_memory", {"id": kept.memory["id"], "expires_at": expires_at})
        except NotFoundError:
            pass

    def remove(self, kept: Kept) -> Steps[None]:
        try:
            yield self._call("delete_memory", {"id": kept.memory["id"]})
        except NotFoundError:
            pass

    def _ingest(
        self, place: Place, text: str, extra: Mapping[str, Any], expires_at: str | None
    ) -> Steps[tuple[Mapping[str, Any], int]]:
        body, metadata = self._written(place, text, extra)
        message = {"content": body, "metadata": metadata, "role": "assistant", "scope": self._scope}
        # A session of its own: nothing that was said around it belongs to it.
        more = {"tags": self._tags(place), "importance": _IMPORTANCE, "session_id": self._tag(place)}
        answer = yield self._call("ingest", {**message, **more, "expires_at": expires_at})
        return answer.data["memory"], _count(answer.data.get("redacted"))

    def _tagged(
        self, tag: str, limit: int, enough: Callable[[list[Kept]], bool] = lambda _: False
    ) -> Steps[list[Kept]]:
        all_: list[Kept] = []
        given: dict[str, Any] = {"tag": tag, "kind": "episodic", "limit": limit}
        while True:
            page = (yield self._call("list_memories", given)).data
            all_ += [kept for kept in map(self._kept, page["memories"]) if kept]
            if page["next_cursor"] is None or enough(all_):
                return all_
            given = {**given, "cursor": page["next_cursor"]}

    def _written(self, place: Place, text: str, extra: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        whole = f"{self._heading(place)}\n{text}"
        body = whole.rstrip(_BLANKS)
        # The service keeps no blanks at the end of a text.
        metadata = {**extra, "collection": self._name, "place": list(place), "ending": whole[len(body) :]}
        return body, metadata

    def _kept(self, memory: Mapping[str, Any]) -> Kept | None:
        metadata = memory["metadata"]
        place = metadata.get("place")
        is_ours = metadata.get("collection") == self._name and isinstance(place, list) and place
        if self._project and memory["project"] != self._project:
            return None
        if not is_ours or not all(isinstance(name, str) for name in place):
            return None
        written = memory["content"] if memory["updated_at"] == memory["created_at"] else memory["gist"]
        heading = self._heading(tuple(place))
        whole = written + str(metadata.get("ending", ""))
        # Who corrected the memory by other means may have left its place out.
        has_heading = whole == heading or whole.startswith(f"{heading}\n")
        text = whole[len(heading) + 1 :] if has_heading else written
        extra = {name: value for name, value in metadata.items() if name not in _OWN}
        return Kept(tuple(place), text, extra, memory)

    def _path(self, place: Sequence[str]) -> str:
        return self._root + "/".join(place)

    def _heading(self, place: Place) -> str:
        """Consolidation makes one memory of two whose words are the same but for case and signs: a mark keeps such places apart."""
        path = re.sub("[\r\n]", " ", self._path(place))
        return path if _PLAIN.fullmatch(path) else f"{path} ({_fnv1a(path)})"

    def _tags(self, place: Place) -> list[str]:
        if len(place) > _MOST_FOLDERS:
            raise ValueError(f"{self._path(place)} lies too deep: there may be {_MOST_FOLDERS} names.")
        folders = [self._tag(place[:depth], is_folder=True) for depth in range(len(place))]
        return list(dict.fromkeys([*folders, self._tag(place)]))

    def _tag(self, place: Sequence[str], *, is_folder: bool = False) -> str:
        path = f":{'/'.join(place)}{'/' if is_folder else ''}" if place else ""
        return _short(self._name + path)


def _short(tag: str) -> str:
    """As a tag or a session is written: no control characters, no blanks at the end, and a long one by its beginning and a mark."""
    clean = _CONTROL.sub("?", tag)
    if clean[-1] in _BLANKS:
        clean = f"{clean[:-1]}?"
    if len(clean) <= _MOST_TAG_CHARACTERS:
        return clean
    mark = f"~{_fnv1a(clean)}"
    return clean[: _MOST_TAG_CHARACTERS - len(mark)] + mark


def _fnv1a(text: str) -> str:
    """FNV-1a of 32 bits over UTF-8 as eight digits; http://www.isthe.com/chongo/tech/comp/fnv."""
    value = 0x811C9DC5
    for byte in text.encode(errors="replace"):
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return f"{value:08x}"


def _is_within(place: Place, folder: Place) -> bool:
    return len(place) > len(folder) and place[: len(folder)] == tuple(folder)


def _is_shortened(kept: Kept, written: str) -> bool:
    """A mask may be shorter than what it stands for, and counts as redacted."""
    return len(kept.text) < len(written)


def _count(redacted: Sequence[Mapping[str, Any]] | None) -> int:
    return sum(one["count"] for one in redacted or [])


def is_json(value: Any) -> bool:
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return False
    return True
