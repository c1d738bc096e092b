"""Let schemathesis send the requests that the OpenAPI document allows, and others that it does not.

    npm run compare -- schemathesis [--examples 50] [--seed 1] [--share 1/3]

Needs what test/requirements.txt names. Starts a server for a copy of the fixtures, with an administrator's key.
Schemathesis reads the document and calls every route but the stream of events, which has no end, with existing names,
with invented ones, and with ids from earlier answers. No answer may be a 500, and every status, content type, header
and body must be as the document says. The service may not log an error. Exits with 1 if there is a failure.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx2

from compare.floe_server import COMMAND, DEPLOYMENT, ORG, wait_for_origin

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "use_after_free",
    "ignored_auth",
)
FIXTURES = Path("test/fixtures/repositories")
REPO = "weather-v1"


def main() -> int:
    arguments = parse_arguments()
    options = [f"--max-examples={arguments.examples}", f"--seed={arguments.seed}"]
    with tempfile.TemporaryDirectory() as directory:
        state = Path(directory)
        shutil.copytree(FIXTURES, state / "repositories")
        key_id = f"{secrets.randbits(64):016x}"
        admin_key = f"floe_{key_id}_{secrets.token_urlsafe(32)}"
        (state / "floe.yaml").write_text(json.dumps(configuration(state, key_id, admin_key)), encoding="utf-8")
        command = [*COMMAND, "--config", str(state / "floe.yaml")]
        log = state / "log"
        with (
            log.open("wb") as stderr,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True) as server,
        ):
            try:
                origin = wait_for_origin(server)
                with httpx2.Client(base_url=f"{origin}/v1", auth=(ORG, admin_key), timeout=60) as client:
                    document = prepare(client, state)
                others = list_others(document, *arguments.share)
                options += [f"--exclude-operation-id={name}" for name in others]
                status = try_service(origin, admin_key, document, [*options, "--exclude-method=DELETE"])
                # Deletions come last, because the other routes need the records.
                status = try_service(origin, admin_key, document, [*options, "--include-method=DELETE"]) or status
            finally:
                server.terminate()
        faults = [line for line in log.read_text("utf-8").splitlines() if is_fault(line)]
        print(*faults, f"{len(faults)} errors in the log of the service", sep="\n")
        return status or int(len(faults) > 0)


def is_fault(line: str) -> bool:
    """Whether a line of the log tells of an error. What is no JSON was written by Node.js, not by the service."""
    try:
        return json.loads(line)["level"] in ("error", "fatal")
    except json.JSONDecodeError:
        return True


def configuration(state: Path, key_id: str, admin_key: str) -> dict[str, Any]:
    # Declared, so that no request can revoke it.
    key = {"id": key_id, "sha256": hashlib.sha256(admin_key.encode()).hexdigest(), "role": "admin"}
    return {
        "listen": {"host": "127.0.0.1", "port": 0},
        "database": f"sqlite:{state / 'floe.db'}",
        "deployments": [{"name": DEPLOYMENT, "org": ORG, "public": False}],
        "orgs": {ORG: {"repositories": [{"scan": str(state / "repositories")}], "keys": [key]}},
    }


def prepare(client: httpx2.Client, state: Path) -> Path:
    """Make a record of each kind, so that requests get further than the 404 of a made-up id."""
    repository = f"/orgs/{ORG}/repos/{REPO}"
    post(client, f"{repository}/refresh")
    receiver = {"url": "https://receiver.invalid/hook", "events": ["NewCommit"]}
    webhook = post(client, f"{repository}/receivers", {**receiver, "kind": "webhook", "alias": "webhook"})
    post(client, f"{repository}/receivers", {**receiver, "kind": "chat", "alias": "chat", "service": "slack"})
    # A reset of `main`, so that there is something to deliver. In format version 1 a branch is one file.
    refs = state / "repositories" / REPO / "refs"
    shutil.copy(refs / "branch.dev" / "ref.json", refs / "branch.main" / "ref.json")
    post(client, f"{repository}/refresh")
    deliveries = client.get(f"{repository}/deliveries").raise_for_status().json()["items"]
    document = client.get(f"/services/{DEPLOYMENT}/{ORG}/_meta/openapi.json").raise_for_status()
    (state / "openapi.json").write_bytes(document.content)
    ids = {"receivers": webhook["id"], "deliveries": deliveries[0]["id"]}
    (state / "schemathesis.toml").write_text(parameters(ids), encoding="utf-8")
    return state / "openapi.json"


def post(client: httpx2.Client, address: str, body: object = None) -> dict[str, Any]:
    answer: dict[str, Any] = client.post(address, json=body).raise_for_status().json()
    return answer


# What a request that breaks the document may get: also 414 and 431, because long values make long addresses.
REFUSALS = ["400", "401", "403", "404", "405", "406", "409", "413", "414", "415", "422", "428", "429", "431", "5xx"]


def parameters(ids: dict[str, str]) -> str:
    lines = ["[checks.negative_data_rejection]", f"expected-statuses = {json.dumps(REFUSALS)}"]
    lines += ["[parameters]", f'repo = "{REPO}"', 'ref = "main"', 'group = "forecast"', 'If-Match = "*"']
    for tag, id in ids.items():
        lines += ["[[operations]]", f'include-tag = "{tag}"', "[operations.parameters]"]
        lines.append(f'id = "{id}"')
    return "\n".join(lines) + "\n"


def try_service(origin: str, admin_key: str, document: Path, options: list[str]) -> int:
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        f"--config-file={document.with_name('schemathesis.toml')}",
        "run",
        str(document),
        f"--url={origin}",
        f"--auth={ORG}:{admin_key}",
        f"--checks={','.join(CHECKS)}",
        # The limit of the service for one key.
        "--rate-limit=3000/m",
        # A stream of events has no end to wait for.
        "--exclude-path-regex=/_meta/events$",
        "--continue-on-failure",
        *options,
    ]
    # It leaves files in its working directory.
    return subprocess.run(command, check=False, cwd=document.parent).returncode


def list_others(document: Path, number: int, count: int) -> list[str]:
    """List the operations outside of a share: of 3 shares, the first has the operations 1, 4, 7 and so on."""
    paths = json.loads(document.read_text("utf-8"))["paths"].values()
    names = [each["operationId"] for path in paths for each in path.values() if "operationId" in each]
    return [name for place, name in enumerate(names) if place % count != number - 1]


def parse_share(text: str) -> tuple[int, int]:
    number, count = map(int, text.split("/"))
    if not 1 <= number <= count:
        raise ValueError(text)
    return number, count


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=50, help="the most requests of one kind to one route")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=parse_share, default=(1, 1), help="which part of the routes, such as 1/3")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
