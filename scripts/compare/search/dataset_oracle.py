"""What search knows of a dataset: words and exact values, by where they are. The rules are those of docs/internals/search.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from compare.search.extent_oracle import Extent, read_extent
from compare.search.text_oracle import find_series, fold_units, pairs, split_words, stem, stems

INHERITED = ("title", "summary", "keywords")


class Place:
    """A part of a dataset: what search knows of the words that are in it."""

    def __init__(self, names: Iterable[str | None] = (), texts: Iterable[str | None] = ()) -> None:
        """`names` can be asked for as a whole. Words and phrases are found in names and `texts`."""
        names, texts = [list(filter(None, found)) for found in (names, texts)]
        written = {word for text in (*names, *texts) for word in split_words(text)}
        written |= {series for word in written if (series := find_series(word))}
        self.words = written | set(map(stem, written))
        self.pairs = {pair for text in (*names, *texts) for pair in pairs(stems(text))}
        self.wholes = {stems(text) for text in names}
        self.values: dict[str, set[str]] = {}


@dataclass
class Dataset:
    """A group that holds arrays."""

    repo: str
    branch: str
    path: str
    answer: Mapping[str, Any]
    """Its `dict`, or what is stored in this form when xarray cannot open it."""
    above: list[Mapping[str, Any]]
    """Attributes of the groups above it, nearest first."""
    changed: datetime

    @property
    def attributes(self) -> Mapping[str, Any]:
        return self.answer.get("attrs", {})

    @cached_property
    def variables(self) -> dict[str, Any]:
        """Those that measure something first, then pictures, then coordinates."""
        data = self.answer.get("data_vars", {})
        return {**dict(sorted(data.items(), key=lambda item: is_picture(item[1]))), **self.answer.get("coords", {})}

    @property
    def data_count(self) -> int:
        return len(self.answer.get("data_vars", {}))

    @property
    def measured_count(self) -> int:
        """Number of data variables that are no pictures."""
        return sum(not is_picture(variable) for variable in self.answer.get("data_vars", {}).values())

    @cached_property
    def inherited(self) -> dict[str, str | None]:
        """The texts that the nearest group above states, unless the dataset states its own."""
        nearest = {name: next(filter(None, (own_text(group, name) for group in self.above)), None) for name in INHERITED}
        return {name: None if own_text(self.attributes, name) else text for name, text in nearest.items()}

    @cached_property
    def inherited_attributes(self) -> dict[str, Any]:
        """The attributes of the groups above that the dataset does not have, each of the nearest group that has it."""
        above = {name: value for group in reversed(self.above) for name, value in group.items()}
        return {name: value for name, value in above.items() if name not in self.attributes and name not in INHERITED}

    @cached_property
    def texts(self) -> dict[str, str | None]:
        """What results show."""
        return {name: own_text(self.attributes, name) or self.inherited[name] for name in INHERITED}

    @cached_property
    def extent(self) -> Extent:
        return read_extent([self.attributes, *self.above])

    @cached_property
    def places(self) -> tuple[Place, Place, Place, list[Place]]:
        """The names, other texts, inherited texts, and variables."""
        own = {name: own_text(self.attributes, name) for name in INHERITED}
        names = Place([self.repo, self.path.rpartition("/")[2], own["title"]], [self.path])
        others = [text for name, value in self.attributes.items() if name not in INHERITED for text in listed(value)]
        text = Place([], [own["summary"], own["keywords"], *others, *self.answer.get("dims", {})])
        text.values = {name: exact_values(self, name) for name in ("dimension", "institution", "keyword", "licence", "attribute")}
        variables = [variable_place(name, variable) for name, variable in self.variables.items()]
        above = self.inherited_attributes
        inherited = Place([], [*self.inherited.values(), *(text for value in above.values() for text in listed(value))])
        inherited.values = {"attribute": write_attributes(above)}
        return names, text, inherited, variables

    @property
    def all_places(self) -> list[Place]:
        *others, variables = self.places
        return [*others, *variables]


def own_text(attributes: Mapping[str, Any], name: str) -> str | None:
    """A text, or the texts of a list; none if it is empty."""
    value = attributes.get(name)
    return ", ".join(text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)) or None


def listed(value: Any) -> list[str]:
    """A text, or those in a list or an object."""
    inside = value if isinstance(value, list) else value.values() if isinstance(value, dict) else []
    return [value] if isinstance(value, str) else [text for inner in inside for text in listed(inner)]


def is_picture(variable: Mapping[str, Any]) -> bool:
    """Bytes without a unit that are no flags."""
    attributes = variable["attrs"]
    is_stated = isinstance(attributes.get("units"), str) or attributes.keys() & {"flag_values", "flag_masks", "flag_meanings"}
    return variable["dtype"] == "uint8" and not is_stated


def variable_place(name: str, variable: Mapping[str, Any]) -> Place:
    attributes = variable["attrs"]
    named = [text if isinstance(text := attributes.get(key), str) else None for key in ("standard_name", "long_name")]
    others = [text for key, value in attributes.items() if key not in ("standard_name", "long_name") for text in listed(value)]
    place = Place([name, *named], others)
    units = attributes.get("units")
    values = {"variable": name, "dtype": variable["dtype"], "standard_name": named[0]}
    values["units"] = fold_units(units) if isinstance(units, str) and units else None
    place.values = {key: {value} for key, value in values.items() if value}
    return place


def exact_values(dataset: Dataset, parameter: str) -> set[str]:
    """The values of the dataset itself that a parameter is compared with."""
    match parameter:
        case "dimension":
            values = list(dataset.answer.get("dims", {}))
        case "institution":
            values = [next(filter(None, (own_text(group, "institution") for group in (dataset.attributes, *dataset.above))), None)]
        case "keyword":
            values = [word.strip() for word in (dataset.texts["keywords"] or "").split(",")]
        case "licence":
            stated = [text for group in (dataset.attributes, *dataset.above) if (text := own_licence(group))]
            values = [stated[0] if stated else "no licence stated"]
        case _:
            values = write_attributes(dataset.attributes)
    return {value for value in values if isinstance(value, str) and value}


# Texts of random licences, with their identifiers of SPDX.
LICENCES = {
    "CC-BY-4.0": "CC-BY-4.0",
    "CC BY 4.0": "CC-BY-4.0",
    "https://creativecommons.org/licenses/by/4.0/": "CC-BY-4.0",
    "https://creativecommons.org/publicdomain/zero/1.0/legalcode": "CC0-1.0",
    "mit": "MIT",
    "ask the institute": None,
    " ": "",
}


def own_licence(attributes: Mapping[str, Any]) -> str | None:
    """The licence that a group states: its identifier, or its text."""
    texts = (attributes.get(name) for name in ("license", "licence", "rights"))
    text = next((text for text in texts if isinstance(text, str) and text.strip()), None)
    return text and (LICENCES.get(text) or text)


def write_attributes(attributes: Mapping[str, Any]) -> set[str]:
    return {f"{name}={write_json(value)}" for name, value in attributes.items()}


def write_json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
