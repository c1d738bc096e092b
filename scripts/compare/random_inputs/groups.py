"""Random groups of Zarr arrays for comparison with xarray: many kinds of attribute, most of them close to CF.

Every group follows from a random generator with a seed. Names, dimensions and attributes come from small pools, so that
they meet: a dimension called like an array, a `coordinates` text that names one, a fill value beside a scale factor.
Whatever is refused is rare, since one such array takes its group down and hides everything else about it.
"""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from fixtures.cases.values import NUMBERS, numpy_time, sized
from fixtures.documents import Array, Group, scalar_type
from fixtures.reported import rectilinear


@dataclass(frozen=True)
class Spelled:
    """A number as text, where the spelling matters and Python's `json` would choose another."""

    text: str


NAMES = ("a", "b", "lat", "len", "lon", "t_bounds", "time", "v", "w", "x", "y", "z", "10", "2", "Z", "é", "日本", "ﬁ", "😀", "__proto__", "a b")
DIMENSIONS = ("x", "y", "z", "time", "lat", "len", "a", "10", "2", "é", "ﬁ", "😀", "")

STRUCT = {"name": "struct", "configuration": {"fields": [{"name": "a", "data_type": "int32"}, {"name": "b'", "data_type": "bool"}]}}
OTHER_TYPES: tuple[Any, ...] = (
    *("string", "string", "variable_length_bytes", "bytes"),
    *(sized("fixed_length_utf32", length) for length in (4, 20, 22)),
    *(sized("null_terminated_bytes", length) for length in (1, 1, 1, 5)),
    *(sized("raw_bytes", length) for length in (1, 3)),
    *(numpy_time("datetime64", unit) for unit in ("ns", "us", "s", "D", "W", "M", "Y", "generic")),
    *(numpy_time("timedelta64", unit) for unit in ("ns", "ms", "h", "D", "Y", "generic")),
    *(numpy_time("datetime64", "us", 10), numpy_time("timedelta64", "s", 60), STRUCT),
)
UNKNOWN_TYPES: tuple[Any, ...] = ("decimal", "r24", {"name": "int8", "configuration": {}}, sized("fixed_length_utf32", 2), "numpy.datetime64")

UNIT_WORDS = ("days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds")
SHORT_WORDS = ("day", "d", "hr", "h", "min", "s", "sec", "msec", "ms", "microsec", "Days", "HOURS", "months", "years", "weeks", "common_years", "us")
REFERENCES = (
    *("2000-01-01", "1970-01-01T00:00:00Z", "1900-01-01 00:00:00", "2000-1-1", "1858-11-17 00:00:00.0", "2001-02-29"),
    *("1950-01-01T00:00:00+00:00", "2000-01-01 12:30", "1978-02-30", "20000101", "2000", "2000-06", "1999-12-31 23:59:60", "reset"),
)
CALENDARS = ("standard", "gregorian", "proleptic_gregorian", "noleap", "365_day", "all_leap", "360_day", "julian", "GREGORIAN", "None", "", 1, None)
FACTORS = (0.5, 2, 2.0, 1.0, 0, True, None, "0.5", [0.5], [2], [1, 2], Spelled("2e0"))
VALUES = (
    *(1, 0, -1, 2.0, -0.0, 1e16, 1e-5, 2**53 + 1, 2**64, 10**40, 0.1, True, False, None, "", "text", "größe 😀 \x7f\u2028", "NaN"),
    *([], [1, 2.0, "x", None], {}, {"10": 1, "2": {"__proto__": []}}, Spelled("1.50"), Spelled("-0"), Spelled("1E-7"), [[1], [2]]),
)
NAN = "AAAAAAAA+H8="
MEMBERS = ("zarr_format", "data_type", "fill_value", "chunk_key_encoding", "codecs", "dimension_names")
"""What a document may lack and Icechunk still stores it."""
COUNTED = tuple(name for name in NUMBERS if name.startswith(("int", "uint", "float")))
"""The types that can count the time since a date."""


def random_group(random: Random, spec_version: int) -> Group:
    """A group of up to seven arrays that mostly agree about the sizes of dimensions, for a version of Icechunk's format."""
    names = random.sample(NAMES, random.randint(1, 7))
    sizes = {name: random.choice((0, 1, 2, 3, 3, 4, 5)) for name in DIMENSIONS}
    arrays = {name: _array(random, name, names, sizes, spec_version) for name in names}
    members = {"extra": {"must_understand": False}} if random.random() < 0.02 else {}
    return Group(arrays, _group_attributes(random, names), members)


def spell(group: Group) -> Group:
    """The group with its attributes as JSON text."""
    arrays = {name: replace(array, attributes=_spelled(array.attributes)) for name, array in group.arrays.items()}
    return replace(group, arrays=arrays, attributes=_spelled(group.attributes))


def _spelled(value: Any) -> str:
    if isinstance(value, Spelled):
        return value.text
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(name)}: {_spelled(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_spelled, value)) + "]"
    return json.dumps(value)


def _array(random: Random, name: str, names: list[str], sizes: Mapping[str, int], spec_version: int) -> Array:
    data_type = _data_type(random)
    dimensions = _dimensions(random, name)
    shape = tuple(sizes.get(dimension or "", 3) for dimension in dimensions)
    if random.random() < 0.01:
        shape = tuple(size + 1 for size in shape)
    attributes = _attributes(random, data_type, names)
    members = _odd_members(random, len(shape), spec_version) if random.random() < 0.02 else {}
    if random.random() < 0.005:
        return Array(data_type, None, shape, attributes, members=members)
    left_out = (random.choice(MEMBERS),) if random.random() < 0.01 else ()
    return Array(data_type, dimensions, shape, attributes, _fill_value(random, data_type), members, left_out)


def _data_type(random: Random) -> Any:
    kind = random.random()
    if kind < 0.7:
        return random.choice(NUMBERS)
    return random.choice(OTHER_TYPES if kind < 0.995 else UNKNOWN_TYPES)


def _dimensions(random: Random, name: str) -> tuple[str | None, ...]:
    kind = random.random()
    if kind < 0.25 and name in DIMENSIONS:
        return (name,)
    if kind < 0.26:
        return (None,)
    if kind < 0.28:
        return ("x", "x")
    if kind < 0.36:
        return (*random.sample(DIMENSIONS, random.randint(0, 1)), "len")
    return tuple(random.sample(DIMENSIONS, random.choice((0, 1, 1, 1, 2, 2, 3))))


def _fill_value(random: Random, data_type: Any) -> Any:
    """The value of every element, chosen so that values do not decide: small, so that no date leaves the years that numpy
    counts in nanoseconds; whole, so that no duration needs a finer unit; and never one that an attribute masks, since
    the calendars of cftime fail without a single date.
    """
    name = scalar_type(data_type)
    if name == "struct":
        return random.choice(({}, {"a": 1, "b'": True}))
    if random.random() < 0.6:
        return None
    if name.startswith("float"):
        return random.choice((2.0, "0x3c00", 7))
    if name.startswith(("int", "uint")):
        return random.choice((3, 7.0, "5"))
    if name == "string":
        return random.choice(("a", 1))
    return None


def _attributes(random: Random, data_type: Any, names: list[str]) -> dict[str, Any]:
    # What is no number is not packed, since whether a text reads as one is up to its value, and has no fill value.
    packed, filled = (0.1, 0.2) if scalar_type(data_type) in NUMBERS else (0, 0.005)
    makers: dict[str, tuple[float, Callable[[], Any]]] = {
        "units": (0.4, lambda: _units(random, data_type)),
        "calendar": (0.15, lambda: random.choice(CALENDARS)),
        "dtype": (0.1, lambda: _dtype(random)),
        "scale_factor": (packed * 1.5, lambda: _factor(random)),
        "add_offset": (packed, lambda: _factor(random)),
        "_FillValue": (filled, lambda: _cf_fill_value(random, data_type)),
        "missing_value": (0.1, lambda: random.choice((1, -1.5, "x", [], [None], [1, 2], [1, "x"], None, Spelled("1E400")))),
        "_Unsigned": (0.05, lambda: random.choice(("true", "false", "True", True, None))),
        "_Encoding": (0.02, lambda: random.choice(("utf-8", None))),
        "coordinates": (0.1, lambda: _coordinates(random, names)),
        "bounds": (0.1, lambda: random.choice([*names, "nowhere"])),
        "grid_mapping": (0.05, lambda: random.choice(names)),
        "long_name": (0.1, lambda: random.choice(VALUES)),
        random.choice(("valid_range", "10", "", "größe", "_nc", "fill_value")): (0.2, lambda: random.choice(VALUES)),
    }
    chosen = {name: make() for name, (share, make) in makers.items() if random.random() < share}
    if random.random() < 0.01:
        chosen["missing_value"] = random.choice(({}, [[1], [2, 3]], [{}]))
    return dict(random.sample(list(chosen.items()), len(chosen)))


def _units(random: Random, data_type: Any) -> Any:
    kind = random.random()
    if scalar_type(data_type) not in COUNTED and random.random() < 0.95:
        kind *= 0.6
    if kind < 0.3:
        return random.choice(("m", "1", "K", "", "days after 2000", 5, None, ["days"], "day", *UNIT_WORDS))
    if kind < 0.6:
        return random.choice(UNIT_WORDS)
    word = random.choice(UNIT_WORDS if random.random() < 0.9 else SHORT_WORDS)
    return f"{word} since {REFERENCES[0] if random.random() < 0.85 else random.choice(REFERENCES)}"


def _dtype(random: Random) -> Any:
    units = ("s", "ms", "us", "ns", "m", "h", "D", "W", "ps", "10s", "M")
    return random.choice(("bool", "bool", "int8", "timedelta64", True, *(f"timedelta64[{unit}]" for unit in units)))


def _factor(random: Random) -> Any:
    return random.choice(FACTORS[:3]) if random.random() < 0.7 else random.choice(FACTORS)


def _cf_fill_value(random: Random, data_type: Any) -> Any:
    """Mostly as xarray spells it for the data type."""
    name = scalar_type(data_type)
    if random.random() < 0.02:
        return random.choice((None, "x", -1, 1.5, [1], NAN, [NAN, NAN], {}))
    if name.startswith(("int", "uint", "bool")):
        return random.choice((-1, 100, 255, True, 1.5, 2**40))
    coded = base64.standard_b64encode(struct.pack("<d", random.choice((5.0, -999.0, 1e20)))).decode()
    if name.startswith("complex"):
        return [random.choice((coded, NAN)), coded]
    return random.choice((coded, NAN))


def _coordinates(random: Random, names: list[str]) -> Any:
    if random.random() < 0.05:
        return random.choice((None, ["x"], 1))
    return random.choice((" ", "  ", "\t", "\n ")).join(random.sample([*names, "nowhere", ""], random.randint(0, min(3, len(names)))))


def _group_attributes(random: Random, names: list[str]) -> dict[str, Any]:
    chosen = {name: random.choice(VALUES) for name in ("title", "_NCProperties", "_nc", "nc", "10") if random.random() < 0.15}
    if random.random() < 0.05:
        chosen["_xpublish_id"] = "anything but text breaks xpublish"
    if random.random() < 0.2:
        chosen["coordinates"] = _coordinates(random, names)
    return chosen


def _odd_members(random: Random, rank: int, spec_version: int) -> dict[str, Any]:
    """A member of the document that is unusual, and in half of the cases refused.

    Icechunk stores rectilinear grids in format version 2 only, and with the number of dimensions of the array.
    """
    little = {"name": "bytes", "configuration": {"endian": "little"}}
    gzip = {"name": "gzip", "configuration": {"level": 5}}
    transpose = {"name": "transpose", "configuration": {"order": [0]}}
    return random.choice(
        (
            *({"codecs": codecs} for codecs in ([little, gzip], [gzip, little], [transpose, little], [{"name": "bytes"}], [little, {"name": "imagecodecs_zstd"}], [{"name": "gribberish", "configuration": {"var": "TMP"}}], [{"name": "vlen-utf8"}], [])),
            {"codecs": [{"name": "bytes", "configuration": {"endian": "big"}}, {"name": "zstd", "configuration": {}}, {"name": "crc32c"}]},
            *({"chunk_key_encoding": encoding} for encoding in ({"name": "v2"}, {"name": "default", "separator": "."}, {"name": "other"})),
            *({"fill_value": value} for value in (None, "x", 2**70, [], "NaN")),
            *({"extra": value} for value in ({"must_understand": False}, {"must_understand": True}, None)),
            {"storage_transformers": []},
            *({"chunk_grid": rectilinear(*([sizes] * rank))} for sizes in ([2, 3], [[1, 5]], [1.0, 4], [1, 1], [5]) if spec_version == 2),
        )
    )
