"""Compare what Floe finds in random corpora with a plain scan of what xarray says of each group.

    npm run compare -- search [--corpora N] [--seed N]

A corpus is a few small repositories that official Icechunk writes, and then changes while Floe serves them. The rules of a search are
those of compare/oracles/search_oracle.py.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
import icechunk

from compare.floe_server import serve_directory
from compare.oracles.search_oracle import EXACT, Dataset, scan
from compare.oracles.xpublish_oracle import open_group
from compare.with_icechunk import summary
from fixtures.documents import Array, Group, hierarchy
from fixtures.repository import commit, create, put_documents

INDEX_LIMIT_S = 300
QUERIES = 8

WORDS = ("air", "sea", "surface", "temperature", "wind_speed", "windSpeed", "SSTMean", "Größe", "größe", "温度", "2m", "a_b", "x")
VARIABLES = ("t2m", "airTemp", "air_temperature", "sst", "wind", "lat", "lon", "time", "温度", "größe")
STANDARD_NAMES = ("air_temperature", "sea_surface_temperature", "wind_speed", "latitude", "x wind")
UNITS = ("K", "degC", "m s-1", "%", "it's \"quoted\"", "days since 2000-01-01")
TYPES = ("float32", "float64", "int16", "int64", "bool")
INSTITUTIONS = ("Institute of Air", "Meeresinstitut Größe", "x")
TIMES = ("1990", "1995-06", "2000-02-29", "2010-12", "2020-12-31")


def random_text(random: Random) -> str:
    return random.choice((" ", ", ", "-", "; ")).join(random.choices(WORDS, k=random.randint(1, 4)))


def random_group(random: Random) -> Group:
    """A group with a few arrays. Some cannot be opened, because their dimensions have several sizes."""
    size = {"lat": 2, "lon": 3, "time": 4, "level": 1}
    arrays = {}
    for name in random.sample(VARIABLES, random.randint(1, 4)):
        dimensions = (name,) if name in size else tuple(random.sample(sorted(size), random.randint(0, 2)))
        attributes = {"standard_name": random.choice(STANDARD_NAMES), "units": random.choice(UNITS), "long_name": random_text(random)}
        kept = {key: value for key, value in attributes.items() if random.random() < 0.7}
        kind = random.choice(TYPES[:4] if str(kept.get("units", "")).startswith("days since") else TYPES)
        shape = tuple(size[dimension] + (random.random() < 0.1) for dimension in dimensions)
        arrays[name] = Array(kind, dimensions, shape, kept)
    west, south = random.randint(-180, 179), random.randint(-80, 60)
    edges = (west, south, random.choice((west + 30, (west + 210) % 360 - 180)), south + 20)
    options: dict[str, Any] = {
        "title": random_text(random),
        "summary": random_text(random),
        "keywords": ", ".join(random.sample(WORDS, 3)),
        "institution": random.choice(INSTITUTIONS),
        "source": random.choice(WORDS),
        "version": random.choice((1, "1", True, None, [1, 2])),
        "bbox": random.choice((list(edges), "everywhere")),
        "time_coverage_start": random.choice(TIMES),
        "time_coverage_end": random.choice((*TIMES, "unknown")),
    }
    return Group(arrays, {key: value for key, value in options.items() if random.random() < 0.6})


@dataclass
class Written:
    """A repository of a corpus, and what its head holds."""

    name: str
    repository: icechunk.Repository
    groups: dict[str, Group]
    snapshot: str

    def describe(self) -> list[Dataset]:
        """Return what xarray says of each group."""
        store = self.repository.readonly_session(snapshot_id=self.snapshot).store
        return [Dataset(self.name, path, describe(store, path)) for path in self.groups]


def write_corpus(directory: Path, name: str, random: Random) -> list[Written]:
    """Write the repositories of a corpus."""
    corpus = []
    for number in range(random.randint(1, 3)):
        repo = f"{name}-{number}"
        paths = random.sample(("", "daily", "Europe/hourly", "runs/air_temp", "Messung"), random.randint(1, 4))
        groups = {path: random_group(random) for path in sorted(paths)}
        repository = create(directory / repo, random.choice((1, 2)))
        documents = hierarchy({"": Group()} | groups)
        snapshot = commit(repository, "write", lambda store: put_documents(store, documents))
        corpus.append(Written(repo, repository, groups, snapshot))
    return corpus


def change(written: Written, random: Random) -> None:
    """Commit a few times: new attributes of a group or an array, further arrays and groups, or a group deleted."""
    for _ in range(random.randint(1, 3)):
        path = random.choice(sorted(written.groups))
        before, other = written.groups[path], random_group(random)
        kind = random.choice(("attributes", "attributes", "array", "arrays", "new", "delete"))
        if kind == "delete" and path and len(written.groups) > 1:
            del written.groups[path]
            written.snapshot = commit(written.repository, kind, lambda store: asyncio.run(store.delete_dir(path)))
            continue
        name = random.choice(sorted(before.arrays))
        changed = {
            "attributes": replace(before, attributes=other.attributes),
            "array": replace(before, arrays={**before.arrays, name: replace(before.arrays[name], attributes={"long_name": random_text(random)})}),
            "arrays": replace(before, arrays={**before.arrays, **other.arrays}),
        }.get(kind, other)
        path = f"new/{random.choice(WORDS)}" if changed is other else path
        old = hierarchy({path: written.groups[path]}) if path in written.groups else {}
        if changed is other and old:
            changed = replace(other, arrays={**written.groups[path].arrays, **other.arrays})
        written.groups[path] = changed
        documents = {node: text for node, text in hierarchy({path: changed}).items() if old.get(node) != text}
        if "new" in written.groups or path.startswith("new/"):
            documents.setdefault("new", hierarchy({"new": Group()})["new"])
        if documents:
            written.snapshot = commit(written.repository, kind, lambda store: put_documents(store, documents))


def describe(store: Any, path: str) -> dict[str, Any]:
    """The `dict` answer, whose JSON is that of `Dataset.to_dict`; empty where xarray cannot open the group."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return json.loads(json.dumps(open_group(store, path).to_dict(data=False)))
        except ValueError:
            return {}


def random_query(random: Random) -> dict[str, Any]:
    text = random_text(random)
    texts = (text, f"{text} ", text[: random.randint(1, 6)], f'"{text}"', f'{text} "{random.choice(WORDS)}"', text.upper())
    west = random.randint(-180, 179)
    values = {
        "q": random.choice(texts) if random.random() < 0.8 else random.choice(WORDS),
        "variable": random.sample(VARIABLES, 3),
        "standard_name": random.sample(STANDARD_NAMES, 2),
        "units": random.sample(UNITS, 3),
        "dimension": random.sample(("lat", "lon", "time", "level"), 2),
        "dtype": random.sample((*TYPES, "datetime64[ns]"), 3),
        "institution": random.sample(INSTITUTIONS, 2),
        "keyword": random.sample(WORDS, 4),
        "attribute": [random.choice(("version=1", "version=true", "version=null", "version=[1, 2]")), "source=air"],
        "bbox": f"{west},{random.randint(-90, 0)},{(west + 280) % 360 - 180},{random.randint(1, 90)}",
        "time": random.choice(("1990/2000-02", "2000-02-29/..", "../1995-06-01", "1991/1994")),
    }
    return {key: values[key] for key in random.sample(sorted(values), random.choice((0, 1, 1, 1, 2, 2, 3)))}


def ask(client: httpx2.Client, query: dict[str, Any]) -> dict[str, Any]:
    """All pages of an answer, as the oracle writes them."""
    results: list[Any] = []
    parameters = {**query, "facets": list(EXACT[:-1]), "limit": "5"}
    while True:
        response = client.get("search", params=parameters)
        if response.status_code != 200:
            raise RuntimeError(f"status {response.status_code}: {response.text}")
        page = response.json()
        results += [[found["repo"], found["group"]] for found in page["results"]]
        if page["next"] is None:
            facets = {name: {one["value"]: one["count"] for one in values} for name, values in page["facets"].items()}
            return {"results": results, "facets": facets} | {key: page[key] for key in ("total", "without_extent")}
        parameters["before"] = page["next"]


def wait_for_index(client: httpx2.Client, repositories: list[Written]) -> None:
    """Wait until the index has the heads of all repositories."""
    end = time.monotonic() + INDEX_LIMIT_S
    for written in repositories:
        while (state := read_index(client, written.name)) != (written.snapshot, len(repositories), 0):
            if time.monotonic() > end:
                raise RuntimeError(f"the index is not ready: {written.name} {state}")
            time.sleep(0.05)


def read_index(client: httpx2.Client, repo: str) -> tuple[str | None, int, int]:
    """The snapshot that search knows of a repository, and how many repositories the index has and waits for."""
    answer = client.get("search", params={"repo": repo, "limit": "1"}).json()
    index = answer["index"]
    return next((found["snapshot_id"] for found in answer["results"]), None), index["repositories"], index["pending"]


def compare(client: httpx2.Client, name: str, datasets: list[Dataset], random: Random) -> Counter[str]:
    """Ask random questions about a corpus."""
    counts = Counter({"datasets": len(datasets), "datasets that xarray cannot open": sum(not one.answer for one in datasets)})
    for _ in range(QUERIES):
        query = random_query(random)
        expected, answer = scan(datasets, query), ask(client, {**query, "repo": f"{name}-*"})
        counts["searches"] += 1
        counts["searches that find something"] += expected["total"] > 0
        if answer != expected:
            counts["differences"] += 1
            print(f"{name} {json.dumps(query)}\nanswered {json.dumps(answer)}\nexpected {json.dumps(expected)}\n")
    return counts


def main() -> int:
    """Run the comparison; the exit code tells whether everything agrees."""
    parser = argparse.ArgumentParser(description="Compare what Floe finds with a plain scan.")
    parser.add_argument("--corpora", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    with TemporaryDirectory() as repositories, TemporaryDirectory() as state:
        randoms = {f"c{number:04}": Random(f"{arguments.seed} {number}") for number in range(arguments.corpora)}
        corpora = {name: write_corpus(Path(repositories), name, random) for name, random in randoms.items()}
        everything = [written for corpus in corpora.values() for written in corpus]
        with serve_directory(Path(repositories), Path(state)) as client:
            for has_changed in (False, True):
                for name, corpus in corpora.items() if has_changed else ():
                    for written in corpus:
                        change(written, randoms[name])
                wait_for_index(client, everything)
                for name, corpus in corpora.items():
                    datasets = [dataset for written in corpus for dataset in written.describe()]
                    counts += compare(client, name, datasets, randoms[name])
    print(summary(counts))
    return 1 if counts["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
