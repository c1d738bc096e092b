"""Read what Floe writes for the catalogues of others with their own programs.

    npm run compare -- catalogues [--schemas DIRECTORY] [--shapes FILE...]

Needs scripts/compare/requirements.txt. Serves the sample repositories, and others with random attributes, whose
location the operator publishes. pystac walks the catalog of STAC and must find each dataset once; pystac and stac-validator
validate each document with the schemas of STAC and of its extensions; xpystac opens the assets, and must find what xarray
finds. The schemas are loaded from the network, or from `--schemas`, a directory with a file `HOST/PATH` for each address.
mlcroissant reads the documents of Croissant. pyshacl judges the catalogs of DCAT by the SHACL shapes of DCAT-AP 3.0, which
`--shapes` names: https://github.com/SEMICeu/DCAT-AP has them in `releases/3.0.0/shacl/`.
Prints each fault and counts; exits with 1 if there is a fault.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2
import icechunk
import mlcroissant
import numpy as np
import pyshacl
import pystac
import rdflib
import xarray as xr
from pystac.stac_io import DefaultStacIO
from stac_validator.stac_validator import StacValidate

from compare.extents.projected_areas import random_area
from compare.floe_server import DEPLOYMENT, ORG, encode_segment, open_client, serve
from fixtures.repository import commit, create, put_dataset

SAMPLES = Path("test/fixtures/repositories")

TEXTS = ["", " ", "</script><script>", "\ud800", "NaN", "2020-13-45", "0000-01-01", "9999-12-31", "present", "é" * 9_000]
NUMBERS = [0, -90, 90, 91, -180, 180, 359.75, 540, 1e300, -0.0, 12.5]
DATES = ["2020-01-01", "2021-06-30T12:00:00Z", "0001-01-01", "2020-02-30", "20200101", "now"]
CODES = ["EPSG:32632", "epsg:2180", "ESRI:102017", "IAU_2015:30100", 4326]
LICENSES = ["CC-BY-4.0", "cc by 4.0", "https://creativecommons.org/licenses/by/4.0/", "https://example.org/terms", "free"]
NAMES: dict[str, list[Any]] = {
    **dict.fromkeys(["title", "summary", "keywords", "creator_name", "institution", "publisher_name"], ["a, b", ["x", 1]]),
    **{f"geospatial_{axis}_{end}": NUMBERS for axis in ("lat", "lon") for end in ("min", "max")},
    **{f"time_coverage_{edge}": DATES for edge in ("start", "end")},
    "license": LICENSES,
    "proj:code": CODES,
    "doi": ["10.5281/zenodo.1234567", "https://doi.org/10.1000/a(b)", "10.x"],
}


def random_attributes(random: Random) -> dict[str, Any]:
    """Attributes that state facts, and some that only look so."""
    area = random_area(random).document["group"] if random.random() < 0.5 else {}
    chosen = [name for name in NAMES if random.random() < 0.7]
    values = {name: random.choice(NAMES[name] if random.random() < 0.8 else [*TEXTS, *NUMBERS]) for name in chosen}
    # zarr-python cannot write lone surrogates.
    return area | {name: value for name, value in values.items() if value != "\ud800"}


def make_cube(random: Random) -> xr.Dataset:
    """A dataset with the usual coordinates, one of two dimensions, and a dimension without any."""
    values = np.arange(2 * 3 * 4 * 2, dtype="float32").reshape(2, 3, 4, 2)
    return xr.Dataset(
        {"rain": (("time", "lat", "lon", "edge"), values, {"units": "kg m-2", "long_name": "rain"})},
        coords={
            "time": np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[ns]"),
            "lat": ("lat", [50.0, 51.0, 52.0], {"units": "degrees_north"}),
            "lon": ("lon", [0.0, 1.0, 2.0, 3.0], {"standard_name": "longitude"}),
            "level": ("edge", [1.0, 2.0], {"positive": "up", "units": "m"}),
            "area": (("lat", "lon"), np.ones((3, 4)), {"units": "m2"}),
        },
        attrs=random_attributes(random),
    )


def write_repositories(directory: Path, count: int, random: Random) -> None:
    """Write repositories with a dataset in the root and one below it."""
    for number in range(count):
        cube = make_cube(random)
        repository = create(directory / f"cube{number}", spec_version=1 + number % 2)

        def write(store: icechunk.IcechunkStore, cube: xr.Dataset = cube) -> None:
            cube.to_zarr(store, mode="w", zarr_format=3, consolidated=False)
            put_dataset(store, "below/it", cube.assign_attrs(random_attributes(random)))

        commit(repository, "random attributes", write)


def write_name(name: str) -> str:
    """A name as it is in an id."""
    return quote(name, safe="").replace("~", "%7E").replace("%", "!")


class LocalSchemas(DefaultStacIO):
    """Reads schemas from a directory instead of the network."""

    directory: Path | None = None

    def read_text(self, source: Any, *args: Any, **kwargs: Any) -> str:
        file = find_schema(self.directory, str(source))
        return super().read_text(source, *args, **kwargs) if file is None else file.read_text(encoding="utf-8")


def find_schema(directory: Path | None, address: str) -> Path | None:
    """The file that stands for an address; None where there is none."""
    host, path = urlsplit(address)[1:3]
    file = directory / host / path.lstrip("/") if directory and host else None
    return file if file and file.is_file() else None


class Comparison:
    """Counts what was read, and prints faults."""

    def __init__(self, client: httpx2.Client, schemas: Path | None) -> None:
        self.client = client
        self.counts: Counter[str] = Counter()
        files = [path for path in schemas.rglob("*.json")] if schemas else []
        self.schema_map = {f"https://{file.relative_to(schemas).as_posix()}": str(file) for file in files if schemas}

    def report(self, fault: str) -> None:
        self.counts["faults"] += 1
        print(fault)

    def read(self, path: str) -> Any:
        response = self.client.get(path)
        response.raise_for_status()
        return response.json()

    def list_groups(self) -> list[tuple[str, str]]:
        """Repository and path of each dataset."""
        found = []
        for name in self.read("discovery"):
            response = self.client.get(f"discovery/{name}/main")
            found += [(name, group) for group in response.json()] if response.is_success else []
        return found

    def list_datasets(self) -> list[str]:
        """The ids that the collections must have."""
        names = [[ORG, DEPLOYMENT, name, *filter(None, group.split("/"))] for name, group in self.list_groups()]
        return ["~".join(map(write_name, parts)) for parts in names]

    def walk_stac(self) -> None:
        root = pystac.Catalog.from_file(f"{self.client.base_url}stac")
        assert isinstance(root, pystac.Catalog)
        seen: list[str] = []
        for catalog in [root, *root.get_children()]:
            self.validate(catalog)
            for collection in catalog.get_collections():
                seen.append(collection.id)
                self.validate(collection)
                self.open_assets(collection)
        if Counter(seen) != Counter(self.list_datasets()):
            self.report(f"the catalog has {sorted(seen)}, not {self.list_datasets()}")

    def read_croissant(self) -> None:
        for name, group in self.list_groups():
            path = "/".join(map(encode_segment, ["croissant", name, "main", *group.split("/")])).rstrip("/")
            dataset = mlcroissant.Dataset(jsonld=self.read(path))
            self.counts["documents of Croissant"] += 1
            for issue in dataset.metadata.ctx.issues.errors:
                self.report(f"mlcroissant: {name}/{group}: {issue}")

    def read_dcat(self, shapes: list[Path]) -> None:
        graph = rdflib.Graph()
        for file in shapes:
            graph.parse(file)
        found = 0
        for link in self.read("dcat")["dcat:catalog"]:
            response = self.client.get(link["@id"])
            if not response.is_success:
                continue
            data = rdflib.Graph().parse(data=response.text, format="json-ld")
            found += len(set(data.subjects(rdflib.RDF.type, rdflib.DCAT.Dataset)))
            self.counts["catalogs of DCAT"] += 1
            conforms, _, text = pyshacl.validate(data, shacl_graph=graph, advanced=True) if shapes else (True, None, "")
            if not conforms:
                self.report(f"pyshacl: {link['@id']}: {text[:3000]}")
        self.counts["datasets of DCAT"] = found
        if found != len(self.list_groups()):
            self.report(f"DCAT has {found} datasets, not {len(self.list_groups())}")

    def validate(self, document: pystac.STACObject) -> None:
        kind = "collections" if isinstance(document, pystac.Collection) else "catalogs"
        self.counts[kind] += 1
        self.counts["documents with a projection"] += "proj:code" in document.extra_fields
        try:
            document.validate()
        except pystac.STACValidationError as error:
            self.report(f"pystac: {document.id}: {error}")
        stac = StacValidate(schema_map=dict(self.schema_map))
        if not stac.validate_dict(self.read(document.self_href)):
            self.report(f"stac-validator: {document.id}: {json.dumps(stac.message)}")

    def open_assets(self, collection: pystac.Collection) -> None:
        for key, asset in collection.assets.items():
            if "|icechunk://" in asset.href:
                self.counts["assets of groups"] += 1
                continue
            repository = icechunk.Repository.open(icechunk.local_filesystem_storage(urlsplit(asset.href).path))
            session = repository.readonly_session("main")
            expected = xr.open_zarr(session.store, zarr_format=3, consolidated=False)
            self.counts["opened assets"] += 1
            if not xr.open_dataset(asset).identical(expected):
                self.report(f"xpystac: {collection.id}: {key} is another dataset")


def open_locally(bucket: str, prefix: str, **_: Any) -> icechunk.Storage:
    """Stands for `s3_storage`, the only one that xpystac knows."""
    return icechunk.local_filesystem_storage(f"/{prefix}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schemas", type=Path, help="directory with the schemas, by host and path")
    parser.add_argument("--shapes", type=Path, nargs="*", default=[], help="files with the SHACL shapes of DCAT-AP")
    parser.add_argument("--repositories", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    LocalSchemas.directory = arguments.schemas
    pystac.StacIO.set_default(LocalSchemas)
    icechunk.s3_storage = open_locally
    # mlcroissant recommends members that no attribute states.
    logging.getLogger("absl").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as state:
        directory = Path(state) / "repositories"
        write_repositories(directory, arguments.repositories, Random(arguments.seed))
        published = {"storage": "s3", "bucket": "open", "region": "eu-north-1", "anonymous": True}
        configuration = {
            "deployments": [{"name": DEPLOYMENT, "org": ORG, "public": True}],
            "database": f"sqlite:{state}/floe.db",
            "orgs": {
                ORG: {
                    "repositories": [
                        {"scan": str(directory), "open": {**published, "prefix": f"{str(directory)[1:]}/{{name}}"}},
                        {"scan": str(SAMPLES.absolute())},
                    ]
                }
            },
        }
        with serve(configuration, Path(state)) as origin, open_client(origin, DEPLOYMENT) as client:
            comparison = Comparison(client, arguments.schemas)
            comparison.read_croissant()
            comparison.read_dcat(arguments.shapes)
            comparison.walk_stac()
    print(", ".join(f"{count} {name}" for name, count in sorted(comparison.counts.items())))
    sys.exit(1 if comparison.counts["faults"] else 0)


if __name__ == "__main__":
    main()
