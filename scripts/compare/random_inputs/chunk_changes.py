"""Writes random histories with official Icechunk in which chunks of arrays of every kind come, go and move."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import icechunk
import zarr

from compare.random_inputs.node_changes import get, put

icechunk.set_logs_filter("off")
zarr.config.set({"array.rectilinear_chunks": True})

VIRTUAL = "s3://somewhere/"


class RandomChunkChanges:
    """A repository with one branch that is committed to at random."""

    def __init__(self, directory: Path, spec_version: int, random: Random) -> None:
        self.random = random
        self.spec_version = spec_version
        self.storage = icechunk.local_filesystem_storage(str(directory))
        self.repository = icechunk.Repository.create(self.storage, config=self._config(), spec_version=spec_version)
        self.snapshots: list[str] = []
        self.steps: list[str] = []
        self.names = 0

    def write(self, commits: int) -> None:
        """Commit `commits` times, with other settings for manifests from time to time."""
        for _ in range(commits):
            chance = self.random.random()
            if chance < 0.2:
                self.steps.append("other settings")
                self.repository = icechunk.Repository.open(self.storage, config=self._config())
            if chance > 0.9 and self.snapshots:
                self.steps.append("manifests written again")
                self.snapshots.append(self.repository.rewrite_manifests("rewrite", branch="main"))
            elif chance > 0.75 and self.spec_version == 2 and self.snapshots:
                self._commit_moves()
            else:
                self._commit_changes()

    def _config(self) -> icechunk.RepositoryConfig:
        """Settings: where chunks are stored, and how many of them a manifest has."""
        config = icechunk.RepositoryConfig.default()
        config.inline_chunk_threshold_bytes = self.random.choice((0, 8, 512))
        config.set_virtual_chunk_container(icechunk.VirtualChunkContainer(VIRTUAL, icechunk.s3_store(region="x")))
        size = self.random.choice((None, 1, 2, 3))
        if size is not None:
            dimensions = {icechunk.ManifestSplitDimCondition.Any(): size}
            splitting = icechunk.ManifestSplittingConfig.from_dict({icechunk.ManifestSplitCondition.AnyArray(): dimensions})
            config.manifest = icechunk.ManifestConfig(splitting=splitting)
        return config

    def _commit_moves(self) -> None:
        session = self.repository.rearrange_session("main")
        for path, _ in self._arrays(session)[:2]:
            session.move(f"/{path}", f"/{self._new_name()}")
            self.steps.append(f"move {path}")
        self._commit(session)

    def _commit_changes(self) -> None:
        session = self.repository.writable_session("main")
        if not self.snapshots:
            zarr.create_group(session.store).create_group("b")
        for _ in range(self.random.randint(1, 6)):
            change = self.random.choice(self._changes())
            change(session)
        self._commit(session)

    def _changes(self) -> tuple[Callable[[icechunk.Session], None], ...]:
        """The changes, the frequent ones several times."""
        written = (self._create, self._create, self._fill, self._fill, self._fill)
        return (*written, self._resize, self._reshape, self._refer, self._shift, self._delete)

    def _commit(self, session: icechunk.Session) -> None:
        if session.has_uncommitted_changes:
            self.snapshots.append(session.commit("change"))
            self.steps.append(f"commit {self.snapshots[-1]}")

    def _new_name(self) -> str:
        self.names += 1
        return f"{self.random.choice(('a', 'b/c', 'ä', 'x y'))}{self.names}"

    def _arrays(self, session: icechunk.Session) -> list[tuple[str, zarr.Array]]:
        """The arrays in a random order."""
        members = zarr.open_group(session.store, mode="r+").members(max_depth=None)
        arrays = sorted(((path, node) for path, node in members if isinstance(node, zarr.Array)), key=lambda item: item[0])
        return self.random.sample(arrays, len(arrays))

    def _create(self, session: icechunk.Session) -> None:
        """Create an array: scalar, empty, sharded, with chunks of different sizes, or with attributes that look like a grid."""
        rank = self.random.choice((0, 1, 1, 1, 2, 3))
        shape = tuple(self.random.randint(0, 12) for _ in range(rank))
        chunks: tuple[int, ...] | list[list[int]] = tuple(self.random.randint(1, 4) for _ in shape)
        shards = tuple(2 * size for size in chunks) if rank and self.random.random() < 0.25 else None
        if shards is None and rank and min(shape) > 2 and self.spec_version == 2 and self.random.random() < 0.5:
            chunks = [self._edges(size) for size in shape]
        attributes = self.random.choice(({}, {"units": "°C"}, {"chunk_grid": {"name": "regular"}}, {"title": 'a "chunk_grid"'}))
        name = self._new_name()
        self.steps.append(f"create {name} {shape} {chunks} {shards}")
        # A group above it may be new.
        zarr.open_group(session.store, mode="r+").create_array(
            name, shape=shape, chunks=chunks, shards=shards, dtype="int32", fill_value=0, attributes=attributes
        )

    def _edges(self, size: int) -> list[int]:
        """Sizes of chunks of a dimension. Equal sizes alone would be written in another form, which Icechunk refuses."""
        edges = [1, 2]
        while sum(edges) < size:
            edges.append(self.random.randint(1, min(4, size - sum(edges))))
        return edges

    def _fill(self, session: icechunk.Session) -> None:
        """Write a part of an array. What equals the fill value is no chunk, so that some are deleted."""
        for path, array in self._arrays(session)[:1]:
            if 0 in array.shape:
                return
            starts = [self.random.randrange(size) for size in array.shape]
            part = tuple(slice(start, self.random.randint(start + 1, size)) for start, size in zip(starts, array.shape))
            self.steps.append(f"fill {path} {part}")
            try:
                array[part] = self.random.choice((0, 7, 7))
            except icechunk.IcechunkError:
                # A part of a virtual chunk cannot be written, because the other part cannot be read.
                self.steps.append("not filled")

    def _resize(self, session: icechunk.Session) -> None:
        """Resize an array as zarr-python does, which deletes chunks outside of the new shape."""
        for path, array in self._arrays(session)[:1]:
            if array.ndim:
                shape = tuple(self.random.randint(0, 14) for _ in array.shape)
                self.steps.append(f"resize {path} {shape}")
                array.resize(shape)

    def _reshape(self, session: icechunk.Session) -> None:
        """Write another shape into the document of an array, and leave its chunks alone."""
        for path, array in self._arrays(session)[:1]:
            document = json.loads(get(session.store, f"{path}/zarr.json"))
            document["shape"] = [self.random.randint(0, size + 2) for size in array.shape]
            if document["chunk_grid"]["name"] == "rectilinear":
                document["shape"] = [self.random.randint(0, size) for size in array.shape]
            self.steps.append(f"reshape {path} {document['shape']}")
            put(session.store, f"{path}/zarr.json", json.dumps(document, indent=self.random.choice((None, 2))))

    def _refer(self, session: icechunk.Session) -> None:
        """Refer to some chunks that are stored elsewhere."""
        for path, array in self._arrays(session)[:1]:
            grid = grid_of(json.loads(get(session.store, f"{path}/zarr.json")))
            if 0 in grid:
                return
            for _ in range(self.random.randint(1, 4)):
                place = [str(self.random.randrange(count)) for count in grid]
                key = "/".join([path, "c", *place])
                session.store.set_virtual_ref(key, f"{VIRTUAL}file", offset=0, length=4, validate_container=False)
            self.steps.append(f"refer {path}")

    def _shift(self, session: icechunk.Session) -> None:
        """Shift all chunks of an array; those that leave the grid are lost."""
        for path, array in self._arrays(session)[:1]:
            name = json.loads(get(session.store, f"{path}/zarr.json"))["chunk_grid"]["name"]
            if array.ndim and name == "regular" and 0 not in array.shape:
                offset = [self.random.randint(-2, 2) for _ in array.shape]
                self.steps.append(f"shift {path} {offset}")
                session.shift_array(f"/{path}", offset)

    def _delete(self, session: icechunk.Session) -> None:
        for path, _ in self._arrays(session)[:1]:
            self.steps.append(f"delete {path}")
            del zarr.open_group(session.store, mode="r+")[path]


def grid_of(document: dict) -> list[int]:
    """The number of chunks, or shards, along each dimension."""
    grid, shape = document["chunk_grid"], document["shape"]
    if grid["name"] == "regular":
        return [-(-size // chunk) for size, chunk in zip(shape, grid["configuration"]["chunk_shape"], strict=True)]
    return [count_edges(edges, size) for size, edges in zip(shape, grid["configuration"]["chunk_shapes"], strict=True)]


def count_edges(edges: int | list, size: int) -> int:
    """How many chunks of these sizes begin before the end of a dimension."""
    if isinstance(edges, int):
        return -(-size // edges)
    sizes = [size for edge in edges for size in ([edge[0]] * edge[1] if isinstance(edge, list) else [edge])]
    return sum(sum(sizes[:index]) < size for index in range(len(sizes)))
