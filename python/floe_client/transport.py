"""Sends requests, and turns answers into JSON or errors."""

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from types import MappingProxyType, TracebackType
from typing import Any, Generic, NamedTuple, Self, TypeVar, cast

import httpx

from .addresses import check_base_url, fill_path
from .answers import Answer
from .errors import FloeError, ProblemResponseError, UnexpectedResponseError
from .models import Problem
from .query import Query, write_query

_Value = TypeVar("_Value")
_NONE: Mapping[str, Any] = MappingProxyType({})


class Versioned(NamedTuple, Generic[_Value]):
    """A value with its version."""

    value: _Value
    etag: str | None
    """Pass it as `if_match`: the change is rejected if the version is no longer current."""


class _TokenAuth(httpx.Auth):
    """Adds a token, which a function may renew."""

    def __init__(self, token: str | Callable[[], str]) -> None:
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        token = self._token if isinstance(self._token, str) else self._token()
        request.headers["Authorization"] = f"Bearer {token}"
        yield request


class Transport:
    """A pool of connections to one service, with the credentials, and the names that each path has."""

    def __init__(
        self,
        base_url: str,
        names: Mapping[str, str],
        *,
        api_key: str | None,
        auth: str | Callable[[], str] | None,
        timeout: float,
    ) -> None:
        if api_key is not None and auth is not None:
            raise ValueError("api_key and auth cannot be used together")
        # A name that no address can contain is refused here.
        for kind in names:
            fill_path(f":{kind}", **names)
        self._base_url = check_base_url(base_url).rstrip("/")
        self._names = names
        self._credentials = "a token" if auth is not None else "no credentials" if api_key is None else "an API key"
        basic = None if api_key is None else httpx.BasicAuth(names["org"], api_key)
        self.is_public = api_key is None and auth is None
        self._http = httpx.Client(
            # Paths of routes begin with /v1.
            base_url=self._base_url.removesuffix("/v1"),
            auth=_TokenAuth(auth) if auth is not None else basic,
            timeout=timeout,
        )

    def __str__(self) -> str:
        names = " ".join(f"{kind}={name!r}" for kind, name in self._names.items())
        return f"{self._base_url} {names}, with {self._credentials}"

    def close(self) -> None:
        self._http.close()

    def fetch(self, method: str, path: str, names: Mapping[str, str] = _NONE, **parts: Any) -> Any:
        """Return the JSON of an answer. See `send`."""
        return self.send(method, path, names, **parts)[0]

    def fetch_versioned(self, method: str, path: str, names: Mapping[str, str] = _NONE, **parts: Any) -> Versioned[Any]:
        """Return the JSON of an answer, and its version. See `send`."""
        value, headers = self.send(method, path, names, **parts)
        return Versioned(value, headers.get("etag"))

    def iterate(self, entries: str, path: str, names: Mapping[str, str] = _NONE, *, query: Query) -> Iterator[Any]:
        """Iterate over the entries of all pages."""
        seen = set()
        before = query["before"]
        while True:
            page = self.fetch("GET", path, names, query={**query, "before": before})
            yield from page[entries]
            before = page["next"]
            if before is None:
                return
            # A damaged repository can have a circular history.
            if before in seen:
                raise FloeError(f"the list runs in a circle at {before}")
            seen.add(before)

    def send(
        self,
        method: str,
        path: str,
        names: Mapping[str, str] = _NONE,
        *,
        query: Query = _NONE,
        body: object = None,
        if_match: str | None = None,
    ) -> tuple[Any, httpx.Headers]:
        """Return the JSON of an answer, which is None if it has no body, and its headers."""
        response = self._http.request(
            method,
            self.fill(path, names),
            params=write_query(query),
            json=body,
            headers={"accept": "application/json", **({} if if_match is None else {"if-match": if_match})},
        )
        if response.status_code == 204:
            return None, response.headers
        if not response.is_success or not _has_type(response, "application/json"):
            raise _to_error(response)
        try:
            value = json.loads(response.content)
        except ValueError as error:
            raise UnexpectedResponseError(str(response.url), status=response.status_code) from error
        return Answer(value) if isinstance(value, dict) else value, response.headers

    def fill(self, path: str, names: Mapping[str, str] = _NONE) -> str:
        """Write names into the path of a route."""
        return fill_path(path, **{**self._names, **names})

    def open_stream(self, path: str, query: Query, headers: Mapping[str, str], read_timeout: float) -> httpx.Response:
        """Return the answer before its body is read. Raises an error if it is no stream of events."""
        timeout = httpx.Timeout(self._http.timeout.connect, read=read_timeout)
        accept = {"accept": "text/event-stream", **headers}
        request = self._http.build_request(
            "GET", self.fill(path), params=write_query(query), headers=accept, timeout=timeout
        )
        response = self._http.send(request, stream=True)
        if response.status_code == 200 and _has_type(response, "text/event-stream"):
            return response
        try:
            response.read()
        finally:
            response.close()
        raise _to_error(response)


class Routes:
    """Has methods that call routes."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class Connected(Routes):
    """Closes its connections at the end of a `with`."""

    def __repr__(self) -> str:
        return f"<floe_client.{type(self).__name__} of {self._transport}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()


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
