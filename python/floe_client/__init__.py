"""Reads the metadata of Icechunk repositories from a Floe service, and verifies its webhooks."""

from .client import Client
from .errors import FloeError, ProblemResponseError, StorageNotPublishedError, UnexpectedResponseError, WebhookError
from .events import RecordedEvent
from .webhooks import verify_webhook

__all__ = [
    "Client",
    "FloeError",
    "ProblemResponseError",
    "RecordedEvent",
    "StorageNotPublishedError",
    "UnexpectedResponseError",
    "WebhookError",
    "verify_webhook",
]
