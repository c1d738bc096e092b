"""Sends requests, and turns answers into JSON or errors."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

import httpx

from .errors import ProblemResponseError, UnexpectedResponseError
from .models import Problem

Query = Mapping[str, str | int | Sequence[str] | None]
_NO_QUERY: Query = {}


class Transport:
    """A pool of connections to one service, with the credentials."""

    def __init__(self, base_url: str, *, org: str, api_key: str | None, timeout: float) -> None:
        self.base_url = base_url.rstrip("/")
        self._http = httpx.Client(
            base_url=base_url,
            auth=None if api_key is None else httpx.BasicAuth(org, api_key),
            timeout=timeout,
        )

    def close(self) -> None:
        self._http.close()

    def get(self, path: str, query: Query = _NO_QUERY) -> Any:
        """Return the JSON of an answer."""
        return self.get_response(path, query)[0]

    def get_response(self, path: str, query: Query = _NO_QUERY) -> tuple[Any, httpx.Headers]:
        """Return the JSON of an answer, and its headers."""
        response = self._http.get(path, params=_leave_out_none(query), headers={"accept": "application/json"})
        if response.status_code != 200 or not _has_type(response, "application/json"):
            raise _to_error(response)
        try:
            return json.loads(response.content), response.headers
        except ValueError as error:
            raise UnexpectedResponseError(str(response.url), status=response.status_code) from error

    def build_stream(self, path: str, query: Query, headers: Mapping[str, str], read_timeout: float) -> httpx.Request:
        """Build the request for a stream of events."""
        timeout = httpx.Timeout(self._http.timeout.connect, read=read_timeout)
        accept = {"accept": "text/event-stream", **headers}
        return self._http.build_request("GET", path, params=_leave_out_none(query), headers=accept, timeout=timeout)

    def send_stream(self, request: httpx.Request) -> httpx.Response:
        """Return the answer before its body is read. Raises an error if it is no stream of events."""
        response = self._http.send(request, stream=True)
        if response.status_code == 200 and _has_type(response, "text/event-stream"):
            return response
        try:
            response.read()
        finally:
            response.close()
        raise _to_error(response)


def _leave_out_none(query: Query) -> dict[str, str | int | list[str]]:
    return {
        name: value if isinstance(value, str | int) else list(value)
        for name, value in query.items()
        if value is not None
    }


def _to_error(response: httpx.Response) -> ProblemResponseError | UnexpectedResponseError:
    """Make the error for an answer that is no success."""
    status = response.status_code
    try:
        problem = json.loads(response.content) if _has_type(response, "application/problem+json") else None
    except ValueError:
        problem = None
    if not isinstance(problem, dict) or not {"code", "title", "detail"} <= problem.keys():
        return UnexpectedResponseError(str(response.url), status=status)
    retry_after = response.headers.get("retry-after", "")
    # The service sends seconds.
    seconds = float(retry_after) if retry_after.isascii() and retry_after.isdecimal() else None
    # It has the fields that make it a problem.
    return ProblemResponseError(cast(Problem, problem), status=status, retry_after=seconds)


def _has_type(response: httpx.Response, media_type: str) -> bool:
    return bool(response.headers.get("content-type", "").split(";")[0].strip() == media_type)
