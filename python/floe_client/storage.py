"""Opens a dataset with icechunk and xarray, where the service publishes how."""

from typing import TYPE_CHECKING, Any

from .errors import StorageNotPublishedError
from .models import PublishedStorage

if TYPE_CHECKING:
    import xarray


def open_snapshot(storage: PublishedStorage, snapshot_id: str, group: str) -> "xarray.Dataset":
    """Open a group of a snapshot. Raises ImportError if icechunk or xarray is not installed."""
    import icechunk
    import xarray

    if storage["storage"] not in ("s3", "gcs", "azure", "http"):
        # A later version of the service may send others.
        raise StorageNotPublishedError(f"this version of floe-client cannot open {storage['storage']}")
    repository = icechunk.Repository.open(_open_storage(icechunk, storage))
    session = repository.readonly_session(snapshot_id=snapshot_id)
    dataset: xarray.Dataset = xarray.open_zarr(session.store, group=group or None, consolidated=False)
    return dataset


def _open_storage(icechunk: Any, storage: PublishedStorage) -> Any:
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
