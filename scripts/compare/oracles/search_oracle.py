"""What a search finds: the rules of docs/using/search.md, applied to one `dict` answer after the other."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

NAMES = re.compile(r"\w+")
HUMPS = re.compile(r"(?<=[a-zß-öø-ÿ0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
EDGES = ("geospatial_lon_min", "geospatial_lat_min", "geospatial_lon_max", "geospatial_lat_max")

Query = Mapping[str, Any]


@dataclass(frozen=True)
class Dataset:
    """A group that holds arrays. `answer` is its `dict`, or empty when xarray cannot open it."""

    repo: str
    path: str
    answer: Mapping[str, Any]

    @property
    def attributes(self) -> Mapping[str, Any]:
        return self.answer.get("attrs", {})

    @property
    def variables(self) -> Mapping[str, Any]:
        return {**self.answer.get("coords", {}), **self.answer.get("data_vars", {})}


def split_names(text: str) -> Iterable[tuple[str, list[str]]]:
    """Each name of a text as a whole, and its parts; in lower case and without accents."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.category(c).startswith("M"))
    for name in NAMES.findall(plain):
        parts = [part for between in name.split("_") for part in HUMPS.split(between) if part]
        yield name.lower(), [part.lower() for part in parts]


def words(texts: Iterable[Any]) -> set[str]:
    split = [names for text in texts if isinstance(text, str) for names in split_names(text)]
    return {word for whole, parts in split for word in (whole, *parts)}


def phrase_text(text: str) -> str:
    return " " + " ".join(part for _, parts in split_names(text) for part in parts) + " "


def named_texts(dataset: Dataset) -> list[Any]:
    standard_names = [variable["attrs"].get("standard_name") for variable in dataset.variables.values()]
    return [dataset.path, dataset.attributes.get("title"), *dataset.variables, *standard_names]


def all_texts(dataset: Dataset) -> list[Any]:
    own = [dataset.attributes.get(name) for name in ("summary", "keywords", "institution", "source")]
    others = [variable["attrs"].get(name) for variable in dataset.variables.values() for name in ("long_name", "units")]
    return [*named_texts(dataset), *own, *others, *dataset.answer.get("dims", {})]


def exact_values(dataset: Dataset, parameter: str) -> set[str]:
    """The values that a parameter is compared with."""
    attributes, variables = dataset.attributes, dataset.variables
    match parameter:
        case "variable":
            return set(variables)
        case "dimension":
            return set(dataset.answer.get("dims", {}))
        case "dtype":
            return {variable["dtype"] for variable in variables.values()}
        case "standard_name" | "units":
            values = [variable["attrs"].get(parameter) for variable in variables.values()]
        case "institution":
            values = [attributes.get("institution")]
        case "keyword":
            keywords = attributes.get("keywords")
            values = [word.strip() for word in keywords.split(",")] if isinstance(keywords, str) else []
        case _:
            values = [f"{name}={v if isinstance(v, str) else json.dumps(v, separators=(",", ":"))}" for name, v in attributes.items()]
    return {value for value in values if isinstance(value, str) and value}


def box(attributes: Mapping[str, Any]) -> list[float] | None:
    """West, south, east, north, with east not below west."""
    if any(name in attributes for name in EDGES):
        edges = [attributes.get(name) for name in EDGES]
    else:
        edges = attributes.get("bbox")
    if not isinstance(edges, list) or not all(isinstance(edge, int | float) for edge in edges):
        return None
    west, south, east, north = edges
    if max(abs(west), abs(east)) > 360 or max(abs(south), abs(north)) > 90 or south > north:
        return None
    return [west, south, east + 360 if east < west else east, north]


def boxes_meet(one: list[float], other: list[float]) -> bool:
    turns = any(one[0] <= other[2] + turn and one[2] >= other[0] + turn for turn in (-360, 0, 360))
    return turns and one[1] <= other[3] and one[3] >= other[1]


def instant(text: Any, is_end: bool) -> datetime | None:
    """A day, month or year; its last millisecond as an end."""
    if not isinstance(text, str):
        return None
    for form, days in (("%Y-%m-%d", 1), ("%Y-%m", 31), ("%Y", 366)):
        try:
            start = datetime.strptime(text, form).replace(tzinfo=timezone.utc)
        except ValueError:
            continue
        after = start + timedelta(days=days)
        after = after.replace(day=1) if days == 31 else after.replace(month=1, day=1) if days == 366 else after
        return after - timedelta(milliseconds=1) if is_end else start
    return None


def span(attributes: Mapping[str, Any]) -> tuple[datetime | None, datetime | None]:
    return instant(attributes.get("time_coverage_start"), False), instant(attributes.get("time_coverage_end"), True)


def times_meet(one: tuple[datetime | None, datetime | None], other: tuple[datetime | None, datetime | None]) -> bool:
    return not (one[0] and other[1] and one[0] > other[1]) and not (one[1] and other[0] and one[1] < other[0])


EXACT = ("variable", "standard_name", "units", "dimension", "dtype", "institution", "keyword", "attribute")


def scan(datasets: Iterable[Dataset], query: Query) -> dict[str, Any]:
    """Look at every dataset."""
    text = query.get("q", "")
    phrases = [phrase_text(phrase) for phrase in re.findall(r'"([^"]*)"', text)]
    loose = [whole for whole, _ in split_names(re.sub(r'"[^"]*"', " ", text))]
    is_open = bool(loose) and re.search(r"\w$", text) is not None
    whole = (loose[:-1] if is_open else loose) + [word for phrase in phrases for word in phrase.split()]
    found, without = [], 0
    for dataset in datasets:
        texts = [value for value in all_texts(dataset) if isinstance(value, str)]
        own, names = words(texts), words(named_texts(dataset))
        if not own.issuperset(whole) or (is_open and not any(word.startswith(loose[-1]) for word in own)):
            continue
        if not all(any(phrase in phrase_text(value) for value in texts) for phrase in phrases if phrase.strip()):
            continue
        asked = {name: query[name] for name in EXACT if name in query}
        if not all(exact_values(dataset, name).intersection(values) for name, values in asked.items()):
            continue
        extent, times = box(dataset.attributes), span(dataset.attributes)
        lacks_box, lacks_time = "bbox" in query and extent is None, "time" in query and not any(times)
        without += lacks_box or lacks_time
        if lacks_box or lacks_time or ("bbox" in query and not boxes_meet(extent or [], _parse_box(query["bbox"]))):
            continue
        if "time" in query and not times_meet(times, _parse_span(query["time"])):
            continue
        score = sum(word in names for word in [*whole, *(loose[-1:] if is_open else [])])
        found.append((-score, dataset.repo.encode(), dataset.path.encode(), dataset))
    found.sort(key=lambda entry: entry[:3])
    matches = [dataset for *_, dataset in found]
    return {
        "results": [[dataset.repo, dataset.path] for dataset in matches],
        "total": len(matches),
        "without_extent": without if "bbox" in query or "time" in query else None,
        "facets": {name: _count(matches, name) for name in EXACT[:-1]},
    }


def _count(datasets: Iterable[Dataset], name: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for dataset in datasets:
        for value in exact_values(dataset, name):
            counts[value] = counts.get(value, 0) + 1
    return counts


def _parse_box(text: str) -> list[float]:
    west, south, east, north = map(float, text.split(","))
    return [west, south, east + 360 if east < west else east, north]


def _parse_span(text: str) -> tuple[datetime | None, datetime | None]:
    start, end = text.split("/")
    return instant(start, False), instant(end, True)
