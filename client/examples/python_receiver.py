"""Receives notifications with Python, verifies who sent them, and checks them against the published JSON Schema.

Needs `pip install jsonschema`. The schema is what `npx floe schema` prints and /v1/schemas/notification.json serves.
FLOE_SIGNING_SECRET may hold several secrets with spaces between them, while one is exchanged for another.
FLOE_SECRET_TOKEN is the secret token of the webhook, if it has one.

Run: FLOE_SECRET_TOKEN=... FLOE_SIGNING_SECRET=whsec_... PORT=3000 python python_receiver.py notification.schema.json
"""

import base64
import hmac
import json
import os
import sys
import time
import traceback
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

TOLERANCE_SECONDS = 300
MAX_BYTES = 1_048_576
# An error message of jsonschema repeats the wrong value, which may be the whole body.
MAX_DETAIL = 300


def decode_signing_key(secret: str) -> bytes:
    """Decode the key in a signing secret, which is `whsec_` and the base64 of 24 to 64 bytes."""
    prefix, _, text = secret.partition("_")
    key = base64.b64decode(text, validate=True)
    if prefix != "whsec" or not 24 <= len(key) <= 64:
        raise ValueError("a signing secret is whsec_ and the base64 of 24 to 64 bytes")
    return key


def has_token(headers: Mapping[str, str], token: str) -> bool:
    """Whether the request has the secret token. The time that this takes reveals nothing about the token."""
    return hmac.compare_digest(headers.get("X-Secret-Token", "").encode("latin-1"), token.encode())


def is_signed(headers: Mapping[str, str], body: bytes, keys: list[bytes]) -> bool:
    """Whether one of the keys signed id, time and body, and the time differs from the clock by at most five minutes."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= 12):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    content = f"{message_id}.{timestamp}.".encode("latin-1") + body
    expected = [b"v1," + base64.b64encode(hmac.digest(key, content, "sha256")) for key in keys]
    received = headers.get("webhook-signature", "").encode("latin-1").split(b" ")
    # Use a list, so that every pair is compared even after one matches.
    return any([hmac.compare_digest(one, other) for one in expected for other in received])


class RejectedError(Exception):
    """The request is rejected with this status and reason."""

    def __init__(self, status: HTTPStatus, detail: str) -> None:
        super().__init__(detail)
        self.status = status


class Receiver(BaseHTTPRequestHandler):
    server: "Server"
    # Time limit of each read, in seconds.
    timeout = 10

    def do_POST(self) -> None:
        try:
            notification = self.server.parse(self.read_genuine_body())
            if self.headers.get("webhook-test") == "true":
                # An administrator tries the webhook; no head has moved.
                print("accepted a test", flush=True)
            elif notification["event"] == "NewCommit":
                self.on_new_commit(notification["details"])
            else:
                # A later version of Floe may send more events. Accept them: a rejected delivery would be sent again.
                print(f"ignored the event {notification['event']!r}", flush=True)
        except RejectedError as rejection:
            self.send_error(rejection.status, explain=str(rejection))
        except Exception:
            traceback.print_exc()
            self.send_error(HTTPStatus.INTERNAL_SERVER_ERROR, explain="The notification could not be handled.")
        else:
            self.send_response(HTTPStatus.NO_CONTENT)
            self.end_headers()

    def on_new_commit(self, details: dict[str, Any]) -> None:
        """Handle a head move. The same webhook-id may come again, and comes again after an exception."""
        print(f"{self.headers['webhook-id']}: {details['repo_name']} is now at {details['snapshot_id']}", flush=True)

    def read_genuine_body(self) -> bytes:
        """Read the body and verify who sent it."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            raise RejectedError(HTTPStatus.LENGTH_REQUIRED, "Content-Length is missing or malformed.")
        if len(length) > 12 or int(length) > MAX_BYTES:
            raise RejectedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"The body is longer than {MAX_BYTES} bytes.")
        # Read the body before rejecting a request: closing a connection with unread bytes may lose the answer.
        body = self.rfile.read(int(length))
        if self.server.token and not has_token(self.headers, self.server.token):
            raise RejectedError(HTTPStatus.UNAUTHORIZED, "X-Secret-Token is missing or wrong.")
        if not is_signed(self.headers, body, self.server.keys):
            detail = "The signature is missing, wrong, or more than 5 minutes away from this receiver's clock."
            raise RejectedError(HTTPStatus.UNAUTHORIZED, detail)
        return body

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with a problem (RFC 9457). http.server calls this too, for requests that never reach do_POST."""
        # http.server answers 501 to every method without a do_METHOD here.
        status = HTTPStatus.METHOD_NOT_ALLOWED if code == HTTPStatus.NOT_IMPLEMENTED else HTTPStatus(code)
        detail = explain or message or status.description
        body = json.dumps({"type": "about:blank", "title": status.phrase, "status": status, "detail": detail}).encode()
        self.send_response(status)
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "POST")
        self.send_header("Content-Type", "application/problem+json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(ThreadingHTTPServer):
    """A server with the secrets and the schema that the receiver needs."""

    def __init__(self, port: int, token: str, keys: list[bytes], schema: Any) -> None:
        super().__init__(("127.0.0.1", port), Receiver)
        self.token = token
        self.keys = keys
        # One for each event that the schema knows, because the errors of the whole schema would not say what is wrong.
        self.validators = {
            name: Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})
            for name in (event["$ref"].removeprefix("#/$defs/") for event in schema["oneOf"])
        }

    def parse(self, body: bytes) -> dict[str, Any]:
        """Parse a notification: an event that the schema allows, or an unknown one."""
        try:
            notification = json.loads(body.decode())
        except (ValueError, RecursionError) as error:
            raise RejectedError(HTTPStatus.BAD_REQUEST, "The body is not JSON in UTF-8.") from error
        event = notification.get("event") if isinstance(notification, dict) else None
        if not isinstance(event, str):
            raise RejectedError(HTTPStatus.BAD_REQUEST, "The body names no event.")
        if event not in self.validators:
            return notification
        error = best_match(self.validators[event].iter_errors(notification))
        if error:
            raise RejectedError(HTTPStatus.BAD_REQUEST, f"{error.json_path}: {error.message}"[:MAX_DETAIL])
        return notification


def main() -> None:
    token = os.environ.get("FLOE_SECRET_TOKEN", "")
    secrets = os.environ.get("FLOE_SIGNING_SECRET", "").split()
    # Without this check, a variable that is not set would create a receiver that accepts every request.
    if not secrets or len(sys.argv) != 2:
        sys.exit(f"FLOE_SIGNING_SECRET and the file of the JSON Schema are needed\n{__doc__}")
    try:
        keys = [decode_signing_key(secret) for secret in secrets]
    except ValueError as error:
        sys.exit(f"FLOE_SIGNING_SECRET cannot be used: {error}")
    schema = json.loads(Path(sys.argv[1]).read_bytes())
    with Server(int(os.environ.get("PORT", "3000")), token, keys, schema) as server:
        try:
            print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
            server.serve_forever()
        except KeyboardInterrupt:
            print("stopped", flush=True)


if __name__ == "__main__":
    main()
