"""Webhooks with filters, before repositories whose branches and tags change at random."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from typing import Any, Protocol

from compare.notifications.event_oracle import Event, EventOracle, Filter
from compare.notifications.ref_changes import RandomRefChanges
from compare.oracles.path_oracle import sort_moves

ALL = ("NewCommit", "BranchCreated", "BranchDeleted", "TagCreated", "TagDeleted")

# The first webhook of each list gets every event of what is watched, so that each change is seen before the next.
# Here it watches every branch but `scratch`.
FILTERS = {
    "everything": Filter(ALL, ("main", "dev*", "dev/**", "r**")),
    "default": Filter(),
    "changes": Filter(branches=("main", "release/*", "rc-?"), include_changes=True),
    "below-a": Filter(branches=("**/?", "dev*", "main"), paths=("a/**",), include_changes=True),
    "some-names": Filter(("NewCommit", "BranchDeleted"), ("r**", "dev"), ("**/b", "?/*", "x y/**/Z*")),
    "branches": Filter(("BranchCreated", "BranchDeleted"), ("dev*",)),
    "tags": Filter(("TagCreated", "TagDeleted")),
}
# Neither tags nor most branches are watched, and no webhook selects `main`.
FEW = {
    "everything": Filter(ALL[:3], ("rc-*", "release/**")),
    "paths": Filter(branches=("rc-1", "release/2/**"), paths=("*", "**/ä"), include_changes=True),
}

# The version of the format and the webhooks by alias. A repository of version 1 is migrated on its way.
SUBSCRIBED: dict[str, tuple[int, dict[str, Filter]]] = {
    "refs-version-2": (2, FILTERS),
    "refs-version-1": (1, FILTERS),
    "few-version-2": (2, FEW),
    "few-version-1": (1, FEW),
}


class Received(Protocol):
    """A request that a receiver got."""

    @property
    def headers(self) -> dict[str, str]: ...

    @property
    def body(self) -> str: ...


class Receiver(Protocol):
    """Keeps what it gets, by path."""

    def next(self, path: str) -> Received | None: ...

    def is_empty(self, path: str) -> bool: ...


class Subscribed:
    """Compares what the webhooks of one repository get with what official Icechunk says has happened."""

    def __init__(self, name: str, repositories: Path, seed: int) -> None:
        self.name = name
        spec_version, self.filters = SUBSCRIBED[name]
        self.random = Random(f"{seed} {name}")
        self.changing = RandomRefChanges(repositories / name, spec_version, self.random)
        for _ in range(12):
            self.changing.change()
        self.oracle = EventOracle(self.changing, [*self.filters.values()])
        self.repo_id: str | None = None
        self.ids: dict[tuple[str, str, int], str] = {}
        self.counts: Counter[str] = Counter()
        self.payloads: list[str] = []
        self.differences: list[str] = []

    def change(self, times: int, down: Callable[[], AbstractContextManager[None]], receiver: Receiver) -> None:
        """Change the repository `times` times, and compare what comes after each. Stops at the first difference."""
        self._compare(receiver)
        for number in range(1, times + 1):
            if self.differences:
                break
            if number == times // 2 and self.changing.spec_version == 1:
                self.changing.migrate()
            if number % 10 == 0:
                # Much can happen between two polls.
                with down():
                    for _ in range(self.random.randint(2, 8)):
                        self.changing.change()
            else:
                self.changing.change()
            self._compare(receiver)
        for alias in self.filters:
            if not receiver.is_empty(f"{self.name}/{alias}"):
                self.differences.append(f"{self.name}/{alias}: more came than was expected")
        for name, count in sorted(self.counts.items()):
            print(f"{self.name:16} {count:5} x {name}")

    def _compare(self, receiver: Receiver) -> None:
        steps = len(self.changing.steps)
        events = self.oracle.poll()
        self.counts.update(f"event {event.name}" for event in events)
        for alias, each in self.filters.items():
            selected = [event for event in events if each.selects(event)]
            received = [receiver.next(f"{self.name}/{alias}") for _ in selected]
            self.counts[f"notification to {alias}"] += len(selected)
            found = by_ref(self._read(one) for one in received if one is not None)
            expected = by_ref(self._expect(each, event) for event in selected)
            if found != expected:
                lately = "\n".join(self.changing.steps[max(0, steps - 12) : steps])
                self.differences.append(f"{self.name}/{alias} after\n{lately}\ngot {found}\nand not {expected}")

    def _read(self, received: Received) -> tuple[str, int, str]:
        """The branch or tag, its sequence, and the body, whose id is the same for all receivers of an event."""
        payload = json.loads(received.body)
        self.payloads.append(received.body)
        details = payload["details"]
        self.repo_id = self.repo_id or details["repo_id"]
        if details.get("changes"):
            sort_moves(details["changes"])
        ref = f"tag {details['tag']}" if "tag" in details else f"branch {details['branch']}"
        sequence = int(received.headers["webhook-sequence"])
        return ref, sequence, json.dumps(payload)

    def _expect(self, each: Filter, event: Event) -> tuple[str, int, str]:
        repository = {"org_name": "acme", "repo_name": self.name, "repo_id": self.repo_id}
        # As a text, because the order of the members counts too.
        body = json.dumps({"event": event.name, "details": {**repository, **each.details(event)}})
        return f"{event.kind} {event.ref}", event.sequence, body


def by_ref(notifications: Iterable[tuple[str, int, str]]) -> Mapping[str, list[tuple[int, str]]]:
    """The notifications of each branch and tag, in order."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for ref, *rest in notifications:
        found[ref].append((rest[0], rest[1]))
    return found
