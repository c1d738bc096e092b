"""Write the repositories that `npm run bench` measures, with official Icechunk. Those that exist are kept.

    python -m bench.peers.write_repositories DIRECTORY

`small` has one group with two variables, `reanalysis` one with 280, `large` 2,000 groups of five arrays (12,000 nodes), `huge`
20,000 (120,000 nodes). They hold no chunks but those of coordinates, which xarray reads. `archive` has an array of 1,000,000
virtual chunks less ten, in ten manifests.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import icechunk
import numpy as np
from zarr.core.buffer import default_buffer_prototype

Item = tuple[str, bytes]
BATCH = 2_000

AXES = {
    "time": {"standard_name": "time", "units": "hours since 1900-01-01", "calendar": "proleptic_gregorian"},
    "latitude": {"standard_name": "latitude", "units": "degrees_north", "axis": "Y"},
    "longitude": {"standard_name": "longitude", "units": "degrees_east", "axis": "X"},
}
QUANTITIES = ["temperature", "pressure", "humidity", "wind_speed", "precipitation", "cloud_cover", "radiation"]


def main(directory: Path) -> None:
    contents: dict[str, Callable[[], Iterator[Item]]] = {
        "small": lambda: _reanalysis("forecast/", 2, (24, 73, 144)),
        "reanalysis": lambda: _reanalysis("reanalysis/", 277, (8784, 721, 1440)),
        "large": lambda: _regions(20, 100),
        "huge": lambda: _regions(200, 100),
    }
    for name, make in contents.items():
        if not (directory / name).exists():
            _write(directory / name, make())
    if not (directory / "archive").exists():
        _write_archive(directory / "archive")


def _write(place: Path, items: Iterator[Item]) -> None:
    unfinished = place.with_name(f"{place.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    repository = icechunk.Repository.create(icechunk.local_filesystem_storage(str(unfinished)), spec_version=2)
    session = repository.writable_session("main")
    asyncio.run(_set_all(session.store, items))
    session.commit("Write everything")
    unfinished.rename(place)


def _write_archive(place: Path) -> None:
    """Write 100,000 steps of ten chunks each. The first step of each manifest lacks a chunk."""
    steps, members, steps_per_manifest, source = 100_000, 10, 10_000, "s3://open-data/archive/"
    unfinished = place.with_name(f"{place.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    config = icechunk.RepositoryConfig.default()
    any_array, along_time = icechunk.ManifestSplitCondition.AnyArray(), icechunk.ManifestSplitDimCondition.Axis(0)
    config.manifest = icechunk.ManifestConfig(
        splitting=icechunk.ManifestSplittingConfig.from_dict({any_array: {along_time: steps_per_manifest}})
    )
    config.set_virtual_chunk_container(icechunk.VirtualChunkContainer(source, icechunk.s3_store(anonymous=True)))
    storage = icechunk.local_filesystem_storage(str(unfinished))
    session = icechunk.Repository.create(storage, config=config, spec_version=2).writable_session("main")
    documents = [("zarr.json", _group({})), ("rain/zarr.json", _array((steps, members * 36), (1, 36), "float32", {}, fill="NaN"))]
    asyncio.run(_set_all(session.store, iter(documents)))
    for first in range(0, steps, steps_per_manifest):
        references = [
            icechunk.VirtualChunkSpec([step, member], f"{source}{step // 24:05d}.grib2", member * 4096, 4096)
            for step in range(first, first + steps_per_manifest)
            for member in range(members)
            if (step, member) != (first, 0)
        ]
        session.store.set_virtual_refs("rain", references)
    session.commit("Write the archive")
    unfinished.rename(place)


async def _set_all(store: icechunk.IcechunkStore, items: Iterator[Item]) -> None:
    make_buffer = default_buffer_prototype().buffer.from_bytes
    documents, chunks = [], []
    for item in items:
        (documents if item[0].endswith("zarr.json") else chunks).append(item)
    # A chunk can be written only after its array.
    for part in (documents, chunks):
        for start in range(0, len(part), BATCH):
            await asyncio.gather(*(store.set(key, make_buffer(value)) for key, value in part[start : start + BATCH]))


def _reanalysis(group: str, variables: int, shape: tuple[int, int, int]) -> Iterator[Item]:
    yield "zarr.json", _group({})
    yield f"{group}zarr.json", _group(
        {"title": "Hourly analyses", "Conventions": "CF-1.11", "institution": "Weather service", "history": "written once"}
    )
    yield from _axes(group, shape)
    for number in range(variables):
        quantity = QUANTITIES[number % len(QUANTITIES)]
        name = f"{quantity}_{number:03d}"
        attributes = {
            "long_name": f"{quantity.replace('_', ' ')} on level {number}",
            "standard_name": quantity,
            "units": "1",
            "cell_methods": "time: mean (interval: 1 hour) area: mean",
            "coverage_content_type": "modelResult",
            "valid_min": -100000.0,
            "valid_max": 100000.0,
            "parameter": 167 + number,
            "comment": "Instantaneous or accumulated value; the table of parameters says which",
        }
        yield f"{group}{name}/zarr.json", _array(shape, (24, *shape[1:]), "float32", attributes, fill="NaN")


def _regions(regions: int, stations: int) -> Iterator[Item]:
    """Groups of five arrays: the root, the regions and their stations."""
    groups = [""]
    for region in range(regions):
        groups.append(f"region{region:04d}/")
        # With the root and the regions, this gives exactly `regions * stations` groups.
        count = stations - 1 - (region == 0)
        groups.extend(f"region{region:04d}/station{station:04d}/" for station in range(count))
    for group in groups:
        yield f"{group}zarr.json", _group({"title": "A station", "Conventions": "CF-1.11"})
        for name in QUANTITIES[:5]:
            attributes = {"standard_name": name, "units": "1"}
            yield f"{group}{name}/zarr.json", _array((24, 18, 36), (24, 18, 36), "float32", attributes, fill="NaN")


def _axes(group: str, shape: tuple[int, int, int]) -> Iterator[Item]:
    for (name, attributes), size in zip(AXES.items(), shape, strict=True):
        document = _array((size,), (size,), "int64", attributes, fill=0, dimensions=[name])
        yield f"{group}{name}/zarr.json", document
        yield f"{group}{name}/c/0", np.arange(size, dtype="<i8").tobytes()


def _group(attributes: dict[str, Any]) -> bytes:
    return json.dumps({"zarr_format": 3, "node_type": "group", "attributes": attributes}).encode()


def _array(
    shape: tuple[int, ...],
    chunk_shape: tuple[int, ...],
    data_type: str,
    attributes: dict[str, Any],
    *,
    fill: float | str,
    dimensions: list[str] | None = None,
) -> bytes:
    document = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk_shape}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": fill,
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        "attributes": attributes,
        "dimension_names": dimensions or list(AXES),
        "storage_transformers": [],
    }
    return json.dumps(document).encode()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
