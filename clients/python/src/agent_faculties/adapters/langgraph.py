"""The long-term memory of LangGraph in memory-service.

An item is a memory, which every agent recalls. Search with a query ranks as recall does; without one the newest come first. The
value of an item has at most 64 KiB as JSON. What has lived its time is gone from every answer of the service, which takes it off the
disk in the night.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    validate_op_namespace,
)

from .. import NULL, AsyncMemoryClient, MemoryClient, NotFoundError
from ._collection import Collection, Kept, Scope, is_json
from ._steps import Steps, run, run_async

__all__ = ["MemoryServiceStore"]

# The most that one recall answers; a filter sees no more of a search with a query.
_MOST_RECALLED = 100
# Others may put and delete the same item meanwhile.
_MOST_TRIES = 5
# A read that would lengthen a life by less than this share of it leaves it alone: to lengthen it is an edit of the memory.
_WORTH_REFRESHING = 0.1


class MemoryServiceStore(BaseStore):
    """With a `MemoryClient` it serves graphs of both kinds, with an `AsyncMemoryClient` those under asyncio.

    `fields` are the paths in a value whose texts are searched, such as "text" or "chapters[*].title"; "$" is all of it. `ttl` says
    how long items live where a put says nothing, in minutes, and whether a read begins that time anew.
    """

    __slots__ = ("_client", "_fields", "_items", "ttl_config")
    supports_ttl = True

    def __init__(
        self,
        client: MemoryClient | AsyncMemoryClient,
        *,
        collection: str = "langgraph",
        scope: Scope = "TEAM",
        project: str | None = None,
        fields: Sequence[str] = ("$",),
        ttl: TTLConfig | None = None,
    ) -> None:
        self._client = client
        self._items = Collection(collection, scope, "", project)
        self._fields = tuple(fields)
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads see what was there before the batch; of several puts of one item the last counts."""
        if isinstance(self._client, AsyncMemoryClient):
            raise TypeError("This store has an AsyncMemoryClient: call it under asyncio, or give it a MemoryClient.")
        return run(self._client, self._batch(list(ops)))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`."""
        if isinstance(self._client, AsyncMemoryClient):
            return await run_async(self._client, self._batch(list(ops)))
        return await asyncio.to_thread(run, self._client, self._batch(list(ops)))

    def _batch(self, ops: Sequence[Op]) -> Steps[list[Result]]:
        for op in ops:
            validate_op_namespace(op)
        results: list[Result] = []
        for op in ops:
            results.append((yield from self._read(op)))
        puts = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        for op in puts.values():
            yield from self._put(op)
        return results

    def _read(self, op: Op) -> Steps[Result]:
        if isinstance(op, GetOp):
            kept = yield from self._items.find((*op.namespace, op.key))
            if kept and op.refresh_ttl:
                yield from self._refresh(kept)
            return Item(**_fields_of(kept)) if kept else None
        if isinstance(op, SearchOp):
            return (yield from self._search(op))
        if isinstance(op, ListNamespacesOp):
            return (yield from self._list_namespaces(op))
        if isinstance(op, PutOp):
            return None
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _put(self, op: PutOp) -> Steps[None]:
        place = (*op.namespace, op.key)
        if not is_json(op.value):
            raise TypeError(f"The value of {place} must be JSON: dicts, lists, texts, numbers, booleans and None.")
        for _ in range(_MOST_TRIES):
            kept = yield from self._items.find(place)
            if op.value is None:
                if kept:
                    yield from self._items.remove(kept)
                return
            text, extra = self._text(op.value, op.index), {"value": op.value, **({"ttl": op.ttl} if op.ttl else {})}
            expires_at = _in_minutes(op.ttl) if op.ttl else None
            try:
                if kept:
                    yield from self._items.replace(kept, text=text, extra=extra, expires_at=expires_at or NULL)
                    return
            except NotFoundError:
                continue
            if (yield from self._items.add(place, text, extra, expires_at=expires_at)):
                return
        raise RuntimeError(f"Others keep writing {place}: put it again.")

    def _search(self, op: SearchOp) -> Steps[list[SearchItem]]:
        def fits(kept: Kept) -> bool:
            value = kept.extra["value"]
            return all(_is_match(value.get(name), wanted) for name, wanted in (op.filter or {}).items())

        end = op.offset + op.limit
        found: list[tuple[Kept, float | None]]
        if op.query:
            ranked = yield from self._items.recall(op.query, op.namespace_prefix, _MOST_RECALLED if op.filter else end)
            found = [(kept, score) for kept, score in ranked if fits(kept)]
        else:
            newest = yield from self._items.under(
                op.namespace_prefix,
                page=1_000 if op.filter else end,
                enough=lambda all_: sum(map(fits, all_)) >= end,
            )
            found = [(kept, None) for kept in newest if fits(kept)]
        shown = found[op.offset : end]
        if op.refresh_ttl:
            for kept, _ in shown:
                yield from self._refresh(kept)
        return [SearchItem(**_fields_of(kept), score=score) for kept, score in shown]

    def _refresh(self, kept: Kept) -> Steps[None]:
        minutes, expires_at = kept.extra.get("ttl"), kept.memory["expires_at"]
        if not minutes or not expires_at:
            return
        left = datetime.fromisoformat(expires_at) - datetime.now(timezone.utc)
        if left < timedelta(minutes=minutes) * (1 - _WORTH_REFRESHING):
            yield from self._items.keep_until(kept, _in_minutes(minutes))

    def _list_namespaces(self, op: ListNamespacesOp) -> Steps[list[tuple[str, ...]]]:
        conditions = op.match_conditions or ()
        path = next((condition.path for condition in conditions if condition.match_type == "prefix"), ())
        within = path[: path.index("*")] if "*" in path else path
        # What is put into a namespace lies within it and within those above, so that one tag finds all.
        found = yield from self._items.under(tuple(within))
        namespaces = {kept.place[:-1] for kept in found}
        fitting = {name[: op.max_depth] for name in namespaces if all(_has_path(name, one) for one in conditions)}
        return sorted(fitting)[op.offset : op.offset + op.limit]

    def _text(self, value: Mapping[str, Any], index: Any) -> str:
        if index is False:
            return ""
        lines: list[str] = []
        for path in index or self._fields:
            lines += _lines(value) if path == "$" else get_text_at_path(value, path)
        return "\n".join(lines)


def _in_minutes(minutes: float) -> str:
    return (datetime.now(timezone.utc) + timedelta(minutes=minutes)).isoformat(timespec="milliseconds")


def _fields_of(kept: Kept) -> dict[str, Any]:
    return {
        "namespace": kept.place[:-1],
        "key": kept.place[-1],
        "value": kept.extra["value"],
        "created_at": datetime.fromisoformat(kept.memory["created_at"]),
        "updated_at": datetime.fromisoformat(kept.memory["updated_at"]),
    }


def _lines(value: Any, name: str = "") -> list[str]:
    """Each text of a value under its name, as a person would note it: `food: pizza`."""
    if value is None:
        return []
    if isinstance(value, Mapping):
        return [line for inner, one in value.items() for line in _lines(one, f"{name} {inner}" if name else str(inner))]
    if isinstance(value, (list, tuple)):
        return [line for one in value for line in _lines(one, name)]
    return [f"{name}: {str(value).lower() if isinstance(value, bool) else value}"]


_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: value == wanted,
    "$ne": lambda value, wanted: value != wanted,
    "$gt": lambda value, wanted: value is not None and float(value) > float(wanted),
    "$gte": lambda value, wanted: value is not None and float(value) >= float(wanted),
    "$lt": lambda value, wanted: value is not None and float(value) < float(wanted),
    "$lte": lambda value, wanted: value is not None and float(value) <= float(wanted),
    "$in": lambda value, wanted: value in wanted,
    "$nin": lambda value, wanted: value not in wanted,
}


def _is_match(value: Any, wanted: Any) -> bool:
    """A filter is a value, or operators that all hold."""
    if not isinstance(wanted, Mapping) or not any(name.startswith("$") for name in wanted):
        return value == wanted
    for name in wanted:
        if name not in _OPERATORS:
            raise ValueError(f"There is no operator {name}: there are {', '.join(_OPERATORS)}.")
    return all(_OPERATORS[name](value, limit) for name, limit in wanted.items())


def _has_path(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = condition.path
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", name) for wanted, name in zip(path, part, strict=True))
