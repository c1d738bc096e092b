"""Compare what callers of Floe find in random repositories with a plain scan of what xarray says of the groups that they may read.

    npm run compare -- search [--repositories N] [--rounds N] [--searches N] [--seed N] [--database postgres://USER@HOST/DATABASE]

Official Icechunk writes the repositories, and changes them while Floe serves them. Several deployments serve parts of them, and keys are
limited to some of them; each search is that of a random caller. The rules of a search are those of compare/search/search_oracle.py.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import secrets
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from compare.comparison import finish
from compare.floe_server import ORG, new_database, open_client, serve
from compare.oracles.path_oracle import matches_some
from compare.random_inputs.globs import random_segment
from compare.search.answers import ask, wait_for_index
from compare.search.dataset_oracle import Dataset
from compare.search.random_heads import Head, change_documents, write_heads
from compare.search.random_searches import random_query
from compare.search.search_oracle import scan

DEPLOYMENTS: Mapping[str, tuple[bool, list[str]]] = {
    "open": (True, ["**"]),
    "closed": (False, ["*"]),
    "some": (True, ["*air*", "*-?1", "w*"]),
    "few": (False, ["*-0?", "2*"]),
}
"""Whether a deployment is public, and the names of what it serves."""


@dataclass
class Caller:
    """Somebody who searches, and the repositories that this caller may read."""

    name: str
    client: httpx2.Client
    readable: frozenset[str]


def make_keys(repositories: list[str], random: Random) -> dict[str, list[str] | None]:
    """Texts of API keys, and their repositories."""
    grants = [None, *(random.sample(repositories, random.randint(1, len(repositories))) for _ in range(12))]
    return {f"floe_{random.randbytes(8).hex()}_{secrets.token_urlsafe(32)}": grant for grant in grants}


def configure(directory: Path, database: str, keys: Mapping[str, list[str] | None]) -> dict[str, Any]:
    declared = [
        {"id": key.split("_")[1], "sha256": hashlib.sha256(key.encode()).hexdigest(), "role": "reader", "repos": repos}
        for key, repos in keys.items()
    ]
    return {
        "database": database,
        "encryptionKey": secrets.token_hex(32),
        "deployments": [{"name": name, "org": ORG, "public": public, "repos": repos} for name, (public, repos) in DEPLOYMENTS.items()],
        "orgs": {ORG: {"repositories": [{"scan": str(directory)}], "keys": declared}},
        "search": {"branches": ["dev*"]},
        # Repositories without receivers are polled ten times less often.
        "notifications": {"pollInterval": "1s"},
    }


def open_callers(stack: ExitStack, origin: str, repositories: list[str], keys: Mapping[str, list[str] | None]) -> list[Caller]:
    """Each deployment with each key, and without one if it is public. The first caller may read everything."""
    callers = []
    for deployment, (is_public, globs) in DEPLOYMENTS.items():
        served = {repo for repo in repositories if matches_some(globs, [repo])}
        for number, (key, repos) in enumerate([*([("", None)] if is_public else []), *keys.items()]):
            client = stack.enter_context(open_client(origin, deployment, key or None))
            # A public deployment asks nobody for a key.
            readable = served if is_public or repos is None else served.intersection(repos)
            callers.append(Caller(f"{deployment} {number}", client, frozenset(readable)))
    return callers


def compare(heads: Iterable[Head], caller: Caller, random: Random) -> Counter[str]:
    """Ask a random question."""
    readable = [head for head in heads if head.repo in caller.readable]
    query = random_query(random, [head.written_at for head in heads])
    globs = [random_segment(random, random.choice(list(heads)).repo) for _ in range(random.choice((0, 0, 1, 3)))]
    datasets = [
        dataset for head in readable if not globs or matches_some(globs, [head.repo]) for dataset in head.datasets.values()
    ]
    expected = scan(datasets, query)
    answer = ask(caller.client, {**query, "repo": globs}, random.choice((2, 5, 100)))
    suggested, answer["unknown"] = answer["unknown"], [one["word"] for one in answer["unknown"]]
    for one in suggested:
        check_suggestion(one, datasets)
    counts = Counter({"searches": 1, "searches that find something": int(expected["total"] > 0)})
    counts["searches of callers who may read a part"] += len(readable) < len(list(heads))
    if answer != expected:
        counts["differences"] += 1
        print(f"{caller.name} {json.dumps(query, ensure_ascii=False)} {globs}")
        for name, wanted in expected.items():
            print_difference(name, answer[name], wanted)
    return counts


def check_suggestion(unknown: Mapping[str, Any], datasets: Iterable[Dataset]) -> None:
    """Near words, and the name of a repository, come from what the caller may read."""
    words = {word for dataset in datasets for place in dataset.all_places for word in place.words}
    names = {dataset.repo for dataset in datasets}
    if not words.issuperset(unknown["near"]) or unknown["repository"] not in {None, *names}:
        raise RuntimeError(f"nothing that the caller may read has {unknown}")


def print_difference(name: str, answered: Any, expected: Any) -> None:
    """Print two values if they differ; of two lists, the first items that differ."""
    if isinstance(expected, list):
        items = enumerate(zip_longest(answered, expected))
        name, (answered, expected) = next(((f"{name} {number}", pair) for number, pair in items if pair[0] != pair[1]), (name, (0, 0)))
    elif isinstance(expected, dict):
        for key in expected:
            print_difference(f"{name} {key}", answered[key], expected[key])
        return
    if answered != expected:
        print(f"  {name}: answered {json.dumps(answered, ensure_ascii=False)}, expected {json.dumps(expected, ensure_ascii=False)}")


def main() -> int:
    """Run the comparison; the exit code tells whether everything agrees."""
    parser = argparse.ArgumentParser(description="Compare what Floe finds with a plain scan.")
    parser.add_argument("--repositories", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--searches", type=int, default=200, help="of each round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", help="a server of PostgreSQL, where the run makes a database of its own; SQLite without it")
    arguments = parser.parse_args()
    random = Random(arguments.seed)
    counts: Counter[str] = Counter()
    with TemporaryDirectory() as repositories, TemporaryDirectory() as state, ExitStack() as stack:
        heads = [head for number in range(arguments.repositories) for head in write_heads(Path(repositories), number, random)]
        names = sorted({head.repo for head in heads})
        keys = make_keys(names, random)
        database = stack.enter_context(new_database(arguments.database, Path(state)))
        origin = stack.enter_context(serve(configure(Path(repositories), database, keys), Path(state)))
        callers = open_callers(stack, origin, names, keys)
        for round_number in range(arguments.rounds):
            for head in heads if round_number > 0 else ():
                if random.random() < 0.7:
                    head.commit(change_documents(head.documents, random))
            wait_for_index(callers[0].client, {(head.repo, head.branch): head.snapshot for head in heads})
            counts["datasets"] += sum(len(head.datasets) for head in heads)
            counts["datasets that xarray cannot open"] += sum(not one.answer for head in heads for one in head.datasets.values())
            for _ in range(arguments.searches):
                counts += compare(heads, random.choice(callers), random)
    return finish(counts)


if __name__ == "__main__":
    sys.exit(main())
