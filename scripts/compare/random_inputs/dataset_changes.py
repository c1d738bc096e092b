"""Writes random repositories whose datasets change as people change them: written again, appended to, edited in place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import icechunk
import numpy as np
import xarray as xr
import zarr

from compare.oracles.diff_oracle import read_node
from fixtures.repository import put_documents

icechunk.set_logs_filter("off")

GROUPS = ("", "air", "sea", "sea/deep")
VARIABLES = ("t2m", "crs", "mask", "u", "name")
ATTRIBUTES: dict[str, tuple[Any, ...]] = {
    "units": ("K", "kelvin", "m s-1", "m/s", "hPa", "mbar", "W m-2", "W/m2", "dbar", "decibar", "ppm", "1e-6", "1", "", 1),
    "GRIB_units": ("m s**-1", "m s-1", "K"),
    "GRIB_stepType": ("accum", "instant"),
    "GRIB_name": ("a", "b"),
    "step_type": ("avg", "max"),
    "positive": ("up", "down"),
    "comment": ("a", "b"),
    "standard_name": ("area_type", "land_cover", "air_temperature"),
    "long_name": ("a", "b", 2, 2.0, [1, 2], [1.0, 2.0], {"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
    "axis": ("X", "Y"),
    "bounds": ("u", "mask"),
    "cell_methods": ("time: mean", "time: max"),
    "flag_values": ([0, 1], [0, 1.0], [0, 2]),
    "grid_mapping": ("crs", "crs: x y", "mask"),
    "grid_mapping_name": ("mercator",),
    "coordinates": ("t2m", "u name"),
    "semi_major_axis": (6371.0, 6378.0),
}
PACKING: dict[str, tuple[Any, ...]] = {"scale_factor": (0.5, 2.0), "add_offset": (1.0, 2.0), "missing_value": (-9, -99)}
TIMES = ("days since 2000-01-01", "hours since 2000-01-01", "days since 2001-01-01")
CALENDARS = ("standard", "gregorian", "proleptic_gregorian", "noleap", "365_day", "360_day")


class RandomDatasetChanges:
    """A repository that is committed to at random."""

    def __init__(self, directory: Path, spec_version: int, random: Random) -> None:
        storage = icechunk.local_filesystem_storage(str(directory))
        self.repository = icechunk.Repository.create(storage, spec_version=spec_version)
        self.random = random
        self.spec_version = spec_version
        self.snapshots: list[str] = []
        self.steps: list[str] = []
        self._commit(*(self._write(group) for group in GROUPS if group in ("", "sea") or random.random() < 0.5))

    def write(self, commits: int) -> None:
        """Commit `commits` times, and once on another branch."""
        for number in range(commits):
            # Large changes are rare, because they hide the small ones.
            small = [self._edit, self._edit, self._edit, self._repack, self._repack, self._retime, self._edit_document, self._write_values]
            large = [self._rewrite, self._append, self._append, self._resize, self._delete, self._recreate, self._describe_group, self._add_coordinate, self._break, self._empty]
            choices = small + large + ([self._move] if self.spec_version == 2 else [])
            try:
                self.random.choice(choices)()
            except (ValueError, KeyError, TypeError, zarr.errors.BaseZarrError) as error:
                # What cannot be written, such as an append to what xarray cannot open, is left out.
                self.steps.append(f"not possible: {type(error).__name__}")
            if number == commits // 2:
                self.repository.create_branch(f"other{number}", self.snapshots[-1])
                self.branch = f"other{number}"
                self._edit()
                self.branch = "main"

    branch = "main"

    def _commit(self, *writes: Callable[[icechunk.IcechunkStore], None]) -> None:
        session = self.repository.writable_session(self.branch)
        for write in writes:
            write(session.store)
        if session.has_uncommitted_changes:
            self.snapshots.append(session.commit("write"))
            self.steps.append(f"commit {self.snapshots[-1]}")

    def _note(self, step: str) -> None:
        self.steps.append(step)

    def _pick(self, values: tuple[Any, ...]) -> Any:
        return self.random.choice(values)

    def _dataset(self, sizes: dict[str, int], names: list[str]) -> xr.Dataset:
        variables = {name: self._variable(name, sizes) for name in names}
        time = np.arange(sizes["time"])
        attributes = {"units": self._pick(TIMES), "calendar": self._pick(CALENDARS[:4])}
        coordinates = {"time": ("time", time, attributes)}
        if self.random.random() < 0.7:
            coordinates["x"] = ("x", np.arange(sizes["x"], dtype="float64"), {"units": self._pick(("degrees_east", "degree_east"))})
        return xr.Dataset(variables, coordinates, attrs=self._attributes(("long_name", "semi_major_axis")))

    def _variable(self, name: str, sizes: dict[str, int]) -> xr.Variable:
        dimensions = {"crs": (), "mask": ("x",), "name": ("x",)}.get(name, self._pick((("time", "x"), ("x", "time"), ("time",))))
        shape = tuple(sizes[dimension] for dimension in dimensions)
        dtype = self._pick(("<U5", "<U7", "S3")) if name == "name" else self._pick(("float32", "float64", "int16", "int32", "uint8", "bool"))
        attributes = self._attributes(tuple(ATTRIBUTES))
        return xr.Variable(dimensions, np.ones(shape, dtype=dtype), attrs=attributes)

    def _attributes(self, names: tuple[str, ...]) -> dict[str, Any]:
        return {name: self._pick(ATTRIBUTES[name]) for name in names if self.random.random() < 0.25 and name != "coordinates"}

    def _write(self, group: str) -> Callable[[icechunk.IcechunkStore], None]:
        sizes = {"time": self.random.choice((2, 3)), "x": self.random.choice((3, 3, 4))}
        names = self.random.sample(VARIABLES, self.random.randint(2, 4))
        dataset = self._dataset(sizes, names)
        self._note(f"write {group!r} with {names}")
        encoding: dict[Any, dict[str, Any]] = {str(name): {"_FillValue": None} for name in dataset.variables}
        for name in dataset.data_vars:
            if self.random.random() < 0.3 and dataset[name].ndim:
                encoding[name]["chunks"] = (2,) * dataset[name].ndim
        return lambda store: (dataset.to_zarr(store, group=group, mode="w", consolidated=False, zarr_format=3, encoding=encoding), None)[1]

    def _members(self, kind: type) -> list[str]:
        root = zarr.open_group(self.repository.readonly_session(self.branch).store, mode="r")
        members = {"": root, **dict(root.members(max_depth=None))}
        return [path for path, node in members.items() if isinstance(node, kind)]

    def _array(self, names: tuple[str, ...] = ()) -> str:
        paths = [path for path in self._members(zarr.Array) if not names or path.rpartition("/")[2] in names]
        return self.random.choice(paths)

    def _data_array(self) -> str:
        """An array whose values xarray does not read when it opens the dataset."""
        return self._array(VARIABLES)

    def _rewrite(self) -> None:
        self._commit(self._write(self._pick(GROUPS)))

    def _append(self) -> None:
        """Append, sometimes without some variables, which leaves a dimension of two sizes (xarray 10766)."""
        group = self._pick(tuple(self._members(zarr.Group)))
        whole = xr.open_zarr(self.repository.readonly_session(self.branch).store, group=group, consolidated=False, zarr_format=3, chunks=None)
        part = whole.isel(time=[-1]).load()
        dropped = [name for name in part.variables if "time" not in part[name].dims]
        if self.random.random() < 0.2:
            dropped += [name for name in part.data_vars if name not in dropped][:1]
        self._note(f"append to {group!r} without {dropped}")
        self._commit(lambda store: (part.drop_vars(dropped).to_zarr(store, group=group, append_dim="time", consolidated=False, zarr_format=3), None)[1])

    def _edit(self) -> None:
        """Change, add or remove attributes."""
        path = self._data_array() if self.random.random() < 0.8 else self._array()
        name = self._pick(tuple(ATTRIBUTES))
        if path.rpartition("/")[2] == "time" and name == "units":
            return
        removes = self.random.random() < 0.3
        value = self._pick(ATTRIBUTES[name])
        self._note(f"{name} of {path} is {'gone' if removes else value}")
        self._commit(lambda store: self._change_attribute(store, path, name, None if removes else value))

    @staticmethod
    def _change_attribute(store: icechunk.IcechunkStore, path: str, name: str, value: Any) -> None:
        node = zarr.open(store, path=path, mode="r+")
        attributes = dict(node.attrs)
        attributes.pop(name, None)
        node.attrs.put(attributes if value is None else {**attributes, name: value})

    def _repack(self) -> None:
        """Change packing, sometimes with the values."""
        path = self._array(("t2m", "u", "mask"))
        name = self._pick(tuple(PACKING))
        value = self._pick((*PACKING[name], None))
        writes = self.random.random() < 0.4
        self._note(f"{name} of {path} is {value}, writes: {writes}")
        change = lambda store: self._change_attribute(store, path, name, value)  # noqa: E731
        fill = lambda store: zarr.open_array(store, path=path, mode="r+").__setitem__(Ellipsis, 1)  # noqa: E731
        self._commit(change, *([fill] if writes else []))

    def _retime(self) -> None:
        """Change units or calendar of times."""
        path = self._array(("time",))
        name, values = self._pick((("units", TIMES), ("calendar", CALENDARS), ("calendar", (None,))))
        value = self._pick(values)
        self._note(f"{name} of {path} is {value}")
        self._commit(lambda store: self._change_attribute(store, path, name, value))

    def _edit_document(self) -> None:
        """Change codecs, the fill value or chunks of a document without the data."""
        path = self._data_array()
        key = self._pick(("codecs", "fill_value", "chunk_grid"))

        def edit(document: dict[str, Any]) -> None:
            if key == "codecs":
                document["codecs"] = [codec for codec in document["codecs"] if codec["name"] != "zstd"]
            elif key == "chunk_grid":
                document["chunk_grid"]["configuration"]["chunk_shape"] = [5 for _ in document["shape"]]
            elif isinstance(document["fill_value"], int | float | bool):
                document["fill_value"] = True if isinstance(document["fill_value"], bool) else document["fill_value"] + 1

        self._edit_documents(path, key, edit)

    def _break(self) -> None:
        """Make a dataset that xarray cannot open, or mend it."""
        path = self._data_array()

        def edit(document: dict[str, Any]) -> None:
            if "dimension_names" in document:
                del document["dimension_names"]
            else:
                document["dimension_names"] = ["x", "time"][: len(document["shape"])]

        self._edit_documents(path, "dimension_names", edit)

    def _edit_documents(self, path: str, key: str, edit: Callable[[dict[str, Any]], None]) -> None:
        document = json.loads(read_node(self.repository.readonly_session(self.branch), path, "arrays").document)
        edit(document)
        self._note(f"edit {key} of {path}")
        self._commit(lambda store: put_documents(store, {path: json.dumps(document)}))

    def _write_values(self) -> None:
        path = self._array(("t2m", "u", "mask"))
        self._note(f"write {path}")
        self._commit(lambda store: zarr.open_array(store, path=path, mode="r+").__setitem__(Ellipsis, 1))

    def _resize(self) -> None:
        """Resize one array, or all with a dimension."""
        group = self._pick(tuple(self._members(zarr.Group)))
        dimension, size = self._pick(("time", "x")), self.random.choice((2, 3, 4))
        self._note(f"resize {dimension} of {group!r} to {size}")

        def resize(store: icechunk.IcechunkStore) -> None:
            for _, array in zarr.open_group(store, path=group, mode="r+").arrays():
                names = array.metadata.dimension_names or ()
                shape = tuple(size if name == dimension else length for name, length in zip(names, array.shape, strict=False))
                if dimension in names:
                    array.resize(shape)
                    if array.basename in ("time", "x"):
                        array[...] = np.arange(size)

        self._commit(resize)

    def _delete(self) -> None:
        path = self._pick(tuple(path for path in [*self._members(zarr.Array), *self._members(zarr.Group)] if path))
        self._note(f"delete {path}")
        self._commit(lambda store: zarr.open_group(store, mode="r+").__delitem__(path))

    def _recreate(self) -> None:
        """Create an array again, with other chunks or another type."""
        path = self._array(("t2m", "u", "mask", "name"))
        dtype = self._pick(("<U5", "<U7", "S3", "S5") if path.endswith("name") else ("float32", "float64", "int16", None))
        self._note(f"create {path} anew as {dtype}")

        def create(store: icechunk.IcechunkStore) -> None:
            old = zarr.open_array(store, path=path, mode="r")
            options = {"shape": old.shape, "attributes": dict(old.attrs), "dimension_names": old.metadata.dimension_names}
            zarr.open_group(store, mode="r+").__delitem__(path)
            fill_value = None if path.endswith("name") else self._pick((0, 1))
            zarr.create_array(store, name=path, dtype=dtype or old.dtype, chunks=tuple(max(size, 1) for size in old.shape) or "auto", fill_value=fill_value, **options)[...] = np.ones(old.shape, dtype=dtype or old.dtype)

        self._commit(create)

    def _empty(self) -> None:
        """Create an array again without chunks, as in a template that is filled later."""
        path = self._array(("t2m", "u"))
        self._note(f"empty {path}")

        def empty(store: icechunk.IcechunkStore) -> None:
            old = zarr.open_array(store, path=path, mode="r")
            options = {"shape": old.shape, "attributes": dict(old.attrs), "dimension_names": old.metadata.dimension_names}
            zarr.open_group(store, mode="r+").__delitem__(path)
            zarr.create_array(store, name=path, dtype=old.dtype, fill_value=0, **options)

        self._commit(empty)

    def _describe_group(self) -> None:
        """Change an attribute of a group, or add a group without arrays."""
        path = self._pick((*self._members(zarr.Group), "notes"))
        value = self._pick((1, 2, 2.0, "a"))
        self._note(f"describe {path!r} as {value}")
        self._commit(lambda store: zarr.open_group(store, path=path, mode="a").attrs.update({"title": value}))

    def _add_coordinate(self) -> None:
        """Give a dimension a coordinate."""
        group = self._pick(tuple(self._members(zarr.Group)))
        path = f"{group}/x".removeprefix("/")
        sizes = [
            array.shape[array.metadata.dimension_names.index("x")]
            for _, array in zarr.open_group(self.repository.readonly_session(self.branch).store, path=group, mode="r").arrays()
            if "x" in (array.metadata.dimension_names or ())
        ]
        if not sizes or path in self._members(zarr.Array):
            return
        self._note(f"add {path}")

        def add(store: icechunk.IcechunkStore) -> None:
            zarr.create_array(store, name=path, shape=(sizes[0],), dtype="float64", dimension_names=["x"])[...] = np.arange(sizes[0])

        self._commit(add)

    def _move(self) -> None:
        old = self._pick(tuple(path for path in [*self._members(zarr.Array), *self._members(zarr.Group)] if path))
        new = f"{old}-{len(self.snapshots)}" if self.random.random() < 0.5 else f"moved-{len(self.snapshots)}"
        session = self.repository.rearrange_session(self.branch)
        session.move(f"/{old}", f"/{new}")
        self._note(f"move {old} to {new}")
        self.snapshots.append(session.commit("move"))
