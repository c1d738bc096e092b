"""What official Icechunk says about what has happened in a repository, in the form of Floe's contract."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any

import icechunk

KINDS = {
    "RepoInitialized": "repository_created",
    "RepoMigrated": "repository_migrated",
    "NewCommit": "commit",
    "NewDetachedSnapshot": "detached_snapshot",
    "GCRan": "garbage_collection",
    "ExpirationRan": "expiration",
    "RepoStatusChanged": "status_changed",
}

AUTHOR_ITEMS = ("author_id", "author_email", "author_name", "author")


def commits(repository: icechunk.Repository, snapshot_id: str) -> list[dict[str, Any]]:
    """The history of a snapshot, newest first."""
    return [
        {
            "snapshot_id": info.id,
            "parent_snapshot_id": info.parent_id,
            "commit_message": info.message,
            "written_at": milliseconds(info.written_at),
            "author_id": author(info.metadata),
            # The library returns the members in no fixed order; Icechunk stores them sorted.
            "metadata": json.loads(json.dumps(dict(info.metadata), sort_keys=True)),
        }
        for info in repository.ancestry(snapshot_id=snapshot_id)
    ]


class TimedHistory:
    """A head and its ancestors with their times; `branch` is None for a tag."""

    def __init__(self, repository: icechunk.Repository, head: str, branch: str | None) -> None:
        self.repository = repository
        self.branch = branch
        self.infos = list(repository.ancestry(snapshot_id=head))

    def random_times(self, random: Random, count: int) -> list[datetime]:
        """Times at, just before and just after random snapshots, and far from all of them."""
        microsecond = timedelta(microseconds=1)
        near = [random.choice(self.infos).written_at + random.choice([-1, 0, 1]) * microsecond for _ in range(count)]
        return [*near, self.infos[-1].written_at - microsecond, datetime(2099, 1, 1, tzinfo=timezone.utc)]

    def snapshot_at(self, time: datetime) -> str | None:
        """The last snapshot at or before a time, of a branch as `as_of` finds it."""
        if self.branch is None:
            return next((info.id for info in self.infos if info.written_at <= time), None)
        try:
            return self.repository.readonly_session(branch=self.branch, as_of=time).snapshot_id
        except icechunk.IcechunkError:
            return None

    def between(self, since: datetime, until: datetime) -> list[str]:
        """The snapshots from one time to another, newest first."""
        return [info.id for info in self.infos if since <= info.written_at <= until]


def operations(repository: icechunk.Repository) -> list[dict[str, Any]]:
    """The whole operations log, newest first, without the authors of its commits."""
    return [
        {"kind": kind_of(entry.kind), "done_at": milliseconds(entry.updated_at), **facts_of(entry.kind)}
        for entry in repository.ops_log()
    ]


def summary(repository: icechunk.Repository) -> dict[str, Any]:
    """Status, metadata and feature flags of a repository of version 2."""
    return {
        "status": status_of(repository.get_status()),
        "metadata": json.loads(json.dumps(dict(repository.metadata), sort_keys=True)),
        "feature_flags": [
            {"id": flag.id, "name": flag.name, "enabled": flag.enabled}
            for flag in sorted(repository.feature_flags(), key=lambda flag: flag.id)
        ],
    }


def kind_of(kind: object) -> str:
    """The contract's word for a kind of operation: `TagCreated` is `tag_created`, unless `KINDS` has another."""
    name = type(kind).__name__
    return KINDS.get(name, re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower())


def facts_of(kind: Any) -> dict[str, Any]:
    """The members of an operation that depend on its kind."""
    word = kind_of(kind)
    name = getattr(kind, "name", None)
    return {
        "branch": getattr(kind, "branch", name if word.startswith("branch_") else None),
        "tag": name if word.startswith("tag_") else None,
        "snapshot_id": getattr(kind, "new_snap_id", None),
        "previous_snapshot_id": getattr(kind, "previous_snap_id", None),
        "feature_flag": {"id": kind.id, "enabled": kind.new_value} if word == "feature_flag_changed" else None,
        "status": status_of(kind.status) if word == "status_changed" else None,
        "migration": {"from": int(kind.from_version), "to": int(kind.to_version)} if word == "repository_migrated" else None,
    }


def status_of(status: icechunk.RepoStatus) -> dict[str, Any]:
    """A status of a repository."""
    return {
        "availability": repr(status.availability).removeprefix("RepoAvailability."),
        "since": milliseconds(status.set_at),
        "reason": status.limited_availability_reason,
    }


def author(metadata: Mapping[str, Any]) -> str:
    """The author as Floe finds it; Icechunk has none."""
    texts = (metadata.get(item) for item in AUTHOR_ITEMS)
    return next((text.strip() for text in texts if isinstance(text, str) and text.strip()), "unknown")


def milliseconds(time: datetime) -> str:
    """A time as Floe writes it, without the part below a millisecond."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03}Z"
