"""What changed between two snapshots: official Icechunk's diff, and what the documents of both snapshots say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import icechunk
import zarr
from zarr.core.buffer import default_buffer_prototype
from zarr.core.sync import sync

# Members of the documents of arrays that have a place of their own in the answer.
MEMBERS = ("shape", "data_type", "dimension_names", "codecs", "fill_value")


@dataclass(frozen=True)
class Node:
    """A node of a snapshot."""

    path: str
    kind: str
    id: str
    document: bytes


def read_nodes(repository: icechunk.Repository, snapshot_id: str) -> dict[str, Node]:
    """All nodes of a snapshot by id."""
    session = repository.readonly_session(snapshot_id=snapshot_id)
    try:
        root = zarr.open_group(session.store, mode="r")
    except FileNotFoundError:
        return {}
    members = {"": root, **dict(root.members(max_depth=None))}
    kinds = {path: "arrays" if isinstance(node, zarr.Array) else "groups" for path, node in members.items()}
    nodes = [read_node(session, path, kind) for path, kind in kinds.items()]
    return {node.id: node for node in nodes}


def read_node(session: icechunk.Session, path: str, kind: str) -> Node:
    """One node."""
    key = f"{path}/zarr.json".removeprefix("/")
    document = sync(session.store.get(key, default_buffer_prototype()))
    assert document is not None
    return Node(path, kind, session.get_node_id(f"/{path}"), document.to_bytes())


def expected_diff(repository: icechunk.Repository, before: str, after: str) -> dict[str, Any] | None:
    """Official Icechunk's diff in the members of the answer, without details; None when `before` is not an ancestor."""
    line = [info.id for info in repository.ancestry(snapshot_id=after)]
    if before not in line:
        return None
    if before == after:
        return describe(*([()] * 6), moved=[], chunks={})
    diff = repository.diff(from_snapshot_id=before, to_snapshot_id=after)
    return describe(
        diff.new_groups,
        diff.deleted_groups,
        diff.updated_groups,
        diff.new_arrays,
        diff.deleted_arrays,
        diff.updated_arrays,
        moved=diff.moved_nodes,
        chunks={path: len(places) for path, places in diff.updated_chunks.items()},
    )


def compared_nodes(before: Mapping[str, Node], after: Mapping[str, Node]) -> dict[str, Any]:
    """The same from the nodes of two snapshots, recognised by their ids. It has no chunks."""

    def paths(nodes: Mapping[str, Node], others: Mapping[str, Node], kind: str) -> list[str]:
        return [f"/{node.path}" for id, node in nodes.items() if node.kind == kind and id not in others]

    def updated(kind: str) -> list[str]:
        common = [(before[id], node) for id, node in after.items() if node.kind == kind and id in before]
        return [f"/{new.path}" for old, new in common if old.document != new.document]

    pairs = [(before[id].path, node.path) for id, node in after.items() if id in before]
    moved = [(old, new) for old, new in pairs if old != new]
    lists = [(paths(after, before, kind), paths(before, after, kind), updated(kind)) for kind in ("groups", "arrays")]
    moves = [(f"/{old}", f"/{new}") for old, new in moved]
    return join_replaced(describe(*lists[0], *lists[1], moved=moves, chunks=None), before, after)


def join_replaced(diff: dict[str, Any], before: Mapping[str, Node], after: Mapping[str, Node]) -> dict[str, Any]:
    """The same with replaced nodes among the updated ones. The official library lists one as deleted and one as created."""
    for kind in ("groups", "arrays"):
        paths = {*replaced_nodes(before, after, kind)}
        lists = {change: {*diff[kind][change]} - paths for change in ("created", "deleted")}
        lists["updated"] = {*diff[kind]["updated"]} | paths
        diff = {**diff, kind: {change: sorted(paths, key=str.encode) for change, paths in lists.items()}}
    return diff


def replaced_nodes(before: Mapping[str, Node], after: Mapping[str, Node], kind: str) -> dict[str, Node]:
    """The nodes whose path has another node of the same kind afterwards, by path."""
    later = {node.path: node for node in after.values() if node.kind == kind}
    earlier = [node for node in before.values() if node.kind == kind and node.path in later]
    return {node.path: node for node in earlier if later[node.path].id != node.id}


def describe(
    new_groups: Any,
    deleted_groups: Any,
    updated_groups: Any,
    new_arrays: Any,
    deleted_arrays: Any,
    updated_arrays: Any,
    *,
    moved: Any,
    chunks: Mapping[str, int] | None,
) -> dict[str, Any]:
    """The answer without details: paths without leading slash, sorted by UTF-8 bytes; moves sorted too."""

    def nodes(created: Any, deleted: Any, updated: Any) -> dict[str, list[str]]:
        return {"created": clean(created), "deleted": clean(deleted), "updated": clean(updated)}

    return {
        "groups": nodes(new_groups, deleted_groups, updated_groups),
        "arrays": nodes(new_arrays, deleted_arrays, updated_arrays),
        "moved": sorted((old[1:], new[1:]) for old, new in moved),
        "chunks": None if chunks is None else {path: chunks[f"/{path}"] for path in clean(chunks)},
    }


def clean(paths: Any) -> list[str]:
    """Paths as answers have them."""
    return sorted((path[1:] for path in paths), key=str.encode)


def expected_details(before: Mapping[str, Node], after: Mapping[str, Node], path: str) -> dict[str, Any]:
    """What differs in the documents of the node with this path afterwards; nothing when it is in one snapshot only."""
    new = next((node for node in after.values() if node.path == path), None)
    if new is None:
        return {}
    replaced = replaced_nodes(before, after, new.kind).get(path)
    old = replaced or before.get(new.id)
    if old is None:
        return {}
    return ({"replaced": True} if replaced else {}) | differences(parse(old.document), parse(new.document))


def differences(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The members of two documents that differ, where the answer has them."""
    details: dict[str, Any] = {}
    attributes, changed = old.pop("attributes", {}), new.pop("attributes", {})
    kept = {name: [value, changed[name]] for name, value in attributes.items() if name in changed}
    parts = {
        "created": {name: value for name, value in changed.items() if name not in attributes},
        "deleted": {name: value for name, value in attributes.items() if name not in changed},
        "updated": {name: values for name, values in kept.items() if not same(*values)},
    }
    if any(parts.values()):
        details["attributes"] = parts
    shapes = {
        "chunk_shape": [inner_shape(old) or grid_shape(old), inner_shape(new) or grid_shape(new)],
        "shard_shape": [inner_shape(old) and grid_shape(old), inner_shape(new) and grid_shape(new)],
    }
    details |= {name: values for name, values in shapes.items() if not same(*values)}
    pairs = {name: [old.get(name), new.get(name)] for name in old | new if name != "consolidated_metadata"}
    pairs = {name: values for name, values in pairs.items() if not same(*values)}
    details |= {name: values for name, values in pairs.items() if name in MEMBERS}
    other = {name: values for name, values in pairs.items() if name not in MEMBERS and name != "chunk_grid"}
    return details | ({"other": other} if other else {})


def grid_shape(document: Mapping[str, Any]) -> list[int] | None:
    """The shape of the grid's cells."""
    return document["chunk_grid"]["configuration"]["chunk_shape"] if "chunk_grid" in document else None


def inner_shape(document: Mapping[str, Any]) -> list[int] | None:
    """The shape of the chunks inside of shards."""
    codecs = [codec for codec in document.get("codecs", []) if codec["name"] == "sharding_indexed"]
    return codecs[0]["configuration"]["chunk_shape"] if codecs else None


def parse(document: bytes | str) -> dict[str, Any]:
    """A document with the texts of its numbers, so that `1` and `1.0` differ."""

    def integer(text: str) -> tuple[str, int]:
        return ("integer", int(text))

    def floating(text: str) -> tuple[str, float]:
        return ("float", float(text))

    return json.loads(document, parse_int=integer, parse_float=floating)


def same(one: Any, other: Any) -> bool:
    """Equal, and of the same types: True equals 1 otherwise."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
