"""Compare what Floe says changed between snapshots of random histories with official Icechunk.

    npm run compare -- diffs [--histories N] [--seed N]

Histories are of both format versions in turn. For each, pairs of its snapshots are compared: where one is an ancestor
of the other, with `Repository.diff`; otherwise with the nodes that the official library lists. What differs in a
document is compared with the documents themselves.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from compare.floe_server import serve_directory
from compare.oracles.diff_oracle import Node, compared_nodes, expected_details, expected_diff, parse, read_nodes, same
from compare.random_inputs.node_changes import RandomNodeChanges
from compare.with_icechunk import summary

PAIRS = 12


class Comparison:
    """Compares the pairs of one history after the other."""

    def __init__(self, client: httpx2.Client, repositories: Path) -> None:
        self.client = client
        self.repositories = repositories
        self.counts: Counter[str] = Counter()

    def compare_history(self, name: str, spec_version: int, random: Random) -> None:
        """Write a history and compare pairs of its snapshots."""
        history = RandomNodeChanges(self.repositories / name, spec_version, random)
        history.write(random.randint(2, 14))
        self.counts[f"histories of version {spec_version}"] += 1
        nodes = {id: read_nodes(history.repository, id) for id in history.snapshots}
        # Pairs with an ancestor are rarer, so most pairs are made of them.
        ancestors = {id: [info.id for info in history.repository.ancestry(snapshot_id=id)] for id in nodes}
        related = [(before, after) for after, line in ancestors.items() for before in line if before in nodes]
        every = [(before, after) for before in nodes for after in nodes]
        pairs = random.sample(related, min(PAIRS, len(related))) + random.sample(every, min(PAIRS // 3, len(every)))
        for before, after in pairs:
            expected = expected_diff(history.repository, before, after)
            found = self.compare_pair(f"diff/{name}/{before}/{after}", expected, nodes[before], nodes[after])
            if found:
                self.counts["differences"] += 1
                steps = "\n".join(history.steps)
                print(f"version {spec_version}, {name}, {before} to {after}\n{steps}\n{found}\n", flush=True)

    def compare_pair(
        self, address: str, expected: dict[str, Any] | None, before: dict[str, Node], after: dict[str, Node]
    ) -> str:
        """The differences of one answer as text; empty when there are none."""
        response = self.client.get(address)
        if response.status_code != 200:
            return f"status {response.status_code}: {response.text}"
        answer = json.loads(response.text)
        reason = "not_an_ancestor" if expected is None else None
        self.counts["answers that compare nodes" if expected is None else "answers from logs"] += 1
        wanted = compared_nodes(before, after) if expected is None else expected
        found = without_details(answer)
        # Of arrays that had one path after the other, the official library picks one at random.
        for path in {*wanted["arrays"]["created"]} & {*wanted["arrays"]["deleted"]}:
            for side in (wanted, found):
                if side["chunks"] and path in side["chunks"]:
                    side["chunks"][path] = "any"
        if found != wanted or answer["chunks_unavailable_reason"] != reason:
            return f"answered {json.dumps(found)}\nexpected {json.dumps(wanted)}"
        lists = [*wanted["groups"].values(), *wanted["arrays"].values()]
        self.counts["changed nodes"] += sum(len(paths) for paths in lists)
        self.counts["moves"] += len(wanted["moved"])
        self.counts["arrays with changed chunks"] += len(wanted["chunks"] or ())
        return "\n".join(self.compare_details(parse(response.text), before, after))

    def compare_details(self, answer: dict[str, Any], before: dict[str, Node], after: dict[str, Node]) -> list[str]:
        """Compare what each updated node says."""
        reports = []
        for entry in answer["groups"]["updated"] + answer["arrays"]["updated"]:
            path = entry.pop("path")
            expected = expected_details(before, after, path)
            self.counts["details of updated nodes"] += 1
            if not same(entry, expected):
                reports.append(f"{path!r} says {json.dumps(entry)}\nexpected {json.dumps(expected)}")
        return reports


def without_details(answer: dict[str, Any]) -> dict[str, Any]:
    """The lists of an answer."""
    chunks = answer["chunks"]
    return {
        kind: {**answer[kind], "updated": [entry["path"] for entry in answer[kind]["updated"]]}
        for kind in ("groups", "arrays")
    } | {
        "moved": sorted((move["from"], move["to"]) for move in answer["moved"]),
        "chunks": None if chunks is None else {entry["path"]: entry["count"] for entry in chunks},
    }


def main() -> int:
    """Run the comparison; the exit code tells whether everything agrees."""
    parser = argparse.ArgumentParser(description="Compare what Floe says changed with official Icechunk.")
    parser.add_argument("--histories", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stop-after", type=int, default=10, metavar="N", help="stop after N differences")
    arguments = parser.parse_args()
    with TemporaryDirectory() as repositories, TemporaryDirectory() as state:
        with serve_directory(Path(repositories), Path(state)) as client:
            comparison = Comparison(client, Path(repositories))
            for number in range(arguments.histories):
                # Each history has a generator of its own, so that one can be repeated.
                random = Random(f"{arguments.seed} {number}")
                comparison.compare_history(f"history-{number:04}", 2 - number % 2, random)
                if comparison.counts["differences"] >= arguments.stop_after:
                    break
    print(summary(comparison.counts))
    return 1 if comparison.counts["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
