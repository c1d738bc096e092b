"""Let official Icechunk write repositories into object stores, and compare what Floe serves from there.

    npm run compare -- object-stores [--s3 URL] [--azure URL] [--gcs URL]

Needs what scripts/compare/requirements.txt names, and boto3, which moto installs. The URLs are those of moto, of
Azurite on its usual port 10000 (Icechunk's emulator setting allows no other) and of Google's storage-testbench; `docs/operating/object-stores.md` says how to start them. A repository of each format version is written to
each store and to a local directory, which Floe also serves directly and through Python's web server.

References are compared with the names that were written, and on S3 with those that Icechunk lists; every answer about
every reference with that of the local directory. Prints each difference and a line of counts; exits with 1 if there
are any.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import boto3
import httpx2
import icechunk
import numpy as np
import xarray as xr

COMMAND = ("node_modules/.bin/node", "--conditions=@floe/source", "server/main/floe.ts", "serve")
VERSIONS = {"v1": 1, "v2": 2}
BRANCHES = ["main", "a b", "a%20b", "a+b", "ü", "x?y#z"]
TAGS = ["1.0", "t ä"]
GROUPS = ["", "wind"]
AZURITE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
CREDENTIALS = {"access_key_id": "test", "secret_access_key": "test"}

# A name that no earlier run against the same server has used.
BUCKET = f"floe-{int(time.time())}"

Storage = Callable[[str], icechunk.Storage]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for store in ("s3", "azure", "gcs"):
        parser.add_argument(f"--{store}", metavar="URL")
    arguments = parser.parse_args()
    icechunk.set_logs_filter("off")
    with tempfile.TemporaryDirectory() as directory:
        local = Path(directory, "repos")
        write(lambda name: icechunk.local_filesystem_storage(str(local / name)))
        sources = {"local": [{"scan": str(local)}], "http": serve_files(local)}
        if arguments.s3:
            sources["s3"] = write_to_s3(arguments.s3)
        if arguments.azure:
            sources["azure"] = write_to_azure(arguments.azure)
        if arguments.gcs:
            sources["gcs"] = copy_to_gcs(arguments.gcs, local)
        counts = serve_and_compare(sources, Path(directory))
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    sys.exit(1 if counts["differences"] else 0)


def write(storage: Storage) -> list[icechunk.Repository]:
    """Write a repository of each format version, with one commit per branch so that no two answers are alike."""
    return [write_repository(storage(name), version) for name, version in VERSIONS.items()]


def write_repository(storage: icechunk.Storage, version: int) -> icechunk.Repository:
    repository = icechunk.Repository.create(storage, spec_version=version)
    first = repository.lookup_branch("main")
    # Version 2 takes slashes in names.
    for count, branch in enumerate([*BRANCHES, *(["a/b"] if version == 2 else [])]):
        if branch != "main":
            repository.create_branch(branch, first)
        session = repository.writable_session(branch)
        for group in GROUPS:
            values = np.arange(count + 1.0)
            dataset = xr.Dataset({"speed": ("x", values)}, attrs={"branch": branch, "group": group})
            dataset.to_zarr(session.store, group=group, zarr_format=3, consolidated=False)
        session.commit(f"write {branch}")
    for tag in [*TAGS, "deleted"]:
        repository.create_tag(tag, repository.lookup_branch("ü"))
    repository.delete_tag("deleted")
    return repository


def write_to_s3(url: str) -> list[dict[str, Any]]:
    keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
    client = boto3.client("s3", endpoint_url=url, region_name="us-east-1", **keys)
    client.create_bucket(Bucket=BUCKET)
    where = {"bucket": BUCKET, "region": "us-east-1", "endpoint_url": url, "allow_http": True, "force_path_style": True}
    for repository in write(lambda name: icechunk.s3_storage(prefix=f"repos/{name}", **where, **CREDENTIALS)):
        version_2 = {"a/b"} if repository.spec_version == 2 else set()
        assert repository.list_branches() == {*BRANCHES} | version_2, "Icechunk lists what it has written"
        assert repository.list_tags() == {*TAGS}, "Icechunk lists what it has written"
    listed = client.list_objects_v2(Bucket=BUCKET, Prefix="repos/v1/refs/", Delimiter="/")["CommonPrefixes"]
    assert "repos/v1/refs/branch.a b/" in [prefix["Prefix"] for prefix in listed], "keys are not encoded on S3"
    return [{"scan": f"s3://{BUCKET}/repos", "region": "us-east-1", "endpoint": url, "pathStyle": True}]


def write_to_azure(url: str) -> list[dict[str, Any]]:
    create_container(url)
    config = {"azure_storage_use_emulator": "true"}
    where = {"account": "devstoreaccount1", "container": BUCKET, "config": config}
    write(lambda name: icechunk.azure_storage(prefix=f"repos/{name}", **where))
    return [{"scan": f"az://{BUCKET}/repos"}]


def create_container(url: str) -> None:
    """Icechunk needs an existing container."""
    script = (
        "import { BlobServiceClient } from '@azure/storage-blob';"
        f"await BlobServiceClient.fromConnectionString('{azure_connection(url)}').createContainer('{BUCKET}')"
    )
    subprocess.run([COMMAND[0], "--input-type=module", "--eval", script], check=True)


def azure_connection(url: str) -> str:
    account = f"AccountName=devstoreaccount1;AccountKey={AZURITE_KEY};BlobEndpoint={url}/devstoreaccount1;"
    return f"DefaultEndpointsProtocol=http;{account}"


def copy_to_gcs(url: str, local: Path) -> list[dict[str, Any]]:
    """Icechunk speaks another protocol with Google than the testbench; but keys there are those of a local disk."""
    httpx2.post(f"{url}/storage/v1/b?project=floe", json={"name": BUCKET}).raise_for_status()
    for path in local.rglob("*"):
        if path.is_file():
            key = quote(f"repos/{path.relative_to(local)}", safe="")
            address = f"{url}/upload/storage/v1/b/{BUCKET}/o?uploadType=media&name={key}"
            httpx2.post(address, content=path.read_bytes()).raise_for_status()
    return [{"scan": f"gs://{BUCKET}/repos"}]


def serve_files(directory: Path) -> list[dict[str, Any]]:
    """Serve files with Python's web server, which has neither ETags nor ranges."""
    handler = partial(QuietHandler, directory=str(directory))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_port}"
    return [{"name": name, "location": f"{origin}/{name}"} for name in VERSIONS]


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


def serve_and_compare(sources: dict[str, list[dict[str, Any]]], state: Path) -> Counter[str]:
    configuration = {
        "listen": {"host": "127.0.0.1", "port": 0},
        "database": f"sqlite:{state / 'floe.db'}",
        "deployments": [{"name": "open", "org": org, "public": True} for org in sources],
        "orgs": {org: {"repositories": repositories} for org, repositories in sources.items()},
    }
    file = state / "floe.yaml"
    # Every JSON text is YAML.
    file.write_text(json.dumps(configuration), encoding="utf-8")
    environment = os.environ | {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
    arguments = dict(zip(sys.argv[1::2], sys.argv[2::2], strict=True))
    if "--azure" in arguments:
        environment["AZURE_STORAGE_CONNECTION_STRING"] = azure_connection(arguments["--azure"])
    if "--gcs" in arguments:
        environment["STORAGE_EMULATOR_HOST"] = arguments["--gcs"]
    process = subprocess.Popen([*COMMAND, "--config", str(file)], stdout=subprocess.PIPE, text=True, env=environment)
    try:
        origin = process.stdout.readline().removeprefix("listening on ").strip()
        with httpx2.Client(base_url=f"{origin}/v1/services/open", timeout=60) as client:
            return compare(client, list(sources))
    finally:
        process.terminate()


def compare(client: httpx2.Client, orgs: list[str]) -> Counter[str]:
    counts = Counter({"differences": 0})

    def expect(path: str, expected: Any, answer: Callable[[httpx2.Response], Any] = httpx2.Response.json) -> None:
        response = client.get(path)
        same = answer(response) == expected
        counts["answers agree" if same else "differences"] += 1
        if not same:
            print(f"{path}\n  {response.status_code}: {response.text}\n  expected {expected}", flush=True)

    for org in orgs:
        expect(f"{org}/_meta/discovery", [*VERSIONS])
        for repo, version in VERSIONS.items():
            branches = sorted([*BRANCHES, *(["a/b"] if version == 2 else [])], key=str.encode)
            if org == "http" and version == 1:
                expect(f"{org}/_meta/discovery/{repo}", 502, lambda response: response.status_code)
                branches, tags = ["main"], []
            else:
                tags = TAGS
                expect(f"{org}/_meta/discovery/{repo}", {"branches": branches, "tags": tags})
            for ref in [*branches, *tags]:
                address = f"{repo}/{quote(ref, safe='')}"
                groups = [f"datasets/{address}", *(f"datasets/{address}/{group}" for group in GROUPS if group)]
                views = [f"{group}/{view}" for group in groups for view in ("info", "keys", "dict")]
                for path in [f"discovery/{address}", *views]:
                    local = client.get(f"local/_meta/{path}").raise_for_status()
                    expect(f"{org}/_meta/{path}", local.json())
    return counts


if __name__ == "__main__":
    main()
