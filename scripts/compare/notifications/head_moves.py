"""Moves the head of `main` in every possible way with official Icechunk, and says what a notification must contain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import icechunk
import zarr

from compare.notifications.event_oracle import MAX_COMMITS

icechunk.set_logs_filter("off")

ADA = {"author_name": "Ada Lindqvist", "author_email": "ada@example.org"}

# Keeps the service from seeing anything while it is held.
Down = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True)
class Move:
    """A head move that has just been made. `commits` are the ids that must be listed, oldest first."""

    what: str
    commits: list[str] | None
    reason: str | None


class History:
    """A repository that is written to."""

    def __init__(self, directory: Path, spec_version: int) -> None:
        storage = icechunk.local_filesystem_storage(str(directory))
        icechunk.Repository.create(storage, spec_version=spec_version)
        self.open(directory)
        self.commit("Begin")

    def open(self, directory: Path) -> None:
        self.repository = icechunk.Repository.open(icechunk.local_filesystem_storage(str(directory)))

    @property
    def head(self) -> str:
        return self.repository.lookup_branch("main")

    def commit(self, message: str, metadata: dict[str, Any] | None = None, branch: str = "main") -> str:
        return self._session(branch).commit(message, metadata=metadata)

    def amend(self, message: str) -> str:
        return self._session("main").amend(message, metadata=ADA)

    def commit_at_once(self, count: int) -> list[str]:
        """Commit on another branch, to which `main` then moves in one step."""
        self.repository.create_branch("ahead", self.head)
        ids = [self.commit(f"Commit {number} of {count}", branch="ahead") for number in range(1, count + 1)]
        self.repository.reset_branch("main", ids[-1])
        self.repository.delete_branch("ahead")
        return ids

    def reset(self, back: int) -> None:
        ancestry = [snapshot.id for snapshot in self.repository.ancestry(branch="main")]
        self.repository.reset_branch("main", ancestry[back])

    def expire(self) -> None:
        """Expire everything but the head."""
        self.repository.expire_snapshots(self.repository.lookup_snapshot(self.head).written_at)

    def migrate(self) -> None:
        self.repository = icechunk.upgrade_icechunk_repository(
            self.repository, dry_run=False, delete_unused_v1_files=False
        )

    def _session(self, branch: str) -> icechunk.Session:
        session = self.repository.writable_session(branch)
        root = zarr.open_group(session.store, mode="a")
        root.attrs["step"] = root.attrs.get("step", 0) + 1
        return session


def moves_of_version_2(history: History, down: Down, commits: int) -> Iterator[Move]:
    yield Move("first observation", None, "first_observation")
    for number in range(commits):
        yield Move("one commit", [history.commit(f"Commit {number}\n\nwith ümläuts & <b>🌊</b>", ADA)], None)
    yield Move("several commits", history.commit_at_once(MAX_COMMITS), None)
    history.commit_at_once(MAX_COMMITS + 1)
    yield Move("too many commits", None, "too_many_commits")
    history.amend("Amended")
    yield Move("amend", None, "history_rewritten")
    history.reset(back=2)
    yield Move("reset", None, "history_rewritten")
    history.expire()
    yield Move("expire, then commit", [history.commit("After the expiry")], None)
    with down():
        history.commit("Not seen")
        history.commit("Seen after the restart")
        history.expire()
    yield Move("commit, expire, restart", None, "history_rewritten")
    with down():
        ids = [history.commit("While it was down", ADA), history.commit("As well")]
    yield Move("commit, restart", ids, None)


def moves_of_version_1(history: History, down: Down, commits: int) -> Iterator[Move]:
    yield Move("first observation", None, "first_observation")
    for number in range(commits):
        history.commit(f"Commit {number}", ADA)
        yield Move("one commit", None, "repo_format_v1")
    history.commit_at_once(MAX_COMMITS + 1)
    yield Move("several commits", None, "repo_format_v1")
    history.reset(back=2)
    yield Move("reset", None, "repo_format_v1")
    with down():
        history.commit("While it was down")
    yield Move("commit, restart", None, "repo_format_v1")
    history.expire()
    history.commit("After the expiry")
    yield Move("expire, then commit", None, "repo_format_v1")
    history.migrate()
    yield Move("migrate, then commit", [history.commit("The first of version 2", ADA)], None)
    yield Move("several commits", history.commit_at_once(MAX_COMMITS), None)
    with down():
        history.commit("Before it is amended")
        history.amend("Amended after the migration")
        history.reset(back=2)
    yield Move("reset, restart", None, "history_rewritten")
