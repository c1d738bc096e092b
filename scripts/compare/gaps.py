"""Compare which positions Floe says are not written with the coordinates of chunks that official Icechunk lists.

    npm run compare -- gaps [--histories N] [--first N] [--seed N] [DIRECTORY...]

Random histories are of both format versions in turn: runs of forecasts that are lost, late or written in part, in
native, inline and virtual chunks, with shards, rectilinear grids, split and rewritten manifests, moves, resizes, and
coordinates that are times or not. Every array of every snapshot is compared, along a dimension and without one, in one
page or in several. Repositories of other writers can be named.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import icechunk

from compare.comparison import Comparison
from compare.oracles.gaps_oracle import MOST_RANGES, GapsOracle
from compare.changes.random_histories import compare_chunks
from compare.random_inputs.lost_chunks import RandomLostChunks


class GapsComparison(Comparison):
    """Compares the snapshots of one repository after the other."""

    def compare(self, name: str, repository: icechunk.Repository, snapshots: list[str], random: Random) -> bool:
        """Compare snapshots, the newest first as readers do, or the oldest. Return whether all agree."""
        found = True
        for snapshot in random.choice((snapshots, snapshots[::-1])):
            oracle = GapsOracle(repository, snapshot)
            self.counts["snapshots"] += 1
            for along in (None, random.choice(sorted({"x", *oracle.dimensions}))):
                group = random.choice(["", "", *sorted(oracle.groups)])
                query = {"along": along, "limit": random.choice((None, None, 1, 2, 5)), "group": group or None}
                expected = oracle.answer(group, along)
                if along is not None and expected and not any(array["along"] for array in expected):
                    found &= self.compare_refusal(f"gaps/{name}/{snapshot}", {**query, "limit": None})
                else:
                    found &= self.compare_answer(f"gaps/{name}/{snapshot}", expected, query)
        return found

    def compare_refusal(self, address: str, query: dict[str, Any]) -> bool:
        """Check that a dimension that no array has is refused."""
        self.counts["refusals"] += 1
        asked = {name: value for name, value in query.items() if value is not None}
        if (status := self.client.get(address, params=asked).status_code) == 400:
            return True
        self.differ(f"{address} {query} is answered with {status}")
        return False

    def compare_answer(self, address: str, expected: list[dict[str, Any]], query: dict[str, Any]) -> bool:
        """Compare all arrays, which may be on several pages."""
        is_cut = False
        for array in expected:
            self.counts["answers about arrays"] += 1
            self.counts["gaps"] += len(array["gaps"])
            self.counts["patterns"] += len(array["patterns"])
            self.counts["arrays with chunks outside"] += array["outside"] > 0
            for ranges in (array["gaps"], array["patterns"]):
                is_cut |= len(ranges) > MOST_RANGES
                del ranges[MOST_RANGES:]
        self.counts["cut answers"] += is_cut
        answered, was_cut = self.get_pages(address, query)
        if answered == expected and was_cut == is_cut:
            return True
        self.differ(f"{address} {query}, cut {was_cut}, expected {is_cut}")
        if [one["path"] for one in answered] != [one["path"] for one in expected]:
            print(f"  answered {answered}\n  expected {expected}", flush=True)
        for one, other in zip(answered, expected, strict=False):
            if one != other:
                print(f"  answered {one}\n  expected {other}", flush=True)
        return False

    def get_pages(self, address: str, query: dict[str, Any]) -> tuple[list[dict[str, Any]], bool]:
        """The arrays of all pages, and whether a list of one was cut."""
        arrays: list[dict[str, Any]] = []
        after, is_cut = None, False
        while True:
            asked = {name: value for name, value in {**query, "after": after}.items() if value is not None}
            response = self.client.get(address, params=asked)
            if response.status_code != 200:
                return [*arrays, {"path": None, "problem": response.text}], is_cut
            page = response.json()
            self.counts["pages"] += 1
            arrays += page["arrays"]
            after = page["next"]
            is_cut |= page["truncated"]
            if after is None or not page["arrays"]:
                return arrays, is_cut


def main() -> int:
    """Run the comparison; the exit code tells whether everything agrees."""
    return compare_chunks("Compare which positions are not written with official Icechunk.", GapsComparison, RandomLostChunks)


if __name__ == "__main__":
    sys.exit(main())
