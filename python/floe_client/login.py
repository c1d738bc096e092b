"""The token that the command `floe login` keeps for a service."""

import json
import os
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from .errors import NotSignedInError, UnexpectedResponseError

_MARGIN = timedelta(minutes=1)


def stored_login(base_url: str, *, timeout: float = 30.0) -> Callable[[], str]:
    """Return what a client takes as `auth`, for the person who has signed in with `floe login --url BASE_URL`.

    The returned function reads the file of tokens, and renews a token that expires.

    Raises NotSignedInError if nobody has signed in, or if the issuer refuses to renew the token. After any other error,
    the next call tries again.
    """
    path = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "floe" / "tokens.json"

    def read_token() -> str:
        tokens: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        token = tokens.get(base_url)
        if token is None:
            raise NotSignedInError(f"Nobody has signed in: run floe login --url {base_url}")
        expires = token["expires_at"]
        if expires is None or datetime.fromisoformat(expires) > datetime.now(UTC) + _MARGIN:
            return str(token["access_token"])
        tokens[base_url] = _renew(token, base_url, timeout)
        _replace(path, tokens)
        return str(tokens[base_url]["access_token"])

    read_token()
    return read_token


def _renew(token: dict[str, Any], base_url: str, timeout: float) -> dict[str, Any]:
    refused = NotSignedInError(f"The token has expired: run floe login --url {base_url}")
    if token["refresh_token"] is None:
        raise refused
    form = {
        "grant_type": "refresh_token",
        "refresh_token": token["refresh_token"],
        "client_id": token["client_id"],
        "resource": base_url,
    }
    answer = httpx.post(_find_token_endpoint(token["issuer"], timeout), data=form, timeout=timeout)
    if answer.status_code != 200:
        # Only with this code is the refresh token of no more use (RFC 6749, section 5.2).
        raise refused if '"invalid_grant"' in answer.text else _unexpected(answer)
    new = answer.json()
    expires = datetime.now(UTC) + timedelta(seconds=new["expires_in"]) if "expires_in" in new else None
    return {
        **token,
        "access_token": new["access_token"],
        "refresh_token": new.get("refresh_token", token["refresh_token"]),
        "expires_at": expires and expires.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }


def _find_token_endpoint(issuer: str, timeout: float) -> str:
    """Read it as OpenID Connect describes issuers, else as OAuth does (RFC 8414)."""
    url = httpx.URL(issuer)
    path = url.path.rstrip("/")
    for known in (f"{path}/.well-known/openid-configuration", f"/.well-known/oauth-authorization-server{path}"):
        answer = httpx.get(url.copy_with(path=known), timeout=timeout)
        if answer.status_code == 200:
            return str(answer.json()["token_endpoint"])
    raise _unexpected(answer)


def _unexpected(answer: httpx.Response) -> UnexpectedResponseError:
    return UnexpectedResponseError(str(answer.url), status=answer.status_code)


def _replace(path: Path, tokens: dict[str, Any]) -> None:
    # Other programs read the file at any moment, so it is replaced as a whole. Only its user may read it.
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
        json.dump(tokens, file, indent=2)
    Path(file.name).replace(path)
