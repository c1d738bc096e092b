"""Calls a service with the client: BASE_URL KEY CHECKER_KEY. Prints the answers as JSON."""

import json
import sys
from datetime import date, datetime, timedelta, timezone

from floe_client import Client, ProblemResponseError
from floe_client.models import DatasetContract

base_url, key, checker_key = sys.argv[1:]
wind = ("weather", "main", "wind/speed")
contract: DatasetContract = {
    "version": 1,
    "datasets": {"wind/speed": {"variables": {"wind_speed": {"units": "m s-1"}}}},
}


noon = datetime(2020, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))


def get_problem(client: Client, *names: str) -> object:
    try:
        client.info(*names)
    except ProblemResponseError as error:
        return [error.code, error.status, error.problem["detail"]]
    return None


with (
    Client(base_url=base_url, deployment="tiles", org="acme", api_key=key, timeout=60) as client,
    Client(base_url=base_url, deployment="tiles", org="acme", api_key=checker_key) as checker,
    Client(base_url=base_url, deployment="tiles", org="acme") as stranger,
    Client(base_url=base_url, deployment="open", org="acme") as visitor,
):
    answers: dict[str, object] = {
        "discovery": client.repositories(),
        "discovery/weather": client.refs("weather"),
        "discovery/weather/main?group=wind": client.datasets("weather", "main", "wind"),
        "datasets/weather/main/wind/speed/info": client.info(*wind),
        "datasets/weather/main/wind/speed/keys": client.keys("weather", "main", "/wind/speed/"),
        "datasets/weather/main/wind/speed/dict": visitor.dict(*wind),
        "datasets/weather/feature%2Fone/info": client.info("weather", "feature/one"),
        "repositories/weather": client.repository("weather"),
        "diff/weather/v1.0/main": client.diff("weather", "v1.0", "main"),
        "diff/weather/v1.0/main?manifests=true": client.diff("weather", "v1.0", "main", manifests=True),
        "remarks/weather/main?group=forecast": client.remarks("weather", "main", "forecast"),
        "compatibility/weather/v1.0/main?group=forecast": client.compatibility("weather", "v1.0", "main", "forecast"),
        "cite/weather/main?group=wind%2Fspeed": client.cite(*wind),
        "completeness/weather/main?group=wind&bytes=true": client.completeness("weather", "main", "wind", bytes=True),
        "chunk-sources/weather/main?limit=2": checker.chunk_sources("weather", "main", limit=2),
        "checks/weather/main": client.checks("weather", "main"),
        "good/weather/main": client.good("weather", "main"),
        "gaps/weather/main?group=wind&along=time&limit=2": client.gaps(
            "weather", "main", "wind", along="time", limit=2
        ),
        "search?q=wind&facets=units&limit=1": client.search_page(q="wind", facets=["units"], limit=1),
        "search?bbox=5,47.5,15,55&limit=2": client.search_page(bbox=[5, 47.5, 15, 55], limit=2),
        "search?time=2020-01-01/..&limit=2": client.search_page(time=(date(2020, 1, 1), None), limit=2),
        "search?changed_since=2020-01-01T10:00:00Z&limit=2": client.search_page(changed_since=noon, limit=2),
    }
    # Iterators follow the pages.
    found = [(dataset["repo"], dataset["group"]) for dataset in client.search(units=["K", "m s-1"])]
    commits = [commit["snapshot_id"] for commit in client.history("weather", "main", since=datetime(2020, 1, 1))]
    operations = [operation["kind"] for operation in client.operations("weather")]
    verdict = client.check_contract("weather", "main", **contract)["verdict"]
    problems = [
        get_problem(client, "weather", "mian"),
        get_problem(client, "weather", "main", "wind/sped"),
        get_problem(client, "a b/ü?#%2F", "main"),
        get_problem(stranger, "weather", "main"),
    ]
    checker.post_check("weather", commits[0], "quality", state="passed", figures={"NaN": {"value": 0.5, "unit": "%"}})
    posted = checker.post_checks("weather", commits[0], checks=[{"name": "opens", "state": "error", "text": "gone"}])
    try:
        client.open_good("weather")
    except ProblemResponseError as error:
        problems.append([error.code, error.status, error.problem["detail"]])
    try:
        client.info("weather", "..")
    except ValueError as error:
        problems.append(str(error))
result = {"answers": answers, "found": found, "commits": commits, "operations": len(operations), "verdict": verdict}
print(json.dumps({**result, "problems": problems, "posted": posted}))
