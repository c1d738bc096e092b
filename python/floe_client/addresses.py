"""Addresses of the routes. Each name is percent-encoded exactly once."""

from urllib.parse import quote, urlsplit


def check_base_url(base_url: str) -> str:
    """Return the address. Raises ValueError if it is not that of a service."""
    url = urlsplit(base_url)
    is_web = url.scheme in ("http", "https") and url.hostname
    if not is_web or not url.path.removesuffix("/").endswith("/v1") or "@" in url.netloc or url.query or url.fragment:
        # The message leaves the value out, because it may hold a password.
        raise ValueError("base_url must be an http(s) address that ends in /v1, without credentials, query or fragment")
    return base_url


def fill_path(path: str, **names: str) -> str:
    """Write names into the path of a route, such as `/discovery/:repo`.

    Only `group` has several segments, and none for the root. Raises TypeError for a name that is no text, such as None,
    and ValueError for one that no address can contain.
    """
    return "/".join(text for segment in path.split("/") for text in _fill(segment, names))


def split_group(group: str) -> list[str]:
    """Return the segments of a group: none for the root. A slash at the beginning or end is ignored."""
    trimmed = group.removeprefix("/").removesuffix("/")
    return trimmed.split("/") if trimmed else []


def _fill(segment: str, names: dict[str, str]) -> list[str]:
    if not segment.startswith(":"):
        return [segment]
    name = names[segment[1:]]
    if not isinstance(name, str):
        raise TypeError(f"{segment[1:]} must be a str, not {name!r}")
    return [_encode(part) for part in (split_group(name) if segment == ":group" else [name])]


def _encode(name: str) -> str:
    # URL parsers remove the segments "." and "..", even when they are percent-encoded.
    if name in ("", ".", ".."):
        raise ValueError(f"no address can contain the name {name!r}")
    return quote(name, safe="!()*")
