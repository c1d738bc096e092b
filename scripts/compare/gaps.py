"""Compare which positions Floe says are not written with the coordinates of chunks that official Icechunk lists.

    npm run compare -- gaps [--histories N] [--first N] [--seed N] [DIRECTORY...]

Random histories are of both format versions in turn: runs of forecasts that are lost, late or written in part, in
native, inline and virtual chunks, with shards, rectilinear grids, split and rewritten manifests, moves, resizes, and
coordinates that are times or not. Every array of every snapshot is compared, along a dimension and without one, in one
page or in several. Repositories of other writers can be named.
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
from compare.oracles.gaps_oracle import MOST_RANGES, GapsOracle
from compare.oracles.icechunk_oracle import open_repository
from compare.random_inputs.lost_chunks import RandomLostChunks
from compare.with_icechunk import summary


class Comparison:
    """Compares the snapshots of one repository after the other."""

    def __init__(self, client: httpx2.Client) -> None:
        self.client = client
        self.counts: Counter[str] = Counter()

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
        self.counts["differences"] += 1
        print(f"{address} {query} is answered with {status}", flush=True)
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
        self.counts["differences"] += 1
        print(f"{address} {query}, cut {was_cut}, expected {is_cut}")
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
    parser = argparse.ArgumentParser(description="Compare which positions are not written with official Icechunk.")
    parser.add_argument("directories", nargs="*", type=Path, help="repositories to compare too")
    parser.add_argument("--histories", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first history")
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
                comparison.compare(f"given-{number}", repository, snapshots[::-1], Random(arguments.seed))
            for number in range(arguments.first, arguments.first + arguments.histories):
                name, spec_version = f"history-{number:04}", 2 - number % 2
                # Each history has a generator of its own, so that one can be repeated.
                random = Random(f"{arguments.seed} {number}")
                history = RandomLostChunks(repositories / name, spec_version, random)
                history.write(random.randint(2, 10))
                comparison.counts[f"histories of version {spec_version}"] += 1
                if not comparison.compare(name, history.repository, history.snapshots, random):
                    print("\n".join(history.steps), flush=True)
                shutil.rmtree(repositories / name)
    print(summary(comparison.counts))
    return 1 if comparison.counts["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
