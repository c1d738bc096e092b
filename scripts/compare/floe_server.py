"""Starts a Floe server for a directory of repositories."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx2

COMMAND = ("node_modules/.bin/node", "--conditions=@floe/source", "server/main/floe.ts", "serve")
ORG, DEPLOYMENT = "comparison", "open"


@contextmanager
def serve_directory(repositories: Path, state: Path) -> Iterator[httpx2.Client]:
    """Run `floe serve` from the project's root; the client's addresses start at the metadata service.

    Repositories that appear in the directory later are served too. `state` keeps the configuration and the database.
    """
    configuration = {
        "listen": {"host": "127.0.0.1", "port": 0},
        "database": f"sqlite:{state / 'floe.db'}",
        "deployments": [{"name": DEPLOYMENT, "org": ORG, "public": True}],
        "orgs": {ORG: {"repositories": [{"scan": str(repositories)}]}},
    }
    file = state / "floe.yaml"
    # Every JSON text is YAML.
    file.write_text(json.dumps(configuration), encoding="utf-8")
    with subprocess.Popen([*COMMAND, "--config", str(file)], stdout=subprocess.PIPE, text=True) as process:
        try:
            address = f"{wait_for_origin(process)}/v1/services/{DEPLOYMENT}/{ORG}/_meta"
            with httpx2.Client(base_url=address, timeout=60) as client:
                yield client
        finally:
            process.terminate()


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
