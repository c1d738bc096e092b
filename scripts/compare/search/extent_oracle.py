"""Where and when the data of a dataset lies: the rules of docs/internals/search.md#extents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

EDGES = (
    ("geospatial_lon_min", "geospatial_lat_min", "geospatial_lon_max", "geospatial_lat_max"),
    ("westernmost_longitude", "southernmost_latitude", "easternmost_longitude", "northernmost_latitude"),
)

Attributes = Mapping[str, Any]
Box = list[float]
Span = tuple[datetime | None, datetime | None]


@dataclass(frozen=True)
class Extent:
    """A stated box, with east not below west, and a stated time."""

    box: Box | None
    span: Span

    def show(self) -> dict[str, Any]:
        """Return it as a result has it."""
        west, south, east, north = self.box or (0.0, 0.0, 0.0, 0.0)
        shown = [west, south, east - 360 if east > 180 else east, north]
        start, end = (at and at.isoformat(timespec="milliseconds").replace("+00:00", "Z") for at in self.span)
        return {"bbox": self.box and shown, "start": start, "end": end}


def read_extent(groups: Iterable[Attributes]) -> Extent:
    """Read the box and the time that a group states, or else the nearest group above it that states one.

    `groups` are the attributes of the group and of those above it, nearest first.
    """
    groups = list(groups)
    codes = (next((group["proj:code"] for group in groups[level:] if "proj:code" in group), None) for level in range(len(groups)))
    boxes, spans = map(box, groups, codes), filter(any, map(span, groups))
    return Extent(next(filter(None, boxes), None), next(spans, (None, None)))


def box(attributes: Attributes, code: str | None) -> Box | None:
    """West, south, east, north, with east not below west: the first stated box that makes sense. `code` names its reference system."""
    stated = [[attributes.get(name) for name in names] for names in EDGES]
    for item in items(attributes):
        stated += [item.get("bbox"), item.get("spatial:bbox") if code == "EPSG:4326" else None]
    # Latitudes come first.
    points = re.fullmatch(r"POLYGON \(\((.*)\)\)", attributes.get("geospatial_bounds", ""))
    if points:
        latitudes, longitudes = zip(*(map(float, point.split()) for point in points[1].split(",")))
        stated.append([min(longitudes), min(latitudes), max(longitudes), max(latitudes)])
    return next(filter(None, map(_check_box, stated)), None)


def items(attributes: Attributes) -> list[Attributes]:
    """Where STAC states an extent."""
    item = attributes.get("stac_discovery", {})
    return [attributes, item, item.get("properties", {})]


def _check_box(edges: Any) -> Box | None:
    if not isinstance(edges, list) or not all(isinstance(edge, int | float) for edge in edges):
        return None
    west, south, east, north = edges
    if max(abs(west), abs(east)) > 360 or max(abs(south), abs(north)) > 90 or south > north:
        return None
    return [west, south, east + 360 if east < west else east, north]


def boxes_meet(one: Box, other: Box) -> bool:
    turns = any(one[0] <= other[2] + turn and one[2] >= other[0] + turn for turn in (-360, 0, 360))
    return turns and one[1] <= other[3] and one[3] >= other[1]


FORMS = {"%Y-%m-%dT%H:%M:%S.%fZ": 0, "%Y%m%dT%H%M%SZ": 0, "%Y-%m-%d": 1, "%Y%m%d": 1, "%Y-%m": 31, "%Y": 366}
"""Forms of instants, and their length in days."""


def instant(text: Any, is_end: bool) -> datetime | None:
    """An instant, or a day, month or year; its last millisecond as an end."""
    for form, days in FORMS.items() if isinstance(text, str) else ():
        try:
            start = datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
        after = start + timedelta(days=days)
        after = after.replace(day=1) if days == 31 else after.replace(month=1, day=1) if days == 366 else after
        return after - timedelta(milliseconds=1) if is_end and days else start
    return None


def span(attributes: Attributes) -> Span:
    """The stated start and end. A duration in months completes one of them."""
    places = items(attributes)
    starts = [place.get(name) for name in ("time_coverage_start", "start_datetime", "datetime") for place in places]
    ends = [place.get(name) for name in ("time_coverage_end", "end_datetime", "datetime") for place in places]
    end_text = next((text for text in ends if text == "present" or instant(text, True)), None)
    start = next(filter(None, (instant(text, False) for text in starts)), None)
    end = instant(end_text, True)
    duration = re.fullmatch(r"P(\d+)M", attributes.get("time_coverage_duration", ""))
    if duration and start and not end_text:
        end = _add_months(start, int(duration[1])) - timedelta(milliseconds=1)
    if duration and end and not start:
        is_last = end.microsecond == 999_000
        start = _add_months(end + timedelta(milliseconds=1) if is_last else end, -int(duration[1]))
    return start, end


def _add_months(at: datetime, months: int) -> datetime:
    month = at.month - 1 + months
    first = at.replace(year=at.year + month // 12, month=month % 12 + 1, day=1)
    last_day = ((first + timedelta(days=31)).replace(day=1) - timedelta(days=1)).day
    return first.replace(day=min(at.day, last_day))


def times_meet(one: Span, other: Span) -> bool:
    return not (one[0] and other[1] and one[0] > other[1]) and not (one[1] and other[0] and one[1] < other[0])


def parse_box(text: str) -> Box:
    west, south, east, north = map(float, text.split(","))
    return [west, south, east + 360 if east < west else east, north]


def parse_span(text: str) -> Span:
    start, end = text.split("/")
    return instant(start, False), instant(end, True)
