"""What a Floe answers about a group."""

from __future__ import annotations

import httpx2

from compare.floe_server import encode_segment
from compare.oracles.xpublish_oracle import VIEWS, Answer, Views


def ask(client: httpx2.Client, repository: str, ref: str, group: str) -> Answer:
    """All views of one group.

    It is a failure only if every view is refused with 422. Any other status stands in for the text of its view, so that
    it passes neither for an answer nor for a refusal.
    """
    address = "/".join(encode_segment(segment) for segment in (repository, ref, *group.split("/")) if segment)
    responses = {view: client.get(f"datasets/{address}/{view}") for view in VIEWS}
    if all(is_refusal(response) for response in responses.values()):
        return {"error": responses["info"].json()["detail"]}
    texts = {view: _text(response) for view, response in responses.items()}
    return Views(info=texts["info"], keys=texts["keys"], dict=texts["dict"])


def is_refusal(response: httpx2.Response) -> bool:
    """Whether the server says that the group is none that xarray could open."""
    is_problem = response.headers["content-type"].startswith("application/problem+json")
    return response.status_code == 422 and is_problem and response.json()["type"] == "/problems/not-a-dataset"


def _text(response: httpx2.Response) -> str:
    return response.text if response.status_code == 200 else f"status {response.status_code}: {response.text}"
