"""Random datasets for comparisons of search: their names and texts come from small pools, so that searches find several."""

from __future__ import annotations

from random import Random
from typing import Any

from compare.search.dataset_oracle import LICENCES
from compare.search.extent_oracle import EDGES
from fixtures.documents import Array, Group

WORDS = (
    *("air", "sea", "surface", "temperature", "temperatures", "wind", "winds", "wind_speed", "windSpeed", "gases", "gas", "analysis"),
    *("analyses", "emission", "emissions", "emissions2020", "metre", "meters", "m", "2m", "2 m", "T2M", "era5", "era"),
    *("SSTMean", "Größe", "größe", "温度", "a_b", "x"),
)
VARIABLES = ("t2m", "u10m", "airTemp", "air_temperature", "sst", "wind", "winds", "lat", "lon", "time", "温度", "größe")
STANDARD_NAMES = ("air_temperature", "sea_surface_temperature", "wind_speed", "latitude", "x wind")
UNITS = (
    *("K", "kelvin", "degK", "degC", "°C", "Celsius", "m s-1", "m/s", "m s**-1", "m.s^-1", "meters per second", "kg m-2 s-1", "kg/m2/s"),
    *("W/m^2", "W m**-2", "%", "percent", "1", "dimensionless", "s/s-1", "dbar", "decibar", "ppm", "ppmv", "psu", 'it\'s "quoted"', "days since 2000-01-01"),
)
TYPES = ("float32", "float64", "int16", "int64", "uint8", "bool")
INSTITUTIONS = ("Institute of Air", "Meeresinstitut Größe", "x")
TIMES = ("1990", "1995-06", "2000-02-29", "2010-12", "2020-12-31", "20050607", "20100131T120000Z")
PATHS = ("", "daily", "Europe", "Europe/hourly", "Europe/hourly/gusts", "runs/air_temp", "Messung")
SIZES = {"lat": 2, "lon": 3, "time": 4, "level": 1}


def random_text(random: Random) -> str:
    return random.choice((" ", " ", ", ", "-", "; ")).join(random.choices(WORDS, k=random.randint(1, 4)))


def random_texts(random: Random) -> Any:
    """A text, or a list with texts."""
    return random.choice((random_text(random), random_text(random), [random_text(random), 1, random.choice(WORDS)]))


def random_group(random: Random) -> Group:
    """A group with some arrays. Some cannot be opened, because their dimensions have several sizes."""
    count = random.randint(1, 4) if random.random() < 0.93 else random.randint(17, 80)
    names = [*random.sample(VARIABLES, min(count, 5)), *(f"{random.choice(VARIABLES)}_{number}" for number in range(5, count))]
    return Group({name: random_array(random, name) for name in names}, random_attributes(random))


def random_array(random: Random, name: str) -> Array:
    dimensions = (name,) if name in SIZES else tuple(random.sample(sorted(SIZES), random.randint(0, 2)))
    options = {
        "standard_name": random.choice(STANDARD_NAMES),
        "units": random.choice(UNITS),
        "long_name": random.choice((random_text(random), random.choice(WORDS))),
        "comment": random_texts(random),
    }
    kept = {key: value for key, value in options.items() if random.random() < 0.6}
    kind = random.choice(TYPES[:5] if str(kept.get("units", "")).startswith("days since") else TYPES)
    is_odd = random.random() < 0.03
    return Array(kind, dimensions, tuple(SIZES[dimension] + is_odd for dimension in dimensions), kept)


def random_attributes(random: Random) -> dict[str, Any]:
    """Attributes of a group."""
    west, south = random.randint(-180, 179), random.randint(-80, 60)
    edges = (west, south, random.choice((west + 30, (west + 210) % 360 - 180)), south + 20)
    options: dict[str, Any] = {
        "title": random_text(random),
        "summary": random_texts(random),
        "keywords": random.choice((", ".join(random.sample(WORDS, 3)), random.sample(WORDS, 2), "")),
        "institution": random.choice(INSTITUTIONS),
        random.choice(("license", "licence", "rights")): random.choice((*LICENCES, 1)),
        "source": random_texts(random),
        "version": random.choice((1, "1", True, None, [1, 2], {"of": "Größe"})),
        "time_coverage_start": random.choice(TIMES),
        "time_coverage_end": random.choice((*TIMES, "unknown", "present")),
        "time_coverage_duration": random.choice(("P1M", "P18M", "long")),
        **random_box(random, edges),
    }
    share = random.choice((0.2, 0.6))
    return {key: value for key, value in options.items() if random.random() < share}


def random_box(random: Random, edges: tuple[int, ...]) -> dict[str, Any]:
    """Attributes that state a box in one of the forms that Floe reads."""
    west, south, east, north = edges
    corners = ((south, west), (south, east), (north, east), (north, west), (south, west))
    item = {"bbox": list(edges), "properties": {"datetime": random.choice(TIMES)}}
    forms: tuple[dict[str, Any], ...] = (
        {"bbox": random.choice((list(edges), "everywhere"))},
        dict(zip(EDGES[0], edges)),
        dict(zip(EDGES[1], edges)),
        {"spatial:bbox": list(edges), "proj:code": random.choice(("EPSG:4326", "EPSG:32632"))},
        {"stac_discovery": random.choice((item, {"properties": {"start_datetime": "1998", "end_datetime": "2001-05"}}))},
        {"geospatial_bounds": f"POLYGON (({", ".join(f"{latitude} {longitude}" for latitude, longitude in corners)}))"},
    )
    return random.choice(forms)
