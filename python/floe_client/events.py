"""Follows the stream of events, and reconnects when necessary."""

import json
import logging
import random
import time
from collections.abc import Iterator
from typing import NamedTuple, cast, get_args, get_type_hints

import httpx

from .errors import FloeError, ProblemResponseError, UnexpectedResponseError
from .models import Notification
from .query import Query
from .transport import Transport

_log = logging.getLogger("floe_client")

# A connection without data for this long, in seconds, counts as lost. The service sends a heartbeat every 15 seconds.
_SILENCE = 45.0
# The first wait before a reconnection, in seconds, and the longest. It doubles with each failure.
_FIRST_WAIT, _MAX_WAIT = 0.25, 30.0
# The longest wait that an answer can ask for, in seconds.
_MAX_RETRY_AFTER = 600.0
# Longest event in bytes. The service sends at most 256,000 bytes of JSON.
_MAX_EVENT_BYTES = 1_048_576
# Statuses of a service or a proxy that is busy or restarting.
_TRANSIENT_STATUSES = frozenset({408, 429, 502, 503, 504})


class RecordedEvent(NamedTuple):
    """A recorded event."""

    id: str
    """Position of the event. Store it to continue later with `after`."""
    notification: Notification
    """The notification that webhooks receive, without `details.changes`."""


class _Message(NamedTuple):
    """A message of the stream. Without data, it only says which position the stream has reached."""

    id: str | None
    event: str
    data: str


def follow_events(transport: Transport, path: str, query: Query) -> Iterator[RecordedEvent]:
    """Yield the events, and reconnect when the connection is lost. Raises problems that a retry cannot fix."""
    known = {name for kind in get_args(Notification) for name in get_args(get_type_hints(kind)["event"])}
    last: str | None = None
    failures = 0
    while True:
        headers = {} if last is None else {"last-event-id": last}
        retry_after = 0.0
        reason: object = "the connection ended"
        try:
            response = transport.open_stream(path, query, headers, _SILENCE)
            try:
                for message in _read_messages(response.iter_bytes()):
                    failures = 0
                    last = message.id or last
                    # Skip events that a newer service added, as a receiver does.
                    if message.id and message.data and message.event in known:
                        yield RecordedEvent(message.id, _parse(message.data))
            finally:
                response.close()
        except ProblemResponseError as error:
            if error.status not in _TRANSIENT_STATUSES:
                raise
            retry_after = error.retry_after or 0.0
            reason = error
        except UnexpectedResponseError as error:
            if error.status not in _TRANSIENT_STATUSES:
                raise
            reason = error
        except httpx.TransportError as error:
            # Some of them have no message.
            reason = str(error) or repr(error)
        failures += 1
        wait = min(_FIRST_WAIT * 2 ** min(failures - 1, 16), _MAX_WAIT) * (0.5 + random.random())
        wait += min(retry_after, _MAX_RETRY_AFTER)
        _log.warning("The stream of events is interrupted, and is opened again in %.1f s: %s", wait, reason)
        time.sleep(wait)


def _parse(data: str) -> Notification:
    try:
        # The service sends what the types say.
        return cast(Notification, json.loads(data))
    except ValueError as error:
        raise FloeError("an event of the stream is not JSON") from error


def _read_messages(chunks: Iterator[bytes]) -> Iterator[_Message]:
    """Read the messages of Server-Sent Events. Lines end with LF or CRLF, as the service and proxies send them."""
    buffer = b""
    message_id: str | None = None
    event = "NewCommit"
    data: list[str] = []
    for chunk in chunks:
        *lines, buffer = (buffer + chunk).split(b"\n")
        if len(buffer) + sum(map(len, data)) > _MAX_EVENT_BYTES:
            raise FloeError("an event of the stream is too long")
        for line in lines:
            field, _, value = line.removesuffix(b"\r").decode(errors="replace").partition(":")
            value = value.removeprefix(" ")
            if field == "id":
                message_id = value
            elif field == "event":
                event = value
            elif field == "data":
                data.append(value)
            elif not line.strip():
                if message_id is not None or data:
                    yield _Message(message_id, event, "\n".join(data))
                message_id, event, data = None, "NewCommit", []
