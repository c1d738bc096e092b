"""Compares random histories of both format versions in turn."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from random import Random
from typing import Protocol


class HistoryComparison(Protocol):
    """Writes a history, compares it, and counts what differs as `differences`."""

    @property
    def counts(self) -> Mapping[str, int]: ...

    def compare_history(self, name: str, spec_version: int, random: Random) -> None: ...


def parse_arguments(description: str, histories: int) -> argparse.Namespace:
    """Read how many histories are compared, and `histories` by default."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--histories", type=int, default=histories)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stop-after", type=int, default=10, metavar="N", help="stop after N differences")
    return parser.parse_args()


def compare_histories(comparison: HistoryComparison, arguments: argparse.Namespace) -> None:
    """Compare one history after the other, until there are too many differences."""
    for number in range(arguments.histories):
        # Each history has a generator of its own, so that one can be repeated.
        random = Random(f"{arguments.seed} {number}")
        comparison.compare_history(f"history-{number:04}", 2 - number % 2, random)
        if comparison.counts["differences"] >= arguments.stop_after:
            break
