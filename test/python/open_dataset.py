"""Opens a dataset and a repository, and sums a variable: BASE_URL API_KEY."""

import sys

from floe_client import Client, StorageNotPublishedError

with Client(base_url=sys.argv[1], deployment="open", org="acme") as client:
    dataset = client.open_dataset("published", "main", "wind/speed")
    print(dict(dataset.sizes), float(dataset["wind_speed"].sum()) != 0)
    session = client.open("published").readonly_session("main")
    print(session.snapshot_id == next(client.history("published", "main"))["snapshot_id"])
    try:
        client.open_dataset("hidden", "main", "wind/speed")
    except StorageNotPublishedError as error:
        print(error)

with Client(base_url=sys.argv[1], deployment="tiles", org="acme", api_key=sys.argv[2]) as client:
    print(sorted(client.open("published").list_tags()))
