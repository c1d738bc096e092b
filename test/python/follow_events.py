"""Prints the events of a service, one a line: BASE_URL COUNT."""

import itertools
import json
import sys

from floe_client import Client

base_url, count = sys.argv[1:]
with Client(base_url=base_url, deployment="open", org="acme") as client:
    for event in itertools.islice(client.events(repo="weather", branches=["main", "dev"], after="0"), int(count)):
        if event.notification["event"] == "NewCommit":
            details = event.notification["details"]
            print(json.dumps([details["branch"], details["commit_message"]]), flush=True)
