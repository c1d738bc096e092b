"""Repositories with random datasets, and random commits to them."""

from __future__ import annotations

import asyncio
import json
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import icechunk

from compare.oracles.xpublish_oracle import open_group
from compare.search.dataset_oracle import Dataset
from compare.search.random_datasets import PATHS, WORDS, random_array, random_attributes, random_group
from fixtures.documents import Group, hierarchy
from fixtures.repository import create, put_documents

Documents = Mapping[str, str]


@dataclass
class Head:
    """A branch of a repository, and what its last commit holds."""

    repo: str
    branch: str
    repository: icechunk.Repository
    snapshot: str = ""
    written_at: datetime = datetime.max
    documents: Documents = field(default_factory=dict)
    """By path, for groups and arrays."""
    datasets: dict[str, Dataset] = field(default_factory=dict)
    """By path, as Floe has indexed them."""

    def commit(self, documents: Documents) -> None:
        """Make these the documents of a new commit."""
        session = self.repository.writable_session(self.branch)
        gone = [path for path in self.documents if path not in documents]
        for path in gone:
            if not any(path.startswith(f"{other}/") for other in gone):
                asyncio.run(session.store.delete_dir(path))
        changed = {path: text for path, text in documents.items() if self.documents.get(path) != text}
        if not gone and not changed:
            return
        put_documents(session.store, changed)
        self.snapshot = session.commit(f"change {len(gone) + len(changed)} nodes")
        written = next(iter(self.repository.ancestry(snapshot_id=self.snapshot))).written_at
        self.written_at = written.replace(microsecond=written.microsecond // 1000 * 1000)
        before, self.documents = self.documents, documents
        self.datasets = dict(self._describe(before))

    def _describe(self, before: Documents) -> Iterator[tuple[str, Dataset]]:
        """A dataset was changed if a document of its group, directly in this, or of a group above it is another."""
        store = self.repository.readonly_session(snapshot_id=self.snapshot).store
        for path in list_datasets(self.documents):
            old = self.datasets.get(path)
            is_same = old is not None and read_family(before, path) == read_family(self.documents, path)
            above = [read_attributes(self.documents[parent]) for parent in list_parents(path)]
            changed = old.changed if old is not None and is_same else self.written_at
            yield path, Dataset(self.repo, self.branch, path, describe(store, path) or self._describe_stored(path), above, changed)

    def _describe_stored(self, path: str) -> dict[str, Any]:
        """What is stored of a group that xarray cannot open, in the form of `dict`."""
        family = {name: json.loads(text) for name, text in read_family(self.documents, path).items()}
        members = {name: family[name] for name in sorted(family) if name and name.rpartition("/")[0] == path}
        arrays = {name.rpartition("/")[2]: array for name, array in members.items() if array["node_type"] == "array"}
        dims = {name: size for array in arrays.values() for name, size in zip(array["dimension_names"], array["shape"])}
        described = {
            name: {"dims": array["dimension_names"], "attrs": array["attributes"], "dtype": array["data_type"]}
            for name, array in arrays.items()
        }
        return {
            "coords": {name: one for name, one in described.items() if name in dims},
            "attrs": family[path]["attributes"],
            "dims": dims,
            "data_vars": {name: one for name, one in described.items() if name not in dims},
        }


def list_parents(path: str) -> list[str]:
    """The paths of the groups above, nearest first."""
    parents = [path[:at] for at, letter in enumerate(path) if letter == "/"][::-1]
    return [*parents, ""] if path else []


def list_datasets(documents: Documents) -> list[str]:
    """The groups that hold arrays."""
    arrays = [path for path, text in documents.items() if json.loads(text)["node_type"] == "array"]
    return sorted({path.rpartition("/")[0] for path in arrays})


def read_family(documents: Documents, path: str) -> dict[str, str]:
    """The documents that a dataset is made of."""
    members = [member for member in documents if member and member.rpartition("/")[0] == path]
    return {name: documents[name] for name in (path, *list_parents(path), *members)}


def read_attributes(document: str) -> dict[str, Any]:
    return json.loads(document)["attributes"]


def describe(store: Any, path: str) -> dict[str, Any]:
    """The `dict` answer, whose JSON is that of `Dataset.to_dict`; empty where xarray cannot open the group."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return json.loads(json.dumps(open_group(store, path).to_dict(data=False)))
        except ValueError:
            return {}


def write_heads(directory: Path, number: int, random: Random) -> list[Head]:
    """Write a repository, sometimes with a second branch."""
    repo = f"{random.choice(WORDS)}-{number:02}"
    repository = create(directory / repo, random.choice((1, 2)))
    paths = ["", *random.sample(PATHS, random.randint(1, 4))]
    groups = {path: random_group(random) for path in paths[1:]}
    documents = {**hierarchy({"": Group({}, random_attributes(random))}), **hierarchy(groups)}
    main = Head(repo, "main", repository)
    main.commit(change_attributes(documents, random))
    if random.random() < 0.7:
        return [main]
    repository.create_branch("dev", main.snapshot)
    other = Head(repo, "dev", repository, documents=main.documents)
    other.commit(change_documents(main.documents, random))
    return [main, other] if other.snapshot else [main]


def change_documents(documents: Documents, random: Random) -> Documents:
    """Change attributes, add arrays or groups, or delete a group."""
    for _ in range(random.randint(1, 3)):
        path = random.choice(list_datasets(documents))
        match random.choice(("attributes", "attributes", "arrays", "new", "delete")):
            case "attributes":
                documents = change_attributes(documents, random)
            case "arrays":
                added = {f"number_{random.randint(0, 9)}": random_array(random, "x") for _ in range(random.randint(1, 3))}
                written = hierarchy({path: Group(added)})
                documents = {**documents, **{name: text for name, text in written.items() if name.rpartition("/")[2] in added}}
            case "new":
                documents = {**hierarchy({f"new/{random.choice(WORDS)}": random_group(random)}), **documents}
            case "delete" if path:
                kept = {name: text for name, text in documents.items() if name != path and not name.startswith(f"{path}/")}
                documents = kept if list_datasets(kept) else documents
    return documents


def change_attributes(documents: Documents, random: Random) -> Documents:
    """Give a few groups and arrays other attributes."""
    changed = {}
    for path in random.sample(sorted(documents), min(len(documents), random.randint(1, 3))):
        document = json.loads(documents[path])
        is_group = document["node_type"] == "group"
        document["attributes"] = random_attributes(random) if is_group else dict(random_array(random, "x").attributes)
        changed[path] = json.dumps(document, ensure_ascii=False)
    return {**documents, **changed}
