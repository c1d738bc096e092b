"""The peer of warm answers: xpublish over the repositories of FLOE_BENCH_REPOSITORIES, for `uvicorn bench.peers.xpublish_app:app`.

It reads the head of `main` at most once a second and caches the datasets that it has opened, as a careful operator would set it up.
"""

from __future__ import annotations

import os
import threading
import time
from typing import Any

import icechunk
import xarray as xr
import xpublish
from xpublish import Plugin, hookimpl
from xpublish.plugins import load_default_plugins

ROOT = os.environ["FLOE_BENCH_REPOSITORIES"]
GROUPS = {"small": "forecast", "reanalysis": "reanalysis"}
MAX_AGE_S = 1.0

_lock = threading.Lock()
_repositories: dict[str, icechunk.Repository] = {}
_heads: dict[str, tuple[str, float]] = {}
_trees: dict[tuple[str, str], xr.DataTree] = {}


def _find_tree(name: str) -> xr.DataTree:
    with _lock:
        repository = _repositories.get(name)
        if repository is None:
            storage = icechunk.local_filesystem_storage(os.path.join(ROOT, name))
            repository = _repositories[name] = icechunk.Repository.open(storage)
        head, seen_at = _heads.get(name, ("", float("-inf")))
        if time.monotonic() - seen_at > MAX_AGE_S:
            head = repository.lookup_branch("main")
            _heads[name] = (head, time.monotonic())
        tree = _trees.get((name, head))
        if tree is None:
            store = repository.readonly_session(snapshot_id=head).store
            dataset = xr.open_zarr(store, group=GROUPS[name], consolidated=False, chunks=None)
            tree = _trees[name, head] = xr.DataTree(dataset=dataset)
        return tree


class IcechunkProvider(Plugin):
    name: str = "icechunk_provider"

    @hookimpl
    def get_datasets(self) -> list[str]:
        return list(GROUPS)

    @hookimpl
    def get_datatree(self, dataset_id: str, group: str) -> Any:
        return None if dataset_id not in GROUPS or group else _find_tree(dataset_id)


app = xpublish.Rest(plugins={**load_default_plugins(), "icechunk_provider": IcechunkProvider()}).app
