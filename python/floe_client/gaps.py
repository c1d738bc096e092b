"""Labels positions of chunks with the coordinates of their elements."""

from typing import Any

from .errors import CoordinatesError
from .models import ArrayGaps, ChunkGap


class LabelledGap(ChunkGap):
    """A gap, with the coordinates of its first and its last element."""

    values: tuple[Any, Any]
    """The first and the last coordinate."""


def label_gaps(array: ArrayGaps, coordinates: Any) -> list[LabelledGap]:
    """Label the gaps of an array with values of the coordinate along which they are listed.

    Args:
        array: An array of the answer of `Client.gaps`.
        coordinates: The dataset or the variable as xarray opened it, or lists or arrays by the name of their
            dimension. They must be of the same snapshot.

    Raises:
        CoordinatesError: The coordinates do not fit the gaps, or chunks have different sizes.
    """
    dimension = next((one for one in array["dimensions"] if one["name"] == array["along"]), None)
    if dimension is None or not array["gaps"]:
        return []
    name, positions, size = dimension["name"], dimension["positions"], dimension["size"]
    values = _find_values(coordinates, name)
    if size is None:
        raise CoordinatesError(f"the chunks along {name} have different sizes")
    length = len(values)
    if -(-length // size) != positions:
        raise CoordinatesError(
            f"{name} has {length} coordinates, which do not fit {positions} chunks of {size}: is this another snapshot?"
        )
    return [
        {**gap, "values": (values[gap["first"] * size], values[min((gap["last"] + 1) * size, length) - 1])}
        for gap in array["gaps"]
    ]


def _find_values(coordinates: Any, name: str) -> Any:
    # A dataset and a variable of xarray both have `coords`.
    by_name = getattr(coordinates, "coords", coordinates)
    if name not in by_name:
        raise CoordinatesError(f"there are no coordinates of {name}")
    values = by_name[name]
    # Elements of an array of xarray would be arrays again, and those of an index of pandas no values of NumPy.
    return values.to_numpy() if hasattr(values, "to_numpy") else values
