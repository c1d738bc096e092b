"""Opens a dataset and sums a variable: BASE_URL."""

import sys

from floe_client import Client, StorageNotPublishedError

with Client(base_url=sys.argv[1], deployment="open", org="acme") as client:
    dataset = client.open_dataset("published", "main", "wind/speed")
    print(dict(dataset.sizes), float(dataset["wind_speed"].sum()) != 0)
    try:
        client.open_dataset("hidden", "main", "wind/speed")
    except StorageNotPublishedError as error:
        print(error)
