"""Compare how many chunks Floe says are written with the references that official Icechunk reads from manifests.

    npm run compare -- completeness [--histories N] [--seed N] [DIRECTORY...]

Random histories are of both format versions in turn: with virtual chunks, shards, split manifests, moves, resizes and
rectilinear grids. Every snapshot is compared, and what changed between neighbours must say the same as both. Repositories
of other writers can be named.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from random import Random
from typing import Any

import icechunk

from compare.comparison import Comparison
from compare.oracles.completeness_oracle import written_chunks
from compare.changes.random_histories import compare_chunks
from compare.random_inputs.chunk_changes import RandomChunkChanges


class CompletenessComparison(Comparison):
    """Compares the snapshots of one repository after the other."""

    def compare(self, name: str, repository: icechunk.Repository, snapshots: list[str], random: Random) -> bool:
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
        answer = json.loads(self.get(address))
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
        answer = json.loads(self.get(address))
        moved = {path for move in answer["moved"] for path in (move["from"], move["to"])}
        replaced = {entry["path"] for entry in answer["arrays"]["updated"] if entry.get("replaced")}
        changed = [entry for entry in answer["chunks"] or [] if entry["path"] not in moved | replaced]
        self.counts["arrays with changed chunks"] += len(changed)
        answered = {entry["path"]: [entry["before"], entry["after"]] for entry in changed}
        expected = {path: [side.get(path, {"chunks": None})["chunks"] for side in (before, after)] for path in answered}
        return self.same(address, answered, expected)

    def same(self, address: str, answered: Any, expected: Any) -> bool:
        if answered == expected:
            return True
        self.differ(f"{address}\n  answered {answered}\n  expected {expected}")
        return False


def rank(entry: dict[str, Any]) -> int:
    """The place of an array in the answer: incomplete, unknown, complete."""
    chunks = entry["chunks"]
    return 1 if chunks is None else 0 if chunks["written"] < chunks["total"] else 2


def main() -> int:
    """Run the comparison; the exit code tells whether everything agrees."""
    return compare_chunks("Compare how many chunks are written with official Icechunk.", CompletenessComparison, RandomChunkChanges)


if __name__ == "__main__":
    sys.exit(main())
