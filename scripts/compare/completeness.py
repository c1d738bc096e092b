"""Compare how many chunks Floe says are written with the references that official Icechunk reads from manifests.

    npm run compare -- completeness [--histories N] [--seed N] [DIRECTORY...]

Random histories are of both format versions in turn: with virtual chunks, shards, split manifests, moves, resizes and
rectilinear grids. Every snapshot is compared, and what changed between neighbours must say the same as both. Repositories
of other writers can be named.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
import icechunk

from compare.floe_server import serve_directory
from compare.oracles.completeness_oracle import written_chunks
from compare.oracles.icechunk_oracle import open_repository
from compare.random_inputs.chunk_changes import RandomChunkChanges
from compare.with_icechunk import summary


class Comparison:
    """Compares the snapshots of one repository after the other."""

    def __init__(self, client: httpx2.Client) -> None:
        self.client = client
        self.counts: Counter[str] = Counter()

    def compare(self, name: str, repository: icechunk.Repository, snapshots: list[str]) -> bool:
        """Compare snapshots, the oldest first. Return whether all agree."""
        found = True
        before: dict[str, dict[str, Any]] = {}
        for index, snapshot in enumerate(snapshots):
            expected = written_chunks(repository, snapshot)
            found &= self.compare_snapshot(f"completeness/{name}/{snapshot}", snapshot, expected)
            if index:
                found &= self.compare_changes(f"diff/{name}/{snapshots[index - 1]}/{snapshot}", before, expected)
            before = expected
        return found

    def compare_snapshot(self, address: str, snapshot: str, expected: dict[str, dict[str, Any]]) -> bool:
        """Compare all arrays, their order and their numbers."""
        answer = self.get(address)
        answered = {entry.pop("path"): entry for entry in answer["arrays"]}
        groups = sorted(expected, key=lambda path: (rank(expected[path]), path.encode()))
        counts = Counter(rank(entry) for entry in expected.values())
        wanted = {"incomplete": counts[0], "unknown": counts[1], "complete": counts[2]}
        self.counts["snapshots"] += 1
        for entry in expected.values():
            self.counts[("incomplete", "unknown", "complete")[rank(entry)] + " arrays"] += 1
        return self.same(address, [answered, [*answered], answer["counts"]], [expected, groups, wanted])

    def compare_changes(self, address: str, before: dict[str, Any], after: dict[str, Any]) -> bool:
        """Compare both counts of each array whose chunks changed, unless it was moved or replaced."""
        answer = self.get(address)
        moved = {path for move in answer["moved"] for path in (move["from"], move["to"])}
        replaced = {entry["path"] for entry in answer["arrays"]["updated"] if entry.get("replaced")}
        changed = [entry for entry in answer["chunks"] or [] if entry["path"] not in moved | replaced]
        self.counts["arrays with changed chunks"] += len(changed)
        answered = {entry["path"]: [entry["before"], entry["after"]] for entry in changed}
        expected = {path: [side.get(path, {"chunks": None})["chunks"] for side in (before, after)] for path in answered}
        return self.same(address, answered, expected)

    def get(self, address: str) -> Any:
        response = self.client.get(address)
        return response.json() if response.status_code == 200 else {"arrays": [], "counts": response.text, "moved": [], "chunks": []}

    def same(self, address: str, answered: Any, expected: Any) -> bool:
        if answered == expected:
            return True
        self.counts["differences"] += 1
        print(f"{address}\n  answered {answered}\n  expected {expected}", flush=True)
        return False


def rank(entry: dict[str, Any]) -> int:
    """The place of an array in the answer: incomplete, unknown, complete."""
    chunks = entry["chunks"]
    return 1 if chunks is None else 0 if chunks["written"] < chunks["total"] else 2


def main() -> int:
    """Run the comparison; the exit code tells whether everything agrees."""
    parser = argparse.ArgumentParser(description="Compare how many chunks are written with official Icechunk.")
    parser.add_argument("directories", nargs="*", type=Path, help="repositories to compare too")
    parser.add_argument("--histories", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with TemporaryDirectory() as place, TemporaryDirectory() as state:
        repositories = Path(place)
        for number, directory in enumerate(arguments.directories):
            shutil.copytree(directory, repositories / f"given-{number}")
        with serve_directory(repositories, Path(state)) as client:
            comparison = Comparison(client)
            for number in range(len(arguments.directories)):
                repository = open_repository(repositories / f"given-{number}")
                snapshots = [info.id for info in repository.ancestry(branch="main")]
                comparison.compare(f"given-{number}", repository, snapshots[::-1])
            for number in range(arguments.histories):
                name, spec_version = f"history-{number:04}", 2 - number % 2
                # Each history has a generator of its own, so that one can be repeated.
                history = RandomChunkChanges(repositories / name, spec_version, Random(f"{arguments.seed} {number}"))
                history.write(history.random.randint(2, 10))
                comparison.counts[f"histories of version {spec_version}"] += 1
                if not comparison.compare(name, history.repository, history.snapshots):
                    print("\n".join(history.steps), flush=True)
    print(summary(comparison.counts))
    return 1 if comparison.counts["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
