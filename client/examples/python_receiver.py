"""Receives notifications with Python and checks them against the published JSON Schema.

Needs `pip install jsonschema`. The schema is what `npx floe schema` prints and /v1/schemas/notification.json serves.

Run: FLOE_SECRET_TOKEN=... PORT=3000 python python_receiver.py notification.schema.json
"""

import hmac
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

MAX_BYTES = 1_048_576
SECRET_TOKEN = os.environ["FLOE_SECRET_TOKEN"].encode()
VALIDATOR = Draft202012Validator(json.loads(Path(sys.argv[1]).read_bytes()))


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self) -> None:
        token = self.headers.get("X-Secret-Token", "").encode("latin-1")
        if not hmac.compare_digest(token, SECRET_TOKEN):
            return self.send_error(401)
        length = int(self.headers.get("Content-Length", "0"))
        if not 0 < length <= MAX_BYTES:
            return self.send_error(413)
        try:
            notification = json.loads(self.rfile.read(length))
        except ValueError as error:
            return self.send_error(400, explain=str(error))
        error = best_match(VALIDATOR.iter_errors(notification))
        if error:
            return self.send_error(400, explain=f"{error.json_path}: {error.message}")
        details = notification["details"]
        print(f"{self.headers['webhook-id']}: {details['repo_name']} is now at {details['snapshot_id']}", flush=True)
        self.send_response(204)
        self.end_headers()


if not SECRET_TOKEN:
    sys.exit("FLOE_SECRET_TOKEN is empty")
server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
