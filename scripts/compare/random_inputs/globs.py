"""Makes random patterns that match some paths of a repository, and often none."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from compare.random_inputs.node_changes import NAMES


def random_filter(random: Random, paths: Sequence[str]) -> list[str]:
    """A list of patterns."""
    return [random_glob(random, random.choice(paths)) for _ in range(random.choice((1, 1, 1, 2, 3)))]


def random_glob(random: Random, path: str) -> str:
    """A pattern made of a path."""
    segments = [random_segment(random, name) for name in path.split("/")]
    if random.random() < 0.2:
        segments.insert(random.randint(0, len(segments)), "**")
    if random.random() < 0.2:
        segments = [*segments[: random.randint(1, len(segments))], "**"]
    return "/".join(segments) or random.choice(("*", "?", "*/**"))


def random_segment(random: Random, name: str) -> str:
    """A name, another one, or a pattern of it."""
    chance = random.random()
    if chance < 0.65 or not name:
        return name
    if chance < 0.75:
        return random.choice(NAMES)
    at = random.randrange(len(name))
    return random.choice(("*", "**", f"{name[:at]}*", f"*{name[at + 1 :]}", f"{name[:at]}?{name[at + 1 :]}"))
