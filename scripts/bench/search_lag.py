"""Measure how soon a commit can be found, and what it costs to index one changed group of many.

    npm run bench -- search-lag [--groups 10000] [--variables 2] [--commits 20]

Official Icechunk writes the repository and commits to it while a Floe server watches it on the local disk.
"""

from __future__ import annotations

import argparse
import os
import re
import socket
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2
import psutil

from compare.floe_server import serve_directory
from fixtures.documents import Array, Group, hierarchy
from fixtures.repository import commit, create, put_documents

INDEX_LIMIT_S = 600
FIND_LIMIT_S = 30
UNASKED_S = 0.5


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--groups", type=int, default=10_000)
    parser.add_argument("--variables", type=int, default=2)
    parser.add_argument("--commits", type=int, default=20)
    options = parser.parse_args()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    os.environ["FLOE_METRICS_LISTEN_PORT"] = str(port)
    with TemporaryDirectory() as scratch:
        state, repositories = Path(scratch, "state"), Path(scratch, "repositories")
        state.mkdir()
        repository = create(repositories / "weather", 2)
        arrays = {f"variable_{number}": make_array(number) for number in range(options.variables)}
        groups = {f"region/run_{number}": Group(arrays, {"title": f"run {number}"}) for number in range(options.groups)}
        commit(repository, "Write all groups", lambda store: put_documents(store, hierarchy(groups)))
        with serve_directory(repositories, state) as client:
            first = wait_until(client, "temperature", INDEX_LIMIT_S)
            server = psutil.Process().children()[0]

            def change_group(number: int) -> str:
                word = f"change{number}"
                documents = {f"region/run_{number}": hierarchy({"x": Group({}, {"title": word})})["x"]}
                commit(repository, word, lambda store: put_documents(store, documents))
                return word

            lags = [wait_until(client, change_group(number), FIND_LIMIT_S) for number in range(options.commits)]
            before, indexed_before = sum(server.cpu_times()[:2]), read_index_seconds(port)
            for number in range(options.commits, 2 * options.commits):
                change_group(number)
                # Without questions meanwhile, which take processor time too.
                time.sleep(UNASKED_S)
            cost = (sum(server.cpu_times()[:2]) - before) / options.commits
            indexing = (read_index_seconds(port) - indexed_before) / options.commits
            wait_until(client, f"change{2 * options.commits - 1}", FIND_LIMIT_S)
    print(f"{options.groups} groups of {options.variables} variables: indexed {first:.1f} s after the start")
    lags.sort()
    p95 = lags[-1 - len(lags) // 20]
    print(f"twice {options.commits} commits that change one group")
    print(f"found after: median {statistics.median(lags) * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms, all {lags[-1] * 1000:.0f} ms")
    print(f"without questions meanwhile: indexed in {indexing * 1000:.0f} ms on average")
    print(f"processor time of the server for each of these commits: {cost * 1000:.0f} ms")


def make_array(number: int) -> Array:
    name, units = ("air_temperature", "K") if number % 2 else ("sea_surface_height_above_geoid", "m")
    return Array("float32", ("time",), (4,), {"standard_name": name, "long_name": f"quantity {number}", "units": units})


def read_index_seconds(port: int) -> float:
    """Read how long the server has spent on indexing heads."""
    text = httpx2.get(f"http://127.0.0.1:{port}/metrics").raise_for_status().text
    found = re.search(r"^floe_search_index_duration_seconds_sum (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def wait_until(client: httpx2.Client, word: str, limit_s: float) -> float:
    """Ask until a word is found and nothing waits to be indexed; return the seconds since the call."""
    start = time.monotonic()
    while (passed := time.monotonic() - start) < limit_s:
        answer = client.get("search", params={"q": f"{word} ", "limit": "1"}).raise_for_status().json()
        if answer["total"] > 0 and answer["index"]["pending"] == 0:
            return passed
        time.sleep(0.01)
    raise RuntimeError(f"{word} was not found")


main()
