"""Compare the boxes that Floe reads from projected areas with those of PROJ.

    npm run compare -- extents [--areas N] [--seed N]

Makes random boxes, transforms and grid mappings in reference systems that Floe knows, in the forms in which products state them. pyproj
projects thousands of points of each side, and more around each extreme. Prints each area whose box differs by more than 1e-6 degrees, and
counts; exits with 1 if there is one. Of areas that go beyond the horizon of a satellite, points inside are projected, which is less exact.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from random import Random
from typing import Any

import numpy as np
from pyproj import CRS, Transformer

from compare.extents.projected_areas import Area, random_area
from compare.floe_server import NODE

PROGRAM = (*NODE, "scripts/compare/extents/read-extents.ts")

TOLERANCE = 1e-6
STEPS = 4_000
CORNERS = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]

Box = tuple[float, float, float, float]


def place(area: Area, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    (x, y), (across_x, across_y), (down_x, down_y) = area.corner, area.across, area.down
    return x + u * across_x + v * down_x, y + u * across_y + v * down_y


def sides(area: Area, transformer: Transformer) -> tuple[np.ndarray, np.ndarray]:
    """Longitudes, which go on past 180, and latitudes: along the sides, and densely around the extremes of each."""
    edges = []
    for (from_u, from_v), (to_u, to_v) in zip(CORNERS, CORNERS[1:]):
        along = np.linspace(0, 1, STEPS + 1)
        for extremes in (False, True):
            lon, lat = transformer.transform(*place(area, from_u + along * (to_u - from_u), from_v + along * (to_v - from_v)))
            if not extremes and np.isfinite(lon).all():
                unwrapped = np.unwrap(lon, period=360)
                found = {f(a) for f in (np.argmin, np.argmax) for a in (unwrapped, lat)}
                finer = [np.linspace(along[max(i - 1, 0)], along[min(i + 1, STEPS)], 400) for i in found]
                along = np.unique(np.concatenate([along, *finer]))
        edges.append((lon, lat))
    lon, lat = (np.concatenate([edge[part] for edge in edges]) for part in (0, 1))
    return np.unwrap(lon, period=360) if np.isfinite(lon).all() else lon, lat


def holds(area: Area, transformer: Transformer, pole: float) -> bool:
    x, y = transformer.transform(0, pole, direction="INVERSE")
    matrix = np.array([area.across, area.down]).T
    for turn in (-360, 0, 360) if area.repeats else (0,):
        u, v = np.linalg.solve(matrix, np.array([x + turn, y]) - np.array(area.corner)) if np.isfinite(x) else (-1, -1)
        if 0 < u < 1 and 0 < v < 1:
            return True
    return False


def expect(area: Area, transformer: Transformer) -> Box | None:
    lon, lat = sides(area, transformer)
    if not (np.isfinite(lon).all() and np.isfinite(lat).all()):
        return None
    poles = [pole for pole in (-90, 90) if holds(area, transformer, pole)]
    south, north = min(lat.min(), *poles, 90), max(lat.max(), *poles, -90)
    west, east = lon.min(), lon.max()
    if poles or abs(lon[-1] - lon[0]) > 180 or east - west >= 360 - TOLERANCE:
        return -180, south, 180, north
    west += -360 * np.floor((west + 180) / 360)
    return west, south, west + (lon.max() - lon.min()), north


def expect_inside(area: Area, transformer: Transformer) -> Box | None:
    """The box of points inside: of what a satellite sees."""
    u, v = np.meshgrid(np.linspace(0, 1, 1_001), np.linspace(0, 1, 1_001))
    lon, lat = transformer.transform(*place(area, u.ravel(), v.ravel()))
    seen = np.isfinite(lon)
    if not seen.any():
        return None
    centre = area.longitude
    lon = centre + (lon[seen] - centre + 180) % 360 - 180
    west = lon.min() - 360 * np.floor((lon.min() + 180) / 360)
    return west, lat[seen].min(), west + lon.max() - lon.min(), lat[seen].max()


def differs(found: list[float] | None, expected: Box | None, tolerance: float) -> bool:
    if found is None or expected is None:
        return found is not expected
    # The same place may be -180 and 180.
    turn = 360 * round((found[0] - expected[0]) / 360)
    moved = [found[0] - turn, found[1], found[2] - turn, found[3]]
    return max(abs(one - other) for one, other in zip(moved, expected)) > tolerance


def judge(area: Area, found: list[float] | None) -> tuple[str, Any]:
    """What kind of comparison it was, and the expected box if it differs."""
    transformer = Transformer.from_crs(CRS.from_user_input(area.crs), CRS.from_epsg(4326), always_xy=True)
    expected = expect(area, transformer)
    if expected is None and area.longitude is not None:
        inside = expect_inside(area, transformer)
        return "beyond the horizon", inside if differs(found, inside, 5) else None
    return area.kind, (expected or "none") if differs(found, expected, TOLERANCE) else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--areas", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = Random(options.seed)
    areas = [random_area(random) for _ in range(options.areas)]
    asked = "".join(json.dumps(area.document) + "\n" for area in areas)
    answered = subprocess.run(PROGRAM, input=asked, capture_output=True, text=True, check=True, env=os.environ)
    counts: Counter[str] = Counter()
    faults = 0
    for area, line in zip(areas, answered.stdout.splitlines(), strict=True):
        found = json.loads(line)
        kind, expected = judge(area, found)
        counts[kind] += 1
        counts["without a box"] += found is None
        if expected is not None:
            faults += 1
            print(f"{area.kind}: {json.dumps(area.document)[:1500]}\n  Floe {found}, PROJ {expected}")
    for kind, count in sorted(counts.items()):
        print(f"{count:6} {kind}")
    print(f"{options.areas} areas, {faults} boxes differ")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
