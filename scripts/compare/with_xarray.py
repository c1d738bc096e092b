"""Compare what Floe serves of random groups with xarray and xpublish.

    npm run compare -- xarray --datasets 2000 --seed 1

Starts a server, writes batches of random groups into repositories of both format versions, and asks the server and the
oracle about every group. The bodies of `info`, `keys` and `dict` must be the same bytes. If the Python stack refuses a
group, Floe must refuse it with 422. Each difference is reduced first: arrays, attributes and members are removed one at
a time, as long as the difference stays. Prints the small cases and a line of
counts; exits with 1 if there is a difference.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from fixtures.documents import Array, Group, hierarchy
from fixtures.repository import commit, create, put_documents
from compare.floe_server import encode_segment, serve_directory
from compare.oracles.xpublish_oracle import VIEWS, Answer, Views, serve_snapshot
from compare.random_inputs.groups import random_group, spell

BATCH = 250

Groups = Mapping[str, Group]
Pair = tuple[Answer, Answer]
"""The answers of Floe and of the Python stack."""
Answers = Mapping[str, Pair]

ROOT = json.dumps({"zarr_format": 3, "node_type": "group", "attributes": {}})


@dataclass
class Comparison:
    """A running server, the directory that it serves, and how many repositories have been written there."""

    client: httpx2.Client
    directory: Path
    repositories: int = 0

    def describe(self, groups: Groups, spec_version: int) -> Answers:
        """What Floe and the stack say about every group, written into a new repository."""
        self.repositories += 1
        name = f"r{self.repositories}"
        repository = create(self.directory / name, spec_version)
        documents = hierarchy({path: spell(group) for path, group in groups.items()})
        snapshot = commit(repository, "random groups", lambda store: put_documents(store, {"": ROOT, **documents}))
        theirs = serve_snapshot(repository, snapshot)
        return {path: (ask(self.client, name, "main", path), theirs[path]) for path in groups}

    def minimize(self, group: Group, spec_version: int) -> tuple[Group, Pair]:
        """The smallest group, by dropping one thing at a time, that still differs, and what is said of it."""
        smallest, pair = group, self.describe({"g": group}, spec_version)["g"]
        while True:
            candidates = {f"g{index:03}": candidate for index, candidate in enumerate(smaller(smallest))}
            answers = self.describe(candidates, spec_version) if candidates else {}
            path = min((path for path, answer in answers.items() if judge(*answer) == "differ"), default=None)
            if path is None:
                return smallest, pair
            smallest, pair = candidates[path], answers[path]


def ask(client: httpx2.Client, repository: str, ref: str, group: str) -> Answer:
    """All views of one group.

    It is a failure only if every view is refused with 422; `keys` may answer where only names of dimensions are missing.
    Any other status stands in for the text of its view, so that it passes neither for an answer nor for a refusal.
    """
    address = "/".join(encode_segment(segment) for segment in (repository, ref, *group.split("/")) if segment)
    responses = {view: client.get(f"datasets/{address}/{view}") for view in VIEWS}
    if is_refusal(responses["info"]):
        detail = responses["info"].json()["detail"]
        may_have_keys = "dimension_names" in detail and responses["keys"].status_code == 200
        if is_refusal(responses["dict"]) and (may_have_keys or is_refusal(responses["keys"])):
            return {"error": detail}
    texts = {view: _text(response) for view, response in responses.items()}
    return Views(info=texts["info"], keys=texts["keys"], dict=texts["dict"])


def is_refusal(response: httpx2.Response) -> bool:
    """Whether the server says that the group is none that xarray could open."""
    is_problem = response.headers["content-type"].startswith("application/problem+json")
    return response.status_code == 422 and is_problem and response.json()["type"] == "/problems/not-a-dataset"


def _text(response: httpx2.Response) -> str:
    return response.text if response.status_code == 200 else f"status {response.status_code}: {response.text}"


def judge(ours: Answer, theirs: Answer) -> str:
    """How two answers compare."""
    if "error" in ours or "error" in theirs:
        return "both refuse" if "error" in ours and "error" in theirs else "differ"
    # The stack prints the bare word Infinity, which is not JSON; Floe says null.
    return "same bytes" if all(ours[view] == without_infinity(theirs[view]) for view in VIEWS) else "differ"


def without_infinity(text: str) -> str:
    """The text as the stack would print it with null for numbers beyond the doubles."""
    if "Infinity" not in text:
        return text

    def finite(value: Any) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            return None
        if isinstance(value, list):
            return [finite(item) for item in value]
        return {name: finite(member) for name, member in value.items()} if isinstance(value, dict) else value

    return json.dumps(finite(json.loads(text)), separators=(",", ":"))


def smaller(group: Group) -> Iterator[Group]:
    """Every group that is left when one thing is removed."""
    for name in group.arrays:
        yield replace(group, arrays=omit(group.arrays, name))
    for name in group.attributes:
        yield replace(group, attributes=omit(group.attributes, name))
    if group.members:
        yield replace(group, members={})
    for name, array in group.arrays.items():
        for candidate in smaller_arrays(array):
            yield replace(group, arrays={**group.arrays, name: candidate})


def smaller_arrays(array: Array) -> Iterator[Array]:
    """Every array with one thing less, or with the plainest data type."""
    for name in array.attributes:
        yield replace(array, attributes=omit(array.attributes, name))
    for name in array.members:
        yield replace(array, members=omit(array.members, name))
    if array.left_out:
        yield replace(array, left_out=())
    if array.fill_value is not None:
        yield replace(array, fill_value=None)
    for axis in range(len(array.shape) if array.dimensions else 0):
        shape, dimensions = list(array.shape), list(array.dimensions)
        del shape[axis], dimensions[axis]
        yield replace(array, shape=tuple(shape), dimensions=tuple(dimensions))
    if array.data_type != "int16":
        yield replace(array, data_type="int16", fill_value=None)


def omit(mapping: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The mapping without one member."""
    return {key: value for key, value in mapping.items() if key != name}


def report(group: Group, pair: Pair) -> None:
    """Print one small case with both answers."""
    ours, theirs = pair
    print("case", json.dumps(hierarchy({"g": spell(group)}), ensure_ascii=False, indent=1))
    for view in ("error", *VIEWS):
        if ours.get(view) != theirs.get(view):
            print(f" {view} of Floe:  {ours.get(view)}\n {view} of xarray: {theirs.get(view)}")
    sys.stdout.flush()


def main() -> int:
    """Run the comparison; the exit code tells whether everything agrees."""
    parser = argparse.ArgumentParser(description="Compare what Floe makes of random groups with xarray and xpublish.")
    parser.add_argument("--datasets", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stop-after", type=int, default=10, metavar="N", help="stop after N differences")
    arguments = parser.parse_args()
    # zarr leaves behind the tasks of a group's other arrays when it refuses one of them.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    counts: Counter[str] = Counter()
    with TemporaryDirectory() as repositories, TemporaryDirectory() as state:
        with serve_directory(Path(repositories), Path(state)) as client:
            run(Comparison(client, Path(repositories)), arguments, counts)
    return 1 if counts["differ"] else 0


def run(comparison: Comparison, arguments: argparse.Namespace, counts: Counter[str]) -> None:
    """Compare batch after batch."""
    random = Random(arguments.seed)
    for start in range(0, arguments.datasets, BATCH):
        spec_version = 2 - start // BATCH % 2
        groups = {f"g{number:06}": random_group(random, spec_version) for number in range(start, min(start + BATCH, arguments.datasets))}
        verdicts = {path: judge(*pair) for path, pair in comparison.describe(groups, spec_version).items()}
        counts.update(verdicts.values())
        for path in (path for path, verdict in verdicts.items() if verdict == "differ"):
            report(*comparison.minimize(groups[path], spec_version))
        print(dict(counts), flush=True)
        if counts["differ"] >= arguments.stop_after:
            return


if __name__ == "__main__":
    sys.exit(main())
