"""What a Floe answers about a group."""

from __future__ import annotations

import httpx2

from compare.floe_server import encode_segment
from compare.oracles.xpublish_oracle import VIEWS, Answer, Views


def ask(client: httpx2.Client, repository: str, ref: str, group: str) -> Answer:
    """All views of one group.

    It is a failure only if every view is refused with 422; `keys` may answer where only names of dimensions are missing.
    Any other status stands in for the text of its view, so that it passes neither for an answer nor for a refusal.
    """
    address = "/".join(encode_segment(segment) for segment in (repository, ref, *group.split("/")) if segment)
    responses = {view: client.get(f"datasets/{address}/{view}") for view in VIEWS}
    if is_refusal(responses["info"]):
        detail = responses["info"].json()["detail"]
        may_have_keys = "dimension_names" in detail and responses["keys"].status_code == 200
        if is_refusal(responses["dict"]) and (may_have_keys or is_refusal(responses["keys"])):
            return {"error": detail}
    texts = {view: _text(response) for view, response in responses.items()}
    return Views(info=texts["info"], keys=texts["keys"], dict=texts["dict"])


def is_refusal(response: httpx2.Response) -> bool:
    """Whether the server says that the group is none that xarray could open."""
    is_problem = response.headers["content-type"].startswith("application/problem+json")
    return response.status_code == 422 and is_problem and response.json()["type"] == "/problems/not-a-dataset"


def _text(response: httpx2.Response) -> str:
    return response.text if response.status_code == 200 else f"status {response.status_code}: {response.text}"
