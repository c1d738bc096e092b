"""The events between two polls of a repository, by official Icechunk, and which of them a webhook selects."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any, Protocol

import icechunk

from compare.oracles.diff_oracle import expected_diff, join_replaced, read_nodes
from compare.oracles.path_oracle import ChangedPaths, changed_paths, describe_changes, matches_some

# The most commits that the service lists.
MAX_COMMITS = 250

COMMIT = "NewCommit"


@dataclass(frozen=True)
class Event:
    """An event without what depends on the service: the names and the id of the repository."""

    name: str
    # A branch or a tag.
    kind: str
    ref: str
    sequence: int
    details: dict[str, Any]
    # What a head move changed; None where that is unknown.
    changed: ChangedPaths | None = None


@dataclass(frozen=True)
class Filter:
    """What a webhook selects; the defaults are those of the service."""

    events: tuple[str, ...] = (COMMIT,)
    branches: tuple[str, ...] = ("main",)
    paths: tuple[str, ...] = ("**",)
    include_changes: bool = False

    @property
    def configuration(self) -> dict[str, Any]:
        """The keys in the configuration of the service that differ from the defaults."""
        keys = {
            "events": [*self.events],
            "branches": [*self.branches],
            "paths": [*self.paths],
            "includeChanges": self.include_changes,
        }
        defaults = {"events": [COMMIT], "branches": ["main"], "paths": ["**"], "includeChanges": False}
        return {name: value for name, value in keys.items() if value != defaults[name]}

    def watches(self, branch: str) -> bool:
        """Whether this webhook makes the service watch a branch."""
        return matches_some(self.branches, [branch])

    def selects(self, event: Event) -> bool:
        """Whether this webhook gets an event."""
        if event.name not in self.events or (event.kind == "branch" and not self.watches(event.ref)):
            return False
        if event.name != COMMIT or event.changed is None or self.paths == ("**",):
            return True
        return matches_some(self.paths, event.changed.every)

    def details(self, event: Event) -> dict[str, Any]:
        """The details of an event as this webhook gets them."""
        if event.name != COMMIT or not self.include_changes:
            return event.details
        return {**event.details, "changes": event.changed and describe_changes(event.changed)}


class Changing(Protocol):
    """A repository that is written to."""

    repository: icechunk.Repository
    spec_version: int
    branches: list[str]
    tags: list[str]


@dataclass
class EventOracle:
    """Predicts the events of each poll of a repository, for the branches that some filters watch."""

    changing: Changing
    filters: list[Filter]
    heads: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    sequences: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Start with the current refs, without events. The exception is `main`, whose first head is an event."""
        branches, self.tags = self._read_refs()
        self.heads = {name: id for name, id in branches.items() if name != "main"}
        self.sequences.update({("branch", name): 1 for name in self.heads})

    def poll(self) -> list[Event]:
        """The events since the last poll. Those of one branch or tag are in order."""
        branches, tags = self._read_refs()
        known = {name: branches.get(name, id) for name, id in {**self.heads, "main": branches["main"]}.items()}
        events = [event for name in sorted(known) for event in self._compare_branch(name, branches.get(name))]
        reached = {id for head in known.values() for id in self._reach(head)}
        for name in sorted(branches.keys() - known.keys(), key=str.encode):
            id = branches[name]
            created = {"branch": name, "snapshot_id": id, "previous_snapshot_id": None}
            events.append(self._make("BranchCreated", "branch", name, created))
            if id not in reached:
                events.append(self._move(name, id, None))
            reached |= self._reach(id)
        for name, id in self.tags.items() - tags.items():
            deleted = {"tag": name, "snapshot_id": None, "previous_snapshot_id": id}
            events.append(self._make("TagDeleted", "tag", name, deleted))
        for name, id in tags.items() - self.tags.items():
            created = {"tag": name, "snapshot_id": id, "previous_snapshot_id": None}
            events.append(self._make("TagCreated", "tag", name, created))
        self.heads, self.tags = branches, tags
        return events

    def _read_refs(self) -> tuple[dict[str, str], dict[str, str]]:
        repository = self.changing.repository
        watched = [name for name in self.changing.branches if any(each.watches(name) for each in self.filters)]
        branches = {name: repository.lookup_branch(name) for name in {"main", *watched}}
        return branches, {name: repository.lookup_tag(name) for name in self.changing.tags}

    def _compare_branch(self, name: str, head: str | None) -> list[Event]:
        last = self.heads.get(name)
        if head == last:
            return []
        if head is None:
            details = {"branch": name, "snapshot_id": None, "previous_snapshot_id": last}
            return [self._make("BranchDeleted", "branch", name, details)]
        return [self._move(name, head, last)]

    def _reach(self, head: str) -> set[str]:
        """The commits that a branch has reached. In version 1, whose history costs requests, its head."""
        if self.changing.spec_version == 1:
            return {head}
        return {info.id for info in self.changing.repository.ancestry(snapshot_id=head)}

    def _move(self, branch: str, head: str, last: str | None) -> Event:
        repository = self.changing.repository
        commits, reason = list_commits(repository, self.changing.spec_version, head, last)
        details = describe_move(repository, branch, (head, last), commits, reason)
        diff = None if last is None else expected_diff(repository, last, head)
        changed = None
        if last is not None and diff is not None:
            nodes = read_nodes(repository, last), read_nodes(repository, head)
            changed = changed_paths(join_replaced(diff, *nodes), *nodes)
        return self._make(COMMIT, "branch", branch, details, changed)

    def _make(
        self, name: str, kind: str, ref: str, details: dict[str, Any], changed: ChangedPaths | None = None
    ) -> Event:
        self.sequences[(kind, ref)] += 1
        return Event(name, kind, ref, self.sequences[(kind, ref)], details, changed)


def list_commits(
    repository: icechunk.Repository, spec_version: int, head: str, last: str | None
) -> tuple[list[str] | None, str | None]:
    """The commits of a head move, oldest first, or why they are not listed."""
    if last is None:
        return None, "first_observation"
    if spec_version == 1:
        return None, "repo_format_v1"
    line = [info.id for info in repository.ancestry(snapshot_id=head)]
    if last not in line:
        return None, "history_rewritten"
    since = line[: line.index(last)]
    return ([*reversed(since)], None) if len(since) <= MAX_COMMITS else (None, "too_many_commits")


def describe_move(
    repository: icechunk.Repository,
    branch: str,
    move: tuple[str, str | None],
    commits: list[str] | None,
    reason: str | None,
) -> dict[str, Any]:
    """The details of a head move, in the order of the contract."""
    head, last = move
    facts = describe_commit(repository, head)
    return {
        "branch": branch,
        "snapshot_id": facts.pop("snapshot_id"),
        "parent_snapshot_id": repository.lookup_snapshot(head).parent_id,
        "previous_snapshot_id": last,
        **facts,
        "commits": None if commits is None else [describe_commit(repository, commit) for commit in commits],
        "commits_unavailable_reason": reason,
    }


def describe_commit(repository: icechunk.Repository, snapshot_id: str) -> dict[str, str]:
    """What a notification says of a commit."""
    snapshot = repository.lookup_snapshot(snapshot_id)
    time = snapshot.written_at.astimezone(UTC)
    return {
        "snapshot_id": snapshot_id,
        "commit_message": snapshot.message,
        "written_at": f"{time:%Y-%m-%dT%H:%M:%S}.{time.microsecond // 1000:03d}Z",
        "author_id": "ada@example.org" if "author_email" in snapshot.metadata else "unknown",
    }
