"""Labels gaps with coordinates of each kind. Prints the values of each gap, or the error, a line for each kind."""

import sys
from typing import Any

from floe_client import CoordinatesError, label_gaps
from floe_client.models import ArrayGaps

# Gaps along a time of 10 elements in chunks of four, of which the last has two.
ARRAY: ArrayGaps = {
    "path": "forecast/temperature",
    "along": "time",
    "chunks": {"written": 3, "total": 6},
    "reason": None,
    "outside": 0,
    "last_written": 2,
    "gaps": [{"first": 0, "last": 0, "written": 0, "total": 2}, {"first": 1, "last": 2, "written": 1, "total": 2}],
    "patterns": [],
    "dimensions": [
        {"name": "time", "positions": 3, "size": 4, "profile": None},
        {"name": "lead", "positions": 2, "size": 1, "profile": None},
    ],
}
HOURS = list(range(10))


def show(array: ArrayGaps, coordinates: Any) -> None:
    try:
        labelled = label_gaps(array, coordinates)
        print([(gap["first"], gap["last"], *map(str, gap["values"])) for gap in labelled])
    except CoordinatesError as error:
        print(error)


if sys.argv[1:] == ["xarray"]:
    import xarray

    times = xarray.date_range("2026-11-10", periods=10, unit="s")
    dataset = xarray.Dataset({"t": ("time", HOURS)}, coords={"time": times})
    show(ARRAY, dataset)
    show(ARRAY, dataset["t"])
    show(ARRAY, {"time": dataset["time"]})
    show(ARRAY, {"time": dataset["time"].values})
    # A dimension without a coordinate, which xarray would number.
    show(ARRAY, dataset.drop_vars("time"))
else:
    show(ARRAY, {"time": HOURS, "lead": []})
    show({**ARRAY, "gaps": []}, {})
    show(ARRAY, {"lead": HOURS})
    show(ARRAY, {"time": HOURS[:8]})
    show(ARRAY, {"time": [*HOURS, 10, 11, 12]})
    show({**ARRAY, "dimensions": [{**ARRAY["dimensions"][0], "size": None}]}, {"time": HOURS})
