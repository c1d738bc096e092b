"""Writes the variables of an archive as a table, one in a line."""

from __future__ import annotations

from collections.abc import Mapping

from fixtures.documents import Array, Group

Archive = Mapping[str, Group]
"""The groups of a repository by path; `""` is the root."""

COORDINATES = {
    "time": {"standard_name": "time", "long_name": "time", "units": "hours since 1900-01-01", "axis": "T"},
    "valid_time": {"standard_name": "time", "long_name": "valid time", "units": "seconds since 1970-01-01"},
    "init_time": {"standard_name": "forecast_reference_time", "long_name": "initialization time", "units": "seconds since 1970-01-01"},
    "lead_time": {"standard_name": "forecast_period", "long_name": "forecast lead time", "units": "hours"},
    "latitude": {"standard_name": "latitude", "long_name": "latitude", "units": "degrees_north", "axis": "Y"},
    "longitude": {"standard_name": "longitude", "long_name": "longitude", "units": "degrees_east", "axis": "X"},
    "lat": {"standard_name": "latitude", "long_name": "Latitude", "units": "degrees_north", "axis": "Y"},
    "lon": {"standard_name": "longitude", "long_name": "Longitude", "units": "degrees_east", "axis": "X"},
    "pressure_level": {"standard_name": "air_pressure", "long_name": "pressure", "units": "hPa", "axis": "Z"},
    "depth": {"standard_name": "depth", "long_name": "Depth", "units": "m", "axis": "Z"},
    "x": {"standard_name": "projection_x_coordinate", "long_name": "x coordinate of projection", "units": "m"},
    "y": {"standard_name": "projection_y_coordinate", "long_name": "y coordinate of projection", "units": "m"},
}
"""Attributes of the coordinates that archives have."""


def arrays(table: str, data_type: str = "float32", **sizes: int) -> dict[str, Array]:
    """Make variables with these dimensions, and the coordinates of the dimensions.

    A line of the table has the name, `long_name`, `standard_name` and `units` of a variable, between `|`. What is empty is not stated.
    """
    variables = {}
    for line in filter(None, map(str.strip, table.splitlines())):
        name, *texts = (cell.strip() for cell in line.split("|"))
        attributes = {key: text for key, text in zip(("long_name", "standard_name", "units"), texts, strict=True) if text}
        variables[name] = Array(data_type, tuple(sizes), tuple(sizes.values()), attributes)
    coordinates = {
        name: Array("float64", (name,), (size,), COORDINATES[name]) for name, size in sizes.items() if name in COORDINATES
    }
    return coordinates | variables
