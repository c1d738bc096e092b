"""Random areas in reference systems, and the attributes that state them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Any

from pyproj import CRS

WORLD = 20037508.342789244


@dataclass
class Area:
    """A parallelogram in a reference system, and the document of a dataset that states it."""

    kind: str
    crs: Any
    corner: tuple[float, float]
    across: tuple[float, float]
    down: tuple[float, float]
    document: dict[str, Any]
    repeats: bool = False
    """Whether the coordinates are longitudes of a rotated pole."""
    longitude: float | None = None
    """That of a geostationary satellite."""


def random_area(random: Random) -> Area:
    make = random.choice([coded, coded, coded, mapped, mapped])
    return make(random)


# West, south, east and north of where the numbers of a system have a meaning, and the smallest size.
BOUNDS: dict[str, tuple[float, float, float, float, float]] = {
    "4326": (-180, -90, 180, 90, 0.1),
    "utm": (100_000, 0, 900_000, 9_300_000, 1_000),
    "utm south": (100_000, 1_200_000, 900_000, 10_000_000, 1_000),
    "3857": (-WORLD, -WORLD, WORLD, WORLD, 1_000),
    "3031": (-4e6, -4e6, 4e6, 4e6, 1_000),
    "3413": (-4e6, -4e6, 4e6, 4e6, 1_000),
    "3995": (-4e6, -4e6, 4e6, 4e6, 1_000),
    "3035": (2.5e6, 1.4e6, 7.4e6, 5.6e6, 1_000),
    # Elsewhere PROJ takes transformations of other countries, or none.
    "27700": (80_000, 5_000, 600_000, 1_200_000, 1_000),
    "2056": (2_485_000, 1_075_000, 2_834_000, 1_299_000, 1_000),
}


def random_box(random: Random, bounds: tuple[float, float, float, float, float]) -> tuple[float, float, float, float]:
    west, south, east, north, least = bounds
    while True:
        scale = 10 ** random.uniform(-3, 0)
        width, height = scale * (east - west) * random.random(), scale * (north - south) * random.random()
        if width >= least and height >= least:
            x, y = random.uniform(west, east - width), random.uniform(south, north - height)
            return round(x, 4), round(y, 4), round(x + width, 4), round(y + height, 4)


def coded(random: Random) -> Area:
    """An area in a system that has a code."""
    kind = random.choice(list(BOUNDS))
    zone = random.randint(1, 60)
    epsg = {"utm": 32_600 + zone, "utm south": 32_700 + zone}.get(kind) or int(kind)
    forms = [state_by_code, state_by_code, state_by_description, state_by_attribute]
    return state(random, f"EPSG:{epsg}" if "utm" not in kind else kind, epsg, BOUNDS[kind], random.choice(forms)(random, epsg))


def state_by_code(random: Random, epsg: int) -> dict[str, Any]:
    return random.choice(
        [
            {"proj:code": f"EPSG:{epsg}"},
            {"proj:code": f"urn:ogc:def:crs:EPSG::{epsg}"},
            {"proj:code": f"http://www.opengis.net/def/crs/EPSG/0/{epsg}"},
            {"proj:epsg": epsg},
            {"geo": {"proj": {"code": f"EPSG:{epsg}"}}},
        ]
    )


def state_by_description(random: Random, epsg: int) -> dict[str, Any]:
    crs = CRS.from_epsg(epsg)
    return random.choice([{"proj:wkt2": crs.to_wkt()}, {"proj:projjson": crs.to_json_dict()}, {"proj:wkt2": crs.to_wkt(pretty=True)}])


def state_by_attribute(random: Random, epsg: int) -> dict[str, Any]:
    crs = CRS.from_epsg(epsg)
    return random.choice(
        [
            {"crs": f"EPSG:{epsg}"},
            {"crs": f"+init=epsg:{epsg}"},
            {"crs": epsg},
            {"crs_wkt": crs.to_wkt()},
            {"crs_wkt": crs.to_wkt("WKT1_GDAL"), "spatial_ref": crs.to_wkt("WKT1_GDAL")},
            {"spatial_ref": crs.to_wkt("WKT1_GDAL")},
        ]
    )


def random_ellipsoid(random: Random) -> dict[str, float]:
    return random.choice(
        [
            {},
            {"semi_major_axis": 6378137.0, "inverse_flattening": 298.257223563},
            {"semi_major_axis": 6378137.0, "semi_minor_axis": 6356752.31414},
            {"earth_radius": 6371229.0},
            {"semi_major_axis": 6377397.155, "inverse_flattening": 299.1528128},
        ]
    )


def mapped(random: Random) -> Area:
    """An area on a grid mapping of CF."""
    lon, metres = random.uniform(-180, 180), (-2e6, -2e6, 2e6, 2e6, 1_000)
    offsets = random.choice([{}, {"false_easting": 500_000.0, "false_northing": -250_000.0}])
    name = random.choice(list(MAPPINGS))
    mapping, bounds = MAPPINGS[name](random, lon, metres)
    parameters = {"grid_mapping_name": name, **mapping, **random_ellipsoid(random)}
    if name not in ("rotated_latitude_longitude", "geostationary"):
        parameters |= offsets
    area = state(random, name, parameters, bounds, parameters)
    # pyproj takes a list of one parallel for a malformed one.
    parallels = parameters.get("standard_parallel")
    single = {"standard_parallel": parallels[0]} if isinstance(parallels, list) and len(parallels) == 1 else {}
    area.crs = CRS.from_cf({**parameters, **single})
    area.repeats = name == "rotated_latitude_longitude"
    area.longitude = lon if name == "geostationary" else None
    return area


def lambert_conformal(random: Random, lon: float, metres: Any) -> tuple[dict[str, Any], Any]:
    first = random.choice([-1, 1]) * random.uniform(15, 70)
    second = first + random.uniform(0.5, 15)
    parallels = random.choice([first, [first], [first, second], [second, first]])
    lat = first if not isinstance(parallels, list) or len(parallels) == 1 else random.uniform(first, second)
    return {"standard_parallel": parallels, "longitude_of_central_meridian": lon, "latitude_of_projection_origin": lat}, metres


def lambert_azimuthal(random: Random, lon: float, metres: Any) -> tuple[dict[str, Any], Any]:
    return {"latitude_of_projection_origin": random.uniform(-90, 90), "longitude_of_projection_origin": lon}, metres


def polar_stereographic(random: Random, lon: float, metres: Any) -> tuple[dict[str, Any], Any]:
    pole = random.choice([-90.0, 90.0])
    scale = random.choice([{"standard_parallel": math.copysign(random.uniform(50, 85), pole)}, {"scale_factor_at_projection_origin": 0.994}])
    return {"straight_vertical_longitude_from_pole": lon, "latitude_of_projection_origin": pole, **scale}, metres


def rotated_pole(random: Random, lon: float, _: Any) -> tuple[dict[str, Any], Any]:
    turned = random.choice([{}, {"north_pole_grid_longitude": random.uniform(-180, 180)}])
    pole = {"grid_north_pole_latitude": random.uniform(5, 85), "grid_north_pole_longitude": lon, **turned}
    return pole, random.choice([(-60, -60, 60, 60, 0.1), (180, -80, 358, 80, 0.1)])


def mercator(random: Random, lon: float, _: Any) -> tuple[dict[str, Any], Any]:
    scale = random.choice([{"standard_parallel": random.uniform(-60, 60)}, {"scale_factor_at_projection_origin": 1.0}])
    return {"longitude_of_projection_origin": lon, **scale}, (-9e6, -9e6, 9e6, 9e6, 1_000)


def transverse_mercator(random: Random, lon: float, _: Any) -> tuple[dict[str, Any], Any]:
    origin = {"latitude_of_projection_origin": random.uniform(-80, 80), "longitude_of_central_meridian": lon}
    return {**origin, "scale_factor_at_central_meridian": 0.9996}, (-1e6, -3e6, 1e6, 3e6, 1_000)


def geostationary(random: Random, lon: float, _: Any) -> tuple[dict[str, Any], Any]:
    sweep = {"sweep_angle_axis": random.choice(["x", "y"])}
    view = {"perspective_point_height": 35_786_023.0, "longitude_of_projection_origin": lon, "latitude_of_projection_origin": 0.0}
    return {**view, **sweep}, random.choice([(-5.5e6, -5.5e6, 5.5e6, 5.5e6, 1_000), (-3e6, -3e6, 3e6, 3e6, 1_000)])


MAPPINGS = {
    "lambert_conformal_conic": lambert_conformal,
    "lambert_azimuthal_equal_area": lambert_azimuthal,
    "polar_stereographic": polar_stereographic,
    "rotated_latitude_longitude": rotated_pole,
    "mercator": mercator,
    "transverse_mercator": transverse_mercator,
    "geostationary": geostationary,
}


def state(random: Random, kind: str, crs: Any, bounds: Any, system: dict[str, Any]) -> Area:
    """States a box of a system in one of the forms of products."""
    west, south, east, north = random_box(random, bounds)
    rows, columns = random.randint(2, 10_980), random.randint(2, 10_980)
    height, width = (north - south) / rows, (east - west) / columns
    form = random.choice(["spatial:bbox", "proj:bbox", "spatial", "spatial", "proj", "gdal", "gdal", "rasterio"])
    if kind == "EPSG:4326" or form.endswith("bbox") or (form == "rasterio" and "crs" not in system):
        name = form if form.endswith("bbox") else random.choice(["spatial:bbox", "proj:bbox"])
        stated = random.choice([[west, south, east, north], [west, south, -5.0, east, north, 1e3]])
        document = random.choice([on_group, on_variable, on_mapping])({**system}, {name: stated}, (rows, columns))
        return Area(kind, crs, (west, south), (east - west, 0), (0, north - south), document)
    a, b, c, d, e, f = width, 0.0, west, 0.0, -height, north
    if random.random() < 0.3:
        angle = random.uniform(-0.5, 0.5)
        a, b, d, e = a * math.cos(angle), -e * math.sin(angle), a * math.sin(angle), e * math.cos(angle)
    node = form == "spatial" and random.random() < 0.3
    size = (columns - 1, rows - 1) if node else (columns, rows)
    if form == "gdal":
        text = random.choice([str, list])
        values = [c, a, b, f, d, e]
        stated: dict[str, Any] = {"GeoTransform": " ".join(map(repr, values)) if text is str else values}
        document = on_mapping({**system, **stated}, {}, (rows, columns))
    elif form == "rasterio":
        document = on_variable(system, {"transform": [a, b, c, d, e, f]}, (rows, columns))
    elif form == "proj":
        matrix = random.choice([[a, b, c, d, e, f], [a, b, c, d, e, f, 0, 0, 1]])
        document = random.choice([on_group, on_variable])(system, {"proj:transform": matrix, "proj:shape": [rows, columns]}, (rows, columns))
    else:
        shape = {"spatial:shape": [rows, columns]} if random.random() < 0.7 else {}
        registration = {"spatial:registration": "node"} if node else random.choice([{}, {"spatial:registration": "pixel"}])
        stated = {"spatial:transform": [a, b, c, d, e, f], **shape, **registration, "spatial:dimensions": ["y", "x"]}
        document = random.choice([on_group, on_variable])(system, stated, (rows, columns))
    return Area(kind, crs, (c, f), (a * size[0], d * size[0]), (b * size[1], e * size[1]), document)


def describe_variable(shape: tuple[int, int], attributes: dict[str, Any]) -> dict[str, Any]:
    return {"name": "data", "dimensions": ["time", "y", "x"], "shape": [3, *shape], "attributes": attributes}


def on_group(system: dict[str, Any], area: dict[str, Any], shape: tuple[int, int]) -> dict[str, Any]:
    return {"group": {**system, **area}, "variables": [describe_variable(shape, {"units": "K"})]}


def on_variable(system: dict[str, Any], area: dict[str, Any], shape: tuple[int, int]) -> dict[str, Any]:
    return {"group": {}, "variables": [describe_variable(shape, {**system, **area})]}


def on_mapping(system: dict[str, Any], area: dict[str, Any], shape: tuple[int, int]) -> dict[str, Any]:
    """The system is stated by a variable of its own."""
    mapping = {"name": "spatial_ref", "dimensions": [], "shape": [], "attributes": system}
    return {"group": area, "variables": [describe_variable(shape, {"grid_mapping": "spatial_ref"}), mapping]}
