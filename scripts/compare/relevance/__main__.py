"""Ask questions of scientists, and count the right first answers.

    npm run compare -- relevance

Floe serves repositories that have the names, variables and attributes of well-known archives (compare/relevance/archives). Each question of
compare/relevance/questions.py says which dataset must be the first result, and which variable must be the first one that matched. Prints
each wrong answer and the share of right ones; exits with 1 if the share is below 90 %.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from compare.floe_server import serve_directory
from compare.relevance.archives import ARCHIVES
from compare.relevance.questions import QUESTIONS
from compare.search.answers import wait_for_index
from fixtures.documents import Group, hierarchy
from fixtures.repository import commit, create, put_documents

LEAST_SHARE = 0.9


def write_archives(directory: Path) -> dict[tuple[str, str], str]:
    """Write the repositories. Return their snapshots, by repository and branch."""
    snapshots = {}
    for name, groups in ARCHIVES.items():
        repository = create(directory / name)
        snapshot = commit(repository, "write", lambda store: put_documents(store, hierarchy({"": groups.get("", Group())} | groups)))
        snapshots[name, "main"] = snapshot
    return snapshots


def find_unknown() -> list[str]:
    """Answers of the list of questions that no archive has."""
    paths = {"/".join(filter(None, (name, path))): group for name, groups in ARCHIVES.items() for path, group in groups.items()}
    answers = [answer.split(": ") for _, *expected in QUESTIONS for answer in expected]
    return [f"{path}: {variable}" for path, variable in answers if path not in paths or variable not in paths[path].arrays]


def describe(result: dict[str, Any]) -> str:
    """A result in the form of an answer in the list of questions, with its first variable that matched."""
    path = "/".join(filter(None, (result["repo"], result["group"])))
    matched = [variable["name"] for variable in result["variables"] if variable["matched"]]
    return f"{path}: {matched[0] if matched else 'no variable'}"


def ask(client: httpx2.Client, question: str) -> list[str]:
    """The first 100 answers."""
    response = client.get("search", params={"q": question, "limit": "100"})
    response.raise_for_status()
    return [describe(result) for result in response.json()["results"]]


def find_rank(answers: list[str], expected: str) -> str:
    """Where the expected dataset is among the answers."""
    datasets = [answer.split(": ")[0] for answer in answers]
    dataset, variable = expected.split(": ")
    if dataset not in datasets:
        return "not found"
    rank = datasets.index(dataset)
    return f"rank {rank + 1}" + ("" if answers[rank] == expected else f", with {answers[rank].split(': ')[1]} before {variable}")


def main() -> int:
    """Ask all questions; the exit code tells whether enough answers are right."""
    if unknown := find_unknown():
        sys.exit(f"no archive has {', '.join(unknown)}")
    right = 0
    with TemporaryDirectory() as repositories, TemporaryDirectory() as state:
        snapshots = write_archives(Path(repositories))
        with serve_directory(Path(repositories), Path(state)) as client:
            wait_for_index(client, snapshots)
            for question, *expected in QUESTIONS:
                answers = ask(client, question)
                if answers and answers[0] in expected:
                    right += 1
                    continue
                ranks = ", ".join(f"{answer} ({find_rank(answers, answer)})" for answer in expected)
                print(f"{question!r}: expected {ranks}; got {answers[0] if answers else 'nothing'}")
    share = right / len(QUESTIONS)
    print(f"{right} of {len(QUESTIONS)} questions right ({share:.0%})")
    return 0 if share >= LEAST_SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
