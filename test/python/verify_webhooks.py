"""Verifies requests from the standard input: a list of [headers, body, secrets, token]. Prints a line for each."""

import json
import sys

from floe_client import WebhookError, verify_webhook

for headers, body, secrets, token in json.load(sys.stdin):
    try:
        print(verify_webhook(headers, body.encode(), signing_secrets=secrets, secret_token=token)["event"])
    except WebhookError as error:
        print(error)
    except ValueError as error:
        print(f"ValueError: {error}")
