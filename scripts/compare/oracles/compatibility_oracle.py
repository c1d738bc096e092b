"""Whether those who read one snapshot can read another, by the rules of docs/internals/verdicts.md.

The datasets are those that official xarray opens. Nothing here knows of Floe. Kinds of units, standard names and
calendars are equal if a small table says so: random histories use no others.
"""

from __future__ import annotations

import asyncio
import json
import warnings
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import icechunk
import numpy as np
import xarray as xr

from compare.oracles.diff_oracle import Node, read_node
from compare.oracles.icechunk_oracle import node_kinds
from compare.oracles.xpublish_oracle import open_group

SAME_UNITS = (
    *({"m s-1", "m/s", "m s**-1"}, {"degrees_north", "degree_north", "degrees_N"}, {"degrees_east", "degree_east"}),
    *({"K", "kelvin"}, {"1", "dimensionless", ""}, {"W m-2", "W/m2", "m-2 W"}, {"hPa", "mbar"}),
    *({"dbar", "decibar"}, {"ppm", "1e-6"}),
)
SAME_NAMES = ({"area_type", "land_cover"}, {"air_pressure_at_mean_sea_level", "air_pressure_at_sea_level"})
KINDS = {
    "units": ("units-changed", SAME_UNITS),
    "GRIB_units": ("meaning-changed", SAME_UNITS),
    "standard_name": ("standard-name-changed", SAME_NAMES),
}
CALENDARS = {"gregorian": "standard", "365_day": "noleap", "366_day": "all_leap"}
MEANINGS = {"positive", "axis", "cell_methods", "cell_measures", "grid_mapping", "bounds", "formula_terms", "climatology", "step_type"}
HARMLESS_GRIB = {"GRIB_name", "GRIB_cfName", "GRIB_centre"}
DESCRIPTIVE = {"long_name", "comment", "history"}
TIME_NAMES = {"time", "forecast_reference_time", "forecast_period"}
DECODING = ("scale_factor", "add_offset", "_FillValue", "missing_value", "_Unsigned", "units")
LAYOUT = ("codecs", "chunk_grid", "chunk_key_encoding")
STORED = ("data_type", *LAYOUT)
BREAKING, UNKNOWN, COMPATIBLE = "breaking", "unknown", "compatible"


@dataclass(frozen=True)
class Change:
    """One change, without its values."""

    kind: str
    verdict: str
    variable: str | None = None
    dimension: str | None = None
    attribute: str | None = None
    widened: bool = False
    moved_from: str | None = None


class State:
    """What readers see of a snapshot."""

    def __init__(self, repository: icechunk.Repository, snapshot_id: str) -> None:
        self.repository = repository
        self.id = snapshot_id
        session = repository.readonly_session(snapshot_id=snapshot_id)
        # zarr lists no group that holds a document that it refuses, so the nodes are Icechunk's.
        kinds = node_kinds(repository, snapshot_id)
        nodes = [read_node(session, path.removeprefix("/"), f"{kind}s") for path, kind in kinds.items()]
        self.nodes = {node.path: node for node in nodes}
        self.by_id = {node.id: node for node in nodes}
        self.opened: dict[str, xr.Dataset | str] = {}

    @cached_property
    def datasets(self) -> set[str]:
        """The groups that hold arrays directly."""
        return {node.path.rpartition("/")[0] for node in self.nodes.values() if node.kind == "arrays"}

    def documents(self, group: str) -> dict[str, bytes]:
        """The documents of a group and of the arrays directly in it."""
        arrays = {path for path, node in self.nodes.items() if node.kind == "arrays" and path.rpartition("/")[0] == group}
        return {path: self.nodes[path].document for path in {group, *arrays}}

    def document(self, path: str) -> dict[str, Any]:
        return json.loads(self.nodes[path].document)

    def has_chunks(self, path: str) -> bool:
        """Whether an array has at least one chunk, as official Icechunk lists them."""

        async def find() -> bool:
            async for _ in self.repository.readonly_session(snapshot_id=self.id).chunk_coordinates(f"/{path}"):
                return True
            return False

        return asyncio.run(find())

    def open(self, group: str) -> xr.Dataset | str:
        """The dataset, or why it cannot be opened."""
        if group not in self.opened:
            store = self.repository.readonly_session(snapshot_id=self.id).store
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    self.opened[group] = open_group(store, group)
                except Exception as error:  # xarray raises whatever its layers raise
                    self.opened[group] = f"{type(error).__name__}: {error}"
        return self.opened[group]

    def lacks_codec(self, group: str) -> bool:
        """Whether a codec is missing that a reader may have installed. Floe answers for both."""
        dataset = self.open(group) if group in self.datasets else None
        return isinstance(dataset, str) and "UnknownCodecError" in dataset

    def tree_conflicts(self, group: str) -> dict[str, str]:
        """The dimensions that have another size in a group above, with the nearest such group."""
        dataset = self.open(group) if group in self.datasets else None
        if not isinstance(dataset, xr.Dataset):
            return {}
        found: dict[str, str] = {}
        sizes = dataset.sizes
        while group:
            group = group.rpartition("/")[0]
            above = self.open(group) if group in self.datasets else None
            if isinstance(above, xr.Dataset):
                others = [str(name) for name, size in above.sizes.items() if sizes.get(name, size) != size]
                found |= {name: group for name in others if name not in found}
        return found


def compare(before: State, after: State) -> tuple[dict[str, set[Change]], set[tuple[str, str, str]]]:
    """The changes of each group, and the notes about trees: group, dimension and group above."""
    written = chunks_written(before, after)
    groups = {path for state in (before, after) for path, node in state.nodes.items() if node.kind == "groups"}
    groups -= {path for path in groups if before.lacks_codec(path) or after.lacks_codec(path)}
    changes = {path: set(compare_group(before, after, path, written)) for path in sorted(groups)}
    notes = set()
    for path in after.datasets:
        old, new = before.tree_conflicts(path), after.tree_conflicts(path)
        notes |= {(path, dimension, above) for dimension, above in new.items() if dimension not in old}
    return {path: found for path, found in changes.items() if found}, notes


def worst(changes: Mapping[str, set[Change]]) -> str:
    """The verdict about all changes."""
    verdicts = {change.verdict for found in changes.values() for change in found}
    return next((verdict for verdict in (BREAKING, UNKNOWN, COMPATIBLE) if verdict in verdicts), "identical")


def chunks_written(before: State, after: State) -> set[str] | None:
    """The arrays whose chunks were written; None if that is unknown."""
    if before.id == after.id:
        return set()
    line = [info.id for info in after.repository.ancestry(snapshot_id=after.id)]
    if before.id not in line:
        return None
    try:
        diff = after.repository.diff(from_snapshot_id=before.id, to_snapshot_id=after.id)
    except icechunk.IcechunkError:  # the logs of most test repositories are left out
        return None
    return {path.removeprefix("/") for path in diff.updated_chunks}


def compare_group(before: State, after: State, path: str, written: set[str] | None) -> Iterator[Change]:
    """The changes of one group."""
    if path not in after.datasets and path in before.datasets:
        yield Change("dataset-removed", BREAKING)
    elif path in after.datasets and path not in before.datasets:
        verdict = COMPATIBLE if isinstance(after.open(path), xr.Dataset) else UNKNOWN
        yield Change("dataset-added", verdict, moved_from=moved_from(before, after, path))
    elif path in after.datasets:
        yield from compare_datasets(before, after, path, written)
    elif all(state.nodes.get(path, None) and state.nodes[path].kind == "groups" for state in (before, after)):
        old, new = (visible(state.document(path).get("attributes") or {}) for state in (before, after))
        yield from (Change("group-attributes-changed", COMPATIBLE, attribute=name) for name in differing(old, new))


def visible(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes of a group as xarray shows them."""
    shown = {name: value for name, value in attributes.items() if not name.lower().startswith("_nc")}
    if isinstance(shown.get("coordinates"), str):
        del shown["coordinates"]
    return shown


def moved_from(before: State, after: State, path: str) -> str | None:
    """The path that a node had before, if that was another."""
    node = before.by_id.get(after.nodes[path].id)
    return node.path if node and node.path != path else None


def compare_datasets(before: State, after: State, path: str, written: set[str] | None) -> Iterator[Change]:
    old, new = before.open(path), after.open(path)
    if isinstance(new, str):
        if isinstance(old, xr.Dataset):
            yield Change("dataset-unreadable", BREAKING)
        elif before.documents(path) != after.documents(path):
            yield Change("dataset-unreadable", UNKNOWN)
        return
    if isinstance(old, str):
        yield Change("dataset-readable-again", COMPATIBLE)
        return
    paths = {str(name): f"{path}/{name}".removeprefix("/") for name in new.variables}
    anew = {name for name in paths if name in old.variables and before.nodes[paths[name]].id != after.nodes[paths[name]].id}
    yield from compare_dimensions(old, new, anew)
    yield from (Change("group-attributes-changed", COMPATIBLE, attribute=name) for name in differing(old.attrs, new.attrs))
    yield from (Change("variable-removed", BREAKING, str(name)) for name in old.variables if name not in new.variables)
    mappings = grid_mappings(old)
    for name, node_path in paths.items():
        if name not in old.variables:
            yield Change("variable-added", COMPATIBLE, name, moved_from=moved_from(before, after, node_path))
            continue
        yield from compare_variables(name, old, new)
        yield from compare_attributes(name, old[name].attrs, new[name].attrs, name in mappings)
        rewritten = True if name in anew else None if written is None else node_path in written
        documents = [state.document(node_path) for state in (before, after)]
        empty = not rewritten and documents[0] != documents[1] and not any(state.has_chunks(node_path) for state in (before, after))
        yield from compare_storage(name, (old[name], new[name]), documents, rewritten, name in anew, empty)


def compare_dimensions(old: xr.Dataset, new: xr.Dataset, anew: set[str]) -> Iterator[Change]:
    """`anew`: the variables whose arrays were replaced."""
    for name, size in old.sizes.items():
        if name not in new.sizes:
            yield Change("dimension-removed", BREAKING, dimension=str(name))
        elif new.sizes[name] != size:
            shrunk = new.sizes[name] < size
            grown = COMPATIBLE if is_append(name, old, new, anew) else UNKNOWN
            yield Change("size-shrunk" if shrunk else "size-grown", BREAKING if shrunk else grown, dimension=str(name))
        if name in new.sizes and name in new.indexes and name not in old.indexes:
            yield Change("index-added", BREAKING, variable=str(name), dimension=str(name))
    yield from (Change("dimension-added", COMPATIBLE, dimension=str(name)) for name in new.sizes if name not in old.sizes)


def is_append(dimension: Hashable, old: xr.Dataset, new: xr.Dataset, anew: set[str]) -> bool:
    """Whether what says the positions along a longer dimension was kept, or has times."""
    along = [name for name, variable in new.variables.items() if dimension in variable.dims]
    if any(new[name].ndim == 1 and has_times(new[name]) for name in along):
        return True
    kept = [name for name in along if name in old.variables and dimension in old[name].dims]
    witnesses = [dimension] if dimension in kept else kept
    return not witnesses or any(name not in anew for name in witnesses)


def has_times(array: xr.DataArray) -> bool:
    attributes = array.attrs
    stated = attributes.get("axis") == "T" or " since " in str(attributes.get("units"))
    name = attributes.get("standard_name")
    return array.dtype.kind in "mM" or calendar(array.variable) is not None or stated or (isinstance(name, str) and name in TIME_NAMES)


def compare_variables(name: str, old_dataset: xr.Dataset, new_dataset: xr.Dataset) -> Iterator[Change]:
    old, new = old_dataset[name].variable, new_dataset[name].variable
    if old.dims != new.dims:
        yield Change("dimensions-changed", BREAKING, name)
    if (name in old_dataset.coords) != (name in new_dataset.coords):
        yield Change("role-changed", BREAKING, name)
    if str(old.dtype) != str(new.dtype):
        if any(kind == {old.dtype.kind, new.dtype.kind} for kind in ({"U"}, {"S"})):
            yield Change("text-width-changed", COMPATIBLE, name)
        else:
            yield Change("type-changed", BREAKING, name, widened=is_widened(old.dtype, new.dtype))
    if old.dtype == new.dtype == object and calendar(old) != calendar(new):
        yield Change("calendar-changed", BREAKING, name, attribute="calendar")


def is_widened(old: np.dtype[Any], new: np.dtype[Any]) -> bool:
    """Whether every number stays exact. numpy's `safe` lets integers of 64 bits become floats."""
    if old.kind not in "iufc" or new.kind not in "iufc" or not np.can_cast(old, new, "safe"):
        return False
    exact_integers = {"float16": 11, "float32": 24, "float64": 53, "complex64": 24, "complex128": 53}
    return old.kind not in "iu" or new.kind in "iu" or 8 * old.itemsize - (old.kind == "i") <= exact_integers[new.name]


def calendar(variable: xr.Variable) -> str | None:
    """The calendar of decoded times."""
    if "since" not in str(variable.encoding.get("units")) or variable.dtype.kind not in "MO":
        return None
    name = str(variable.encoding.get("calendar", "standard")).lower()
    return CALENDARS.get(name, name)


def grid_mappings(dataset: xr.Dataset) -> set[str]:
    """The names of the variables that describe a projection."""
    names = {str(name) for name, variable in dataset.variables.items() if "grid_mapping_name" in variable.attrs}
    for variable in dataset.variables.values():
        words = str(variable.attrs.get("grid_mapping", "")).split()
        names |= {word[:-1] for word in words if word.endswith(":")} or set(words)
    return names


def compare_attributes(name: str, old: Mapping[str, Any], new: Mapping[str, Any], is_mapping: bool) -> Iterator[Change]:
    for attribute in differing(old, new):
        verdict = COMPATIBLE if attribute not in old else BREAKING
        both = old.get(attribute), new.get(attribute)
        states_meaning = attribute in MEANINGS or (attribute.startswith(("flag_", "GRIB_")) and attribute not in HARMLESS_GRIB)
        if attribute in KINDS:
            kind, table = KINDS[attribute]
            same = all(isinstance(value, str) for value in both) and any(set(both) <= names for names in table)
            yield Change(kind, COMPATIBLE if same else verdict, name, attribute=attribute)
        elif states_meaning or (is_mapping and attribute not in DESCRIPTIVE):
            yield Change("meaning-changed", verdict, name, attribute=attribute)
        else:
            yield Change("attribute-changed", COMPATIBLE, name, attribute=attribute)


def compare_storage(
    name: str,
    pair: tuple[xr.DataArray, xr.DataArray],
    documents: list[dict[str, Any]],
    rewritten: bool | None,
    anew: bool,
    empty: bool,
) -> Iterator[Change]:
    """`rewritten`: whether chunks were written; None if that is unknown. `empty`: whether there is none."""
    decodings = [decoding(array.variable, document) for array, document in zip(pair, documents, strict=True)]
    changed = set(differing(*decodings))
    relaid = empty and bool(changed) and changed <= set(LAYOUT)
    reinterpreted = bool(changed) and not relaid
    fill = not equal(*(document["fill_value"] for document in documents))
    # The calendar of times that numpy holds changes none of them.
    times = [calendar(array.variable) if array.dtype.kind == "M" else None for array in pair]
    if fill and not reinterpreted and not anew:
        yield Change("fill-value-changed", UNKNOWN, name)
    if reinterpreted and not rewritten:
        yield Change("values-reinterpreted", UNKNOWN if rewritten is None else BREAKING, name)
    elif reinterpreted or relaid or times[0] != times[1] or (fill and anew):
        yield Change("encoding-changed", COMPATIBLE, name)


def decoding(variable: xr.Variable, document: dict[str, Any]) -> dict[str, Any]:
    """What determines the values of stored bytes."""
    found = {name: plain(variable.encoding[name]) for name in DECODING if name in variable.encoding}
    # NaN masks nothing.
    found = {name: value for name, value in found.items() if value == value}
    return found | {name: document.get(name) for name in STORED}


def plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    names = dict.fromkeys([*old, *new])
    return [name for name in names if name not in old or name not in new or not equal(old[name], new[name])]


def equal(left: Any, right: Any) -> bool:
    """Python's equality, but a boolean equals no number."""
    return bool(left == right) and json.dumps(plain(left) is True or plain(left) is False) == json.dumps(plain(right) is True or plain(right) is False)
