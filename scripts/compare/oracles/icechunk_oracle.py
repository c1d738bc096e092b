"""What the official Icechunk library says about a repository on a local disk: references, history, nodes.

The measure of Floe's own reader, for the expected files of the fixtures and for comparisons with a running Floe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import icechunk

# Advice about concurrent commits on a local disk at every opening, and an error for the `config.yaml` that a
# migration finds missing. Failures arrive as exceptions anyway.
icechunk.set_logs_filter("off")


@dataclass(frozen=True)
class References:
    """True names of references; branches and tags point to snapshot ids. Names are in UTF-8 byte order."""

    branches: dict[str, str]
    tags: dict[str, str]
    deleted_tags: list[str]


def open_repository(directory: Path) -> icechunk.Repository:
    """Open a repository that lies in a local directory."""
    return icechunk.Repository.open(icechunk.local_filesystem_storage(str(directory)))


def repositories_in(directory: Path) -> Iterator[Path]:
    """Icechunk repositories directly under a directory: those with a `repo` object or a `main` branch object."""
    for path in sorted(directory.iterdir(), key=lambda path: path.name.encode()):
        if (path / "repo").is_file() or (path / "refs/branch.main/ref.json").is_file():
            yield path


def references(repository: icechunk.Repository, directory: Path) -> References:
    """List references by their true names.

    On a local disk the library percent-encodes names of version 1 when it writes them, lists branches without
    decoding them, and leaves out tags whose name it had to encode; looking either up by its true name works.
    So names of version 1 come from the directory here, and what they point to comes from the library.
    """
    if repository.spec_version != 1:
        deleted = bytes_sorted(repository.inspect_repo_info()["deleted_tags"])
        branches, tags = repository.list_branches(), repository.list_tags()
    else:
        deleted = _names_of_version_1(directory, "tag", "ref.json.deleted")
        branches = set(_names_of_version_1(directory, "branch", "ref.json"))
        tags = set(_names_of_version_1(directory, "tag", "ref.json")) - set(deleted)
    return References(
        branches={name: repository.lookup_branch(name) for name in bytes_sorted(branches)},
        tags={name: repository.lookup_tag(name) for name in bytes_sorted(tags)},
        deleted_tags=deleted,
    )


def node_kinds(repository: icechunk.Repository, snapshot_id: str) -> dict[str, str]:
    """Path -> `group` or `array` of every node of a snapshot. A snapshot without commits has none, not even `/`."""
    nodes: list[dict[str, Any]] = repository.inspect_snapshot(snapshot_id)["nodes"]
    return {node["path"]: node["node_type"] for node in nodes}


def dataset_groups(kinds: dict[str, str]) -> list[str]:
    """Groups that directly hold an array, in byte order, without a leading slash (`""` is the root)."""
    return bytes_sorted({path.rpartition("/")[0].removeprefix("/") for path, kind in kinds.items() if kind == "array"})


def bytes_sorted(names: Iterable[str]) -> list[str]:
    """Sort by UTF-8 bytes, as Icechunk sorts."""
    return sorted(names, key=lambda name: name.encode())


def _names_of_version_1(directory: Path, kind: str, file: str) -> list[str]:
    found = (directory / "refs").glob(f"{kind}.*/{file}")
    return bytes_sorted(unquote(path.parent.name.removeprefix(f"{kind}.")) for path in found)
