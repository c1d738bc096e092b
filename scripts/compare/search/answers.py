"""What a running Floe answers about searches."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import httpx2

from compare.search.search_oracle import EXACT

INDEX_LIMIT_S = 300


def read_page(client: httpx2.Client, parameters: Mapping[str, Any]) -> dict[str, Any]:
    response = client.get("search", params=parameters)
    if response.status_code != 200:
        raise RuntimeError(f"status {response.status_code}: {response.text}")
    return response.json()


def ask(client: httpx2.Client, query: Mapping[str, Any], limit: int) -> dict[str, Any]:
    """All pages of an answer, as the oracle writes them, and the words of its first page that were not found."""
    parameters = {**query, "facets": list(EXACT[:-1]), "limit": str(limit)}
    first = page = read_page(client, parameters)
    results = [show(found) for found in page["results"]]
    while page["next"] is not None:
        page = read_page(client, {**parameters, "before": page["next"]})
        results += [show(found) for found in page["results"]]
        for name in ("total", "facets", "without_extent"):
            if page[name] != first[name]:
                raise RuntimeError(f"pages differ in {name}: {first[name]} {page[name]}")
    return {
        "results": results,
        "facets": {name: [[one["value"], one["count"]] for one in values] for name, values in first["facets"].items()},
        "unknown": first["unknown_words"],
        **{key: first[key] for key in ("total", "without_extent")},
    }


def show(found: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "dataset": [found["repo"], found["branch"], found["group"]],
        **{key: found[key] for key in ("title", "summary", "extent")},
        "changed": found["changed"]["at"],
        "matched": [[variable["name"], variable["matched"]] for variable in found["variables"]],
        "count": found["variable_count"],
    }


def wait_for_index(client: httpx2.Client, snapshots: Mapping[tuple[str, str], str]) -> None:
    """Wait until the index has these snapshots, by repository and branch, and waits for nothing else."""
    end = time.monotonic() + INDEX_LIMIT_S
    for (repo, branch), snapshot in snapshots.items():
        while (state := read_index(client, repo, branch)) != (snapshot, len({name for name, _ in snapshots}), 0):
            if time.monotonic() > end:
                raise RuntimeError(f"the index is not ready: {repo} {branch} {state}, not {snapshot}")
            time.sleep(0.05)


def read_index(client: httpx2.Client, repo: str, branch: str) -> tuple[str | None, int, int]:
    """The snapshot that search knows of a branch, and how many repositories the index has and waits for."""
    answer = read_page(client, {"repo": repo, "limit": "100"})
    index = answer["index"]
    known = [found["snapshot_id"] for found in answer["results"] if found["branch"] == branch]
    return (known or [None])[0], index["repositories"], index["pending"]
