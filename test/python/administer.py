"""Administers a service: BASE_URL ADMIN_KEY RECEIVER. Prints what it found, a line for each."""

import sys

from floe_client import AdminClient, ProblemResponseError

base_url, key, receiver = sys.argv[1:]
calls = 0


def renew() -> str:
    global calls
    calls += 1
    return key


with AdminClient(base_url=base_url, org="acme", auth=renew) as floe:
    created = floe.receivers.create(
        "weather", kind="webhook", url=f"{receiver}/hook", alias="tiles", events=["NewCommit"]
    )
    webhook = created.value["id"]
    print([one["id"] == webhook for one in floe.receivers.list("weather")["items"]])
    print(floe.receivers.test("weather", kind="webhook", id=webhook)["ok"])
    changed = floe.receivers.update("weather", webhook, kind="webhook", alias="other", if_match=created.etag)
    try:
        floe.receivers.delete("weather", webhook, if_match=created.etag)
    except ProblemResponseError as error:
        print(error.code)
    floe.receivers.delete("weather", webhook, if_match=changed.etag)
    print(floe.receivers.list("weather"))

    expectation = floe.expectations.create("weather", kind="freshness", branch="main", max_age="10m")
    print(floe.expectations.get("weather", expectation.value["id"]) == expectation)
    note = floe.remarks.create("weather", kind="note", text="calibrated")
    print(floe.remarks.update("weather", note["id"], text="calibrated twice")["text"])
    for name in ("one", "two", "three"):
        floe.keys.create(role="reader", name=name)
    print([one["name"] for one in floe.keys.list()][:3], floe.keys.list_page(limit=2)["next"] is not None)
    created_keys = [one for one in floe.audit() if one["action"] == "key.create"]
    accepted = floe.deliveries.rates("weather")["accepted"]
    print(len(created_keys), accepted, list(floe.org_deliveries.list()))
    print(calls > 10, key in repr(floe), repr(floe).replace(base_url, "URL"))
