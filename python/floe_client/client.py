"""The client for readers."""

from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Self, Unpack, cast

from . import models
from .addresses import check_base_url, fill_path, split_group
from .errors import StorageNotPublishedError
from .events import RecordedEvent, follow_events
from .query import write_query
from .storage import open_snapshot
from .transport import Transport

if TYPE_CHECKING:
    import xarray


class Client:
    """Asks one deployment of a Floe service about its repositories.

    Answers are the JSON of the service, with the types of `floe_client.models`. A rejected request raises a
    `ProblemResponseError`, and a failure of the network an error of httpx. A name that no address can contain raises a
    ValueError.
    """

    def __init__(
        self, *, base_url: str, deployment: str, org: str, api_key: str | None = None, timeout: float = 30
    ) -> None:
        """Create a client. It connects with the first request.

        Args:
            base_url: Address of the service, which ends in `/v1`.
            deployment: Name of the deployment.
            org: Name of the organisation.
            api_key: An API key of the organisation. A public deployment needs none.
            timeout: Time limit in seconds for each step of a request: to connect, to send and to receive.

        Raises:
            ValueError: `base_url` is not the address of a service, or no address can contain a name.
        """
        self._transport = Transport(check_base_url(base_url), org=org, api_key=api_key, timeout=timeout)
        self._path = fill_path("services/:deployment/:org/_meta", deployment=deployment, org=org)

    def __repr__(self) -> str:
        return f"<floe_client.Client of {self._transport.base_url}/{self._path}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def repositories(self) -> models.RepositoryList:
        """Return the names of the repositories."""
        return cast(models.RepositoryList, self._transport.get(self._fill("/discovery")))

    def repository(self, repo: str) -> models.RepositorySummary:
        """Return status, metadata and branches of a repository, and where to open it."""
        return cast(models.RepositorySummary, self._transport.get(self._fill("/repositories/:repo", repo=repo)))

    def refs(self, repo: str) -> models.RefList:
        """Return the branches and tags of a repository."""
        return cast(models.RefList, self._transport.get(self._fill("/discovery/:repo", repo=repo)))

    def datasets(self, repo: str, ref: str, group: str = "") -> models.DatasetList:
        """Return the paths of the groups that are datasets: all of them, or `group` and those below it."""
        path = self._fill("/discovery/:repo/:ref", repo=repo, ref=ref)
        return cast(models.DatasetList, self._transport.get(path, {"group": group or None}))

    def info(self, repo: str, ref: str, group: str = "") -> models.DatasetInfo:
        """Return dimensions, variables and attributes of a dataset, as xpublish gives them."""
        path = self._fill("/datasets/:repo/:ref/:group/info", repo=repo, ref=ref, group=group)
        return cast(models.DatasetInfo, self._transport.get(path))

    def keys(self, repo: str, ref: str, group: str = "") -> models.DatasetKeys:
        """Return the names of the variables of a dataset."""
        path = self._fill("/datasets/:repo/:ref/:group/keys", repo=repo, ref=ref, group=group)
        return cast(models.DatasetKeys, self._transport.get(path))

    def dict(self, repo: str, ref: str, group: str = "") -> models.DatasetDict:
        """Return a dataset as xarray's `to_dict(data=False)` gives it."""
        path = self._fill("/datasets/:repo/:ref/:group/dict", repo=repo, ref=ref, group=group)
        return cast(models.DatasetDict, self._transport.get(path))

    def search(self, **query: Unpack[models.SearchQuery]) -> Iterator[models.FoundDataset]:
        """Iterate over the datasets that match. All conditions must hold; of several values of one, any is enough."""
        before = None
        while True:
            page = self.search_page(before=before, **query)
            yield from page["results"]
            before = page["next"]
            if before is None:
                return

    def search_page(
        self, *, limit: int | None = None, before: str | None = None, **query: Unpack[models.SearchQuery]
    ) -> models.SearchAnswer:
        """Return a page of the datasets that match, with counts. The `next` of a page is the `before` of the next."""
        parameters = {**write_query(query), "limit": limit, "before": before}
        return cast(models.SearchAnswer, self._transport.get(self._fill("/search"), parameters))

    def history(
        self, repo: str, ref: str, *, before: str | None = None, **query: Unpack[models.HistoryQuery]
    ) -> Iterator[models.HistoryCommit]:
        """Iterate over the commits of a ref, newest first; with `before`, a snapshot id, from its parent on."""
        path = self._fill("/history/:repo/:ref", repo=repo, ref=ref)
        while True:
            parameters = {**write_query(query), "before": before}
            page = cast(models.HistoryPage, self._transport.get(path, parameters))
            yield from page["commits"]
            before = page["next"]
            if before is None:
                return

    def diff(self, repo: str, before: str, after: str, *, manifests: bool = False) -> models.Diff:
        """Return what changed between two refs or snapshots; with `manifests`, also stored bytes and filled gaps."""
        path = self._fill("/diff/:repo/:from/:to", repo=repo, **{"from": before}, to=after)
        return cast(models.Diff, self._transport.get(path, {"manifests": "true" if manifests else None}))

    def compatibility(self, repo: str, before: str, after: str, group: str = "") -> models.Compatibility:
        """Return whether the changes between two refs or snapshots break readers, by dataset."""
        path = self._fill("/compatibility/:repo/:from/:to", repo=repo, **{"from": before}, to=after)
        return cast(models.Compatibility, self._transport.get(path, {"group": group or None}))

    def gaps(
        self,
        repo: str,
        ref: str,
        group: str = "",
        *,
        path: str | None = None,
        along: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> models.Gaps:
        """Return a page of arrays with the positions along a dimension whose chunks are not written.

        Positions are those of chunks: `label_gaps` adds values of coordinates. The `next` of a page is the `after` of
        the next.
        """
        query = {"group": group or None, "path": path, "along": along, "limit": limit, "after": after}
        return cast(models.Gaps, self._transport.get(self._fill("/gaps/:repo/:ref", repo=repo, ref=ref), query))

    def events(self, *, after: str | None = None, **query: Unpack[models.EventsQuery]) -> Iterator[RecordedEvent]:
        """Follow the events of the repositories that the key may read.

        The iterator reconnects, with increasing waits, when the connection is lost or the service restarts, and
        continues after the last event: each event comes once and in order. Before it reconnects, it logs a warning to
        `floe_client` with the reason, such as a host name that does not resolve. It raises problems that a retry cannot
        fix.
        `after` is the `id` of the last handled event; `0` begins with the oldest recorded one. By default, only new
        events come.
        """
        return follow_events(self._transport, self._fill("/events"), {**write_query(query), "after": after}, after)

    def open_dataset(self, repo: str, ref: str, group: str = "") -> "xarray.Dataset":
        """Open a dataset with icechunk and xarray, at the snapshot that the ref points to now.

        Needs `pip install floe-client[xarray]`.

        Raises:
            StorageNotPublishedError: The service does not publish where the repository is stored.
            ImportError: icechunk or xarray is not installed.
        """
        path = self._fill("/datasets/:repo/:ref/:group/keys", repo=repo, ref=ref, group=group)
        _, headers = self._transport.get_response(path)
        storage = self.repository(repo)["open"]
        if storage is None:
            raise StorageNotPublishedError(f"the service does not publish where {repo} is stored")
        return open_snapshot(storage, headers["floe-snapshot"], "/".join(split_group(group)))

    def _fill(self, path: str, **names: str) -> str:
        return self._path + fill_path(path, **names)
