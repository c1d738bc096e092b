"""Writes values of Python as the texts of a query."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime

Query = Mapping[str, object]


def write_query(query: Query) -> dict[str, str | list[str]]:
    """Write the parameters of a query, without those that are None or False."""
    # False is the default of those that are true or false.
    sent = {name: value for name, value in query.items() if value is not None and value is not False}
    return {name: _write_parameter(name, value) for name, value in sent.items()}


# What stands between the values of a parameter that is one text.
_SEPARATORS = {"bbox": ",", "time": "/"}


def _write_parameter(name: str, value: object) -> str | list[str]:
    if isinstance(value, str | date) or not isinstance(value, Iterable):
        return _write(value)
    texts = [_write(one) for one in value]
    return _SEPARATORS[name].join(texts) if name in _SEPARATORS else texts


def _write(value: object) -> str:
    """Write a value. A time without a zone is in UTC, as times of Icechunk and xarray are. None is an open end."""
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    return ".." if value is None else "true" if value is True else str(value)
