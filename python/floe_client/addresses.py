"""Addresses of the routes. Each name is percent-encoded exactly once."""

from urllib.parse import quote


def format_path(*names: str) -> str:
    """Join names to a path. Raises ValueError for a name that no address can contain."""
    return "/".join(_encode(name) for name in names)


def split_group(group: str) -> list[str]:
    """Return the segments of a group: none for the root. A slash at the beginning or end is ignored."""
    trimmed = group.removeprefix("/").removesuffix("/")
    return trimmed.split("/") if trimmed else []


def _encode(name: str) -> str:
    # URL parsers remove the segments "." and "..", even when they are percent-encoded.
    if name in ("", ".", ".."):
        raise ValueError(f"no address can contain the name {name!r}")
    return quote(name, safe="")
