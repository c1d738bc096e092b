"""Write test/fixtures anew: repositories by official Icechunk, and what official libraries answer about them.

Run from the project's root: `python scripts/make-fixtures.py [NAME...]`. Snapshot ids are random and times are
those of the run, so every run changes every file of the repositories it writes, and their expected answers with them.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from fixtures.expected import write_expected
from fixtures.many_variables import write_many_variables
from fixtures.operations import write_empty, write_expired, write_expired_v1, write_migrated, write_reset
from fixtures.repository import trim
from fixtures.satellite import write_satellite
from fixtures.types import write_types, write_types_v1
from fixtures.weather import write_weather, write_weather_v1
from fixtures.weather_commits import write_weather_commits

FIXTURES = Path("test/fixtures")

REPOSITORIES: dict[str, Callable[[Path], None]] = {
    "empty": write_empty,
    "expired": write_expired,
    "expired-v1": write_expired_v1,
    "many-variables": write_many_variables,
    "migrated": write_migrated,
    "reset": write_reset,
    "satellite": write_satellite,
    "types": write_types,
    "types-v1": write_types_v1,
    "weather": write_weather,
    "weather-v1": write_weather_v1,
}


def main(names: list[str]) -> None:
    """Rewrite the named repositories, or all of them."""
    if not names:
        shutil.rmtree(FIXTURES / "repositories", ignore_errors=True)
        shutil.rmtree(FIXTURES / "expected", ignore_errors=True)
    (FIXTURES / "expected").mkdir(parents=True, exist_ok=True)
    for name in names or REPOSITORIES:
        directory = FIXTURES / "repositories" / name
        shutil.rmtree(directory, ignore_errors=True)
        REPOSITORIES[name](directory)
        trim(directory)
        write_expected(directory, FIXTURES / "expected" / f"{name}.json")
        print(name)
    if not names or "weather" in names:
        write_weather_commits(FIXTURES / "repositories" / "weather", FIXTURES / "weather-commits")


if __name__ == "__main__":
    main(sys.argv[1:])
