"""Does random things to a repository with official Icechunk: commits, branches, tags, resets, expirations and so on."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import icechunk
import zarr

icechunk.set_logs_filter("off")

TEXTS = ("", "Add a run", "größe 漢字 🧊", "two\nlines", 'quote " and \\', "\u0001control", "x" * 5_000)
NAMES = ("ada", "größe", "a b", "50%", "v1.0", "release-2026", "~tilde", "dev", "next")


class RandomOperations:
    """A repository of one format version to which random operations are applied."""

    def __init__(self, directory: Path, spec_version: int, source: random.Random) -> None:
        self.random = source
        # On a local disk the library encodes other names of version 1, and a migration of them fails.
        self.names = NAMES if spec_version == 2 else tuple(name for name in NAMES if name.replace("-", "").replace(".", "").isalnum() and name.isascii())
        config = icechunk.RepositoryConfig(num_updates_per_repo_info_file=source.choice([3, 10, 1000]))
        self.repository = icechunk.Repository.create(
            icechunk.local_filesystem_storage(str(directory)), config=config, spec_version=spec_version
        )
        self.commit()

    def apply(self, count: int) -> None:
        """Apply operations. One that Icechunk refuses counts too: names may be taken."""
        for _ in range(count):
            try:
                self.random.choice(self.operations())()
            except (icechunk.IcechunkError, ValueError):
                continue

    def operations(self) -> list[Callable[[], Any]]:
        """The operations of the format version of now; commits are the most frequent."""
        common = [self.commit] * 12 + [self.branch, self.branch, self.delete_branch, self.reset, self.tag, self.tag]
        common += [self.delete_tag, *([self.expire] if self.random.random() < 0.15 else [])]
        if self.repository.spec_version == 1:
            return [*common, self.migrate] if self.random.random() < 0.1 else common
        return [*common, self.amend, self.amend, self.set_metadata, self.set_flag, self.set_status, self.collect]

    def commit(self) -> None:
        """Commit on any branch, with random metadata."""
        session = self._session()
        session.commit(self.random.choice(TEXTS), metadata=self._metadata(), allow_empty=True)

    def amend(self) -> None:
        self._session().amend(self.random.choice(TEXTS), metadata=self._metadata(), allow_empty=True)

    def branch(self) -> None:
        self.repository.create_branch(self.random.choice(self.names), self._snapshot())

    def delete_branch(self) -> None:
        self.repository.delete_branch(self.random.choice(self.names))

    def reset(self) -> None:
        self.repository.reset_branch(self._branch(), self._snapshot())

    def tag(self) -> None:
        self.repository.create_tag(f"{self.random.choice(self.names)}-{self.random.randrange(20)}", self._snapshot())

    def delete_tag(self) -> None:
        tags = sorted(self.repository.list_tags())
        if tags:
            self.repository.delete_tag(self.random.choice(tags))

    def expire(self) -> None:
        self.repository.expire_snapshots(self.repository.lookup_snapshot(self._snapshot()).written_at)

    def collect(self) -> None:
        self.repository.garbage_collect(self.repository.lookup_snapshot(self._snapshot()).written_at)

    def migrate(self) -> None:
        self.repository = icechunk.upgrade_icechunk_repository(
            self.repository, dry_run=False, delete_unused_v1_files=self.random.random() < 0.5
        )

    def set_metadata(self) -> None:
        self.repository.set_metadata(self._metadata() or {})

    def set_flag(self) -> None:
        # Without the flag `create_tag` fewer operations would be possible, so it is only turned on.
        name, setting = self.random.choice([("move_node", False), ("move_node", None), ("create_tag", True)])
        self.repository.set_feature_flag(name, setting)

    def set_status(self) -> None:
        for availability in (icechunk.RepoAvailability.read_only, icechunk.RepoAvailability.online):
            reason = self.random.choice([None, *TEXTS])
            status = icechunk.RepoStatus(availability=availability, limited_availability_reason=reason)
            self.repository.set_status(status)

    def _session(self) -> icechunk.Session:
        session = self.repository.writable_session(self._branch())
        root = zarr.open_group(session.store, mode="a")
        root.attrs["step"] = self.random.randrange(10**6)
        return session

    def _branch(self) -> str:
        return self.random.choice(sorted(self.repository.list_branches()))

    def _snapshot(self) -> str:
        return self.random.choice([info.id for info in self.repository.ancestry(branch=self._branch())])

    def _metadata(self) -> dict[str, Any] | None:
        if self.random.random() < 0.2:
            return None
        author = {"author_email": "ada@example.org"} if self.random.random() < 0.5 else {}
        return author | {f"item {number}": self._value(3) for number in range(self.random.randrange(5))}

    def _value(self, depth: int) -> Any:
        scalars = [None, True, 0, -(2**63), 2**64 - 1, 2**53 + 1, 0.0, 2.0, -1.5e-7, 1e300, *TEXTS]
        if depth == 0 or self.random.random() < 0.6:
            return self.random.choice(scalars)
        if self.random.random() < 0.5:
            return [self._value(depth - 1) for _ in range(self.random.randrange(4))]
        return {self.random.choice(NAMES): self._value(depth - 1) for _ in range(self.random.randrange(4))}
