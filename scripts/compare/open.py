"""Open every sample repository by its one address in Floe, with official Icechunk, and compare it with the repository itself.

    npm run compare -- open [DIRECTORY]

A web server offers the repositories, which Floe's redirects lead to. The head of each branch and tag is compared, and each
dataset of `main`, with all values, as xarray opens it through the address and from the directory. Both may refuse a dataset,
for the same reason. Another directory with repositories can be named. Prints each difference and a line of counts; exits with
1 if there are any.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote, urlsplit

import httpx2
import icechunk
import xarray as xr

from compare.comparison import Comparison
from compare.floe_server import DEPLOYMENT, ORG, encode_segment, open_client, serve

SAMPLES = Path("test/fixtures/repositories")
MOST_BYTES = 2**30


class FileHandler(BaseHTTPRequestHandler):
    """Serves files whole or in ranges, which Icechunk needs and Python's own server does not have."""

    protocol_version = "HTTP/1.1"

    def __init__(self, directory: Path, *arguments: object) -> None:
        self.directory = directory
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        file = self.directory / unquote(urlsplit(self.path).path).lstrip("/")
        if not file.is_file():
            self.send_error(404)
            return
        content = file.read_bytes()
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        begin, end = (int(asked[1]), int(asked[2] or len(content) - 1) + 1) if asked else (0, len(content))
        part = content[begin:end]
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {begin}-{begin + len(part) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(part)))
        self.send_header("Last-Modified", self.date_time_string(int(file.stat().st_mtime)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(part)

    do_HEAD = do_GET

    def log_message(self, format: str, *_: object) -> None:
        pass


@contextmanager
def serve_files(directory: Path) -> Iterator[str]:
    """Serve a directory on a free port. Return the origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(FileHandler, directory)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def read(repository: icechunk.Repository, group: str) -> xr.Dataset | str:
    """A dataset with its values, or the class of the reason why there is none."""
    store = repository.readonly_session("main").store
    try:
        dataset = xr.open_zarr(store, group=group or None, consolidated=False, chunks=None)
        return dataset.load() if dataset.nbytes <= MOST_BYTES else "TooLarge"
    except Exception as error:
        return type(error).__name__


class OpenComparison(Comparison):
    """Compares one repository after the other."""

    def __init__(self, client: httpx2.Client, directory: Path) -> None:
        super().__init__(client)
        self.directory = directory

    def compare(self, name: str) -> None:
        segment = encode_segment(name)
        address = json.loads(self.get(f"repositories/{segment}"))["open_address"]
        through = icechunk.Repository.open(icechunk.redirect_storage(address))
        stored = icechunk.Repository.open(icechunk.local_filesystem_storage(str(self.directory / name)))
        self.counts["repositories"] += 1
        refs = json.loads(self.get(f"discovery/{segment}"))
        for branch in refs["branches"]:
            self.expect(f"{name}: branch {branch}", through.lookup_branch(branch) == stored.lookup_branch(branch))
        for tag in refs["tags"]:
            self.expect(f"{name}: tag {tag}", through.lookup_tag(tag) == stored.lookup_tag(tag))
        for group in json.loads(self.get(f"discovery/{segment}/main")):
            found, expected = read(through, group), read(stored, group)
            if isinstance(found, str) or isinstance(expected, str):
                self.counts["datasets that both refuse"] += found == expected
                self.expect(f"{name}/{group}: {found}, not {expected}", found == expected)
            else:
                self.counts["datasets"] += 1
                self.expect(f"{name}/{group} is another dataset", found.identical(expected))

    def expect(self, what: str, holds: bool) -> None:
        if not holds:
            self.differ(what)


def main() -> int:
    """Run the comparison; the exit code tells whether everything agrees."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", nargs="?", type=Path, default=SAMPLES, help="where the repositories are")
    directory = parser.parse_args().directory.absolute()
    icechunk.set_logs_filter("off")
    # The samples have what xarray warns about.
    warnings.simplefilter("ignore")
    with TemporaryDirectory() as state, serve_files(directory) as files:
        source = {"scan": str(directory), "open": {"storage": "http", "url": f"{files}/{{name}}"}}
        configuration = {
            "database": f"sqlite:{state}/floe.db",
            "deployments": [{"name": DEPLOYMENT, "org": ORG, "public": True}],
            "orgs": {ORG: {"repositories": [source]}},
        }
        with serve(configuration, Path(state)) as origin, open_client(origin, DEPLOYMENT) as client:
            comparison = OpenComparison(client, directory)
            for name in client.get("discovery").raise_for_status().json():
                comparison.compare(name)
    return comparison.finish()


if __name__ == "__main__":
    sys.exit(main())
