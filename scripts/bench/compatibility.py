"""Measure how long it takes to tell whether the changes between two snapshots break readers.

    npm run bench -- compatibility [--groups 12000] [--variables 5] [--rounds 10]

Official Icechunk writes a repository, and in each round changes 20 of its groups, then 2,000. The server has read both
snapshots before it is asked, as a service has that watches the repository.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2
import icechunk

from compare.floe_server import serve_directory
from fixtures.documents import Array, Group, hierarchy
from fixtures.repository import commit, create, put_documents


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--groups", type=int, default=12_000)
    parser.add_argument("--variables", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    os.environ["FLOE_SEARCH_ENABLED"] = "false"
    # So that each reader thread has room for two snapshots.
    os.environ["FLOE_CACHE_MAX_BYTES"] = "1GB"
    with TemporaryDirectory() as scratch:
        state, repositories = Path(scratch, "state"), Path(scratch, "repositories")
        state.mkdir()
        repository = create(repositories / "weather", 2)
        before = commit_groups(repository, range(options.groups), options.variables, 0)
        with serve_directory(repositories, state) as client:
            for changed in (20, 2_000):
                numbers = range(0, options.groups, max(options.groups // changed, 1))[:changed]
                times = []
                for number in range(1, options.rounds + 1):
                    after = commit_groups(repository, numbers, options.variables, number)
                    # The thread then has both snapshots.
                    client.get(f"diff/weather/{before}/{after}").raise_for_status()
                    times.append(ask(client, before, after))
                    before = after
                words = f"{changed} of {options.groups} groups with {options.variables} variables"
                print(f"{words}: first {times[0] * 1000:.0f} ms, then median {statistics.median(times[1:]) * 1000:.0f} ms")


def commit_groups(repository: icechunk.Repository, numbers: range, variables: int, round: int) -> str:
    """Write groups whose time is longer, and whose units are others, than in the round before."""
    documents = write(numbers, variables, round)
    return commit(repository, f"Write {len(numbers)} groups", lambda store: put_documents(store, documents))


def write(numbers: range, variables: int, round: int) -> dict[str, str]:
    """The documents of groups."""
    size = 24 + round
    time = Array("int64", ("time",), (size,), {"units": "hours since 2026-01-01", "calendar": "standard"})
    attributes = {"standard_name": "air_temperature", "long_name": "a quantity", "units": "degC" if round % 2 else "K"}
    arrays = {f"variable_{number}": Array("float32", ("time",), (size,), attributes) for number in range(variables - 1)}
    return hierarchy({f"region/run_{number:05}": Group({"time": time, **arrays}) for number in numbers})


def ask(client: httpx2.Client, before: str, after: str) -> float:
    """The seconds that one answer takes."""
    start = time.monotonic()
    answer = client.get(f"compatibility/weather/{before}/{after}").raise_for_status()
    passed = time.monotonic() - start
    assert answer.json()["counts"]["datasets"]["breaking"] > 0, answer.text[:500]
    return passed


main()
