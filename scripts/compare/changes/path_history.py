"""Compare the histories of paths with a plain walk of official Icechunk's diffs.

    npm run compare -- path-history [--histories N] [--seed N]

Histories are of both format versions in turn. For each branch, random patterns are asked in pages of a random size.
Each commit is compared with its parent by `Repository.diff`, and by the documents of both snapshots.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import httpx2

from compare.comparison import Comparison
from compare.floe_server import encode_segment
from compare.oracles.diff_oracle import Node, expected_details, expected_diff, read_nodes, replaced_nodes
from compare.oracles.path_oracle import is_below, matches_some
from compare.random_inputs.globs import random_glob
from compare.random_inputs.node_changes import RandomNodeChanges
from compare.changes.random_histories import compare_histories

PATTERNS = 8
# The order in which answers list changes.
ORDER = ("created", "deleted", "moved", "replaced", "shape", "attributes", "updated", "chunks")


class PathComparison(Comparison):
    """Compares one history after the other."""

    def __init__(self, client: httpx2.Client, repositories: Path) -> None:
        super().__init__(client)
        self.repositories = repositories

    def compare_history(self, name: str, spec_version: int, random: Random) -> None:
        """Write a history, and compare random patterns on each of its branches."""
        history = RandomNodeChanges(self.repositories / name, spec_version, random)
        history.write(random.randint(2, 14))
        self.counts[f"histories of version {spec_version}"] += 1
        for branch in history.repository.list_branches():
            line = list(history.repository.ancestry(branch=branch))
            nodes = {info.id: read_nodes(history.repository, info.id) for info in line}
            changes = [
                (info.id, list_changes(history.repository, info.parent_id, info.id, nodes))
                for info in line
                if info.parent_id is not None
            ]
            paths = [node.path for found in nodes.values() for node in found.values()] or [""]
            for _ in range(PATTERNS):
                glob = random_glob(random, random.choice(paths))
                if glob:
                    limit = random.choice((1, 3, 100))
                    self.compare_pattern(f"history/{name}/{encode_segment(branch)}", glob, limit, changes)

    def compare_pattern(
        self, address: str, glob: str, limit: int, changes: list[tuple[str, list[dict[str, Any]]]]
    ) -> None:
        """Compare one history of a path."""
        expected = [(id, found) for id, found in ((id, keep(glob, nodes)) for id, nodes in changes) if found]
        answered = [
            (commit["snapshot_id"], commit["changes"]["nodes"])
            for commit in self.pages(address, {"path": glob, "limit": limit})
        ]
        self.counts["histories of paths"] += 1
        self.counts["commits listed"] += len(expected)
        self.counts["changed nodes"] += sum(len(found) for _, found in expected)
        self.counts.update(change for _, found in expected for node in found for change in node["changes"])
        if answered != expected:
            self.differ(f"{address} {glob!r}\n  answered {json.dumps(answered)}\n  expected {json.dumps(expected)}")

    def pages(self, address: str, query: dict[str, Any]) -> list[dict[str, Any]]:
        """The commits of all pages."""
        commits: list[dict[str, Any]] = []
        before: dict[str, str] = {}
        while True:
            page = json.loads(self.get(address, query | before))
            commits += page["commits"]
            if page["next"] is None:
                return commits
            before = {"before": page["next"]}


def keep(glob: str, nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The nodes whose path matches, before or after the commit."""
    return [node for node in nodes if matches_some([glob], [path for path in (node["path"], node["moved_from"]) if path is not None])]


def list_changes(repository: Any, parent: str, id: str, nodes: Mapping[str, Mapping[str, Node]]) -> list[dict[str, Any]]:
    """What a commit did to each node, sorted by path."""
    before, after = nodes[parent], nodes[id]
    diff = expected_diff(repository, parent, id)
    assert diff is not None
    found: dict[str, dict[str, Any]] = {}

    def at(path: str) -> dict[str, Any]:
        return found.setdefault(path, {"changes": set(), "chunks": 0, "moved_from": None})

    ends = [path for move in diff["moved"] for path in move]
    for node_id, node in after.items():
        old = before.get(node_id)
        if old is not None and old.path != node.path and any(is_below(node.path, end) for end in ends):
            at(node.path)["changes"].add("moved")
            at(node.path)["moved_from"] = old.path
    for kind in ("groups", "arrays"):
        replaced = {*replaced_nodes(before, after, kind)}
        for change in ("created", "deleted"):
            for path in {*diff[kind][change]} - replaced:
                at(path)["changes"].add(change)
        for path in replaced:
            at(path)["changes"] |= {"replaced"} | document_changes(before, after, path)
        for path in {*diff[kind]["updated"]} - replaced:
            known = document_changes(before, after, path)
            at(path)["changes"] |= known or (set() if at(path)["changes"] & {"created"} else {"updated"})
    for path, count in diff["chunks"].items():
        at(path)["changes"].add("chunks")
        at(path)["chunks"] += count
    listed = sorted(found, key=str.encode)
    return [
        {
            "path": path,
            "changes": [change for change in ORDER if change in found[path]["changes"]],
            "chunks": found[path]["chunks"],
            "moved_from": found[path]["moved_from"],
        }
        for path in listed
    ]


def document_changes(before: Mapping[str, Node], after: Mapping[str, Node], path: str) -> set[str]:
    """The words for what differs in the documents of a node."""
    details = expected_details(before, after, path)
    words = {"shape", "attributes"} & {*details}
    return words | ({"updated"} if {*details} - {"shape", "attributes", "replaced"} else set())


def main() -> int:
    """Run the comparison; the exit code tells whether everything agrees."""
    return compare_histories("Compare the histories of paths with official Icechunk.", 100, PathComparison)


if __name__ == "__main__":
    sys.exit(main())
