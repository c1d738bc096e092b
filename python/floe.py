"""Asks a Floe service about datasets. `generate.sh` writes the package floe_client, which this needs."""

from typing import Any

from floe_client import AuthenticatedClient, Client
from floe_client.api.datasets import datasets_dict, datasets_group_dict
from floe_client.models import DatasetDict, Problem


class FloeError(Exception):
    """The service refused. `problem` says why, for programs."""

    def __init__(self, problem: Problem):
        super().__init__(problem.detail)
        self.problem = problem


def open_dataset_schema(
    base_url: str,
    deployment: str,
    org: str,
    repo: str,
    ref: str = "main",
    group: str = "",
    *,
    api_key: str | None = None,
    timeout: float = 30,
) -> dict[str, Any]:
    """Return what xarray's `to_dict(data=False)` says of a dataset. A public deployment needs no `api_key`."""
    # The paths of the generated client begin with /v1.
    options: dict[str, Any] = {"base_url": base_url.rstrip("/").removesuffix("/v1"), "timeout": timeout}
    options["raise_on_unexpected_status"] = True
    with AuthenticatedClient(token=api_key, **options) if api_key else Client(**options) as client:
        dataset = (deployment, org, repo, ref)
        group = group.strip("/")
        call = datasets_group_dict.sync if group else datasets_dict.sync
        answer = call(*dataset, *([group] if group else []), client=client)
    if isinstance(answer, DatasetDict):
        return answer.to_dict()
    raise FloeError(answer)
