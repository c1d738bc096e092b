"""Reads the tree of a repository with zarr-python through Floe, and compares it with what Icechunk's own store gives.

Usage: read_zarr_documents.py ADDRESS DIRECTORY. Prints JSON: the number of nodes, those that both refuse, whether the
whole tree was read at once, the differences, and the nodes whose documents have other bytes than those that are stored.
"""

import asyncio
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

import icechunk
import zarr
from zarr.abc.store import Store
from zarr.core.buffer import default_buffer_prototype


class Documents(Store):
    """The objects below an address, read with GET."""

    supports_writes = False
    supports_deletes = False
    supports_listing = False

    def __init__(self, address):
        super().__init__(read_only=True)
        self.address = address
        self.asked = []

    def __eq__(self, other):
        return self is other

    def _read(self, key):
        self.asked.append(key)
        try:
            with urllib.request.urlopen(f"{self.address}/{urllib.parse.quote(key)}", timeout=120) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise

    async def get(self, key, prototype, byte_range=None):
        found = await asyncio.to_thread(self._read, key)
        return None if found is None else prototype.buffer.from_bytes(found)

    async def get_partial_values(self, prototype, key_ranges):
        return [await self.get(key, prototype) for key, _ in key_ranges]

    async def exists(self, key):
        return await asyncio.to_thread(self._read, key) is not None

    async def set(self, key, value):
        raise NotImplementedError

    async def delete(self, key):
        raise NotImplementedError

    async def list(self):
        raise NotImplementedError
        yield

    async def list_prefix(self, prefix):
        raise NotImplementedError
        yield

    async def list_dir(self, prefix):
        raise NotImplementedError
        yield


def describe(store, path):
    """Returns the document of a node as zarr-python understands it, or the class of its refusal."""
    try:
        node = zarr.open(store, path=path, mode="r", zarr_format=3, use_consolidated=False)
    except Exception as error:
        return type(error).__name__
    document = node.metadata.to_dict()
    document.pop("consolidated_metadata", None)
    return json.dumps(document, default=repr, sort_keys=True)


def read_attributes(document):
    """The text of the attributes of a group, as it stands; None if it has none."""
    name = b'"attributes":'
    if name not in document:
        return None
    text = document[document.index(name) + len(name) :].decode().lstrip()
    return text[: json.JSONDecoder().raw_decode(text)[1]].encode()


def has_stored_bytes(path, documents, consolidated, stored):
    """Whether a node has its stored bytes: a group at its own address those of its attributes."""
    key = f"{path}/zarr.json" if path else "zarr.json"
    own = asyncio.run(stored.get(key, default_buffer_prototype())).to_bytes()
    answered = documents._read(key)
    if b"consolidated_metadata" in answered:
        return read_attributes(answered) == read_attributes(own) and (path == "" or own in consolidated)
    return answered == own and own in consolidated


def main(address, directory):
    documents = Documents(address)
    repository = icechunk.Repository.open(icechunk.local_filesystem_storage(directory))
    stored = repository.readonly_session("main").store
    consolidated = documents._read("zarr.json")
    root = json.loads(consolidated)
    paths = ["", *root["consolidated_metadata"]["metadata"]]
    described = {path: (describe(documents, path), describe(stored, path)) for path in paths}
    refused = [path for path, (_, own) in described.items() if not own.startswith("{")]
    documents.asked.clear()
    try:
        members = dict(zarr.open_group(documents, mode="r", zarr_format=3).members(max_depth=None))
        at_once = sorted(members) == sorted(paths[1:]) and documents.asked == ["zarr.json"]
    except Exception as error:
        at_once = type(error).__name__
    report = {
        "nodes": len(paths),
        "refused": len(refused),
        "at_once": at_once,
        "different": {path: both for path, both in described.items() if both[0] != both[1]},
        "rewritten": [path for path in paths if not has_stored_bytes(path, documents, consolidated, stored)],
    }
    print(json.dumps(report))


main(*sys.argv[1:])
