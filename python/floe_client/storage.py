"""Opens repositories with icechunk, where the service publishes how."""

from typing import TYPE_CHECKING, Any

from .errors import StorageNotPublishedError
from .models import PublishedStorage, RepositorySummary

if TYPE_CHECKING:
    import icechunk


def open_repository(summary: RepositorySummary, *, is_public: bool, options: dict[str, Any]) -> "icechunk.Repository":
    """Open a repository by its one address, or by what the service publishes if that leads nowhere or needs a key."""
    try:
        import icechunk
    except ImportError as error:
        raise ImportError("to open repositories, install icechunk: pip install 'floe-client[xarray]'") from error
    # Icechunk takes a key only in the address, which its errors would show.
    if is_public and (address := summary["open_address"]) is not None:
        storage = icechunk.redirect_storage(address)
    elif (published := summary["open"]) is not None:
        storage = _open_storage(icechunk, published)
    else:
        raise StorageNotPublishedError(f"the service does not publish where {summary['name']} is stored")
    return icechunk.Repository.open(storage, **options)


def _open_storage(icechunk: Any, storage: PublishedStorage) -> Any:
    if storage["storage"] not in ("s3", "gcs", "azure", "http"):
        # A later version of the service may send others.
        raise StorageNotPublishedError(f"this version of floe-client cannot open {storage['storage']}")
    if storage["storage"] == "http":
        return icechunk.http_storage(storage["url"])
    # Without anonymous access, readers have credentials of their own, which icechunk finds.
    access = {"anonymous": True} if storage["anonymous"] else {"from_env": True}
    if storage["storage"] == "gcs":
        return icechunk.gcs_storage(bucket=storage["bucket"], prefix=storage["prefix"], **access)
    if storage["storage"] == "azure":
        return icechunk.azure_storage(
            account=storage["account"], container=storage["container"], prefix=storage["prefix"], **access
        )
    endpoint = storage["endpoint"]
    return icechunk.s3_storage(
        bucket=storage["bucket"],
        prefix=storage["prefix"],
        region=storage["region"],
        endpoint_url=endpoint,
        allow_http=endpoint is not None and endpoint.startswith("http:"),
        force_path_style=storage["path_style"],
        **access,
    )
