"""Compare what Floe says changed between snapshots of random histories with official Icechunk.

    npm run compare -- diffs [--histories N] [--seed N]

Histories are of both format versions in turn. For each, pairs of its snapshots are compared: where one is an ancestor
of the other, with `Repository.diff`; otherwise with the nodes that the official library lists. What differs in a
document is compared with the documents themselves. Of the same pairs, random filters of paths must match what the
official diff says, and the member `changes` of a notification must list it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import httpx2

from compare.comparison import Comparison
from compare.floe_server import NODE
from compare.oracles.diff_oracle import Node, compared_nodes, expected_details, expected_diff, join_replaced, parse, read_nodes, replaced_nodes, same
from compare.oracles.path_oracle import changed_paths, describe_changes, matches_some, sort_moves
from compare.random_inputs.globs import random_filter
from compare.random_inputs.node_changes import RandomNodeChanges
from compare.changes.random_histories import compare_histories

PAIRS = 12
FILTERS = 6
CHANGED_PATHS = (*NODE, "scripts/compare/changes/changed-paths.ts")


class PathFilters:
    """Floe's decisions about filters of paths. Nothing serves them, so a program of its own is asked."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def ask(self, directory: Path, before: str, after: str, filters: list[list[str]]) -> dict[str, Any]:
        """Which filters match, and the member `changes` of a notification."""
        asked = {"directory": str(directory), "from": before, "to": after, "filters": filters}
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{json.dumps(asked)}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@contextmanager
def open_path_filters() -> Iterator[PathFilters]:
    """Start the program."""
    pipe = subprocess.PIPE
    with subprocess.Popen(CHANGED_PATHS, stdin=pipe, stdout=pipe, text=True, encoding="utf-8") as process:
        yield PathFilters(process)


class DiffComparison(Comparison):
    """Compares the pairs of one history after the other."""

    def __init__(self, client: httpx2.Client, repositories: Path, filters: PathFilters) -> None:
        super().__init__(client)
        self.repositories = repositories
        self.filters = filters

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
            if expected is not None:
                expected = join_replaced(expected, nodes[before], nodes[after])
            found = self.compare_pair(f"diff/{name}/{before}/{after}", expected, nodes[before], nodes[after])
            paths = [node.path for id in (before, after) for node in nodes[id].values()] or [""]
            filters = [random_filter(random, paths) for _ in range(FILTERS)]
            answer = self.filters.ask(self.repositories / name, before, after, filters)
            found += self.compare_filters(filters, answer, expected, nodes[before], nodes[after])
            if found:
                steps = "\n".join(history.steps)
                self.differ(f"version {spec_version}, {name}, {before} to {after}\n{steps}\n{found}\n")

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
        for path in {*replaced_nodes(before, after, "arrays")}:
            for side in (wanted, found):
                (side["chunks"] or {}).pop(path, None)
        if found != wanted or answer["chunks_unavailable_reason"] != reason:
            return f"answered {json.dumps(found)}\nexpected {json.dumps(wanted)}"
        lists = [*wanted["groups"].values(), *wanted["arrays"].values()]
        self.counts["replaced nodes"] += sum(len(replaced_nodes(before, after, kind)) for kind in ("groups", "arrays"))
        self.counts["changed nodes"] += sum(len(paths) for paths in lists)
        self.counts["moves"] += len(wanted["moved"])
        self.counts["arrays with changed chunks"] += len(wanted["chunks"] or ())
        return "\n".join(self.compare_details(parse(response.text), before, after))

    def compare_filters(
        self,
        filters: list[list[str]],
        answer: dict[str, Any],
        expected: dict[str, Any] | None,
        before: dict[str, Node],
        after: dict[str, Node],
    ) -> str:
        """Compare which filters match. All do where the commits between are not known."""
        self.counts["decisions about paths"] += len(filters)
        if expected is None:
            wanted = {"matches": [True] * len(filters), "changes": None}
            return "" if answer == wanted else f"filters {json.dumps(answer)}\nexpected {json.dumps(wanted)}"
        changed = changed_paths(expected, before, after)
        matches = [matches_some(globs, changed.every) for globs in filters]
        self.counts["matching filters of paths"] += sum(matches)
        sort_moves(answer["changes"])
        wanted = {"matches": matches, "changes": describe_changes(changed)}
        return "" if answer == wanted else f"{filters}\nfilters {json.dumps(answer)}\nexpected {json.dumps(wanted)}"

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
    with open_path_filters() as filters:
        make = partial(DiffComparison, filters=filters)
        return compare_histories("Compare what Floe says changed with official Icechunk.", 200, make)


if __name__ == "__main__":
    sys.exit(main())
