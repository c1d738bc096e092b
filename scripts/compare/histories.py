"""Compare histories, operations logs and summaries of random repositories with official Icechunk.

    npm run compare -- histories [--repositories 100] [--operations 60] [--seed N]

Half of the repositories begin in format version 1; some of them are migrated. Each branch and tag is compared page by page, with
`until` too. At random times, branches are compared with `as_of`, and tags, for which Icechunk has no `as_of`, with their history. Prints each difference and a line of counts; exits with 1 if there are any.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import httpx2

from compare.comparison import Comparison
from compare.floe_server import encode_segment, serve_directory
from compare.oracles import history_oracle
from compare.oracles.icechunk_oracle import open_repository, references
from compare.random_inputs.operations import RandomOperations
from compare.with_icechunk import comparable


TIMES = 6


class HistoryComparison(Comparison):
    """The answers of one server beside what Icechunk says."""

    def __init__(self, client: httpx2.Client, source: random.Random) -> None:
        super().__init__(client)
        self.random = source

    def repository(self, directory: Path) -> None:
        """Compare everything about one repository."""
        repository = open_repository(directory)
        name = encode_segment(directory.name)
        refs = references(repository, directory)
        for ref, snapshot_id in (refs.tags | refs.branches).items():
            expected = history_oracle.commits(repository, snapshot_id)
            self.history(f"history/{name}/{encode_segment(ref)}", expected)
            branch = ref if ref in refs.branches else None
            self.times(name, ref, history_oracle.TimedHistory(repository, snapshot_id, branch))
        body = json.loads(self.get(f"repositories/{name}"))
        self.same("branches", {head["name"]: head["snapshot_id"] for head in body["branches"]}, refs.branches)
        self.same("numbers of tags", body["tags"], len(refs.tags))
        if repository.spec_version == 1:
            self.same("logs of version 1", json.loads(self.get(f"operations/{name}"))["operations"], [])
            return
        for member, value in history_oracle.summary(repository).items():
            self.same(f"summaries ({member})", body[member], value)
        self.operations(f"operations/{name}", history_oracle.operations(repository))

    def history(self, path: str, expected: list[dict[str, Any]]) -> None:
        """Compare a whole history in pages of a random size, and a part of it that ends at a random commit."""
        commits, _ = self.pages(path, "commits", {"limit": self.random.choice([1, 2, 7, 100, 1000])})
        self.same("histories", commits, expected)
        self.counts["commits"] += len(commits)
        end = self.random.randrange(len(expected))
        part, found = self.pages(path, "commits", {"until": expected[end]["snapshot_id"]})
        self.same("histories with an end", part, expected[:end])
        self.same("ends found", found, True)

    def times(self, name: str, ref: str, history: history_oracle.TimedHistory) -> None:
        """Compare a ref at random times, and its history between two of them."""
        times = history.random_times(self.random, TIMES)
        for time in times:
            address = f"history/{name}/{encode_segment(f'{ref}@{self.write(time)}')}"
            response = self.client.get(address, params={"limit": 1})
            answer = response.headers.get("floe-snapshot", response.status_code)
            self.same("refs at a time" if history.branch else "tags at a time", answer, history.snapshot_at(time) or 404)
        since, until = self.random.choice(times), self.random.choice(times)
        query = {"since": self.write(since), "until": self.write(until), "limit": self.random.choice([1, 7, 100])}
        part, _ = self.pages(f"history/{name}/{encode_segment(ref)}", "commits", query)
        self.same("histories between times", [commit["snapshot_id"] for commit in part], history.between(since, until))

    def write(self, time: datetime) -> str:
        """Write a time in a random zone."""
        zone = timezone(timedelta(minutes=self.random.choice([0, 0, 120, -210, 825])))
        text = time.astimezone(zone).isoformat(timespec="microseconds")
        return text.replace("+00:00", self.random.choice(["Z", "", "+00:00"]))

    def operations(self, path: str, expected: list[dict[str, Any]]) -> None:
        """Compare a whole log, without authors, which the log of Icechunk does not have."""
        entries, _ = self.pages(path, "operations", {"limit": self.random.choice([1, 2, 7, 100, 1000])})
        for entry in entries:
            entry.pop("author_id")
        self.same("operations logs", entries, expected)
        self.counts["operations"] += len(entries)

    def pages(self, path: str, member: str, query: dict[str, Any]) -> tuple[list[dict[str, Any]], bool | None]:
        """Items of all pages, and whether the last has found `until`."""
        items: list[dict[str, Any]] = []
        page = json.loads(self.get(path, query))
        while True:
            items += page[member]
            if page["next"] is None:
                return items, page.get("until_found")
            page = json.loads(self.get(path, query | {"before": page["next"]}))

    def same(self, what: str, answer: Any, expected: Any) -> None:
        """Compare exactly: `2.0` is not `2`, and `1` is not `true`."""
        if comparable(json.dumps(answer)) == comparable(json.dumps(expected)):
            self.counts[f"{what} agree"] += 1
            return
        self.differ(f"{what}\n  answered {answer}\n  expected {expected}")


def main() -> int:
    """Run the comparison; the exit code tells whether everything agrees."""
    parser = argparse.ArgumentParser(description="Compare random histories with official Icechunk.")
    parser.add_argument("--repositories", type=int, default=100)
    parser.add_argument("--operations", type=int, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    source = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as place:
        repositories = Path(place) / "repositories"
        repositories.mkdir()
        for number in range(arguments.repositories):
            directory = repositories / f"random-{number}"
            RandomOperations(directory, 1 + number % 2, source).apply(arguments.operations)
        with serve_directory(repositories, Path(place)) as client:
            comparison = HistoryComparison(client, source)
            for directory in sorted(repositories.iterdir()):
                comparison.repository(directory)
    return comparison.finish()


if __name__ == "__main__":
    sys.exit(main())
