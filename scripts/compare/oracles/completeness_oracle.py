"""Which chunks of the arrays of a snapshot are written: the references that official Icechunk reads from the manifests."""

from __future__ import annotations

import asyncio
import json
from math import prod
from typing import Any

import icechunk

from compare.oracles.diff_oracle import read_nodes
from compare.random_inputs.chunk_changes import grid_of


def written_chunks(repository: icechunk.Repository, snapshot_id: str) -> dict[str, dict[str, Any]]:
    """What Floe should answer about each array, by path."""
    session = repository.readonly_session(snapshot_id=snapshot_id)
    nodes = read_nodes(repository, snapshot_id).values()
    return {node.path: _describe(session, node.path, node.document) for node in nodes if node.kind == "arrays"}


def _describe(session: icechunk.Session, path: str, document: bytes) -> dict[str, Any]:
    grid = grid_of(json.loads(document))
    places = asyncio.run(_list_chunks(session, path))
    # The counts of manifests say nothing about the grid if one of them reaches beyond it.
    if any(place >= count for coordinates in places for place, count in zip(coordinates, grid, strict=True)):
        return {"chunks": None, "reason": "outside_grid"}
    return {"chunks": {"written": len(places), "total": prod(grid)}, "reason": None}


async def _list_chunks(session: icechunk.Session, path: str) -> list[tuple[int, ...]]:
    return [tuple(coordinates) async for coordinates in session.chunk_coordinates(f"/{path}")]
