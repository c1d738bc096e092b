"""Which paths a range of commits changed, by official Icechunk's diff, and which patterns match them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from compare.oracles.diff_oracle import Node
# The most entries of each list of the member `changes`.
MAX_CHANGED_PATHS = 50


@dataclass(frozen=True)
class ChangedPaths:
    """The lists of the member `changes` of a notification, before they are cut."""

    created: list[str]
    deleted: list[str]
    updated: list[str]
    moved: list[tuple[str, str]]
    # Also everything below a moved group, where it was and where it is.
    every: frozenset[str]


def changed_paths(diff: Mapping[str, Any], before: Mapping[str, Node], after: Mapping[str, Node]) -> ChangedPaths:
    """The changed paths of a diff, with its replaced nodes joined, between two snapshots with these nodes."""

    def paths(change: str) -> set[str]:
        return {*diff["groups"][change], *diff["arrays"][change]}

    created, deleted = paths("created"), paths("deleted")
    # A node that was created or deleted is listed once.
    updated = (paths("updated") | {*diff["chunks"]}) - created - deleted
    moved = diff["moved"]
    left = {node.path for node in before.values() if any(is_below(node.path, old) for old, _ in moved)}
    reached = {node.path for node in after.values() if any(is_below(node.path, new) for _, new in moved)}
    ends = {path for move in moved for path in move}
    every = created | deleted | updated | left | reached | ends
    return ChangedPaths(*(sort(each) for each in (created, deleted, updated)), moved, frozenset(every))


def is_below(path: str, group: str) -> bool:
    """Whether a path is this group or below it."""
    return path == group or path.startswith(f"{group}/")


def matches_some(globs: Iterable[str], texts: Iterable[str]) -> bool:
    """Whether one of the texts matches one of the patterns."""
    patterns = [pattern for glob in globs for pattern in compile_glob(glob)]
    return any(pattern.fullmatch(text) for text in texts for pattern in patterns)


def compile_glob(glob: str) -> list[re.Pattern[str]]:
    """A pattern as regular expressions, which may be slow. `a/**` is `a` too."""
    parts = re.findall(r"(?<![^/])\*\*/|\*\*|.", glob, re.DOTALL)
    written = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pattern = re.compile("".join(written.get(part) or re.escape(part) for part in parts), re.DOTALL)
    return [pattern, *(compile_glob(glob[:-3]) if glob.endswith("/**") else ())]


def describe_changes(changed: ChangedPaths) -> dict[str, Any]:
    """The member `changes`. Its moves are sorted, because the official library does not list them in their order."""
    lists = {name: getattr(changed, name) for name in ("created", "deleted", "updated")}
    entries = {**lists, "moved": [{"from": old, "to": new} for old, new in changed.moved]}
    cut = {name: entries[:MAX_CHANGED_PATHS] for name, entries in entries.items()}
    return {**cut, "counts": {name: len(entries) for name, entries in entries.items()}}


def sort_moves(changes: dict[str, Any]) -> None:
    """Sort the moves of a member `changes` of the service likewise."""
    changes["moved"].sort(key=lambda move: (move["from"], move["to"]))


def sort(paths: Iterable[str]) -> list[str]:
    """Paths in the order of their UTF-8 bytes."""
    return sorted(paths, key=str.encode)
