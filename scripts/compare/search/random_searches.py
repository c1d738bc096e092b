"""Random searches for datasets of compare/search/random_datasets.py."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

from compare.search.random_datasets import INSTITUTIONS, STANDARD_NAMES, TYPES, UNITS, VARIABLES, WORDS, random_text

VERSIONS = ("1", "true", "null", "[1,2]", '{"of":"Gr\\u00f6\\u00dfe"}')
"""As JSON, which is ASCII."""


def random_query(random: Random, commits: Sequence[datetime]) -> dict[str, Any]:
    """The parameters of a search, without those that choose repositories. `commits` are the times of all commits."""
    west = random.randint(-180, 179)
    values = {
        "q": random_words(random),
        "variable": random.sample(VARIABLES, 3),
        "standard_name": random.sample(STANDARD_NAMES, 2),
        "units": random.sample(UNITS, 2),
        "dimension": random.sample(("lat", "lon", "time", "level"), 2),
        "dtype": random.sample((*TYPES, "datetime64[ns]"), 3),
        "institution": random.sample(INSTITUTIONS, 2),
        "keyword": random.sample(WORDS, 4),
        "licence": random.sample(("CC-BY-4.0", "CC0-1.0", "MIT", "ask the institute", "no licence stated"), 2),
        "attribute": [f"version={random.choice(VERSIONS)}", "source=air"],
        "bbox": f"{west},{random.randint(-90, 0)},{(west + 280) % 360 - 180},{random.randint(1, 90)}",
        "time": random.choice(("1990/2000-02", "2000-02-29/..", "../1995-06-01", "1991/1994")),
        "changed_since": random_instant(random, commits),
        "changed_before": random_instant(random, commits),
    }
    others = sorted(values.keys() - {"q"})
    chosen = (["q"] if random.random() < 0.75 else []) + random.sample(others, random.choice((0, 0, 0, 1, 1, 2)))
    return {key: values[key] for key in chosen} | ({"sort": "changed"} if random.random() < 0.15 else {})


def random_words(random: Random) -> str:
    """Words, phrases and beginnings. Most occur in some dataset."""
    text = random_text(random)
    word, other = random.sample(WORDS, 2)
    texts = (
        *(word, f"{word} {other}", f"{other} {word} ", random.choice(VARIABLES), random.choice(STANDARD_NAMES)),
        *(text, f"{text} ", text[: random.randint(1, 9)], text.upper(), f'"{text}"', f'"{word} {other}"', f'{text} "{word}"'),
        *(f"{word} {other[:2]}", f"{word} zephyr", f"{word} temperatrue", f"zephyr {word} zephyr", f'"{word}', f"{word} .", ""),
    )
    return random.choice(texts)


def random_instant(random: Random, commits: Sequence[datetime]) -> str:
    """The time of a commit, or the milliseconds beside it."""
    at = random.choice(commits) + timedelta(milliseconds=random.choice((-1, 0, 1)))
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"
