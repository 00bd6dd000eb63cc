"""The commands of Anthropic's memory tool over a collection."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from .. import PreconditionFailedError
from ._collection import Collection, Kept, Place, Scope
from ._steps import Steps

_ROOT = "memories"
_MOST_LINES = 999_999
_LINE_NUMBER_WIDTH = 6
# Lines shown before and after an edit.
_AROUND_AN_EDIT = 2
# Other agents may change a file this often between a read and a write.
_MOST_TRIES = 5
_MOST_PATH_CHARACTERS = 1_000
_LEADS_OUT = re.compile(r"^(?:\.|%2e){2}$|%2f|%5c|%00", re.IGNORECASE)


class CommandError(Exception):
    """What the model is to be told where a command cannot be done."""


class MemoryFileCommands:
    """One for a conversation: it keeps in mind which version of a file its model has seen."""

    def __init__(
        self, collection: str = "memory-files", scope: Scope = "TEAM", project: str | None = None
    ) -> None:
        self._files = Collection(collection, scope, "/", project)
        self._known: dict[Place, tuple[str, str]] = {}

    def view(self, path: Any, view_range: Sequence[int] | None = None) -> Steps[str]:
        place = _place(path)
        file = (yield from self._files.find(place)) if len(place) > 1 else None
        if file:
            shown = _shown_file(path, file.text, view_range)
            self._knows(file)
            return shown
        found = yield from self._files.under(place)
        if not found and len(place) > 1:
            raise CommandError(_does_not_exist(path))
        return _shown_folder(place, found)

    def create(self, path: Any, file_text: Any) -> Steps[str]:
        place, text = _place(path), _text(file_text, "file_text")
        taken = CommandError(f"File {path} already exists")
        if len(place) == 1:
            raise taken
        yield from self._check_free(place, taken)
        kept = yield from self._files.add(place, text)
        if kept is None:
            raise taken
        self._knows(kept)
        return f"File created successfully at: {path}{_left_out(kept)}"

    def str_replace(self, path: Any, old_str: Any, new_str: Any = "") -> Steps[str]:
        old, fresh = _text(old_str, "old_str"), _text("" if new_str is None else new_str, "new_str")
        line = 0

        def change(before: Kept) -> str:
            nonlocal line
            lines = _lines_with(before.text, old) if old else []
            if not lines:
                raise CommandError(
                    f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
                )
            if len(lines) > 1:
                named = ", ".join(str(number) for number in dict.fromkeys(lines))
                raise CommandError(
                    f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {named}. "
                    "Please ensure it is unique"
                )
            line = lines[0]
            return before.text.replace(old, fresh)

        kept = yield from self._edit(path, change)
        first = max(0, line - 1 - _AROUND_AN_EDIT)
        last = line + fresh.count("\n") + _AROUND_AN_EDIT
        snippet = _numbered(kept.text.split("\n")[first:last], first + 1)
        return (
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
            f"{snippet}{_left_out(kept)}"
        )

    def insert(self, path: Any, insert_line: Any, insert_text: Any) -> Steps[str]:
        text = re.sub(r"\n\Z", "", _text(insert_text, "insert_text"))

        def change(before: Kept) -> str:
            if self._known.get(before.place, before.version) != before.version:
                raise CommandError(f"{path} has changed since you viewed it, and its lines with it: view it again.")
            lines = before.text.split("\n")
            is_line = isinstance(insert_line, int) and not isinstance(insert_line, bool)
            if not is_line or not 0 <= insert_line <= len(lines):
                raise CommandError(
                    f"Invalid `insert_line` parameter: {insert_line}. "
                    f"It should be within the range of lines of the file: [0, {len(lines)}]"
                )
            return "\n".join([*lines[:insert_line], text, *lines[insert_line:]])

        kept = yield from self._edit(path, change)
        return f"The file {path} has been edited.{_left_out(kept)}"

    def delete(self, path: Any) -> Steps[str]:
        place = _place(path)
        if len(place) == 1:
            raise CommandError("Cannot delete the /memories directory itself")
        found = yield from self._all_at(place)
        if not found:
            raise CommandError(_does_not_exist(path, ""))
        for kept in found:
            yield from self._files.remove(kept)
            self._known.pop(kept.place, None)
        return f"Successfully deleted {path}"

    def rename(self, old_path: Any, new_path: Any) -> Steps[str]:
        old, new = _place(old_path), _place(new_path)
        if len(old) == 1:
            raise CommandError("Cannot rename the /memories directory itself")
        taken = CommandError(f"The destination {new_path} already exists")
        if len(new) == 1:
            raise taken
        found = yield from self._all_at(old)
        if not found:
            raise CommandError(_does_not_exist(old_path, ""))
        if len(new) > len(old) and new[: len(old)] == old:
            raise CommandError(f"{old_path} cannot be moved into itself.")
        yield from self._check_free(new, taken)
        for kept in found:
            moved = yield from self._files.replace(kept, place=(*new, *kept.place[len(old) :]))
            self._known.pop(kept.place, None)
            self._knows(moved)
        return f"Successfully renamed {old_path} to {new_path}"

    def _knows(self, kept: Kept) -> None:
        self._known[kept.place] = kept.version

    def _edit(self, path: Any, change: Callable[[Kept], str]) -> Steps[Kept]:
        place = _place(path)
        for attempt in range(_MOST_TRIES):
            before = yield from self._files.read(place)
            if before is None:
                raise CommandError(_does_not_exist(path))
            try:
                kept = yield from self._files.replace(before, text=change(before))
            except PreconditionFailedError:
                if attempt == _MOST_TRIES - 1:
                    raise
            else:
                self._knows(kept)
                return kept
        raise AssertionError("every round returns, raises or goes on")

    def _check_free(self, place: Place, taken: CommandError) -> Steps[None]:
        """Raises where something is a file that would have to be a folder, or stands there already."""
        if (yield from self._files.find(place)) or (yield from self._files.has_folder(place)):
            raise taken
        for depth in range(2, len(place)):
            if (yield from self._files.find(place[:depth])):
                raise CommandError(
                    f"{_path(place[:depth])} is a file, so nothing can be put into it: choose another path."
                )

    def _all_at(self, place: Place) -> Steps[list[Kept]]:
        """What is moved or deleted by a path: a file, or all files of a folder."""
        file = yield from self._files.read(place)
        return [file] if file else (yield from self._files.under(place))


def _place(path: Any) -> Place:
    """Raises for a path that is not below /memories, or looks as if it led out of it."""
    if not isinstance(path, str) or path == "":
        raise CommandError("The path is missing: give one that starts with /memories.")

    def refused(why: str) -> CommandError:
        return CommandError(f"The path {path[:_MOST_PATH_CHARACTERS]} {why}")

    if len(path) > _MOST_PATH_CHARACTERS:
        raise refused(f"is longer than {_MOST_PATH_CHARACTERS} characters.")
    if re.search(r"[\x00-\x1f\x7f-\x9f\\]", path):
        raise refused("holds a backslash or a control character: leave it out.")
    names = tuple(name for name in path.split("/") if name not in ("", "."))
    if any(_LEADS_OUT.search(name) for name in names):
        raise refused('would lead out of the /memories directory: write it without ".." and without %-codes.')
    if not path.startswith("/") or names[:1] != (_ROOT,):
        raise refused("does not start with /memories.")
    return names


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise CommandError(f"{name} is missing: give it as a text.")
    return value


def _path(place: Sequence[str]) -> str:
    return f"/{'/'.join(place)}"


def _does_not_exist(path: str, advice: str = " Please provide a valid path.") -> str:
    return f"The path {path} does not exist{'.' if advice else ''}{advice}"


def _left_out(kept: Kept) -> str:
    if kept.redacted > 0:
        return f"\n{kept.redacted} secret or private part(s) of it are not kept: a mask stands in their place."
    return "\nWhat of it repeats a recalled context is not kept: write it in words of your own." if kept.is_shortened else ""


def _lines_with(text: str, part: str) -> list[int]:
    """For each place where a text begins in another one, the number of its line."""
    lines = []
    at = text.find(part)
    while at != -1:
        lines.append(text.count("\n", 0, at) + 1)
        at = text.find(part, at + 1)
    return lines


def _numbered(lines: Sequence[str], first: int) -> str:
    return "\n".join(f"{number:>{_LINE_NUMBER_WIDTH}}\t{line}" for number, line in enumerate(lines, first))


def _shown_file(path: str, text: str, view_range: Sequence[int] | None) -> str:
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:
        raise CommandError(f"File {path} exceeds maximum line limit of {_MOST_LINES:,} lines.")
    first, last = view_range if view_range and len(view_range) == 2 else (1, -1)
    first = max(1, first)
    shown = lines[first - 1 : len(lines) if last == -1 else max(0, last)]
    return f"Here's the content of {path} with line numbers:\n{_numbered(shown, first)}"


class _Entry:
    """A file, or a folder with what is in it."""

    def __init__(self) -> None:
        self.size = 0
        self.entries: dict[str, _Entry] = {}
        self.is_folder = False

    def lines(self, path: str, levels: int) -> list[str]:
        """Two levels deep, without what is hidden."""
        shown = [f"{_size(self.size)}\t{path}"]
        for name, entry in sorted(self.entries.items()) if levels else []:
            if not name.startswith(".") and name != "node_modules":
                shown += entry.lines(f"{path.rstrip('/')}/{name}{'/' if entry.is_folder else ''}", levels - 1)
        return shown


def _shown_folder(folder: Place, found: Sequence[Kept]) -> str:
    root = _Entry()
    for kept in found:
        size = len(kept.text.encode(errors="replace"))
        entry = root
        entry.size += size
        for name in kept.place[len(folder) :]:
            entry.is_folder = True
            entry = entry.entries.setdefault(name, _Entry())
            entry.size += size
    path = _path(folder)
    lines = "\n".join(root.lines(path, 2))
    return (
        f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items and node_modules:\n{lines}"
    )


def _size(size: float) -> str:
    for unit in "BKM":
        if size < 1024:
            return f"{int(size)}{unit}" if size == int(size) else f"{size:.1f}{unit}"
        size /= 1024
    return f"{int(size)}G" if size == int(size) else f"{size:.1f}G"
