"""Reads the metadata of Icechunk repositories from a Floe service, and verifies its webhooks."""

from .client import Client
from .errors import (
    CoordinatesError,
    FloeError,
    ProblemResponseError,
    StorageNotPublishedError,
    UnexpectedResponseError,
    WebhookError,
)
from .events import RecordedEvent
from .gaps import LabelledGap, label_gaps
from .webhooks import verify_webhook

__all__ = [
    "Client",
    "CoordinatesError",
    "FloeError",
    "LabelledGap",
    "ProblemResponseError",
    "RecordedEvent",
    "StorageNotPublishedError",
    "UnexpectedResponseError",
    "WebhookError",
    "label_gaps",
    "verify_webhook",
]
