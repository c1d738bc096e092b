"""What a search finds: the rules of docs/internals/search.md, applied to one `dict` answer after the other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compare.search.dataset_oracle import Dataset, Place, exact_values
from compare.search.extent_oracle import boxes_meet, instant, parse_box, parse_span, times_meet
from compare.search.text_oracle import fold_units, pairs, split_words, stem

EXACT = ("variable", "standard_name", "units", "dimension", "dtype", "institution", "keyword", "licence", "attribute")

Query = Mapping[str, Any]


@dataclass(frozen=True)
class Word:
    """A word of a query."""

    text: str
    is_beginning: bool = False
    """Whether somebody may still be typing it."""

    def is_in(self, place: Place) -> bool:
        return stem(self.text) in place.words or (self.is_beginning and any(word.startswith(self.text) for word in place.words))


@dataclass(frozen=True)
class Asked:
    """The words, phrases and exact values of a query."""

    words: list[Word]
    phrases: list[tuple[str, ...]]
    values: dict[str, set[str]]
    name: str | None
    """What a variable that is named as the query is called."""

    @property
    def stems(self) -> tuple[str, ...]:
        return tuple(stem(word.text) for word in self.words)

    def found_in(self, place: Place) -> set[Any]:
        """Which words (by their numbers) and which parameters of exact values a place has."""
        words = {number for number, word in enumerate(self.words) if word.is_in(place)}
        return words | {name for name, values in self.values.items() if values & place.values.get(name, set())}


def parse(query: Query) -> Asked:
    """Read a query. The 20 first words count, those between quotes after the others."""
    text = query.get("q", "")
    quoted = [split_words(phrase) for phrase in re.findall(r'"([^"]*)"', text)]
    words = [Word(word) for word in split_words(re.sub(r'"[^"]*"', " ", text))]
    if words and len(words[-1].text) > 1 and unicodedata.category(text[-1])[0] in "LMN":
        words[-1] = Word(words[-1].text, is_beginning=True)
    words += [Word(word) for phrase in quoted for word in phrase]
    values = {name: set(map(fold_units, query[name]) if name == "units" else query[name]) for name in EXACT if name in query}
    return Asked(words[:20], [tuple(map(stem, phrase[:20])) for phrase in quoted], values, text.strip() if len(text.split()) == 1 else None)


@dataclass
class Found:
    dataset: Dataset
    score: int
    matched: list[str]
    """The variables with the most words and values, best first."""


def find(dataset: Dataset, asked: Asked) -> Found | None:
    """Compare a dataset with the words and values of a query."""
    names, _, _, variables = dataset.places
    everywhere = dataset.all_places
    found = [asked.found_in(place) for place in everywhere]
    if set().union(*found) != {*range(len(asked.words)), *asked.values}:
        return None
    for phrase in asked.phrases:
        if not any(place.pairs.issuperset(pairs(phrase)) for place in everywhere):
            return None
    in_names, in_text, _, *in_variables = found
    data, measured = dataset.data_count, dataset.measured_count
    worths = [8 * len(has) + extra(place, asked) for has, place in zip(in_variables[:measured], variables)]
    worths += [4 * len(has) for has in in_variables[measured:]]
    for number, name in enumerate(list(dataset.variables)[:data]):
        worths[number] += 64 * (name == asked.name)
    best = worths.index(max(worths)) if any(worths) else None
    score = extra(names, asked) + (0 if best is None else worths[best])
    for number, word in enumerate(asked.words):
        score += word.text != stem(word.text) and any(word.text in place.words for place in everywhere)
        if best is None or number not in in_variables[best]:
            score += 6 if number in in_names else 3 if number in in_text.union(*in_variables) else 1
    if data > 0 and measured == 0:
        score //= 2
    # Coordinates only if no data variable has any.
    listed = in_variables[:data] if any(in_variables[:data]) else in_variables
    most = max(map(len, listed), default=0)
    matched = [number for number, has in enumerate(listed) if most and len(has) == most]
    matched.sort(key=lambda number: (-worths[number], -extra(variables[number], asked), number))
    return Found(dataset, score, [list(dataset.variables)[number] for number in matched])


def extra(place: Place, asked: Asked) -> int:
    """What words that follow each other are worth, and parts of the query (of its first six words) that are a whole name."""
    neighbours = sum(pair in place.pairs for pair in pairs(asked.stems))
    parts = [asked.stems[start:end] for start in range(6) for end in range(start + 1, 7) if end <= len(asked.stems)]
    return 2 * neighbours + sum(2 + 2 * len(part) for part in parts if part in place.wholes)


def scan(datasets: Iterable[Dataset], query: Query) -> dict[str, Any]:
    """Look at every dataset."""
    datasets = list(datasets)
    asked = parse(query)
    found, without = [], 0
    for one in filter(None, (find(dataset, asked) for dataset in datasets)):
        if not meets_change(one.dataset.changed, query):
            continue
        extent = one.dataset.extent
        if ("bbox" in query and extent.box is None) or ("time" in query and not any(extent.span)):
            without += 1
        elif ("bbox" not in query or boxes_meet(extent.box, parse_box(query["bbox"]))) and (
            "time" not in query or times_meet(extent.span, parse_span(query["time"]))
        ):
            found.append(one)
    found.sort(key=lambda one: order(one, query))
    return {
        "results": [show(one) for one in found],
        "total": len(found),
        "without_extent": without if "bbox" in query or "time" in query else None,
        "facets": {name: count(found, name) for name in EXACT[:-1]},
        "unknown": [] if found else list(unknown_words(datasets, asked)),
    }


def meets_change(changed: datetime, query: Query) -> bool:
    """`changed_since` includes its instant; `changed_before` does not."""
    since, before = (instant(query[name], False) if name in query else None for name in ("changed_since", "changed_before"))
    return (since is None or changed >= since) and (before is None or changed < before)


def order(found: Found, query: Query) -> tuple[Any, ...]:
    """By score, then with fewer variables first; or by last change, to the second; then by name."""
    dataset = found.dataset
    best = (-found.score, min(len(dataset.variables), 255))
    if query.get("sort") == "changed":
        best = (-int(dataset.changed.timestamp()), 0)
    return *best, dataset.repo.encode(), dataset.branch.encode(), dataset.path.encode()


def show(found: Found) -> dict[str, Any]:
    """The parts of a result that a scan knows."""
    dataset, matched = found.dataset, found.matched[:20]
    variables = [*matched, *(name for name in list(dataset.variables)[:20] if name not in matched)][:20]
    return {
        "dataset": [dataset.repo, dataset.branch, dataset.path],
        "title": dataset.texts["title"],
        "summary": dataset.texts["summary"],
        "extent": dataset.extent.show(),
        "changed": dataset.changed.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "matched": [[name, name in found.matched] for name in variables],
        "count": len(dataset.variables),
    }


def count(found: Iterable[Found], name: str) -> list[list[Any]]:
    """The most frequent values of a facet: of the variables that matched, or else of the first ones."""
    counts: dict[str, int] = {}
    for one in found:
        for value in counted_values(one, name):
            counts[value] = counts.get(value, 0) + 1
    return [[value, counts[value]] for value in sorted(counts, key=lambda value: (-counts[value], value))[:20]]


def counted_values(found: Found, name: str) -> set[str]:
    dataset = found.dataset
    if name in ("institution", "keyword", "licence"):
        return exact_values(dataset, name)
    chosen = found.matched[:64] or list(dataset.variables)[:16]
    if name == "dimension":
        return {dimension for variable in chosen for dimension in dataset.variables[variable]["dims"]}
    numbers = [list(dataset.variables).index(variable) for variable in chosen]
    return set().union(*(dataset.places[3][number].values.get(name, set()) for number in numbers))


def unknown_words(datasets: list[Dataset], asked: Asked) -> Iterator[str]:
    """The words that no dataset has, at most five."""
    places = [place for dataset in datasets for place in dataset.all_places]
    unknown = [word.text for word in asked.words if not any(map(word.is_in, places))]
    yield from list(dict.fromkeys(unknown))[:5]
