"""The client for readers."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .addresses import split_group
from .methods import ReaderMethods
from .storage import open_repository
from .transport import Connected, Transport

if TYPE_CHECKING:
    import icechunk
    import xarray


class Client(ReaderMethods, Connected):
    """Asks one deployment of a Floe service about its repositories.

    Answers are the JSON of the service, with the types of `floe_client.models`. A rejected request raises a
    `ProblemResponseError`, and a failure of the network an error of httpx. A name that no address can contain raises a
    ValueError.
    """

    def __init__(
        self,
        *,
        base_url: str,
        deployment: str,
        org: str,
        api_key: str | None = None,
        auth: str | Callable[[], str] | None = None,
        timeout: float = 30,
    ) -> None:
        """Create a client. It connects with the first request.

        Args:
            base_url: Address of the service, which ends in `/v1`.
            deployment: Name of the deployment.
            org: Name of the organisation.
            api_key: An API key of the organisation. A public deployment needs none.
            auth: In place of `api_key`: a token of an issuer that the service takes, or a function that returns one.
                The function is called for each request, so it can renew a token that expires.
            timeout: Time limit in seconds for each step of a request: to connect, to send and to receive.

        Raises:
            ValueError: `base_url` is not the address of a service, no address can contain a name, or both `api_key`
                and `auth` are given.
        """
        names = {"deployment": deployment, "org": org}
        super().__init__(Transport(base_url, names, api_key=api_key, auth=auth, timeout=timeout))

    def open_good(self, repo: str, branch: str = "main") -> str:
        """Return the id of the snapshot that is the last good head of a branch, with which icechunk opens it.

        `readonly_session(snapshot_id=floe.open_good("weather"))` keeps this snapshot, whatever is committed later.
        Raises a `ProblemResponseError` that says why if no head is good.
        """
        return self._find_snapshot("/checks/:repo/:ref", repo=repo, ref=f"{branch}@good")

    def open(self, repo: str, **options: Any) -> "icechunk.Repository":
        """Open a repository with icechunk, wherever it is stored.

        Needs `pip install floe-client[xarray]`.

        Args:
            repo: Name of the repository.
            options: Arguments of `icechunk.Repository.open`, such as `authorize_virtual_chunk_access`.

        Raises:
            StorageNotPublishedError: The service does not publish where the repository is stored.
            ImportError: icechunk is not installed.
        """
        return open_repository(self.repository(repo), is_public=self._transport.is_public, options=options)

    def open_dataset(self, repo: str, ref: str, group: str = "") -> "xarray.Dataset":
        """Open a dataset with icechunk and xarray, at the snapshot that the ref points to now.

        Needs `pip install floe-client[xarray]`.

        Raises:
            StorageNotPublishedError: The service does not publish where the repository is stored.
            ImportError: icechunk or xarray is not installed.
        """
        snapshot = self._find_snapshot("/datasets/:repo/:ref/:group/keys", repo=repo, ref=ref, group=group)
        session = self.open(repo).readonly_session(snapshot_id=snapshot)
        import xarray

        path = "/".join(split_group(group))
        dataset: xarray.Dataset = xarray.open_zarr(session.store, group=path or None, consolidated=False)
        return dataset

    def _find_snapshot(self, path: str, **names: str) -> str:
        _, headers = self._transport.send("GET", f"/v1/services/:deployment/:org/_meta{path}", names)
        return str(headers["floe-snapshot"])
