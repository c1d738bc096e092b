"""The peer of cold answers: print how long official Icechunk and xarray take in a fresh process, in milliseconds, as JSON.

    python -m bench.peers.time_icechunk DIRECTORY GROUP_OF_HUGE
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import icechunk
import xarray as xr


def main(directory: Path, group_of_huge: str) -> None:
    def open_repository(name: str) -> icechunk.Repository:
        return icechunk.Repository.open(icechunk.local_filesystem_storage(str(directory / name)))

    def open_dataset(name: str, group: str) -> xr.Dataset:
        store = open_repository(name).readonly_session("main").store
        return xr.open_zarr(store, group=group, consolidated=False, chunks=None)

    def list_nodes(name: str) -> None:
        repository = open_repository(name)
        repository.inspect_snapshot(repository.lookup_branch("main"))

    async def list_chunks(name: str, array: str) -> None:
        session = open_repository(name).readonly_session("main")
        async for _ in session.chunk_coordinates(array):
            pass

    # Loads what a service would have loaded.
    open_dataset("small", "forecast").to_dict(data=False)
    times = {
        "info": _measure(lambda: open_dataset("reanalysis", "reanalysis").to_dict(data=False)),
        "large": _measure(lambda: list_nodes("large")),
        "huge": _measure(lambda: list_nodes("huge")),
        "archive": _measure(lambda: asyncio.run(list_chunks("archive", "/rain"))),
        "huge group": _measure(lambda: open_dataset("huge", group_of_huge)),
    }
    print(json.dumps(times))


def _measure(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1e3


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
