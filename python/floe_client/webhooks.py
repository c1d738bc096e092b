"""Verifies notifications by the rules of Standard Webhooks (https://www.standardwebhooks.com)."""

import base64
import binascii
import hmac
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from .errors import WebhookError
from .models import Notification


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes,
    *,
    signing_secrets: Sequence[str],
    secret_token: str | None = None,
    tolerance: float = 300,
    now: Callable[[], float] = time.time,
) -> Notification:
    """Verify who sent a request, and return its notification.

    Accept events and fields that you do not know: a later version of Floe may add some. A request with the header
    `webhook-test: true` is an administrator's test of the webhook.

    Args:
        headers: The headers of the request, in any case.
        body: The body as it was received. Parsing it and writing it again can change its bytes.
        signing_secrets: The signing secret of the webhook, `whsec_` and base64; two during a rotation.
        secret_token: The Secret Token of the webhook, if it has one.
        tolerance: How many seconds the time of the request may differ from the clock.
        now: The clock, in seconds since 1970.

    Raises:
        WebhookError: The request is not genuine, or no notification. Answer 401.
        ValueError: There is no signing secret, one is malformed, or the Secret Token is empty.
    """
    keys = [_decode_key(secret) for secret in signing_secrets]
    if not keys:
        raise ValueError("there is no signing secret")
    if secret_token == "":
        raise ValueError("the Secret Token is empty")
    received = {name.lower(): value for name, value in headers.items()}
    if secret_token is not None and not _are_equal(received.get("x-secret-token", ""), secret_token):
        raise WebhookError("X-Secret-Token is missing or wrong")
    if not _is_recent(received.get("webhook-timestamp", ""), tolerance, now()):
        raise WebhookError("webhook-timestamp is missing, or too far from the clock")
    if not _is_signed(received, body, keys):
        raise WebhookError("webhook-signature is missing or wrong")
    try:
        notification = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise WebhookError("the body is not JSON") from error
    if isinstance(notification, dict) and received.get("content-type", "").startswith("application/cloudevents+json"):
        notification = notification.get("data")
    if not isinstance(notification, dict) or not isinstance(notification.get("event"), str):
        raise WebhookError("the body names no event")
    # The service has signed it, and sends what the types say.
    return cast(Notification, notification)


def _decode_key(secret: str) -> bytes:
    prefix, _, text = secret.partition("_")
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error:
        key = b""
    if prefix != "whsec" or not 24 <= len(key) <= 64:
        # The message does not contain the secret.
        raise ValueError("a signing secret is whsec_ and the base64 of 24 to 64 bytes")
    return key


def _is_recent(timestamp: str, tolerance: float, now: float) -> bool:
    if not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= 12):
        return False
    return abs(now - int(timestamp)) <= tolerance


def _is_signed(headers: Mapping[str, str], body: bytes, keys: Sequence[bytes]) -> bool:
    content = _encode(f"{headers.get('webhook-id', '')}.{headers.get('webhook-timestamp', '')}.") + body
    expected = ["v1," + base64.b64encode(hmac.digest(key, content, "sha256")).decode() for key in keys]
    received = headers.get("webhook-signature", "").split(" ")
    # A list, so that every pair is compared even after one matches.
    return any([_are_equal(one, other) for one in expected for other in received])


def _are_equal(left: str, right: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(_encode(left), _encode(right))


def _encode(text: str) -> bytes:
    # Headers come from anybody, and some servers decode their bytes to lone surrogates.
    return text.encode(errors="surrogatepass")
