"""Starts a Floe server for a directory of repositories."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2

NODE = ("node_modules/.bin/node", "--conditions=@floe/source")
COMMAND = (*NODE, "server/main/floe.ts", "serve")
ORG, DEPLOYMENT = "comparison", "open"


@contextmanager
def serve_directory(repositories: Path, state: Path) -> Iterator[httpx2.Client]:
    """Serve a directory to anyone; the client's addresses start at the metadata service.

    Repositories that appear in the directory later are served too. `state` keeps the configuration and the database.
    """
    configuration = {
        "database": f"sqlite:{state / 'floe.db'}",
        "deployments": [{"name": DEPLOYMENT, "org": ORG, "public": True}],
        "orgs": {ORG: {"repositories": [{"scan": str(repositories)}]}},
    }
    with serve(configuration, state) as origin, open_client(origin, DEPLOYMENT) as client:
        yield client


@contextmanager
def serve(configuration: Mapping[str, Any], state: Path) -> Iterator[str]:
    """Run `floe serve` from the project's root, on a free port. Return its origin."""
    file = state / "floe.yaml"
    # Every JSON text is YAML.
    file.write_text(json.dumps({"listen": {"host": "127.0.0.1", "port": 0}, **configuration}), encoding="utf-8")
    with subprocess.Popen([*COMMAND, "--config", str(file)], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield wait_for_origin(process)
        finally:
            process.terminate()


def open_client(origin: str, deployment: str, key: str | None = None) -> httpx2.Client:
    """Open a client of a metadata service."""
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    return httpx2.Client(base_url=f"{origin}/v1/services/{deployment}/{ORG}/_meta", headers=headers, timeout=60)


@contextmanager
def new_database(server: str | None, state: Path) -> Iterator[str]:
    """Return the URL of a SQLite file, or of a database that lives as long as the context on a server of PostgreSQL."""
    if server is None:
        yield f"sqlite:{state / 'floe.db'}"
        return
    url = _administer("console.log(await createPostgresDatabase(process.argv[1], 1))", server)
    try:
        yield url
    finally:
        _administer("await dropPostgresDatabase(process.argv[1], process.argv[2])", server, url)


def _administer(statement: str, *arguments: str) -> str:
    program = f"import {{ createPostgresDatabase, dropPostgresDatabase }} from './scripts/postgres-database.ts'; {statement}"
    command = [*NODE, "--input-type=module", "--eval", program, *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def encode_segment(segment: str) -> str:
    """Percent-encode one segment of an address. Clients resolve `.` and `..` away unless they are encoded too."""
    return quote(segment, safe="").replace(".", "%2E") if segment.strip(".") == "" else quote(segment, safe="")


def wait_for_origin(process: subprocess.Popen[str]) -> str:
    """Wait until the server listens. If it cannot, the reason is on stderr."""
    line = process.stdout.readline() if process.stdout else ""
    greeting = "listening on "
    if not line.startswith(greeting):
        raise RuntimeError(f"floe serve did not start: {line!r}")
    return line.removeprefix(greeting).strip()
