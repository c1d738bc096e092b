"""What the Python stack answers for one group: the measure of Floe's `info`, `keys` and `dict`.

One group of an Icechunk snapshot is opened with xarray, published with xpublish as a tree of one node, and
its routes are called. Nothing here knows of Floe: fixtures, comparisons and random tests all ask this module.
"""

from __future__ import annotations

import re
import warnings
from typing import TypedDict

import icechunk
import xarray as xr
import xpublish
import zarr
from fastapi.testclient import TestClient

from compare.oracles.icechunk_oracle import bytes_sorted, node_kinds

VIEWS = ("info", "keys", "dict")

# The store prints itself with its address in memory, which no second run repeats.
MEMORY_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class Views(TypedDict):
    """Response texts, byte for byte."""

    info: str
    keys: str
    dict: str


class Failure(TypedDict):
    """The stack could not serve the group: `ExceptionClass: message`."""

    error: str


Answer = Views | Failure


def serve_snapshot(repository: icechunk.Repository, snapshot_id: str) -> dict[str, Answer]:
    """Serve every group of a snapshot, also those without arrays: they are empty datasets with attributes.

    A snapshot without nodes has no root group either; the answer for `""` tells how opening it fails.
    """
    store = repository.readonly_session(snapshot_id=snapshot_id).store
    kinds = node_kinds(repository, snapshot_id)
    groups = bytes_sorted(path.removeprefix("/") for path, kind in kinds.items() if kind == "group")
    return {group: serve_group(store, group) for group in groups or [""]}


def serve_group(store: icechunk.IcechunkStore, group: str) -> Answer:
    """Serve `group` (`""` is the root, no leading slash) of one session's store.

    Every failure of the stack is an answer too: xarray refuses whole groups, and Floe must refuse the same ones.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _views(open_group(store, group))
        except Exception as error:  # the stack raises whatever its layers raise: ValueError, KeyError, TypeError, ...
            return {"error": MEMORY_ADDRESS.sub("", f"{type(error).__name__}: {error}")}


def open_group(store: icechunk.IcechunkStore, group: str) -> xr.Dataset:
    """Open one group with all decoding at its defaults and without consolidated metadata.

    zarr reads the members of a group concurrently and yields them as their documents arrive, so the order of
    variables changes from run to run. Icechunk lists children in the byte order of their UTF-8 names, and with
    one read at a time they also arrive in it: that order is the one Floe promises.
    """
    with zarr.config.set({"async.concurrency": 1, "array.rectilinear_chunks": True}):
        return xr.open_dataset(
            store,  # type: ignore[arg-type]  # xarray's annotation forgets the stores of zarr
            engine="zarr",
            group=group or None,
            zarr_format=3,
            consolidated=False,
            chunks=None,
        )


def _views(dataset: xr.Dataset) -> Views:
    # One application for each dataset: xpublish caches `info` under a dataset id, which a single dataset lacks.
    client = TestClient(xpublish.SingleDatasetRest(dataset).app)
    texts = {view: client.get(f"/{view}").raise_for_status().text for view in VIEWS}
    return Views(info=texts["info"], keys=texts["keys"], dict=texts["dict"])
