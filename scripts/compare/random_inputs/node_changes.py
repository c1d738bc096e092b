"""Writes random histories with official Icechunk: nodes come, go and move, get other metadata, and chunks are written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import icechunk
import zarr
from zarr.core.buffer import default_buffer_prototype
from zarr.core.sync import sync

icechunk.set_logs_filter("off")

NAMES = ("a", "a-b", "b", "Z", "ä", "x y", "100%", "😀")
ATTRIBUTES = ("units", "title", "level", "größe", "1")
VALUES = (1, 1.0, 1e300, 2**60, -0.5, True, None, "K", "°C", [], [1, 2.0, "x"], {}, {"a": [1], "2": {"b": 0.1}}, "NaN")
DATA_TYPES = ("int16", "float32", "float64", "uint8")


class RandomNodeChanges:
    """A repository whose branches are committed to at random."""

    def __init__(self, directory: Path, spec_version: int, random: Random) -> None:
        storage = icechunk.local_filesystem_storage(str(directory))
        self.repository = icechunk.Repository.create(storage, spec_version=spec_version)
        self.random = random
        self.spec_version = spec_version
        self.branches = ["main"]
        self.snapshots = [self.repository.lookup_branch("main")]
        self.steps: list[str] = []

    def write(self, commits: int) -> None:
        """Commit `commits` times, and sometimes expire what is old."""
        for _ in range(commits):
            self._step()
        if self.random.random() < 0.15:
            self._expire()

    def _step(self) -> None:
        branch = self.random.choice(self.branches)
        chance = self.random.random()
        if chance < 0.12 and len(self.branches) < 4:
            name = f"branch-{len(self.branches)}"
            self.repository.create_branch(name, self.random.choice(self.snapshots))
            self.branches.append(name)
            self.steps.append(f"{name} created")
        elif chance < 0.16:
            self.repository.reset_branch(branch, self.random.choice(self.snapshots))
            self.steps.append(f"{branch} reset")
        elif chance < 0.4 and self.spec_version == 2:
            self._commit_moves(branch)
        else:
            self._commit_changes(branch)

    def _commit_moves(self, branch: str) -> None:
        self._commit(branch, self.repository.rearrange_session(branch), (self._move,))

    def _commit_changes(self, branch: str) -> None:
        operations = (
            self._create_group,
            self._create_array,
            self._create_array,
            self._delete,
            self._replace,
            self._describe,
            self._describe,
            self._resize,
            self._write_chunks,
            self._write_chunks,
            self._replace_document,
        )
        self._commit(branch, self.repository.writable_session(branch), operations)

    def _commit(
        self, branch: str, session: icechunk.Session, operations: tuple[Callable[[icechunk.Session], None], ...]
    ) -> None:
        for _ in range(self.random.randint(1, 5)):
            self.random.choice(operations)(session)
        if not session.has_uncommitted_changes:
            return
        amends = self.spec_version == 2 and self.random.random() < 0.1 and session.snapshot_id != self.snapshots[0]
        try:
            snapshot = session.amend("amended") if amends else session.commit("step")
        except icechunk.IcechunkError:
            # A commit of moves is amended by moves only, and one of other changes by other changes.
            self._note("not amended")
            return
        self.snapshots.append(snapshot)
        self.steps.append(f"{branch} {'amended' if amends else 'at'} {snapshot}")

    def _expire(self) -> None:
        line = list(self.repository.ancestry(branch="main"))
        if len(line) < 3:
            return
        self.repository.expire_snapshots(self.random.choice(line[1:-1]).written_at)
        self._forget_unreached()
        self.steps.append("expired")

    def _forget_unreached(self) -> None:
        alive = {info.id for branch in self.branches for info in self.repository.ancestry(branch=branch)}
        self.snapshots = [snapshot for snapshot in self.snapshots if snapshot in alive]

    def _create_group(self, session: icechunk.Session) -> None:
        path = self._free_path(session)
        if path is not None:
            self._note(f"group {path}")
            zarr.create_group(session.store, path=path, attributes=self._attributes())

    def _replace(self, session: icechunk.Session) -> None:
        """Delete a node, and create an array with its path."""
        path, _ = self._pick(session)
        if path:
            self._note(f"delete {path}")
            del zarr.open_group(session.store, mode="r+")[path]
            self._create_array_at(session, path)

    def _create_array(self, session: icechunk.Session) -> None:
        path = self._free_path(session)
        if path:
            self._create_array_at(session, path)

    def _create_array_at(self, session: icechunk.Session, path: str) -> None:
        rank = self.random.choice((0, 1, 1, 2, 3))
        chunks = tuple(self.random.randint(1, 4) for _ in range(rank))
        sharded = rank > 0 and self.random.random() < 0.2
        self._note(f"array {path}")
        zarr.create_array(
            session.store,
            name=path,
            shape=tuple(self.random.randint(0, 9) for _ in range(rank)),
            chunks=chunks,
            shards=tuple(2 * size for size in chunks) if sharded else None,
            dtype=self.random.choice(DATA_TYPES),
            attributes=self._attributes(),
            dimension_names=self.random.choice((None, tuple(f"d{axis}" for axis in range(rank)))),
            fill_value=self.random.choice((0, 1)),
        )
        if self.random.random() < 0.5:
            self._fill(session, path)

    def _delete(self, session: icechunk.Session) -> None:
        path, _ = self._pick(session)
        if path:
            self._note(f"delete {path}")
            del zarr.open_group(session.store, mode="r+")[path]

    def _describe(self, session: icechunk.Session) -> None:
        path, node = self._pick(session)
        if node is None:
            return
        self._note(f"describe {path}")
        attributes = dict(node.attrs)
        for name in self.random.sample(ATTRIBUTES, self.random.randint(1, 3)):
            if name in attributes and self.random.random() < 0.4:
                del attributes[name]
            else:
                attributes[name] = self.random.choice(VALUES)
        node.attrs.put(attributes)

    def _resize(self, session: icechunk.Session) -> None:
        path, node = self._pick(session)
        if isinstance(node, zarr.Array) and node.ndim > 0:
            self._note(f"resize {path}")
            node.resize(tuple(self.random.randint(0, 9) for _ in node.shape))

    def _write_chunks(self, session: icechunk.Session) -> None:
        path, node = self._pick(session)
        if isinstance(node, zarr.Array):
            self._note(f"chunks {path}")
            self._fill(session, path)

    def _fill(self, session: icechunk.Session, path: str) -> None:
        array = zarr.open_array(session.store, path=path, mode="r+")
        if 0 in array.shape:
            return
        starts = [self.random.randrange(size) for size in array.shape]
        part = tuple(slice(start, self.random.randint(start + 1, size)) for start, size in zip(starts, array.shape))
        # What equals the fill value is no chunk, so that some chunks are deleted.
        array[part] = self.random.choice((0, 1, 7))

    def _replace_document(self, session: icechunk.Session) -> None:
        """Write a document with other members than zarr-python would."""
        path, node = self._pick(session)
        if not isinstance(node, zarr.Array) or not path:
            return
        self._note(f"replace {path}")
        document = json.loads(get(session.store, f"{path}/zarr.json")) | {"attributes": self._attributes()}
        document["note"] = {"must_understand": False, "value": self.random.choice(VALUES)}
        if self.random.random() < 0.3:
            del document["note"]
        put(session.store, f"{path}/zarr.json", json.dumps(document))

    def _move(self, session: icechunk.Session) -> None:
        path, _ = self._pick(session)
        target = self._free_path(session)
        if not path or target is None or f"{target}/".startswith(f"{path}/"):
            return
        self._note(f"move {path} to {target}")
        try:
            session.move(f"/{path}", f"/{target}")
        except icechunk.IcechunkError:
            self._note("not moved")

    def _free_path(self, session: icechunk.Session) -> str | None:
        """A path at which nothing is, below an existing group; the root if there is nothing at all."""
        nodes = list_nodes(session.store)
        if not nodes:
            return ""
        parent = self.random.choice([path for path, node in nodes.items() if isinstance(node, zarr.Group)])
        path = f"{parent}/{self.random.choice(NAMES)}".removeprefix("/")
        return None if path in nodes or path.count("/") > 3 else path

    def _pick(self, session: icechunk.Session) -> tuple[str, zarr.Array | zarr.Group | None]:
        nodes = list_nodes(session.store)
        return self.random.choice(list(nodes.items())) if nodes else ("", None)

    def _attributes(self) -> dict[str, Any]:
        return {name: self.random.choice(VALUES) for name in self.random.sample(ATTRIBUTES, self.random.randint(0, 3))}

    def _note(self, step: str) -> None:
        self.steps.append(f"  {step}")


def list_nodes(store: icechunk.IcechunkStore) -> dict[str, zarr.Array | zarr.Group]:
    """All nodes by path; the root is `""`."""
    try:
        root = zarr.open_group(store, mode="r" if store.read_only else "r+")
    except FileNotFoundError:
        return {}
    return {"": root, **dict(root.members(max_depth=None))}


def get(store: icechunk.IcechunkStore, key: str) -> bytes:
    """The bytes of a document."""
    document = sync(store.get(key, default_buffer_prototype()))
    assert document is not None
    return document.to_bytes()


def put(store: icechunk.IcechunkStore, key: str, text: str) -> None:
    """Store a text."""
    sync(store.set(key, default_buffer_prototype().buffer.from_bytes(text.encode())))
