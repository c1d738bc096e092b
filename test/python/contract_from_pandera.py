"""Prints as JSON what `contract_from_pandera` makes of a module of Python, or of schemas of every kind."""

import json
import runpy
import sys
from typing import Any

from floe_client import contract_from_pandera

if sys.argv[1:]:
    print(json.dumps(contract_from_pandera(runpy.run_path(sys.argv[1])["schemas"])))
else:
    from pandera.xarray import Check, Coordinate, DataArraySchema, DatasetSchema, DataVar

    first = DataArraySchema(
        dtype=float, dims=["time", None], sizes={"time": None, "lat": 5}, attrs={"units": "K", "title": "T"}
    )
    second = DataVar(
        alias="tp",
        dtype="datetime64",
        dims=("time", "lat"),
        nullable=True,
        chunked=False,
        attrs={"units": "^kg.*", "standard_name": "rain"},
        checks=Check(lambda array: array > 0, name="positive"),
    )
    variables: Any = {"t2m": first, "rain": second, "wind": None, "snow": DataVar(required=False, sizes={"lon": 1})}
    coordinates = {"time": Coordinate(dims=("time",), nullable=True), "lat": Coordinate(coerce=True, nullable=True)}
    root = DatasetSchema(variables, coordinates, dims=["time", "lat"], attrs={"title": "A"}, strict=True)
    below = DatasetSchema(coords=["time"], strict_coords=True)
    print(json.dumps([contract_from_pandera(root), contract_from_pandera({"below": below})]))
