"""Writes random repositories whose datasets are written again: as a whole, in part, in one commit or in several."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import icechunk
import numpy
import xarray
import zarr

icechunk.set_logs_filter("off")

GROUPS = ("", "air", "ocean", "ocean/deep")
VARIABLES = ("t2m", "größe", "u", "v")
DATA_TYPES = ("float32", "float64", "int16", "uint8")
ATTRIBUTES = ("units", "long_name", "level")
VALUES = ("K", "degC", 1, 2.5, True, [1, 2.5, "x"])


class RandomRewrites:
    """A repository that is committed to at random."""

    def __init__(self, directory: Path, spec_version: int, random: Random) -> None:
        storage = icechunk.local_filesystem_storage(str(directory))
        self.repository = icechunk.Repository.create(storage, spec_version=spec_version)
        self.random = random
        self.spec_version = spec_version
        self.snapshots: list[str] = []
        self.steps: list[str] = []
        self._commit(*(self._write_dataset(group) for group in GROUPS))

    def write(self, commits: int) -> None:
        """Commit `commits` times."""
        for _ in range(commits):
            choices = [self._rewrite, self._rewrite, self._repeat, self._replace, self._delete, self._change_kind]
            if self.spec_version == 2:
                choices.append(self._move)
            self.random.choice(choices)()

    def _rewrite(self) -> None:
        """Write whole datasets again."""
        groups = self.random.sample(GROUPS, self.random.randint(1, 2))
        self._commit(*(self._write_dataset(group) for group in sorted(groups)))

    def _repeat(self) -> None:
        """Write a dataset again as it is."""
        group = self.random.choice(self._groups())
        self.steps.append(f"write {group!r} again")
        self._commit(lambda store: write_dataset(store, group, read_dataset(store, group)))

    def _replace(self) -> None:
        """Delete some arrays, and create them again in the same commit or in the next one."""
        paths = [path for path in self._arrays() if self.random.random() < 0.5]
        writes = [self._create_array(path) for path in paths if self.random.random() < 0.8]
        deletions = [self._delete_node(path) for path in paths]
        if self.random.random() < 0.5:
            self._commit(*deletions, *writes)
        else:
            self._commit(*deletions)
            self._commit(*writes)

    def _delete(self) -> None:
        paths = [*self._arrays(), *(path for path in self._groups() if path)]
        if paths:
            self._commit(self._delete_node(self.random.choice(paths)))

    def _change_kind(self) -> None:
        """Replace an array by a group or a group by an array."""
        arrays, groups = self._arrays(), [path for path in self._groups() if path]
        if groups and self.random.random() < 0.5:
            path = self.random.choice(groups)
            self._commit(self._delete_node(path), self._create_array(path))
        elif arrays:
            path = self.random.choice(arrays)
            self._commit(self._delete_node(path), self._write_dataset(path))

    def _move(self) -> None:
        """Move a node to a free path, and often create another one where it was."""
        paths = self._arrays()
        if not paths:
            return
        old = self.random.choice(paths)
        new = f"{old}-{len(self.snapshots)}"
        session = self.repository.rearrange_session("main")
        session.move(f"/{old}", f"/{new}")
        self.snapshots.append(session.commit("move"))
        self.steps.append(f"move {old} to {new}")
        if self.random.random() < 0.7:
            self._commit(self._create_array(old))

    def _commit(self, *writes: Callable[[icechunk.IcechunkStore], None]) -> None:
        session = self.repository.writable_session("main")
        for write in writes:
            write(session.store)
        if session.has_uncommitted_changes:
            self.snapshots.append(session.commit("write"))
            self.steps.append("commit")

    def _write_dataset(self, group: str) -> Callable[[icechunk.IcechunkStore], None]:
        """A step that replaces a group with all that is in it."""
        names = self.random.sample(VARIABLES, self.random.randint(1, 3))
        dataset = xarray.Dataset({name: self._variable() for name in names}, attrs=self._attributes())
        self.steps.append(f"write {group!r} with {names}")
        return lambda store: write_dataset(store, group, dataset)

    def _create_array(self, path: str) -> Callable[[icechunk.IcechunkStore], None]:
        variable = self._variable()
        self.steps.append(f"create {path}")
        return lambda store: create_array(store, path, variable)

    def _delete_node(self, path: str) -> Callable[[icechunk.IcechunkStore], None]:
        self.steps.append(f"delete {path}")
        return lambda store: zarr.open_group(store, mode="r+").__delitem__(path)

    def _variable(self) -> xarray.Variable:
        """An array. A dimension of another size has another name, so that all fit into one dataset."""
        shape = [self.random.randint(1, 5) for _ in range(self.random.randint(0, 2))]
        dimensions = [f"{'xy'[axis]}{size}" for axis, size in enumerate(shape)]
        values = numpy.full(shape, self.random.randint(0, 1), dtype=self.random.choice(DATA_TYPES))
        return xarray.Variable(dimensions, values, attrs=self._attributes())

    def _attributes(self) -> dict[str, object]:
        return {name: self.random.choice(VALUES) for name in ATTRIBUTES if self.random.random() < 0.6}

    def _groups(self) -> list[str]:
        return [path for path, node in self._members().items() if isinstance(node, zarr.Group)]

    def _arrays(self) -> list[str]:
        return [path for path, node in self._members().items() if isinstance(node, zarr.Array)]

    def _members(self) -> dict[str, zarr.Array | zarr.Group]:
        root = zarr.open_group(self.repository.readonly_session("main").store, mode="r")
        return {"": root, **dict(root.members(max_depth=None))}


def read_dataset(store: icechunk.IcechunkStore, group: str) -> xarray.Dataset:
    """The dataset of a group, with its values."""
    return xarray.open_zarr(store, group=group, consolidated=False, zarr_format=3, chunks=None).load().drop_encoding()


def write_dataset(store: icechunk.IcechunkStore, group: str, dataset: xarray.Dataset) -> None:
    """Write a dataset as people do, in place of what is there."""
    encoding = {str(name): {"_FillValue": None} for name in dataset.variables}
    dataset.to_zarr(store, group=group, mode="w", consolidated=False, zarr_format=3, encoding=encoding)


def create_array(store: icechunk.IcechunkStore, path: str, variable: xarray.Variable) -> None:
    """Create an array with the values of a variable. A group that was deleted with it is created again."""
    array = zarr.create_array(
        store,
        name=path,
        shape=variable.shape,
        dtype=variable.dtype,
        attributes=dict(variable.attrs),
        dimension_names=[str(name) for name in variable.dims] or None,
    )
    array[...] = variable.values
