"""A Floe of one's own: a server process over a directory of repositories, and what it answers about a group."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx2

from xpublish_oracle import VIEWS, Answer, Views

COMMAND = ("node_modules/.bin/node", "--conditions=@floe/source", "server/floe.ts", "serve")
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
            address = f"{_origin(process)}/v1/services/{DEPLOYMENT}/{ORG}/_meta"
            with httpx2.Client(base_url=address, timeout=60) as client:
                yield client
        finally:
            process.terminate()


def ask(client: httpx2.Client, repository: str, ref: str, group: str) -> Answer:
    """All views of one group.

    It is a failure only if every view is refused with 422. Any other status stands in for the text of its view, so that
    it passes neither for an answer nor for a refusal.
    """
    address = "/".join(encoded(segment) for segment in (repository, ref, *group.split("/")) if segment)
    responses = {view: client.get(f"datasets/{address}/{view}") for view in VIEWS}
    if all(is_refusal(response) for response in responses.values()):
        return {"error": responses["info"].json()["detail"]}
    texts = {view: _text(response) for view, response in responses.items()}
    return Views(info=texts["info"], keys=texts["keys"], dict=texts["dict"])


def is_refusal(response: httpx2.Response) -> bool:
    """Whether the server says that the group is none that xarray could open."""
    is_problem = response.headers["content-type"].startswith("application/problem+json")
    return response.status_code == 422 and is_problem and response.json()["type"] == "/problems/not-a-dataset"


def encoded(segment: str) -> str:
    """Percent-encode one segment of an address. Clients resolve `.` and `..` away unless they are encoded too."""
    return quote(segment, safe="").replace(".", "%2E") if segment.strip(".") == "" else quote(segment, safe="")


def _text(response: httpx2.Response) -> str:
    return response.text if response.status_code == 200 else f"status {response.status_code}: {response.text}"


def _origin(process: subprocess.Popen[str]) -> str:
    """Wait until the server listens. Whatever keeps it from that stands on stderr."""
    line = process.stdout.readline() if process.stdout else ""
    greeting = "listening on "
    if not line.startswith(greeting):
        raise RuntimeError(f"floe serve did not start: {line!r}")
    return line.removeprefix(greeting).strip()
