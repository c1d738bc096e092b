"""Which positions of arrays have no chunk: a naive count of the chunks that official Icechunk lists."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from itertools import groupby
from math import ceil, prod
from operator import lt
from typing import Any

import icechunk

from compare.oracles.diff_oracle import read_nodes
from compare.random_inputs.chunk_changes import grid_of

TIME_NAMES = """
time init_time initial_time valid_time reference_time forecast_reference_time forecast_date analysis_time date datetime
""".split()
MOST_BINS = 2_000
MOST_RANGES = 1_000


class GapsOracle:
    """The arrays of one snapshot with the coordinates of their chunks."""

    def __init__(self, repository: icechunk.Repository, snapshot_id: str) -> None:
        session = repository.readonly_session(snapshot_id=snapshot_id)
        nodes = [node for node in read_nodes(repository, snapshot_id).values() if node.kind == "arrays"]
        self.documents = {node.path: json.loads(node.document) for node in nodes}
        self.chunks = {path: set(asyncio.run(_list_chunks(session, path))) for path in self.documents}

    @property
    def groups(self) -> set[str]:
        """The groups that hold arrays, without the root."""
        return {path.rpartition("/")[0] for path in self.documents} - {""}

    @property
    def dimensions(self) -> set[str]:
        """The names of all dimensions."""
        return {name for document in self.documents.values() for name in _names(document)}

    def answer(self, group: str, along: str | None) -> list[dict[str, Any]]:
        """What Floe should answer about the arrays below a group."""
        paths = [path for path in self.documents if group == "" or path.startswith(f"{group}/")]
        return [self._describe(path, along) for path in sorted(paths, key=str.encode)]

    def _describe(self, path: str, asked: str | None) -> dict[str, Any]:
        document = self.documents[path]
        grid, names = grid_of(document), _names(document)
        inside = {chunk for chunk in self.chunks[path] if all(map(lt, chunk, grid))}
        along = self._choose(path, names, grid) if asked is None else names.index(asked) if asked in names else None
        found = _gaps(set() if along is None else inside, grid, names, along or 0)
        return {
            "path": path,
            "along": None if along is None else names[along],
            "chunks": {"written": len(inside), "total": prod(grid)},
            "reason": None,
            "outside": len(self.chunks[path]) - len(inside),
            **found,
            "dimensions": [
                {
                    "name": names[axis],
                    "positions": count,
                    "size": _size(document["chunk_grid"], axis),
                    "profile": _profile(inside, count, axis) if asked is None else None,
                }
                for axis, count in enumerate(grid)
            ],
        }

    def _choose(self, path: str, names: list[str], grid: list[int]) -> int | None:
        """The first dimension that is a time, else the first with several positions, else the first."""
        # Coordinates do not matter to an array that can have no gaps.
        group = path.rpartition("/")[0] if max(grid, default=0) > 1 else None
        times = [axis for axis, name in enumerate(names) if name.lower() in TIME_NAMES or self._is_time(group, name)]
        several = [axis for axis, count in enumerate(grid) if count > 1]
        return next(iter([*times, *several, *range(len(grid))]), None)

    def _is_time(self, group: str | None, name: str) -> bool:
        document = None if group is None else self.documents.get(f"{group}/{name}".removeprefix("/"))
        if document is None or document.get("dimension_names") != [name]:
            return False
        attributes = document.get("attributes", {})
        is_date = re.match("(seconds|minutes|hours|days) since ", str(attributes.get("units"))) is not None
        is_named = attributes.get("standard_name") in ("time", "forecast_reference_time")
        return is_date or is_named or attributes.get("axis") == "T"


def _gaps(chunks: set[tuple[int, ...]], grid: list[int], names: list[str], along: int) -> dict[str, Any]:
    """Gaps and patterns along one dimension."""
    if not chunks:
        return {"last_written": None, "gaps": [], "patterns": []}
    used = [{place[axis] for place in chunks} for axis in range(len(grid))]
    last_written = max(used[along])
    total = prod(len(used[axis]) for axis in range(len(grid)) if axis != along)
    counts = Counter(place[along] for place in chunks)
    written = [counts[step] for step in range(last_written + 1)]
    gaps = [
        {"first": first, "last": last, "written": count, "total": total}
        for count, first, last in _runs(written)
        if count < total
    ]
    patterns = [
        {"dimension": names[axis], "first": first, "last": last}
        for axis, count in enumerate(grid)
        if axis != along
        for is_used, first, last in _runs([place in used[axis] for place in range(count)])
        if not is_used
    ]
    return {"last_written": last_written, "gaps": gaps, "patterns": patterns}


def _runs(values: list[Any]) -> list[tuple[Any, int, int]]:
    """Equal neighbours, with the first and the last place."""
    groups = groupby(enumerate(values), key=lambda item: item[1])
    runs = [(value, [place for place, _ in group]) for value, group in groups]
    return [(value, places[0], places[-1]) for value, places in runs]


def _profile(chunks: set[tuple[int, ...]], positions: int, axis: int) -> dict[str, Any]:
    width = max(1, ceil(positions / MOST_BINS))
    written = [0] * ceil(positions / width)
    for place in chunks:
        written[place[axis] // width] += 1
    return {"bin": width, "written": written}


def _names(document: dict[str, Any]) -> list[str]:
    names = document.get("dimension_names") or [None] * len(document["shape"])
    return [f"dim_{axis}" if name is None else name for axis, name in enumerate(names)]


def _size(grid: dict[str, Any], axis: int) -> int | None:
    if grid["name"] == "regular":
        return grid["configuration"]["chunk_shape"][axis]
    edges = grid["configuration"]["chunk_shapes"][axis]
    sizes = {edge[0] if isinstance(edge, list) else edge for edge in ([edges] if isinstance(edges, int) else edges)}
    return sizes.pop() if len(sizes) == 1 else None


async def _list_chunks(session: icechunk.Session, path: str) -> list[tuple[int, ...]]:
    return [tuple(coordinates) async for coordinates in session.chunk_coordinates(f"/{path}")]
