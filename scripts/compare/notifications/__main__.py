"""Let official Icechunk move heads while Floe runs, and compare what an HTTPS receiver gets with what was done.

    npm run compare -- notifications [--commits 100] [--changes 120] [--seed N]

Needs what scripts/compare/requirements.txt names. Both format versions go through every situation; each payload is compared
with what Icechunk says of the commits, and judged by Python's jsonschema and by ajv with the schema that Floe serves.
`--commits` is the number of ordinary commits, which are used to measure the time from commit to receiver. Then branches and
tags of other repositories change at random, `--changes` times each, before webhooks with filters. Prints a table of
situations, each difference, and counts; exits with 1 if there is any difference.
"""

from __future__ import annotations

import argparse
import json
import queue
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import jsonschema

from compare.floe_server import COMMAND, wait_for_origin
from compare.notifications.event_oracle import describe_move
from compare.notifications.head_moves import History, Move, moves_of_version_1, moves_of_version_2
from compare.notifications.subscriptions import SUBSCRIBED, Subscribed

VALIDATE = (*COMMAND[:2], "scripts/compare/notifications/validate-notifications.ts")
CERTIFICATES = Path("test/server/notifications/certificates")
TOKEN = "open-sesame"
ORG = "acme"
SCENARIOS = {"version-2": (2, moves_of_version_2), "version-1": (1, moves_of_version_1)}


@dataclass(frozen=True)
class Received:
    headers: dict[str, str]
    body: str
    at: float


class Receiver:
    """An HTTPS server that keeps what it gets, by path."""

    def __init__(self) -> None:
        self.queues: dict[str, queue.Queue[Received]] = defaultdict(queue.Queue)
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                at = time.perf_counter()
                self.send_response(204)
                self.end_headers()
                receiver.queues[self.path].put(Received({k.lower(): v for k, v in self.headers.items()}, body, at))

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATES / "receiver.pem", CERTIFICATES / "receiver.key.pem")
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"https://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def next(self, path: str) -> Received | None:
        try:
            return self.queues[f"/{path}"].get(timeout=120)
        except queue.Empty:
            return None

    def is_empty(self, path: str) -> bool:
        return self.queues[f"/{path}"].empty()


class Service:
    """`floe serve`, with webhooks declared in its configuration."""

    def __init__(self, repositories: Path, state: Path, receiver: Receiver) -> None:
        notifications = {
            "allowPrivateNetworks": ["127.0.0.0/8"],
            "extraCaFile": str(CERTIFICATES / "authority.pem"),
            "webhooks": [
                *[webhook(receiver, name, "hook", secretToken=TOKEN) for name in SCENARIOS],
                *[
                    webhook(receiver, name, alias, **each.configuration)
                    for name, (_, filters) in SUBSCRIBED.items()
                    for alias, each in filters.items()
                ],
            ],
        }
        configuration = {
            "listen": {"host": "127.0.0.1", "port": 0},
            "database": f"sqlite:{state / 'floe.db'}",
            "deployments": [{"name": "open", "org": ORG, "public": True}],
            "orgs": {ORG: {"repositories": [{"scan": str(repositories)}]}},
            "notifications": {**notifications, "pollInterval": "1s"},
        }
        self.file = state / "floe.yaml"
        # Every JSON text is YAML.
        self.file.write_text(json.dumps(configuration), encoding="utf-8")
        self.start()

    def start(self) -> None:
        command = [*COMMAND, "--config", str(self.file)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.origin = wait_for_origin(self.process)

    def stop(self) -> None:
        self.process.terminate()
        if self.process.wait(timeout=120) != 0:
            raise RuntimeError("floe serve did not stop cleanly")

    @contextmanager
    def down(self) -> Iterator[None]:
        self.stop()
        yield
        self.start()

    def schema(self) -> Any:
        with urlopen(f"{self.origin}/v1/schemas/notification.json", timeout=120) as response:
            return json.load(response)


def webhook(receiver: Receiver, repository: str, alias: str, **keys: Any) -> dict[str, Any]:
    """A webhook in the configuration."""
    return {"org": ORG, "repo": repository, "alias": alias, "url": f"{receiver.url}/{repository}/{alias}", **keys}


class Comparison:
    """Compares what was received about one repository with what is expected."""

    def __init__(self, name: str, history: History) -> None:
        self.name = name
        self.history = history
        self.differences: list[str] = []
        self.payloads: list[str] = []
        self.rows: Counter[tuple[str, str, str]] = Counter()
        self.ids: set[str] = set()
        self.repo_id: str | None = None
        self.last: str | None = None

    def check(self, move: Move, received: Received | None) -> None:
        listed = "null" if move.commits is None else str(len(move.commits))
        self.rows[(move.what, listed, str(move.reason))] += 1
        if received is None:
            self.differences.append(f"{self.name}: {move.what}: nothing came")
            return
        self.payloads.append(received.body)
        payload = json.loads(received.body)
        self.repo_id = self.repo_id or payload["details"]["repo_id"]
        head = self.history.head
        details = {
            "org_name": ORG,
            "repo_name": self.name,
            "repo_id": self.repo_id,
            **describe_move(self.history.repository, "main", (head, self.last), move.commits, move.reason),
        }
        # As texts, because the order of the members counts too.
        expected = json.dumps({"event": "NewCommit", "details": details})
        self.last = head
        if json.dumps(payload) != expected:
            self.differences.append(f"{self.name}: {move.what}: {payload} is not {expected}")
        headers = received.headers
        sent = {"x-secret-token": TOKEN, "webhook-attempt": "1", "webhook-sequence": str(len(self.payloads))}
        if not sent.items() <= headers.items() or headers["webhook-id"] in self.ids:
            self.differences.append(f"{self.name}: {move.what}: {headers}")
        self.ids.add(headers["webhook-id"])


def judge(payloads: list[str], schema: Any, directory: Path) -> list[str]:
    """The objections of both validators to the payloads."""
    validator = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
    found = [f"jsonschema: {error.message}" for text in payloads for error in validator.iter_errors(json.loads(text))]
    file = directory / "schema.json"
    file.write_text(json.dumps(schema), encoding="utf-8")
    ajv = subprocess.run([*VALIDATE, str(file)], input="\n".join(payloads), capture_output=True, text=True, check=False)
    if ajv.returncode != 0 or ajv.stdout.strip() != str(len(payloads)):
        found.append(f"ajv accepts {ajv.stdout.strip()} of {len(payloads)}: {ajv.stderr}")
    return found


def try_scenario(name: str, directory: Path, receiver: Receiver, service: Service, commits: int) -> Comparison:
    spec_version, scenario = SCENARIOS[name]
    # Where nothing is served: the first commit must be there when the repository is seen first.
    history = History(directory / "beside" / name, spec_version)
    (directory / "beside" / name).rename(directory / "repositories" / name)
    history.open(directory / "repositories" / name)
    comparison = Comparison(name, history)
    delays: list[float] = []
    for move in scenario(history, service.down, commits):
        returned = time.perf_counter()
        received = receiver.next(f"{name}/hook")
        comparison.check(move, received)
        if move.what == "one commit" and received is not None:
            delays.append(1000 * (received.at - returned))
    if not receiver.is_empty(f"{name}/hook"):
        comparison.differences.append(f"{name}: more came than was expected")
    for (what, listed, reason), count in comparison.rows.items():
        print(f"{name:10} {count:5} x {what:26} commits {listed:5} reason {reason}")
    percentile = statistics.quantiles(delays, n=100, method="inclusive")
    print(f"{name}: commit returned until received: median {percentile[49]:.1f} ms, p95 {percentile[94]:.1f} ms")
    return comparison


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--changes", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary)
        for name in ("beside", "repositories", "state"):
            (directory / name).mkdir()
        receiver = Receiver()
        # What is there when the service begins causes nothing.
        others = [Subscribed(name, directory / "repositories", arguments.seed) for name in SUBSCRIBED]
        service = Service(directory / "repositories", directory / "state", receiver)
        try:
            comparisons = [try_scenario(name, directory, receiver, service, arguments.commits) for name in SCENARIOS]
            for other in others:
                other.change(arguments.changes, service.down, receiver)
            every = [*comparisons, *others]
            payloads = [text for comparison in every for text in comparison.payloads]
            differences = [text for comparison in every for text in comparison.differences]
            differences += judge(payloads, service.schema(), directory)
        finally:
            service.stop()
    for difference in differences:
        print(difference)
    print(f"{len(payloads)} notifications compared and validated twice, {len(differences)} differences")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
