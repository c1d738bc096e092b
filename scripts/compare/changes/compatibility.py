"""Compare Floe's verdicts about changes of datasets with an oracle over official Icechunk and xarray.

    npm run compare -- compatibility [--pairs N] [--seed N]

The histories are random, of both format versions in turn. Then come all pairs of consecutive commits of the test
repositories, which are of all kinds.
"""

from __future__ import annotations

import argparse
import json
import logging
import shutil
import sys
import warnings
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
import icechunk

from compare.comparison import Comparison
from compare.floe_server import encode_segment, serve_directory
from compare.oracles.compatibility_oracle import Change, State, compare, worst
from compare.oracles.icechunk_oracle import open_repository, references, repositories_in
from compare.random_inputs.dataset_changes import RandomDatasetChanges

PAIRS = 12
FIXTURES = ("repositories", "compatibility")


class CompatibilityComparison(Comparison):
    """Compares pairs of snapshots of one repository after the other."""

    def __init__(self, client: httpx2.Client, repositories: Path) -> None:
        super().__init__(client)
        self.repositories = repositories

    def compare_history(self, name: str, spec_version: int, random: Random) -> None:
        """Write a history and compare pairs of its snapshots."""
        history = RandomDatasetChanges(self.repositories / name, spec_version, random)
        history.write(random.randint(4, 12))
        states = {id: State(history.repository, id) for id in history.snapshots}
        consecutive = list(zip(history.snapshots, history.snapshots[1:], strict=False))
        every = [(before, after) for before in states for after in states]
        pairs = [*random.sample(consecutive, min(PAIRS, len(consecutive))), *random.sample(every, min(PAIRS // 3, len(every)))]
        for before, after in pairs:
            if found := self.compare_pair(name, states[before], states[after]):
                steps = "\n".join(history.steps)
                print(f"version {spec_version}, {name}, {before} to {after}\n{steps}\n{found}\n", flush=True)

    def compare_fixture(self, name: str, repository: icechunk.Repository, directory: Path) -> None:
        """Compare the consecutive commits of all branches and tags."""
        refs = references(repository, directory)
        for head in {*refs.branches.values(), *refs.tags.values()}:
            line = [info.id for info in repository.ancestry(snapshot_id=head)]
            states: dict[str, State] = {}
            for after, before in zip(line, line[1:], strict=False):
                pair = [states.setdefault(id, State(repository, id)) for id in (before, after)]
                if found := self.compare_pair(name, *pair):
                    print(f"fixture {name}, {before} to {after}\n{found}\n", flush=True)

    def compare_pair(self, name: str, before: State, after: State) -> str:
        """The differences as text; empty when there are none."""
        self.counts["pairs"] += 1
        response = self.client.get(f"compatibility/{encode_segment(name)}/{before.id}/{after.id}")
        if response.status_code != 200:
            self.counts["differences"] += 1
            return f"status {response.status_code}: {response.text}"
        answer = response.json()
        changes, notes = compare(before, after)
        found = {entry["group"]: {read_change(change) for change in entry["changes"]} for entry in answer["datasets"]}
        found = {group: listed for group, listed in found.items() if listed and not before.lacks_codec(group) and not after.lacks_codec(group)}
        noted = {(entry["group"], note["dimension"], note["parent"]) for entry in answer["datasets"] for note in entry["notes"]}
        self.counts[f"verdict {answer['verdict']}"] += 1
        self.counts["notes"] += len(notes)
        for listed in changes.values():
            self.counts.update(f"{change.kind} {change.verdict}" for change in listed)
        reports = []
        for group in sorted({*changes, *found}):
            expected, ours = changes.get(group, set()), found.get(group, set())
            reports += [f"{group!r} lacks {change}" for change in sorted(expected - ours, key=repr)]
            reports += [f"{group!r} has {change}" for change in sorted(ours - expected, key=repr)]
        if noted != notes:
            reports.append(f"notes {sorted(noted)}, expected {sorted(notes)}")
        if answer["verdict"] != worst(changes):
            reports.append(f"verdict {answer['verdict']}, expected {worst(changes)}")
        self.counts["differences"] += bool(reports)
        return "\n".join(reports)


def read_change(change: dict[str, Any]) -> Change:
    """A change of an answer."""
    names = {name: change[name] for name in ("kind", "verdict", "variable", "dimension", "attribute")}
    return Change(**names, widened=change.get("widened", False), moved_from=change.get("moved_from"))


def main() -> int:
    """Run the comparison; the exit code tells whether everything agrees."""
    parser = argparse.ArgumentParser(description="Compare Floe's verdicts about changes with official libraries.")
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stop-after", type=int, default=10, metavar="N", help="stop after N differences")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    # zarr leaves behind the tasks of a group's other arrays when it refuses one of them.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    with TemporaryDirectory() as repositories, TemporaryDirectory() as state:
        fixtures = [path for folder in FIXTURES for path in repositories_in(Path("test/fixtures") / folder)]
        names = {f"{path.parent.name} {path.name}": path for path in fixtures}
        for name, path in names.items():
            shutil.copytree(path, Path(repositories) / name)
        with serve_directory(Path(repositories), Path(state)) as client:
            comparison = CompatibilityComparison(client, Path(repositories))
            for name, path in names.items():
                comparison.compare_fixture(name, open_repository(Path(repositories) / name), path)
            print(json.dumps(comparison.counts), flush=True)
            number = 0
            while comparison.counts["pairs"] < arguments.pairs and comparison.counts["differences"] < arguments.stop_after:
                # Each repository has a generator of its own, so that one can be repeated.
                random = Random(f"{arguments.seed} {number}")
                comparison.compare_history(f"history-{number:04}", 2 - number % 2, random)
                number += 1
    return comparison.finish()


if __name__ == "__main__":
    sys.exit(main())
