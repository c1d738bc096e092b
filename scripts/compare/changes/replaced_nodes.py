"""Compare what Floe says changed with a plain comparison of its `dict` answers, where nodes were deleted and created.

    npm run compare -- replaced [--pairs N] [--seed N]

The datasets of random repositories of both format versions are written again with xarray, or in part with zarr. In each
pair of snapshots, nodes were deleted and others created. For each path in both, the diff must show what differs in the
attributes, types, shapes and dimensions of the two answers, and say `replaced` if official Icechunk says that the ids of
the nodes differ.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import httpx2

from compare.comparison import Comparison
from compare.floe_server import encode_segment
from compare.oracles.diff_oracle import Node, parse, read_nodes, same
from compare.changes.random_histories import serve_empty_directory
from compare.random_inputs.rewrites import RandomRewrites

PAIRS = 10
MEMBERS = ("attributes", "data_type", "dimension_names", "shape")

# What the `dict` answers of a snapshot say about each node, by kind and path.
Nodes = dict[str, dict[str, dict[str, Any]]]


class ReplacedComparison(Comparison):
    """Compares pairs of snapshots of one repository after the other."""

    def __init__(self, client: httpx2.Client, repositories: Path, pairs: int) -> None:
        super().__init__(client)
        self.repositories = repositories
        self.pairs = pairs

    def compare_repository(self, name: str, spec_version: int, random: Random) -> None:
        """Write a repository and compare pairs of its snapshots, in both directions."""
        written = RandomRewrites(self.repositories / name, spec_version, random)
        written.write(random.randint(1, 5))
        nodes = {id: read_nodes(written.repository, id) for id in written.snapshots}
        described = {id: self.describe(name, id) for id in written.snapshots}
        every = [(before, after) for before in nodes for after in nodes]
        # Nodes were deleted, and others created.
        pairs = [(old, new) for old, new in every if nodes[old].keys() - nodes[new] and nodes[new].keys() - nodes[old]]
        for before, after in random.sample(pairs, min(PAIRS, len(pairs), self.pairs - self.counts["pairs"])):
            self.counts["pairs"] += 1
            address = f"diff/{name}/{before}/{after}"
            answer = parse(self.get(address))
            found = self.compare_pair(answer, (described[before], described[after]), (nodes[before], nodes[after]))
            if found:
                steps = "\n".join(written.steps)
                self.differ(f"version {spec_version}, {address}\n{steps}\n{found}\n")

    def describe(self, name: str, snapshot_id: str) -> Nodes:
        """Describe the groups and arrays of all datasets of a snapshot."""
        described: Nodes = {"groups": {}, "arrays": {}}
        for group in json.loads(self.get(f"discovery/{name}/{snapshot_id}")):
            path = "/".join(encode_segment(segment) for segment in group.split("/") if segment)
            dataset = parse(self.get("/".join(filter(None, ("datasets", name, snapshot_id, path, "dict")))))
            described["groups"][group] = {"attributes": dataset["attrs"]}
            for variable, facts in {**dataset["coords"], **dataset["data_vars"]}.items():
                described["arrays"][f"{group}/{variable}".removeprefix("/")] = {
                    "attributes": facts["attrs"],
                    "data_type": facts["dtype"],
                    # Neither xarray nor the writer of arrays stores those of a scalar.
                    "dimension_names": facts["dims"] or None,
                    "shape": facts["shape"],
                }
        return described

    def compare_pair(
        self, answer: dict[str, Any], described: tuple[Nodes, Nodes], nodes: tuple[dict[str, Node], dict[str, Node]]
    ) -> str:
        """The first difference as text; empty when there is none."""
        for kind in ("groups", "arrays"):
            before, after = (each[kind] for each in described)
            old_ids, new_ids = ({node.path: node.id for node in each.values() if node.kind == kind} for each in nodes)
            entries = {entry["path"]: entry for entry in answer[kind]["updated"]}
            for path in before.keys() & after.keys():
                entry = entries.get(path, {})
                is_replaced = old_ids[path] != new_ids[path]
                found = {name: entry[name] for name in MEMBERS if name in entry}
                expected = differences(before[path], after[path])
                self.counts["nodes in both snapshots"] += 1
                self.counts["replaced nodes"] += is_replaced
                self.counts["replaced nodes that differ"] += is_replaced and expected != {}
                if ("replaced" in entry) != is_replaced or not same(found, expected):
                    return f"{kind} {path!r}: {json.dumps(entry)}\nexpected {json.dumps(expected)}, replaced: {is_replaced}"
            ends = [(move["from"], move["to"]) for move in answer["moved"]]
            created = {*answer[kind]["created"], *(new for _, new in ends)}
            deleted = {*answer[kind]["deleted"], *(old for old, _ in ends)}
            if (after.keys() - old_ids.keys()) - created or (before.keys() - new_ids.keys()) - deleted:
                return f"{kind}: created {sorted(created)}, deleted {sorted(deleted)}"
            if both := {*answer[kind]["created"], *answer[kind]["deleted"]} & old_ids.keys() & new_ids.keys():
                return f"{kind}: {sorted(both)} are in both snapshots"
        return ""


def differences(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What differs in two descriptions, in the members of the diff."""
    found = {name: [before[name], after[name]] for name in before if not same(before[name], after[name])}
    if "attributes" in found:
        old, new = found["attributes"]
        found["attributes"] = {
            "created": {name: value for name, value in new.items() if name not in old},
            "deleted": {name: value for name, value in old.items() if name not in new},
            "updated": {name: [old[name], new[name]] for name in old if name in new and not same(old[name], new[name])},
        }
    return found


def main() -> int:
    """Run the comparison; the exit code tells whether everything agrees."""
    parser = argparse.ArgumentParser(description="Compare what Floe says changed with its dict answers.")
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with serve_empty_directory() as (client, repositories):
        comparison = ReplacedComparison(client, repositories, arguments.pairs)
        number = 0
        while comparison.counts["pairs"] < arguments.pairs and comparison.counts["differences"] < 5:
            # Each repository has a generator of its own, so that one can be repeated.
            random = Random(f"{arguments.seed} {number}")
            comparison.compare_repository(f"rewritten-{number:04}", 2 - number % 2, random)
            number += 1
    return comparison.finish()


if __name__ == "__main__":
    sys.exit(main())
