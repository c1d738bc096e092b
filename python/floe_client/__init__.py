"""Reads the metadata of Icechunk repositories from a Floe service, administers it, and verifies its webhooks."""

from .admin_client import AdminClient
from .client import Client
from .contracts import contract_from_pandera
from .errors import (
    CoordinatesError,
    FloeError,
    NotSignedInError,
    ProblemResponseError,
    StorageNotPublishedError,
    UnexpectedResponseError,
    WebhookError,
)
from .events import RecordedEvent
from .gaps import LabelledGap, label_gaps
from .login import stored_login
from .transport import Versioned
from .webhooks import verify_webhook

__all__ = [
    "AdminClient",
    "Client",
    "CoordinatesError",
    "FloeError",
    "LabelledGap",
    "NotSignedInError",
    "ProblemResponseError",
    "RecordedEvent",
    "StorageNotPublishedError",
    "UnexpectedResponseError",
    "Versioned",
    "WebhookError",
    "contract_from_pandera",
    "label_gaps",
    "stored_login",
    "verify_webhook",
]
