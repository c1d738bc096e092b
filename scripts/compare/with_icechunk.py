"""Compare what a running Floe answers with official Icechunk, xarray and xpublish.

    npm run compare -- icechunk DIRECTORY --url http://127.0.0.1:8080/v1/services/DEPLOYMENT/ORG/_meta

Asks discovery for every repository directly under the directory and for every branch and tag of it, then `info`,
`keys` and `dict` of every group. Prints each difference and a line of counts; exits with 1 if there are any.

References of version 1 are compared by their true names: on a local disk the official library lists branches
percent-encoded and leaves out tags it had to encode (see `icechunk_oracle.references`).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

import httpx2
import icechunk

from compare.comparison import Comparison
from compare.floe_server import encode_segment
from compare.oracles.icechunk_oracle import dataset_groups, node_kinds, open_repository, references, repositories_in
from compare.oracles.xpublish_oracle import VIEWS, Answer, serve_snapshot


class IcechunkComparison(Comparison):
    """One run, with the oracle's answers by snapshot."""

    def __init__(self, client: httpx2.Client) -> None:
        super().__init__(client)
        self.answers: dict[str, dict[str, Answer]] = {}

    def discovery(self, path: str, expected: Any) -> None:
        """Compare one discovery answer, order of lists included."""
        response = self.client.get(path)
        if response.status_code == 200 and comparable(response.text) == comparable(json.dumps(expected)):
            self.counts["discovery answers agree"] += 1
        else:
            wanted = json.dumps(expected, ensure_ascii=False)
            self.report(path, f"status {response.status_code}: {response.text}\n  expected {wanted}")

    def view(self, path: str, view: str, expected: Answer) -> None:
        """Compare one view of one group. If the Python stack refuses a group, Floe must refuse it too."""
        response = self.client.get(path)
        error, text = expected.get("error"), expected.get(view)
        if error is not None and response.status_code == 200:
            self.report(path, f"answered, but the stack fails: {error}")
        elif error is not None and response.status_code >= 500:
            self.report(path, f"status {response.status_code}, but the group is at fault, not the server: {error}")
        elif error is not None:
            self.counts["refusals agree"] += 1
        elif response.status_code != 200:
            self.report(path, f"status {response.status_code}: {response.text}")
        elif response.text == text:
            self.counts["views agree byte for byte"] += 1
        elif comparable(response.text) == comparable(text):
            self.counts["views agree in another form"] += 1
        else:
            self.report(path, f"answered {response.text}\n  expected {text}")

    def report(self, path: str, difference: str) -> None:
        self.differ(f"{path}\n  {difference}")


def compare(directory: Path, comparison: IcechunkComparison) -> None:
    """Compare all repositories of a directory."""
    paths = list(repositories_in(directory))
    comparison.discovery("discovery", [path.name for path in paths])
    for path in paths:
        compare_repository(path, comparison)


def compare_repository(directory: Path, comparison: IcechunkComparison) -> None:
    """Compare one repository: its references, and what each of them holds."""
    repository = open_repository(directory)
    refs = references(repository, directory)
    name = encode_segment(directory.name)
    comparison.discovery(f"discovery/{name}", {"branches": list(refs.branches), "tags": list(refs.tags)})
    # One address serves branches and tags; a branch hides the tag of the same name.
    for ref, snapshot_id in (refs.tags | refs.branches).items():
        compare_snapshot(repository, snapshot_id, f"{name}/{encode_segment(ref)}", comparison)


def compare_snapshot(repository: icechunk.Repository, snapshot_id: str, address: str, comparison: IcechunkComparison) -> None:
    """Compare the list of datasets of a reference, and every view of every group."""
    comparison.discovery(f"discovery/{address}", dataset_groups(node_kinds(repository, snapshot_id)))
    if snapshot_id not in comparison.answers:
        comparison.answers[snapshot_id] = serve_snapshot(repository, snapshot_id)
    for group, expected in comparison.answers[snapshot_id].items():
        segments = [address, *(encode_segment(segment) for segment in group.split("/") if group)]
        for view in VIEWS:
            comparison.view("/".join(["datasets", *segments, view]), view, expected)


def comparable(text: object) -> Any:
    """JSON as values that differ where a reader could tell: order of members, `2` from `2.0`, `true` from `1`.

    White space and escapes do not matter. Infinity does not either: the stack prints the bare word, which is not
    JSON, and Floe says null.
    """

    def floating(token: str) -> tuple[str, str] | None:
        return ("float", repr(float(token))) if math.isfinite(float(token)) else None

    def integer(token: str) -> tuple[str, int]:
        return ("integer", int(token))

    try:
        return json.loads(
            str(text),
            object_pairs_hook=tuple,
            parse_float=floating,
            parse_int=integer,
            parse_constant=lambda _: None,
        )
    except ValueError:
        return ("not JSON", text)


def credentials(text: str) -> tuple[str, str]:
    """`org:key` as user and password."""
    org, colon, key = text.partition(":")
    if not (org and colon and key):
        raise argparse.ArgumentTypeError("expected ORG:KEY")
    return org, key


def main() -> int:
    """Run the comparison; the exit code tells whether everything agrees."""
    parser = argparse.ArgumentParser(description="Compare a running Floe with official Icechunk, xarray and xpublish.")
    parser.add_argument("directory", type=Path, help="the directory that the server serves as its repositories")
    parser.add_argument("--url", required=True, help="address of the metadata service, ending in /_meta")
    parser.add_argument("--auth", type=credentials, metavar="ORG:KEY", help="credentials for Basic authentication")
    arguments = parser.parse_args()
    with httpx2.Client(base_url=arguments.url, auth=arguments.auth, timeout=60) as client:
        comparison = IcechunkComparison(client)
        compare(arguments.directory, comparison)
    return comparison.finish()


if __name__ == "__main__":
    sys.exit(main())
