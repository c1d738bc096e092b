"""Fills paths: FILE, which has the function. Reads paths with names as JSON, and prints addresses; null if refused."""

import json
import runpy
import sys

fill_path = runpy.run_path(sys.argv[1])["fill_path"]


def fill(path: str, names: dict[str, str]) -> str | None:
    try:
        return str(fill_path(path, **names))
    except ValueError:
        return None
    except TypeError as error:
        return f"TypeError: {error}"


print(json.dumps([fill(path, names) for path, names, *_ in json.load(sys.stdin)]))
