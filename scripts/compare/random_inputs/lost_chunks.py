"""Writes random histories with official Icechunk in which runs of forecasts are lost, late or written in part."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product

import icechunk
import zarr
from zarr.core.sync import sync

from compare.random_inputs.chunk_changes import VIRTUAL, RandomChunkChanges, grid_of
from compare.random_inputs.node_changes import get, put

# Arrays of a group share them. `Run` is a time by its coordinate alone, if it has one.
DIMENSIONS = ("init_time", "lead_time", "x", "Run", "Date", "ä")
TIMES = ({"units": "hours since 2000-01-01"}, {"axis": "T"}, {"standard_name": "forecast_reference_time"})
NO_TIMES = ({"units": "hours"}, {"units": "since 2000-01-01"}, {"axis": "X"}, {"standard_name": "latitude"}, {})


class RandomLostChunks(RandomChunkChanges):
    """A repository with arrays that have named dimensions. Many of their chunks are written and deleted."""

    def _changes(self) -> tuple[Callable[[icechunk.Session], None], ...]:
        runs = (*(self._create_runs,) * 5, *(self._write_runs,) * 5, *(self._create_coordinate,) * 3)
        return (*super()._changes(), *runs, self._reshape, self._reshape, self._delete_chunks, self._grow)

    def _create_runs(self, session: icechunk.Session) -> None:
        """Create an array as of a forecast, or a long one."""
        rank = self.random.choice((1, 2, 2, 3, 4))
        is_long = rank <= 2 and self.random.random() < 0.1
        shape = tuple(self.random.randint(1, 3 if is_long else 9) for _ in range(rank))
        if is_long:
            shape = (*shape[1:], self.random.choice((2_000, 2_001, 4_500, 6_000)))[:: self.random.choice((1, -1))]
        sizes = (1,) if is_long else (1, 1, 1, 2, 4)
        chunks: tuple[int, ...] | list[list[int]] = tuple(self.random.choice(sizes) for _ in shape)
        shards = tuple(2 * size for size in chunks) if self.random.random() < 0.2 else None
        if shards is None and not is_long and min(shape) > 2 and self.spec_version == 2 and self.random.random() < 0.3:
            chunks = [self._edges(size) for size in shape]
        names: list[str | None] = [*self.random.sample(DIMENSIONS, rank)]
        if self.random.random() < 0.1:
            names[0] = None
        name = self._new_name()
        self.steps.append(f"create {name} {shape} {chunks} {shards} {names}")
        zarr.open_group(session.store, mode="r+").create_array(
            name, shape=shape, chunks=chunks, shards=shards, dtype="int32", fill_value=0, dimension_names=names
        )
        if is_long:
            self._write_parts(session, name)

    def _create_coordinate(self, session: icechunk.Session) -> None:
        """Create an array with the name of a dimension, which may be its coordinate and a time."""
        name = self.random.choice(("Run", "Run", "ä", "x", "lead_time"))
        group = self.random.choice(("", "", "", "b/"))
        root = zarr.open_group(session.store, mode="r+")
        if f"{group}{name}" in root:
            return
        names = self.random.choice(((name,), (name,), (name,), ("x",), None, (name, "lead_time")))
        attributes = self.random.choice(self.random.choice((TIMES, NO_TIMES)))
        shape = (8,) * (1 if names is None else len(names))
        self.steps.append(f"create coordinate {group}{name} {names} {attributes}")
        options = {"dimension_names": names, "attributes": attributes}
        root.create_array(f"{group}{name}", shape=shape, chunks=shape, dtype="int32", fill_value=0, **options)

    def _write_runs(self, session: icechunk.Session) -> None:
        for path, _ in self._arrays(session)[:1]:
            self._write_parts(session, path)

    def _write_parts(self, session: icechunk.Session, path: str) -> None:
        """Refer to the chunks of some positions of one dimension, without some slices of the others."""
        grid = grid_of(json.loads(get(session.store, f"{path}/zarr.json")))
        if not grid or 0 in grid:
            return
        along = self.random.randrange(len(grid))
        # Every other slice of a long dimension is more than an answer lists.
        kept = [self._choose(range(count), self.random.choice((0.85, 0.5))) for count in grid]
        first = self.random.choice((0, self.random.randrange(grid[along])))
        steps = range(first, self.random.randint(first, grid[along] - 1) + 1)
        kept[along] = self._choose(steps, 0.9)
        share = self.random.choice((1, 1, 0.9, 0.5))
        chunks = [
            icechunk.VirtualChunkSpec(list(place), f"{VIRTUAL}file", 0, 4)
            for place in product(*kept)
            if self.random.random() < share
        ]
        self.steps.append(f"runs {path} along {along}: {len(chunks)}")
        if chunks:
            session.store.set_virtual_refs(f"/{path}", chunks, validate_containers=False)

    def _choose(self, places: range, share: float) -> list[int]:
        return [place for place in places if self.random.random() < share]

    def _delete_chunks(self, session: icechunk.Session) -> None:
        """Delete some chunks, written or not."""
        for path, _ in self._arrays(session)[:1]:
            grid = grid_of(json.loads(get(session.store, f"{path}/zarr.json")))
            if not grid or 0 in grid:
                return
            first = self.random.randrange(grid[0])
            rows = range(first, min(grid[0], first + self.random.randint(1, 3)))
            for place in list(product(rows, *(range(count) for count in grid[1:])))[:200]:
                sync(session.store.delete("/".join([path, "c", *map(str, place)])))
            self.steps.append(f"delete chunks of {path} at {rows}")

    def _grow(self, session: icechunk.Session) -> None:
        """Make an array longer along its first dimension, before the new chunks are written."""
        for path, array in self._arrays(session)[:1]:
            document = json.loads(get(session.store, f"{path}/zarr.json"))
            if array.ndim and document["chunk_grid"]["name"] == "regular":
                document["shape"][0] += self.random.randint(1, 5)
                self.steps.append(f"grow {path} {document['shape']}")
                put(session.store, f"{path}/zarr.json", json.dumps(document))
