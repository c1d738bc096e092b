"""Compares the answers of a server with random histories of both format versions in turn."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from compare.floe_server import serve_directory
from compare.oracles.icechunk_oracle import open_repository


@contextmanager
def serve_empty_directory() -> Iterator[tuple[httpx2.Client, Path]]:
    """Serve a directory in which repositories can be written."""
    with TemporaryDirectory() as repositories, TemporaryDirectory() as state:
        with serve_directory(Path(repositories), Path(state)) as client:
            yield client, Path(repositories)


def compare_histories(description: str, histories: int, make: Callable[[httpx2.Client, Path], Any]) -> int:
    """Have a comparison write and compare histories, by default so many, until there are too many differences."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--histories", type=int, default=histories)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stop-after", type=int, default=10, metavar="N", help="stop after N differences")
    arguments = parser.parse_args()
    with serve_empty_directory() as (client, repositories):
        comparison = make(client, repositories)
        for number in range(arguments.histories):
            # Each history has a generator of its own, so that one can be repeated.
            random = Random(f"{arguments.seed} {number}")
            comparison.compare_history(f"history-{number:04}", 2 - number % 2, random)
            if comparison.counts["differences"] >= arguments.stop_after:
                break
    return comparison.finish()


def compare_chunks(
    description: str, make: Callable[[httpx2.Client], Any], make_history: Callable[[Path, int, Random], Any]
) -> int:
    """Have a comparison compare the snapshots of repositories that are named, then of random histories."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("directories", nargs="*", type=Path, help="repositories to compare too")
    parser.add_argument("--first", type=int, default=0, help="number of the first history")
    parser.add_argument("--histories", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with serve_empty_directory() as (client, repositories):
        comparison = make(client)
        for number, directory in enumerate(arguments.directories):
            copy = repositories / f"given-{number}"
            shutil.copytree(directory, copy)
            repository = open_repository(copy)
            snapshots = [info.id for info in repository.ancestry(branch="main")]
            comparison.compare(copy.name, repository, snapshots[::-1], Random(arguments.seed))
        for number in range(arguments.first, arguments.first + arguments.histories):
            name, spec_version = f"history-{number:04}", 2 - number % 2
            random = Random(f"{arguments.seed} {number}")
            history = make_history(repositories / name, spec_version, random)
            history.write(random.randint(2, 10))
            comparison.counts[f"histories of version {spec_version}"] += 1
            if not comparison.compare(name, history.repository, history.snapshots, random):
                print("\n".join(history.steps), flush=True)
            shutil.rmtree(repositories / name)
    return comparison.finish()
