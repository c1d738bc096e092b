"""Answers, which notebooks show as tables."""

from html import escape
from typing import Any

# Entries of a table and characters of a text that are shown, and how deep tables are nested.
_MAX_ENTRIES, _MAX_LENGTH, _MAX_DEPTH = 100, 1_000, 8


class Answer(dict[str, Any]):
    """The JSON of an answer. Notebooks show it as tables."""

    def _repr_html_(self) -> str:
        return _show(self, 0)


def _show(value: object, depth: int) -> str:
    """Write a value as HTML. A part that has parts itself can be unfolded."""
    if isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        value = dict(enumerate(value))
    if isinstance(value, dict) and value and depth < _MAX_DEPTH:
        table = _show_table(value, depth + 1)
        return table if depth == 0 else f"<details><summary>{len(value)}</summary>{table}</details>"
    if isinstance(value, list):
        value = ", ".join(map(str, value[:_MAX_ENTRIES]))
    text = "" if value is None or value == {} else str(value)
    return escape(text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}…")


def _show_table(value: dict[Any, Any], depth: int) -> str:
    """Write an object as a table, with columns if its members are objects with the same members."""
    shown = list(value.items())[:_MAX_ENTRIES]
    first = shown[0][1]
    columns = list(first) if isinstance(first, dict) else []
    has_columns = bool(columns) and all(isinstance(part, dict) and list(part) == columns for _, part in shown)
    rows = [
        _write_row("td", [_name(name), *(_show(one, depth) for one in (part.values() if has_columns else [part]))])
        for name, part in shown
    ]
    if has_columns:
        rows.insert(0, _write_row("th", ["", *map(_name, columns)]))
    if len(shown) < len(value):
        rows.append(_write_row("td", [f"and {len(value) - len(shown)} more"]))
    return f"<table>{''.join(rows)}</table>"


def _name(name: object) -> str:
    return f"<b>{escape(str(name))}</b>"


def _write_row(cell: str, parts: list[str]) -> str:
    return f"<tr>{''.join(f'<{cell}>{part}</{cell}>' for part in parts)}</tr>"
