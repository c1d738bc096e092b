"""What comparisons with a server share."""

from __future__ import annotations

from collections import Counter
from typing import Any

import httpx2


class Comparison:
    """Asks a server. Counts what is compared, and what differs."""

    def __init__(self, client: httpx2.Client) -> None:
        self.client = client
        self.counts: Counter[str] = Counter()

    def get(self, address: str, query: dict[str, Any] | None = None) -> str:
        """The text of an answer."""
        response = self.client.get(address, params=query or {})
        if response.status_code != 200:
            raise RuntimeError(f"{address} {query}: {response.status_code} {response.text}")
        return response.text

    def differ(self, difference: str) -> None:
        """Count a difference, and print it at once: a long run may be stopped early."""
        self.counts["differences"] += 1
        print(difference, flush=True)

    def finish(self) -> int:
        """Print the counts. Return the exit code, which tells whether everything agrees."""
        return finish(self.counts)


def finish(counts: Counter[str]) -> int:
    """Print counts. Return the exit code, which tells whether everything agrees."""
    # The line names differences even if there are none.
    print(", ".join(f"{count} {name}" for name, count in sorted({"differences": 0, **counts}.items())))
    return 1 if counts["differences"] else 0
